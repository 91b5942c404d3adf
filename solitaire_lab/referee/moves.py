"""Moves: one physical action each, as text for people and as JSON for programs."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from solitaire_lab.cards import CARD_CODES, FACE_DOWN, SUITS, Card, card_name, parse_card, suit_of
from solitaire_lab.errors import InputError, near

Place: TypeAlias = tuple[Any, ...]
"""Where a card lies or goes: ``("tableau", 3)``, ``("foundation", "C")``, ``("waste", 0)``, ``("reserve", 5)``,
``("stock", 0)``, ``("pyramid", 6, 2)``; piles and places are counted from 0."""

HOMES: tuple[Place, ...] = tuple(("foundation", SUITS[suit_of(card)]) for card in range(FACE_DOWN + CARD_CODES))
"""By card, face up or down: where the foundation of its suit is."""

KINDS = (
    "tableau-to-foundation",
    "tableau-to-tableau",
    "waste-to-foundation",
    "waste-to-tableau",
    "reserve-to-foundation",
    "reserve-to-tableau",
    "foundation-to-tableau",
    "draw",
    "redeal",
    "discard",
)


class Move(NamedTuple):
    """One physical action.

    ``Move("draw")`` turns the stock, ``Move("redeal")`` starts a new pass.
    """

    kind: str
    """One of `KINDS`."""
    cards: tuple[Card, ...] = ()
    """The cards that move, the one lying lowest first."""
    sources: tuple[Place, ...] = ()
    """Where they lie: one place, or for a discard one for each card."""
    target: Place | None = None
    """Where they go; None for a discard, a draw and a redeal."""

    def text(self) -> str:
        """Return the move for people: ``KH waste -> column 3``, ``9H pyramid 7.3 + 4C waste``."""
        if self.kind == "discard":
            return " + ".join(
                f"{card_name(card)} {place_text(place)}" for card, place in zip(self.cards, self.sources, strict=True)
            )
        if self.target is None:
            return self.kind
        cards = "+".join(card_name(card) for card in self.cards)
        return f"{cards} {place_text(self.sources[0])} -> {place_text(self.target)}"

    def to_json(self) -> dict[str, Any]:
        """Return the move as an object ready for ``json``."""
        if not self.cards:
            return {"kind": self.kind}
        result: dict[str, Any] = {"kind": self.kind, "cards": [card_name(card) for card in self.cards]}
        if self.target is None:
            return {**result, "from": [list(place) for place in self.sources]}
        return {**result, "from": list(self.sources[0]), "to": list(self.target)}

    @classmethod
    def from_json(cls, data: object, where: str = "move") -> Move:
        """Read a move from the object that :meth:`to_json` returns.

        Raises
        ------
        InputError
            If it is none.
        """
        if not isinstance(data, dict) or not isinstance(data.get("kind"), str):
            raise InputError(f"{where}: expected a move, an object with a kind, got {data!r:.60}")
        kind = data["kind"]
        if kind not in KINDS:
            raise InputError(f"{where}: unknown kind of move {kind!r}{near(kind, KINDS)}")
        if kind in ("draw", "redeal"):
            return cls(kind)
        cards = data.get("cards")
        if not isinstance(cards, list) or not cards:
            raise InputError(f"{where}: cards: expected a list of cards")
        parsed = tuple(parse_card(card, f"{where}, cards") for card in cards)
        if kind == "discard":
            places = data.get("from")
            if not isinstance(places, list) or len(places) != len(cards):
                raise InputError(f"{where}: from: expected a place for each of the {len(cards)} cards")
            return cls(kind, parsed, tuple(_place(place, f"{where}, from") for place in places))
        return cls(kind, parsed, (_place(data.get("from"), f"{where}, from"),), _place(data.get("to"), f"{where}, to"))


DRAW, REDEAL = Move("draw"), Move("redeal")


def place_text(place: Place) -> str:
    """Return a place for people, counted from 1: ``column 3``, ``foundation C``, ``pyramid 7.3``."""
    name, *numbers = place
    if name == "tableau":
        return f"column {int(numbers[0]) + 1}"
    if name == "foundation":
        return f"foundation {numbers[0]}"
    if name == "pyramid":
        return f"pyramid {int(numbers[0]) + 1}.{int(numbers[1]) + 1}"
    if name == "reserve" or (name == "waste" and numbers[0]):
        return f"{name} {int(numbers[0]) + 1}"
    return str(name)


_NUMBERS = {"tableau": 1, "waste": 1, "reserve": 1, "stock": 1, "pyramid": 2}
"""How many numbers follow the name of a place."""


def _place(data: object, where: str) -> Place:
    expected = f'{where}: expected a place such as ["tableau", 3], got {data!r:.60}'
    if not isinstance(data, list) or not data or not isinstance(data[0], str):
        raise InputError(expected)
    name, *numbers = data
    if name == "foundation":
        if len(numbers) != 1 or numbers[0] not in tuple(SUITS):
            raise InputError(expected)
    elif len(numbers) != _NUMBERS.get(name) or any(type(number) is not int for number in numbers):
        raise InputError(expected)
    return (name, *numbers)
