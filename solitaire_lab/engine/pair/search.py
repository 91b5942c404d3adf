"""Depth-first search of pair games over an explicit stack, resumable at any node.

What the table keeps of a position (``rules[TABLE]``):

- `WORDS`: its two words, an exact key.
- `SETS`: the low word, and the set of cards passed over (``passed_over.py``). The high word then says nothing
  that the low one does not: there is one waste pile, or one pass in which each card's pile is known from its place.
- `TIMES`: the cards in play, and the time from which they are searched (``stock_ahead.py``) with the set of cards
  passed over.

A position that comes again with fewer cards passed over, or at an earlier time, is searched again, and counted again
as a state.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.bits import ZERO
from solitaire_lab.engine.control import (
    DEPTH,
    END_MOVE,
    EXHAUSTED,
    FRAME_WORDS,
    FRAMES_FULL,
    MAX_ENTRIES,
    MAX_STATES,
    MOVE,
    MOVES_FULL,
    NEXT_MOVE,
    STATES,
    TABLE_FULL,
    UNDO,
    WON,
    poll,
)
from solitaire_lab.engine.kernel import kernel
from solitaire_lab.engine.pair.dominance import is_dead, prune, without_buried
from solitaire_lab.engine.pair.free_stock import free_stock_moves
from solitaire_lab.engine.pair.layout import (
    CARDS,
    FREE_STOCK,
    LOOKS_AHEAD,
    MAX_MOVES,
    NEVER,
    PASSED,
    PASSES_OVER,
    SETS,
    STOCK,
    TABLE,
    TIMES,
)
from solitaire_lab.engine.pair.moves import after, is_won, legal_moves
from solitaire_lab.engine.pair.order import order
from solitaire_lab.engine.pair.passed_over import drop_passed, passed_after
from solitaire_lab.engine.pair.stock_ahead import look_ahead
from solitaire_lab.engine.table import NOTHING_NEW, insert, insert_set, insert_timed

PASSED_BEFORE = UNDO
"""In a frame: the cards passed over in its position, as a signed word."""


@kernel
def search(rules, masks, root, table, frames, trail, moves, control, stop, deadline):
    """Search on from where the stack stands; return why the search paused or ended.

    On the first call ``control[DEPTH]`` is 0. A call that returned a request for room goes on when called
    again with the larger array.

    Parameters
    ----------
    rules : ndarray of int64, masks : ndarray of uint64
        See ``layout.py``.
    root : ndarray of uint64, shape (2,)
        The two words of the position to search from.
    table : ndarray of uint64
        See :mod:`solitaire_lab.engine.table`.
    frames : ndarray of int64, trail : ndarray of uint64
        The stack: `FRAME_WORDS` words a frame, and each frame's position.
    moves : ndarray of int32
        The moves of all frames, one after another.
    control : ndarray of int64, stop : ndarray of uint8, deadline : float
        See :mod:`solitaire_lab.engine.control`.
    """
    move = np.int64(0)
    low, high = root[0], root[1]
    passed = masks[STOCK] if rules[FREE_STOCK] and rules[PASSES_OVER] != NEVER else ZERO
    at_root = control[DEPTH] == 0
    if at_root and is_won(masks, low):
        return WON
    while True:
        if not at_root:
            status = poll(control, stop, deadline)
            if status:
                return status
            if control[STATES] >= control[MAX_ENTRIES]:
                return TABLE_FULL
            depth = control[DEPTH]
            frame = (depth - 1) * FRAME_WORDS
            if frame + 2 * FRAME_WORDS > frames.size:
                return FRAMES_FULL
            if frames[frame + END_MOVE] + 2 * MAX_MOVES > moves.size:
                return MOVES_FULL
            at = frames[frame + NEXT_MOVE]
            if at == frames[frame + END_MOVE]:
                if depth == 1:
                    return EXHAUSTED
                control[DEPTH] = depth - 1
                continue
            frames[frame + NEXT_MOVE] = at + 1
            move = np.int64(moves[at])
            low, high = trail[2 * depth - 2], trail[2 * depth - 1]
            passed = passed_after(rules, masks, low, high, np.uint64(frames[frame + PASSED_BEFORE]), move)
            low, high = after(rules, masks, low, high, move)
            if is_won(masks, low):
                frames[frame + FRAME_WORDS + MOVE] = move
                control[DEPTH] = depth + 1
                return WON
        at_root = False
        masks[PASSED] = enter(rules, table, control, low, high, passed)
        if masks[PASSED] != NOTHING_NEW:
            open_frame(rules, masks, low, high, frames, trail, moves, control, move, table)


@kernel
def enter(rules, table, control, low, high, passed):
    """Enter a position into the table; return the cards passed over to search it with, or `NOTHING_NEW`."""
    if rules[TABLE] == TIMES:
        passed = insert_timed(table, low & CARDS, low & ~CARDS | passed, CARDS)
    elif rules[TABLE] == SETS:
        passed = insert_set(table, low, passed)
    elif not insert(table, low, high):
        passed = NOTHING_NEW
    if passed != NOTHING_NEW:
        control[STATES] += 1
    return passed


@kernel
def open_frame(rules, masks, low, high, frames, trail, moves, control, move, table):
    """Push a frame for a position: its moves, pruned and ordered; none if it is dead."""
    depth = control[DEPTH]
    frame = depth * FRAME_WORDS
    start = frames[frame - FRAME_WORDS + END_MOVE] if depth else 0
    end = start
    dead = is_dead(rules, masks, low, high)
    if not dead:
        short = without_buried(rules, masks, low)
        if short != low and control[STATES] < control[MAX_STATES]:
            low = short
            masks[PASSED] = enter(rules, table, control, low, high, masks[PASSED] & low)
            dead = masks[PASSED] == NOTHING_NEW
    if not dead:
        if rules[FREE_STOCK]:
            end = free_stock_moves(rules, masks, low, masks[PASSED], moves, start)
        else:
            end = legal_moves(rules, masks, low, high, moves, start)
            if rules[LOOKS_AHEAD]:
                end = look_ahead(rules, masks, low, moves, start, end)
        end = drop_passed(masks, moves, start, end)
        end = prune(rules, masks, low, moves, start, end)
        order(rules, masks, moves, start, end)
    frames[frame + NEXT_MOVE] = start
    frames[frame + END_MOVE] = end
    frames[frame + MOVE] = move
    frames[frame + PASSED_BEFORE] = np.int64(masks[PASSED])
    trail[2 * depth] = low
    trail[2 * depth + 1] = high
    control[DEPTH] = depth + 1
