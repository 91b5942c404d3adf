"""What can be done and undone at will: foundations given cards of the tableau and giving them back.

With worrying back, an attached card may go to its foundation and come back, as its going leaves a bare place that
takes it, and once back it is bare. So positions that differ only in the foundations' heights, and
lead to each other by such moves, are won all or none. They make up a *component*; one of them stands for it, and
the search goes from component to component by the other moves, which can't be undone: a head leaves its place, a
card leaves the talon. Every one of these leaves fewer cards locked or fewer in the talon. So no component ever comes
up under itself, and none has to be searched twice: this search has no cycles, and a rule that drops moves
is sound if it keeps at least one move to a component that can be won, whatever led there.

A king in a free column likewise goes up and comes back, if kings may return to spaces. Without worrying back, or for
a king that may not return, going up can't be undone and is a move like the others (a card more on the foundations;
still no cycles); without worrying back every component is a single position.

*Which heights stand for a component.* Those where no card can go up any more. Two black sixes with one red five
on them are the only way in which cards going up hinder each other (each going up makes a place bare in another class,
and takes one away in its own), so there is seldom more than one such position. If there are two, their component is
searched from each of them; entering both at once in the table saved 0.2 % of the positions of hard deals.

*One move of a kind is enough.* Let positions f and g of a component be neighbours, g being f with card y up, and let a
move m (card x to the tableau, to a space, or to its foundation) be possible at both. Then m leads from both to one
component: after m, y can still go up.

- x goes on a bare place of class P. If y is in P, then g, which has y up, has a bare place in P for x, so f has two,
  and one is left for y to be bare. If not, x takes no place that y needs.
- x goes to its foundation; y is of another suit, for x is what its suit's foundation takes next in both. If x and y
  are of one class, g has a bare place for x to be bare, y being up, so f has two. If not, x was not in y's way.
- x, a king, goes to a space; if y is a king too, f holds one more than g, and had a space all the same.

So walking from neighbour to neighbour, only those moves count that were not possible at the position one comes from.
And where x can go to its foundation and could come back, as above, to where it could be put down instead, both moves
lead to one component, and the first will do.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.compact.dominance import USELESS_SPACES, needless_heads
from solitaire_lab.engine.compact.layout import (
    DOMINANCES,
    FREE,
    GENERATION,
    HEAD_ON,
    HEAD_TO_SPACE,
    HEAD_UP,
    HEADS,
    HEIGHTS,
    KINGS,
    KINGS_FILL,
    KINGS_RETURN,
    LOCKED,
    ONE,
    PARTIAL,
    PASS,
    REACH,
    TABLEAU_SEEN,
    TALON,
    TALON_ON,
    TALON_TO_SPACE,
    TALON_UP,
    TURNED,
    UP,
    WORRYING_BACK,
    ZERO,
    bare_places,
    first,
    locked_with,
    members,
    on_foundations,
    pack_move,
    size,
    step_of,
    takes,
    wanted,
)
from solitaire_lab.engine.kernel import kernel
from solitaire_lab.engine.table import insert

NODE = np.int64(5)
"""Words of a position that waits to be looked at: heights, the cards on foundations, and three sets of moves possible
where one comes from."""
FEW_HEIGHTS = np.int64(4)
"""Where not all moves are asked for, no more heights are looked at than these once there is a move."""
MOST_MOVES = np.int64(64)
"""More than are possible at some heights: each card can do one thing, but for kings."""
HEIGHTS_SETS = np.int64(2**16)
STACK_SIZE = NODE * HEIGHTS_SETS
LAST_MARK = np.int64(255)


@kernel
def enter(records, record, table):
    """Enter a record's position into the table; return whether it is new."""
    low = (
        records[record + HEIGHTS]
        | records[record + TALON] << np.int64(16)
        | records[record + TURNED] << np.int64(46)
        | records[record + PASS] << np.int64(51)
        | ONE << np.int64(62)
    )
    return insert(table, np.uint64(low), np.uint64(records[record + LOCKED]))


@kernel
def play_up(board, records, record):
    """Let cards go to the foundations, in a record, as long as that can be undone."""
    if not board[WORRYING_BACK]:
        return
    heads, kings = records[record + HEADS], board[KINGS]
    stays = heads if board[KINGS_RETURN] else heads | kings
    heights = records[record + HEIGHTS]
    up = on_foundations(board, heights)
    while True:
        tableau = records[record + TABLEAU_SEEN] & ~up
        black, red = bare_places(tableau, tableau & ~(heads | kings))
        going = tableau & ~stays & members(black, red) & wanted(board, up)
        if going == 0:
            break
        heights += step_of(first(going))
        up |= going & -going
    records[record + HEIGHTS] = heights


@kernel
def next_mark(board, seen):
    """Begin another component: return a mark that stands nowhere in ``seen``.

    A byte each, so that all of it stays near the processor: misses took a seventh of the time of an easy deal.
    """
    board[GENERATION] += 1
    if board[GENERATION] > LAST_MARK:
        seen[:] = 0
        board[GENERATION] = ONE
    return np.uint8(board[GENERATION])


