"""Depth-first search of build games over an explicit stack, resumable at any node."""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.bits import ONE, ZERO
from solitaire_lab.engine.build.dominance import DEAD_ENDS, moves_to_try
from solitaire_lab.engine.build.layout import (
    ANY_CARD,
    DECKS,
    DOMINANCES,
    FREE_RUNS,
    MAX_MOVES,
    SPACES,
    SUITS_ASIDE,
    SUM,
    TABLEAU_TO_TABLEAU,
    TURN_STOCK,
    move_card,
    move_count,
    move_kind,
    move_source,
    move_target,
    pack_move,
)
from solitaire_lab.engine.build.moves import (
    FLIPPED,
    WAITING_SHIFT,
    carry_out,
    fingerprint_after,
    is_won,
    take_back,
    wins,
)
from solitaire_lab.engine.build.order import order
from solitaire_lab.engine.build.relaxation import cannot_be_won
from solitaire_lab.engine.build.suits_aside import too_coarse
from solitaire_lab.engine.control import (
    DEPTH,
    END_MOVE,
    EXHAUSTED,
    FRAME_WORDS,
    FRAMES_FULL,
    MAX_ENTRIES,
    MOVE,
    MOVES_FULL,
    NEEDED,
    NEXT_MOVE,
    STATES,
    TABLE_FULL,
    TOO_COARSE,
    UNDO,
    WON,
    poll,
)
from solitaire_lab.engine.kernel import kernel
from solitaire_lab.engine.table import fetch_ahead, insert

ROOT = np.int64(0)
"""The place of the root among the moves."""


@kernel
def search(board, cards, hashes, table, frames, fingerprints, moves, control, stop, deadline):
    """Search on from where the stack stands; return why the search paused or ended.

    On the first call ``control[DEPTH]`` is 0 and the position is the root. A call that returned a request
    for room goes on when called again with the larger array.

    Parameters
    ----------
    board, cards, hashes : ndarray
        The position, see ``layout.py``.
    table : ndarray of uint64
        See :mod:`solitaire_lab.engine.table`.
    frames : ndarray of int64
        The stack: `FRAME_WORDS` words a frame.
    moves : ndarray of int32, fingerprints : ndarray of uint64
        The moves of all frames, one after another, and both lanes of the fingerprint that each leads to. The first
        place is the root's.
    control : ndarray of int64, stop : ndarray of uint8, deadline : float
        See :mod:`solitaire_lab.engine.control`.
    """
    entered = False
    move, undo = np.int64(TURN_STOCK), np.int64(0)
    if control[DEPTH] == 0:
        if is_won(board):
            return WON
        fingerprints[ROOT], fingerprints[ROOT + 1] = hashes[SUM], hashes[SUM + 1]
        entered = enter(hashes[SUM], hashes[SUM + 1], table, control)
    while True:
        # Each of open_frame, carry_out and take_back is called in one place only, since it becomes part of it.
        if entered:
            if board[SUITS_ASIDE]:
                control[NEEDED] = np.int64(too_coarse(board, cards, hashes))
                if control[NEEDED]:
                    return TOO_COARSE
            open_frame(board, cards, hashes, frames, fingerprints, moves, control, move, undo, table)
            entered = False
        depth = control[DEPTH]
        frame = (depth - 1) * FRAME_WORDS
        if frame + 2 * FRAME_WORDS > frames.size:
            return FRAMES_FULL
        if frames[frame + END_MOVE] + 2 * MAX_MOVES > moves.size:
            return MOVES_FULL
        at = frames[frame + NEXT_MOVE]
        if at < frames[frame + END_MOVE]:
            status = poll(control, stop, deadline)
            if status:
                return status
            if control[STATES] >= control[MAX_ENTRIES]:
                return TABLE_FULL
            frames[frame + NEXT_MOVE] = at + 1
            move = np.int64(moves[at])
            if wins(board, move):
                frames[frame + FRAME_WORDS + MOVE] = move
                control[DEPTH] = depth + 1
                return WON
            low, high = fingerprints[2 * at], fingerprints[2 * at + 1]
            entered = enter(low, high, table, control)
            if entered:
                undo = carry_out(board, cards, hashes, move)
                hashes[SUM], hashes[SUM + 1] = low, high
        else:
            if depth == 1:
                return EXHAUSTED
            move, undo = frames[frame + MOVE], frames[frame + UNDO]
            depth -= 1
            control[DEPTH] = depth
            take_back(board, cards, hashes, move, undo)
            at = frames[frame - 2 * FRAME_WORDS + NEXT_MOVE] - 1 if depth > 1 else ROOT
            hashes[SUM], hashes[SUM + 1] = fingerprints[2 * at], fingerprints[2 * at + 1]


@kernel
def is_way_back(last, undo, move):
    """Say whether `move` takes a run straight back to where the move that led here took it from.

    It leads to the position before, which the table holds; this saves looking there. Not so if a card was turned up,
    or if a lift was unanswered (see ``lifts.py``), which it would not be any more.
    """
    if move_kind(move) != TABLEAU_TO_TABLEAU or move_kind(last) != TABLEAU_TO_TABLEAU:
        return False
    if undo & FLIPPED or undo >> WAITING_SHIFT:
        return False
    back = pack_move(TABLEAU_TO_TABLEAU, move_target(last), move_source(last), move_count(last), move_card(last))
    return move == np.int64(back)


@kernel
def enter(low, high, table, control):
    """Enter a position into the table by the lanes of its fingerprint; return whether it is new."""
    if low == ZERO and high == ZERO:
        high = ONE
    if insert(table, low, high):
        control[STATES] += 1
        return True
    return False


@kernel
def pays_in_the_tree(board):
    """Say whether the relaxation finds enough dead positions in the tree to be worth its time.

    Where every card may fill a space it gives up at the first one, and with two packs, or where runs move as they are
    built, there is mostly one to be had.
    """
    return board[SPACES] != ANY_CARD or (board[DECKS] == 1 and not board[FREE_RUNS])


@kernel
def open_frame(board, cards, hashes, frames, fingerprints, moves, control, move, undo, table):
    """Push a frame for the present position: its moves, pruned and ordered."""
    depth = control[DEPTH]
    frame = depth * FRAME_WORDS
    start = frames[frame - FRAME_WORDS + END_MOVE] if depth else ROOT + 1
    end = start
    look = depth == 0 or pays_in_the_tree(board)
    if not (look and board[DOMINANCES] & DEAD_ENDS and cannot_be_won(board, cards, hashes)):
        end = moves_to_try(board, cards, hashes, moves, start)
        order(board, cards, hashes, moves, start, end)
        tried, end = end, start
        for at in range(start, tried):
            if is_way_back(move, undo, np.int64(moves[at])):
                continue
            moves[end] = moves[at]
            low, high = fingerprint_after(board, cards, hashes, np.int64(moves[at]))
            fingerprints[2 * end], fingerprints[2 * end + 1] = low, high
            fetch_ahead(table, low, high)
            end += 1
    frames[frame + NEXT_MOVE] = start
    frames[frame + END_MOVE] = end
    frames[frame + MOVE] = move
    frames[frame + UNDO] = undo
    control[DEPTH] = depth + 1
