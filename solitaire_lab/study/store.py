"""Studies in folders: stored as they run, resumed after any end, opened by any program that reads Parquet.

A folder holds ``study.toml``, which says what the study is, and one folder for each layer: ``layer-0`` for the first
run, ``layer-1`` ... for later attempts at the deals that were undecided, with larger budgets. A layer's rows stand in
shards, each for the seeds at the places ``k * SHARD_DEALS`` and following. A shard of the first run has the first rows
of its range without a gap; when it has grown, it replaces the shorter one in one step. What is missing is what the
shards do not have, so that nothing else must be kept in step with them.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import itertools
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import tomli_w

from solitaire_lab.errors import InputError
from solitaire_lab.rules import Game
from solitaire_lab.shuffles import LAST_SEEDS
from solitaire_lab.study.description import Description, budget_difference
from solitaire_lab.study.plan import Study, budget_text, same_solver, solver_version
from solitaire_lab.study.result import COMPLETE, INTERRUPTED, StudyResult
from solitaire_lab.study.rows import Row, Rows, joined
from solitaire_lab.study.seeds import LAST_SEED, Seeds, SeedsLike
from solitaire_lab.study.shards import (
    DAMAGED,
    STUDY_FILE,
    TEMPORARY,
    DamagedError,
    Versions,
    damaged,
    layer_folder,
    locked,
    read_shard,
    shard_bytes,
    shard_path,
    shards_there,
    stored_table,
    write_file,
)
from solitaire_lab.study.statistics import SEQUENCE
from solitaire_lab.verdicts import UNDECIDED, Budget

if TYPE_CHECKING:
    import pyarrow as pa

SHARD_DEALS = 2**15
"""Deals in a shard: many tasks, and some 300 kB."""

FLUSH_EVERY = 10.0
"""Seconds after which new rows are brought to the disk even though their shard is not full."""


@dataclasses.dataclass(frozen=True)
class Part:
    """A shard's place in a run."""

    shard: int
    stored: int
    """Rows that are there already, before the missing ones."""
    missing: Seeds


