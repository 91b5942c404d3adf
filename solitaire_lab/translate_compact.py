"""Between the public words and the compact engine's numbers: Klondike and its like go in, moves come out."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solitaire_lab.cards import FACE_DOWN, SUITS, Card, is_face_down, pack, rank_of, suit_of
from solitaire_lab.deals import Deal, Pile
from solitaire_lab.engine.compact import capacity, component, dominance, layout
from solitaire_lab.engine.compact.component import find_way
from solitaire_lab.engine.compact.search import search as compact_search
from solitaire_lab.engine.compact.set_up import set_up
from solitaire_lab.engine.compact.shorten_driver import shorter_path
from solitaire_lab.engine.table import move_keys
from solitaire_lab.portfolio import Search
from solitaire_lab.referee import Move
from solitaire_lab.referee.build import BuildState, may_follow
from solitaire_lab.referee.moves import DRAW, HOMES, REDEAL, Place
from solitaire_lab.rules import UNLIMITED, BuildRules
from solitaire_lab.translate import COMPLETE

Array = NDArray[Any]
Step = tuple[int, Card]
"""A step of a solution: one of the engine's kinds of move, or `COME_BACK`, and the card that moves."""

MAX_COLUMNS, MAX_LOCKED, MAX_TALON = int(layout.MAX_COLUMNS), layout.MAX_LOCKED, layout.MAX_TALON
CARD_SHIFT, HEIGHTS_SHIFT = int(layout.CARD_SHIFT), int(layout.HEIGHTS_SHIFT)
RECORD, UP, HEAD_ON, FINISH = int(layout.RECORD), int(layout.UP), int(layout.HEAD_ON), int(layout.FINISH)
COME_BACK = -1
_TO_FOUNDATION = frozenset(map(int, (layout.UP, layout.HEAD_UP, layout.TALON_UP)))
_FROM_TALON = frozenset(map(int, (layout.TALON_UP, layout.TALON_ON, layout.TALON_TO_SPACE)))
LOOK_FROM = 200
"""Positions before dead patterns are looked for: half of all deals of Klondike are won before that pays."""
MAX_PATTERNS = 2**20
"""With more patterns of locked cards than this, the engine does not look for dead ones: see ``capacity.py``."""


def is_compact(rules: BuildRules) -> bool:
    """Say whether the compact engine knows the rules: see ``engine/compact/layout.py``."""
    return (
        rules.decks == 1
        and rules.build == "alternate_colour"
        and rules.group == "run"
        and rules.run_policy == rules.build
        and rules.spaces in ("kings", "none")
        and rules.reserve == 0
        and not rules.auto_foundation
        and len(rules.columns) <= MAX_COLUMNS
        and max(rules.columns) <= MAX_LOCKED
        and rules.stock_size <= MAX_TALON
    )


