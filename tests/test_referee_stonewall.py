"""Stonewall, sentence by sentence of its description, against the referee."""

from __future__ import annotations

import dataclasses

import pytest

from solitaire_lab.cards import face_up, is_face_down, pack
from solitaire_lab.deals import deal_seed, lay_out
from solitaire_lab.referee import position
from solitaire_lab.rules import load_game
from tests.boards import build_board, cards, full_suits, moves, play

STONEWALL = load_game("stonewall").rules


def with_rules(**options):
    return dataclasses.replace(STONEWALL, **options)


# The deal.


# Stonewall 1: one deck.
def test_stonewall_01_one_deck():
    deal = deal_seed(STONEWALL, 1)
    dealt = [face_up(card) for pile in (*deal.tableau, *deal.reserve) for card in pile]
    assert sorted(dealt) == sorted(pack())


# Stonewall 2: six columns of six ...
def test_stonewall_02_six_columns_of_six():
    assert [len(pile) for pile in deal_seed(STONEWALL, 1).tableau] == [6] * 6


# Stonewall 3: ... dealt in six rows ...
def test_stonewall_03_dealt_in_rows():
    order = pack()
    columns = lay_out(STONEWALL, order).tableau
    assert [[face_up(pile[row]) for pile in columns] for row in range(6)] == [
        order[6 * row : 6 * row + 6] for row in range(6)
    ]


# Stonewall 4: ... the first, third and fifth card of each column down.
def test_stonewall_04_first_third_and_fifth_down():
    for pile in deal_seed(STONEWALL, 1).tableau:
        assert [is_face_down(card) for card in pile] == [True, False, True, False, True, False]


# Stonewall 5: then 16 open reserve cards.
def test_stonewall_05_sixteen_reserve_cards():
    assert lay_out(STONEWALL, pack()).reserve == tuple((card,) for card in pack()[36:])


# Stonewall 6: foundations start empty.
def test_stonewall_06_foundations_start_empty():
    assert position(STONEWALL, deal_seed(STONEWALL, 1)).state.foundations == ((0,),) * 4


# Stonewall 7: there is no stock.
def test_stonewall_07_no_stock():
    board = position(STONEWALL, deal_seed(STONEWALL, 1))
    assert (board.state.stock, board.state.waste) == ((), ())
    assert {move.kind for move in board.legal_moves()}.isdisjoint({"draw", "redeal"})


# The reserve.


# Stonewall 8: each reserve card is playable at any time, to the tableau and to a foundation.
def test_stonewall_08_every_reserve_card_is_playable():
    board = build_board(STONEWALL, ["5S"], reserve="4D 9C 4H", foundations="3H")
    assert moves(board) == {
        "4D reserve 1 -> column 1",
        "4H reserve 3 -> column 1",
        "4H reserve 3 -> foundation H",
    }


# Stonewall 9: the reserve is never refilled: a played card leaves a gap, and the others keep their places.
def test_stonewall_09_the_reserve_is_never_refilled():
    board = play(build_board(STONEWALL, ["5S"], reserve="4D 9C 3S"), "4D reserve 1 -> column 1")
    assert board.state.reserve == cards("-- 9C 3S")
    assert moves(board) == {"3S reserve 3 -> column 1"}


# Stonewall 10: nothing moves into the reserve.
def test_stonewall_10_nothing_moves_into_the_reserve():
    board = play(build_board(STONEWALL, ["5S", "#2C KH"], reserve="4D"), "4D reserve 1 -> column 1")
    assert moves(board) == set()
    for seed in range(5):
        start = position(STONEWALL, deal_seed(STONEWALL, seed))
        assert all(move.target[0] in ("tableau", "foundation") for move in start.legal_moves())


# Foundations and tableau.


