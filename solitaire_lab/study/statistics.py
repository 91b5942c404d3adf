"""What a sample of verdicts says about a game: confidence intervals for its winnable share.

Undecided deals are not guessed at. The interval's low end counts them all as lost, its high end all as won.
"""

from __future__ import annotations

import dataclasses
import math
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


def sequence(successes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return a confidence sequence of a share, at one number of trials: valid however often one looks.

    With the stated confidence the true share lies in *all* of the intervals, for 1, 2, 3 ... trials, so that a study
    may stop as soon as it likes what it sees. For a share p the ratio of the likelihood of the trials averaged over all
    shares (each equally likely beforehand) to their likelihood under p is a martingale that starts at 1; by
    Ville's inequality it ever reaches 1 / (1 - confidence) with probability at most 1 - confidence. The interval holds
    the p for which it has not: those with ``p**s (1-p)**f >= (1 - confidence) * B(s+1, f+1)``, s successes, f failures.

    The beta-binomial mixture of H. Robbins, Annals of Mathematical Statistics 41:1397, 1970; S. R. Howard, A. Ramdas,
    J. McAuliffe and J. Sekhon, Annals of Statistics 49:1055, 2021; the uniform prior as in I. Waudby-Smith and
    A. Ramdas, *Confidence sequences for sampling without replacement*, NeurIPS 2020.

    Parameters and result are those of :func:`wilson`.
    """
    failures = trials - successes
    level = math.log(1 - confidence) + math.lgamma(successes + 1) + math.lgamma(failures + 1) - math.lgamma(trials + 2)

    def inside(share: float) -> bool:
        likelihood = (successes * math.log(share) if successes else 0.0) + (
            failures * math.log1p(-share) if failures else 0.0
        )
        return likelihood >= level

    best = successes / trials if trials else 0.5
    low = 0.0 if successes == 0 else _edge(inside, best, 0.0)
    high = 1.0 if failures == 0 else _edge(inside, best, 1.0)
    return low, high


def _edge(inside: Callable[[float], bool], within: float, beyond: float) -> float:
    """Return the edge of an interval between a number within it and one beyond, on the far side of the edge."""
    for _ in range(60):
        middle = (within + beyond) / 2
        if inside(middle):
            within = middle
        else:
            beyond = middle
    return beyond


SEQUENCE = "sequence"
"""The interval of studies that stop by its width."""

FIXED_INTERVALS: dict[str, Callable[[int, int, float], tuple[float, float]]] = {"wilson": wilson, "exact": exact}
"""The methods by name for a number of deals that was fixed beforehand."""

INTERVALS = {**FIXED_INTERVALS, SEQUENCE: sequence}
"""All methods by name."""

INTERVAL_NAMES = {
    "wilson": "Wilson",
    "exact": "exact (Clopper-Pearson)",
    SEQUENCE: "confidence sequence, valid at every look",
}


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
    """``"wilson"``, ``"exact"`` or ``"sequence"``."""

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


def check_width(width: float) -> None:
    """Check the width that an interval is to have.

    Raises
    ------
    InputError
        If it is not between 0 and 1.
    """
    if not 0 < width < 1:
        raise InputError(f"width={width}: expected a number above 0 and below 1, such as 0.01")


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


def deals_needed(
    width: float, *, share: float = 0.5, undecided: float = 0.0, confidence: float = 0.95, interval: str = "wilson"
) -> int | None:
    """Say how many deals an interval of a wanted width takes.

    Parameters
    ----------
    width
        The wanted width, a fraction: 0.01 for one percent, half a percent to each side.
    share
        The winnable share among the decided deals, as far as it can be guessed; 0.5 takes the most deals.
    undecided
        The share of deals that stay undecided, each of which widens the interval at both ends.
    confidence, interval
        The interval's confidence and method: ``"wilson"``, ``"exact"`` or ``"sequence"``.

    Returns
    -------
    int or None
        The number of deals; None if the undecided deals alone make the interval wider, however many there are.

    Raises
    ------
    InputError
        If an argument is out of range.
    """
    check_interval(confidence, interval)
    check_width(width)
    for name, value in (("share", share), ("undecided", undecided)):
        if not 0 <= value <= 1:
            raise InputError(f"{name}={value}: expected a number from 0 to 1")
    if undecided >= width:
        return None

    def wide(deals: int) -> bool:
        unknown = math.ceil(undecided * deals)
        won = round(share * (deals - unknown))
        return estimate(won, deals - unknown - won, unknown, confidence, interval).width > width

    most = 1
    while wide(most):
        most *= 2
        if most > 2**60:
            return None
    least = most // 2
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (middle, most) if wide(middle) else (least, middle)
    return most
