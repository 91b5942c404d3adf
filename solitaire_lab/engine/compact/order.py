"""In which order moves out of a component are tried. Order never changes a verdict, only the time to it."""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.compact.layout import (
    CARD_SHIFT,
    CURSOR,
    HEAD_ON,
    HEAD_TO_SPACE,
    HEAD_UP,
    ONE,
    TALON,
    TALON_PLACE,
    TALON_TO_SPACE,
    TALON_UP,
    ZERO,
    locked_with,
    size,
)
from solitaire_lab.engine.kernel import kernel

N_CLASSES = np.int64(7)
MOVE_BITS, WITHIN_BITS = np.int64(25), np.int64(5)
"""Of a move, and of its place in its class."""
MOST_LOCKED = np.int64(15)


@kernel
def order(board, records, record, stack, moves, start, end):
    """Sort ``moves[start:end]``, best first: by class, and in each by :func:`place_in_class`."""
    for at in range(end - start):
        move = np.int64(moves[start + at])
        kind, card = move & np.int64(7), move >> CARD_SHIFT & np.int64(63)
        left = locked_with(board, records, record, card) if HEAD_UP <= kind <= HEAD_TO_SPACE else ZERO
        rank = move_class(kind, left) << WITHIN_BITS | place_in_class(board, records, record, kind, card, left)
        place = at
        while place and stack[place - 1] >> MOVE_BITS > rank:
            stack[place] = stack[place - 1]
            place -= 1
        stack[place] = rank << MOVE_BITS | move
    for at in range(end - start):
        moves[start + at] = np.int32(stack[at] & (ONE << MOVE_BITS) - ONE)


@kernel
def move_class(kind, left):
    """Return how late a move is to be tried: 0 first, `N_CLASSES` - 1 last."""
    if kind == HEAD_UP:
        return np.int64(0)
    if kind == HEAD_ON:
        return np.int64(1) if left > 1 else np.int64(4)
    if kind == TALON_UP:
        return np.int64(2)
    if kind == HEAD_TO_SPACE:
        return np.int64(3)
    if kind == TALON_TO_SPACE:
        return np.int64(5)
    return np.int64(6)


@kernel
def place_in_class(board, records, record, kind, card, left):
    """Return a number that grows with how late a move of a class is to be tried.

    Of the moves of the tableau those with the most locked cards in the head's column come first, of those of the
    talon those whose card comes up first.
    """
    if kind < TALON_UP:
        return MOST_LOCKED - left
    place = board[TALON_PLACE + card]
    talon, cursor = records[record + TALON], records[record + CURSOR]
    if place >= cursor:
        return size(talon >> cursor & (ONE << (place - cursor)) - ONE)
    return size(talon) - size(talon >> place & (ONE << (cursor - place)) - ONE)
