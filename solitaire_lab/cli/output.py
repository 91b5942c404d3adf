"""Printing: data on standard output, notes on standard error."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import sys
from collections.abc import Iterable


def line(text: str) -> None:
    """Print a line of data at once, so that a reader at the other end of a pipe has it."""
    print(text, flush=True)


def json_line(data: object) -> None:
    """Print a JSON object on one line."""
    line(json.dumps(data))


def csv_line(values: Iterable[object]) -> None:
    """Print a line of comma-separated values; None is empty."""
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(values)
    line(text.getvalue())


def note(text: str) -> None:
    """Print a line on standard error, as far as there is one."""
    with contextlib.suppress(OSError, AttributeError):
        print(text, file=sys.stderr, flush=True)


def announce_compilation() -> None:
    """Have a note printed if the search engine must be compiled first."""
    from solitaire_lab.engine.kernel import on_first_compile

    on_first_compile(lambda: note("Compiling the search engine; this happens once, and is kept for later runs ..."))
