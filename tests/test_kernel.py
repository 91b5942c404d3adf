"""How kernels are compiled, and the machine instructions that they use."""

import random
import subprocess
import sys

import numba
import numpy as np
import pytest

from solitaire_lab.engine.bits import count_ones, highest, lowest
from solitaire_lab.engine.kernel import kernel

TAKE = """
import numpy as np
from solitaire_lab.engine.kernel import kernel

def take(numbers, at):
    return numbers[at]

take.__module__ = "solitaire_lab.engine.made_up"
print(kernel(take)(np.arange(3), {at}))
"""


def test_instructions_on_words():
    @numba.njit
    def of(word):
        return count_ones(word), lowest(word), highest(word)

    generator = random.Random(1)
    for word in [1, 2**63, 2**64 - 1, *(generator.getrandbits(64) >> generator.randrange(64) or 1 for _ in range(500))]:
        ones, low, high = of(np.uint64(word))
        assert (ones, low, high) == (word.bit_count(), (word & -word).bit_length() - 1, word.bit_length() - 1)


@pytest.mark.parametrize(("at", "error"), [(2, ""), (3, "IndexError"), (-1, "IndexError")])
def test_bounds_are_checked_where_asked_for(at, error, tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    monkeypatch.setenv("SOLITAIRE_LAB_CACHE", str(tmp_path))
    program = tmp_path / "take.py"
    program.write_text(TAKE.format(at=at))
    done = subprocess.run([sys.executable, program], check=False, capture_output=True, text=True)
    assert error in done.stderr
    assert done.stdout == ("" if error else "2\n")


def test_other_functions_are_compiled_as_ever():
    def first(numbers):
        return numbers[0]

    first.__module__ = kernel.__module__

    @numba.njit
    def last(numbers):
        return numbers[-1]

    numbers = np.arange(3)
    assert kernel(first)(numbers) == 0
    assert last(numbers) == 2
