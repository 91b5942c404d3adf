"""Deals: where every card starts, and nothing else; dealing them, reading and writing them."""

from __future__ import annotations

import dataclasses
import functools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from solitaire_lab.cards import (
    CARD_CODES,
    FACE_DOWN,
    NO_CARD,
    Card,
    card_name,
    card_names,
    face_up,
    is_face_down,
    make_card,
    pack,
    parse_card,
)
from solitaire_lab.errors import InputError, near
from solitaire_lab.rules import BuildRules, PairRules, Rules
from solitaire_lab.shuffles import shuffled_pack

Pile: TypeAlias = tuple[Card, ...]


@dataclasses.dataclass(frozen=True)
class Deal:
    """Where every card lies at the start, or in a position in mid-game. Hashable."""

    tableau: tuple[Pile, ...] = ()
    """Build games: columns left to right, each bottom to top; face-down cards carry the mark."""
    pyramid: tuple[Pile, ...] = ()
    """Pair games: rows from the apex, left to right; `NO_CARD` where a card is gone."""
    reserve: tuple[Pile, ...] = ()
    """Reserve piles, each bottom to top; an open reserve has one card in each."""
    stock: Pile = ()
    """First turned first."""
    waste: Pile = ()
    """Bottom to top."""
    foundations: Pile = ()
    """Cards that lie on the foundations already."""

    def _repr_svg_(self) -> str:
        from solitaire_lab.view.svg import deal_svg

        return deal_svg(self)


_PLACES = tuple(field.name for field in dataclasses.fields(Deal))
_LINE_KEYS = ("id", "game", "options", *_PLACES, "midgame")
_IGNORED = ("schema", "verdict", "reason", "stage", "states", "seconds", "moves", "deal", "cells")
"""Other entries that a line may carry: fields of a verdict, and empty cells."""


def deal_seed(rules: Rules, seed: int, shuffle: str = "native") -> Deal:
    """Deal the numbered deal of a game.

    Raises
    ------
    InputError
        For an unknown shuffle, or a seed that it does not have.
    """
    if shuffle == "solvitaire" and not isinstance(rules, BuildRules):
        raise InputError("solvitaire deals are of build games only")
    order = shuffled_pack(shuffle, seed, getattr(rules, "decks", 1), rules.ranks, rules.suits)
    return lay_out(rules, order, shuffle)


def lay_out(rules: Rules, order: Sequence[Card], shuffle: str = "native") -> Deal:
    """Deal a shuffled pack from its front, as the rules (and the shuffle's own program) place it."""
    if isinstance(rules, PairRules):
        cards = iter(order)
        reserve = tuple(_take(cards, size) for size in rules.reserves)
        pyramid = tuple(_take(cards, len(row)) for row in rules.rows)
        return Deal(pyramid=pyramid, reserve=reserve, stock=tuple(cards))
    if shuffle == "solvitaire":
        stock, singles, dealt = _cut(order, rules.stock_size, rules.reserve)
        stock = stock[::-1]
    else:
        dealt, singles, stock = _cut(order, sum(rules.columns), rules.reserve)
    leftward = shuffle != "native" and _is_triangle(rules)
    columns = _dealing(rules.columns, rules.deal_by, rules.face_down, leftward=leftward)
    tableau = tuple([tuple([dealt[at] + mark for at, mark in column]) for column in columns])
    return Deal(tableau=tableau, reserve=tuple([(card,) for card in singles]), stock=stock)


def _take(cards: Iterator[Card], count: int) -> Pile:
    return tuple(next(cards) for _ in range(count))


def _cut(order: Sequence[Card], first: int, second: int) -> tuple[Pile, Pile, Pile]:
    """Return the first cards, those that follow, and the rest."""
    return tuple(order[:first]), tuple(order[first : first + second]), tuple(order[first + second :])


def _is_triangle(rules: BuildRules) -> bool:
    """Say whether the columns are Klondike's 1, 2, 3 ...: PySol and Solvitaire deal its rows right to left."""
    return rules.columns == tuple(range(1, len(rules.columns) + 1))


