"""Where every card of a position lies in a picture: the one geometry of boards and replays.

A picture knows nothing of how cards look. Its unit is about a pixel of a board at its natural size. Cards of a
tableau column, a fanned waste or a stacked pile lie over each other, as do the cards of a pyramid; no others do.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from solitaire_lab.cards import NO_CARD, SUITS, Card, face_up, is_face_down, make_card, rank_of, suit_of
from solitaire_lab.deals import Deal, Pile
from solitaire_lab.referee import BuildPosition, PairPosition, Position
from solitaire_lab.referee.build import BuildState
from solitaire_lab.referee.moves import Place
from solitaire_lab.referee.pair import PairState
from solitaire_lab.rules import UNLIMITED, BuildRules, PairRules, Rules

CARD_WIDTH, CARD_HEIGHT = 60, 84
PITCH = 70
"""From the left edge of a pile to that of the next."""
MARGIN = 14
LABEL = 18
"""Height of the line of labels above a row of piles."""
ROW_GAP = 10
UP_STEP, DOWN_STEP = 25, 11
"""How much of a card in a column is seen above the next one, if it lies face up or down."""
WASTE_STEP = 32
WASTE_SHOWN = 3
"""How many cards of the waste are fanned."""
PYRAMID_STEP, PYRAMID_PITCH = 45, 64
RESERVE_ROW = 8
"""Single reserve cards in a row, at least."""


class Placed(NamedTuple):
    """A card in a picture; those that come later lie above."""

    card: Card
    """Without a face-down mark."""
    face_down: bool
    x: float
    """Left edge."""
    y: float
    """Top edge."""
    pile: Place
    """Its pile, as moves name it; in a pyramid the card's own place."""
    number: int
    """Which card of its pile it is, from the bottom."""


class Spot(NamedTuple):
    """The outline of a place that may be empty."""

    x: float
    y: float
    suit: int | None = None
    """The foundation's suit."""


class Label(NamedTuple):
    """A word above a pile."""

    x: float
    """Left edge of the words, or their middle."""
    y: float
    """Base line."""
    text: str
    is_centred: bool = False


@dataclasses.dataclass(frozen=True)
class Picture:
    """Where all cards, outlines and labels are."""

    cards: tuple[Placed, ...]
    spots: tuple[Spot, ...]
    labels: tuple[Label, ...]
    """As many, at the same places, at every position of a deal."""
    width: float
    height: float


@dataclasses.dataclass(frozen=True)
class _Cards:
    """The piles of either family, ready to be placed."""

    tableau: tuple[Pile, ...] = ()
    pyramid: tuple[Pile, ...] = ()
    half_columns: tuple[tuple[int, ...], ...] = ()
    """Where the cards of each row of the pyramid, or of another layout, lie: in halves of a card."""
    reserve: tuple[Pile, ...] = ()
    """An open reserve card that is gone leaves an empty pile."""
    reserve_depth: int = 1
    """Cards of the largest reserve pile when dealt."""
    stock: Pile | None = None
    """None if the game has no stock."""
    wastes: tuple[Pile, ...] = ()
    foundations: tuple[tuple[int, int], ...] = ()
    """Suit and height of each."""
    stock_is_up: bool = False
    """Whether the stock's next card lies face up."""
    discarded: Pile | None = None
    """In the order of their going; None if cards never leave."""
    passes: str = ""


