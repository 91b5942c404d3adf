"""Cleopatra, sentence by sentence of its description, against the referee."""

from __future__ import annotations

import dataclasses
import itertools

import pytest

from solitaire_lab.cards import face_up, is_face_down, pack
from solitaire_lab.deals import Deal, deal_seed, lay_out
from solitaire_lab.errors import InputError
from solitaire_lab.referee import position
from solitaire_lab.rules import load_game
from solitaire_lab.verdicts import UNWINNABLE, WINNABLE
from tests.boards import build_board, cards, moves, play
from tests.naive import naive_verdict
from tests.small_decks import SMALL_BUILD

CLEOPATRA = load_game("cleopatra").rules
HEIGHTS = [1, 2, 3, 4, 5, 6, 7, 6, 5, 4, 3, 2, 1]


def with_rules(**options):
    return dataclasses.replace(CLEOPATRA, **options)


AUTOMATIC = with_rules(auto_foundation=True)


# The deal.


# Cleopatra 1: two decks.
def test_cleopatra_01_two_decks():
    deal = deal_seed(CLEOPATRA, 1)
    dealt = [face_up(card) for pile in deal.tableau for card in pile] + list(deal.stock)
    assert sorted(dealt) == sorted(pack() * 2)


# Cleopatra 2: thirteen columns of 1 2 3 4 5 6 7 6 5 4 3 2 1, 49 cards ...
def test_cleopatra_02_thirteen_columns():
    assert [len(pile) for pile in deal_seed(CLEOPATRA, 1).tableau] == HEIGHTS
    assert sum(HEIGHTS) == 49


# Cleopatra 3: ... dealt column by column, left to right, bottom to top.
def test_cleopatra_03_dealt_column_by_column():
    order = pack(2)
    dealt = [face_up(card) for pile in lay_out(CLEOPATRA, order).tableau for card in pile]
    assert dealt == order[:49]


# Cleopatra 4: within each column the cards alternate down and up so that the top is up ...
def test_cleopatra_04_cards_alternate_and_tops_are_up():
    for pile in deal_seed(CLEOPATRA, 1).tableau:
        down = [is_face_down(card) for card in pile]
        assert not down[-1]
        assert all(below != above for below, above in itertools.pairwise(down))


# Cleopatra 5: ... 21 down.
def test_cleopatra_05_twenty_one_down():
    assert sum(is_face_down(card) for pile in deal_seed(CLEOPATRA, 1).tableau for card in pile) == 21


# Cleopatra 6: a stock of 55 ...
def test_cleopatra_06_stock_of_55():
    order = pack(2)
    assert list(lay_out(CLEOPATRA, order).stock) == order[49:]
    assert len(order[49:]) == 55


# Cleopatra 7: ... turned one card at a time ...
def test_cleopatra_07_one_card_at_a_time():
    board = play(build_board(CLEOPATRA, ["#2C 9H"], stock="5D 4S"), "draw")
    assert (board.state.stock, board.state.waste) == (cards("4S"), cards("5D"))


# Cleopatra 8: ... in one pass.
def test_cleopatra_08_one_pass():
    board = play(build_board(CLEOPATRA, ["#2C 9H"], stock="5D"), "draw")
    assert moves(board) == set()


# Foundations.


# Cleopatra 9: eight foundations, two a suit ...
def test_cleopatra_09_eight_foundations():
    board = build_board(CLEOPATRA, ["AC", "AC"])
    assert board.state.foundations == ((0, 0),) * 4
    play(board, "AC column 1 -> foundation C", "AC column 2 -> foundation C")
    assert board.state.foundations[0] == (1, 1)


