"""The referee's check of one move says what its list of legal moves says, whatever the move."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest

from solitaire_lab.cards import FACE_DOWN, NO_CARD, SUITS, pack
from solitaire_lab.deals import deal_seed
from solitaire_lab.referee import Move, Position, position
from solitaire_lab.referee.moves import KINDS
from solitaire_lab.rules import Rules
from tests.test_engine_moves import VARIANTS

NAMES = ("tableau", "waste", "reserve", "foundation", "pyramid", "stock", "table", "")
NUMBERS = (*range(-2, 8), *SUITS, "CD", "", True, 1.0, 60, None, [0], (0,))
CARDS = (*pack(), FACE_DOWN + 20, NO_CARD, -1, None)
ODD: tuple[Any, ...] = ("", "C", 0, None, [], (None,), ("tableau",), ["tableau", 1], ("tableau", (1,)))


def odd_place(place: Any, rng: random.Random) -> Any:
    """Return a place that differs from another in some way."""
    if not isinstance(place, tuple) or rng.random() < 0.1:
        return rng.choice(ODD)
    name, *numbers = place
    change = rng.randrange(5)
    if change == 0 or not numbers:
        return (rng.choice(NAMES), *numbers)
    if change == 1:
        return rng.choice([(name,), (name, *numbers, 0), [name, *numbers], (*numbers, name)])
    numbers[rng.randrange(len(numbers))] = rng.choice(NUMBERS)
    return (name, *numbers)


def odd_cards(cards: Any, rng: random.Random) -> Any:
    """Return cards that differ from others in some way."""
    if not isinstance(cards, tuple) or not cards:
        return rng.choice([(), [], (rng.choice(CARDS),)])
    changed = list(cards)
    changed[rng.randrange(len(cards))] = rng.choice(CARDS)
    return rng.choice([tuple(changed), cards[1:], cards[::-1], cards * 2, list(cards), (*cards, *changed)])


def odd_move(move: Move, other: Move, rng: random.Random) -> Move:
    """Return a move with something of another, or with something that may be no part of any move."""
    change = rng.randrange(8)
    if change == 0:
        return move._replace(kind=rng.choice([*KINDS, "jump", f"{rng.choice(NAMES)}-to-{rng.choice(NAMES)}"]))
    if change == 1:
        return move._replace(cards=odd_cards(move.cards, rng))
    if change == 2:
        return move._replace(target=odd_place(move.target, rng))
    if change == 3:
        sources = [odd_place(place, rng) if rng.random() < 0.7 else place for place in move.sources]
        return move._replace(sources=rng.choice([tuple(sources), tuple(sources)[::-1]]))
    if change == 4:
        return move._replace(
            sources=rng.choice([(), move.sources * 2, list(move.sources), (*move.sources, None), None])
        )
    if change == 5:
        return move._replace(cards=move.cards[::-1], sources=move.sources[::-1])
    return move._replace(**{field: getattr(other, field) for field in rng.sample(Move._fields, rng.randint(1, 3))})


def discards_of_what_lies_there(board: Position[Any], rng: random.Random, count: int) -> Iterator[Move]:
    """Yield discards of cards as they lie: also covered ones, ones that are gone, and one taken twice."""
    state = board.state
    there = [(("pyramid", row, at), card) for row, its in enumerate(state.pyramid) for at, card in enumerate(its)]
    there += [(("reserve", at), pile[-1] if pile else 0) for at, pile in enumerate(state.reserve)]
    there += [(("waste", at), pile[-1] if pile else 0) for at, pile in enumerate(state.wastes)]
    there += [(("stock", 0), card) for card in state.stock[:1]]
    for _ in range(count):
        places, cards = zip(*rng.choices(there, k=rng.randint(1, 2)), strict=True)
        yield Move("discard", cards, places)


def is_listed(rules: Rules, move: Move, legal: list[Move]) -> bool:
    """Say whether a move is in a list; in pair games the two cards may stand in either order."""
    if rules.family == "pair" and isinstance(move.cards, tuple) and isinstance(move.sources, tuple):
        return move in legal or (bool(move.cards) and mirrored(move) in legal)
    return move in legal


def mirrored(move: Move) -> Move:
    return move._replace(cards=move.cards[::-1], sources=move.sources[::-1])


def plays(board: Position[Any], rng: random.Random, moves: int) -> Iterator[list[Move]]:
    """Play at random; yield the legal moves of every position."""
    for _ in range(moves):
        legal = board.legal_moves()
        yield legal
        if not legal:
            return
        board.apply(rng.choice(legal))


@pytest.mark.parametrize("name", VARIANTS)
def test_one_move_is_legal_if_and_only_if_it_is_listed(name: str) -> None:
    rules, rng = VARIANTS[name], random.Random(name)
    for seed in range(3):
        board, known = position(rules, deal_seed(rules, seed)), [Move("draw"), Move("redeal")]
        for legal in plays(board, rng, 40):
            before = board.state
            known += legal
            odd = [odd_move(rng.choice(known[-60:]), rng.choice(known), rng) for _ in range(40)]
            if rules.family == "pair":
                odd += discards_of_what_lies_there(board, rng, 150)
            for move in itertools.chain(legal, known[-60:], odd):
                assert board.is_legal(move) == is_listed(rules, move, legal), move
            assert board.state is before
