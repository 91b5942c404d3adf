"""What the referees of all families share: making moves, taking them back, and replaying."""

from __future__ import annotations

import abc
from typing import Generic, TypeVar

from solitaire_lab.errors import InputError
from solitaire_lab.referee.moves import Move

StateT = TypeVar("StateT")


class IllegalMoveError(InputError):
    """A move that the rules do not allow in its position."""


class Position(abc.ABC, Generic[StateT]):
    """A game under way: an immutable state, and the states before it.

    A family's referee says what is legal, what a move leads to, and when the game is won.
    """

    def __init__(self, state: StateT) -> None:
        self.state: StateT = state
        """The current state: frozen and hashable, so a search may keep it as a key and set it back."""
        self._before: list[StateT] = []

    def _repr_svg_(self) -> str:
        from solitaire_lab.view.svg import board_svg

        return board_svg(self)

    @property
    @abc.abstractmethod
    def won(self) -> bool:
        """Whether the game is won."""

    @abc.abstractmethod
    def legal_moves(self) -> list[Move]:
        """Return all legal moves."""

    @abc.abstractmethod
    def is_legal(self, move: Move) -> bool:
        """Say whether `move` is among the legal moves."""

    @abc.abstractmethod
    def text(self) -> str:
        """Return the board as text."""

    @abc.abstractmethod
    def _after(self, move: Move) -> StateT:
        """Return the state that a legal move leads to."""

    def apply(self, move: Move) -> None:
        """Make a move.

        Raises
        ------
        IllegalMoveError
            If it is not legal here; the position is unchanged.
        """
        if not self.is_legal(move):
            raise IllegalMoveError(f"{move.text()} is not a legal move here")
        self._before.append(self.state)
        self.state = self._after(move)

    def undo(self) -> None:
        """Take back the last move made.

        Raises
        ------
        IndexError
            If no move was made.
        """
        self.state = self._before.pop()
