"""Compare variants on the same deals: verdicts side by side, their difference with its interval, the deals that differ.

A variant is a game, with options in brackets if need be: 'stonewall[worrying_back=false]', 'klondike[draw=3,passes=3]'.
"""

from __future__ import annotations

import argparse

from solitaire_lab.cli.arguments import add_budget, add_jobs, add_shuffle, budget_of, number, seeds, whole
from solitaire_lab.cli.output import announce_compilation, csv_line, json_line, line, note
from solitaire_lab.cli.running import EXIT
from solitaire_lab.errors import InputError
from solitaire_lab.rules.catalogue import load_variant
from solitaire_lab.study.result import COMPLETE
from solitaire_lab.study.seeds import LAST_SEED, Seeds


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("variants", metavar="VARIANT", nargs="+", help="two or more variants")
    deals = parser.add_mutually_exclusive_group(required=True)
    deals.add_argument("--deals", metavar="N", type=whole(1, LAST_SEED), help="how many deals, from --first-seed on")
    deals.add_argument("--seeds", metavar="A-B", type=seeds, help="which deals, such as 1-1000 or 1-10,20")
    parser.add_argument(
        "--first-seed", metavar="S", type=whole(0, LAST_SEED), help="the first of --deals N (default 1)"
    )
    add_shuffle(parser)
    add_jobs(parser)
    parser.add_argument(
        "--confidence", metavar="C", type=number, default=0.95, help="the intervals' confidence (default 0.95)"
    )
    parser.add_argument(
        "--no-reuse", action="store_true", help="search every deal, even where a verdict follows from another variant's"
    )
    formats = parser.add_mutually_exclusive_group()
    formats.add_argument("--json", action="store_true", help="one JSON object")
    formats.add_argument("--csv", action="store_true", help="one line a deal, with the verdict of each variant")
    add_budget(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from solitaire_lab.study.compare import compare

    if arguments.seeds is not None and arguments.first_seed is not None:
        raise InputError("--first-seed goes with --deals, not with --seeds")
    first = 1 if arguments.first_seed is None else arguments.first_seed
    games = [load_variant(text) for text in arguments.variants]
    chosen = arguments.seeds or Seeds.starting(first, arguments.deals)
    shown = None
    if not arguments.quiet:
        from solitaire_lab.view.progress import Count

        announce_compilation()
        shown = Count("comparison", len(games) * chosen.count, "verdicts")
    try:
        found = compare(
            games,
            chosen,
            names=arguments.variants,
            budget=budget_of(arguments),
            shuffle=arguments.shuffle or "native",
            confidence=arguments.confidence,
            jobs=arguments.jobs,
            reuse=not arguments.no_reuse,
            on_start=None if shown is None else shown.start,
            on_rows=shown,
        )
    finally:
        if shown is not None:
            shown.close()
    if arguments.json:
        json_line(found.to_json())
    elif arguments.csv:
        csv_line(["seed", *found.names])
        for rows in zip(*(result.rows for result in found.results), strict=True):
            csv_line([rows[0].seed, *(row.verdict for row in rows)])
    else:
        line(found.text())
    if found.end != COMPLETE:
        note(f"solitaire-lab: {found.end}; {len(found.results[0].rows):,} of {chosen.count:,} deals were finished")
    return EXIT[found.end]
