"""Plots of studies. Each takes a frame, one row a deal, and axes, or makes a figure of its own.

Every figure says what its axes mean, in which unit, how many deals it rests on, and by what study it was made: the
frame's `attrs` tell the last, as far as they are there. Undecided deals are never left out: where a share has an
interval, they count as lost at its low end and as won at its high end.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import textwrap
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ParamSpec

from solitaire_lab.errors import InputError, near
from solitaire_lab.study.statistics import Estimate, estimate
from solitaire_lab.verdicts import UNDECIDED, UNWINNABLE, WINNABLE
from solitaire_lab.view.frames import MADE_OF, common, side_by_side, together  # noqa: F401 (found here, too)
from solitaire_lab.view.summary import COLOURS

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

P = ParamSpec("P")

VERDICTS: tuple[str, ...] = (WINNABLE, UNWINNABLE, UNDECIDED)

POINTS = 400
"""At how many numbers of deals the running estimate is drawn."""

WRAP = 120
"""Signs in a line below the axes."""

FEW_VALUES = 12
"""A feature with at most so many values is not cut into bins."""

STYLE: dict[Any, Any] = {
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.prop_cycle": "cycler('color', ['0072b2', 'd55e00', '009e73', 'cc79a7', 'e69f00', '56b4e9', '000000'])",
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "figure.dpi": 100,
    "figure.figsize": (7.2, 4.2),
    "font.size": 10,
    "grid.alpha": 0.25,
    "legend.frameon": False,
    "legend.fontsize": 9,
}
"""Settings of a figure made here; its colours suit the colour-blind. Axes that are given keep their own."""

_made_here: weakref.WeakSet[Figure] = weakref.WeakSet()
"""Figures whose size is this module's business."""


def _plot(draw: Callable[P, Axes]) -> Callable[P, Axes]:
    """Let a plot make its own figure, in this module's style, where no axes are given."""
    parameters = inspect.signature(draw)

    @functools.wraps(draw)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> Axes:
        given = parameters.bind(*args, **kwargs)
        with contextlib.ExitStack() as stack:
            if given.arguments.get("ax") is None:
                from matplotlib import pyplot as plt

                # Load the backend now: that of a notebook changes settings which must outlast the context.
                plt.draw_if_interactive()  # type: ignore[no-untyped-call]
                stack.enter_context(plt.rc_context(STYLE))
                figure, given.arguments["ax"] = plt.subplots(layout="constrained")
                _made_here.add(figure)
            return draw(*given.args, **given.kwargs)

    return drawn


@_plot
def win_rates(
    frame: pd.DataFrame,
    ax: Axes | None = None,
    *,
    by: str = "game",
    published: Mapping[str, float | tuple[float, float]] | None = None,
    confidence: float = 0.95,
    interval: str = "wilson",
    title: str | None = None,
    source: str | None = None,
) -> Axes:
    """Draw the winnable share of several games, each with its interval.

    Parameters
    ----------
    frame
        With the columns `verdict` and `by`; `together` makes one.
    ax
        Where to draw; a new figure if None.
    by
        The column that tells the games, or variants, apart.
    published
        Figures of others to be shown beside: a fraction, or both ends of an interval, by name.
    confidence, interval
        Settings of the interval: ``"wilson"`` or ``"exact"``.
    title, source
        What stands above and below the axes.

    Raises
    ------
    InputError
        If a column is missing, or the interval's settings are out of range.
    """
    assert ax is not None
    _check_columns(frame, "verdict", by)
    groups = {str(name): part for name, part in frame.groupby(by, sort=False, observed=True)}
    labels = []
    for place, (name, part) in enumerate(groups.items()):
        found = _estimate(part, confidence, interval)
        proved, possible = _shares(found)
        ax.plot(
            [100 * found.low, 100 * found.high],
            [place, place],
            color="#0072b2",
            linewidth=2,
            zorder=2,
            solid_capstyle="butt",
        )
        if found.undecided:
            ax.plot(
                [proved, possible],
                [place, place],
                color=COLOURS[UNDECIDED],
                linewidth=7,
                alpha=0.6,
                zorder=1,
                solid_capstyle="butt",
            )
        ax.plot([proved], [place], "o", color="#0072b2", zorder=3)
        labels.append(f"{name}\nn = {found.deals:,}")
        if published and name in published:
            value = published[name]
            ends = value if isinstance(value, tuple) else (value, value)
            ax.plot([100 * end for end in ends], [place + 0.2] * 2, color="#d55e00", linewidth=2)
            ax.plot([50 * sum(ends)], [place + 0.2], "D", color="#d55e00", markerfacecolor="white", markersize=6)
    for figure in _made_here:
        if figure is ax.figure:
            figure.set_size_inches(7.2, 2.6 + 0.46 * len(groups))
    ax.set_yticks(range(len(groups)), labels)
    ax.set_ylim(len(groups) + 0.35, -0.6)  # with room for the legend
    ax.grid(axis="y", visible=False)
    ax.set_xlabel("share of deals (%)")
    _legend(
        ax,
        [
            ("proved winnable", {"marker": "o", "color": "#0072b2", "linestyle": ""}),
            (f"interval, {_method(confidence, interval)}", {"color": "#0072b2", "linewidth": 2}),
            *([("undecided", {"color": COLOURS[UNDECIDED], "linewidth": 7, "alpha": 0.6})] * _has_undecided(frame)),
            *([("published", {"marker": "D", "color": "#d55e00", "markerfacecolor": "white"})] * bool(published)),
        ],
        loc="lower center",
        ncols=2,
        fontsize=8,
    )
    return _told(ax, frame, title or "Winnability", source)


