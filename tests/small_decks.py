"""Reduced games, small enough that :mod:`tests.naive` decides a deal in a moment.

A reduced game keeps the rules of its catalogue game and shrinks the pack to ranks 1..R, with a layout scaled to
it; the highest rank takes the part of the king.
"""

from __future__ import annotations

import dataclasses

from solitaire_lab.rules import UNLIMITED, BuildRules, PairRules, load_game


def small_build(game: str, **rules: object) -> BuildRules:
    """Return the rules of a catalogue build game with some of them changed."""
    full = load_game(game).rules
    assert isinstance(full, BuildRules)
    return dataclasses.replace(full, **rules)


def small_pair(game: str, ranks: int, rows: int, **rules: object) -> PairRules:
    """Return the rules of a catalogue pair game for a pack up to `ranks`; pairs of total 13 become pairs to `ranks`."""
    full = load_game(game).rules
    assert isinstance(full, PairRules)
    total = ranks if full.pair_total else 0
    return dataclasses.replace(full, ranks=ranks, pair_total=total, pyramid=rows, **rules)


# Layouts that give winnable and unwinnable deals alike, each decided in about a tenth of a second.
KLONDIKE: dict[str, object] = {"ranks": 5, "columns": (2, 3, 4, 5)}
NARROW: dict[str, object] = {"ranks": 5, "columns": (3, 4, 5)}
STONEWALL: dict[str, object] = {"ranks": 5, "columns": (4, 4, 4, 4), "reserve": 4}
GARDEN: dict[str, object] = {"ranks": 4, "columns": (5, 5, 4), "reserve": 2}
CLEOPATRA: dict[str, object] = {"ranks": 4, "suits": "CHS", "columns": (5, 6, 5)}

SMALL_BUILD: dict[str, BuildRules] = {
    "klondike": small_build("klondike", **KLONDIKE),
    "klondike, triangle of four": small_build("klondike", ranks=5, columns=(1, 2, 3, 4)),
    "klondike, draw 2": small_build("klondike", **KLONDIKE, draw=2),
    "klondike, 3 x 3": small_build("klondike", **KLONDIKE, draw=3, passes=3),
    "klondike, draw 3 unlimited": small_build("klondike", **NARROW, draw=3, passes=UNLIMITED),
    "klondike, standard": small_build("klondike", **NARROW, draw=3, passes=UNLIMITED, worrying_back=True),
    "klondike, draw 1": small_build("klondike", ranks=4, columns=(3, 4, 5), passes=UNLIMITED, worrying_back=True),
    "klondike, back but not to spaces": small_build(
        "klondike", **NARROW, draw=2, passes=2, worrying_back=True, return_to_space=False
    ),
    "klondike, any space": small_build("klondike", **NARROW, draw=3, passes=2, spaces="any"),
    "klondike, no space": small_build("klondike", **NARROW, draw=2, spaces="none", worrying_back=True),
    "klondike, same suit": small_build("klondike", **NARROW, passes=2, build="same_suit"),
    "klondike, any suit": small_build("klondike", **NARROW, draw=2, passes=2, build="any_suit"),
    "klondike, whole": small_build("klondike", **NARROW, draw=3, passes=3, group="whole", worrying_back=True),
    "klondike, single": small_build("klondike", **NARROW, draw=3, passes=3, group="single"),
    "stonewall": small_build("stonewall", **STONEWALL),
    "stonewall, three columns": small_build("stonewall", ranks=4, columns=(4, 4, 4), reserve=4),
    "stonewall, no worrying back": small_build("stonewall", **STONEWALL, worrying_back=False),
    "stonewall, not to spaces": small_build("stonewall", **STONEWALL, return_to_space=False),
    "stonewall, single": small_build("stonewall", **STONEWALL, group="single"),
    "stonewall, whole": small_build("stonewall", **STONEWALL, group="whole"),
    "stonewall, kings": small_build("stonewall", **STONEWALL, spaces="kings"),
    "stonewall, no space": small_build("stonewall", **STONEWALL, spaces="none"),
    "flower garden": small_build("flower-garden", **GARDEN),
    "flower garden, more reserve": small_build("flower-garden", ranks=4, columns=(5, 5, 3), reserve=3),
    "flower garden, not to spaces": small_build("flower-garden", **GARDEN, return_to_space=False),
    "flower garden, no worrying back": small_build("flower-garden", **GARDEN, worrying_back=False),
    "flower garden, kings": small_build("flower-garden", ranks=4, columns=(4, 4, 4), reserve=4, spaces="kings"),
    "flower garden, no space": small_build("flower-garden", ranks=4, columns=(4, 4, 4), reserve=4, spaces="none"),
    "flower garden, alternating": small_build("flower-garden", **GARDEN, build="alternate_colour"),
    "flower garden, stock": small_build("flower-garden", ranks=4, columns=(3, 4, 3), reserve=2, passes=2, draw=2),
    "wildflower": small_build("wildflower", **GARDEN),
    "forty thieves": small_build("forty-thieves", ranks=4, suits="CH", columns=(4, 5, 4)),
    "thieves of egypt": small_build("thieves-of-egypt", ranks=4, suits="CH", columns=(3, 4, 5)),
    "cleopatra": small_build("cleopatra", **CLEOPATRA),
    "cleopatra, triangle": small_build("cleopatra", ranks=4, suits="CH", columns=(1, 2, 3, 2, 1)),
    "cleopatra, two columns": small_build("cleopatra", ranks=5, suits="CH", columns=(5, 6)),
    "cleopatra, automatic": small_build("cleopatra", **CLEOPATRA, auto_foundation=True),
    "cleopatra, automatic, no worrying back": small_build(
        "cleopatra", **CLEOPATRA, auto_foundation=True, worrying_back=False
    ),
    "cleopatra, automatic, two columns": small_build(
        "cleopatra", ranks=5, suits="CH", columns=(5, 6), auto_foundation=True
    ),
    "cleopatra, no worrying back": small_build("cleopatra", **CLEOPATRA, worrying_back=False),
    "cleopatra, not to spaces": small_build("cleopatra", **CLEOPATRA, return_to_space=False),
    "cleopatra, draw 2, two passes": small_build("cleopatra", **CLEOPATRA, draw=2, passes=2),
    "cleopatra, one deck": small_build("cleopatra", decks=1, ranks=4, columns=(3, 5, 3)),
}
"""Build games by name."""

