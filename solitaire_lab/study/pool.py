"""Workers: bounded work in flight on any executor, results in the order of the tasks, and a clean stop.

The default is a pool of threads, since the kernels let go of Python's lock. Worker processes are for isolation.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import multiprocessing
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing.connection import Connection
from types import FrameType
from typing import TypeVar

from solitaire_lab.deals import Deal
from solitaire_lab.errors import InputError
from solitaire_lab.rules import Rules
from solitaire_lab.solver import Solver, Stop, warm_up
from solitaire_lab.verdicts import Budget, Verdict

Task = TypeVar("Task")
Result = TypeVar("Result")

POLL = 0.1
"""Seconds between looks at the stop flag by a thread that waits for something else."""

SWITCH = 0.0005
"""Seconds after which a thread hands Python's lock to one that waits for it: short, as most deals are."""

MOST_JOBS = 1024


def default_jobs() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_jobs(jobs: int | None) -> int:
    """Return the number of workers; the number of cores for None.

    Raises
    ------
    InputError
        If it is out of range.
    """
    if jobs is None:
        return default_jobs()
    if not 1 <= jobs <= MOST_JOBS:
        raise InputError(f"jobs={jobs}: expected a whole number from 1 to {MOST_JOBS}")
    return jobs


@contextlib.contextmanager
def workers(jobs: int, *, processes: bool = False) -> Iterator[tuple[Executor, Stop]]:
    """Run a pool of workers.

    Yields
    ------
    executor, stop
        Setting the stop makes every worker give up its deal as soon as it looks.
    """
    stop: Stop
    executor: Executor
    if processes:
        context = multiprocessing.get_context("spawn")
        reader, writer = context.Pipe(duplex=False)
        stop = _SharedStop(writer)
        executor = ProcessPoolExecutor(jobs, mp_context=context, initializer=_start_process, initargs=(reader,))
    else:
        stop = Stop()
        executor = ThreadPoolExecutor(jobs, thread_name_prefix="solitaire-lab")
    interval = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH)
    try:
        yield executor, stop
    finally:
        sys.setswitchinterval(interval)
        stop.set()
        executor.shutdown(wait=True, cancel_futures=True)


@contextlib.contextmanager
def stop_on_interrupt(stop: Stop) -> Iterator[None]:
    """Have Ctrl-C set the stop instead of raising; a second Ctrl-C raises as usual.

    Does nothing outside the main thread, where signals cannot be handled.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, before)
        stop.set()

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def in_order(
    executor: Executor,
    function: Callable[[Task], Result],
    tasks: Iterable[Task],
    *,
    limit: int,
    stop: Stop,
    abandon: bool = False,
    idle: Callable[[], object] | None = None,
) -> Generator[Result, None, None]:
    """Run a function on tasks and yield the results in the order of the tasks.

    Tasks are read by a thread of their own, so that a result is yielded as soon as it is next in order even
    while the next task is still awaited (a line on standard input, say).

    Parameters
    ----------
    executor
        Where the function runs.
    function, tasks
        What is run. An exception while reading the tasks is raised once the results before it are out.
    limit
        How many tasks may be in flight.
    stop
        Once set, no more tasks are read; what was submitted is still yielded.
    abandon
        Once the stop is set, do not wait for what was submitted: it runs where nobody sees the stop.
    idle
        Called now and then while the next result is awaited.
    """
    futures: queue.SimpleQueue[Future[Result] | Exception | None] = queue.SimpleQueue()
    room = threading.Semaphore(limit)
    closed = threading.Event()

    def ended() -> bool:
        return closed.is_set() or stop.is_set()

    def feed() -> None:
        _block_interrupts()
        end = None
        try:
            for task in tasks:
                while not (ended() or room.acquire(timeout=POLL)):
                    pass
                if ended():
                    break
                futures.put(executor.submit(function, task))
        except Exception as error:
            end = error
        finally:
            if isinstance(tasks, Generator):
                tasks.close()
        futures.put(end)

    threading.Thread(target=feed, name="solitaire-lab-feed", daemon=True).start()
    try:
        while True:
            try:
                future = futures.get(timeout=POLL)
            except queue.Empty:
                if stop.is_set():  # the feeding thread may wait for input that never comes
                    return
                continue
            if future is None:
                return
            if isinstance(future, Exception):
                raise future
            while not future.done():
                concurrent.futures.wait([future], timeout=POLL)
                if abandon and stop.is_set():
                    return
                if idle is not None:
                    idle()
            yield future.result()
            room.release()
    finally:
        closed.set()


def _block_interrupts() -> None:
    """Keep Ctrl-C from this thread and from the processes that it starts: only the main thread handles it."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


@contextlib.contextmanager
def interrupts_blocked() -> Iterator[None]:
    """Keep Ctrl-C from the threads and processes that are started meanwhile."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# One solver a thread, kept from task to task.

_own = threading.local()
_ready: set[Rules] = set()
_getting_ready = threading.Lock()


def get_ready(rules: Rules) -> None:
    """Have the kernels for these rules loaded or compiled in this process, once, so that timings leave it out."""
    with _getting_ready:
        if rules not in _ready:
            warm_up(rules)
            _ready.add(rules)


def solve_here(rules: Rules, budget: Budget, stop: Stop | None, deal: Deal, *, shorten: bool = False) -> Verdict | None:
    """Solve a deal with this thread's solver, which keeps its scratch and table; None if stopped before the end."""
    stop = stop or _process_stop
    if stop is not None and stop.is_set():
        return None
    key = (rules, budget, stop)
    if getattr(_own, "key", None) != key:
        _own.solver = None  # first let go of the old table
        get_ready(rules)
        _own.solver = Solver(rules, budget, stop=stop)
        _own.key = key
    verdict: Verdict = _own.solver.solve(deal, check=False, shorten=shorten)
    return None if verdict.reason == "interrupted" else verdict


# Worker processes: each has a stop flag of its own, set at the end of the stop pipe, of which the parent alone holds
# the other end. (A shared event would not do: setting one waits for its waiters, and a killed worker never answers.)

_process_stop: Stop | None = None


class _SharedStop(Stop):
    """A stop that worker processes see too."""

    def __init__(self, writer: Connection) -> None:
        super().__init__()
        self._writer = writer

    def set(self) -> None:
        super().set()
        self._writer.close()


def _start_process(reader: Connection) -> None:
    """Prepare a worker process: it leaves Ctrl-C to its parent, and ends when its parent has died."""
    global _process_stop  # noqa: PLW0603
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    stop = _process_stop = Stop()
    parent = multiprocessing.parent_process()

    def watch() -> None:
        reader.poll(None)
        stop.set()
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, name="solitaire-lab-watch", daemon=True).start()