# Cleopatra 10: ... each from ace to king in suit, at its own height.
def test_cleopatra_10_both_foundations_of_a_suit_are_built():
    board = build_board(CLEOPATRA, ["6D", "3D", "6H", "5D"], foundations="5D 2D")
    assert board.state.foundations[1] == (5, 2)
    assert {text for text in moves(board) if text.endswith("foundation D")} == {
        "6D column 1 -> foundation D",
        "3D column 2 -> foundation D",
    }
    play(board, "3D column 2 -> foundation D")
    assert board.state.foundations[1] == (5, 3)


# Cleopatra 11: won with all 104 cards there.
def test_cleopatra_11_won_when_all_eight_are_full():
    tops = "KC KC KD KD KH KH KS QS"
    board = build_board(CLEOPATRA, ["KS"], foundations=tops)
    assert not board.won
    assert play(board, "KS column 1 -> foundation S").won


# Tableau.


# Cleopatra 12: down in suit, exactly one lower.
def test_cleopatra_12_down_in_suit_by_one():
    board = build_board(CLEOPATRA, ["8H", "9H", "9D", "7H", "TH"])
    assert moves(board) == {
        "8H column 1 -> column 2",
        "7H column 4 -> column 1",
        "9H column 2 -> column 5",
    }


# Cleopatra 13: one card at a time: a sequence does not move together.
def test_cleopatra_13_no_group_moves():
    assert moves(build_board(CLEOPATRA, ["#2C 8H 7H", "9H"])) == set()
    assert moves(build_board(CLEOPATRA, ["#2C 8H 7H", ""])) == {"7H column 1 -> column 2"}


# Cleopatra 14: a face-down card turns up when it is uncovered, and stays up.
def test_cleopatra_14_an_uncovered_card_turns_up():
    board = play(build_board(CLEOPATRA, ["#TD 8S", "9S", "9D"]), "8S column 1 -> column 2", "9D column 3 -> column 1")
    assert board.state.tableau[0] == cards("TD 9D")


# Cleopatra 15: any card fills a space: from tableau and waste.
def test_cleopatra_15_any_card_fills_a_space():
    assert moves(build_board(CLEOPATRA, ["#2C 8H", ""], waste="3S 5D")) == {
        "8H column 1 -> column 2",
        "5D waste -> column 2",
    }


# Cleopatra 16: the waste top is playable to tableau or foundation.
def test_cleopatra_16_the_waste_top_is_playable():
    board = build_board(CLEOPATRA, ["6D"], waste="5D 5D", foundations="4D 3D")
    assert moves(board) == {"5D waste -> column 1", "5D waste -> foundation D"}


# Cleopatra 17: a foundation's top card may return if a pile takes it: that of either foundation of its suit.
def test_cleopatra_17_tops_of_both_foundations_may_return():
    board = build_board(CLEOPATRA, ["6D", "4D", "6H"], foundations="5D 3D")
    assert {text for text in moves(board) if text.startswith(("5D", "3D"))} == {
        "5D foundation D -> column 1",
        "3D foundation D -> column 2",
    }
    play(board, "3D foundation D -> column 2")
    assert board.state.foundations[1] == (5, 2)


# The options.


# Cleopatra 18: auto_foundation is false by default: foundation moves are left to the player.
def test_cleopatra_18_foundation_moves_are_free_by_default():
    assert moves(build_board(CLEOPATRA, ["AC", "2S"], stock="3D")) == {"AC column 1 -> foundation C", "draw"}


# Cleopatra 19: auto_foundation=true: an available card that a foundation takes goes there at once.
def test_cleopatra_19_automatic_play_is_forced():
    assert moves(build_board(AUTOMATIC, ["2S", "AC"], stock="3D")) == {"AC column 2 -> foundation C"}


def automatic_moves(board):
    """Make the automatic moves that are due, and return them."""
    made = []
    while len(board.legal_moves()) == 1 and "-> foundation" in (move := board.legal_moves()[0]).text():
        made.append(move.text())
        board.apply(move)
    return made


