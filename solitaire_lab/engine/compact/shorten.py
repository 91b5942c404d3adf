"""Shorter solutions: a beam search that keeps, level by level, the positions that took the fewest moves.

The depth-first search is after any win, and turns the stock without counting. But nearly all ways to a win have the
same number of moves that can't be undone, as every locked card leaves its place once, and every card the talon. So
positions after equally many of them compare by what each has cost: turns of the stock, cards put down in the tableau,
and cards that had to come back from the foundations. Each card left in the talon will cost a turn more, or with several
turned at once a part of one; so positions that left many behind are not taken for cheap.

The beam proves nothing, so what it leaves out needs no proof. Its paths are paths of the engine as any other.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.compact.capacity import can_be_cleared
from solitaire_lab.engine.compact.component import enter, explore, play_up
from solitaire_lab.engine.compact.dominance import DEAD_ENDS
from solitaire_lab.engine.compact.layout import (
    CARD_SHIFT,
    COMPLETE,
    CURSOR,
    DOMINANCES,
    DRAW,
    FIFTEEN,
    HEAD_UP,
    HEIGHTS,
    HEIGHTS_SHIFT,
    LOCKED,
    ONE,
    RECORD,
    TALON,
    TALON_PLACE,
    TALON_UP,
    TWO,
    UP,
    ZERO,
    size,
)
from solitaire_lab.engine.compact.search import make
from solitaire_lab.engine.control import EXHAUSTED, WON
from solitaire_lab.engine.kernel import kernel

# Places in the beam's array of numbers (int64).

WIDTH = np.int64(0)
"""Positions of a level that go on."""
LIVE = np.int64(1)
"""Positions in the present level."""
HALF = np.int64(2)
"""Which half of the room for positions the present level is in: 0 or 1."""
NODES = np.int64(3)
"""Nodes of the tree of moves in use; its root is node 0, and the node of a win the last one."""
NUMBERS_SIZE = np.int64(4)

N_COSTS = np.int64(2048)
"""Positions that cost more are all taken for equal."""
CANDIDATE_WORDS = np.int64(5)
"""A candidate for the next level: its parent, the move, its cost, its estimate; and a word for sorting them all."""


@kernel
def level(board, kept, costs, origins, tree, candidates, counts, table, patterns, stack, seen, rooms, moves, numbers):
    """Go on by one level; return `WON`, `EXHAUSTED` if nothing is left, or 0.

    Parameters
    ----------
    board : ndarray of int64
        See ``layout.py``.
    kept, costs : ndarray of int64, origins : ndarray of int32
        Records, costs and nodes of twice `WIDTH` positions: the present level and the next.
    tree : ndarray of int32
        Two words a node: the node before, and the move from there. Must have room for the next level.
    candidates, counts : ndarray of int64
        Scratch: candidates for the next level (what there is no room for is left out), and how many there are of each
        estimate, shape (N_COSTS,).
    table : ndarray of uint64
        Must have room for the next level.
    patterns, stack, seen, rooms : ndarray
        As for the search.
    moves : ndarray of int32
        Scratch: the moves of a position.
    numbers : ndarray of int64
        See above.
    """
    width = numbers[WIDTH]
    here = numbers[HALF] * width
    there = width - here
    counts[:] = 0
    found = ZERO
    for parent in range(here, here + numbers[LIVE]):
        end = explore(board, kept, parent * RECORD, stack, seen, moves, ZERO, True)
        if (found + end) * CANDIDATE_WORDS > candidates.size:
            break
        for at in range(end):
            move = np.int64(moves[at])
            cost = costs[parent] + cost_of(board, kept, parent * RECORD, move)
            estimate = min(cost + still_to_turn(board, kept, parent * RECORD, move), N_COSTS - 1)
            place = found * CANDIDATE_WORDS
            candidates[place], candidates[place + 1] = parent, move
            candidates[place + 2], candidates[place + 3] = cost, estimate
            counts[estimate] += 1
            found += 1
    # Sort them by their estimates.
    start = ZERO
    for estimate in range(N_COSTS):
        number = counts[estimate]
        counts[estimate] = start
        start += number
    for at in range(found):
        estimate = candidates[at * CANDIDATE_WORDS + 3]
        candidates[counts[estimate] * CANDIDATE_WORDS + 4] = at
        counts[estimate] += 1
    live = ZERO
    for at in range(found):
        if live == width:
            break
        place = candidates[at * CANDIDATE_WORDS + 4] * CANDIDATE_WORDS
        parent = candidates[place]
        record, below = parent * RECORD, (there + live) * RECORD
        make(board, kept, record, below, candidates[place + 1])
        locked = kept[below + LOCKED]
        look = board[DOMINANCES] & DEAD_ENDS and locked != kept[record + LOCKED]
        if look and not can_be_cleared(board, locked, patterns, stack, rooms):
            continue
        play_up(board, kept, below)
        if not enter(kept, below, table):
            continue
        node = numbers[NODES]
        numbers[NODES] = node + 1
        tree[2 * node], tree[2 * node + 1] = origins[parent], candidates[place + 1]
        if kept[below + HEIGHTS] == board[COMPLETE]:
            return WON
        costs[there + live] = candidates[place + 2]
        origins[there + live] = node
        live += 1
    numbers[LIVE] = live
    numbers[HALF] = ONE - numbers[HALF]
    return ZERO if live else EXHAUSTED


@kernel
def cost_of(board, records, record, move):
    """Return what a move costs: turns of the stock, a card put down in the tableau, cards that come back first."""
    kind, card = move & np.int64(7), move >> CARD_SHIFT & np.int64(63)
    cost = ZERO if kind == UP or kind == HEAD_UP or kind == TALON_UP else ONE
    if kind >= TALON_UP:
        cost += turns_to(board, records, record, card)
    now, then = records[record + HEIGHTS], move >> HEIGHTS_SHIFT
    for suit in range(4):
        cost += max((now >> (suit << TWO) & FIFTEEN) - (then >> (suit << TWO) & FIFTEEN), ZERO)
    return cost


@kernel
def turns_to(board, records, record, card):
    """Return how often the stock is turned and the waste turned over until a card in reach is the waste's top."""
    place, draw = board[TALON_PLACE + card], board[DRAW]
    talon, cursor = records[record + TALON], records[record + CURSOR]
    waste = size(talon & (ONE << cursor) - ONE)
    stock = size(talon) - waste
    count = size(talon & (TWO << place) - ONE)
    if count == waste:
        return ZERO
    ahead = count - waste
    if ahead > 0 and (ahead % draw == 0 or ahead == stock):
        return turns(ahead, draw)
    return turns(stock, draw) + ONE + turns(count, draw)


@kernel
def turns(cards, draw):
    """Return how many turns so many cards of the stock take."""
    return (cards + draw - ONE) // draw


@kernel
def still_to_turn(board, records, record, move):
    """Return how many turns the cards left in the talon after a move come to, if each is turned once more."""
    left = size(records[record + TALON])
    if move & np.int64(7) >= TALON_UP:
        left -= ONE
    return turns(left, board[DRAW])


@kernel
def replay(board, records, path):
    """Make the moves of a path from the first record on, so that each record is that of its position.

    Parameters
    ----------
    path : ndarray of int64
    """
    for depth in range(path.size):
        below = (depth + 1) * RECORD
        make(board, records, depth * RECORD, below, path[depth])
        play_up(board, records, below)