class _Sheet:
    """A picture in the making."""

    def __init__(self, columns: float) -> None:
        self.columns = columns
        """Width in piles."""
        self.cards: list[Placed] = []
        self.spots: list[Spot] = []
        self.labels: list[Label] = []
        self.y: float = MARGIN
        """Where the next row begins."""

    def x(self, column: float) -> float:
        return MARGIN + column * PITCH

    def centred(self, columns: float) -> float:
        """Return the column at which something as wide as `columns` begins."""
        return (self.columns - columns) / 2

    def label(self, column: float, text: str, *, centred: bool = False) -> None:
        x = self.x(column) + (CARD_WIDTH / 2 if centred else 0)
        self.labels.append(Label(x, self.y + LABEL - 6, text, centred))

    def spot(self, column: float, suit: int | None = None) -> None:
        self.spots.append(Spot(self.x(column), self.y + LABEL, suit))

    def pile(
        self,
        column: float,
        cards: Sequence[Card],
        pile: Place,
        *,
        right: float = 0,
        down: Sequence[float] = (),
        fanned: int | None = None,
    ) -> float:
        """Place a pile; return the lower edge of its top card.

        `right` and `down` say by how much the next card is moved: `down` card by card. Only the last `fanned` are.
        """
        x, y = self.x(column), self.y + LABEL
        for number, card in enumerate(cards):
            self.cards.append(Placed(face_up(card), is_face_down(card), x, y, pile, number))
            if fanned is None or number >= len(cards) - fanned:
                x += right
                y += down[number] if down else 0
        return (self.cards[-1].y if cards else y) + CARD_HEIGHT

    def row_done(self, lowest: float | None = None) -> None:
        self.y = (self.y + LABEL + CARD_HEIGHT if lowest is None else lowest) + ROW_GAP

    def picture(self) -> Picture:
        """Return the finished picture."""
        width = 2 * MARGIN + (self.columns - 1) * PITCH + CARD_WIDTH
        height = self.y - ROW_GAP + MARGIN
        return Picture(tuple(self.cards), tuple(self.spots), tuple(self.labels), width, height)


def picture(position: Position[Any], discarded: Pile | None = None) -> Picture:
    """Place the cards of a position.

    Parameters
    ----------
    position
        Of either family.
    discarded
        Pair games: the cards that are gone, in their order, to be shown as a pile. None if that is not known:
        their number is then shown alone.
    """
    if isinstance(position, BuildPosition):
        return _build_picture(position.rules, position.state)
    assert isinstance(position, PairPosition)
    return _pair_picture(position.rules, position.state, discarded)


def _build_picture(rules: BuildRules, state: BuildState) -> Picture:
    return _place(
        _Cards(
            tableau=state.tableau,
            reserve=tuple((card,) if card != NO_CARD else () for card in state.reserve),
            stock=state.stock if rules.stock_size else None,
            wastes=(state.waste,),
            foundations=tuple(
                (SUITS.index(letter), height)
                for letter in sorted(rules.suits, key=SUITS.index)
                for height in state.foundations[SUITS.index(letter)]
            ),
            passes=_passes(rules, state.pass_number),
        )
    )


def _pair_picture(rules: PairRules, state: PairState, discarded: Pile | None) -> Picture:
    return _place(
        _Cards(
            pyramid=state.pyramid,
            half_columns=rules.rows,
            reserve=state.reserve,
            reserve_depth=max(rules.reserves, default=1),
            stock=state.stock if rules.stock_size else None,
            wastes=state.wastes,
            stock_is_up=rules.draw_exposed == "waste_and_stock",
            discarded=discarded or (),
            passes=_passes(rules, state.pass_number),
        ),
        gone=rules.pack_size - sum(1 for _ in _in_play(state)) if discarded is None else len(discarded),
    )


def deal_picture(deal: Deal) -> Picture:
    """Place the cards of a deal whose rules are not at hand: foundations are those of the cards' suits."""
    piles = (*deal.tableau, *deal.reserve, deal.stock, deal.waste, deal.foundations)
    every = [face_up(card) for pile in piles for card in pile]
    suits = sorted({suit_of(card) for card in every})
    copies = max((every.count(card) for card in set(every)), default=1)
    has_stock = bool(deal.stock or deal.waste)
    if deal.pyramid or not deal.tableau:
        widest = max(map(len, deal.pyramid), default=0)
        return _place(
            _Cards(
                pyramid=deal.pyramid,
                half_columns=tuple(tuple(range(widest - len(row), widest + len(row), 2)) for row in deal.pyramid),
                reserve=deal.reserve,
                reserve_depth=max(map(len, deal.reserve), default=1),
                stock=deal.stock if has_stock else None,
                wastes=(deal.waste,),
            )
        )
    tops = [
        (suit, sum(1 for rank in range(1, 14) if deal.foundations.count(make_card(rank, suit)) > copy))
        for suit in suits
        for copy in range(copies)
    ]
    return _place(
        _Cards(
            tableau=deal.tableau,
            reserve=deal.reserve,
            stock=deal.stock if has_stock else None,
            wastes=(deal.waste,),
            foundations=tuple(tops),
        )
    )


