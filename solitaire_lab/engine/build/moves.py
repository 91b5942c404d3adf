"""Legal moves of build games, making them and taking them back: the referee's rules, compiled.

Exactly the referee's legal moves, no more and no fewer: what may be left out is the business of
``dominance.py``.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.bits import ONE, ZERO, bit, lowest
from solitaire_lab.engine.build.hashing import (
    add_column,
    add_key,
    chain,
    subtract_column,
    subtract_key,
)
from solitaire_lab.engine.build.layout import (
    AUTO_FOUNDATION,
    BARE_TO_FOUNDATION,
    DECKS,
    FACE_DOWN,
    FOUNDATION,
    FOUNDATION_TO_TABLEAU,
    FREE_RUNS,
    GROUP,
    HEADS,
    HOLDERS,
    KEY_ATTACHED,
    KEY_FOUNDATION,
    KEY_PASS,
    KEY_RESERVE,
    KEY_TAKEN,
    KEY_WASTE_TOP,
    LENGTH,
    LIFTED,
    LIFTS,
    MAX_PILE,
    N_COLUMNS,
    N_RANKS,
    N_STOCK,
    NEXT,
    NONE,
    ON_FOUNDATIONS,
    OPEN,
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
    RETURN_TO_SPACE,
    RUN_TAKES,
    SINGLE,
    SPACE_TAKES,
    STOCK,
    TABLEAU_TO_FOUNDATION,
    TABLEAU_TO_TABLEAU,
    TAKES,
    TALON,
    TURN_STOCK,
    WAITING,
    WASTE_TO_FOUNDATION,
    WASTE_TO_TABLEAU,
    WASTE_TOP,
    WHOLE,
    WORRYING_BACK,
    foundation_holding,
    foundation_taking,
    is_to_foundation,
    move_card,
    move_count,
    move_kind,
    move_source,
    move_target,
    pack_move,
)
from solitaire_lab.engine.build.lifts import note_lifts
from solitaire_lab.engine.build.stock_ahead import turn
from solitaire_lab.engine.kernel import kernel

ONE_CARD = np.int64(1)
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
def legal_moves(board, cards, hashes, moves, end):
    """Write all legal moves to `moves` from place `end` on; return the place after the last one.

    While automatic play is due, its next move is the only one.

    Parameters
    ----------
    board, cards, hashes
        The position.
    moves : ndarray of int32
        Must have room for `MAX_MOVES` more.
    end : int
    """
    start = end
    n_columns = board[N_COLUMNS]
    going_up = next_foundation_cards(board)
    any_open = ZERO
    all_heads = ZERO
    for column in range(n_columns):
        length = board[LENGTH + column]
        if length:
            top = np.int64(cards[PILES + column * MAX_PILE + length - 1])
            taken = hashes[TAKES + top]
            if going_up & bit(top):
                moves[end] = pack_move(TABLEAU_TO_FOUNDATION, column, NONE, ONE_CARD, top)
                end += 1
            heads = run_heads(board, cards, hashes, column)
        else:
            taken = hashes[SPACE_TAKES]
            heads = ZERO
        hashes[OPEN + column] = taken
        any_open |= taken
        hashes[HEADS + column] = heads
        while heads:
            card = lowest(heads)
            heads &= heads - ONE
            hashes[HOLDERS + card] = bit(column) | (hashes[HOLDERS + card] if all_heads & bit(card) else ZERO)
            all_heads |= bit(card)
    if all_heads & any_open:
        for target in range(n_columns):
            fitting = all_heads & hashes[OPEN + target]
            while fitting:
                card = lowest(fitting)
                fitting &= fitting - ONE
                holders = hashes[HOLDERS + card] & ~bit(target)
                while holders:
                    column = lowest(holders)
                    holders &= holders - ONE
                    top = np.int64(cards[PILES + column * MAX_PILE + board[LENGTH + column] - 1])
                    count = (card >> 2) - (top >> 2) + 1
                    moves[end] = pack_move(TABLEAU_TO_TABLEAU, column, target, count, card)
                    end += 1
    waste_top = board[WASTE_TOP]
    left = board[RESERVE_LEFT] << 1 | (waste_top != 0)
    place = -1  # the waste's top card, then the reserve
    while left:
        if left & 1:
            card = np.int64(cards[RESERVE + place] if place >= 0 else cards[STOCK + waste_top])
            if going_up & bit(card):
                to_foundation = RESERVE_TO_FOUNDATION if place >= 0 else WASTE_TO_FOUNDATION
                moves[end] = pack_move(to_foundation, max(place, 0), NONE, ONE_CARD, card)
                end += 1
            if any_open & bit(card):
                to_tableau = RESERVE_TO_TABLEAU if place >= 0 else WASTE_TO_TABLEAU
                for target in range(n_columns):
                    if hashes[OPEN + target] & bit(card):
                        moves[end] = pack_move(to_tableau, max(place, 0), target, ONE_CARD, card)
                        end += 1
        left >>= 1
        place += 1
    if board[AUTO_FOUNDATION] and going_up:
        for at in range(start, end):
            if is_to_foundation(np.int64(moves[at])):  # written in the order in which automatic play scans
                moves[start] = moves[at]
                return start + 1
    if board[WORRYING_BACK]:
        end = foundation_moves(board, hashes, any_open, moves, end)
    if board[N_STOCK]:
        if board[NEXT + waste_top] <= board[N_STOCK]:
            moves[end] = pack_move(TURN_STOCK, NONE, NONE, NONE, NONE)
            end += 1
        elif waste_top and (board[PASSES] == 0 or board[PASS] < board[PASSES]):
            moves[end] = pack_move(REDEAL, NONE, NONE, NONE, NONE)
            end += 1
    return end


@kernel
def next_foundation_cards(board):
    """Return the set of cards that a foundation takes."""
    going_up = ZERO
    for suit in range(4):
        for copy in range(board[DECKS]):
            height = board[FOUNDATION + 2 * suit + copy]
            if height < board[N_RANKS]:
                going_up |= bit((height + 1) << 2 | suit)
    return going_up


@kernel
def run_heads(board, cards, hashes, column):
    """Return the set of a column's cards that may move with all cards above them."""
    length = board[LENGTH + column]
    at = PILES + column * MAX_PILE + length - 1
    bottom = at - length + 1
    card = np.int64(cards[at])
    heads = bit(card)
    if board[GROUP] == SINGLE:
        return heads
    while at > bottom:
        upper = np.int64(cards[at - 1])
        if not hashes[RUN_TAKES + upper] & bit(card):
            break
        card = upper
        heads |= bit(card)
        at -= 1
    if board[GROUP] == WHOLE:
        return ZERO if at > bottom and not cards[at - 1] & FACE_DOWN else bit(card)
    return heads


