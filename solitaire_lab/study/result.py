"""What a study is, and what comes out of it."""

from __future__ import annotations

import dataclasses
import functools
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from solitaire_lab.deals import deal_seed
from solitaire_lab.errors import InputError
from solitaire_lab.rules import Game, Rules
from solitaire_lab.study.seeds import Seeds
from solitaire_lab.study.statistics import Estimate, check_interval, estimate
from solitaire_lab.verdicts import UNDECIDED, UNWINNABLE, WINNABLE, Budget
from solitaire_lab.version import __version__

if TYPE_CHECKING:
    import pandas as pd

SCHEMA = 1

LOWERED_BY = {
    "states": "a larger --max-states",
    "time": "a larger --max-seconds",
    "memory": "a larger --max-table",
}
"""What lowers the share of deals that are undecided for a reason."""


class Row(NamedTuple):
    """One deal of a study."""

    seed: int
    verdict: str
    reason: str | None
    """Why it is undecided, else None."""
    stage: str
    """The search that decided, or the last one tried."""
    states: int
    seconds: float
    """CPU seconds of the searching thread."""
    moves: int | None
    """The length of the solution, if winnable."""


@dataclasses.dataclass(frozen=True)
class Study:
    """A game with its options, the seeds of its deals, and the budget for each.

    Raises
    ------
    InputError
        If a seed comes twice or is none of the shuffle's, or the interval's settings are out of range.
    """

    game: Game
    seeds: Seeds
    budget: Budget = dataclasses.field(default_factory=Budget)
    shuffle: str = "native"
    confidence: float = 0.95
    interval: str = "wilson"
    """``"wilson"`` or ``"exact"``."""

    def __post_init__(self) -> None:
        check_interval(self.confidence, self.interval)
        if (seed := self.seeds.repeated()) is not None:
            raise InputError(f"seeds {self.seeds.text()}: seed {seed} comes twice, and each deal may count only once")
        deal_seed(self.rules, self.seeds.highest, self.shuffle)

    @property
    def rules(self) -> Rules:
        """The rules with the options in force."""
        return self.game.rules

    def estimate(self, counts: Counter[str]) -> Estimate:
        """Return the estimate that follows from the counts of verdicts, in this study's terms."""
        return estimate(counts[WINNABLE], counts[UNWINNABLE], counts[UNDECIDED], self.confidence, self.interval)

    def budget_text(self) -> str:
        """Return the budget in words."""
        budget = self.budget
        parts = [f"{budget.max_states:,} states"]
        if budget.max_seconds is not None:
            parts.append(f"{budget.max_seconds:g} CPU s")
        return f"{' and '.join(parts)} a deal, {size_text(budget.max_table)} of table a worker"


@dataclasses.dataclass(frozen=True, repr=False)
class StudyResult:
    """The rows of a study, in the order of its seeds, and what they say."""

    study: Study
    rows: list[Row]
    elapsed: float
    """Seconds by the clock."""
    end: str = "complete"
    """``"complete"``; ``"interrupted"`` or ``"worker lost"`` if `rows` holds the first deals only."""

    @functools.cached_property
    def counts(self) -> Counter[str]:
        """How many deals have each verdict."""
        return Counter(row.verdict for row in self.rows)

    @property
    def estimate(self) -> Estimate:
        """Counts of verdicts and the interval of the winnable share."""
        return self.study.estimate(self.counts)

    @property
    def states(self) -> int:
        """Positions searched, over all deals."""
        return sum(row.states for row in self.rows)

    @property
    def seconds(self) -> float:
        """CPU seconds, over all deals."""
        return sum(row.seconds for row in self.rows)

    @functools.cached_property
    def frame(self) -> pd.DataFrame:
        """One row a deal: seed, verdict, reason, stage, states, seconds, moves (the solution's length).

        `attrs` holds what the study was: game, options, shuffle, seeds, budget, version.
        """
        import pandas as pd

        frame = pd.DataFrame(self.rows, columns=list(Row._fields))
        frame = frame.astype({"seed": "uint64", "states": "int64", "seconds": "float64", "moves": "Int64"})
        frame.attrs = {name.lower(): value for name, value in self._about()}
        return frame

    def to_json(self) -> dict[str, Any]:
        """Return the result as an object ready for ``json``."""
        found, game = self.estimate, self.study.game
        return {
            "schema": SCHEMA,
            "game": game.reference,
            "options": game.options,
            "deals": found.deals,
            "winnable": found.winnable,
            "unwinnable": found.unwinnable,
            "undecided": found.undecided,
            "low": found.low,
            "high": found.high,
            "confidence": found.confidence,
            "states": self.states,
            "seconds": round(self.seconds, 6),
            "version": __version__,
        }

    def _about(self) -> list[tuple[str, str]]:
        study = self.study
        return [
            ("Game", f"{study.game.name} ({study.game.reference})"),
            ("Options", study.game.options_text()),
            ("Deals", f"{study.shuffle}, seeds {study.seeds.text()}"),
            ("Budget", study.budget_text()),
            ("Version", f"solitaire_lab {__version__}"),
        ]

    def _found(self) -> list[tuple[str, str]]:
        found = self.estimate
        deals = max(1, found.deals)
        lines = [
            ("Winnable", f"{found.winnable:,} ({100 * found.winnable / deals:.2f} %)"),
            ("Unwinnable", f"{found.unwinnable:,} ({100 * found.unwinnable / deals:.2f} %)"),
            ("Undecided", f"{found.undecided:,} ({100 * found.undecided / deals:.2f} %){self._lowered_by()}"),
            ("Interval", f"{100 * found.low:.2f} % to {100 * found.high:.2f} % winnable ({found.method_text()})"),
        ]
        if found.undecided:
            lines.append(("", "every undecided deal counts as lost at the low end, as won at the high end"))
        return lines

    def _work(self) -> list[tuple[str, str]]:
        rate = len(self.rows) / self.elapsed if self.elapsed else 0.0
        return [
            ("Searched", f"{self.states:,} states in {self.seconds:.1f} CPU s"),
            ("Took", f"{self.elapsed:.1f} s by the clock, {rate:.1f} deals/s"),
        ]

    def _lowered_by(self) -> str:
        reasons = Counter(row.reason for row in self.rows if row.reason)
        parts = []
        for reason, count in reasons.most_common():
            remedy = LOWERED_BY.get(reason)
            parts.append(f"{count:,} by the limit of {reason}" + (f": {remedy} lowers it" if remedy else ""))
        return "; " + "; ".join(parts) if parts else ""

    def _ended(self) -> list[tuple[str, str]]:
        if self.end == "complete":
            return []
        count = self.study.seeds.count
        return [
            ("Note", f"{self.end}: these are the first {len(self.rows):,} of {count:,} deals, in the order of seeds")
        ]

    def table(self) -> list[tuple[str, str]]:
        """Return the result as rows of a heading and a text."""
        return [*self._about(), *self._found(), *self._work(), *self._ended()]

    def text(self) -> str:
        """Return the result as a table in words."""
        return "\n".join(f"{heading:<12}{text}".rstrip() for heading, text in self.table())

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from solitaire_lab.view.summary import study_html

        return study_html(self.counts, self.table())


def size_text(size: int) -> str:
    """Return a number of bytes as ``64M`` or ``2G`` if it is a whole one, else in digits."""
    for unit, letter in ((2**30, "G"), (2**20, "M"), (2**10, "K")):
        if size % unit == 0:
            return f"{size // unit}{letter}"
    return f"{size:,} bytes"
