"""In which order the moves of a pair game are tried. Order never changes a verdict, only the time to it."""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.bits import bit
from solitaire_lab.engine.kernel import kernel
from solitaire_lab.engine.mixing import shuffle_moves
from solitaire_lab.engine.pair.layout import (
    AHEAD_ONE,
    DISCARD_ONE,
    LAYOUT,
    RANDOM,
    REDEAL,
    TURN_STOCK,
    move_first,
    move_kind,
    move_second,
)

N_CLASSES = 4


@kernel
def order(rules, masks, moves, start, end):
    """Sort ``moves[start:end]`` by class, stable, best first; needs as much free room after `end`."""
    count = end - start
    if count < 2:
        return
    shuffle_moves(rules, RANDOM, moves, start, end)
    for at in range(start, end):
        moves[at + count] = moves[at]
    place = start
    for rank in range(N_CLASSES):
        for at in range(end, end + count):
            move = moves[at]
            if move_class(masks, move) == rank:
                moves[place] = np.int32(move)
                place += 1


@kernel
def move_class(masks, move):
    """Return how late a move is to be tried: discards by how many cards of the layout they take, then the stock."""
    kind = move_kind(move)
    if kind == TURN_STOCK or kind == REDEAL:
        return 2
    first = masks[LAYOUT] & bit(move_first(move)) != 0
    if kind == DISCARD_ONE or kind == AHEAD_ONE:
        return 0 if first else 1
    second = masks[LAYOUT] & bit(move_second(move)) != 0
    if first and second:
        return 0
    return 1 if first or second else 3
