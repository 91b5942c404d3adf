"""Boards as pictures: every card is there once, and none lies over another but where the game has it so."""

from __future__ import annotations

import dataclasses
import errno
import io
import itertools
import random
import re
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest

import solitaire_lab as sl
from solitaire_lab.cards import NO_CARD, face_up
from solitaire_lab.cli import main
from solitaire_lab.deals import deal_seed
from solitaire_lab.referee import PairPosition, position
from solitaire_lab.referee.build import BuildState
from solitaire_lab.rules import BuildRules, PairRules, catalogue_keys, load_game
from solitaire_lab.view import art
from solitaire_lab.view.geometry import CARD_HEIGHT, CARD_WIDTH, card_title, deal_picture, picture
from solitaire_lab.view.svg import board_svg, seen
from solitaire_lab.view.terminal import coloured, for_stream
from tests.boards import build_board

SVG = "{http://www.w3.org/2000/svg}"
PEAKS = PairRules(pyramid=0, layout="..#...#.. .#.#.#.#. #.#.#.#.#", pair_total=13)
FORMS = {key: load_game(key).rules for key in catalogue_keys()} | {
    "three waste piles": load_game("pyramid").with_options(draw=3, waste_piles=3, passes=2).rules,
    "the stock's next card up": load_game("pyramid").with_options(draw_exposed="waste_and_stock").rules,
    "five cards a turn": load_game("klondike").with_options(draw=5, passes="unlimited").rules,
    "two peaks": PEAKS,
    "two peaks without a stock": dataclasses.replace(PEAKS, reserves=(41,)),
    "small deck": BuildRules(ranks=4, suits="CH", columns=(1, 2, 3), face_down="all_but_top"),
    "no foundation but one": BuildRules(ranks=13, suits="S", columns=(1,) * 13),
}
every_form = pytest.mark.parametrize("rules", FORMS.values(), ids=FORMS)


def positions(rules, seeds=(1, 2), length=60):
    """Yield the positions of random play, the first one included."""
    for seed in seeds:
        board, choice = position(rules, deal_seed(rules, seed)), random.Random(seed)
        yield board
        for _ in range(length):
            if not (moves := board.legal_moves()):
                break
            board.apply(choice.choice(moves))
            yield board


def cards_of(state):
    """Count the cards that are still in play, those on the foundations included."""
    if isinstance(state, BuildState):
        piles = (*state.tableau, state.reserve, state.stock, state.waste)
        played = [4 * rank + suit for suit in range(4) for top in state.foundations[suit] for rank in range(1, top + 1)]
    else:
        piles, played = (*state.pyramid, *state.reserve, state.stock, *state.wastes), []
    return Counter(face_up(card) for pile in piles for card in pile if card != NO_CARD) + Counter(played)


def overlap(one, other):
    return abs(one.x - other.x) < CARD_WIDTH and abs(one.y - other.y) < CARD_HEIGHT


def may_overlap(board, one, other):
    """Say whether the layout has one card lie over the other."""
    if one.pile == other.pile:
        return True
    if not isinstance(board, PairPosition) or {one.pile[0], other.pile[0]} != {"pyramid"}:
        return False
    upper, lower = sorted([one.pile[1:], other.pile[1:]])
    covers = board.rules.covers
    return lower in covers[upper[0]][upper[1]]


@every_form
def test_every_card_is_shown_once_and_overlaps_only_as_the_layout_has_it(rules):
    for board in positions(rules):
        placed = picture(board)
        assert Counter(card.card for card in placed.cards) == cards_of(board.state)
        for one, other in itertools.combinations(placed.cards, 2):
            if overlap(one, other):
                assert may_overlap(board, one, other), (one, other)
                assert one.x <= other.x or one.y < other.y  # what is drawn later lies lower, or further right
        for card in placed.cards:
            assert 0 <= card.x <= placed.width - CARD_WIDTH
            assert 0 <= card.y <= placed.height - CARD_HEIGHT


@every_form
def test_the_corner_of_every_card_that_faces_up_in_a_column_or_pyramid_can_be_read(rules):
    for board in positions(rules, length=30):
        cards = picture(board).cards
        for number, card in enumerate(cards):
            if card.face_down or card.pile[0] not in ("tableau", "pyramid", "reserve"):
                continue
            for other in cards[number + 1 :]:
                corner_is_covered = other.x < card.x + 44 and other.x + CARD_WIDTH > card.x and other.y < card.y + 24
                assert not (corner_is_covered and overlap(card, other)), (card, other)


