"""Sets of up to 64 cards as bits of a uint64."""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.instructions import ones, zeros_above, zeros_below
from solitaire_lab.engine.kernel import kernel

ZERO = np.uint64(0)
ONE = np.uint64(1)


@kernel
def bit(place):
    """Return the set that holds one place (0..63)."""
    return ONE << np.uint64(place)


@kernel
def count_ones(bits):
    """Return how many places a set holds."""
    return ones(bits)


@kernel
def lowest(bits):
    """Return the lowest place of a set that is not empty."""
    return zeros_below(bits)


@kernel
def highest(bits):
    """Return the highest place of a set that is not empty."""
    return np.int64(63) - zeros_above(bits)


@kernel
def below(place):
    """Return the set of all places below one (0..63)."""
    return (ONE << np.uint64(place)) - ONE