@functools.cache
def _dealing(
    sizes: tuple[int, ...], deal_by: str, face_down: str, *, leftward: bool
) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return, for each column, where in the order its cards come from, with what is added to those that lie down."""
    if deal_by == "columns":
        places = [column for column, size in enumerate(sizes) for _ in range(size)]
    else:
        places = []
        for row in range(max(sizes)):
            taking = [column for column, size in enumerate(sizes) if size > row]
            places += reversed(taking) if leftward else taking
    columns: list[list[int]] = [[] for _ in sizes]
    for at, column in enumerate(places):
        columns[column].append(at)
    return tuple(tuple(zip(column, _marks(face_down, len(column)), strict=True)) for column in columns)


def _face_down(rules: BuildRules, columns: Iterable[Sequence[Card]]) -> tuple[Pile, ...]:
    """Turn dealt columns as the rules say; a column's top card is always up."""
    marked = []
    for column in columns:
        marks = _marks(rules.face_down, len(column))
        marked.append(tuple([face_up(card) + mark for card, mark in zip(column, marks, strict=True)]))
    return tuple(marked)


@functools.cache
def _marks(face_down: str, size: int) -> tuple[int, ...]:
    """Return what is added to the cards of a dealt column, from the bottom."""
    above = range(size - 1, -1, -1)
    down = {"none": above[:0], "all_but_top": above[:-1], "alternate": range(1, size, 2)}[face_down]
    return tuple(FACE_DOWN if depth in down else 0 for depth in above)


def is_start(deal: Deal, rules: Rules) -> bool:
    """Say whether a deal is the game's start, as opposed to a position in mid-game."""
    turned = isinstance(rules, PairRules) or deal.tableau == _face_down(rules, deal.tableau)
    return turned and _has_start_sizes(deal, rules)


def _has_start_sizes(deal: Deal, rules: Rules) -> bool:
    """Say whether every pile is as large as the rules deal it, whichever cards are down."""
    if deal.waste or deal.foundations or len(deal.stock) != rules.stock_size:
        return False
    if isinstance(rules, PairRules):
        has_gaps = any(card == NO_CARD for row in deal.pyramid for card in row)
        return not has_gaps and tuple(map(len, deal.reserve)) == rules.reserves
    return tuple(map(len, deal.tableau)) == rules.columns


def _has_marks(deal: Deal) -> bool:
    """Say whether some card is marked as lying face down."""
    return any(is_face_down(card) for pile in deal.tableau for card in pile)


def deal_to_json(deal: Deal, rules: Rules) -> dict[str, Any]:
    """Return the piles of a deal as a deal line has them, ready for ``json``.

    Face-down marks are written for a position in mid-game only; at the start they follow from the rules.
    """
    result: dict[str, Any] = {}
    started = not is_start(deal, rules)
    if deal.tableau:
        result["tableau"] = [[card_name(card if started else face_up(card)) for card in pile] for pile in deal.tableau]
    if isinstance(rules, PairRules):
        result["pyramid"] = [[card_name(card) if card else None for card in row] for row in deal.pyramid]
    if deal.reserve:
        is_open = bool(deal.tableau)
        piles = [[card_name(card) for card in pile] for pile in deal.reserve]
        result["reserve"] = [name for pile in piles for name in pile] if is_open else piles
    result["stock"] = [card_name(card) for card in deal.stock]
    if started:
        result["waste"] = [card_name(card) for card in deal.waste]
        result["foundations"] = [card_name(card) for card in deal.foundations]
        if _has_start_sizes(deal, rules) and not _has_marks(deal):
            result["midgame"] = True  # nothing else tells it from a start
    return result


