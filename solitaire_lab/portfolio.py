"""Which searches a deal is given, one after another, as the rules decide.

A complete search that goes wrong early may never come back within any budget, and where most deals are winnable,
incomplete searches find wins that it misses. A win in any search is a win; *unwinnable* needs a search of the full
rules that was exhausted.

Build games. One complete search, carried on in instalments, and between these *beams* (`engine/build/beam.py`) and
*restarts* that leave out worrying back. Where suits matter little, searches that *ignore* them find most wins, and one
that *sets them aside*, carried on like the complete one, refutes most deals that are lost
(`engine/build/suits_aside.py`). All grow in the same proportion, so that whatever the budget each has its
part, and a deal that is decided within some budget of states is decided within every larger one. Beams have widths, not
quotas: one that is cut off before its end has found nothing. Each weighs positions a little differently, at random but
in the same way for every deal; half of them play all cards to foundations at once, and most leave out worrying back.

Klondike and its like, which the compact engine searches. The complete search alone.

Pair games. Those with many partners get, between a short first search and the long complete one, *restarts*: many
short searches with shuffled moves. Where only the pyramid must go, *looser rules* come before these: with a free
stock (`engine/pair/free_stock.py`) a search takes some tens of states, and nearly all deals that are lost with several
passes are lost then too, which proves it.
"""

from __future__ import annotations

import dataclasses
import itertools
import random
import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from solitaire_lab.rules import UNLIMITED, BuildRules, PairRules, Rules

FIRST_QUOTA = 10_000
"""States of the first search, and of a restart."""
LOOK_QUOTA = 500
"""States of the first search where a search with looser rules follows it and restarts do not."""
FREE_STOCK_QUOTA = 30_000
RESTARTS_BEFORE_DOUBLING = 32
"""After so many restarts the quota doubles."""
RESTARTS_SHARE = 0.5
"""The part of the budget that restarts may use."""
BEAM_WIDTH = 40
"""Positions that go on from each level of a beam of the first round; they double from round to round."""
LARGEST_WIDTH = 10_240
BEAMS = 4
"""Beams in a round."""
STATES_TO_WIDTH = 300
"""For each position that goes on, a beam takes about so many states until it ends: by that other searches are sized."""
MOST_STATES_TO_WIDTH = 1_000
"""A beam that takes more is cut off."""
ACES_AND_TWOS = 2**12 - 1
IGNORING = ((True, 0), (True, ACES_AND_TWOS), (False, 0))
"""Searches of a round that ignore suits: whether without worrying back, and which cards are told apart all the same."""
IGNORED_SHARE = 4
"""How many states each of them is given for one of a beam."""
ASIDE_SHARE = 6
"""Likewise the search that sets suits aside."""
GOES_FAR_QUOTA = 200_000
"""States of the complete search before the first beam, in games where it goes far."""
NOISE = 10
"""By how much the scores of beams are disturbed, less than a card on a foundation counts."""
ALIKE = 50
"""By how much beams prefer positions of different kinds, see :class:`Beam`."""
FACTORS = (0.5, 0.7, 1.0, 1.0, 1.4, 2.0)
"""By which weights differ from beam to beam."""


@dataclasses.dataclass(frozen=True)
class Weights:
    """What counts how much in a position, see `engine/build/evaluate.py`."""

    on_foundation: int = 20
    least_height: int = 10
    built: int = 8
    built_in_suit: int = 3
    on_lower: int = -6
    on_lower_in_suit: int = -5
    on_next: int = -7
    space: int = 10
    hidden: int = -10
    in_reserve: int = 30
    in_stock: int = 0
    in_waste: int = 0
    mobile: int = 6

    @classmethod
    def of(cls, rules: BuildRules) -> Weights:
        """Return the weights for some rules."""
        if rules.build == "same_suit":
            return cls(least_height=12, built=18, built_in_suit=0, on_lower=-10, on_lower_in_suit=-20, in_waste=-6)
        return cls()

    def varied(self, number: int) -> Weights:
        """Return weights that differ from these at random, as `number` says; itself for 0."""
        if number == 0:
            return self
        generator = random.Random(number)
        return Weights(
            *(round(value * FACTORS[int(generator.random() * len(FACTORS))]) for value in dataclasses.astuple(self))
        )


@dataclasses.dataclass(frozen=True)
class Beam:
    """How a beam search goes."""

    width: int
    """Positions of a level that go on."""
    weights: Weights
    noise: int
    """Scores are raised by a pseudo-random number below this one."""
    alike: int
    """What a position's score loses if there is a better one of its kind in the level, and again with twice as many."""
    seed: int
    """What decides it."""
    always: bool
    """Play every card to its foundation at once."""


TOLD_APART, SET_ASIDE, IGNORED = "told apart", "set aside", "ignored"
"""What a search does with suits, see `engine/build/suits_aside.py`."""


class Search(NamedTuple):
    """One search of a deal, or a part of one."""

    stage: str
    max_states: int
    """Positions that it may enter; for a part of the complete search, together with the parts before."""
    goes_on: bool = False
    """Goes on where the complete search stands, or the one that sets suits aside."""
    shuffle: int = 0
    """Seed of the shuffling of moves; 0 for none."""
    without_returns: bool = False
    """Leave out worrying back: fewer moves, and a win all the same."""
    beam: Beam | None = None
    """Search only what looks most promising."""
    suits: str = TOLD_APART
    """Whether suits are told apart, set aside as long as that is proved to do no harm, or ignored."""
    told: int = 0
    """Cards that are told apart all the same, as a set."""
    free_stock: bool = False
    """Take all stock cards as exposed at all times: looser rules, so that being lost is proved and a win is not."""

    @property
    def is_complete(self) -> bool:
        """Say whether exhausting it proves that a deal cannot be won."""
        return self.beam is None and not self.without_returns and self.suits != IGNORED