@kernel
def foundation_moves(board, hashes, any_open, moves, end):
    """Write the moves that bring a foundation's top card back."""
    for suit in range(4):
        for copy in range(board[DECKS]):
            height = board[FOUNDATION + 2 * suit + copy]
            card = height << 2 | suit
            if height == 0 or not any_open & bit(card) or (copy and height == board[FOUNDATION + 2 * suit]):
                continue
            for target in range(board[N_COLUMNS]):
                is_open = hashes[OPEN + target] & bit(card) != ZERO
                if is_open and (board[RETURN_TO_SPACE] or board[LENGTH + target]):
                    moves[end] = pack_move(FOUNDATION_TO_TABLEAU, suit, target, ONE_CARD, card)
                    end += 1
    return end


@kernel
def make(board, cards, hashes, move):
    """Make a move; return the undo word."""
    kind = move_kind(move)
    waste_top = board[WASTE_TOP]
    undo = waste_top << 1
    if board[LIFTS]:
        undo |= board[WAITING] << WAITING_SHIFT | board[LIFTED] << LIFTED_SHIFT
        note_lifts(board, cards, hashes, move)
    source, card = move_source(move), move_card(move)
    turns = np.int64(kind == TURN_STOCK or kind == REDEAL)
    if kind == WASTE_TO_TABLEAU or kind == WASTE_TO_FOUNDATION:
        turns = source
    if turns:
        subtract_key(hashes, KEY_WASTE_TOP, waste_top)
        for _ in range(turns):
            waste_top = turn(board, waste_top)
            if waste_top == 0:
                if board[PASSES]:
                    subtract_key(hashes, KEY_PASS, board[PASS])
                    add_key(hashes, KEY_PASS, board[PASS] + 1)
                board[PASS] += 1
                undo |= np.int64(1) << REDEAL_SHIFT
        board[WASTE_TOP] = waste_top
        add_key(hashes, KEY_WASTE_TOP, waste_top)
        if kind == TURN_STOCK or kind == REDEAL:
            return undo
    if kind == TABLEAU_TO_TABLEAU or kind == BARE_TO_FOUNDATION:
        # The run is put down before it is taken up: its cards lie still where they were.
        count = move_count(move)
        length = board[LENGTH + source]
        push(board, cards, hashes, PILES + source * MAX_PILE + length - count, count, move_target(move))
        undo |= pop(board, cards, hashes, source, count)
        if kind == TABLEAU_TO_TABLEAU:
            return undo
    if kind == TABLEAU_TO_FOUNDATION or kind == BARE_TO_FOUNDATION:
        undo |= pop(board, cards, hashes, source, ONE_CARD)
    elif kind == WASTE_TO_TABLEAU or kind == WASTE_TO_FOUNDATION:
        before, after = board[PREVIOUS + waste_top], board[NEXT + waste_top]
        board[NEXT + before] = after
        board[PREVIOUS + after] = before
        board[WASTE_TOP] = before
        subtract_key(hashes, KEY_WASTE_TOP, waste_top)
        add_key(hashes, KEY_WASTE_TOP, before)
        add_key(hashes, KEY_TAKEN, waste_top)
        undo |= waste_top << NODE_SHIFT
        if board[DECKS] == 1:
            hashes[TALON] ^= bit(card)
        if kind == WASTE_TO_TABLEAU:
            push(board, cards, hashes, STOCK + waste_top, ONE_CARD, move_target(move))
    elif kind == RESERVE_TO_TABLEAU or kind == RESERVE_TO_FOUNDATION:
        board[RESERVE_LEFT] ^= np.int64(1) << source
        subtract_key(hashes, KEY_RESERVE, card)
        if board[DECKS] == 1:
            hashes[RESERVE_CARDS] ^= bit(card)
        if kind == RESERVE_TO_TABLEAU:
            push(board, cards, hashes, RESERVE + source, ONE_CARD, move_target(move))
    else:
        suit, height = card & 3, card >> 2
        subtract_key(hashes, KEY_FOUNDATION, suit * 16 + height)
        add_key(hashes, KEY_FOUNDATION, suit * 16 + height - 1)
        board[foundation_holding(board, card)] -= 1
        board[ON_FOUNDATIONS] -= 1
        target = move_target(move)
        cards[PILES + target * MAX_PILE + board[LENGTH + target]] = np.uint8(card)
        push(board, cards, hashes, PILES + target * MAX_PILE + board[LENGTH + target], ONE_CARD, target)
        return undo
    if is_to_foundation(move):
        suit, height = card & 3, card >> 2
        subtract_key(hashes, KEY_FOUNDATION, suit * 16 + height - 1)
        add_key(hashes, KEY_FOUNDATION, suit * 16 + height)
        board[foundation_taking(board, card)] += 1
        board[ON_FOUNDATIONS] += 1
    return undo


