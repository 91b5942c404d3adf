"""Measure studies: ``python benchmarks/studies.py [SECTION ...]``.

Nothing is judged here. The sections say what the runner costs beside the searches, what two threads gain over one, how
large a stored study is and how fast it opens, and what memory a long one takes. Close other programs first.
"""

from __future__ import annotations

import multiprocessing
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

import numpy as np
from sections import Row, Sections, run

import solitaire_lab as sl
from solitaire_lab.study.plan import Study
from solitaire_lab.study.seeds import Seeds
from solitaire_lab.study.store import open_store

MADE_UP = """
import resource, sys
from concurrent.futures import Executor, Future
from solitaire_lab.rules import load_game
from solitaire_lab.study.plan import Study
from solitaire_lab.study.rows import Row
from solitaire_lab.study.run import run
from solitaire_lab.study.seeds import Seeds
from solitaire_lab.study.store import open_store

class MadeUp(Executor):
    def submit(self, function, seeds):
        future = Future()
        rows = [Row(s, "winnable", None, "complete", s * 7919 % 9973, s % 1009 / 1e6, s % 89) for s in seeds]
        future.set_result((rows, True))
        return future

def megabytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

study = Study(load_game("stonewall"), Seeds.starting(1, int(sys.argv[1])))
with open_store(Study(study.game, Seeds.starting(1, 40000))) as store:
    run(store.study, store=store, executor=MadeUp()).rows.table()
before = megabytes()
with open_store(study, sys.argv[2] or None) as store:
    result = run(study, store=store, executor=MadeUp())
assert len(result.rows) == study.seeds.count
print(before, megabytes(), result.elapsed)
"""
"""A study whose deals are not searched: their rows are made up at once, so that a million deals take seconds."""


