"""Studies in folders: resumed after any end, refused where they differ, opened by others, damaged and mended."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import solitaire_lab as sl
from solitaire_lab.cli import main
from solitaire_lab.errors import InputError
from solitaire_lab.rules import Game, load_game
from solitaire_lab.study import run as run_module
from solitaire_lab.study import store as store_module
from solitaire_lab.study.plan import Study
from solitaire_lab.study.result import StudyResult
from solitaire_lab.study.rows import Row, Rows, joined, rows_of, table_of
from solitaire_lab.study.run import run
from solitaire_lab.study.seeds import Seeds
from solitaire_lab.study.shards import STUDY_FILE, DamagedError, read_shard, shard_path
from solitaire_lab.study.store import open_store, open_study
from solitaire_lab.verdicts import Budget

TINY = 300
"""States for a deal: some are decided, some are not, all at once."""


def plan(seeds: str = "1-100", game: str | Game = "stonewall", max_states: int = TINY, **more: object) -> Study:
    chosen = load_game(game) if isinstance(game, str) else game
    return Study(chosen, Seeds.parse(seeds), Budget(max_states), **more)  # type: ignore[arg-type]


def stored(folder: Path, study: Study, *, shard_deals: int = 32, escalate: bool = False, **how: object) -> StudyResult:
    """Run a study in a folder."""
    with open_store(study, folder, shard_deals=shard_deals, escalate=escalate) as store:
        return run(study, store=store, **how)  # type: ignore[arg-type]


def facts(result: StudyResult) -> list[Row]:
    """Return the rows but for their seconds."""
    return [row._replace(seconds=0) for row in result.rows]


@pytest.fixture(scope="module")
def whole() -> list[Row]:
    """The rows of the usual study, made in memory without a break."""
    return facts(run(plan()))


# Rows in columns.


def test_rows_come_back_from_columns() -> None:
    rows = [
        Row(2**64 - 1, "winnable", None, "first", 5, 0.5, 7),
        Row(3, "undecided", "states", "complete", 9, 1.5, None, 2),
    ]
    assert list(rows_of(table_of(rows))) == rows
    assert list(rows_of(joined([table_of(rows), table_of([]), table_of(rows)]))) == rows * 2


def test_rows_count_themselves_however_they_came(whole: list[Row]) -> None:
    one, other = Rows(whole), Rows.of_table(table_of(whole[:60]))
    other.extend(whole[60:])
    assert list(one) == list(other) == whole
    assert (one.counts, one.reasons, one.states) == (other.counts, other.reasons, other.states)
    assert len(one) == len(other) == 100
    assert sum(one.reasons.values()) == one.counts["undecided"] > 0


# Resuming.


def test_a_study_is_stored_and_opened(tmp_path: Path, whole: list[Row]) -> None:
    assert facts(stored(tmp_path / "a", plan())) == whole
    opened = open_study(tmp_path / "a")
    assert facts(opened) == whole
    assert opened.end == "complete"
    assert opened.frame["seed"].tolist() == list(range(1, 101))
    assert opened.study.rules == plan().rules
    assert sorted(path.name for path in (tmp_path / "a" / "layer-0").iterdir()) == [
        f"shard-00000{number}.parquet" for number in range(4)
    ]


def test_what_is_there_is_not_computed_again(tmp_path: Path) -> None:
    assert stored(tmp_path, plan("1-40")).solved == 40
    again = stored(tmp_path, plan("1-40"))
    assert again.solved == 0
    assert len(again.rows) == 40


def test_more_deals_extend_a_study_and_fewer_are_its_first(tmp_path: Path, whole: list[Row]) -> None:
    stored(tmp_path, plan("1-40"))
    more = stored(tmp_path, plan())
    assert more.solved == 60
    assert facts(more) == whole
    assert facts(stored(tmp_path, plan("1-50"))) == whole[:50]
    assert len(open_study(tmp_path).rows) == 100


def test_seeds_that_are_no_range(tmp_path: Path) -> None:
    some = stored(tmp_path, plan("70-75,1-3,50"), shard_deals=4)
    assert [row.seed for row in some.rows] == [70, 71, 72, 73, 74, 75, 1, 2, 3, 50]
    assert facts(open_study(tmp_path)) == facts(run(plan("70-75,1-3,50")))
    assert stored(tmp_path, plan("70-75,1-3,50,60"), shard_deals=4).solved == 1


class Ended(Exception):  # noqa: N818
    pass


def test_an_error_in_the_middle_keeps_what_was_finished(tmp_path: Path, whole: list[Row]) -> None:
    seen: list[Row] = []

    def fail(rows: list[Row]) -> None:
        seen.extend(rows)
        if len(seen) >= 45:
            raise Ended

    with pytest.raises(Ended):
        stored(tmp_path, plan(), chunk=4, jobs=1, on_rows=fail)
    half = open_study(tmp_path)
    assert (half.end, len(half.rows)) == ("interrupted", 48)
    assert stored(tmp_path, plan()).solved == 52
    assert facts(open_study(tmp_path)) == whole


def test_new_rows_reach_the_disk_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not only when their shard is full."""
    monkeypatch.setattr(store_module, "FLUSH_EVERY", 0.0)
    lengths = []
    study = plan("1-20")
    with open_store(study, tmp_path) as store:
        run(study, store=store, chunk=5, jobs=1, on_rows=lambda _: lengths.append(len(open_study(tmp_path).rows)))
    assert lengths == [0, 5, 10, 15]


