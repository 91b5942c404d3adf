"""Discards that are passed over: what could have been made before the stock was turned is not made later.

The *plan* of a line of play is the set of its discards. A line plays a plan *at once* if it makes each discard of the
plan as soon as it can be made, and turns the stock only when none can be.

*Lemma.* If a line wins by a plan, a line that plays the same plan at once wins too. Let W be the one and A the other,
and look at both when the stock's next card, in the same pass, is the same or (in A, which may have discarded that card)
one of the next. Then A has discarded all that W has. For let d be the first discard of W for which that fails. The
cards of d that lie in the layout are exposed in A, as what covers them is gone there too. A card on top of a waste pile
in W has none above it in A, for those above it in W before are gone in A. A next card of the stock is the next one in
A too. So A could make d, and did. It needs that a discard leaves the turns of the other stock cards as they are:

- discards of cards of the layout always do (`LAYOUT_PAIRS`: only these are then held to the lemma, the others made
  when W makes them);
- with one card turned at a time a stock card's absence skips its turn. But with ``at_exhaustion=stop`` that may bring
  the end forward, so there it counts only in the next case;
- in a single pass without exposed stock cards, no card of the stock is discarded before its turn.

So after a turn no winning plan need hold a pair that could have been discarded before it: it is passed over for good.
To remember which, each position has a set of cards, any two of which are passed over as a pair unless both are of
the stock (those are hardly ever exposed together): the cards exposed before the last turn, and of those on the
waste that were in the set before, those that pair with none that came in now. Leaving cards out of the set is always
allowed, it only passes over less. With a larger set a position has fewer lines, so a position that was searched
under a set is done with under each larger one, see :func:`solitaire_lab.engine.table.insert_set`.

The lemma is about plans, and so are the other rules: a card cannot go, two cards go together in every plan that
wins. They hold as well for the plans that are left, with the pairs passed over taken from those that may go together.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.bits import ONE, ZERO, below, bit, lowest
from solitaire_lab.engine.kernel import kernel
from solitaire_lab.engine.pair.free_stock import passed_before
from solitaire_lab.engine.pair.layout import (
    AHEAD_ONE,
    AHEAD_PAIR,
    DISCARD_PAIR,
    FREE_STOCK,
    LAYOUT,
    LAYOUT_PAIRS,
    NEVER,
    PARTNERS,
    PASSED,
    PASSES,
    PASSES_OVER,
    REDEAL,
    REMOVERS,
    STOCK,
    TURN_STOCK,
    exposed_layout,
    exposed_stock,
    move_first,
    move_kind,
    move_second,
    next_card,
    stock_left,
    waste_tops,
)


@kernel
def passed_after(rules, masks, low, high, passed, move):
    """Return the cards passed over after a move from a position, `passed` being those before it."""
    if rules[PASSES_OVER] == NEVER:
        return ZERO
    kind = move_kind(move)
    if rules[FREE_STOCK]:
        passed |= passed_before(masks, low, passed, move)
    elif kind == TURN_STOCK or kind == REDEAL:
        return with_exposed(rules, masks, low, high, passed)
    elif kind == AHEAD_ONE or kind == AHEAD_PAIR:
        passed = with_exposed(rules, masks, low, high, passed)
        if rules[PASSES_OVER] != LAYOUT_PAIRS:
            passed |= turned_on_the_way(rules, masks, low, move)
    gone = bit(move_first(move))
    if kind == DISCARD_PAIR or kind == AHEAD_PAIR:
        gone |= bit(move_second(move))
    return passed & ~gone


@kernel
def with_exposed(rules, masks, low, high, passed):
    """Return the cards passed over when the stock is turned."""
    free = exposed_layout(masks, low)
    if rules[PASSES_OVER] == LAYOUT_PAIRS:
        return free
    news = free & ~passed
    kept = passed & masks[STOCK]
    rest = kept
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        if masks[PARTNERS + card] & news:
            kept ^= bit(card)
    return free | kept | waste_tops(rules, masks, low, high) | exposed_stock(rules, masks, low)


@kernel
def turned_on_the_way(rules, masks, low, move):
    """Return the stock cards that come up, one by one, before those of a move ahead."""
    card = max(move_first(move), move_second(move))
    left = stock_left(masks, low)
    in_new_pass = np.int64(move) >> 22 & 1 or (not rules[PASSES] and card < next_card(low))
    if in_new_pass:
        return left | low & masks[STOCK] & below(card)
    return left & below(card)


@kernel
def removers(masks, low, card):
    """Return the cards in play with which a card may still go: its `REMOVERS`, less those passed over."""
    found = masks[REMOVERS + card] & low
    passed = masks[PASSED]
    if passed & bit(card):
        found &= ~passed if masks[LAYOUT] & bit(card) else ~(passed & masks[LAYOUT])
    return found


@kernel
def drop_passed(masks, moves, start, end):
    """Leave out the pairs that are passed over from ``moves[start:end]``; return the new end."""
    kept = start
    for at in range(start, end):
        kind = move_kind(moves[at])
        if kind == DISCARD_PAIR or kind == AHEAD_PAIR:
            both = bit(move_first(moves[at])) | bit(move_second(moves[at]))
            if both & ~masks[PASSED] == ZERO and both & masks[LAYOUT]:
                continue
        moves[kept] = moves[at]
        kept += 1
    return kept
