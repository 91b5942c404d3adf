"""Making moves of build games and taking them back, and the fingerprints that they lead to."""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.bits import bit
from solitaire_lab.engine.build.hashing import (
    chain,
    minus,
    note_foundation,
    plus,
    prefix,
    prefix_place,
    with_card,
)
from solitaire_lab.engine.build.layout import (
    BARE_TO_FOUNDATION,
    CARD_PLACE,
    DECKS,
    FACE_DOWN,
    FOUNDATION_TO_TABLEAU,
    KEY_FOUNDATION,
    KEY_PASS,
    KEY_RESERVE,
    KEY_TAKEN,
    KEY_WASTE_TOP,
    LENGTH,
    LIFTED,
    LIFTS,
    MAX_PILE,
    NEXT,
    NONE,
    ON_FOUNDATIONS,
    ONE_CARD,
    PACK_SIZE,
    PASS,
    PASSES,
    PILES,
    PREVIOUS,
    REDEAL,
    RESERVE,
    RESERVE_CARDS,
    RESERVE_LEFT,
    RESERVE_TO_FOUNDATION,
    RESERVE_TO_TABLEAU,
    STOCK,
    SUM,
    TABLEAU_TO_FOUNDATION,
    TABLEAU_TO_TABLEAU,
    TALON,
    TURN_STOCK,
    WAITING,
    WASTE_TO_FOUNDATION,
    WASTE_TO_TABLEAU,
    WASTE_TOP,
    foundation_holding,
    foundation_taking,
    is_to_foundation,
    move_card,
    move_count,
    move_kind,
    move_source,
    move_target,
)
from solitaire_lab.engine.build.lifts import lanes_after_lifts, note_lifts
from solitaire_lab.engine.build.stock_ahead import turned, turns_of
from solitaire_lab.engine.kernel import kernel

UP, DOWN = np.int64(1), np.int64(0)
FLIPPED = np.int64(1)
"""Bit of the undo word: the move turned a card up. The bits above hold the waste's top node before it, then
``board[WAITING]`` and ``board[LIFTED]`` before it; then, for turns with a play of the waste's top card, its node and
whether a new pass was begun."""
WAITING_SHIFT, LIFTED_SHIFT, NODE_SHIFT, REDEAL_SHIFT = np.int64(10), np.int64(16), np.int64(48), np.int64(60)
WASTE_TOP_BITS, WAITING_BITS, LIFTED_BITS = np.int64(511), np.int64(63), np.int64(2**32 - 1)


@kernel
def is_won(board):
    """Say whether all cards are on the foundations."""
    return board[ON_FOUNDATIONS] == board[PACK_SIZE]


@kernel
def wins(board, move):
    """Say whether a move brings the last card to the foundations."""
    return is_to_foundation(move) and board[ON_FOUNDATIONS] == board[PACK_SIZE] - 1


@kernel
def make(board, cards, hashes, move):
    """Make a move; return the undo word."""
    hashes[SUM], hashes[SUM + 1] = fingerprint_after(board, cards, hashes, move)
    return carry_out(board, cards, hashes, move)


@kernel
def carry_out(board, cards, hashes, move):
    """Make a move, but for the fingerprint, which is the caller's; return the undo word."""
    kind = move_kind(move)
    undo = board[WASTE_TOP] << 1
    if board[LIFTS]:
        undo |= board[WAITING] << WAITING_SHIFT | board[LIFTED] << LIFTED_SHIFT
        note_lifts(board, cards, move)
    source, target, card = move_source(move), move_target(move), move_card(move)
    turns = turns_of(move)
    if turns:
        waste_top, passes = turned(board, turns)
        board[WASTE_TOP] = waste_top
        board[PASS] += passes
        undo |= passes << REDEAL_SHIFT
    if kind == TABLEAU_TO_TABLEAU or kind == BARE_TO_FOUNDATION:
        # The run is put down before it is taken up: its cards lie still where they were.
        count = move_count(move)
        push(board, cards, hashes, PILES + source * MAX_PILE + board[LENGTH + source] - count, count, target)
        undo |= pop(board, cards, hashes, source, count)
    if kind == TABLEAU_TO_FOUNDATION or kind == BARE_TO_FOUNDATION:
        undo |= pop(board, cards, hashes, source, ONE_CARD)
    elif kind == WASTE_TO_TABLEAU or kind == WASTE_TO_FOUNDATION:
        waste_top = board[WASTE_TOP]
        before, after = board[PREVIOUS + waste_top], board[NEXT + waste_top]
        board[NEXT + before] = after
        board[PREVIOUS + after] = before
        board[WASTE_TOP] = before
        undo |= waste_top << NODE_SHIFT
        if board[DECKS] == 1:
            hashes[TALON] ^= bit(card)
        if kind == WASTE_TO_TABLEAU:
            push(board, cards, hashes, STOCK + waste_top, ONE_CARD, target)
    elif kind == RESERVE_TO_TABLEAU or kind == RESERVE_TO_FOUNDATION:
        board[RESERVE_LEFT] ^= np.int64(1) << source
        if board[DECKS] == 1:
            hashes[RESERVE_CARDS] ^= bit(card)
        if kind == RESERVE_TO_TABLEAU:
            push(board, cards, hashes, RESERVE + source, ONE_CARD, target)
    elif kind == FOUNDATION_TO_TABLEAU:
        board[foundation_holding(board, card)] -= 1
        board[ON_FOUNDATIONS] -= 1
        at = PILES + target * MAX_PILE + board[LENGTH + target]
        cards[at] = np.uint8(card)
        push(board, cards, hashes, at, ONE_CARD, target)
    if is_to_foundation(move):
        board[foundation_taking(board, card)] += 1
        board[ON_FOUNDATIONS] += 1
    if is_to_foundation(move) or kind == FOUNDATION_TO_TABLEAU:
        note_foundation(board, hashes, card & 3)
    return undo


