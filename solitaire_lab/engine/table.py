"""The transposition table: which positions have been entered.

A table is one array of uint64, two words an entry (16 bytes), any number of entries below 2**32, open addressing with
linear probing. The pair of words (0, 0) marks a free entry, so no key may be that pair. Keys are either
exact packed positions (pair games) or 128-bit fingerprints (build games).

Nothing is ever forgotten: a search that reaches :func:`room` must move to a larger table or give up. Tables
are not cleared between deals; every deal starts with a small fresh one that grows with the search, so that
the cost of clearing is in proportion to the work done.

Fingerprints are sums of well-mixed 64-bit words, two lanes with different constants. Taken as random,
two of n different positions share all 128 bits with a probability below n**2 / 2**129: for 10**8 positions
below 2 * 10**-23. (Forcing a lane from (0, 0) to (0, 1) at most doubles that.)
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.instructions import prefetch
from solitaire_lab.engine.kernel import kernel

ENTRY_BYTES = 16
FIRST_ENTRIES = 2**8
"""Entries of the table that a deal starts with."""

_SPREAD_LOW = np.uint64(0x9E3779B97F4A7C15)
_SPREAD_HIGH = np.uint64(0xC2B2AE3D27D4EB4F)
ZERO = np.uint64(0)
ALL_BITS = np.uint64(2**64 - 1)
NOTHING_NEW = ALL_BITS
"""Never a set of restrictions: there are fewer than 64 of them."""
SHIFT = np.uint64(32)


def room(entries: int) -> int:
    """Return how many keys a table of so many entries may hold: four fifths."""
    return entries * 4 // 5


@kernel
def scaled(mixed, entries):
    """Return the upper half of a well-mixed word, scaled to the numbers below `entries`."""
    return np.int64((mixed >> SHIFT) * np.uint64(entries) >> SHIFT)


@kernel
def first_slot(table, low, high):
    """Return where in the table the search for a key begins."""
    mixed = (low * _SPREAD_LOW) ^ (high * _SPREAD_HIGH)
    mixed ^= mixed >> SHIFT
    return scaled(mixed * _SPREAD_LOW, table.size // 2)


@kernel
def fetch_ahead(table, low, high):
    """Have the processor fetch the place of a key that will be looked for soon, which then need not wait for memory."""
    prefetch(table, 2 * first_slot(table, low, high))


@kernel
def insert(table, low, high):
    """Enter a key (not (0, 0)); return whether it is new. The table must have room."""
    entries = table.size // 2
    slot = first_slot(table, low, high)
    while True:
        there_low, there_high = table[2 * slot], table[2 * slot + 1]
        if there_low == low and there_high == high:
            return False
        if there_low == ZERO and there_high == ZERO:
            table[2 * slot] = low
            table[2 * slot + 1] = high
            return True
        slot += 1
        if slot == entries:
            slot = np.int64(0)


@kernel
def insert_set(table, key, bits):
    """Enter a key (not 0) with a set of restrictions under which what it stands for is searched.

    A search under some restrictions covers every search under these and more. The words of an entry are the key and
    its set. The table must have room.

    Returns
    -------
    uint64
        The restrictions to search under, which the entry now holds: the given ones, less those that were not kept to
        before; or `NOTHING_NEW` if an earlier search covers this one.
    """
    return insert_timed(table, key, bits, ALL_BITS)


@kernel
def insert_timed(table, key, value, set_bits):
    """Enter a key (not 0) with a set of restrictions and a time from which it is searched.

    A search from some time on under some restrictions covers every search from that time or a later one under these
    and more. The words of an entry are the key and a value: the set in the bits `set_bits`, the time in those above.
    Of two searches of which neither covers the other the later one is kept. The table must have room.

    Returns
    -------
    uint64
        As :func:`insert_set`.
    """
    entries = table.size // 2
    mixed = key * _SPREAD_LOW
    mixed ^= mixed >> SHIFT
    slot = scaled(mixed * _SPREAD_LOW, entries)
    while True:
        there = table[2 * slot]
        if there == ZERO:
            table[2 * slot] = key
            table[2 * slot + 1] = value
            return value & set_bits
        if there == key:
            known = table[2 * slot + 1]
            known_time, time = known & ~set_bits, value & ~set_bits
            if known_time <= time and known & set_bits & ~value == ZERO:
                return NOTHING_NEW
            if known_time >= time:
                value &= known | ~set_bits
            table[2 * slot + 1] = value
            return value & set_bits
        slot += 1
        if slot == entries:
            slot = np.int64(0)


@kernel
def move_values(old, new):
    """Move all keys with their values to another, larger table."""
    for slot in range(old.size // 2):
        if old[2 * slot] != ZERO:
            insert_set(new, old[2 * slot], old[2 * slot + 1])


@kernel
def move_keys(old, new):
    """Enter all keys of one table into another, larger one."""
    for slot in range(old.size // 2):
        if old[2 * slot] != ZERO or old[2 * slot + 1] != ZERO:
            insert(new, old[2 * slot], old[2 * slot + 1])