# Stonewall 11: foundations go from ace to king in suit.
def test_stonewall_11_foundations_ace_to_king_in_suit():
    board = build_board(STONEWALL, ["AC", "2C", "2D"], reserve="3D 3C", foundations="AD")
    assert {text for text in moves(board) if "-> foundation" in text} == {
        "AC column 1 -> foundation C",
        "2D column 3 -> foundation D",
    }
    last = build_board(STONEWALL, [""], reserve="KS", foundations=full_suits("C", "D", "H") + " QS")
    assert not last.won
    assert play(last, "KS reserve 1 -> foundation S").won


# Stonewall 12: the tableau goes down in alternating colours.
def test_stonewall_12_tableau_goes_down_in_alternating_colours():
    board = build_board(STONEWALL, ["9H", "8C", "8D"], reserve="7S 8S TS")
    assert moves(board) == {
        "8C column 2 -> column 1",
        "8S reserve 2 -> column 1",
        "7S reserve 1 -> column 3",
    }


# Stonewall 13: a face-up run moves as a block, whole or in part.
def test_stonewall_13_runs_move_whole_or_in_part():
    board = build_board(STONEWALL, ["#2C 9H 8S 7D", "TC", "9D", "8C"])
    assert moves(board) == {
        "9H+8S+7D column 1 -> column 2",
        "8S+7D column 1 -> column 3",
        "7D column 1 -> column 4",
        "9D column 3 -> column 2",
        "8C column 4 -> column 3",
    }


# Stonewall 14: a card turns up as soon as it is uncovered ...
def test_stonewall_14_an_uncovered_card_turns_up():
    board = play(build_board(STONEWALL, ["#4H 2C #TD 8S", "9H"]), "8S column 1 -> column 2")
    assert board.state.tableau[0] == cards("#4H 2C TD")
    board = play(build_board(STONEWALL, ["#4H 2C", "3H"]), "2C column 1 -> column 2")
    assert board.state.tableau[0] == cards("4H")


# Stonewall 15: ... and stays up.
def test_stonewall_15_a_turned_card_stays_up():
    board = build_board(STONEWALL, ["#TD 8S", "9H"], reserve="9C")
    play(board, "8S column 1 -> column 2", "9C reserve 1 -> column 1")
    assert board.state.tableau[0] == cards("TD 9C")


# Stonewall 16: a run moves only where all its cards are up: a face-down card that would fit ends it.
def test_stonewall_16_a_run_moves_only_where_all_its_cards_are_up():
    assert moves(build_board(STONEWALL, ["TC 9H #8S 7D", "JD", "TS"])) == {"TS column 3 -> column 2"}
    assert moves(build_board(STONEWALL, ["TC 9H 8S 7D", "JD", "TS"])) == {
        "TC+9H+8S+7D column 1 -> column 2",
        "9H+8S+7D column 1 -> column 3",
        "TS column 3 -> column 2",
    }


# Stonewall 17: a face-down card between face-up ones lets the upper part move, and turns up then.
def test_stonewall_17_the_cards_above_a_face_down_one_move():
    board = play(build_board(STONEWALL, ["9H #TC 7D", "8C"]), "7D column 1 -> column 2")
    assert board.state.tableau == (cards("9H TC"), cards("8C 7D"))


# Stonewall 18: any card or run from the tableau fills a space ...
def test_stonewall_18_tableau_cards_and_runs_fill_a_space():
    assert moves(build_board(STONEWALL, ["#2C 9H 8S", ""])) == {
        "9H+8S column 1 -> column 2",
        "8S column 1 -> column 2",
    }


# Stonewall 19: ... and any card from the reserve.
def test_stonewall_19_reserve_cards_fill_a_space():
    assert moves(build_board(STONEWALL, [""], reserve="5D 9C")) == {
        "5D reserve 1 -> column 1",
        "9C reserve 2 -> column 1",
    }


# Stonewall 20: a foundation's top card may return to play if a pile takes it; the cards below it may not.
def test_stonewall_20_a_foundation_top_returns_if_a_pile_takes_it():
    board = build_board(STONEWALL, ["6S", "5S", "5H"], foundations="5D")
    assert moves(board) == {"5D foundation D -> column 1", "5H column 3 -> column 1"}
    play(board, "5D foundation D -> column 1")
    assert board.state.foundations[1] == (4,)
    assert moves(board) >= {"4D foundation D -> column 2", "5D column 1 -> foundation D"}


