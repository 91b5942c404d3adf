"""Replay the solutions in lines of 'solve --json --moves' by the rules; exit status 1 if one fails."""

from __future__ import annotations

import argparse
from contextlib import closing

from solitaire_lab.cli.output import line
from solitaire_lab.study.lines import check_solution, claims_win, read_json_lines


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("file", metavar="FILE", help="lines of 'solve --json --moves'; - for standard input")


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    right = wrong = nothing = 0
    with closing(read_json_lines(arguments.file)) as lines:
        for _number, where, data in lines:
            if not claims_win(data, where):
                nothing += 1
            elif problem := check_solution(data, where):
                wrong += 1
                line(f"{where}: {data.get('id')}: {problem}")
            else:
                right += 1
    line(f"{right} solutions replayed to the win, {wrong} failed; {nothing} verdicts with nothing to check")
    return 1 if wrong else 0
