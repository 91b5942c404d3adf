"""What a study is: a game with its rules, the seeds of its deals, the budget for each, and when to stop.

This is the one place that says so: files of studies, comparisons of them, and lines of JSON follow from here.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
from collections import Counter
from pathlib import Path
from typing import Any

from solitaire_lab.deals import deal_seed
from solitaire_lab.errors import InputError
from solitaire_lab.rules import Game, Rules
from solitaire_lab.study.seeds import Seeds
from solitaire_lab.study.statistics import SEQUENCE, Estimate, check_interval, check_width, estimate
from solitaire_lab.verdicts import UNDECIDED, UNWINNABLE, WINNABLE, Budget
from solitaire_lab.version import __version__

SOLVER_SOURCES = (
    "deals.py",
    "engine",
    "portfolio.py",
    "referee",
    "shuffles.py",
    "solver.py",
    "translate.py",
    "translate_compact.py",
)
"""What decides the rows of a study, within the package."""


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
    """With `until_width` as many as there are: the study stops by itself."""
    budget: Budget = dataclasses.field(default_factory=Budget)
    shuffle: str = "native"
    confidence: float = 0.95
    interval: str = "wilson"
    """``"wilson"`` or ``"exact"``; ``"sequence"`` goes with `until_width`."""
    until_width: float | None = None
    """Stop as soon as the interval, a confidence sequence, is no wider than this fraction."""

    def __post_init__(self) -> None:
        check_interval(self.confidence, self.interval)
        if self.until_width is not None:
            check_width(self.until_width)
            if self.interval != SEQUENCE:
                raise InputError(
                    f"interval={self.interval}: a study that stops by its width needs interval={SEQUENCE}, "
                    "the only one that stays valid when looked at again and again"
                )
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


def budget_text(budget: Budget) -> str:
    """Return a budget in words."""
    parts = [f"{budget.max_states:,} states"]
    if budget.max_seconds is not None:
        parts.append(f"{budget.max_seconds:g} CPU s")
    return f"{' and '.join(parts)} a deal, {size_text(budget.max_table)} of table a worker"


def budget_data(budget: Budget) -> dict[str, Any]:
    """Return a budget as plain data; a limit that is not set is left out."""
    return {name: value for name, value in dataclasses.asdict(budget).items() if value is not None}


def size_text(size: int) -> str:
    """Return a number of bytes as ``64M`` or ``2G`` if it is a whole one, else in digits."""
    for unit, letter in ((2**30, "G"), (2**20, "M"), (2**10, "K")):
        if size % unit == 0:
            return f"{size // unit}{letter}"
    return f"{size:,} bytes"


@functools.cache
def solver_version() -> str:
    """Return the version and a fingerprint of the sources that decide a study's rows: ``0.1.0+4f6be1c09a3d``.

    Two versions with the same fingerprint give the same rows.
    """
    package = Path(__file__).parent.parent
    digest = hashlib.sha256()
    for name in SOLVER_SOURCES:
        entry = package / name
        for source in sorted(entry.rglob("*.py")) if entry.is_dir() else [entry]:
            digest.update(source.relative_to(package).as_posix().encode() + b"\0" + source.read_bytes())
    return f"{__version__}+{digest.hexdigest()[:12]}"


def same_solver(one: str, other: str) -> bool:
    """Say whether two versions of the solver give the same rows."""
    return one.partition("+")[2] == other.partition("+")[2]
