"""Report on the study in a folder: what it found, tables, plots, and how to reproduce it.

Without --html and --markdown the report goes to standard output as Markdown, without its plots.
"""

from __future__ import annotations

import argparse

from solitaire_lab.cli.arguments import add_interval
from solitaire_lab.cli.output import line, note


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("folder", metavar="DIR", help="the --out of a study")
    parser.add_argument("--html", metavar="FILE", help="write the report as one page with its plots in it")
    parser.add_argument("--markdown", metavar="FILE", help="write the report as Markdown, its plots as files beside it")
    add_interval(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from solitaire_lab.study.store import open_study
    from solitaire_lab.view.report import markdown, save_html, save_markdown
    from solitaire_lab.view.saving import check_target

    for path in (arguments.html, arguments.markdown):
        if path is not None:
            check_target(path)
    result = open_study(arguments.folder, confidence=arguments.confidence, interval=arguments.interval or "wilson")
    said = []
    if arguments.html is not None:
        save_html(result, arguments.html)
        said.append(arguments.html)
    if arguments.markdown is not None:
        said += [arguments.markdown, *map(str, save_markdown(result, arguments.markdown))]
    if not said:
        line(markdown(result))
    elif not arguments.quiet:
        note(f"written: {', '.join(said)}")
    return 0
