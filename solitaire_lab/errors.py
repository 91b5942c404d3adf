"""The one error that bad input raises, and the near match that its text suggests."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class InputError(ValueError):
    """What was given cannot be used; the text says what, where, and what was expected.

    The command line prints the text and exits with status 2.
    """


def near(word: str, known: Iterable[str]) -> str:
    """Return ``"; did you mean 'X'?"`` for the closest of `known`, or an empty string."""
    close = difflib.get_close_matches(word, list(known), n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else ""
