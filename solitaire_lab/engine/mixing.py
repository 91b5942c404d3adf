"""Shuffling moves, so that repeated incomplete searches try them in other orders."""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.kernel import kernel

GAMMA = np.int64(0x9E3779B97F4A7C15 - 2**64)
MIX_A = np.uint64(0xBF58476D1CE4E5B9)
MIX_B = np.uint64(0x94D049BB133111EB)


@kernel
def shuffle_moves(numbers, place, moves, start, end):
    """Shuffle ``moves[start:end]`` if ``numbers[place]``, the state of a splitmix64 generator, is not 0.

    Taking remainders is slightly uneven, which does not matter here. The state goes on from call to call, so a
    search depends on its first value alone.
    """
    if numbers[place] == 0:
        return
    for at in range(end - 1, start, -1):
        numbers[place] += GAMMA
        z = np.uint64(numbers[place])
        z = (z ^ (z >> np.uint64(30))) * MIX_A
        z = (z ^ (z >> np.uint64(27))) * MIX_B
        other = start + np.int64(z >> np.uint64(33)) % (at - start + 1)
        moves[at], moves[other] = moves[other], moves[at]