@every_form
def test_labels_stay_where_they_are_and_clear_of_cards(rules):
    places = set()
    for board in positions(rules, length=30):
        placed = picture(board, ())
        places.add((tuple(label[:2] for label in placed.labels), placed.spots, placed.width))
        for label, card in itertools.product(placed.labels, placed.cards):
            left = label.x - 8 if label.is_centred else label.x
            width = 16 if label.is_centred else 5.5 * len(label.text)
            beside = left + width < card.x or card.x + CARD_WIDTH < left
            assert beside or not card.y - 2 < label.y < card.y + CARD_HEIGHT, (label, card)
        for one, other in itertools.combinations(placed.labels, 2):
            assert one.y != other.y or abs(one.x - other.x) > 5.5 * len(min(one, other).text)
    assert len(places) == 1


@every_form
def test_the_drawing_is_xml_and_has_what_is_seen(rules):
    for board in itertools.islice(positions(rules), 0, None, 7):
        text = board_svg(board, "A < B")
        root = ElementTree.fromstring(text)
        assert root.findtext(f"{SVG}title") == "A < B"
        named = [title.text for title in root.iter(f"{SVG}title")][1:]
        shown = seen(picture(board))
        assert named == [card_title(card) for card in shown]
        assert len({(card.x, card.y) for card in shown}) == len(shown)
        ids = {element.get("id") for element in root.iter() if element.get("id")}
        assert {element.get("href") for element in root.iter(f"{SVG}use")} <= {f"#{name}" for name in ids}
        assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
        assert len(text) < 40_000


def test_a_board_in_words_for_those_who_cannot_see_it():
    board = build_board(load_game("stonewall").rules, ["#5C TH", "", "", "", "", ""])
    text = board_svg(board)
    assert "<title>ten of hearts</title>" in text
    assert "<title>five of clubs, face down</title>" in text


def test_face_down_cards_show_no_face_and_a_turned_stock_does():
    assert (
        board_svg(position(FORMS["klondike"], deal_seed(FORMS["klondike"], 1))).count("#sl-b") == 22
    )  # 21 and the stock
    assert "#sl-b" not in board_svg(position(FORMS["cheops"], deal_seed(FORMS["cheops"], 1)))


@every_form
def test_deals_draw_themselves_like_the_first_position(rules):
    deal = deal_seed(rules, 5)
    drawn = deal_picture(deal)
    whole = picture(position(rules, deal))
    exposed = ("stock", 0)
    assert [card[:1] + card[2:] for card in drawn.cards if card.pile != exposed] == [
        card[:1] + card[2:] for card in whole.cards if card.pile != exposed
    ] or isinstance(rules, PairRules)
    assert Counter(card.card for card in drawn.cards) == Counter(card.card for card in whole.cards)
    assert ElementTree.fromstring(deal._repr_svg_()).tag == f"{SVG}svg"


def test_deals_in_mid_game_draw_themselves():
    board = build_board(load_game("klondike").rules, ["KH", "#2C QS"], waste="5D 6D", foundations="3H AC")
    deal = sl.Deal(tableau=board.state.tableau, waste=board.state.waste, foundations=(6, 10, 14, 4))
    assert Counter(card.card for card in deal_picture(deal).cards) == cards_of(board.state)
    gaps = sl.Deal(pyramid=((4,), (0, 5)), reserve=((6, 7),))
    assert [card.card for card in deal_picture(gaps).cards] == [6, 7, 4, 5]
    assert ElementTree.fromstring(sl.Deal()._repr_svg_()).tag == f"{SVG}svg"


def test_notebooks_show_positions_and_boards(tmp_path):
    verdict = sl.solve("cheops", seed=1)
    board = sl.board("cheops", seed=1, moves=verdict.moves[:9])
    assert board._repr_svg_() == board_svg(board.position, "Cheops, native deal 1")
    assert board.position._repr_svg_() == board_svg(board.position)
    board.save(tmp_path / "board.svg")
    assert (tmp_path / "board.svg").read_text(encoding="utf-8") == board._repr_svg_()
    with pytest.raises(sl.InputError, match="no folder"):
        board.save(tmp_path / "nowhere" / "board.svg")
    with pytest.raises(sl.InputError, match="name of a file"):
        board.save(tmp_path)


def test_discarded_cards_are_counted():
    rules = FORMS["giza"]
    board = position(rules, deal_seed(rules, 1))
    board.apply(next(move for move in board.legal_moves() if len(move.cards) == 2))
    assert "Gone 2" in [label.text for label in picture(board).labels]


# Colours.

LINEAR_TO_CONES = (
    (0.31399022, 0.63951294, 0.04649755),
    (0.15537241, 0.75789446, 0.08670142),
    (0.01775239, 0.10944209, 0.87256922),
)
"""Linear RGB to the responses of the three kinds of cones (Smith and Pokorny's fundamentals)."""
CONES_TO_LINEAR = (
    (5.47221206, -4.6419601, 0.16963708),
    (-1.1252419, 2.29317094, -0.1678952),
    (0.02980165, -0.19318073, 1.16364789),
)
BLIND = {
    "protan": ((0, 1.05118294, -0.05116099), (0, 1, 0), (0, 0, 1)),
    "deutan": ((1, 0, 0), (0.9513092, 0, 0.04866992), (0, 0, 1)),
    "tritan": ((1, 0, 0), (0, 1, 0), (-0.86744736, 1.86727089, 0)),
}
"""What is left of them without one kind (F. Vienot and others, Color Research and Application 24:243, 1999)."""


