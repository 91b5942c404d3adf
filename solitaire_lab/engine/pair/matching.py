"""Positions of pair games that are lost because the cards that must go cannot all find partners, each its own.

The cards in play and the pairs in which they may still go together (`FEASIBLE`) are a graph. The pairs of a plan that
wins are a matching in it, in which each card that must go, and does not go alone, has a partner. Where there is no
such matching the position is lost: two cards with one and the same partner left, an odd number of cards that can go
only with each other, and so on. Nearly all Cheops deals that cannot be won fall to this at the root.

The matching is found card by card: a set of cards that a matching covers can be covered with one card more, if at
all, by exchanging the pairs along one alternating path, which ends with a card without a partner or with one that need
not have any. Paths are found by J. Edmonds' method (*Paths, trees, and flowers*, Canadian Journal of Mathematics 17,
1965, 449-467), which looks at an odd cycle, a blossom, as one card. The matching is kept from position to position, so
that a search only mends it.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.bits import ONE, ZERO, bit, lowest
from solitaire_lab.engine.kernel import kernel
from solitaire_lab.engine.pair.layout import ALONE, BASE, CARDS, FEASIBLE, GOAL, MATE, NOBODY, PARENT, QUEUE


@kernel
def cannot_all_pair(masks, low):
    """Say whether no matching gives a partner to each card that must go and does not go alone."""
    must = low & masks[GOAL] & ~masks[ALONE]
    rest = low & CARDS
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        mate = mate_of(masks, card)
        if mate != NOBODY and not (masks[FEASIBLE + card] & low & bit(mate) and mate_of(masks, mate) == card):
            masks[MATE + card] = np.uint64(NOBODY)
    rest = must
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        if mate_of(masks, card) == NOBODY and not find_mate(masks, low, must, card):
            return True
    return False


@kernel
def find_mate(masks, low, must, root):
    """Match one more card, those of `must` that are matched staying so; return whether that is possible.

    A tree of alternating paths grows from the card. *Outer* cards, at even distance, are searched from; each other card
    knows the outer one from which it was reached.
    """
    # The usual case first: a partner that has none.
    others = masks[FEASIBLE + root] & low
    while others:
        other = lowest(others)
        others &= others - ONE
        if mate_of(masks, other) == NOBODY:
            match(masks, root, other)
            return True
    rest = low & CARDS
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        masks[PARENT + card] = np.uint64(NOBODY)
        masks[BASE + card] = np.uint64(card)
    outer = bit(root)
    masks[QUEUE] = np.uint64(root)
    head = 0
    tail = 1
    while head < tail:
        card = np.int64(masks[QUEUE + head])
        head += 1
        others = masks[FEASIBLE + card] & low
        while others:
            other = lowest(others)
            others &= others - ONE
            mate = mate_of(masks, other)
            if masks[BASE + card] == masks[BASE + other] or mate_of(masks, card) == other:
                continue
            if other == root or (mate != NOBODY and masks[PARENT + mate] != np.uint64(NOBODY)):
                inside = contract(masks, low, card, other) & ~outer
                outer |= inside
                while inside:
                    one = lowest(inside)
                    inside &= inside - ONE
                    if not must & bit(one):  # it gives its partner away
                        last = mate_of(masks, one)
                        masks[MATE + one] = np.uint64(NOBODY)
                        flip(masks, last)
                        return True
                    masks[QUEUE + tail] = np.uint64(one)
                    tail += 1
            elif masks[PARENT + other] == np.uint64(NOBODY):
                masks[PARENT + other] = np.uint64(card)
                if mate == NOBODY:
                    flip(masks, other)
                    return True
                if not must & bit(mate):
                    masks[MATE + mate] = np.uint64(NOBODY)
                    flip(masks, other)
                    return True
                outer |= bit(mate)
                masks[QUEUE + tail] = np.uint64(mate)
                tail += 1
    return False


@kernel
def flip(masks, last):
    """Exchange matched and unmatched pairs along the path from the root to a card."""
    card = last
    while card != NOBODY:
        before = np.int64(masks[PARENT + card])
        following = mate_of(masks, before)
        match(masks, card, before)
        card = following


@kernel
def common_base(masks, first, second):
    """Return the base of the blossom that two outer cards close."""
    seen = ZERO
    card = first
    while True:
        card = np.int64(masks[BASE + card])
        seen |= bit(card)
        mate = mate_of(masks, card)
        if mate == NOBODY:
            break
        card = np.int64(masks[PARENT + mate])
    card = second
    while True:
        card = np.int64(masks[BASE + card])
        if seen & bit(card):
            return card
        card = np.int64(masks[PARENT + mate_of(masks, card)])


@kernel
def contract(masks, low, first, second):
    """Make one card of the blossom that two outer cards close; return its cards."""
    base = common_base(masks, first, second)
    bases = ZERO
    for side in range(2):
        card = second if side else first
        child = first if side else second
        while np.int64(masks[BASE + card]) != base:
            mate = mate_of(masks, card)
            bases |= bit(np.int64(masks[BASE + card])) | bit(np.int64(masks[BASE + mate]))
            masks[PARENT + card] = np.uint64(child)
            child = mate
            card = np.int64(masks[PARENT + mate])
    inside = ZERO
    rest = low & CARDS
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        if bases & bit(np.int64(masks[BASE + card])):
            masks[BASE + card] = np.uint64(base)
            inside |= bit(card)
    return inside


@kernel
def mate_of(masks, card):
    """Return the card that a card is matched with, or `NOBODY`."""
    return np.int64(masks[MATE + card])


@kernel
def match(masks, card, other):
    """Match two cards."""
    masks[MATE + card] = np.uint64(other)
    masks[MATE + other] = np.uint64(card)
