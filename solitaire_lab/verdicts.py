"""What is asked of a solver and what it answers: budgets and verdicts."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Literal

from solitaire_lab.deals import Deal
from solitaire_lab.errors import InputError
from solitaire_lab.referee.moves import Move
from solitaire_lab.rules import Rules

if TYPE_CHECKING:
    from solitaire_lab.view.replay import Replay

WINNABLE: Literal["winnable"] = "winnable"
UNWINNABLE: Literal["unwinnable"] = "unwinnable"
UNDECIDED: Literal["undecided"] = "undecided"

REASONS = ("states", "time", "memory", "depth", "interrupted")
"""Why a deal may be undecided: a limit of states, CPU seconds, table bytes or search depth, or a stop from outside."""


@dataclasses.dataclass(frozen=True)
class Budget:
    """How much a search may spend on one deal.

    The default limits states, not seconds, so that results do not depend on the machine.

    Raises
    ------
    InputError
        If a limit is not positive.
    """

    max_states: int = 1_000_000
    """Distinct positions, over all stages."""
    max_seconds: float | None = None
    """CPU seconds of the searching thread; None for no limit."""
    max_table: int = 2 * 2**30
    """Bytes of a thread's transposition table."""

    def __post_init__(self) -> None:
        if self.max_states < 1:
            raise InputError(f"max_states={self.max_states}: expected a whole number from 1 on")
        if self.max_seconds is not None and not self.max_seconds > 0:
            raise InputError(f"max_seconds={self.max_seconds}: expected a number of seconds above 0")
        if self.max_table < 2**20:
            raise InputError(f"max_table={self.max_table}: expected at least 1M (1048576 bytes)")


@dataclasses.dataclass(frozen=True)
class Stage:
    """One search among those that a solver tried on a deal."""

    name: str
    verdict: str
    """What this stage alone found."""
    reason: str | None
    states: int
    seconds: float


@dataclasses.dataclass(frozen=True)
class Verdict:
    """The answer for one deal."""

    verdict: str
    """``"winnable"``, ``"unwinnable"`` or ``"undecided"``."""
    reason: str | None
    """One of `REASONS` if undecided, else None."""
    stage: str
    """The name of the stage that decided, or of the last one tried."""
    states: int
    """Distinct positions entered into a table, over all stages."""
    seconds: float
    """CPU seconds of the searching thread, without compilation."""
    moves: tuple[Move, ...] | None = None
    """If winnable, a solution: legal play, replayed by the referee, from the deal to the win."""
    stages: tuple[Stage, ...] = ()
    """All stages, in the order in which they ran."""
    rules: Rules | None = dataclasses.field(default=None, repr=False)
    """The rules by which the deal was searched."""
    deal: Deal | None = dataclasses.field(default=None, repr=False)
    """The deal."""
    name: str = ""
    """The deal in words, for pictures."""

    def replay(self) -> Replay:
        """Return the solution as something that plays: a notebook shows it, ``save("replay.html")`` writes a page.

        Raises
        ------
        InputError
            If there is no solution to play.
        """
        from solitaire_lab.view.replay import Replay

        if self.moves is None or self.rules is None or self.deal is None:
            raise InputError(f"nothing to replay: {self.name or 'the deal'} is {self.verdict}, not proved winnable")
        return Replay(self.rules, self.deal, self.moves, self.name)

    def _repr_html_(self) -> str:
        from solitaire_lab.view.summary import verdict_html

        return verdict_html(self)
