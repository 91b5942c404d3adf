"""The referee: executable rules in plain Python, the authority on what is legal and what is won.

Nothing here is compiled or clever. The engines must generate exactly its legal moves, and every *winnable*
is replayed by it.
"""

from __future__ import annotations

from collections.abc import Iterable

from solitaire_lab.deals import Deal
from solitaire_lab.referee.build import BuildPosition
from solitaire_lab.referee.moves import Move
from solitaire_lab.referee.pair import PairPosition
from solitaire_lab.referee.position import IllegalMoveError, Position
from solitaire_lab.rules import BuildRules, Rules

__all__ = ["BuildPosition", "IllegalMoveError", "Move", "PairPosition", "Position", "position", "replay"]


def position(rules: Rules, deal: Deal) -> BuildPosition | PairPosition:
    """Return the position at the start of a deal."""
    if isinstance(rules, BuildRules):
        return BuildPosition(rules, deal)
    return PairPosition(rules, deal)


def replay(rules: Rules, deal: Deal, moves: Iterable[Move]) -> BuildPosition | PairPosition:
    """Play a move list from the deal.

    Returns
    -------
    Position
        The position after the last move; its `won` says whether the list is a solution.

    Raises
    ------
    IllegalMoveError
        Naming the first move that is not legal, and its number.
    """
    board = position(rules, deal)
    for number, move in enumerate(moves, start=1):
        try:
            board.apply(move)
        except IllegalMoveError:
            raise IllegalMoveError(f"move {number}, {move.text()}, is not legal there") from None
    return board
