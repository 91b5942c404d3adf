"""Depth-first search from component to component, resumable at any frame."""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.compact.capacity import can_be_cleared
from solitaire_lab.engine.compact.component import enter, explore, play_up
from solitaire_lab.engine.compact.dominance import DEAD_ENDS, SAFE_FOUNDATION, STUCK_WASTE, is_safe
from solitaire_lab.engine.compact.layout import (
    CARD_SHIFT,
    COLUMN_OF,
    COLUMN_ROOM,
    COMPLETE,
    DEALT,
    DOMINANCES,
    FIFTEEN,
    FINISH,
    FREE,
    HEAD_TO_SPACE,
    HEAD_UP,
    HEADS,
    HEIGHTS,
    HEIGHTS_SHIFT,
    KINGS,
    LOCKED,
    LOOK_FROM,
    LOOKING,
    ONE,
    PARTIAL,
    PASS,
    PASSES,
    PENDING,
    REACH,
    RECORD,
    TABLEAU_SEEN,
    TALON_UP,
    TWO,
    UP,
    ZERO,
    bare_places,
    first,
    members,
    on_foundations,
    pack_move,
    step_of,
    wanted,
)
from solitaire_lab.engine.compact.order import order
from solitaire_lab.engine.compact.talon import is_free_to_take, look_ahead, take
from solitaire_lab.engine.compact.waste import is_stuck
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
from solitaire_lab.engine.control import (
    UNDO as REST,
)
from solitaire_lab.engine.kernel import kernel

WHOLE = np.int64(2)
"""``board[PENDING]`` of a component whose moves have all been tried, but were not all moves."""


@kernel
def search(board, records, stack, seen, patterns, rooms, table, frames, trail, moves, control, stop, deadline):
    """Search on from where the stack of frames stands; return why the search paused or ended.

    Parameters
    ----------
    board, records : ndarray of int64
        See ``layout.py``; the first record is the root.
    stack : ndarray of int64, seen : ndarray of uint8
        Scratch of ``component.py``.
    patterns : ndarray of int8, rooms : ndarray of int64
        See ``capacity.py``: scratch, with room for all patterns of the deal.
    table : ndarray of uint64
        See :mod:`solitaire_lab.engine.table`.
    frames : ndarray of int64, moves : ndarray of int32
        The stack, and the moves of all its frames, one after another.
    trail : ndarray
        Not used.
    control : ndarray of int64, stop : ndarray of uint8, deadline : float
        See :mod:`solitaire_lab.engine.control`.
    """
    depth = control[DEPTH]
    if depth == 0:
        look_ahead(board, records, ZERO)
        play_up(board, records, ZERO)
        depth = ONE
        frames[MOVE] = ZERO
        if records[HEIGHTS] == board[COMPLETE]:
            return finish(board, records, frames, control, depth)
        enter(records, ZERO, table)
        control[STATES] = ONE
        control[DEPTH] = depth
        board[PENDING], board[LOOKING] = ONE, ZERO
    while True:
        status = poll(control, stop, deadline)
        if status:
            return status
        if control[STATES] >= control[MAX_ENTRIES]:
            return TABLE_FULL
        if control[STATES] == board[LOOK_FROM] and board[DOMINANCES] & DEAD_ENDS and not board[LOOKING]:
            board[LOOKING] = ONE
            patterns[:] = 0
            if not can_be_cleared(board, records[LOCKED], patterns, stack, rooms):
                return EXHAUSTED
        if (depth + TWO) * FRAME_WORDS > frames.size:
            return FRAMES_FULL
        frame = (depth - ONE) * FRAME_WORDS
        record = (depth - ONE) * RECORD
        if board[PENDING]:
            start = frames[frame - FRAME_WORDS + END_MOVE] if depth > ONE else ZERO
            board[PARTIAL] = ZERO
            whole = board[PENDING] == WHOLE or control[STATES] >= board[LOOK_FROM]
            end = open_component(board, records, record, stack, seen, moves, start, whole)
            if end < 0:
                return MOVES_FULL
            frames[frame + REST] = board[PARTIAL]
            frames[frame + NEXT_MOVE] = start
            frames[frame + END_MOVE] = end
            board[PENDING] = ZERO
        at = frames[frame + NEXT_MOVE]
        if at < frames[frame + END_MOVE]:
            frames[frame + NEXT_MOVE] = at + 1
            move = np.int64(moves[at])
            below = record + RECORD
            make(board, records, record, below, move)
            if board[LOOKING] and not can_be_cleared(board, records[below + LOCKED], patterns, stack, rooms):
                continue
            play_up(board, records, below)
            won = records[below + HEIGHTS] == board[COMPLETE]
            if won or enter(records, below, table):
                control[STATES] += 1
                frames[frame + FRAME_WORDS + MOVE] = move
                depth += 1
                control[DEPTH] = depth
                if won:
                    return finish(board, records, frames, control, depth)
                board[PENDING] = ONE
        else:
            if frames[frame + REST]:
                board[PENDING] = WHOLE
                continue
            if depth == 1:
                return EXHAUSTED
            depth -= 1
            control[DEPTH] = depth


