"""Legal moves of pair games, and what they lead to: the referee's rules, compiled.

Positions are values, two words each, so a search keeps those of its path and takes nothing back.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.bits import ONE, bit, lowest
from solitaire_lab.engine.kernel import kernel
from solitaire_lab.engine.pair.layout import (
    AHEAD_ONE,
    AHEAD_PAIR,
    ALONE,
    COVERS,
    DISCARD_ONE,
    DISCARD_PAIR,
    DRAW,
    FIRST_STOCK,
    GOAL,
    LOOKS_AHEAD,
    OVERLAP_PAIRS,
    PARTNERS,
    PASS_SHIFT,
    PASSES,
    PYRAMID,
    REDEAL,
    SIX_BITS,
    STOCK,
    STOP_AT_EXHAUSTION,
    THREE,
    TURN_STOCK,
    WASTE_PILES,
    ZERO,
    at_turn,
    exposed_layout,
    exposed_stock,
    move_first,
    move_kind,
    move_second,
    next_card,
    pack_move,
    pass_of,
    stock_left,
    waste_left,
    waste_tops,
    with_stock_from,
)


@kernel
def is_won(masks, low):
    """Say whether all cards that must go are gone."""
    return low & masks[GOAL] == ZERO


@kernel
def is_last_pass(rules, low):
    """Say whether no new pass may follow this one."""
    return rules[PASSES] != 0 and pass_of(low) >= rules[PASSES] - 1


@kernel
def is_stopped(rules, masks, low):
    """Say whether the game was lost with the last stock card of the last pass."""
    if not rules[STOP_AT_EXHAUSTION] or not masks[STOCK] or not low & masks[PYRAMID]:
        return False
    return is_last_pass(rules, low) and not stock_left(masks, low)


@kernel
def legal_moves(rules, masks, low, high, moves, end):
    """Write all legal moves to `moves` from place `end` on; return the place after the last one.

    Parameters
    ----------
    rules : ndarray of int64, masks : ndarray of uint64
        See ``layout.py``.
    low, high : uint64
        The position.
    moves : ndarray of int32
        Must have room for `MAX_MOVES` more.
    end : int
    """
    if is_stopped(rules, masks, low):
        return end
    free = exposed_layout(masks, low)
    if rules[OVERLAP_PAIRS]:
        end = overlap_pairs(masks, low, free, moves, end)
    free |= waste_tops(rules, masks, low, high) | exposed_stock(rules, masks, low)
    rest = free
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        if masks[ALONE] & bit(card):
            moves[end] = pack_move(DISCARD_ONE, card, 0)
            end += 1
        partners = rest & masks[PARTNERS + card]
        while partners:
            moves[end] = pack_move(DISCARD_PAIR, card, lowest(partners))
            end += 1
            partners &= partners - ONE
    if stock_left(masks, low):
        moves[end] = pack_move(TURN_STOCK, 0, 0)
        end += 1
    elif waste_left(masks, low) and not is_last_pass(rules, low):
        moves[end] = pack_move(REDEAL, 0, 0)
        end += 1
    return end


@kernel
def overlap_pairs(masks, low, free, moves, end):
    """Write the pairs of a pyramid card with the one exposed card that still covers it."""
    rest = low & masks[PYRAMID] & ~free
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        over = masks[COVERS + card] & low
        if not over & (over - ONE) and over & free and over & masks[PARTNERS + card]:
            moves[end] = pack_move(DISCARD_PAIR, card, lowest(over))
            end += 1
    return end


@kernel
def whole_turns(rules, masks, low):
    """Say whether as many cards lie in the waste as a number of turns brings there."""
    number = 0
    rest = waste_left(masks, low)
    while rest:
        rest &= rest - ONE
        number += 1
    return number % rules[DRAW] == 0


@kernel
def after(rules, masks, low, high, move):
    """Return the two words of the position that a move leads to."""
    kind = move_kind(move)
    if kind == AHEAD_PAIR or kind == AHEAD_ONE:
        low = at_turn(low, move)
        kind -= AHEAD_PAIR
    if kind == DISCARD_PAIR or kind == DISCARD_ONE:
        gone = bit(move_first(move))
        if kind == DISCARD_PAIR:
            gone |= bit(move_second(move))
        low &= ~gone
        gone &= masks[STOCK]
        if rules[LOOKS_AHEAD] and not rules[PASSES]:
            low = with_stock_from(rules, masks, low & ~(SIX_BITS << PASS_SHIFT), next_card(low))
            if whole_turns(rules, masks, low):
                low = with_stock_from(rules, masks, low, rules[FIRST_STOCK])
        elif gone:
            low = with_stock_from(rules, masks, low, next_card(low))
            while gone and rules[WASTE_PILES] > 1:
                high &= ~(THREE << np.uint64(2 * (lowest(gone) - rules[FIRST_STOCK])))
                gone &= gone - ONE
        return low, high
    if kind == TURN_STOCK:
        for number in range(rules[DRAW]):
            card = next_card(low)
            if not stock_left(masks, low):
                break
            if rules[WASTE_PILES] > 1:
                high |= np.uint64(number) << np.uint64(2 * (card - rules[FIRST_STOCK]))
            low = with_stock_from(rules, masks, low, card + 1)
        return low, high
    if rules[PASSES]:
        low += ONE << PASS_SHIFT
    return with_stock_from(rules, masks, low, rules[FIRST_STOCK]), ZERO
