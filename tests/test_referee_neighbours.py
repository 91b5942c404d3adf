"""The neighbours of the core games, statement by statement of the table that describes them, against the referee."""

from __future__ import annotations

import pytest

from solitaire_lab.cards import face_up, is_face_down, pack
from solitaire_lab.deals import deal_seed, lay_out
from solitaire_lab.referee import position
from solitaire_lab.rules import load_game
from tests.boards import build_board, moves, pair_board, play

FORTY, EGYPT = load_game("forty-thieves").rules, load_game("thieves-of-egypt").rules
FLOWER, WILD = load_game("flower-garden").rules, load_game("wildflower").rules
GIZA, TUT = load_game("giza").rules, load_game("king-tut").rules
RELAXED, APOPHIS = load_game("relaxed-pyramid").rules, load_game("apophis").rules
TRIANGLE, PHARAOHS = load_game("triangle").rules, load_game("pharaohs").rules


def columns(*first: str, of: int = 10) -> list[str]:
    return [*first, *[""] * (of - len(first))]


# Forty Thieves 1: two decks; ten columns of four, up, dealt row by row; a stock of 64.
def test_forty_thieves_01_deal():
    order = pack(2)
    deal = lay_out(FORTY, order)
    assert [list(pile) for pile in deal.tableau] == [order[column:40:10] for column in range(10)]
    assert deal.stock == tuple(order[40:])
    assert not any(is_face_down(card) for pile in deal.tableau for card in pile)


# Forty Thieves 2: down in suit, one card at a time.
def test_forty_thieves_02_in_suit_single_cards():
    board = build_board(FORTY, columns("9H 8H", "9S", "TH", of=3))
    assert moves(board) == set()
    board = build_board(FORTY, columns("9H", "8H", "9S", of=3))
    assert moves(board) == {"8H column 2 -> column 1"}


# Forty Thieves 3: any card fills a space; a foundation card may fill one too, unless return_to_space is off.
@pytest.mark.parametrize("to_space", [True, False])
def test_forty_thieves_03_spaces(to_space):
    rules = load_game("forty-thieves").with_options(return_to_space=to_space).rules
    board = build_board(rules, columns("5C 9S", "", of=2), foundations="3D")
    wanted = {"9S column 1 -> column 2"} | ({"3D foundation D -> column 2"} if to_space else set())
    assert moves(board) == wanted


# Forty Thieves 4: one pass, one card at a time.
def test_forty_thieves_04_one_pass():
    board = build_board(FORTY, columns("9S", "9C", of=2), stock="KH QH")
    assert len(play(board, "draw").state.waste) == 1
    assert moves(play(board, "draw")) == set()


# Forty Thieves 5: a foundation's top card may return if a column takes it.
def test_forty_thieves_05_worrying_back():
    board = build_board(FORTY, columns("4D", "9S", of=2), foundations="3D")
    assert moves(board) == {"3D foundation D -> column 1", "4D column 1 -> foundation D"}


# Thieves of Egypt 1: two decks; 1-3-5-7-9-10-8-6-4-2, up, row by row over the columns that still take a card; 49 left.
def test_thieves_of_egypt_01_deal():
    order = pack(2)
    deal = lay_out(EGYPT, order)
    assert [len(pile) for pile in deal.tableau] == [1, 3, 5, 7, 9, 10, 8, 6, 4, 2]
    assert [pile[0] for pile in deal.tableau] == order[:10]
    assert [pile[1] for pile in deal.tableau[1:]] == order[10:19]
    assert deal.stock == tuple(order[55:])
    assert not any(is_face_down(card) for pile in deal.tableau for card in pile)


# Thieves of Egypt 2: alternating colours, runs move.
def test_thieves_of_egypt_02_runs_in_alternating_colours():
    board = build_board(EGYPT, columns("5C 9H 8S", "TC", "9D", of=3))
    assert moves(board) == {
        "9H+8S column 1 -> column 2",
        "8S column 1 -> column 3",
        "9D column 3 -> column 2",
    }


# Thieves of Egypt 3: a king or a king's run fills a space.
def test_thieves_of_egypt_03_kings_in_spaces():
    board = build_board(EGYPT, columns("5C KH QS", "9H", "", of=3))
    assert moves(board) == {"KH+QS column 1 -> column 3"}


