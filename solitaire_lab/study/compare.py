"""Variants of a game on the same deals: their verdicts side by side, and what one rule more or less is worth.

Where it is proved that one variant's rules are looser than another's (:mod:`solitaire_lab.rules.monotone`), a deal that
is winnable under the stricter rules is not searched again under the looser ones, and a verdict that one search could
not reach may follow from the other's.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any

from solitaire_lab.errors import InputError
from solitaire_lab.rules import Game
from solitaire_lab.rules.language import show_value
from solitaire_lab.rules.monotone import at_least_as_loose
from solitaire_lab.study.pairs import VERDICTS, Pairs
from solitaire_lab.study.plan import Study, budget_text, solver_version
from solitaire_lab.study.result import COMPLETE, StudyResult, text_table
from solitaire_lab.study.rows import Row, Rows
from solitaire_lab.study.run import run
from solitaire_lab.study.seeds import Seeds
from solitaire_lab.verdicts import UNDECIDED, UNWINNABLE, WINNABLE, Budget

if TYPE_CHECKING:
    import pandas as pd

BLOCK = 256
"""Deals that all variants get before the next ones: an interrupted comparison has whole pairs."""

FROM_STRICTER, FROM_LOOSER = "stricter rules", "looser rules"
"""The stage of a row whose verdict follows from another variant's."""

LISTED = 40
"""Seeds of differing deals shown in the text."""