class Store:
    """A study's rows, shard by shard: in memory, and in a folder if there is one.

    Use :func:`open_store`, which locks the folder.
    """

    def __init__(self, description: Description, folder: Path | None = None) -> None:
        self.description = description
        self.folder = folder
        self.study = description.study
        """The study that is to run: that of the description or its first deals."""
        self.layer = 0
        """The layer that is to run."""
        self.solved = 0
        """Rows that were added."""
        self.read_only = False
        """Whether nothing is written to the folder."""
        self.notes: list[str] = []
        """What the user should know, such as shards that were damaged."""
        self._rows: dict[tuple[int, int], Rows] = {}
        """Of each layer and shard."""
        self._versions: dict[tuple[int, int], Versions] = {}
        self._shard = 0
        """The shard that grows."""
        self._new = 0
        """How many of its rows are not on the disk yet."""
        self._flushed = time.monotonic()

    @classmethod
    def in_memory(cls, study: Study) -> Store:
        """Return a store without a folder."""
        return cls(Description(study, SHARD_DEALS, (), (solver_version(),)))

    @classmethod
    def look(cls, study: Study, folder: str | Path, *, escalate: bool = False, mix_versions: bool = False) -> Store:
        """Open a study's folder without writing to it; arguments and errors are those of `open_store`."""
        store = cls(Description.read(Path(folder) / STUDY_FILE), Path(folder))
        store.read_only = True
        store.take_up(study, escalate=escalate, mix_versions=mix_versions)
        return store

    # Opening.

    def take_up(self, study: Study, *, escalate: bool, mix_versions: bool) -> None:
        """Check that the folder holds the study that is wanted, and read what is there of it."""
        if escalate:
            self._want_layer(study, mix_versions)
        else:
            self._want(study, mix_versions)
        self.load(repair=not self.read_only)
        if escalate:
            self.study = dataclasses.replace(self.study, seeds=self.study.seeds.slice(0, len(self.stored_rows())))

    def load(self, *, repair: bool) -> None:
        """Read all shards.

        Parameters
        ----------
        repair
            Set damaged ones aside, so that their deals are computed again; else complain.

        Raises
        ------
        InputError
            If a shard is damaged and not to be repaired.
        """
        if self.folder is None:
            return
        for layer in range(len(self.description.layers) + 1):
            if repair:
                for left in layer_folder(self.folder, layer).glob(f"*{TEMPORARY}"):
                    left.unlink()
            for shard in shards_there(self.folder, layer):
                path = shard_path(self.folder, layer, shard)
                try:
                    table, versions = read_shard(path, layer, shard)
                    self._check_seeds(table, layer, shard)
                except DamagedError as damage:
                    if not repair:
                        raise damaged(path, damage) from None
                    path.rename(path.with_name(path.name + DAMAGED))
                    self.notes.append(
                        f"{path} is damaged ({damage}); it was renamed to {path.name}{DAMAGED}, "
                        "and its deals are computed again"
                    )
                else:
                    self._rows[layer, shard] = self._rows_of(table, layer, shard)
                    self._versions[layer, shard] = versions

    def _rows_of(self, table: pa.Table, layer: int, shard: int) -> Rows:
        """Return the rows of a stored shard: one that grows no more is read again when it is needed."""
        full = layer == 0 and table.num_rows == self.description.shard_deals
        load = functools.partial(stored_table, shard_path(self._folder(), layer, shard), layer, shard) if full else None
        return Rows.of_table(table, load)

    def _check_seeds(self, table: pa.Table, layer: int, shard: int) -> None:
        """Check that a shard has the seeds of its place: the first of them, or in a later layer some of them."""
        import numpy as np

        first = shard * self.description.shard_deals
        deals = table.num_rows if layer == 0 else self.description.shard_deals
        place = self.description.study.seeds.slice(first, first + deals).array()
        seeds = table["seed"].to_numpy()
        if layer == 0:
            fits = np.array_equal(seeds, place)
        else:
            fits = bool(np.isin(seeds, place).all()) and len(np.unique(seeds)) == len(seeds)
        if not fits:
            raise DamagedError("it has not the seeds that it should have")

    def _want(self, study: Study, mix_versions: bool) -> None:
        """Take up a study that is to run: the one in the folder, perhaps with fewer or more deals.

        Raises
        ------
        InputError
            If it is another study, or was made by another version of the solver.
        """
        self._refuse_another(study)
        there = self.description.study
        if difference := budget_difference(there.budget, study.budget):
            raise InputError(
                f"folder {self.folder} holds a study with another budget: {difference}; to try its undecided deals "
                "again with a larger one, add --escalate"
            )
        if study.until_width is None and there.until_width is not None:
            # Whoever has stopped by the width once has looked, and goes on with what allows for that.
            study = dataclasses.replace(study, interval=SEQUENCE)
        longer = study.seeds if there.seeds.begins(study.seeds) else there.seeds
        width = there.until_width if study.until_width is None else study.until_width
        extended = dataclasses.replace(
            there,
            seeds=longer,
            until_width=width,
            interval="wilson" if width is None else SEQUENCE,
            confidence=there.confidence if study.until_width is None else study.confidence,
        )
        self.study = study
        self._describe(dataclasses.replace(self.description, study=extended), mix_versions)

    def _want_layer(self, study: Study, mix_versions: bool) -> None:
        """Take up the deals that are undecided, with the larger budget of `study`.

        Raises
        ------
        InputError
            If it is another study, the budget is not larger, or the folder has no deals yet.
        """
        self._refuse_another(study)
        there = self.description.study
        self.study = dataclasses.replace(
            study,
            seeds=study.seeds if study.seeds.begins(there.seeds) else there.seeds,
            budget=there.budget,
            interval=study.interval if there.until_width is None else SEQUENCE,
        )
        layers = self.description.layers
        if study.budget in layers:
            self.layer = 1 + layers.index(study.budget)
        else:
            last = (there.budget, *layers)[-1]
            if not _is_larger(study.budget, last):
                raise InputError(
                    f"--escalate: expected a larger budget than the last one, {budget_text(last)}; got "
                    f"{budget_text(study.budget)}"
                )
            layers = (*layers, study.budget)
            self.layer = len(layers)
        if not shards_there(self._folder(), 0):
            raise InputError(f"folder {self.folder} has no finished deals; run the study without --escalate first")
        self._describe(dataclasses.replace(self.description, layers=layers), mix_versions)

    def _refuse_another(self, study: Study) -> None:
        if difference := self.description.difference(study):
            raise InputError(
                f"folder {self.folder} holds another study: {difference}; expected the same study or another folder"
            )

    def _describe(self, description: Description, mix_versions: bool) -> None:
        """Set the description, with the present version of the solver; write it if it has changed."""
        file = self._folder() / STUDY_FILE
        last, present = description.versions[-1], solver_version()
        if not same_solver(last, present) and not mix_versions:
            raise InputError(
                f"folder {self.folder} was made by another version of the solver: {last} there, {present} here; "
                "its rows may differ in states and undecided deals; to go on all the same add --mix-versions "
                "(both will be recorded), or choose another folder"
            )
        if last != present:
            description = dataclasses.replace(description, versions=(*description.versions, present))
        changed = description != self.description or not file.exists()
        self.description = description
        if changed and not self.read_only:
            write_file(file, tomli_w.dumps(description.to_data()).encode())

    def _folder(self) -> Path:
        assert self.folder is not None
        return self.folder

    # What is there, and what is missing.

    def parts(self) -> Iterator[Part]:
        """Yield the shards of the layer that is to run, in order, with what is missing of each."""
        for shard in self._shards():
            if self.layer == 0:
                seeds = self._range(shard)
                stored = self._stored(shard)
                yield Part(shard, stored, seeds.slice(stored, seeds.count))
            else:
                yield Part(shard, 0, self._undecided(shard))

    def _shards(self) -> Iterator[int]:
        size, count = self.description.shard_deals, self.study.seeds.count
        shard = 0
        while shard * size < count and (self.layer == 0 or (0, shard) in self._rows):
            yield shard
            shard += 1

    def _range(self, shard: int) -> Seeds:
        size = self.description.shard_deals
        return self.study.seeds.slice(shard * size, (shard + 1) * size)

    def _stored(self, shard: int) -> int:
        rows = self._rows.get((0, shard))
        return 0 if rows is None else min(len(rows), self._range(shard).count)

    def _undecided(self, shard: int) -> Seeds:
        """Return the seeds of a shard that are undecided below the present layer, and have no row in it."""
        import pyarrow.compute as pc

        table = self.merged(shard, below=self.layer).first(self._stored(shard)).table()
        seeds = table["seed"].filter(pc.equal(table["verdict"], UNDECIDED))
        tried = {row.seed for row in self._rows.get((self.layer, shard), ())}
        left = [seed for seed in seeds.to_pylist() if seed not in tried]
        return Seeds.of(left) if left else Seeds(())

    def merged(self, shard: int, *, below: int | None = None) -> Rows:
        """Return the rows of a shard, each deal's from the last layer (below one, if given) that has it."""
        import numpy as np
        import pyarrow as pa
        import pyarrow.compute as pc

        merged = self._rows.get((0, shard), Rows())
        for layer in range(1, len(self.description.layers) + 1 if below is None else below):
            if (layer, shard) not in self._rows:
                continue
            base, over = merged.table(), self._rows[layer, shard].table()
            places = pc.index_in(base["seed"], value_set=over["seed"].combine_chunks())
            found = places.fill_null(-1).to_numpy()
            chosen = np.where(found >= 0, found + base.num_rows, np.arange(base.num_rows))
            merged = Rows.of_table(joined([base, over]).take(pa.array(chosen)))
        return merged

    def verdicts(self, part: Part) -> list[str]:
        """Return the verdicts of a part's stored rows."""
        return [row.verdict for row in itertools.islice(self._rows[0, part.shard], part.stored)]

    def stored_rows(self) -> Rows:
        """Return the rows of the study that are there, from its first deal on without a gap."""
        rows = Rows()
        left = self.study.seeds.count
        for shard in self._shards():
            part = self.merged(shard).first(left)
            rows.add(part)
            left -= len(part)
            if len(part) < self._range(shard).count:
                break
        return rows

    # Growing.

    def add(self, part: Part, rows: list[Row]) -> None:
        """Add the next rows that a part is missing."""
        if part.shard != self._shard:
            self.flush()
            self._shard = part.shard
        there = self._rows.setdefault((self.layer, self._shard), Rows())
        there.extend([row._replace(layer=self.layer) for row in rows] if self.layer else rows)
        self._new += len(rows)
        self.solved += len(rows)

    def tick(self) -> None:
        """Bring new rows to the disk if that is due; to be called now and then."""
        if self._new and time.monotonic() - self._flushed >= FLUSH_EVERY:
            self.flush()

    def flush(self) -> None:
        """Bring new rows to the disk.

        Raises
        ------
        OSError
            If the folder cannot be written; the rows that were stored before stay.
        """
        if self._new:
            key = self.layer, self._shard
            rows, versions = self._rows[key], list(self._versions.get(key, []))
            if not versions or versions[-1][1] != solver_version():
                versions.append((len(rows) - self._new, solver_version()))
            if self.folder is not None:
                table = rows.table()
                write_file(shard_path(self.folder, *key), shard_bytes(table, *key, versions))
                self._rows[key] = self._rows_of(table, *key)
            self._versions[key] = versions
            self._new = 0
        self._flushed = time.monotonic()

    def result(self, elapsed: float | None, end: str, deals: int | None = None) -> StudyResult:
        """Return what is there as a result, its first `deals` deals if that is given."""
        rows = self.stored_rows()
        if deals is not None:
            rows = rows.first(deals)
        solved = None if self.folder is None else self.solved
        return StudyResult(self.study, rows, elapsed, end, solved, self.description.layers, self.description.versions)


