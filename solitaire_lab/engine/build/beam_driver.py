"""Runs beam searches: gives them room, and calls the kernel once for each level."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solitaire_lab.engine.build.beam import (
    ALIKE,
    ALWAYS,
    CANDIDATE_WORDS,
    CHILDREN,
    LIVE,
    N_SCORES,
    NODES,
    NOISE,
    NUMBERS_SIZE,
    SEED,
    SNAPSHOT,
    WIDTH,
    level,
)
from solitaire_lab.engine.build.layout import MAX_MOVES, PACK_SIZE
from solitaire_lab.engine.build.moves import is_won
from solitaire_lab.engine.build.snapshot import save, snapshot_bytes
from solitaire_lab.engine.control import CONTROL_SIZE, MAX_STATES, STATES, WON
from solitaire_lab.engine.table import ENTRY_BYTES

Array = NDArray[Any]

KINDS = 8
"""Room to count so many kinds of positions, or more, for each position of a level."""
KEPT_BYTES = 2**22
"""Arrays of so many bytes or fewer are kept for the next search."""


class BeamDriver:
    """Beam searches of the deals of one game, one after another. Belongs to one thread.

    Parameters
    ----------
    stop : ndarray of uint8, shape (1,)
        Set to 1 from any thread to end a search as interrupted.
    """

    def __init__(self, stop: Array) -> None:
        self._stop = stop
        self._control = np.zeros(CONTROL_SIZE, np.int64)
        self._numbers = np.zeros(NUMBERS_SIZE, np.int64)
        self._scores = np.zeros(N_SCORES, np.int64)
        self._moves = np.zeros(2 * MAX_MOVES, np.int32)
        self._kept: dict[str, Array] = {}

    def run(
        self,
        position: tuple[Array, ...],
        weights: Array,
        *,
        width: int,
        noise: int,
        alike: int,
        seed: int,
        always: bool,
        max_states: int,
        max_seconds: float | None,
    ) -> tuple[int, int, list[int]]:
        """Search from a position.

        Parameters
        ----------
        position : tuple of ndarray
            Board, cards and hashes.
        weights : ndarray of int64
            See ``evaluate.py``.
        width, noise, alike, seed, always
            See ``beam.py``.
        max_states
            Distinct positions to be entered at most.
        max_seconds
            CPU seconds of this thread; None for no limit.

        Returns
        -------
        status : int
            A key of `solitaire_lab.engine.driver.OUTCOMES`; *exhausted* means that the beam found no more moves.
        states : int
            Distinct positions entered.
        path : list of int
            The engine's moves from the root to the win; empty unless won.
        """
        board, cards, hashes = position
        if is_won(board):
            return int(WON), 0, []
        deadline = np.inf if max_seconds is None else time.thread_time() + max_seconds
        control, numbers = self._control, self._numbers
        control[:] = 0
        control[MAX_STATES] = max_states
        numbers[:] = 0
        numbers[[LIVE, NODES]] = 1
        numbers[[WIDTH, NOISE, ALIKE, SEED, ALWAYS]] = width, noise, alike, seed, always
        numbers[SNAPSHOT] = snapshot_bytes(board)
        pack_size = int(board[PACK_SIZE])
        size = table_bytes(max_states) // 8
        table = self._array("table", size, np.uint64)[:size]
        table[:] = 0
        kept = self._array("kept", 2 * width * int(numbers[SNAPSHOT]), np.uint8)
        sums = self._array("sums", 2 * width * 2, np.uint64)
        origins = self._array("origins", 2 * width, np.int32)
        most = CHILDREN * width + int(MAX_MOVES)
        candidates = self._array("candidates", most * int(CANDIDATE_WORDS), np.int32)
        order = self._array("order", most, np.int64)
        kinds = np.zeros(2 ** (KINDS * width).bit_length(), np.int32)
        line = self._array("line", 2 * (pack_size + 1), np.int64)
        tree = self._array("tree", 2 * 50 * width, np.int32)
        save(board, cards, hashes, kept, np.int64(0), sums, np.int64(0))
        origins[0] = 0
        status = 0
        while not status:
            needed = 2 * (int(numbers[NODES]) + width * (pack_size + 1))
            if needed > tree.size:
                tree = np.concatenate([tree, np.empty(needed, np.int32)])
            status = int(
                level(
                    board,
                    cards,
                    hashes,
                    weights,
                    table,
                    kept,
                    sums,
                    origins,
                    tree,
                    candidates,
                    order,
                    kinds,
                    self._scores,
                    self._moves,
                    line,
                    numbers,
                    control,
                    self._stop,
                    deadline,
                )
            )
        path = []
        if status == WON:
            node = int(numbers[NODES]) - 1
            while node:
                path.append(int(tree[2 * node + 1]))
                node = int(tree[2 * node])
        return status, int(control[STATES]), path[::-1]

    def _array(self, name: str, size: int, dtype: type) -> Array:
        """Return an array of at least so many places, a kept one if there is one large enough."""
        array = self._kept.get(name)
        if array is None or array.size < size:
            array = np.zeros(size, dtype)
            if array.nbytes <= KEPT_BYTES:
                self._kept[name] = array
        return array


def table_bytes(max_states: int) -> int:
    """Return the size of a table for so many positions."""
    return (max_states * 5 // 4 + 2) * ENTRY_BYTES
