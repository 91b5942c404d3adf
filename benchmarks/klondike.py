"""Decide Solvitaire's Klondike seeds 1-500, draw 1 and draw 3: ``python benchmarks/klondike.py [--max-states N]``.

One thread, CPU time, kernels compiled before. Prints how long the deals take, how many are decided within how many
states, how many of the unwinnable ones are refuted as soon as their columns are looked at, and how long the shortened
solutions are. A verdict other than the published one ends it with status 1; times are of this machine and not judged.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from pathlib import Path

from sections import Row, print_machine, print_table

import solitaire_lab as sl
from solitaire_lab.deals import deal_from_json
from solitaire_lab.solver import warm_up
from solitaire_lab.translate_compact import LOOK_FROM
from solitaire_lab.verdicts import UNDECIDED, UNWINNABLE, Verdict

VECTORS = Path(__file__).parent.parent / "tests" / "data" / "klondike.jsonl"
EFFORTS = (1_000, 10_000, 100_000, 1_000_000)
LONELYBOT = {"draw 3": (63.2, 78.6, 88.8, 97.4), "draw 1": (72.0, 82.4, 91.6, 97.8)}
"""Per cent decided by lonelybot within so many states of its own, on the same deals."""


def decide(game: str, lines: list[dict[str, object]], max_states: int) -> tuple[list[Verdict], list[int]]:
    """Solve the deals of some vector lines; then again those that are won, with their solutions made shorter.

    Returns
    -------
    verdicts : list of Verdict
    lengths : list of int
        The moves of the shortened solutions.
    """
    rules = sl.load_game(game).rules
    warm_up(rules)
    solver = sl.Solver(rules, sl.Budget(max_states=max_states))
    deals = [deal_from_json(line, rules) for line in lines]
    verdicts, lengths = [], []
    for line, deal in zip(lines, deals, strict=True):
        verdict = solver.solve(deal, check=False)
        verdicts.append(verdict)
        if verdict.verdict not in (UNDECIDED, line["verdict"]):
            sys.exit(f"{line['id']}: {verdict.verdict}, but published as {line['verdict']}")
        show(f"{game} {len(verdicts)}/{len(lines)}")
    won = [deal for deal, verdict in zip(deals, verdicts, strict=True) if verdict.moves]
    for deal in won:
        lengths.append(len(solver.solve(deal, check=False, shorten=True).moves or ()))
        show(f"{game}, solutions made shorter {len(lengths)}/{len(won)}")
    return verdicts, lengths


def show(progress: str) -> None:
    """Show how far it is, if somebody looks."""
    if sys.stderr.isatty():
        print(f"\r{progress}", end="", file=sys.stderr, flush=True)


def times(draw: str, verdicts: list[Verdict], lengths: list[int]) -> Row:
    """Return a line of the table of times."""
    milliseconds = sorted(1000 * verdict.seconds for verdict in verdicts)
    states = sum(verdict.states for verdict in verdicts)
    refuted = [verdict for verdict in verdicts if verdict.verdict == UNWINNABLE]
    return {
        "deals": draw,
        "decided": sum(verdict.verdict != UNDECIDED for verdict in verdicts),
        "mean ms": statistics.mean(milliseconds),
        "median ms": statistics.median(milliseconds),
        "p99 ms": milliseconds[len(milliseconds) * 99 // 100],
        "max ms": milliseconds[-1],
        "states": states,
        "M states/s": states / sum(milliseconds) / 1000,
        "unwinnable": len(refuted),
        "of these by columns": sum(verdict.states == LOOK_FROM for verdict in refuted),
        "moves (median)": statistics.median(lengths),
    }


def efforts(draw: str, verdicts: list[Verdict]) -> Row:
    """Return a line of the table of effort: the per cent decided within so many states."""
    decided = [verdict.states for verdict in verdicts if verdict.verdict != UNDECIDED]
    return {"deals": draw} | {
        f"{limit:,} states": f"{100 * sum(states <= limit for states in decided) / len(verdicts):.1f} ({other})"
        for limit, other in zip(EFFORTS, LONELYBOT[draw], strict=True)
    }


def main() -> None:
    """Run both forms."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--max-states", type=int, default=30_000_000, help="states a deal (default %(default)s)")
    arguments = parser.parse_args()
    lines = [json.loads(line) for line in VECTORS.read_text(encoding="utf-8").splitlines()]
    found = {
        draw: decide(game, [line for line in lines if f"draw{draw[-1]}" in line["id"]], arguments.max_states)
        for draw, game in (("draw 3", "klondike-standard"), ("draw 1", "klondike-draw1"))
    }
    print_machine()
    print_table([times(draw, *both) for draw, both in found.items()])
    print("\nPer cent decided within so many states (lonelybot's in brackets)")
    print_table([efforts(draw, verdicts) for draw, (verdicts, _) in found.items()])


if __name__ == "__main__":
    main()
