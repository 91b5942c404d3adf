"""Sets of up to 64 cards as bits of a uint64."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite.ir import Constant, IntType
from numba import config, types
from numba.extending import intrinsic

from solitaire_lab.engine.kernel import kernel

ZERO = np.uint64(0)
ONE = np.uint64(1)


def _instruction(name: str, generate: Callable[..., Any], in_python: Callable[[int], int]) -> Callable[..., Any]:
    """Return a function from a uint64 to an int64 that kernels have as one machine instruction.

    Where numba is told to compile nothing, it is `in_python`.
    """
    if config.DISABLE_JIT:
        return lambda word: np.int64(in_python(int(word)))

    def typed(_typing_context, word):
        return types.int64(types.uint64), lambda _context, builder, _signature, words: generate(builder, words[0])

    typed.__name__ = name
    return intrinsic(typed)


_UNDEFINED_FOR_0 = Constant(IntType(1), 1)

_ones = _instruction("ones", lambda builder, word: builder.ctpop(word), int.bit_count)
_zeros_below = _instruction(
    "zeros_below",
    lambda builder, word: builder.cttz(word, _UNDEFINED_FOR_0),
    lambda word: (word & -word).bit_length() - 1,
)
_zeros_above = _instruction(
    "zeros_above", lambda builder, word: builder.ctlz(word, _UNDEFINED_FOR_0), lambda word: 64 - word.bit_length()
)


@kernel
def bit(place):
    """Return the set that holds one place (0..63)."""
    return ONE << np.uint64(place)


@kernel
def count_ones(bits):
    """Return how many places a set holds."""
    return _ones(bits)


@kernel
def lowest(bits):
    """Return the lowest place of a set that is not empty."""
    return _zeros_below(bits)


@kernel
def highest(bits):
    """Return the highest place of a set that is not empty."""
    return np.int64(63) - _zeros_above(bits)


@kernel
def below(place):
    """Return the set of all places below one (0..63)."""
    return (ONE << np.uint64(place)) - ONE
