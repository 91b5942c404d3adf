"""Live progress of a study on standard error: deals a second, running estimate, time left."""

from __future__ import annotations

import sys
import time
from collections import Counter
from typing import IO

from tqdm import tqdm

from solitaire_lab.study.result import Row, Study

LINE_EVERY = 10.0
"""Seconds between the lines that a file or a pipe gets in place of a moving bar."""


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
    """

    def __init__(self, study: Study, stream: IO[str] | None = None) -> None:
        self._study = study
        self._stream = stream or sys.stderr
        self._counts: Counter[str] = Counter()
        self._started = self._written = time.monotonic()
        self._bar: _Bar | None = None
        if self._stream.isatty():
            self._bar = _Bar(
                total=study.seeds.count,
                desc=study.game.key,
                unit=" deals",
                file=self._stream,
                mininterval=0.25,
                smoothing=0,
                dynamic_ncols=True,
                leave=False,
            )

    def __call__(self, rows: list[Row]) -> None:
        """Take in new rows, and show them if it is time."""
        self._counts.update(row.verdict for row in rows)
        now = time.monotonic()
        if self._bar is not None:
            self._bar.set_postfix_str(self._estimate(), refresh=False)
            self._bar.update(len(rows))
        elif now - self._written >= LINE_EVERY:
            self._written = now
            done, count = self._counts.total(), self._study.seeds.count
            rate = done / (now - self._started)
            print(
                f"{self._study.game.key}: {done:,} of {count:,} deals, {rate:.1f} deals/s, {self._estimate()}, "
                f"{(count - done) / rate:.0f} s left",
                file=self._stream,
                flush=True,
            )

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.close()

    def _estimate(self) -> str:
        found = self._study.estimate(self._counts)
        return f"winnable {100 * found.low:.1f} to {100 * found.high:.1f} %"
