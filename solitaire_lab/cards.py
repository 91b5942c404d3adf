"""Cards as small integers, and their text.

A card is ``4 * rank + suit``: ranks run from 1 (ace) to 13 (king), suits are 0 C, 1 D, 2 H, 3 S, so a
card lies in 4..55 and 0 means *no card*. The copies of a card in two packs share one code. In a
tableau pile `FACE_DOWN` may be added; :func:`face_up` takes it off.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from solitaire_lab.errors import InputError

Card: TypeAlias = int
"""``4 * rank + suit``."""

Suit: TypeAlias = int
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
SUITS = "CDHS"
"""Suit letters in the order of their numbers, which is also the order of a new pack."""

RANKS = "A23456789TJQK"
ACE, JACK, QUEEN, KING = 1, 11, 12, 13

NO_CARD: Card = 0
FACE_DOWN = 64
"""Added to the code of a card that lies face down in a tableau pile."""

CARD_CODES = 56
"""Every card code is below this."""


def make_card(rank: int, suit: Suit) -> Card:
    """Return the card of `rank` (1..13) and `suit` (0..3)."""
    return 4 * rank + suit


def rank_of(card: Card) -> int:
    """Return the rank, 1 (ace) to 13 (king)."""
    return card >> 2 & 15


def suit_of(card: Card) -> Suit:
    """Return the suit, 0..3 for C D H S."""
    return card & 3


def is_red(card: Card) -> bool:
    """Say whether the card is a diamond or a heart."""
    return DIAMONDS <= suit_of(card) <= HEARTS


def is_face_down(card: Card) -> bool:
    """Say whether the card carries the face-down mark."""
    return card & FACE_DOWN != 0


def face_up(card: Card) -> Card:
    """Return the card without its face-down mark."""
    return card & ~FACE_DOWN


def card_name(card: Card) -> str:
    """Return the two-letter name, ``TH`` for the ten of hearts; ``#TH`` if it lies face down."""
    mark = "#" if is_face_down(card) else ""
    return f"{mark}{RANKS[rank_of(card) - 1]}{SUITS[suit_of(card)]}"


def card_names(cards: Iterable[Card]) -> str:
    """Return the names of several cards, separated by spaces."""
    return " ".join(card_name(card) for card in cards)


def parse_card(text: object, where: str = "") -> Card:
    """Read a card from ``AS``, ``th``, ``10H`` or, face down, ``#5H``.

    Raises
    ------
    InputError
        If `text` names no card; the message begins with `where`.
    """
    place = f"{where}: " if where else ""
    if not isinstance(text, str):
        raise InputError(f"{place}expected a card such as 'TH', got {text!r}")
    name = text.strip().upper()
    down = FACE_DOWN if name.startswith("#") else 0
    name = name.removeprefix("#")
    if name.startswith("10"):
        name = "T" + name[2:]
    if len(name) != 2 or name[0] not in RANKS or name[1] not in SUITS:
        raise InputError(
            f"{place}{text!r} is not a card; expected a rank of {RANKS} and a suit of {SUITS}, such as 'TH'"
        )
    return make_card(RANKS.index(name[0]) + 1, SUITS.index(name[1])) + down


def pack(decks: int = 1, ranks: int = KING, suits: str = SUITS) -> list[Card]:
    """Return an unshuffled pack: suit by suit in the order C D H S, ace to king, once per deck.

    Parameters
    ----------
    decks
        How many times the whole pack is repeated.
    ranks
        The highest rank; a reduced pack has ranks 1 to `ranks`.
    suits
        The suits in the pack, letters of ``"CDHS"``.

    Returns
    -------
    list of int
        ``decks * ranks * len(suits)`` card codes.
    """
    numbers = sorted(SUITS.index(letter) for letter in suits)
    return [make_card(rank, suit) for _ in range(decks) for suit in numbers for rank in range(1, ranks + 1)]