def deal_from_json(data: object, rules: Rules, where: str = "deal") -> Deal:
    """Read the piles of a deal line.

    A line is a position in mid-game if it says ``"midgame": true``, if it has a face-down mark (``#5H``), or if it
    has ``waste`` or ``foundations`` and piles of other sizes than the rules deal: then the marks say which cards
    are down. Otherwise each pile must have the size that the rules deal, and the rules say which cards are down.

    Parameters
    ----------
    data
        A JSON object: ``tableau`` or ``pyramid``, ``reserve``, ``stock``, ``waste``, ``foundations``.
    rules
        The game's rules.
    where
        What to call the line in error messages.

    Raises
    ------
    InputError
        For a misspelt, duplicate or missing card (naming it and its place), a pile of the wrong size, or an
        entry that no deal line has.
    """
    if not isinstance(data, dict):
        raise InputError(f"{where}: expected a JSON object with the piles of a deal, got {data!r:.60}")
    for name in data:
        if name not in _LINE_KEYS and name not in _IGNORED:
            raise InputError(f"{where}: unknown entry {name!r}{near(name, _LINE_KEYS)}")
    if data.get("cells"):
        raise InputError(f"{where}: cells: this game has none")
    is_pair = isinstance(rules, PairRules)
    for name, fits in (("tableau", not is_pair), ("foundations", not is_pair), ("pyramid", is_pair)):
        if data.get(name) and not fits:
            raise InputError(f"{where}: {name}: a {rules.family} game has none")
        needed = not isinstance(rules, PairRules) or rules.pyramid_size > 0
        if fits and needed and name not in data and name != "foundations":
            raise InputError(f"{where}: {name} is missing; expected a list of piles")
    deal = Deal(
        tableau=_piles(data.get("tableau", []), f"{where}: tableau"),
        pyramid=_piles(data.get("pyramid", []), f"{where}: pyramid", gaps=True),
        reserve=_reserve(data.get("reserve", []), f"{where}: reserve", is_open=not is_pair),
        stock=_cards(data.get("stock", []), f"{where}: stock"),
        waste=_cards(data.get("waste", []), f"{where}: waste"),
        foundations=_cards(data.get("foundations", []), f"{where}: foundations"),
    )
    midgame = (
        data.get("midgame") is True
        or _has_marks(deal)
        or (("waste" in data or "foundations" in data) and not _has_start_sizes(deal, rules))
    )
    _check(deal, rules, where, midgame=midgame)
    if not midgame and isinstance(rules, BuildRules):
        deal = dataclasses.replace(deal, tableau=_face_down(rules, deal.tableau))
    return deal


def check_deal(deal: Deal, rules: Rules, where: str = "deal") -> None:
    """Check that a deal made in Python fits the rules, as :func:`deal_from_json` checks a line.

    Raises
    ------
    InputError
        For a duplicate or missing card, or a pile of the wrong size.
    """
    for place in ("tableau", "foundations", "pyramid"):
        if getattr(deal, place) and (place == "pyramid") != isinstance(rules, PairRules):
            raise InputError(f"{where}: {place}: a {rules.family} game has none")
    _check(deal, rules, where, midgame=not is_start(deal, rules))


def _check(deal: Deal, rules: Rules, where: str, *, midgame: bool) -> None:
    _check_cards(deal, rules, where, may_miss=isinstance(rules, PairRules) and midgame)
    _check_sizes(deal, rules, where, midgame=midgame)


def _cards(data: object, where: str, *, gaps: bool = False) -> Pile:
    if not isinstance(data, list):
        raise InputError(f"{where}: expected a list of cards, got {data!r:.60}")
    return tuple(
        NO_CARD if gaps and card is None else parse_card(card, f"{where}, card {place}")
        for place, card in enumerate(data, start=1)
    )


def _piles(data: object, where: str, *, gaps: bool = False) -> tuple[Pile, ...]:
    if not isinstance(data, list):
        raise InputError(f"{where}: expected a list of piles, got {data!r:.60}")
    return tuple(_cards(pile, f"{where}, pile {number}", gaps=gaps) for number, pile in enumerate(data, start=1))


def _reserve(data: object, where: str, *, is_open: bool) -> tuple[Pile, ...]:
    if isinstance(data, list) and any(isinstance(entry, list) for entry in data):
        piles = _piles(data, where)
        return tuple(pile for pile in piles if pile) if is_open else piles
    return tuple((card,) for card in _cards(data, where)) if is_open else _piles(data, where)


