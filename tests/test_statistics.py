"""Intervals against scipy, and what undecided deals do to them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import betaln
from scipy.stats import binom, binomtest

from solitaire_lab.errors import InputError
from solitaire_lab.study.statistics import deals_needed, estimate, exact, sequence, wilson

METHODS = {"wilson": wilson, "exact": exact}
ALL_METHODS = {**METHODS, "sequence": sequence}
counts = st.integers(1, 3000).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials)))
confidences = st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99, 0.999])


@pytest.mark.parametrize("method", METHODS)
@given(counts=counts, confidence=confidences)
def test_interval_is_scipys(method: str, counts: tuple[int, int], confidence: float) -> None:
    expected = binomtest(*counts).proportion_ci(confidence, method=method)
    low, high = METHODS[method](*counts, confidence)
    assert low == pytest.approx(expected.low, abs=1e-10)
    assert high == pytest.approx(expected.high, abs=1e-10)


@pytest.mark.parametrize("method", ALL_METHODS)
def test_ends_are_exact_at_none_and_all(method: str) -> None:
    assert ALL_METHODS[method](0, 50, 0.95)[0] == 0.0
    assert ALL_METHODS[method](50, 50, 0.95)[1] == 1.0
    assert ALL_METHODS[method](0, 0, 0.95) == (0.0, 1.0)


@pytest.mark.parametrize("method", ALL_METHODS)
@given(sample=st.tuples(st.integers(0, 300), st.integers(0, 300), st.integers(0, 300)))
def test_undecided_deals_widen_both_ends(method: str, sample: tuple[int, int, int]) -> None:
    won, lost, unknown = sample
    found = estimate(won, lost, unknown, 0.95, method)
    if_lost = ALL_METHODS[method](won, won + lost + unknown, 0.95)
    if_won = ALL_METHODS[method](won + unknown, won + lost + unknown, 0.95)
    assert (found.low, found.high) == (if_lost[0], if_won[1])
    assert 0 <= found.low <= found.high <= 1
    assert found.width == found.high - found.low
    assert found.deals == won + lost + unknown


def test_wilson_stands_the_largest_confidence() -> None:
    low, high = wilson(5, 10, math.nextafter(1, 0))
    assert 0 < low < 0.5 < high < 1


@pytest.mark.parametrize("confidence", [0, 1, -0.5, 95, math.nan])
def test_confidence_out_of_range_is_refused(confidence: float) -> None:
    with pytest.raises(InputError, match="confidence"):
        estimate(1, 1, 0, confidence)


def test_unknown_method_is_refused_with_the_near_match() -> None:
    with pytest.raises(InputError, match="did you mean 'wilson'"):
        estimate(1, 1, 0, 0.95, "wilsen")


# Confidence sequences.


@given(counts=counts, confidence=confidences)
def test_sequence_is_where_the_mixture_stays_below_its_bound(counts: tuple[int, int], confidence: float) -> None:
    """At both ends the average likelihood is 1 / (1 - confidence) times the likelihood, by scipy's beta function."""
    won, trials = counts
    for end in sequence(won, trials, confidence):
        if 0 < end < 1:
            ratio = betaln(won + 1, trials - won + 1) - won * math.log(end) - (trials - won) * math.log1p(-end)
            assert ratio == pytest.approx(-math.log(1 - confidence), abs=1e-6)


@given(counts=counts)
def test_sequence_is_wider_than_wilson_and_moves_with_the_wins(counts: tuple[int, int]) -> None:
    """Undecided deals may be counted either way at its ends because each end grows with the wins."""
    won, trials = counts
    low, high = sequence(won, trials)
    assert low <= wilson(won, trials)[0] + 1e-9
    assert high >= wilson(won, trials)[1] - 1e-9
    if won < trials:
        more = sequence(won + 1, trials)
        assert more[0] >= low
        assert more[1] >= high


def missed(method: str, share: float, runs: int, deals: int, peeks: list[int], undecided: float = 0.0) -> int:
    """Count the simulated studies in which the true share ever lay outside of the interval at a peek."""
    generator = np.random.default_rng([int(1000 * share), deals])
    won = np.cumsum(generator.random((runs, deals)) < share, axis=1)
    unknown = np.cumsum(generator.random((runs, deals)) < undecided, axis=1)
    outside = np.zeros(runs, bool)
    cache: dict[tuple[int, int], tuple[float, float]] = {}

    def interval(wins: int, trials: int) -> tuple[float, float]:
        if (wins, trials) not in cache:
            cache[wins, trials] = ALL_METHODS[method](wins, trials, 0.95)
        return cache[wins, trials]

    for peek in peeks:
        for run in range(runs):
            wins, open_deals = int(won[run, peek - 1]), int(unknown[run, peek - 1])
            low = interval(max(0, wins - open_deals), peek)[0]
            high = interval(min(peek, wins + open_deals), peek)[1]
            outside[run] |= not low <= share <= high
    return int(outside.sum())


@pytest.mark.parametrize("share", [0.04, 0.5])
def test_sequence_covers_the_truth_at_every_look_and_wilson_does_not(share: float) -> None:
    """400 simulated studies that are looked at some 200 times: 5 % may miss the truth at any one of the looks."""
    peeks = sorted({int(1.025**step * 4) for step in range(200)} | set(range(1, 60)))
    assert missed("sequence", share, 400, peeks[-1], peeks) <= binom.ppf(0.9999, 400, 0.05)
    assert missed("wilson", share, 400, peeks[-1], peeks) > binom.ppf(0.9999, 400, 0.05)


def test_undecided_deals_never_make_a_sequence_miss_more() -> None:
    peeks = list(range(1, 300, 5))
    assert missed("sequence", 0.25, 200, 300, peeks, undecided=0.1) <= missed("sequence", 0.25, 200, 300, peeks)


# How many deals.


@pytest.mark.parametrize("method", ALL_METHODS)
@pytest.mark.parametrize(("share", "undecided"), [(0.5, 0.0), (0.25, 0.0), (0.25, 0.02), (0.0, 0.0)])
def test_as_many_deals_as_are_needed_and_no_more(method: str, share: float, undecided: float) -> None:
    deals = deals_needed(0.05, share=share, undecided=undecided, interval=method)
    assert deals is not None

    def width(number: int) -> float:
        unknown = math.ceil(undecided * number)
        won = round(share * (number - unknown))
        return estimate(won, number - unknown - won, unknown, 0.95, method).width

    assert width(deals) <= 0.05
    assert all(width(fewer) > 0.05 for fewer in range(max(1, int(0.97 * deals)), max(1, int(0.99 * deals))))


def test_known_numbers_of_deals() -> None:
    """For an interval of 1 % around one half, 1.96**2 / 0.01**2 deals: the textbook's formula."""
    assert deals_needed(0.01) == pytest.approx(1.959964**2 / 0.01**2, rel=1e-3)
    assert deals_needed(0.01, undecided=0.01) is None
    for bad in ({"width": 0}, {"width": 0.1, "share": 2}, {"width": 0.1, "undecided": -1}):
        with pytest.raises(InputError):
            deals_needed(**bad)
