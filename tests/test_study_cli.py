"""The study command: kept, planned, stopped by its width, escalated, on a cluster; its progress."""

from __future__ import annotations

import csv
import io
import json
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from solitaire_lab.cli import main
from solitaire_lab.rules import load_game
from solitaire_lab.study.rows import Row
from solitaire_lab.study.statistics import deals_needed
from solitaire_lab.study.store import open_store, open_study, planned
from solitaire_lab.verdicts import Budget
from solitaire_lab.view import progress as progress_module
from solitaire_lab.view.progress import Count, Progress, watched

Capture = pytest.CaptureFixture[str]

STUDY = ["study", "stonewall", "--max-states", "500"]


def printed(capsys: Capture, *argv: str, status: int = 0) -> str:
    """Run the program quietly; return what it printed."""
    assert main([*argv, "--quiet"]) == status
    return capsys.readouterr().out


def said(capsys: Capture, *argv: str, status: int = 2) -> str:
    """Run the program; return its one line on standard error."""
    assert main(list(argv)) == status
    (line,) = capsys.readouterr().err.splitlines()
    return line


def test_out_keeps_and_resumes(tmp_path: Path, capsys: Capture) -> None:
    out = ["--out", str(tmp_path / "s")]
    assert "30 deals were solved now" in printed(capsys, *STUDY, "--deals", "30", *out)
    assert "20 deals were solved now, the others before" in printed(capsys, *STUDY, "--deals", "50", *out)
    rows = list(csv.DictReader(io.StringIO(printed(capsys, *STUDY, "--deals", "50", *out, "--csv"))))
    assert [int(row["seed"]) for row in rows] == list(range(1, 51))
    fresh = list(csv.DictReader(io.StringIO(printed(capsys, *STUDY, "--deals", "50", "--csv"))))
    assert [{**row, "seconds": ""} for row in rows] == [{**row, "seconds": ""} for row in fresh]
    line = said(capsys, *STUDY, "--deals", "50", *out, "-o", "spaces=kings")
    assert "holds another study: spaces is any there and kings here" in line


