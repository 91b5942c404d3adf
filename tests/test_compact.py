"""The compact engine: its picture of a position against all that the referee can do and undo from there."""

from __future__ import annotations

import dataclasses
import itertools
import json
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from solitaire_lab.cards import FACE_DOWN, Card, is_face_down, make_card, parse_card, rank_of
from solitaire_lab.deals import Deal, deal_seed
from solitaire_lab.engine.compact import dominance, layout
from solitaire_lab.engine.compact.component import explore, find_way
from solitaire_lab.engine.compact.shorten import turns_to
from solitaire_lab.engine.compact.talon import look_ahead
from solitaire_lab.referee import Move, position
from solitaire_lab.referee.build import BuildPosition, BuildState
from solitaire_lab.rules import UNLIMITED, BuildRules, load_game
from solitaire_lab.solver import Solver, engine_for
from solitaire_lab.translate_compact import LOOK_FROM, CompactTranslator
from solitaire_lab.verdicts import Budget
from tests.boards import cards
from tests.make_small_verdicts import FILE, LETTERS
from tests.naive import naive_verdict
from tests.small_decks import SMALL_BUILD, small_build

COMPACT = {name: rules for name, rules in SMALL_BUILD.items() if engine_for(rules) == "compact"}
ROOT = np.int64(0)
WAYS = ["rise", "rise", "land", "fill", "rise", "land", "fill"]
"""What each of the engine's kinds of move comes to, by number."""
LARGEST = 2000
"""Arrangements of one component that are looked at; those with more are passed over."""


def random_deal(rules: BuildRules, rng: random.Random) -> Deal:
    """Return the position after some random moves from a random deal, as a deal."""
    board = position(rules, deal_seed(rules, rng.randrange(2**40)))
    for _ in range(rng.randrange(30)):
        if moves := board.legal_moves():
            board.apply(rng.choice(moves))
    state: BuildState = board.state
    up = tuple(make_card(rank, suit) for suit in range(4) for rank in range(1, state.foundations[suit][0] + 1))
    return Deal(tableau=state.tableau, stock=state.stock, waste=state.waste, foundations=up)


def heights_of(state: BuildState) -> int:
    return sum(heights[0] << 4 * suit for suit, heights in enumerate(state.foundations))


def cards_of(cards: int) -> set[Card]:
    return {card for card in range(56) if cards >> card & 1}


def heads_of(rules: BuildRules, state: BuildState) -> set[Card]:
    """Return the lowest face-up card of each column, but for kings with nothing under them."""
    lowest = [next(card for card in pile if not is_face_down(card)) for pile in state.tableau if pile]
    return {card for card in lowest if rank_of(card) < rules.ranks or (card,) not in {p[:1] for p in state.tableau}}


def can_be_undone(rules: BuildRules, state: BuildState, move: Move) -> bool:
    if not move.cards or "waste" in move.kind or move.cards[0] in heads_of(rules, state):
        return False
    if move.kind == "tableau-to-tableau":
        return True
    kings_return = rules.return_to_space and rules.spaces == "kings"
    return rules.worrying_back and (kings_return or rank_of(move.cards[0]) < rules.ranks)


def arrangements(rules: BuildRules, deal: Deal) -> Iterator[tuple[BuildState, list[Move]]]:
    """Yield every state that a deal leads to by moves that can be undone, with the other moves that are legal there."""
    board = BuildPosition(rules, deal)
    seen, waiting = {board.state}, [board.state]
    while waiting:
        board.state = state = waiting.pop()
        others = []
        for move in board.legal_moves():
            if not can_be_undone(rules, state, move):
                others.append(move)
            elif (there := board._after(move)) not in seen:
                seen.add(there)
                waiting.append(there)
        yield state, others


def turned_up(rules: BuildRules, deal: Deal) -> dict[Card, int]:
    """Return the cards that turns of the stock bring to the top of the waste, with how many redeals that takes."""
    board = BuildPosition(rules, deal)
    found: dict[Card, int] = {}
    while True:
        if board.state.waste:
            found.setdefault(board.state.waste[-1], board.state.pass_number - 1)
        turns = [move for move in board.legal_moves() if not move.cards]
        if not turns or board.state.pass_number > 3:
            return found
        board.apply(turns[0])


