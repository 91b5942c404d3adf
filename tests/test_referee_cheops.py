"""Cheops, sentence by sentence of its description, against the referee."""

from __future__ import annotations

import dataclasses
import itertools

import pytest

from solitaire_lab.cards import RANKS, pack
from solitaire_lab.deals import deal_seed, lay_out
from solitaire_lab.referee import position
from solitaire_lab.rules import load_game
from tests.boards import cards, moves, pair_board, play

CHEOPS = load_game("cheops").rules


def with_rules(**options):
    return dataclasses.replace(CHEOPS, **options)


STOCK_DOWN = with_rules(draw_exposed="waste")


# Cheops 1: one deck, laid out as Pyramid: 28 cards in rows of 1 to 7, all up, then 24 in the stock.
def test_cheops_01_same_deal_as_pyramid():
    assert lay_out(CHEOPS, pack()) == lay_out(load_game("pyramid").rules, pack())
    assert [len(row) for row in deal_seed(CHEOPS, 1).pyramid] == [1, 2, 3, 4, 5, 6, 7]
    assert len(deal_seed(CHEOPS, 1).stock) == 24


# Cheops 2: a card is exposed when nothing overlaps it, and a covered one does not pair.
def test_cheops_02_covered_cards_do_not_pair():
    board = pair_board(CHEOPS, ["6C", "6D 9D"])
    assert [place for _, place in board.exposed()] == [("pyramid", 1, 0), ("pyramid", 1, 1)]
    assert moves(board) == set()


# Cheops 3: two exposed cards of equal rank go ...
@pytest.mark.parametrize("rank", RANKS)
def test_cheops_03_equal_ranks_pair(rank):
    board = pair_board(CHEOPS, ["9S" if rank != "9" else "4S", f"{rank}C {rank}D"])
    assert moves(board) == {f"{rank}C pyramid 2.1 + {rank}D pyramid 2.2"}


# Cheops 4: ... or of adjacent rank; no others.
def test_cheops_04_adjacent_ranks_pair():
    for (one, first), (two, second) in itertools.product(enumerate(RANKS), repeat=2):
        pairs = moves(pair_board(CHEOPS, ["9S", f"{first}C {second}D"])) != set()
        assert pairs == (abs(one - two) <= 1)


# Cheops 5: there is no wrap: an ace goes only with an ace or a two, a king only with a king or a queen.
def test_cheops_05_no_wrap():
    assert moves(pair_board(CHEOPS, ["9S", "AC KD"])) == set()
    assert moves(pair_board(CHEOPS, ["9S", "AC 2D"], waste="KS")) == {"AC pyramid 2.1 + 2D pyramid 2.2"}
    assert moves(pair_board(CHEOPS, ["9S", "KC QD"], waste="AS")) == {"KC pyramid 2.1 + QD pyramid 2.2"}


# Cheops 6: nothing goes alone, kings included, and a total of 13 means nothing.
def test_cheops_06_nothing_goes_alone():
    assert moves(pair_board(CHEOPS, ["9S", "KC 4D"], waste="9C")) == set()
    assert moves(pair_board(CHEOPS, ["9S", "3C TD"])) == set()


# Cheops 7: one pass ...
def test_cheops_07_one_pass():
    assert moves(play(pair_board(CHEOPS, ["9S"], stock="3C"), "draw")) == set()


# Cheops 8: ... one card at a time.
def test_cheops_08_one_card_at_a_time():
    board = play(pair_board(CHEOPS, ["9S"], stock="3C 6C"), "draw")
    assert (board.state.stock, board.state.wastes) == (cards("6C"), (cards("3C"),))


# Cheops 9: the top of the stock is face up and pairs with an exposed pyramid card ...
def test_cheops_09_the_stock_top_pairs_with_the_pyramid():
    board = pair_board(CHEOPS, ["9S", "4C 7D"], stock="5C 4D")
    assert moves(board) == {"4C pyramid 2.1 + 5C stock", "draw"}
    play(board, "4C pyramid 2.1 + 5C stock")
    assert board.state.stock == cards("4D")


# Cheops 10: ... or with the waste top; the next of both is then exposed.
def test_cheops_10_the_stock_top_pairs_with_the_waste_top():
    board = pair_board(CHEOPS, ["9S"], waste="TC 5C", stock="4D 2C")
    play(board, "5C waste + 4D stock")
    assert (board.state.stock, board.state.wastes) == (cards("2C"), (cards("TC"),))
    assert moves(board) == {"9S pyramid 1.1 + TC waste", "draw"}


