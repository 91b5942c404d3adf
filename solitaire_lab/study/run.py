"""Run a study: solve what is missing of it on all cores or a cluster, one row a deal, in the order of the seeds.

The rows depend on the study alone (but for the seconds), never on executor, number of workers or chunk size: each deal
is solved by itself, with shuffles that are the same for all; rows are taken in the order of the seeds; and a study
that stops by itself looks at fixed numbers of deals.
"""

from __future__ import annotations

import dataclasses
import functools
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from typing import TypeAlias

from solitaire_lab.cards import pack
from solitaire_lab.deals import Deal, deal_seed, lay_out
from solitaire_lab.errors import InputError
from solitaire_lab.rules import Rules
from solitaire_lab.solver import Stop
from solitaire_lab.study.cluster import dask_workers, lost_worker_errors
from solitaire_lab.study.plan import Study, same_solver, solver_version
from solitaire_lab.study.pool import check_jobs, get_ready, in_order, solve_here, stop_on_interrupt, workers
from solitaire_lab.study.result import COMPLETE, INTERRUPTED, OUT_OF_REACH, WORKER_LOST, StudyResult
from solitaire_lab.study.rows import Row
from solitaire_lab.study.statistics import sequence
from solitaire_lab.study.store import Store
from solitaire_lab.verdicts import Budget, Verdict

LARGEST_CHUNK = 16
"""Deals in a task: enough that handing over costs nothing, and a stop loses few."""

LARGEST_CHUNK_FAR = 64
"""On a cluster, where handing over a task costs about a millisecond."""

CHUNKS_A_JOB = 64
"""Into how many tasks a worker's share is cut at least, so that all workers end at nearly the same time."""

IN_FLIGHT = 64
"""Tasks in flight a worker. Rows are taken in order, so while one deal takes long the others live on what is in flight:
with 8, one deal that takes a fifth of a study's time kept the other workers waiting."""

SURELY = 0.999
"""The confidence with which too many deals are undecided for a width ever to be reached."""

PEEK_GROWTH = 0.01
"""A study that stops by itself looks again once it has this share more deals."""


@dataclasses.dataclass(frozen=True)
class Workers:
    """Where deals are solved."""

    executor: Executor
    stop: Stop
    jobs: int
    """How many deals it solves at once."""
    abandon: bool = False
    """The workers do not see the stop: what runs there is left alone."""


