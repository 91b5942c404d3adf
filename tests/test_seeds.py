"""The frozen seed sets: complete, what the README says of them, and what the solver still says of their deals."""

from __future__ import annotations

import functools

import pytest

from solitaire_lab.deals import deal_seed
from solitaire_lab.solver import Solver
from solitaire_lab.study.statistics import wilson
from solitaire_lab.verdicts import Budget
from tests.make_figures import DETAILS, FIGURES, README, SEEDS, SeedSet, details, seed_sets, table

SETS = seed_sets()
COLUMNS = ["seed", "verdict", "reason", "stage", "states", "moves"]
SAMPLE = 40
"""Deals of each file that are solved again."""
MAX_STATES = 30_000

each_set = pytest.mark.parametrize("seeds", SETS, ids=[seeds.name for seeds in SETS])


def test_every_file_has_its_command() -> None:
    assert sorted(seeds.name for seeds in SETS) == sorted(path.name for path in SEEDS.glob("*.csv*"))


def test_every_core_game_has_a_file() -> None:
    whole = {seeds.arguments.game for seeds in SETS if not seeds.arguments.options and len(seeds.rows) >= 1000}
    assert {"stonewall", "klondike", "cleopatra", "pyramid", "cheops"} <= whole


@each_set
def test_the_file_is_whole(seeds: SeedSet) -> None:
    assert list(seeds.rows[0]) == COLUMNS
    assert [int(row["seed"]) for row in seeds.rows] == list(range(1, seeds.arguments.deals + 1))
    for row in seeds.rows:
        assert row["verdict"] in {"winnable", "unwinnable", "undecided"}
        assert bool(row["reason"]) == (row["verdict"] == "undecided")
        assert bool(row["moves"]) == (row["verdict"] == "winnable")
        assert (row["stage"] != "looser rules") <= int(row["states"]) <= seeds.arguments.max_states


def test_the_readme_has_these_figures() -> None:
    found = FIGURES.search(README.read_text(encoding="utf-8"))
    assert found
    assert found[2] == table()


def test_the_readme_has_what_each_rule_changes() -> None:
    found = DETAILS.search(README.read_text(encoding="utf-8"))
    assert found
    assert found[2] == details()


def named(name: str) -> SeedSet:
    return next(seeds for seeds in SETS if seeds.name == name)


def test_pyramid_agrees_with_what_others_have_found() -> None:
    """Unlimited passes: solitairewinrates.com, 10**8 deals; three passes: 998 of 1,500, mchung94/pyramid-solver."""
    for name, published in (("pyramid-unlimited.csv.xz", 0.6687), ("pyramid-unlimited-overlap.csv.xz", 0.8315)):
        found = named(name).estimate
        assert found.deals == 20_000
        assert found.low < published < found.high
        assert found.width < 0.014
    ours, theirs = named("pyramid-three-passes-stock-up.csv.xz").estimate, wilson(998, 1500)
    assert ours.undecided == 0
    assert theirs[0] < ours.low < ours.high < theirs[1]


def test_deals_that_looser_rules_lose_are_lost() -> None:
    """The verdicts of goal=all that were taken over are those of deals that are lost with goal=pyramid."""
    strict, loose = named("pyramid-stock-up-all.csv.xz"), named("pyramid-stock-up.csv.xz")
    taken = {row["seed"] for row in strict.rows if row["stage"] == "looser rules"}
    assert taken == {row["seed"] for row in loose.rows[: len(strict.rows)] if row["verdict"] == "unwinnable"}


def test_stonewall_as_the_readme_speaks_of_it() -> None:
    """Ten percent lies far below the interval and a quarter within it; the letter changes no verdict."""
    usual, letter = (
        next(seeds for seeds in SETS if seeds.name == name) for name in ("stonewall.csv", "stonewall-by-the-letter.csv")
    )
    assert 0.2 < usual.estimate.low < 0.25 < usual.estimate.high < 0.3
    assert [row["verdict"] for row in usual.rows] == [row["verdict"] for row in letter.rows]


@pytest.mark.parametrize(("name", "published"), [("klondike-standard.csv", 0.81945), ("klondike-draw1.csv", 0.90480)])
def test_klondike_as_the_readme_speaks_of_it(name: str, published: float) -> None:
    """The published winnability of thoughtful Klondike, Blake and Gent's, lies in the interval."""
    found = next(seeds for seeds in SETS if seeds.name == name).estimate
    assert found.low < published < found.high


@functools.cache
def solved_again(name: str) -> list[tuple[int, str, str]]:
    """Return the seeds of a part of a file, with the file's verdict and the one found with a small budget."""
    seeds = next(seeds for seeds in SETS if seeds.name == name)
    solver = Solver(seeds.game.rules, Budget(MAX_STATES))
    rows = [(int(row["seed"]), row["verdict"]) for row in seeds.rows[:: len(seeds.rows) // SAMPLE][:SAMPLE]]
    return [(seed, verdict, solver.solve(deal_seed(seeds.game.rules, seed)).verdict) for seed, verdict in rows]


@each_set
def test_a_part_is_solved_again(seeds: SeedSet) -> None:
    assert [
        (seed, verdict, found)
        for seed, verdict, found in solved_again(seeds.name)
        if verdict != found and "undecided" not in (verdict, found)
    ] == []


def test_most_deals_of_the_parts_are_decided_again() -> None:
    found = [found for seeds in SETS for _seed, _verdict, found in solved_again(seeds.name)]
    assert found.count("undecided") < len(found) / 4
