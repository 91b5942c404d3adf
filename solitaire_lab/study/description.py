"""``study.toml``: what the study in a folder is, and whether it is the one that is asked for."""

from __future__ import annotations

import dataclasses
import tomllib
from pathlib import Path
from typing import Any

from solitaire_lab.errors import InputError
from solitaire_lab.rules import Game
from solitaire_lab.rules.catalogue import FAMILIES
from solitaire_lab.rules.language import show_value, tidy
from solitaire_lab.study.plan import Study, budget_data
from solitaire_lab.study.seeds import Seeds
from solitaire_lab.study.statistics import SEQUENCE
from solitaire_lab.verdicts import Budget

SCHEMA = 1


@dataclasses.dataclass(frozen=True)
class Description:
    """What a study folder says of itself."""

    study: Study
    """Its seeds are all that were ever asked for."""
    shard_deals: int
    layers: tuple[Budget, ...]
    """Budgets of the second and later attempts at the deals that were undecided."""
    versions: tuple[str, ...]
    """The versions of the solver that worked on it, in order."""

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data for TOML."""
        study, game = self.study, self.study.game
        values = {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in dataclasses.asdict(game.rules).items()
        }
        options = {name: values.pop(name) for name in game.option_names}
        data = {
            "schema": SCHEMA,
            "game": game.reference,
            "shuffle": study.shuffle,
            "seeds": study.seeds.text(whole=True),
            "shard_deals": self.shard_deals,
            "versions": list(self.versions),
        }
        if study.until_width is not None:
            data |= {"until_width": study.until_width, "confidence": study.confidence}
        return {
            **data,
            "budget": budget_data(study.budget),
            "escalated": [budget_data(budget) for budget in self.layers],
            "named": {"key": game.key, "name": game.name, "summary": game.summary, "base": game.base},
            "family": game.family,
            "options": options,
            "rules": values,
        }

    @classmethod
    def read(cls, path: Path) -> Description:
        """Read a ``study.toml``.

        Raises
        ------
        InputError
            If there is none, or it says no study.
        """
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise InputError(f"{path.parent} holds no study: there is no {path.name} in it") from None
        except NotADirectoryError:
            raise InputError(f"{path.parent}: expected a folder") from None
        except OSError as error:
            raise InputError(f"cannot read {path}: {error.strerror or error}") from None
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path}: not valid TOML: {error}") from None
        try:
            return cls._of_data(data)
        except (KeyError, TypeError, AttributeError) as error:
            raise InputError(f"{path}: not a study's description: {type(error).__name__} {error}") from None
        except InputError as error:
            raise InputError(f"{path}: {error}") from None

    @classmethod
    def _of_data(cls, data: dict[str, Any]) -> Description:
        if data["schema"] != SCHEMA:
            raise InputError(f"schema={data['schema']}: this version reads schema {SCHEMA}")
        family = FAMILIES[data["family"]]
        named = {name: str(data["named"][name]) for name in ("key", "name", "summary", "base")}
        game = Game(
            reference=str(data["game"]),
            rules=family(**tidy(family, {**data["rules"], **data["options"]})),
            option_names=tuple(data["options"]),
            key=named["key"],
            name=named["name"],
            summary=named["summary"],
            base=named["base"],
        )
        width = data.get("until_width")
        study = Study(
            game,
            Seeds.parse(data["seeds"]),
            Budget(**data["budget"]),
            data["shuffle"],
            data.get("confidence", 0.95),
            interval="wilson" if width is None else SEQUENCE,
            until_width=width,
        )
        layers = tuple(Budget(**budget) for budget in data["escalated"])
        return cls(study, int(data["shard_deals"]), layers, tuple(map(str, data["versions"])))

    def difference(self, study: Study) -> str | None:
        """Say in which field a study differs from this one, the budget left out; None if in none.

        Studies of the same deals from the first on are the same, whichever has more.
        """
        mine, yours = self.study.game, study.game
        if type(mine.rules) is not type(yours.rules):
            return _differs("game", mine.key, yours.key)
        rules = [
            field.name
            for field in dataclasses.fields(mine.rules)
            if getattr(mine.rules, field.name) != getattr(yours.rules, field.name)
        ]
        if rules:
            what = [_differs(name, getattr(mine.rules, name), getattr(yours.rules, name)) for name in rules]
            return _differs("game", mine.key, yours.key) if mine.base != yours.base else ", ".join(what)
        if self.study.shuffle != study.shuffle:
            return _differs("shuffle", self.study.shuffle, study.shuffle)
        seeds = self.study.seeds
        if not (study.seeds.begins(seeds) or seeds.begins(study.seeds)):
            return _differs("seeds", seeds.text(), study.seeds.text())
        return None


def _differs(name: str, there: object, here: object) -> str:
    return f"{name} is {show_value(there)} there and {show_value(here)} here"


def budget_difference(there: Budget, here: Budget) -> str | None:
    """Say in which limit a budget differs from the one in the folder; None if in none."""
    for field in dataclasses.fields(Budget):
        one, other = getattr(there, field.name), getattr(here, field.name)
        if one != other:
            return _differs(field.name, "not set" if one is None else one, "not set" if other is None else other)
    return None
