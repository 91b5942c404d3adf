"""Which lifts of ``engine/build/lifts.py`` are tried, in positions made for each of its conditions."""

from __future__ import annotations

import numpy as np
import pytest

from solitaire_lab.deals import deal_from_json
from solitaire_lab.engine.build import layout
from solitaire_lab.engine.build.generator import legal_moves, write_moves
from solitaire_lab.engine.build.lifts import keep_useful_lifts
from solitaire_lab.translate import BuildTranslator, lifts
from tests.small_decks import small_build


def lifts_kept(line: dict[str, object], kind: np.int64 = layout.RESERVE_TO_TABLEAU, **rules: object) -> tuple[int, int]:
    """Return how many moves of a kind, those of reserve cards to columns, a position has, and how many are tried."""
    garden = small_build("flower-garden", **{"ranks": 4, "columns": (5, 5, 4), "reserve": 2, **rules})
    translator = BuildTranslator(garden)
    board, cards, hashes = translator.encode(deal_from_json(line, garden))
    found = np.zeros(2 * layout.MAX_MOVES, np.int32)
    end = legal_moves(board, cards, hashes, found, 0)
    counts = [(found[:end] & 15 == kind).sum()]
    keep_useful_lifts(board, cards, hashes)
    end = write_moves(board, cards, hashes, found, 0)
    counts.append((found[:end] & 15 == kind).sum())
    return int(counts[0]), int(counts[1])


UP = ["AC", "2C", "3C", "4C", "AH", "2H", "3H", "4H", "AS", "2S", "AD"]
"""On the foundations in all of these positions; what is left is 2D 3D 4D 3S 4S."""
LYING: dict[str, object] = {"foundations": [*UP, "2D"], "reserve": ["3D"], "stock": []}


@pytest.mark.parametrize(
    ("change", "rules", "tried"),
    [
        ({"tableau": [["4D"], ["4S"], ["3S", "2D"]], "foundations": UP}, {}, 2),
        ({"tableau": [["4D"], ["2D", "4S"], ["3S"]], "foundations": UP}, {}, 0),
        ({"tableau": [["4D"], ["4S"], ["3S"]], "waste": ["2D"], "foundations": UP}, {"columns": (4, 3, 3)}, 2),
        ({"tableau": [["4D"], ["4S"], ["3S"]]}, {}, 0),
        ({"tableau": [["4D"], ["4S"], ["3S"]]}, {"return_to_space": False}, 2),
        ({"tableau": [["4D"], ["4S"], ["3S"]]}, {"worrying_back": False}, 0),
    ],
    ids=["open", "buried", "waste", "none", "foundation", "not from there"],
)
def test_a_lift_needs_an_open_card_of_lower_rank(
    change: dict[str, object], rules: dict[str, object], tried: int
) -> None:
    """Foundation tops count only where their own lifts need no answer."""
    assert lifts_kept({**LYING, **change}, **rules) == (2, tried)


@pytest.mark.parametrize(("rules", "tried"), [({}, 0), ({"return_to_space": False}, 2)])
def test_lifts_from_foundations_are_left_out_only_where_they_must_be_answered(
    rules: dict[str, object], tried: int
) -> None:
    """Both twos may come back to the three, but nothing can be put on them."""
    line = {**LYING, "tableau": [["4D"], ["4S"], ["3S"]]}
    legal, kept = lifts_kept(line, layout.FOUNDATION_TO_TABLEAU, **rules)
    assert (legal, kept) == (2, tried)


@pytest.mark.parametrize(
    ("game", "changes", "without_returns", "expected"),
    [
        ("flower-garden", {}, False, layout.ALL_LIFTS),
        ("flower-garden", {}, True, layout.RESERVE_LIFTS),
        ("flower-garden", {"worrying_back": False}, False, layout.RESERVE_LIFTS),
        ("flower-garden", {"return_to_space": False}, False, layout.RESERVE_LIFTS),
        ("cleopatra", {}, False, layout.NO_LIFTS),
        ("cleopatra", {"decks": 1, "columns": (1, 2, 3)}, False, layout.ALL_LIFTS),
        ("cleopatra", {"decks": 1, "columns": (1, 2, 3), "worrying_back": False}, False, layout.NO_LIFTS),
        ("cleopatra", {"decks": 1, "columns": (1, 2, 3), "auto_foundation": True}, False, layout.NO_LIFTS),
        ("stonewall", {}, False, layout.NO_LIFTS),
    ],
)
def test_lifts_are_answered_only_in_their_setting(
    game: str, changes: dict[str, object], without_returns: bool, expected: np.int64
) -> None:
    """Two packs, automatic play and free runs are out of it; some searches are in a part of it."""
    assert lifts(small_build(game, **changes), without_returns=without_returns) == expected
