"""Deals: laying out a pack, reading and writing deal lines, and what is said about bad ones."""

from __future__ import annotations

import copy
import dataclasses
import functools
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solitaire_lab.cards import NO_CARD, card_names, face_up, is_face_down, pack
from solitaire_lab.deals import Deal, deal_from_json, deal_seed, deal_to_json, is_start, lay_out
from solitaire_lab.errors import InputError
from solitaire_lab.referee import position
from solitaire_lab.rules import BuildRules, PairRules, load_game
from tests.boards import cards
from tests.small_decks import SMALL_DECKS

KLONDIKE = load_game("klondike").rules
STONEWALL = load_game("stonewall").rules
PYRAMID = load_game("pyramid").rules
GIZA = PairRules(pair_total=13, reserves=(3,) * 8, goal="all")


def line_of(rules, seed=1):
    """Return the deal line of a numbered deal, as it comes out of ``json``."""
    return json.loads(json.dumps(deal_to_json(deal_seed(rules, seed), rules)))


def refusal(data, rules, where="line 7"):
    with pytest.raises(InputError) as caught:
        deal_from_json(data, rules, where)
    return str(caught.value)


# Laying out.


def test_klondike_is_dealt_row_by_row_over_the_columns_that_still_take_a_card():
    order = pack()
    tableau = lay_out(KLONDIKE, order).tableau
    rows = [[face_up(pile[row]) for pile in tableau if len(pile) > row] for row in range(7)]
    assert [card for row in rows for card in row] == order[:28]
    assert [face_up(pile[0]) for pile in tableau] == order[:7]  # left to right
    assert lay_out(KLONDIKE, order).stock == tuple(order[28:])  # first turned first


def test_rows_skip_the_columns_that_are_full():
    rules = BuildRules(columns=(1, 3, 2), deal_by="rows")
    tableau = lay_out(rules, pack()).tableau
    assert tableau == (cards("AC"), cards("2C 4C 6C"), cards("3C 5C"))


def test_columns_are_dealt_bottom_to_top():
    rules = BuildRules(columns=(1, 3, 2), deal_by="columns")
    assert lay_out(rules, pack()).tableau == (cards("AC"), cards("2C 3C 4C"), cards("5C 6C"))


@pytest.mark.parametrize(
    ("face_down", "column"),
    [("none", "AC 2C 3C 4C"), ("all_but_top", "#AC #2C #3C 4C"), ("alternate", "#AC 2C #3C 4C")],
)
def test_face_down_cards(face_down, column):
    assert lay_out(BuildRules(columns=(4,), face_down=face_down), pack()).tableau == (cards(column),)


def test_alternating_columns_end_with_an_upturned_card():
    tableau = lay_out(BuildRules(columns=(1, 2, 3), face_down="alternate", deal_by="columns"), pack()).tableau
    assert tableau == (cards("AC"), cards("#2C 3C"), cards("4C #5C 6C"))


def test_pyramid_and_its_stock():
    deal = lay_out(PYRAMID, pack())
    assert deal.pyramid[:3] == (cards("AC"), cards("2C 3C"), cards("4C 5C 6C"))
    assert deal.stock == tuple(pack()[28:])


def test_pair_reserves_are_dealt_first_pile_by_pile():
    deal = lay_out(GIZA, pack())
    assert deal.reserve[:2] == (cards("AC 2C 3C"), cards("4C 5C 6C"))
    assert deal.pyramid[0] == (pack()[24],)


# Writing and reading.


@pytest.mark.parametrize("rules", [*SMALL_DECKS.values(), GIZA])
def test_starts_round_trip(rules):
    for seed in range(3):
        deal = deal_seed(rules, seed)
        assert deal_from_json(json.loads(json.dumps(deal_to_json(deal, rules))), rules) == deal


def test_a_start_line_has_no_marks_and_no_waste():
    line = line_of(KLONDIKE)
    assert set(line) == {"tableau", "stock"}
    assert "#" not in json.dumps(line)
    assert [len(pile) for pile in line["tableau"]] == [1, 2, 3, 4, 5, 6, 7]
    assert set(line_of(STONEWALL)) == {"tableau", "reserve", "stock"}
    assert isinstance(line_of(STONEWALL)["reserve"][0], str)
    assert set(line_of(PYRAMID)) == {"pyramid", "stock"}
    assert set(line_of(GIZA)) == {"pyramid", "reserve", "stock"}
    assert isinstance(line_of(GIZA)["reserve"][0], list)