def _in_play(state: PairState) -> Iterator[Card]:
    piles: Iterable[Pile] = (*state.pyramid, *state.reserve, state.stock, *state.wastes)
    return (card for pile in piles for card in pile if card != NO_CARD)


def _passes(rules: Rules, number: int) -> str:
    if rules.passes == 1:
        return ""
    return f"pass {number}" if rules.passes == UNLIMITED else f"pass {number} of {rules.passes}"


def _place(cards: _Cards, gone: int = 0) -> Picture:
    """Place the piles of either family, row by row."""
    reserve_row = min(len(cards.reserve), max(RESERVE_ROW, len(cards.tableau))) if cards.reserve else 0
    stock_row = _stock_width(cards) + len(cards.foundations) + (cards.discarded is not None)
    columns = max(len(cards.tableau), _pyramid_width(cards), reserve_row, stock_row, 1)
    sheet = _Sheet(columns)
    if cards.foundations:
        _stock_and_foundations(sheet, cards)
    for first in range(0, len(cards.reserve), reserve_row or 1):
        _reserve(sheet, cards, first, reserve_row)
    if cards.tableau:
        _tableau(sheet, cards.tableau)
    if cards.pyramid:
        top = sheet.y
        _pyramid(sheet, cards)
        if cards.stock is None and cards.discarded is not None and _corner_is_free(sheet, cards):
            end, sheet.y = sheet.y, top
            _discards(sheet, cards.discarded, gone)
            sheet.y = max(sheet.y, end)
            return sheet.picture()
    if not cards.foundations and (cards.stock is not None or cards.discarded is not None):
        _stock_and_waste(sheet, cards)
        if cards.discarded is not None:
            _discards(sheet, cards.discarded, gone)
        else:
            sheet.row_done()
    return sheet.picture()


def _stock_width(cards: _Cards) -> float:
    """Return how many columns stock and waste take."""
    if cards.stock is None:
        return 0
    return 1 + (2 if len(cards.wastes) == 1 else len(cards.wastes))


def _stock_and_waste(sheet: _Sheet, cards: _Cards) -> None:
    stock = cards.stock
    if stock is None:
        return
    sheet.label(0, f"Stock {len(stock)}")
    sheet.spot(0)
    start = len(sheet.cards)
    sheet.pile(0, stock[::-1], ("stock", 0))
    for place in range(start, len(sheet.cards)):
        is_next = place + 1 == len(sheet.cards)
        sheet.cards[place] = sheet.cards[place]._replace(face_down=not (is_next and cards.stock_is_up))
    for number, waste in enumerate(cards.wastes):
        name = "Waste" if len(cards.wastes) == 1 else f"Waste {number + 1}:"
        passes = f", {cards.passes}" if cards.passes and not number and len(cards.wastes) == 1 else ""
        sheet.label(1 + number, f"{name} {len(waste)}{passes}")
        sheet.spot(1 + number)
        step = WASTE_STEP if len(cards.wastes) == 1 else 0
        sheet.pile(1 + number, waste, ("waste", number), right=step, fanned=WASTE_SHOWN)


def _stock_and_foundations(sheet: _Sheet, cards: _Cards) -> None:
    _stock_and_waste(sheet, cards)
    first = sheet.columns - len(cards.foundations) if cards.stock is not None else sheet.centred(len(cards.foundations))
    sheet.label(first, "Foundations")
    for number, (suit, height) in enumerate(cards.foundations):
        sheet.spot(first + number, suit)
        pile = tuple(make_card(rank, suit) for rank in range(1, height + 1))
        sheet.pile(first + number, pile, ("foundation", SUITS[suit], number))
    sheet.row_done()


