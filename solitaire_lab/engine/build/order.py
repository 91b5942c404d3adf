"""In which order the moves of a build game are tried. Order never changes a verdict, only the time to it."""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.bits import bit
from solitaire_lab.engine.build.layout import (
    FACE_DOWN,
    FOUNDATION_TO_TABLEAU,
    LENGTH,
    MAX_PILE,
    MOVE_BITS,
    PILES,
    RANDOM,
    RESERVE_TO_TABLEAU,
    RUN_TAKES,
    TABLEAU_TO_FOUNDATION,
    TABLEAU_TO_TABLEAU,
    TURN_STOCK,
    WASTE_TO_FOUNDATION,
    WASTE_TO_TABLEAU,
    foundation_taking,
    is_to_foundation,
    move_count,
    move_kind,
    move_source,
    move_target,
)
from solitaire_lab.engine.kernel import kernel
from solitaire_lab.engine.mixing import shuffle_moves

N_CLASSES = 16


@kernel
def order(board, cards, hashes, moves, start, end, counts):
    """Sort ``moves[start:end]`` by class, stable, best first.

    Parameters
    ----------
    counts : ndarray of int64, shape (N_CLASSES,)
        Scratch. The moves array needs as many free places after `end` as there are moves.
    """
    if end - start < 2:
        return
    shuffle_moves(board, RANDOM, moves, start, end)
    counts[:] = 0
    for at in range(start, end):
        rank = move_class(board, cards, hashes, np.int64(moves[at]))
        counts[rank] += 1
        moves[at + end - start] = moves[at] | np.int32(rank << MOVE_BITS)
    place = start
    for rank in range(N_CLASSES):
        count = counts[rank]
        counts[rank] = place
        place += count
    for at in range(end, 2 * end - start):
        rank = np.int64(moves[at]) >> MOVE_BITS
        moves[counts[rank]] = np.int32(np.int64(moves[at]) ^ rank << MOVE_BITS)
        counts[rank] += 1


@kernel
def move_class(board, cards, hashes, move):
    """Return how late a move is to be tried: 0 first, `N_CLASSES` - 1 last."""
    kind = move_kind(move)
    if (kind == WASTE_TO_FOUNDATION or kind == WASTE_TO_TABLEAU) and move_source(move):
        return 11
    if kind == TABLEAU_TO_FOUNDATION:
        return 0
    if is_to_foundation(move):
        return 1
    to_space = board[LENGTH + move_target(move)] == 0
    if kind == TABLEAU_TO_TABLEAU:
        source, count = move_source(move), move_count(move)
        left = board[LENGTH + source] - count
        if left == 0:
            return 4
        at = PILES + source * MAX_PILE + left
        below = np.int64(cards[at - 1])
        if below & FACE_DOWN:
            return 9 if to_space else 2
        if foundation_taking(board, below) >= 0:
            return 8 if to_space else 3
        if hashes[RUN_TAKES + below] & bit(np.int64(cards[at])):
            return 13 if to_space else 10
        return 9 if to_space else 5
    if kind == WASTE_TO_TABLEAU:
        return 10 if to_space else 6
    if kind == TURN_STOCK:
        return 11
    if kind == RESERVE_TO_TABLEAU:
        return 12 if to_space else 7
    if kind == FOUNDATION_TO_TABLEAU:
        return 15 if to_space else 14
    return 11
