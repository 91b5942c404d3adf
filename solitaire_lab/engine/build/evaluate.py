"""How promising a position of a build game looks: counted features, each with a weight; and of which kind it is.

Only incomplete searches go by it, so it may be anything. What counts is what others found to matter in games of this
kind, Freecell above all: cards on foundations, cards in sequence, and cards that lie on others that must go first.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.bits import ONE, ZERO, bit
from solitaire_lab.engine.build.hashing import link_a
from solitaire_lab.engine.build.layout import (
    DECKS,
    FACE_DOWN,
    FOUNDATION,
    LENGTH,
    LINKS,
    MAX_PILE,
    N_COLUMNS,
    N_STOCK,
    NEXT,
    ON_FOUNDATIONS,
    PILES,
    PREVIOUS,
    RESERVE_LEFT,
    STOCK,
    TAKES,
    WASTE_TOP,
    foundation_taking,
)
from solitaire_lab.engine.kernel import kernel, large_kernel

# Places in the array of weights (int64).

ON_FOUNDATION = np.int64(0)
"""A card on a foundation."""
LEAST_HEIGHT = np.int64(1)
"""A card of the lowest foundation."""
BUILT = np.int64(2)
"""A card that lies on one that takes it."""
BUILT_IN_SUIT = np.int64(3)
"""Likewise, in suit."""
ON_LOWER = np.int64(4)
"""A card that is not built and lies, anywhere in its column, on one of lower rank."""
ON_LOWER_IN_SUIT = np.int64(5)
"""A card that lies, anywhere in its column or in the waste, on a lower one of its suit, which must go up first."""
ON_NEXT = np.int64(6)
"""A card that lies in its column on one that a foundation takes."""
SPACE = np.int64(7)
"""An empty column."""
HIDDEN = np.int64(8)
"""A card that is face down."""
IN_RESERVE = np.int64(9)
IN_STOCK = np.int64(10)
IN_WASTE = np.int64(11)
MOBILE = np.int64(12)
"""A column's top card that another column takes."""
N_WEIGHTS = np.int64(13)

_CODE = FACE_DOWN - 1
_RANK = np.int64(15)
_TOP_RANKS = np.int64(0x0F0F0F0F)
"""Eight bits for each suit: higher than any rank."""


@large_kernel
def evaluate(board, cards, hashes, weights):
    """Return a position's score, the higher the better, and its kind, as a hash.

    Positions are of one kind if the same cards lie on cards that do not take them. That leaves open what is on the
    foundations, where the runs lie, and which cards of the reserve are left.

    Parameters
    ----------
    board, cards, hashes : ndarray
        The position, see ``layout.py``.
    weights : ndarray of int64, shape (N_WEIGHTS,)
        What each feature adds, by its count.
    """
    least = _RANK
    for pile in range(4):
        least = min(least, board[FOUNDATION + 2 * pile + board[DECKS] - 1])
    score = weights[ON_FOUNDATION] * board[ON_FOUNDATIONS] + weights[LEAST_HEIGHT] * least
    kind, tops, taken = ZERO, ZERO, ZERO
    for column in range(board[N_COLUMNS]):
        length = board[LENGTH + column]
        if not length:
            score += weights[SPACE]
            continue
        base = PILES + column * MAX_PILE
        lowest, lowest_of = _RANK, _TOP_RANKS
        next_at = length - 1
        before = np.int64(0)
        for place in range(length):
            code = np.int64(cards[base + place])
            card = code & _CODE
            rank, suit = card >> 2, card & 3
            if code & FACE_DOWN:
                score += weights[HIDDEN]
            if place and hashes[TAKES + before] & bit(card):
                score += weights[BUILT]
                if suit == before & 3:
                    score += weights[BUILT_IN_SUIT]
            else:
                if rank > lowest:
                    score += weights[ON_LOWER]
                if place:
                    kind += link_a(np.uint64(before & _CODE), hashes[LINKS + 2 * card])
            lowest = min(lowest, rank)
            if rank > (lowest_of >> 8 * suit & _RANK):
                score += weights[ON_LOWER_IN_SUIT]
            else:
                lowest_of ^= ((lowest_of >> 8 * suit & _RANK) ^ rank) << 8 * suit
            if next_at == length - 1 and foundation_taking(board, card) >= 0:
                next_at = place
            before = code
        score += weights[ON_NEXT] * (length - 1 - next_at)
        tops |= bit(before)
        taken |= hashes[TAKES + before]
    mobile = tops & taken
    while mobile:
        mobile &= mobile - ONE
        score += weights[MOBILE]
    left = board[RESERVE_LEFT]
    while left:
        left &= left - 1
        score += weights[IN_RESERVE]
    if board[N_STOCK]:
        score += evaluate_stock(board, cards, weights)
    return score, kind


@kernel
def evaluate_stock(board, cards, weights):
    """Return what stock and waste add to the score."""
    score = np.int64(0)
    highest_of = np.int64(0)
    node = board[WASTE_TOP]
    while node:
        card = np.int64(cards[STOCK + node])
        rank, shift = card >> 2, 8 * (card & 3)
        score += weights[IN_WASTE]
        if rank < (highest_of >> shift & _RANK):
            score += weights[ON_LOWER_IN_SUIT]  # it lies under a higher one of its suit
        else:
            highest_of ^= ((highest_of >> shift & _RANK) ^ rank) << shift
        node = board[PREVIOUS + node]
    node = board[NEXT + board[WASTE_TOP]]
    while node <= board[N_STOCK]:
        score += weights[IN_STOCK]
        node = board[NEXT + node]
    return score
