"""Pyramid, sentence by sentence of its description, against the referee."""

from __future__ import annotations

import dataclasses

import pytest

from solitaire_lab.cards import pack
from solitaire_lab.deals import deal_seed, lay_out
from solitaire_lab.errors import InputError
from solitaire_lab.referee import position
from solitaire_lab.rules import load_game
from tests.boards import cards, moves, pair_board, play

PYRAMID = load_game("pyramid").rules


def with_rules(**options):
    return dataclasses.replace(PYRAMID, **options)


STOCK_UP = with_rules(draw_exposed="waste_and_stock")
THREE_PILES = with_rules(draw=3, waste_piles=3)


# The deal.


# Pyramid 1: one deck.
def test_pyramid_01_one_deck():
    deal = deal_seed(PYRAMID, 1)
    assert sorted([card for row in deal.pyramid for card in row] + list(deal.stock)) == sorted(pack())


# Pyramid 2: 28 cards in rows of 1 to 7, from the apex, all up.
def test_pyramid_02_rows_of_one_to_seven():
    rows = lay_out(PYRAMID, pack()).pyramid
    assert [len(row) for row in rows] == [1, 2, 3, 4, 5, 6, 7]
    assert [card for row in rows for card in row] == pack()[:28]  # no face-down marks


# Pyramid 3: a draw pile of 24.
def test_pyramid_03_draw_pile_of_24():
    assert list(lay_out(PYRAMID, pack()).stock) == pack()[28:]


# Exposed cards.


# Pyramid 4: a card is exposed when nothing overlaps it: at first the bottom row alone.
def test_pyramid_04_the_bottom_row_is_exposed():
    board = position(PYRAMID, deal_seed(PYRAMID, 1))
    assert [place for _, place in board.exposed()] == [("pyramid", 6, place) for place in range(7)]


# Pyramid 5: each card is overlapped by the two below it; one of them is enough to cover it.
def test_pyramid_05_a_card_is_covered_by_either_of_two():
    board = pair_board(PYRAMID, ["2C", "3C 4C", "5C -- --"])
    assert [place for _, place in board.exposed()] == [("pyramid", 1, 1), ("pyramid", 2, 0)]
    board = pair_board(PYRAMID, ["2C", "3C 4C", "-- -- 5C"])
    assert [place for _, place in board.exposed()] == [("pyramid", 1, 0), ("pyramid", 2, 2)]
    board = pair_board(PYRAMID, ["2C", "3C 4C", "-- 5C --"])  # the middle card covers both
    assert [place for _, place in board.exposed()] == [("pyramid", 2, 1)]


# Pyramid 6: taking a pair uncovers what it covered.
def test_pyramid_06_discarding_uncovers():
    board = pair_board(PYRAMID, ["KC", "6C 7C"])
    assert moves(board) == {"6C pyramid 2.1 + 7C pyramid 2.2"}
    play(board, "6C pyramid 2.1 + 7C pyramid 2.2")
    assert moves(board) == {"KC pyramid 1.1"}


# Discards.


# Pyramid 7: two exposed cards of total 13 are discarded: ace 1, jack 11, queen 12.
@pytest.mark.parametrize("pair", ["AC QD", "2C JD", "3C TD", "4C 9D", "5C 8D", "6C 7D"])
def test_pyramid_07_pairs_of_total_13(pair):
    first, second = pair.split()
    board = pair_board(PYRAMID, ["2S", f"{first} {second}"])
    assert moves(board) == {f"{first} pyramid 2.1 + {second} pyramid 2.2"}


# Pyramid 8: suits do not matter, and no other total goes.
def test_pyramid_08_no_other_total():
    assert moves(pair_board(PYRAMID, ["2S", "6C 7C"])) == {"6C pyramid 2.1 + 7C pyramid 2.2"}
    for other in ("6C 6D", "QC 2D", "JC 3D", "AC AD", "7C 7D"):
        assert moves(pair_board(PYRAMID, ["2S", other])) == set()


# Pyramid 9: a king goes alone, from the pyramid and from the waste.
def test_pyramid_09_a_king_goes_alone():
    board = pair_board(PYRAMID, ["2S", "KC KD"], waste="KS")
    assert moves(board) == {"KC pyramid 2.1", "KD pyramid 2.2", "KS waste"}