@kernel
def fingerprint_after(board, cards, hashes, move):
    """Return both lanes of the fingerprint of the position that a move leads to, without making it."""
    kind, source, target, card = move_kind(move), move_source(move), move_target(move), move_card(move)
    lanes = hashes[SUM], hashes[SUM + 1]
    if board[LIFTS]:
        lanes = lanes_after_lifts(board, cards, hashes, lanes, move)
    turns = turns_of(move)
    waste_top = board[WASTE_TOP]
    if turns:
        lanes = minus(hashes, lanes, KEY_WASTE_TOP, waste_top)
        waste_top, passes = turned(board, turns)
        lanes = plus(hashes, lanes, KEY_WASTE_TOP, waste_top)
        if board[PASSES] and passes:
            lanes = minus(hashes, lanes, KEY_PASS, board[PASS])
            lanes = plus(hashes, lanes, KEY_PASS, board[PASS] + passes)
    first, count = CARD_PLACE, ONE_CARD
    if kind == TABLEAU_TO_TABLEAU or kind == BARE_TO_FOUNDATION:
        count = move_count(move)
        first = PILES + source * MAX_PILE + board[LENGTH + source] - count
        leaving = count + np.int64(kind == BARE_TO_FOUNDATION)
        lanes = lanes_after_pop(board, cards, hashes, lanes, source, leaving)
    elif kind == TABLEAU_TO_FOUNDATION:
        lanes = lanes_after_pop(board, cards, hashes, lanes, source, ONE_CARD)
    elif kind == WASTE_TO_TABLEAU or kind == WASTE_TO_FOUNDATION:
        lanes = minus(hashes, lanes, KEY_WASTE_TOP, waste_top)
        lanes = plus(hashes, lanes, KEY_WASTE_TOP, board[PREVIOUS + waste_top])
        lanes = plus(hashes, lanes, KEY_TAKEN, waste_top)
        first = STOCK + waste_top
    elif kind == RESERVE_TO_TABLEAU or kind == RESERVE_TO_FOUNDATION:
        lanes = minus(hashes, lanes, KEY_RESERVE, card)
        first = RESERVE + source
    elif kind == FOUNDATION_TO_TABLEAU:
        lanes = lanes_after_rise(hashes, lanes, card, DOWN)
        cards[CARD_PLACE] = np.uint8(card)
    if is_to_foundation(move):
        lanes = lanes_after_rise(hashes, lanes, card, UP)
    if kind == BARE_TO_FOUNDATION or not (is_to_foundation(move) or kind >= TURN_STOCK):
        lanes = lanes_after_push(board, cards, hashes, lanes, first, count, target)
    return lanes


@kernel
def lanes_after_rise(hashes, lanes, card, up):
    """Return the fingerprint's lanes changed by a card that goes to its foundation or, unless `up`, comes from it."""
    place = (card & 3) * 16 + (card >> 2)
    lanes = minus(hashes, lanes, KEY_FOUNDATION, place - up)
    return plus(hashes, lanes, KEY_FOUNDATION, place - 1 + up)


@kernel
def lanes_after_push(board, cards, hashes, lanes, first, count, column):
    """Return the fingerprint's lanes changed by the `count` cards at `first` that come on a column."""
    before, under = prefix(cards, hashes, column, board[LENGTH + column])
    lanes = lanes[0] - before[0], lanes[1] - before[1]
    for place in range(first, first + count):
        card = np.int64(cards[place])
        before = with_card(board, hashes, before, under, card)
        under = card
    return lanes[0] + before[0], lanes[1] + before[1]