_COMPLETE_ALONE = (Search("complete", sys.maxsize, goes_on=True),)


def has_restarts(rules: Rules) -> bool:
    """Say whether deals of these rules get restarts: pairs by rank difference, where cards have many partners."""
    return isinstance(rules, PairRules) and bool(rules.pair_steps)


def has_free_stock(rules: PairRules) -> bool:
    """Say whether a search with a free stock may show more than the game's own: only the pyramid must go."""
    is_the_game_itself = rules.passes == UNLIMITED and rules.draw == 1
    if rules.goal != "pyramid" or not rules.stock_size or is_the_game_itself:
        return False
    return rules.passes != 1 or has_restarts(rules)


def complete_goes_far(rules: BuildRules) -> bool:
    """Say whether the complete search of these rules is at its best: one pack, and runs that move as they are built."""
    return rules.decks == 1 and rules.group == "run" and rules.run_policy == rules.build


def complete_share(rules: BuildRules) -> float:
    """Return how many states the complete search is given for one of a beam."""
    if rules.decks == 2:
        return 1 if rules.group == "run" else 0.25
    if complete_goes_far(rules):
        return 25
    return 0.5 if may_set_suits_aside(rules) else 4


def may_ignore_suits(rules: BuildRules) -> bool:
    """Say whether searches find wins by ignoring suits: where building does not go by them, with one pack."""
    return rules.decks == 1 and rules.build != "same_suit"


def may_set_suits_aside(rules: BuildRules) -> bool:
    """Say whether the setting of `engine/build/suits_aside.py` is given."""
    if not may_ignore_suits(rules) or rules.stock_size or rules.auto_foundation:
        return False
    return rules.group == "single" or rules.run_policy == rules.build


def searches(rules: Rules, max_states: int, engine: str) -> Iterable[Search]:
    """Return the searches of a deal. Those of the build engine never end: the caller stops when the budget is spent."""
    if engine == "compact":
        return _COMPLETE_ALONE
    if isinstance(rules, BuildRules):
        return _parts_and_beams(rules)
    return _with_looser_rules_and_restarts(rules, max_states)


def _with_looser_rules_and_restarts(rules: PairRules, max_states: int) -> Iterator[Search]:
    restarts, free_stock = has_restarts(rules), has_free_stock(rules)
    quota = FIRST_QUOTA if restarts else LOOK_QUOTA
    if not (restarts or free_stock) or max_states <= 2 * quota:
        yield Search("complete", max_states)
        return
    yield Search("first", quota)
    left = max_states - quota
    if free_stock:
        quota = min(FREE_STOCK_QUOTA, left // 2)
        yield Search("free stock", quota, free_stock=True)
        left -= quota
        max_states -= quota
    for number in itertools.count(1) if restarts else ():
        quota = FIRST_QUOTA << (number - 1) // RESTARTS_BEFORE_DOUBLING
        if left - quota < max_states * (1 - RESTARTS_SHARE):
            break
        yield Search("restarts", quota, shuffle=number)
        left -= quota
    yield Search("complete", left)


def _parts_and_beams(rules: BuildRules) -> Iterator[Search]:
    goes_far, sets_aside = complete_goes_far(rules), may_set_suits_aside(rules)
    entered = GOES_FAR_QUOTA if goes_far else FIRST_QUOTA
    yield Search("root", 1, goes_on=True)
    yield Search("first", FIRST_QUOTA, goes_on=True)
    if goes_far:
        yield Search("complete", entered, goes_on=True)
    entered_aside = 0
    for size in itertools.count():
        width = min(BEAM_WIDTH << size, LARGEST_WIDTH)
        quota = STATES_TO_WIDTH * width
        if may_ignore_suits(rules):
            yield from _ignoring_suits(rules, size, quota)
        if sets_aside:
            entered_aside += ASIDE_SHARE * quota
            yield Search("suits aside", entered_aside, goes_on=True, suits=SET_ASIDE)
        yield from _beams(rules, size, width)
        if rules.worrying_back and (goes_far or not sets_aside):
            yield Search("restarts", quota, shuffle=size, without_returns=True)
        entered += int(complete_share(rules) * quota)
        yield Search("complete", entered, goes_on=True)


def _ignoring_suits(rules: BuildRules, size: int, quota: int) -> Iterator[Search]:
    """Yield the searches of a round that ignore suits."""
    for number, (without_returns, told) in enumerate(IGNORING, start=size * len(IGNORING)):
        yield Search(
            "suits ignored",
            IGNORED_SHARE * quota,
            shuffle=number,
            without_returns=rules.worrying_back and without_returns,
            suits=IGNORED,
            told=told,
        )


def _beams(rules: BuildRules, size: int, width: int) -> Iterator[Search]:
    """Yield the beams of a round."""
    for place in range(BEAMS):
        number = BEAMS * size + place
        always = rules.auto_foundation or place % 2 == 1
        yield Search(
            "beams",
            MOST_STATES_TO_WIDTH * width,
            without_returns=rules.worrying_back and (always or place == 2),
            beam=Beam(width, Weights.of(rules).varied(number), NOISE, ALIKE, number, always),
            suits=IGNORED if place < 2 and may_ignore_suits(rules) else TOLD_APART,
            told=ACES_AND_TWOS,
        )
