"""From a deal and a budget to a verdict, with a certificate for every *winnable*."""

from __future__ import annotations

import contextlib
import dataclasses
import signal
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from solitaire_lab.deals import Deal, check_deal
from solitaire_lab.engine.build.beam_driver import BeamDriver, table_bytes
from solitaire_lab.engine.control import OUT_OF_STATES, TOO_COARSE
from solitaire_lab.engine.driver import OUTCOMES, Driver
from solitaire_lab.portfolio import SET_ASIDE, TOLD_APART, Search, searches
from solitaire_lab.referee import Move, Position, position
from solitaire_lab.referee.position import IllegalMoveError
from solitaire_lab.rules import BuildRules, Rules
from solitaire_lab.translate import BuildTranslator, PairTranslator
from solitaire_lab.translate_compact import CompactTranslator, is_compact
from solitaire_lab.verdicts import UNDECIDED, UNWINNABLE, WINNABLE, Budget, Stage, Verdict


class CertificateError(RuntimeError):
    """A search reported a win that the referee does not accept: an error of the engine, never of the user."""


class Stop:
    """A flag that ends searches as *interrupted*, from any thread."""

    def __init__(self) -> None:
        self.flag = np.zeros(1, np.uint8)
        """Polled inside the kernels."""

    def set(self) -> None:
        """Stop all searches that watch this flag."""
        self.flag[0] = 1

    def is_set(self) -> bool:
        """Say whether the flag is set."""
        return bool(self.flag[0])


ENGINES: dict[str, Any] = {"build": BuildTranslator, "compact": CompactTranslator, "pair": PairTranslator}
"""The engines by name: what sets a position up for each and reads its moves."""


def engine_for(rules: Rules) -> str:
    """Return which of the `ENGINES` searches games of these rules."""
    if not isinstance(rules, BuildRules):
        return "pair"
    return "compact" if is_compact(rules) else "build"


class _Standing:
    """A search that can stand still while others go on, with arrays of its own."""

    def __init__(self, translator: Any, stop: Stop) -> None:
        self.translator = translator
        self.driver = Driver(translator.search, stop.flag)
        self.entered = 0
        """Positions that it has entered so far."""
        self.earlier = 0
        """Those of them that it entered before it last began anew."""
        self.told = 0
        """The cards that it was told to tell apart."""

    def begin(self, deal: Deal, search: Search, max_table: int) -> None:
        """Begin a search of a deal."""
        self.earlier, self.told = self.entered, search.told
        self.driver.begin(self.translator.encode(deal, search), self.translator.move_entries, max_table)


