"""Game files: loading them by key, by preset or by path, and setting their options.

A game file is TOML::

    key = "klondike"
    name = "Klondike"
    family = "build"
    summary = "One line."
    [rules]                    # what the game fixes
    [options]                  # what its players may choose, with the defaults
    [presets.klondike-3x3]     # named choices: name, summary, and options that differ
    [[readings]]               # where the default departs from the letter of the description
    [[claims]]                 # published figures, read by solitaire_lab.rules.claims
"""

from __future__ import annotations

import dataclasses
import functools
import tomllib
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any, TypeAlias

from solitaire_lab.errors import InputError, near
from solitaire_lab.rules.build import BuildRules
from solitaire_lab.rules.language import show_value, tidy
from solitaire_lab.rules.pair import PairRules

Rules: TypeAlias = BuildRules | PairRules

FAMILIES: dict[str, type[BuildRules] | type[PairRules]] = {"build": BuildRules, "pair": PairRules}
_FILE_KEYS = ("key", "name", "family", "summary", "rules", "options", "presets", "readings", "claims")


@dataclasses.dataclass(frozen=True)
class Reading:
    """A default that departs from the letter of the written description."""

    option: str
    letter: str
    """The value of the option that follows the letter."""
    note: str


@dataclasses.dataclass(frozen=True)
class Game:
    """A game with its options at the values in force."""

    reference: str
    """How it was asked for: a catalogue key, a preset's key, or a path."""
    key: str
    name: str
    summary: str
    base: str
    """The key of the game's file: for a preset, the game that it belongs to."""
    rules: Rules
    option_names: tuple[str, ...]
    readings: tuple[Reading, ...] = ()

    @property
    def family(self) -> str:
        """Return ``"build"`` or ``"pair"``."""
        return self.rules.family

    @property
    def options(self) -> dict[str, Any]:
        """Return every option with its value in force."""
        return {name: getattr(self.rules, name) for name in self.option_names}

    def with_options(self, options: Mapping[str, object] | None = None, **more: object) -> Game:
        """Return the game with some options set.

        Parameters
        ----------
        options, **more
            Values by option name, as Python values or as the text of ``-o K=V``.

        Raises
        ------
        InputError
            If the game has no such option, or the value is out of range.
        """
        wanted = {**(options or {}), **more}
        for name in wanted:
            if name not in self.option_names:
                offered = ", ".join(self.option_names) or "none"
                raise InputError(
                    f"{self.key} has no option {name!r}; its options are {offered}{near(name, self.option_names)}"
                )
        if not wanted:
            return self
        try:
            rules = dataclasses.replace(self.rules, **tidy(type(self.rules), wanted))
        except InputError as error:
            raise InputError(f"{self.key}: {error}") from None
        return dataclasses.replace(self, rules=rules)

    def options_text(self) -> str:
        """Return the options in force as ``draw=1, passes=1, ...``."""
        return ", ".join(f"{name}={show_value(value)}" for name, value in self.options.items()) or "none"


def load_game(reference: str) -> Game:
    """Load a game by catalogue key, preset key, or the path of a game file.

    Raises
    ------
    InputError
        If there is no such game, or its file cannot be used.
    """
    known = _catalogue()
    if reference in known:
        return known[reference]
    if reference.endswith(".toml") or "/" in reference:
        path = Path(reference)
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, ValueError) as error:  # ValueError: not UTF-8, or a name that no file can have
            raise InputError(
                f"cannot read game file {reference}: {getattr(error, 'strerror', None) or error}"
            ) from None
        return next(iter(read_game_file(text, reference, reference=reference)))
    raise InputError(
        f"unknown game {reference!r}{near(reference, known)} ('games' lists all; a path must end in .toml)"
    )


def load_variant(text: str) -> Game:
    """Load a game with options in brackets: ``stonewall[worrying_back=false]``, ``klondike[draw=3,passes=3]``.

    Raises
    ------
    InputError
        If there is no such game or option, or the brackets do not hold options.
    """
    reference, bracket, rest = text.partition("[")
    if not bracket:
        return load_game(reference)
    options: dict[str, object] = {}
    for part in rest.removesuffix("]").split(","):
        name, equals, value = part.partition("=")
        if not rest.endswith("]") or not equals or not name.strip():
            raise InputError(
                f"{text!r:.80}: expected a game with options in brackets, such as klondike[draw=3,passes=3]"
            )
        options[name.strip()] = value
    return load_game(reference).with_options(options)


