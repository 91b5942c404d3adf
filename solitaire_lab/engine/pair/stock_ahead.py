"""Turns of the stock as parts of the moves that they lead to, for games that turn one card at a time onto one pile.

Call where the turning of the stock stands (pass and next card) the *time* of a position. With one card at a time
turning forward is always possible and loses nothing but time: the cards in play alone decide what a later
time in the same or the next pass brings, whatever turns led there. Hence:

- *Early is no worse.* With the same cards in play, a position that is won at a time t is won at each time
  before t: turn the stock up to t. So if the cards have been searched in vain from some time on, they need not
  be searched from a later one, and the table keeps for each set of cards the least time that was searched.
- *Turns need no positions of their own.* A line of play is a series of discards, with turns between them. So
  from a position all discards are tried that any turning leads to, each at the first time that allows it: what
  they leave is the same, and early is no worse. Every discard leaves fewer cards, so no position comes under
  itself, and a set of cards in the table has been searched to its end.

A discard without a stock card is made at once. For one with a stock card c, c is on the waste's top or, exposed,
next in the stock: first at its turn in the present pass if it is still to come, else in the next pass. Two
stock cards go together when they are neighbours among those in play, the next stock card being exposed: likewise.
So one look at the rest of this pass and at the next pass finds all first times.

Without a limit of passes all times of a pass are alike: from each the stock can be turned to any other. The
pass is not counted then, and the time is set to the beginning of a pass after every discard.

When the game ends with the last stock card (``at_exhaustion=stop``) nothing is discarded from that time on, and
looking ahead stops there; earlier is no worse all the same.

Used where more than one pass is allowed: with three passes and an exposed stock card it halves the positions. In
a single pass it saves none, as sets of cards come up at later times first and are searched again.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.bits import ONE, below, bit, highest, lowest
from solitaire_lab.engine.kernel import kernel
from solitaire_lab.engine.pair.layout import (
    AHEAD_ONE,
    AHEAD_PAIR,
    ALONE,
    N_CARDS,
    NONE,
    PARTNERS,
    PASSES,
    REDEAL,
    STOCK,
    STOCK_EXPOSED,
    TURN_STOCK,
    at_turn,
    exposed_layout,
    move_kind,
    next_card,
    pack_move,
    waste_left,
)
from solitaire_lab.engine.pair.moves import is_last_pass, is_stopped

NOBODY = np.int64(-1)


@kernel
def look_ahead(rules, masks, low, moves, start, end):
    """Replace the turns of the stock among the legal moves in ``moves[start:end]``; return the new end."""
    kept = start
    for at in range(start, end):
        kind = move_kind(np.int64(moves[at]))
        if kind != TURN_STOCK and kind != REDEAL:
            moves[kept] = moves[at]
            kept += 1
    if is_stopped(rules, masks, low):
        return kept
    free = exposed_layout(masks, low)
    stock, waste = low & masks[STOCK], waste_left(masks, low)
    top = highest(waste) if waste else NOBODY
    for later in range(1 if is_last_pass(rules, low) else 2):
        # This pass from here on, then the next one up to here. `before` lies on the waste when `card` is next.
        before = top if later == 0 else NOBODY
        new_pass = np.int64(1) << 22 if later and rules[PASSES] else np.int64(0)
        rest = waste if later else stock ^ waste
        while rest:
            card = lowest(rest)
            rest &= rest - ONE
            following = stock & ~below(card + 1)
            next_up = lowest(following) if following else rules[N_CARDS]
            is_new = card != top
            if rules[STOCK_EXPOSED]:
                turn = card << 16 | new_pass
                is_new = is_new and (later or card != next_card(low))
                fits = before >= 0 and masks[PARTNERS + card] & bit(max(before, 0))
                if fits and (later or card != next_card(low)):
                    moves[kept] = np.int32(pack_move(AHEAD_PAIR, before, card) | turn)
                    kept += 1
            else:
                turn = next_up << 16 | new_pass
                # The last card of the last pass ends the game as it is turned.
                if is_stopped(rules, masks, at_turn(low, turn)):
                    break
            before = card
            if not is_new:
                continue
            if masks[ALONE] & bit(card):
                moves[kept] = np.int32(pack_move(AHEAD_ONE, card, NONE) | turn)
                kept += 1
            partners = free & masks[PARTNERS + card]
            while partners:
                moves[kept] = np.int32(pack_move(AHEAD_PAIR, lowest(partners), card) | turn)
                kept += 1
                partners &= partners - ONE
    return kept
