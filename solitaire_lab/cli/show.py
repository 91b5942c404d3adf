"""Say the rules and options of a game in words; with --seed show its board too, with --svg as a picture."""

from __future__ import annotations

import argparse
import sys

from solitaire_lab.cli.arguments import add_game, game_of, whole
from solitaire_lab.cli.output import line, note
from solitaire_lab.deals import deal_seed
from solitaire_lab.errors import InputError
from solitaire_lab.referee import position
from solitaire_lab.study.seeds import LAST_SEED
from solitaire_lab.view.terminal import for_stream
from solitaire_lab.view.text import game_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_game(parser)
    parser.add_argument("--seed", metavar="N", type=whole(0, LAST_SEED), help="show the native deal of this number")
    parser.add_argument("--svg", metavar="FILE", help="draw the board of --seed into this file")


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    game = game_of(arguments)
    if arguments.seed is None:
        if arguments.svg is not None:
            raise InputError("--svg draws a board: expected --seed N too")
        line(game_text(game))
        return 0
    name = f"native-{game.key}-{arguments.seed}"
    board = position(game.rules, deal_seed(game.rules, arguments.seed))
    if arguments.svg is not None:
        from solitaire_lab.view.saving import write_text
        from solitaire_lab.view.svg import board_svg

        write_text(arguments.svg, board_svg(board, f"{game.name}, {name}"))
        if not arguments.quiet:
            note(f"{arguments.svg}: the board of {name}")
    line(game_text(game))
    line(f"\nDeal {name} (# marks face-down cards)\n")
    line(for_stream(board.text(), sys.stdout))
    return 0
