"""Measure how many deals of build games are decided: ``python benchmarks/build.py [GAME ...]``.

Frozen seeds, one thread, and CPU seconds as the only limit of a deal, so the figures are of this machine. Nothing is
judged here. ``--plain`` measures the raw speed of the complete search instead, without its tests for dead positions.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections import Counter

import numpy as np
from sections import Row, add_json, print_machine, print_table

import solitaire_lab as sl
from solitaire_lab.deals import deal_seed
from solitaire_lab.engine.build import dominance
from solitaire_lab.engine.driver import Driver
from solitaire_lab.engine.table import ENTRY_BYTES
from solitaire_lab.rules import BuildRules
from solitaire_lab.solver import warm_up
from solitaire_lab.translate import BuildTranslator
from solitaire_lab.verdicts import Budget

SEEDS = {
    "stonewall": 1000,
    "cleopatra": 200,
    "flower-garden": 300,
    "wildflower": 300,
    "forty-thieves": 50,
    "thieves-of-egypt": 50,
}
"""Each game with its last seed; the first is 1."""
MAX_SECONDS = 20.0
NO_LIMIT = 10**12
"""States: more than 20 seconds can bring."""
PLAIN_STATES = 3_000_000


def decide(game: str, last_seed: int, max_seconds: float) -> Row:
    """Solve the deals of a game; return what became of them."""
    rules = sl.load_game(game).rules
    warm_up(rules)
    solver = sl.Solver(rules, sl.Budget(max_states=NO_LIMIT, max_seconds=max_seconds))
    verdicts = []
    for seed in range(1, last_seed + 1):
        verdicts.append(solver.solve(deal_seed(rules, seed)))
        if sys.stderr.isatty():
            print(f"\r{game} {seed}/{last_seed}", end="", file=sys.stderr, flush=True)
    counts = Counter(verdict.verdict for verdict in verdicts)
    seconds = [verdict.seconds for verdict in verdicts]
    stages = Counter(verdict.stage for verdict in verdicts if verdict.verdict != "undecided")
    return {
        "game": game,
        "deals": last_seed,
        "winnable": counts["winnable"],
        "unwinnable": counts["unwinnable"],
        "undecided": counts["undecided"],
        "undecided %": 100 * counts["undecided"] / last_seed,
        "mean ms": 1000 * statistics.mean(seconds),
        "median ms": 1000 * statistics.median(seconds),
        "states": sum(verdict.states for verdict in verdicts),
        "decided by": ", ".join(f"{stage} {count}" for stage, count in stages.most_common()),
    }


def plain(game: str) -> Row:
    """Search one deal after another completely, without tests for dead positions, for some million states in all.

    What counts is the time of the searches and their tables' growing, not that of dealing.
    """
    rules = sl.load_game(game).rules
    assert isinstance(rules, BuildRules)
    translator = BuildTranslator(rules, int(dominance.ALL & ~dominance.DEAD_ENDS))
    driver = Driver(translator.search, np.zeros(1, np.uint8))
    states, largest, table_bytes, seconds, seed = 0, 0, 0, 0.0, -1
    while states < PLAIN_STATES:
        seed += 1
        position = translator.encode(deal_seed(rules, seed))
        before = time.thread_time()
        driver.begin(position, translator.move_entries, Budget.max_table)
        _, found, _ = driver.advance(Budget.max_states, None)
        if seed == 0:
            continue  # it warms up
        seconds += time.thread_time() - before
        states += found
        if found > largest:
            largest, table_bytes = found, driver.table_bytes
    return {
        "game": game,
        "deals": seed,
        "states": states,
        "M states/s": states / seconds / 1e6,
        "bytes an entry": ENTRY_BYTES,
        "bytes a state": table_bytes / largest,
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0].split(":")[0] + ".")
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"any of {', '.join(SEEDS)} (default: all)")
    parser.add_argument("--seconds", metavar="S", type=float, default=MAX_SECONDS, help="CPU seconds a deal at most")
    parser.add_argument("--deals", metavar="N", type=int, help="deals, in place of each game's own number")
    parser.add_argument("--plain", action="store_true", help="measure the raw speed of the complete search instead")
    add_json(parser)
    arguments = parser.parse_args()
    if unknown := set(arguments.games) - set(SEEDS):
        parser.error(f"unknown game {sorted(unknown)[0]!r}; expected any of {', '.join(SEEDS)}")
    print_machine(arguments.json)
    games = arguments.games or (["stonewall", "flower-garden"] if arguments.plain else list(SEEDS))
    for game in games:
        row = plain(game) if arguments.plain else decide(game, arguments.deals or SEEDS[game], arguments.seconds)
        if arguments.json:
            print(json.dumps(row), flush=True)
        else:
            print()
            print_table([row])


if __name__ == "__main__":
    main()
