"""Positions of the last pass that are lost since something in the waste can never be reached: found without any search.

A relaxation: moves never use anything up. A card that could once be put on another may be put there at any time, a
column that could once be emptied is empty for good, a card that could once reach its foundation is there and, at the
same time, still in the tableau. ``capacity.py`` counts places, but lets the talon's cards lie open at all times.
In the last pass they don't: what lies in the waste comes up only as what lies on it leaves.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.bits import highest
from solitaire_lab.engine.compact.layout import (
    COLUMN_OF,
    COLUMN_ROOM,
    DEALT,
    FIFTEEN,
    FIRSTS,
    FREE,
    HEADS,
    HEIGHTS,
    KINGS,
    KINGS_FILL,
    LOCKED,
    ONE,
    PACK,
    TABLEAU_SEEN,
    TALON,
    TALON_CARD,
    THREE,
    TURNED,
    TWO,
    WORRYING_BACK,
    ZERO,
    first,
    on_foundations,
    size,
    takes,
    wanted,
)
from solitaire_lab.engine.kernel import kernel


@kernel
def is_stuck(board, records, record):
    """Say whether in this position of the last pass some card can never reach its foundation.

    Four things only grow: ``up``, the cards that reach their foundations at some time; ``hosts``, those that lie in the
    tableau with nothing on them at some time; ``shown``, those that are open at some time; and how far columns and
    waste are cleared. Every line of play stays within them, by induction over its moves: a card goes up after all lower
    ones of its suit, which were shown; on a card that was then a host, or, a king, to a column then free of
    others; a head so gone shows the card under it, and a waste card so gone the one below it.
    """
    up = on_foundations(board, records[record + HEIGHTS])
    heads, locked, kings = records[record + HEADS], records[record + LOCKED], board[KINGS]
    hosts = records[record + TABLEAU_SEEN] & ~up
    placed_kings = hosts & kings & ~heads
    filling = kings if board[KINGS_FILL] and records[record + FREE] > size(placed_kings) else ZERO
    talon, turned = records[record + TALON], records[record + TURNED]
    waste = talon & (ONE << turned) - ONE
    loose = up if board[WORRYING_BACK] else ZERO
    left = talon ^ waste
    while left:
        loose |= ONE << board[TALON_CARD + first(left)]
        left &= left - ONE
    top = ZERO
    if waste:
        top = ONE << board[TALON_CARD + highest(np.uint64(waste))]
        loose |= top
    shown = hosts | up | loose
    while True:
        rising = wanted(board, up) & shown
        while rising:
            up |= rising
            rising = wanted(board, up) & shown
        if board[KINGS_FILL] and placed_kings & up:
            filling = kings
        black = (hosts | hosts >> THREE) & FIRSTS
        red = (hosts >> ONE | hosts >> TWO) & FIRSTS
        taken = takes(black, red) | filling
        landing = loose & taken & ~hosts
        going = heads & (up | taken)
        if waste and top & (up | taken):
            waste ^= ONE << highest(np.uint64(waste))
            top = ZERO
            if waste:
                top = ONE << board[TALON_CARD + highest(np.uint64(waste))]
                loose |= top
                shown |= top
        elif landing == 0 and going == 0:
            break
        hosts |= landing
        while going:
            card = first(going)
            going &= going - ONE
            column = board[COLUMN_OF + card]
            heads ^= ONE << card
            locked -= ONE << (column << TWO)
            place = locked >> (column << TWO) & FIFTEEN
            if place:
                below = ONE << board[DEALT + column * COLUMN_ROOM + place - 1]
                heads |= below
                shown |= below
                hosts |= below
            elif board[KINGS_FILL]:
                filling = kings
    return up != board[PACK]
