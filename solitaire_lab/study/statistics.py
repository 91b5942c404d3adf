"""What a sample of verdicts says about a game: confidence intervals for its winnable share.

Undecided deals are not guessed at. The interval's low end counts them all as lost, its high end all as won.
"""

from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Callable

from solitaire_lab.errors import InputError, near


def wilson(successes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return the Wilson score interval of a share (E. B. Wilson, JASA 22:158, 1927).

    Parameters
    ----------
    successes, trials
        `successes` of `trials` independent deals.
    confidence
        Two-sided, above 0 and below 1.

    Returns
    -------
    tuple of float
        Both ends, as fractions; (0, 1) if there were no trials.
    """
    if trials == 0:
        return 0.0, 1.0
    z = -statistics.NormalDist().inv_cdf((1 - confidence) / 2)
    share, spread = successes / trials, z * z / trials
    centre = (share + spread / 2) / (1 + spread)
    half = (z / (1 + spread)) * (share * (1 - share) / trials + spread / (4 * trials)) ** 0.5
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == trials else min(1.0, centre + half)
    return low, high


def exact(successes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return the exact interval of a share (C. J. Clopper and E. S. Pearson, Biometrika 26:404, 1934).

    Parameters and result are those of :func:`wilson`. It never covers less often than it says, and is wider.
    """
    if trials == 0:
        return 0.0, 1.0
    from scipy.special import betaincinv

    tail, failures = (1 - confidence) / 2, trials - successes
    low = 0.0 if successes == 0 else float(betaincinv(successes, failures + 1, tail))
    high = 1.0 if failures == 0 else float(betaincinv(successes + 1, failures, 1 - tail))
    return low, high


INTERVALS: dict[str, Callable[[int, int, float], tuple[float, float]]] = {"wilson": wilson, "exact": exact}
"""The methods by name."""

INTERVAL_NAMES = {"wilson": "Wilson", "exact": "exact (Clopper-Pearson)"}


@dataclasses.dataclass(frozen=True)
class Estimate:
    """Counts of verdicts, and the interval of the winnable share that follows from them."""

    winnable: int
    unwinnable: int
    undecided: int
    low: float
    """The interval's lower end, a fraction, with every undecided deal counted as unwinnable."""
    high: float
    """The interval's upper end, with every undecided deal counted as winnable."""
    confidence: float
    method: str
    """``"wilson"`` or ``"exact"``."""

    @property
    def deals(self) -> int:
        """Deals in the sample."""
        return self.winnable + self.unwinnable + self.undecided

    @property
    def width(self) -> float:
        """``high - low``."""
        return self.high - self.low

    def method_text(self) -> str:
        """Return confidence and method in words: ``95 % confidence, Wilson``."""
        return f"{100 * self.confidence:g} % confidence, {INTERVAL_NAMES[self.method]}"


def check_interval(confidence: float, method: str) -> None:
    """Check an interval's settings.

    Raises
    ------
    InputError
        For an unknown method, or a confidence that is not between 0 and 1.
    """
    if method not in INTERVALS:
        raise InputError(f"interval={method}: expected {' or '.join(INTERVALS)}{near(method, INTERVALS)}")
    if not 0 < confidence < 1:
        raise InputError(f"confidence={confidence}: expected a number above 0 and below 1, such as 0.95")


def estimate(
    winnable: int, unwinnable: int, undecided: int, confidence: float = 0.95, method: str = "wilson"
) -> Estimate:
    """Return the estimate that follows from the counts of verdicts.

    Raises
    ------
    InputError
        As :func:`check_interval`.
    """
    check_interval(confidence, method)
    deals = winnable + unwinnable + undecided
    low, _ = INTERVALS[method](winnable, deals, confidence)
    _, high = INTERVALS[method](winnable + undecided, deals, confidence)
    return Estimate(winnable, unwinnable, undecided, low, high, confidence, method)