@_plot
def running_estimate(
    frame: pd.DataFrame,
    ax: Axes | None = None,
    *,
    confidence: float = 0.95,
    interval: str = "wilson",
    title: str | None = None,
    source: str | None = None,
) -> Axes:
    """Draw how the estimate of the winnable share settles as deals come in.

    Parameters
    ----------
    frame
        In the order of solving, with the column `verdict`.
    ax
        Where to draw; a new figure if None.
    confidence, interval
        Settings of the interval: ``"wilson"`` or ``"exact"``. It holds at each number of deals taken alone.
    title, source
        What stands above and below the axes.

    Raises
    ------
    InputError
        If the column is missing, or the interval's settings are out of range.
    """
    import numpy as np

    assert ax is not None
    _check_columns(frame, "verdict")
    verdicts = frame["verdict"].to_numpy()
    winnable, undecided = np.cumsum(verdicts == WINNABLE), np.cumsum(verdicts == UNDECIDED)
    deals = len(frame)
    points = np.unique(np.linspace(1, deals, num=min(POINTS, deals), dtype=np.int64)) if deals else np.array([], int)
    found = [
        estimate(int(won), int(n - won - unknown), int(unknown), confidence, interval)
        for n, won, unknown in zip(points, winnable[points - 1], undecided[points - 1], strict=True)
    ]
    label = f"interval, {_method(confidence, interval)}"
    ax.fill_between(points, *_ends(found), alpha=0.25, label=label)
    shares = [_shares(each) for each in found]
    ax.plot(points, [proved for proved, _ in shares], label="winnable")
    if undecided.size and undecided[-1]:
        ax.plot(points, [possible for _, possible in shares], linestyle="--", label="winnable or undecided")
    ax.set_xlabel("deals solved, in the order of their seeds")
    ax.set_ylabel("share of deals (%)")
    ax.set_ylim(_limits(found))
    ax.legend()
    return _told(ax, frame, title or "How the estimate settles", source)


@_plot
def hardness(
    frame: pd.DataFrame, ax: Axes | None = None, *, title: str | None = None, source: str | None = None
) -> Axes:
    """Draw how many states the deals took, by verdict, on a logarithmic scale.

    An undecided deal stands where it was given up.

    Parameters
    ----------
    frame
        With the columns `verdict` and `states`.
    ax
        Where to draw; a new figure if None.
    title, source
        What stands above and below the axes.

    Raises
    ------
    InputError
        If a column is missing.
    """
    import numpy as np

    assert ax is not None
    _check_columns(frame, "verdict", "states")
    parts = {verdict: frame.loc[frame["verdict"] == verdict, "states"].to_numpy() for verdict in VERDICTS}
    parts = {verdict: states for verdict, states in parts.items() if len(states)}
    top = max(10.0, float(frame["states"].max())) if len(frame) else 10.0
    bins = np.geomspace(1, top * 1.05, num=40)
    if parts:
        ax.hist(
            list(parts.values()),
            bins=bins.tolist(),
            stacked=True,
            color=[COLOURS[verdict] for verdict in parts],
            label=[
                f"{verdict}: n = {len(states):,}, median {np.median(states):,.0f}" for verdict, states in parts.items()
            ],
            edgecolor="white",
            linewidth=0.4,
        )
        ax.legend()
    ax.set_xscale("log")
    ax.set_xlabel("states searched for a deal (distinct positions, logarithmic)")
    ax.set_ylabel("deals")
    return _told(ax, frame, title or "What a deal takes to decide", source)


