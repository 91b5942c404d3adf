"""List published figures of the games: what is claimed, of which population, and by whom."""

from __future__ import annotations

import argparse

from solitaire_lab.cli.output import json_line, line, note
from solitaire_lab.rules.claims import claims


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("game", metavar="GAME", nargs="?", help="those of one game or preset only")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    found = claims(arguments.game)
    if not found:
        note(f"no published figure of {arguments.game} is known")
    columns = [[getattr(claim, name) for claim in found] for name in ("id", "words", "population")]
    widths = [max(map(len, column), default=0) for column in columns]
    for claim in found:
        if arguments.json:
            json_line(claim.to_json())
        else:
            cells = zip((claim.id, claim.words, claim.population), widths, strict=True)
            more = f" {claim.note}" if claim.note else ""
            line("  ".join(f"{cell:<{width}}" for cell, width in cells) + f"  {claim.source}.{more}")
    return 0
