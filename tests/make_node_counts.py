"""Renew the node counts of ``tests/data/node_counts.json``: ``python -m tests.make_node_counts``.

They are the engines' signature: for every game and preset, how many states each stage enters on some fixed deals within
a small budget. A change that is meant to leave the searches as they are leaves these as they are; one that is not
renews them, and its commit says why.
"""

from __future__ import annotations

import json
from pathlib import Path

from solitaire_lab.deals import deal_seed
from solitaire_lab.rules import load_game
from solitaire_lab.rules.catalogue import catalogue_keys
from solitaire_lab.solver import Solver
from solitaire_lab.verdicts import Budget

FILE = Path(__file__).parent / "data" / "node_counts.json"
SEEDS = range(1, 6)
BUDGET = Budget(max_states=25_000)
"""Enough for the incomplete searches to have their turn."""


def node_counts(key: str) -> list[str]:
    """Return a line for each deal of a game: its verdict, and the states of each stage."""
    rules = load_game(key).rules
    solver = Solver(rules, BUDGET)
    lines = []
    for seed in SEEDS:
        verdict = solver.solve(deal_seed(rules, seed))
        stages = ", ".join(f"{stage.name} {stage.states}" for stage in verdict.stages)
        lines.append(f"{seed} {verdict.verdict}: {stages}")
    return lines


def main() -> None:
    """Write the file."""
    FILE.write_text(json.dumps({key: node_counts(key) for key in catalogue_keys()}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
