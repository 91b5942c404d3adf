"""List the games that come with the package, and their presets."""

from __future__ import annotations

import argparse

from solitaire_lab.cli.output import json_line, line
from solitaire_lab.rules import catalogue_keys, load_game


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    games = [load_game(key) for key in catalogue_keys()]
    width = max(len(game.key) for game in games)
    for game in games:
        decks = getattr(game.rules, "decks", 1)
        if arguments.json:
            json_line(
                {"key": game.key, "name": game.name, "family": game.family, "decks": decks, "summary": game.summary}
            )
        else:
            head = f"{game.key:<{width}}  {game.family:<5}  {decks} deck{'s' if decks > 1 else ' '}"
            line(f"{head}  {game.name}: {game.summary}")
    return 0