# Cheops 11: the waste top always pairs, also when the stock is used up.
def test_cheops_11_the_waste_top_always_pairs():
    assert moves(pair_board(CHEOPS, ["9S"], waste="2C 8D")) == {"9S pyramid 1.1 + 8D waste"}
    assert "9S pyramid 1.1 + 8D waste" in moves(pair_board(CHEOPS, ["9S"], waste="2C 8D", stock="3C"))


# Cheops 12: only the tops of stock and waste are exposed.
def test_cheops_12_only_the_tops_are_exposed():
    assert moves(pair_board(CHEOPS, ["9S"], waste="8D 2C", stock="5C TC")) == {"draw"}


# Cheops 13: won when the pyramid is gone.
def test_cheops_13_won_when_the_pyramid_is_gone():
    board = pair_board(CHEOPS, ["9S"], waste="2C 8D", stock="3C")
    assert not board.won
    assert play(board, "9S pyramid 1.1 + 8D waste").won


# Cheops 14: draw_exposed is waste_and_stock here; waste takes away exactly the pairs of the stock card.
def test_cheops_14_draw_exposed():
    position_ = {"rows": ["9S", "4C 7D"], "waste": "6C", "stock": "5C 4D"}
    up, down = moves(pair_board(CHEOPS, **position_)), moves(pair_board(STOCK_DOWN, **position_))
    assert up - down == {"4C pyramid 2.1 + 5C stock", "6C waste + 5C stock"}
    assert down == {"7D pyramid 2.2 + 6C waste", "draw"}
    without_partner = {"rows": ["9S", "4C 7D"], "waste": "6C", "stock": "KC 4D"}
    assert moves(pair_board(CHEOPS, **without_partner)) == moves(pair_board(STOCK_DOWN, **without_partner))


# Cheops 15: draw and three waste piles as in Pyramid, with this game's pairs.
def test_cheops_15_three_waste_piles():
    board = pair_board(dataclasses.replace(STOCK_DOWN, draw=3, waste_piles=3), ["9S"], stock="3C 6C 4C 9C")
    play(board, "draw")
    assert moves(board) == {"3C waste + 4C waste 3", "draw"}


# Cheops 16: passes as in Pyramid.
def test_cheops_16_passes():
    board = play(pair_board(with_rules(passes=2), ["9S"], stock="3C 6C"), "draw", "draw", "redeal")
    assert board.state.stock == cards("3C 6C")


# Cheops 17: at_exhaustion=stop as in Pyramid, the exposed stock card included.
def test_cheops_17_stop():
    stop = with_rules(at_exhaustion="stop")
    board = pair_board(stop, ["9S", "4C 7D"], waste="8C", stock="5C")
    assert moves(board) == {"4C pyramid 2.1 + 5C stock", "7D pyramid 2.2 + 8C waste", "draw"}
    play(board, "4C pyramid 2.1 + 5C stock")
    assert moves(board) == set()
    board.undo()
    play(board, "draw")
    assert moves(board) == set()


# Cheops 18: goal=all as in Pyramid.
def test_cheops_18_goal_all():
    board = pair_board(with_rules(goal="all"), ["9S"], waste="2C 8D", stock="3C")
    assert not play(board, "9S pyramid 1.1 + 8D waste").won
    assert play(board, "2C waste + 3C stock").won


# Cheops 19: overlap_pairs as in Pyramid.
def test_cheops_19_overlap_pairs():
    rows = ["9S", "8D --"]
    assert moves(pair_board(CHEOPS, rows)) == set()
    assert moves(pair_board(with_rules(overlap_pairs=True), rows)) == {"9S pyramid 1.1 + 8D pyramid 2.1"}


# Cheops 20: the options are those of Pyramid, with another default for draw_exposed.
def test_cheops_20_options():
    pyramid = load_game("pyramid").options
    assert load_game("cheops").options == {**pyramid, "draw_exposed": "waste_and_stock"}


# Cheops 21: whole deals play: every pair made lies within one rank.
def test_cheops_21_pairs_in_a_whole_deal():
    board = position(CHEOPS, deal_seed(CHEOPS, 3))
    while options := board.legal_moves():
        move = options[0]
        if move.kind == "discard":
            first, second = (card >> 2 for card in move.cards)
            assert abs(first - second) <= 1
        board.apply(move)
