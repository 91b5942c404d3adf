"""Seeds: which numbered deals are meant, as ranges, so that a billion of them take no room."""

from __future__ import annotations

import dataclasses
import itertools
import operator
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from solitaire_lab.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LAST_SEED = 2**64 - 1

SeedsLike: TypeAlias = "Seeds | str | int | Iterable[int]"
"""What `Seeds.of` reads: ``"1-100,200"``, ``7``, ``range(1, 101)``, a list."""

_PART = re.compile(r"\s*(\d{1,20})\s*(?:-\s*(\d{1,20})\s*)?", re.ASCII)
_GRAMMAR = "expected seeds such as 7, 1-100 or 1-10,20"


@dataclasses.dataclass(frozen=True)
class Seeds:
    """Seeds in the order in which they were given."""

    ranges: tuple[range, ...]
    """Ranges of step 1, none of them empty."""

    @classmethod
    def parse(cls, text: str) -> Seeds:
        """Read ``7``, ``1-100`` or ``1-10,20``.

        Raises
        ------
        InputError
            If the text is no such list, a range runs backwards, or a seed is above 2**64 - 1.
        """
        ranges = []
        for part in text.split(","):
            match = _PART.fullmatch(part)
            if not match:
                raise InputError(f"seeds {text!r:.60}: {_GRAMMAR}")
            first, last = int(match[1]), int(match[2] or match[1])
            if last < first:
                raise InputError(f"seeds {part.strip()}: the range runs backwards; expected {last}-{first}")
            ranges.append(_checked(first, last))
        return cls(tuple(ranges))

    @classmethod
    def starting(cls, first: int, count: int) -> Seeds:
        """Return `count` seeds from `first` on.

        Raises
        ------
        InputError
            If there are none, or they leave the range of seeds.
        """
        if count < 1:
            raise InputError(f"deals={count}: expected a whole number from 1 on")
        return cls((_checked(first, first + count - 1),))

    @classmethod
    def of(cls, seeds: SeedsLike) -> Seeds:
        """Return seeds given in any form that `SeedsLike` names.

        Raises
        ------
        InputError
            If they are no seeds, or none at all.
        """
        if isinstance(seeds, Seeds):
            return seeds
        if isinstance(seeds, str):
            return cls.parse(seeds)
        if isinstance(seeds, range) and seeds.step == 1 and seeds:
            return cls((_checked(seeds.start, seeds.stop - 1),))
        try:
            numbers = [operator.index(seeds)] if not isinstance(seeds, Iterable) else map(operator.index, seeds)
            ranges: list[range] = []
            for number in numbers:
                if ranges and number == ranges[-1].stop:
                    ranges[-1] = _checked(ranges[-1].start, number)
                else:
                    ranges.append(_checked(number, number))
        except TypeError:
            raise InputError(f"seeds {seeds!r:.60}: {_GRAMMAR}, or whole numbers") from None
        if not ranges:
            raise InputError("seeds: expected at least one")
        return cls(tuple(ranges))

    @property
    def count(self) -> int:
        """How many seeds there are (``len`` cannot say 2**64)."""
        return sum(part.stop - part.start for part in self.ranges)

    @property
    def first(self) -> int:
        """The seed that comes first."""
        return self.ranges[0].start

    @property
    def highest(self) -> int:
        """The largest seed."""
        return max(part.stop - 1 for part in self.ranges)

    def __iter__(self) -> Iterator[int]:
        return itertools.chain.from_iterable(self.ranges)

    def array(self) -> NDArray[np.uint64]:
        """Return the seeds as an array."""
        import numpy as np

        parts = [np.arange(len(part), dtype=np.uint64) + np.uint64(part.start) for part in self.ranges]
        return np.concatenate([np.zeros(0, np.uint64), *parts])

    def chunks(self, size: int) -> Iterator[list[int]]:
        """Yield the seeds in lists of `size`, the last one shorter if need be."""
        seeds = iter(self)
        while chunk := list(itertools.islice(seeds, size)):
            yield chunk

    def repeated(self) -> int | None:
        """Return a seed that occurs twice, or None."""
        ordered = sorted(self.ranges, key=lambda part: part.start)
        return next((right.start for left, right in itertools.pairwise(ordered) if right.start < left.stop), None)

    def slice(self, start: int, stop: int) -> Seeds:
        """Return the seeds at the places from `start` to `stop` (left out), counted from 0; as many as there are."""
        parts = []
        before = 0
        for part in self.ranges:
            if before >= stop:
                break
            size = part.stop - part.start
            first, last = max(0, start - before), min(size, stop - before)
            if first < last:
                parts.append(range(part.start + first, part.start + last))
            before += size
        return Seeds(tuple(parts))

    def begins(self, other: Seeds) -> bool:
        """Say whether these are the first of the other seeds."""
        return list(other.slice(0, self.count)._merged()) == list(self._merged())

    def _merged(self) -> Iterator[range]:
        """Yield the ranges, those that follow each other as one."""
        last: range | None = None
        for part in self.ranges:
            if last is not None and part.start == last.stop:
                last = range(last.start, part.stop)
            else:
                if last is not None:
                    yield last
                last = part
        if last is not None:
            yield last

    def text(self, *, whole: bool = False) -> str:
        """Return the seeds as they are written on the command line; many ranges are shortened unless all are wanted."""
        ranges = list(self._merged())
        shown = [str(part.start) if part.stop - part.start == 1 else f"{part[0]}-{part[-1]}" for part in ranges]
        return ",".join(shown) if whole or len(shown) <= 8 else ",".join([*shown[:4], "...", *shown[-2:]])


def _checked(first: int, last: int) -> range:
    if first < 0 or last > LAST_SEED:
        raise InputError(f"seed {first if first < 0 else last}: expected a whole number from 0 to 2**64 - 1")
    return range(first, last + 1)
