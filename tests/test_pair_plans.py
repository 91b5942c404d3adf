"""The pair engine's rules about plans, beyond the small decks: random rules, matchings, and lines made of plans."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from solitaire_lab.deals import deal_seed
from solitaire_lab.engine.pair import dominance, layout
from solitaire_lab.engine.pair.matching import cannot_all_pair
from solitaire_lab.engine.table import NOTHING_NEW, insert_set, insert_timed, move_values
from solitaire_lab.errors import InputError
from solitaire_lab.rules import UNLIMITED, PairRules, load_game
from solitaire_lab.solver import Solver
from solitaire_lab.verdicts import Budget

LAYOUTS = ["#.#.# .#.# ..#", "..#...#.. .#.#.#.#. #.#.#.#.#", "#.#.# #.#.# #.#.#", ".#.#.#. #.#.#.# .#.#.#. ..#.#.."]
PACKS = [(4, "CDHS"), (5, "CDHS"), (6, "CDH"), (7, "CDHS")]


def random_rules(choice: random.Random) -> PairRules:
    """Return rules of a small pair game, all options mixed."""
    while True:
        ranks, suits = choice.choice(PACKS)
        drawn = choice.choice(LAYOUTS) if choice.random() < 0.3 else ""
        kind = choice.choice(["total", "total", "steps", "both"])
        draw = choice.choice([1, 1, 1, 2, 3])
        try:
            return PairRules(
                ranks=ranks,
                suits=suits,
                pyramid=0 if drawn else choice.choice([3, 4, 5]),
                layout=drawn,
                reserves=choice.choice([(), (), (2,), (3, 1)]),
                pair_total=choice.choice([ranks, ranks, ranks - 1, ranks + 1]) if kind != "steps" else 0,
                pair_steps=choice.choice([(0, 1), (1,), (0,), (2,)]) if kind != "total" else (),
                pair_wrap=choice.random() < 0.2,
                draw=draw,
                waste_piles=3 if draw == 3 and choice.random() < 0.5 else 1,
                passes=choice.choice([1, 1, 2, 3, UNLIMITED]),
                draw_exposed=choice.choice(["waste", "waste_and_stock"]),
                at_exhaustion=choice.choice(["continue", "continue", "stop"]),
                goal=choice.choice(["pyramid", "pyramid", "all"]),
                overlap_pairs=choice.random() < 0.3,
            )
        except InputError:  # more cards than the pack has, or a draw that it does not allow
            continue


@pytest.mark.parametrize("number", range(8))
def test_random_rules(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With all dominances and with some of them a search says what it says with none, under whatever rules."""
    monkeypatch.setattr("solitaire_lab.portfolio.FIRST_QUOTA", 30)
    monkeypatch.setattr("solitaire_lab.portfolio.LOOK_QUOTA", 15)
    choice = random.Random(number)
    compared = 0
    for _ in range(25):
        rules = random_rules(choice)
        some = sum(1 << place for place in range(8) if choice.random() < 0.5)
        plain = Solver(rules, Budget(100_000), dominances=0)
        solvers = [Solver(rules), Solver(rules, dominances=some)]
        for _ in range(4):
            deal = deal_seed(rules, choice.randrange(2**40))
            wanted = plain.solve(deal).verdict
            if wanted == "undecided":
                break
            compared += 1
            assert [solver.solve(deal).verdict for solver in solvers] == [wanted] * 2, (rules, deal, some)
    assert compared > 50


def brute_force(edges: list[set[int]], must: set[int]) -> bool:
    """Say whether a matching covers all of `must`, by trying every partner of each."""
    if not must:
        return True
    card = min(must)
    for other in edges[card]:
        rest = [{c for c in others if c not in (card, other)} for others in edges]
        if brute_force(rest, must - {card, other}):
            return True
    return False


def test_matchings_are_found_wherever_there_are_any() -> None:
    choice = random.Random(1)
    masks = np.zeros(layout.MASKS_SIZE, np.uint64)
    masks[layout.MATE : layout.MATE + 64] = layout.NOBODY  # kept from graph to graph, as from position to position
    found = []
    for _ in range(3000):
        size = choice.randint(3, 9)
        edges: list[set[int]] = [set() for _ in range(size)]
        for one, other in itertools.combinations(range(size), 2):
            if choice.random() < 0.35:
                edges[one].add(other)
                edges[other].add(one)
        must = {card for card in range(size) if choice.random() < 0.8}
        for card in range(size):
            masks[layout.FEASIBLE + card] = sum(1 << other for other in edges[card])
        masks[layout.GOAL] = sum(1 << card for card in must)
        dead = cannot_all_pair(masks, np.uint64(2**size - 1))
        assert dead != brute_force(edges, must), (edges, must)
        found.append(dead)
    assert 500 < sum(found) < 2500


def test_a_cheops_deal_without_a_matching_is_lost_at_the_root() -> None:
    """Without the matchings a million positions do not exhaust it."""
    rules = load_game("cheops").rules
    verdict = Solver(rules).solve(deal_seed(rules, 76))
    assert (verdict.verdict, verdict.states) == ("unwinnable", 1)
    without = Solver(rules, Budget(20_000), dominances=int(dominance.ALL & ~dominance.NO_MATCHING))
    assert without.solve(deal_seed(rules, 76)).verdict == "undecided"


def test_a_table_keeps_the_smallest_set_and_the_least_time() -> None:
    table, one, low = np.zeros(32, np.uint64), np.uint64(1), np.uint64(15)
    assert insert_set(table, one, np.uint64(0b0110)) == 0b0110
    assert insert_set(table, one, np.uint64(0b1110)) == NOTHING_NEW
    assert insert_set(table, one, np.uint64(0b1100)) == 0b0100  # what neither search kept to is left out of both
    assert insert_set(table, one, np.uint64(0b0101)) == NOTHING_NEW
    time = np.uint64(16)
    timed = np.zeros(32, np.uint64)
    assert insert_timed(timed, one, 5 * time | np.uint64(0b0110), low) == 0b0110
    assert insert_timed(timed, one, 6 * time | np.uint64(0b0110), low) == NOTHING_NEW
    assert insert_timed(timed, one, 4 * time | np.uint64(0b1010), low) == 0b0010
    assert insert_timed(timed, one, 5 * time | np.uint64(0b0001), low) == 0b0001  # covers nothing, is not covered
    larger = np.zeros(64, np.uint64)
    move_values(timed, larger)
    assert insert_timed(larger, one, 5 * time | np.uint64(0b1001), low) == NOTHING_NEW


def test_a_plan_is_played_at_once() -> None:
    """Where the stock comes round without end, a solution redeals no more than its discards need."""
    rules = load_game("pyramid").with_options(passes="unlimited").rules
    solver = Solver(rules)
    for seed in range(1, 30):
        moves = solver.solve(deal_seed(rules, seed)).moves or ()
        kinds = [move.kind for move in moves]
        assert kinds.count("redeal") <= 8
        if kinds:
            assert kinds[-1] == "discard"
