"""Live progress of a study on standard error: deals a second, running estimate, undecided share, time left."""

from __future__ import annotations

import contextlib
import math
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sized
from typing import IO

from tqdm import tqdm

from solitaire_lab.study.plan import Study
from solitaire_lab.study.rows import Row
from solitaire_lab.study.statistics import deals_needed
from solitaire_lab.study.store import Store
from solitaire_lab.verdicts import UNDECIDED, UNWINNABLE, WINNABLE

LINE_EVERY = 10.0
"""Seconds between the lines that a file or a pipe gets in place of a moving bar."""


ESTIMATE_EVERY = 1.0
"""Seconds between estimates of how many deals a study will need that stops by itself."""


class _Bar(tqdm):  # type: ignore[type-arg]
    monitor_interval = 0
    """No watching thread."""


class Progress:
    """Shows how far a study is; call it with new rows.

    Parameters
    ----------
    study
        The study that runs.
    stream
        Where to write; standard error if None. A terminal gets a bar, anything else a line now and then.
    stored
        How many deals of each verdict were there before; they count for the estimate, not for the rate.
    retried
        How many of them, undecided so far, are tried again, if that is what is done.
    """

    def __init__(
        self,
        study: Study,
        stream: IO[str] | None = None,
        *,
        stored: Counter[str] | None = None,
        retried: int | None = None,
    ) -> None:
        self._study = study
        self._stream = stream or sys.stderr
        self._counts: Counter[str] = Counter(stored or {})
        self._retried = retried
        self._stored = self._done = 0 if retried is not None else self._counts.total()
        self._total: int | None = None
        self._total_from = -math.inf
        self._bar: _Bar | None = None
        self.start()

    def start(self) -> None:
        """Start the clock anew: now the first deal is searched."""
        self.close()
        self._started = self._written = time.monotonic()
        if self._stream.isatty():
            self._bar = _Bar(
                total=self._whole(),
                initial=self._stored,
                desc=self._study.game.key,
                unit=" deals",
                file=self._stream,
                mininterval=0.25,
                smoothing=0,
                dynamic_ncols=True,
                leave=False,
            )

    def __call__(self, rows: Iterable[Row]) -> None:
        """Take in new rows, and show them if it is time."""
        verdicts = [row.verdict for row in rows]
        self._counts.update(verdicts)
        if self._retried is not None:
            self._counts[UNDECIDED] -= len(verdicts)
        self._done += len(verdicts)
        now = time.monotonic()
        if self._bar is not None:
            self._bar.total = self._whole()
            self._bar.set_postfix_str(self._estimate(), refresh=False)
            self._bar.update(len(verdicts))
        elif now - self._written >= LINE_EVERY:
            self._written = now
            print(self._line(now), file=self._stream, flush=True)

    def wait(self) -> None:
        """Show that time passes while no new rows come."""
        if self._bar is not None:
            self._bar.refresh()

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def _line(self, now: float) -> str:
        done, whole = self._done, self._whole()
        rate = (done - self._stored) / (now - self._started)
        text = f"{self._study.game.key}: {done:,}"
        if whole is not None:
            text += f" of {'' if self._study.until_width is None else 'about '}{whole:,}"
        text += f" deals, {rate:.1f} deals/s, {self._estimate()}"
        return text if whole is None or not rate else f"{text}, {(whole - done) / rate:.0f} s left"

    def _whole(self) -> int | None:
        """Return how many deals there will be; in a study that stops by itself that is estimated once in a while."""
        study = self._study
        if self._retried is not None:
            return self._retried
        if study.until_width is None:
            return study.seeds.count
        now = time.monotonic()
        if self._done and now - self._total_from >= ESTIMATE_EVERY:
            self._total_from = now
            decided = self._counts[WINNABLE] + self._counts[UNWINNABLE]
            self._total = deals_needed(
                study.until_width,
                share=self._counts[WINNABLE] / decided if decided else 0.5,
                undecided=self._counts[UNDECIDED] / self._done,
                confidence=study.confidence,
                interval=study.interval,
            )
        return None if self._total is None else max(self._done, self._total)

    def _estimate(self) -> str:
        found = self._study.estimate(self._counts)
        text = f"winnable {100 * found.low:.1f} to {100 * found.high:.1f} %"
        return f"{text}, undecided {100 * found.undecided / found.deals:.1f} %" if found.deals else text


class Count:
    """Shows how many things of several are done: a bar on a terminal, a line now and then elsewhere.

    Parameters
    ----------
    name
        What is going on.
    total, unit
        How many things there are, and what they are called.
    stream
        Where to write; standard error if None.
    """

    def __init__(self, name: str, total: int, unit: str, stream: IO[str] | None = None) -> None:
        self._name, self._total, self._unit = name, total, unit
        self._stream = stream or sys.stderr
        self._done = 0
        self._bar: _Bar | None = None
        self._started = self._written = time.monotonic()

    def start(self) -> None:
        """Start the clock."""
        self._started = self._written = time.monotonic()
        if self._bar is None and self._stream.isatty():
            self._bar = _Bar(
                total=self._total, desc=self._name, unit=f" {self._unit}", file=self._stream, leave=False, smoothing=0
            )

    def __call__(self, done: Sized) -> None:
        """Take in that some more are done."""
        self._done += len(done)
        now = time.monotonic()
        if self._bar is not None:
            self._bar.update(len(done))
        elif now - self._written >= LINE_EVERY:
            self._written = now
            rate = self._done / (now - self._started)
            left = (self._total - self._done) / rate
            text = (
                f"{self._name}: {self._done:,} of {self._total:,} {self._unit}, {rate:.1f} a second, {left:.0f} s left"
            )
            print(text, file=self._stream, flush=True)

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None


@contextlib.contextmanager
def watched(store: Store) -> Iterator[Progress]:
    """Show the progress of a study that runs on a store, on standard error."""
    retried = sum(part.missing.count for part in store.parts()) if store.layer else None
    progress = Progress(store.study, stored=store.stored_rows().counts, retried=retried)
    try:
        yield progress
    finally:
        progress.close()