def _is_larger(budget: Budget, than: Budget) -> bool:
    """Say whether a budget allows more in something and less in nothing."""
    infinite = float("inf")
    pairs = [
        (budget.max_states, than.max_states),
        (budget.max_seconds or infinite, than.max_seconds or infinite),
        (budget.max_table, than.max_table),
    ]
    return all(mine >= other for mine, other in pairs) and budget != than


@contextlib.contextmanager
def open_store(
    study: Study,
    folder: str | Path | None = None,
    *,
    escalate: bool = False,
    mix_versions: bool = False,
    shard_deals: int = SHARD_DEALS,
) -> Iterator[Store]:
    """Open the store of a study that is to run, making its folder if need be; the folder is locked meanwhile.

    Parameters
    ----------
    study
        The study.
    folder
        Where it is kept; None for memory alone.
    escalate
        Try the undecided deals of the study in the folder again, with the budget of `study`, as a layer over the
        others.
    mix_versions
        Go on with a study that another version of the solver has begun.
    shard_deals
        Deals in a shard of a new folder.

    Raises
    ------
    InputError
        If the folder holds another study (naming what differs) or one of another version of the solver, is in use, or
        cannot be used.
    """
    fresh = Description(study, shard_deals, (), (solver_version(),))
    if folder is None:
        if escalate:
            raise InputError("--escalate: expected --out with the folder of a study")
        yield Store.in_memory(study)
        return
    path = Path(folder)
    if escalate:
        Description.read(path / STUDY_FILE)
    with locked(path):
        if not (path / STUDY_FILE).exists():
            if any(path.glob("layer-*")):
                raise InputError(f"folder {path} has rows of a study, but no {STUDY_FILE}; choose another folder")
            store = Store(fresh, path)
        else:
            store = Store(Description.read(path / STUDY_FILE), path)
        store.take_up(study, escalate=escalate, mix_versions=mix_versions)
        yield store


