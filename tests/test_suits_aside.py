"""Searches that set suits aside or ignore them: ``engine/build/suits_aside.py``."""

from __future__ import annotations

import json

import numpy as np
import pytest

from solitaire_lab.cards import parse_card
from solitaire_lab.deals import Deal, deal_from_json, deal_seed
from solitaire_lab.engine.build import dominance, layout
from solitaire_lab.engine.build.dominance import moves_to_try
from solitaire_lab.engine.build.hashing import count_as_one, hash_afresh
from solitaire_lab.engine.build.moves import make
from solitaire_lab.engine.build.relaxation import cannot_be_won
from solitaire_lab.engine.build.suits_aside import too_coarse
from solitaire_lab.portfolio import IGNORED, SET_ASIDE, Search, may_ignore_suits, may_set_suits_aside
from solitaire_lab.rules import BuildRules, load_game
from solitaire_lab.solver import Solver
from solitaire_lab.translate import BuildTranslator
from solitaire_lab.verdicts import Budget, Verdict
from tests.make_small_verdicts import FILE, LETTERS
from tests.small_decks import SMALL_BUILD, small_build

EXPECTED: dict[str, dict[str, str]] = json.loads(FILE.read_text())
ASIDE = [name for name, rules in SMALL_BUILD.items() if may_set_suits_aside(rules)]


def solve_by(monkeypatch: pytest.MonkeyPatch, solver: Solver, deal: Deal, *searches: Search) -> Verdict:
    """Solve a deal by these searches alone."""
    monkeypatch.setattr("solitaire_lab.solver.searches", lambda *_: iter(searches))
    return solver.solve(deal)


def aside(max_states: int = 2_000_000) -> Search:
    return Search("suits aside", max_states, goes_on=True, suits=SET_ASIDE)


def classes_left(solver: Solver) -> int:
    """Return how many cards were not told apart in the end."""
    alike = solver._suits_aside.translator.hashes[layout.ALIKE : layout.ALIKE + 64]
    return sum(int(cards).bit_count() > 1 for cards in alike)


