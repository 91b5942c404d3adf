"""Studies verified: a sample of their deals is solved again, and every win replayed by the rules."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Sized
from contextlib import closing

from solitaire_lab.deals import deal_seed
from solitaire_lab.referee import IllegalMoveError, replay
from solitaire_lab.study.plan import same_solver, solver_version
from solitaire_lab.study.result import StudyResult
from solitaire_lab.study.rows import Row
from solitaire_lab.study.run import solve_all
from solitaire_lab.verdicts import UNDECIDED, Verdict


@dataclasses.dataclass(frozen=True)
class Recheck:
    """What came of solving deals of a study again."""

    checked: Counter[str]
    """How many deals of each stored verdict were solved again."""
    replayed: int
    """How many solutions were replayed to the win."""
    problems: dict[int, str]
    """By seed: in what the study does not say what is found now."""


def recheck(
    result: StudyResult,
    sample: int = 100,
    *,
    jobs: int | None = None,
    on_deal: Callable[[Sized], object] | None = None,
) -> Recheck:
    """Solve some deals of a study again, with the budget that each had, and replay the solutions.

    By the same version of the solver all must be as it was, the states too, unless there was a limit of seconds. By
    another version no decided verdict may change.

    Parameters
    ----------
    result
        A study.
    sample
        How many deals, spread evenly over it; all of them if there are fewer.
    jobs
        Threads.
    on_deal
        Called with each deal that is done, as a list of one.
    """
    rows = list(result.rows)
    chosen = [rows[place * len(rows) // min(sample, len(rows))] for place in range(min(sample, len(rows)))]
    budgets = (result.study.budget, *result.layers)
    rules, shuffle = result.study.rules, result.study.shuffle
    replayed, problems = 0, {}
    for layer, budget in enumerate(budgets):
        mine = [row for row in chosen if row.layer == layer]
        same = all(same_solver(version, solver_version()) for version in result.versions) and budget.max_seconds is None
        deals = ((str(row.seed), deal_seed(rules, row.seed, shuffle)) for row in mine)
        with closing(solve_all(rules, deals, budget, jobs=jobs)) as solved:
            for row, (_, deal, verdict) in zip(mine, solved, strict=True):
                problem = _difference(row, verdict, same)
                if problem is None and verdict.moves is not None:
                    try:
                        problem = None if replay(rules, deal, verdict.moves).won else "its solution does not win"
                    except IllegalMoveError as error:
                        problem = f"its solution is not legal: {error}"
                    replayed += problem is None
                if problem is not None:
                    problems[row.seed] = problem
                if on_deal is not None:
                    on_deal([row])
    return Recheck(Counter(row.verdict for row in chosen), replayed, problems)


def _difference(row: Row, verdict: Verdict, same: bool) -> str | None:
    """Say in what a row differs from what is found now, as far as it must not."""
    if row.verdict != verdict.verdict and (same or UNDECIDED not in (row.verdict, verdict.verdict)):
        return f"it is {row.verdict} in the study and {verdict.verdict} now"
    if same and row.states != verdict.states:
        return f"it took {row.states:,} states in the study and {verdict.states:,} now"
    if same and row.moves is not None and row.moves != len(verdict.moves or ()):
        return f"its solution had {row.moves:,} moves in the study and has {len(verdict.moves or ()):,} now"
    return None
