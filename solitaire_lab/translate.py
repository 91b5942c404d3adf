"""Between the public words and the engines' numbers: rules and deals go in, moves come out."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from solitaire_lab.cards import NO_CARD, Card, is_red, pack, rank_of, suit_of
from solitaire_lab.deals import Deal, Pile
from solitaire_lab.engine.build import dominance, hashing, layout
from solitaire_lab.engine.build.search import search as build_search
from solitaire_lab.engine.pair import dominance as pair_dominance
from solitaire_lab.engine.pair import layout as pair_layout
from solitaire_lab.engine.pair.search import search as pair_search
from solitaire_lab.engine.table import move_keys, move_values
from solitaire_lab.portfolio import SET_ASIDE, TOLD_APART, Search
from solitaire_lab.referee import Move
from solitaire_lab.referee.build import BuildState, may_follow, start
from solitaire_lab.referee.moves import DRAW, HOMES, REDEAL, Place
from solitaire_lab.referee.pair import PairState
from solitaire_lab.rules import UNLIMITED, BuildRules, PairRules

Array = NDArray[Any]

Plan: TypeAlias = list[list[int]]
"""The discards that are still to be made, each as the numbers of its cards."""

COMPLETE = Search("complete", 0)
"""A search of all moves in their natural order."""

_POLICIES = {
    "alternate_colour": layout.ALTERNATE_COLOUR,
    "same_suit": layout.SAME_SUIT,
    "any_suit": layout.ANY_SUIT,
}
_GROUPS = {"run": layout.ANY_PART, "whole": layout.WHOLE, "single": layout.SINGLE}
_SPACES = {"any": layout.ANY_CARD, "kings": layout.KINGS, "none": layout.NO_CARDS}
_PLACES: dict[int, tuple[str, str]] = {
    int(layout.TABLEAU_TO_TABLEAU): ("tableau", "tableau"),
    int(layout.TABLEAU_TO_FOUNDATION): ("tableau", "foundation"),
    int(layout.WASTE_TO_TABLEAU): ("waste", "tableau"),
    int(layout.WASTE_TO_FOUNDATION): ("waste", "foundation"),
    int(layout.RESERVE_TO_TABLEAU): ("reserve", "tableau"),
    int(layout.RESERVE_TO_FOUNDATION): ("reserve", "foundation"),
    int(layout.FOUNDATION_TO_TABLEAU): ("foundation", "tableau"),
}
_TURNS = {int(layout.TURN_STOCK): DRAW, int(layout.REDEAL): REDEAL}
_BARE_TO_FOUNDATION = int(layout.BARE_TO_FOUNDATION)
_PAIR_TURNS = {int(pair_layout.TURN_STOCK): DRAW, int(pair_layout.REDEAL): REDEAL}
_LOOK_AHEAD = frozenset(map(int, (pair_layout.AHEAD_PAIR, pair_layout.AHEAD_ONE)))
_ONE_CARD = frozenset(map(int, (pair_layout.DISCARD_ONE, pair_layout.AHEAD_ONE)))


class BuildTranslator:
    """Build games: owns the arrays of one position, reused from deal to deal."""

    search = staticmethod(build_search)
    move_entries = staticmethod(move_keys)

    def __init__(self, rules: BuildRules, dominances: int | None = None) -> None:
        self.rules = rules
        self.board = np.zeros(layout.BOARD_SIZE, np.int64)
        self.cards = np.zeros(layout.CARDS_SIZE, np.uint8)
        self.hashes = np.zeros(layout.HASHES_SIZE, np.uint64)
        board = self.board
        board[layout.N_COLUMNS] = len(rules.columns)
        board[layout.N_RANKS] = rules.ranks
        board[layout.DECKS] = rules.decks
        board[layout.BUILD] = _POLICIES[rules.build]
        board[layout.GROUP] = _GROUPS[rules.group]
        board[layout.SPACES] = _SPACES[rules.spaces]
        board[layout.RETURN_TO_SPACE] = rules.return_to_space
        board[layout.AUTO_FOUNDATION] = rules.auto_foundation
        board[layout.DRAW] = rules.draw
        board[layout.PASSES] = 0 if rules.passes == UNLIMITED else int(rules.passes)
        board[layout.PACK_SIZE] = rules.pack_size
        # Automatic play scans the columns from the left, so with two copies of a card their order matters.
        board[layout.PILES_ALIKE] = not rules.auto_foundation
        board[layout.DOMINANCES] = dominance.ALL if dominances is None else dominances
        board[layout.FREE_RUNS] = board[layout.DOMINANCES] & dominance.FREE_RUNS != 0 and has_free_runs(rules)
        hashing.fill_keys(self.hashes)
        self._classes = False
        self._fill_sets()

    def _fill_sets(self) -> None:
        """Fill the sets of cards that the rules give, by asking the referee."""
        rules, hashes = self.rules, self.hashes
        cards = pack(1, rules.ranks, rules.suits)
        hashes[layout.WHOLE_PACK] = _set(cards)
        for upper in cards:
            hashes[layout.TAKES + upper] = _set(c for c in cards if may_follow(upper, c, rules.build))
            hashes[layout.RUN_TAKES + upper] = _set(c for c in cards if may_follow(upper, c, rules.run_policy))
        lowest = {"any": 1, "kings": rules.ranks, "none": rules.ranks + 1}[rules.spaces]
        hashes[layout.SPACE_TAKES] = _set(card for card in cards if rank_of(card) >= lowest)

    def encode(self, deal: Deal, search: Search = COMPLETE) -> tuple[Array, ...]:
        """Set the arrays to a deal and a search of it; return them as the search kernel takes them."""
        board, cards = self.board, self.cards
        board[layout.WORRYING_BACK] = self.rules.worrying_back and not search.without_returns
        board[layout.RANDOM] = search.shuffle
        board[layout.LIFTS] = layout.NO_LIFTS
        if board[layout.DOMINANCES] & dominance.ANSWERED_LIFTS and not search.beam:
            board[layout.LIFTS] = lifts(self.rules, without_returns=search.without_returns)
        ahead = board[layout.DOMINANCES] & dominance.STOCK_AHEAD and not board[layout.LIFTS]
        board[layout.AHEAD] = ahead and self.rules.stock_size and not self.rules.auto_foundation and not search.beam
        state = start(self.rules, deal)
        board[layout.LENGTH : layout.LENGTH + len(state.tableau)] = [*map(len, state.tableau)]
        piles = b"".join([bytes(pile).ljust(layout.MAX_PILE, b"\0") for pile in state.tableau])
        cards[layout.PILES : layout.PILES + len(piles)] = np.frombuffer(piles, np.uint8)
        heights = [height for its in state.foundations for height in (*its, 0)[:2]]
        board[layout.FOUNDATION : layout.FOUNDATION + len(heights)] = heights
        board[layout.ON_FOUNDATIONS] = sum(heights)
        cards[layout.RESERVE : layout.RESERVE + len(state.reserve)] = np.frombuffer(bytes(state.reserve), np.uint8)
        board[layout.N_RESERVE] = len(state.reserve)
        board[layout.RESERVE_LEFT] = sum(1 << place for place, card in enumerate(state.reserve) if card != NO_CARD)
        listed = (*state.waste, *state.stock)
        cards[layout.STOCK + 1 : layout.STOCK + 1 + len(listed)] = np.frombuffer(bytes(listed), np.uint8)
        nodes = np.arange(len(listed) + 2)
        board[layout.NEXT : layout.NEXT + len(nodes)] = nodes + 1
        board[layout.PREVIOUS : layout.PREVIOUS + len(nodes)] = nodes - 1
        board[layout.N_STOCK] = len(listed)
        board[layout.WASTE_TOP] = len(state.waste)
        board[layout.PASS] = state.pass_number
        board[layout.WAITING] = board[layout.LIFTED] = 0
        hashes = self.hashes
        hashes[layout.RESERVE_CARDS] = _set(card for card in state.reserve if card != NO_CARD)
        following = [*itertools.accumulate([0, *(1 << card for card in reversed(listed))], operator.or_)]
        hashes[layout.TALON] = following[-1]
        hashes[layout.TALON_FROM + 1 : layout.TALON_FROM + len(listed) + 2] = following[::-1]
        self._tell_apart(deal, state, search)
        hashing.hash_afresh(board, cards, hashes)
        return board, cards, hashes

    def _tell_apart(self, deal: Deal, state: BuildState, search: Search) -> None:
        """Have cards count as one that the search does not tell apart: see ``engine/build/suits_aside.py``."""
        self.board[layout.SUITS_ASIDE] = search.suits == SET_ASIDE
        classes: dict[tuple[int, bool], list[Card]] = {}
        if search.suits != TOLD_APART:
            taken_next = {(height + 1, suit) for suit, heights in enumerate(state.foundations) for height in heights}
            apart = {*deal.foundations, *(card for card in range(64) if search.told >> card & 1)}
            for card in pack(1, self.rules.ranks, self.rules.suits):
                if card not in apart and (rank_of(card), suit_of(card)) not in taken_next:
                    red = self.rules.build == "alternate_colour" and is_red(card)
                    classes.setdefault((rank_of(card), red), []).append(card)
        if classes or self._classes:
            hashing.count_as_one(self.hashes, list(classes.values()))
        self._classes = bool(classes)

    def steps(self, path: list[int]) -> list[int]:
        """Return the steps of the path that was found: its moves."""
        return path

    def moves(self, code: int, state: BuildState) -> list[Move]:
        """Return the engine's move as the referee's moves, one or more, from the state in which it is made."""
        kind = code & 15
        if kind in _TURNS:
            return [_TURNS[kind]]
        source, count, card = code >> 4 & 127, code >> 16 & 31, code >> 21 & 63
        cards, column = (card,), ("tableau", code >> 11 & 31)
        if kind == _BARE_TO_FOUNDATION:
            run, place = state.tableau[source][-count:], ("tableau", source)
            return [_build_move(place, run, column), _build_move(place, cards, HOMES[card])]
        origin, goal = _PLACES[kind]
        target = column if goal == "tableau" else HOMES[card]
        if origin == "tableau":
            return [_build_move((origin, source), state.tableau[source][-count:], target)]
        if origin == "waste":
            return [*self._turns(source, state), _build_move((origin, 0), cards, target)]
        return [_build_move((origin, source) if origin == "reserve" else HOMES[card], cards, target)]

    def _turns(self, count: int, state: BuildState) -> list[Move]:
        """Return so many turns of the stock, new passes among them."""
        turns = []
        left = len(state.stock)
        for _ in range(count):
            turns.append(DRAW if left else REDEAL)
            left = max(left - self.rules.draw, 0) if left else len(state.stock) + len(state.waste)
        return turns


def _build_move(source: Place, cards: Pile, target: Place) -> Move:
    return Move(f"{source[0]}-to-{target[0]}", cards, (source,), target)


def has_free_runs(rules: BuildRules) -> bool:
    """Say whether the setting of ``engine/build/free_runs.py`` is given."""
    return rules.group == "run" and rules.run_policy == rules.build and not rules.auto_foundation


def lifts(rules: BuildRules, *, without_returns: bool = False) -> np.int64:
    """Say for which lifts the setting of ``engine/build/lifts.py`` is given."""
    if rules.decks > 1 or rules.auto_foundation or has_free_runs(rules):
        return layout.NO_LIFTS
    if rules.worrying_back and rules.return_to_space and not without_returns:
        return layout.ALL_LIFTS
    return layout.RESERVE_LIFTS if rules.reserve else layout.NO_LIFTS


class PairTranslator:
    """Pair games: owns the masks of one deal, reused from deal to deal."""

    search = staticmethod(pair_search)
    move_entries: Callable[[Array, Array], None]
    """How to move the table's entries to a larger one: set by :meth:`encode`."""

    def __init__(self, rules: PairRules, dominances: int | None = None) -> None:
        self.rules = rules
        self.masks = np.zeros(pair_layout.MASKS_SIZE, np.uint64)
        self.root = np.zeros(2, np.uint64)
        self.numbers = np.zeros(pair_layout.RULES_SIZE, np.int64)
        rows = reversed(range(len(rules.rows)))
        self.places: list[Place] = [("pyramid", row, place) for row in rows for place in range(len(rules.rows[row]))]
        """Where each card of the layout lies: a card has a lower number than those that it covers."""
        self.places += [("reserve", pile) for pile, size in enumerate(rules.reserves) for _ in range(size)]
        numbers = self.numbers
        numbers[pair_layout.N_CARDS] = rules.pack_size
        numbers[pair_layout.FIRST_STOCK] = len(self.places)
        numbers[pair_layout.DRAW] = rules.draw
        numbers[pair_layout.WASTE_PILES] = rules.waste_piles
        numbers[pair_layout.STOCK_EXPOSED] = rules.draw_exposed == "waste_and_stock"
        numbers[pair_layout.STOP_AT_EXHAUSTION] = rules.at_exhaustion == "stop"
        numbers[pair_layout.OVERLAP_PAIRS] = rules.overlap_pairs
        numbers[pair_layout.DOMINANCES] = pair_dominance.ALL if dominances is None else dominances
        masks = self.masks
        masks[pair_layout.PYRAMID] = _set(range(rules.pyramid_size))
        masks[pair_layout.LAYOUT] = _set(range(len(self.places)))
        masks[pair_layout.STOCK] = _set(range(len(self.places), rules.pack_size))
        masks[pair_layout.GOAL] = _set(range(rules.pyramid_size if rules.goal == "pyramid" else rules.pack_size))
        self._covers = self._covering()
        for card, over in enumerate(self._covers):
            masks[pair_layout.COVERS + card] = _set(over)
            masks[pair_layout.UNDER + card] = _set(under for under, its in enumerate(self._covers) if card in its)
        # The cards that each one could be discarded with, whatever their ranks.
        everything = np.uint64(2**rules.pack_size - 1)
        self._together = np.full(rules.pack_size, everything, np.uint64)
        for card, others in enumerate(self._never_together()):
            self._together[card] &= ~_set(others)
        if rules.draw_exposed == "waste" and rules.waste_piles == 1:  # two stock cards are never exposed at a time
            self._together[len(self.places) :] &= masks[pair_layout.LAYOUT]
        ranks = range(rules.ranks + 1)
        # Rank 0 is that of a card that is gone.
        self._pairs = np.array([[one and other and rules.pairs(one, other) for other in ranks] for one in ranks], bool)

    def _is_always_free(self) -> bool:
        """Say whether these rules let each stock card be used at any time: see ``engine/pair/free_stock.py``."""
        rules = self.rules
        always = rules.passes == UNLIMITED and rules.draw == 1 and rules.goal == "pyramid"
        return always or rules.stock_size == 0

    def _uses(self, dominance: np.int64) -> bool:
        return bool(self.numbers[pair_layout.DOMINANCES] & dominance)

    def _set_search(self, search: Search) -> None:
        """Set the numbers that depend on the search, by the conditions that the engine's modules state."""
        rules, numbers = self.rules, self.numbers
        exposed = rules.draw_exposed == "waste_and_stock"
        is_free = self._uses(pair_dominance.ALL_FREE) and (search.free_stock or self._is_always_free())
        one_pass = rules.passes == 1
        ahead = not is_free and not one_pass and rules.waste_piles == 1 and self._uses(pair_dominance.STOCK_AHEAD)
        skips_turns = rules.draw == 1 and rules.at_exhaustion != "stop"
        if not self._uses(pair_dominance.PASSED_OVER):
            passes_over = pair_layout.NEVER
        elif is_free or skips_turns or (one_pass and not exposed):
            passes_over = pair_layout.ALL_PAIRS
        else:
            passes_over = pair_layout.LAYOUT_PAIRS
        if ahead and rules.draw == 1:
            table = pair_layout.TIMES
        elif is_free or rules.waste_piles == 1 or (one_pass and not exposed):
            table = pair_layout.SETS
        else:
            table, passes_over = pair_layout.WORDS, pair_layout.NEVER
        numbers[pair_layout.RANDOM] = search.shuffle
        numbers[pair_layout.PASSES] = 0 if is_free or rules.passes == UNLIMITED else int(rules.passes)
        numbers[pair_layout.LOOKS_AHEAD] = ahead
        numbers[pair_layout.PASSES_OVER] = passes_over
        numbers[pair_layout.FREE_STOCK] = is_free
        numbers[pair_layout.TABLE] = table
        self.move_entries = move_keys if table == pair_layout.WORDS else move_values

    def _covering(self) -> list[set[int]]:
        """Return, for each card of the layout, the cards that lie directly over it."""
        number = {place: card for card, place in enumerate(self.places)}
        covers: list[set[int]] = []
        for card, place in enumerate(self.places):
            if place[0] == "pyramid":
                covers.append({number["pyramid", *above] for above in self.rules.covers[place[1]][place[2]]})
            else:
                covers.append({card - 1} if card and self.places[card - 1] == place else set())
        return covers

    def _never_together(self) -> list[set[int]]:
        """Return, for each card of the layout, those over or under it, with which it can never be discarded."""
        over: list[set[int]] = [set() for _ in self._covers]
        for card in range(len(self._covers)):
            over[card] = self._covers[card].union(*(over[above] for above in self._covers[card]))
        apart = [set(above) for above in over]
        for card, above in enumerate(over):
            for other in above:
                apart[other].add(card)
        if self.rules.overlap_pairs:
            for card in range(self.rules.pyramid_size):
                for other in self._covers[card]:
                    apart[card].discard(other)
                    apart[other].discard(card)
        return apart

    def encode(self, deal: Deal, search: Search = COMPLETE) -> tuple[Array, ...]:
        """Set the masks to a deal and a search of it; return the arrays as the search kernel takes them."""
        rules, masks = self.rules, self.masks
        self._set_search(search)
        layout_cards = [card for row in reversed(deal.pyramid) for card in row]
        for pile, size in zip(deal.reserve, rules.reserves, strict=True):
            layout_cards += reversed([*pile, *[NO_CARD] * (size - len(pile))])
        self.cards = [*layout_cards, *deal.waste, *deal.stock]
        gone = [NO_CARD] * (rules.pack_size - len(self.cards))
        ranks = np.array([rank_of(card) for card in [*self.cards, *gone]])
        partners = self._pairs[ranks][:, ranks]
        np.fill_diagonal(partners, val=False)
        masks[pair_layout.PARTNERS : pair_layout.PARTNERS + len(ranks)] = _sets(partners)
        masks[pair_layout.REMOVERS : pair_layout.REMOVERS + len(ranks)] = _sets(partners) & self._together
        first_stock = len(layout_cards)
        alike = np.tril(ranks[:, None] == ranks, -1)
        alike[:first_stock] = alike[:, :first_stock] = False
        masks[pair_layout.TWINS : pair_layout.TWINS + len(ranks)] = _sets(alike)
        masks[pair_layout.ALONE] = _set(i for i, card in enumerate(self.cards) if rules.goes_alone(rank_of(card)))
        masks[pair_layout.MATE : pair_layout.MATE + 64] = pair_layout.NOBODY
        begin = first_stock + len(deal.waste) if deal.stock else rules.pack_size
        low = int(_set(i for i, card in enumerate(self.cards) if card != NO_CARD)) | begin << 52
        high = sum(i % rules.waste_piles << 2 * i for i in range(len(deal.waste)))
        if self.numbers[pair_layout.FREE_STOCK]:
            low, high = low & 2**52 - 1, 0
        self.root[:] = low, high
        return self.numbers, masks, self.root

    def steps(self, path: list[int]) -> Iterator[int | Plan]:
        """Yield the steps of the path that was found: its moves.

        Where the stock is free the path is a plan only, see ``engine/pair/passed_over.py``. Then each step is what is
        left of it; :meth:`moves` takes away what it makes.
        """
        if not self.numbers[pair_layout.FREE_STOCK]:
            yield from path
            return
        plan = [self._numbers(code) for code in path]
        while plan:
            yield plan

    def moves(self, step: int | Plan, state: PairState) -> list[Move]:
        """Return a step as the referee's moves, from the state in which it is made.

        A move that looks ahead begins with the turns of the stock that bring its cards up. Of a plan the first discard
        that can be made is made, and if there is none the stock is turned: that takes the fewest passes.
        """
        if isinstance(step, list):
            numbers = next((numbers for numbers in step if self._is_open(numbers, state)), None)
            if numbers is None:
                return [DRAW if state.stock else REDEAL]
            step.remove(numbers)
            return [self._discard(numbers, state)]
        code = step
        kind = code & 15
        if kind in _PAIR_TURNS:
            return [_PAIR_TURNS[kind]]
        turns: list[Move] = []
        if kind in _LOOK_AHEAD:
            place, redeals = code >> 16 & 63, code >> 22 & 1
            following = tuple(self.cards[place : place + 1])
            while redeals or state.stock[:1] != following:
                turns.append(DRAW if state.stock else REDEAL)
                redeals = redeals and bool(state.stock)
                state = _turned(state, self.rules.draw)
        numbers = self._numbers(code)
        # Positions of unlimited passes count as the start of a pass where they are worth the same.
        while not self._is_open([number for number in numbers if number >= len(self.places)], state):
            turns.append(DRAW if state.stock else REDEAL)
            state = _turned(state, self.rules.draw)
        return [*turns, self._discard(numbers, state)]

    def _numbers(self, code: int) -> list[int]:
        """Return the numbers of the cards that a discard takes."""
        return [code >> 4 & 63] if code & 15 in _ONE_CARD else [code >> 4 & 63, code >> 10 & 63]

    def _discard(self, numbers: list[int], state: PairState) -> Move:
        found = [(self._place(number, state), self.cards[number]) for number in numbers]
        order = {"pyramid": 0, "reserve": 1, "waste": 2, "stock": 3}
        found.sort(key=lambda item: (order[item[0][0]], item[0]))
        return Move("discard", tuple(card for _, card in found), tuple(place for place, _ in found))

    def _is_open(self, numbers: list[int], state: PairState) -> bool:
        """Say whether cards are exposed, or covered by nothing but the one that they go with."""
        tops = [pile[-1] for pile in state.wastes if pile]
        if self.rules.draw_exposed == "waste_and_stock":
            tops += state.stock[:1]
        for number in sorted(numbers, reverse=True):  # stock cards first: most are not up
            if number >= len(self.places):
                if self.cards[number] not in tops:
                    return False
            elif not all(other in numbers or self._is_gone(other, state) for other in self._covers[number]):
                return False
        return True

    def _is_gone(self, number: int, state: PairState) -> bool:
        name, *at = self.places[number]
        pile = state.pyramid[at[0]] if name == "pyramid" else state.reserve[at[0]]
        return self.cards[number] not in pile

    def _place(self, number: int, state: PairState) -> Place:
        if number < len(self.places):
            return self.places[number]
        for pile, cards in enumerate(state.wastes):
            if cards and cards[-1] == self.cards[number]:
                return ("waste", pile)
        return ("stock", 0)


def _turned(state: PairState, draw: int) -> PairState:
    """Return the state after one turn of a stock that is turned card by card, or a new pass."""
    if not state.stock:
        return state._replace(stock=state.wastes[0], wastes=((),))
    return state._replace(stock=state.stock[draw:], wastes=((*state.wastes[0], *state.stock[:draw]),))


def _sets(holds: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Return each row of a table of card by card as a set."""
    bits = np.uint64(1) << np.arange(holds.shape[1], dtype=np.uint64)
    sets: NDArray[np.uint64] = np.bitwise_or.reduce(holds * bits, axis=1)
    return sets


def _set(numbers: Iterable[int]) -> np.uint64:
    """Return a set of card numbers as the bits of a word."""
    return np.uint64(sum(1 << number for number in set(numbers)))