# Cleopatra 20: it scans the tableau left to right, then the waste ...
def test_cleopatra_20_scan_order():
    board = build_board(AUTOMATIC, ["AH", "KC", "AD", "KS"], waste="AC")
    assert automatic_moves(board) == [
        "AH column 1 -> foundation H",
        "AD column 3 -> foundation D",
        "AC waste -> foundation C",
    ]


# Cleopatra 21: ... and starts again from the left after each card ...
def test_cleopatra_21_scan_starts_again_from_the_left():
    assert automatic_moves(build_board(AUTOMATIC, ["2D", "KC", "AD", "AS"])) == [
        "AD column 3 -> foundation D",
        "2D column 1 -> foundation D",  # before the ace of spades further right
        "AS column 4 -> foundation S",
    ]


# Cleopatra 22: ... until none is left, then the player moves again.
def test_cleopatra_22_until_none_is_left():
    board = build_board(AUTOMATIC, ["#KD 2C", "AC", "9H 8H"], stock="3D")
    automatic_moves(board)
    assert moves(board) == {
        "KD column 1 -> column 2",
        "8H column 3 -> column 2",
        "2C foundation C -> column 2",
        "draw",
    }


# Cleopatra 23: it runs after the deal.
def test_cleopatra_23_runs_after_the_deal():
    aces = set(cards("AC AD AH AS"))
    for seed in range(20):
        board = position(AUTOMATIC, deal_seed(AUTOMATIC, seed))
        leftmost = next((pile[-1] for pile in board.state.tableau if pile[-1] in aces), None)
        if leftmost is not None:
            assert [move.cards for move in board.legal_moves()] == [(leftmost,)]
            return
    raise AssertionError("no deal shows an ace")


# Cleopatra 24: it runs after each turn of the stock.
def test_cleopatra_24_runs_after_each_turn_of_the_stock():
    board = play(build_board(AUTOMATIC, ["KD", "2C"], stock="AC 9H"), "draw")
    assert automatic_moves(board) == ["AC waste -> foundation C", "2C column 2 -> foundation C"]


# Cleopatra 25: it runs after a tableau move, on the cards uncovered by it too.
def test_cleopatra_25_runs_after_tableau_moves():
    board = play(build_board(AUTOMATIC, ["#AC 8H", "9H"]), "8H column 1 -> column 2")
    assert automatic_moves(board) == ["AC column 1 -> foundation C"]


# Cleopatra 26: the referee refuses any other move while one is due.
def test_cleopatra_26_other_moves_are_illegal_while_one_is_due():
    board = build_board(AUTOMATIC, ["AC", "8H", "9H"])
    free = build_board(CLEOPATRA, ["AC", "8H", "9H"])
    other = next(move for move in free.legal_moves() if move.text() == "8H column 2 -> column 3")
    assert not board.is_legal(other)
    with pytest.raises(InputError, match="is not a legal move here"):
        board.apply(other)


# Cleopatra 27: a returned card goes straight back ...
def test_cleopatra_27_a_returned_card_goes_straight_back():
    board = build_board(AUTOMATIC, ["#8H 9D", ""], foundations="5D")
    before = board.state
    play(board, "5D foundation D -> column 2")
    assert moves(board) == {"5D column 2 -> foundation D"}
    play(board, "5D column 2 -> foundation D")
    assert board.state == before


def settled_states(rules, deal):
    """Return all reachable states in which no automatic move is due."""
    board = position(rules, deal)
    seen, stack, settled = {board.state}, [board.state], set()
    while stack:
        state = board.state = stack.pop()
        if board._automatic_move() is None:
            settled.add(state)
        for move in board.legal_moves():
            child = board._after(move)
            if child not in seen:
                seen.add(child)
                stack.append(child)
    return settled