def _discards(sheet: _Sheet, discarded: Pile, gone: int) -> None:
    last = sheet.columns - 1
    sheet.label(last, f"Gone {gone}")
    sheet.spot(last)
    sheet.pile(last, discarded, ("discard", 0))
    sheet.row_done()


def _reserve(sheet: _Sheet, cards: _Cards, first: int, count: int) -> None:
    """Place some reserve piles in a row: single cards, or stacked ones fanned downwards."""
    shown, is_open = cards.reserve[first : first + count], bool(cards.foundations)
    left = sheet.centred(count)
    if is_open:
        sheet.label(left, f"Reserve {first + 1} to {first + len(shown)}" if len(shown) > 1 else "Reserve")
    for number, pile in enumerate(shown):
        if not is_open:
            sheet.label(left + number, f"Reserve {first + number + 1}" if not number else str(first + number + 1))
        sheet.spot(left + number)
        place = ("reserve", first + number)
        sheet.pile(left + number, pile, place, down=[UP_STEP] * len(pile))
    sheet.row_done(sheet.y + LABEL + CARD_HEIGHT + (cards.reserve_depth - 1) * UP_STEP)


def _tableau(sheet: _Sheet, tableau: tuple[Pile, ...]) -> None:
    left = sheet.centred(len(tableau))
    lowest = sheet.y + LABEL + CARD_HEIGHT
    for number, pile in enumerate(tableau):
        sheet.label(left + number, str(number + 1), centred=True)
        sheet.spot(left + number)
        steps = [DOWN_STEP if is_face_down(card) else UP_STEP for card in pile]
        lowest = max(lowest, sheet.pile(left + number, pile, ("tableau", number), down=steps))
    sheet.row_done(lowest)


def _pyramid_width(cards: _Cards) -> int:
    """Return how many piles a pyramid is wide."""
    if not cards.half_columns:
        return 0
    return -(-max(row[-1] for row in cards.half_columns) * PYRAMID_PITCH // 2 // PITCH) + 1


def _pyramid_left(sheet: _Sheet, cards: _Cards) -> float:
    room = (sheet.columns - 1) * PITCH
    return MARGIN + (room - max(row[-1] for row in cards.half_columns) * PYRAMID_PITCH // 2) // 2


def _pyramid(sheet: _Sheet, cards: _Cards) -> None:
    top, left = sheet.y, _pyramid_left(sheet, cards)
    for row, (places, pile) in enumerate(zip(cards.half_columns, cards.pyramid, strict=True)):
        for number, (place, card) in enumerate(zip(places, pile, strict=True)):
            if card != NO_CARD:
                x, y = left + place * PYRAMID_PITCH // 2, top + row * PYRAMID_STEP
                sheet.cards.append(Placed(card, False, x, y, ("pyramid", row, number), 0))
    sheet.row_done(top + (len(cards.pyramid) - 1) * PYRAMID_STEP + CARD_HEIGHT)


def _corner_is_free(sheet: _Sheet, cards: _Cards) -> bool:
    """Say whether a pile in the upper right corner stays clear of the whole pyramid."""
    beside = cards.half_columns[: 1 + (LABEL + CARD_HEIGHT) // PYRAMID_STEP]
    right = _pyramid_left(sheet, cards) + max(row[-1] for row in beside) * PYRAMID_PITCH // 2 + CARD_WIDTH
    return right < sheet.x(sheet.columns - 1)


def card_title(placed: Placed) -> str:
    """Return a card in words, for those who cannot see it: ``ten of hearts``."""
    ranks = ("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king")
    suits = ("clubs", "diamonds", "hearts", "spades")
    words = f"{ranks[rank_of(placed.card) - 1]} of {suits[suit_of(placed.card)]}"
    return f"{words}, face down" if placed.face_down else words
