"""What kernels have of the processor's own: single instructions that numba does not know by a name.

Where numba is told to compile nothing, they are Python functions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.extending import intrinsic
from numba.np import arrayobj

_UNDEFINED_FOR_0 = ir.Constant(ir.IntType(1), 1)
_READ, _KEEP, _DATA = (ir.Constant(ir.IntType(32), number) for number in (0, 3, 1))


def _on_words(name: str, generate: Callable[..., Any], in_python: Callable[[int], int]) -> Callable[..., Any]:
    """Return a function from a uint64 to an int64."""
    if config.DISABLE_JIT:
        return lambda word: np.int64(in_python(int(word)))

    def typed(_typing_context, word):
        return types.int64(types.uint64), lambda _context, builder, _signature, words: generate(builder, words[0])

    typed.__name__ = name
    return intrinsic(typed)


ones = _on_words("ones", lambda builder, word: builder.ctpop(word), int.bit_count)
"""Return the number of ones in a word."""

zeros_below = _on_words(
    "zeros_below",
    lambda builder, word: builder.cttz(word, _UNDEFINED_FOR_0),
    lambda word: (word & -word).bit_length() - 1,
)
"""Return the number of zeros below the lowest one of a word that is not 0."""

zeros_above = _on_words(
    "zeros_above", lambda builder, word: builder.ctlz(word, _UNDEFINED_FOR_0), lambda word: 64 - word.bit_length()
)
"""Return the number of zeros above the highest one of a word that is not 0."""


@intrinsic
def _prefetch(_typing_context, array, place):
    """Have the processor fetch a place of an array into its cache, without waiting for it."""

    def generate(context, builder, signature, arguments):
        data = arrayobj.make_array(signature.args[0])(context, builder, arguments[0]).data
        byte = ir.IntType(8).as_pointer()
        address = builder.bitcast(builder.gep(data, [arguments[1]]), byte)
        kind = ir.FunctionType(ir.VoidType(), [byte] + 3 * [ir.IntType(32)])
        builder.call(builder.module.declare_intrinsic("llvm.prefetch", [byte], kind), [address, _READ, _KEEP, _DATA])
        return context.get_dummy_value()

    return types.void(array, types.int64), generate


def _do_nothing(_array: Any, _place: Any) -> None:
    """Stand in for it where nothing is compiled."""


prefetch: Callable[..., Any] = _do_nothing if config.DISABLE_JIT else _prefetch
