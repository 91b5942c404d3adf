"""Measure the pair engine: ``python benchmarks/pair.py [speed] [agreement]``.

``speed``: frozen seeds of each variant on one thread at the default budget, in CPU seconds of the searching thread; the
dealing and the referee's replay of solutions are a column of their own. ``agreement``: published figures of
thoughtful play beside our own, with the intervals of both. Nothing is judged here but what ``agrees`` says.
"""

from __future__ import annotations

import re
import statistics
import sys
import time
from collections import Counter

from sections import Row, Sections, run

import solitaire_lab as sl
from solitaire_lab.deals import deal_seed
from solitaire_lab.rules import Game
from solitaire_lab.rules.claims import claims
from solitaire_lab.solver import warm_up
from solitaire_lab.study.confront import Confrontation

VARIANTS = [
    "pyramid",
    "pyramid[at_exhaustion=stop]",
    "pyramid[draw_exposed=waste_and_stock]",
    "pyramid[draw_exposed=waste_and_stock,goal=all]",
    "pyramid[draw=3,waste_piles=3]",
    "pyramid[passes=3]",
    "pyramid[passes=3,draw_exposed=waste_and_stock]",
    "pyramid[passes=3,draw_exposed=waste_and_stock,overlap_pairs=true]",
    "pyramid[passes=unlimited,draw_exposed=waste_and_stock]",
    "pyramid[passes=unlimited,draw_exposed=waste_and_stock,overlap_pairs=true]",
    "cheops",
    "giza",
    "king-tut",
    "apophis",
    "triangle",
    "pharaohs",
    "patient-pairs",
    "wish",
]


def game_of(variant: str) -> Game:
    """Return a variant such as ``pyramid[passes=3]``."""
    key, *options = re.findall(r"[^\[\],]+", variant)
    return sl.load_game(key).with_options(dict(option.split("=", 1) for option in options))


def speed(deals: int) -> list[Row]:
    """Search on one thread: deals a second, and what the searches come to."""
    rows: list[Row] = []
    for variant in VARIANTS:
        rules = game_of(variant).rules
        warm_up(rules)
        solver = sl.Solver(rules)
        before = time.thread_time()
        verdicts = [solver.solve(deal_seed(rules, seed), check=False) for seed in range(1, deals + 1)]
        whole = time.thread_time() - before
        searching = sum(verdict.seconds for verdict in verdicts)
        counts = Counter(verdict.verdict for verdict in verdicts)
        states = [verdict.states for verdict in verdicts]
        rows.append(
            {
                "variant": variant,
                "deals": deals,
                "winnable": counts["winnable"],
                "undecided": counts["undecided"],
                "deals/s": deals / searching,
                "with replay": deals / whole,
                "states a deal": statistics.mean(states),
                "median": int(statistics.median(states)),
                "largest": max(states),
            }
        )
        print(f"{variant}: {deals / searching:.0f} deals/s", file=sys.stderr, flush=True)
    return rows


def agreement(deals: int) -> list[Row]:
    """Study the games of published figures of thoughtful play: whether their intervals and ours overlap."""
    rows: list[Row] = []
    for claim in claims("pyramid"):
        if claim.population != "thoughtful":
            continue
        found = Confrontation(claim, sl.study(claim.game, deals=deals, jobs=1))
        low, high = found.claimed
        estimate = found.result.estimate
        rows.append(
            {
                "claim": claim.id,
                "published": claim.words,
                "its interval %": f"{100 * low:.2f} to {100 * high:.2f}",
                "deals": deals,
                "undecided": estimate.undecided,
                "ours %": f"{100 * estimate.low:.2f} to {100 * estimate.high:.2f}",
                "as winnability": found.as_winnability,
            }
        )
        print(f"{claim.id}: {found.as_winnability}", file=sys.stderr, flush=True)
    return rows


SECTIONS: Sections = {"speed": (speed, 500), "agreement": (agreement, 5000)}
"""Each with how many deals it takes by default."""


if __name__ == "__main__":
    run(__doc__, SECTIONS)