# Pyramid 10: a covered card does not pair.
def test_pyramid_10_covered_cards_do_not_pair():
    assert moves(pair_board(PYRAMID, ["6C", "7C 2D"])) == set()


# Pyramid 11: a pyramid card pairs with the drawn card.
def test_pyramid_11_pyramid_and_waste_pair():
    assert moves(pair_board(PYRAMID, ["2S", "6C 9D"], waste="7D")) == {"6C pyramid 2.1 + 7D waste"}


# Pyramid 12: discarding is always optional: drawing stays legal beside every discard.
def test_pyramid_12_discarding_is_optional():
    board = pair_board(PYRAMID, ["2S", "6C 7C"], stock="KS 3D", waste="KD")
    assert "draw" in moves(board)
    play(board, "draw")
    assert board.state.wastes == (cards("KD KS"),)


# Pyramid 13: a pair may be named in either order.
def test_pyramid_13_a_pair_has_no_order():
    board = pair_board(PYRAMID, ["2S", "6C 9D"], waste="7D")
    (move,) = board.legal_moves()
    mirrored = move._replace(cards=move.cards[::-1], sources=move.sources[::-1])
    crossed = move._replace(cards=move.cards[::-1])
    assert board.is_legal(mirrored)
    assert not board.is_legal(crossed)
    board.apply(mirrored)
    assert board.state.pyramid[1] == cards("-- 9D")
    assert board.state.wastes == ((),)


# The draw pile.


# Pyramid 14: one draw at a time.
def test_pyramid_14_one_card_at_a_time():
    board = play(pair_board(PYRAMID, ["2S"], stock="3C 4C"), "draw")
    assert (board.state.stock, board.state.wastes) == (cards("4C"), (cards("3C"),))


# Pyramid 15: one pass.
def test_pyramid_15_one_pass():
    assert moves(play(pair_board(PYRAMID, ["2S"], stock="3C"), "draw")) == set()


# Pyramid 16: only the last drawn card is exposed.
def test_pyramid_16_only_the_last_drawn_card_is_exposed():
    board = pair_board(PYRAMID, ["6S"], stock="7D 3C 7H")
    play(board, "draw")
    assert moves(board) == {"6S pyramid 1.1 + 7D waste", "draw"}
    play(board, "draw")
    assert moves(board) == {"draw"}


# Pyramid 17: waste cards do not pair with each other, nor with the unturned stock.
def test_pyramid_17_waste_and_stock_do_not_pair():
    assert moves(pair_board(PYRAMID, ["2S"], waste="6C 7C", stock="6D")) == {"draw"}


# Pyramid 18: when the drawn card is discarded, the one below it is exposed again.
def test_pyramid_18_the_buried_waste_card_reappears():
    board = pair_board(PYRAMID, ["2S", "8S 6S"], waste="7D 5C")
    play(board, "8S pyramid 2.1 + 5C waste")
    assert moves(board) == {"6S pyramid 2.2 + 7D waste"}


# Pyramid 19: won when the pyramid is gone, whatever is left in stock and waste.
def test_pyramid_19_won_when_the_pyramid_is_gone():
    board = pair_board(PYRAMID, ["6S"], waste="3C 7D", stock="9C")
    assert not board.won
    assert play(board, "6S pyramid 1.1 + 7D waste").won


# The options.


# Pyramid 20: draw_exposed is waste by default.
def test_pyramid_20_the_stock_card_is_down_by_default():
    assert moves(pair_board(PYRAMID, ["6S"], stock="7D")) == {"draw"}


# Pyramid 21: waste_and_stock: the next stock card is up and pairs with the waste top or an exposed pyramid card ...
def test_pyramid_21_the_stock_card_pairs():
    rows, waste, stock = ["2S", "6S 3S"], "6D", "7D KD"
    added = moves(pair_board(STOCK_UP, rows, waste=waste, stock=stock)) - moves(
        pair_board(PYRAMID, rows, waste=waste, stock=stock)
    )
    assert added == {"6S pyramid 2.1 + 7D stock", "6D waste + 7D stock"}


