"""The legal moves of build games: the referee's rules, compiled.

:func:`legal_moves` writes exactly the referee's legal moves, no more and no fewer. It does so in two steps: sets say
which cards may go from where to where, and the moves are written from these. What may be left out is the business of
``dominance.py``, which narrows the sets in between.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.bits import ONE, ZERO, bit, count_ones, highest, lowest
from solitaire_lab.engine.build.hashing import run_of, top_card
from solitaire_lab.engine.build.layout import (
    ALL,
    AUTO_FOUNDATION,
    CLUBS,
    EMPTY,
    FACE_DOWN,
    FOUNDATION_TO_TABLEAU,
    FROM_FOUNDATIONS,
    FROM_RESERVE,
    GOING_UP,
    GROUP,
    LENGTH,
    MAX_PILE,
    N_COLUMNS,
    N_STOCK,
    NEXT,
    NONE,
    ONCE,
    ONE_CARD,
    OPEN,
    PASS,
    PASSES,
    PILES,
    REDEAL,
    RESERVE,
    RESERVE_CARDS,
    RESERVE_LEFT,
    RESERVE_TO_FOUNDATION,
    RESERVE_TO_TABLEAU,
    RETURN_TO_SPACE,
    SINGLE,
    SPACE_TAKES,
    STOCK,
    TABLEAU_TO_FOUNDATION,
    TABLEAU_TO_TABLEAU,
    TAKES,
    TO_CARDS,
    TO_SPACES,
    TOP_CARDS,
    TOPS,
    TURN_STOCK,
    WASTE_TO_FOUNDATION,
    WASTE_TO_TABLEAU,
    WASTE_TOP,
    WHOLE,
    WORRYING_BACK,
    is_to_foundation,
    pack_move,
)
from solitaire_lab.engine.kernel import kernel

ALL_CARDS = ~ZERO


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
    note_open(board, cards, hashes)
    return write_moves(board, cards, hashes, moves, end)


@kernel
def note_open(board, cards, hashes):
    """Note in sets what the rules allow: what may leave each column, and where what is open may go."""
    top_cards, all_open, all_heads, empty = ZERO, ZERO, ZERO, ZERO
    for column in range(board[N_COLUMNS]):
        heads, taken = ZERO, hashes[SPACE_TAKES]
        if board[LENGTH + column]:
            top = top_card(board, cards, column)
            top_cards |= bit(top)
            heads, taken = run_heads(board, cards, hashes, column), hashes[TAKES + top]
        else:
            empty |= bit(column)
        hashes[OPEN + column] = taken
        hashes[TO_CARDS + column] = heads
        hashes[TO_SPACES + column] = heads
        all_open |= taken
        all_heads |= heads
    hashes[OPEN + ALL] = all_open
    hashes[TO_CARDS + ALL] = all_heads
    hashes[TO_SPACES + ALL] = all_heads
    hashes[TOP_CARDS] = top_cards
    hashes[EMPTY] = empty
    hashes[FROM_RESERVE] = ALL_CARDS
    hashes[FROM_FOUNDATIONS] = ALL_CARDS if board[WORRYING_BACK] else ZERO
    hashes[ONCE] = ZERO


@kernel
def run_heads(board, cards, hashes, column):
    """Return the set of a column's cards that may move with all cards above them; the column must not be empty."""
    length = board[LENGTH + column]
    run = run_of(hashes, column, length)
    if board[GROUP] == SINGLE:
        return run & (~run + ONE)  # the top card is the lowest of its run
    if board[GROUP] == WHOLE:
        under = length - count_ones(run)
        whole = under == 0 or cards[PILES + column * MAX_PILE + under - 1] & FACE_DOWN
        return bit(highest(run)) if whole else ZERO
    return run


