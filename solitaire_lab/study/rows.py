"""Rows: one a deal. They are kept in columns, some 25 bytes a deal, or read from where they are stored when needed."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from solitaire_lab.verdicts import UNDECIDED

if TYPE_CHECKING:
    import pyarrow as pa

BLOCK = 8192
"""Rows that are gathered before they are turned into columns."""


class Row(NamedTuple):
    """One deal of a study."""

    seed: int
    verdict: str
    reason: str | None
    """Why it is undecided, else None."""
    stage: str
    """The search that decided, or the last one tried."""
    states: int
    seconds: float
    """CPU seconds of the searching thread."""
    moves: int | None
    """The length of the solution, if winnable."""
    layer: int = 0
    """0 in a study's first run; 1, 2 ... if the deal was undecided and tried again with a larger budget."""


COLUMNS = Row._fields


@functools.cache
def schema() -> pa.Schema:
    """Return the types of the columns, in memory and in files."""
    import pyarrow as pa

    word = pa.dictionary(pa.int8(), pa.string())
    types = {
        "seed": pa.uint64(),
        "verdict": word,
        "reason": word,
        "stage": word,
        "states": pa.int64(),
        "seconds": pa.float32(),
        "moves": pa.int32(),
        "layer": pa.int8(),
    }
    return pa.schema([pa.field(name, types[name], nullable=name in ("reason", "moves")) for name in COLUMNS])


def table_of(rows: list[Row]) -> pa.Table:
    """Return rows as a table."""
    import pyarrow as pa

    columns = list(zip(*rows, strict=True)) if rows else [()] * len(COLUMNS)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, schema(), strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema())


def joined(tables: Iterable[pa.Table]) -> pa.Table:
    """Return tables one below the other, with one dictionary for each column of words."""
    import pyarrow as pa

    parts = list(tables)
    return (pa.concat_tables(parts) if parts else table_of([])).unify_dictionaries()


def rows_of(table: pa.Table) -> Iterator[Row]:
    """Yield a table's rows."""
    for batch in table.to_batches(max_chunksize=BLOCK):
        columns = [column.to_pylist() for column in batch.columns]
        place = COLUMNS.index("seconds")
        columns[place] = [round(seconds, 6) for seconds in columns[place]]  # what single precision has added goes
        yield from map(Row._make, zip(*columns, strict=True))


class Rows:
    """A growing list of rows, and what they come to."""

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self._tables: list[Callable[[], pa.Table]] = []
        self._new: list[Row] = []
        self.counts: Counter[str] = Counter()
        """How many rows have each verdict."""
        self.reasons: Counter[str] = Counter()
        """How many rows are undecided for each reason."""
        self.states = 0
        """Positions searched, over all rows."""
        self.seconds = 0.0
        """CPU seconds, over all rows."""
        self.extend(rows)

    @classmethod
    def of_table(cls, table: pa.Table, load: Callable[[], pa.Table] | None = None) -> Rows:
        """Return the rows of a table; with `load`, which returns it again when it is needed, it is not kept."""
        import pyarrow.compute as pc

        rows = cls()
        if table.num_rows:
            rows.counts += counted(table["verdict"])
            rows.reasons += counted(table["reason"])
            rows.states += pc.sum(table["states"]).as_py()
            rows.seconds += pc.sum(table["seconds"]).as_py()
            rows._tables = [load or _kept(table)]
        return rows

    def extend(self, rows: Iterable[Row]) -> None:
        """Add rows."""
        for row in rows:
            self.counts[row.verdict] += 1
            if row.verdict == UNDECIDED:
                self.reasons[str(row.reason)] += 1
            self.states += row.states
            self.seconds += row.seconds
            self._new.append(row)
        if len(self._new) >= BLOCK:
            self._gather()

    def _gather(self) -> None:
        """Turn the new rows into columns."""
        if self._new:
            self._tables.append(_kept(table_of(self._new)))
            self._new = []

    def add(self, others: Rows) -> None:
        """Add the rows of another list."""
        self.counts += others.counts
        self.reasons += others.reasons
        self.states += others.states
        self.seconds += others.seconds
        if others._tables:
            self._gather()
        self._tables += others._tables
        self._new += others._new

    def first(self, number: int) -> Rows:
        """Return the first so-many rows; these if there are no more."""
        return self if number >= len(self) else Rows.of_table(self.table()[:number])

    def table(self) -> pa.Table:
        """Return all rows as a table."""
        return joined([*(load() for load in self._tables), table_of(self._new)])

    def __len__(self) -> int:
        return self.counts.total()

    def __iter__(self) -> Iterator[Row]:
        for load in self._tables:
            yield from rows_of(load())
        yield from self._new


def _kept(table: pa.Table) -> Callable[[], pa.Table]:
    """Return what returns a table that is kept in memory."""
    return functools.partial(_itself, table)


def _itself(table: pa.Table) -> pa.Table:
    return table


def counted(words: Any) -> Counter[str]:
    """Count the words of a column, those that are missing left out."""
    import pyarrow.compute as pc

    counts: Counter[str] = Counter()
    for entry in pc.value_counts(words).to_pylist():
        if entry["values"] is not None:
            counts[entry["values"]] += entry["counts"]
    return counts