@pytest.mark.parametrize("dominances", [None, 0, *(1 << bit for bit in range(int(dominance.ALL).bit_length()))])
@pytest.mark.parametrize("name", ASIDE)
def test_suits_aside_decide_as_the_naive_search(
    name: str, dominances: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This search alone, with all other rules, with none, with each."""
    rules, wanted = SMALL_BUILD[name], EXPECTED[name]["verdicts"]
    solver = Solver(rules, Budget(max_states=2_000_000), dominances=dominances, engine="build")
    began_anew = refuted_sooner = 0
    for seed, letter in enumerate(wanted[: 200 if dominances is None else 40], start=1):
        verdict = solve_by(monkeypatch, solver, deal_seed(rules, seed), aside())
        assert LETTERS[verdict.verdict] == letter
        began_anew += solver._suits_aside.earlier > 0
        refuted_sooner += letter == "U" and classes_left(solver) > 0
    assert began_anew
    assert refuted_sooner


def test_few_positions_refute_a_hard_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Flower Garden deal that takes the complete search 15 million."""
    rules = load_game("flower-garden").rules
    verdict = solve_by(monkeypatch, Solver(rules), deal_seed(rules, 67), aside(20_000))
    assert verdict.verdict == "unwinnable"


def test_parts_of_the_search_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a part ends just as the search begins anew."""
    rules = load_game("flower-garden").rules
    solver, deal = Solver(rules), deal_seed(rules, 27)
    whole = solve_by(monkeypatch, solver, deal, aside())
    parts = solve_by(monkeypatch, solver, deal, *map(aside, range(1, whole.states + 100)))
    assert (parts.verdict, parts.states) == (whole.verdict, whole.states)
    assert solver._suits_aside.earlier > 0
    cut_off = solve_by(monkeypatch, solver, deal, aside(whole.states - 1))
    assert (cut_off.verdict, cut_off.reason, cut_off.states) == ("undecided", "states", whole.states - 1)


@pytest.mark.parametrize("name", ["flower garden", "stonewall", "wildflower"])
def test_ignoring_suits_proves_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules, wanted = SMALL_BUILD[name], EXPECTED[name]["verdicts"]
    solver = Solver(rules)
    for seed, letter in enumerate(wanted, start=1):
        verdict = solve_by(monkeypatch, solver, deal_seed(rules, seed), Search("suits ignored", 100_000, suits=IGNORED))
        assert verdict.verdict == "undecided" or LETTERS[verdict.verdict] == letter == "W"


def test_ignoring_suits_misses_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    """One search of a deal comes to its end without a win, another one wins."""
    rules = load_game("flower-garden").rules
    ends = [
        solve_by(
            monkeypatch,
            Solver(rules),
            deal_seed(rules, 12),
            Search("suits ignored", 500_000, suits=IGNORED, shuffle=shuffle),
        )
        for shuffle in (0, 1)
    ]
    assert [end.verdict for end in ends] == ["winnable", "undecided"]
    assert ends[1].states < 500_000


def two_of_clubs_next(columns: list[list[str]], alike: list[str], **changes: object) -> tuple[np.ndarray, ...]:
    """Return a position with the ace of clubs up and what is not in columns in the reserve; some cards count as one."""
    rules = small_build("stonewall", **{"ranks": 4, "columns": (2, 1, 1), "reserve": 12, **changes})
    lying = {"AC", *(card for column in columns for card in column)}
    rest = [name for name in (rank + suit for rank in "A234" for suit in "CDHS") if name not in lying]
    translator = BuildTranslator(rules)
    line = {"tableau": columns, "reserve": rest, "foundations": ["AC"], "stock": []}
    board, cards, hashes = translator.encode(deal_from_json(line, rules))
    count_as_one(hashes, [[parse_card(name) for name in alike]])
    return board, cards, hashes


@pytest.mark.parametrize(
    ("changes", "columns", "coarse"),
    [
        ({}, [["2C", "4S"], ["2S"], ["4C"]], True),
        ({}, [["2C", "4S"], ["2S", "4C"], []], False),
        ({}, [["2C", "4S"], ["2S", "4H", "3S", "2D"], []], False),
        ({}, [["2C", "4S"], ["3H", "2S", "AD"], ["4C"]], True),
        ({"group": "single"}, [["2C", "4S"], ["3H", "2S", "AD"], ["4C"]], False),
    ],
    ids=["open", "closed", "under a run", "in a run", "in a run that does not move"],
)
def test_what_is_too_coarse(changes: dict[str, object], columns: list[list[str]], coarse: bool) -> None:
    """The two of clubs lies under another card and counts as one with the two of spades."""
    arrays = two_of_clubs_next(columns, ["2C", "2S"], **changes)
    assert too_coarse(*arrays) == (1 << parse_card("2C") if coarse else 0)
    assert too_coarse(*two_of_clubs_next(columns, ["4C", "4S"], **changes)) == 0


@pytest.mark.parametrize(
    ("columns", "alike", "lost"),
    [
        ([["2C", "4S"], ["AS", "4C"], ["2S"]], [], True),
        ([["2C", "4S"], ["AS", "4C"], ["2S"]], ["2C", "2S"], False),
        ([["2C", "4S"], ["2S", "AS", "4C"], ["4H"]], ["2C", "2S"], True),
        ([["2C", "4S"], ["AS", "4C"], ["2S"]], ["3C", "3S"], True),
    ],
    ids=["told apart", "maybe the other", "both under others", "of no use"],
)
def test_a_dead_end_is_one_whatever_the_suits(columns: list[list[str]], alike: list[str], lost: bool) -> None:
    """Black fours lie on the two and the ace without which they can't go up; unless the two is the other black one."""
    board, cards, hashes = two_of_clubs_next(columns, alike, spaces="none")
    board[layout.SUITS_ASIDE] = 1
    assert cannot_be_won(board, cards, hashes) == lost


THREE_ALIKE = small_build(
    "flower-garden",
    ranks=5,
    suits="CDS",
    columns=(4, 4, 3, 3),
    reserve=1,
    group="run",
    spaces="none",
    worrying_back=False,
)
BLACK_THREES = small_build(
    "flower-garden",
    ranks=4,
    suits="CHS",
    columns=(4, 4, 2),
    reserve=2,
    build="alternate_colour",
    spaces="none",
    worrying_back=False,
)


@pytest.mark.parametrize(
    ("rules", "line"),
    [
        (
            THREE_ALIKE,
            {
                "tableau": [["3S", "4S"], ["3C", "4C"], ["5C", "5D", "AC", "5S"], ["3D", "2S", "2C"]],
                "reserve": ["4D"],
                "foundations": ["AS", "AD", "2D"],
            },
        ),
        (
            BLACK_THREES,
            {
                "tableau": [["4H"], ["4S", "3H", "2S", "AH", "4C"], ["2C", "2H"]],
                "reserve": ["3C", "3S"],
                "foundations": ["AC", "AS"],
            },
        ),
    ],
    ids=["in a run", "dead end"],
)
def test_positions_lost_without_one_condition(
    rules: BuildRules, line: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A card told apart is bare where an alike one carries a run; a card that seems buried may be the other one."""
    deal = deal_from_json({**line, "stock": []}, rules)
    solver = Solver(rules, engine="build")
    assert solve_by(monkeypatch, solver, deal, aside()).verdict == "winnable"
    assert solver._suits_aside.earlier > 0


def test_lifts_to_different_columns_do_not_count_as_one() -> None:
    """A three lies on either four, and either is the one that waits to be answered."""
    rules = small_build("flower-garden", ranks=4, columns=(5, 5, 4), reserve=2, spaces="none", worrying_back=False)
    rest = ["4S", "3H", "3D", "2C", "2H", "2S", "AS", "2D"]
    sums = []
    for columns, target in (([["AH", "4C"], ["AD", "4H", "3S"]], 0), ([["AH", "4C", "3S"], ["AD", "4H"]], 1)):
        line = {"tableau": [*columns, ["4D", *rest]], "reserve": ["3C"], "foundations": ["AC"]}
        translator = BuildTranslator(rules)
        board, cards, hashes = translator.encode(deal_from_json({**line, "stock": []}, rules), aside())
        made = np.zeros(layout.MAX_MOVES, np.int32)
        end = moves_to_try(board, cards, hashes, made, 0)
        lift = next(
            move for move in made[:end] if move & 15 == layout.RESERVE_TO_TABLEAU and layout.move_target(move) == target
        )
        make(board, cards, hashes, np.int64(lift))
        sums.append(tuple(hashes[layout.SUM : layout.SUM + 2]))
        hash_afresh(board, cards, hashes)
        assert tuple(hashes[layout.SUM : layout.SUM + 2]) == sums[-1]
    assert sums[0] != sums[1]


@pytest.mark.parametrize(
    ("game", "changes", "ignored", "aside"),
    [
        ("flower-garden", {}, True, True),
        ("flower-garden", {"build": "alternate_colour"}, True, True),
        ("flower-garden", {"build": "same_suit"}, False, False),
        ("flower-garden", {"auto_foundation": True}, True, False),
        ("wildflower", {}, True, False),
        ("stonewall", {}, True, True),
        ("stonewall", {"reserve": 12}, True, False),
        ("forty-thieves", {}, False, False),
        ("cleopatra", {}, False, False),
        ("klondike", {}, True, False),
    ],
)
def test_where_suits_may_be_left_open(game: str, changes: dict[str, object], ignored: bool, aside: bool) -> None:
    rules = small_build(game, **changes)
    assert (may_ignore_suits(rules), may_set_suits_aside(rules)) == (ignored, aside)