def test_which_cards_are_down_follows_from_the_rules():
    deal = deal_from_json(line_of(STONEWALL), STONEWALL)
    assert [[is_face_down(card) for card in pile] for pile in deal.tableau] == [[True, False] * 3] * 6


def test_empty_waste_and_foundations_do_not_make_a_position_in_midgame():
    line = {**line_of(KLONDIKE), "waste": [], "foundations": [], "cells": [], "reserve": []}
    assert deal_from_json(line, KLONDIKE) == deal_seed(KLONDIKE, 1)


def test_ten_may_be_written_with_two_digits_and_letters_small():
    line = line_of(KLONDIKE)
    text = json.dumps(line).replace('"T', '"10')
    assert text != json.dumps(line)
    assert deal_from_json(json.loads(text), KLONDIKE) == deal_seed(KLONDIKE, 1)
    assert deal_from_json(json.loads(json.dumps(line).lower()), KLONDIKE) == deal_seed(KLONDIKE, 1)


def test_the_fields_of_a_verdict_are_ignored():
    line = {**line_of(KLONDIKE), "id": "x", "game": "klondike", "options": {"draw": 3}, "verdict": "winnable"}
    line |= {"schema": 1, "reason": None, "stage": "x", "states": 5, "seconds": 0.1, "moves": [], "deal": {}}
    assert deal_from_json(line, KLONDIKE) == deal_seed(KLONDIKE, 1)


def midgame_of(rules, seed, length):
    """Return the deal that is the position after some moves of a numbered deal."""
    board = position(rules, deal_seed(rules, seed))
    for _ in range(length):
        board.apply(board.legal_moves()[0])
    state = board.state
    if isinstance(rules, PairRules):
        return Deal(pyramid=state.pyramid, reserve=state.reserve, stock=state.stock, waste=state.wastes[0])
    played = (4 * rank + suit for suit in range(4) for top in state.foundations[suit] for rank in range(1, top + 1))
    return Deal(
        tableau=state.tableau,
        reserve=tuple((card,) for card in state.reserve if card != NO_CARD),
        stock=state.stock,
        waste=state.waste,
        foundations=tuple(played),
    )


@pytest.mark.parametrize("key", ["klondike", "stonewall", "cleopatra", "pyramid", "cheops"])
@pytest.mark.parametrize("length", [1, 2, 5])
def test_positions_in_midgame_round_trip(key, length):
    rules = load_game(key).rules
    deal = midgame_of(rules, 2, length)
    assert not is_start(deal, rules)
    line = json.loads(json.dumps(deal_to_json(deal, rules)))
    assert {"waste", "foundations"} <= set(line)
    assert deal_from_json(line, rules) == deal


MIDGAME = {
    "tableau": [["KH"], ["#QH", "KD"], [], ["QD", "JS"], ["KS"], ["#KC", "QS"], []],
    "foundations": [rank + suit for suit in "CDHS" for rank in "A23456789T"] + ["JC", "QC", "JD", "JH"],
}


def test_marks_say_which_cards_of_a_midgame_position_are_down():
    deal = deal_from_json(MIDGAME, KLONDIKE)
    assert [card_names(pile) for pile in deal.tableau] == ["KH", "#QH KD", "", "QD JS", "KS", "#KC QS", ""]
    assert (deal.stock, deal.waste) == ((), ())
    assert position(KLONDIKE, deal).state.foundations == ((12,), (11,), (11,), (10,))


def test_a_mark_alone_makes_a_midgame_position():
    line = line_of(STONEWALL)
    line["tableau"][0][0] = "#" + line["tableau"][0][0]
    deal = deal_from_json(line, STONEWALL)
    assert sum(is_face_down(card) for pile in deal.tableau for card in pile) == 1


def test_pyramid_gaps_are_null_and_discarded_cards_may_miss():
    line = line_of(PYRAMID)
    line["pyramid"][6][0] = line["pyramid"][6][1] = None
    assert refusal(line, PYRAMID).startswith("line 7: missing 2 cards: ")
    line["waste"] = []
    deal = deal_from_json(line, PYRAMID)
    assert deal.pyramid[6][:2] == (NO_CARD, NO_CARD)
    assert deal_from_json(deal_to_json(deal, PYRAMID), PYRAMID) == deal


def test_reserve_cards_may_come_as_piles():
    line = line_of(STONEWALL)
    line["reserve"] = [[card] for card in line["reserve"]]
    assert deal_from_json(line, STONEWALL) == deal_seed(STONEWALL, 1)


# Bad lines: what, where, and what was expected.


