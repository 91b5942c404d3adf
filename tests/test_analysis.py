"""Frames made from a study's frame, and studies that are solved again."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import solitaire_lab as sl
from solitaire_lab.cli import main
from solitaire_lab.errors import InputError
from solitaire_lab.rules import load_game
from solitaire_lab.study import analysis
from solitaire_lab.study.recheck import recheck
from solitaire_lab.study.result import StudyResult
from solitaire_lab.study.rows import Rows
from solitaire_lab.study.shards import read_shard, shard_bytes, shard_path

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def result() -> StudyResult:
    return sl.study("stonewall", 200, max_states=2000)


@pytest.fixture(scope="module")
def frame(result: StudyResult) -> pd.DataFrame:
    return result.frame


def test_summary_of_all_is_the_estimate(result: StudyResult, frame: pd.DataFrame) -> None:
    (row,) = analysis.summary(frame).to_dict("records")
    found = result.estimate
    assert (row["deals"], row["winnable"], row["low"], row["high"]) == (200, found.winnable, found.low, found.high)
    assert row["states"] == result.states
    with pytest.raises(InputError, match=r"no column 'verdicts'.*did you mean 'verdict'"):
        analysis.summary(frame, "verdicts")


def test_by_verdict_adds_up(frame: pd.DataFrame) -> None:
    found = analysis.by_verdict(frame)
    assert found["deals"].sum() == 200
    assert found["share"].sum() == pytest.approx(1)
    assert found["states"].sum() == frame["states"].sum()
    undecided = found.loc[("undecided", "states")]
    assert undecided["most_states"] == undecided["median_states"] == 2000
    assert found.loc[("winnable", ""), "median_moves"] == frame["moves"].median()


def test_hardness_is_in_quantiles(frame: pd.DataFrame) -> None:
    found = analysis.hardness(frame, [0.5, 1.0])
    assert found.loc[("all", 1.0), "states"] == frame["states"].max()
    won = frame[frame["verdict"] == "winnable"]
    assert found.loc[("winnable", 0.5), "states"] == won["states"].median()
    assert found.loc[("winnable", 0.5), "deals"] == len(won)


def test_survival_is_the_undecided_share_of_smaller_budgets() -> None:
    """What it says of a smaller budget is what a study with that budget finds."""
    large = sl.study("stonewall", 120, max_states=4000)
    ladder = [1, 10, 100, 700, 2000, 4000, 9000]
    found = analysis.survival(large.frame, ladder)
    assert found.index.tolist() == ladder[:-1]
    for states in ladder[1:-1]:
        smaller = sl.study("stonewall", 120, max_states=states)
        assert found.loc[states, "undecided"] == smaller.counts["undecided"]
    assert found["share"].is_monotonic_decreasing
    assert (found["low"] <= found["share"]).all()
    assert analysis.survival(large.frame).index.max() <= 4000
    decided = large.frame[large.frame["verdict"] != "undecided"]
    assert analysis.survival(decided)["share"].iloc[-1] <= 0.05


def test_a_sweep_is_one_frame() -> None:
    swept = sl.sweep("klondike", 12, draw=range(1, 14), passes=2, max_states=500)
    assert list(swept.columns)[:3] == ["draw", "seed", "verdict"]
    assert len(swept) == 13 * 12
    three = sl.study("klondike", 12, draw=3, passes=2, max_states=500)
    assert swept[swept["draw"] == 3]["states"].tolist() == three.frame["states"].tolist()
    table = analysis.summary(swept, "draw")
    assert table.index.tolist() == list(range(1, 14))
    assert table.loc[3, "winnable"] == three.counts["winnable"]
    assert "draw=3, passes=2" in swept.attrs["studies"]["draw=3"]["options"]
    both = sl.sweep("pyramid", 5, passes=[1, 2], draw=[1, 3], max_states=500)
    assert analysis.summary(both, ["passes", "draw"]).index.tolist() == [(1, 1), (1, 3), (2, 1), (2, 3)]
    for none in ({"draw": 3}, {}, {"draw": []}):
        with pytest.raises(InputError, match="several values"):
            sl.sweep("klondike", 3, **none)  # type: ignore[arg-type]


def test_opening_features_are_those_of_the_board() -> None:
    """By hand, from this deal of Klondike."""
    (row,) = analysis.features(load_game("klondike"), [2]).to_dict("records")
    columns = "QH / 3S TD / 4C AC 7D / 5H 6C 6H JD / 7H 7S JH 8C 2S / 2D 3C TC 4D 4H QD / KH QC 9S 5S AD 6S 8H"
    piles = [column.split() for column in columns.split(" / ")]
    assert [len(pile) for pile in piles] == [1, 2, 3, 4, 5, 6, 7]
    assert row == {
        "aces_buried": 2,  # AC and AD
        "cards_on_aces": 1 + 2,
        "face_down_low": 3,  # AC, AD and 2D; 2S is up
        "face_down_depth": 1 + 0 + 5 + 2,  # AC; 2S; 2D with 3C TC 4D 4H; AD with 6S
        "aces_in_stock": 2,
        "kings_down": 0,
        "first_moves": 0,  # the tops QH TD 7D JD 2S QD 8H: none takes another
    }


def test_features_go_with_winnability(frame: pd.DataFrame) -> None:
    seen = analysis.features(load_game("stonewall"), frame["seed"], solutions=2000)
    won = frame.set_index("seed")["verdict"] == "winnable"
    assert seen["empty_column_time"].notna().equals(won)
    assert (seen["empty_column_time"].dropna() >= 6).all()
    found = analysis.by_feature(frame, seen, "face_down_depth", groups=4)
    assert found["deals"].sum() == 200
    assert len(analysis.by_feature(frame, seen, "aces_buried")) == seen["aces_buried"].nunique()
    with pytest.raises(InputError, match="did you mean 'aces_buried'"):
        analysis.by_feature(frame, seen, "aces_burried")
    with pytest.raises(InputError, match="seed 200 of the study has none"):
        analysis.by_feature(frame, seen[:-1], "aces_buried")
    with pytest.raises(InputError, match="build games"):
        analysis.features(load_game("pyramid"), [1])


# Studies solved again.


def test_a_study_is_verified(tmp_path: Path, capsys: Capture) -> None:
    kept = sl.study("stonewall", 150, max_states=500, out=tmp_path)
    sl.study("stonewall", max_states=3000, out=tmp_path, escalate=True)
    undecided = sl.open_study(tmp_path).undecided()
    assert 0 < len(undecided) < kept.counts["undecided"]
    assert main(["verify", str(tmp_path), "--quiet"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith("100 of 150 deals solved again (")
    assert out[0].endswith(" 0 failed")
    assert out[1] == f"{len(undecided)} undecided: seeds {', '.join(map(str, undecided))}"
    assert main(["verify", str(tmp_path), "--sample", "10000", "--jobs", "1"]) == 0
    assert capsys.readouterr().out.startswith("150 of 150 deals solved again")


def test_a_false_verdict_is_found(tmp_path: Path, capsys: Capture) -> None:
    """A shard that was forged with all its checksums right."""
    kept = sl.study("stonewall", 60, max_states=500, out=tmp_path)
    lost = next(row for row in kept.rows if row.verdict == "unwinnable")
    path = shard_path(tmp_path, 0, 0)
    _, versions = read_shard(path, 0, 0)
    forged = [row._replace(verdict="winnable", moves=9) if row == lost else row for row in kept.rows]
    path.write_bytes(shard_bytes(Rows(forged).table(), 0, 0, versions))
    assert main(["verify", str(tmp_path), "--quiet"]) == 1
    out = capsys.readouterr().out
    assert f"seed {lost.seed}: it is winnable in the study and unwinnable now" in out
    states = [row._replace(states=row.states + 1) if row == lost else row for row in kept.rows]
    found = recheck(StudyResult(kept.study, Rows(states)))
    assert found.problems == {lost.seed: f"it took {lost.states + 1:,} states in the study and {lost.states:,} now"}
    other = StudyResult(kept.study, Rows(states), versions=("0.0.1+0123456789ab",))
    assert recheck(other).problems == {}


def test_verify_takes_its_options_with_a_study_only(tmp_path: Path, capsys: Capture) -> None:
    assert main(["verify", "-", "--sample", "3"]) == 2
    assert "go with the folder of a study" in capsys.readouterr().err
    assert main(["verify", str(tmp_path)]) == 2
    assert "holds no study" in capsys.readouterr().err