class TimedThreads(ThreadPoolExecutor):
    """Threads that add up the CPU time of their tasks."""

    def __init__(self, jobs: int) -> None:
        super().__init__(jobs)
        self.seconds = 0.0
        self._lock = threading.Lock()

    def submit(self, function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Time a task."""

        def timed() -> Any:
            before = time.thread_time()
            result = function(*args, **kwargs)
            with self._lock:
                self.seconds += time.thread_time() - before
            return result

        return super().submit(timed)


def overhead(deals: int) -> list[Row]:
    """Share of the process's CPU time that is spent outside of the tasks (dealing, search, replay of solutions)."""
    rows: list[Row] = []
    for game, count in (("stonewall", 10 * deals), ("klondike", deals), ("cheops", 10 * deals)):
        sl.study(game, 20)
        for jobs in (1, 2):
            with tempfile.TemporaryDirectory() as folder, TimedThreads(jobs) as executor:
                sl.study(game, 20, executor=executor, jobs=jobs, out=Path(folder, "first"))
                executor.seconds = 0.0
                before = time.process_time()
                result = sl.study(game, count, executor=executor, jobs=jobs, out=Path(folder, "kept"))
                total = time.process_time() - before
            rows.append(
                {
                    "game": game,
                    "threads": jobs,
                    "deals": count,
                    "CPU s": total,
                    "search CPU s": result.seconds,
                    "runner %": 100 * (total - executor.seconds) / total,
                }
            )
    return rows


def threads(deals: int) -> list[Row]:
    """Run compute-bound studies on one thread, on two, and in two processes at once that share nothing, in turn.

    What two processes reach is what the machine gives: two cores at work are slower than one.
    """
    rows: list[Row] = []
    context = multiprocessing.get_context("spawn")
    both_ready = context.Barrier(2)
    with ProcessPoolExecutor(2, context, initializer=_share, initargs=(both_ready,)) as apart:
        for game, count, states in (("klondike", deals, 200_000), ("stonewall", 10 * deals, 1_000_000)):
            one, two, each = [], [], []
            for _ in range(5):
                one.append(_clock(game, count, states, 1))
                two.append(_clock(game, count, states, 2))
                each.append(max(apart.map(_clock_apart, 2 * [game], 2 * [count], 2 * [states])))
            faster = [alone / together for alone, together in zip(one, two, strict=True)]
            rows.append(
                {
                    "game": game,
                    "deals": count,
                    "one, clock s": statistics.median(one),
                    "two, clock s": statistics.median(two),
                    "times faster (median)": statistics.median(faster),
                    "in each run": " ".join(f"{ratio:.2f}" for ratio in faster),
                    "two processes (median)": statistics.median(
                        2 * alone / slower for alone, slower in zip(one, each, strict=True)
                    ),
                }
            )
    return rows


def _clock(game: str, deals: int, max_states: int, jobs: int) -> float:
    """Return the seconds by the clock that a study takes."""
    return sl.study(game, deals, jobs=jobs, max_states=max_states).elapsed or 0.0


_both_ready: Barrier


def _share(both_ready: Barrier) -> None:
    global _both_ready  # noqa: PLW0603
    _both_ready = both_ready


def _clock_apart(game: str, deals: int, max_states: int) -> float:
    """Return the same in a process of its own, which begins when the other one is ready, too."""
    _clock(game, 20, max_states, 1)
    _both_ready.wait()
    return _clock(game, deals, max_states, 1)


def store(deals: int) -> list[Row]:
    """Rows as a study of Stonewall has them, drawn from the first 2,000 deals, in a folder: size and opening."""
    sample = list(sl.study("stonewall", 2000).rows)
    count = 100 * deals
    generator = np.random.default_rng(1)
    places = generator.integers(len(sample), size=count).tolist()
    factors = generator.uniform(0.8, 1.25, size=count).tolist()  # no two deals take the same time
    study = Study(sl.load_game("stonewall"), Seeds.starting(1, count))
    with tempfile.TemporaryDirectory() as folder:
        before = time.perf_counter()
        with open_store(study, folder) as kept:
            for part in kept.parts():
                rows = []
                for seed in part.missing:
                    row, factor = sample[places[seed - 1]], factors[seed - 1]
                    states = row.states if row.states < 100 else int(row.states * factor)
                    rows.append(row._replace(seed=seed, states=states, seconds=round(row.seconds * factor, 6)))
                kept.add(part, rows)
            kept.flush()
        written = time.perf_counter() - before
        size = sum(path.stat().st_size for path in Path(folder).rglob("*.parquet"))
        before = time.perf_counter()
        result = sl.open_study(folder)
        found = result.estimate
        opened = time.perf_counter() - before
        before = time.perf_counter()
        table = sl.analysis.by_verdict(result.frame)
        aggregated = time.perf_counter() - before
        return [
            {
                "deals": found.deals,
                "MB": size / 1e6,
                "bytes a deal": size / count,
                "written, clock s": written,
                "opened and counted, clock s": opened,
                "frame by verdict, clock s": aggregated,
                "groups": len(table),
            }
        ]


def memory(deals: int) -> list[Row]:
    """Run studies whose rows are made up without a search: largest memory of the process, also after 40,000 deals."""
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        for factor in (10, 100):
            for out in ("", f"{folder}/{factor}"):
                command = [sys.executable, "-c", MADE_UP, str(factor * deals), out]
                done = subprocess.run(command, check=True, capture_output=True, text=True)
                before, after, elapsed = map(float, done.stdout.split())
                rows.append(
                    {
                        "kept": "in a folder" if out else "in memory",
                        "deals": factor * deals,
                        "clock s": elapsed,
                        "MB after 40,000": before,
                        "MB at the end": after,
                        "bytes a deal": max(0.0, after - before) * 2**20 / (factor * deals),
                    }
                )
    return rows


SECTIONS: Sections = {
    "overhead": (overhead, 100),
    "threads": (threads, 300),
    "store": (store, 10_000),
    "memory": (memory, 10_000),
}
"""Each with its size; a million deals for the store and, at the most, for memory."""


if __name__ == "__main__":
    run(__doc__, SECTIONS)
