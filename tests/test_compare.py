"""Variants on the same deals: the paired table, its interval, and verdicts that follow from other rules."""

from __future__ import annotations

import csv
import io
import itertools
import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

import solitaire_lab as sl
from solitaire_lab.cli import main
from solitaire_lab.errors import InputError
from solitaire_lab.rules import load_game
from solitaire_lab.rules.catalogue import load_variant
from solitaire_lab.study.compare import compare
from solitaire_lab.study.pairs import VERDICTS, Cells, Pairs, mcnemar, newcombe
from solitaire_lab.study.seeds import Seeds
from solitaire_lab.verdicts import Budget

Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize(
    ("cells", "low", "high"),
    [
        # R. G. Newcombe, Statistics in Medicine 17:2635, and M. W. Fagerland, S. Lydersen and P. Laake, Statistics in
        # Medicine 33:2850 (airway hyper-responsiveness); here the difference is the second share less the first.
        ((36, 12, 2, 0), -0.3404, -0.0569),
        ((1, 1, 7, 12), 0.0256, 0.5069),
    ],
)
def test_newcombes_interval_is_the_published_one(cells: Cells, low: float, high: float) -> None:
    assert newcombe(cells) == pytest.approx((low, high), abs=1e-4)
    both, first, second, neither = cells
    assert newcombe((both, second, first, neither)) == pytest.approx((-high, -low), abs=1e-4)


def test_newcombes_interval_without_deals_or_differences() -> None:
    assert newcombe((0, 0, 0, 0)) == (-1, 1)
    low, high = newcombe((10, 0, 0, 10))
    assert low == pytest.approx(-high)
    assert low < 0


@given(st.integers(0, 200), st.integers(0, 200))
def test_mcnemar_is_the_sign_test(first: int, second: int) -> None:
    expected = binomtest(first, first + second).pvalue if first + second else 1.0
    assert mcnemar(first, second) == pytest.approx(expected, abs=1e-9)


def filled(pair: tuple[str, str], ordered: int) -> list[int]:
    """Return the cells into which a pair of verdicts may yet fall."""
    options = {"winnable": [True], "unwinnable": [False], "undecided": [True, False]}
    pairs = itertools.product(options[pair[0]], options[pair[1]])
    cells = {(True, True): 0, (True, False): 1, (False, True): 2, (False, False): 3}
    return [cells[both] for both in pairs if not (ordered and cells[both] == 1)]


@given(
    st.lists(st.integers(0, 12), min_size=4, max_size=4),
    st.lists(
        st.sampled_from([pair for pair in itertools.product(VERDICTS, VERDICTS) if "undecided" in pair]), max_size=5
    ),
    st.sampled_from([0, 1]),
)
def test_the_interval_holds_whatever_the_undecided_deals_are(
    decided: list[int], open_pairs: list[tuple[str, str]], ordered: int
) -> None:
    """Against every way in which they may yet be decided."""
    if ordered:
        decided[1] = 0
        impossible = {("winnable", "undecided"), ("undecided", "unwinnable")}  # these would have been decided
        open_pairs = [pair for pair in open_pairs if pair not in impossible]
    if not sum(decided) + len(open_pairs):
        return
    kinds = [
        ("winnable", "winnable"),
        ("winnable", "unwinnable"),
        ("unwinnable", "winnable"),
        ("unwinnable", "unwinnable"),
    ]
    counts = Counter(dict(zip(kinds, decided, strict=True))) + Counter(open_pairs)
    pairs = Pairs(counts, ordered=ordered)
    ends, chances = [], []
    for choice in itertools.product(*(filled(pair, ordered) for pair in open_pairs)):
        cells = list(decided)
        for cell in choice:
            cells[cell] += 1
        ends.append(newcombe((cells[0], cells[1], cells[2], cells[3])))
        chances.append(mcnemar(cells[1], cells[2]))
    low, high = min(end[0] for end in ends), max(end[1] for end in ends)
    assert pairs.difference == pytest.approx((max(low, 0.0) if ordered else low, high))
    assert pairs.p_value >= max(chances) - 1e-9
    assert pairs.deals == sum(decided) + len(open_pairs)


def games(*variants: str) -> list[sl.Game]:
    return [load_variant(variant) for variant in variants]


CHAIN = ("klondike-3x3", "klondike[draw=3,passes=unlimited]", "klondike-standard", "klondike-draw1")


