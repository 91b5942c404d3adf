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
from typing import Any, ClassVar

import numba
from numba import config
from numba.core import event

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
    """Compile a function on first use, without the interpreter lock, cached on disk. It must not allocate arrays."""
    before = config.CACHE_DIR
    config.CACHE_DIR = _cache_folder()
    try:
        return numba.njit(**OPTIONS)(function)
    finally:
        config.CACHE_DIR = before


def on_first_compile(callback: Callable[[], None]) -> None:
    """Have `callback` called once, when a function must really be compiled, not loaded from the cache."""
    event.register("numba:compile", _Once(callback))


class _LessOptimisation(event.Listener):  # type: ignore[misc]  # numba counts as untyped
    """Has the machine code of kernels made at a lower level of optimisation than numba's highest.

    That takes a fifth less time to compile and runs as fast: there are no loops over arrays in kernels that could be
    vectorised. Numba knows the level as a setting of the whole process only, so it is set while a kernel is being
    compiled, which happens under numba's own lock, and set back for everybody else.
    """

    LEVELS: ClassVar[dict[str, int]] = {"OPT": 1, "LOOP_VECTORIZE": 0, "SLP_VECTORIZE": 0}

    def __init__(self) -> None:
        self._depth = 0
        self._before: dict[str, int] = {}

    def on_start(self, event: event.Event) -> None:
        if not event.data["dispatcher"].py_func.__module__.startswith(__package__ or ""):
            return
        if self._depth == 0:
            self._before = {name: getattr(config, name) for name in self.LEVELS}
            for name, level in self.LEVELS.items():
                # At level 0, asked for to look for errors, nothing is changed.
                setattr(config, name, type(self._before[name])(min(level, self._before[name])))
        self._depth += 1

    def on_end(self, event: event.Event) -> None:
        if not event.data["dispatcher"].py_func.__module__.startswith(__package__ or ""):
            return
        self._depth -= 1
        if self._depth == 0:
            for name, level in self._before.items():
                setattr(config, name, level)


event.register("numba:compile", _LessOptimisation())


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