@_plot
def undecided_share(
    frame: pd.DataFrame,
    ax: Axes | None = None,
    *,
    by: str | None = None,
    confidence: float = 0.95,
    interval: str = "wilson",
    title: str | None = None,
    source: str | None = None,
) -> Axes:
    """Draw the share of deals that are still undecided after so many states, that is, under a smaller budget.

    Where the searches of a deal are planned by its budget, a study with a smaller one may do a little better or worse.

    Parameters
    ----------
    frame
        With the columns `verdict` and `states`.
    ax
        Where to draw; a new figure if None.
    by
        A column that tells games apart; None for one curve.
    confidence, interval
        Settings of the interval.
    title, source
        What stands above and below the axes.

    Raises
    ------
    InputError
        If a column is missing, or the interval's settings are out of range.
    """
    import numpy as np

    assert ax is not None
    _check_columns(frame, "verdict", "states", *([by] if by else []))
    groups: dict[str, pd.DataFrame] = {"": frame}
    if by:
        groups = {str(name): part for name, part in frame.groupby(by, sort=False, observed=True)}
    most = max(2, int(frame["states"].max())) if len(frame) else 2
    budgets = np.unique(np.geomspace(1, most, num=120).astype(np.int64))
    for name, part in groups.items():
        decided = np.sort(part.loc[part["verdict"] != UNDECIDED, "states"].to_numpy())
        left = len(part) - np.searchsorted(decided, budgets, side="right")
        found = [estimate(int(open_), int(len(part) - open_), 0, confidence, interval) for open_ in left]
        shares = [_shares(each)[0] for each in found]
        label = f"{name}, n = {len(part):,}" if name else f"undecided, n = {len(part):,}"
        (line,) = ax.plot(budgets, shares, drawstyle="steps-post", label=label)
        ax.fill_between(budgets, *_ends(found), step="post", alpha=0.15, color=line.get_color())
    ax.set_xscale("log")
    ax.set_ylim(0, 102)
    ax.set_xlabel("states a deal may take (logarithmic)")
    ax.set_ylabel("deals not decided by then (%)")
    ax.legend(title=f"band: {_method(confidence, interval)}", title_fontsize=8)
    return _told(ax, frame, title or "Undecided share against budget", source)


@_plot
def winnability_against(
    frame: pd.DataFrame,
    feature: str,
    ax: Axes | None = None,
    *,
    bins: int = 8,
    label: str | None = None,
    confidence: float = 0.95,
    interval: str = "wilson",
    title: str | None = None,
    source: str | None = None,
) -> Axes:
    """Draw the winnable share against a number that is known of each deal.

    Parameters
    ----------
    frame
        With the columns `verdict` and `feature`.
    feature
        The column of the numbers. Few different values are shown one by one, more in bins of equally many deals.
    ax
        Where to draw; a new figure if None.
    bins
        At most so many bins.
    label
        What the feature is, with its unit.
    confidence, interval
        Settings of the interval.
    title, source
        What stands above and below the axes.

    Raises
    ------
    InputError
        If a column is missing, or the interval's settings are out of range.
    """
    import pandas as pd
    from matplotlib.ticker import MaxNLocator

    assert ax is not None
    _check_columns(frame, "verdict", feature)
    places, found = [], []
    for part in _binned(frame, feature, bins):
        places.append(float(part[feature].mean()))
        found.append(_estimate(part, confidence, interval))
    lows, highs = _ends(found)
    ax.vlines(places, lows, highs, color="#0072b2", linewidth=2, label=f"interval, {_method(confidence, interval)}")
    shares = [_shares(each) for each in found]
    ax.plot(places, [proved for proved, _ in shares], "o", color="#0072b2", label="winnable")
    if _has_undecided(frame):
        ax.plot(places, [possible for _, possible in shares], "_", color="#0072b2", label="winnable or undecided")
    low, high = _limits(found, settled=False)
    ax.set_ylim(low - 0.08 * (high - low), high + 0.16 * (high - low))
    if pd.api.types.is_integer_dtype(frame[feature]):
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    for place, each in zip(places, found, strict=True):
        ax.annotate(f"{each.deals:,}", (place, 0.01), xycoords=("data", "axes fraction"), fontsize=7, ha="center")
    ax.set_xlabel(f"{label or feature} (small figures: deals)")
    ax.set_ylabel("share of deals (%)")
    ax.legend(loc="upper right", ncols=3)
    return _told(ax, frame, title or f"Winnability against {label or feature}", source)


