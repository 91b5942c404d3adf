"""The engines' signature: node counts change only on purpose, see ``make_node_counts.py``."""

from __future__ import annotations

import json

import pytest

from solitaire_lab.rules.catalogue import catalogue_keys
from tests.make_node_counts import FILE, node_counts

EXPECTED: dict[str, list[str]] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}


def test_every_game_has_its_signature() -> None:
    assert list(EXPECTED) == catalogue_keys()


@pytest.mark.parametrize("key", EXPECTED)
def test_node_counts(key: str) -> None:
    """If this is on purpose: ``python -m tests.make_node_counts``."""
    assert node_counts(key) == EXPECTED[key]