SMALL_PAIR: dict[str, PairRules] = {
    "pyramid": small_pair("pyramid", 7, 6),
    "pyramid, five ranks": small_pair("pyramid", 5, 5),
    "pyramid, four rows": small_pair("pyramid", 7, 4),
    "pyramid, stock card up": small_pair("pyramid", 7, 6, draw_exposed="waste_and_stock"),
    "pyramid, draw 2": small_pair("pyramid", 7, 5, draw=2),
    "pyramid, draw 2, stock card up, two passes": small_pair(
        "pyramid", 5, 5, draw=2, draw_exposed="waste_and_stock", passes=2
    ),
    "pyramid, draw 3 unlimited": small_pair("pyramid", 5, 5, draw=3, passes=UNLIMITED),
    "pyramid, two passes": small_pair("pyramid", 5, 5, passes=2),
    "pyramid, three passes, stock card up": small_pair("pyramid", 5, 5, passes=3, draw_exposed="waste_and_stock"),
    "pyramid, unlimited": small_pair("pyramid", 7, 6, passes=UNLIMITED),
    "pyramid, three piles": small_pair("pyramid", 7, 6, draw=3, waste_piles=3),
    "pyramid, three piles, two passes, stop": small_pair(
        "pyramid", 5, 5, draw=3, waste_piles=3, passes=2, at_exhaustion="stop"
    ),
    "pyramid, stop": small_pair("pyramid", 7, 6, at_exhaustion="stop"),
    "pyramid, stop, stock card up": small_pair("pyramid", 5, 5, at_exhaustion="stop", draw_exposed="waste_and_stock"),
    "pyramid, all": small_pair("pyramid", 5, 5, goal="all", passes=2),
    "pyramid, all, stop": small_pair("pyramid", 5, 4, goal="all", at_exhaustion="stop"),
    "pyramid, overlap": small_pair("pyramid", 7, 6, overlap_pairs=True),
    "pyramid, overlap, all, three passes": small_pair("pyramid", 5, 5, overlap_pairs=True, goal="all", passes=3),
    "pyramid, unlimited, stock card up, overlap": small_pair(
        "pyramid", 7, 6, passes=UNLIMITED, draw_exposed="waste_and_stock", overlap_pairs=True
    ),
    "pyramid, draw 2, three passes": small_pair("pyramid", 5, 5, draw=2, passes=3, draw_exposed="waste_and_stock"),
    "pyramid, two passes, stop": small_pair("pyramid", 5, 5, passes=2, at_exhaustion="stop"),
    "relaxed pyramid": small_pair("relaxed-pyramid", 7, 6),
    "apophis": small_pair("apophis", 5, 5, passes=2),
    "giza": small_pair("giza", 7, 5, reserves=(3, 3, 3, 4)),
    "giza, stop": small_pair("giza", 7, 5, reserves=(3, 3, 3, 4), at_exhaustion="stop"),
    "giza, overlap": small_pair("giza", 7, 5, reserves=(3, 3, 3, 4), overlap_pairs=True, goal="pyramid"),
    "triangle": small_pair("triangle", 5, 0, layout="#.#.#.#.# .#.#.#.#. ..#.#.#.. ...#.#... ....#....", passes=2),
    "peaks": small_pair("pyramid", 7, 0, layout="..#...#.. .#.#.#.#. #.#.#.#.# .#.#.#.#. #.#.#.#.#"),
    "pharaohs": small_pair(
        "pharaohs", 7, 0, layout="...#......... ..#.#.....#.. .#.#.#...#.#. #.#.#.#.#.#.# .#.#.#...#.#."
    ),
    "patient pairs": small_pair("patient-pairs", 5, 0, reserves=(4, 4, 4, 4, 4)),
    "cheops": small_pair("cheops", 6, 6),
    "cheops, five rows": small_pair("cheops", 6, 5),
    "cheops, stock card down": small_pair("cheops", 6, 6, draw_exposed="waste"),
    "cheops, all": small_pair("cheops", 6, 6, goal="all"),
    "cheops, stop": small_pair("cheops", 6, 6, at_exhaustion="stop"),
    "cheops, three piles": small_pair("cheops", 6, 6, draw=3, waste_piles=3, draw_exposed="waste"),
    "cheops, two passes": small_pair("cheops", 6, 6, passes=2),
    "cheops, overlap, all": small_pair("cheops", 5, 5, overlap_pairs=True, goal="all", draw_exposed="waste"),
}
"""Pair games by name."""

SMALL_DECKS: dict[str, BuildRules | PairRules] = {**SMALL_BUILD, **SMALL_PAIR}
"""All of them by name."""
