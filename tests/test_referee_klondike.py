"""Klondike, sentence by sentence of its description, against the referee."""

from __future__ import annotations

import dataclasses

import pytest

from solitaire_lab.cards import is_face_down, pack
from solitaire_lab.deals import deal_seed
from solitaire_lab.errors import InputError
from solitaire_lab.referee import position
from solitaire_lab.rules import load_game
from tests.boards import build_board, cards, full_suits, moves, play

KLONDIKE = load_game("klondike").rules


def with_rules(**options):
    return dataclasses.replace(KLONDIKE, **options)


# The deal.


# Klondike 1: one deck.
def test_klondike_01_one_deck():
    deal = deal_seed(KLONDIKE, 1)
    dealt = [card & 63 for pile in deal.tableau for card in pile] + list(deal.stock)
    assert sorted(dealt) == sorted(pack())


# Klondike 2: columns of one to seven cards.
def test_klondike_02_columns_of_one_to_seven():
    assert [len(pile) for pile in deal_seed(KLONDIKE, 1).tableau] == [1, 2, 3, 4, 5, 6, 7]


# Klondike 3: only the top cards are up.
def test_klondike_03_only_tops_are_up():
    for pile in deal_seed(KLONDIKE, 1).tableau:
        assert [is_face_down(card) for card in pile] == [True] * (len(pile) - 1) + [False]


# Klondike 4: the stock has 24 cards, and nothing lies on the waste or a foundation yet.
def test_klondike_04_stock_of_24():
    state = position(KLONDIKE, deal_seed(KLONDIKE, 1)).state
    assert (len(state.stock), state.waste, state.foundations) == (24, (), ((0,),) * 4)


# Foundations and tableau.


# Klondike 5: foundations start with the ace ...
def test_klondike_05_foundations_start_with_the_ace():
    assert moves(build_board(KLONDIKE, ["AC", "2D", "KH"])) >= {"AC column 1 -> foundation C"}
    assert not any("foundation" in text for text in moves(build_board(KLONDIKE, ["2D", "KH"])))


# Klondike 6: ... go up one rank at a time ...
def test_klondike_06_foundations_go_up_by_one():
    board = build_board(KLONDIKE, ["4C", "5C", "3C", "6C"], foundations="3C")
    assert {text for text in moves(board) if "foundation" in text} == {"4C column 1 -> foundation C"}


# Klondike 7: ... in suit ...
def test_klondike_07_foundations_go_up_in_suit():
    board = build_board(KLONDIKE, ["4C", "4S", "4D", "4H"], foundations="3D")
    assert {text for text in moves(board) if "foundation" in text} == {"4D column 3 -> foundation D"}


# Klondike 8: ... up to the king; with all four kings there the game is won.
def test_klondike_08_foundations_end_with_the_king():
    board = build_board(KLONDIKE, ["KS"], foundations=full_suits("C", "D", "H") + " QS")
    assert not board.won
    play(board, "KS column 1 -> foundation S")
    assert board.won
    assert board.state.foundations == ((13,),) * 4


# Klondike 9: the tableau goes down in alternating colours, by exactly one rank.
def test_klondike_09_tableau_goes_down_in_alternating_colours():
    board = build_board(KLONDIKE, ["8C", "9H", "9S", "9D", "TH", "7H", "8H"])
    assert moves(board) == {
        "8C column 1 -> column 2",
        "8C column 1 -> column 4",
        "9S column 3 -> column 5",
        "7H column 6 -> column 1",
        "8H column 7 -> column 3",
    }


# Klondike 10: any face-up run moves, whole or in part.
def test_klondike_10_any_face_up_run_moves_whole_or_in_part():
    board = build_board(KLONDIKE, ["#2C 9H 8S 7D", "TC", "9D", "8C"])
    assert moves(board) == {
        "9H+8S+7D column 1 -> column 2",  # whole
        "8S+7D column 1 -> column 3",  # in part
        "7D column 1 -> column 4",
        "9D column 3 -> column 2",
        "8C column 4 -> column 3",
    }


# Klondike 11: a run keeps its order when it moves.
def test_klondike_11_a_run_keeps_its_order():
    board = play(build_board(KLONDIKE, ["9H 8S 7D", "TC"]), "9H+8S+7D column 1 -> column 2")
    assert board.state.tableau == ((), cards("TC 9H 8S 7D"))


# Klondike 12: a face-down card neither moves nor joins a run, though it would fit.
def test_klondike_12_face_down_cards_do_not_move():
    assert moves(build_board(KLONDIKE, ["#9H 8S", "TC"])) == set()
    assert moves(build_board(KLONDIKE, ["9H 8S", "TC"])) == {"9H+8S column 1 -> column 2"}


