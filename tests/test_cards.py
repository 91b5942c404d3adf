"""Cards as numbers and as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solitaire_lab.cards import (
    CARD_CODES,
    FACE_DOWN,
    KING,
    NO_CARD,
    RANKS,
    SUITS,
    card_name,
    card_names,
    face_up,
    is_face_down,
    is_red,
    make_card,
    pack,
    parse_card,
    rank_of,
    suit_of,
)
from solitaire_lab.errors import InputError, near


def test_codes_are_four_times_the_rank_plus_the_suit():
    assert make_card(1, 0) == 4
    assert make_card(13, 3) == 55 < CARD_CODES
    assert NO_CARD not in pack()
    for card in pack():
        assert make_card(rank_of(card), suit_of(card)) == card


def test_names_and_codes_round_trip():
    for card in pack():
        assert parse_card(card_name(card)) == card
        assert parse_card(card_name(card | FACE_DOWN)) == card | FACE_DOWN
    assert [card_name(card) for card in (4, 41, 55)] == ["AC", "TD", "KS"]


@pytest.mark.parametrize(
    ("text", "name"),
    [("as", "AS"), (" TH ", "TH"), ("10H", "TH"), ("10h", "TH"), ("#10D", "#TD"), ("#5h", "#5H"), ("kc", "KC")],
)
def test_other_spellings_are_read(text, name):
    assert card_name(parse_card(text)) == name


@pytest.mark.parametrize("text", ["", "1H", "H5", "5", "5X", "11H", "100H", "10", "##5H", "5H#", "5 H", "Joker", "TT"])
def test_what_names_no_card_is_refused(text):
    with pytest.raises(InputError) as caught:
        parse_card(text, "line 3: tableau, pile 2, card 1")
    assert str(caught.value).startswith(f"line 3: tableau, pile 2, card 1: {text!r} is not a card; expected a rank of")


@pytest.mark.parametrize("value", [None, 5, 5.0, True, ["5H"], {}])
def test_what_is_no_text_is_refused(value):
    with pytest.raises(InputError, match="expected a card such as 'TH', got"):
        parse_card(value)


@given(text=st.text(max_size=5))
def test_any_text_is_a_card_or_bad_input(text):
    try:
        card = parse_card(text)
    except InputError:
        return
    assert face_up(card) in pack()


def test_face_down_is_a_mark_on_the_code():
    card = parse_card("#QH")
    assert is_face_down(card)
    assert not is_face_down(face_up(card))
    assert (rank_of(card), suit_of(card), is_red(card)) == (12, 2, True)
    assert card_names([card, face_up(card)]) == "#QH QH"


def test_diamonds_and_hearts_are_red():
    assert [is_red(make_card(7, suit)) for suit in range(4)] == [False, True, True, False]


def test_a_pack_stands_suit_by_suit_from_ace_to_king():
    assert card_names(pack()).split() == [rank + suit for suit in SUITS for rank in RANKS]
    assert pack(2) == pack() * 2
    assert card_names(pack(ranks=2, suits="SD")) == "AD 2D AS 2S"
    assert len(set(pack())) == 4 * KING


def test_near_match():
    assert near("klondyke", ["klondike", "cheops"]) == "; did you mean 'klondike'?"
    assert near("zzz", ["klondike", "cheops"]) == ""
