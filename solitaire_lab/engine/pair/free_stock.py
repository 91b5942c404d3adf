"""Positions whose stock cards are all exposed at all times.

*Where it is the game itself.* There is no stock; or the passes are unlimited, one card is turned at a time, and only
the pyramid must go. Then each stock card that is left can be turned up at any time. Two stock cards need never be
discarded together, nor one alone, since it is in nobody's way; and stock cards of one rank are alike, so the one that
is turned first is taken. The position is the set of the cards in play.

*Where it is a relaxation.* Only the pyramid must go, whatever the rules say of the stock. The discards of a real line
that take cards of the layout, in their order, are a line here. So what cannot be won here cannot be won.

*Plans in one order.* With nothing to wait for but the cards of the layout, a plan that wins (see ``passed_over.py``)
can be played card by card: look at the exposed cards of the layout in the order of their numbers, and take the first
whose part in the plan can be played now; those before it wait for cards that are still covered. So the moves of a
position are those of its undecided cards, each with the undecided ones before it put among the *decided*. Two decided
cards have been exposed together, so they do not go together later (when the second of them was left waiting, the first
was there already); nor does a decided card go with one of the stock. That is what `PASSED` holds here: the decided
cards and all of the stock. A pair of overlapping cards may become possible after one of them is decided; it is always
tried, and decides nothing.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.bits import ONE, ZERO, below, bit, lowest
from solitaire_lab.engine.kernel import kernel
from solitaire_lab.engine.pair.layout import (
    ALONE,
    COVERS,
    DISCARD_ONE,
    DISCARD_PAIR,
    FORCED,
    NONE,
    OVERLAP_PAIRS,
    PARTNERS,
    PYRAMID,
    STOCK,
    TWINS,
    UNDER,
    exposed_layout,
    move_first,
    move_kind,
    move_second,
    pack_move,
)


@kernel
def free_stock_moves(rules, masks, low, passed, moves, end):
    """Write the moves of a position to `moves` from place `end` on; return the place after the last one."""
    free = exposed_layout(masks, low)
    stock = without_twins(masks, low, low & masks[STOCK])
    rest = free & ~passed
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        if masks[ALONE] & bit(card):
            moves[end] = pack_move(DISCARD_ONE, card, NONE)
            end += 1
        partners = masks[PARTNERS + card] & (free & passed | rest | stock)
        while partners:
            moves[end] = pack_move(DISCARD_PAIR, card, lowest(partners))
            end += 1
            partners &= partners - ONE
    while rules[OVERLAP_PAIRS] and free:
        card = lowest(free)
        free &= free - ONE
        under = masks[UNDER + card] & masks[PYRAMID] & masks[PARTNERS + card] & low
        while under:
            other = lowest(under)
            under &= under - ONE
            if masks[COVERS + other] & low == bit(card):
                moves[end] = pack_move(DISCARD_PAIR, card, other)
                end += 1
    return end


@kernel
def passed_before(masks, low, passed, move):
    """Return the undecided cards that a move leaves waiting: those before the one that it decides."""
    if np.int64(move) & FORCED:
        return ZERO
    goes = bit(move_first(move))
    if move_kind(move) == DISCARD_PAIR:
        second = move_second(move)
        if masks[COVERS + second] & low:
            return ZERO
        goes |= bit(second)
    undecided = exposed_layout(masks, low) & ~passed
    return undecided & below(lowest(goes & undecided))


@kernel
def without_twins(masks, low, cards):
    """Return a set of cards with only the first of the stock cards of each rank."""
    kept = cards
    rest = cards & masks[STOCK]
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        if masks[TWINS + card] & low:
            kept ^= bit(card)
    return kept
