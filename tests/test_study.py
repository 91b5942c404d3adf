"""Studies: seeds, work in order, rows that do not depend on how they were made, stops that lose nothing."""

from __future__ import annotations

import concurrent.futures
import itertools
import os
import signal
import threading
import time
from collections.abc import Iterable, Iterator

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solitaire_lab.errors import InputError
from solitaire_lab.rules import load_game
from solitaire_lab.solver import Stop, warm_up
from solitaire_lab.study.plan import Study, size_text
from solitaire_lab.study.pool import check_jobs, default_jobs, in_order, workers
from solitaire_lab.study.result import StudyResult
from solitaire_lab.study.rows import Row, Rows
from solitaire_lab.study.run import run, solve_all
from solitaire_lab.study.seeds import LAST_SEED, Seeds
from solitaire_lab.verdicts import Budget
from solitaire_lab.view.progress import Progress

SMALL = Budget(max_states=2000)


def study(seeds: str = "1-40", game: str = "pyramid", **more: object) -> Study:
    return Study(load_game(game), Seeds.parse(seeds), **{"budget": SMALL, **more})  # type: ignore[arg-type]


def without_seconds(rows: Iterable[Row]) -> list[Row]:
    return [row._replace(seconds=0) for row in rows]


# Seeds.


@pytest.mark.parametrize(
    ("text", "seeds"),
    [("7", [7]), ("1-4", [1, 2, 3, 4]), ("1-3,20", [1, 2, 3, 20]), (" 5 - 6 , 2", [5, 6, 2]), ("0", [0])],
)
def test_seeds_are_read(text: str, seeds: list[int]) -> None:
    assert list(Seeds.parse(text)) == seeds
    assert Seeds.parse(text).count == len(seeds)


@pytest.mark.parametrize(
    "text", ["", "x", "1-", "-1", "1--2", "5-1", "1,,2", "1.5", str(2**64), "1-18446744073709551616", "١", "9" * 50]
)
def test_bad_seeds_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="seed"):
        Seeds.parse(text)


def test_all_seeds_take_no_room() -> None:
    seeds = Seeds.parse(f"0-{LAST_SEED}")
    assert seeds.count == 2**64
    assert next(seeds.chunks(3)) == [0, 1, 2]
    assert seeds.highest == LAST_SEED
    assert Seeds.parse(str(LAST_SEED)).highest == LAST_SEED


@given(st.lists(st.integers(0, LAST_SEED), min_size=1, max_size=20), st.integers(1, 7))
def test_seeds_of_a_list_keep_its_order(numbers: list[int], size: int) -> None:
    seeds = Seeds.of(numbers)
    assert list(seeds) == numbers
    assert [seed for chunk in seeds.chunks(size) for seed in chunk] == numbers
    assert (seeds.repeated() is None) == (len(set(numbers)) == len(numbers))


def test_seeds_come_in_many_forms() -> None:
    assert Seeds.of(range(1, 5)) == Seeds.of("1-4") == Seeds.of([1, 2, 3, 4]) == Seeds.starting(1, 4)
    assert Seeds.of(7).text() == "7"
    assert Seeds.of(Seeds.of(7)).text() == "7"
    assert Seeds.of(range(0, 10, 5)).text() == "0,5"
    assert Seeds.parse("1-2,9,11,13,15,17,19,21,23").text() == "1-2,9,11,13,...,21,23"
    for bad in (1.5, ["a"], [], range(0), [-1]):
        with pytest.raises(InputError):
            Seeds.of(bad)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="deals=0"):
        Seeds.starting(1, 0)


# Work in order.


def test_results_keep_the_order_of_the_tasks() -> None:
    def slow_first(number: int) -> int:
        time.sleep(0.05 if number == 0 else 0)
        return number * number

    with workers(4) as (executor, stop):
        results = list(in_order(executor, slow_first, range(50), limit=8, stop=stop))
    assert results == [number * number for number in range(50)]


def test_no_more_than_the_limit_is_read_ahead() -> None:
    read = []

    def tasks() -> Iterator[int]:
        for number in itertools.count():
            read.append(number)
            yield number

    with workers(2) as (executor, stop):
        results = in_order(executor, str, tasks(), limit=5, stop=stop)
        assert [next(results) for _ in range(10)] == [str(number) for number in range(10)]
        time.sleep(0.3)
        assert len(read) <= 10 + 5 + 1
        results.close()


def test_an_error_in_the_tasks_comes_after_the_results_before_it() -> None:
    def tasks() -> Iterator[int]:
        yield from (1, 2, 3)
        raise InputError("line 4")

    with workers(2) as (executor, stop):
        results = in_order(executor, abs, tasks(), limit=8, stop=stop)
        assert [next(results) for _ in range(3)] == [1, 2, 3]
        with pytest.raises(InputError, match="line 4"):
            next(results)


