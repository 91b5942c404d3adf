"""The referee of pair games."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from solitaire_lab.cards import NO_CARD, Card, card_name, rank_of
from solitaire_lab.deals import Deal, Pile
from solitaire_lab.referee.moves import DRAW, REDEAL, Move, Place
from solitaire_lab.referee.position import Position
from solitaire_lab.rules import UNLIMITED, PairRules


class PairState(NamedTuple):
    """Where every card lies, and which pass of the stock it is."""

    pyramid: tuple[Pile, ...]
    """Rows from the apex; `NO_CARD` where a card is gone."""
    reserve: tuple[Pile, ...]
    stock: Pile
    """Next card first."""
    wastes: tuple[Pile, ...]
    """The waste piles, each with its top card last."""
    pass_number: int
    """1 in the first pass."""


class PairPosition(Position[PairState]):
    """A position of a pair game: knows its legal moves, makes and takes them back.

    Parameters
    ----------
    rules
        The game's rules.
    deal
        Where the cards start.
    """

    def __init__(self, rules: PairRules, deal: Deal) -> None:
        self.rules = rules
        self._first_dealt = {card: place for place, card in enumerate((*deal.waste, *deal.stock))}
        wastes = tuple(deal.waste[pile :: rules.waste_piles] for pile in range(rules.waste_piles))
        rows: Iterable[Iterable[int]] = (range(len(row)) for row in rules.rows)
        places: list[Place] = [("pyramid", number, place) for number, row in enumerate(rows) for place in row]
        places += [("reserve", pile) for pile in range(len(deal.reserve))]
        places += [("waste", pile) for pile in range(rules.waste_piles)]
        if rules.draw_exposed == "waste_and_stock":
            places.append(("stock", 0))
        self._places = {place: place for place in places}
        """Where a card may lie exposed."""
        super().__init__(PairState(deal.pyramid, deal.reserve, deal.stock, wastes, pass_number=1))

    @property
    def pyramid_gone(self) -> bool:
        """Whether no card of the pyramid is left."""
        return not any(card for row in self.state.pyramid for card in row)

    @property
    def won(self) -> bool:
        """Whether the pyramid, or with ``goal=all`` every card, is gone."""
        if self.rules.goal == "pyramid":
            return self.pyramid_gone
        state = self.state
        return self.pyramid_gone and not (any(state.reserve) or state.stock or any(state.wastes))

    @property
    def is_last_pass(self) -> bool:
        """Whether no new pass may follow this one."""
        return self.rules.passes != UNLIMITED and self.state.pass_number >= int(self.rules.passes)

    @property
    def stopped(self) -> bool:
        """Whether the game was lost with the last stock card of the last pass (``at_exhaustion=stop``)."""
        ends = self.rules.at_exhaustion == "stop" and not self.state.stock and self.is_last_pass
        return ends and self.rules.stock_size > 0 and not self.pyramid_gone

    def card_at(self, place: Place) -> Card:
        """Return the top card at a place; `NO_CARD` if there is none."""
        name, number = place[0], place[1]
        state = self.state
        if name == "pyramid":
            return state.pyramid[number][place[2]]
        if name == "stock":
            return state.stock[0] if state.stock else NO_CARD
        pile = state.reserve[number] if name == "reserve" else state.wastes[number]
        return pile[-1] if pile else NO_CARD

    def covers(self, place: Place) -> list[Place]:
        """Return the places of the cards that still overlap a card."""
        if place[0] != "pyramid":
            return []
        covers, pyramid = self.rules.covers[place[1]][place[2]], self.state.pyramid
        return [("pyramid", row, over) for row, over in covers if pyramid[row][over] != NO_CARD]

    def exposed(self) -> Iterator[tuple[Card, Place]]:
        """Yield the exposed cards and their places: pyramid, reserves, waste piles, then the stock."""
        for place in self._places:
            if (card := self.card_at(place)) != NO_CARD and not self.covers(place):
                yield card, place

    def may_leave(self, places: tuple[Place, ...]) -> bool:
        """Say whether no cards overlap those at some places; but they each other, where the rules allow that."""
        off = places if self.rules.overlap_pairs else ()
        for place in places:
            for over in self.covers(place):
                if over not in off:
                    return False
        return True

    def go_together(self, cards: Pile) -> bool:
        """Say whether the ranks of one card or two let them be discarded."""
        if len(cards) == 1:
            return self.rules.goes_alone(rank_of(cards[0]))
        return len(cards) == 2 and self.rules.pairs(rank_of(cards[0]), rank_of(cards[1]))

    def legal_moves(self) -> list[Move]:
        """Return all legal moves; none once the game is lost by exhaustion."""
        if self.stopped:
            return []
        exposed = [place for _, place in self.exposed()]
        groups = [*((place,) for place in exposed), *itertools.combinations(exposed, 2), *self._overlaps()]
        discards = [move for move in map(self._discard, groups) if self.go_together(move.cards)]
        stock_move = self._stock_move()
        return [*discards, stock_move] if stock_move else discards

    def is_legal(self, move: Move) -> bool:
        """Say whether `move` is among the legal moves; the two cards of a pair may stand in either order."""
        if not move.cards:
            return move == self._stock_move()
        try:
            places = tuple([self._places[place] for place in move.sources])
        except (KeyError, TypeError):  # no places of this board, or no places at all
            return False
        are_there = move == self._discard(places) and NO_CARD not in move.cards and len(set(places)) == len(places)
        return are_there and self.go_together(move.cards) and self.may_leave(places) and not self.stopped

    def _discard(self, places: tuple[Place, ...]) -> Move:
        return Move("discard", tuple([self.card_at(place) for place in places]), places)

    def _overlaps(self) -> Iterator[tuple[Place, Place]]:
        """Yield the places of cards and of those that alone still cover them, which may leave together."""
        for place in self._places if self.rules.overlap_pairs else ():
            covers = self.covers(place)
            if len(covers) == 1 and self.may_leave((place, covers[0])):
                yield place, covers[0]

    def _stock_move(self) -> Move | None:
        """Return the move that the stock allows, if any."""
        if self.stopped:
            return None
        if self.state.stock:
            return DRAW
        return REDEAL if any(self.state.wastes) and not self.is_last_pass else None

    def _after(self, move: Move) -> PairState:
        pyramid, reserve, stock, wastes, pass_number = self.state
        if move.kind == "draw":
            turned, stock = stock[: self.rules.draw], stock[self.rules.draw :]
            dealt = [(card,) for card in turned] if self.rules.waste_piles > 1 else [turned]
            grown = tuple(pile + cards for pile, cards in itertools.zip_longest(wastes, dealt, fillvalue=()))
            return PairState(pyramid, reserve, stock, grown, pass_number)
        if move.kind == "redeal":
            gathered = sorted((card for pile in wastes for card in pile), key=self._first_dealt.__getitem__)
            return PairState(pyramid, reserve, tuple(gathered), ((),) * len(wastes), pass_number + 1)
        rows, reserves, piles = list(pyramid), list(reserve), list(wastes)
        for source in move.sources:
            name, number = source[:2]
            if name == "pyramid":
                row, place = rows[number], source[2]
                rows[number] = (*row[:place], NO_CARD, *row[place + 1 :])
            elif name == "reserve":
                reserves[number] = reserves[number][:-1]
            elif name == "waste":
                piles[number] = piles[number][:-1]
            else:
                stock = stock[1:]
        return PairState(tuple(rows), tuple(reserves), stock, tuple(piles), pass_number)

    def text(self) -> str:
        """Return the board as text: pyramid, reserves, stock and waste."""
        state = self.state
        lines = []
        for half_columns, cards in zip(self.rules.rows, state.pyramid, strict=True):
            line = ""
            for at, card in zip(half_columns, cards, strict=True):
                line = line.ljust(2 * at) + (card_name(card) if card else "--")
            lines.append(line)
        if state.reserve:
            lines += ["", *(f"Reserve {number}: {_names(pile)}" for number, pile in enumerate(state.reserve, start=1))]
        if self.rules.stock_size:
            lines += ["", f"Stock ({len(state.stock)}): {_names(state.stock)}"]
            for number, pile in enumerate(state.wastes, start=1):
                label = "Waste" if len(state.wastes) == 1 else f"Waste {number}"
                lines.append(f"{label} ({len(pile)}): {_names(pile)}")
            lines.append(f"Pass {state.pass_number} of {self.rules.passes}")
        return "\n".join(line.rstrip() for line in lines)


def _names(cards: Pile) -> str:
    return " ".join(map(card_name, cards))
