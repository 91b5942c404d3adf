"""The referee of build games."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

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
from solitaire_lab.referee.moves import Move, Place
from solitaire_lab.referee.position import Position
from solitaire_lab.rules import UNLIMITED, BuildRules


@dataclasses.dataclass(frozen=True)
class BuildState:
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


def may_follow(upper: Card, lower: Card, policy: str) -> bool:
    """Say whether `lower` may lie on `upper` in a sequence built by `policy`: exactly one rank lower."""
    if rank_of(lower) != rank_of(upper) - 1:
        return False
    if policy == "same_suit":
        return suit_of(lower) == suit_of(upper)
    return policy == "any_suit" or is_red(lower) != is_red(upper)


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
        heights = []
        for suit in range(4):
            tops = sorted((rank_of(card) for card in deal.foundations if suit_of(card) == suit), reverse=True)
            copies = [sum(1 for rank in tops if rank == wanted) for wanted in range(1, rules.ranks + 1)]
            heights.append(tuple(sum(1 for count in copies if count > copy) for copy in range(rules.decks)))
        super().__init__(
            BuildState(
                tableau=deal.tableau,
                reserve=tuple(card for pile in deal.reserve for card in pile),
                stock=deal.stock,
                waste=deal.waste,
                foundations=tuple(heights),
                pass_number=1,
            )
        )

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

    def movable_runs(self, column: int) -> list[Pile]:
        """Return the groups of cards that may leave a column for another, shortest first."""
        pile = self.state.tableau[column]
        if not pile:
            return []
        if self.rules.group == "single":
            return [pile[-1:]]
        runs = [pile[-1:]]
        while len(runs[-1]) < len(pile):
            upper = pile[-len(runs[-1]) - 1]
            if is_face_down(upper) or not may_follow(upper, runs[-1][0], self.rules.run_policy):
                break
            runs.append(pile[-len(runs[-1]) - 1 :])
        if self.rules.group == "whole":
            shown = len(pile) - max((place + 1 for place, card in enumerate(pile) if is_face_down(card)), default=0)
            return [run for run in runs if len(run) == shown]
        return runs

    # Moves.

    def legal_moves(self) -> list[Move]:
        """Return all legal moves. While automatic play is due, that is its next move alone."""
        if self.rules.auto_foundation and (forced := self._automatic_move()):
            return [forced]
        moves: list[Move] = []
        for column in range(len(self.state.tableau)):
            moves += self._moves_from(("tableau", column))
        moves += self._moves_from(("waste", 0))
        for place in range(len(self.state.reserve)):
            moves += self._moves_from(("reserve", place))
        for suit in range(4):
            moves += self._moves_from(("foundation", SUITS[suit]))
        return moves + list(self._stock_moves())

    def is_legal(self, move: Move) -> bool:
        """Say whether `move` is among the legal moves."""
        if self.rules.auto_foundation and (forced := self._automatic_move()):
            return move == forced
        if not move.sources:
            return move in self._stock_moves()
        columns = [move.target[1]] if move.target and move.target[0] == "tableau" else []
        return len(move.sources[0]) == 2 and move in self._moves_from(move.sources[0], columns)

    def _automatic_move(self) -> Move | None:
        """Return the next automatic move to a foundation: columns left to right, then waste, then reserve."""
        state = self.state
        tops: list[tuple[Place, Card]] = [
            (("tableau", column), pile[-1]) for column, pile in enumerate(state.tableau) if pile
        ]
        tops += [(("waste", 0), card) for card in state.waste[-1:]]
        tops += [(("reserve", place), card) for place, card in enumerate(state.reserve) if card != NO_CARD]
        return next((self._to_foundation(place, card) for place, card in tops if self.foundation_takes(card)), None)

    def _moves_from(self, place: Place, columns: list[Any] | None = None) -> Iterator[Move]:
        """Yield the legal moves of the cards at a place, to its foundation and to all columns or some of them."""
        name, number = place
        state = self.state
        there = range(len(state.tableau))
        columns = list(there) if columns is None else [column for column in columns if column in there]
        if name == "foundation":
            if self.rules.worrying_back and number in tuple(SUITS):
                yield from self._returns(number, columns)
            return
        piles: tuple[Pile, ...]
        if name == "tableau":
            piles = state.tableau
        elif name == "waste":
            piles = (state.waste,)
        elif name == "reserve":
            piles = tuple((card,) if card != NO_CARD else () for card in state.reserve)
        else:
            return
        if not isinstance(number, int) or not 0 <= number < len(piles) or not piles[number]:
            return
        top = piles[number][-1]
        if self.foundation_takes(top):
            yield self._to_foundation(place, top)
        for run in self.movable_runs(number) if name == "tableau" and columns else [(top,)]:
            for column in columns:
                if (name != "tableau" or column != number) and self.column_takes(column, run[0]):
                    yield Move(f"{name}-to-tableau", run, (place,), ("tableau", column))

    @staticmethod
    def _to_foundation(place: Place, card: Card) -> Move:
        return Move(f"{place[0]}-to-foundation", (card,), (place,), ("foundation", SUITS[suit_of(card)]))

    def _returns(self, letter: str, columns: list[int]) -> Iterator[Move]:
        suit = SUITS.index(letter)
        for height in sorted(set(self.state.foundations[suit])):
            card = make_card(height, suit)
            for column in columns:
                if height and self.column_takes(column, card, returning=True):
                    yield Move("foundation-to-tableau", (card,), (("foundation", letter),), ("tableau", column))

    def _stock_moves(self) -> Iterator[Move]:
        state, passes = self.state, self.rules.passes
        if state.stock:
            yield Move("draw")
        elif state.waste and (passes == UNLIMITED or state.pass_number < int(passes)):
            yield Move("redeal")

    def _after(self, move: Move) -> BuildState:
        state = self.state
        if move.kind == "draw":
            turned = state.stock[: self.rules.draw]
            return dataclasses.replace(state, stock=state.stock[self.rules.draw :], waste=state.waste + turned)
        if move.kind == "redeal":
            return dataclasses.replace(state, stock=state.waste, waste=(), pass_number=state.pass_number + 1)
        tableau, foundations = list(state.tableau), list(state.foundations)
        reserve, waste = state.reserve, state.waste
        source, target = move.sources[0], move.target
        assert target is not None
        if source[0] == "tableau":
            left = tableau[int(source[1])][: -len(move.cards)]
            tableau[int(source[1])] = (*left[:-1], face_up(left[-1])) if left else ()
        elif source[0] == "waste":
            waste = waste[:-1]
        elif source[0] == "reserve":
            place = int(source[1])
            reserve = (*reserve[:place], NO_CARD, *reserve[place + 1 :])
        else:
            foundations[suit_of(move.cards[0])] = self._heights(move.cards[0], step=-1)
        if target[0] == "foundation":
            foundations[suit_of(move.cards[0])] = self._heights(move.cards[0], step=1)
        else:
            tableau[int(target[1])] += move.cards
        return BuildState(tuple(tableau), reserve, state.stock, waste, tuple(foundations), state.pass_number)

    def _heights(self, card: Card, *, step: int) -> tuple[int, ...]:
        """Return the heights of the card's suit once it is played there (+1) or taken away (-1)."""
        heights = list(self.state.foundations[suit_of(card)])
        place = heights.index(rank_of(card) - 1 if step > 0 else rank_of(card))
        heights[place] += step
        return tuple(sorted(heights, reverse=True))

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
