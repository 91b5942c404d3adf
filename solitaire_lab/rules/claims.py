"""Published figures: what somebody has said of a game, of which population of players or deals, and where.

They stand in the game files, one entry each::

    [[claims]]
    id = "klondike-jair"             # of game and source
    preset = "klondike-standard"     # or options = {...}: the form of the game that is meant
    value = 0.81945                  # a fraction; with margin, or low and high in its place
    margin = 0.00084
    population = "thoughtful"
    source = "..."
    # and if they help: words, sample, note
"""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

from solitaire_lab.errors import InputError, near
from solitaire_lab.rules.catalogue import Game, catalogue_keys, game_files, games_of_data, read_toml

POPULATIONS = {
    "thoughtful": "deals that can be won, all cards known",
    "human": "games that people have won",
    "player": "games that a program has won without seeing hidden cards",
    "unstated": "it is not said of what",
}
"""What a figure may be a share of."""

_ENTRIES = (
    "id", "preset", "options", "value", "margin", "low", "high", "words", "population", "sample", "source", "note",
)  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Claim:
    """A published figure."""

    id: str
    game: Game
    """In the form that is meant."""
    low: float
    """The claimed share or the lower end of its range, a fraction."""
    high: float
    words: str
    """As it is published."""
    population: str
    """A key of `POPULATIONS`."""
    source: str
    sample: int | None = None
    """How many deals or games it rests on, if that is said."""
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the claim as plain data."""
        return {
            "id": self.id,
            "game": self.game.reference,
            "options": self.game.options,
            "low": self.low,
            "high": self.high,
            "words": self.words,
            "population": self.population,
            "sample": self.sample,
            "source": self.source,
            "note": self.note or None,
        }


@functools.cache
def _claims() -> dict[str, Claim]:
    found: dict[str, Claim] = {}
    for where, text in game_files():
        for claim in read_claims(text, where):
            if claim.id in found:
                raise InputError(f"{where}: claims: {claim.id} stands there twice")
            found[claim.id] = claim
    return found


def claims(game: str | None = None) -> list[Claim]:
    """Return the published figures.

    Parameters
    ----------
    game
        Those of one game only: its key, or a preset's for those that mean just that form.

    Raises
    ------
    InputError
        If there is no such game.
    """
    everything = list(_claims().values())
    if game is None:
        return everything
    keys = sorted({name for claim in everything for name in (claim.game.key, claim.game.base)})
    chosen = [claim for claim in everything if game in (claim.game.key, claim.game.base)]
    if not chosen and game not in catalogue_keys():
        raise InputError(
            f"no published figure of {game!r} is known; there are some of {', '.join(keys)}{near(game, keys)}"
        )
    return chosen


def claim_of(name: str) -> Claim:
    """Return a claim by its id.

    Raises
    ------
    InputError
        If there is none of that id.
    """
    known = _claims()
    if name not in known:
        raise InputError(f"unknown claim {name!r}{near(name, known)} ('claims' lists all)")
    return known[name]


def read_claims(text: str, where: str) -> list[Claim]:
    """Return the claims in a game file's text.

    Raises
    ------
    InputError
        Naming the file, the claim and what was expected.
    """
    data = read_toml(text, where)
    entries = data.get("claims", [])
    if not isinstance(entries, list):
        raise InputError(f"{where}: claims: expected a list of tables")
    games = {game.key: game for game in games_of_data(data, where)}
    return [_claim(entry, data["key"], games, where) for entry in entries]


def _claim(entry: Any, key: str, games: dict[str, Game], where: str) -> Claim:
    if not isinstance(entry, dict) or not isinstance(entry.get("id"), str):
        raise InputError(f"{where}: claims: expected tables with an id")
    where = f"{where}: claim {entry['id']}"
    for name in entry:
        if name not in _ENTRIES:
            raise InputError(f"{where}: unknown entry {name!r}; expected one of {', '.join(_ENTRIES)}")
    preset = entry.get("preset", key)
    if preset not in games:
        raise InputError(f"{where}: preset={preset}: expected one of {', '.join(games)}{near(str(preset), games)}")
    if entry.get("population") not in POPULATIONS:
        raise InputError(f"{where}: population={entry.get('population')}: expected {' or '.join(POPULATIONS)}")
    if not entry.get("source"):
        raise InputError(f"{where}: source: expected a text")
    try:
        game = games[preset].with_options(entry.get("options", {}))
        low, high = _range(entry)
    except (InputError, KeyError, TypeError) as error:
        raise InputError(f"{where}: {error}") from None
    if not 0 <= low <= high <= 1:
        raise InputError(f"{where}: expected shares from 0 to 1, got {low} to {high}")
    return Claim(
        id=entry["id"],
        game=game,
        low=low,
        high=high,
        words=str(entry.get("words") or _words(entry)),
        population=entry["population"],
        source=str(entry["source"]),
        sample=entry.get("sample"),
        note=str(entry.get("note", "")),
    )


def _range(entry: dict[str, Any]) -> tuple[float, float]:
    if "value" in entry:
        margin = float(entry.get("margin", 0))
        return round(float(entry["value"]) - margin, 9), round(float(entry["value"]) + margin, 9)
    return float(entry["low"]), float(entry["high"])


def _words(entry: dict[str, Any]) -> str:
    if "value" not in entry:
        return f"{100 * entry['low']:.4g} to {100 * entry['high']:.4g} %"
    margin = f" ± {100 * entry['margin']:.3g}" if "margin" in entry else ""
    return f"{100 * entry['value']:.5g}{margin} %"