def run(
    study: Study,
    *,
    store: Store | None = None,
    jobs: int | None = None,
    processes: bool = False,
    dask: str | None = None,
    executor: Executor | None = None,
    chunk: int | None = None,
    on_start: Callable[[], object] | None = None,
    on_rows: Callable[[list[Row]], object] | None = None,
    on_wait: Callable[[], object] | None = None,
) -> StudyResult:
    """Run a study, or what is missing of it.

    Ctrl-C ends it early: the result then holds the deals that were finished, from the first seed on.

    Parameters
    ----------
    study
        What to run.
    store
        Where its rows are kept, and which of them are there already; memory alone if None.
    jobs
        Worker threads, or processes; by default one for each core.
    processes
        Use worker processes instead of threads.
    dask
        Use a cluster of dask.distributed instead: its scheduler's address, or ``"local"`` for one on this machine.
    executor
        Use this executor instead (`jobs` then says how many workers it has); it is left running.
    chunk
        Deals in a task; chosen by the number of deals if None.
    on_start
        Called when workers and search engine are ready, unless nothing is missing.
    on_rows
        Called with the new rows whenever the next ones in order are there.
    on_wait
        Called now and then while the next rows are awaited.

    Raises
    ------
    InputError
        If `jobs` or `chunk` is out of range, or the cluster cannot be used.
    OSError
        If the store cannot be written; what was stored before is kept.
    """
    jobs = check_jobs(jobs)
    if chunk is not None and chunk < 1:
        raise InputError(f"chunk={chunk}: expected a whole number from 1 on")
    if store is None:
        store = Store.in_memory(study)
    study = store.study
    stopping = Stopping(study) if study.until_width is not None and store.layer == 0 else None
    started = time.perf_counter()
    with ExitStack() as stack:

        def begin() -> Iterator[list[Row]]:
            """Start the workers; done once something is missing."""
            nonlocal started
            where = stack.enter_context(_workers(min(jobs, study.seeds.count), processes, dask, executor))
            if not where.abandon:
                get_ready(study.rules)
            if on_start is not None:
                on_start()
            stack.enter_context(stop_on_interrupt(where.stop))
            started = time.perf_counter()

            def idle() -> None:
                store.tick()
                if on_wait is not None:
                    on_wait()

            largest = LARGEST_CHUNK_FAR if where.abandon else LARGEST_CHUNK
            size = chunk or max(1, min(largest, study.seeds.count // (where.jobs * CHUNKS_A_JOB)))
            return stack.enter_context(closing(_rows_in_order(store, where, size, idle)))

        try:
            end = _finish(store, stopping, begin, on_rows)
        except lost_worker_errors():
            end = WORKER_LOST
        finally:
            store.flush()
    deals = None if stopping is None else stopping.deals
    return store.result(time.perf_counter() - started, end, deals)


@contextmanager
def _workers(jobs: int, processes: bool, dask: str | None, executor: Executor | None) -> Iterator[Workers]:
    """Start the workers that are asked for, and end them, but for an executor of somebody else's."""
    if executor is not None:
        stop = Stop()
        try:
            yield Workers(executor, stop, jobs)
        finally:
            stop.set()
    elif dask is not None:
        with dask_workers(dask, jobs) as (cluster, stop, threads):
            yield Workers(cluster, stop, threads, abandon=True)
    else:
        with workers(jobs, processes=processes) as (pool, stop):
            yield Workers(pool, stop, jobs)


def _finish(
    store: Store,
    stopping: Stopping | None,
    begin: Callable[[], Iterator[list[Row]]],
    on_rows: Callable[[list[Row]], object] | None,
) -> str:
    """Walk through the study in the order of its seeds and add what is missing; return how that ended."""
    results: Iterator[list[Row]] | None = None
    for part in store.parts():
        if stopping is not None and part.stored and stopping.look(store.verdicts(part)) is not None:
            return stopping.end
        left = part.missing.count
        while left:
            if results is None:
                results = begin()
            rows = next(results, None)
            if rows is None:
                return INTERRUPTED
            stop = None if stopping is None else stopping.look([row.verdict for row in rows])
            rows = rows[:stop]
            store.add(part, rows)
            if on_rows is not None:
                on_rows(rows)
            store.tick()
            if stopping is not None and stop is not None:
                return stopping.end
            left -= len(rows)
    return COMPLETE


class Stopping:
    """Says when a study that stops by its width may stop.

    It looks after 1, 2, ... deals in the order of the seeds, later after every hundredth part more: at numbers of deals
    that are fixed beforehand, so that it stops at the same deal wherever the deals are solved. Since it looks often,
    the interval must be a confidence sequence.

    Parameters
    ----------
    study
        One with `until_width`.
    """

    def __init__(self, study: Study) -> None:
        self._study = study
        self._counts: Counter[str] = Counter()
        self._next = 1
        self.deals: int | None = None
        """After how many deals it has stopped; None if it has not."""
        self.end = COMPLETE
        """How it has ended: ``"width out of reach"`` if the share of undecided deals is surely above the width."""

    def look(self, verdicts: list[str]) -> int | None:
        """Take in the next verdicts; return how many of them were needed if the study may stop now, else None."""
        done = 0
        while done < len(verdicts):
            step = min(self._next - self._counts.total(), len(verdicts) - done)
            self._counts.update(verdicts[done : done + step])
            done += step
            deals = self._counts.total()
            if deals == self._next:
                self._next += max(1, int(deals * PEEK_GROWTH))
                if self._may_stop():
                    self.deals = deals
                    return done
        return None

    def _may_stop(self) -> bool:
        width = self._study.until_width
        assert width is not None
        found = self._study.estimate(self._counts)
        if found.width <= width:
            return True
        if sequence(found.undecided, found.deals, SURELY)[0] > width:
            self.end = OUT_OF_REACH
            return True
        return False


def _rows_in_order(
    store: Store, where: Workers, size: int, idle: Callable[[], object]
) -> Generator[list[Row], None, None]:
    """Yield the missing rows, chunk by chunk, up to the first deal that was not finished."""
    study = store.study
    # Other executors than threads send their tasks elsewhere, where this stop means nothing.
    shared = where.stop if isinstance(where.executor, ThreadPoolExecutor) else None
    budget = (study.budget, *store.description.layers)[store.layer]
    function = functools.partial(solve_chunk, study.rules, budget, study.shuffle, shared, solver_version())

    def chunks() -> Iterator[list[int]]:
        for part in store.parts():
            yield from part.missing.chunks(size)

    limit = IN_FLIGHT * where.jobs
    results = in_order(
        where.executor, function, chunks(), limit=limit, stop=where.stop, abandon=where.abandon, idle=idle
    )
    with closing(results):
        for rows, done in results:
            if rows:
                yield rows
            if not done:
                return


def solve_chunk(
    rules: Rules, budget: Budget, shuffle: str, stop: Stop | None, version: str, seeds: list[int]
) -> tuple[list[Row], bool]:
    """Solve the deals of some seeds in this thread.

    Returns
    -------
    rows
        One for each seed; fewer if stopped.
    done
        Whether there is a row for each seed.

    Raises
    ------
    InputError
        If another version of the solver runs here than the one that is expected.
    """
    if not same_solver(version, solver_version()):
        raise InputError(f"a worker has another version of the solver: {solver_version()} there, {version} here")
    rows = []
    for seed, deal in zip(seeds, deal_chunk(rules, shuffle, seeds), strict=True):
        verdict = solve_here(rules, budget, stop, deal)
        if verdict is None:
            break
        moves = None if verdict.moves is None else len(verdict.moves)
        rows.append(
            Row(seed, verdict.verdict, verdict.reason, verdict.stage, verdict.states, round(verdict.seconds, 6), moves)
        )
    return rows, len(rows) == len(seeds)


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

    Solutions are shortened where that can be done. Deals are read as they are needed. Ctrl-C ends it early by raising
    `KeyboardInterrupt`, once the verdicts before the interrupted deal are out.

    Raises
    ------
    InputError
        If `jobs` is out of range, or where reading the deals raised one.
    """
    jobs = check_jobs(jobs)
    get_ready(rules)
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
    return name, deal, solve_here(rules, budget, stop, deal, shorten=True)
