"""Runs a family's search kernel: gives it room as it asks for more, until a verdict or a limit.

One :class:`Driver` belongs to one thread and keeps its small arrays from deal to deal; what grew large is let
go with the next deal. A search that met a limit goes on from there when its limit is raised.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solitaire_lab.engine.control import (
    CONTROL_SIZE,
    DEPTH,
    EXHAUSTED,
    FRAME_WORDS,
    FRAMES_FULL,
    MAX_ENTRIES,
    MAX_STATES,
    MOVE,
    MOVES_FULL,
    NEEDED,
    OUT_OF_STATES,
    OUT_OF_TIME,
    STATES,
    STOPPED,
    TABLE_FULL,
    WON,
)
from solitaire_lab.engine.table import ENTRY_BYTES, FIRST_ENTRIES, room

FIRST_FRAMES = 2**10
MAX_FRAMES = 2**22
"""A path of more moves than this ends the search as undecided (depth)."""
FIRST_MOVES = 2**15
KEPT_ENTRIES = 2**22
"""Tables of so many entries (64 MiB) or fewer are kept and cleared for the next deal that grows to them."""
FAST_GROWTH_BELOW = 2**18
"""A table of fewer entries grows four times at once."""
GROWTH = 1.6
"""By which others grow: right after it, a table four fifths full takes 32 bytes a state, and never more."""
TABLE_OUT_OF_MEMORY = 101
TOO_DEEP = 102

OUTCOMES = {
    WON: ("winnable", None),
    EXHAUSTED: ("unwinnable", None),
    OUT_OF_STATES: ("undecided", "states"),
    OUT_OF_TIME: ("undecided", "time"),
    STOPPED: ("undecided", "interrupted"),
    TABLE_OUT_OF_MEMORY: ("undecided", "memory"),
    TOO_DEEP: ("undecided", "depth"),
}

Array = NDArray[Any]


class Driver:
    """A resumable search with its stack and table.

    Parameters
    ----------
    kernel
        Called as ``kernel(*position, table, frames, trail, moves, control, stop, deadline)``. The trail has room for
        two words for each frame and for each move.
    stop : ndarray of uint8, shape (1,)
        Set to 1 from any thread to end the search as interrupted.
    """

    def __init__(self, kernel: Callable[..., int], stop: Array) -> None:
        self._kernel = kernel
        self._stop = stop
        self._first_words = np.zeros(int(CONTROL_SIZE) + 2 * FIRST_ENTRIES, np.uint64)
        self._control = self._first_words[:CONTROL_SIZE].view(np.int64)
        self._first_table = self._first_words[CONTROL_SIZE:]
        self._control[MAX_ENTRIES] = room(FIRST_ENTRIES)
        # One copy sets both back: with cold caches each numpy call costs an easy deal some hundredths of its time.
        self._first_bytes = self._first_words.data.cast("B")
        self._first_bytes_at_first = bytes(self._first_bytes)
        self._kept: dict[int, Array] = {}
        self._first_frames = np.zeros(FIRST_FRAMES * FRAME_WORDS, np.int64)
        self._first_trail = np.zeros(2 * FIRST_MOVES, np.uint64)
        self._first_moves = np.zeros(FIRST_MOVES, np.int32)

    def begin(self, position: tuple[Array, ...], move_entries: Callable[[Array, Array], None], max_table: int) -> None:
        """Set up a search from a position, whose arrays are the search's own until the next one begins.

        `move_entries` is called as ``move_entries(old, new)`` when the table grows.
        """
        self._position = position
        self._move_entries = move_entries
        self.max_table = max_table
        self._table, self._frames = self._first_table, self._first_frames
        self._trail, self._moves = self._first_trail, self._first_moves
        self._first_bytes[:] = self._first_bytes_at_first

    @property
    def needed(self) -> int:
        """The cards that the search must tell apart to go on, as a set, where it is too coarse."""
        return int(self._control[NEEDED])

    @property
    def table_bytes(self) -> int:
        """Bytes of the present table."""
        return int(self._table.nbytes)

    def advance(self, max_states: int, max_seconds: float | None) -> tuple[int, int, list[int]]:
        """Search on from where the search stands, until it has entered `max_states` positions in all.

        Returns
        -------
        status : int
            A key of `OUTCOMES`. After an outcome other than a win or exhaustion the search may be advanced again.
        states : int
            Distinct positions entered since the search began.
        path : list of int
            The engine's moves from the root to the win; empty unless won.
        """
        control = self._control
        control[MAX_STATES] = max_states
        deadline = np.inf if max_seconds is None else time.thread_time() + max_seconds
        while True:
            status = int(
                self._kernel(
                    *self._position, self._table, self._frames, self._trail, self._moves, control, self._stop, deadline
                )
            )
            if status == TABLE_FULL:
                entries = self._table.size // 2
                larger = 4 * entries if entries < FAST_GROWTH_BELOW else int(GROWTH * entries)
                larger = min(larger, self.max_table // ENTRY_BYTES)
                if larger <= entries:
                    status = TABLE_OUT_OF_MEMORY
                    break
                grown = self._empty_table(larger)
                self._move_entries(self._table, grown)
                self._table = grown
                control[MAX_ENTRIES] = room(larger)
            elif status == FRAMES_FULL:
                if self._frames.size // FRAME_WORDS >= MAX_FRAMES:
                    status = TOO_DEEP
                    break
                self._frames = _enlarged(self._frames, 2 * self._frames.size)
                self._trail = _enlarged(self._trail, 2 * self._frames.size // int(FRAME_WORDS))
            elif status == MOVES_FULL:
                self._moves = _enlarged(self._moves, 2 * self._moves.size)
                self._trail = _enlarged(self._trail, 2 * self._moves.size)
            else:
                break
        path = []
        if status == WON:
            frames = self._frames[: int(control[DEPTH]) * FRAME_WORDS]
            path = frames.reshape(-1, FRAME_WORDS)[1:, MOVE].tolist()
        return status, int(control[STATES]), path

    def _empty_table(self, entries: int) -> Array:
        """Return an empty table, a kept one if it is not large.

        Memory fresh from the system costs a sixth of a search's time, and holds up other threads. Beside a large table
        none is kept.
        """
        if entries > KEPT_ENTRIES:
            self._kept.clear()
            return np.zeros(2 * entries, np.uint64)
        if entries in self._kept:
            self._kept[entries][:] = 0
        else:
            self._kept[entries] = np.zeros(2 * entries, np.uint64)
        return self._kept[entries]


def _enlarged(array: Array, size: int) -> Array:
    """Return an array of at least so many places that begins as a given one."""
    if array.size >= size:
        return array
    larger = np.empty(size, array.dtype)
    larger[: array.size] = array
    return larger
