"""The solver: certificates, budgets, interruption, and the verdicts of other solvers."""

from __future__ import annotations

import dataclasses
import json
import signal
import threading
from pathlib import Path

import numpy as np
import pytest

from solitaire_lab.deals import Deal, deal_from_json, deal_seed
from solitaire_lab.engine import bits
from solitaire_lab.engine.table import insert, move_keys
from solitaire_lab.referee import replay
from solitaire_lab.rules import PairRules, load_game
from solitaire_lab.solver import CertificateError, Solver, Stop, warm_up
from solitaire_lab.verdicts import Budget
from tests.naive import naive_verdict

VECTORS = [json.loads(line) for line in (Path(__file__).parent / "data" / "klondike.jsonl").read_text().splitlines()]
CORE = [
    "klondike",
    "klondike-3x3",
    "klondike-standard",
    "klondike-draw1",
    "stonewall",
    "cleopatra",
    "pyramid",
    "cheops",
]


def check_vectors(lines: list[dict[str, object]], budget: Budget) -> int:
    """Solve vector lines; a decided verdict must be theirs. Return how many were decided."""
    decided = 0
    solvers: dict[str, Solver] = {}
    for line in lines:
        game = load_game(str(line["game"])).with_options(line["options"])  # type: ignore[arg-type]
        solver = solvers.setdefault(game.options_text(), Solver(game.rules, budget))
        verdict = solver.solve(deal_from_json(line, game.rules, str(line["id"])))
        if verdict.verdict != "undecided":
            decided += 1
            assert verdict.verdict == line["verdict"], line["id"]
    return decided


def test_published_klondike_verdicts_are_never_contradicted_sample() -> None:
    sample = VECTORS[::10]
    assert check_vectors(sample, Budget(max_states=20_000)) > len(sample) * 4 // 5


def test_published_flower_garden_verdicts_are_never_contradicted() -> None:
    lines = (Path(__file__).parent / "data" / "others.jsonl").read_text().splitlines()
    gardens = [line for line in map(json.loads, lines) if line["game"] == "flower-garden"]
    assert len(gardens) == 10
    check_vectors(gardens, Budget(max_states=100_000))


@pytest.mark.slow
def test_all_published_klondike_verdicts_are_reached() -> None:
    """Solvitaire's seeds 1-500, draw 1 and draw 3: every one decided, none otherwise than published."""
    assert check_vectors(VECTORS, Budget(max_states=30_000_000)) == len(VECTORS) == 1000


@pytest.mark.parametrize("key", CORE)
def test_solutions_are_replayed_to_the_win(key: str) -> None:
    rules = load_game(key).rules
    solver = Solver(rules, Budget(max_states=30_000))
    won = 0
    for seed in range(1, 60):
        deal = deal_seed(rules, seed)
        verdict = solver.solve(deal)
        assert (verdict.moves is not None) == (verdict.verdict == "winnable")
        assert (verdict.reason is not None) == (verdict.verdict == "undecided")
        if verdict.moves is not None:
            won += 1
            assert replay(rules, deal, verdict.moves).won
    assert won


