"""Positions written by hand, and their moves as text.

A position here need not hold the whole pack: the referee looks only at the cards that lie there.
"""

from __future__ import annotations

from collections.abc import Sequence

from solitaire_lab.cards import KING, NO_CARD, RANKS, SUITS, make_card, parse_card
from solitaire_lab.deals import Deal
from solitaire_lab.referee import BuildPosition, PairPosition, Position
from solitaire_lab.rules import BuildRules, PairRules


def cards(text: str) -> tuple[int, ...]:
    """Read ``"KH #5C -- AS"``; ``--`` is a gap."""
    return tuple(NO_CARD if name == "--" else parse_card(name) for name in text.split())


def build_board(
    rules: BuildRules,
    columns: Sequence[str],
    *,
    stock: str = "",
    waste: str = "",
    reserve: str = "",
    foundations: str = "",
) -> BuildPosition:
    """Return a position of a build game; `foundations` names their top cards: ``"3C KD"``."""
    tops = cards(foundations)
    deal = Deal(
        tableau=tuple(map(cards, columns)),
        reserve=tuple((card,) for card in cards(reserve)),
        stock=cards(stock),
        waste=cards(waste),
        foundations=tuple(card for top in tops for card in range(make_card(1, top & 3), top + 1, 4)),
    )
    return BuildPosition(rules, deal)


def pair_board(
    rules: PairRules, rows: Sequence[str], *, stock: str = "", waste: str = "", reserve: Sequence[str] = ()
) -> PairPosition:
    """Return a position of a pair game; `rows` from the apex, those below the last one given are gone."""
    gone = tuple((NO_CARD,) * len(row) for row in rules.rows[len(rows) :])
    deal = Deal(
        pyramid=(*map(cards, rows), *gone),
        stock=cards(stock),
        waste=cards(waste),
        reserve=tuple(map(cards, reserve)),
    )
    return PairPosition(rules, deal)


def moves(board: Position) -> set[str]:
    """Return the legal moves as text."""
    return {move.text() for move in board.legal_moves()}


def play(board: Position, *texts: str) -> Position:
    """Make moves given as text, and return the board."""
    for text in texts:
        board.apply(next(move for move in board.legal_moves() if move.text() == text))
    return board


def full_suits(*letters: str) -> str:
    """Return the top cards of finished foundations."""
    return " ".join(f"{RANKS[KING - 1]}{letter}" for letter in letters or SUITS)
