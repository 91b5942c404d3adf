"""Which searches a deal is given, one after another, as the rules and the budget decide.

A complete search that goes wrong early may never come back within any budget. Where most deals are winnable,
many short searches with differently shuffled moves find wins that one long search misses. So games of that
kind get, between a short first search and the long complete one, a series of *restarts* with quotas. A win in
any search is a win; *unwinnable* needs a search of the full rules that was exhausted.

Measured on 60 Cleopatra deals: one search of 1,000,000 states left 16 open, ten of 10,000 left 7. On 200
Cheops deals 10 and 9, with a fifth of the states. On Stonewall and Klondike the same restarts find next to
nothing that a complete search of as many states does not.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from solitaire_lab.rules import BuildRules, Rules

FIRST_QUOTA = 10_000
"""States of the first search, and of a restart."""
RESTARTS_BEFORE_DOUBLING = 32
"""After so many restarts the quota doubles."""
RESTARTS_SHARE = 0.5
"""The part of the budget that restarts may use."""


@dataclasses.dataclass(frozen=True)
class Search:
    """One search of a deal."""

    stage: str
    max_states: int
    shuffle: int = 0
    """Seed of the shuffling of moves; 0 for none."""
    without_returns: bool = False
    """Leave out worrying back: fewer moves, and a win all the same."""


def has_restarts(rules: Rules) -> bool:
    """Say whether deals of these rules get restarts: two packs, or pairs by rank difference (many partners)."""
    if isinstance(rules, BuildRules):
        return rules.decks == 2
    return bool(rules.pair_steps)


def searches(rules: Rules, max_states: int) -> Iterator[Search]:
    """Yield the searches of a deal; together they enter no more than `max_states` positions."""
    if not has_restarts(rules) or max_states <= 2 * FIRST_QUOTA:
        yield Search("complete", max_states)
        return
    yield Search("first", FIRST_QUOTA)
    without_returns = isinstance(rules, BuildRules) and rules.worrying_back
    left = max_states - FIRST_QUOTA
    number = 1
    while left - (quota := FIRST_QUOTA << (number - 1) // RESTARTS_BEFORE_DOUBLING) >= max_states * (
        1 - RESTARTS_SHARE
    ):
        yield Search("restarts", quota, shuffle=number, without_returns=without_returns)
        left -= quota
        number += 1
    yield Search("complete", left)
