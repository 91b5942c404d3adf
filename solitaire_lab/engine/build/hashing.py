"""The fingerprint of a position of a build game: two 64-bit lanes, kept up to date move by move.

Each column has a hash of its own, a chain from its bottom card to its top one, and all of its prefixes are
kept, so that pushing and popping a card costs one link; with each prefix is kept the run that it ends with. The
fingerprint is the *sum* (modulo 2**64, lane by lane) of the columns' hashes, so that columns in another order give the
same one; where the order of the columns matters (``PILES_ALIKE`` is 0) each column's chain starts from a value of its
own. With free runs (see ``free_runs.py``) a card that follows the last one in a run adds a key in place of a link; so
a run's cards but for its head add the same wherever they lie. (Nothing is lost by that where the run lies under others:
what order its cards are in, their set tells.) To this are added keys for each foundation's height, each reserve card
left, each stock card taken, the waste's top node, each unanswered lift (see ``lifts.py``) and, if passes are limited,
the pass. A lift from the reserve has a key made of its column, which the card alone does not tell where cards count as
one.
Copies of a card in two packs have the same key, so positions that differ in which copy is where count as one,
except in the stock and waste.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solitaire_lab.engine.bits import ZERO, bit
from solitaire_lab.engine.build.layout import (
    ALIKE,
    CLUBS,
    DECKS,
    END_KEYS,
    FACE_DOWN,
    FOUNDATION,
    FREE_RUNS,
    GOING_UP,
    KEY_ATTACHED,
    KEY_FOUNDATION,
    KEY_LIFTED,
    KEY_PASS,
    KEY_RESERVE,
    KEY_WASTE_TOP,
    KEYS,
    LENGTH,
    LIFTED,
    LINKS,
    MAX_PILE,
    N_COLUMNS,
    N_RANKS,
    N_RESERVE,
    PASS,
    PASSES,
    PILES,
    PILES_ALIKE,
    PREFIX,
    PREFIX_WORDS,
    RESERVE,
    RESERVE_LEFT,
    RUN_TAKES,
    SUM,
    TOPS,
    WAITING,
    WASTE_TOP,
)
from solitaire_lab.engine.kernel import kernel

_A1, _A2 = np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53)
_B1, _B2 = np.uint64(0x9FB21C651E98DF25), np.uint64(0xD6E8FEB86659FD93)
_CARD_A, _CARD_B = np.uint64(0xA0761D6478BD642F), np.uint64(0xE7037ED1A0B428DB)
_WAITING = np.uint64(0xD1B54A32D192ED03)
_32, _29 = np.uint64(32), np.uint64(29)
_ONE = np.uint64(1)
_CODE = FACE_DOWN - 1


@kernel
def link_a(before, link):
    """Return the first lane of a chain that goes on with a link."""
    x = before + link
    x = (x ^ (x >> _32)) * _A1
    x = (x ^ (x >> _29)) * _A2
    return x ^ (x >> _32)


@kernel
def link_b(before, link):
    """Return the second lane of a chain that goes on with a link."""
    x = before ^ link
    x = (x ^ (x >> _29)) * _B1
    x = (x ^ (x >> _32)) * _B2
    return x ^ (x >> _29)


def fill_keys(hashes: NDArray[np.uint64]) -> None:
    """Fill the keys: outputs of splitmix64 from a fixed seed, the same in every process. Links of chains likewise."""
    state = np.arange(1, END_KEYS - KEYS + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    hashes[KEYS:END_KEYS] = z ^ (z >> np.uint64(31))
    codes = np.arange(1, 129, dtype=np.uint64)
    hashes[LINKS : LINKS + 256 : 2] = codes * _CARD_A
    hashes[LINKS + 1 : LINKS + 256 : 2] = codes * _CARD_B
    hashes[ALIKE : ALIKE + 64] = np.uint64(1) << np.arange(64, dtype=np.uint64)


def count_as_one(hashes: NDArray[np.uint64], classes: list[list[int]]) -> None:
    """Fill keys, links and the sets of alike cards, so that the cards of a class count as one; others by themselves."""
    fill_keys(hashes)
    for cards in classes:
        for card in cards:
            hashes[ALIKE + card] = sum(1 << other for other in cards)
            for first in (KEY_RESERVE, KEY_ATTACHED, LINKS, LINKS + 2 * FACE_DOWN):
                hashes[first + 2 * card : first + 2 * card + 2] = hashes[first + 2 * cards[0] :][:2]


@kernel
def plus(hashes, lanes, first, place):
    """Return both lanes of a sum with a key added."""
    return lanes[0] + hashes[first + 2 * place], lanes[1] + hashes[first + 2 * place + 1]


@kernel
def minus(hashes, lanes, first, place):
    """Return both lanes of a sum with a key taken out."""
    return lanes[0] - hashes[first + 2 * place], lanes[1] - hashes[first + 2 * place + 1]


@kernel
def top_card(board, cards, column):
    """Return the top card of a column that is not empty."""
    return np.int64(cards[PILES + column * MAX_PILE + board[LENGTH + column] - 1])


@kernel
def prefix_place(column, length):
    """Return where the hash of a column's first `length` cards stands, and after it the run that they end with."""
    return PREFIX + PREFIX_WORDS * (column * (MAX_PILE + 1) + length)