# Cleopatra 28: ... so returns then change nothing: the same positions are reached without them. (Where the twin of a
# returned card lies further left, the twin goes up instead; but the twin could have moved there itself.)
@pytest.mark.parametrize("seed", range(6))
def test_cleopatra_28_returns_change_nothing_under_automatic_play(seed):
    rules = SMALL_BUILD["cleopatra, automatic"]
    deal = deal_seed(rules, seed)
    without = dataclasses.replace(rules, worrying_back=False)
    assert settled_states(rules, deal) == settled_states(without, deal)


# Cleopatra 29: automatic play can lose games: with two decks, an early move can take away the only place for the other
# copy. Here the three of the first column goes up at once, although the other two needs it to free an ace.
def test_cleopatra_29_automatic_play_can_lose_a_game():
    rules = with_rules(ranks=3, suits="C", columns=(3, 3), face_down="none")
    deal = Deal(tableau=(cards("3C 2C AC"), cards("AC 3C 2C")))
    play(
        build_board(rules, ["3C 2C AC", "AC 3C 2C"]),
        "AC column 1 -> foundation C",
        "2C column 1 -> foundation C",
        "2C column 2 -> column 1",  # onto the three that automatic play would have sent up
        "3C column 2 -> foundation C",
        "AC column 2 -> foundation C",
        "2C column 1 -> foundation C",
        "3C column 1 -> foundation C",
    )
    assert naive_verdict(rules, deal)[0] == WINNABLE
    assert naive_verdict(dataclasses.replace(rules, auto_foundation=True), deal)[0] == UNWINNABLE


# Cleopatra 30: auto_foundation changes nothing where no foundation takes an available card.
def test_cleopatra_30_automatic_play_changes_nothing_where_none_is_due():
    board = ["8H", "9H", "3C", ""]
    assert moves(build_board(AUTOMATIC, board, stock="AC")) == moves(build_board(CLEOPATRA, board, stock="AC"))


# Cleopatra 31: worrying_back, true by default; false takes away exactly the returns.
def test_cleopatra_31_worrying_back():
    columns, tops = ["6D", "9H 8H", "9H", ""], "5D 2D"
    true = moves(build_board(CLEOPATRA, columns, foundations=tops))
    false = moves(build_board(with_rules(worrying_back=False), columns, foundations=tops))
    assert true - false == {
        "5D foundation D -> column 1",
        "5D foundation D -> column 4",
        "2D foundation D -> column 4",
    }
    assert false < true


# Cleopatra 32: return_to_space, true by default; false takes away exactly the returns to spaces.
def test_cleopatra_32_return_to_space():
    columns, tops = ["6D", "9H 8H", "9H", ""], "5D 2D"
    true = moves(build_board(CLEOPATRA, columns, foundations=tops))
    false = moves(build_board(with_rules(return_to_space=False), columns, foundations=tops))
    assert true - false == {"5D foundation D -> column 4", "2D foundation D -> column 4"}
    assert false < true


# Cleopatra 33: passes, 1 by default; 2 gives one new pass, in the same order.
def test_cleopatra_33_passes():
    board = play(build_board(with_rules(passes=2), ["#2C 9H"], stock="5D 4S"), "draw", "draw", "redeal")
    assert board.state.stock == cards("5D 4S")
    play(board, "draw", "draw")
    assert moves(board) == set()


# Cleopatra 34: draw, 1 by default; 2 turns two at once.
def test_cleopatra_34_draw():
    board = play(build_board(with_rules(draw=2), ["#2C 9H"], stock="5D 4S 3H"), "draw")
    assert board.state.waste == cards("5D 4S")


# Cleopatra 35: the defaults, and no other options.
def test_cleopatra_35_defaults():
    assert load_game("cleopatra").options == {
        "auto_foundation": False,
        "worrying_back": True,
        "return_to_space": True,
        "passes": 1,
        "draw": 1,
    }


# Cleopatra 36: the reading that departs from the letter is named, with the letter as an option.
def test_cleopatra_36_reading():
    assert [(reading.option, reading.letter) for reading in load_game("cleopatra").readings] == [
        ("auto_foundation", "true")
    ]