@pytest.mark.parametrize("data", [None, 3, "deal", [], [{}], True])
def test_a_line_that_is_no_object(data):
    assert refusal(data, KLONDIKE).startswith("line 7: expected a JSON object with the piles of a deal, got ")


def test_an_unknown_entry():
    line = {**line_of(KLONDIKE), "tabelau": []}
    assert refusal(line, KLONDIKE) == "line 7: unknown entry 'tabelau'; did you mean 'tableau'?"


def test_a_missing_entry():
    assert refusal({"stock": []}, KLONDIKE) == "line 7: tableau is missing; expected a list of piles"
    assert refusal({"stock": []}, PYRAMID) == "line 7: pyramid is missing; expected a list of piles"


def test_entries_of_the_other_family():
    assert refusal(line_of(KLONDIKE), PYRAMID) == "line 7: tableau: a pair game has none"
    assert refusal(line_of(PYRAMID), KLONDIKE) == "line 7: tableau is missing; expected a list of piles"
    assert refusal({**line_of(KLONDIKE), "pyramid": [["AC"]]}, KLONDIKE) == "line 7: pyramid: a build game has none"
    assert refusal({**line_of(PYRAMID), "foundations": ["AC"]}, PYRAMID) == "line 7: foundations: a pair game has none"
    assert refusal({**line_of(KLONDIKE), "cells": ["AC"]}, KLONDIKE) == "line 7: cells: this game has none"


def test_a_misspelt_card():
    line = line_of(KLONDIKE)
    line["tableau"][2][1] = "1H"
    assert refusal(line, KLONDIKE).startswith("line 7: tableau, pile 3, card 2: '1H' is not a card; expected a rank")
    line = line_of(KLONDIKE)
    line["stock"][4] = None
    assert refusal(line, KLONDIKE).startswith("line 7: stock, card 5: expected a card such as 'TH', got None")
    line = line_of(STONEWALL)
    line["reserve"][15] = 5
    assert refusal(line, STONEWALL).startswith("line 7: reserve, card 16: expected a card such as 'TH', got 5")


def test_a_duplicate_card():
    line = line_of(KLONDIKE)
    line["stock"][0] = line["tableau"][0][0]
    assert refusal(line, KLONDIKE) == f"line 7: stock: duplicate card {line['stock'][0]}; expected 1 of it"
    cleopatra = load_game("cleopatra").rules
    line = line_of(cleopatra)
    line["stock"][:3] = ["AC", "AC", "AC"]
    assert refusal(line, cleopatra).endswith("stock: duplicate card AC; expected 2 of it")


def test_a_missing_card():
    line = line_of(KLONDIKE)
    missing = [line["stock"].pop(), line["stock"].pop()]
    names = " ".join(card for card in card_names(pack()).split() if card in missing)
    assert refusal(line, KLONDIKE) == f"line 7: missing 2 cards: {names}"
    line = line_of(PYRAMID)
    assert refusal({**line, "stock": line["stock"][:-1]}, PYRAMID) == f"line 7: missing 1 card: {line['stock'][-1]}"


def test_a_card_that_the_pack_does_not_have():
    rules = SMALL_DECKS["klondike"]
    line = line_of(rules)
    line["stock"][0] = "KH"
    assert refusal(line, rules) == "line 7: stock: KH; not a card of this game's pack"


def test_a_column_of_the_wrong_size():
    line = line_of(KLONDIKE)
    line["tableau"][0].append(line["tableau"][6].pop())
    assert refusal(line, KLONDIKE) == "line 7: tableau column 1 (cards) has 2, expected 1"


def test_a_missing_column():
    line = line_of(KLONDIKE)
    line["stock"] += line["tableau"].pop()
    assert refusal(line, KLONDIKE) == "line 7: tableau (columns) has 6, expected 7"


def test_a_stock_and_a_reserve_of_the_wrong_size():
    line = line_of(STONEWALL)
    line["stock"].append(line["reserve"].pop())
    assert refusal(line, STONEWALL) == "line 7: reserve (cards) has 15, expected 16"
    line = line_of(GIZA)
    line["reserve"][0].append(line["reserve"][1].pop())
    assert refusal(line, GIZA) == "line 7: reserve pile 1 (cards) has 4, expected 3"
    line = line_of(GIZA)
    line["reserve"][0] += line["reserve"].pop()
    assert refusal(line, GIZA) == "line 7: reserve (piles) has 7, expected 8"


