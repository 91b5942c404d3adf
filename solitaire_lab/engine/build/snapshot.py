"""Positions of a build game packed into bytes, so that many can be kept at once.

A snapshot holds what the moves change: foundations, waste and pass, the reserve cards left, the stock cards gone,
and the columns, one after another. The fingerprint is kept beside it. Unanswered lifts (``lifts.py``) are no part of
it: beams know nothing of them.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.bits import ZERO, bit
from solitaire_lab.engine.build.hashing import chain, note_foundations
from solitaire_lab.engine.build.layout import (
    DECKS,
    FOUNDATION,
    LENGTH,
    MAX_PILE,
    N_COLUMNS,
    N_RESERVE,
    N_STOCK,
    NEXT,
    ON_FOUNDATIONS,
    PACK_SIZE,
    PASS,
    PILES,
    PREVIOUS,
    RESERVE,
    RESERVE_CARDS,
    RESERVE_LEFT,
    STOCK,
    SUM,
    TALON,
    WASTE_TOP,
)
from solitaire_lab.engine.kernel import large_kernel

_HEIGHTS = np.int64(8)
_FIRST = np.int64(10)
BOTTOM = np.int64(0)


def snapshot_bytes(board) -> int:
    """Return the size of a snapshot of positions of a deal, in bytes."""
    return int(_FIRST + board[N_RESERVE] + board[N_STOCK] + board[N_COLUMNS] + board[PACK_SIZE])


@large_kernel
def save(board, cards, hashes, kept, at, sums, sum_at):
    """Write the present position to ``kept[at:]`` and its fingerprint to ``sums[sum_at:sum_at + 2]``."""
    for place in range(_HEIGHTS):
        kept[at + place] = np.uint8(board[FOUNDATION + place])
    kept[at + 8] = np.uint8(board[WASTE_TOP])
    kept[at + 9] = np.uint8(board[PASS])
    at += _FIRST
    for place in range(board[N_RESERVE]):
        kept[at + place] = np.uint8(board[RESERVE_LEFT] >> place & 1)
    at += board[N_RESERVE]
    # A stock card is there if the list, followed from its front, comes to it.
    for node in range(board[N_STOCK]):
        kept[at + node] = np.uint8(0)
    node = board[NEXT]
    while node <= board[N_STOCK]:
        kept[at + node - 1] = np.uint8(1)
        node = board[NEXT + node]
    at += board[N_STOCK]
    place = at + board[N_COLUMNS]
    for column in range(board[N_COLUMNS]):
        length = board[LENGTH + column]
        kept[at + column] = np.uint8(length)
        base = PILES + column * MAX_PILE
        for card in range(length):
            kept[place] = cards[base + card]
            place += 1
    sums[sum_at] = hashes[SUM]
    sums[sum_at + 1] = hashes[SUM + 1]


@large_kernel
def load(board, cards, hashes, kept, at, sums, sum_at):
    """Make the position that :func:`save` wrote the present one."""
    total = np.int64(0)
    for place in range(_HEIGHTS):
        height = np.int64(kept[at + place])
        board[FOUNDATION + place] = height
        total += height
    board[ON_FOUNDATIONS] = total
    note_foundations(board, hashes)
    board[WASTE_TOP] = np.int64(kept[at + 8])
    board[PASS] = np.int64(kept[at + 9])
    at += _FIRST
    left = np.int64(0)
    in_reserve = ZERO
    for place in range(board[N_RESERVE]):
        if kept[at + place]:
            left |= np.int64(1) << place
            in_reserve |= bit(np.int64(cards[RESERVE + place]))
    board[RESERVE_LEFT] = left
    at += board[N_RESERVE]
    last = np.int64(0)
    in_talon = ZERO
    for node in range(1, board[N_STOCK] + 1):
        if kept[at + node - 1]:
            board[NEXT + last] = node
            board[PREVIOUS + node] = last
            last = np.int64(node)
            in_talon |= bit(np.int64(cards[STOCK + node]))
    board[NEXT + last] = board[N_STOCK] + 1
    board[PREVIOUS + board[N_STOCK] + 1] = last
    if board[DECKS] == 1:
        hashes[RESERVE_CARDS] = in_reserve
        hashes[TALON] = in_talon
    at += board[N_STOCK]
    place = at + board[N_COLUMNS]
    for column in range(board[N_COLUMNS]):
        length = np.int64(kept[at + column])
        board[LENGTH + column] = length
        base = PILES + column * MAX_PILE
        for card in range(length):
            cards[base + card] = kept[place]
            place += 1
        chain(board, cards, hashes, column, BOTTOM, length)
    hashes[SUM] = sums[sum_at]
    hashes[SUM + 1] = sums[sum_at + 1]