def test_dry_run_says_plan_and_size_and_does_nothing(tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "s"
    text = printed(capsys, *STUDY, "--deals", "1000000", "--out", str(folder), "--dry-run")
    assert "1,000,000 of 1,000,000 deals" in text
    assert "MiB in the end, in 31 shards" in text
    assert not folder.exists()
    printed(capsys, *STUDY, "--deals", "40", "--out", str(folder))
    before = sorted((path, path.stat().st_mtime_ns) for path in folder.rglob("*"))
    assert "60 of 100 deals" in printed(capsys, *STUDY, "--deals", "100", "--out", str(folder), "--dry-run")
    assert "undecided deals, each with 9,000 states" in printed(
        capsys, "study", "stonewall", "--out", str(folder), "--escalate", "--max-states", "9000", "--dry-run"
    )
    most = deals_needed(0.02, interval="sequence")
    assert f"at most {most:,} deals" in printed(capsys, *STUDY[:2], "--until-width", "0.02", "--dry-run")
    assert sorted((path, path.stat().st_mtime_ns) for path in folder.rglob("*")) == before
    assert "another budget" in said(capsys, *STUDY[:2], "--deals", "50", "--out", str(folder), "--dry-run")


def test_until_width_stops_and_says_so(tmp_path: Path, capsys: Capture) -> None:
    argv = ["study", "stonewall", "--until-width", "0.3", "--out", str(tmp_path)]
    first = json.loads(printed(capsys, *argv, "--json"))
    assert first["high"] - first["low"] <= 0.3
    assert (first["interval"], first["until_width"]) == ("sequence", 0.3)
    assert first["seeds"] == f"1-{first['deals']}"
    again = printed(capsys, *argv)
    assert "0 deals were solved now" in again
    assert "valid at every look" in again
    assert "as soon as the interval is no wider than 30 %" in again
    more = json.loads(printed(capsys, "study", "stonewall", "--deals", "200", "--out", str(tmp_path), "--json"))
    assert (more["deals"], more["interval"]) == (
        200,
        "sequence",
    )  # who has peeked keeps the interval that allows for it
    assert open_study(tmp_path).end == "complete"
    assert open_study(tmp_path, confidence=0.9999).end == "complete"  # by its own confidence
    assert json.loads(printed(capsys, *argv, "--json"))["deals"] == first["deals"]


def test_a_width_out_of_reach_is_said(capsys: Capture) -> None:
    text = printed(capsys, "study", "cheops", "--until-width", "0.05", "--max-states", "10")
    assert "width out of reach: the undecided deals alone keep the interval wider" in text


def test_escalate(tmp_path: Path, capsys: Capture) -> None:
    out = ["--out", str(tmp_path)]
    first = json.loads(printed(capsys, *STUDY, "--deals", "80", *out, "--json"))
    argv = ["study", "stonewall", *out, "--escalate", "--max-states", "20000"]
    second = json.loads(printed(capsys, *argv, "--json"))
    assert second["undecided"] < first["undecided"]
    assert second["deals"] == 80
    assert [budget["max_states"] for budget in second["escalated"]] == [20000]
    assert "then for the undecided: 20,000 states" in printed(capsys, *argv)
    assert "expected a larger budget" in said(capsys, "study", "stonewall", *out, "--escalate", "--max-states", "100")
    assert "expected --out" in said(capsys, "study", "stonewall", "--escalate")


def test_an_interrupted_study_goes_on(tmp_path: Path, capsys: Capture) -> None:
    argv = ["study", "stonewall", "--max-states", "2000", "--out", str(tmp_path / "s"), "--deals", "100000"]
    output = tmp_path / "rows"
    with output.open("w") as stream:
        process = subprocess.Popen(
            [sys.executable, "-m", "solitaire_lab", *argv, "--csv"], stdout=stream, stderr=subprocess.PIPE, text=True
        )
    with process:
        while output.read_text().count("\n") < 60 and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, notes = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "deals were finished; the same command goes on from there" in notes
    stored = len(open_study(tmp_path / "s").rows)
    assert stored == output.read_text().count("\n") - 1 >= 59
    argv[-1] = str(stored + 5)
    assert "5 deals were solved now" in printed(capsys, *argv)


def test_a_cluster_on_this_machine(capsys: Capture) -> None:
    pytest.importorskip("distributed")
    mine = json.loads(printed(capsys, *STUDY, "--deals", "20", "--json"))
    theirs = json.loads(printed(capsys, *STUDY, "--deals", "20", "--json", "--dask", "local", "--jobs", "1"))
    assert {**theirs, "seconds": 0} == {**mine, "seconds": 0}
    assert "not allowed with" in said(capsys, *STUDY, "--deals", "20", "--dask", "local", "--processes")


def test_a_damaged_shard_is_told(tmp_path: Path, capsys: Capture) -> None:
    argv = [*STUDY, "--deals", "30", "--out", str(tmp_path)]
    printed(capsys, *argv)
    (shard,) = tmp_path.rglob("*.parquet")
    shard.write_bytes(b"PAR1 and nothing more PAR1")
    assert "computes its deals again" in said(capsys, "verify", str(tmp_path))
    assert main([*argv, "--quiet"]) == 0
    captured = capsys.readouterr()
    assert "30 deals were solved now" in captured.out
    assert "is damaged" in captured.err


# Progress.


class Stream(io.StringIO):
    """Standard error, and no terminal."""


def rows(verdicts: str) -> list[Row]:
    """Return rows from the first letters of their verdicts."""
    words = {"w": "winnable", "l": "unwinnable", "u": "undecided"}
    return [Row(seed, words[letter], None, "complete", 1, 0.1, None) for seed, letter in enumerate(verdicts)]


def test_progress_has_rate_estimate_undecided_share_and_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_module, "LINE_EVERY", 0.0)
    study = planned(load_game("stonewall"), deals=100, budget=Budget(500))
    stream = Stream()
    progress = Progress(study, stream, stored=Counter(row.verdict for row in rows("wwll")))
    progress(rows("wlu"))
    (line,) = stream.getvalue().splitlines()
    assert line.startswith("stonewall: 7 of 100 deals, ")
    for part in ("deals/s", "winnable ", "undecided 14.3 %", "s left"):
        assert part in line


def test_progress_of_a_study_that_stops_by_itself_guesses_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_module, "LINE_EVERY", 0.0)
    stream = Stream()
    progress = Progress(planned(load_game("stonewall"), until_width=0.05), stream)
    progress(rows("wl" * 50))
    assert "100 of about 5,666 deals" in stream.getvalue()
    progress(rows("u" * 50))
    assert "undecided 33.3 %" in stream.getvalue()


def test_progress_of_an_escalation_counts_the_deals_that_are_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(progress_module, "LINE_EVERY", 0.0)
    printed(capsys, *STUDY, "--deals", "40", "--out", str(tmp_path))
    undecided = len(open_study(tmp_path).undecided())
    study = planned(load_game("stonewall"), escalated=tmp_path, budget=Budget(5000))
    with open_store(study, tmp_path, escalate=True) as store, watched(store) as progress:
        progress(rows("w"))
    assert f"stonewall: 1 of {undecided} deals" in capsys.readouterr().err


def test_counts_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_module, "LINE_EVERY", 0.0)
    stream = Stream()
    count = Count("comparison", 10, "verdicts", stream)
    count.start()
    count([1, 2, 3])
    count.close()
    assert stream.getvalue().startswith("comparison: 3 of 10 verdicts, ")
