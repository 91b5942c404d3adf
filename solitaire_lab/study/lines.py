"""Lines of JSON: deals coming in, verdicts going out, and solutions coming back to be checked."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import sys
from collections.abc import Generator
from typing import Any, BinaryIO, TypeAlias

from solitaire_lab.deals import Deal, deal_from_json, deal_to_json
from solitaire_lab.errors import InputError
from solitaire_lab.referee import IllegalMoveError, Move, replay
from solitaire_lab.rules import Game, load_game
from solitaire_lab.verdicts import UNDECIDED, UNWINNABLE, WINNABLE, Verdict

JsonLine: TypeAlias = tuple[int, str, dict[str, Any]]
"""Number of a line, how to call it in messages, and its object."""

SCHEMA = 1
LONGEST_LINE = 2**26
"""Bytes; a longer line is no deal, and reading on would only fill the memory."""


def read_json_lines(source: str) -> Generator[JsonLine, None, None]:
    """Open a file of JSON lines, or standard input for ``-``, and read it lazily.

    Yields
    ------
    number, where, data
        The number of the line, how to call it in messages (``deals.jsonl, line 3``), and its object.
        Blank lines are left out.

    Raises
    ------
    InputError
        At once if the file cannot be opened; later at a line that is no JSON object.
    """
    name = "standard input" if source == "-" else source
    try:
        stream = _standard_input() if source == "-" else open(source, "rb")  # noqa: SIM115
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {name}: {getattr(error, 'strerror', None) or error}") from None
    return _read(stream, name)


def _standard_input() -> BinaryIO:
    """Return standard input as a stream of its own, so that a thread left waiting in it holds no lock of Python's."""
    if sys.stdin is None:
        raise ValueError("it is closed")
    try:
        return os.fdopen(os.dup(sys.stdin.fileno()), "rb")
    except OSError:  # not a real file, as in tests and notebooks
        return sys.stdin.buffer


def _read(stream: BinaryIO, name: str) -> Generator[JsonLine, None, None]:
    with stream:
        number = 0
        while True:
            number += 1
            where = f"{name}, line {number}"
            try:
                line = stream.readline(LONGEST_LINE)
            except OSError as error:
                raise InputError(f"{where}: cannot read it: {error.strerror or error}") from None
            if not line:
                return
            if len(line) == LONGEST_LINE:
                raise InputError(f"{where}: longer than {LONGEST_LINE} bytes")
            if line.strip():
                yield number, where, _json_object(line, where)


def _json_object(line: bytes, where: str) -> dict[str, Any]:
    try:
        data = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: not a line of JSON: {error}") from None
    if not isinstance(data, dict):
        raise InputError(f"{where}: expected a JSON object, got {data!r:.60}")
    return data


# Deals.


def deal_line(game: Game, deal: Deal, name: str, options: bool = False) -> dict[str, Any]:
    """Return the line of a deal, with its options in force if wanted: without them it suits any options."""
    head: dict[str, Any] = {"id": name, "game": game.reference}
    if options:
        head["options"] = game.options
    return {**head, **deal_to_json(deal, game.rules)}


def read_deals(game: Game, source: str) -> Generator[tuple[str, Deal], None, None]:
    """Open a file of deal lines, or standard input for ``-``, and read it lazily.

    Yields
    ------
    name, deal
        The line's ``id`` (``line-N`` if it has none), and the deal.

    Raises
    ------
    InputError
        Naming the line: if it is no deal of the game, or names another game or other options.
    """
    return _deals(game, read_json_lines(source))


def _deals(game: Game, lines: Generator[JsonLine, None, None]) -> Generator[tuple[str, Deal], None, None]:
    with contextlib.closing(lines):
        for number, where, data in lines:
            yield _read_deal(game, number, where, data)


def _read_deal(game: Game, number: int, where: str, data: dict[str, Any]) -> tuple[str, Deal]:
    name = data.get("id")
    if name is None:
        name = f"line-{number}"
    if not isinstance(name, str | int):
        raise InputError(f"{where}: id: expected a text, got {name!r:.60}")
    _check_same_game(game, data, where)
    return str(name), deal_from_json(data, game.rules, where)


def _check_same_game(game: Game, data: dict[str, Any], where: str) -> None:
    """Check that a line's own game and options, as far as it has them, come to the rules in force."""
    reference, options = data.get("game"), data.get("options")
    if options is None and reference in (None, game.reference, game.key, game.base):
        return
    own = _load(game.reference if reference in (None, game.key) else reference, where)
    own = _with_options(own, options, where)
    if own.rules != game.rules:
        raise InputError(
            f"{where}: the deal is of {own.key} ({own.options_text()}), "
            f"but the command line says {game.key} ({game.options_text()})"
        )


def _load(reference: object, where: str) -> Game:
    if not isinstance(reference, str):
        raise InputError(f"{where}: game: expected a text, got {reference!r:.60}")
    try:
        return _loaded(reference)
    except (ValueError, RecursionError) as error:  # also a text that no path can have, a file nested too deeply
        raise InputError(f"{where}: {error}") from None


_loaded = functools.lru_cache(maxsize=64)(load_game)


def _with_options(game: Game, options: object, where: str) -> Game:
    if options is None:
        return game
    if not isinstance(options, dict):
        raise InputError(f"{where}: options: expected a JSON object, got {options!r:.60}")
    try:
        return game.with_options(options)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


# Verdicts.


def verdict_line(game: Game, name: str, verdict: Verdict, deal: Deal | None = None) -> dict[str, Any]:
    """Return the line of a verdict; with the deal given it carries moves and deal, as :func:`check_solution` needs."""
    line: dict[str, Any] = {
        "schema": SCHEMA,
        "id": name,
        "game": game.reference,
        "options": game.options,
        "verdict": verdict.verdict,
        "reason": verdict.reason,
        "stage": verdict.stage,
        "states": verdict.states,
        "seconds": round(verdict.seconds, 6),
    }
    if deal is not None:
        line["moves"] = None if verdict.moves is None else [move.to_json() for move in verdict.moves]
        line["deal"] = deal_to_json(deal, game.rules)
    return line


def claims_win(data: dict[str, Any], where: str) -> bool:
    """Say whether a verdict's line claims a win, so that there is a solution to check.

    Raises
    ------
    InputError
        If it is no verdict's line.
    """
    verdict = data.get("verdict")
    if verdict not in (WINNABLE, UNWINNABLE, UNDECIDED):
        raise InputError(f"{where}: verdict: expected {WINNABLE}, {UNWINNABLE} or {UNDECIDED}, got {verdict!r:.60}")
    return bool(verdict == WINNABLE)


def check_solution(data: dict[str, Any], where: str) -> str | None:
    """Replay the solution in the line of a winnable verdict.

    Returns
    -------
    str or None
        What is wrong with it; None if it wins.

    Raises
    ------
    InputError
        If the line is malformed, or without moves or deal.
    """
    for name in ("game", "moves", "deal"):
        if data.get(name) is None:
            raise InputError(f"{where}: {name} is missing; expected a line of 'solve --json --moves'")
    game = _with_options(_load(data["game"], where), data.get("options"), where)
    deal = deal_from_json(data["deal"], game.rules, f"{where}, deal")
    if not isinstance(data["moves"], list):
        raise InputError(f"{where}: moves: expected a list, got {data['moves']!r:.60}")
    moves = [Move.from_json(move, f"{where}, move {number}") for number, move in enumerate(data["moves"], start=1)]
    try:
        won = replay(game.rules, deal, moves).won
    except IllegalMoveError as error:
        return str(error)
    return None if won else f"the {len(moves)} moves are legal, but do not win"
