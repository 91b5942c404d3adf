"""Positions of build games that differ only in which of several alike cards each run lies on.

A symmetry, and a strong one: two black sixes in the tableau take the same cards, so whether a red five and
its run lie on the one or on the other does not matter, as they can be exchanged in the course of play.

Setting. Any part of a run moves, runs that move are built as the tableau is, and there is no automatic
play (:func:`solitaire_lab.translate.has_free_runs`). Call a card of the tableau *attached* if it lies in the
run on top of its column, not at the run's head; all other cards are *fixed*. Two cards are *alike* if they
take the same cards. Say A ~ B if both have the same fixed cards in the same places, the same set of attached
cards, and the same stock, waste, reserve and foundations: they differ in which of several alike cards each
attached card lies on.

Theorem. If A ~ B, then whatever position A' one move of A leads to, B leads to some B' ~ A' by no move, by one
move, or by moving one run from a card to an alike one and then the card to its foundation.

Proof. The cards that can carry attached ones are the heads of the runs and the attached cards, the same in
A and B; each carries at most one, and an attached card lies on one of the only class of alike cards that
take it. So for each class A and B have equally many members that carry nothing, that is, that are the top
card of their columns. Take the move of A:

- *It does not touch the tableau*: B makes it too.
- *It puts a run, or a card from elsewhere, with lowest card x on a column's top card y.* If x is attached,
  A' ~ A, and B makes no move. Otherwise x is the head of its column's run, or comes from waste, reserve or
  foundation. B has a top card y2 alike to y, which takes x. B moves x there, with all cards above it. (They
  are a run; y2 is not among them, since they are of lower rank than x.) In A' and B' x is attached, and the
  column that x left has the same fixed cards in both, hence the same new run.
- *It puts x into an empty column*, which B has too: B moves x with the cards above it likewise. x becomes
  the head of a run, the other cards stay attached.
- *It plays a top card y to its foundation.* (With two decks a fixed card is meant with its place; attached copies
  of a card are interchangeable.) If y is a top card of B, B plays it. Else y carries a run in B; as y carries
  nothing in A, B has a top card y2 alike to y, maybe its own copy. B moves y's run to y2 (not in that run or in
  y's column, since it has y's rank) and plays y.

Consequences. A is winnable if and only if B is, so the search may go by classes: the fingerprint (see
``hashing.py``) adds up keys of the attached cards, wherever they lie, and a position's moves are its legal
moves, less those that only move an attached card to another card (they stay in the class), plus the compound
moves of the last case (``BARE_TO_FOUNDATION``). Counted in moves between classes, compound moves as one, the
distance to a win is the same for all members of a class. The other dominances speak of that distance: see
``dominance.py``.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.bits import ONE, ZERO, bit, highest, lowest
from solitaire_lab.engine.build.generator import columns_with
from solitaire_lab.engine.build.hashing import run_of
from solitaire_lab.engine.build.layout import (
    ALL,
    BARE_TO_FOUNDATION,
    DECKS,
    EMPTY,
    GOING_UP,
    LENGTH,
    MAX_PILE,
    N_COLUMNS,
    ONCE,
    OPEN,
    PILES,
    TO_CARDS,
    TO_SPACES,
    TOP_CARDS,
    pack_move,
)
from solitaire_lab.engine.kernel import kernel


@kernel
def go_by_classes(board, hashes):
    """Narrow the sets of the generator to moves between classes: what lies in a run, not at its head, goes to no card.

    Of the moves of a card to several alike cards only the first is kept: they lead to one class.
    """
    heads_of_runs = ZERO
    for column in range(board[N_COLUMNS]):
        heads = hashes[TO_CARDS + column]
        if heads:
            heads = bit(highest(heads))
            hashes[TO_CARDS + column] = heads
            heads_of_runs |= heads
    hashes[TO_CARDS + ALL] = heads_of_runs
    hashes[ONCE] = ~ZERO


@kernel
def compound_moves(board, cards, hashes, moves, end):
    """Write the moves of runs from cards that then go to their foundations; return the new end.

    Goes by the generator's sets ``OPEN`` and ``TO_SPACES``.
    """
    bare = hashes[TO_SPACES + ALL] & hashes[GOING_UP]
    if board[DECKS] == 1:
        bare &= ~hashes[TOP_CARDS]
    if not bare:
        return end
    for column in range(board[N_COLUMNS]):
        length = board[LENGTH + column]
        run = run_of(hashes, column, length)
        bare = run & hashes[GOING_UP]
        if not bare:
            continue
        top = lowest(run)
        bare &= ~bit(top)
        while bare:
            card = lowest(bare)
            bare &= bare - ONE
            count = (card >> 2) - (top >> 2)
            child = np.int64(cards[PILES + column * MAX_PILE + length - count])
            targets = columns_with(board, hashes, OPEN, child) & ~hashes[EMPTY]
            if targets:
                moves[end] = pack_move(BARE_TO_FOUNDATION, column, lowest(targets), count, card)
                end += 1
    return end