# Thieves of Egypt 4: two passes, one card at a time.
def test_thieves_of_egypt_04_two_passes():
    board = build_board(EGYPT, columns("9S", of=1), stock="KH QH")
    play(board, "draw", "draw", "redeal", "draw", "draw")
    assert moves(board) == set()


# Flower Garden 1: six columns of six, up, row by row; then 16 open reserve cards.
def test_flower_garden_01_deal():
    for rules in (FLOWER, WILD):
        deal = lay_out(rules, pack())
        assert [list(pile) for pile in deal.tableau] == [pack()[column:36:6] for column in range(6)]
        assert [face_up(card) for pile in deal.reserve for card in pile] == pack()[36:]
        assert not any(is_face_down(card) for pile in deal.tableau for card in pile)


# Flower Garden 2: any suit, single cards; no stock.
def test_flower_garden_02_any_suit_single_cards():
    board = build_board(FLOWER, columns("5C 9H 8H", "TH", "9C", of=3), reserve="8D")
    assert moves(board) == {
        "8H column 1 -> column 3",
        "9C column 3 -> column 2",
        "8D reserve 1 -> column 3",
    }


# Flower Garden 3: any card fills a space.
def test_flower_garden_03_any_card_in_a_space():
    board = build_board(FLOWER, columns("5C 9H", "", of=2), reserve="7D")
    assert moves(board) == {"9H column 1 -> column 2", "7D reserve 1 -> column 2"}


# Wildflower 1: any suit takes, but only runs in one suit move together.
def test_wildflower_01_same_suit_runs():
    board = build_board(WILD, columns("5C 9H 8H 7S", "TC", "9D", "8C", of=4))
    assert moves(board) == {"7S column 1 -> column 4", "8C column 4 -> column 3", "9D column 3 -> column 2"}
    play(board, "7S column 1 -> column 4")
    assert "9H+8H column 1 -> column 2" in moves(board)
    assert "8H column 1 -> column 3" in moves(board)


# Giza 1: the reserves first, pile by pile, bottom to top: eight of three; then the pyramid of 28; no stock.
def test_giza_01_deal():
    deal = lay_out(GIZA, pack())
    assert [list(pile) for pile in deal.reserve] == [pack()[3 * pile : 3 * pile + 3] for pile in range(8)]
    assert [card for row in deal.pyramid for card in row] == pack()[24:]
    assert deal.stock == ()


# Giza 2: pairs to 13, a king alone; each reserve's top card is exposed.
def test_giza_02_pairs():
    board = pair_board(GIZA, ["AS", "KH 2D"], reserve=["QD QC", "JH", "QS KS"])
    assert moves(board) == {"KH pyramid 2.1", "KS reserve 3", "2D pyramid 2.2 + JH reserve 2"}


# Giza 3: goal all: won when every card is gone.
def test_giza_03_all_must_go():
    board = pair_board(GIZA, ["KS"], reserve=["KD"])
    assert not play(board, "KS pyramid 1.1").won
    assert play(board, "KD reserve 1").won


# King Tut 1: a pyramid of 28, three stock cards at once, only the waste's top exposed.
def test_king_tut_01_draws_three():
    assert len(deal_seed(TUT, 1).stock) == 24
    board = pair_board(TUT, ["5S"], stock="8H AD 8C 8D")
    assert moves(board) == {"draw"}
    assert moves(play(board, "draw")) == {"5S pyramid 1.1 + 8C waste", "draw"}


# King Tut 2: unlimited passes.
def test_king_tut_02_unlimited_passes():
    board = position(TUT, deal_seed(TUT, 1))
    for _ in range(20):
        play(board, *["draw"] * 8, "redeal")
    assert board.state.stock == deal_seed(TUT, 1).stock


# King Tut 3: pairs to 13, a king alone; won when the pyramid is gone.
def test_king_tut_03_goal_pyramid():
    board = pair_board(TUT, ["KS"], stock="2D")
    assert play(board, "KS pyramid 1.1").won


