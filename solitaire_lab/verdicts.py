"""What is asked of a solver and what it answers: budgets and verdicts."""

from __future__ import annotations

import dataclasses
from typing import Literal

from solitaire_lab.errors import InputError
from solitaire_lab.referee.moves import Move

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
