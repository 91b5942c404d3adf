"""How cards look: colours, suits as paths, faces and backs as pieces of SVG.

Suits are drawn, not written, so that they look the same everywhere. The two colours differ in brightness as well as
in hue, and the four suits in shape: a test simulates the three kinds of colour blindness.
"""

from __future__ import annotations

from solitaire_lab.cards import RANKS, Card, is_red, rank_of, suit_of
from solitaire_lab.view.geometry import CARD_HEIGHT, CARD_WIDTH

BLACK, RED = "#1b1f24", "#c93a0a"
PAPER, EDGE = "#ffffff", "#8a938f"
FELT, FELT_INK, FELT_LINE = "#2f5d50", "#d9e8e1", "#5f8b7d"
BACK, BACK_LINE = "#3c5a80", "#a9bcd6"
FONT = "'Helvetica Neue', Arial, 'Liberation Sans', sans-serif"

SUIT_PATHS = (
    "M10 1.2a4.2 4.2 0 1 1 0 8.4a4.2 4.2 0 1 1 0-8.4zM5.2 7.6a4.2 4.2 0 1 1 0 8.4a4.2 4.2 0 1 1 0-8.4z"
    "M14.8 7.6a4.2 4.2 0 1 1 0 8.4a4.2 4.2 0 1 1 0-8.4zM7.6 8h4.8l-1.5 4.6q.3 4.3 2.4 6.200h-6.600q2.1-1.9 2.4-6.200z",
    "M10 .6Q13 5.8 17.2 10Q13 14.2 10 19.400Q7 14.2 2.8 10Q7 5.8 10 .6z",
    "M10 18.600C4 13.6 1.2 10.6 1.2 6.600C1.2 3.6 3.4 1.7 5.8 1.700C7.7 1.7 9.3 2.8 10 4.7"
    "C10.7 2.8 12.3 1.7 14.2 1.700C16.6 1.7 18.8 3.6 18.8 6.600C18.8 10.6 16 13.6 10 18.600z",
    "M10 .8C13.2 5.2 18.4 7.7 18.4 12C18.4 14.5 16.5 16 14.5 16C12.9 16 11.6 15.2 10.9 14"
    "Q11.2 17.2 13.3 18.800H6.700Q8.8 17.2 9.1 14C8.4 15.2 7.1 16 5.5 16C3.5 16 1.6 14.5 1.6 12"
    "C1.6 7.7 6.8 5.2 10 .8z",
)
"""Clubs, diamonds, hearts, spades, each in a square of 20."""


def ink(card: Card) -> str:
    """Return the colour of a card's rank and suit."""
    return RED if is_red(card) else BLACK


def suit_symbols(prefix: str) -> str:
    """Return the four suits as symbols with the ids ``PREFIXs0`` to ``PREFIXs3``."""
    return "".join(
        f'<symbol id="{prefix}s{suit}" viewBox="0 0 20 20"><path d="{path}"/></symbol>'
        for suit, path in enumerate(SUIT_PATHS)
    )


def back_symbol(prefix: str) -> str:
    """Return the hatched back as the symbol ``PREFIXb``."""
    lines = "".join(
        f"M{max(5, start)} {max(5, 5 - start + 5)}L{min(55, start + 74)} {min(79, 79 - (start + 74 - 55))}"
        for start in range(-64, 55, 9)
    )
    crossed = "".join(
        f"M{max(5, start - 74)} {min(79, 5 + start - 5)}L{min(55, start)} {max(5, start - 50)}"
        for start in range(14, 129, 9)
    )
    return (
        f'<symbol id="{prefix}b" viewBox="0 0 {CARD_WIDTH} {CARD_HEIGHT}">'
        f'<rect x=".5" y=".5" width="{CARD_WIDTH - 1}" height="{CARD_HEIGHT - 1}" rx="6" fill="{PAPER}" '
        f'stroke="{EDGE}"/><rect x="5" y="5" width="50" height="74" rx="3" fill="{BACK}"/>'
        f'<path d="{lines}{crossed}" stroke="{BACK_LINE}" stroke-width="1.2" fill="none"/></symbol>'
    )


def face(card: Card, prefix: str) -> str:
    """Return the face of a card, its upper left corner at the origin; it uses the suits' symbols."""
    rank = RANKS[rank_of(card) - 1].replace("T", "10")
    tight = ' textLength="21" lengthAdjust="spacingAndGlyphs"' if rank == "10" else ""
    suit = f"#{prefix}s{suit_of(card)}"
    return (
        f'<rect x=".5" y=".5" width="{CARD_WIDTH - 1}" height="{CARD_HEIGHT - 1}" rx="6" fill="{PAPER}" '
        f'stroke="{EDGE}"/><g fill="{ink(card)}"><text x="6" y="20"{tight}>{rank}</text>'
        f'<use href="{suit}" x="{30 if tight else 25}" y="5" width="16" height="16"/>'
        f'<use href="{suit}" x="14" y="43" width="32" height="32"/></g>'
    )