# Relaxed Pyramid 1: the stock's top card is up and pairs; three passes; won when the pyramid is gone.
def test_relaxed_pyramid_01_is_pyramid_with_the_stock_card_up_and_three_passes():
    assert load_game("pyramid").with_options(draw_exposed="waste_and_stock", passes=3).rules == RELAXED
    board = pair_board(RELAXED, ["5S"], stock="8H AD QC")
    assert moves(board) == {"5S pyramid 1.1 + 8H stock", "draw"}
    assert play(board, "5S pyramid 1.1 + 8H stock").won


# Apophis 1: a turn deals one card to each of three waste piles, each top exposed; 2 redeals; all cards must go.
def test_apophis_01_three_waste_piles_three_passes():
    board = pair_board(APOPHIS, ["5S"], stock="8H AD QC")
    assert moves(play(board, "draw")) == {"5S pyramid 1.1 + 8H waste", "AD waste 2 + QC waste 3", "redeal"}
    play(board, "redeal", "draw", "redeal", "draw", "5S pyramid 1.1 + 8H waste")
    assert moves(board) == {"AD waste 2 + QC waste 3"}
    assert not board.won
    assert play(board, "AD waste 2 + QC waste 3").won


# Triangle 1: seven cards in the top row, one at the bottom, which alone is exposed at the start.
def test_triangle_01_hangs_from_seven_cards():
    deal = lay_out(TRIANGLE, pack())
    assert [len(row) for row in deal.pyramid] == [7, 6, 5, 4, 3, 2, 1]
    assert [card for row in deal.pyramid for card in row] == pack()[:28]
    assert [place for _, place in position(TRIANGLE, deal).exposed()] == [("pyramid", 6, 0), ("stock", 0)]


# Triangle 2: a card is free once the one or two that lie over it are gone.
def test_triangle_02_what_covers_what():
    assert TRIANGLE.covers[0][0] == ((1, 0),)
    assert TRIANGLE.covers[0][3] == ((1, 2), (1, 3))
    assert TRIANGLE.covers[5] == (((6, 0),), ((6, 0),))


# Triangle 3: as PySolFC's Pyramid: stock card up, three passes, all cards must go.
def test_triangle_03_all_must_go_in_three_passes():
    board = pair_board(TRIANGLE, ["-- -- KS -- -- -- --"], stock="QD AC")
    assert not play(board, "KS pyramid 1.3").won
    play(board, "draw", "draw", "redeal", "draw", "draw", "redeal", "draw")
    assert moves(board) == {"QD waste + AC stock", "draw"}
    assert play(board, "QD waste + AC stock").won


# Pharaohs 1: three pyramids of 7, 6 and 2 rows, which do not overlap each other; no stock; all cards must go.
def test_pharaohs_01_three_pyramids():
    deal = deal_seed(PHARAOHS, 1)
    assert [len(row) for row in deal.pyramid] == [1, 3, 5, 7, 9, 12, 15]
    assert deal.stock == ()
    assert PHARAOHS.goal == "all"
    apexes = {(0, 0), (1, 2), (5, 11)}
    under = {over for row in PHARAOHS.covers for cards in row for over in cards}
    covering = [sum(len(cards) for cards in row) for row in PHARAOHS.covers]
    assert covering == [2, 6, 10, 14, 18, 24, 0]  # each card above the lowest row has two over it
    everywhere = {(row, place) for row, cards in enumerate(PHARAOHS.rows) for place in range(len(cards))}
    assert everywhere - under == apexes


# Patient Pairs 1: thirteen piles of four, equal ranks go, all must go. The Wish: eight of four from 32 cards.
@pytest.mark.parametrize(("key", "piles"), [("patient-pairs", 13), ("wish", 8)])
def test_patient_pairs_01_equal_ranks_from_the_tops_of_piles_of_four(key, piles):
    rules = load_game(key).rules
    assert [len(pile) for pile in deal_seed(rules, 3).reserve] == [4] * piles
    board = pair_board(rules, [], reserve=["8C 5H", "5S", "4D 8H"])
    assert moves(board) == {"5H reserve 1 + 5S reserve 2"}
    assert moves(play(board, "5H reserve 1 + 5S reserve 2")) == {"8C reserve 1 + 8H reserve 3"}
    assert not board.won