# Klondike 13: a face-down card turns up when it is uncovered ...
def test_klondike_13_an_uncovered_card_turns_up():
    board = play(build_board(KLONDIKE, ["#4H #TD 8S", "9H"]), "8S column 1 -> column 2")
    assert board.state.tableau[0] == cards("#4H TD")


# Klondike 14: ... also when its cover goes to a foundation ...
def test_klondike_14_a_card_uncovered_by_a_foundation_move_turns_up():
    board = play(build_board(KLONDIKE, ["#TD AS"]), "AS column 1 -> foundation S")
    assert board.state.tableau[0] == cards("TD")


# Klondike 15: ... and stays up when it is covered again.
def test_klondike_15_a_turned_card_stays_up():
    board = build_board(KLONDIKE, ["#TD 8S", "9H", "9C"])
    play(board, "8S column 1 -> column 2", "9C column 3 -> column 1")
    assert board.state.tableau[0] == cards("TD 9C")


# Spaces.


# Klondike 16: an empty column takes a king ...
def test_klondike_16_a_king_fills_a_space():
    assert moves(build_board(KLONDIKE, ["#2C KH", ""])) == {"KH column 1 -> column 2"}


# Klondike 17: ... alone or with its run ...
def test_klondike_17_a_king_fills_a_space_with_its_run():
    assert moves(build_board(KLONDIKE, ["#2C KH QS JD", ""])) == {"KH+QS+JD column 1 -> column 2"}


# Klondike 18: ... also one from the waste ...
def test_klondike_18_a_king_from_the_waste_fills_a_space():
    assert moves(build_board(KLONDIKE, ["", "#2C 9H"], waste="5H KS")) == {"KS waste -> column 1"}


# Klondike 19: ... and no other card.
def test_klondike_19_nothing_but_a_king_fills_a_space():
    assert moves(build_board(KLONDIKE, ["#2C QH", ""], waste="JD")) == set()


def test_klondike_19_in_a_reduced_pack_the_highest_rank_is_the_king():
    rules = with_rules(ranks=5, columns=(1, 2, 3))
    assert moves(build_board(rules, ["#2C 5H", ""], waste="4D")) == {"5H column 1 -> column 2"}


# Stock and waste.


# Klondike 20: turned stock cards go to the waste, the last turned on top.
def test_klondike_20_turned_cards_go_to_the_waste():
    board = play(build_board(KLONDIKE, ["#2C 9H"], stock="4D 5D 6D"), "draw", "draw")
    assert (board.state.stock, board.state.waste) == (cards("6D"), cards("4D 5D"))


# Klondike 21: the waste's top is always playable, to the tableau and to a foundation; nothing below it is.
def test_klondike_21_only_the_waste_top_is_playable():
    board = build_board(KLONDIKE, ["5S", "5H"], waste="4D 4H", foundations="3H 3D")
    assert moves(board) == {"4H waste -> column 1", "4H waste -> foundation H"}
    play(board, "4H waste -> foundation H")
    assert moves(board) >= {"4D waste -> column 1", "4D waste -> foundation D"}


# Klondike 22: stock cards are not playable before they are turned.
def test_klondike_22_stock_cards_wait_to_be_turned():
    assert moves(build_board(KLONDIKE, ["5S"], stock="4D AC")) == {"draw"}


# Klondike 23: a short last group of a draw-3 turn is dealt as it is.
def test_klondike_23_a_short_last_group_is_dealt_as_it_is():
    board = play(build_board(with_rules(draw=3), ["KH"], stock="2D 3D 4D 5D 6D"), "draw", "draw")
    assert (board.state.stock, board.state.waste) == ((), cards("2D 3D 4D 5D 6D"))
    assert moves(board) == set()


# Klondike 24: a new pass turns the waste over, unshuffled: the cards come in the same order again.
def test_klondike_24_a_new_pass_turns_the_waste_over_unshuffled():
    board = build_board(with_rules(passes=2), ["KH"], stock="2D 9S 4D")
    play(board, "draw", "draw", "draw", "redeal")
    assert (board.state.stock, board.state.waste, board.state.pass_number) == (cards("2D 9S 4D"), (), 2)


# Klondike 25: a new pass begins only when the stock is empty, and only if the waste is not.
def test_klondike_25_a_new_pass_needs_an_empty_stock_and_a_waste():
    rules = with_rules(passes="unlimited")
    assert moves(build_board(rules, ["KH"], stock="2D", waste="3D")) == {"draw"}
    assert moves(build_board(rules, ["KH"], waste="3D")) == {"redeal"}
    assert moves(build_board(rules, ["KH"])) == set()


