"""Two verdicts on each of the same deals: the paired table, and the difference of the winnable shares."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Iterable
from typing import TypeAlias

from solitaire_lab.study.statistics import wilson
from solitaire_lab.verdicts import UNDECIDED, UNWINNABLE, WINNABLE

Cells: TypeAlias = tuple[int, int, int, int]
"""How many deals are winnable under both, the first alone, the second alone, neither."""

VERDICTS = (WINNABLE, UNWINNABLE, UNDECIDED)

BOTH, FIRST_ALONE, SECOND_ALONE, NEITHER = range(4)


def newcombe(cells: Cells, confidence: float = 0.95) -> tuple[float, float]:
    """Return an interval for the difference of two shares of the same deals: the second's less the first's.

    Method 10 of R. G. Newcombe, *Improved confidence intervals for the difference between binomial proportions based on
    paired data*, Statistics in Medicine 17:2635, 1998: the Wilson limits of both shares put together, with the
    correlation of the pairs estimated with a correction for continuity.

    Returns
    -------
    tuple of float
        Both ends, from -1 to 1; (-1, 1) if there are no deals.
    """
    both, first, second, neither = cells
    deals = sum(cells)
    if not deals:
        return -1.0, 1.0
    one, other = (both + first) / deals, (both + second) / deals
    (low, high), (other_low, other_high) = (
        wilson(both + first, deals, confidence),
        wilson(both + second, deals, confidence),
    )
    product = float(both * neither - first * second)
    if product > 0:
        product = max(0.0, product - deals / 2)
    squares = (both + first) * (second + neither) * (both + second) * (first + neither)
    correlation = product / math.sqrt(squares) if squares else 0.0

    def distance(mine: float, others: float) -> float:
        return math.sqrt(max(0.0, mine * mine - 2 * correlation * mine * others + others * others))

    difference = (second - first) / deals
    return (
        max(-1.0, difference - distance(other - other_low, high - one)),
        min(1.0, difference + distance(other_high - other, one - low)),
    )


def mcnemar(first: int, second: int) -> float:
    """Return the p-value of McNemar's exact test, two-sided (Q. McNemar, Psychometrika 12:153, 1947).

    Parameters
    ----------
    first, second
        The deals that only the one and only the other wins; by chance each is as likely to be either.
    """
    deals, fewer = first + second, min(first, second)
    log_half = deals * math.log(0.5)
    tail = sum(
        math.exp(math.lgamma(deals + 1) - math.lgamma(k + 1) - math.lgamma(deals - k + 1) + log_half)
        for k in range(fewer + 1)
    )
    return min(1.0, 2 * tail)


@dataclasses.dataclass(frozen=True)
class Pairs:
    """How many deals have which two verdicts, and what that says."""

    counts: Counter[tuple[str, str]]
    """Deals by the verdict under the first rules and the one under the second."""
    confidence: float = 0.95
    ordered: int = 0
    """1 if every deal that the first wins is known to be won by the second, -1 the other way round, else 0."""

    @classmethod
    def of(cls, first: Iterable[str], second: Iterable[str], confidence: float = 0.95, ordered: int = 0) -> Pairs:
        """Count pairs of verdicts on the same deals."""
        return cls(Counter(zip(first, second, strict=True)), confidence, ordered)

    @property
    def deals(self) -> int:
        """Deals in the sample."""
        return self.counts.total()

    @property
    def cells(self) -> Cells:
        """The deals that both have decided."""
        counts = self.counts
        return (
            counts[WINNABLE, WINNABLE],
            counts[WINNABLE, UNWINNABLE],
            counts[UNWINNABLE, WINNABLE],
            counts[UNWINNABLE, UNWINNABLE],
        )

    def _filled(self, cell: int, *, ties_win: bool = True) -> Cells:
        """Return the table with every undecided deal put into a cell, or the nearest to it that its verdicts allow.

        `FIRST_ALONE` makes the second's share as small against the first's as it can be, `SECOND_ALONE` as large. What
        both have left open goes to both or to neither, as `ties_win` says, where the cell itself is impossible.
        """
        cells = list(self.cells)
        first_wins, second_wins = cell == FIRST_ALONE, cell == SECOND_ALONE
        for (one, other), count in self.counts.items():
            if UNDECIDED in (one, other):
                won = first_wins if one == UNDECIDED else one == WINNABLE
                other_won = second_wins if other == UNDECIDED else other == WINNABLE
                if (won, other_won) == {1: (True, False), -1: (False, True)}.get(self.ordered):
                    # Cannot be; as good for the one that cannot win alone is that both win, or neither does.
                    known = other if one == UNDECIDED else one
                    won = other_won = ties_win if known == UNDECIDED else known == WINNABLE
                cells[_cell(won, other_won)] += count
        return cells[0], cells[1], cells[2], cells[3]

    @property
    def difference(self) -> tuple[float, float]:
        """The interval of the second's winnable share less the first's; undecided deals widen it at both ends.

        Where one wins whatever the other wins, it does not reach beyond zero.
        """
        both = True, False
        low = min(newcombe(self._filled(FIRST_ALONE, ties_win=ties), self.confidence)[0] for ties in both)
        high = max(newcombe(self._filled(SECOND_ALONE, ties_win=ties), self.confidence)[1] for ties in both)
        return max(low, 0.0) if self.ordered > 0 else low, min(high, 0.0) if self.ordered < 0 else high

    @property
    def p_value(self) -> float:
        """McNemar's exact p-value, the largest that the undecided deals allow."""
        least, most = self._filled(FIRST_ALONE), self._filled(SECOND_ALONE)
        first = self.cells[FIRST_ALONE], least[FIRST_ALONE]
        second = self.cells[SECOND_ALONE], most[SECOND_ALONE]
        if first[1] < second[0]:
            return mcnemar(first[1], second[0])
        if second[1] < first[0]:
            return mcnemar(first[0], second[1])
        return 1.0


def _cell(first: bool, second: bool) -> int:
    if first:
        return BOTH if second else FIRST_ALONE
    return SECOND_ALONE if second else NEITHER
