"""Measure the speed of the engines: ``python benchmarks/speed.py [SECTION ...]``.

Nothing is judged here. Every figure stands beside the count of states that it rests on, so that two machines, or two
versions of the engines, can be told apart from two samples of deals. Close other programs first.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

from sections import Row, Sections, run

import solitaire_lab as sl
from solitaire_lab.deals import deal_seed
from solitaire_lab.engine.build import dominance as build_dominance
from solitaire_lab.engine.kernel import CACHE_VARIABLE
from solitaire_lab.engine.pair import dominance as pair_dominance
from solitaire_lab.study.result import StudyResult

CORE_GAMES = ["stonewall", "klondike", "cleopatra", "pyramid", "cheops"]
PRESETS = ["klondike-3x3", "klondike-standard", "klondike-draw1"]
EASY_GAMES = ["stonewall", "pyramid", "cheops"]
"""Most deals are decided within few states, so that it takes many of them to time a state."""
EASY_DEALS = [("build", "stonewall", "2"), ("compact", "klondike-draw1", "1"), ("pair", "cheops", "3")]
"""A deal for each engine that is decided within a few thousand states, to time a start with."""


def study(game: str, deals: int, jobs: int, max_states: int = sl.Budget.max_states) -> StudyResult:
    """Run a study of the first deals."""
    return sl.study(game, deals=deals, jobs=jobs, max_states=max_states)


def engines(deals: int) -> list[Row]:
    """Search on one thread after warming up: states and deals a second of CPU time."""
    rows: list[Row] = []
    for game in CORE_GAMES + PRESETS:
        count = 10 * deals if game in EASY_GAMES else deals
        result = study(game, count, jobs=1)
        rows.append(
            {
                "game": game,
                "engine": result.study.game.family,
                "deals": count,
                "undecided": result.counts["undecided"],
                "states": result.states,
                "CPU s": result.seconds,
                "M states/s": result.states / result.seconds / 1e6,
                "deals/s": count / result.seconds,
            }
        )
    return rows


def plain(deals: int) -> list[Row]:
    """Search without the dead-position tests, which take time to save far more states: the engines' raw speed."""
    rows: list[Row] = []
    for game, dominances in (
        ("stonewall", build_dominance.ALL & ~build_dominance.DEAD_ENDS),
        ("pyramid", pair_dominance.ALL & ~pair_dominance.DEAD_ENDS),
    ):
        rules = sl.load_game(game).rules
        solver = sl.Solver(rules, dominances=int(dominances))
        verdicts = [solver.solve(deal_seed(rules, seed)) for seed in range(deals + 1)][1:]  # the first warms up
        states, seconds = sum(verdict.states for verdict in verdicts), sum(verdict.seconds for verdict in verdicts)
        rows.append({"game": game, "deals": deals, "states": states, "M states/s": states / seconds / 1e6})
    return rows


def proportion(deals: int) -> list[Row]:
    """Solve n, 2n and 4n deals on one thread: the cost of a state stays, that of a deal as far as deals are alike."""
    rows: list[Row] = []
    for game in ("stonewall", "pyramid"):
        for factor in (1, 2, 4):
            result = study(game, factor * deals, jobs=1, max_states=100_000)
            rows.append(
                {
                    "game": game,
                    "deals": factor * deals,
                    "states": result.states,
                    "clock s": result.elapsed,
                    "ms a deal": 1000 * result.elapsed / (factor * deals),
                    "ns a state": 1e9 * result.elapsed / result.states,
                }
            )
    return rows


def threads(deals: int) -> list[Row]:
    """Run the same study on one thread and on two: the ratio of the times by the clock."""
    rows: list[Row] = []
    for game in ("stonewall", "klondike", "pyramid"):
        count = deals if game in EASY_GAMES else deals // 10
        one, two = study(game, count, jobs=1), study(game, count, jobs=2)
        rows.append(
            {
                "game": game,
                "deals": count,
                "states": one.states,
                "one thread, clock s": one.elapsed,
                "two threads, clock s": two.elapsed,
                "times faster": one.elapsed / two.elapsed,
            }
        )
    return rows


def start(_deals: int) -> list[Row]:
    """Time a whole ``solve`` of one easy deal: with an empty cache, then with a full one (the median of five)."""
    rows: list[Row] = []
    for engine, game, seed in EASY_DEALS:
        command = [sys.executable, "-m", "solitaire_lab", "--quiet", "solve", game, "--seeds", seed]
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, CACHE_VARIABLE: folder}

            def seconds(command: list[str] = command, environment: dict[str, str] = environment) -> float:
                before = time.perf_counter()
                subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
                return time.perf_counter() - before

            first, later = seconds(), sorted(seconds() for _ in range(5))[2]
        rows.append({"engine": engine, "game": game, "first use, clock s": first, "later, clock s": later})
    return rows


def full(deals: int) -> list[Row]:
    """Study each core game at the default budget on all cores."""
    rows: list[Row] = []
    for game in CORE_GAMES:
        result = sl.study(game, deals=deals)
        found = result.estimate
        rows.append(
            {
                "game": game,
                "deals": deals,
                "clock s": result.elapsed,
                "deals/s": deals / result.elapsed,
                "states": result.states,
                "undecided %": 100 * found.undecided / deals,
                "low %": 100 * found.low,
                "high %": 100 * found.high,
            }
        )
    return rows


SECTIONS: Sections = {
    "engines": (engines, 100),
    "plain": (plain, 500),
    "proportion": (proportion, 500),
    "threads": (threads, 1000),
    "start": (start, 1),
    "full": (full, 1000),
}
"""Each with how many deals it takes by default."""


if __name__ == "__main__":
    run(__doc__, SECTIONS, on_request=("full",))
