"""Estimate by Monte Carlo how many deals of a game are winnable, with all cards known to the player.

Ctrl-C ends a study early; the deals finished by then are counted and printed.
"""

from __future__ import annotations

import argparse

from solitaire_lab.cli.arguments import (
    add_budget,
    add_formats,
    add_game,
    add_jobs,
    add_shuffle,
    budget_of,
    game_of,
    number,
    seeds,
    whole,
)
from solitaire_lab.cli.output import announce_compilation, csv_line, json_line, line, note
from solitaire_lab.errors import InputError
from solitaire_lab.study.result import Row, Study
from solitaire_lab.study.seeds import LAST_SEED, Seeds
from solitaire_lab.study.statistics import INTERVALS

EXIT = {"complete": 0, "worker lost": 3, "interrupted": 130}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_game(parser)
    deals = parser.add_mutually_exclusive_group(required=True)
    deals.add_argument(
        "--deals", metavar="N", type=whole(1, LAST_SEED + 1), help="how many deals, from --first-seed on"
    )
    deals.add_argument("--seeds", metavar="A-B", type=seeds, help="which deals, such as 1-1000 or 1-10,20")
    parser.add_argument(
        "--first-seed", metavar="S", type=whole(0, LAST_SEED), help="the first of --deals N (default 1)"
    )
    add_shuffle(parser)
    add_jobs(parser)
    parser.add_argument("--processes", action="store_true", help="worker processes instead of threads")
    parser.add_argument(
        "--interval", choices=INTERVALS, default="wilson", help="the method of the interval (default wilson)"
    )
    parser.add_argument(
        "--confidence", metavar="C", type=number, default=0.95, help="the interval's confidence (default 0.95)"
    )
    add_formats(parser, "one line a deal instead of the table")
    add_budget(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    if arguments.seeds is not None and arguments.first_seed is not None:
        raise InputError("--first-seed goes with --deals, not with --seeds")
    first = 1 if arguments.first_seed is None else arguments.first_seed
    study = Study(
        game_of(arguments),
        arguments.seeds or Seeds.starting(first, arguments.deals),
        budget_of(arguments),
        arguments.shuffle or "native",
        arguments.confidence,
        arguments.interval,
    )
    from solitaire_lab.solver import warm_up
    from solitaire_lab.study.run import run as run_study
    from solitaire_lab.view.progress import Progress

    progress = None
    if not arguments.quiet:
        announce_compilation()
        warm_up(study.rules)  # now, so that the progress's clock leaves it out
        progress = Progress(study)
    if arguments.csv:
        csv_line(Row._fields)

    def on_rows(rows: list[Row]) -> None:
        if arguments.csv:
            for row in rows:
                csv_line(row)
        if progress is not None:
            progress(rows)

    try:
        result = run_study(study, jobs=arguments.jobs, processes=arguments.processes, on_rows=on_rows)
    finally:
        if progress is not None:
            progress.close()
    if arguments.json:
        json_line(result.to_json())
    elif not arguments.csv:
        line(result.text())
    elif not arguments.quiet:
        note(result.text())
    if result.end != "complete":
        note(f"solitaire-lab: {result.end}; {len(result.rows):,} of {study.seeds.count:,} deals were finished")
    return EXIT[result.end]
