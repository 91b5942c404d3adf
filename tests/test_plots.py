"""Plots: what they show and what they say."""

from __future__ import annotations

import pandas as pd
import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

from matplotlib import pyplot as plt  # noqa: E402

import solitaire_lab as sl  # noqa: E402
from solitaire_lab.study.statistics import wilson  # noqa: E402
from solitaire_lab.view import plots  # noqa: E402

NAMES = {"w": "winnable", "l": "unwinnable", "u": "undecided"}


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def frame(verdicts: str, **attrs: str) -> pd.DataFrame:
    made = pd.DataFrame({"verdict": [NAMES[letter] for letter in verdicts]})
    made["seed"] = range(1, len(made) + 1)
    made["states"] = [1 + 10 * place for place in range(len(made))]
    made.attrs = {"game": "Stonewall (stonewall)", "options": "group=run", "version": "solitaire_lab 0"} | attrs
    return made


def everything() -> dict[str, object]:
    one, other = frame("wlu" * 30), frame("lwu" * 30, options="group=single")
    return {
        "win_rates": plots.win_rates(plots.together({"one": one, "other": other})),
        "running_estimate": plots.running_estimate(one),
        "hardness": plots.hardness(one),
        "undecided_share": plots.undecided_share(one),
        "winnability_against": plots.winnability_against(one.assign(aces=[1, 2, 3] * 30), "aces"),
        "paired": plots.paired(plots.side_by_side({"one": one, "other": other})),
    }


# What all plots do.


def test_all_say_what_they_show_on_how_many_deals_and_by_which_study() -> None:
    for name, ax in everything().items():
        deals = 180 if name == "win_rates" else 90
        assert ax.get_title(loc="left").endswith(f", n = {deals}"), name
        assert ax.get_xlabel(), name
        assert ax.get_ylabel() or [label.get_text() for label in ax.get_yticklabels()], name
        (source,) = [text.get_text() for text in ax.texts if "solitaire_lab 0" in text.get_text()]
        assert "group=run" in source, name
        ax.figure.canvas.draw()


def test_shares_are_in_percent_and_states_are_named() -> None:
    made = everything()
    for name in ("running_estimate", "undecided_share", "winnability_against"):
        assert made[name].get_ylabel().endswith("(%)")
    assert made["win_rates"].get_xlabel() == "share of deals (%)"
    for name in ("hardness", "undecided_share"):
        assert made[name].get_xscale() == "log"
        assert "states" in made[name].get_xlabel()


def test_all_draw_where_they_are_told_and_leave_the_style_of_others_alone() -> None:
    before = dict(matplotlib.rcParams)
    everything()
    assert dict(matplotlib.rcParams) == before
    pair = plots.side_by_side({"one": frame("wl"), "other": frame("ww")})
    drawn = [
        lambda ax: plots.win_rates(frame("wl"), ax, by="verdict", title="Mine", source=""),
        lambda ax: plots.running_estimate(frame("wl"), ax, title="Mine", source=""),
        lambda ax: plots.hardness(frame("wl"), ax, title="Mine", source=""),
        lambda ax: plots.undecided_share(frame("wl"), ax=ax, title="Mine", source=""),
        lambda ax: plots.winnability_against(frame("wl"), "states", ax, title="Mine", source=""),
        lambda ax: plots.paired(pair, ax, title="Mine", source=""),
    ]
    for draw in drawn:
        figure, ax = plt.subplots()
        assert draw(ax) is ax
        assert figure.axes == [ax]
        assert ax.get_title(loc="left") == "Mine, n = 2"


def test_no_deals_make_an_empty_plot() -> None:
    none = frame("")
    for ax in (
        plots.running_estimate(none),
        plots.hardness(none),
        plots.undecided_share(none),
        plots.win_rates(none, by="seed"),
    ):
        ax.figure.canvas.draw()
        assert ax.get_title(loc="left").endswith("n = 0")


@pytest.mark.parametrize(
    "draw",
    [
        lambda: plots.hardness(frame("wl").rename(columns={"states": "stats"})),
        lambda: plots.win_rates(frame("wl"), by="gam"),
        lambda: plots.winnability_against(frame("wl"), "aces"),
        lambda: plots.undecided_share(frame("wl"), by="gam"),
        lambda: plots.running_estimate(frame("wl").drop(columns="verdict")),
        lambda: plots.paired(frame("wl")),
        lambda: plots.running_estimate(frame("wl"), confidence=2),
        lambda: plots.win_rates(frame("wl"), by="seed", interval="wilso"),
    ],
)
def test_bad_input_is_named(draw) -> None:
    with pytest.raises(sl.InputError):
        draw()


# Each one.


def test_win_rates_have_intervals_that_undecided_deals_widen() -> None:
    both = plots.together({"sure": frame("wl" * 50), "open": frame("wlu" * 30)})
    ax = plots.win_rates(both, published={"open": (0.2, 0.4), "sure": 0.1})
    lines = {
        (round(line.get_ydata()[0], 1), line.get_marker(), line.get_linewidth()): list(line.get_xdata())
        for line in ax.lines
    }
    low, high = wilson(50, 100)
    assert lines[0, "None", 2] == [100 * low, 100 * high]
    assert lines[1, "None", 2] == [100 * wilson(30, 90)[0], 100 * wilson(60, 90)[1]]
    assert lines[1, "None", 7] == pytest.approx([100 / 3, 200 / 3])
    assert (0, "None", 7) not in lines
    assert lines[1.2, "None", 2] == [20, 40]
    assert [text.get_text() for text in ax.get_yticklabels()] == ["sure\nn = 100", "open\nn = 90"]
    legend = [text.get_text() for text in ax.get_legend().get_texts()]
    assert legend == ["proved winnable", "interval, 95 % confidence, Wilson", "undecided", "published"]