@_plot
def paired(
    frame: pd.DataFrame,
    ax: Axes | None = None,
    *,
    title: str | None = None,
    source: str | None = None,
) -> Axes:
    """Draw how the verdicts of two variants on the same deals go together: a table, shaded where they differ.

    Parameters
    ----------
    frame
        One row a deal, with two columns of verdicts, which bear the variants' names, and perhaps their seeds: the frame
        of a comparison, or one that `side_by_side` makes.
    ax
        Where to draw; a new figure if None.
    title, source
        What stands above and below the axes.

    Raises
    ------
    InputError
        If there are not two columns.
    """
    import numpy as np

    assert ax is not None
    variants = [str(column) for column in frame.columns if column != "seed"]
    if len(variants) != 2 or not frame[variants].isin(VERDICTS).all(axis=None):
        raise InputError(f"expected a frame of two columns of verdicts, got {', '.join(variants)}")
    first, second = variants
    shown = [
        verdict for verdict in VERDICTS if verdict != UNDECIDED or (frame[[first, second]] == UNDECIDED).any(axis=None)
    ]
    counts = np.array([[int(((frame[first] == one) & (frame[second] == two)).sum()) for two in shown] for one in shown])
    deals = max(1, len(frame))
    shades = np.ones((len(shown), len(shown), 4))
    for row, one in enumerate(shown):
        for column, two in enumerate(shown):
            decided = UNDECIDED not in (one, two)
            colour = COLOURS[UNDECIDED] if not decided else COLOURS[WINNABLE] if one == two else COLOURS[UNWINNABLE]
            strength = 0.12 + 0.6 * (counts[row, column] / deals) ** 0.5 if counts[row, column] else 0.03
            shades[row, column] = (*(int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)), strength)
            ax.annotate(
                f"{counts[row, column]:,}\n{100 * counts[row, column] / deals:.1f} %",
                (column, row),
                ha="center",
                va="center",
                fontsize=11,
            )
    ax.imshow(shades, aspect="auto")
    ax.set_xticks(range(len(shown)), shown)
    ax.set_yticks(range(len(shown)), shown)
    ax.grid(visible=False)
    ax.set_xlabel(f"{second} (deals and share of all deals)")
    ax.set_ylabel(first)
    return _told(ax, frame, title or f"{first} against {second}, deal by deal", source)


# What the plots share.


def _check_columns(frame: pd.DataFrame, *names: str) -> None:
    for name in names:
        if name not in frame.columns:
            known = [str(column) for column in frame.columns]
            raise InputError(f"the frame has no column {name!r}; it has {', '.join(known)}{near(name, known)}")


def _has_undecided(frame: pd.DataFrame) -> bool:
    return bool((frame["verdict"] == UNDECIDED).any())


def _estimate(frame: pd.DataFrame, confidence: float, interval: str) -> Estimate:
    winnable, unwinnable, undecided = (int((frame["verdict"] == verdict).sum()) for verdict in VERDICTS)
    return estimate(winnable, unwinnable, undecided, confidence, interval)


def _shares(found: Estimate) -> tuple[float, float]:
    """Return what is proved winnable, and what may be, in percent."""
    deals = max(1, found.deals)
    return 100 * found.winnable / deals, 100 * (found.winnable + found.undecided) / deals


def _ends(found: Sequence[Estimate]) -> tuple[list[float], list[float]]:
    return [100 * each.low for each in found], [100 * each.high for each in found]


def _binned(frame: pd.DataFrame, feature: str, bins: int) -> Iterator[pd.DataFrame]:
    import pandas as pd

    values = frame[feature]
    if values.nunique() <= max(bins, FEW_VALUES):
        groups = frame.groupby(values, observed=True)
    else:
        groups = frame.groupby(pd.qcut(values, bins, duplicates="drop"), observed=True)
    return (part for _, part in groups)


def _legend(ax: Axes, entries: list[tuple[str, dict[str, Any]]], **where: Any) -> None:
    from matplotlib.lines import Line2D

    ax.legend(handles=[Line2D([], [], label=label, **how) for label, how in entries], **where)


def _method(confidence: float, interval: str) -> str:
    return estimate(0, 0, 0, confidence, interval).method_text()


def _limits(found: Sequence[Estimate], *, settled: bool = True) -> tuple[float, float]:
    """Return the axis' range in percent, with some air: what all need, or the later ones if the first are to settle."""
    needed = found[len(found) // 20 :] if settled else found
    if not needed:
        return 0.0, 100.0
    low, high = min(each.low for each in needed), max(each.high for each in needed)
    air = 0.05 * (high - low) + 0.001
    return 100 * max(0.0, low - air), 100 * min(1.0, high + air)


def _told(ax: Axes, frame: pd.DataFrame, title: str, source: str | None) -> Axes:
    """Write what is drawn, on how many deals, and where they come from."""
    ax.set_title(f"{title}, n = {len(frame):,}", loc="left")
    if source is None:
        attrs = frame.attrs
        if attrs and all(isinstance(each, dict) for each in attrs.values()):  # a comparison's, by variant
            attrs = common(attrs)
        source = "\n".join(str(attrs[name]) for name in MADE_OF if name in attrs)
    if source:
        lines = [part for line in source.splitlines() for part in textwrap.wrap(line, WRAP)]
        alone = ax.figure.axes == [ax]
        ax.annotate(
            "\n".join(lines),
            (0.012 if alone else 0, 0),
            (0, -44),
            xycoords=("figure fraction" if alone else "axes fraction", "axes fraction"),
            textcoords="offset points",
            fontsize=7,
            va="top",
            color="#59635e",
            annotation_clip=False,
        )
    return ax
