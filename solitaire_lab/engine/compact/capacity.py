"""Columns that can never be cleared, since the cards above have nowhere to lie: found without any search.

Forget all of a position but which cards are locked, its *pattern*: the head of some column leaves, and there
is a new pattern with one card fewer locked there. A game is won only after all locked cards have gone, so by a
series of patterns from the present one to the empty one. Whether one step of it is possible at all depends on whether
there is room for the cards that are no longer locked.

*Room.* Look at the moment when head x has just left and the card under it is not yet turned up. Each foundation h
holds the cards of its suit up to some rank, none of them locked. Every other card that has left its place in the
tableau, x included, lies on one of the two cards that take it, and each card carries at most one; but a king in a
column free of locked cards. Cards of the talon lie there too, or are still in the talon. Forget also which of them
have been taken already: let each lie in the tableau, on its foundation, or in the talon, as suits best.

*Whether there is room* for given heights is decided class by class, from the kings down. A class (a rank and a colour)
can hold as many cards of its own as the class above, of the other colour, has members in the tableau; its members
are its heads (each in its own place), its cards that must lie there, and as many of the talon's as there is room left
for. Each class carries one other only, so as many members as possible is best. There is room if for no class the
cards that must lie there are too many. Heights are tried all at once: walking from the kings down, what counts is
which suits' foundations reach up to here (more and more of them), and how many black and red cards of the present
rank lie in the tableau, 0 to 2 each. So 16 sets of 9 pairs are carried from rank to rank. Only kings share their
room, the free columns, among both colours: every way to share it is carried on.

*Theorem.* Call a pattern alive if it is empty, or if there is room for a step to a pattern that is alive. The pattern
of a position that can be won is alive.

Proof. Take the first move of a winning line that unlocks a card, head x's leaving. The position then has some heights,
and some cards of the talon in its tableau; all its cards lie as described, so no class has more cards on it than
members. With as many cards of the talon as possible instead, each class has at least as many members (induction from
the kings down), and as many cards that must lie there. So there is room for the step; the pattern that it leads to
is that of a position that can be won, and has one card fewer locked: by induction it is alive.

Nothing is said of the talon's order, of passes, or of whether foundation cards may come back: the theorem holds for all
of these. Patterns are few (40,320 in Klondike), so each is looked at once a deal, when the search first meets it. Of
the 47 deals among Solvitaire's seeds 1-500 that are unwinnable when one card is turned at a time it refutes 32 by
the pattern that they start with (``benchmarks/klondike.py``).
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.compact.layout import (
    COLUMN_ROOM,
    DEALT,
    FIFTEEN,
    KINGS,
    N_COLUMNS,
    ONE,
    PACK,
    RADIX,
    RANKS,
    TALON_CARDS,
    TWO,
    ZERO,
    first,
    on_foundations,
    step_of,
)
from solitaire_lab.engine.kernel import kernel

UNKNOWN, ALIVE, DEAD = np.int8(0), np.int8(1), np.int8(2)
"""Values of ``patterns``."""

SUIT_SETS = np.int64(16)
ROOM_SIZE = 2 * SUIT_SETS
"""Words of scratch: for each set of suits, which pairs of numbers of black and red cards there can be, as bits."""


@kernel
def can_be_cleared(board, locked, patterns, stack, rooms):
    """Say whether a pattern is alive.

    Parameters
    ----------
    locked : int64
        As in a record.
    patterns : ndarray of int8
        What is known of each pattern of this deal, by :func:`pattern_number`.
    stack, rooms : ndarray of int64
        Scratch: two words for each pattern on the way to the empty one; `ROOM_SIZE` words.
    """
    stack[0], stack[1] = locked, ZERO
    top = TWO
    found = False
    while top:
        locked, column = stack[top - 2], stack[top - 1]
        number = pattern_number(board, locked)
        if column == 0 and patterns[number] != UNKNOWN:
            found = patterns[number] == ALIVE
        elif locked == 0 or found:
            patterns[number] = ALIVE
            found = True
        else:
            column, below = next_step(board, locked, column, patterns, rooms)
            if below >= 0:
                stack[top - 1] = column
                stack[top], stack[top + 1] = below, ZERO
                top += TWO
                continue
            patterns[number] = DEAD
        top -= TWO
    return found


@kernel
def next_step(board, locked, column, patterns, rooms):
    """Find a column, from `column` on, whose head there is room for; return the column after it, and the pattern then.

    Steps to patterns known to be dead are left out. The pattern is -1 if there is no such column.
    """
    heads, hidden, free = ZERO, ZERO, ZERO
    for place in range(board[N_COLUMNS]):
        left = locked >> (place << TWO) & FIFTEEN
        if left == 0:
            free += 1
            continue
        dealt = DEALT + place * COLUMN_ROOM
        heads |= ONE << board[dealt + left - 1]
        for at in range(left - 1):
            hidden |= ONE << board[dealt + at]
    talon = board[TALON_CARDS]
    seen = board[PACK] & ~(heads | hidden | talon)
    while column < board[N_COLUMNS]:
        left = locked >> (column << TWO) & FIFTEEN
        dealt = DEALT + column * COLUMN_ROOM
        column += 1
        if left == 0:
            continue
        below = locked - (ONE << ((column - 1) << TWO))
        if left == TWO and board[KINGS] >> board[dealt] & ONE:
            below -= ONE << ((column - 1) << TWO)
        if patterns[pattern_number(board, below)] == DEAD:
            continue
        head = ONE << board[dealt + left - 1]
        if has_room(board, heads ^ head, seen | head, talon, free, rooms):
            return column, below
    return column, np.int64(-1)


@kernel
def has_room(board, heads, seen, talon, free, rooms):
    """Say whether for some heights of the foundations there is room for all cards seen.

    Parameters
    ----------
    heads, seen, talon : int64
        Sets of cards: those that lie in their places, that must lie on others or on foundations, and that may.
    free : int64
        Columns for kings.
    """
    rank = board[RANKS]
    # Mostly there is room with no card on the foundations, or with as many as possible: that saves trying all heights.
    if fits(heads, seen, talon, free, rank):
        return True
    highest = highest_heights(seen | talon, rank)
    up = on_foundations(board, highest)
    if up and fits(heads, seen & ~up, talon & ~up, free, rank):
        return True
    now, after = ZERO, SUIT_SETS
    for suits in range(SUIT_SETS):
        rooms[suits] = ZERO
    for suits in range(SUIT_SETS):
        if suits & ~reaching(highest, rank):
            continue
        black, red = count(seen, rank, suits)
        room = free - black - red
        if room < 0:
            continue
        more_black, more_red = count(talon, rank, suits)
        fixed_black, fixed_red = count(heads, rank, suits)
        black += fixed_black
        red += fixed_red
        for some in range(min(more_black, room) + 1):
            rooms[suits] |= ONE << 3 * (black + some) + red + min(more_red, room - some)
    while rank > 1:
        rank -= 1
        reach = reaching(highest, rank)
        possible = False
        for suits in range(SUIT_SETS):
            rooms[after + suits] = ZERO
            if suits & ~reach:
                continue
            above = ZERO
            part = np.int64(suits)
            while True:  # all subsets
                above |= rooms[now + part]
                if part == 0:
                    break
                part = part - 1 & suits
            if above == 0:
                continue
            black, red = count(seen, rank, suits)
            more_black, more_red = count(talon, rank, suits)
            fixed_black, fixed_red = count(heads, rank, suits)
            while above:
                pair = first(above)
                above &= above - ONE
                for_red, for_black = pair // 3, pair % 3
                if black <= for_black and red <= for_red:
                    blacks = fixed_black + black + min(more_black, for_black - black)
                    reds = fixed_red + red + min(more_red, for_red - red)
                    rooms[after + suits] |= ONE << 3 * blacks + reds
                    possible = True
        if not possible:
            return False
        now, after = after, now
    return True


@kernel
def fits(heads, seen, talon, free, rank):
    """Say whether there is room for cards none of which is on a foundation, black kings coming first."""
    black, red = count(seen, rank, ZERO)
    room = free - black - red
    if room < 0:
        return False
    more_black, more_red = count(talon, rank, ZERO)
    fixed_black, fixed_red = count(heads, rank, ZERO)
    more_black = min(more_black, room)
    black += fixed_black + more_black
    red += fixed_red + min(more_red, room - more_black)
    either = seen | talon
    while rank > 1:
        rank -= 1
        for_red, for_black = black, red
        black, red = count(seen, rank, ZERO)
        if black > for_black or red > for_red:
            return False
        black, red = count(either, rank, ZERO)
        fixed_black, fixed_red = count(heads, rank, ZERO)
        black = fixed_black + min(black, for_black)
        red = fixed_red + min(red, for_red)
    return True


@kernel
def highest_heights(loose, ranks):
    """Return how high each foundation could be, four bits a suit, if only loose cards can be there."""
    heights = ZERO
    for suit in range(4):
        height = ZERO
        while height < ranks and loose >> ((height + 1 << TWO) + suit) & ONE:
            height += 1
        heights += height * step_of(np.int64(suit))
    return heights


@kernel
def reaching(heights, rank):
    """Return the suits, as bits, whose foundations are at least so high."""
    suits = ZERO
    for suit in range(4):
        if heights >> (suit << TWO) & FIFTEEN >= rank:
            suits |= ONE << suit
    return suits


@kernel
def count(cards, rank, suits):
    """Return how many black and red cards of a rank are in a set, those of some suits left out."""
    four = cards >> (rank << TWO) & FIFTEEN & ~suits
    return (four & ONE) + (four >> 3), (four >> ONE & ONE) + (four >> TWO & ONE)


@kernel
def pattern_number(board, locked):
    """Return the number of a pattern: from 0, all different."""
    number = ZERO
    for column in range(board[N_COLUMNS]):
        number += board[RADIX + column] * (locked >> (column << TWO) & FIFTEEN)
    return number