# Stonewall 21: an ace returns too, and its foundation is empty again.
def test_stonewall_21_an_ace_returns():
    board = play(build_board(STONEWALL, ["2S"], foundations="AD"), "AD foundation D -> column 1")
    assert board.state.foundations == ((0,),) * 4


# The options.


# Stonewall 22: worrying_back, true by default; false takes away exactly the returns.
def test_stonewall_22_worrying_back():
    columns, tops = ["6S", "7H", ""], "5D 8C"
    with_returns = moves(build_board(STONEWALL, columns, foundations=tops))
    without = moves(build_board(with_rules(worrying_back=False), columns, foundations=tops))
    assert with_returns - without == {
        "5D foundation D -> column 1",
        "5D foundation D -> column 3",
        "8C foundation C -> column 3",
    }
    assert without < with_returns
    dead_end = ["4S #2D TC"]  # no pile takes a five of diamonds or an eight of clubs
    assert moves(build_board(STONEWALL, dead_end, foundations=tops)) == set()


# Stonewall 23: return_to_space, true by default: a foundation card may also go to an empty column.
def test_stonewall_23_return_to_space():
    columns, tops = ["6S", ""], "5D"
    true = moves(build_board(STONEWALL, columns, foundations=tops))
    false = moves(build_board(with_rules(return_to_space=False), columns, foundations=tops))
    assert true - false == {"5D foundation D -> column 2"}
    assert "5D foundation D -> column 1" in false < true
    filled = ["6S", "9C"]
    assert moves(build_board(with_rules(return_to_space=False), filled, foundations=tops)) == moves(
        build_board(STONEWALL, filled, foundations=tops)
    )


# Stonewall 24: return_to_space=false keeps spaces open to tableau and reserve.
def test_stonewall_24_return_to_space_concerns_foundations_only():
    board = build_board(with_rules(return_to_space=False), ["#2C 9H", ""], reserve="5D")
    assert moves(board) == {"9H column 1 -> column 2", "5D reserve 1 -> column 2"}


# Stonewall 25: group: run by default; single and whole take away what they say.
def test_stonewall_25_group():
    columns = ["3C #2C 9H 8S", "TC", "9D"]
    run = moves(build_board(STONEWALL, columns))
    single = moves(build_board(with_rules(group="single"), columns))
    whole = moves(build_board(with_rules(group="whole"), columns))
    assert run - single == {"9H+8S column 1 -> column 2"}
    assert run - whole == {"8S column 1 -> column 3"}
    assert single < run
    assert whole < run


# Stonewall 26: with group=whole a column whose face-up cards form no single run stays where it is.
def test_stonewall_26_whole_means_one_run():
    board = build_board(with_rules(group="whole"), ["#2C 4H 9H 8S", "9D", "TC"])
    assert moves(board) == {"9D column 2 -> column 3"}


# Stonewall 27: spaces: any by default; kings and none take away what they say.
@pytest.mark.parametrize(
    ("spaces", "filling"),
    [("any", {"KH column 1 -> column 2", "5D reserve 1 -> column 2", "KD reserve 2 -> column 2"}),
     ("kings", {"KH column 1 -> column 2", "KD reserve 2 -> column 2"}),
     ("none", set())],
)  # fmt: skip
def test_stonewall_27_spaces(spaces, filling):
    assert moves(build_board(with_rules(spaces=spaces), ["#2C KH", ""], reserve="5D KD")) == filling


# Stonewall 28: the defaults, and no other options.
def test_stonewall_28_defaults():
    assert load_game("stonewall").options == {
        "worrying_back": True,
        "return_to_space": True,
        "group": "run",
        "spaces": "any",
    }


# Stonewall 29: the reading that departs from the letter is named, with the letter as an option.
def test_stonewall_29_reading():
    assert [(reading.option, reading.letter) for reading in load_game("stonewall").readings] == [
        ("return_to_space", "false")
    ]
