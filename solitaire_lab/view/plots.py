"""Plots of studies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solitaire_lab.study.statistics import estimate
from solitaire_lab.verdicts import UNDECIDED, WINNABLE

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

POINTS = 400
"""At how many numbers of deals the interval is drawn."""


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
        One row a deal, in order, with a column `verdict`: a study's frame.
    ax
        Where to draw; a new figure if None.
    confidence, interval
        Settings of the interval: ``"wilson"`` or ``"exact"``.
    title
        The game in words; by default what the frame's `attrs` say of it.
    source
        What stands below the axes; by default options, deals, budget and version from the frame's `attrs`.

    Returns
    -------
    matplotlib.axes.Axes
        The interval is a band; undecided deals count as lost at its low end and as won at its high end.

    Raises
    ------
    InputError
        For an unknown method, or a confidence that is not between 0 and 1.
    """
    import numpy as np

    if ax is None:
        import matplotlib.pyplot as plt

        _, ax = plt.subplots(figsize=(8, 5), layout="constrained")
    verdicts = frame["verdict"].to_numpy()
    winnable, undecided = np.cumsum(verdicts == WINNABLE), np.cumsum(verdicts == UNDECIDED)
    deals = len(frame)
    points = np.unique(np.linspace(1, deals, num=min(POINTS, deals), dtype=np.int64)) if deals else np.array([], int)
    found = [
        estimate(int(won), int(n - won - unknown), int(unknown), confidence, interval)
        for n, won, unknown in zip(points, winnable[points - 1], undecided[points - 1], strict=True)
    ]
    ax.fill_between(
        points,
        [100 * each.low for each in found],
        [100 * each.high for each in found],
        alpha=0.25,
        label=f"interval, {_method(confidence, interval)}",
    )
    if undecided.size and undecided[-1]:
        proved = [100 * each.winnable / each.deals for each in found]
        possible = [100 * (each.winnable + each.undecided) / each.deals for each in found]
        ax.plot(points, proved, label="winnable")
        ax.plot(points, possible, linestyle="--", label="winnable or undecided")
    else:
        ax.plot(points, [100 * each.winnable / each.deals for each in found], label="winnable")
    ax.set_xlabel("deals solved, in the order of their seeds")
    ax.set_ylabel("share of deals (%)")
    ax.set_ylim(_limits(found))
    ax.grid(alpha=0.3)
    ax.legend()
    about: dict[Any, Any] = frame.attrs
    ax.set_title(f"{title or about.get('game', 'Winnability')}, n = {deals:,}")
    if source is None:
        source = "\n".join(str(about[name]) for name in ("options", "deals", "budget", "version") if name in about)
    if source:
        ax.annotate(
            source, (0, 0), (0, -42), xycoords="axes fraction", textcoords="offset points", fontsize=7, va="top"
        )
    return ax


def _method(confidence: float, interval: str) -> str:
    return estimate(0, 0, 0, confidence, interval).method_text()


def _limits(found: list[Any]) -> tuple[float, float]:
    """Return the axis' range in percent: what the second half of the deals needs, with some air."""
    settled = found[len(found) // 20 :] or found
    if not settled:
        return 0.0, 100.0
    low, high = min(each.low for each in settled), max(each.high for each in settled)
    air = 0.05 * (high - low) + 0.001
    return 100 * max(0.0, low - air), 100 * min(1.0, high + air)
