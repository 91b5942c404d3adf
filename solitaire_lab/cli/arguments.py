"""Arguments that several commands share, and how their texts are read."""

from __future__ import annotations

import argparse
import difflib
import itertools
import math
import re
from collections.abc import Callable
from typing import NoReturn, TypeVar

from solitaire_lab.errors import InputError
from solitaire_lab.rules import Game, load_game
from solitaire_lab.shuffles import SHUFFLES
from solitaire_lab.study.seeds import Seeds
from solitaire_lab.study.statistics import FIXED_INTERVALS
from solitaire_lab.verdicts import Budget

Value = TypeVar("Value")

LARGEST = 2**63 - 1
"""What a number in a kernel can hold."""

_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


class Parser(argparse.ArgumentParser):
    """A parser whose errors are `InputError`, and that takes no abbreviations."""

    def __init__(self, prog: str, *, usage: str | None = None, description: str | None, epilog: str | None = None):
        super().__init__(
            prog=prog,
            usage=usage,
            description=description,
            epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        self.add_argument("--quiet", action="store_true", help="no progress and no notes on standard error")

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing the usage and leaving."""
        raise InputError(f"{message} ('{self.prog} --help' says more)")

    def read(self, argv: list[str]) -> argparse.Namespace:
        """Read arguments; for an unknown option name its near match."""
        known = re.findall(r"(?<![\w-])--[a-z][a-z-]*", self.format_help())
        for word in itertools.takewhile("--".__ne__, argv):
            name = word.partition("=")[0]
            if word.startswith("--") and name not in known:
                close = difflib.get_close_matches(name, known, n=1, cutoff=0.75)
                self.error(f"unknown option {name!r}" + (f"; did you mean {close[0]!r}?" if close else ""))
        return self.parse_args(argv)


def typed(read: Callable[[str], Value]) -> Callable[[str], Value]:
    """Let argparse say what an `InputError` says."""

    def convert(text: str) -> Value:
        try:
            return read(text)
        except InputError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return convert


def whole(low: int, high: int = LARGEST) -> Callable[[str], int]:
    """Return a reader of whole numbers in a range."""

    @typed
    def read(text: str) -> int:
        if not re.fullmatch(r"\d{1,20}", text, re.ASCII) or not low <= int(text) <= high:
            raise InputError(f"{text!r:.40}: expected a whole number from {low} to {high}")
        return int(text)

    return read


@typed
def number(text: str) -> float:
    """Read a finite number."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"{text!r:.40}: expected a number")
    return value


@typed
def size(text: str) -> int:
    """Read a number of bytes: ``64M``, ``2G``, ``1048576``."""
    match = re.fullmatch(r"(\d{1,20})([KMGT]?)", text.upper(), re.ASCII)
    value = int(match[1]) * _UNITS[match[2]] if match else -1
    if not 0 <= value <= LARGEST:
        raise InputError(f"{text!r:.40}: expected a number of bytes such as 64M, 2G or 1048576")
    return value


@typed
def option(text: str) -> tuple[str, str]:
    """Read ``NAME=VALUE``."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise InputError(f"{text!r:.40}: expected NAME=VALUE, such as draw=3")
    return name.strip(), value


def add_game(parser: argparse.ArgumentParser, *, options: bool = True) -> None:
    """Add GAME and ``-o K=V``."""
    parser.add_argument("game", metavar="GAME", help="a key of 'games', or the path of a game file")
    if options:
        parser.add_argument(
            "-o",
            dest="options",
            metavar="NAME=VALUE",
            type=option,
            action="append",
            default=[],
            help="set an option of the game ('show GAME' lists them); may be repeated",
        )


def add_shuffle(parser: argparse.ArgumentParser) -> None:
    """Add ``--shuffle``."""
    parser.add_argument(
        "--shuffle",
        choices=SHUFFLES,
        metavar="NAME",
        help=f"whose numbered deals: {', '.join(SHUFFLES)} (default native)",
    )


def add_budget(parser: argparse.ArgumentParser) -> None:
    """Add the budget for each deal."""
    default = Budget()
    group = parser.add_argument_group(
        "budget for each deal",
        f"By default {default.max_states:,} states, no limit of seconds, and {default.max_table // 2**30}G of table: "
        "a limit of states gives the same verdicts on every machine.",
    )
    group.add_argument(
        "--max-states",
        metavar="N",
        type=whole(1),
        default=default.max_states,
        help=f"distinct positions searched (default {default.max_states:,})",
    )
    group.add_argument("--max-seconds", metavar="S", type=number, help="CPU seconds (default: no limit)")
    group.add_argument(
        "--max-table",
        metavar="BYTES",
        type=size,
        default=default.max_table,
        help=f"bytes of a worker's table of positions, such as 64M (default {default.max_table // 2**30}G)",
    )


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Add ``--jobs``."""
    parser.add_argument("--jobs", metavar="J", type=whole(1, 1024), help="workers at once (default: one for each core)")


def add_interval(parser: argparse.ArgumentParser) -> None:
    """Add ``--interval`` and ``--confidence``."""
    parser.add_argument("--interval", choices=FIXED_INTERVALS, help="the method of the interval (default wilson)")
    parser.add_argument(
        "--confidence", metavar="C", type=number, default=0.95, help="the interval's confidence (default 0.95)"
    )


def add_out(parser: argparse.ArgumentParser) -> None:
    """Add ``--out`` and what goes with it."""
    parser.add_argument("--out", metavar="DIR", help="keep the study in this folder, and go on with what is there")
    parser.add_argument(
        "--mix-versions", action="store_true", help="go on with a study that another version of the solver began"
    )


def add_formats(parser: argparse.ArgumentParser, what: str) -> None:
    """Add ``--json`` and ``--csv``."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--json", action="store_true", help="one JSON object a line")
    group.add_argument("--csv", action="store_true", help=what)


def seeds(text: str) -> Seeds:
    """Read seeds for argparse."""
    return typed(Seeds.parse)(text)


def game_of(arguments: argparse.Namespace) -> Game:
    """Return the game with its options set."""
    try:
        game = load_game(arguments.game)
    except InputError:
        raise
    except (ValueError, RecursionError) as error:  # a text that no path can have, a file nested too deeply
        raise InputError(f"cannot read game file {arguments.game!r:.60}: {error}") from None
    return game.with_options(dict(getattr(arguments, "options", [])))


def budget_of(arguments: argparse.Namespace) -> Budget:
    """Return the budget."""
    return Budget(arguments.max_states, arguments.max_seconds, arguments.max_table)