class Solver:
    """Solves deals of one game. Belongs to one thread; reuse it from deal to deal.

    Parameters
    ----------
    rules
        The game's rules.
    budget
        How much to spend on each deal.
    stop
        Ends a search under way.
    dominances
        The engine's proven dominances to use, a set of bits; all of them if None. For tests.
    engine
        One of `ENGINES`, which must know the rules; chosen by the rules if None (:func:`engine_for`). For tests.
    """

    def __init__(
        self,
        rules: Rules,
        budget: Budget | None = None,
        *,
        stop: Stop | None = None,
        dominances: int | None = None,
        engine: str | None = None,
    ) -> None:
        self.rules = rules
        self.budget = budget or Budget()
        self.stop = stop or Stop()
        self.engine = engine or engine_for(rules)
        self.translator: Any = ENGINES[self.engine](rules, dominances)
        self._complete = self._suits_aside = self._between = _Standing(self.translator, self.stop)
        # While some searches stand still, others go on with arrays of their own.
        if self.engine == "build":
            self._suits_aside = _Standing(ENGINES["build"](rules, dominances), self.stop)
            self._between = _Standing(ENGINES["build"](rules, dominances), self.stop)
        self._beams = BeamDriver(self.stop.flag)
        self._other: Solver | None = None

    def solve(self, deal: Deal, *, check: bool = True, shorten: bool = False) -> Verdict:
        """Search a deal.

        Parameters
        ----------
        deal
            Where the cards lie.
        check
            Check first that it is a deal of this game; not needed for one that was dealt or read for it.
        shorten
            Look for a shorter solution after the first, where the engine can (the compact one): some hundredths of a
            second, which are not counted in the verdict.

        Returns
        -------
        Verdict
            *Winnable* with moves that the referee has replayed to the win; *unwinnable* only if the search
            space is exhausted; else *undecided* with its reason.

        Raises
        ------
        InputError
            If the deal is not one of this game, or of a position in it.
        CertificateError
            If the referee does not accept a solution.
        """
        if check:
            check_deal(deal, self.rules)
        if self.engine == "compact" and not self.translator.takes(deal):
            if self._other is None:
                self._other = Solver(self.rules, self.budget, stop=self.stop, engine="build")
            return self._other.solve(deal, check=False, shorten=shorten)
        budget = self.budget
        start = now = time.thread_time()
        stages: dict[str, Stage] = {}
        used = self._complete.entered = self._suits_aside.entered = 0
        over: set[str] = set()  # what searches can't go on
        for search in searches(self.rules, budget.max_states, self.engine):
            if search.goes_on and search.suits in over:
                continue
            before = now
            seconds = None if budget.max_seconds is None else budget.max_seconds - (before - start)
            status, states, path = self._run(deal, search, budget.max_states - used, seconds)
            now = time.thread_time()
            used += states
            verdict, reason = OUTCOMES[status]
            if verdict == UNWINNABLE and not search.is_complete:
                verdict, reason = UNDECIDED, "states"  # exhausted, but not all moves were tried
            if verdict == WINNABLE and search.free_stock:
                verdict, reason = UNDECIDED, "states"  # won, but with more than the rules allow
            states_so_far, seconds_so_far = states, now - before
            if earlier := stages.get(search.stage):
                states_so_far += earlier.states
                seconds_so_far += earlier.seconds
            stages[search.stage] = Stage(search.stage, verdict, reason, states_so_far, seconds_so_far)
            if verdict != UNDECIDED or used >= budget.max_states:
                break
            if reason in ("time", "interrupted"):
                break
            if search.goes_on and reason in ("memory", "depth"):
                over.add(search.suits)
            if reason == "memory" and search.is_complete and search.suits == TOLD_APART:
                break
        moves = self._certificate(deal, path) if verdict == WINNABLE else None
        if moves and shorten and self.engine == "compact":
            shorter = self.translator.shorter_path()
            moves = min(moves, self._certificate(deal, shorter) if shorter else moves, key=len)
        return Verdict(
            verdict,
            reason,
            search.stage,
            used,
            now - start,
            moves,
            tuple(stages.values()),
            self.rules,
            deal,
        )

    def _run(
        self, deal: Deal, search: Search, max_states: int, max_seconds: float | None
    ) -> tuple[int, int, list[int]]:
        """Run one search of a deal; return its status, the positions that it entered, and the winning moves."""
        if search.goes_on:
            standing = self._suits_aside if search.suits == SET_ASIDE else self._complete
            return self._go_on(standing, deal, search, max_states, max_seconds)
        max_states = min(search.max_states, max_states)
        max_table = self._room_beside(self._between)
        if not search.beam:
            self._between.begin(deal, search, max_table)
            return self._between.driver.advance(max_states, max_seconds)
        engine_position = self._between.translator.encode(deal, search)
        while table_bytes(max_states) > max_table and max_states > 1:
            max_states //= 2
        return self._beams.run(
            engine_position,
            np.array(dataclasses.astuple(search.beam.weights)),
            width=search.beam.width,
            noise=search.beam.noise,
            alike=search.beam.alike,
            seed=search.beam.seed,
            always=search.beam.always,
            max_states=max_states,
            max_seconds=max_seconds,
        )

    def _go_on(
        self, standing: _Standing, deal: Deal, search: Search, max_states: int, max_seconds: float | None
    ) -> tuple[int, int, list[int]]:
        """Go on with a search where it stands; from the start, more cards told apart, where it is too coarse."""
        before = standing.entered
        limit = min(search.max_states, before + max_states)
        deadline = None if max_seconds is None else time.thread_time() + max_seconds
        max_table = self._room_beside(standing)
        if not before:
            standing.begin(deal, search, max_table)
        standing.driver.max_table = max_table
        while standing.entered < limit:
            status, states, path = standing.driver.advance(limit - standing.earlier, max_seconds)
            standing.entered = standing.earlier + states
            if status != TOO_COARSE:
                return status, standing.entered - before, path
            search = search._replace(told=standing.told | standing.driver.needed)
            standing.begin(deal, search, max_table)
            if deadline is not None:
                max_seconds = deadline - time.thread_time()
        return int(OUT_OF_STATES), standing.entered - before, []

    def _room_beside(self, standing: _Standing) -> int:
        """Return how many bytes are left for the table of a search beside those that stand still."""
        room = self.budget.max_table
        if self._suits_aside is self._complete:
            return room  # it stands alone
        for other in (self._complete, self._suits_aside):
            if other.entered and other is not standing:
                room -= other.driver.table_bytes
        return room

    def _certificate(self, deal: Deal, path: list[int]) -> tuple[Move, ...]:
        """Translate the engine's moves by playing them on the referee's board."""
        board: Position[Any] = position(self.rules, deal)
        moves: list[Move] = []
        try:
            for step in self.translator.steps(path):
                found = self.translator.moves(step, board.state)
                for move in found:
                    board.apply(move)
                moves += found
        except IllegalMoveError as error:
            raise CertificateError(f"after move {len(moves)} of a reported solution: {error}") from error
        if not board.won:
            raise CertificateError("a reported solution does not end in a win")
        return tuple(moves)


def warm_up(rules: Rules) -> None:
    """Load or compile the kernels for these rules, so that timings leave it out.

    Ctrl-C is held back until that is done, some seconds at most: the compiler does not stand it.

    Raises
    ------
    KeyboardInterrupt
        If Ctrl-C was pressed meanwhile.
    """
    from solitaire_lab.deals import deal_seed
    from solitaire_lab.engine.shuffle import shuffle_packs

    with _interrupts_held():
        shuffle_packs(np.zeros(1, np.uint64), np.zeros(1, np.uint8))
        solver, deal = Solver(rules, Budget(max_states=10_000, max_seconds=60)), deal_seed(rules, 0)
        solver.solve(deal)
        solver.translator.move_entries(np.zeros(2, np.uint64), np.zeros(4, np.uint64))  # small tables never grow
        if solver.engine == "compact":
            solver.translator.shorter_path()
        if solver.engine == "build":
            beam = next(search for search in searches(rules, 0, "build") if search.beam)
            solver._run(deal, beam, 10, None)


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """Raise `KeyboardInterrupt` at the end for a Ctrl-C in between. Only the main thread gets any."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _frame: pressed.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt
