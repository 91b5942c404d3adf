"""The referee of build games."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from solitaire_lab.cards import (
    NO_CARD,
    SUITS,
    Card,
    card_name,
    face_up,
    is_face_down,
    is_red,
    make_card,
    rank_of,
    suit_of,
)
from solitaire_lab.deals import Deal, Pile
from solitaire_lab.referee.moves import DRAW, HOMES, REDEAL, Move, Place
from solitaire_lab.referee.position import Position
from solitaire_lab.rules import UNLIMITED, BuildRules


class BuildState(NamedTuple):
    """Where every card lies, and which pass of the stock it is."""

    tableau: tuple[Pile, ...]
    reserve: Pile
    """One card a place, `NO_CARD` where it is gone."""
    stock: Pile
    """Next card first."""
    waste: Pile
    """Top card last."""
    foundations: tuple[tuple[int, ...], ...]
    """For each suit C D H S the heights of its foundations, highest first."""
    pass_number: int
    """1 in the first pass."""


@functools.cache
def may_follow(upper: Card, lower: Card, policy: str) -> bool:
    """Say whether `lower` may lie on `upper` in a sequence built by `policy`: exactly one rank lower."""
    if rank_of(lower) != rank_of(upper) - 1:
        return False
    if policy == "same_suit":
        return suit_of(lower) == suit_of(upper)
    return policy == "any_suit" or is_red(lower) != is_red(upper)


def start(rules: BuildRules, deal: Deal) -> BuildState:
    """Return the state in which a deal lies there."""
    heights = [[0] * rules.decks for _ in SUITS]
    for card, copies in Counter(deal.foundations).items():
        for copy in range(copies):
            heights[suit_of(card)][copy] += 1
    return BuildState(
        tableau=deal.tableau,
        reserve=tuple([card for pile in deal.reserve for card in pile]),
        stock=deal.stock,
        waste=deal.waste,
        foundations=tuple(map(tuple, heights)),
        pass_number=1,
    )


class BuildPosition(Position[BuildState]):
    """A position of a build game: knows its legal moves, makes and takes them back.

    Parameters
    ----------
    rules
        The game's rules.
    deal
        Where the cards start.
    """

    def __init__(self, rules: BuildRules, deal: Deal) -> None:
        self.rules = rules
        state = start(rules, deal)
        columns: list[Place] = [("tableau", column) for column in range(len(state.tableau))]
        foundations: list[Place] = [("foundation", letter) for letter in SUITS]
        reserve: list[Place] = [("reserve", place) for place in range(len(state.reserve))]
        self._sources: dict[tuple[Place, ...], Place] = {
            (place,): place for place in (*columns, ("waste", 0), *reserve, *foundations)
        }
        self._targets: dict[Place | None, Place] = {place: place for place in (*foundations, *columns)}
        super().__init__(state)

    @property
    def won(self) -> bool:
        """Whether all cards are on the foundations."""
        return sum(map(sum, self.state.foundations)) == self.rules.pack_size

    # What the rules allow, one rule a method.

    def column_takes(self, column: int, card: Card, *, returning: bool = False) -> bool:
        """Say whether a column takes `card` (the lowest of a run); `returning` if from a foundation."""
        pile = self.state.tableau[column]
        if pile:
            return may_follow(pile[-1], card, self.rules.build)
        if returning and not self.rules.return_to_space:
            return False
        return self.rules.spaces == "any" or (self.rules.spaces == "kings" and rank_of(card) == self.rules.ranks)

    def foundation_takes(self, card: Card) -> bool:
        """Say whether a foundation of the card's suit is built up to just below it."""
        return rank_of(card) - 1 in self.state.foundations[suit_of(card)]

    def movable_runs(self, column: int) -> Iterator[Pile]:
        """Yield the groups of cards that may leave a column for another, shortest first."""
        pile, group, policy = self.state.tableau[column], self.rules.group, self.rules.run_policy
        for start in range(len(pile) - 1, -1, -1):
            run = pile[start:]
            if len(run) > 1 and (group == "single" or is_face_down(run[0]) or not may_follow(run[0], run[1], policy)):
                return
            if group != "whole" or start == 0 or is_face_down(pile[start - 1]):
                yield run

    def available(self, source: Place, goal: str) -> Iterable[Pile]:
        """Return the groups of cards that may leave a place for a ``"foundation"`` or the ``"tableau"``."""
        name, number = source
        if name == "tableau":
            if goal == "tableau":
                return self.movable_runs(number)
            cards = self.state.tableau[number][-1:]
        elif name == "waste":
            cards = self.state.waste[-1:]
        elif name == "reserve":
            cards = self.state.reserve[number : number + 1]
        else:
            suit = SUITS.index(number)
            may_return = goal == "tableau" and self.rules.worrying_back
            heights = sorted(set(self.state.foundations[suit])) if may_return else []
            return [(make_card(height, suit),) for height in heights if height]
        return (cards,) if any(cards) else ()

    def takes(self, target: Place, card: Card, source: Place) -> bool:
        """Say whether a foundation or a column takes `card` (the lowest of a run) from elsewhere."""
        name, number = target
        if name == "foundation":
            return target == HOMES[card] and self.foundation_takes(card)
        return target != source and self.column_takes(number, card, returning=source[0] == "foundation")

    # Moves.

    def legal_moves(self) -> list[Move]:
        """Return all legal moves. While automatic play is due, that is its next move alone."""
        if self.rules.auto_foundation and (forced := self._automatic_move()):
            return [forced]
        moves = [move for source in self._sources.values() for move in self._moves_from(source)]
        stock_move = self._stock_move()
        return [*moves, stock_move] if stock_move else moves

    def is_legal(self, move: Move) -> bool:
        """Say whether `move` is among the legal moves."""
        if self.rules.auto_foundation and (forced := self._automatic_move()):
            return move == forced
        kind, cards, sources, to = move
        if not cards:
            return move == self._stock_move()
        try:
            source, target = self._sources[sources], self._targets[to]
        except (KeyError, TypeError):  # no places of this board, or no places at all
            return False
        name, goal = source[0], target[0]
        is_there = kind == f"{name}-to-{goal}" and cards in self.available(source, goal)
        return is_there and self.takes(target, cards[0], source)

    def _automatic_move(self) -> Move | None:
        """Return the next automatic move to a foundation: columns left to right, then waste, then reserve."""
        return next(
            (move for source in self._sources.values() for move in self._moves_from(source, "foundation")), None
        )

    def _moves_from(self, source: Place, *goals: str) -> Iterator[Move]:
        """Yield the legal moves of the cards at a place, those to its foundation first."""
        for goal in goals or ("foundation", "tableau"):
            for cards in self.available(source, goal):
                for target in self._targets.values():
                    if target[0] == goal and self.takes(target, cards[0], source):
                        yield Move(f"{source[0]}-to-{goal}", cards, (source,), target)

    def _stock_move(self) -> Move | None:
        """Return the move that the stock allows, if any."""
        state, passes = self.state, self.rules.passes
        if state.stock:
            return DRAW
        return REDEAL if state.waste and (passes == UNLIMITED or state.pass_number < int(passes)) else None

    def _after(self, move: Move) -> BuildState:
        tableau, reserve, stock, waste, foundations, pass_number = self.state
        kind, cards, sources, target = move
        if not cards:
            if kind == "redeal":
                return BuildState(tableau, reserve, waste, (), foundations, pass_number + 1)
            draw = self.rules.draw
            return BuildState(tableau, reserve, stock[draw:], waste + stock[:draw], foundations, pass_number)
        assert target is not None
        (name, number), (goal, column) = sources[0], target
        columns = list(tableau)
        if name == "tableau":
            left = columns[number][: -len(cards)]
            if left and is_face_down(left[-1]):
                left = (*left[:-1], face_up(left[-1]))
            columns[number] = left
        elif name == "waste":
            waste = waste[:-1]
        elif name == "reserve":
            reserve = (*reserve[:number], NO_CARD, *reserve[number + 1 :])
        else:
            foundations = _raised(foundations, cards[0], -1)
        if goal == "tableau":
            columns[column] += cards
        else:
            foundations = _raised(foundations, cards[0], 1)
        return BuildState(tuple(columns), reserve, stock, waste, foundations, pass_number)

    # Text.

    def text(self) -> str:
        """Return the board as text: foundations, columns, reserve, stock, waste; ``#`` marks cards face down."""
        state = self.state
        tops = [
            make_card(height, suit) if height else NO_CARD for suit in range(4) for height in state.foundations[suit]
        ]
        letters = [SUITS[suit] for suit in range(4) for _ in state.foundations[suit]]
        shown = [
            card_name(top) if top else f"-{letter}"
            for top, letter in zip(tops, letters, strict=True)
            if letter in self.rules.suits
        ]
        lines = ["Foundations: " + " ".join(shown), ""]
        lines.append(" ".join(f"{column:>3}" for column in range(1, len(state.tableau) + 1)))
        for row in range(max(map(len, state.tableau))):
            cells = [f"{card_name(pile[row]):>3}" if row < len(pile) else "   " for pile in state.tableau]
            lines.append(" ".join(cells).rstrip())
        if state.reserve:
            lines += ["", "Reserve: " + " ".join(card_name(card) if card else "--" for card in state.reserve)]
        if self.rules.stock_size:
            lines += ["", f"Stock ({len(state.stock)}): " + " ".join(map(card_name, state.stock))]
            lines.append(f"Waste ({len(state.waste)}): " + " ".join(map(card_name, state.waste)))
            lines.append(f"Pass {state.pass_number} of {self.rules.passes}")
        return "\n".join(line.rstrip() for line in lines)


def _raised(foundations: tuple[tuple[int, ...], ...], card: Card, step: int) -> tuple[tuple[int, ...], ...]:
    """Return the heights of the foundations once a card is played there (1) or taken away (-1)."""
    suit, rank = suit_of(card), rank_of(card)
    heights, piles = list(foundations[suit]), list(foundations)
    heights[heights.index(rank - 1 if step > 0 else rank)] += step
    heights.sort(reverse=True)
    piles[suit] = tuple(heights)
    return tuple(piles)