def linear(colour):
    parts = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def applied(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def seen_by(kind, colour):
    if kind == "everybody":
        return linear(colour)
    cones = applied(BLIND[kind], applied(LINEAR_TO_CONES, linear(colour)))
    return [min(1.0, max(0.0, part)) for part in applied(CONES_TO_LINEAR, cones)]


def contrast(kind, one, other):
    """Return the contrast ratio of WCAG 2."""
    lights = sorted(
        0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05
        for red, green, blue in (seen_by(kind, one), seen_by(kind, other))
    )
    return lights[1] / lights[0]


@pytest.mark.parametrize("kind", ["everybody", *BLIND])
def test_suits_can_be_told_apart_by_brightness_alone(kind):
    assert contrast(kind, art.RED, art.BLACK) > 2.5
    assert contrast(kind, art.RED, art.PAPER) > 4
    assert contrast(kind, art.BLACK, art.PAPER) > 10
    assert contrast(kind, art.FELT_INK, art.FELT) > 4.5
    assert contrast(kind, art.BACK_LINE, art.BACK) > 2


def test_the_four_suits_have_four_shapes():
    assert len(set(art.SUIT_PATHS)) == 4
    assert [art.ink(card) for card in (4, 5, 6, 7)] == [art.BLACK, art.RED, art.RED, art.BLACK]


# Text in colour.


@every_form
def test_colour_leaves_the_columns_aligned(rules):
    for board in itertools.islice(positions(rules), 0, None, 11):
        text = board.text()
        painted = coloured(text)
        plain = re.sub("\x1b\\[[0-9;]*m", "", painted)
        assert plain != text
        assert plain.translate(str.maketrans("♣♦♥♠", "CDHS")) == text
        assert re.sub("\x1b\\[[0-9;]*m", "", coloured(text, symbols=False)) == text


def test_colour_tells_suits_and_face_down_cards():
    red, black, dim = "\x1b[1;91m", "\x1b[1m", "\x1b[2m"
    assert coloured("TH #5C -D KS") == f"{red}T♥\x1b[0m {dim}#5♣\x1b[0m {dim}-♦\x1b[0m {black}K♠\x1b[0m"
    assert coloured("Stock (24): Pass 1 of 1") == "Stock (24): Pass 1 of 1"


@pytest.mark.parametrize(
    ("terminal", "settings", "colour"),
    [
        (True, {}, True),
        (False, {}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"TERM": "dumb"}, False),
        (False, {"FORCE_COLOR": "1"}, True),
        (True, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_colour_is_for_terminals(terminal, settings, colour, monkeypatch):
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    for encoding, symbol in (("utf-8", "♥"), ("ascii", "H")):
        stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
        stream.isatty = lambda: terminal
        shown = for_stream("TH", stream)
        assert shown == ("TH" if not colour else f"\x1b[1;91mT{symbol}\x1b[0m")


# The command.


def test_show_draws_the_board(capsys, tmp_path):
    file = tmp_path / "board.svg"
    assert main(["show", "klondike", "--seed", "3", "-o", "draw=3", "--svg", str(file)]) == 0
    printed = capsys.readouterr()
    assert printed.out.endswith("Pass 1 of 1\n")
    assert printed.err == f"{file}: the board of native-klondike-3\n"
    rules = load_game("klondike").with_options(draw=3).rules
    assert file.read_text() == board_svg(position(rules, deal_seed(rules, 3)), "Klondike, native-klondike-3")
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--svg", "board.svg"], "expected --seed N"),
        (["--seed", "1", "--svg", "no/where.svg"], "no folder 'no'"),
        (["--seed", "1", "--svg", "."], "expected the name of a file"),
        (["--seed", "1", "--svg", ""], "expected the name of a file"),
        (["--seed", "1", "--svg", "a\0b"], "cannot write"),
        (["--seed", "1", "--svg", "x" * 300], "cannot write"),
    ],
)
def test_show_says_what_is_wrong_with_a_file(arguments, words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["show", "klondike", *arguments]) == 2
    printed = capsys.readouterr()
    assert words in printed.err
    assert printed.out == ""
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_leaves_what_was_there(tmp_path, monkeypatch, capsys):
    file = tmp_path / "board.svg"
    file.write_text("before")

    def full(self, *_args, **_more):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    assert main(["show", "klondike", "--seed", "1", "--svg", str(file)]) == 3
    assert "No space left" in capsys.readouterr().err
    assert file.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [file]
