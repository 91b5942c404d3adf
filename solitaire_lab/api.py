"""The functions behind ``import solitaire_lab as sl``: short ways through the library for scripts and notebooks.

Wherever a game is asked for, a key of the catalogue, a preset's key, the path of a game file or a `Game`
will do, and options of the game are given by name: ``sl.solve("klondike", seed=1, draw=3)``.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable, Mapping
from concurrent.futures import Executor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solitaire_lab.deals import Deal, check_deal, deal_from_json, deal_seed
from solitaire_lab.errors import InputError
from solitaire_lab.referee import BuildPosition, Move, PairPosition, replay
from solitaire_lab.rules import Game, load_game
from solitaire_lab.rules.catalogue import load_variant
from solitaire_lab.verdicts import Budget, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from solitaire_lab.study.compare import Comparison
    from solitaire_lab.study.confront import Confrontation
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
        If winnable, with moves that the referee has replayed, not always the fewest.

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
    verdict = Solver(chosen.rules, budget).solve(the_deal, shorten=True)
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
    dask: str | None = None,
    executor: Executor | None = None,
    until_width: float | None = None,
    out: str | Path | None = None,
    escalate: bool = False,
    mix_versions: bool = False,
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
        How many numbered deals, and the first number; or give `seeds` or `until_width`.
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
    dask
        Run on a cluster of dask.distributed: its scheduler's address, or ``"local"`` for one on this machine.
    executor
        Run on this ``concurrent.futures`` executor instead.
    until_width
        Solve deals from `first_seed` on until the interval, a confidence sequence, is no wider than this fraction.
    out
        A folder to keep the study in. One that is there already is gone on with: only what is missing is solved.
    escalate
        Try the undecided deals of the study in `out` again, with the larger budget that is given here.
    mix_versions
        Go on even if another version of the solver made the study in `out`.
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
    OSError
        If `out` cannot be written, for want of room say; what was stored before is kept.
    """
    from solitaire_lab.study.run import run
    from solitaire_lab.study.store import open_store, planned

    study = planned(
        game_of(game, options),
        deals=deals,
        first_seed=first_seed,
        seeds=seeds,
        until_width=until_width,
        budget=Budget(max_states, max_seconds, max_table),
        shuffle=shuffle,
        confidence=confidence,
        interval=interval,
        escalated=out if escalate else None,
    )
    with open_store(study, out, escalate=escalate, mix_versions=mix_versions) as store:
        solve_all = functools.partial(
            run, study, store=store, jobs=jobs, processes=processes, dask=dask, executor=executor
        )
        if not progress:
            return solve_all()
        from solitaire_lab.view.progress import watched

        with watched(store) as shown:
            return solve_all(on_start=shown.start, on_rows=shown, on_wait=shown.wait)


def compare(
    *variants: str | Game,
    deals: int | None = None,
    first_seed: int = 1,
    seeds: SeedsLike | None = None,
    shuffle: str = "native",
    max_states: int = Budget.max_states,
    max_seconds: float | None = Budget.max_seconds,
    max_table: int = Budget.max_table,
    confidence: float = 0.95,
    jobs: int | None = None,
    executor: Executor | None = None,
    reuse: bool = True,
) -> Comparison:
    """Solve the same deals under the rules of several variants, and compare their verdicts in pairs.

    Parameters
    ----------
    *variants
        Two or more games; a text may have options in brackets: ``"stonewall[worrying_back=false]"``.
    deals, first_seed, seeds, shuffle, max_states, max_seconds, max_table, confidence, jobs, executor
        As in :func:`study`.
    reuse
        Use proved relations between rules in place of searches: what is winnable under stricter rules is not searched
        again under looser ones.

    Returns
    -------
    Comparison
        With `frame` (one row a deal), `pairs` (the paired table and its interval) and `differing`.

    Raises
    ------
    InputError
        For bad input.
    """
    from solitaire_lab.study.compare import compare as run_comparison
    from solitaire_lab.study.compare import variant_name
    from solitaire_lab.study.store import planned

    games = [load_variant(variant) if isinstance(variant, str) else variant for variant in variants]
    names = [variant if isinstance(variant, str) else variant_name(variant) for variant in variants]
    if len(games) < 2:
        raise InputError(f"expected at least two variants, got {len(games)}")
    plan = planned(games[0], deals=deals, first_seed=first_seed, seeds=seeds, shuffle=shuffle)
    return run_comparison(
        games,
        plan.seeds,
        names=names,
        budget=Budget(max_states, max_seconds, max_table),
        shuffle=shuffle,
        confidence=confidence,
        jobs=jobs,
        executor=executor,
        reuse=reuse,
    )


def sweep(
    game: str | Game,
    deals: int | None = None,
    *,
    first_seed: int = 1,
    seeds: SeedsLike | None = None,
    max_states: int = Budget.max_states,
    jobs: int | None = None,
    executor: Executor | None = None,
    **options: object,
) -> pd.DataFrame:
    """Study a game for each of several values of an option: ``sl.sweep("klondike", 1000, draw=range(1, 14))``.

    Parameters
    ----------
    game, deals, first_seed, seeds, max_states, jobs, executor
        As in :func:`study`.
    **options
        Options of the game. Those that are lists, tuples or ranges are swept over, in every combination.

    Returns
    -------
    pandas.DataFrame
        One row a deal and value: a column for each option that is swept over, then the columns of a study's frame.
        :func:`summary` makes one row a value of it.

    Raises
    ------
    InputError
        For bad input, or if no option has several values.
    """
    from solitaire_lab.study.analysis import swept

    several = {name: list(values) for name, values in options.items() if isinstance(values, list | tuple | range)}
    fixed = {name: value for name, value in options.items() if name not in several}

    def one(values: Mapping[str, object]) -> StudyResult:
        return study(
            game_of(game, {**fixed, **values}),
            deals,
            first_seed=first_seed,
            seeds=seeds,
            max_states=max_states,
            jobs=jobs,
            executor=executor,
        )

    return swept(several, one)


def confront(
    name: str,
    deals: int = 1000,
    *,
    max_states: int = Budget.max_states,
    jobs: int | None = None,
    out: str | Path | None = None,
) -> Confrontation:
    """Confront a published figure (see :func:`claims`) with a study of its game.

    Parameters
    ----------
    name
        The claim's id.
    deals, max_states, jobs, out
        As in :func:`study`.

    Raises
    ------
    InputError
        For bad input.
    """
    from solitaire_lab.rules.claims import claim_of
    from solitaire_lab.study.confront import Confrontation

    claim = claim_of(name)
    return Confrontation(claim, study(claim.game, deals, max_states=max_states, jobs=jobs, out=out))


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