def test_studies_put_together_say_where_they_differ() -> None:
    both = plots.together({"one": frame("w"), "other": frame("l", options="group=single")})
    assert both.attrs["version"] == "solitaire_lab 0"
    assert both.attrs["options"] == "one: group=run; other: group=single"
    assert list(both["game"]) == ["one", "other"]
    assert list(both["game"].cat.categories) == ["one", "other"]


def test_studies_of_other_games_are_not_told_by_game() -> None:
    both = plots.together({"one": frame("w"), "other": frame("l", game="Cheops (cheops)", options="draw=1, group=run")})
    assert "game" not in both.attrs
    assert both.attrs["options"] == "other: draw=1"
    bare = frame("w")
    bare.attrs = {}
    assert plots.together({"one": bare, "other": bare}).attrs == {}


def test_the_running_estimate_ends_at_the_estimate() -> None:
    ax = plots.running_estimate(frame("wl" * 50))
    (line,) = ax.get_lines()
    assert line.get_xdata()[-1] == 100
    assert line.get_ydata()[-1] == 50.0
    low, high = wilson(50, 100)
    band = ax.collections[0].get_paths()[0].vertices
    at_the_end = sorted(band[band[:, 0] == 100][:, 1])
    assert at_the_end[0] == pytest.approx(100 * low)
    assert at_the_end[-1] == pytest.approx(100 * high)


def test_the_running_estimate_tells_undecided_deals() -> None:
    ax = plots.running_estimate(frame("wlu" * 30))
    legend = [text.get_text() for text in ax.get_legend().get_texts()]
    assert legend == ["interval, 95 % confidence, Wilson", "winnable", "winnable or undecided"]
    assert [line.get_ydata()[-1] for line in ax.get_lines()] == pytest.approx([100 / 3, 200 / 3])


def test_many_deals_are_drawn_at_some_points_only() -> None:
    ax = plots.running_estimate(frame("wl" * 5000))
    assert len(ax.get_lines()[0].get_xdata()) <= 400


def test_hardness_counts_every_deal_once() -> None:
    ax = plots.hardness(frame("wwlu" * 25))
    assert sum(bar.get_height() for bar in ax.patches) == 100
    legend = [text.get_text() for text in ax.get_legend().get_texts()]
    assert [text.split(",")[0] for text in legend] == ["winnable: n = 50", "unwinnable: n = 25", "undecided: n = 25"]


def test_the_undecided_share_falls_as_deals_are_decided() -> None:
    made = frame("wlwu")  # decided after 1, 11 and 21 states; the last never
    made["states"] = [1, 11, 21, 1000]
    (line,) = plots.undecided_share(made).get_lines()
    at = dict(zip(line.get_xdata(), line.get_ydata(), strict=True))
    assert at[1] == 75.0
    assert at[min(budget for budget in at if budget >= 11)] == 50.0
    assert at[1000] == 25.0
    assert sorted(at.values(), reverse=True) == list(at.values())


def test_a_feature_of_few_values_is_shown_value_by_value() -> None:
    ax = plots.winnability_against(frame("wwll" * 10).assign(aces=[0, 0, 0, 4] * 10), "aces", label="aces on top")
    shown = next(line for line in ax.get_lines() if line.get_marker() == "o")
    assert list(shown.get_xdata()) == [0, 4]
    assert list(shown.get_ydata()) == pytest.approx([200 / 3, 0])
    assert [text.get_text() for text in ax.texts][:2] == ["30", "10"]
    assert ax.get_xlabel() == "aces on top (small figures: deals)"


def test_a_feature_of_many_values_is_cut_into_bins_of_equally_many_deals() -> None:
    ax = plots.winnability_against(frame("wl" * 200), "states", bins=5)
    assert [text.get_text() for text in ax.texts][:5] == ["80"] * 5


def test_pairs_are_counted_in_a_table() -> None:
    pair = plots.side_by_side({"with": frame("wwwlu"), "without": frame("wlllw")})
    ax = plots.paired(pair)
    cells = {text.get_position(): text.get_text().split("\n")[0] for text in ax.texts}
    rows = [label.get_text() for label in ax.get_yticklabels()]
    assert rows == ["winnable", "unwinnable", "undecided"]
    counts = [[int(cells[column, row]) for column in range(3)] for row in range(3)]
    assert counts == [[1, 2, 0], [0, 1, 0], [1, 0, 0]]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("without (deals and share of all deals)", "with")


def test_comparisons_are_paired_as_they_come() -> None:
    compared = sl.compare("stonewall", "stonewall[worrying_back=false]", deals=20, max_states=2000)
    ax = plots.paired(compared.frame)
    assert ax.get_ylabel() == "stonewall"
    assert ax.get_title(loc="left").endswith("n = 20")
    source = ax.texts[-1].get_text()
    assert "stonewall: worrying_back=true; stonewall[worrying_back=false]: worrying_back=false" in source
    assert "2,000 states a deal" in source


def test_only_deals_that_both_studies_have_are_paired() -> None:
    other = frame("lll")
    other["seed"] = [2, 3, 9]
    pair = plots.side_by_side({"one": frame("www"), "other": other})
    assert sorted(pair.index) == [2, 3]
