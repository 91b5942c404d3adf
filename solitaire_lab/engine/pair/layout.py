"""A position of a pair game as two words, and the masks that the rules and the layout give.

Cards are numbered as they lie at the start: the pyramid from its lowest row up to the apex, then the reserve
piles, each from its top down, so that a card has a lower number than those that it covers; then the stock, first
turned first. There are at most 52. The two words are an exact key:

``low``, bits 0-51
    The cards still in play.
``low``, bits 52-57
    Where the stock begins: the number of its next card, or the number of all cards if it is empty. Stock cards of lower
    numbers that are in play lie in the waste. Always a card in play, so equal positions have equal words.
``low``, bits 58-63
    The pass, from 0; always 0 if passes are unlimited.
``high``
    With three waste piles, two bits for each stock card (from bit 0 on): the pile in which it lies; zero for
    cards that are not in the waste. Always 0 with one pile.

No position has both words 0: then no card would be left, and the game be won.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.bits import ONE, below, bit, highest, lowest
from solitaire_lab.engine.kernel import kernel

# rules (int64)

N_CARDS = np.int64(0)
FIRST_STOCK = np.int64(1)
"""The number of the first stock card."""
DRAW = np.int64(2)
PASSES = np.int64(3)
"""Passes through the stock; 0 for unlimited."""
WASTE_PILES = np.int64(4)
STOCK_EXPOSED = np.int64(5)
STOP_AT_EXHAUSTION = np.int64(6)
OVERLAP_PAIRS = np.int64(7)
DOMINANCES = np.int64(8)
"""The proven dominances that are switched on: a set of bits, see ``dominance.py``."""
RANDOM = np.int64(9)
"""State of the generator that shuffles the moves before they are ordered; 0 for none."""
LOOKS_AHEAD = np.int64(10)
"""1 if turns of the stock are parts of the moves that they lead to: ``stock_ahead.py``."""
PASSES_OVER = np.int64(11)
"""Which discards a turn of the stock passes over: `NEVER`, `LAYOUT_PAIRS` or `ALL_PAIRS`; see ``passed_over.py``."""
FREE_STOCK = np.int64(12)
"""1 if all stock cards are exposed at all times: ``free_stock.py``."""
TABLE = np.int64(13)
"""What the table keeps of a position: `WORDS`, `SETS` or `TIMES`, see ``search.py``."""
RULES_SIZE = np.int64(14)

NEVER = np.int64(0)
LAYOUT_PAIRS = np.int64(1)
ALL_PAIRS = np.int64(2)

WORDS = np.int64(0)
SETS = np.int64(1)
TIMES = np.int64(2)

# masks (uint64): first sets, then one set for each card

PYRAMID = np.int64(0)
LAYOUT = np.int64(1)
"""Pyramid and reserves."""
STOCK = np.int64(2)
"""Stock and waste."""
GOAL = np.int64(3)
"""The cards that must go."""
ALONE = np.int64(4)
"""The cards that go by themselves."""
PASSED = np.int64(5)
"""The cards passed over in the position that is being looked at: ``passed_over.py``."""
DIRTY = np.int64(6)
"""Scratch of ``relaxation.py``: the cards to be looked at again."""
COVERS = np.int64(8)
"""For each card of the layout, the cards that lie directly over it."""
UNDER = np.int64(72)
"""For each card of the layout, the cards that lie directly under it."""
PARTNERS = np.int64(136)
"""For each card, the others that pair with it by rank."""
REMOVERS = np.int64(200)
"""For each card, those of its partners that can ever be exposed together with it."""
TWINS = np.int64(264)
"""For each stock card, those of its rank that are turned before it."""

# What the tests for dead positions find of the position that is being looked at, for each card:

FEASIBLE = np.int64(328)
"""the cards in play with which it may still go,"""
OPEN = np.int64(392)
"""the times at which it may be exposed,"""
LEAVES = np.int64(456)
"""those at which it may be discarded,"""
LATEST = np.int64(520)
"""those at which it is not too late,"""
MET = np.int64(584)
"""those at which some card is open that it may go with,"""
MATE = np.int64(648)
"""its partner in a matching, or `NOBODY`; kept from position to position,"""
PARENT = np.int64(712)
"""and in the search for a larger matching: the card from which it was reached, or `NOBODY`,"""
BASE = np.int64(776)
"""and the base of the blossom that it lies in."""
QUEUE = np.int64(840)
"""The cards to be searched from."""
MASKS_SIZE = np.int64(904)

NOBODY = np.int64(64)

CARDS = np.uint64(2**52 - 1)
STOCK_SHIFT = np.uint64(52)
PASS_SHIFT = np.uint64(58)
SIX_BITS = np.uint64(63)
ZERO = np.uint64(0)
THREE = np.uint64(3)

# Moves are int32: kind, first card, second card; for those ahead also the stock's next card, and whether a new pass
# has begun; and a mark for forced ones.

DISCARD_PAIR = np.int64(0)
DISCARD_ONE = np.int64(1)
TURN_STOCK = np.int64(2)
REDEAL = np.int64(3)
AHEAD_PAIR = np.int64(4)
AHEAD_ONE = np.int64(5)
"""Discards after turns of the stock, up to a pass and a next card that the move names."""

FORCED = np.int64(1 << 23)
"""Marks a move that is tried alone: those left out were not passed over."""
MAX_MOVES = np.int64(4352)
"""A position never has more moves: 52 cards pair in at most 1326 ways and 52 go alone; ahead there are at most 104
stops, with two stock cards to go with each other and with the layout's, at most 26 * 26 pairs a pass and card."""


