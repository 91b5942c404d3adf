"""Renew the README's table of first figures, and its plot, from ``seeds/*.csv``: ``python -m tests.make_figures``.

Which files there are, and the command that made each, stands in the table of ``seeds/README.md``.
"""

from __future__ import annotations

import argparse
import csv
import dataclasses
import functools
import lzma
import re
import shlex
from collections import Counter
from pathlib import Path

from solitaire_lab.rules import Game, load_game
from solitaire_lab.rules.language import show_value
from solitaire_lab.rules.monotone import at_least_as_loose
from solitaire_lab.study.pairs import Pairs
from solitaire_lab.study.statistics import Estimate, estimate
from solitaire_lab.verdicts import Budget

ROOT = Path(__file__).parent.parent
SEEDS = ROOT / "seeds"
README = ROOT / "README.md"

TABLE_LINE = re.compile(
    r"^\| \[(?P<name>\S+\.csv(\.xz)?)\]\((?P=name)\) \| `solitaire-lab (?P<command>study [^`]+)` \|", re.MULTILINE
)
FIGURES = re.compile(r"(<!-- figures: .* -->\n)(.*)(<!-- end of figures -->)", re.DOTALL)
DETAILS = re.compile(r"(<!-- details: .* -->\n)(.*)(<!-- end of details -->)", re.DOTALL)
HEAD = """\
| game | deals | budget a deal | winnable | undecided | winnability | made by `solitaire-lab` |
|---|--:|--:|--:|--:|---|---|
"""
DETAILS_HEAD = """\
| rules | and with | deals | winnable before | and then | only before | only then | difference, points |
|---|---|--:|--:|--:|--:|--:|---|
"""
PYRAMID_DETAILS = [
    ("pyramid.csv.xz", "pyramid-by-the-letter.csv"),
    ("pyramid.csv.xz", "pyramid-stock-up.csv.xz"),
    ("pyramid.csv.xz", "pyramid-three-piles.csv.xz"),
    ("pyramid.csv.xz", "pyramid-three-passes.csv"),
    ("pyramid-stock-up.csv.xz", "pyramid-stock-up-all.csv.xz"),
    ("pyramid-stock-up.csv.xz", "pyramid-three-passes-stock-up.csv.xz"),
    ("pyramid-three-passes.csv", "pyramid-three-passes-stock-up.csv.xz"),
    ("pyramid-three-passes-stock-up.csv.xz", "pyramid-unlimited.csv.xz"),
    ("pyramid-three-passes-stock-up.csv.xz", "pyramid-three-passes-stock-up-overlap.csv.xz"),
    ("pyramid-unlimited.csv.xz", "pyramid-unlimited-overlap.csv.xz"),
    ("pyramid-unlimited.csv.xz", "king-tut.csv"),
]
"""Two files each: Pyramid with some rules, and with one of them changed (two in King Tut, whose stock card is down)."""


@dataclasses.dataclass(frozen=True)
class SeedSet:
    """A file of verdicts and the command that made it."""

    name: str
    command: str
    """Without the program's name."""

    @functools.cached_property
    def arguments(self) -> argparse.Namespace:
        """The parts of the command."""
        parser = argparse.ArgumentParser()
        parser.add_argument("study")
        parser.add_argument("game")
        parser.add_argument("-o", dest="options", action="append", default=[])
        parser.add_argument("--deals", type=int, required=True)
        parser.add_argument("--max-states", type=int, default=Budget.max_states)
        return parser.parse_args(shlex.split(self.command))

    @functools.cached_property
    def game(self) -> Game:
        """The game with its options."""
        options: dict[str, object] = dict(option.split("=", 1) for option in self.arguments.options)
        return load_game(self.arguments.game).with_options(options)

    @functools.cached_property
    def rows(self) -> list[dict[str, str]]:
        """The file, one row a deal."""
        opened = lzma.open if self.name.endswith(".xz") else open
        with opened(SEEDS / self.name, "rt", encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    @property
    def estimate(self) -> Estimate:
        """Counts of verdicts and the interval."""
        counts = Counter(row["verdict"] for row in self.rows)
        return estimate(counts["winnable"], counts["unwinnable"], counts["undecided"])

    def changed_options(self) -> list[str]:
        """Return the options that are not at their defaults, each as ``NAME=VALUE``."""
        before = load_game(self.arguments.game).options
        now = self.game.options
        return [f"{name}={show_value(value)}" for name, value in now.items() if value != before[name]]

    def line(self) -> str:
        """Return the set's line of the README's table."""
        found = self.estimate
        cells = [
            ", ".join([self.game.name, *(f"`{text}`" for text in self.changed_options())]),
            f"{found.deals:,}",
            f"{self.arguments.max_states:,}",
            f"{found.winnable:,}",
            f"{found.undecided:,} ({100 * found.undecided / found.deals:.2f} %)",
            f"**{100 * found.low:.2f} % to {100 * found.high:.2f} %**",
            f"`{self.command}`",
        ]
        return f"| {' | '.join(cells)} |\n"


def seed_sets() -> list[SeedSet]:
    """Return the seed sets in the order in which ``seeds/README.md`` has them."""
    text = (SEEDS / "README.md").read_text(encoding="utf-8")
    return [SeedSet(found["name"], found["command"]) for found in TABLE_LINE.finditer(text)]


def table() -> str:
    """Return the README's table."""
    return HEAD + "".join(seeds.line() for seeds in seed_sets())


def details() -> str:
    """Return the README's table of what each rule changes on the same deals."""
    by_name = {seeds.name: seeds for seeds in seed_sets()}
    return DETAILS_HEAD + "".join(_detail(by_name[first], by_name[second]) for first, second in PYRAMID_DETAILS)


def _detail(first: SeedSet, second: SeedSet) -> str:
    before, now = first.game.options, second.game.options
    changed = [name for name in before if before[name] != now[name]]
    loose = (
        at_least_as_loose(second.game.rules, first.game.rules),
        at_least_as_loose(first.game.rules, second.game.rules),
    )
    deals = min(len(first.rows), len(second.rows))
    pairs = Pairs.of(
        (row["verdict"] for row in first.rows[:deals]),
        (row["verdict"] for row in second.rows[:deals]),
        ordered=loose[0] - loose[1],
    )
    won_by_both, first_alone, second_alone, _ = pairs.cells
    low, high = pairs.difference
    cells = [
        ", ".join(f"`{text}`" for text in first.changed_options()) or "as written",
        ", ".join(f"`{name}={show_value(now[name])}`" for name in changed),
        f"{deals:,}",
        f"{100 * (won_by_both + first_alone) / deals:.2f} %",
        f"{100 * (won_by_both + second_alone) / deals:.2f} %",
        f"{first_alone:,}",
        f"{second_alone:,}",
        f"**{100 * low:+.2f} to {100 * high:+.2f}**",
    ]
    return f"| {' | '.join(cells)} |\n"


def main() -> None:
    """Write the tables into the README, and the plot of the same figures."""
    from tests.make_pictures import write_plot

    text = README.read_text(encoding="utf-8")
    text = FIGURES.sub(lambda found: found[1] + table() + found[3], text)
    README.write_text(DETAILS.sub(lambda found: found[1] + details() + found[3], text), encoding="utf-8")
    write_plot()


if __name__ == "__main__":
    main()
