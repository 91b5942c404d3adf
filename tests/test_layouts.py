"""Layouts of pair games: where the cards lie, and which lie over which."""

from __future__ import annotations

import pytest

from solitaire_lab.deals import deal_from_json, deal_seed, deal_to_json
from solitaire_lab.errors import InputError
from solitaire_lab.referee import position
from solitaire_lab.rules import PairRules
from tests.boards import moves, pair_board, play

PEAKS = PairRules(
    pyramid=0,
    layout="""
        ..#...#..
        .#.#.#.#.
        #.#.#.#.#
    """,
    pair_total=13,
)
COLUMNS = PairRules(pyramid=0, layout="#.# #.# #.#", pair_total=13)
HANGING = PairRules(pyramid=0, layout="#.#.# .#.# ..#", pair_total=13)


def test_a_pyramid():
    rules = PairRules(pyramid=3, pair_total=13)
    assert rules.rows == ((2,), (1, 3), (0, 2, 4))
    assert rules.covers == ((((1, 0), (1, 1)),), (((2, 0), (2, 1)), ((2, 1), (2, 2))), ((), (), ()))


def test_a_pyramid_drawn_is_a_pyramid():
    drawn = PairRules(pyramid=0, layout="...#. ..#.# .#.#.#", pair_total=13)
    usual = PairRules(pyramid=3, pair_total=13)
    assert (drawn.rows, drawn.covers, drawn.stock_size) == (usual.rows, usual.covers, usual.stock_size)


def test_two_peaks_share_a_card():
    assert PEAKS.rows == ((2, 6), (1, 3, 5, 7), (0, 2, 4, 6, 8))
    assert PEAKS.covers[1] == (((2, 0), (2, 1)), ((2, 1), (2, 2)), ((2, 2), (2, 3)), ((2, 3), (2, 4)))
    assert PEAKS.pyramid_size == 11


def test_cards_of_a_column_cover_each_other_wholly():
    assert COLUMNS.covers == ((((1, 0),), ((1, 1),)), (((2, 0),), ((2, 1),)), ((), ()))


def test_a_hanging_triangle():
    assert HANGING.covers == ((((1, 0),), ((1, 0), (1, 1)), ((1, 1),)), (((2, 0),), ((2, 0),)), ((),))


def test_the_board_is_drawn_as_the_layout_is():
    board = position(PEAKS, deal_seed(PEAKS, 1))
    top, middle, bottom = board.text().splitlines()[:3]
    names = [line.split() for line in (top, middle, bottom)]
    assert [top.index(names[0][0]), top.index(names[0][1])] == [4, 12]
    assert [bottom.index(name) for name in names[2]] == [0, 4, 8, 12, 16]


def test_what_covers_what_decides_what_is_exposed():
    board = pair_board(HANGING, ["AC 2C QC", "3C JC", "KC"])
    assert moves(board) == {"KC pyramid 3.1"}
    play(board, "KC pyramid 3.1")
    assert moves(board) == set()
    board = pair_board(HANGING, ["AC 2C QC", "-- --", "--"])
    assert moves(board) == {"AC pyramid 1.1 + QC pyramid 1.3"}


def test_a_deal_line_of_a_layout():
    deal = deal_seed(PEAKS, 4)
    line = deal_to_json(deal, PEAKS)
    assert [len(row) for row in line["pyramid"]] == [2, 4, 5]
    assert deal_from_json(line, PEAKS) == deal
    line["pyramid"][1][0] = None
    with pytest.raises(InputError, match="row 2, card 1 is gone, but a card still covers its place"):
        deal_from_json({**line, "midgame": True}, PEAKS)


@pytest.mark.parametrize(
    ("layout", "complaint"),
    [
        ("#.# .x.", "layout, row 2: expected # for a card and . for nothing, got '.x.'"),
        ("#.# ##.", "layout, row 2: expected cards two signs apart"),
        ("#.# ...", "layout, row 2: expected a card"),
    ],
)
def test_a_layout_that_cannot_be(layout, complaint):
    with pytest.raises(InputError, match=complaint.replace(".", r"\.")):
        PairRules(pyramid=0, layout=layout, pair_total=13)


def test_a_layout_beside_a_pyramid():
    with pytest.raises(InputError, match="expected pyramid=0"):
        PairRules(layout="#.#", pair_total=13)