@kernel
def run_of(hashes, column, length):
    """Return the run that a column's first `length` cards end with, the last of which lies face up, as a set."""
    return hashes[prefix_place(column, length) + 2]


@kernel
def with_card(board, hashes, before, under, card):
    """Return both lanes of the hash of a column, and the run that it ends with, after a card more.

    Parameters
    ----------
    before : tuple of uint64
        These three of the column as it is.
    under : int
        Its top card, or `FACE_DOWN` if it is empty.
    """
    a, b, run = before
    attached = ~card & FACE_DOWN and hashes[RUN_TAKES + under] & bit(card & _CODE)
    run = bit(card & _CODE) | (run if attached else ZERO)
    if attached and board[FREE_RUNS]:
        return a + hashes[KEY_ATTACHED + 2 * card], b + hashes[KEY_ATTACHED + 2 * card + 1], run
    link = LINKS + 2 * card
    return link_a(a, hashes[link]), link_b(b, hashes[link + 1]), run


@kernel
def prefix(cards, hashes, column, length):
    """Return what :func:`with_card` goes on from: the hash of a column's first cards, their run and the last card."""
    at = prefix_place(column, length)
    under = np.int64(cards[PILES + column * MAX_PILE + length - 1]) if length else FACE_DOWN
    return (hashes[at], hashes[at + 1], hashes[at + 2]), under


@kernel
def chain(board, cards, hashes, column, first, length):
    """Make a column's prefix hashes anew for its cards `first` to `length` - 1."""
    at = prefix_place(column, first)
    before, under = prefix(cards, hashes, column, first)
    for place in range(first, length):
        card = np.int64(cards[PILES + column * MAX_PILE + place])
        before = with_card(board, hashes, before, under, card)
        under = card
        at += PREFIX_WORDS
        hashes[at], hashes[at + 1], hashes[at + 2] = before


@kernel
def key_of_waiting(a, b):
    """Return both lanes of the key of a card that waits to be answered, from the hash of its column up to it."""
    return link_a(a, _WAITING), link_b(b, _WAITING)


@kernel
def note_foundations(board, hashes):
    """Note which cards the foundations show and take."""
    for suit in range(4):
        note_foundation(board, hashes, suit)


@kernel
def note_foundation(board, hashes, suit):
    """Note which cards of a suit the foundations show and take, after a change of their heights."""
    going_up, tops = ZERO, ZERO
    for copy in range(board[DECKS]):
        height = board[FOUNDATION + 2 * suit + copy]
        if height < board[N_RANKS]:
            going_up |= bit((height + 1) << 2 | suit)
        if height:
            tops |= bit(height << 2 | suit)
    others = ~(CLUBS << np.uint64(suit))
    hashes[GOING_UP] = hashes[GOING_UP] & others | going_up
    hashes[TOPS] = hashes[TOPS] & others | tops


@kernel
def hash_afresh(board, cards, hashes):
    """Compute all prefixes, the fingerprint and the sets of the foundations from the position."""
    note_foundations(board, hashes)
    lanes = np.uint64(0), np.uint64(0)
    for column in range(board[N_COLUMNS]):
        start = 0 if board[PILES_ALIKE] else column + 1
        at = prefix_place(column, np.int64(0))
        hashes[at] = link_a(_ONE, np.uint64(start + 1) * _CARD_A)
        hashes[at + 1] = link_b(_ONE, np.uint64(start + 1) * _CARD_B)
        hashes[at + 2] = ZERO
        length = board[LENGTH + column]
        chain(board, cards, hashes, column, np.int64(0), length)
        at = prefix_place(column, length)
        lanes = lanes[0] + hashes[at], lanes[1] + hashes[at + 1]
    for suit in range(4):
        for copy in range(board[DECKS]):
            lanes = plus(hashes, lanes, KEY_FOUNDATION, suit * 16 + board[FOUNDATION + 2 * suit + copy])
    for place in range(board[N_RESERVE]):
        if board[RESERVE_LEFT] >> place & 1:
            lanes = plus(hashes, lanes, KEY_RESERVE, np.int64(cards[RESERVE + place]))
    lanes = plus(hashes, lanes, KEY_WASTE_TOP, board[WASTE_TOP])
    if board[PASSES]:
        lanes = plus(hashes, lanes, KEY_PASS, board[PASS])
    for column in range(board[N_COLUMNS]):
        if board[WAITING] == column + 1:
            at = prefix_place(column, board[LENGTH + column])
            a, b = key_of_waiting(hashes[at], hashes[at + 1])
            lanes = lanes[0] + a, lanes[1] + b
        if board[LIFTED] >> column & 1:
            lanes = plus(hashes, lanes, KEY_LIFTED, top_card(board, cards, column))
    # Stock cards taken are counted from here on; their keys come with the moves (KEY_TAKEN).
    hashes[SUM], hashes[SUM + 1] = lanes
