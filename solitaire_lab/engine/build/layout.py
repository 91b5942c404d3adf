"""A position of a build game as three flat arrays: where everything stands.

``board`` (int64) holds the rules in force and the counters of the position, ``cards`` (uint8) the cards,
``hashes`` (uint64) the fingerprint. Each is one flat array, since a call of a compiled function passes seven
words for every array.

A card is ``4 * rank + suit`` (suits C D H S), plus `FACE_DOWN` in a tableau pile. Two suits have the same
colour if they are equal or each other's mirror, ``suit ^ 3``.

The stock and the waste are one doubly linked list, in the order in which cards are first turned. Its nodes
are numbered from 1; node 0 stands before the first, node ``n + 1`` after the last. ``board[WASTE_TOP]`` is
the node on top of the waste (0 if it is empty), and the node after it is the next card of the stock. Taking
the waste's top card unlinks its node, which keeps its own links and so can be put back.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.kernel import kernel

# board: the rules

N_COLUMNS = np.int64(0)
N_RANKS = np.int64(1)
DECKS = np.int64(2)
BUILD = np.int64(3)
"""How the tableau is built: one of the policies below."""
GROUP = np.int64(5)
SPACES = np.int64(6)
WORRYING_BACK = np.int64(7)
RETURN_TO_SPACE = np.int64(8)
AUTO_FOUNDATION = np.int64(9)
DRAW = np.int64(10)
PASSES = np.int64(11)
"""Passes through the stock; 0 for unlimited."""
N_STOCK = np.int64(12)
"""Nodes of the stock's list."""
N_RESERVE = np.int64(13)
PACK_SIZE = np.int64(14)
PILES_ALIKE = np.int64(15)
"""1 if positions that differ in the order of the columns alone count as one."""
FREE_RUNS = np.int64(17)
"""1 if positions that differ only in which of several alike cards a run lies on count as one: ``free_runs.py``."""
LIFTS = np.int64(18)
"""Which lifts must be answered, see ``lifts.py``: one of the values below."""
AHEAD = np.int64(19)
"""1 if turns of the stock come only together with a play of the card that they bring up: ``stock_ahead.py``."""
SUITS_ASIDE = np.int64(4)
"""1 if suits are set aside, see ``suits_aside.py``."""
DOMINANCES = np.int64(16)
"""The proven dominances that are switched on: a set of bits, see ``dominance.py``."""

# board: the position

WASTE_TOP = np.int64(20)
PASS = np.int64(21)
"""1 in the first pass."""
ON_FOUNDATIONS = np.int64(22)
RESERVE_LEFT = np.int64(23)
"""The reserve cards still there: a set of bits."""
RANDOM = np.int64(24)
"""State of the generator that shuffles the moves before they are ordered; 0 for none."""
WAITING = np.int64(25)
"""With ``LIFTS``: 1 + the column that a reserve card has just been put on, 0 if none has."""
LIFTED = np.int64(26)
"""With ``LIFTS``: the columns on which a card from a foundation waits to be answered, as bits."""
LENGTH = np.int64(32)
"""Cards in each column."""
FOUNDATION = np.int64(64)
"""Height of each foundation: suit * 2 + copy, the higher of a suit's two first."""
NEXT = np.int64(80)
PREVIOUS = np.int64(220)
BOUND = np.int64(352)
"""For each column, how far it can be cleared: scratch of ``relaxation.py``."""
BOARD_SIZE = np.int64(384)

MAX_COLUMNS = np.int64(30)
MAX_PILE = np.int64(64)
MAX_STOCK = np.int64(128)

# cards

PILES = np.int64(0)
RESERVE = MAX_COLUMNS * MAX_PILE
STOCK = RESERVE + 64
CARD_PLACE = STOCK + MAX_STOCK + 2
"""Scratch: a card that comes from a foundation."""
CARDS_SIZE = CARD_PLACE + 1

FACE_DOWN = np.int64(64)

# hashes: see hashing.py

SUM = np.int64(0)
PREFIX = np.int64(2)
PREFIX_WORDS = np.int64(3)
"""For the first cards of a column, any number of them: both lanes of their hash, and the run that they end with."""
KEYS = PREFIX + MAX_COLUMNS * (MAX_PILE + 1) * PREFIX_WORDS
KEY_FOUNDATION = KEYS
"""By suit * 16 + height."""
KEY_RESERVE = KEY_FOUNDATION + 2 * 64
"""By card."""
KEY_TAKEN = KEY_RESERVE + 2 * 64
"""By node of the stock that is gone."""
KEY_WASTE_TOP = KEY_TAKEN + 2 * (MAX_STOCK + 2)
KEY_PASS = KEY_WASTE_TOP + 2 * (MAX_STOCK + 2)
KEY_ATTACHED = KEY_PASS + 2 * 64
"""By card that lies in a run, not at its head; used with ``FREE_RUNS``."""
KEY_LIFTED = KEY_ATTACHED + 2 * 64
"""By card from a foundation that waits to be answered."""
END_KEYS = KEY_LIFTED + 2 * 64

# Sets of cards, as bits by card code, stand in the same array.