# Refusals.


@pytest.mark.parametrize(
    ("other", "named"),
    [
        (plan(game="klondike"), "game is stonewall there and klondike here"),
        (plan(game=load_game("stonewall").with_options(spaces="kings")), "spaces is any there and kings here"),
        (plan("2-100"), "seeds is 1-40 there and 2-100 here"),
        (plan(shuffle="pysol"), "shuffle is native there and pysol here"),
        (plan(max_states=301), "max_states is 300 there and 301 here"),
    ],
)
def test_another_study_is_refused_by_what_differs(tmp_path: Path, other: Study, named: str) -> None:
    stored(tmp_path, plan("1-40"))
    before = (tmp_path / STUDY_FILE).read_bytes()
    with pytest.raises(InputError, match=named):
        stored(tmp_path, other)
    assert (tmp_path / STUDY_FILE).read_bytes() == before
    assert len(open_study(tmp_path).rows) == 40


def test_a_preset_and_its_options_are_the_same_study(tmp_path: Path) -> None:
    stored(tmp_path, plan("1-5", "klondike-3x3"))
    assert stored(tmp_path, plan("1-5", load_game("klondike").with_options(draw=3, passes=3))).solved == 0


def test_another_solver_is_refused_unless_asked_for_and_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored(tmp_path, plan("1-40"))
    old = sl.open_study(tmp_path).versions
    for module in (store_module, run_module):
        monkeypatch.setattr(module, "solver_version", lambda: "0.2.0+0123456789ab")
    with pytest.raises(InputError, match=r"another version of the solver: .* there, 0\.2\.0\+0123456789ab here"):
        stored(tmp_path, plan())
    with open_store(plan(), tmp_path, mix_versions=True) as store:
        run(plan(), store=store)
    assert open_study(tmp_path).versions == (*old, "0.2.0+0123456789ab")
    versions = [read_shard(shard_path(tmp_path, 0, shard), 0, shard)[1] for shard in range(4)]
    assert versions == [[(0, old[0])], [(0, old[0]), (8, "0.2.0+0123456789ab")], *[[(0, "0.2.0+0123456789ab")]] * 2]


def test_a_new_number_with_the_same_sources_is_the_same_solver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stored(tmp_path, plan("1-40"))
    (old,) = sl.open_study(tmp_path).versions
    renamed = "9.9+" + old.partition("+")[2]
    monkeypatch.setattr(store_module, "solver_version", lambda: renamed)
    assert stored(tmp_path, plan()).versions == (old, renamed)


def test_two_runs_on_one_folder(tmp_path: Path) -> None:
    with (
        open_store(plan(), tmp_path),
        pytest.raises(InputError, match=rf"in use by another run \(process {os.getpid()}\)"),
        open_store(plan(), tmp_path),
    ):
        pass
    assert stored(tmp_path, plan("1-3")).solved == 3


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"schema = ", "not valid TOML"),
        (b"\xff\xfe", "not valid TOML"),
        (b"schema = 1\n", "not a study's description"),
        (b"schema = 9\n", "schema=9"),
    ],
)
def test_a_bad_description_is_named(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / STUDY_FILE).write_bytes(content)
    for use in (lambda: open_study(tmp_path), lambda: stored(tmp_path, plan())):
        with pytest.raises(InputError, match=f"study.toml: {message}"):
            use()


