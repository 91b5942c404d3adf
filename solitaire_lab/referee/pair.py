"""The referee of pair games."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator

from solitaire_lab.cards import NO_CARD, Card, card_name, rank_of
from solitaire_lab.deals import Deal, Pile
from solitaire_lab.referee.moves import Move, Place
from solitaire_lab.referee.position import Position
from solitaire_lab.rules import UNLIMITED, PairRules


@dataclasses.dataclass(frozen=True)
class PairState:
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
        exhausted = self.rules.stock_size > 0 and not self.state.stock and self.is_last_pass
        return self.rules.at_exhaustion == "stop" and exhausted and not self.pyramid_gone

    def covers(self, row: int, place: int) -> list[Place]:
        """Return the places of the cards that still overlap a pyramid card."""
        return [
            ("pyramid", below, over)
            for below, over in self.rules.covers[row][place]
            if self.state.pyramid[below][over] != NO_CARD
        ]

    def exposed(self) -> Iterator[tuple[Card, Place]]:
        """Yield the exposed cards and their places: pyramid, reserves, waste piles, then the stock."""
        state = self.state
        for row, cards in enumerate(state.pyramid):
            for place, card in enumerate(cards):
                if card != NO_CARD and not self.covers(row, place):
                    yield card, ("pyramid", row, place)
        for name, piles in (("reserve", state.reserve), ("waste", state.wastes)):
            for number, pile in enumerate(piles):
                if pile:
                    yield pile[-1], (name, number)
        if state.stock and self.rules.draw_exposed == "waste_and_stock":
            yield state.stock[0], ("stock", 0)

    def legal_moves(self) -> list[Move]:
        """Return all legal moves; none once the game is lost by exhaustion."""
        if self.stopped:
            return []
        rules = self.rules
        exposed = list(self.exposed())
        moves = [Move("discard", (card,), (place,)) for card, place in exposed if rules.goes_alone(rank_of(card))]
        for (first, one), (second, other) in itertools.combinations(exposed, 2):
            if rules.pairs(rank_of(first), rank_of(second)):
                moves.append(Move("discard", (first, second), (one, other)))
        if rules.overlap_pairs:
            moves += self._overlap_pairs()
        return moves + self._stock_moves()

    def is_legal(self, move: Move) -> bool:
        """Say whether `move` is among the legal moves; the two cards of a pair may stand in either order."""
        if not move.cards:
            return move in self._stock_moves()
        mirrored = move._replace(cards=move.cards[::-1], sources=move.sources[::-1])
        return any(legal in (move, mirrored) for legal in self.legal_moves())

    def _stock_moves(self) -> list[Move]:
        """Return the move that the stock allows, if any."""
        if self.stopped:
            return []
        if self.state.stock:
            return [Move("draw")]
        return [Move("redeal")] if any(self.state.wastes) and not self.is_last_pass else []

    def _overlap_pairs(self) -> Iterator[Move]:
        """Yield the pairs of a card with the one exposed card that still covers it."""
        for row, cards in enumerate(self.state.pyramid):
            for place, card in enumerate(cards):
                covers = self.covers(row, place) if card != NO_CARD else []
                if len(covers) == 1 and not self.covers(row + 1, int(covers[0][2])):
                    over = self.state.pyramid[row + 1][int(covers[0][2])]
                    if self.rules.pairs(rank_of(card), rank_of(over)):
                        yield Move("discard", (card, over), (("pyramid", row, place), covers[0]))

    def _after(self, move: Move) -> PairState:
        state = self.state
        if move.kind == "draw":
            turned = state.stock[: self.rules.draw]
            wastes = [
                pile + (turned[number : number + 1] if self.rules.waste_piles > 1 else turned)
                for number, pile in enumerate(state.wastes)
            ]
            return dataclasses.replace(state, stock=state.stock[self.rules.draw :], wastes=tuple(wastes))
        if move.kind == "redeal":
            gathered = sorted((card for pile in state.wastes for card in pile), key=self._first_dealt.__getitem__)
            empty: tuple[Pile, ...] = ((),) * len(state.wastes)
            return dataclasses.replace(state, stock=tuple(gathered), wastes=empty, pass_number=state.pass_number + 1)
        pyramid = [list(row) for row in state.pyramid]
        reserve, wastes, stock = list(state.reserve), list(state.wastes), state.stock
        for name, *numbers in move.sources:
            number = int(numbers[0])
            if name == "pyramid":
                pyramid[number][int(numbers[1])] = NO_CARD
            elif name == "reserve":
                reserve[number] = reserve[number][:-1]
            elif name == "waste":
                wastes[number] = wastes[number][:-1]
            else:
                stock = stock[1:]
        return dataclasses.replace(
            state, pyramid=tuple(map(tuple, pyramid)), reserve=tuple(reserve), wastes=tuple(wastes), stock=stock
        )

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