@kernel
def explore(board, records, record, stack, seen, moves, start, whole):
    """Write the moves out of a component to ``moves[start:]``; return their end, or -1 if there is no room.

    ``seen`` (uint8, by heights) holds the mark of the component in which heights were last met; ``stack`` (`NODE` words
    for each of them) what waits to be looked at.

    Unless the `whole` is asked for, the walk ends as soon as a move is found that is tried among the first anyway, a
    head's that unlocks a card, or any move after some heights. ``board[PARTIAL]`` then says that there may be more. In
    deals that are won without much ado three quarters of all heights are never looked at.
    """
    back, kings = board[WORRYING_BACK], board[KINGS]
    heads, reach = records[record + HEADS], records[record + REACH]
    cards, free = records[record + TABLEAU_SEEN], records[record + FREE]
    needless = ZERO
    if board[DOMINANCES] & USELESS_SPACES:
        needless = needless_heads(board, records, record)
    mark = next_mark(board, seen)
    heights = records[record + HEIGHTS]
    seen[heights] = mark
    stack[0], stack[1] = heights, on_foundations(board, heights)
    stack[2], stack[3], stack[4] = ZERO, ZERO, ZERO
    top = NODE
    end = start
    few = FEW_HEIGHTS
    while top:
        top -= NODE
        heights, up = stack[top], stack[top + 1]
        tableau = cards & ~up
        black, red = bare_places(tableau, tableau & ~(heads | kings))
        going = members(black, red) & wanted(board, up) & tableau
        landing = takes(black, red)
        rising = going & heads | wanted(board, up) & reach
        going &= ~heads
        placed = landing & (heads & ~needless | reach)
        filling = ZERO
        spaces = board[KINGS_FILL] and free > size(tableau & kings & ~heads)
        if spaces:
            filling = kings & (heads | reach)
        if not back:
            rising |= going
            going = ZERO
        else:
            placed &= ~rising
            if board[KINGS_RETURN]:
                filling &= ~rising
            else:
                rising |= going & kings
                going &= ~kings
        new_rising, new_placed, new_filling = (
            rising & ~stack[top + 2],
            placed & ~stack[top + 3],
            filling & ~stack[top + 4],
        )
        if end + MOST_MOVES > moves.size:
            return np.int64(-1)
        while new_rising:
            card = first(new_rising)
            new_rising &= new_rising - ONE
            kind = UP
            if heads >> card & ONE:
                kind = HEAD_UP
            elif reach >> card & ONE:
                kind = TALON_UP
            moves[end] = np.int32(pack_move(kind, card, heights))
            end += 1
        while new_placed:
            card = first(new_placed)
            new_placed &= new_placed - ONE
            kind = HEAD_ON if heads >> card & ONE else TALON_ON
            moves[end] = np.int32(pack_move(kind, card, heights))
            end += 1
        while new_filling:
            card = first(new_filling)
            new_filling &= new_filling - ONE
            kind = HEAD_TO_SPACE if heads >> card & ONE else TALON_TO_SPACE
            moves[end] = np.int32(pack_move(kind, card, heights))
            end += 1
        if not back:
            continue
        few -= 1
        if (
            not whole
            and end > start
            and (few <= 0 or rising & heads or unlocks(board, records, record, placed & heads))
        ):
            board[PARTIAL] = ONE
            break
        coming = up & ~(up >> np.int64(4)) & landing
        if spaces and board[KINGS_RETURN]:
            coming |= up & kings
        neighbours = going | coming
        while neighbours:
            card = first(neighbours)
            neighbours &= neighbours - ONE
            there = heights - step_of(card) if up >> card & ONE else heights + step_of(card)
            if seen[there] != mark:
                seen[there] = mark
                stack[top], stack[top + 1] = there, up ^ ONE << card
                stack[top + 2], stack[top + 3], stack[top + 4] = rising, placed, filling
                top += NODE
    return end


@kernel
def unlocks(board, records, record, moving):
    """Say whether one of some heads leaves a column in which other cards are locked."""
    while moving:
        card = first(moving)
        moving &= moving - ONE
        if locked_with(board, records, record, card) > 1:
            return True
    return False


@kernel
def find_way(board, records, record, heights, goal, kind, card, stack, seen, way):
    """Find a shortest way within a component to where a move can be made; return its length, or -1 if there is none.

    Its steps, the cards that go up or come back, are left in ``way``, the last one first; there must be room for all.

    Parameters
    ----------
    heights : int64
        Where the way begins.
    goal : int64
        The heights to go to; -1 for any at which the move can be made.
    kind, card : int64
        The move.
    """
    heads, kings, cards = records[record + HEADS], board[KINGS], records[record + TABLEAU_SEEN]
    mark = next_mark(board, seen)
    seen[heights] = mark
    # Of each position met: its heights, the place of the one before it in the stack, and the card of the step.
    stack[0], stack[1], stack[2] = heights, np.int64(-1), ZERO
    at, end = ZERO, NODE
    while at < end:
        heights = stack[at]
        if heights == goal:
            break
        up = on_foundations(board, heights)
        tableau = cards & ~up
        black, red = bare_places(tableau, tableau & ~(heads | kings))
        spaces = records[record + FREE] > size(tableau & kings & ~heads)
        bare, landing = members(black, red), takes(black, red)
        if goal < 0:
            if kind == HEAD_TO_SPACE or kind == TALON_TO_SPACE:
                possible = spaces
            elif kind == HEAD_ON or kind == TALON_ON:
                possible = landing >> card & ONE == ONE
            else:
                possible = wanted(board, up) & (bare | records[record + REACH]) & (ONE << card) != 0
            if possible:
                break
        neighbours = bare & wanted(board, up) & tableau & ~heads | up & ~(up >> np.int64(4)) & landing
        if not board[KINGS_RETURN]:
            neighbours &= ~kings
        elif spaces:
            neighbours |= up & kings
        while neighbours:
            step = first(neighbours)
            neighbours &= neighbours - ONE
            there = heights - step_of(step) if up >> step & ONE else heights + step_of(step)
            if seen[there] != mark:
                seen[there] = mark
                stack[end], stack[end + 1], stack[end + 2] = there, at, step
                end += NODE
        at += NODE
    if at == end:
        return np.int64(-1)
    length = ZERO
    while stack[at + 1] >= 0:
        way[length], at = stack[at + 2], stack[at + 1]
        length += 1
    return length
