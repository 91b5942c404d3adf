"""Depth-first search of pair games over an explicit stack, resumable at any node."""

from __future__ import annotations

from solitaire_lab.engine.control import (
    DEPTH,
    END_MOVE,
    EXHAUSTED,
    FRAME_WORDS,
    FRAMES_FULL,
    MAX_ENTRIES,
    MOVE,
    MOVES_FULL,
    NEXT_MOVE,
    STATES,
    TABLE_FULL,
    WON,
    poll,
)
from solitaire_lab.engine.kernel import kernel
from solitaire_lab.engine.pair.dominance import DEAD_ENDS, is_dead, prune
from solitaire_lab.engine.pair.layout import CARDS, DOMINANCES, LOOKS_AHEAD, MAX_MOVES, STOCK_SHIFT
from solitaire_lab.engine.pair.moves import after, is_won, legal_moves
from solitaire_lab.engine.pair.order import order
from solitaire_lab.engine.pair.relaxation import cannot_be_won
from solitaire_lab.engine.pair.stock_ahead import look_ahead
from solitaire_lab.engine.table import insert, insert_least


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
    if control[DEPTH] == 0:
        if is_won(masks, root[0]):
            return WON
        enter(rules, table, control, root[0], root[1])
        open_frame(rules, masks, root[0], root[1], frames, trail, moves, control, 0)
    while True:
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
        move = moves[at]
        low, high = after(rules, masks, trail[2 * depth - 2], trail[2 * depth - 1], move)
        if is_won(masks, low):
            frames[frame + FRAME_WORDS + MOVE] = move
            control[DEPTH] = depth + 1
            return WON
        if enter(rules, table, control, low, high):
            open_frame(rules, masks, low, high, frames, trail, moves, control, move)


@kernel
def enter(rules, table, control, low, high):
    """Enter a position into the table; return whether it must be searched."""
    if rules[LOOKS_AHEAD]:
        new = insert_least(table, low & CARDS, low >> STOCK_SHIFT)
    else:
        new = insert(table, low, high)
    if new:
        control[STATES] += 1
    return new


@kernel
def open_frame(rules, masks, low, high, frames, trail, moves, control, move):
    """Push a frame for a position: its moves, pruned and ordered; none if it is dead."""
    depth = control[DEPTH]
    frame = depth * FRAME_WORDS
    start = frames[frame - FRAME_WORDS + END_MOVE] if depth else 0
    end = start
    if not (is_dead(rules, masks, low) or (rules[DOMINANCES] & DEAD_ENDS and cannot_be_won(rules, masks, low))):
        end = legal_moves(rules, masks, low, high, moves, start)
        if rules[LOOKS_AHEAD]:
            end = look_ahead(rules, masks, low, moves, start, end)
        end = prune(rules, masks, low, moves, start, end)
        order(rules, masks, moves, start, end)
    frames[frame + NEXT_MOVE] = start
    frames[frame + END_MOVE] = end
    frames[frame + MOVE] = move
    trail[2 * depth] = low
    trail[2 * depth + 1] = high
    control[DEPTH] = depth + 1