def ways(rules: BuildRules, state: BuildState, others: list[Move], talon: set[Card]) -> Iterator[tuple[str, Card]]:
    """Yield what can be done for good in one arrangement: the cards that rise, land on others, or fill spaces."""
    board = BuildPosition(rules, Deal(tableau=state.tableau))
    for card in talon:
        board.state = state._replace(waste=(card,))
        others = others + [move for move in board.legal_moves() if move.kind.startswith("waste")]
    for move in others:
        if move.target and (move.kind.startswith("tableau") or move.cards[0] in talon):
            place, column = move.target
            filling = place == "tableau" and not state.tableau[int(column)]
            yield "rise" if place == "foundation" else "fill" if filling else "land", move.cards[0]


@pytest.mark.parametrize("name", COMPACT)
def test_components_are_what_can_be_undone(name: str) -> None:
    """What the referee does with every arrangement, the engine does with none: same heights, same ways out.

    A card that can rise and come back need not land as well (see ``component.py``), so there that is left out.
    """
    rules, rng = COMPACT[name], random.Random(name)
    translator = CompactTranslator(rules, 0)
    moves = np.zeros(2**16, np.int32)
    compared = 0
    while compared < 12:
        deal = random_deal(rules, rng)
        parts = list(itertools.islice(arrangements(rules, deal), LARGEST))
        if len(parts) == LARGEST:
            continue
        compared += 1
        assert translator.takes(deal)
        board, records, stack, seen, _, _ = translator.encode(deal)
        look_ahead(board, records, ROOT)
        redeals = turned_up(rules, deal)
        assert cards_of(int(records[layout.REACH])) == set(redeals)
        if rules.passes != UNLIMITED:
            assert cards_of(int(records[layout.REACH_LATER])) == {card for card, count in redeals.items() if count}
        end = explore(board, records, ROOT, stack, seen, moves, ROOT, True)
        assert set(np.flatnonzero(seen == board[layout.GENERATION])) == {heights_of(state) for state, _ in parts}
        found = {(WAYS[code & 7], code >> 3 & 63) for code in moves[:end].tolist()}
        expected = {way for state, others in parts for way in ways(rules, state, others, set(redeals))}
        if rules.worrying_back:
            for card in {card for way, card in expected if way == "rise"}:
                found -= {("land", card), ("fill", card)}
                expected -= {("land", card), ("fill", card)}
        assert found == expected


def test_ways_within_a_component_lead_there() -> None:
    rules, rng = COMPACT["klondike, standard"], random.Random(5)
    translator = CompactTranslator(rules)
    longest = 0
    for _ in range(60):
        board, records, stack, seen, _, _ = translator.encode(random_deal(rules, rng))
        start = int(records[layout.HEIGHTS])
        look_ahead(board, records, ROOT)
        explore(board, records, ROOT, stack, seen, np.zeros(2**16, np.int32), ROOT, True)
        for goal in np.flatnonzero(seen == board[layout.GENERATION]).tolist():
            length = find_way(board, records, ROOT, start, goal, ROOT, ROOT, stack, seen, translator.way)
            heights = start
            for card in translator.way[:length][::-1].tolist():
                up = heights >> 4 * (card & 3) & 15 < rank_of(card)
                assert heights >> 4 * (card & 3) & 15 == rank_of(card) - up
                heights += (1 if up else -1) << 4 * (card & 3)
            assert heights == goal
            longest = max(longest, length)
    assert longest > 2