@kernel
def push(board, cards, hashes, first, count, column):
    """Put the `count` cards that lie at `first` in the cards array on top of a column."""
    length = board[LENGTH + column]
    base = PILES + column * MAX_PILE + length
    for place in range(count):
        cards[base + place] = cards[first + place]
    if board[FREE_RUNS] and length:
        # The cards go on the run there, so each just adds its key.
        for place in range(count):
            add_key(hashes, KEY_ATTACHED, np.int64(cards[base + place]))
        board[LENGTH + column] = length + count
        return
    subtract_column(board, cards, hashes, column)
    board[LENGTH + column] = length + count
    chain(cards, hashes, column, length, 1 if board[FREE_RUNS] else length + count)
    add_column(board, cards, hashes, column)


@kernel
def pop(board, cards, hashes, column, count):
    """Take `count` cards off a column, turn the card below them up; return `FLIPPED` if it was down."""
    length = board[LENGTH + column]
    left = length - count
    subtract_column(board, cards, hashes, column)
    board[LENGTH + column] = left
    flipped = np.int64(0)
    if left:
        at = PILES + column * MAX_PILE + left - 1
        if cards[at] & FACE_DOWN:
            cards[at] ^= np.uint8(FACE_DOWN)
            chain(cards, hashes, column, left - 1, left)
            flipped = FLIPPED
    add_column(board, cards, hashes, column)
    return flipped


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
    # With free runs only the prefixes up to the head of a run are in use, and only a new first card replaces one.
    end = max(length, 1) if board[FREE_RUNS] else length + count
    chain(cards, hashes, column, start, end)
