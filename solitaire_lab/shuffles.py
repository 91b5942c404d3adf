"""From a seed to the order of a pack: our own shuffle, and those of other programs.

Every function returns the whole pack as a list of card codes **in the order in which it is dealt**.

The native shuffle, bit by bit
------------------------------
Deals are forever, so this is ours alone and will not change.

1. The pack stands in order: suits C D H S, ace to king within a suit, the whole pack twice for two decks
   (:func:`solitaire_lab.cards.pack`); position 0 first.
2. The generator is splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
   OOPSLA 2014). Its 64-bit state starts as the seed. Each draw, modulo 2**64: ``state += 0x9E3779B97F4A7C15``;
   ``z = state``; ``z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9``; ``z = (z ^ (z >> 27)) * 0x94D049BB133111EB``;
   the output is ``z ^ (z >> 31)``.
3. For i = n-1 down to 1: with ``k = i + 1``, draw ``u`` until ``u < 2**64 - (2**64 mod k)`` (so that each
   remainder is equally likely), let ``j = u mod k``, and swap positions i and j.
4. The pack is dealt from position 0 on, in the order that the game's rules give.

The seed alone permutes the pack: all games with the same pack share it.
:func:`solitaire_lab.engine.shuffle.shuffle_packs` is the same in compiled form.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from solitaire_lab.cards import KING, RANKS, SUITS, Card, make_card, pack
from solitaire_lab.errors import InputError, near

MASK64 = 2**64 - 1
GAMMA, MIX_A, MIX_B = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def splitmix64(state: int) -> tuple[int, int]:
    """Return the next state and the next output of splitmix64."""
    state = (state + GAMMA) & MASK64
    z = state
    z = ((z ^ (z >> 30)) * MIX_A) & MASK64
    z = ((z ^ (z >> 27)) * MIX_B) & MASK64
    return state, z ^ (z >> 31)


def native(seed: int, decks: int, ranks: int, suits: str) -> list[Card]:
    """Shuffle as the module's text says; seeds 0 to 2**64 - 1."""
    order = pack(decks, ranks, suits)
    state = seed
    for i in range(len(order) - 1, 0, -1):
        k = i + 1
        limit = 2**64 - 2**64 % k
        while True:
            state, u = splitmix64(state)
            if u < limit:
                break
        j = u % k
        order[i], order[j] = order[j], order[i]
    return order


def microsoft(seed: int, decks: int, ranks: int, suits: str) -> list[Card]:
    """Shuffle as Microsoft FreeCell numbers its deals; seeds 0 to 2**33 - 1.

    A linear congruential generator, ``x = (214013 x + 2531011) mod 2**32``, gives ``(x >> 16) & 0x7fff``;
    for seeds from 2**31 on the extensions of the Windows games and of PySol apply.
    """
    x = seed % 2**32

    def below(k: int) -> int:
        nonlocal x
        x = (214013 * x + 2531011) % 2**32
        if seed < 2**31:
            return (x >> 16 & 0x7FFF) % k
        if seed < 2**32:
            return (x >> 16 & 0x7FFF | 0x8000) % k
        return ((x >> 16 & 0xFFFF) + 1) % k

    return _pysol_pack_shuffled(below, decks, ranks, suits, reorder=decks == 1)


def pysol(seed: int, decks: int, ranks: int, suits: str) -> list[Card]:
    """Shuffle as PySol numbers its deals: Microsoft's below 32000, Python's Mersenne Twister from there on."""
    if seed < 32000:
        return microsoft(seed, decks, ranks, suits)
    generator = random.Random(seed)
    return _pysol_pack_shuffled(lambda k: int(generator.random() * k), decks, ranks, suits, reorder=False)


def solvitaire(seed: int, decks: int, ranks: int, suits: str) -> list[Card]:
    """Shuffle as Solvitaire does: mt19937 seeded with a 32-bit number; seeds 0 to 2**32 - 1."""
    generator = _mt19937(seed)
    letters = [letter for letter in "CHSD" if letter in suits]
    order = [
        make_card(rank, SUITS.index(letter)) for _ in range(decks) for rank in range(1, ranks + 1) for letter in letters
    ]
    for i in range(len(order) - 1, 0, -1):
        bucket = 2**32 // (i + 1)
        while True:
            j = generator.getrandbits(32) // bucket
            if j <= i:
                break
        order[i], order[j] = order[j], order[i]
    return order[::-1]


def _pysol_pack_shuffled(
    below: Callable[[int], int], decks: int, ranks: int, suits: str, *, reorder: bool
) -> list[Card]:
    if len(suits) != len(SUITS) or ranks != KING:
        raise InputError(
            f"microsoft and pysol deals are of full packs; this game has ranks to {RANKS[ranks - 1]} in suits {suits}"
        )
    one = [make_card(rank, SUITS.index(letter)) for letter in "CSHD" for rank in range(1, KING + 1)]
    order = one * decks
    if reorder:
        order = [order[i + j] for i in range(KING) for j in (0, 39, 26, 13)]
    for n in range(len(order) - 1, 0, -1):
        j = below(n + 1)
        order[n], order[j] = order[j], order[n]
    return order[::-1]


def _mt19937(seed: int) -> random.Random:
    """Return a Mersenne Twister with the standard single-word initialisation of C++'s ``std::mt19937``."""
    words = [seed]
    for i in range(1, 624):
        words.append((1812433253 * (words[-1] ^ (words[-1] >> 30)) + i) % 2**32)
    generator = random.Random()
    generator.setstate((3, (*words, 624), None))
    return generator


SHUFFLES: dict[str, Callable[[int, int, int, str], list[Card]]] = {
    "native": native,
    "microsoft": microsoft,
    "pysol": pysol,
    "solvitaire": solvitaire,
}

LAST_SEEDS = {"native": MASK64, "microsoft": 2**33 - 1, "pysol": MASK64, "solvitaire": 2**32 - 1}
"""The largest number of a deal, by shuffle."""


def shuffled_pack(shuffle: str, seed: int, decks: int, ranks: int, suits: str) -> list[Card]:
    """Return the pack in dealing order.

    Raises
    ------
    InputError
        For an unknown shuffle, or a seed that it does not have.
    """
    if shuffle not in SHUFFLES:
        raise InputError(f"unknown shuffle {shuffle!r}; expected one of {', '.join(SHUFFLES)}{near(shuffle, SHUFFLES)}")
    if not 0 <= seed <= MASK64:
        raise InputError(f"seed {seed}: expected a whole number from 0 to 2**64 - 1")
    if seed > LAST_SEEDS[shuffle]:
        raise InputError(f"seed {seed}: {shuffle} deals have numbers from 0 to {LAST_SEEDS[shuffle]}")
    return SHUFFLES[shuffle](seed, decks, ranks, suits)
