"""Runs the beam search for shorter solutions: gives it room, and calls the kernel once for each level."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from solitaire_lab.engine.compact.layout import COMPLETE, FINISH, RECORD, ZERO, pack_move
from solitaire_lab.engine.compact.shorten import (
    CANDIDATE_WORDS,
    LIVE,
    N_COSTS,
    NODES,
    NUMBERS_SIZE,
    WIDTH,
    level,
    replay,
)
from solitaire_lab.engine.control import WON

Array = NDArray[Any]

WIDTHS = (100, 400, 1600)
"""The widths of the beams, tried one after another until one finds a win."""
MOVES_EACH = 24
"""Room for so many candidates for each position of a level."""
MAX_MOVES = 2**15
"""Room for the moves of one position."""


def shorter_path(
    board: Array, records: Array, stack: Array, seen: Array, patterns: Array, rooms: Array, longest: int
) -> list[int] | None:
    """Look for a short way to a win, from the root that a search has left in its first record.

    Parameters
    ----------
    board, records, stack, seen, patterns, rooms : ndarray
        The position of the compact engine's search.
    longest : int
        No path has more moves than this.

    Returns
    -------
    list of int or None
        The engine's moves to the win, as its search reports them; ``records`` holds the positions on the way. None
        if no beam came to a win.
    """
    patterns[:] = 0
    for width in WIDTHS:
        path = _beam(board, records, stack, seen, patterns, rooms, longest, width)
        if path is not None:
            replay(board, records, np.array(path, np.int64))
            return [*path, int(pack_move(FINISH, ZERO, board[COMPLETE]))]
    return None


def _beam(
    board: Array, records: Array, stack: Array, seen: Array, patterns: Array, rooms: Array, longest: int, width: int
) -> list[int] | None:
    numbers = np.zeros(NUMBERS_SIZE, np.int64)
    numbers[WIDTH], numbers[LIVE], numbers[NODES] = width, 1, 1
    kept = np.zeros(2 * width * int(RECORD), np.int64)
    kept[: int(RECORD)] = records[: int(RECORD)]
    costs, origins = np.zeros(2 * width, np.int64), np.zeros(2 * width, np.int32)
    tree = np.zeros(2 * (longest * width + 1), np.int32)
    candidates = np.zeros((MOVES_EACH * width + MAX_MOVES) * int(CANDIDATE_WORDS), np.int64)
    counts, moves = np.zeros(N_COSTS, np.int64), np.zeros(MAX_MOVES, np.int32)
    table = np.zeros(2 * (longest * width + 1) * 4 // 3, np.uint64)
    status = 0
    for _ in range(longest):
        status = int(
            level(
                board,
                kept,
                costs,
                origins,
                tree,
                candidates,
                counts,
                table,
                patterns,
                stack,
                seen,
                rooms,
                moves,
                numbers,
            )
        )
        if status:
            break
    if status != WON:
        return None
    path, node = [], int(numbers[NODES]) - 1
    while node:
        path.append(int(tree[2 * node + 1]))
        node = int(tree[2 * node])
    return path[::-1]
