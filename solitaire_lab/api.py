"""The functions behind ``import solitaire_lab as sl``: short ways through the library for scripts and notebooks.

Wherever a game is asked for, a key of the catalogue, a preset's key, the path of a game file or a `Game`
will do, and options of the game are given by name: ``sl.solve("klondike", seed=1, draw=3)``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from concurrent.futures import Executor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solitaire_lab.deals import Deal, check_deal, deal_from_json, deal_seed
from solitaire_lab.errors import InputError
from solitaire_lab.referee import BuildPosition, Move, PairPosition, replay
from solitaire_lab.rules import Game, load_game
from solitaire_lab.verdicts import Budget, Verdict

if TYPE_CHECKING:
    from solitaire_lab.study.result import StudyResult
    from solitaire_lab.study.seeds import SeedsLike


class Board(str):
    """A board as text, shown as it is at the prompt, and as a picture by notebooks."""

    position: BuildPosition | PairPosition
    """What it shows."""
    name: str
    """The deal in words."""

    def __new__(cls, position: BuildPosition | PairPosition, name: str = "Board") -> Board:
        """Make the text of a position."""
        board = super().__new__(cls, position.text())
        board.position, board.name = position, name
        return board

    def __repr__(self) -> str:
        return str(self)

    def _repr_svg_(self) -> str:
        from solitaire_lab.view.svg import board_svg

        return board_svg(self.position, self.name)

    def save(self, path: str | Path) -> None:
        """Write the picture to an SVG file.

        Raises
        ------
        InputError
            If it cannot be written there.
        """
        from solitaire_lab.view.saving import write_text

        write_text(path, self._repr_svg_())


def game_of(game: str | Game, options: Mapping[str, object]) -> Game:
    """Return a game with options set, loading it if need be."""
    return (load_game(game) if isinstance(game, str) else game).with_options(options)


def deal(game: str | Game, seed: int, *, shuffle: str = "native") -> Deal:
    """Return a numbered deal.

    Parameters
    ----------
    game
        Key, path or `Game`.
    seed
        The deal's number, 0 to 2**64 - 1.
    shuffle
        Whose numbers: ``"native"``, ``"microsoft"``, ``"pysol"`` or ``"solvitaire"``.

    Raises
    ------
    InputError
        For an unknown game or shuffle, or a seed that the shuffle does not have.
    """
    return deal_seed(game_of(game, {}).rules, seed, shuffle)


def board(
    game: str | Game,
    deal: Deal | Mapping[str, Any] | None = None,
    *,
    seed: int | None = None,
    shuffle: str = "native",
    moves: Iterable[Move] = (),
    **options: object,
) -> Board:
    """Return the board, for a deal or a seed, after some moves if given.

    It prints as text, and shows as a picture in a notebook; ``save("board.svg")`` writes the picture.

    Raises
    ------
    InputError
        For bad input, or a move that is not legal.
    """
    chosen = game_of(game, options)
    position = replay(chosen.rules, _the_deal(chosen, deal, seed, shuffle), moves)
    return Board(position, _name(chosen, seed, shuffle))


def solve(
    game: str | Game,
    deal: Deal | Mapping[str, Any] | None = None,
    *,
    seed: int | None = None,
    shuffle: str = "native",
    max_states: int = Budget.max_states,
    max_seconds: float | None = Budget.max_seconds,
    max_table: int = Budget.max_table,
    **options: object,
) -> Verdict:
    """Solve one deal, all cards known.

    Parameters
    ----------
    game
        Key, path or `Game`.
    deal
        A `Deal`, or the piles as a deal line has them; or give `seed`.
    seed, shuffle
        The number of a deal, and whose.
    max_states, max_seconds, max_table
        The budget: positions, CPU seconds, bytes.
    **options
        Options of the game.

    Returns
    -------
    Verdict
        If winnable, with moves that the referee has replayed.

    Raises
    ------
    InputError
        For bad input.
    """
    from solitaire_lab.solver import Solver, warm_up

    chosen = game_of(game, options)
    the_deal = _the_deal(chosen, deal, seed, shuffle)
    budget = Budget(max_states, max_seconds, max_table)
    warm_up(chosen.rules)
    verdict = Solver(chosen.rules, budget).solve(the_deal)
    return dataclasses.replace(verdict, name=_name(chosen, seed, shuffle))


def study(
    game: str | Game,
    deals: int | None = None,
    *,
    first_seed: int = 1,
    seeds: SeedsLike | None = None,
    shuffle: str = "native",
    max_states: int = Budget.max_states,
    max_seconds: float | None = Budget.max_seconds,
    max_table: int = Budget.max_table,
    confidence: float = 0.95,
    interval: str = "wilson",
    jobs: int | None = None,
    processes: bool = False,
    executor: Executor | None = None,
    progress: bool = False,
    **options: object,
) -> StudyResult:
    """Estimate by Monte Carlo how many deals of a game are winnable, all cards known.

    An interrupted study returns the deals finished by then; its `end` says so.

    Parameters
    ----------
    game
        Key, path or `Game`.
    deals, first_seed
        How many numbered deals, and the first number; or give `seeds`.
    seeds
        Which deals: ``"1-1000"``, a range, a list.
    shuffle
        Whose numbers.
    max_states, max_seconds, max_table
        The budget for each deal: positions, CPU seconds, bytes a worker.
    confidence, interval
        The interval's confidence, and its method: ``"wilson"`` or ``"exact"``.
    jobs
        Workers at once; by default one for each core.
    processes
        Worker processes instead of threads.
    executor
        Run on this ``concurrent.futures`` executor instead.
    progress
        Show progress on standard error.
    **options
        Options of the game.

    Returns
    -------
    StudyResult
        With `frame` (one row a deal) and `estimate`.

    Raises
    ------
    InputError
        For bad input.
    """
    from solitaire_lab.study.result import Study
    from solitaire_lab.study.run import run
    from solitaire_lab.study.seeds import Seeds

    if (deals is None) == (seeds is None):
        raise InputError("expected either deals or seeds")
    chosen = Seeds.starting(first_seed, deals) if deals is not None else Seeds.of(seeds if seeds is not None else ())
    budget = Budget(max_states, max_seconds, max_table)
    planned = Study(game_of(game, options), chosen, budget, shuffle, confidence, interval)
    if not progress:
        return run(planned, jobs=jobs, processes=processes, executor=executor)
    from solitaire_lab.solver import warm_up
    from solitaire_lab.view.progress import Progress

    warm_up(planned.rules)  # now, so that the progress's clock leaves it out
    shown = Progress(planned)
    try:
        return run(planned, jobs=jobs, processes=processes, executor=executor, on_rows=shown)
    finally:
        shown.close()


def _name(game: Game, seed: int | None, shuffle: str) -> str:
    return game.name if seed is None else f"{game.name}, {shuffle} deal {seed}"


def _the_deal(game: Game, deal: Deal | Mapping[str, Any] | None, seed: int | None, shuffle: str) -> Deal:
    if (deal is None) == (seed is None):
        raise InputError("expected either a deal or a seed")
    if seed is not None:
        return deal_seed(game.rules, seed, shuffle)
    if not isinstance(deal, Deal):
        return deal_from_json(dict(deal or {}), game.rules)
    check_deal(deal, game.rules)
    return deal