def test_reused_verdicts_are_those_of_searches() -> None:
    """Each inferred verdict against a search of its own, and each decided one unchanged."""
    seeds, budget = Seeds.of("1-60"), Budget(5000)
    found = compare(games(*CHAIN), seeds, budget=budget)
    searched = compare(games(*CHAIN), seeds, budget=budget, reuse=False)
    assert sum(map(found.inferred, range(4))) > 50
    assert sum(map(searched.inferred, range(4))) == 0
    assert sum(result.states for result in found.results) < 0.9 * sum(result.states for result in searched.results)
    gained = 0
    for mine, theirs in zip(found.results, searched.results, strict=True):
        for row, other in zip(mine.rows, theirs.rows, strict=True):
            assert row.seed == other.seed
            gained += (row.verdict, other.verdict) not in {(v, v) for v in VERDICTS}
            assert row.verdict == other.verdict or other.verdict == "undecided"
    assert gained > 0


def test_the_order_of_the_variants_changes_no_verdict() -> None:
    seeds, budget = Seeds.of("1-40"), Budget(3000)
    one = compare(games(*CHAIN), seeds, budget=budget)
    other = compare(games(*reversed(CHAIN)), seeds, budget=budget, jobs=1)
    for place in range(4):
        mine, theirs = one.results[place].rows, other.results[3 - place].rows
        assert [row.verdict for row in mine] == [row.verdict for row in theirs]


def test_the_paired_table_is_that_of_the_verdicts() -> None:
    found = compare(
        games("stonewall[worrying_back=false]", "stonewall[spaces=kings]"), Seeds.of("1-300"), budget=Budget(1000)
    )
    one, other = ([row.verdict for row in result.rows] for result in found.results)
    assert found.pairs().counts == Counter(zip(one, other, strict=True))
    assert found.differing() == [
        seed
        for seed, pair in enumerate(zip(one, other, strict=True), start=1)
        if set(pair) == {"winnable", "unwinnable"}
    ]
    assert found.frame["seed"].tolist() == list(range(1, 301))
    assert found.frame.iloc[:, 1].tolist() == one


def test_a_notebook_shows_a_bar_for_each_variant_and_the_text() -> None:
    beside = sl.compare("pyramid[passes=3]", "pyramid[passes=3,overlap_pairs=true]", deals=30)
    html = beside._repr_html_()
    for name, result in zip(beside.names, beside.results, strict=True):
        bar = html[html.index(f"<div>{name}</div>") :].split("</div>")[1]
        assert f'title="winnable: {result.counts["winnable"]}" style="flex:{result.counts["winnable"]};' in bar
    assert "<pre>" in html
    assert "McNemar" in html.split("<pre>")[1]


def test_games_without_common_deals_are_refused() -> None:
    with pytest.raises(InputError, match="klondike and cleopatra are played with different packs"):
        compare([load_game("klondike"), load_game("cleopatra")], Seeds.of("1-2"))
    with pytest.raises(InputError, match="at least two"):
        compare([load_game("klondike")], Seeds.of("1-2"))


@pytest.mark.parametrize(
    "text", ["klondike[draw=3", "klondike[draw]", "klondike[]", "klondike[=3]", "klondike[draw=3]x"]
)
def test_malformed_variants_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="expected a game with options in brackets"):
        load_variant(text)


def test_variants_are_read() -> None:
    assert load_variant("klondike[draw=3, passes=3]").rules == load_game("klondike-3x3").rules
    assert load_variant("stonewall").rules == load_game("stonewall").rules
    with pytest.raises(InputError, match="did you mean 'draw'"):
        load_variant("klondike[drwa=3]")


ARGV = [
    "compare",
    "stonewall[worrying_back=true]",
    "stonewall[worrying_back=false]",
    "--deals",
    "300",
    "--max-states",
    "5000",
]


def test_compare_prints_table_difference_and_deals(capsys: Capture) -> None:
    assert main([*ARGV, "--quiet"]) == 0
    text = capsys.readouterr().out
    for part in (
        "variant 1 below, variant 2 across",
        "Newcombe",
        "McNemar",
        "Differing",
        "its rules are looser",
        "verdicts follow",
    ):
        assert part in text
    assert main([*ARGV, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    (pair,) = data["pairs"]
    assert sum(pair["table"].values()) == 300
    assert pair["high"] <= 0
    assert data["variants"][0]["options"]["worrying_back"] is True
    assert main([*ARGV, "--csv", "--quiet"]) == 0
    rows = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert rows[0] == ["seed", *ARGV[1:3]]
    differing = [int(row[0]) for row in rows[1:] if set(row[1:]) == {"winnable", "unwinnable"}]
    assert differing == pair["differing"] != []
