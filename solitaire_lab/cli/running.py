"""Running a study for a command: workers, progress, and what is said at its end."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import ExitStack

from solitaire_lab.cli.output import announce_compilation, note
from solitaire_lab.study.result import COMPLETE, INTERRUPTED, OUT_OF_REACH, WORKER_LOST, StudyResult
from solitaire_lab.study.rows import Row
from solitaire_lab.study.store import Store

EXIT = {COMPLETE: 0, OUT_OF_REACH: 0, WORKER_LOST: 3, INTERRUPTED: 130}


def run_shown(
    store: Store, arguments: argparse.Namespace, on_rows: Callable[[list[Row]], object] | None = None
) -> tuple[StudyResult, int]:
    """Run the study of a store, with its progress on standard error unless that is to be quiet.

    Returns
    -------
    result, status
        The result, and the exit status that its end means.
    """
    from solitaire_lab.study.run import run

    for text in store.notes:
        note(f"solitaire-lab: {text}")
    with ExitStack() as stack:
        shown = None
        if not arguments.quiet:
            from solitaire_lab.view.progress import watched

            announce_compilation()
            shown = stack.enter_context(watched(store))

        def both(rows: list[Row]) -> None:
            if on_rows is not None:
                on_rows(rows)
            if shown is not None:
                shown(rows)

        result = run(
            store.study,
            store=store,
            jobs=arguments.jobs,
            processes=getattr(arguments, "processes", False),
            dask=getattr(arguments, "dask", None),
            on_start=None if shown is None else shown.start,
            on_rows=both,
            on_wait=None if shown is None else shown.wait,
        )
    if result.end in (INTERRUPTED, WORKER_LOST):
        wanted = "" if store.study.until_width is not None else f" of {store.study.seeds.count:,}"
        kept = "; the same command goes on from there" if store.folder is not None else ""
        note(f"solitaire-lab: {result.end}; {len(result.rows):,}{wanted} deals were finished{kept}")
    return result, EXIT[result.end]