class CompactTranslator:
    """Owns the arrays of one search, reused from deal to deal."""

    search = staticmethod(compact_search)
    move_entries = staticmethod(move_keys)

    def __init__(self, rules: BuildRules, dominances: int | None = None) -> None:
        self.rules = rules
        self.board = board = np.zeros(layout.BOARD_SIZE, np.int64)
        # Each move unlocks a card, takes one from the talon, or puts one on a foundation for good.
        self.records = np.zeros((3 * rules.pack_size + 3) * layout.RECORD, np.int64)
        self.stack = np.zeros(component.STACK_SIZE, np.int64)
        self.seen = np.zeros(component.HEIGHTS_SETS, np.uint8)
        self.rooms = np.zeros(capacity.ROOM_SIZE, np.int64)
        self.way = np.zeros(component.HEIGHTS_SETS, np.int64)
        self.patterns = np.zeros(1, np.int8)
        # Written through the view: an easy deal takes little longer to search than a new array to make.
        self._piles = np.zeros(len(rules.columns) + 2 + rules.pack_size, np.uint8)
        self._room_for_piles = self._piles.data
        self.dominances = dominance.ALL if dominances is None else dominances
        kings_fill = rules.spaces == "kings"
        board[layout.N_COLUMNS] = len(rules.columns)
        board[layout.RANKS] = rules.ranks
        board[layout.LOOK_FROM] = LOOK_FROM
        board[layout.WORRYING_BACK] = rules.worrying_back
        board[layout.KINGS_FILL] = kings_fill
        board[layout.KINGS_RETURN] = rules.worrying_back and kings_fill and rules.return_to_space
        board[layout.DRAW] = rules.draw
        board[layout.PASSES] = 0 if rules.passes == UNLIMITED else int(rules.passes)
        cards = pack(1, rules.ranks, rules.suits)
        board[layout.PACK] = _set(cards)
        board[layout.KINGS] = _set(card for card in cards if rank_of(card) == rules.ranks)
        for card in cards:
            place = layout.UP_TO + 16 * suit_of(card) + rank_of(card)
            board[place] = board[place - 1] | 1 << card
        board[layout.COMPLETE] = sum(rules.ranks << 4 * SUITS.index(letter) for letter in rules.suits)

    def takes(self, deal: Deal) -> bool:
        """Say whether the engine can hold a deal: in each column a run lies on cards that are face down."""
        if len(deal.stock) + len(deal.waste) > MAX_TALON:
            return False
        for pile in deal.tableau:
            down = _hidden(pile)
            if down >= MAX_LOCKED or (pile and down == len(pile)):
                return False
            for place in range(down + 1, len(pile)):
                if is_face_down(pile[place]) or not may_follow(pile[place - 1], pile[place], self.rules.build):
                    return False
        return True

    def encode(self, deal: Deal, _search: Search = COMPLETE) -> tuple[Array, ...]:
        """Set the arrays to a deal; return them as the search kernel takes them. There is only the complete search."""
        board, record = self.board, self.records
        lengths = [*map(len, deal.tableau), len(deal.waste), len(deal.stock)]
        piles = bytes(itertools.chain(lengths, *deal.tableau, deal.waste, deal.stock, deal.foundations))
        self._room_for_piles[: len(piles)] = piles
        patterns = set_up(board, record, self._piles, len(piles))
        self.start = sum([1 << 4 * suit_of(card) for card in deal.foundations]) if deal.foundations else 0
        unused = dominance.DEAD_ENDS if patterns > MAX_PATTERNS else 0
        board[layout.DOMINANCES] = self.dominances & ~unused
        if self.patterns.size < patterns <= MAX_PATTERNS:
            self.patterns = np.zeros(patterns, np.int8)
        return board, record, self.stack, self.seen, self.patterns, self.rooms

    def steps(self, path: list[int]) -> Iterator[Step]:
        """Yield the steps of the path that was found, those within components included.

        Every move is made at the nearest heights of the foundations that allow it, which need not be those at which it
        was found, if it then leads to the same component: so no card goes up only to come back.
        """
        heights = self.start
        for depth, code in enumerate(path):
            kind, card, goal = code & 7, code >> CARD_SHIFT & 63, code >> HEIGHTS_SHIFT
            rise = (1 << 4 * suit_of(card)) if kind in _TO_FOUNDATION else 0
            for step in () if heights == goal else self._nearest(depth, heights, goal, kind, card, rise):
                there = _after(heights, [step])
                yield UP if there > heights else COME_BACK, step
                heights = there
            if kind != FINISH:
                yield kind, card
            heights += rise

    def _nearest(self, depth: int, heights: int, goal: int, kind: int, card: Card, rise: int) -> list[Card]:
        """Return the steps to the nearest heights from which a move leads to where it led when it was found."""
        if kind != FINISH and self.rules.worrying_back:
            way = self._way(depth, heights, -1, kind, card)
            if way is not None and self._way(depth + 1, _after(heights, way) + rise, goal + rise, 0, 0) is not None:
                return way
        way = self._way(depth, heights, goal, 0, 0)
        assert way is not None
        return way

    def shorter_path(self) -> list[int] | None:
        """Look for a shorter path from where the last search began; the search can't go on after that."""
        longest = self.records.size // int(layout.RECORD) - 1
        return shorter_path(self.board, self.records, self.stack, self.seen, self.patterns, self.rooms, longest)

    def _way(self, depth: int, heights: int, goal: int, kind: int, card: Card) -> list[Card] | None:
        """Return the steps within a component, from some heights to others or to where a move is possible; or None."""
        arrays = (self.stack, self.seen, self.way)
        length = find_way(self.board, self.records, depth * RECORD, heights, goal, kind, card, *arrays)
        way: list[int] = self.way[:length].tolist() if length > 0 else []
        return None if length < 0 else way[::-1]

    def moves(self, step: Step, state: BuildState) -> list[Move]:
        """Return the referee's moves for a step: turns of the stock and runs that must move away included."""
        kind, card = step
        if kind in _FROM_TALON:
            return [*turns(state, card, self.rules.draw), self._put(("waste", 0), (card,), kind, state)]
        if kind == COME_BACK:
            return [self._put(HOMES[card], (card,), kind, state)]
        column = 0
        while card not in state.tableau[column]:
            column += 1
        place, pile = ("tableau", column), state.tableau[column]
        if kind not in _TO_FOUNDATION or pile[-1] == card:
            return [self._put(place, pile[pile.index(card) :], kind, state)]
        above = pile[pile.index(card) + 1 :]
        return [self._put(place, above, HEAD_ON, state), self._put(place, (card,), kind, state)]

    def _put(self, place: Place, cards: tuple[Card, ...], kind: int, state: BuildState) -> Move:
        name, card = place[0], cards[0]
        if kind in _TO_FOUNDATION:
            return Move(f"{name}-to-foundation", cards, (place,), HOMES[card])
        if rank_of(card) == self.rules.ranks:
            column = state.tableau.index(())
        else:  # the column that the cards leave never takes them: its top card is one of them
            tops = enumerate(state.tableau)
            column = next(column for column, pile in tops if pile and may_follow(pile[-1], card, self.rules.build))
        return Move(f"{name}-to-tableau", cards, (place,), ("tableau", column))


def _after(heights: int, way: list[Card]) -> int:
    """Return the heights of the foundations after steps within a component."""
    for card in way:
        step = 1 << 4 * suit_of(card)
        heights += step if heights >> 4 * suit_of(card) & 15 < rank_of(card) else -step
    return heights


def turns(state: BuildState, card: Card, draw: int) -> Iterator[Move]:
    """Yield the turns of the stock that bring a card to the top of the waste."""
    talon = state.waste + state.stock
    turned, wanted = len(state.waste), talon.index(card) + 1
    while turned != wanted:
        if turned < len(talon):
            yield DRAW
            turned = min(turned + draw, len(talon))
        else:
            yield REDEAL
            turned = 0


def _hidden(pile: Pile) -> int:
    """Return how many cards lie face down at the bottom of a pile."""
    down = 0
    for card in pile:
        if card < FACE_DOWN:
            break
        down += 1
    return down


def _set(cards: Iterable[Card]) -> int:
    """Return a set of cards as bits."""
    return sum(1 << card for card in cards)
