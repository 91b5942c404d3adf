"""Say the rules and options of a game in words; with --seed show its board too."""

from __future__ import annotations

import argparse

from solitaire_lab.cli.arguments import add_game, game_of, whole
from solitaire_lab.cli.output import line
from solitaire_lab.deals import deal_seed
from solitaire_lab.referee import position
from solitaire_lab.study.seeds import LAST_SEED
from solitaire_lab.view.text import game_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_game(parser)
    parser.add_argument("--seed", metavar="N", type=whole(0, LAST_SEED), help="show the native deal of this number")


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    game = game_of(arguments)
    line(game_text(game))
    if arguments.seed is not None:
        line(f"\nDeal native-{game.key}-{arguments.seed} (# marks face-down cards)\n")
        line(position(game.rules, deal_seed(game.rules, arguments.seed)).text())
    return 0
