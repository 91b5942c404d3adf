"""Writing pictures and pages: whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path

from solitaire_lab.errors import InputError

_SYSTEM = (errno.ENOSPC, errno.EDQUOT, errno.EIO)
"""What goes wrong through no fault of the path: raised as it is."""


def check_target(path: str | Path) -> Path:
    """Check that a file can be written, before the work that it is to hold.

    Raises
    ------
    InputError
        If its folder is not there or cannot be written to, or the path is a folder.
    """
    target = Path(path)
    try:
        if "\0" in str(path):
            raise ValueError("a name with a null character")
        if not target.name or target.is_dir():
            raise InputError(f"cannot write {str(path)!r:.200}: expected the name of a file")
        if not target.parent.is_dir():
            raise InputError(f"cannot write {str(path)!r:.200}: no folder {str(target.parent)!r:.200}")
    except (OSError, ValueError) as error:  # a name that no file can have
        if isinstance(error, InputError):
            raise
        raise InputError(f"cannot write {str(path)!r:.200}: {getattr(error, 'strerror', None) or error}") from None
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise InputError(f"cannot write {str(path)!r:.200}: no permission")
    return target


def write_text(path: str | Path, text: str) -> None:
    """Write a file in UTF-8; one that was there is replaced once the new one is whole.

    Raises
    ------
    InputError
        If it cannot be written there.
    OSError
        If the disk is full or fails.
    """
    target = check_target(path)
    if target.exists() and not target.is_file():  # such as /dev/stdout, which nothing can replace
        target.write_text(text, encoding="utf-8")
        return
    temporary = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        temporary.write_text(text, encoding="utf-8")
        temporary.replace(target)
    except BaseException as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        if isinstance(error, OSError) and error.errno not in _SYSTEM:
            raise InputError(f"cannot write {str(path)!r:.200}: {error.strerror or error}") from None
        raise