def test_folders_that_cannot_be_used(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    for folder in (file, file / "below", "/proc/nothing", tmp_path / ("x" * 300)):
        with pytest.raises(InputError, match="folder"):
            stored(Path(folder), plan())
    with pytest.raises(InputError, match="holds no study"):
        open_study(tmp_path)
    with pytest.raises(InputError, match="expected a folder"):
        open_study(file)
    (tmp_path / "layer-0").mkdir()
    with pytest.raises(InputError, match=r"but no study\.toml"):
        stored(tmp_path, plan())


# Damage.


@contextlib.contextmanager
def kept(folder: Path) -> Iterator[Path]:
    """Give a copy of a folder."""
    copy = folder.with_name("copy")
    shutil.copytree(folder, copy)
    try:
        yield copy
    finally:
        shutil.rmtree(copy)


def test_a_damaged_shard_is_named_set_aside_and_computed_again(tmp_path: Path, whole: list[Row]) -> None:
    stored(tmp_path / "a", plan())
    with kept(tmp_path / "a") as folder:
        path = shard_path(folder, 0, 1)
        path.write_bytes(path.read_bytes()[:-100])
        with pytest.raises(InputError, match=r"shard-000001.parquet is damaged .* computes its deals again"):
            open_study(folder)
        with open_store(plan(), folder) as store:
            assert "shard-000001.parquet is damaged" in store.notes[0]
            result = run(plan(), store=store)
        assert (result.solved, facts(result)) == (32, whole)
        assert facts(open_study(folder)) == whole
        assert path.with_name(path.name + ".damaged").exists()


def test_full_shards_stay_on_the_disk_until_they_are_needed(tmp_path: Path, whole: list[Row]) -> None:
    result = stored(tmp_path / "study", plan())
    assert facts(result) == whole
    path = shard_path(tmp_path / "study", 0, 1)
    content = path.read_bytes()
    for opened in (result, open_study(tmp_path / "study")):
        path.write_bytes(content[:-100])
        with pytest.raises(InputError, match=r"shard-000001.parquet is damaged"):
            _ = opened.frame
        path.unlink()
        with pytest.raises(InputError, match=r"cannot read .*shard-000001.parquet"):
            _ = opened.frame
        assert opened.counts == Rows(whole).counts
        path.write_bytes(content)
        assert facts(opened) == whole


def test_a_shard_of_another_place_or_study_is_no_shard(tmp_path: Path, whole: list[Row]) -> None:
    stored(tmp_path / "a", plan())
    stored(tmp_path / "b", plan("1001-1100"))
    for source in (shard_path(tmp_path / "a", 0, 0), shard_path(tmp_path / "b", 0, 2)):
        with kept(tmp_path / "a") as folder:
            shutil.copy(source, shard_path(folder, 0, 2))
            with pytest.raises(InputError, match=r"shard-000002\.parquet is damaged"):
                open_study(folder)
            assert facts(stored(folder, plan())) == whole


def test_a_missing_shard_is_computed_again(tmp_path: Path, whole: list[Row]) -> None:
    stored(tmp_path, plan())
    shard_path(tmp_path, 0, 1).unlink()
    assert len(open_study(tmp_path).rows) == 32
    assert facts(stored(tmp_path, plan())) == whole


def test_no_changed_byte_goes_unnoticed(tmp_path: Path) -> None:
    """A shard with one byte changed is called damaged, or has the very rows that it had."""
    stored(tmp_path, plan("1-32"))
    path = shard_path(tmp_path, 0, 0)
    content = path.read_bytes()
    before = read_shard(path, 0, 0)
    generator = random.Random(1)
    damaged = 0
    for _ in range(1500):
        changed = bytearray(content)
        changed[generator.randrange(len(content))] ^= 1 << generator.randrange(8)
        path.write_bytes(changed)
        try:
            after = read_shard(path, 0, 0)
        except DamagedError:
            damaged += 1
        else:
            assert after[0].equals(before[0])
            assert after[1] == before[1]
    assert damaged > 700


@pytest.mark.parametrize("write", [1, 3, 5, 7, 9])  # every second one is the folder's
def test_a_full_disk_keeps_what_was_stored(
    write: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: list[Row]
) -> None:
    """An error of the disk at any one of the writes: a clear message, and the same command goes on."""
    left = [write]
    fsync = os.fsync

    def full(descriptor: int) -> None:
        left[0] -= 1
        if left[0] <= 0:
            raise OSError(28, "No space left on device")
        fsync(descriptor)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match=r"No space left on device; .* the same command goes on from there"):
            stored(tmp_path, plan())
    assert not list(tmp_path.rglob("*.tmp"))
    finished = 32 * (write // 2 - 1) if write > 1 else 0
    if finished:
        assert facts(open_study(tmp_path)) == whole[:finished]
    again = stored(tmp_path, plan())
    assert facts(again) == whole
    assert again.solved == 100 - finished


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of resources")
def test_a_file_that_may_not_grow_is_one_message_and_status_3(tmp_path: Path, whole: list[Row]) -> None:
    """The real thing: a process that may write no file above 2 kB."""
    code = (
        "import resource, sys; from solitaire_lab.cli import main; from solitaire_lab.solver import warm_up; "
        "from solitaire_lab.rules import load_game; warm_up(load_game('stonewall').rules); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048)); sys.exit(main(sys.argv[1:]))"
    )
    argv = ["study", "stonewall", "--deals", "100", "--max-states", str(TINY), "--out", str(tmp_path), "--quiet"]
    done = subprocess.run([sys.executable, "-c", code, *argv], capture_output=True, text=True, check=False)
    assert done.returncode == 3
    (line,) = done.stderr.splitlines()
    assert "File too large; what was stored before is kept, and the same command goes on from there" in line
    assert main(argv) == 0
    assert facts(open_study(tmp_path)) == whole


# Layers.


def test_escalation_tries_the_undecided_again(tmp_path: Path, whole: list[Row]) -> None:
    stored(tmp_path, plan())
    undecided = open_study(tmp_path).undecided()
    assert undecided == [row.seed for row in whole if row.verdict == "undecided"]
    more = stored(tmp_path, plan(max_states=20_000), escalate=True)
    assert more.solved == len(undecided) > 20
    assert more.end == "complete"
    fresh = {row.seed: row for row in run(plan(max_states=20_000)).rows}
    for row, first in zip(more.rows, whole, strict=True):
        wanted = fresh[row.seed]._replace(layer=1) if first.verdict == "undecided" else first
        assert row._replace(seconds=0) == wanted._replace(seconds=0)
    assert facts(open_study(tmp_path)) == facts(more)
    assert [budget.max_states for budget in open_study(tmp_path).layers] == [20_000]
    assert stored(tmp_path, plan(max_states=20_000), escalate=True).solved == 0
    with pytest.raises(InputError, match="expected a larger budget than the last one, 20,000 states"):
        stored(tmp_path, plan(max_states=500), escalate=True)


def test_a_layer_is_extended_with_its_study_and_topped_by_another(tmp_path: Path) -> None:
    stored(tmp_path, plan("1-50"))
    stored(tmp_path, plan("1-50", max_states=2000), escalate=True)
    stored(tmp_path, plan())
    third = stored(tmp_path, plan(max_states=20_000), escalate=True)
    assert {row.layer for row in third.rows} == {0, 1, 2}
    assert {row.layer for row in third.rows if row.seed > 50} == {0, 2}
    second = stored(tmp_path, plan(max_states=2000), escalate=True)
    assert second.solved == sum(row.verdict == "undecided" and row.seed > 50 for row in run(plan()).rows)
    assert [row.verdict for row in second.rows] == [row.verdict for row in run(plan(max_states=20_000)).rows]


def test_escalation_needs_a_study(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected --out"), open_store(plan(), escalate=True):
        pass
    with pytest.raises(InputError, match="holds no study"):
        stored(tmp_path / "new", plan(), escalate=True)
    assert not (tmp_path / "new").exists()


def test_python_stores_and_opens(tmp_path: Path) -> None:
    first = sl.study("stonewall", 30, max_states=TINY, out=tmp_path / "s")
    again = sl.study("stonewall", max_states=5000, out=tmp_path / "s", escalate=True, progress=True)
    assert again.counts["undecided"] < first.counts["undecided"]
    opened = sl.open_study(tmp_path / "s", confidence=0.99, interval="exact")
    assert opened.estimate == dataclasses.replace(again, study=opened.study).estimate
    assert opened.frame.attrs["study"]["escalated"][0]["max_states"] == 5000


# Other programs.


def test_others_open_a_study_by_its_files_alone(tmp_path: Path) -> None:
    import duckdb
    import polars

    result = stored(tmp_path, plan())
    files = f"{tmp_path}/layer-0/*.parquet"
    query = f"select verdict, count(*) from '{files}' group by all"
    counts = dict(duckdb.sql(query).fetchall())
    assert counts == dict(result.counts)
    frame = polars.read_parquet(files)
    assert frame["seed"].to_list() == list(range(1, 101))
    assert dict(frame["verdict"].cast(str).value_counts().iter_rows()) == counts
    assert pq.ParquetDataset(str(tmp_path / "layer-0")).read().num_rows == 100
    assert pa.types.is_dictionary(pq.read_schema(shard_path(tmp_path, 0, 0)).field("verdict").type)
