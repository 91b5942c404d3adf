"""The rules of build games: foundations, tableau, and any of reserve, stock and waste."""

from __future__ import annotations

import dataclasses
import functools
from typing import ClassVar

from solitaire_lab.cards import KING, SUITS
from solitaire_lab.errors import InputError
from solitaire_lab.rules.language import UNLIMITED, check_ranges, rule

MAX_PILE = 64
"""A tableau pile never holds more cards: the engine's room for one."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class BuildRules:
    """Everything that a build game says. Frozen; checked when made.

    Raises
    ------
    InputError
        If a value is out of its range, or the layout does not fit the pack.
    """

    family: ClassVar[str] = "build"

    decks: int = rule(1, "packs of cards", low=1, high=2)
    ranks: int = rule(
        KING, "highest rank in the pack (13 in a full one); the cards of that rank are its kings", low=1, high=KING
    )
    suits: str = rule(SUITS, "the suits in the pack")
    columns: tuple[int, ...] = rule((1,), "cards dealt to each tableau column", low=0, high=MAX_PILE)
    face_down: str = rule(
        "none", "which dealt tableau cards lie face down", choices=("none", "all_but_top", "alternate")
    )
    deal_by: str = rule("rows", "the order in which the tableau is dealt", choices=("rows", "columns"))
    reserve: int = rule(0, "open reserve cards, each playable at any time", low=0, high=60)
    draw: int = rule(1, "cards turned from the stock at once", low=1, high=104)
    passes: int | str = rule(1, "how often the stock may be gone through", choices=(UNLIMITED,), low=1, high=60)
    build: str = rule(
        "alternate_colour",
        "which card of the next lower rank a tableau card takes",
        choices=("alternate_colour", "same_suit", "any_suit"),
    )
    group: str = rule(
        "run",
        "what moves between columns: any part of a run, the whole face-up column only, or single cards",
        choices=("run", "whole", "single"),
    )
    run_build: str = rule(
        "as_build",
        "how the cards of a run that moves must follow each other",
        choices=("as_build", "alternate_colour", "same_suit", "any_suit"),
    )
    spaces: str = rule("any", "what may fill an empty column", choices=("kings", "any", "none"))
    worrying_back: bool = rule(True, "a foundation's top card may return to the tableau")
    return_to_space: bool = rule(True, "a returning foundation card may fill a space, as far as spaces go")
    auto_foundation: bool = rule(False, "available cards go to the foundations at once and by themselves")

    def __post_init__(self) -> None:
        check_ranges(self)
        check_suits(self.suits)
        if not self.columns:
            raise InputError("columns: expected at least one tableau column")
        if len(self.columns) > 30:
            raise InputError(f"columns: expected at most 30 tableau columns, got {len(self.columns)}")
        if max(self.columns) > (longest := MAX_PILE - 2 * self.ranks):
            raise InputError(
                f"columns: a column of {max(self.columns)} cards leaves no room to build on it; "
                f"expected at most {longest}"
            )
        if self.stock_size < 0:
            raise InputError(
                f"columns and reserve take {sum(self.columns) + self.reserve} cards, "
                f"but the pack has only {self.pack_size}"
            )
        check_draw(self.draw, self.stock_size)

    @property
    def pack_size(self) -> int:
        """Cards in play."""
        return self.decks * self.ranks * len(self.suits)

    @property
    def stock_size(self) -> int:
        """Cards left for the stock once tableau and reserve are dealt."""
        return self.pack_size - sum(self.columns) - self.reserve

    @functools.cached_property
    def run_policy(self) -> str:
        """How the cards of a moving run must follow each other."""
        return self.build if self.run_build == "as_build" else self.run_build


def check_suits(suits: str) -> None:
    """Check that `suits` names one to four different suits."""
    if not suits or len(set(suits)) != len(suits) or not set(suits) <= set(SUITS):
        raise InputError(f"suits={suits}: expected different letters of {SUITS}")


def check_draw(draw: int, stock: int) -> None:
    """Check that a turn of the stock does not ask for more cards than the stock has."""
    if draw > max(1, stock):
        raise InputError(f"draw={draw}: expected a whole number from 1 to {max(1, stock)}, the size of the stock")