# Pyramid 22: ... a king there goes alone, which brings up the next ...
def test_pyramid_22_a_stock_king_goes_alone():
    board = pair_board(STOCK_UP, ["6S"], stock="KD 7D")
    assert moves(board) == {"KD stock", "draw"}
    play(board, "KD stock")
    assert (board.state.stock, board.state.wastes) == (cards("7D"), ((),))
    assert "6S pyramid 1.1 + 7D stock" in moves(board)


# Pyramid 23: ... only the next one is up ...
def test_pyramid_23_only_the_next_stock_card_is_up():
    assert moves(pair_board(STOCK_UP, ["6S"], stock="3D 7D")) == {"draw"}


# Pyramid 24: ... and where it pairs with nothing the option changes nothing.
def test_pyramid_24_a_stock_card_without_partner_changes_nothing():
    position_ = {"rows": ["2S", "6S 3S"], "waste": "7D", "stock": "5D 7H"}
    assert moves(pair_board(STOCK_UP, **position_)) == moves(pair_board(PYRAMID, **position_)) != set()


# Pyramid 25: draw, 2 or 3: that many cards a turn onto the waste, only the top one exposed.
@pytest.mark.parametrize(("draw", "exposed"), [(2, "7D"), (3, "8D")])
def test_pyramid_25_draw_several(draw, exposed):
    board = play(pair_board(with_rules(draw=draw), ["2S", "6S 5S"], stock="6D 7D 8D 9D"), "draw")
    assert board.state.wastes == (cards("6D 7D 8D 9D")[:draw],)
    assert board.state.wastes[0][-1:] == cards(exposed)
    assert len(moves(board) - {"draw"}) == 1


# Pyramid 26: a short last group is dealt as it is.
def test_pyramid_26_a_short_last_group():
    board = play(pair_board(with_rules(draw=3), ["2S"], stock="6D 7D 8D 9D"), "draw", "draw")
    assert board.state.wastes == (cards("6D 7D 8D 9D"),)


# Pyramid 27: three waste piles: a turn deals its three cards to them in a fixed order ...
def test_pyramid_27_three_waste_piles():
    board = play(pair_board(THREE_PILES, ["2S"], stock="3D 4D 5D 6D 7D 8D"), "draw", "draw")
    assert board.state.wastes == (cards("3D 6D"), cards("4D 7D"), cards("5D 8D"))


# Pyramid 28: ... each pile's top is exposed, with the pyramid ...
def test_pyramid_28_each_pile_top_is_exposed():
    board = play(pair_board(THREE_PILES, ["2S", "6S TS"], stock="3D KD 7D"), "draw")
    assert moves(board) == {
        "TS pyramid 2.2 + 3D waste",
        "KD waste 2",
        "6S pyramid 2.1 + 7D waste 3",
    }


# Pyramid 29: ... and they may pair with each other ...
def test_pyramid_29_waste_piles_pair_with_each_other():
    board = play(pair_board(THREE_PILES, ["2S"], stock="6D 2D 7D"), "draw")
    assert moves(board) == {"6D waste + 7D waste 3"}
    play(board, "6D waste + 7D waste 3")
    assert board.state.wastes == ((), cards("2D"), ())


# Pyramid 30: ... each pile's buried card reappears by itself ...
def test_pyramid_30_piles_are_independent():
    board = play(pair_board(THREE_PILES, ["7S"], stock="6D 2D 3D KD 5D 4D"), "draw", "draw", "KD waste")
    assert board.state.wastes == (cards("6D"), cards("2D 5D"), cards("3D 4D"))
    assert moves(board) == {"7S pyramid 1.1 + 6D waste"}


# Pyramid 31: ... a short last group goes to the first piles ...
def test_pyramid_31_a_short_group_goes_to_the_first_piles():
    board = play(pair_board(THREE_PILES, ["2S"], stock="3D 4D"), "draw")
    assert board.state.wastes == (cards("3D"), cards("4D"), ())


# Pyramid 32: ... and a new pass gathers what is left in the order in which it was first dealt.
def test_pyramid_32_a_new_pass_gathers_in_first_dealt_order():
    board = pair_board(dataclasses.replace(THREE_PILES, passes=3), ["2S"], stock="3D 6D 5D KD 7C 8D QD TD")
    play(board, "draw", "draw", "KD waste", "draw", "redeal")
    assert board.state.stock == cards("3D 6D 5D 7C 8D QD TD")
    play(board, "draw", "draw", "draw")
    assert board.state.wastes == (cards("3D 7C TD"), cards("6D 8D"), cards("5D QD"))
    play(board, "redeal")  # although the piles held other cards than in the first pass
    assert board.state.stock == cards("3D 6D 5D 7C 8D QD TD")


