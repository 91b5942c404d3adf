"""Shuffles are forever: golden orders, other programs' deals, and a look at the fairness of our own."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

from solitaire_lab.cards import KING, SUITS, card_names, pack
from solitaire_lab.deals import deal_from_json, deal_seed
from solitaire_lab.errors import InputError
from solitaire_lab.rules import load_game
from solitaire_lab.shuffles import SHUFFLES, shuffled_pack, splitmix64
from tests.small_decks import SMALL_BUILD, SMALL_PAIR

DATA = Path(__file__).parent / "data"


def shuffled(shuffle, seed, decks=1):
    return card_names(shuffled_pack(shuffle, seed, decks, KING, SUITS))


# The native shuffle.

NATIVE = {
    (0, 1): """
        8S JH 9C 2S 2D QD 6S TC 3D AC JC 7C 9H 8C QS KH 5H 2C 3H 5C AH 6C 4S TD 5D 8H
        8D AD QH TS QC JD 3S 4D 2H 9D 3C KD AS 7S 9S 7D JS 6H KS 4C 7H 5S 6D 4H KC TH""",
    (1, 1): """
        7D 9C 4D 8H 8D 5S JD 6D 9S JC 5D KD 3C 2D JH 5H 7H 4H 2C AD 6S KC KH TH TS JS
        TD 8S QC 4S 6C 7C AS 5C AH KS 6H QS QH QD 9D 3D 3S AC 4C 2H 8C TC 3H 2S 9H 7S""",
    (2**64 - 1, 1): """
        JC KS 7S 4C AD JH 5D 2H AH 7D 6D 6S 4D AS 4S 7H 3D 2D 9H QH 8D 3S 5S 9S AC 8S
        QD TD 7C QS 9C 4H JD KH KC 6H 9D 8H 8C TH 6C KD 2S 3H QC JS 3C 5H TS 2C TC 5C""",
    (7, 2): """
        9C 2S AC KD 4S KS 8S 4D TS 8S QD 9S 7H 3S 6D 2H 3D 4H 9H 7C 5H 4C 6S QC 3D KH
        QD 5S JH TH JC JS 7S 9S 5D JC 6C JS TC 5D JD 5C 3H KH AS 9C 2C 5H AH 5C 9H 3C
        QS 2D JH AS TC AD KS 4S QS 7C 6H 8H TS 4H 6D KC 3S 9D 8D 6H 8C 2D 5S 7D 8C 8D
        7D QH 2C QH TH 2H 4C 9D AH JD 3H AC 7S TD KD 6C 8H AD 6S 3C 7H TD 4D KC 2S QC""",
}


@pytest.mark.parametrize(("seed", "decks"), NATIVE)
def test_native_orders_are_pinned(seed, decks):
    assert shuffled("native", seed, decks).split() == NATIVE[seed, decks].split()


def native_by_the_book(seed, decks):
    """Shuffle as the text of :mod:`solitaire_lab.shuffles` says, written anew from that text alone."""
    order = [rank + suit for _ in range(decks) for suit in "CDHS" for rank in "A23456789TJQK"]
    state = seed

    def draw():
        nonlocal state
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        z = state
        z = (z ^ z // 2**30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z // 2**27) * 0x94D049BB133111EB % 2**64
        return z ^ z // 2**31

    for k in range(len(order), 1, -1):
        u = draw()
        while u >= 2**64 - 2**64 % k:
            u = draw()
        order[k - 1], order[u % k] = order[u % k], order[k - 1]
    return " ".join(order)


@pytest.mark.parametrize("decks", [1, 2])
def test_native_follows_its_description(decks):
    for seed in (0, 1, 2, 7, 12345, 2**32, 2**63, 2**64 - 1):
        assert shuffled("native", seed, decks) == native_by_the_book(seed, decks)


def test_splitmix64_gives_the_published_numbers():
    """The first outputs for seed 1234567, as the generator's authors' code prints them."""
    state, outputs = 1234567, []
    for _ in range(5):
        state, output = splitmix64(state)
        outputs.append(output)
    assert outputs == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.parametrize("game", ["klondike", "stonewall", "pyramid"])
def test_the_seed_alone_permutes_the_pack(game):
    """Games with the same pack deal the same cards, whatever their layout: here, the last one dealt."""
    deal = deal_seed(load_game(game).rules, 3)
    last = deal.stock[-1] if deal.stock else deal.reserve[-1][0]
    assert card_names([last]) == shuffled("native", 3).split()[-1]


def uniformity(orders):
    """Return the p-value of the chi-square test that each card is equally likely in each place."""
    size = orders.shape[1]
    counts = np.array([np.bincount(orders[:, place], minlength=size) for place in range(size)])
    expected = len(orders) / size
    statistic = ((counts - expected) ** 2 / expected).sum()
    return scipy.stats.chi2.sf(statistic, (size - 1) ** 2)


def test_native_puts_each_card_in_each_place_equally_often():
    number = {card: place for place, card in enumerate(pack())}
    orders = np.array(
        [[number[card] for card in shuffled_pack("native", seed, 1, KING, SUITS)] for seed in range(8000)]
    )
    assert 0.001 < uniformity(orders) < 0.999


def test_the_chi_square_test_sees_a_biased_shuffle():
    """Swapping each place with any place is the classic mistake."""
    generator = np.random.default_rng(1)
    orders = np.tile(np.arange(52), (8000, 1))
    rows = np.arange(len(orders))
    for place in range(52):
        other = generator.integers(52, size=len(orders))
        orders[rows, place], orders[rows, other] = orders[rows, other], orders[rows, place].copy()
    assert uniformity(orders) < 0.001


# Other programs' deals.


@pytest.mark.parametrize(
    ("shuffle", "seed", "decks", "first"),
    [
        ("microsoft", 1, 1, "JD 2D 9H JC 5D 7H 7C 5H"),
        ("microsoft", 2147483648, 1, "QH QC 2H 6S 2S 3D KS 8C"),
        ("microsoft", 4294967301, 1, "AS 9C 2H KC 4D 9S 3C 3H"),
        ("pysol", 1, 1, "JD 2D 9H JC 5D 7H 7C 5H"),
        ("pysol", 32001, 1, "4C AC JD 8H 5S 6S 6D KH"),
        ("pysol", 12345678901234567890, 1, "AH 9D 7H 3D 4S JC 9S 6C"),
        ("pysol", 32001, 2, "8C AC JD 4S TH KH 5D 5H"),
        ("pysol", 24, 2, "KC TH QS TS 4H KD 7H 7S"),
    ],
)
def test_first_eight_cards_of_microsoft_and_pysol(shuffle, seed, decks, first):
    assert " ".join(shuffled(shuffle, seed, decks).split()[:8]) == first


# The two deals of "Deal cards for FreeCell", https://rosettacode.org/wiki/Deal_cards_for_FreeCell
FREECELL_DEALS = {
    1: """JD 2D 9H JC 5D 7H 7C 5H KD KC 9S 5S AD QC KH 3H 2S KS 9D QD JS AS AH 3C 4C 5C
          TS QH 4H AC 4D 7S 3S TD 4S TH 8H 2C JH 7D 6D 8S 8D QS 6C 3D 8C TC 6S 9C 2H 6H""",
    617: """7D AD 5C 3S 5S 8C 2D AH TD 7S QD AC 6D 8H AS KH TH QC 3H 9D 6S 8D 3D TC KD 5H
            9S 3C 8S 7H 4D JS 4C QS 9C 9H 7C 6H 2C 2S 4S TS 2H 5D JC 6C JH QH JD KS KC 4H""",
}


@pytest.mark.parametrize("seed", FREECELL_DEALS)
def test_whole_microsoft_deals(seed):
    assert shuffled("microsoft", seed).split() == FREECELL_DEALS[seed].split()


def test_pysol_deals_klondike_rows_right_to_left():
    tableau = deal_seed(load_game("klondike").rules, 32001, "pysol").tableau
    bottoms = card_names(pile[0] & 63 for pile in reversed(tableau))
    assert bottoms == "4C AC JD 8H 5S 6S 6D"


def vectors(draw):
    lines = (DATA / "klondike.jsonl").read_text(encoding="utf-8").splitlines()
    return [line for line in map(json.loads, lines) if line["options"]["draw"] == draw]


@pytest.mark.parametrize("draw", [1, 3])
def test_solvitaire_klondike_deals(draw):
    lines = vectors(draw)
    assert len(lines) == 500
    rules = load_game("klondike").with_options(lines[0]["options"]).rules
    for line in lines:
        seed = int(line["id"].rpartition("-")[2])
        assert deal_seed(rules, seed, "solvitaire") == deal_from_json(line, rules), line["id"]


# All shuffles.


@pytest.mark.parametrize("shuffle", SHUFFLES)
@pytest.mark.parametrize("decks", [1, 2])
def test_every_shuffle_permutes_the_pack(shuffle, decks):
    for seed in (0, 1, 31999, 32000, 2**31, 2**32 - 1):
        assert sorted(shuffled_pack(shuffle, seed, decks, KING, SUITS)) == sorted(pack(decks))


@pytest.mark.parametrize("shuffle", ["native", "solvitaire"])
def test_reduced_packs_are_shuffled_too(shuffle):
    assert sorted(shuffled_pack(shuffle, 1, 2, 4, "CH")) == sorted(pack(2, 4, "CH"))


@pytest.mark.parametrize(
    ("shuffle", "seed", "message"),
    [
        ("nativ", 1, f"unknown shuffle 'nativ'; expected one of {', '.join(SHUFFLES)}; did you mean 'native'?"),
        ("native", -1, "seed -1: expected a whole number from 0 to 2**64 - 1"),
        ("native", 2**64, f"seed {2**64}: expected a whole number from 0 to 2**64 - 1"),
        ("microsoft", 2**33, f"seed {2**33}: microsoft deals have numbers from 0 to {2**33 - 1}"),
        ("pysol", 2**64, f"seed {2**64}: expected a whole number from 0 to 2**64 - 1"),
        ("solvitaire", 2**32, f"seed {2**32}: solvitaire deals have numbers from 0 to {2**32 - 1}"),
    ],
)  # fmt: skip
def test_bad_shuffles_and_seeds(shuffle, seed, message):
    with pytest.raises(InputError) as caught:
        deal_seed(load_game("klondike").rules, seed, shuffle)
    assert str(caught.value) == message


def test_the_largest_seeds_are_dealt():
    rules = load_game("klondike").rules
    for shuffle, seed in (
        ("native", 2**64 - 1),
        ("microsoft", 2**33 - 1),
        ("pysol", 2**64 - 1),
        ("solvitaire", 2**32 - 1),
    ):
        assert len(deal_seed(rules, seed, shuffle).stock) == 24


def test_shuffles_that_a_game_does_not_have():
    with pytest.raises(InputError, match="solvitaire deals are of build games only"):
        deal_seed(SMALL_PAIR["pyramid"], 1, "solvitaire")
    with pytest.raises(InputError, match="microsoft and pysol deals are of full packs; this game has ranks to 5"):
        deal_seed(SMALL_BUILD["klondike"], 1, "microsoft")
