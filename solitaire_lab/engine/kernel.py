"""The one decorator of compiled functions, and where their machine code is kept.

Numba's own cache notices an edit of the file a function stands in, but not of the files it calls into, and
ignores changed compiler flags. So the cache folder's name is a hash of all of the engine's sources, the
numba version and the flags: any change starts a new folder.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba import config, types
from numba.core import event
from numba.np import arrayobj

OPTIONS: dict[str, Any] = {
    "nogil": True,
    "cache": True,
    "error_model": "numpy",
    "_nrt": False,  # counting references to arrays at every call took a third of a search's time
    "no_cfunc_wrapper": True,  # nobody calls kernels from C
    "no_rewrites": True,  # nor writes array expressions in them: both only made compilation longer
}

CACHE_VARIABLE = "SOLITAIRE_LAB_CACHE"
"""Environment variable that moves the cache of compiled kernels to another folder."""


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function on first use, without the interpreter lock, cached on disk. It must not allocate arrays.

    It becomes part of each kernel that calls it, at each place: a call passes seven words for every array, which took
    a third of a search's time.
    """
    return _compiled(function, inlined=True)


def large_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function likewise, but to be called: one that does much each time, and takes long to compile."""
    return _compiled(function, inlined=False)


def _compiled(function: Callable[..., Any], *, inlined: bool) -> Callable[..., Any]:
    before = config.CACHE_DIR
    config.CACHE_DIR = _cache_folder()
    try:
        return numba.njit(**OPTIONS, forceinline=inlined)(function)
    finally:
        config.CACHE_DIR = before


def on_first_compile(callback: Callable[[], None]) -> None:
    """Have `callback` called once, when a function must really be compiled, not loaded from the cache."""
    event.register("numba:compile", _Once(callback))


class _Compiling(event.Listener):  # type: ignore[misc]  # numba counts as untyped
    """Has kernels compiled in a way that numba knows for a whole process only, and everybody else's code as before.

    Each setting is made while a kernel is being compiled, which happens under numba's own lock, and set back then.

    - A lower level of optimisation than numba's highest for what others call. That takes a fifth less time to compile.
      The kernel that is called from Python is compiled at the highest level, together with all that it calls: build
      games run a tenth faster by that. No loops over arrays could be vectorised.
    - Indexes are never counted from the end: **a negative index in a kernel is an error**, as it is in C, which the
      tests with ``NUMBA_BOUNDSCHECK=1`` notice. The instructions that look for them, three at each access to an array,
      took a fifth of a search's time. Should another version of numba do this elsewhere, kernels run slower, no more.
    """

    def __init__(self) -> None:
        self._before: list[tuple[Any, str, Any]] = []
        self._marks: list[int] = []
        self._level = config.OPT

    def on_start(self, event: event.Event) -> None:
        if not _is_kernel(event):
            return
        if not self._marks:
            self._level = config.OPT
        # At level 0, asked for to look for errors, nothing is changed.
        level = type(config.OPT)(min(self._level, 1)) if self._marks else self._level
        self._marks.append(len(self._before))
        self._set(config, "OPT", level)
        self._set(config, "LOOP_VECTORIZE", 0)
        self._set(config, "SLP_VECTORIZE", 0)
        self._set(arrayobj, "fix_integer_index", _index_as_it_is)

    def on_end(self, event: event.Event) -> None:
        if not _is_kernel(event):
            return
        mark = self._marks.pop()
        while len(self._before) > mark:
            setattr(*self._before.pop())

    def _set(self, place: Any, name: str, value: Any) -> None:
        if hasattr(place, name):
            self._before.append((place, name, getattr(place, name)))
            setattr(place, name, value)


def _is_kernel(event: event.Event) -> bool:
    module: str = event.data["dispatcher"].py_func.__module__
    return module.startswith(__package__ or "")


def _index_as_it_is(context: Any, builder: Any, index_type: Any, index: Any, _size: Any) -> Any:
    """Stand in for numba's ``fix_integer_index``, which adds the array's size to a negative index."""
    return context.cast(builder, index, index_type, types.intp)


event.register("numba:compile", _Compiling())


class _Once(event.Listener):  # type: ignore[misc]  # numba counts as untyped
    """Passes the first compilation on."""

    def __init__(self, callback: Callable[[], None]) -> None:
        self._callback: Callable[[], None] | None = callback

    def on_start(self, _event: event.Event) -> None:
        callback, self._callback = self._callback, None
        if callback is not None:
            callback()

    def on_end(self, _event: event.Event) -> None:
        pass


def _cache_folder() -> str:
    """Return the folder for this state of the sources; made on first use, in a temporary place if need be."""
    if not _folder:
        digest = hashlib.sha256()
        for source in sorted(Path(__file__).parent.rglob("*.py")):
            digest.update(source.read_bytes())
        flags = [getattr(config, name) for name in ("BOUNDSCHECK", "OPT", "DISABLE_JIT")]
        digest.update(repr((numba.__version__, sys.version_info[:2], flags)).encode())
        name = "kernels-" + digest.hexdigest()[:16]
        try:
            folder = _root() / name
            folder.mkdir(parents=True, exist_ok=True)
            writable = os.access(folder, os.W_OK)
        except (OSError, RuntimeError):  # not to be written, or no home
            writable = False
        _folder.append(str(folder) if writable else tempfile.mkdtemp(prefix="solitaire-lab-"))
    return _folder[0]


def _root() -> Path:
    if chosen := os.environ.get(CACHE_VARIABLE):
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "solitaire-lab")


_folder: list[str] = []