# The option table: a default, and what each other value changes.


# Klondike 26: draw, 1 by default.
def test_klondike_26_draw_1_by_default():
    assert play(build_board(KLONDIKE, ["KH"], stock="2D 3D 4D"), "draw").state.waste == cards("2D")


# Klondike 27: draw, 2 to 24; of a turned group the last card is on top, and the groups of the next pass are cut anew.
@pytest.mark.parametrize("draw", [2, 3, 5, 24])
def test_klondike_27_draw_turns_that_many(draw):
    stock = "2D 3D 4D 5D 6D 7D"
    board = play(build_board(with_rules(draw=draw), ["KH"], stock=stock), "draw")
    assert board.state.waste == cards(stock)[:draw]
    assert board.state.stock == cards(stock)[draw:]


def test_klondike_27_groups_shift_once_a_card_was_played():
    board = build_board(with_rules(draw=3, passes=2), ["5S"], stock="2C 3D 4D 5D 6D 7D")
    play(board, "draw", "4D waste -> column 1", "draw", "redeal", "draw")
    assert board.state.waste == cards("2C 3D 5D")


def test_klondike_27_draw_ends_at_24():
    with pytest.raises(InputError, match="draw=25: expected a whole number from 1 to 24"):
        with_rules(draw=25)
    with pytest.raises(InputError, match="draw=0"):
        with_rules(draw=0)


# Klondike 28: passes, 1 by default: no new pass.
def test_klondike_28_one_pass_by_default():
    assert moves(build_board(KLONDIKE, ["KH"], waste="3D")) == set()


# Klondike 29: passes, 3 in all: two new ones.
def test_klondike_29_three_passes_in_all():
    board = build_board(with_rules(passes=3), ["KH"], stock="3D")
    play(board, "draw", "redeal", "draw", "redeal", "draw")
    assert moves(board) == set()
    assert board.state.pass_number == 3


# Klondike 30: passes without a limit.
def test_klondike_30_unlimited_passes():
    board = build_board(with_rules(passes="unlimited"), ["KH"], stock="3D")
    play(board, *["draw", "redeal"] * 100, "draw")
    assert moves(board) == {"redeal"}


# Klondike 31: once played to a foundation, a card can't be removed (worrying_back, false by default).
def test_klondike_31_no_worrying_back_by_default():
    assert moves(build_board(KLONDIKE, ["5S"], foundations="4D")) == set()


# Klondike 32: worrying_back=true returns the top card, and it alone, to a column that takes it.
def test_klondike_32_worrying_back_returns_the_top_card():
    columns, tops = ["5S", "5C", "4S", "6H"], "4D"
    before = moves(build_board(KLONDIKE, columns, foundations=tops))
    board = build_board(with_rules(worrying_back=True), columns, foundations=tops)
    assert moves(board) - before == {"4D foundation D -> column 1", "4D foundation D -> column 2"}
    assert before < moves(board)
    play(board, "4D foundation D -> column 2")
    assert board.state.tableau[1] == cards("5C 4D")
    assert board.state.foundations[1] == (3,)


def test_klondike_32_worrying_back_changes_nothing_where_no_column_takes_the_card():
    columns, tops = ["5H", "8C 7D", "8S", "#3C"], "4D"
    without = moves(build_board(KLONDIKE, columns, foundations=tops))
    assert moves(build_board(with_rules(worrying_back=True), columns, foundations=tops)) == without != set()


# Klondike 33: return_to_space, true by default: with worrying back a foundation king may fill a space ...
def test_klondike_33_a_foundation_king_may_fill_a_space():
    board = build_board(with_rules(worrying_back=True), [""], foundations="KD QC")
    assert moves(board) == {"KD foundation D -> column 1"}


# Klondike 34: ... and with false may not, whereas a king from elsewhere still does ...
def test_klondike_34_return_to_space_false():
    rules = with_rules(worrying_back=True, return_to_space=False)
    assert moves(build_board(rules, ["", "#2C KH"], foundations="KD")) == {"KH column 2 -> column 1"}
    assert moves(build_board(rules, ["", "KC"], foundations="QD")) == {
        "KC column 2 -> column 1",
        "QD foundation D -> column 2",
    }


# Klondike 35: ... and without worrying back it changes nothing.
def test_klondike_35_return_to_space_needs_worrying_back():
    for value in (True, False):
        assert moves(build_board(with_rules(return_to_space=value), [""], foundations="KD")) == set()