@kernel
def finish(board, records, frames, control, depth):
    """Add the last cards' going up to the path to a win."""
    frames[depth * FRAME_WORDS + MOVE] = pack_move(FINISH, ZERO, board[COMPLETE])
    control[DEPTH] = depth + 1
    return WON


@kernel
def open_component(board, records, record, stack, seen, moves, start, whole):
    """Write the moves of a component, best first, to ``moves[start:]``; return their end, or -1 for lack of room.

    Unless the `whole` is asked for, they may be some of the moves only, see :func:`explore`.
    """
    if start >= moves.size:
        return np.int64(-1)
    if board[DOMINANCES] & SAFE_FOUNDATION:
        forced = safe_move(board, records, record)
        if forced >= 0:
            moves[start] = np.int32(forced)
            return start + 1
    last_pass = board[PASSES] and records[record + PASS] == board[PASSES]
    if last_pass and board[DOMINANCES] & STUCK_WASTE and is_stuck(board, records, record):
        return start
    end = explore(board, records, record, stack, seen, moves, start, whole)
    if end > start:
        order(board, records, record, stack, moves, start, end)
    return end


@kernel
def safe_move(board, records, record):
    """Return a move to a foundation that may be the only one tried, or -1."""
    heights = records[record + HEIGHTS]
    up = on_foundations(board, heights)
    tableau = records[record + TABLEAU_SEEN] & ~up
    heads, reach = records[record + HEADS], records[record + REACH]
    black, red = bare_places(tableau, tableau & ~(heads | board[KINGS]))
    going = wanted(board, up) & (members(black, red) & tableau | reach)
    while going:
        card = first(going)
        going &= going - ONE
        if not is_safe(board, heights, card):
            continue
        if reach >> card & ONE:
            if is_free_to_take(board, records, record, card):
                return pack_move(TALON_UP, card, heights)
        else:
            return pack_move(HEAD_UP if heads >> card & ONE else UP, card, heights)
    return np.int64(-1)


@kernel
def make(board, records, record, below, move):
    """Write the position that a move leads to into the record at `below`."""
    for word in range(RECORD):
        records[below + word] = records[record + word]
    kind = move & np.int64(7)
    card = move >> CARD_SHIFT & np.int64(63)
    heights = move >> HEIGHTS_SHIFT
    if kind == UP or kind == HEAD_UP or kind == TALON_UP:
        heights += step_of(card)
    records[below + HEIGHTS] = heights
    if HEAD_UP <= kind <= HEAD_TO_SPACE:
        column = board[COLUMN_OF + card]
        shift = column << np.int64(2)
        records[below + LOCKED] -= ONE << shift
        left = records[below + LOCKED] >> shift & FIFTEEN
        heads = records[below + HEADS] ^ (ONE << card)
        if left:
            shown = board[DEALT + column * COLUMN_ROOM + left - 1]
            records[below + TABLEAU_SEEN] |= ONE << shown
            if left == 1 and board[KINGS] >> shown & ONE:
                records[below + LOCKED] -= ONE << shift
                left = ZERO
            else:
                heads |= ONE << shown
        if left == 0:
            records[below + FREE] += 1
        records[below + HEADS] = heads
    elif kind != UP:
        records[below + TABLEAU_SEEN] |= ONE << card
        take(board, records, below, card)
        look_ahead(board, records, below)