# Pyramid 33: three waste piles go with draw=3 only, and two are none of the forms.
def test_pyramid_33_waste_piles_need_draw_3():
    with pytest.raises(InputError, match="waste_piles=3 with draw=1: expected draw=3"):
        with_rules(waste_piles=3)
    with pytest.raises(InputError, match="waste_piles=2: expected 1 or 3"):
        with_rules(waste_piles=2, draw=3)


# Pyramid 34: passes: 2, 3 and so on; a new pass turns the waste over, in the same order.
@pytest.mark.parametrize("passes", [1, 2, 3])
def test_pyramid_34_passes(passes):
    board = pair_board(with_rules(passes=passes), ["2S"], stock="3D 4D")
    for _ in range(passes - 1):
        play(board, "draw", "draw", "redeal")
        assert (board.state.stock, board.state.wastes) == (cards("3D 4D"), ((),))
    play(board, "draw", "draw")
    assert moves(board) == set()


# Pyramid 35: passes without a limit.
def test_pyramid_35_unlimited_passes():
    board = pair_board(with_rules(passes="unlimited"), ["2S"], stock="3D")
    play(board, *["draw", "redeal"] * 50, "draw")
    assert moves(board) == {"redeal"}


# Pyramid 36: a new pass waits for the stock to be empty, and needs a waste.
def test_pyramid_36_a_new_pass_needs_an_empty_stock_and_a_waste():
    rules = with_rules(passes=2)
    assert moves(pair_board(rules, ["2S"], stock="3D", waste="4D")) == {"draw"}
    assert moves(pair_board(rules, ["2S"], waste="4D")) == {"redeal"}
    assert moves(pair_board(rules, ["2S"])) == set()


# Pyramid 37: at_exhaustion is continue by default: play goes on after the last card is drawn.
def test_pyramid_37_play_goes_on_after_the_last_card():
    board = play(pair_board(PYRAMID, ["2S", "6S 5S"], stock="7D"), "draw")
    assert moves(board) == {"6S pyramid 2.1 + 7D waste"}


# Pyramid 38: stop: the game is lost at the moment the last stock card of the last pass has been turned ...
def test_pyramid_38_stop_ends_the_game_with_the_last_card():
    board = pair_board(with_rules(at_exhaustion="stop"), ["6S"], stock="3D 7D")
    play(board, "draw")
    assert moves(board) == {"draw"}
    play(board, "draw")
    assert moves(board) == set()
    assert not board.won


# Pyramid 39: ... not of an earlier pass ...
def test_pyramid_39_stop_waits_for_the_last_pass():
    board = pair_board(with_rules(at_exhaustion="stop", passes=2), ["6S"], stock="3D 7D")
    play(board, "draw", "draw")
    assert moves(board) == {"6S pyramid 1.1 + 7D waste", "redeal"}
    play(board, "redeal", "draw", "draw")
    assert moves(board) == set()


# Pyramid 40: ... never with unlimited passes ...
def test_pyramid_40_stop_never_comes_with_unlimited_passes():
    board = play(pair_board(with_rules(at_exhaustion="stop", passes="unlimited"), ["6S"], stock="7D"), "draw")
    assert moves(board) == {"6S pyramid 1.1 + 7D waste", "redeal"}


# Pyramid 41: ... unless the pyramid is gone: that is won, and with goal=all play goes on ...
def test_pyramid_41_stop_spares_a_cleared_pyramid():
    board = pair_board(with_rules(at_exhaustion="stop"), ["6S"], waste="7D", stock="3D")
    assert play(board, "6S pyramid 1.1 + 7D waste").won
    play(board, "draw")
    assert board.won
    board = pair_board(with_rules(at_exhaustion="stop", goal="all"), ["--"], stock="KD")
    play(board, "draw")
    assert moves(board) == {"KD waste"}
    assert play(board, "KD waste").won