NONE = np.int64(0)
"""For the parts of a move that mean nothing. (A bare 0 would have a type, and a compilation, of its own.)"""


@kernel
def pack_move(kind, first, second):
    """Return a move as one int32."""
    return np.int32(kind | first << 4 | second << 10)


@kernel
def move_kind(move):
    """Return the kind of a move."""
    return np.int64(move) & 15


@kernel
def move_first(move):
    """Return the number of the first card that goes."""
    return np.int64(move) >> 4 & 63


@kernel
def move_second(move):
    """Return the number of the second card that goes."""
    return np.int64(move) >> 10 & 63


@kernel
def at_turn(low, move):
    """Return the low word once the stock is turned as a move ahead says."""
    cards_and_pass = (low & ~(SIX_BITS << STOCK_SHIFT)) + (np.uint64(np.int64(move) >> 22 & 1) << PASS_SHIFT)
    return cards_and_pass | np.uint64(np.int64(move) >> 16 & 63) << STOCK_SHIFT


@kernel
def next_card(low):
    """Return the number of the stock's next card, or the number of all cards."""
    return np.int64(low >> STOCK_SHIFT & SIX_BITS)


@kernel
def pass_of(low):
    """Return the pass, from 0."""
    return np.int64(low >> PASS_SHIFT)


@kernel
def stock_left(masks, low):
    """Return the cards in the stock."""
    return low & masks[STOCK] & ~below(next_card(low))


@kernel
def waste_left(masks, low):
    """Return the cards in the waste."""
    return low & masks[STOCK] & below(next_card(low))


@kernel
def with_stock_from(rules, masks, low, first):
    """Return the low word with the stock beginning at the first card in play from number `first` on."""
    left = low & masks[STOCK] & ~below(first)
    place = lowest(left) if left else rules[N_CARDS]
    return low & ~(SIX_BITS << STOCK_SHIFT) | np.uint64(place) << STOCK_SHIFT


@kernel
def exposed_layout(masks, low):
    """Return the cards of the layout that nothing covers."""
    left = low & masks[LAYOUT]
    free = ZERO
    rest = left
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        if not masks[COVERS + card] & left:
            free |= bit(card)
    return free


@kernel
def waste_tops(rules, masks, low, high):
    """Return the top cards of the waste piles."""
    waste = waste_left(masks, low)
    if not waste:
        return ZERO
    if rules[WASTE_PILES] == 1:
        return bit(highest(waste))
    tops = ZERO
    found = ZERO
    while waste:
        card = highest(waste)
        waste ^= bit(card)
        pile = ONE << (high >> np.uint64(2 * (card - rules[FIRST_STOCK])) & THREE)
        if not found & pile:
            found |= pile
            tops |= bit(card)
    return tops


@kernel
def exposed_stock(rules, masks, low):
    """Return the next stock card if the rules expose it."""
    if rules[STOCK_EXPOSED] and stock_left(masks, low):
        return bit(next_card(low))
    return ZERO
