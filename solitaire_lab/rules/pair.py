"""The rules of pair games: an overlapping layout from which pairs of cards are removed."""

from __future__ import annotations

import dataclasses
import functools
import itertools
from typing import ClassVar

from solitaire_lab.cards import KING, SUITS
from solitaire_lab.errors import InputError
from solitaire_lab.rules.build import check_draw, check_suits
from solitaire_lab.rules.language import UNLIMITED, check_ranges, rule


@dataclasses.dataclass(frozen=True, kw_only=True)
class PairRules:
    """Everything that a pair game says. Frozen; checked when made.

    Raises
    ------
    InputError
        If a value is out of its range, or the layout does not fit the pack.
    """

    family: ClassVar[str] = "pair"

    ranks: int = rule(KING, "highest rank in the pack (13 in a full one)", low=1, high=KING)
    suits: str = rule(SUITS, "the suits in the pack")
    pyramid: int = rule(7, "rows of the pyramid: 1 card at the apex, one more in each row", low=0, high=9)
    layout: str = rule(
        "",
        "another layout in place of the pyramid, drawn row by row from the top: # is the middle of a card, . nothing, "
        "and a card is two signs wide, so that it overlaps those of the row above up to one sign to its left or right",
    )
    reserves: tuple[int, ...] = rule((), "cards in each reserve pile, its top card exposed", low=0, high=52)
    pair_total: int = rule(
        0, "two cards of this total pair, a card of this rank goes alone (0: no such pairs)", low=0, high=26
    )
    pair_steps: tuple[int, ...] = rule((), "two cards whose ranks differ by one of these numbers pair", low=0, high=12)
    pair_wrap: bool = rule(False, "rank differences go round the corner, king to ace")
    draw: int = rule(1, "cards turned from the stock at once", low=1, high=52)
    draw_exposed: str = rule(
        "waste",
        "which drawn cards are exposed: the waste top only, or the next stock card too",
        choices=("waste", "waste_and_stock"),
    )
    waste_piles: int = rule(1, "waste piles that a turn is dealt to, each pile's top exposed (1 or 3)", low=1, high=3)
    passes: int | str = rule(1, "how often the stock may be gone through", choices=(UNLIMITED,), low=1, high=60)
    at_exhaustion: str = rule(
        "continue",
        "when the last stock card of the last pass has left the stock: play goes on, "
        "or the game is lost unless the pyramid is gone",
        choices=("continue", "stop"),
    )
    goal: str = rule("pyramid", "what must be gone for a win: the pyramid, or all cards", choices=("pyramid", "all"))
    overlap_pairs: bool = rule(False, "a card may pair with the one card that still covers it")

    def __post_init__(self) -> None:
        check_ranges(self)
        check_suits(self.suits)
        self._check_layout()
        if self.stock_size < 0:
            raise InputError(
                f"pyramid and reserves take {self.pyramid_size + sum(self.reserves)} cards, "
                f"but the pack has only {self.pack_size}"
            )
        check_draw(self.draw, self.stock_size)
        if not self.pair_total and not self.pair_steps:
            raise InputError("pair_total, pair_steps: expected at least one of them, or no cards ever pair")
        if self.goal == "pyramid" and not self.pyramid_size:
            raise InputError("goal=pyramid: expected goal=all, since there is no pyramid")
        if self.waste_piles == 2:
            raise InputError("waste_piles=2: expected 1 or 3")
        if self.waste_piles == 3 and self.draw != 3:
            raise InputError(f"waste_piles=3 with draw={self.draw}: expected draw=3, one card to each waste pile")
        if self.waste_piles == 3 and self.stock_size > 32:
            raise InputError(f"waste_piles=3: expected a stock of at most 32 cards, got {self.stock_size}")

    def _check_layout(self) -> None:
        if not self.layout:
            return
        if self.pyramid:
            raise InputError(
                f"layout with pyramid={self.pyramid}: expected pyramid=0, since the layout takes its place"
            )
        for number, line in enumerate(self.layout.split(), start=1):
            if set(line) - {"#", "."}:
                raise InputError(f"layout, row {number}: expected # for a card and . for nothing, got {line!r}")
            if "##" in line:
                raise InputError(f"layout, row {number}: expected cards two signs apart, or they overlap: {line!r}")
            if "#" not in line:
                raise InputError(f"layout, row {number}: expected a card (#), got {line!r}")

    @functools.cached_property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """Where the cards of the layout lie: for each row from the top, each card's half-column.

        A half-column is half a card's width; 0 is the leftmost one. Rows overlap, a lower one lies over that above it.
        """
        if not self.layout:
            return tuple(tuple(range(self.pyramid - 1 - row, self.pyramid + row, 2)) for row in range(self.pyramid))
        found = [[at for at, sign in enumerate(line) if sign == "#"] for line in self.layout.split()]
        left = min(row[0] for row in found)
        return tuple(tuple(at - left for at in row) for row in found)

    @functools.cached_property
    def covers(self) -> tuple[tuple[tuple[tuple[int, int], ...], ...], ...]:
        """Which cards of the layout lie directly over which: ``covers[row][place]`` are their rows and places.

        They are the cards of the next row that are less than a card's width away. Places count from 0.
        """
        over: list[tuple[tuple[tuple[int, int], ...], ...]] = []
        for row, (cards, following) in enumerate(itertools.zip_longest(self.rows, self.rows[1:], fillvalue=())):
            over.append(
                tuple(
                    tuple((row + 1, place) for place, other in enumerate(following) if abs(other - at) < 2)
                    for at in cards
                )
            )
        return tuple(over)

    @property
    def pack_size(self) -> int:
        """Cards in play."""
        return self.ranks * len(self.suits)

    @property
    def pyramid_size(self) -> int:
        """Cards in the pyramid, or in the layout that takes its place."""
        return sum(map(len, self.rows))

    @property
    def stock_size(self) -> int:
        """Cards left for the stock once pyramid and reserves are dealt."""
        return self.pack_size - self.pyramid_size - sum(self.reserves)

    def pairs(self, first: int, second: int) -> bool:
        """Say whether two exposed cards of these ranks go together."""
        step = abs(first - second)
        if first + second == self.pair_total or step in self.pair_steps:
            return True
        return self.pair_wrap and self.ranks - step in self.pair_steps

    def goes_alone(self, rank: int) -> bool:
        """Say whether an exposed card of this rank is discarded by itself."""
        return rank == self.pair_total
