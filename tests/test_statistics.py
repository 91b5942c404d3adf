"""Intervals against scipy, and what undecided deals do to them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from solitaire_lab.errors import InputError
from solitaire_lab.study.statistics import estimate, exact, wilson

METHODS = {"wilson": wilson, "exact": exact}
counts = st.integers(1, 3000).flatmap(lambda trials: st.tuples(st.integers(0, trials), st.just(trials)))
confidences = st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99, 0.999])


@pytest.mark.parametrize("method", METHODS)
@given(counts=counts, confidence=confidences)
def test_interval_is_scipys(method: str, counts: tuple[int, int], confidence: float) -> None:
    expected = binomtest(*counts).proportion_ci(confidence, method=method)
    low, high = METHODS[method](*counts, confidence)
    assert low == pytest.approx(expected.low, abs=1e-10)
    assert high == pytest.approx(expected.high, abs=1e-10)


@pytest.mark.parametrize("method", METHODS)
def test_ends_are_exact_at_none_and_all(method: str) -> None:
    assert METHODS[method](0, 50, 0.95)[0] == 0.0
    assert METHODS[method](50, 50, 0.95)[1] == 1.0
    assert METHODS[method](0, 0, 0.95) == (0.0, 1.0)


@pytest.mark.parametrize("method", METHODS)
@given(sample=st.tuples(st.integers(0, 300), st.integers(0, 300), st.integers(0, 300)))
def test_undecided_deals_widen_both_ends(method: str, sample: tuple[int, int, int]) -> None:
    won, lost, unknown = sample
    found = estimate(won, lost, unknown, 0.95, method)
    if_lost = METHODS[method](won, won + lost + unknown, 0.95)
    if_won = METHODS[method](won + unknown, won + lost + unknown, 0.95)
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