def test_a_row_of_the_wrong_size():
    line = line_of(PYRAMID)
    line["pyramid"][0].append(line["pyramid"][6].pop())
    assert refusal(line, PYRAMID) == "line 7: pyramid row 1 (cards) has 2, expected 1"
    line = line_of(PYRAMID)
    line["stock"] += line["pyramid"].pop()
    assert refusal(line, PYRAMID) == "line 7: pyramid (rows) has 6, expected 7"


def test_piles_in_midgame_are_no_larger_than_play_can_make_them():
    """Stock, waste and reserve only lose cards; a column grows by a run at most."""
    line = {**line_of(KLONDIKE), "waste": []}
    line["stock"].append(line["tableau"][6].pop())
    assert refusal(line, KLONDIKE) == "line 7: stock (cards) has 25, expected at most 24"
    line["waste"].append(line["stock"].pop())
    assert refusal(line, KLONDIKE) == "line 7: stock and waste (cards) has 25, expected at most 24"
    line = {**line_of(STONEWALL), "waste": []}
    line["reserve"].append(line["tableau"][5].pop())
    assert refusal(line, STONEWALL) == "line 7: reserve (cards) has 17, expected at most 16"
    line = {"tableau": [card_names(pack()[:20]).split(), *[[] for _ in range(6)]], "waste": [], "stock": []}
    line["stock"] = card_names(pack()[20:44]).split()
    line["tableau"][0] += card_names(pack()[44:]).split()
    assert refusal(line, KLONDIKE) == "line 7: tableau column 1 has 28 cards, more than play can bring there"


def test_marks_where_no_card_lies_face_down():
    line = line_of(KLONDIKE)
    line["stock"][0] = "#" + line["stock"][0]
    assert refusal(line, KLONDIKE).endswith("is marked face down, which only a tableau card can be")
    line = line_of(KLONDIKE)
    line["tableau"][0][0] = "#" + (card := line["tableau"][0][0])
    assert refusal(line, KLONDIKE) == f"line 7: tableau column 1: its top card #{card} is marked face down"
    line = line_of(PYRAMID)
    line["pyramid"][0][0] = "#" + line["pyramid"][0][0]
    assert refusal(line, PYRAMID).endswith("is marked face down, which only a tableau card can be")


def test_foundations_have_no_holes():
    data = copy.deepcopy(MIDGAME)
    data["foundations"].remove("5C")
    data["tableau"][2] = ["5C"]
    assert refusal(data, KLONDIKE) == "line 7: foundations: 6C lies there without 5C below it"


def test_no_pyramid_card_floats():
    line = {**line_of(PYRAMID), "waste": []}
    line["pyramid"][3][1] = None
    assert refusal(line, PYRAMID) == "line 7: pyramid row 4, card 2 is gone, but a card still covers its place"


@pytest.mark.parametrize("name", ["tableau", "reserve", "stock", "waste", "foundations"])
@pytest.mark.parametrize("value", [3, "AC", {"0": "AC"}, [{}], True, [[["AC"]]]])
def test_piles_of_the_wrong_kind(name, value):
    assert refusal({**line_of(STONEWALL), name: value}, STONEWALL).startswith(f"line 7: {name}")


# Fuzzing: a line is a deal or bad input, never a crash.

FUZZED = ["klondike", "klondike-standard", "stonewall", "cleopatra", "pyramid", "cheops"]
CARD_TEXTS = st.one_of(st.sampled_from(card_names(pack()).split()), st.sampled_from(["#5H", "10H", "1H", "", "--"]))
JSON_VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-3, 60), st.floats(), CARD_TEXTS, st.text(max_size=3)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=3), inner, max_size=2)),
    max_leaves=8,
)
ENTRIES = ["tableau", "pyramid", "reserve", "stock", "waste", "foundations", "cells", "id", "game", "options"]


def deal_or_none(data, rules):
    """Read a line; if it is a deal, check that it is whole and that play can begin."""
    try:
        deal = deal_from_json(data, rules)
    except InputError:
        return None
    piles = (*deal.tableau, *deal.pyramid, *deal.reserve, deal.stock, deal.waste, deal.foundations)
    held = sorted(face_up(card) for pile in piles for card in pile if card != NO_CARD)
    if isinstance(rules, BuildRules):
        assert held == sorted(pack(rules.decks))
    else:
        assert len(set(held)) == len(held)
    for move in (board := position(rules, deal)).legal_moves():
        board.apply(move)
        board.undo()
    assert deal_from_json(json.loads(json.dumps(deal_to_json(deal, rules))), rules) == deal
    return deal


@given(data=JSON_VALUES)
def test_any_json_is_bad_input(data):
    for key in FUZZED:
        assert deal_or_none(data, load_game(key).rules) is None