# Klondike 36: spaces=any: every card and run fills a space; elsewhere nothing changes.
def test_klondike_36_any_card_fills_a_space():
    columns = ["#2C 9H 8S", ""]
    assert moves(build_board(KLONDIKE, columns, waste="4D")) == set()
    assert moves(build_board(with_rules(spaces="any"), columns, waste="4D")) == {
        "8S column 1 -> column 2",
        "9H+8S column 1 -> column 2",
        "4D waste -> column 2",
    }
    filled = ["#2C 9H 8S", "TC", "KH"]
    assert moves(build_board(with_rules(spaces="any"), filled)) == moves(build_board(KLONDIKE, filled)) != set()


# Klondike 37: spaces=none: not even a king.
def test_klondike_37_nothing_fills_a_space():
    rules = with_rules(spaces="none", worrying_back=True)
    assert moves(build_board(rules, ["#2C KH", ""], waste="KS", foundations="KD")) == set()
    filled = ["#2C 9H 8S", "TC"]
    assert moves(build_board(rules, filled)) == moves(build_board(KLONDIKE, filled)) != set()


# Klondike 38: build=same_suit: down in suit; runs are then in suit too.
def test_klondike_38_build_in_suit():
    board = build_board(with_rules(build="same_suit"), ["9H 8H", "TH", "9S", "8S 7H", "TS 9C"])
    assert moves(board) == {"9H+8H column 1 -> column 2", "7H column 4 -> column 1"}


# Klondike 39: build=any_suit: down whatever the suit.
def test_klondike_39_build_in_any_suit():
    board = build_board(with_rules(build="any_suit"), ["9H 8D", "TH", "9S"])
    assert moves(board) == {
        "9H+8D column 1 -> column 2",
        "8D column 1 -> column 3",
        "9S column 3 -> column 2",
    }


# Klondike 40: build says nothing about foundations, which stay in suit.
@pytest.mark.parametrize("build", ["alternate_colour", "same_suit", "any_suit"])
def test_klondike_40_build_does_not_touch_foundations(build):
    board = build_board(with_rules(build=build), ["4C", "4D"], foundations="3C")
    assert moves(board) == {"4C column 1 -> foundation C"}


# Klondike 41: group=whole: only the whole face-up column moves.
def test_klondike_41_only_the_whole_column_moves():
    columns = ["#2C 9H 8S 7D", "TC", "9D", "8C"]
    run, whole = moves(build_board(KLONDIKE, columns)), moves(build_board(with_rules(group="whole"), columns))
    assert run - whole == {"8S+7D column 1 -> column 3", "7D column 1 -> column 4"}
    assert whole < run


# Klondike 42: group=whole does not keep a single card from a foundation.
def test_klondike_42_a_single_card_may_leave_a_column_for_a_foundation():
    board = build_board(with_rules(group="whole"), ["4S 3D"], foundations="2D")
    assert moves(board) == {"3D column 1 -> foundation D"}


# Klondike 43: group=single: one card at a time.
def test_klondike_43_single_cards_move():
    columns = ["#2C 9H 8S 7D", "TC", "9D", "8C"]
    run, single = moves(build_board(KLONDIKE, columns)), moves(build_board(with_rules(group="single"), columns))
    assert run - single == {"9H+8S+7D column 1 -> column 2", "8S+7D column 1 -> column 3"}
    assert single < run


# Klondike 44: the three groups agree where every run is of one card.
@pytest.mark.parametrize("group", ["whole", "single"])
def test_klondike_44_groups_agree_on_single_cards(group):
    columns = ["#2C 9H", "TC", "#5C 8S"]
    assert moves(build_board(with_rules(group=group), columns)) == moves(build_board(KLONDIKE, columns)) != set()


# The named forms.


# Klondike 45: draw=3 alone keeps one pass.
def test_klondike_45_draw_3_alone_keeps_one_pass():
    options = load_game("klondike").with_options(draw=3).options
    assert (options["draw"], options["passes"]) == (3, 1)


# Klondike 46: the presets.
@pytest.mark.parametrize(
    ("key", "draw", "passes", "worrying_back"),
    [
        ("klondike", 1, 1, False),
        ("klondike-3x3", 3, 3, False),
        ("klondike-standard", 3, "unlimited", True),
        ("klondike-draw1", 1, "unlimited", True),
    ],
)
def test_klondike_46_presets(key, draw, passes, worrying_back):
    assert load_game(key).options == {
        "draw": draw,
        "passes": passes,
        "worrying_back": worrying_back,
        "return_to_space": True,
        "spaces": "kings",
        "build": "alternate_colour",
        "group": "run",
    }