def test_a_result_does_not_wait_for_the_next_task() -> None:
    gate = threading.Event()

    def tasks() -> Iterator[int]:
        yield 1
        gate.wait(10)
        yield 2

    with workers(1) as (executor, stop):
        results = in_order(executor, abs, tasks(), limit=4, stop=stop)
        assert next(results) == 1
        assert not gate.is_set()
        gate.set()
        assert next(results) == 2


def test_a_stop_ends_the_wait_for_tasks_that_never_come() -> None:
    gate = threading.Event()

    def tasks() -> Iterator[int]:
        gate.wait(10)
        yield 1

    stop = Stop()
    with concurrent.futures.ThreadPoolExecutor(1) as executor:
        results = in_order(executor, abs, tasks(), limit=4, stop=stop)
        stop.set()
        assert list(results) == []
        gate.set()


def test_jobs_are_checked() -> None:
    assert check_jobs(None) == default_jobs() >= 1
    for bad in (0, -1, 5000):
        with pytest.raises(InputError, match="jobs"):
            check_jobs(bad)


# Studies.


def test_rows_do_not_depend_on_how_they_are_made() -> None:
    plan = study()
    rows = without_seconds(run(plan, jobs=1, chunk=1).rows)
    assert [row.seed for row in rows] == list(range(1, 41))
    assert without_seconds(run(plan, jobs=2).rows) == rows
    assert without_seconds(run(plan, jobs=3, chunk=7).rows) == rows
    with concurrent.futures.ThreadPoolExecutor(2) as executor:
        assert without_seconds(run(plan, executor=executor).rows) == rows
        assert executor.submit(abs, -1).result() == 1  # left running


def test_rows_of_processes_are_those_of_threads() -> None:
    plan = study("1-6,100", "stonewall")
    assert without_seconds(run(plan, jobs=2, processes=True).rows) == without_seconds(run(plan).rows)


@pytest.mark.parametrize(
    ("game", "shuffle"), [("klondike", "pysol"), ("klondike", "solvitaire"), ("pyramid", "native")]
)
def test_rows_are_the_verdicts_of_the_deals(game: str, shuffle: str) -> None:
    plan = study("1-5", game, shuffle=shuffle)
    from solitaire_lab.deals import deal_seed

    deals = [(str(seed), deal_seed(plan.rules, seed, shuffle)) for seed in plan.seeds]
    single = [
        (int(name), verdict.verdict, verdict.states) for name, _, verdict in solve_all(plan.rules, deals, SMALL, jobs=1)
    ]
    assert [(row.seed, row.verdict, row.states) for row in run(plan).rows] == single


def test_frame_has_one_row_a_deal() -> None:
    result = run(study("1-30", "stonewall"))
    frame = result.frame
    assert list(frame.columns) == ["seed", "verdict", "reason", "stage", "states", "seconds", "moves", "layer"]
    assert len(frame) == 30
    assert frame["seed"].tolist() == list(range(1, 31))
    assert frame["moves"].notna().equals(frame["verdict"] == "winnable")
    assert frame["reason"].notna().equals(frame["verdict"] == "undecided")
    assert frame["states"].max() <= SMALL.max_states
    assert frame.attrs["options"] == "worrying_back=true, return_to_space=true, group=run, spaces=any"
    assert isinstance(frame, pd.DataFrame)


def test_empty_frame_has_the_same_types() -> None:
    full = run(study("1-3")).frame
    empty = StudyResult(study(), Rows(), 0.0, "interrupted").frame
    assert len(empty) == 0
    assert empty.dtypes["seed"] == full.dtypes["seed"]


def test_frame_holds_the_largest_seed() -> None:
    assert run(study(str(LAST_SEED))).frame["seed"].tolist() == [LAST_SEED]


def made_up(rows: str, end: str = "complete", seeds: str = "1-4") -> StudyResult:
    verdicts = {"w": ("winnable", None, 5), "l": ("unwinnable", None, None), "u": ("undecided", "states", None)}
    made = []
    for seed, letter in enumerate(rows, start=1):
        verdict, reason, moves = verdicts[letter]
        made.append(Row(seed, verdict, reason, "search", 10, 0.5, moves))
    return StudyResult(study(seeds), Rows(made), 2.0, end)


def test_json_is_as_the_contract_says() -> None:
    data = made_up("wlwu").to_json()
    keys = "schema game options deals winnable unwinnable undecided low high confidence states seconds version"
    more = "shuffle seeds budget escalated interval solver"
    assert list(data) == keys.split() + more.split()
    assert (data["schema"], data["game"], data["deals"], data["states"], data["seconds"]) == (1, "pyramid", 4, 40, 2.0)
    assert (data["winnable"], data["unwinnable"], data["undecided"]) == (2, 1, 1)
    assert data["options"]["passes"] == 1


