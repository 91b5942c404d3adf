"""Estimate by Monte Carlo how many deals of a game are winnable, with all cards known to the player.

Ctrl-C ends a study early; the deals finished by then are counted and printed. With --out they are also kept, and
the same command goes on from there, whatever ended it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from solitaire_lab.cli.arguments import (
    add_budget,
    add_formats,
    add_game,
    add_interval,
    add_jobs,
    add_out,
    add_shuffle,
    budget_of,
    game_of,
    number,
    seeds,
    whole,
)
from solitaire_lab.cli.output import csv_line, json_line, line, note
from solitaire_lab.cli.running import run_shown
from solitaire_lab.errors import InputError
from solitaire_lab.study.preview import plan_text
from solitaire_lab.study.rows import COLUMNS, Row
from solitaire_lab.study.seeds import LAST_SEED
from solitaire_lab.study.store import Store, open_store, planned

CSV_COLUMNS = COLUMNS[:-1]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_game(parser)
    deals = parser.add_mutually_exclusive_group()
    deals.add_argument(
        "--deals", metavar="N", type=whole(1, LAST_SEED + 1), help="how many deals, from --first-seed on"
    )
    deals.add_argument("--seeds", metavar="A-B", type=seeds, help="which deals, such as 1-1000 or 1-10,20")
    deals.add_argument(
        "--until-width",
        metavar="W",
        type=number,
        help="as many deals as it takes until the interval is no wider than this fraction, such as 0.01; "
        "it is then a confidence sequence, valid though it is looked at all the time",
    )
    parser.add_argument(
        "--first-seed", metavar="S", type=whole(0, LAST_SEED), help="the first of --deals or --until-width (default 1)"
    )
    add_shuffle(parser)
    add_jobs(parser)
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--processes", action="store_true", help="worker processes instead of threads")
    where.add_argument(
        "--dask", metavar="ADDRESS", help="a cluster of dask.distributed: its scheduler's address, or 'local'"
    )
    add_out(parser)
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, and do nothing")
    parser.add_argument(
        "--escalate",
        action="store_true",
        help="try the undecided deals of the study in --out again, with the larger budget given here",
    )
    add_interval(parser)
    add_formats(parser, "one line a deal instead of the table")
    add_budget(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    if arguments.first_seed is not None and arguments.deals is None and arguments.until_width is None:
        raise InputError("--first-seed goes with --deals or --until-width, not with --seeds")
    if arguments.interval is not None and arguments.until_width is not None:
        raise InputError(f"--interval {arguments.interval} goes with --deals or --seeds, not with --until-width")
    if arguments.escalate and arguments.out is None:
        raise InputError("--escalate: expected --out with the folder of a study")
    if not arguments.escalate and not (arguments.deals or arguments.seeds or arguments.until_width is not None):
        raise InputError("expected one of --deals, --seeds and --until-width")
    study = planned(
        game_of(arguments),
        deals=arguments.deals,
        first_seed=1 if arguments.first_seed is None else arguments.first_seed,
        seeds=arguments.seeds,
        until_width=arguments.until_width,
        escalated=arguments.out if arguments.escalate else None,
        budget=budget_of(arguments),
        shuffle=arguments.shuffle or "native",
        confidence=arguments.confidence,
        interval=arguments.interval or "wilson",
    )
    if arguments.dry_run:
        line(plan_text(study, arguments.out, escalate=arguments.escalate, mix_versions=arguments.mix_versions))
        return 0
    opened = open_store(study, arguments.out, escalate=arguments.escalate, mix_versions=arguments.mix_versions)
    with opened as store:
        return _run(arguments, store)


def _run(arguments: argparse.Namespace, store: Store) -> int:
    def print_rows(rows: Iterable[Row]) -> None:
        for row in rows:
            csv_line(row[: len(CSV_COLUMNS)])

    streamed = arguments.csv and not store.layer
    if arguments.csv:
        csv_line(CSV_COLUMNS)
    if streamed:
        print_rows(store.stored_rows())
    result, status = run_shown(store, arguments, print_rows if streamed else None)
    if arguments.csv and not streamed:
        print_rows(result.rows)
    if arguments.json:
        json_line(result.to_json())
    elif not arguments.csv:
        line(result.text())
    elif not arguments.quiet:
        note(result.text())
    return status
