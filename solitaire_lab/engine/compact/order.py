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
    RANDOM,
    TALON,
    TALON_ON,
    TALON_PLACE,
    TALON_UP,
    size,
)
from solitaire_lab.engine.kernel import kernel
from solitaire_lab.engine.mixing import shuffle_moves


N_CLASSES = np.int64(7)


@kernel
def order(board, records, record, stack, moves, start, end):
    """Sort ``moves[start:end]`` by class, stable, best first. ``stack`` is scratch."""
    shuffle_moves(board, RANDOM, moves, start, end)
    place = 0
    for rank in range(N_CLASSES):
        first_of = place
        for at in range(start, end):
            move = np.int64(moves[at])
            if move_class(board, records, record, move) != rank:
                continue
            at_ = place
            place += 1
            if rank in (1, 5, 6):
                d = away(board, records, record, move)
                lo = at_
                while lo > first_of and away(board, records, record, stack[lo - 1]) > d:
                    stack[lo] = stack[lo - 1]
                    lo -= 1
                at_ = lo
            stack[at_] = move
    for at in range(start, end):
        moves[at] = np.int32(stack[at - start])


@kernel
def move_class(board, records, record, move):
    """Return how late a move is to be tried: 0 first, `N_CLASSES` - 1 last."""
    kind = move & np.int64(7)
    card = move >> CARD_SHIFT & np.int64(63)
    if HEAD_UP <= kind <= HEAD_TO_SPACE:
        left = records[record + LOCKED] >> (board[COLUMN_OF + card] << np.int64(2)) & FIFTEEN
        if kind == HEAD_UP:
            return np.int64(0)
        if kind == HEAD_ON:
            return np.int64(2) if left > 1 else np.int64(4)
        return np.int64(3)
    if kind == TALON_UP:
        return np.int64(1)
    if kind == TALON_ON:
        return np.int64(5)
    return np.int64(6)


@kernel
def away(board, records, record, move):
    """Return how far a card of the talon is from where it is turned to, in cards."""
    place = board[TALON_PLACE + (move >> CARD_SHIFT & np.int64(63))]
    talon, cursor = records[record + TALON], records[record + CURSOR]
    if place >= cursor:
        return size(talon >> cursor & (np.int64(1) << (place - cursor)) - np.int64(1))
    return size(talon) - size(talon >> place & (np.int64(1) << (cursor - place)) - np.int64(1))
