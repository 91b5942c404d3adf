"""What every game of the catalogue must do, whatever its rules."""

from __future__ import annotations

import json
import random
import re
from collections import Counter

import pytest

from solitaire_lab.cards import NO_CARD, card_name, face_up, pack
from solitaire_lab.deals import deal_from_json, deal_seed, deal_to_json, is_start
from solitaire_lab.referee import Move, position, replay
from solitaire_lab.referee.build import BuildState
from solitaire_lab.rules import UNLIMITED, catalogue_keys, load_game
from solitaire_lab.rules.language import ranges, show_value

KEYS = catalogue_keys()
every_game = pytest.mark.parametrize("key", KEYS)


def cards_of_deal(deal):
    piles = (*deal.tableau, *deal.pyramid, *deal.reserve, deal.stock, deal.waste, deal.foundations)
    return Counter(face_up(card) for pile in piles for card in pile if card != NO_CARD)


def cards_of_state(state):
    """Count the cards of a state, those on the foundations included."""
    if isinstance(state, BuildState):
        piles = (*state.tableau, state.reserve, state.stock, state.waste)
        played = [4 * rank + suit for suit in range(4) for top in state.foundations[suit] for rank in range(1, top + 1)]
    else:
        piles, played = (*state.pyramid, *state.reserve, state.stock, *state.wastes), []
    return Counter(face_up(card) for pile in piles for card in pile if card != NO_CARD) + Counter(played)


def playout(board, seed, length=80):
    """Make random moves, and yield each with the state before it."""
    choice = random.Random(seed)
    for _ in range(length):
        if not (options := board.legal_moves()):
            return
        move, before = choice.choice(options), board.state
        board.apply(move)
        yield move, before


def test_the_core_games_are_there():
    core = {"klondike", "klondike-3x3", "klondike-standard", "klondike-draw1"}
    assert core | {"stonewall", "cleopatra", "pyramid", "cheops"} <= set(KEYS)


@every_game
def test_deals_use_the_pack_exactly(key):
    rules = load_game(key).rules
    wanted = Counter(pack(getattr(rules, "decks", 1), rules.ranks, rules.suits))
    for seed in (0, 1, 2**64 - 1):
        assert cards_of_deal(deal_seed(rules, seed)) == wanted


@every_game
def test_a_seed_gives_one_deal_and_other_seeds_others(key):
    rules = load_game(key).rules
    assert deal_seed(rules, 5) == deal_seed(rules, 5)
    assert len({deal_seed(rules, seed) for seed in range(50)}) == 50


@every_game
def test_deals_round_trip_through_json(key):
    rules = load_game(key).rules
    for seed in range(5):
        deal = deal_seed(rules, seed)
        assert is_start(deal, rules)
        assert deal_from_json(json.loads(json.dumps(deal_to_json(deal, rules))), rules) == deal


@every_game
def test_playouts_keep_every_card(key):
    rules = load_game(key).rules
    for seed in range(3):
        board = position(rules, deal_seed(rules, seed))
        before = cards_of_state(board.state)
        for move, _ in playout(board, seed):
            after = cards_of_state(board.state)
            gone = Counter(move.cards) if move.kind == "discard" else Counter()
            assert before - gone == after, move.text()
            assert before.total() - gone.total() == after.total()
            before = after


@every_game
def test_undo_restores_every_state(key):
    rules = load_game(key).rules
    for seed in range(3):
        board = position(rules, deal_seed(rules, seed))
        states = [before for _, before in playout(board, seed)]
        assert states
        for state in reversed(states):
            board.undo()
            assert board.state == state


@every_game
def test_legal_moves_are_legal_distinct_and_lead_elsewhere(key):
    rules = load_game(key).rules
    board = position(rules, deal_seed(rules, 4))
    for _ in playout(board, 4, length=40):
        options = board.legal_moves()
        assert len(set(options)) == len(options)
        here = board.state
        for move in options:
            board.apply(move)
            assert board.state != here
            board.undo()
            assert board.state == here


@every_game
def test_moves_round_trip_through_json_and_replay(key):
    rules = load_game(key).rules
    deal = deal_seed(rules, 6)
    board = position(rules, deal)
    played = [move for move, _ in playout(board, 6)]
    read = [Move.from_json(json.loads(json.dumps(move.to_json()))) for move in played]
    assert read == played
    assert replay(rules, deal, read).state == board.state


@every_game
def test_no_stock_is_gone_through_too_often(key):
    rules = load_game(key).rules
    board = position(rules, deal_seed(rules, 7))
    redeals = 0
    while len(board.state.stock) or Move("redeal") in board.legal_moves():
        turn = next((move for move in board.legal_moves() if move.kind in ("draw", "redeal")), board.legal_moves()[0])
        redeals += turn.kind == "redeal"
        board.apply(turn)
        if redeals == 5:
            break
    if rules.stock_size:
        assert redeals == (5 if rules.passes == UNLIMITED else rules.passes - 1)


@every_game
def test_text_shows_every_card(key):
    rules = load_game(key).rules
    board = position(rules, deal_seed(rules, 8))
    for _ in playout(board, 8, length=30):
        shown = Counter(re.findall(r"\b[A2-9TJQK][CDHS]\b", board.text()))
        state = board.state
        tops = [4 * top + suit for suit in range(4) for top in getattr(state, "foundations", ((),) * 4)[suit] if top]
        played = [card for top in tops for card in range(4 + top % 4, top, 4)]  # only the top is shown
        held = cards_of_state(state)
        held.subtract(played)
        assert shown == Counter({card_name(card): count for card, count in held.items() if count})


@every_game
def test_games_say_what_show_needs(key):
    game = load_game(key)
    assert (game.reference, game.key) == (key, key)
    assert game.name
    assert game.summary.endswith(".")
    assert game.family == game.rules.family
    assert load_game(game.base).rules.columns == game.rules.columns if game.family == "build" else True
    assert set(game.option_names) <= set(ranges(type(game.rules)))
    for name, value in game.options.items():
        assert f"{name}={show_value(value)}" in game.options_text()
        assert game.with_options({name: show_value(value)}) == game
    for reading in game.readings:
        assert reading.note
        assert reading.letter != show_value(load_game(game.base).options[reading.option])
        game.with_options({reading.option: reading.letter})


@pytest.mark.parametrize("family", ["build", "pair"])
def test_every_rule_has_a_meaning(family):
    from solitaire_lab.rules.catalogue import FAMILIES

    for field in FAMILIES[family].__dataclass_fields__.values():
        if "range" in field.metadata:
            assert field.metadata["doc"]
            assert field.metadata["range"].holds(field.default)
