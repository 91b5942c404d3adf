"""The native shuffle, compiled. Its definition, bit by bit, stands in :mod:`solitaire_lab.shuffles`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solitaire_lab.engine.kernel import kernel

GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIX_A = np.uint64(0xBF58476D1CE4E5B9)
MIX_B = np.uint64(0x94D049BB133111EB)
TOP = np.uint64(2**64 - 1)


@kernel
def shuffle_into(orders, seeds, pack):
    """Shuffle one pack for each seed.

    Parameters
    ----------
    orders : ndarray of uint8, shape (n, m)
        Filled: each row is the pack in the order in which it is dealt.
    seeds : ndarray of uint64, shape (n,)
    pack : ndarray of uint8, shape (m,)
        The pack in its unshuffled order.
    """
    for row in range(seeds.size):
        order = orders[row]
        for i in range(pack.size):
            order[i] = pack[i]
        state = seeds[row]
        for i in range(pack.size - 1, 0, -1):
            k = np.uint64(i + 1)
            # 2**64 mod k, in 64 bits: the outputs from TOP - excess + 1 on are drawn again.
            excess = (TOP % k + np.uint64(1)) % k
            while True:
                state += GAMMA
                z = state
                z = (z ^ (z >> np.uint64(30))) * MIX_A
                z = (z ^ (z >> np.uint64(27))) * MIX_B
                u = z ^ (z >> np.uint64(31))
                if u <= TOP - excess:
                    break
            j = np.int64(u % k)
            order[i], order[j] = order[j], order[i]


def shuffle_packs(seeds: NDArray[np.uint64], pack: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Shuffle one pack for each seed.

    Parameters
    ----------
    seeds : ndarray of uint64, shape (n,)
    pack : ndarray of uint8, shape (m,)
        The pack in its unshuffled order.

    Returns
    -------
    ndarray of uint8, shape (n, m)
        Each row is the pack in the order in which it is dealt.
    """
    orders = np.empty((seeds.size, pack.size), np.uint8)
    shuffle_into(orders, seeds, pack)
    return orders
