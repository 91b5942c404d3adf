"""A solution as one page that plays it: no network, no rules of its own.

The referee makes the moves here, in Python; the page holds where every card lies after each of them, as changes from
move to move.
"""

from __future__ import annotations

import html
import json
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any

from solitaire_lab.cards import SUITS, Card
from solitaire_lab.deals import Deal
from solitaire_lab.referee import Move, position
from solitaire_lab.referee.moves import Place
from solitaire_lab.referee.position import IllegalMoveError
from solitaire_lab.rules import Rules
from solitaire_lab.view import art
from solitaire_lab.view.geometry import Picture, Placed, picture
from solitaire_lab.view.saving import write_text
from solitaire_lab.view.svg import drawing
from solitaire_lab.view.terminal import CARD, SYMBOLS

PREFIX = "r-"
"""Of the ids in a page."""

MARKED = 13
"""A move of more cards, a new pass, has none of them marked."""

LONGEST_RUN = 3
"""Cards of a run that are named; of a longer one the first and the last."""

FRAME_HEIGHT = 720
"""Pixels of a replay within a notebook."""


class Replay:
    """Moves played from a deal; a notebook shows it, `save` writes it as a page.

    Parameters
    ----------
    rules
        The game's rules.
    deal
        Where the cards start.
    moves
        Legal moves; they need not win.
    title
        The page's heading.

    Raises
    ------
    IllegalMoveError
        If a move is not legal.
    """

    def __init__(self, rules: Rules, deal: Deal, moves: Iterable[Move], title: str = "") -> None:
        self.moves = tuple(moves)
        self.title = title or "Solitaire"
        self.pictures: list[Picture] = []
        """The start, and the position after each move."""
        board = position(rules, deal)
        gone: tuple[Card, ...] = ()
        self.pictures.append(picture(board, gone))
        for number, move in enumerate(self.moves, start=1):
            try:
                board.apply(move)
            except IllegalMoveError as error:
                raise IllegalMoveError(f"move {number}: {error}") from None
            if move.kind == "discard":
                gone += move.cards
            self.pictures.append(picture(board, gone))
        self.won = board.won

    def html(self) -> str:
        """Return the page."""
        cards, steps, moved = _tracks(self.pictures)
        first = self.pictures[0]
        height = max(each.height for each in self.pictures)
        ground = drawing(Picture((), first.spots, first.labels, first.width, height), self.title, PREFIX)
        data = {
            "cards": cards,
            "steps": steps,
            "moved": [on if len(on) <= MARKED else [] for on in moved],
            "labels": list(_label_changes(self.pictures)),
            "won": self.won,
        }
        symbols = "".join(
            f'<symbol id="{PREFIX}f{card}" viewBox="0 0 60 84">{art.face(card, PREFIX)}</symbol>'
            for card in sorted(set(cards))
        )
        count = len(self.moves)
        outcome = f"Won in {count} moves" if self.won else f"{count} moves"
        filled = {
            "title": html.escape(self.title),
            "outcome": outcome,
            "ground": ground,
            "symbols": symbols,
            "moves": "".join(f"<li><button type=button>{move_html(move)}</button></li>" for move in self.moves),
            "count": str(count),
            "width": f"{first.width:g}",
            "height": f"{height:g}",
            "black": art.BLACK,
            "red": art.RED,
            "felt": art.FELT,
            "font": art.FONT,
            "data": json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"),
        }
        page = resources.files("solitaire_lab.view").joinpath("replay.html").read_text(encoding="utf-8")
        for name, value in filled.items():
            page = page.replace(f"{{{{{name}}}}}", value)
        return page

    def save(self, path: str | Path) -> None:
        """Write the page to a file.

        Raises
        ------
        InputError
            If it cannot be written there.
        """
        write_text(path, self.html())

    def __repr__(self) -> str:
        return f"<Replay of {self.title}: {len(self.moves)} moves; save('replay.html') writes the page>"

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{html.escape(self.html())}" title="{html.escape(self.title)}" '
            f'style="width:100%;height:{FRAME_HEIGHT}px;border:0" loading="lazy"></iframe>'
        )


def move_html(move: Move) -> str:
    """Return a move in words, its cards with their suits in colour."""

    def paint(found: Any) -> str:
        _, rank, suit, _ = found.groups()
        colour = "r" if suit in "DH" else "k"
        return f"<b class={colour}>{rank.replace('T', '10')}{SYMBOLS[suit]}</b>"

    if len(move.cards) > LONGEST_RUN:
        move = move._replace(cards=(move.cards[0], move.cards[-1]))
        return move_html(move).replace("</b> <b", "</b> … <b")
    words = move.text().replace("+", " ").replace("->", "→") if move.kind != "discard" else move.text()
    for letter in SUITS:
        words = words.replace(f"foundation {letter}", "foundation")
    return CARD.sub(paint, html.escape({"draw": "turn the stock", "redeal": "new pass of the stock"}.get(words, words)))


Track = tuple[int, int, int, int]
"""Left edge, top edge, height in its pile, and whether it is face down."""


def _tracks(pictures: list[Picture]) -> tuple[list[Card], list[list[int]], list[list[int]]]:
    """Follow each card through all pictures.

    Returns
    -------
    cards
        The codes of the cards.
    steps
        For each picture the changes since the one before, flat: card's index, left, top, height, face down.
    moved
        For each picture the indices of the cards that came to another pile.
    """
    indices: dict[tuple[Any, ...], int] = {}
    cards: list[Card] = []
    now: dict[int, Track] = {}
    piles: dict[int, Place] = {}
    steps: list[list[int]] = []
    moved: list[list[int]] = []
    for each in pictures:
        indices = _followed(indices, each.cards, cards)
        changes: list[int] = []
        on: list[int] = []
        for placed in each.cards:
            index = indices[_slot(placed)]
            height = int(placed.pile[1]) if placed.pile[0] == "pyramid" else placed.number
            track = (round(placed.x), round(placed.y), height, int(placed.face_down))
            if now.get(index) != track:
                now[index] = track
                changes += [index, *track]
            if piles.get(index, placed.pile) != placed.pile:
                on.append(index)
            piles[index] = placed.pile
        steps.append(changes)
        moved.append(on)
    return cards, steps, moved


def _slot(placed: Placed) -> tuple[Any, ...]:
    return (placed.pile, placed.number, placed.card)


def _followed(
    before: dict[tuple[Any, ...], int], after: tuple[Placed, ...], cards: list[Card]
) -> dict[tuple[Any, ...], int]:
    """Say which card is which after a move: those that stayed are the same, those that left come back elsewhere.

    The two copies of a card in two packs look alike, so that any of them will do.
    """
    slots = [_slot(placed) for placed in after]
    stayed = set(slots) & set(before)
    moved: defaultdict[Card, deque[int]] = defaultdict(deque)
    for slot, index in before.items():
        if slot not in stayed:
            moved[slot[2]].append(index)
    indices = {}
    for slot in slots:
        if slot in stayed:
            indices[slot] = before[slot]
        elif moved[slot[2]]:
            indices[slot] = moved[slot[2]].popleft()
        else:
            indices[slot] = len(cards)
            cards.append(slot[2])
    return indices


def _label_changes(pictures: list[Picture]) -> Iterator[list[int | str]]:
    """Yield for each picture the labels that changed, flat: number, text."""
    before: list[str] = []
    for each in pictures:
        texts = [label.text for label in each.labels]
        yield [
            part for number, text in enumerate(texts) if not before or text != before[number] for part in (number, text)
        ]
        before = texts