def test_text_says_it_all() -> None:
    text = made_up("wlwu").text()
    for part in (
        "Pyramid (pyramid)",
        "passes=1",
        "seeds 1-4",
        "2,000 states a deal",
        "2 (50.00 %)",
        "a larger --max-states lowers it",
        "95 % confidence, Wilson",
        "40 states in 2.0 CPU s",
        "2.0 deals/s",
        "solitaire_lab 0.",
    ):
        assert part in text
    assert "interrupted" not in text
    assert "first 2 of 4 deals" in made_up("wl", "interrupted").text()
    assert str(made_up("w")) == made_up("w").text()


def test_html_is_escaped() -> None:
    html = made_up("w")._repr_html_()
    assert "<table>" in html
    assert "Pyramid (pyramid)" in html


def test_sizes_in_words() -> None:
    assert [size_text(size) for size in (2**31, 2**26, 3 * 2**10, 1000001)] == ["2G", "64M", "3K", "1,000,001 bytes"]


def test_a_seed_may_not_come_twice() -> None:
    with pytest.raises(InputError, match="seed 5 comes twice"):
        study("1-10,5")


def test_seeds_that_the_shuffle_lacks_are_refused_at_once() -> None:
    with pytest.raises(InputError, match="solvitaire deals have numbers"):
        study(f"1-{2**32}", "klondike", shuffle="solvitaire")


def test_interrupt_keeps_the_first_deals() -> None:
    seen: list[Row] = []

    def interrupt(rows: list[Row]) -> None:
        seen.extend(rows)
        if len(seen) == 3:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.01)

    before = signal.getsignal(signal.SIGINT)
    result = run(study("1-1000000"), jobs=2, chunk=1, on_rows=interrupt)
    assert result.end == "interrupted"
    assert 3 <= len(result.rows) < 100
    assert [row.seed for row in result.rows] == list(range(1, len(result.rows) + 1))
    assert signal.getsignal(signal.SIGINT) == before
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("solitaire-lab_")]


def test_a_hard_deal_is_interrupted_within_its_search() -> None:
    plan = study("1-1000", "stonewall", budget=Budget(max_states=10**9))
    warm_up(plan.rules)
    timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    started = time.monotonic()
    result = run(plan, jobs=2)
    timer.join()
    assert result.end == "interrupted"
    assert time.monotonic() - started < 10


def test_single_deals_are_interrupted_too() -> None:
    plan = study("1-100000")
    from solitaire_lab.deals import deal_seed

    deals = ((str(seed), deal_seed(plan.rules, seed)) for seed in plan.seeds)
    results = solve_all(plan.rules, deals, SMALL, jobs=2)
    names = [int(next(results)[0]) for _ in range(5)]
    os.kill(os.getpid(), signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        names.extend(int(name) for name, _, _ in results)
    assert names == list(range(1, len(names) + 1))
    assert len(names) < 200


def test_an_error_in_the_callback_stops_the_workers() -> None:
    def fail(_rows: list[Row]) -> None:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        run(study("1-1000000"), on_rows=fail)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("solitaire-lab_")]


class DyingExecutor(concurrent.futures.Executor):
    """Runs some tasks, then is broken."""

    def __init__(self) -> None:
        self.left = 3

    def submit(self, function, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        future: concurrent.futures.Future[object] = concurrent.futures.Future()
        self.left -= 1
        if self.left < 0:
            future.set_exception(concurrent.futures.BrokenExecutor("gone"))
        else:
            future.set_result(function(*args, **kwargs))
        return future


def test_a_lost_worker_keeps_the_first_deals() -> None:
    result = run(study("1-100"), executor=DyingExecutor(), chunk=2)
    assert result.end == "worker lost"
    assert [row.seed for row in result.rows] == [1, 2, 3, 4, 5, 6]


def test_chunk_is_checked() -> None:
    with pytest.raises(InputError, match="chunk"):
        run(study("1-3"), chunk=0)


# Progress.


class Stream:
    def __init__(self, terminal: bool) -> None:
        self.terminal = terminal
        self.text = ""

    def isatty(self) -> bool:
        return self.terminal

    def write(self, text: str) -> None:
        self.text += text

    def flush(self) -> None:
        pass


def test_progress_is_a_bar_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Stream(terminal=True)
    progress = Progress(study("1-4"), stream)  # type: ignore[arg-type]
    progress(made_up("wl").rows)
    progress._bar.refresh()  # type: ignore[union-attr]
    assert "2/4" in stream.text
    assert "deals/s" in stream.text
    assert "winnable" in stream.text
    progress.close()


def test_progress_is_a_line_now_and_then_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Stream(terminal=False)
    progress = Progress(study("1-4"), stream)  # type: ignore[arg-type]
    progress(made_up("w").rows)
    assert stream.text == ""
    monkeypatch.setattr("solitaire_lab.view.progress.LINE_EVERY", 0.0)
    progress(made_up("l").rows)
    progress.close()
    assert stream.text.startswith("pyramid: 2 of 4 deals, ")
    assert stream.text.count("\n") == 1
    assert "s left" in stream.text
