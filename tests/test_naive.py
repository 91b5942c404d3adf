"""The naive search itself: its answers agree however it counts."""

from __future__ import annotations

import pytest

from solitaire_lab.deals import deal_seed
from solitaire_lab.verdicts import UNDECIDED, UNWINNABLE, WINNABLE
from tests.naive import naive_verdict, perft
from tests.small_decks import SMALL_BUILD, SMALL_DECKS

QUICK = ["klondike, draw 1", "klondike, same suit", "stonewall, three columns", "cleopatra, automatic", "cleopatra"]


@pytest.mark.parametrize("name", QUICK)
def test_counting_columns_in_any_order_changes_no_verdict(name):
    rules = SMALL_BUILD[name]
    for seed in range(4):
        deal = deal_seed(rules, seed)
        plain, folded = naive_verdict(rules, deal), naive_verdict(rules, deal, canonical=True)
        assert plain[0] == folded[0]
        if plain[0] == UNWINNABLE:
            assert folded[1] <= plain[1]


def test_an_exhaustion_visits_what_perft_counts():
    rules = SMALL_DECKS["pyramid, five ranks"]
    verdict, states = naive_verdict(rules, deal_seed(rules, 5))
    counts = perft(rules, deal_seed(rules, 5), 60)
    assert verdict == UNWINNABLE
    assert counts[-2:] == [states, states]


def test_a_limit_leaves_a_deal_undecided():
    rules = SMALL_DECKS["klondike"]
    verdict, states = naive_verdict(rules, deal_seed(rules, 0), 10)
    assert verdict == UNDECIDED
    assert states > 10


def test_small_decks_have_both_verdicts():
    """A list of decks that are all won would test little."""
    for family in ("klondike", "stonewall", "cleopatra", "pyramid, five ranks", "cheops"):
        rules = SMALL_DECKS[family]
        verdicts = {naive_verdict(rules, deal_seed(rules, seed), canonical=True)[0] for seed in range(6)}
        assert verdicts == {WINNABLE, UNWINNABLE}, family


def test_unlimited_passes_come_to_an_end():
    rules = SMALL_DECKS["pyramid, draw 3 unlimited"]
    verdicts = {naive_verdict(rules, deal_seed(rules, seed))[0] for seed in range(10)}
    assert verdicts == {WINNABLE, UNWINNABLE}
