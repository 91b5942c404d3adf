"""Plan and run a study: solve many deals on all cores, one row a deal, in the order of the seeds.

The rows depend on the study alone (but for the seconds), never on executor, number of workers or chunk size.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import BrokenExecutor, Executor, ThreadPoolExecutor
from contextlib import ExitStack, closing
from typing import TypeAlias

from solitaire_lab.cards import pack
from solitaire_lab.deals import Deal, deal_seed, lay_out
from solitaire_lab.errors import InputError
from solitaire_lab.rules import Rules
from solitaire_lab.solver import Stop, warm_up
from solitaire_lab.study.pool import check_jobs, in_order, solve_here, stop_on_interrupt, workers
from solitaire_lab.study.result import Row, Study, StudyResult
from solitaire_lab.verdicts import Budget, Verdict

LARGEST_CHUNK = 16
"""Deals in a task: enough that handing over costs nothing, and a stop loses few."""

CHUNKS_A_JOB = 64
"""Into how many tasks a worker's share is cut at least, so that all workers end at nearly the same time."""

IN_FLIGHT = 8
"""Tasks in flight a worker; a few hard deals in one task do not keep the others waiting."""


def run(
    study: Study,
    *,
    jobs: int | None = None,
    processes: bool = False,
    executor: Executor | None = None,
    chunk: int | None = None,
    on_rows: Callable[[list[Row]], object] | None = None,
) -> StudyResult:
    """Run a study.

    Ctrl-C ends it early: the result then holds the deals that were finished, from the first seed on.

    Parameters
    ----------
    study
        What to run.
    jobs
        Worker threads, or processes; by default one for each core.
    processes
        Use worker processes instead of threads.
    executor
        Use this executor instead (`jobs` then says how many workers it has); it is left running.
    chunk
        Deals in a task; chosen by the number of deals if None.
    on_rows
        Called with the new rows whenever the next ones in order are there.

    Raises
    ------
    InputError
        If `jobs` or `chunk` is out of range.
    """
    count = study.seeds.count
    jobs = min(check_jobs(jobs), count)
    if chunk is None:
        chunk = max(1, min(LARGEST_CHUNK, count // (jobs * CHUNKS_A_JOB)))
    elif chunk < 1:
        raise InputError(f"chunk={chunk}: expected a whole number from 1 on")
    warm_up(study.rules)
    started = time.perf_counter()
    rows: list[Row] = []
    end = "complete"
    with ExitStack() as stack:
        if executor is None:
            executor, stop = stack.enter_context(workers(jobs, processes=processes))
        else:
            stop = Stop()
            stack.callback(stop.set)
        stack.enter_context(stop_on_interrupt(stop))
        try:
            for new in _rows_in_order(study, executor, stop, chunk, limit=IN_FLIGHT * jobs):
                rows += new
                if on_rows is not None:
                    on_rows(new)
        except BrokenExecutor:
            end = "worker lost"
    if end == "complete" and len(rows) < count:
        end = "interrupted"
    return StudyResult(study, rows, time.perf_counter() - started, end)


def _rows_in_order(
    study: Study, executor: Executor, stop: Stop, chunk: int, limit: int
) -> Generator[list[Row], None, None]:
    """Yield the rows, chunk by chunk, up to the first deal that was not finished."""
    # Other executors than threads send their tasks elsewhere, where this stop means nothing.
    shared = stop if isinstance(executor, ThreadPoolExecutor) else None
    function = functools.partial(solve_chunk, study.rules, study.budget, study.shuffle, shared)
    left = study.seeds.count
    with closing(in_order(executor, function, study.seeds.chunks(chunk), limit=limit, stop=stop)) as parts:
        for rows in parts:
            wanted = min(chunk, left)
            if rows:
                yield rows
            if len(rows) < wanted:
                return
            left -= wanted


def solve_chunk(rules: Rules, budget: Budget, shuffle: str, stop: Stop | None, seeds: list[int]) -> list[Row]:
    """Solve the deals of some seeds in this thread; fewer rows than seeds if stopped."""
    rows = []
    for seed, deal in zip(seeds, deal_chunk(rules, shuffle, seeds), strict=True):
        verdict = solve_here(rules, budget, stop, deal)
        if verdict is None:
            break
        moves = None if verdict.moves is None else len(verdict.moves)
        rows.append(
            Row(seed, verdict.verdict, verdict.reason, verdict.stage, verdict.states, round(verdict.seconds, 6), moves)
        )
    return rows


def deal_chunk(rules: Rules, shuffle: str, seeds: list[int]) -> Iterable[Deal]:
    """Yield the deals of some seeds; the native ones through the compiled shuffle."""
    if shuffle != "native":
        return (deal_seed(rules, seed, shuffle) for seed in seeds)
    import numpy as np

    from solitaire_lab.engine.shuffle import shuffle_packs

    unshuffled = np.array(pack(getattr(rules, "decks", 1), rules.ranks, rules.suits), dtype=np.uint8)
    orders = shuffle_packs(np.array(seeds, dtype=np.uint64), unshuffled)
    return (lay_out(rules, order.tolist()) for order in orders)


Named: TypeAlias = tuple[str, Deal]


def solve_all(
    rules: Rules, deals: Iterable[Named], budget: Budget, *, jobs: int | None = None
) -> Generator[tuple[str, Deal, Verdict], None, None]:
    """Solve named deals on several threads; yield each verdict in the order of the deals, as soon as it is there.

    Deals are read as they are needed. Ctrl-C ends it early by raising `KeyboardInterrupt`, once the
    verdicts before the interrupted deal are out.

    Raises
    ------
    InputError
        If `jobs` is out of range, or where reading the deals raised one.
    """
    jobs = check_jobs(jobs)
    warm_up(rules)
    with workers(jobs) as (executor, stop), stop_on_interrupt(stop):
        function = functools.partial(_solve_named, rules, budget, stop)
        with closing(in_order(executor, function, deals, limit=IN_FLIGHT * jobs, stop=stop)) as results:
            for name, deal, verdict in results:
                if verdict is None:
                    break
                yield name, deal, verdict
        if stop.is_set():
            raise KeyboardInterrupt


def _solve_named(rules: Rules, budget: Budget, stop: Stop, named: Named) -> tuple[str, Deal, Verdict | None]:
    name, deal = named
    return name, deal, solve_here(rules, budget, stop, deal)