@given(data=st.dictionaries(st.sampled_from(ENTRIES), JSON_VALUES))
def test_any_piles_are_bad_input_or_a_deal(data):
    for key in FUZZED:
        deal_or_none(data, load_game(key).rules)


@functools.cache
def fuzz_lines(key):
    rules = load_game(key).rules
    return json.dumps([line_of(rules), deal_to_json(midgame_of(rules, 2, 5), rules)])


def piles_within(data):
    """Return all lists of a line that hold cards."""
    found = []
    for value in data.values():
        if isinstance(value, list):
            found += [value, *(pile for pile in value if isinstance(pile, list))]
    return found


@settings(max_examples=400)
@given(key=st.sampled_from(FUZZED), midgame=st.booleans(), draw=st.data())
def test_mutated_lines_are_bad_input_or_a_deal(key, midgame, draw):
    rules = load_game(key).rules
    line = json.loads(fuzz_lines(key))[midgame]
    for _ in range(draw.draw(st.integers(1, 3))):
        piles = piles_within(line)
        pile = piles[draw.draw(st.integers(0, len(piles) - 1))]
        place = draw.draw(st.integers(0, max(0, len(pile) - 1)))
        change = draw.draw(st.sampled_from(["move", "swap", "mark", "drop", "put", "entry", "lose"]))
        other = piles[draw.draw(st.integers(0, len(piles) - 1))]
        if change == "entry":
            line[draw.draw(st.sampled_from(ENTRIES))] = draw.draw(JSON_VALUES)
        elif change == "lose":
            line.pop(draw.draw(st.sampled_from(sorted(line)))) if len(line) > 1 else None
        elif change == "put":
            pile.insert(place, draw.draw(JSON_VALUES))
        elif not pile:
            continue
        elif change == "drop":
            pile.pop(place)
        elif change == "mark" and isinstance(pile[place], str):
            pile[place] = "#" + pile[place]
        elif change == "move" and other is not pile and other is not pile[place]:
            other.append(pile.pop(place))
        elif change == "swap" and other and isinstance(pile[place], str) and isinstance(other[-1], str):
            pile[place], other[-1] = other[-1], pile[place]
    deal_or_none(line, rules)


def test_deals_are_frozen_and_hashable():
    deal = deal_seed(KLONDIKE, 1)
    assert len({deal, deal_seed(KLONDIKE, 1), deal_seed(KLONDIKE, 2)}) == 2
    with pytest.raises(dataclasses.FrozenInstanceError):
        deal.stock = ()


@pytest.mark.parametrize("name", SMALL_DECKS)
def test_any_position_reached_by_play_is_written_and_read_again(name):
    """Also one that looks like a start but for its cards being up, and one without a pyramid."""
    rules = SMALL_DECKS[name]
    generator = random.Random(name)
    for seed in range(5):
        board = position(rules, deal_seed(rules, seed))
        for _ in range(generator.randrange(30)):
            if legal := board.legal_moves():
                board.apply(generator.choice(legal))
        state = board.state
        if isinstance(rules, PairRules):
            if rules.waste_piles > 1:  # a line's flat waste cannot say what lies in which of three piles
                return
            deal = Deal(pyramid=state.pyramid, reserve=state.reserve, stock=state.stock, waste=state.wastes[0])
        else:
            up = [4 * r + s for s, heights in enumerate(state.foundations) for h in heights for r in range(1, h + 1)]
            reserve = tuple((card,) for card in state.reserve if card)
            deal = Deal(state.tableau, (), reserve, state.stock, state.waste, tuple(up))
        assert deal_from_json(json.loads(json.dumps(deal_to_json(deal, rules))), rules) == deal


def test_a_position_like_a_start_with_all_cards_up_is_told_from_the_start():
    rules = BuildRules(ranks=8, suits="C", columns=(4, 1, 3), face_down="all_but_top", build="any_suit")
    up = Deal(tableau=((8, 28, 24, 20), (32,), (4, 12, 16)))
    assert deal_from_json(deal_to_json(up, rules), rules) == up
    assert deal_to_json(up, rules)["midgame"] is True


def test_pair_games_without_a_pyramid():
    rules = PairRules(ranks=3, suits="CD", pyramid=0, reserves=(2, 2), pair_total=3, goal="all")
    deal = deal_seed(rules, 1)
    assert deal_from_json(deal_to_json(deal, rules), rules) == deal
    line = {"reserve": deal_to_json(deal, rules)["reserve"], "stock": deal_to_json(deal, rules)["stock"]}
    assert deal_from_json(line, rules) == deal