@dataclasses.dataclass(frozen=True, repr=False)
class Comparison:
    """Variants on the same deals."""

    names: tuple[str, ...]
    results: tuple[StudyResult, ...]
    """Of each variant; all of the same seeds."""
    end: str = COMPLETE

    @functools.cached_property
    def frame(self) -> pd.DataFrame:
        """One row a deal: its seed, and for each variant a column with the verdict."""
        import pandas as pd

        seeds = self.results[0].frame["seed"]
        columns = {name: result.frame["verdict"] for name, result in zip(self.names, self.results, strict=True)}
        frame = pd.DataFrame({"seed": seeds, **columns})
        frame.attrs = {name: result.frame.attrs for name, result in zip(self.names, self.results, strict=True)}
        return frame

    def pairs(self, first: int = 0, second: int = 1) -> Pairs:
        """Return how often which verdicts meet, for two variants by their places."""
        one, other = self.results[first], self.results[second]
        return Pairs.of(
            (row.verdict for row in one.rows),
            (row.verdict for row in other.rows),
            one.study.confidence,
            _order(one.study.game, other.study.game),
        )

    def differing(self, first: int = 0, second: int = 1) -> list[int]:
        """Return the seeds of the deals that one variant wins and the other does not."""
        rows = zip(self.results[first].rows, self.results[second].rows, strict=True)
        return [one.seed for one, other in rows if {one.verdict, other.verdict} == {WINNABLE, UNWINNABLE}]

    def inferred(self, place: int) -> int:
        """Return how many verdicts of a variant follow from another's."""
        return sum(row.stage in (FROM_STRICTER, FROM_LOOSER) for row in self.results[place].rows)

    def to_json(self) -> dict[str, Any]:
        """Return the comparison as an object ready for ``json``."""
        return {
            "schema": 1,
            "variants": [
                {"variant": name, **result.to_json()} for name, result in zip(self.names, self.results, strict=True)
            ],
            "pairs": [
                {
                    "variants": [self.names[first], self.names[second]],
                    "table": {f"{one}, {other}": pairs.counts[one, other] for one in VERDICTS for other in VERDICTS},
                    "low": pairs.difference[0],
                    "high": pairs.difference[1],
                    "p_value": pairs.p_value,
                    "differing": self.differing(first, second),
                }
                for first, second in itertools.combinations(range(len(self.names)), 2)
                for pairs in [self.pairs(first, second)]
            ],
        }

    def text(self) -> str:
        """Return the comparison in words."""
        study = self.results[0].study
        deals = len(self.results[0].rows)
        lines = [
            ("Deals", f"{study.shuffle}, seeds {self.results[0].seeds.text()}, the same for all"),
            ("Budget", budget_text(study.budget)),
            ("Version", f"solitaire_lab {solver_version()}"),
        ]
        for place, (name, result) in enumerate(zip(self.names, self.results, strict=True)):
            found = result.estimate
            inferred = self.inferred(place)
            more = f"; {inferred:,} verdicts follow from another variant's" if inferred else ""
            lines += [
                ("", ""),
                (f"Variant {place + 1}", f"{name}: {result.study.game.options_text()}"),
                (
                    "Winnable",
                    f"{found.winnable:,} of {deals:,}, {found.undecided:,} undecided: {100 * found.low:.2f} % to "
                    f"{100 * found.high:.2f} % ({found.method_text()}){more}",
                ),
            ]
        for first, second in itertools.combinations(range(len(self.names)), 2):
            lines += self._pair_lines(first, second)
        if self.end != COMPLETE:
            lines.append(("Note", f"{self.end}: these are the first {deals:,} deals"))
        return text_table(lines)

    def _pair_lines(self, first: int, second: int) -> list[tuple[str, str]]:
        pairs, differing = self.pairs(first, second), self.differing(first, second)
        one, other = f"variant {first + 1}", f"variant {second + 1}"
        low, high = pairs.difference
        lines = [
            ("", ""),
            ("Paired", f"{one + ' below, ' + other + ' across':<32}" + "".join(f"{v:>12}" for v in VERDICTS)),
        ]
        for verdict in VERDICTS:
            lines.append(("", f"{verdict:<32}" + "".join(f"{pairs.counts[verdict, v]:>12,}" for v in VERDICTS)))
        lines.append(
            (
                "Difference",
                f"{other} less {one}: {100 * low:+.2f} to {100 * high:+.2f} percentage points "
                f"({100 * pairs.confidence:g} % confidence, Newcombe's method 10)",
            )
        )
        if any(UNDECIDED in verdicts for verdicts in pairs.counts):
            lines.append(
                ("", "every undecided deal counts for the one variant at the low end, for the other at the high end")
            )
        lines.append(("McNemar", f"exact test of no difference: p = {pairs.p_value:.3g} at most"))
        shown = ", ".join(map(str, differing[:LISTED])) + (", ..." if len(differing) > LISTED else "")
        lines.append(("Differing", f"{len(differing):,} deals" + (f": seeds {shown}" if differing else "")))
        if pairs.ordered:
            loose, strict = (other, one) if pairs.ordered > 0 else (one, other)
            lines.append(("", f"whatever {strict} wins {loose} wins: its rules are looser"))
        return lines

    def __str__(self) -> str:
        return self.text()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from solitaire_lab.view.summary import comparison_html

        counts = [result.counts for result in self.results]
        return comparison_html(zip(self.names, counts, strict=True), self.text())


def _order(first: Game, second: Game) -> int:
    looser, stricter = at_least_as_loose(second.rules, first.rules), at_least_as_loose(first.rules, second.rules)
    return looser - stricter


def variant_name(game: Game, named: str | None = None) -> str:
    """Return a name for a variant: how it was asked for, or its key with its options."""
    options = ",".join(f"{name}={show_value(value)}" for name, value in game.options.items())
    return named or (f"{game.reference}[{options}]" if options else game.reference)