def _check_cards(deal: Deal, rules: Rules, where: str, *, may_miss: bool) -> None:
    wanted = Counter(pack(getattr(rules, "decks", 1), rules.ranks, rules.suits))
    seen: Counter[Card] = Counter()
    for place in _PLACES:
        piles = getattr(deal, place)
        for pile in piles if place in ("tableau", "pyramid", "reserve") else (piles,):
            for card in pile:
                if card == NO_CARD:
                    continue
                if not isinstance(card, int) or not make_card(1, 0) <= face_up(card) < CARD_CODES:
                    raise InputError(f"{where}: {place}: {card!r} is not a card")
                if is_face_down(card) and place != "tableau":
                    raise InputError(
                        f"{where}: {place}: {card_name(card)} is marked face down, which only a tableau card can be"
                    )
                seen[face_up(card)] += 1
                if seen[face_up(card)] > wanted[face_up(card)]:
                    known = face_up(card) in wanted
                    expected = f"expected {wanted[face_up(card)]} of it" if known else "not a card of this game's pack"
                    raise InputError(
                        f"{where}: {place}: {'duplicate card ' if known else ''}{card_name(face_up(card))}; {expected}"
                    )
    if not may_miss and (missing := list((wanted - seen).elements())):
        raise InputError(f"{where}: missing {len(missing)} card{'s' * (len(missing) > 1)}: {card_names(missing)}")


def _check_sizes(deal: Deal, rules: Rules, where: str, *, midgame: bool) -> None:
    def check(name: str, got: int, expected: int, *, less: bool = False) -> None:
        """Check a number of cards; `less` are allowed where play only takes cards away."""
        if got > expected or (got < expected and not less):
            raise InputError(f"{where}: {name} has {got}, expected {'at most ' * less}{expected}")

    if isinstance(rules, PairRules):
        check("pyramid (rows)", len(deal.pyramid), len(rules.rows))
        for number, (row, places) in enumerate(zip(deal.pyramid, rules.rows, strict=True), start=1):
            check(f"pyramid row {number} (cards)", len(row), len(places))
        if not midgame:
            check("pyramid (gaps)", sum(card == NO_CARD for row in deal.pyramid for card in row), 0)
        check("reserve (piles)", len(deal.reserve), len(rules.reserves))
        for number, (pile, size) in enumerate(zip(deal.reserve, rules.reserves, strict=True), start=1):
            check(f"reserve pile {number} (cards)", len(pile), size, less=midgame)
        _check_no_floating(deal, rules, where)
    else:
        check("tableau (columns)", len(deal.tableau), len(rules.columns))
        for number, (pile, size) in enumerate(zip(deal.tableau, rules.columns, strict=True), start=1):
            if not midgame:
                check(f"tableau column {number} (cards)", len(pile), size)
            elif len(pile) > max(rules.columns) + rules.ranks:
                raise InputError(
                    f"{where}: tableau column {number} has {len(pile)} cards, more than play can bring there"
                )
            if pile and is_face_down(pile[-1]):
                raise InputError(
                    f"{where}: tableau column {number}: its top card {card_name(pile[-1])} is marked face down"
                )
        if any(len(pile) > 1 for pile in deal.reserve):
            raise InputError(f"{where}: reserve: expected single cards, since this reserve is open")
        check("reserve (cards)", len(deal.reserve), rules.reserve, less=midgame)
        _check_foundations(deal, rules, where)
    name = "stock and waste (cards)" if deal.waste else "stock (cards)"
    check(name, len(deal.stock) + len(deal.waste), rules.stock_size, less=midgame)


def _check_no_floating(deal: Deal, rules: PairRules, where: str) -> None:
    for row, cards in enumerate(deal.pyramid):
        for place, card in enumerate(cards):
            if card == NO_CARD and any(deal.pyramid[below][over] for below, over in rules.covers[row][place]):
                raise InputError(
                    f"{where}: pyramid row {row + 1}, card {place + 1} is gone, but a card still covers its place"
                )


def _check_foundations(deal: Deal, rules: BuildRules, where: str) -> None:
    counts = Counter(deal.foundations)
    for card in counts:
        if card >= 8 and counts[card - 4] < counts[card]:
            raise InputError(
                f"{where}: foundations: {card_name(card)} lies there without {card_name(card - 4)} below it"
            )