@kernel
def lanes_after_pop(board, cards, hashes, lanes, column, count):
    """Return the fingerprint's lanes changed by the `count` cards that leave a column, and the card turned up then."""
    length = board[LENGTH + column]
    at = prefix_place(column, length)
    lanes = lanes[0] - hashes[at], lanes[1] - hashes[at + 1]
    left = length - count
    (a, b, _), top = prefix(cards, hashes, column, left)
    if left and top & FACE_DOWN:
        before, under = prefix(cards, hashes, column, left - 1)
        a, b, _ = with_card(board, hashes, before, under, top ^ FACE_DOWN)
    return lanes[0] + a, lanes[1] + b


@kernel
def push(board, cards, hashes, first, count, column):
    """Put the `count` cards that lie at `first` in the cards array on top of a column."""
    length = board[LENGTH + column]
    base = PILES + column * MAX_PILE + length
    for place in range(count):
        cards[base + place] = cards[first + place]
    board[LENGTH + column] = length + count
    chain(board, cards, hashes, column, length, length + count)


@kernel
def pop(board, cards, hashes, column, count):
    """Take `count` cards off a column, turn the card below them up; return `FLIPPED` if it was down."""
    left = board[LENGTH + column] - count
    board[LENGTH + column] = left
    at = PILES + column * MAX_PILE + left - 1
    if left and cards[at] & FACE_DOWN:
        cards[at] ^= np.uint8(FACE_DOWN)
        chain(board, cards, hashes, column, left - 1, left)
        return FLIPPED
    return NONE


@kernel
def take_back(board, cards, hashes, move, undo):
    """Take back a move; its undo word tells what it changed. All but `hashes[SUM]` is as it was before.

    The caller sets the fingerprint back, which it has kept; the prefix hashes of all cards are right again.
    """
    kind = move_kind(move)
    board[WAITING] = undo >> WAITING_SHIFT & WAITING_BITS
    board[LIFTED] = undo >> LIFTED_SHIFT & LIFTED_BITS
    board[PASS] -= undo >> REDEAL_SHIFT
    if kind == TURN_STOCK or kind == REDEAL:
        board[WASTE_TOP] = undo >> 1 & WASTE_TOP_BITS
        return
    source, card, target = move_source(move), move_card(move), move_target(move)
    if is_to_foundation(move):
        board[foundation_holding(board, card)] -= 1
        board[ON_FOUNDATIONS] -= 1
        note_foundation(board, hashes, card & 3)
    if kind == TABLEAU_TO_FOUNDATION or kind == BARE_TO_FOUNDATION:
        at = PILES + source * MAX_PILE + board[LENGTH + source]
        cards[at] = np.uint8(card)
        put_back(board, cards, hashes, source, at, ONE_CARD, undo)
        undo = np.int64(0)
    if kind == TABLEAU_TO_TABLEAU or kind == BARE_TO_FOUNDATION:
        count = move_count(move)
        board[LENGTH + target] -= count
        put_back(board, cards, hashes, source, PILES + target * MAX_PILE + board[LENGTH + target], count, undo)
        return
    if kind == FOUNDATION_TO_TABLEAU:
        board[LENGTH + target] -= 1
        board[foundation_taking(board, card)] += 1
        board[ON_FOUNDATIONS] += 1
        note_foundation(board, hashes, card & 3)
        return
    if kind == WASTE_TO_TABLEAU or kind == WASTE_TO_FOUNDATION:
        node = undo >> NODE_SHIFT & WASTE_TOP_BITS
        board[NEXT + board[PREVIOUS + node]] = node
        board[PREVIOUS + board[NEXT + node]] = node
        board[WASTE_TOP] = undo >> 1 & WASTE_TOP_BITS
        if board[DECKS] == 1:
            hashes[TALON] ^= bit(card)
    elif kind == RESERVE_TO_TABLEAU or kind == RESERVE_TO_FOUNDATION:
        board[RESERVE_LEFT] ^= np.int64(1) << source
        if board[DECKS] == 1:
            hashes[RESERVE_CARDS] ^= bit(card)
    if kind == WASTE_TO_TABLEAU or kind == RESERVE_TO_TABLEAU:
        board[LENGTH + target] -= 1


@kernel
def put_back(board, cards, hashes, column, first, count, undo):
    """Put cards back on the column that they left, turning its card down again if the move had turned it up."""
    length = board[LENGTH + column]
    base = PILES + column * MAX_PILE + length
    for place in range(count):
        cards[base + place] = cards[first + place]
    start = length
    if undo & FLIPPED:
        cards[base - 1] ^= np.uint8(FACE_DOWN)
        start -= 1
    board[LENGTH + column] = length + count
    chain(board, cards, hashes, column, start, length + count)
