"""Positions of pair games that are proved lost by a relaxation, without any search.

The relaxation pretends that discards use nothing up: a card that could once be exposed stays to pair with, and a card
that could once be discarded is gone, so that what it covers is free. But it keeps account of *when*: in the last pass
each stock card lies on the waste's top for a part of the time only.

The *time* of a position is the number of the stock's next card, which grows with every turn. Sets of times are words
of 64 bits: "from then on" and "up to then" are words too, and two cards can meet if their words have a bit in common.
Before the last pass all stock cards come up again and again, and there is but one time.

What it finds on the way serves the other rules: with which cards each one may still go (`FEASIBLE`).
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.bits import ONE, ZERO, below, bit, highest, lowest
from solitaire_lab.engine.kernel import kernel
from solitaire_lab.engine.pair.layout import (
    ALONE,
    CARDS,
    COVERS,
    DIRTY,
    DRAW,
    FEASIBLE,
    FIRST_STOCK,
    GOAL,
    LATEST,
    LAYOUT,
    LEAVES,
    MET,
    N_CARDS,
    OPEN,
    OVERLAP_PAIRS,
    REMOVERS,
    STOCK,
    STOCK_EXPOSED,
    STOP_AT_EXHAUSTION,
    THREE,
    UNDER,
    WASTE_PILES,
    next_card,
    stock_left,
)
from solitaire_lab.engine.pair.moves import is_last_pass
from solitaire_lab.engine.pair.passed_over import removers

ROUNDS = 3
"""How often deadlines and earliest times are worked out by turns. More rounds find little more."""


@kernel
def cannot_be_won(rules, masks, low, high):
    """Say whether some card that must go provably never can; fill `FEASIBLE` if not.

    Two arguments take turns, each on what the other has left.

    - *Earliest times* (:func:`spread`): a card of the layout is open once all that cover it are gone; it leaves when it
      meets one of its removers.
    - *Deadlines* (:func:`bring_forward`): a card that must go leaves no later than the last time at which it could, and
      those that cover it no later than that.

    Both hold of any line of play that wins from here (of those that make no discard that was passed over).
    """
    times = all_times(rules, masks, low)
    rest = low & masks[LAYOUT]
    while rest:
        masks[LATEST + lowest(rest)] = times
        rest &= rest - ONE
    for _ in range(ROUNDS):
        if not spread(rules, masks, low, high, times):
            return True
        if not times & (times - ONE) or not bring_forward(masks, low):
            break
    rest = low & masks[LAYOUT]
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        masks[OPEN + card] &= masks[LATEST + card]
    rest = low & CARDS
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        masks[FEASIBLE + card] = ZERO
        others = removers(masks, low, card)
        while others:
            other = lowest(others)
            others &= others - ONE
            if masks[OPEN + card] & masks[OPEN + other] & meeting_times(rules, masks, low, card, other):
                masks[FEASIBLE + card] |= bit(other)
    return False


@kernel
def feasible_by_rank_and_place(masks, low):
    """Fill `FEASIBLE` without the relaxation: with the cards in play that a card could go with at all."""
    rest = low & CARDS
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        masks[FEASIBLE + card] = removers(masks, low, card)


@kernel
def from_first(times):
    """Return all times from the first of a set on."""
    return times | (~times + ONE)


@kernel
def up_to_last(times):
    """Return all times up to the last of a set."""
    return below(highest(times) + 1) if times else ZERO


@kernel
def all_times(rules, masks, low):
    """Return the times that the last pass may still come to, the present one first; one time for an earlier pass.

    Where the next card is exposed it may be discarded without a turn, so any card can come to be the next one.
    With ``at_exhaustion=stop`` a game that has a stock ends when it is empty, unless the pyramid is gone and more must
    go.
    """
    if not is_last_pass(rules, low):
        return ONE
    times = stock_left(masks, low)
    if not rules[STOCK_EXPOSED] and rules[DRAW] > 1:
        rest = times
        number = 0
        while rest:
            if number % rules[DRAW]:
                times ^= bit(lowest(rest))
            number += 1
            rest &= rest - ONE
    ends = rules[STOP_AT_EXHAUSTION] and masks[STOCK] and not masks[GOAL] & masks[STOCK]
    return times if ends else times | bit(rules[N_CARDS])


@kernel
def spread(rules, masks, low, high, times):
    """Find for each card when it may be exposed (`OPEN`) and discarded (`LEAVES`); return whether all that must can.

    Both sets grow from nothing until nothing changes. By induction over the discards of a line of play, each real
    time at which a card is discarded lies in them: what covered the card was gone by then, its partner open, and on
    the waste (:func:`unbury`) all cards that were turned after it were gone.

    With overlapping pairs a card need not wait for a cover that may go with it.
    """
    last = is_last_pass(rules, low)
    # Where the next card is exposed and there are several piles, discards change on which pile a card comes to lie.
    buries = last and (rules[WASTE_PILES] == 1 or not rules[STOCK_EXPOSED])
    rest = low & CARDS
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        masks[OPEN + card] = ZERO
        masks[LEAVES + card] = ZERO
        masks[MET + card] = ZERO
    stock = low & masks[STOCK]
    masks[DIRTY] = low & CARDS
    while masks[DIRTY]:
        rest = masks[DIRTY] & stock
        masks[DIRTY] ^= rest
        if rest and buries:
            unbury(rules, masks, low, high, times)
            rest = ZERO
        while rest:
            card = lowest(rest)
            rest &= rest - ONE
            open_at(rules, masks, low, card, times & since(rules, card) if last else times)
        rest = masks[DIRTY] & ~stock
        while rest:
            card = lowest(rest)  # lower numbers cover higher ones
            masks[DIRTY] ^= bit(card)
            when = masks[LATEST + card]
            over = masks[COVERS + card] & low
            while over and when:
                cover = lowest(over)
                over &= over - ONE
                gone = from_first(masks[LEAVES + cover])
                if rules[OVERLAP_PAIRS] and masks[REMOVERS + card] & bit(cover):
                    gone |= masks[OPEN + cover]
                when &= gone
            before = masks[OPEN + card]
            if when and (
                open_at(rules, masks, low, card, when) or (rules[OVERLAP_PAIRS] and masks[OPEN + card] != before)
            ):
                masks[DIRTY] |= masks[UNDER + card] & low
            rest = masks[DIRTY] & ~stock
    rest = low & masks[GOAL]
    while rest:
        if not masks[LEAVES + lowest(rest)]:
            return False
        rest &= rest - ONE
    return True


@kernel
def since(rules, card):
    """Return the times at which a stock card has been turned, or is the exposed next one."""
    return ~below(card if rules[STOCK_EXPOSED] else card + 1)


@kernel
def unbury(rules, masks, low, high, times):
    """Look at stock and waste from the top down: a card that lies on the waste buries those below it until it leaves.

    The last pass is never turned over again. In a stock from which only the waste's tops are taken, each card's
    pile is known before its turn.
    """
    masks[DIRTY] &= ~masks[STOCK]
    first = next_card(low)
    number = 0
    rest = stock_left(masks, low) if rules[WASTE_PILES] > 1 else ZERO
    while rest:
        number += 1
        rest &= rest - ONE
    pile = np.int64(0)
    buried0, buried1, buried2 = ZERO, ZERO, ZERO
    rest = low & masks[STOCK]
    while rest:
        card = highest(rest)
        rest ^= bit(card)
        if rules[WASTE_PILES] > 1:
            if card >= first:
                number -= 1
                pile = number % rules[WASTE_PILES]
            else:
                pile = np.int64(high >> np.uint64(2 * (card - rules[FIRST_STOCK])) & THREE)
        buried = buried0 if pile == 0 else buried1 if pile == 1 else buried2
        open_at(rules, masks, low, card, times & since(rules, card) & ~buried)
        buried |= times & ~below(card + 1) & ~from_first(masks[LEAVES + card])
        if pile == 0:
            buried0 = buried
        elif pile == 1:
            buried1 = buried
        else:
            buried2 = buried


@kernel
def open_at(rules, masks, low, card, when):
    """Note that a card may be open at some times; return whether it may leave earlier than was known."""
    news = when & ~masks[OPEN + card]
    if news:
        masks[OPEN + card] |= news
        rest = removers(masks, low, card)
        while rest:
            other = lowest(rest)
            rest &= rest - ONE
            met = news & meeting_times(rules, masks, low, card, other)
            if met & ~masks[MET + other]:
                masks[MET + other] |= met
                if masks[OPEN + other] & met & ~masks[LEAVES + other]:
                    masks[DIRTY] |= bit(other)
    leaves = when if masks[ALONE] & bit(card) else when & masks[MET + card]
    before = masks[LEAVES + card]
    masks[LEAVES + card] = leaves
    return from_first(leaves) != from_first(before)


@kernel
def meeting_times(rules, masks, low, card, other):
    """Return the times at which two cards can be exposed together, whatever covers them.

    In the last pass, two cards of the stock with one waste pile meet only when the later one is next: on the waste one
    of them buries the other.
    """
    both = bit(card) | bit(other)
    if both & ~masks[STOCK] or rules[WASTE_PILES] > 1 or not is_last_pass(rules, low):
        return ~ZERO
    return bit(max(card, other))


@kernel
def bring_forward(masks, low):
    """Set the deadlines (`LATEST`) of the cards that cover others; return whether some card could have missed its own.

    From the bottom of the layout up, so that one pass follows whole chains.
    """
    matters = False
    rest = low & masks[LAYOUT] & masks[GOAL]
    while rest:
        card = highest(rest)
        rest ^= bit(card)
        latest = up_to_last(masks[LEAVES + card] & masks[LATEST + card])
        over = masks[COVERS + card] & low
        while over:
            cover = lowest(over)
            over &= over - ONE
            if masks[LEAVES + cover] & ~latest:
                matters = True
            masks[LATEST + cover] &= latest
    return matters
