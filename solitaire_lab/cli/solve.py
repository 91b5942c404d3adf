"""Give a verdict for each deal, in the order of the deals, each as soon as it is there.

A winnable deal has a solution that was replayed by the rules; an unwinnable one was searched to the end;
an undecided one met a limit of the budget, which is named.
"""

from __future__ import annotations

import argparse
import dataclasses
from contextlib import closing

from solitaire_lab.cli.arguments import (
    add_budget,
    add_formats,
    add_game,
    add_jobs,
    add_shuffle,
    budget_of,
    game_of,
    seeds,
)
from solitaire_lab.cli.output import announce_compilation, csv_line, json_line, line, note
from solitaire_lab.deals import Deal, deal_seed
from solitaire_lab.errors import InputError
from solitaire_lab.rules import Game
from solitaire_lab.study.lines import read_deals, verdict_line
from solitaire_lab.verdicts import Verdict

CSV_COLUMNS = ["id", "game", "options", "verdict", "reason", "stage", "states", "seconds"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_game(parser)
    deals = parser.add_mutually_exclusive_group(required=True)
    deals.add_argument("--seeds", metavar="A-B", type=seeds, help="numbered deals, such as 7, 1-100 or 1-10,20")
    deals.add_argument("--deals", metavar="FILE", help="deal lines in a file, - for standard input")
    add_shuffle(parser)
    add_jobs(parser)
    parser.add_argument("--moves", action="store_true", help="print the solutions; with --json also the deals")
    parser.add_argument("--explain", action="store_true", help="list the searches tried, with states and seconds")
    parser.add_argument("--replay", metavar="FILE", help="write the first solution as a page (HTML) that plays it")
    add_formats(parser, "comma-separated values, with a line of headings")
    add_budget(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    game, budget = game_of(arguments), budget_of(arguments)
    if arguments.deals is not None:
        if arguments.shuffle:
            raise InputError("--shuffle goes with --seeds, not with --deals")
        deals, width = read_deals(game, arguments.deals), 24
    else:
        shuffle = arguments.shuffle or "native"
        deal_seed(game.rules, arguments.seeds.highest, shuffle)  # refused now rather than after the others
        prefix = f"{shuffle}-{game.key}"
        deals = ((f"{prefix}-{seed}", deal_seed(game.rules, seed, shuffle)) for seed in arguments.seeds)
        width = len(f"{prefix}-{arguments.seeds.highest}")
    if arguments.replay is not None:
        from solitaire_lab.view.saving import check_target

        check_target(arguments.replay)
    from solitaire_lab.study.run import solve_all

    if not arguments.quiet:
        announce_compilation()
    if arguments.csv:
        csv_line([*CSV_COLUMNS, "moves"] if arguments.moves else CSV_COLUMNS)
    with closing(solve_all(game.rules, deals, budget, jobs=arguments.jobs)) as results:
        replayed = arguments.replay is None
        for name, deal, verdict in results:
            _print(arguments, game, name, deal, verdict, width)
            if not replayed and verdict.moves is not None:
                _save_replay(arguments, dataclasses.replace(verdict, name=f"{game.name}, {name}"))
                replayed = True
    if not replayed and not arguments.quiet:
        note(f"{arguments.replay}: not written, since no deal was proved winnable")
    return 0


def _save_replay(arguments: argparse.Namespace, verdict: Verdict) -> None:
    verdict.replay().save(arguments.replay)
    if not arguments.quiet:
        note(f"{arguments.replay}: the solution of {verdict.name}")


def _print(arguments: argparse.Namespace, game: Game, name: str, deal: Deal, verdict: Verdict, width: int) -> None:
    moves = [move.text() for move in verdict.moves or ()] if arguments.moves else []
    if arguments.json:
        json_line(verdict_line(game, name, verdict, deal if arguments.moves else None))
    elif arguments.csv:
        data = {**verdict_line(game, name, verdict), "options": game.options_text()}
        csv_line([*(data[column] for column in CSV_COLUMNS), *(["; ".join(moves)] if arguments.moves else [])])
    else:
        found = f"by {verdict.reason}" if verdict.reason else ""
        if verdict.moves is not None:
            found = f"{len(verdict.moves)} moves"
        work = f"{verdict.states:>11,} states  {verdict.seconds:>8.3f} s"
        line(f"{name:<{width}}  {verdict.verdict:<10}  {found:<14}  {work}")
        for number, move in enumerate(moves, start=1):
            line(f"{number:>6}. {move}")
    if arguments.explain:
        say = note if arguments.json or arguments.csv else line
        for stage in verdict.stages:
            outcome = f"{stage.verdict} ({stage.reason})" if stage.reason else stage.verdict
            say(f"        stage {stage.name} of {name}: {outcome}, {stage.states:,} states, {stage.seconds:.3f} s")
