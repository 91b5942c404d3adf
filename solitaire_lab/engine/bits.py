"""Sets of up to 64 cards as bits of a uint64."""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.kernel import kernel

ZERO = np.uint64(0)
ONE = np.uint64(1)

# A de Bruijn sequence: each 6-bit window occurs once, so multiplying by a single bit and keeping the top six bits
# names the bit.
_DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
_PLACES = np.zeros(64, np.int64)
for _place in range(64):
    _PLACES[((0x03F79D71B4CB0A89 << _place) % 2**64) >> 58] = _place
_TOP_SIX = np.uint64(58)


@kernel
def bit(place):
    """Return the set that holds one place (0..63)."""
    return ONE << np.uint64(place)


@kernel
def lowest(bits):
    """Return the lowest place of a set that is not empty."""
    return _PLACES[np.int64(((bits & (~bits + ONE)) * _DE_BRUIJN) >> _TOP_SIX)]


@kernel
def highest(bits):
    """Return the highest place of a set that is not empty."""
    bits |= bits >> np.uint64(1)
    bits |= bits >> np.uint64(2)
    bits |= bits >> np.uint64(4)
    bits |= bits >> np.uint64(8)
    bits |= bits >> np.uint64(16)
    bits |= bits >> np.uint64(32)
    return lowest(bits ^ (bits >> ONE))


@kernel
def below(place):
    """Return the set of all places below one (0..63)."""
    return (ONE << np.uint64(place)) - ONE
