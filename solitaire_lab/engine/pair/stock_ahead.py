"""Turns of the stock as parts of the moves that they lead to, for games with one waste pile and more than one pass.

Turning on is possible at all times, and a line of play is a series of discards with turns between them. So a position
needs no moves of its own for turns: all discards are tried that any turning leads to, in the rest of this pass and in
the next one. (Later passes, with the same cards, bring the same as the next.) Every discard leaves fewer cards, so no
position comes under itself.

*One card at a time.* Call where the turning stands (pass and next card) the *time* of a position.

- *Early is no worse.* With the same cards in play, a position that is won at a time t is won at each time before t:
  turn the stock up to t. So if the cards have been searched in vain from some time on, they need not be searched
  from a later one, and the table keeps for each set of cards the least time that was searched.
- Every discard need be tried only at the first time that allows it: what it leaves is the same. One without a stock
  card is made at once. For one with a stock card c, c is on the waste's top or, exposed, next in the stock: first at
  its turn in the present pass if it is still to come, else in the next pass. Two stock cards go together when they
  are neighbours among those in play, the next stock card being exposed: likewise.

*Several cards at a time* come up in threes, say, and which of them lie on top depends on what is gone. Then a discard
is tried at each of the turns that allow it.

Without a limit of passes all times are alike from which the stock can be turned to the same places: those where as many
cards lie in the waste as whole turns bring there, the start of a pass among them. They count as that start.

When the game ends with the last stock card (``at_exhaustion=stop``) nothing is discarded from that time on, and
looking ahead stops there; earlier is no worse all the same.

Used where more than one pass is allowed: with three passes and an exposed stock card it halves the positions. In
a single pass it saves none, as sets of cards come up at later times first and are searched again.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.bits import ONE, ZERO, below, bit, highest, lowest
from solitaire_lab.engine.kernel import kernel
from solitaire_lab.engine.pair.layout import (
    AHEAD_ONE,
    AHEAD_PAIR,
    ALONE,
    DRAW,
    N_CARDS,
    NONE,
    PARTNERS,
    PASS_SHIFT,
    REDEAL,
    STOCK,
    STOCK_EXPOSED,
    STOP_AT_EXHAUSTION,
    TURN_STOCK,
    exposed_layout,
    move_kind,
    next_card,
    pack_move,
    waste_left,
)
from solitaire_lab.engine.pair.moves import is_last_pass, is_stopped

NEW_PASS = np.int64(1) << 22


@kernel
def look_ahead(rules, masks, low, moves, start, end):
    """Replace the turns of the stock among the legal moves in ``moves[start:end]``; return the new end."""
    kept = start
    for at in range(start, end):
        kind = move_kind(np.int64(moves[at]))
        if kind != TURN_STOCK and kind != REDEAL:
            moves[kept] = moves[at]
            kept += 1
    stock = low & masks[STOCK]
    if is_stopped(rules, masks, low) or not stock:
        return kept
    free = exposed_layout(masks, low)
    now = next_card(low)
    first = lowest(stock)
    one_by_one = rules[DRAW] == 1
    # This pass from here on, then the next one; with one card at a time only up to here.
    for later in range(1 if is_last_pass(rules, low) or now == first else 2):
        place = first if later else now
        new_pass = NEW_PASS if later else NONE
        if later and rules[STOCK_EXPOSED]:
            kept = discards_at(rules, masks, low, free, place, new_pass, moves, kept)
        while place < rules[N_CARDS]:
            place = after_turn(rules, stock, place)
            if place == rules[N_CARDS] and stops_with(rules, low + (np.uint64(later) << PASS_SHIFT)):
                break
            if later and one_by_one and (place > now or (place == now and rules[STOCK_EXPOSED])):
                break
            kept = discards_at(rules, masks, low, free, place, new_pass, moves, kept)
    return kept


@kernel
def stops_with(rules, low):
    """Say whether the game ends with this pass, so that nothing is discarded once the stock is empty."""
    return rules[STOP_AT_EXHAUSTION] and is_last_pass(rules, low)


@kernel
def after_turn(rules, stock, place):
    """Return the number of the stock's next card after a turn, `place` being its next card before."""
    left = stock & ~below(place)
    for _ in range(rules[DRAW]):
        left &= left - ONE if left else ZERO
    return lowest(left) if left else rules[N_CARDS]


@kernel
def discards_at(rules, masks, low, free, place, new_pass, moves, end):
    """Write the discards with stock cards that are exposed once the stock's next card is that at `place`."""
    stock = low & masks[STOCK]
    turn = place << 16 | new_pass
    waste = stock & below(place)
    top = bit(highest(waste)) if waste else ZERO
    following = stock & bit(place) if rules[STOCK_EXPOSED] else ZERO
    if top and following and masks[PARTNERS + place] & top:
        moves[end] = np.int32(pack_move(AHEAD_PAIR, lowest(top), place) | turn)
        end += 1
    exposed = following
    if not rules[STOCK_EXPOSED] or rules[DRAW] > 1:
        exposed |= top
    if rules[DRAW] == 1:
        # The waste's top goes at once.
        now = waste_left(masks, low)
        exposed &= ~bit(highest(now)) if now else ~ZERO
    while exposed:
        card = lowest(exposed)
        exposed &= exposed - ONE
        if masks[ALONE] & bit(card):
            moves[end] = np.int32(pack_move(AHEAD_ONE, card, NONE) | turn)
            end += 1
        partners = free & masks[PARTNERS + card]
        while partners:
            moves[end] = np.int32(pack_move(AHEAD_PAIR, lowest(partners), card) | turn)
            end += 1
            partners &= partners - ONE
    return end