FORMS = [
    small_build(
        "klondike", ranks=4, columns=(2, 3, 4), draw=draw, passes=passes, worrying_back=back,
        return_to_space=to_space, spaces=spaces, build=build, group=group,
    )
    for draw, passes, back, to_space, spaces, build, group in random.Random(1).sample(
        list(
            itertools.product(
                (1, 2, 3, 5), (1, 2, 3, UNLIMITED), (False, True), (False, True), ("kings", "any", "none"),
                ("alternate_colour", "same_suit", "any_suit"), ("run", "whole", "single"),
            )
        ),
        120,
    )
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(FORMS)))
def test_every_form_of_klondike_is_exact(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sample of 120 of all combinations of options against the naive search; both engines if both know the rules."""
    monkeypatch.setattr("solitaire_lab.translate_compact.LOOK_FROM", (1, 11, LOOK_FROM)[number % 3])
    rules = FORMS[number]
    engines = {engine_for(rules), "build"}
    solvers = [Solver(rules, engine=engine) for engine in sorted(engines)]
    for seed in range(1, 4):
        deal = deal_seed(rules, seed)
        expected, _ = naive_verdict(rules, deal, canonical=True)
        assert {solver.solve(deal).verdict for solver in solvers} == {expected}


@pytest.mark.parametrize("name", COMPACT)
def test_moves_not_found_at_first_are_tried_in_the_end(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Early components are not walked through as a whole before their first moves have been tried."""
    monkeypatch.setattr("solitaire_lab.translate_compact.LOOK_FROM", 10**9)
    wanted = json.loads(FILE.read_text())[name]["verdicts"]
    solver = Solver(SMALL_BUILD[name])
    assert "".join(LETTERS[solver.solve(deal_seed(solver.rules, seed)).verdict] for seed in range(1, 201)) == wanted


@pytest.mark.parametrize(
    ("rules", "columns", "stock", "up"),
    [
        (
            BuildRules(
                ranks=4, suits="CDH", columns=(1, 3, 3), face_down="all_but_top", draw=3, passes=2, spaces="none"
            ),
            ("AD", "#4D #3H 2C", "#4C #AH 3D"),
            "3C AC 4H 2H 2D",
            "",
        ),
        (
            BuildRules(ranks=3, columns=(2, 4), face_down="all_but_top", passes=UNLIMITED, spaces="kings"),
            ("2C", "#AD #3S 2D AC"),
            "2S 3C 3D",
            "AH 2H 3H AS",
        ),
    ],
    ids=["limited passes", "kings"],
)
def test_the_first_moves_found_are_not_all(rules: BuildRules, columns: tuple[str, ...], stock: str, up: str) -> None:
    """Deals that are lost if a component is left after the moves with which its walk breaks off."""
    deal = Deal(tableau=tuple(map(cards, columns)), stock=cards(stock), foundations=cards(up))
    assert naive_verdict(rules, deal)[0] == "winnable"
    solver = Solver(rules)
    assert solver.engine == "compact"
    assert solver.solve(deal, check=False).verdict == "winnable"


def test_rules_choose_the_engine() -> None:
    klondike = load_game("klondike").rules
    assert isinstance(klondike, BuildRules)
    assert engine_for(klondike) == "compact"
    for change in (
        {"spaces": "any"}, {"build": "same_suit"}, {"group": "single"}, {"auto_foundation": True}, {"decks": 2},
        {"reserve": 2}, {"run_build": "same_suit"},
    ):  # fmt: skip
        assert engine_for(dataclasses.replace(klondike, **change)) == "build"
    assert engine_for(load_game("pyramid").rules) == "pair"


def test_every_draw_of_klondike_is_solved() -> None:
    for draw in range(1, 14):
        rules = dataclasses.replace(load_game("klondike-standard").rules, draw=draw)
        solver = Solver(rules, Budget(max_states=20_000))
        assert solver.engine == "compact"
        assert sum(solver.solve(deal_seed(rules, seed)).verdict != "undecided" for seed in range(20)) > 10


def test_a_position_with_more_than_runs_goes_to_the_other_engine() -> None:
    """Face-up cards in mid-game that are no run: the engine does not know such columns."""
    rules = small_build("klondike", ranks=3, suits="CH", columns=(2, 3), passes=UNLIMITED)
    names = (("AC", "KH"), ("2C",), ("2H", "AH"), ("KC",))
    upper, waste, lower, stock = (tuple(parse_card(n.replace("K", "3")) for n in pile) for pile in names)
    deal = Deal(tableau=(upper, lower), waste=waste, stock=stock)
    solver = Solver(rules)
    assert not solver.translator.takes(deal)
    assert solver.solve(deal, check=False).verdict == naive_verdict(rules, deal)[0] == "winnable"


def test_a_full_table_is_undecided() -> None:
    rules = load_game("klondike").rules
    solver = Solver(rules, Budget(max_states=10**6, max_table=2**20))
    reasons = {solver.solve(deal_seed(rules, seed)).reason for seed in range(20)}
    assert reasons == {None, "memory"}


@pytest.mark.parametrize("look_from", [1, 30, LOOK_FROM])
def test_dead_patterns_refute_when_they_are_looked_at(look_from: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many deals are refuted at once; with the rule off the same deals are exhausted."""
    monkeypatch.setattr("solitaire_lab.translate_compact.LOOK_FROM", look_from)
    rules = load_game("klondike-draw1").rules
    with_rule = Solver(rules, Budget(max_states=50_000))
    without = Solver(rules, Budget(max_states=50_000), dominances=dominance.ALL & ~dominance.DEAD_ENDS)
    dead = [seed for seed in range(150) if with_rule.solve(deal_seed(rules, seed)).states == look_from]
    assert len(dead) > 3
    for seed in dead:
        assert with_rule.solve(deal_seed(rules, seed)).verdict == "unwinnable"
        assert without.solve(deal_seed(rules, seed)).verdict != "winnable"


def test_a_king_that_is_still_to_come_needs_its_space() -> None:
    """One free column for one king more: a head with nothing under it must move, or the deal is lost."""
    rules = BuildRules(
        ranks=4, suits="CH", columns=(1, 2), face_down="all_but_top", draw=3, passes=UNLIMITED, spaces="kings"
    )
    down = FACE_DOWN + parse_card("2C")
    stock = tuple(map(parse_card, ["AC", "2H", "3C", "4H", "4C"]))
    deal = Deal(tableau=((parse_card("3H"),), (down, parse_card("AH"))), stock=stock)
    assert naive_verdict(rules, deal)[0] == "winnable"
    for dominances in (dominance.USELESS_SPACES, None):
        assert Solver(rules, dominances=dominances).solve(deal).verdict == "winnable"


# Shorter solutions.

SHORTENED: list[dict[str, Any]] = [
    {"draw": 1, "passes": "unlimited", "worrying_back": True},
    {"draw": 1, "passes": "unlimited", "worrying_back": False},
    {"draw": 3, "passes": "unlimited", "worrying_back": True},
    {"draw": 3, "passes": 3, "worrying_back": True},
    {"draw": 1, "passes": 1, "worrying_back": False},
    {"draw": 5, "passes": "unlimited", "worrying_back": True},
]


@pytest.mark.parametrize("options", SHORTENED, ids=str)
def test_shorter_solutions_are_legal_and_shorter_and_their_turns_are_those_counted(options: dict[str, Any]) -> None:
    game = load_game("klondike").with_options(options)
    assert isinstance(game.rules, BuildRules)
    solver, shortened = Solver(game.rules, Budget(max_states=20_000)), []
    for seed in range(1, 25):
        deal = deal_seed(game.rules, seed)
        first = solver.solve(deal, check=False)
        if first.moves is None:
            continue
        path = solver.translator.shorter_path()
        if path is None:
            continue
        board, turned = position(game.rules, deal), []
        for step in solver.translator.steps(path):
            for move in solver.translator.moves(step, board.state):
                board.apply(move)
                turned.append(move.kind in ("draw", "redeal"))
        assert board.won
        counted = sum(
            turns_to(solver.translator.board, solver.translator.records, depth * layout.RECORD, code >> 3 & 63)
            for depth, code in enumerate(path)
            if layout.TALON_UP <= code & 7 < layout.FINISH
        )
        assert sum(turned) == counted
        again = solver.solve(deal, check=False, shorten=True)
        assert again.moves is not None
        assert len(again.moves) == min(len(first.moves), len(turned))
        assert (again.states, again.stages[0].states) == (first.states, first.states)
        shortened.append((len(first.moves), len(turned)))
    assert len(shortened) >= 3
    fewer = sum(new for _, new in shortened) / sum(old for old, _ in shortened)
    assert fewer < {"unlimited": 0.75, 3: 0.9, 1: 1}[options["passes"]]


def test_where_no_beam_comes_to_a_win_the_first_solution_stays() -> None:
    rules = load_game("klondike-draw1").rules
    solver = Solver(rules, Budget(max_states=20_000))
    deal, first = deal_seed(rules, 2), solver.solve(deal_seed(rules, 2)).moves
    assert first is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("solitaire_lab.engine.compact.shorten_driver.WIDTHS", ())
        assert solver.solve(deal, shorten=True).moves == first
    shorter = solver.solve(deal, shorten=True).moves
    assert shorter is not None
    assert len(shorter) < len(first)
