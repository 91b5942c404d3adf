"""What a search and its driver tell each other: limits, counters, and why the search paused."""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.clock import thread_seconds
from solitaire_lab.engine.kernel import kernel

# Places in the control array (int64).

DEPTH = np.int64(0)
"""Frames on the stack; the root's frame is number 0. The path to the current position has DEPTH - 1 moves."""
STATES = np.int64(1)
"""Distinct positions entered into the table."""
MAX_STATES = np.int64(2)
MAX_ENTRIES = np.int64(3)
"""Keys that the present table may hold."""
NEXT_POLL = np.int64(4)
"""States at which clock and stop flag are looked at next."""
NEEDED = np.int64(5)
"""A set of cards that a search needs to tell apart, see ``build/suits_aside.py``."""
CLOCK = np.int64(6)
"""Two places of scratch for the clock."""
CONTROL_SIZE = np.int64(8)

POLL_EVERY = np.int64(512)

# Why the search returned. The first two are verdicts, the next three ask for room, the others are limits.

WON = np.int64(1)
EXHAUSTED = np.int64(2)
TABLE_FULL = np.int64(3)
FRAMES_FULL = np.int64(4)
MOVES_FULL = np.int64(5)
OUT_OF_STATES = np.int64(6)
OUT_OF_TIME = np.int64(7)
STOPPED = np.int64(8)
TOO_COARSE = np.int64(9)
"""A search that sets suits aside must begin anew, with the cards of `NEEDED` told apart."""

# A frame of the stack: four words of an int64 array.

FRAME_WORDS = np.int64(4)
NEXT_MOVE = np.int64(0)
"""Place in the moves array of the move to try next."""
END_MOVE = np.int64(1)
MOVE = np.int64(2)
"""The move that led here."""
UNDO = np.int64(3)


@kernel
def poll(control, stop, deadline):
    """Return a status if a limit is reached or the search is stopped, else 0.

    Parameters
    ----------
    control : ndarray of int64
    stop : ndarray of uint8, shape (1,)
        Not zero to stop.
    deadline : float
        CPU seconds of this thread.
    """
    if control[STATES] >= control[MAX_STATES]:
        return OUT_OF_STATES
    if control[STATES] < control[NEXT_POLL]:
        return 0
    control[NEXT_POLL] = control[STATES] + POLL_EVERY
    if stop[0]:
        return STOPPED
    if deadline < np.inf and thread_seconds(control[CLOCK : CLOCK + 2]) >= deadline:
        return OUT_OF_TIME
    return 0
