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


@kernel
def order(board, cards, hashes, moves, start, end):
    """Sort ``moves[start:end]`` by class, stable, best first."""
    if end - start < 2:
        return
    shuffle_moves(board, RANDOM, moves, start, end)
    for at in range(start, end):
        move = np.int64(moves[at])
        rank = move_class(board, cards, hashes, move)
        place = at
        while place > start and np.int64(moves[place - 1]) >> MOVE_BITS > rank:
            moves[place] = moves[place - 1]
            place -= 1
        moves[place] = np.int32(move | rank << MOVE_BITS)
    for at in range(start, end):
        moves[at] &= np.int32((np.int64(1) << MOVE_BITS) - 1)


@kernel
def move_class(board, cards, hashes, move):
    """Return how late a move is to be tried: 0 first, 15 last."""
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