def planned(
    game: Game,
    *,
    deals: int | None = None,
    first_seed: int = 1,
    seeds: SeedsLike | None = None,
    until_width: float | None = None,
    escalated: str | Path | None = None,
    budget: Budget | None = None,
    shuffle: str = "native",
    confidence: float = 0.95,
    interval: str = "wilson",
) -> Study:
    """Return the study that is asked for by a number of deals, by seeds, or by the width that its interval is to have.

    Parameters
    ----------
    deals, first_seed, seeds, until_width
        One of `deals`, `seeds` and `until_width`; `first_seed` goes with the first and the last.
    escalated
        The folder of a study whose undecided deals are tried again: its own seeds are meant if none are given.
    game, budget, shuffle, confidence, interval
        As a `Study` has them.

    Raises
    ------
    InputError
        If not exactly one is given, or it is out of range.
    """
    given = sum(value is not None for value in (deals, seeds, until_width))
    if escalated is not None and not given:
        seeds = Description.read(Path(escalated) / STUDY_FILE).study.seeds
    elif given != 1:
        raise InputError("expected either deals or seeds, or a width until which to go on")
    if escalated is not None and until_width is not None:
        raise InputError("until_width: expected none with escalate, which goes over the deals that are there")
    if deals is not None:
        chosen = Seeds.starting(first_seed, deals)
    elif until_width is not None:
        last = LAST_SEEDS.get(shuffle, LAST_SEED)
        chosen = Seeds.starting(first_seed, max(1, last - first_seed + 1))
        interval = SEQUENCE
    else:
        chosen = Seeds.of(seeds if seeds is not None else ())
    return Study(game, chosen, budget or Budget(), shuffle, confidence, interval, until_width)


def open_study(folder: str | Path, *, confidence: float | None = None, interval: str = "wilson") -> StudyResult:
    """Open the study in a folder: as far as it is, if it is not finished or still running.

    Parameters
    ----------
    folder
        The ``--out`` of a study.
    confidence, interval
        The interval's confidence, by default that with which the study stopped if it stops by itself, else 0.95; and
        its method: ``"wilson"`` or ``"exact"``. A study that stops by its width has a confidence sequence always.

    Returns
    -------
    StudyResult
        Its `frame` has one row a deal; a deal that was tried again has the row of its last attempt.

    Raises
    ------
    InputError
        If there is no study in the folder, or it is damaged.
    """
    path = Path(folder)
    store = Store(Description.read(path / STUDY_FILE), path)
    stops = store.study.until_width is not None
    own = store.study.confidence
    store.study = dataclasses.replace(
        store.study,
        confidence=own if confidence is None else confidence,
        interval=SEQUENCE if stops else interval,
    )
    store.load(repair=False)
    found = store.result(None, COMPLETE)
    if store.study.until_width is not None:
        study = dataclasses.replace(store.study, confidence=own)
        done = study.estimate(found.counts).width <= store.study.until_width
    else:
        done = len(found.rows) == store.study.seeds.count
    return found if done else dataclasses.replace(found, end=INTERRUPTED)