@kernel
def write_moves(board, cards, hashes, moves, end):
    """Write the moves that the sets of :func:`note_open` allow."""
    start = end
    n_columns = board[N_COLUMNS]
    going_up, all_open = hashes[GOING_UP], hashes[OPEN + ALL]
    if going_up & hashes[TOP_CARDS]:
        for column in range(n_columns):
            if board[LENGTH + column]:
                top = top_card(board, cards, column)
                if going_up & bit(top):
                    moves[end] = pack_move(TABLEAU_TO_FOUNDATION, column, NONE, ONE_CARD, top)
                    end += 1
    if all_open & (hashes[TO_CARDS + ALL] | hashes[TO_SPACES + ALL]):
        end = moves_between_columns(board, cards, hashes, moves, end)
    waste_top = board[WASTE_TOP]
    if waste_top:
        card = np.int64(cards[STOCK + waste_top])
        if going_up & bit(card):
            moves[end] = pack_move(WASTE_TO_FOUNDATION, NONE, NONE, ONE_CARD, card)
            end += 1
        if all_open & bit(card):
            end = moves_to_columns(board, hashes, WASTE_TO_TABLEAU, NONE, card, moves, end)
    landing = all_open & hashes[FROM_RESERVE]
    if hashes[RESERVE_CARDS] & (going_up | landing):
        left = np.uint64(board[RESERVE_LEFT])
        while left:
            place = lowest(left)
            left &= left - ONE
            card = np.int64(cards[RESERVE + place])
            if going_up & bit(card):
                moves[end] = pack_move(RESERVE_TO_FOUNDATION, place, NONE, ONE_CARD, card)
                end += 1
            if landing & bit(card):
                end = moves_to_columns(board, hashes, RESERVE_TO_TABLEAU, place, card, moves, end)
    if board[AUTO_FOUNDATION] and going_up:
        for at in range(start, end):
            if is_to_foundation(np.int64(moves[at])):  # written in the order in which automatic play scans
                moves[start] = moves[at]
                return start + 1
    returning = hashes[TOPS] & all_open & hashes[FROM_FOUNDATIONS]
    if returning:
        for suit in range(4):
            of_suit = returning & CLUBS << np.uint64(suit)
            while of_suit:
                card = highest(of_suit)
                of_suit ^= bit(card)
                end = moves_to_columns(board, hashes, FOUNDATION_TO_TABLEAU, suit, card, moves, end)
    if board[N_STOCK]:
        if board[NEXT + waste_top] <= board[N_STOCK]:
            moves[end] = pack_move(TURN_STOCK, NONE, NONE, NONE, NONE)
            end += 1
        elif waste_top and (board[PASSES] == 0 or board[PASS] < board[PASSES]):
            moves[end] = pack_move(REDEAL, NONE, NONE, NONE, NONE)
            end += 1
    return end


@kernel
def moves_between_columns(board, cards, hashes, moves, end):
    """Write the moves of cards, and of runs, from one column to another."""
    placed = ZERO
    for target in range(board[N_COLUMNS]):
        heads = TO_CARDS if board[LENGTH + target] else TO_SPACES
        landing = hashes[OPEN + target] & hashes[heads + ALL]
        if board[LENGTH + target]:
            landing &= ~placed
            placed |= landing & hashes[ONCE]
        while landing:
            card = lowest(landing)
            landing &= landing - ONE
            sources = columns_with(board, hashes, heads, card)
            while sources:
                column = lowest(sources)
                sources &= sources - ONE
                count = (card >> 2) - (top_card(board, cards, column) >> 2) + 1
                moves[end] = pack_move(TABLEAU_TO_TABLEAU, column, target, count, card)
                end += 1
    return end


@kernel
def moves_to_columns(board, hashes, kind, source, card, moves, end):
    """Write the moves of a card that lies in no column to each column that takes it."""
    targets = columns_with(board, hashes, OPEN, card)
    if kind == FOUNDATION_TO_TABLEAU and not board[RETURN_TO_SPACE]:
        targets &= ~hashes[EMPTY]
    if hashes[ONCE] & bit(card):
        on_cards = targets & ~hashes[EMPTY]
        targets ^= on_cards & (on_cards - ONE)
    while targets:
        target = lowest(targets)
        targets &= targets - ONE
        moves[end] = pack_move(kind, source, target, ONE_CARD, card)
        end += 1
    return end


@kernel
def columns_with(board, hashes, sets, card):
    """Return the columns, as bits, whose set holds a card; `sets` is where the first column's stands."""
    columns = ZERO
    for column in range(board[N_COLUMNS]):
        columns |= (hashes[sets + column] >> np.uint64(card) & ONE) << np.uint64(column)
    return columns
