"""Boards in a terminal: suits as symbols and in colour, cards face down dimmed. Columns stay aligned."""

from __future__ import annotations

import os
import re
from typing import IO

from solitaire_lab.cards import RANKS, SUITS

CARD = re.compile(rf"(#?)([{RANKS}])([{SUITS}])\b|(?<!\S)-([{SUITS}])\b")
"""A card, or a foundation that is still empty."""

SYMBOLS = dict(zip(SUITS, "♣♦♥♠", strict=True))
_RED, _BLACK, _DIM, _PLAIN = "\x1b[1;91m", "\x1b[1m", "\x1b[2m", "\x1b[0m"


def has_colour(stream: IO[str]) -> bool:
    """Say whether a stream shows colour: a terminal, unless ``NO_COLOR`` is set; any, if ``FORCE_COLOR`` is."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def coloured(text: str, *, symbols: bool = True) -> str:
    """Return a board's text with colour.

    Parameters
    ----------
    text
        A position's text.
    symbols
        Whether suits become ``♣♦♥♠``; if not, they stay letters.
    """

    def paint(found: re.Match[str]) -> str:
        mark, rank, suit, empty = found.groups()
        letter = suit or empty
        shown = SYMBOLS[letter] if symbols else letter
        colour = _DIM if mark or empty else _RED if letter in "DH" else _BLACK
        return f"{colour}{mark or ''}{rank or '-'}{shown}{_PLAIN}"

    return CARD.sub(paint, text)


def for_stream(text: str, stream: IO[str]) -> str:
    """Return a board's text as a stream can show it."""
    if not has_colour(stream):
        return text
    try:
        "♣♦♥♠".encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return coloured(text, symbols=False)
    return coloured(text)
