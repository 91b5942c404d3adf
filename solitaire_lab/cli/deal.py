"""Deal out numbered deals, as lines that 'solve --deals' reads or as boards."""

from __future__ import annotations

import argparse
import sys

from solitaire_lab.cli.arguments import add_game, add_shuffle, game_of, seeds
from solitaire_lab.cli.output import json_line, line
from solitaire_lab.deals import deal_seed
from solitaire_lab.referee import position
from solitaire_lab.study.lines import deal_line
from solitaire_lab.view.terminal import for_stream


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_game(parser, options=False)
    parser.add_argument("--seeds", metavar="A-B", type=seeds, required=True, help="such as 7, 1-100 or 1-10,20")
    add_shuffle(parser)
    parser.add_argument(
        "--format", choices=("json", "text"), default="json", help="deal lines, or boards in text (default json)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    game = game_of(arguments)
    shuffle = arguments.shuffle or "native"
    deal_seed(game.rules, arguments.seeds.highest, shuffle)  # refused now rather than after the others
    for seed in arguments.seeds:
        deal = deal_seed(game.rules, seed, shuffle)
        name = f"{shuffle}-{game.key}-{seed}"
        if arguments.format == "json":
            json_line(deal_line(game, deal, name))
        else:
            line(f"{name}\n\n{for_stream(position(game.rules, deal).text(), sys.stdout)}\n")
    return 0
