"""Moves as text and as JSON, and a referee that is not fooled by odd ones."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solitaire_lab.deals import deal_seed
from solitaire_lab.errors import InputError
from solitaire_lab.referee import IllegalMoveError, Move, position, replay
from solitaire_lab.referee.moves import KINDS
from solitaire_lab.rules import load_game
from tests.boards import build_board, cards, pair_board

STONEWALL = load_game("stonewall").rules
PYRAMID = load_game("pyramid").rules

EXAMPLES = [
    (
        Move("tableau-to-foundation", cards("4C"), (("tableau", 3),), ("foundation", "C")),
        {"kind": "tableau-to-foundation", "cards": ["4C"], "from": ["tableau", 3], "to": ["foundation", "C"]},
        "4C column 4 -> foundation C",
    ),
    (
        Move("tableau-to-tableau", cards("KH QS"), (("tableau", 0),), ("tableau", 1)),
        {"kind": "tableau-to-tableau", "cards": ["KH", "QS"], "from": ["tableau", 0], "to": ["tableau", 1]},
        "KH+QS column 1 -> column 2",
    ),
    (
        Move("reserve-to-tableau", cards("TD"), (("reserve", 5),), ("tableau", 1)),
        {"kind": "reserve-to-tableau", "cards": ["TD"], "from": ["reserve", 5], "to": ["tableau", 1]},
        "TD reserve 6 -> column 2",
    ),
    (
        Move("foundation-to-tableau", cards("TD"), (("foundation", "D"),), ("tableau", 1)),
        {"kind": "foundation-to-tableau", "cards": ["TD"], "from": ["foundation", "D"], "to": ["tableau", 1]},
        "TD foundation D -> column 2",
    ),
    (
        Move("discard", cards("9H 4C"), (("pyramid", 6, 2), ("waste", 0))),
        {"kind": "discard", "cards": ["9H", "4C"], "from": [["pyramid", 6, 2], ["waste", 0]]},
        "9H pyramid 7.3 + 4C waste",
    ),
    (
        Move("discard", cards("KC"), (("stock", 0),)),
        {"kind": "discard", "cards": ["KC"], "from": [["stock", 0]]},
        "KC stock",
    ),
    (Move("draw"), {"kind": "draw"}, "draw"),
    (Move("redeal"), {"kind": "redeal"}, "redeal"),
]


@pytest.mark.parametrize(("move", "data", "text"), EXAMPLES, ids=lambda value: value if isinstance(value, str) else "")
def test_move_as_json_and_as_text(move, data, text):
    assert move.to_json() == data
    assert Move.from_json(json.loads(json.dumps(data))) == move
    assert move.text() == text


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (None, "move: expected a move, an object with a kind, got None"),
        ([], "expected a move"),
        ({}, "expected a move"),
        ({"kind": "draws"}, "unknown kind of move 'draws'; did you mean 'draw'?"),
        ({"kind": "discard"}, "cards: expected a list of cards"),
        ({"kind": "discard", "cards": []}, "cards: expected a list of cards"),
        ({"kind": "discard", "cards": ["1H"], "from": [["stock", 0]]}, "'1H' is not a card"),
        ({"kind": "discard", "cards": ["KH"], "from": ["stock", 0]}, "a place for each of the 1 cards"),
        ({"kind": "discard", "cards": ["KH"], "from": [["pyramid", 3]]}, "expected a place such as"),
        ({"kind": "discard", "cards": ["KH"], "from": [["stok", 0]]}, "expected a place such as"),
        ({"kind": "tableau-to-foundation", "cards": ["KH"], "from": ["tableau", 1]}, "to: expected a place such as"),
        (
            {"kind": "foundation-to-tableau", "cards": ["KH"], "from": ["foundation", "X"], "to": ["tableau", 1]},
            "from: expected a place such as",
        ),
        (
            {"kind": "foundation-to-tableau", "cards": ["KH"], "from": ["foundation", ""], "to": ["tableau", 1]},
            "from: expected a place such as",
        ),
        (
            {"kind": "tableau-to-foundation", "cards": ["KH"], "from": ["tableau", True], "to": ["foundation", "H"]},
            "from: expected a place such as",
        ),
        (
            {"kind": "tableau-to-foundation", "cards": ["KH"], "from": ["tableau", 1, 2], "to": ["foundation", "H"]},
            "from: expected a place such as",
        ),
    ],
)
def test_what_is_no_move_is_refused(data, message):
    with pytest.raises(InputError) as caught:
        Move.from_json(data)
    assert message in str(caught.value)


PLACES = st.lists(
    st.one_of(
        st.sampled_from(["tableau", "foundation", "waste", "reserve", "stock", "pyramid", "C", ""]),
        st.integers(-2, 60),
        st.none(),
        st.booleans(),
    ),
    max_size=4,
)
ODD_MOVES = st.fixed_dictionaries(
    {"kind": st.sampled_from([*KINDS, "jump"])},
    optional={
        "cards": st.lists(st.sampled_from(["AC", "TH", "#5H", "10D", "x"]), max_size=3),
        "from": st.one_of(PLACES, st.lists(PLACES, max_size=3)),
        "to": PLACES,
    },
)


@given(data=ODD_MOVES)
def test_odd_moves_are_refused_and_change_nothing(data):
    """Reading and making any move either works or raises InputError, and what is made can be taken back."""
    for key in ("klondike-standard", "stonewall", "cheops"):
        rules = load_game(key).rules
        board = position(rules, deal_seed(rules, 1))
        before = board.state
        try:
            move = Move.from_json(data)
            board.apply(move)
        except InputError:
            assert board.state == before
        else:
            assert board.state != before
            board.undo()
            assert board.state == before


def test_a_move_with_extra_numbers_or_letters_is_illegal():
    board = build_board(STONEWALL, ["4C", "5D"], foundations="4H")
    assert board.is_legal(Move("tableau-to-tableau", cards("4C"), (("tableau", 0),), ("tableau", 1)))
    assert not board.is_legal(Move("tableau-to-tableau", cards("4C"), (("tableau", 0, 7),), ("tableau", 1)))
    assert not board.is_legal(Move("tableau-to-tableau", cards("4C"), (("tableau", -2),), ("tableau", 1)))
    assert not board.is_legal(Move("tableau-to-tableau", cards("4S"), (("tableau", 0),), ("tableau", 1)))
    board = build_board(STONEWALL, ["5S"], foundations="4H")
    assert board.is_legal(Move("foundation-to-tableau", cards("4H"), (("foundation", "H"),), ("tableau", 0)))
    assert not board.is_legal(Move("foundation-to-tableau", cards("4H"), (("foundation", "HS"),), ("tableau", 0)))


def test_an_illegal_move_leaves_the_position_unchanged():
    board = pair_board(PYRAMID, ["2S", "6C 7C"])
    before = board.state
    with pytest.raises(IllegalMoveError, match="draw is not a legal move here"):
        board.apply(Move("draw"))
    assert board.state == before
    with pytest.raises(IndexError):
        board.undo()


def test_replay_names_the_first_illegal_move():
    rules = load_game("klondike").rules
    deal = deal_seed(rules, 1)
    with pytest.raises(IllegalMoveError, match="move 3, redeal, is not legal there"):
        replay(rules, deal, [Move("draw"), Move("draw"), Move("redeal"), Move("draw")])
    assert len(replay(rules, deal, [Move("draw")] * 24).state.waste) == 24
    assert not replay(rules, deal, []).won
