"""Boards as SVG: one file or string, no fonts or pictures from elsewhere."""

from __future__ import annotations

import html
from typing import Any

from solitaire_lab.deals import Deal
from solitaire_lab.referee import Position
from solitaire_lab.view import art
from solitaire_lab.view.geometry import (
    CARD_HEIGHT,
    CARD_WIDTH,
    Picture,
    Placed,
    Spot,
    card_title,
    deal_picture,
    picture,
)

PREFIX = "sl-"
"""Of the ids in a drawing; they mean the same in every drawing, so that several may stand in one page."""


def board_svg(position: Position[Any], title: str = "") -> str:
    """Draw a position.

    Parameters
    ----------
    position
        Of either family.
    title
        What screen readers call it.

    Returns
    -------
    str
        An ``<svg>`` element that may also stand as a file. Hovering over a card names it, face-down ones included.
    """
    return drawing(picture(position), title or "Board")


def deal_svg(deal: Deal) -> str:
    """Draw a deal. Without its rules, a stock shows its back."""
    return drawing(deal_picture(deal), "Deal")


def drawing(placed: Picture, title: str, prefix: str = PREFIX) -> str:
    """Return a picture as SVG; `prefix` begins its ids."""
    width, height = f"{placed.width:g}", f"{placed.height:g}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'role="img" style="max-width:100%;height:auto" font-family="{art.FONT}" font-size="11">',
        f"<title>{html.escape(title)}</title>",
        f"<defs>{art.suit_symbols(prefix)}{art.back_symbol(prefix)}</defs>",
        f'<rect width="{width}" height="{height}" rx="10" fill="{art.FELT}"/>',
        *(_spot(spot, prefix) for spot in placed.spots),
    ]
    parts.append(f'<g fill="{art.FELT_INK}">')
    for label in placed.labels:
        anchor = ' text-anchor="middle"' if label.is_centred else ""
        parts.append(f'<text x="{label.x:g}" y="{label.y:g}"{anchor}>{html.escape(label.text)}</text>')
    parts.append('</g><g font-size="20" font-weight="700">')
    parts += [_card(card, prefix) for card in seen(placed)]
    parts.append("</g></svg>")
    return "\n".join(parts)


def seen(placed: Picture) -> list[Placed]:
    """Return the cards without those that lie wholly under another card."""
    last = {(card.x, card.y): number for number, card in enumerate(placed.cards)}
    return [card for number, card in enumerate(placed.cards) if last[card.x, card.y] == number]


def _spot(spot: Spot, prefix: str) -> str:
    outline = (
        f'<rect x="{spot.x + 0.5:g}" y="{spot.y + 0.5:g}" width="{CARD_WIDTH - 1}" height="{CARD_HEIGHT - 1}" rx="6" '
        f'fill="none" stroke="{art.FELT_LINE}"/>'
    )
    if spot.suit is None:
        return outline
    return (
        f'{outline}<use href="#{prefix}s{spot.suit}" x="{spot.x + 16:g}" y="{spot.y + 28:g}" width="28" height="28" '
        f'fill="{art.FELT_LINE}"/>'
    )


def _card(card: Placed, prefix: str) -> str:
    drawn = (
        f'<use href="#{prefix}b" width="{CARD_WIDTH}" height="{CARD_HEIGHT}"/>'
        if card.face_down
        else art.face(card.card, prefix)
    )
    return f'<g transform="translate({card.x:g} {card.y:g})"><title>{card_title(card)}</title>{drawn}</g>'