# Pyramid 42: ... with an exposed stock card, pairing the last one away exhausts the stock too ...
def test_pyramid_42_pairing_the_last_stock_card_away_exhausts_the_stock():
    rules = dataclasses.replace(STOCK_UP, at_exhaustion="stop")
    board = pair_board(rules, ["2S", "6S 5S"], waste="8D", stock="7D")
    play(board, "6S pyramid 2.1 + 7D stock")
    assert moves(board) == set()
    board = pair_board(STOCK_UP, ["2S", "6S 5S"], waste="8D", stock="7D")
    assert moves(play(board, "6S pyramid 2.1 + 7D stock")) == {"5S pyramid 2.2 + 8D waste"}


# Pyramid 43: ... and if that pair takes the last pyramid card, the game is won.
def test_pyramid_43_the_last_pair_may_win():
    rules = dataclasses.replace(STOCK_UP, at_exhaustion="stop")
    assert play(pair_board(rules, ["6S"], stock="7D"), "6S pyramid 1.1 + 7D stock").won


# Pyramid 44: stop changes nothing while stock cards are left.
def test_pyramid_44_stop_changes_nothing_before():
    position_ = {"rows": ["2S", "6S 5S"], "waste": "7D", "stock": "3D"}
    stop = moves(pair_board(with_rules(at_exhaustion="stop"), **position_))
    assert stop == moves(pair_board(PYRAMID, **position_)) == {"6S pyramid 2.1 + 7D waste", "draw"}


# Pyramid 45: goal=all: won only when stock and waste are gone too; moves are the same.
def test_pyramid_45_goal_all():
    every = with_rules(goal="all")
    position_ = {"rows": ["6S"], "waste": "KC 7D", "stock": "KD"}
    assert moves(pair_board(every, **position_)) == moves(pair_board(PYRAMID, **position_))
    board = play(pair_board(every, **position_), "6S pyramid 1.1 + 7D waste")
    assert not board.won
    play(board, "KC waste")
    assert not board.won
    play(board, "draw")
    assert not board.won
    assert play(board, "KD waste").won


# Pyramid 46: overlap_pairs is false by default: a card does not pair with one that covers it.
def test_pyramid_46_no_overlap_pairs_by_default():
    assert moves(pair_board(PYRAMID, ["6S", "7D --"])) == set()


# Pyramid 47: overlap_pairs=true: a card may pair with the one card that still covers it ...
def test_pyramid_47_overlap_pairs():
    board = pair_board(with_rules(overlap_pairs=True), ["6S", "7D --"])
    assert moves(board) == {"6S pyramid 1.1 + 7D pyramid 2.1"}
    assert play(board, "6S pyramid 1.1 + 7D pyramid 2.1").won
    board = pair_board(with_rules(overlap_pairs=True), ["6S", "-- 7D"])
    assert moves(board) == {"6S pyramid 1.1 + 7D pyramid 2.2"}


# Pyramid 48: ... not with one of two, nor where the cover is itself covered, nor if the total is another.
@pytest.mark.parametrize("rows", [["6S", "7D 3C"], ["6S", "7D --", "2C -- --"], ["6S", "8D --"]])
def test_pyramid_48_overlap_pairs_are_narrow(rows):
    assert moves(pair_board(with_rules(overlap_pairs=True), rows)) == set()


# Pyramid 49: overlap_pairs leaves the other pairs as they are, and lets no king go from under its cover.
def test_pyramid_49_overlap_pairs_change_nothing_else():
    position_ = {"rows": ["KS", "7D --"], "waste": "6C", "stock": "7H"}
    both = [moves(pair_board(with_rules(overlap_pairs=value), **position_)) for value in (False, True)]
    assert both[0] == both[1] == {"7D pyramid 2.1 + 6C waste", "draw"}


# Pyramid 50: the defaults, and no other options.
def test_pyramid_50_defaults():
    assert load_game("pyramid").options == {
        "draw_exposed": "waste",
        "draw": 1,
        "waste_piles": 1,
        "passes": 1,
        "at_exhaustion": "continue",
        "goal": "pyramid",
        "overlap_pairs": False,
    }


# Pyramid 51: the readings that depart from the letter are named, with the letter as an option.
def test_pyramid_51_readings():
    readings = {reading.option: reading.letter for reading in load_game("pyramid").readings}
    assert readings["at_exhaustion"] == "stop"
    assert readings["passes"] == "3"