def compare(
    variants: Sequence[Game],
    seeds: Seeds,
    *,
    names: Sequence[str] | None = None,
    budget: Budget | None = None,
    shuffle: str = "native",
    confidence: float = 0.95,
    interval: str = "wilson",
    jobs: int | None = None,
    executor: Executor | None = None,
    reuse: bool = True,
    on_start: Callable[[], object] | None = None,
    on_rows: Callable[[list[Row]], object] | None = None,
) -> Comparison:
    """Solve the same deals under the rules of several variants.

    Parameters
    ----------
    variants
        Two or more games, of the same pack of cards: the same number is then the same shuffled pack.
    seeds, budget, shuffle, confidence, interval
        As in a study.
    names
        What to call them.
    jobs, executor
        As :func:`solitaire_lab.study.run.run` takes them.
    reuse
        Use proved relations between rules in place of searches, and to decide what a search could not.
    on_start, on_rows
        Called when the search engine is ready, and with new rows of any variant.

    Raises
    ------
    InputError
        If there are fewer than two, or their packs differ.
    """
    names = tuple(names or (variant_name(game) for game in variants))
    if len(variants) < 2:
        raise InputError(f"expected at least two variants, got {len(variants)}")
    packs = {(getattr(game.rules, "decks", 1), game.rules.ranks, game.rules.suits): game for game in variants}
    if len(packs) > 1:
        first, second, *_ = (game.key for game in packs.values())
        raise InputError(f"{first} and {second} are played with different packs, so that they have no deals in common")
    budget = budget or Budget()
    studies = [Study(game, seeds, budget, shuffle, confidence, interval) for game in variants]
    rows = [Rows() for _ in studies]
    end = COMPLETE
    for start in range(0, seeds.count, BLOCK):
        block, end = _block(studies, seeds.slice(start, start + BLOCK), jobs, executor, reuse, on_start, on_rows)
        if end != COMPLETE:
            break
        on_start = None
        for mine, new in zip(rows, block, strict=True):
            mine.extend(new)
    results = tuple(StudyResult(study, mine, None, end) for study, mine in zip(studies, rows, strict=True))
    return Comparison(names, results, end)


def _block(
    studies: Sequence[Study],
    seeds: Seeds,
    jobs: int | None,
    executor: Executor | None,
    reuse: bool,
    on_start: Callable[[], object] | None,
    on_rows: Callable[[list[Row]], object] | None,
) -> tuple[list[list[Row]], str]:
    """Solve some deals under all variants, the strictest first; return the rows of each, and how it ended."""
    rules = [study.rules for study in studies]
    places = range(len(studies))
    looser = [[reuse and u != v and at_least_as_loose(rules[u], rules[v]) for u in places] for v in places]
    found: dict[int, dict[int, Row]] = {}
    for place in sorted(places, key=lambda v: -sum(looser[v])):
        known = {
            seed: Row(seed, WINNABLE, None, FROM_STRICTER, 0, 0.0, None)
            for other, rows in found.items()
            if looser[other][place]
            for seed, row in rows.items()
            if row.verdict == WINNABLE
        }
        known |= {
            seed: Row(seed, UNWINNABLE, None, FROM_LOOSER, 0, 0.0, None)
            for other, rows in found.items()
            if looser[place][other]
            for seed, row in rows.items()
            if row.verdict == UNWINNABLE
        }
        if on_rows is not None and known:
            on_rows(list(known.values()))
        missing = [seed for seed in seeds if seed not in known]
        if missing:
            study = dataclasses.replace(studies[place], seeds=Seeds.of(missing))
            result = run(study, jobs=jobs, executor=executor, on_start=on_start, on_rows=on_rows)
            if result.end != COMPLETE:
                return [], result.end
            known |= {row.seed: row for row in result.rows}
        found[place] = known
    for place, other in itertools.permutations(places, 2):
        for seed, row in found[place].items():
            if row.verdict == UNDECIDED and looser[place][other] and found[other][seed].verdict == UNWINNABLE:
                found[place][seed] = row._replace(verdict=UNWINNABLE, reason=None, stage=FROM_LOOSER)
            if row.verdict == UNDECIDED and looser[other][place] and found[other][seed].verdict == WINNABLE:
                found[place][seed] = row._replace(verdict=WINNABLE, reason=None, stage=FROM_STRICTER)
    return [[found[place][seed] for seed in seeds] for place in places], COMPLETE
