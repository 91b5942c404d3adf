"""What comes out of a study."""

from __future__ import annotations

import dataclasses
import functools
from collections import Counter
from typing import TYPE_CHECKING, Any

from solitaire_lab.study.plan import Study, budget_data, budget_text, solver_version
from solitaire_lab.study.rows import Rows
from solitaire_lab.study.seeds import Seeds
from solitaire_lab.study.statistics import Estimate
from solitaire_lab.verdicts import UNDECIDED, Budget
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

MANY = 2**40
"""Seeds of a study that stops by itself, when nothing is there yet."""

COMPLETE, INTERRUPTED, WORKER_LOST, OUT_OF_REACH = "complete", "interrupted", "worker lost", "width out of reach"


@dataclasses.dataclass(frozen=True, repr=False)
class StudyResult:
    """The rows of a study, in the order of its seeds, and what they say."""

    study: Study
    rows: Rows
    elapsed: float | None = None
    """Seconds by the clock that this run took; None for a study that was only opened."""
    end: str = COMPLETE
    """``"complete"``; ``"interrupted"`` or ``"worker lost"`` if `rows` holds the first deals only; ``"width out of
    reach"`` if so many deals stay undecided that the interval will never be as narrow as it was to be."""
    solved: int | None = None
    """Deals that this run has solved, if the others were stored before; None if all."""
    layers: tuple[Budget, ...] = ()
    """The budgets of the second and later attempts at the deals that were undecided, if there were any."""
    versions: tuple[str, ...] = dataclasses.field(default_factory=lambda: (solver_version(),))
    """The versions of the solver that made the rows, each with a fingerprint of its sources."""

    @property
    def seeds(self) -> Seeds:
        """The seeds of the rows."""
        return self.study.seeds.slice(0, len(self.rows))

    @property
    def counts(self) -> Counter[str]:
        """How many deals have each verdict."""
        return self.rows.counts

    @property
    def estimate(self) -> Estimate:
        """Counts of verdicts and the interval of the winnable share."""
        return self.study.estimate(self.counts)

    @property
    def states(self) -> int:
        """Positions searched, over all deals (of a deal that was tried again, in its last attempt)."""
        return self.rows.states

    @property
    def seconds(self) -> float:
        """CPU seconds, over all deals (of a deal that was tried again, in its last attempt)."""
        return self.rows.seconds

    @functools.cached_property
    def frame(self) -> pd.DataFrame:
        """One row a deal: seed, verdict, reason, stage, states, seconds, moves (the solution's length), layer.

        `attrs` holds what the study was: game, options, deals, budget, version, and under ``"study"`` everything that
        it takes to run it again.
        """
        frame: pd.DataFrame = (
            self.rows.table().to_pandas().astype({"moves": "Int64", "seconds": "float64"}).round({"seconds": 6})
        )
        told: dict[str, list[str]] = {}
        for heading, text in self._about():
            name = heading.lower() or next(reversed(told))  # a line without a heading goes on with the one above
            told.setdefault(name, []).append(text)
        frame.attrs = {name: "; ".join(texts) for name, texts in told.items()}
        frame.attrs["study"] = self.reproduction()
        return frame

    def undecided(self) -> list[int]:
        """Return the seeds of the deals that are undecided."""
        import pyarrow.compute as pc

        table = self.rows.table()
        seeds: list[int] = table["seed"].filter(pc.equal(table["verdict"], UNDECIDED)).to_pylist()
        return seeds

    def reproduction(self) -> dict[str, Any]:
        """Return what it takes to run the study again, beside game and options: plain data."""
        study = self.study
        data: dict[str, Any] = {
            "shuffle": study.shuffle,
            "seeds": self.seeds.text(whole=True),
            "budget": budget_data(study.budget),
            "escalated": [budget_data(budget) for budget in self.layers],
            "interval": study.interval,
            "solver": list(self.versions),
        }
        if study.until_width is not None:
            data["until_width"] = study.until_width
        return data

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
            **self.reproduction(),
        }

    def _about(self) -> list[tuple[str, str]]:
        seeds = None if self.study.until_width is None else self.seeds
        return about_study(self.study, self.layers, self.versions, seeds)

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
        lines = [("Searched", f"{self.states:,} states in {self.seconds:.1f} CPU s")]
        if self.elapsed is None:
            return lines
        solved = len(self.rows) if self.solved is None else self.solved
        if solved or not len(self.rows):
            rate = solved / self.elapsed if self.elapsed else 0.0
            lines.append(("Took", f"{self.elapsed:.1f} s by the clock, {rate:.1f} deals/s"))
        if self.solved is not None:
            others = ", the others before" if solved < len(self.rows) else ""
            lines.append(("Stored", f"{solved:,} deals were solved now{others}"))
        return lines

    def _lowered_by(self) -> str:
        parts = []
        for reason, count in self.rows.reasons.most_common():
            remedy = LOWERED_BY.get(reason)
            parts.append(f"{count:,} by the limit of {reason}" + (f": {remedy} lowers it" if remedy else ""))
        return "; " + "; ".join(parts) if parts else ""

    def _ended(self) -> list[tuple[str, str]]:
        if self.end == COMPLETE:
            return []
        if self.end == OUT_OF_REACH:
            return [("Note", f"{self.end}: the undecided deals alone keep the interval wider; a larger budget helps")]
        first = f"the first {len(self.rows):,}"
        if self.study.until_width is None:
            first += f" of {self.study.seeds.count:,}"
        return [("Note", f"{self.end}: these are {first} deals, in the order of seeds")]

    def table(self) -> list[tuple[str, str]]:
        """Return the result as rows of a heading and a text."""
        return [*self._about(), *self._found(), *self._work(), *self._ended()]

    def text(self) -> str:
        """Return the result as a table in words."""
        return text_table(self.table())

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from solitaire_lab.view.summary import study_html

        return study_html(self.counts, self.table())


def about_study(
    study: Study, layers: tuple[Budget, ...] = (), versions: tuple[str, ...] = (), seeds: Seeds | None = None
) -> list[tuple[str, str]]:
    """Return what a study is as rows of a heading and a text; `seeds` in place of its own if they are given."""
    seeds = study.seeds if seeds is None else seeds
    deals = f"seeds {seeds.text()}" if seeds.count < MANY else f"seeds from {seeds.first} on"
    lines = [
        ("Game", f"{study.game.name} ({study.game.reference})"),
        ("Options", study.game.options_text()),
        ("Deals", f"{study.shuffle}, {deals}"),
    ]
    if study.until_width is not None:
        lines.append(("Stopping", f"as soon as the interval is no wider than {100 * study.until_width:g} %"))
    lines.append(("Budget", budget_text(study.budget)))
    lines += [("", f"then for the undecided: {budget_text(budget)}") for budget in layers]
    lines.append(("Version", f"solitaire_lab {', '.join(versions or (solver_version(),))}"))
    return lines


def text_table(lines: list[tuple[str, str]], width: int = 12) -> str:
    """Return headings and texts as lines."""
    return "\n".join(f"{heading:<{width}}{text}".rstrip() for heading, text in lines)
