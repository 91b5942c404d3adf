"""The rules of pair games: an overlapping layout from which pairs of cards are removed."""

from __future__ import annotations

import dataclasses
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
        if self.stock_size < 0:
            raise InputError(
                f"pyramid and reserves take {self.pyramid_size + sum(self.reserves)} cards, "
                f"but the pack has only {self.pack_size}"
            )
        check_draw(self.draw, self.stock_size)
        if not self.pair_total and not self.pair_steps:
            raise InputError("pair_total, pair_steps: expected at least one of them, or no cards ever pair")
        if self.goal == "pyramid" and not self.pyramid:
            raise InputError("goal=pyramid: expected goal=all, since there is no pyramid")
        if self.waste_piles == 2:
            raise InputError("waste_piles=2: expected 1 or 3")
        if self.waste_piles == 3 and self.draw != 3:
            raise InputError(f"waste_piles=3 with draw={self.draw}: expected draw=3, one card to each waste pile")
        if self.waste_piles == 3 and self.stock_size > 32:
            raise InputError(f"waste_piles=3: expected a stock of at most 32 cards, got {self.stock_size}")

    @property
    def pack_size(self) -> int:
        """Cards in play."""
        return self.ranks * len(self.suits)

    @property
    def pyramid_size(self) -> int:
        """Cards in the pyramid."""
        return self.pyramid * (self.pyramid + 1) // 2

    @property
    def stock_size(self) -> int:
        """Cards left for the stock once pyramid and reserves are dealt."""
        return self.pack_size - self.pyramid_size - sum(self.reserves)

    def pairs(self, first: int, second: int) -> bool:
        """Say whether two exposed cards of these ranks go together."""
        step = abs(first - second)
        steps = {step, self.ranks - step} if self.pair_wrap else {step}
        return first + second == self.pair_total or bool(steps.intersection(self.pair_steps))

    def goes_alone(self, rank: int) -> bool:
        """Say whether an exposed card of this rank is discarded by itself."""
        return rank == self.pair_total
