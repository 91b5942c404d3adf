"""What the compact engine knows of a position: a few sets of cards, nothing of how the runs are arranged.

Where it serves. One pack, a tableau built down in alternating colours of which any part of a run moves, no
reserve, no automatic play; in every column the cards that are face up are one run. Then all its cards but
those of the run on top are hidden, and with what ``build/free_runs.py`` proves (positions that differ in
which of several alike cards each run lies on are equivalent) a position comes down to

- the height of each foundation,
- for each column its *locked* cards: those that it was dealt and that are still in their places, the lowest of
  its face-up cards (its *head*) included. A king that heads a column with nothing under it counts as moved
  to a space: it may as well lie in any empty column. A column without locked cards is *free*: it is empty, or
  holds a king and the run on it,
- which cards of the talon (waste and stock) are left, how far it is turned, and in which pass.

Which cards are in the tableau follows: those that have been seen there or taken from the talon and are not
on a foundation. Of these the heads and the kings lie where they lie; each other one is *attached*: it lies on one
of the two cards that take it. The cards of one rank and colour are a *class*. Each attached card of a class takes
the place on top of one card of the class above it in the other colour, so that a class whose members carry n
cards has its number less n members that are bare, or can be made bare by exchanging runs.

``board`` (int64) holds the rules and where the cards were dealt, ``records`` (int64) a position for each frame of
the stack, sets of cards being bits by card code ``4 * rank + suit``. No code is above 55, so they are never
negative, and there is no mixing of signed and unsigned numbers.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.bits import count_ones, lowest
from solitaire_lab.engine.kernel import kernel

# board: the rules

N_COLUMNS = np.int64(0)
WORRYING_BACK = np.int64(1)
KINGS_FILL = np.int64(2)
"""1 if kings fill empty columns, 0 if nothing does."""
KINGS_RETURN = np.int64(3)
"""1 if a king may come back from its foundation into an empty column."""
DRAW = np.int64(4)
PASSES = np.int64(5)
"""Passes through the talon; 0 for unlimited."""
DOMINANCES = np.int64(6)
PARTIAL = np.int64(7)
"""1 if moves of the component just opened were left for later."""
PACK = np.int64(8)
"""All cards, as a set."""
KINGS = np.int64(9)
"""The cards of the highest rank, as a set."""
COMPLETE = np.int64(10)
"""The heights of foundations that hold all cards."""
PENDING = np.int64(11)
"""1 if the frame on top of the stack still lacks its moves."""
LOOKING = np.int64(12)
"""1 once columns that can never be cleared are looked for."""
GENERATION = np.int64(13)
"""The mark of the component being explored, see ``next_mark`` in ``component.py``."""
RANKS = np.int64(14)
TALON_CARDS = np.int64(15)
"""The cards of the talon at the start, as a set."""
TALON_PLACE = np.int64(16)
"""By card: its place in the talon's order at the start."""
TALON_CARD = np.int64(80)
"""By place: the card."""
COLUMN_OF = np.int64(112)
"""By card that is locked at the start: its column."""
DEALT = np.int64(176)
"""The cards dealt to each column, from the bottom."""
MAX_COLUMNS = np.int64(15)
COLUMN_ROOM = np.int64(16)
UP_TO = DEALT + MAX_COLUMNS * COLUMN_ROOM
"""By suit * 16 + height: the cards of the suit up to there, as a set."""
RADIX = UP_TO + np.int64(64)
"""By column: what one of its locked cards adds to the number of a pattern, see ``capacity.py``."""
LOOK_FROM = RADIX + MAX_COLUMNS
"""Columns that can never be cleared are looked for from so many positions on: at the root then, and at every position
entered after it; so a position further up that is dead loses its moves, too."""
BOARD_SIZE = LOOK_FROM + 1

MAX_LOCKED = 15
MAX_TALON = 30

# A record

RECORD = np.int64(12)
"""Words of a record."""
HEIGHTS = np.int64(0)
"""The heights of the foundations, four bits a suit."""
TABLEAU_SEEN = np.int64(1)
"""The cards that lie face up in the tableau or have gone from there to a foundation."""
HEADS = np.int64(2)
"""The heads of columns with locked cards."""
LOCKED = np.int64(3)
"""How many locked cards each column has, four bits a column."""
TALON = np.int64(4)
"""The places of the talon whose cards are left."""
TURNED = np.int64(5)
"""The lowest place of the talon such that no card from there on lies in the waste."""
PASS = np.int64(6)
REACH = np.int64(7)
"""The cards of the talon that can be played next, after some turns."""
REACH_LATER = np.int64(8)
"""Those of them that need a pass more."""
FREE = np.int64(9)
"""Number of free columns."""
CURSOR = np.int64(10)
"""The place of the talon that the last card was taken from: no part of the position, for the order of moves alone."""

