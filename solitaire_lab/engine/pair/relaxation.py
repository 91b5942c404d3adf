"""Positions of pair games that are proved lost by a relaxation, without any search.

The relaxation pretends that discards use nothing up: a card that could once be exposed is exposed at any time,
and a card that could once be discarded both is gone, so that what it covers is free, and stays to pair with.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.bits import ONE, ZERO, bit, highest, lowest
from solitaire_lab.engine.kernel import kernel
from solitaire_lab.engine.pair.layout import (
    ALONE,
    COVERS,
    GOAL,
    LAYOUT,
    OVERLAP_PAIRS,
    REMOVERS,
    STOCK,
    WASTE_PILES,
    waste_left,
)
from solitaire_lab.engine.pair.moves import is_last_pass


@kernel
def cannot_be_won(rules, masks, low):
    """Say whether some card that must go provably never can from this position.

    The fixpoint below grows the set of cards that are ever *free* (exposed, or for overlapping pairs covered
    by nothing but what may go with them) and shrinks that of cards of the layout that are never *gone*. By
    induction over its discards every real line of play stays within them: a card of the layout is free only when
    all cards directly over it are gone; two cards go together only when both are free and neither lies over the
    other (`REMOVERS`); cards of the stock are taken to be free at all times, but in the last pass those in a
    single waste pile only once all cards above them are gone, since nothing turns it over again. So if a card of
    the goal is never gone here, no line of play wins.

    With overlapping pairs a card need not wait for a cover that may go with it, so a cover that is free and pairs
    with the card counts as gone for it.
    """
    free = low & masks[STOCK]
    buried = ZERO
    if rules[WASTE_PILES] == 1 and is_last_pass(rules, low):
        buried = waste_left(masks, low)
        if buried:
            buried ^= bit(highest(buried))
            free ^= buried
    staying = low & masks[LAYOUT]
    changed = True
    while changed:
        changed = False
        # Lower numbers cover higher ones, so one pass follows a whole chain.
        rest = staying
        while rest:
            card = lowest(rest)
            one = bit(card)
            rest ^= one
            over = masks[COVERS + card] & staying
            if over and not (rules[OVERLAP_PAIRS] and over & ~(free & masks[REMOVERS + card]) == ZERO):
                continue
            free |= one
            if masks[ALONE] & one or masks[REMOVERS + card] & free:
                staying ^= one
                changed = True
        while buried:
            below = highest(buried)
            over = free & masks[STOCK] & ~((ONE << np.uint64(below)) - ONE)
            over = lowest(over)
            if not (masks[ALONE] & bit(over) or masks[REMOVERS + over] & free):
                break
            buried ^= bit(below)
            free |= bit(below)
            changed = True
    if staying & masks[GOAL]:
        return True
    rest = low & masks[GOAL] & masks[STOCK]
    while rest:
        card = lowest(rest)
        one = bit(card)
        rest ^= one
        if not free & one or not (masks[ALONE] & one or masks[REMOVERS + card] & free):
            return True
    return False