def test_a_false_solution_is_a_loud_error(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = load_game("cheops").rules
    solver = Solver(rules)
    driver = solver._between.driver
    advance = driver.advance
    monkeypatch.setattr(driver, "advance", lambda *args: (*(found := advance(*args))[:2], found[2][:-1]))
    with pytest.raises(CertificateError, match="does not end in a win"):
        solver.solve(deal_seed(rules, 1))
    monkeypatch.setattr(driver, "advance", lambda *args: (*(found := advance(*args))[:2], found[2][1:]))
    with pytest.raises(CertificateError):
        solver.solve(deal_seed(rules, 1))


@pytest.mark.parametrize("key", CORE)
def test_results_do_not_depend_on_what_was_solved_before(key: str) -> None:
    rules = load_game(key).rules
    budget = Budget(max_states=10_000)
    reused = Solver(rules, budget)
    for seed in (1, 2, 3, 2, 1, *range(15, 24)):
        one = reused.solve(deal_seed(rules, seed))
        other = Solver(rules, budget).solve(deal_seed(rules, seed))
        assert dataclasses.replace(one, seconds=0, stages=()) == dataclasses.replace(other, seconds=0, stages=())


def hard_deal() -> tuple[Solver, Deal]:
    rules = load_game("klondike").rules
    solver = Solver(rules)
    return next(
        (solver, deal)
        for seed in range(1, 100)
        if solver.solve(deal := deal_seed(rules, seed)).states >= solver.budget.max_states
    )


def test_every_limit_is_a_reported_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    from solitaire_lab.engine import driver

    solver, deal = hard_deal()
    solver.budget = Budget(max_states=5_000)
    verdict = solver.solve(deal)
    assert (verdict.verdict, verdict.reason, verdict.states) == ("undecided", "states", 5_000)
    solver.budget = Budget(max_states=10**12, max_seconds=0.2)
    verdict = solver.solve(deal)
    assert (verdict.verdict, verdict.reason) == ("undecided", "time")
    assert 0.2 <= verdict.seconds < 2
    solver.budget = Budget(max_states=10**12, max_table=2**20)
    verdict = solver.solve(deal)
    assert (verdict.verdict, verdict.reason) == ("undecided", "memory")
    complete = sum(stage.states for stage in verdict.stages if stage.name in ("root", "first", "complete"))
    assert complete <= 2**20 // 16
    monkeypatch.setattr(driver, "MAX_FRAMES", 2)
    monkeypatch.setattr(driver, "FIRST_FRAMES", 2)
    verdict = Solver(solver.rules).solve(deal)
    assert (verdict.verdict, verdict.reason) == ("undecided", "depth")


def test_where_one_search_gets_too_deep_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solitaire_lab.engine.driver.MAX_FRAMES", 16)
    monkeypatch.setattr("solitaire_lab.engine.driver.FIRST_FRAMES", 16)
    rules = load_game("flower-garden").rules
    verdict = Solver(rules).solve(deal_seed(rules, 2))
    assert (verdict.verdict, verdict.stage) == ("winnable", "beams")
    assert [stage.reason for stage in verdict.stages if stage.name in ("first", "suits aside")] == ["depth", "depth"]


def test_growing_arrays_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from solitaire_lab.engine import driver

    solver, deal = hard_deal()
    budget = Budget(max_states=60_000)
    wanted = Solver(solver.rules, budget, dominances=0).solve(deal)
    monkeypatch.setattr(driver, "FIRST_FRAMES", 2)
    monkeypatch.setattr(driver, "FIRST_MOVES", 2**13)
    assert Solver(solver.rules, budget, dominances=0).solve(deal).states == wanted.states


@pytest.mark.parametrize(("kept", "sizes"), [(2**9, set()), (2**13, {2**10, 2**12}), (2**22, {2**10, 2**12, 2**14})])
def test_tables_that_are_kept_are_empty_again(monkeypatch: pytest.MonkeyPatch, kept: int, sizes: set[int]) -> None:
    """And beside a larger one none is kept."""
    from solitaire_lab.engine import driver

    monkeypatch.setattr(driver, "KEPT_ENTRIES", kept)
    rules = load_game("stonewall").rules
    solver = Solver(rules)
    deals = [deal_seed(rules, seed) for seed in (16, 2)]  # some 6,000 states and 2,000
    states = [solver.solve(deal).states for deal in 2 * deals]
    assert states == 2 * [Solver(rules).solve(deal).states for deal in deals]
    assert set(solver._complete.driver._kept) == sizes


def test_a_search_is_stopped_from_another_thread() -> None:
    solver, deal = hard_deal()
    stop = Stop()
    stopped = Solver(solver.rules, Budget(max_states=10**12), stop=stop)
    timer = threading.Timer(0.2, stop.set)
    timer.start()
    verdict = stopped.solve(deal)
    timer.join()
    assert stop.is_set()
    assert (verdict.verdict, verdict.reason) == ("undecided", "interrupted")


def test_a_deal_that_is_won_already_needs_no_move() -> None:
    rules = load_game("klondike").rules
    up = [f"{rank}{suit}" for suit in "CDHS" for rank in "A23456789TJQK"]
    deal = deal_from_json({"tableau": [[] for _ in range(7)], "stock": [], "waste": [], "foundations": up}, rules)
    verdict = Solver(rules).solve(deal)
    assert (verdict.verdict, verdict.moves) == ("winnable", ())


def test_the_table_holds_every_key_and_no_other() -> None:
    generator = np.random.default_rng(1)
    keys = generator.integers(0, 2**64, (3000, 2), np.uint64)
    keys[:500, 0] = 7  # crowded: one half alone does not tell keys apart
    keys[500:1000, 1] = 0
    table = np.zeros(2 * 4096, np.uint64)
    seen: set[tuple[int, int]] = set()
    for low, high in [*keys, *keys[:100]]:
        assert insert(table, low, high) == ((int(low), int(high)) not in seen)
        seen.add((int(low), int(high)))
    larger = np.zeros(2 * 16384, np.uint64)
    move_keys(table, larger)
    assert not any(insert(larger, low, high) for low, high in keys)


def test_bits_name_every_place() -> None:
    for place in range(64):
        one = np.uint64(1 << place)
        assert bits.bit(place) == one
        assert bits.lowest(one | np.uint64(1 << 63)) == place
        assert bits.highest(one | np.uint64(1)) == place
        assert bits.below(place) == np.uint64((1 << place) - 1)


def test_ctrl_c_waits_for_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupted inside, numba fails with errors of its own; so the interrupt comes once the kernels are there."""
    done = []

    def solve(_solver: Solver, _deal: Deal) -> None:
        signal.raise_signal(signal.SIGINT)
        done.append(True)

    monkeypatch.setattr(Solver, "solve", solve)
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        warm_up(load_game("klondike").rules)
    assert done
    assert signal.getsignal(signal.SIGINT) is before


def test_a_single_reserve_pile_and_no_pyramid() -> None:
    """The pile's top card has nothing above it, though it is the first of the layout and the last is of its pile."""
    rules = PairRules(ranks=3, suits="CDHS", pyramid=0, reserves=(4,), pair_total=3, goal="all", passes=2)
    verdicts = set()
    for seed in range(1, 60):
        deal = deal_seed(rules, seed)
        verdicts.add(Solver(rules).solve(deal).verdict)
        assert Solver(rules).solve(deal).verdict == naive_verdict(rules, deal)[0]
    assert len(verdicts) == 2
