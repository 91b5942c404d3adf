"""The rows of a study do not depend on where its deals are solved, nor on workers that die on the way."""

from __future__ import annotations

import concurrent.futures
import os
import signal
from pathlib import Path

import pytest

from solitaire_lab.errors import InputError
from solitaire_lab.rules import load_game
from solitaire_lab.study import cluster
from solitaire_lab.study import run as run_module
from solitaire_lab.study.plan import Study
from solitaire_lab.study.result import StudyResult
from solitaire_lab.study.rows import Row
from solitaire_lab.study.run import run, solve_chunk
from solitaire_lab.study.seeds import Seeds
from solitaire_lab.study.store import open_store, open_study, planned
from solitaire_lab.verdicts import Budget

distributed = pytest.importorskip("distributed")

RESTARTS = 30_000
"""States enough for searches with shuffled moves on Cheops and Cleopatra."""


def plan(game: str, deals: int, max_states: int) -> Study:
    return Study(load_game(game), Seeds.starting(1, deals), Budget(max_states))


def facts(result: StudyResult) -> list[Row]:
    """Return the rows but for their seconds."""
    return [row._replace(seconds=0) for row in result.rows]


class Backwards(concurrent.futures.Executor):
    """Solves tasks in bunches, the last one first, as a cluster might."""

    def __init__(self) -> None:
        self.waiting: list[tuple[concurrent.futures.Future[object], object, tuple[object, ...]]] = []

    def submit(self, function, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        future: concurrent.futures.Future[object] = concurrent.futures.Future()
        self.waiting.append((future, function, args))
        if len(self.waiting) == 3:  # both studies have a multiple of that many tasks
            while self.waiting:
                waiting, call, with_these = self.waiting.pop()
                waiting.set_result(call(*with_these))  # type: ignore[operator]
        return future


@pytest.mark.parametrize(("game", "deals", "max_states"), [("stonewall", 96, 2000), ("cleopatra", 12, RESTARTS)])
def test_rows_do_not_depend_on_executor_jobs_or_chunk(game: str, deals: int, max_states: int) -> None:
    study = plan(game, deals, max_states)
    first = run(study, jobs=1, chunk=1)
    assert game == "stonewall" or {row.stage for row in first.rows} > {"first"}  # searches with shuffled moves too
    assert len(first.counts) > 1
    for how in (
        {"jobs": 2},
        {"jobs": 3, "chunk": 7},
        {"jobs": 1, "chunk": 1000},
        {"executor": Backwards(), "chunk": 2},
    ):
        assert facts(run(study, **how)) == facts(first), how  # type: ignore[arg-type]


def test_a_study_that_stops_by_itself_stops_at_the_same_deal_everywhere() -> None:
    study = planned(load_game("stonewall"), until_width=0.4, budget=Budget(2000))
    first = run(study, jobs=1, chunk=1)
    assert first.estimate.width <= 0.4
    assert run_module.Stopping(study).look([row.verdict for row in list(first.rows)[:-1]]) is None
    for how in (
        {"jobs": 3, "chunk": 5},
        {"jobs": 1, "chunk": 100},
        {"executor": concurrent.futures.ThreadPoolExecutor(2)},
    ):
        assert facts(run(study, **how)) == facts(first), how  # type: ignore[arg-type]


def test_a_cluster_gives_the_same_rows_though_a_worker_is_killed(tmp_path: Path) -> None:
    """A real cluster, over TCP: two worker processes, one of which is killed in the middle of the study."""
    study = plan("stonewall", 120, 2000)
    expected = facts(run(study))
    killed: list[int] = []

    def kill(_rows: list[Row]) -> None:
        if not killed:
            with distributed.Client(two.scheduler_address, set_as_default=False) as client:
                killed.extend(client.run(os.getpid).values())
            os.kill(killed[0], signal.SIGKILL)

    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, protocol="tcp://", dashboard_address=None, silence_logs=50
    ) as two:
        assert two.scheduler_address.startswith("tcp://")
        with open_store(study, tmp_path, shard_deals=50) as store:
            result = run(study, store=store, dask=two.scheduler_address, chunk=4, on_rows=kill)
    assert len(killed) == 2
    assert result.end == "complete"
    assert facts(result) == expected
    assert facts(open_study(tmp_path)) == expected


def test_a_cluster_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1)
    for address in ("tcp://127.0.0.1:9", "nonsense://x", "tcp://127.0.0.1:port"):
        with pytest.raises(InputError, match="cannot reach a scheduler"):
            run(plan("stonewall", 2, 100), dask=address)


def test_a_worker_of_another_version_is_refused() -> None:
    study = plan("stonewall", 2, 100)
    with pytest.raises(InputError, match="a worker has another version"):
        solve_chunk(study.rules, study.budget, "native", None, "0.0.1+0123456789ab", [1])
