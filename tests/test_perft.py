"""Reachable-state counts: a change of any rule shows up as another number."""

from __future__ import annotations

import json

import pytest

from solitaire_lab.deals import deal_seed
from solitaire_lab.rules.language import show_value
from tests.make_perft import FOLDER, VARIANTS, rules_of
from tests.naive import perft
from tests.small_decks import SMALL_DECKS

ENTRIES = [entry for path in sorted(FOLDER.glob("*.json")) for entry in json.loads(path.read_text(encoding="utf-8"))]


def entry_name(entry):
    if "small" in entry:
        return f"small {entry['small']}-{entry['seed']}"
    options = ",".join(f"{name}={show_value(value)}" for name, value in entry["options"].items())
    return f"{entry['game']}[{options}]-{entry['seed']}"


@pytest.mark.parametrize("entry", ENTRIES, ids=entry_name)
def test_reachable_states_are_as_many_as_recorded(entry):
    rules = rules_of(entry)
    counts = perft(rules, deal_seed(rules, entry["seed"]), len(entry["counts"]) - 1)
    assert counts == entry["counts"]


def test_every_variant_and_every_small_deck_is_recorded():
    recorded = [(entry["game"], entry["options"]) for entry in ENTRIES if "game" in entry]
    wanted = [(game, options) for game, variants in VARIANTS.items() for options in variants]
    assert [variant for variant in wanted if variant not in recorded] == []
    assert {entry["small"] for entry in ENTRIES if "small" in entry} == set(SMALL_DECKS)
