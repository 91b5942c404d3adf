"""Positions of build games that are proved lost by a relaxation, without any search.

The relaxation pretends that moves never use anything up: a card that could once be put on another may be put
there at any time, a column that could once be emptied is empty for good, a card that could once reach its
foundation is there and, at the same time, still in the tableau.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.bits import ONE, ZERO, below, bit, lowest
from solitaire_lab.engine.build.layout import (
    ANY_CARD,
    ANY_SUIT,
    BOUND,
    BUILD,
    CLUBS,
    DECKS,
    FACE_DOWN,
    FOUNDATION,
    GROUP,
    LENGTH,
    MAX_PILE,
    N_COLUMNS,
    NEXT,
    PASS,
    PASSES,
    PILES,
    PREVIOUS,
    RESERVE_CARDS,
    RUN_TAKES,
    SAME_SUIT,
    SINGLE,
    SPACE_TAKES,
    SPACES,
    STOCK,
    SUITS_ASIDE,
    TALON,
    TALON_FROM,
    WASTE_TOP,
    WHOLE_PACK,
    WORRYING_BACK,
)
from solitaire_lab.engine.build.suits_aside import sharing
from solitaire_lab.engine.kernel import kernel, large_kernel

_CODE = FACE_DOWN - 1
ACES = np.uint64(0xF0)


@large_kernel
def cannot_be_won(board, cards, hashes):
    """Say whether some card can provably never reach its foundation from this position.

    Four things only grow while the fixpoint below is computed: ``shown``, the cards that lie open at some
    time; ``hosts``, the cards that lie open on top of a column at some time; ``risen``, the cards that reach
    a foundation at some time; and how far down each column (and in the last pass the waste) can be cleared.
    Every real line of play from here stays within them. By induction over its moves: a card moves only when
    it is open, or as the head of a run of cards that lie open; it goes to a foundation only after all lower
    cards of its suit, which were then in ``shown``; to a column only onto a card that was then in ``hosts``,
    or into a space, which only a column cleared to its bottom gives; and the card that a move uncovers has
    been open before, or has left its first column in a run, whose cards are taken to be open from then on,
    or is the next one of a column all of whose cards above it have left. Stock cards are taken to be open at all
    times, likewise cards in the waste as long as there may be another pass; in the last pass a card under
    the waste's top opens only when all cards above it have left. So if a card never becomes open here, or
    not all cards can rise, then no line of play wins.

    With suits set aside nothing is said as soon as a card that shares its class with others (see ``suits_aside.py``)
    comes next in its suit while one of the class lies open. Otherwise only cards with a class of their own rise, so
    that all this goes by classes, and no line of play wins from any exchange of the position.
    """
    for column in range(board[N_COLUMNS]):
        if not board[LENGTH + column] and board[SPACES] == ANY_CARD:
            return False
    up = ZERO
    for suit in range(4):
        up |= (CLUBS << np.uint64(suit)) & below(4 * board[FOUNDATION + 2 * suit] + 4)
    loose = hashes[RESERVE_CARDS]
    if board[WORRYING_BACK]:
        loose |= up
    waste = np.int64(0)
    if board[PASSES] == 0 or board[PASS] < board[PASSES]:
        loose |= hashes[TALON]
    else:
        waste = board[WASTE_TOP]
        loose |= hashes[TALON] & hashes[TALON_FROM + board[NEXT + waste]]
        if waste:
            loose |= bit(np.int64(cards[STOCK + waste]))
    shown = up | loose
    hosts = ZERO
    spaces = ZERO
    blocked = ZERO
    for column in range(board[N_COLUMNS]):
        length = board[LENGTH + column]
        board[BOUND + column] = length
        if length:
            hosts |= bit(np.int64(cards[PILES + column * MAX_PILE + length - 1]))
            blocked |= bit(column)
        else:
            spaces = hashes[SPACE_TAKES]
    shown |= hosts
    changed = True
    while changed:
        changed = False
        rising = ACES
        while rising:
            wanted = (up << np.uint64(4) | ACES) & ~up
            if board[SUITS_ASIDE] and sharing(hashes, wanted, shown):
                return False
            rising = wanted & shown
            up |= rising
        taken = takes(hosts, board[BUILD]) | spaces
        landing = loose & taken & ~hosts
        while landing:
            hosts |= landing
            taken |= takes(landing, board[BUILD])
            landing = loose & taken & ~hosts
        while waste and (up | taken) & bit(np.int64(cards[STOCK + waste])):
            waste = board[PREVIOUS + waste]
            changed = True
            if waste:
                loose |= bit(np.int64(cards[STOCK + waste]))
                shown |= bit(np.int64(cards[STOCK + waste]))
        rest = blocked
        while rest:
            column = lowest(rest)
            rest &= rest - ONE
            bound = board[BOUND + column]
            base = PILES + column * MAX_PILE
            while bound:
                lower = cleared(board, cards, hashes, base, bound, up, taken)
                if lower == bound:
                    break
                changed = True
                # The cards of a run that leaves may open later, wherever it lies by then.
                for at in range(max(lower - 1, 0), bound - 1):
                    card = np.int64(cards[base + at]) & _CODE
                    shown |= bit(card)
                    hosts |= bit(card)
                bound = lower
            board[BOUND + column] = bound
            if bound == 0:
                if board[SPACES] == ANY_CARD:
                    return False
                blocked ^= bit(column)
                spaces = hashes[SPACE_TAKES]
    if waste and board[PREVIOUS + waste]:
        return True
    if board[DECKS] == 2:
        for column in range(board[N_COLUMNS]):
            if board[BOUND + column] > 1:
                return True
    return up & hashes[WHOLE_PACK] != hashes[WHOLE_PACK]


@kernel
def takes(hosts, policy):
    """Return all cards that one of a set of cards takes, as the tableau is built; a rank is four bits."""
    if policy == SAME_SUIT:
        return hosts >> np.uint64(4) & ~np.uint64(15)
    black = (hosts | hosts >> np.uint64(3)) & CLUBS
    red = (hosts >> np.uint64(1) | hosts >> np.uint64(2)) & CLUBS
    if policy == ANY_SUIT:
        black |= red
        red = black
    wanted = black << np.uint64(1) | black << np.uint64(2) | red | red << np.uint64(3)
    return wanted >> np.uint64(4) & ~np.uint64(15)


@kernel
def cleared(board, cards, hashes, base, bound, up, taken):
    """Return down to where a column is cleared at once, its cards from `bound` on being gone; `bound` if nowhere."""
    card = np.int64(cards[base + bound - 1])
    if (up | taken) & bit(card & _CODE):
        return bound - 1
    if board[GROUP] == SINGLE:
        return bound
    at = bound - 1
    while at and not cards[base + at - 1] & FACE_DOWN:
        upper = np.int64(cards[base + at - 1])
        if not hashes[RUN_TAKES + upper] & bit(card & _CODE):
            break
        at -= 1
        card = upper
        if taken & bit(card):
            return at
    return bound
