"""From the piles of a deal to a board and the record of its position."""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.compact.layout import (
    COLUMN_OF,
    COLUMN_ROOM,
    CURSOR,
    DEALT,
    FREE,
    HEADS,
    HEIGHTS,
    KINGS,
    LOCKED,
    N_COLUMNS,
    ONE,
    PASS,
    PASSES,
    RADIX,
    RECORD,
    TABLEAU_SEEN,
    TALON,
    TALON_CARD,
    TALON_CARDS,
    TALON_PLACE,
    TURNED,
    TWO,
    ZERO,
    step_of,
)
from solitaire_lab.engine.kernel import kernel

FACE_DOWN = np.int64(64)


@kernel
def set_up(board, record, piles, size):
    """Set board and record to a deal; return how many patterns of locked cards it has (see ``capacity.py``).

    Parameters
    ----------
    board, record : ndarray of int64
        The board with its rules set.
    piles : ndarray of uint8
        In its first `size` places the lengths of all columns, of the waste and of the stock; then the cards of all
        these piles from the bottom, or in the stock from the top, `FACE_DOWN` added to what lies face down; then all
        that lie on foundations.
    """
    record[:RECORD] = ZERO
    heads, seen, locked = ZERO, ZERO, ZERO
    patterns = ONE
    at = board[N_COLUMNS] + TWO
    for column in range(board[N_COLUMNS]):
        board[RADIX + column] = patterns
        dealt = DEALT + column * COLUMN_ROOM
        down = ZERO
        for place in range(piles[column]):
            card = np.int64(piles[at])
            at += 1
            if card & FACE_DOWN:
                down += 1
            else:
                seen |= ONE << card
            if place <= down:
                board[dealt + place] = card & ~FACE_DOWN
        head = board[dealt + down]
        if piles[column] == 0 or (down == 0 and board[KINGS] >> head & ONE):
            record[FREE] += 1
            continue
        heads |= ONE << head
        locked |= down + 1 << (column << TWO)
        patterns *= down + 2
        for place in range(down + 1):
            board[COLUMN_OF + board[dealt + place]] = column
    waste = np.int64(piles[board[N_COLUMNS]])
    talon = waste + np.int64(piles[board[N_COLUMNS] + 1])
    board[TALON_CARDS] = ZERO
    for place in range(talon):
        card = np.int64(piles[at])
        at += 1
        board[TALON_CARD + place] = card
        board[TALON_PLACE + card] = place
        board[TALON_CARDS] |= ONE << card
    while at < size:
        card = np.int64(piles[at])
        at += 1
        seen |= ONE << card
        record[HEIGHTS] += step_of(card)
    record[TABLEAU_SEEN] = seen
    record[HEADS] = heads
    record[LOCKED] = locked
    record[TALON] = (ONE << talon) - 1
    record[TURNED] = record[CURSOR] = waste
    record[PASS] = ONE if board[PASSES] else ZERO
    return patterns
