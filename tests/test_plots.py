"""Plots: what they show and what they say."""

from __future__ import annotations

import pandas as pd
import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

from matplotlib import pyplot as plt  # noqa: E402

from solitaire_lab.study.statistics import wilson  # noqa: E402
from solitaire_lab.view.plots import running_estimate  # noqa: E402


def frame(verdicts: str) -> pd.DataFrame:
    names = {"w": "winnable", "l": "unwinnable", "u": "undecided"}
    made = pd.DataFrame({"verdict": [names[letter] for letter in verdicts]})
    made.attrs = {"game": "Stonewall (stonewall)", "options": "group=run", "version": "solitaire_lab 0"}
    return made


def test_it_ends_at_the_estimate() -> None:
    ax = running_estimate(frame("wl" * 50))
    (line,) = ax.get_lines()
    assert line.get_xdata()[-1] == 100
    assert line.get_ydata()[-1] == 50.0
    low, high = wilson(50, 100)
    band = ax.collections[0].get_paths()[0].vertices
    at_the_end = sorted(band[band[:, 0] == 100][:, 1])
    assert at_the_end[0] == pytest.approx(100 * low)
    assert at_the_end[-1] == pytest.approx(100 * high)
    plt.close(ax.figure)


def test_it_is_labelled() -> None:
    ax = running_estimate(frame("wlu" * 30))
    assert ax.get_title() == "Stonewall (stonewall), n = 90"
    assert "deals" in ax.get_xlabel()
    assert "%" in ax.get_ylabel()
    legend = [text.get_text() for text in ax.get_legend().get_texts()]
    assert legend == ["interval, 95 % confidence, Wilson", "winnable", "winnable or undecided"]
    assert [text.get_text() for text in ax.texts] == ["group=run\nsolitaire_lab 0"]
    plt.close(ax.figure)


def test_it_draws_where_it_is_told() -> None:
    figure, ax = plt.subplots()
    assert running_estimate(frame("w"), ax, title="Mine", source="", confidence=0.9) is ax
    assert ax.get_title() == "Mine, n = 1"
    assert not ax.texts
    plt.close(figure)


def test_many_deals_are_drawn_at_some_points_only() -> None:
    ax = running_estimate(frame("wl" * 5000))
    assert len(ax.get_lines()[0].get_xdata()) <= 400
    plt.close(ax.figure)


def test_no_deals_make_an_empty_plot() -> None:
    ax = running_estimate(frame(""))
    assert ax.get_ylim() == (0, 100)
    plt.close(ax.figure)
