"""In which order moves out of a component are tried. Order never changes a verdict, only the time to it."""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.compact.layout import (
    CARD_SHIFT,
    COLUMN_OF,
    CURSOR,
    FIFTEEN,
    HEAD_ON,
    HEAD_TO_SPACE,
    HEAD_UP,
    LOCKED,
    ONE,
    RANDOM,
    TALON,
    TALON_ON,
    TALON_PLACE,
    TALON_UP,
    TWO,
    ZERO,
    size,
)
from solitaire_lab.engine.kernel import kernel
from solitaire_lab.engine.mixing import shuffle_moves

N_CLASSES = np.int64(7)
MOVE_BITS, TALON_BITS = np.int64(25), np.int64(5)
"""Of a move, and of how many cards away one is."""


@kernel
def order(board, records, record, stack, moves, start, end):
    """Sort ``moves[start:end]``, best first: by class, in one those of the talon by how soon they come up."""
    shuffle_moves(board, RANDOM, moves, start, end)
    for at in range(end - start):
        move = np.int64(moves[start + at])
        rank = move_class(board, records, record, move) << TALON_BITS | cards_away(board, records, record, move)
        place = at
        while place and stack[place - 1] >> MOVE_BITS > rank:
            stack[place] = stack[place - 1]
            place -= 1
        stack[place] = rank << MOVE_BITS | move
    for at in range(end - start):
        moves[start + at] = np.int32(stack[at] & (ONE << MOVE_BITS) - ONE)


@kernel
def move_class(board, records, record, move):
    """Return how late a move is to be tried: 0 first, `N_CLASSES` - 1 last."""
    kind = move & np.int64(7)
    if kind == HEAD_UP:
        return np.int64(0)
    if kind == TALON_UP:
        return np.int64(1)
    if kind == HEAD_ON:
        card = move >> CARD_SHIFT & np.int64(63)
        left = records[record + LOCKED] >> (board[COLUMN_OF + card] << TWO) & FIFTEEN
        return np.int64(2) if left > 1 else np.int64(4)
    if kind == HEAD_TO_SPACE:
        return np.int64(3)
    if kind == TALON_ON:
        return np.int64(5)
    return np.int64(6)


@kernel
def cards_away(board, records, record, move):
    """Return how many cards of the talon come up before the one that moves; 0 if none of them moves."""
    if move & np.int64(7) < TALON_UP:
        return ZERO
    place = board[TALON_PLACE + (move >> CARD_SHIFT & np.int64(63))]
    talon, cursor = records[record + TALON], records[record + CURSOR]
    if place >= cursor:
        return size(talon >> cursor & (ONE << (place - cursor)) - ONE)
    return size(talon) - size(talon >> place & (ONE << (cursor - place)) - ONE)
