"""``import solitaire_lab as sl``."""

from __future__ import annotations

import dataclasses
import subprocess
import sys

import pytest

import solitaire_lab as sl
from solitaire_lab.study.result import StudyResult


def test_import_is_light() -> None:
    code = (
        "import sys, solitaire_lab as sl; sl.board('stonewall', seed=7); "
        "print([name for name in ('numba', 'numpy', 'pandas', 'scipy', 'matplotlib', 'tqdm') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_every_name_is_there() -> None:
    assert all(getattr(sl, name) is not None for name in sl.__all__)
    assert set(sl.__all__) <= set(dir(sl))
    with pytest.raises(AttributeError, match="nothing"):
        sl.nothing  # noqa: B018


def test_study_stays_a_function_though_a_package_has_its_name() -> None:
    assert callable(sl.study)
    assert sl.StudyResult is StudyResult


def test_deal_and_board() -> None:
    deal = sl.deal("stonewall", seed=7)
    assert deal == sl.deal(sl.load_game("stonewall"), 7)
    assert len(deal.tableau) == 6
    assert isinstance(deal, sl.Deal)
    board = sl.board("stonewall", deal)
    assert repr(board) == str(board) == sl.board("stonewall", seed=7)
    assert board.startswith("Foundations:")


def test_board_after_moves() -> None:
    verdict = sl.solve("cheops", seed=1)
    assert verdict.moves is not None
    before = sl.board("cheops", seed=1)
    after = sl.board("cheops", seed=1, moves=verdict.moves)
    assert before != after
    assert before.count("--") == 0
    assert after.count("--") == 28


def test_solve_by_seed_deal_and_piles() -> None:
    from solitaire_lab.deals import deal_to_json

    game = sl.load_game("pyramid")
    deal = sl.deal("pyramid", 3)
    verdicts = [
        sl.solve("pyramid", seed=3, max_states=1000),
        sl.solve(game, deal, max_states=1000),
        sl.solve("pyramid", deal_to_json(deal, game.rules), max_states=1000),
    ]
    assert len({(verdict.verdict, verdict.states) for verdict in verdicts}) == 1


def test_options_by_name() -> None:
    assert sl.solve("pyramid", seed=1, passes="unlimited", max_states=1000).states
    with pytest.raises(sl.InputError, match="did you mean 'passes'"):
        sl.solve("pyramid", seed=1, passses=3)
    assert "Pass 1 of 3" in sl.board("klondike", seed=1, passes=3)


def test_study_returns_frame_and_estimate() -> None:
    result = sl.study("stonewall", deals=30, max_states=2000, jobs=2)
    assert isinstance(result, sl.StudyResult)
    assert len(result.frame) == 30
    assert result.estimate.deals == 30
    assert 0 < result.estimate.low < result.estimate.high < 1
    again = sl.study("stonewall", seeds=range(1, 31), max_states=2000, interval="exact")
    assert again.frame["states"].equals(result.frame["states"])
    assert again.estimate.method == "exact"


def test_study_shows_progress_if_asked(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solitaire_lab.view.progress.LINE_EVERY", 0.0)
    sl.study("pyramid", deals=3, max_states=100, progress=True)
    assert "3 of 3 deals" in capsys.readouterr().err


def test_either_seeds_or_deals() -> None:
    for arguments in ({}, {"deals": 3, "seeds": "1-3"}, {"deals": 0}, {"seeds": []}, {"deals": 3, "jobs": 0}):
        with pytest.raises(sl.InputError):
            sl.study("stonewall", **arguments)  # type: ignore[arg-type]
    with pytest.raises(sl.InputError, match="either a deal or a seed"):
        sl.solve("stonewall")
    with pytest.raises(sl.InputError, match="either a deal or a seed"):
        sl.board("stonewall", sl.deal("stonewall", 1), seed=1)


@pytest.mark.parametrize(
    ("game", "other"), [("klondike", "cleopatra"), ("stonewall", "klondike"), ("cheops", "klondike"), ("pyramid", None)]
)
def test_a_deal_of_another_game_is_refused(game, other):
    deal = sl.deal(other, 1) if other else sl.Deal()
    with pytest.raises(sl.InputError):
        sl.solve(game, deal)
    with pytest.raises(sl.InputError):
        sl.board(game, deal)


def test_a_deal_with_a_card_twice_or_none_at_all_is_refused():
    deal = sl.deal("klondike", 1)
    for first in (deal.stock[1], 3, 999, "AS"):
        with pytest.raises(sl.InputError):
            sl.solve("klondike", dataclasses.replace(deal, stock=(first, *deal.stock[1:])))
