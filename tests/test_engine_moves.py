"""The engines' moves are the referee's, over random play of every game, preset and option."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solitaire_lab.cards import is_face_down, pack
from solitaire_lab.deals import deal_from_json, deal_seed, deal_to_json
from solitaire_lab.engine.build import layout
from solitaire_lab.engine.build.dominance import ALL, FREE_RUNS
from solitaire_lab.engine.build.generator import legal_moves as build_legal_moves
from solitaire_lab.engine.build.hashing import hash_afresh
from solitaire_lab.engine.build.layout import FOUNDATION, LENGTH, MAX_PILE, NEXT, PILES, SUM, WASTE_TOP
from solitaire_lab.engine.build.moves import is_won as build_is_won
from solitaire_lab.engine.build.moves import make, take_back
from solitaire_lab.engine.build.stock_ahead import plays_ahead
from solitaire_lab.engine.pair.moves import after
from solitaire_lab.engine.pair.moves import is_won as pair_is_won
from solitaire_lab.engine.pair.moves import legal_moves as pair_legal_moves
from solitaire_lab.engine.shuffle import shuffle_packs
from solitaire_lab.referee import position
from solitaire_lab.rules import BuildRules, PairRules, Rules, catalogue_keys, load_game
from solitaire_lab.shuffles import MASK64, native
from solitaire_lab.translate import BuildTranslator, PairTranslator, has_free_runs
from tests.small_decks import SMALL_DECKS

BUILD_OPTIONS: list[tuple[str, dict[str, object]]] = [
    ("klondike", {"draw": 2, "passes": 2}),
    ("klondike", {"draw": 13, "passes": "unlimited", "return_to_space": False, "worrying_back": True}),
    ("klondike", {"spaces": "any", "group": "whole"}),
    ("klondike", {"spaces": "none", "build": "same_suit"}),
    ("klondike", {"build": "any_suit", "group": "single"}),
    ("stonewall", {"worrying_back": False}),
    ("stonewall", {"return_to_space": False, "spaces": "kings"}),
    ("stonewall", {"group": "whole"}),
    ("stonewall", {"group": "single", "spaces": "none"}),
    ("cleopatra", {"auto_foundation": True}),
    ("cleopatra", {"worrying_back": False, "draw": 3, "passes": 2}),
    ("cleopatra", {"return_to_space": False, "passes": "unlimited"}),
]
PAIR_OPTIONS: list[dict[str, object]] = [
    {"draw_exposed": "waste_and_stock"},
    {"draw_exposed": "waste"},
    {"draw": 2, "passes": 2},
    {"draw": 3, "waste_piles": 3, "passes": 3},
    {"draw": 3, "waste_piles": 3, "passes": "unlimited", "draw_exposed": "waste_and_stock"},
    {"at_exhaustion": "stop"},
    {"at_exhaustion": "stop", "passes": 2, "draw_exposed": "waste_and_stock"},
    {"goal": "all", "overlap_pairs": True, "passes": "unlimited"},
]


def all_variants() -> dict[str, Rules]:
    """Return every catalogue game and preset, each option at other values, and all reduced games."""
    variants: dict[str, Rules] = {key: load_game(key).rules for key in catalogue_keys()}
    for key, options in BUILD_OPTIONS:
        variants[f"{key} {options}"] = load_game(key).with_options(options).rules
    for key in ("pyramid", "cheops"):
        for options in PAIR_OPTIONS:
            variants[f"{key} {options}"] = load_game(key).with_options(options).rules
    return variants | SMALL_DECKS


VARIANTS = all_variants()
BUILD = {name: rules for name, rules in VARIANTS.items() if isinstance(rules, BuildRules)}
PAIR = {name: rules for name, rules in VARIANTS.items() if isinstance(rules, PairRules)}
seeds = st.integers(0, MASK64)
choices = st.lists(st.integers(0, 2**31), min_size=1, max_size=120)


def build_snapshot(board: np.ndarray, cards: np.ndarray, hashes: np.ndarray) -> tuple[object, ...]:
    """Return all that a position is: counters, links, cards, hashes of columns and fingerprint, but no scratch."""
    piles = [
        cards[PILES + c * MAX_PILE : PILES + c * MAX_PILE + board[LENGTH + c]].tolist()
        for c in range(board[layout.N_COLUMNS])
    ]
    words, room = int(layout.PREFIX_WORDS), int(layout.MAX_PILE + 1)
    prefixes = hashes[layout.PREFIX : layout.PREFIX + layout.MAX_COLUMNS * room * words].reshape(-1, room, words)
    links = board[NEXT : layout.BOUND].tolist()
    return (
        board[WASTE_TOP:FOUNDATION].tolist(),
        board[FOUNDATION:NEXT].tolist(),
        links,
        piles,
        [prefixes[c, : len(pile) + 1].tolist() for c, pile in enumerate(piles)],
        hashes[SUM : SUM + 2].tolist(),
    )


@pytest.mark.parametrize("name", BUILD)
@settings(max_examples=6)
@given(seed=seeds, picks=choices)
def test_build_moves_are_the_referees_and_are_taken_back_exactly(name: str, seed: int, picks: list[int]) -> None:
    rules = BUILD[name]
    deal = deal_seed(rules, seed)
    referee = position(rules, deal)
    translator = BuildTranslator(rules)
    board, cards, hashes = translator.encode(deal)
    found = np.zeros(2 * layout.MAX_MOVES, np.int32)
    played = []
    for pick in picks:
        count = build_legal_moves(board, cards, hashes, found, 0)
        moves = [translator.moves(int(code), referee.state)[0] for code in found[:count]]
        legal = referee.legal_moves()
        assert len(moves) == len(legal)
        assert set(moves) == set(legal)
        assert build_is_won(board) == referee.won
        if not moves:
            break
        code = found[pick % count]
        before = build_snapshot(board, cards, hashes)
        played.append((code, make(board, cards, hashes, code), before))
        referee.apply(moves[pick % count])
    for code, undo, before in reversed(played):
        take_back(board, cards, hashes, code, undo)
        hashes[SUM : SUM + 2] = before[-1]  # the search keeps the fingerprints of its path
        assert build_snapshot(board, cards, hashes) == before
    before = build_snapshot(board, cards, hashes)
    hash_afresh(board, cards, hashes)
    assert build_snapshot(board, cards, hashes) == before


AHEAD = [name for name, rules in BUILD.items() if rules.stock_size and not rules.auto_foundation]


@pytest.mark.parametrize("name", AHEAD)
@settings(max_examples=2)
@given(seed=seeds, picks=choices)
def test_plays_ahead_are_all_that_turns_bring_up(name: str, seed: int, picks: list[int]) -> None:
    """Each is its turns and the play, is taken back exactly, and none is missing that the referee comes to."""
    rules = BUILD[name]
    deal = deal_seed(rules, seed)
    referee = position(rules, deal)
    translator = BuildTranslator(rules, 0)
    board, cards, hashes = translator.encode(deal)
    found = np.zeros(2 * layout.MAX_MOVES, np.int32)
    for pick in picks:
        count = build_legal_moves(board, cards, hashes, found, 0)
        if not count:
            break
        (move,) = translator.moves(int(found[pick % count]), referee.state)
        make(board, cards, hashes, found[pick % count])
        referee.apply(move)
    count = build_legal_moves(board, cards, hashes, found, 0)
    start = build_snapshot(board, cards, hashes)
    end = plays_ahead(board, cards, hashes, found, 0, count)
    plays = set()
    for code in found[:end].tolist():
        *turns, play = translator.moves(code, referee.state)
        one_by_one = board.copy(), cards.copy(), hashes.copy()
        for move in turns:
            make(*one_by_one, layout.TURN_STOCK if move.kind == "draw" else layout.REDEAL)
        make(*one_by_one, code & ~(127 << 4) if turns else code)
        undo = make(board, cards, hashes, code)
        assert build_snapshot(board, cards, hashes) == build_snapshot(*one_by_one)
        take_back(board, cards, hashes, code, undo)
        hashes[SUM : SUM + 2] = start[-1]
        assert build_snapshot(board, cards, hashes) == start
        for move in [*turns, play]:
            referee.apply(move)
        for _ in [*turns, play]:
            referee.undo()
        if play.kind.startswith("waste"):
            plays.add(play)
    expected = set()
    for _ in range(2 * rules.pack_size):
        legal = {move.kind: move for move in referee.legal_moves()}
        expected |= {move for move in referee.legal_moves() if move.kind.startswith("waste")}
        turn = legal.get("draw") or legal.get("redeal")
        if not turn:
            break
        referee.apply(turn)
    assert plays == expected


def class_of(rules: BuildRules, columns: tuple[tuple[int, ...], ...]) -> object:
    """Return what free runs tell apart: each column up to the head of its run, and the cards that lie in runs."""
    fixed, attached = [], []
    for pile in columns:
        head = len(pile) - 1
        while head > 0 and not is_face_down(pile[head - 1]) and follows(pile[head - 1], pile[head], rules):
            head -= 1
        fixed.append(pile[: head + 1])
        attached += pile[head + 1 :]
    return tuple(sorted(fixed)), tuple(sorted(attached))


def follows(upper: int, lower: int, rules: BuildRules) -> bool:
    if upper // 4 != lower // 4 + 1:
        return False
    if rules.build == "same_suit":
        return upper % 4 == lower % 4
    return rules.build == "any_suit" or (upper % 4 in (1, 2)) != (lower % 4 in (1, 2))


def unanswered(board: np.ndarray, columns: tuple[tuple[int, ...], ...]) -> object:
    """Return the cards whose lifts are unanswered: that from the reserve, and those from foundations."""
    lifted = [pile[-1] for column, pile in enumerate(columns) if int(board[layout.LIFTED]) >> column & 1]
    return columns[board[layout.WAITING] - 1][-1] if board[layout.WAITING] else None, tuple(sorted(lifted))


@pytest.mark.parametrize("free", [False, True])
@pytest.mark.parametrize("name", BUILD)
@settings(max_examples=3)
@given(seed=seeds, picks=choices)
def test_fingerprints_tell_positions_apart_and_only_them(name: str, free: bool, seed: int, picks: list[int]) -> None:
    """Two positions on a path have the same fingerprint if and only if they are the same up to the symmetries."""
    rules = BUILD[name]
    if free and not has_free_runs(rules):
        return
    deal = deal_seed(rules, seed)
    referee = position(rules, deal)
    translator = BuildTranslator(rules, ALL if free else ALL & ~FREE_RUNS)
    board, cards, hashes = translator.encode(deal)
    found = np.zeros(2 * layout.MAX_MOVES, np.int32)
    by_state: dict[object, tuple[int, int]] = {}
    for pick in picks:
        state = referee.state
        columns: object = state.tableau if rules.auto_foundation else tuple(sorted(state.tableau))
        if free:
            columns = class_of(rules, state.tableau)
        reserve = tuple(sorted(state.reserve))
        number = 1 if rules.passes == "unlimited" else state.pass_number
        key = (columns, reserve, state.stock, state.waste, state.foundations, number, unanswered(board, state.tableau))
        fingerprint = (int(hashes[SUM]), int(hashes[SUM + 1]))
        assert by_state.setdefault(key, fingerprint) == fingerprint
        count = build_legal_moves(board, cards, hashes, found, 0)
        if not count:
            break
        code = found[pick % count]
        (move,) = translator.moves(int(code), state)
        make(board, cards, hashes, code)
        referee.apply(move)
    assert len(set(by_state.values())) == len(by_state)
    # The other direction: a fingerprint made afresh from the referee's own position is the one kept move by move,
    # but for the stock cards taken, which only the moves know.
    if not rules.stock_size:
        kept = hashes[SUM : SUM + 2].copy()
        hash_afresh(board, cards, hashes)
        assert (kept == hashes[SUM : SUM + 2]).all()


@pytest.mark.parametrize("name", PAIR)
@settings(max_examples=6)
@given(seed=seeds, picks=choices)
def test_pair_moves_are_the_referees(name: str, seed: int, picks: list[int]) -> None:
    rules = PAIR[name]
    deal = deal_seed(rules, seed)
    referee = position(rules, deal)
    # Without the dominances, of which some change what counts as one position: not the rules' business.
    translator = PairTranslator(rules, 0)
    numbers, masks, root = translator.encode(deal)
    low, high = root
    found = np.zeros(4096, np.int32)
    by_words: dict[tuple[int, int], object] = {}
    for pick in picks:
        count = pair_legal_moves(numbers, masks, np.uint64(low), np.uint64(high), found, 0)
        moves = [translator.moves(int(code), referee.state)[0] for code in found[:count]]
        legal = referee.legal_moves()
        assert len(moves) == len(legal)
        assert set(moves) == set(legal)
        assert pair_is_won(masks, np.uint64(low)) == referee.won
        state = referee.state
        number = 1 if rules.passes == "unlimited" else state.pass_number
        key = (state.pyramid, state.reserve, state.stock, state.wastes, number)
        assert by_words.setdefault((int(low), int(high)), key) == key  # exact: the words tell all positions apart
        if not moves:
            break
        # Discards stand first; taking them often leads deeper than turning the stock.
        chosen = 0 if pick % 3 == 0 else pick % count
        low, high = after(numbers, masks, np.uint64(low), np.uint64(high), found[chosen])
        referee.apply(moves[chosen])
    assert len(set(by_words.values())) == len(by_words)  # canonical: equal positions have equal words


@pytest.mark.parametrize("name", ["klondike-standard", "stonewall", "cleopatra", "pyramid", "cheops"])
@settings(max_examples=10)
@given(seed=seeds, picks=choices)
def test_a_position_in_mid_game_is_encoded_as_the_deal_it_came_from(name: str, seed: int, picks: list[int]) -> None:
    """Written as a deal line and read again, a position has the moves that the referee sees."""
    from solitaire_lab.deals import Deal

    rules = VARIANTS[name]
    referee = position(rules, deal_seed(rules, seed))
    for pick in picks[:40]:
        if legal := referee.legal_moves():
            referee.apply(legal[pick % len(legal)])
    state = referee.state
    if isinstance(rules, PairRules):
        deal = Deal(pyramid=state.pyramid, reserve=state.reserve, stock=state.stock, waste=state.wastes[0])
    else:
        up = [4 * r + s for s, heights in enumerate(state.foundations) for h in heights for r in range(1, h + 1)]
        reserve = tuple((card,) for card in state.reserve if card)
        deal = Deal(state.tableau, (), reserve, state.stock, state.waste, tuple(up))
    again = deal_from_json(deal_to_json(deal, rules), rules)
    fresh = position(rules, again)
    found = np.zeros(2 * layout.MAX_MOVES, np.int32)
    if isinstance(rules, PairRules):
        pair = PairTranslator(rules, 0)
        numbers, masks, root = pair.encode(again)
        count = pair_legal_moves(numbers, masks, root[0], root[1], found, 0)
        moves = {pair.moves(int(code), fresh.state)[0] for code in found[:count]}
    else:
        build = BuildTranslator(rules)
        board, cards, hashes = build.encode(again)
        count = build_legal_moves(board, cards, hashes, found, 0)
        moves = {build.moves(int(code), fresh.state)[0] for code in found[:count]}
    assert moves == set(fresh.legal_moves())


@settings(max_examples=50)
@given(numbers=st.lists(seeds, min_size=1, max_size=8), decks=st.sampled_from([1, 2]))
def test_the_compiled_shuffle_is_the_python_one(numbers: list[int], decks: int) -> None:
    orders = shuffle_packs(np.array(numbers, np.uint64), np.array(pack(decks), np.uint8))
    assert orders.tolist() == [native(seed, decks, 13, "CDHS") for seed in numbers]
