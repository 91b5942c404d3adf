"""A study that is killed again and again, at any moment, ends as if it had not been, and loses nothing stored."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from solitaire_lab.rules import load_game
from solitaire_lab.study.plan import Study
from solitaire_lab.study.rows import Row, Rows
from solitaire_lab.study.run import run
from solitaire_lab.study.seeds import Seeds
from solitaire_lab.study.store import open_store, open_study
from solitaire_lab.verdicts import Budget

KILLS = 20

STUDY = Study(load_game("stonewall"), Seeds.parse("1-1500"), Budget(1500))

RUNNER = """
import os, random, signal, sys, time
from solitaire_lab.solver import warm_up
from solitaire_lab.study import store as store_module
from solitaire_lab.study.run import run
from tests.test_crashes import KILLS, STUDY

store_module.FLUSH_EVERY = 0.01
warm_up(STUDY.rules)
moments, killed, folder = random.Random(1), 0, 0
while killed < KILLS:
    child = os.fork()
    if child == 0:
        with store_module.open_store(STUDY, f"{sys.argv[1]}/{folder}", shard_deals=100) as store:
            run(STUDY, store=store, jobs=2)
        os._exit(0)
    time.sleep(moments.uniform(0, 0.3))
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        killed += 1
    elif status == 0:
        folder += 1
    else:
        sys.exit(f"the study failed with status {status}")
print(killed)
"""
"""Forks the study from a process that has everything loaded, so that the kills hit the study and not its imports."""


def facts(rows: Rows) -> list[Row]:
    """Return the rows but for their seconds."""
    return [row._replace(seconds=0) for row in rows]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_study_killed_twenty_times_is_the_one_that_was_left_alone(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", RUNNER, str(tmp_path)], capture_output=True, text=True, check=False, timeout=300
    )
    assert (done.returncode, done.stdout) == (0, f"{KILLS}\n"), done.stderr
    expected = facts(run(STUDY).rows)
    folders = sorted(tmp_path.iterdir(), key=lambda folder: int(folder.name))
    assert folders
    for folder in folders[:-1]:  # those in which the study came to its end
        assert facts(open_study(folder).rows) == expected
    with open_store(STUDY, folders[-1]) as store:
        assert store.notes == []
        stored = store.stored_rows()
        assert facts(stored) == expected[: len(stored)]
        result = run(STUDY, store=store)
    assert facts(result.rows) == expected
    assert result.solved == len(expected) - len(stored)
    assert facts(open_study(folders[-1]).rows) == expected