TAKES = END_KEYS
"""For each card, the cards that may be put on it in the tableau; none for a card that is face down."""
RUN_TAKES = TAKES + 128
"""For each card, the cards that may follow it in a run that moves; likewise."""
SPACE_TAKES = RUN_TAKES + 128
"""The cards that may be put in an empty column."""
WHOLE_PACK = SPACE_TAKES + 1
"""All cards of the pack; set with the rules."""
# The next ones, up to GOING_UP, are scratch of ``generator.py``.
ALL = MAX_COLUMNS
"""In place of a column: at least the cards that are in the sets of any column."""
OPEN = WHOLE_PACK + 1
"""For each column, the cards that it takes."""
TO_CARDS = OPEN + ALL + 1
"""For each column, its cards that may go to another card with all cards above them."""
TO_SPACES = TO_CARDS + ALL + 1
"""For each column, its cards that may go to a space with all cards above them."""
FROM_RESERVE = TO_SPACES + ALL + 1
"""The cards that may come to columns from the reserve."""
FROM_FOUNDATIONS = FROM_RESERVE + 1
"""The cards that may come to columns from foundations."""
ONCE = FROM_FOUNDATIONS + 1
"""The cards that go to the first one only of several cards that take them."""
TOP_CARDS = ONCE + 1
"""The top cards of the columns."""
EMPTY = TOP_CARDS + 1
"""The empty columns."""
GOING_UP = EMPTY + 1
"""The cards that the foundations take next."""
TOPS = GOING_UP + 1
"""The top cards of the foundations."""
RESERVE_CARDS = TOPS + 1
"""The cards in the reserve (with two decks, also those that have left it)."""
TALON = RESERVE_CARDS + 1
"""The cards in stock and waste (with two decks, also those that have left them)."""
TALON_FROM = TALON + 1
"""For each node of the stock's list, its card and all that came after it at the start."""
ALIKE = TALON_FROM + MAX_STOCK + 2
"""For each card, the cards that count as the same: itself alone, but for ``suits_aside.py``."""
LINKS = ALIKE + 64
"""For each code of a card, what it adds to each lane of a chain, see ``hashing.py``."""
HASHES_SIZE = LINKS + 2 * 128

CLUBS = np.uint64(0x1111111111111110)
"""All cards of the first suit, as a set."""

# the values of BUILD, GROUP, SPACES and LIFTS

ALTERNATE_COLOUR, SAME_SUIT, ANY_SUIT = np.int64(0), np.int64(1), np.int64(2)
ANY_PART, WHOLE, SINGLE = np.int64(0), np.int64(1), np.int64(2)
ANY_CARD, KINGS, NO_CARDS = np.int64(0), np.int64(1), np.int64(2)
NO_LIFTS, RESERVE_LIFTS, ALL_LIFTS = np.int64(0), np.int64(1), np.int64(2)

# Moves are int32: kind, source, target, number of cards, and the lowest card that moves.

MOVE_BITS = np.int64(27)

# The source of a move from the waste is the number of turns of the stock that come before it, see ``stock_ahead.py``.
# Those to a foundation are the odd ones but for TURN_STOCK, those to a column the even ones before it.
TABLEAU_TO_TABLEAU = np.int64(0)
TABLEAU_TO_FOUNDATION = np.int64(1)
WASTE_TO_TABLEAU = np.int64(2)
WASTE_TO_FOUNDATION = np.int64(3)
RESERVE_TO_TABLEAU = np.int64(4)
RESERVE_TO_FOUNDATION = np.int64(5)
FOUNDATION_TO_TABLEAU = np.int64(6)
TURN_STOCK = np.int64(7)
REDEAL = np.int64(8)
BARE_TO_FOUNDATION = np.int64(9)
"""Two moves in one: the run that lies on a card goes to another column, then the card to its foundation. The count is
that of the run, the card the one that goes up."""

MAX_MOVES = np.int64(4096)
"""A position never has more legal moves: 104 cards, and 8 foundation tops, with 30 columns and a foundation each."""


NONE = np.int64(0)
"""For the parts of a move that mean nothing. (A bare 0 would have a type, and a compilation, of its own.)"""
ONE_CARD = np.int64(1)


@kernel
def pack_move(kind, source, target, count, card):
    """Return a move as one int32."""
    return np.int32(kind | source << 4 | target << 11 | count << 16 | card << 21)


@kernel
def move_kind(move):
    """Return the kind of a move."""
    return np.int64(move) & 15


@kernel
def move_source(move):
    """Return the column, or the place in the reserve, that a move leaves; from the waste, the turns before it."""
    return np.int64(move) >> 4 & 127


@kernel
def move_target(move):
    """Return the column that a move goes to."""
    return np.int64(move) >> 11 & 31


@kernel
def move_count(move):
    """Return how many cards move."""
    return np.int64(move) >> 16 & 31


@kernel
def move_card(move):
    """Return the card that moves, the lowest one of a run."""
    return np.int64(move) >> 21 & 63


@kernel
def is_to_foundation(move):
    """Say whether a move goes to a foundation."""
    kind = np.int64(move) & 15
    return kind & 1 == 1 and kind != TURN_STOCK


@kernel
def is_to_tableau(kind):
    """Say whether moves of a kind go to a column."""
    return kind & 1 == 0 and kind < TURN_STOCK


@kernel
def foundation_taking(board, card):
    """Return the board place of a foundation that takes `card`, or -1."""
    first = FOUNDATION + 2 * (card & 3)
    below = (card >> 2) - 1
    if board[first] == below:
        return first
    if board[DECKS] == 2 and board[first + 1] == below:
        return first + 1
    return -1


@kernel
def foundation_holding(board, card):
    """Return the board place of the foundation whose top card is `card`; of two alike the second.

    With :func:`foundation_taking`, which prefers the first, a suit's higher foundation stays first.
    """
    first = FOUNDATION + 2 * (card & 3)
    return first + 1 if board[first + 1] == card >> 2 else first
