"""CPU time of the calling thread, readable inside a kernel."""

from __future__ import annotations

import time

import numba
import numpy as np

from solitaire_lab.engine.kernel import kernel

# An external symbol, not a ctypes pointer: a pointer would defeat the on-disk cache.
_clock_gettime = numba.types.ExternalFunction(
    "clock_gettime", numba.int32(numba.int32, numba.types.CPointer(numba.int64))
)
_THREAD_CLOCK = time.CLOCK_THREAD_CPUTIME_ID


@kernel
def thread_seconds(scratch):
    """Return the CPU seconds of this thread; `scratch` is an int64 array of two places."""
    _clock_gettime(np.int32(_THREAD_CLOCK), scratch.ctypes)
    return scratch[0] + scratch[1] * 1e-9
