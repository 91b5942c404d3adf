"""Stricter and looser rules: a deal that is winnable under stricter rules is winnable under looser ones.

Every relation below rests on one argument. Take a win under the stricter rules, move by move. If each of its moves,
or a few moves in its place, is legal under the looser rules from the same position and leads to the same position, and
what wins there wins here, then the deal is winnable under the looser rules too; and a deal that is unwinnable under the
looser rules is unwinnable under the stricter ones. The arguments say why that holds for each rule, whatever the other
rules are as long as they are the same; several rules that are looser are so one after the other. Rules that are not
named here are compared with nothing: they must be equal.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, TypeAlias

from solitaire_lab.rules.build import BuildRules
from solitaire_lab.rules.catalogue import Rules
from solitaire_lab.rules.language import UNLIMITED
from solitaire_lab.rules.pair import PairRules

Relation: TypeAlias = Callable[[Any, Any, Any], bool]
"""Called with the looser value, the stricter one, and the looser rules: whether it is so."""


def _chain(*values: object) -> Relation:
    """Relate values that go from the strictest to the loosest."""
    return lambda loose, strict, _rules: values.index(strict) <= values.index(loose)


def _passes(loose: int | str, strict: int | str, _rules: Rules) -> bool:
    """Say whether there are at least as many passes.

    The positions are the same but for the number of passes left, and no move needs that to be small. Where the game is
    lost with the last stock card of the last pass, that comes later.
    """
    return loose == UNLIMITED or (strict != UNLIMITED and int(strict) <= int(loose))


def _draw(loose: int, strict: int, rules: Rules) -> bool:
    """Say whether as many or fewer cards are turned at once, the larger number a multiple of the smaller one.

    A turn of the larger number is several turns of the smaller one: each card goes onto the waste on top of those
    before, also in a short last turn, and the stock ends with the same turn. With cards that go to the foundations by
    themselves the turns in between may move cards, and on several waste piles the cards lie otherwise: then nothing is
    claimed.
    """
    if isinstance(rules, BuildRules):
        return loose == strict or (strict % loose == 0 and not rules.auto_foundation)
    return loose == strict or (strict % loose == 0 and rules.waste_piles == 1)


def _build(loose: str, strict: str, _rules: Rules) -> bool:
    """Say whether building is the same, or in any suit: in alternating colours and in one suit are not comparable.

    Whatever may lie on a card by the other two may by the first, and a run by the other two is one by the first.
    """
    return loose in (strict, "any_suit")


def _group(loose: str, strict: str, _rules: Rules) -> bool:
    """Say whether the same moves together, or any part of a run: whole columns and single cards are not comparable.

    A whole face-up column that is a run is a part of itself, and so is a single card.
    """
    return loose in (strict, "run")


RELATIONS: dict[type[Rules], dict[str, Relation]] = {
    BuildRules: {
        "draw": _draw,
        "passes": _passes,
        "build": _build,
        "group": _group,
        # More cards fill a space; every other move stays.
        "spaces": _chain("none", "kings", "any"),
        # Moves are added, none is taken away. (With cards that go to the foundations by themselves, one that returns
        # goes back at once, so that nothing changes.)
        "worrying_back": _chain(False, True),
        "return_to_space": _chain(False, True),
        # What goes by itself may also be moved by hand, in the same order; the player may do other things as well.
        "auto_foundation": _chain(True, False),
    },
    PairRules: {
        "draw": _draw,
        "passes": _passes,
        # One more card is exposed; the turns of the stock stay.
        "draw_exposed": _chain("waste", "waste_and_stock"),
        # The same moves, but the game goes on where it would be lost.
        "at_exhaustion": _chain("stop", "continue"),
        # On the way to no cards at all the pyramid goes.
        "goal": _chain("all", "pyramid"),
        # Pairs are added, none is taken away.
        "overlap_pairs": _chain(False, True),
        "pair_wrap": _chain(False, True),
    },
}
"""For each rule that orders its values: whether one is at least as loose as another."""


def at_least_as_loose(loose: Rules, strict: Rules) -> bool:
    """Say whether it is proved that every deal winnable under `strict` is winnable under `loose`.

    False means that nothing is known, not that the opposite holds.
    """
    if type(loose) is not type(strict):
        return False
    relations = RELATIONS[type(loose)]
    for field in dataclasses.fields(loose):
        mine, other = getattr(loose, field.name), getattr(strict, field.name)
        if mine != other and not (field.name in relations and relations[field.name](mine, other, loose)):
            return False
    return True
