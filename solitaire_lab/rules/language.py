"""What the rule dataclasses of all families share: fields that know their own range, and their checking.

A rule is one field of a frozen dataclass, made by :func:`rule`. The field's metadata holds its range and
its meaning, so that game files, Python and ``-o K=V`` are checked, and ``show`` speaks, from one place.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from solitaire_lab.errors import InputError, near

UNLIMITED: Literal["unlimited"] = "unlimited"
"""The value of `passes` that sets no limit."""

Value: TypeAlias = int | bool | str | tuple[int, ...]


@dataclasses.dataclass(frozen=True)
class Range:
    """The values that a rule may take."""

    kind: type
    """``bool``, ``int``, ``str`` or ``tuple`` (of int)."""
    choices: tuple[str, ...] = ()
    """The allowed words; for an ``int`` rule, words allowed beside the numbers."""
    low: int = 0
    high: int = 0

    def expected(self) -> str:
        """Return the range in words, for an error message."""
        if self.kind is bool:
            return "true or false"
        if self.kind is str:
            return " or ".join(self.choices) if self.choices else "a word"
        numbers = f"{self.low} to {self.high}"
        if self.kind is tuple:
            return f"a list of whole numbers from {numbers}"
        return " or ".join([f"a whole number from {numbers}", *self.choices])

    def holds(self, value: object) -> bool:
        """Say whether `value` lies in the range."""
        if self.kind is bool:
            return isinstance(value, bool)
        if self.kind is str:
            return isinstance(value, str) and (not self.choices or value in self.choices)
        if self.kind is tuple:
            return isinstance(value, tuple) and all(self._is_number(item) for item in value)
        return self._is_number(value) or (isinstance(value, str) and value in self.choices)

    def _is_number(self, value: object) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and self.low <= value <= self.high


def rule(default: Any, doc: str, *, choices: tuple[str, ...] = (), low: int = 0, high: int = 0) -> Any:
    """Declare one rule: a dataclass field with its default, its meaning and its range."""
    kind = int if isinstance(default, int) and not isinstance(default, bool) else type(default)
    return dataclasses.field(default=default, metadata={"range": Range(kind, choices, low, high), "doc": doc})


def ranges(rules: type) -> dict[str, Range]:
    """Return the range of each rule of a rule dataclass, by name."""
    return {field.name: field.metadata["range"] for field in dataclasses.fields(rules)}


def check_ranges(rules: Any) -> None:
    """Check each field of a rule dataclass against its range.

    Raises
    ------
    InputError
        Naming the rule, the value and what was expected.
    """
    for name, allowed in ranges(type(rules)).items():
        value = getattr(rules, name)
        if not allowed.holds(value):
            hint = near(value, allowed.choices) if isinstance(value, str) else ""
            raise InputError(f"{name}={show_value(value)}: expected {allowed.expected()}{hint}")


def tidy(rules: type, values: Mapping[str, object]) -> dict[str, Any]:
    """Bring values from a file, from Python or from text into the types of the rules.

    Text such as ``"3"`` or ``"false"`` (from ``-o K=V``) becomes a number or a truth value, lists become
    tuples, and ``-`` in a word counts as ``_``. What cannot be brought is left for :func:`check_ranges`.
    """
    known = ranges(rules)
    result = {}
    for name, given in values.items():
        if name not in known:
            raise InputError(f"unknown rule {name!r}; expected one of {', '.join(known)}{near(name, known)}")
        value = given
        if isinstance(value, list):
            value = tuple(value)
        if isinstance(value, str):
            value = _from_text(known[name], value.strip())
        result[name] = value
    return result


def _from_text(allowed: Range, text: str) -> object:
    if allowed.kind is bool:
        return {"true": True, "false": False}.get(text.lower(), text)
    if allowed.kind is int:
        try:
            return int(text)
        except ValueError:
            return text.lower()
    if allowed.kind is tuple:
        try:
            return tuple(int(part) for part in text.replace(",", " ").split())
        except ValueError:
            return text
    word = text.replace("-", "_")
    return word if word in allowed.choices else text


def show_value(value: object) -> str:
    """Return a rule's value as it is written in ``-o K=V``."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return str(value)