def catalogue_keys() -> list[str]:
    """Return the keys of all games and presets that come with the package."""
    return list(_catalogue())


@functools.cache
def _catalogue() -> dict[str, Game]:
    """Read all game files of the package."""
    return {game.key: game for name, text in game_files() for game in read_game_file(text, name)}


def game_files() -> list[tuple[str, str]]:
    """Return names and texts of the game files of the package."""
    folder = resources.files("solitaire_lab") / "games"
    entries = sorted(folder.iterdir(), key=lambda item: item.name)
    return [(entry.name, entry.read_text(encoding="utf-8")) for entry in entries if entry.name.endswith(".toml")]


def read_game_file(text: str, where: str, *, reference: str | None = None) -> list[Game]:
    """Read a game file's text.

    Parameters
    ----------
    text
        TOML.
    where
        The file's name, for error messages.
    reference
        What the game is to be called in output; its key if None.

    Returns
    -------
    list of Game
        The game itself, then its presets.

    Raises
    ------
    InputError
        Naming the file, the place and what was expected.
    """
    return games_of_data(read_toml(text, where), where, reference=reference)


def read_toml(text: str, where: str) -> dict[str, Any]:
    """Return the data of a game file's text; an `InputError` names the file if it is not TOML."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"{where}: not valid TOML: {error}") from None


def games_of_data(data: dict[str, Any], where: str, *, reference: str | None = None) -> list[Game]:
    """Return the game in a game file's data, then its presets; an `InputError` names the file."""
    try:
        return _games_of(data, reference)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def _games_of(data: dict[str, Any], reference: str | None) -> list[Game]:
    for name in data:
        if name not in _FILE_KEYS:
            raise InputError(f"unknown entry {name!r}; expected one of {', '.join(_FILE_KEYS)}{near(name, _FILE_KEYS)}")
    for name in ("key", "name", "family"):
        if not isinstance(data.get(name), str) or not data[name]:
            raise InputError(f"{name}: expected a text")
    if data["family"] not in FAMILIES:
        raise InputError(f"family={data['family']}: expected {' or '.join(FAMILIES)}{near(data['family'], FAMILIES)}")
    family = FAMILIES[data["family"]]
    for name in ("rules", "options", "presets"):
        if not isinstance(data.get(name, {}), dict):
            raise InputError(f"{name}: expected a table")
    if not isinstance(data.get("readings", []), list):
        raise InputError("readings: expected a list of tables")
    fixed, options = data.get("rules", {}), data.get("options", {})
    if both := set(fixed) & set(options):
        raise InputError(f"{sorted(both)[0]}: stands in both [rules] and [options]")
    game = Game(
        reference=reference or data["key"],
        key=data["key"],
        name=data["name"],
        summary=str(data.get("summary", "")),
        base=reference or data["key"],
        rules=family(**tidy(family, {**fixed, **options})),
        option_names=tuple(options),
        readings=tuple(_reading(entry, tuple(options)) for entry in data.get("readings", [])),
    )
    return [game, *(_preset(game, key, entry) for key, entry in data.get("presets", {}).items())]


def _preset(game: Game, key: str, entry: object) -> Game:
    if not isinstance(entry, dict) or not isinstance(entry.get("options"), dict):
        raise InputError(f"presets.{key}: expected a table with options")
    varied = game.with_options(entry["options"])
    return dataclasses.replace(
        varied,
        reference=key,
        key=key,
        name=str(entry.get("name", key)),
        summary=str(entry.get("summary", game.summary)),
    )


def _reading(entry: object, options: tuple[str, ...]) -> Reading:
    if not isinstance(entry, dict) or set(entry) != {"option", "letter", "note"}:
        raise InputError("readings: expected entries of option, letter and note")
    if entry["option"] not in options:
        raise InputError(
            f"readings: {entry['option']!r} is not an option of this game{near(str(entry['option']), options)}"
        )
    return Reading(entry["option"], show_value(entry["letter"]), str(entry["note"]))
