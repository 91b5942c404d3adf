"""Check what was found before, by the rules; exit status 1 if something fails.

FILE has lines of 'solve --json --moves'; - is standard input. DIR is the --out of a study: a sample of its deals is
solved again, every win replayed, and its undecided seeds are listed.
"""

from __future__ import annotations

import argparse
from contextlib import closing
from pathlib import Path

from solitaire_lab.cli.arguments import whole
from solitaire_lab.cli.output import announce_compilation, line
from solitaire_lab.errors import InputError
from solitaire_lab.study.lines import check_solution, claims_win, read_json_lines

SAMPLE = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("file", metavar="FILE|DIR", help="lines of 'solve --json --moves', or the folder of a study")
    parser.add_argument(
        "--sample", metavar="N", type=whole(1), help=f"of a study: how many deals are solved again (default {SAMPLE})"
    )
    parser.add_argument("--jobs", metavar="J", type=whole(1, 1024), help="of a study: threads (default: one a core)")


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    if arguments.file != "-" and "\0" not in arguments.file and Path(arguments.file).is_dir():
        return _verify_study(arguments)
    if arguments.sample is not None or arguments.jobs is not None:
        raise InputError(f"--sample and --jobs go with the folder of a study, and {arguments.file} is none")
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


def _verify_study(arguments: argparse.Namespace) -> int:
    from solitaire_lab.study.recheck import recheck
    from solitaire_lab.study.store import open_study

    result = open_study(arguments.file)
    sample = min(SAMPLE if arguments.sample is None else arguments.sample, len(result.rows))
    shown = None
    if not arguments.quiet:
        from solitaire_lab.view.progress import Count

        announce_compilation()
        shown = Count("verify", sample, "deals")
        shown.start()
    try:
        found = recheck(result, sample, jobs=arguments.jobs, on_deal=shown)
    finally:
        if shown is not None:
            shown.close()
    for seed, problem in found.problems.items():
        line(f"{arguments.file}: seed {seed}: {problem}")
    counts = ", ".join(f"{count:,} {verdict}" for verdict, count in found.checked.items())
    line(
        f"{found.checked.total():,} of {len(result.rows):,} deals solved again ({counts or 'none'}): "
        f"{found.replayed:,} solutions replayed to the win, {len(found.problems):,} failed"
    )
    undecided = result.undecided()
    if undecided:
        line(f"{len(undecided):,} undecided: seeds {', '.join(map(str, undecided))}")
    return 1 if found.problems else 0