# Moves: kind, card, and the heights of the foundations at which the move is made.

UP = np.int64(0)
"""A card of the tableau that is not a head goes to its foundation, not to come back."""
HEAD_UP = np.int64(1)
HEAD_ON = np.int64(2)
"""A head goes on a card of another column."""
HEAD_TO_SPACE = np.int64(3)
TALON_UP = np.int64(4)
TALON_ON = np.int64(5)
TALON_TO_SPACE = np.int64(6)
FINISH = np.int64(7)
"""Not a move: the rest goes to the foundations."""

CARD_SHIFT = np.int64(3)
HEIGHTS_SHIFT = np.int64(9)
ZERO = np.int64(0)
ONE = np.int64(1)
TWO = np.int64(2)
THREE = np.int64(3)
FOUR = np.int64(4)
FIFTEEN = np.int64(15)
ACES = np.int64(0xF0)
FIRSTS = np.int64(0x0011111111111110)
"""The first suit's bit of every rank."""


@kernel
def pack_move(kind, card, heights):
    """Return a move as one number below 2**25."""
    return kind | card << CARD_SHIFT | heights << HEIGHTS_SHIFT


@kernel
def first(cards):
    """Return the lowest card of a set that is not empty."""
    return lowest(np.uint64(cards))


@kernel
def size(cards):
    """Return the number of cards in a set, or of ones in any number that is not negative."""
    return count_ones(np.uint64(cards))


@kernel
def locked_with(board, records, record, head):
    """Return how many locked cards the column of a head has, the head included."""
    return records[record + LOCKED] >> (board[COLUMN_OF + head] << TWO) & FIFTEEN


@kernel
def on_foundations(board, heights):
    """Return the cards on foundations of these heights, as a set."""
    return (
        board[UP_TO + (heights & FIFTEEN)]
        | board[UP_TO + np.int64(16) + (heights >> FOUR & FIFTEEN)]
        | board[UP_TO + np.int64(32) + (heights >> np.int64(8) & FIFTEEN)]
        | board[UP_TO + np.int64(48) + (heights >> np.int64(12) & FIFTEEN)]
    )


@kernel
def step_of(card):
    """Return what the heights grow by when `card` goes to its foundation."""
    return ONE << ((card & np.int64(3)) << np.int64(2))


@kernel
def wanted(board, up):
    """Return the cards that the foundations take next, `up` being those on them."""
    return (up << FOUR | ACES) & ~up & board[PACK]


@kernel
def bare_places(tableau, attached):
    """Return, as bits of the first suit of each rank, where a black and where a red card of the rank can take a card.

    A class has as many bare members as it has members in the tableau, less the attached cards of the class
    that lies on it. For a class of two members and two on it at most: one or more are bare if there is a
    member and nothing attached, or if there are two and not two attached.
    """
    clubs, diamonds = tableau & FIRSTS, tableau >> ONE & FIRSTS
    hearts, spades = tableau >> np.int64(2) & FIRSTS, tableau >> np.int64(3) & FIRSTS
    on = attached << FOUR
    on_clubs, on_diamonds = on & FIRSTS, on >> ONE & FIRSTS
    on_hearts, on_spades = on >> np.int64(2) & FIRSTS, on >> np.int64(3) & FIRSTS
    black = (clubs | spades) & ~(on_diamonds | on_hearts) | clubs & spades & ~(on_diamonds & on_hearts)
    red = (diamonds | hearts) & ~(on_clubs | on_spades) | diamonds & hearts & ~(on_clubs & on_spades)
    return black, red


@kernel
def members(black, red):
    """Return all cards of the ranks and colours given as for :func:`bare_places`."""
    return (black | black << THREE) | (red << ONE | red << TWO)


@kernel
def takes(black, red):
    """Return the cards that may be put on the bare places."""
    return members(red >> FOUR, black >> FOUR) & ~FIFTEEN
