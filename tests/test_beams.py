"""Beam searches: what they weigh, what they keep, and that they always do the same."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from solitaire_lab.deals import deal_from_json, deal_seed
from solitaire_lab.engine.build import beam, evaluate, layout
from solitaire_lab.engine.build.dominance import ALL, ANSWERED_LIFTS
from solitaire_lab.engine.build.generator import legal_moves
from solitaire_lab.engine.build.layout import LENGTH, MAX_PILE, PILES, SUM
from solitaire_lab.engine.build.moves import make
from solitaire_lab.engine.build.snapshot import load, save, snapshot_bytes
from solitaire_lab.portfolio import Weights, searches
from solitaire_lab.rules import BuildRules, load_game
from solitaire_lab.solver import Solver
from solitaire_lab.translate import BuildTranslator
from solitaire_lab.verdicts import Budget

GAMES = ["stonewall", "cleopatra", "flower-garden", "forty-thieves", "thieves-of-egypt"]


def build_rules(key: str) -> BuildRules:
    rules = load_game(key).rules
    assert isinstance(rules, BuildRules)
    return rules


def test_weights_stand_where_the_engine_looks_for_them() -> None:
    names = [field.name for field in dataclasses.fields(Weights)]
    assert [getattr(evaluate, name.upper()) for name in names] == list(range(len(names)))
    assert len(names) == evaluate.N_WEIGHTS


def features(line: dict[str, object], rules: BuildRules) -> dict[str, int]:
    """Return how often each feature of a position is counted."""
    translator = BuildTranslator(rules)
    board, cards, hashes = translator.encode(deal_from_json(line, rules))
    counts = {}
    for place, field in enumerate(dataclasses.fields(Weights)):
        weights = np.zeros(evaluate.N_WEIGHTS, np.int64)
        weights[place] = 1
        if found := int(evaluate.evaluate(board, cards, hashes, weights)[0]):
            counts[field.name] = found
    return counts


def test_features_are_counted_as_they_are_described() -> None:
    rules = BuildRules(ranks=4, columns=(4, 3, 1, 0), reserve=2, passes=2, worrying_back=True)
    tableau = [["#2C", "4D", "3S", "2D"], ["4H", "4C", "3C"], ["AH"], []]
    line = {
        "tableau": tableau,
        "reserve": ["AD", "3D"],
        "waste": ["2H", "3H", "AC"],
        "stock": ["4S"],
        "foundations": ["AS", "2S"],
    }
    assert features(line, rules) == {
        "on_foundation": 2,
        "built": 2,  # 3S on 4D, 2D on 3S; not 3C on 4C
        "on_lower": 1,  # 4D on 2C; 3S and 2D are built
        "on_lower_in_suit": 1,  # 3H on 2H in the waste
        "on_next": 1,  # 2D on 3S
        "space": 1,
        "hidden": 1,
        "in_reserve": 2,
        "in_stock": 1,
        "in_waste": 3,
        "mobile": 1,  # AH on 2D
    }


def kind(line: dict[str, object], rules: BuildRules) -> int:
    translator = BuildTranslator(rules)
    board, cards, hashes = translator.encode(deal_from_json(line, rules))
    return int(evaluate.evaluate(board, cards, hashes, np.zeros(evaluate.N_WEIGHTS, np.int64))[1])


def test_positions_are_of_one_kind_if_the_same_cards_lie_on_cards_that_do_not_take_them() -> None:
    rules = BuildRules(ranks=4, columns=(4, 3, 1, 0), reserve=2, worrying_back=True)
    rest = {"reserve": ["AD", "3D"], "stock": ["2H", "3H", "AC", "4S", "AH"], "foundations": ["AS", "2S"]}
    one = kind({**rest, "tableau": [["2C", "4D", "3S", "2D"], ["4H", "3C"], ["4C"], []]}, rules)
    moved = {**rest, "tableau": [["2C", "4D", "3C"], ["4H", "3S", "2D"], [], ["4C"]]}
    assert kind(moved, rules) == one
    assert kind({**moved, "tableau": [["4C"], ["4H", "3S", "2D"], [], ["2C", "4D", "3C"]]}, rules) == one
    assert kind({**moved, "tableau": [["2C"], ["4H", "3S", "2D"], ["4D", "3C"], ["4C"]]}, rules) != one
    assert kind({**moved, "tableau": [["4D", "2C"], ["4H", "3S", "2D"], ["3C"], ["4C"]]}, rules) != one


def test_of_many_alike_the_better_ones_keep_their_scores() -> None:
    """Of one kind the best keeps its score, the next two lose the penalty, the next four lose it twice."""
    scores = [90, 50, 80, 70, 60, 40]
    kinds = [7, 7, 7, 8, 7, 7]
    candidates = np.array([[0, 0, score, kind] for score, kind in zip(scores, kinds, strict=True)], np.int32).ravel()
    counts = np.zeros(beam.N_SCORES, np.int64)
    for score in scores:
        counts[score] += 1
    order = np.zeros(len(scores), np.int64)
    beam.thin_out(candidates, len(scores), order, np.zeros(2**8, np.int32), counts, np.int64(15))
    assert order.tolist() == [0, 2, 3, 4, 1, 5]
    thinned = candidates[2::4].tolist()
    assert thinned == [90, 20, 65, 70, 45, 10]
    assert {score: int(counts[score]) for score in np.flatnonzero(counts)} == dict.fromkeys(thinned, 1)


@pytest.mark.parametrize("key", GAMES)
def test_a_snapshot_is_the_whole_position(key: str) -> None:
    """What comes after a position that was loaded again is what came after it before."""
    rules = build_rules(key)
    generator = np.random.default_rng(1)
    translator = BuildTranslator(rules, ALL & ~ANSWERED_LIFTS)  # beams know nothing of lifts
    board, cards, hashes = translator.encode(deal_seed(rules, 1))
    kept = np.zeros(2 * snapshot_bytes(board), np.uint8)
    sums = np.zeros(4, np.uint64)
    found = np.zeros(2 * layout.MAX_MOVES, np.int32)

    def go_on(steps: int, seed: int) -> list[object]:
        """Play at random; return each position's cards and fingerprint."""
        choices = np.random.default_rng(seed)
        seen: list[object] = []
        for _ in range(steps):
            count = legal_moves(board, cards, hashes, found, 0)
            if not count:
                break
            make(board, cards, hashes, found[choices.integers(count)])
            piles = [
                cards[PILES + c * MAX_PILE : PILES + c * MAX_PILE + board[LENGTH + c]].tolist()
                for c in range(board[layout.N_COLUMNS])
            ]
            seen.append((piles, board[layout.WASTE_TOP], board[layout.RESERVE_LEFT], hashes[SUM : SUM + 2].tolist()))
        return seen

    for _ in range(4):
        go_on(int(generator.integers(1, 20)), int(generator.integers(100)))
        save(board, cards, hashes, kept, np.int64(0), sums, np.int64(0))
        before = go_on(30, 7)
        load(board, cards, hashes, kept, np.int64(0), sums, np.int64(0))
        assert go_on(30, 7) == before
        load(board, cards, hashes, kept, np.int64(0), sums, np.int64(0))


def test_a_larger_budget_decides_what_a_smaller_one_does() -> None:
    rules = build_rules("flower-garden")
    for seed in range(1, 12):
        deal = deal_seed(rules, seed)
        small = Solver(rules, Budget(max_states=40_000)).solve(deal)
        large = Solver(rules, Budget(max_states=80_000)).solve(deal)
        if small.verdict != "undecided":
            assert dataclasses.replace(small, seconds=0, stages=()) == dataclasses.replace(large, seconds=0, stages=())


@pytest.mark.parametrize("key", GAMES)
def test_each_beam_differs_from_the_others_and_none_from_deal_to_deal(key: str) -> None:
    rules = build_rules(key)
    found = [search for search, _ in zip(searches(rules, 0, "build"), range(40), strict=False) if search.beam]
    assert len({search.beam for search in found}) == len(found) > 10
    again = [search for search, _ in zip(searches(rules, 0, "build"), range(40), strict=False) if search.beam]
    assert found == again
