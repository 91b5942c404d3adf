"""Renew the reachable-state counts of ``tests/data/perft``: ``python -m tests.make_perft``.

One file a game and preset, and one for the small decks, whose options matter within few moves: the counts of distinct
states within 0, 1, 2, ... moves of some numbered deals. Run this only when a rule was wrong, and say in the commit
which.
"""

from __future__ import annotations

import json
from pathlib import Path

from solitaire_lab.deals import deal_seed
from solitaire_lab.rules import Rules, load_game
from tests.naive import perft
from tests.small_decks import SMALL_DECKS

FOLDER = Path(__file__).parent / "data" / "perft"
VARIANTS: dict[str, list[dict[str, object]]] = {
    "klondike": [{}, {"draw": 3}, {"worrying_back": True, "spaces": "any"}, {"group": "whole", "build": "any_suit"}],
    "klondike-3x3": [{}],
    "klondike-standard": [{}, {"return_to_space": False}],
    "klondike-draw1": [{}, {"group": "single"}],
    "stonewall": [{}, {"worrying_back": False}, {"group": "single"}, {"spaces": "kings"}],
    "cleopatra": [{}, {"auto_foundation": True}, {"draw": 3, "passes": 2}],
    "pyramid": [
        {},
        {"draw_exposed": "waste_and_stock", "at_exhaustion": "stop"},
        {"draw": 3, "waste_piles": 3, "passes": 3},
        {"draw": 2, "passes": "unlimited", "goal": "all", "overlap_pairs": True},
    ],
    "cheops": [{}, {"draw_exposed": "waste", "passes": 2}, {"overlap_pairs": True}],
    "relaxed-pyramid": [{}],
    "apophis": [{}],
    "triangle": [{}],
    "pharaohs": [{}],
    "patient-pairs": [{}],
    "wish": [{}],
    "giza": [{}, {"goal": "pyramid"}],
    "king-tut": [{}, {"waste_piles": 3}],
    "forty-thieves": [{}],
    "thieves-of-egypt": [{}],
    "flower-garden": [{}],
    "wildflower": [{}, {"return_to_space": False}],
}
"""The options that are counted, by game."""
SEEDS = (1, 2)
STATES, SMALL_STATES = 1000, 600
"""Each count goes as deep as this many states allow."""


def rules_of(entry: dict) -> Rules:
    """Return the rules that an entry of a data file counts."""
    if "small" in entry:
        return SMALL_DECKS[entry["small"]]
    return load_game(entry["game"]).with_options(entry["options"]).rules


def counts(rules: Rules, seed: int, limit: int) -> list[int]:
    """Count as deep as `limit` allows, or until there are no more states."""
    deal = deal_seed(rules, seed)
    deep = [1]
    while True:
        deeper = perft(rules, deal, len(deep))
        if deeper[-1] > limit:
            return deep
        deep = deeper
        if deep[-1] == deep[-2]:
            return deep


def write(name: str, entries: list[dict], limit: int) -> None:
    """Write a data file, one entry a line."""
    full = [{**entry, "counts": counts(rules_of(entry), entry["seed"], limit)} for entry in entries]
    lines = ",\n".join(json.dumps(entry) for entry in full)
    (FOLDER / f"{name}.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def main() -> None:
    """Write all files anew."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for game, variants in VARIANTS.items():
        write(
            game, [{"game": game, "options": options, "seed": seed} for options in variants for seed in SEEDS], STATES
        )
    write("small-decks", [{"small": name, "seed": 1} for name in SMALL_DECKS], SMALL_STATES)


if __name__ == "__main__":
    main()
