"""Frames that answer questions about a study's frame: by verdict, by opening features, hardness, survival, sweeps.

Each function takes a frame with one row a deal, as :attr:`StudyResult.frame` has them, and returns a frame.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from solitaire_lab.cards import face_up, is_face_down, rank_of
from solitaire_lab.deals import Deal, deal_seed
from solitaire_lab.errors import InputError, near
from solitaire_lab.referee import position
from solitaire_lab.rules import BuildRules, Game, Rules
from solitaire_lab.study.statistics import estimate
from solitaire_lab.verdicts import UNDECIDED, UNWINNABLE, WINNABLE, Budget

if TYPE_CHECKING:
    from solitaire_lab.study.result import StudyResult

QUANTILES = (0.5, 0.9, 0.99, 0.999, 1.0)


def summary(
    frame: pd.DataFrame, by: str | Sequence[str] | None = None, *, confidence: float = 0.95, interval: str = "wilson"
) -> pd.DataFrame:
    """Count verdicts, with the interval of the winnable share; one row a group.

    Parameters
    ----------
    frame
        One row a deal.
    by
        The columns whose values make the groups: an option that was swept over, a feature. One group of all if None.
    confidence, interval
        Settings of the intervals.

    Returns
    -------
    pandas.DataFrame
        Indexed by the group: deals, winnable, unwinnable, undecided, low, high (fractions, undecided deals widening at
        both ends), states (all of them together).

    Raises
    ------
    InputError
        If there is no such column.
    """
    columns = [by] if isinstance(by, str) else list(by or ())
    for column in columns:
        if column not in frame:
            raise InputError(
                f"no column {column!r}; there are {', '.join(map(str, frame.columns))}{near(column, frame.columns)}"
            )
    groups: Iterable[tuple[Any, pd.DataFrame]] = [("all", frame)]
    if columns:
        groups = frame.groupby(columns if len(columns) > 1 else columns[0], observed=True, sort=True)
    rows, index = [], []
    for key, group in groups:
        counts = group["verdict"].astype(str).value_counts()
        won, lost, unknown = (int(counts.get(verdict, 0)) for verdict in (WINNABLE, UNWINNABLE, UNDECIDED))
        found = estimate(won, lost, unknown, confidence, interval)
        rows.append(
            {
                "deals": found.deals,
                WINNABLE: found.winnable,
                UNWINNABLE: found.unwinnable,
                UNDECIDED: found.undecided,
                "low": found.low,
                "high": found.high,
                "states": int(group["states"].sum()),
            }
        )
        index.append(key)
    names = columns or ["group"]
    labels: Any = pd.MultiIndex.from_tuples(index, names=names) if len(names) > 1 else pd.Index(index, name=names[0])
    return pd.DataFrame(rows, index=labels)


def by_verdict(frame: pd.DataFrame) -> pd.DataFrame:
    """Return for each verdict (and reason, if undecided) the deals and their share, states and seconds.

    Returns
    -------
    pandas.DataFrame
        Indexed by verdict and reason: deals, share, median_states, most_states, states, seconds, median_moves.
    """
    reasons = frame["reason"].astype("category").cat.add_categories("").fillna("")
    groups = frame.assign(reason=reasons).groupby(["verdict", "reason"], observed=True, sort=True)
    found = groups.agg(
        deals=("seed", "size"),
        median_states=("states", "median"),
        most_states=("states", "max"),
        states=("states", "sum"),
        seconds=("seconds", "sum"),
        median_moves=("moves", "median"),
    )
    found.insert(1, "share", found["deals"] / len(frame))
    return found


def hardness(frame: pd.DataFrame, quantiles: Sequence[float] = QUANTILES) -> pd.DataFrame:
    """Return quantiles of states and seconds, over all deals and for each verdict.

    The states of an undecided deal are those spent, fewer than it takes: their quantiles are lower bounds.

    Returns
    -------
    pandas.DataFrame
        Indexed by verdict (``"all"`` first) and quantile: deals, states, seconds.
    """
    verdicts = frame["verdict"].astype(str)
    parts: dict[str, pd.DataFrame] = {"all": frame}
    parts.update({verdict: frame[verdicts == verdict] for verdict in (WINNABLE, UNWINNABLE, UNDECIDED)})
    found: list[pd.DataFrame] = []
    for verdict, part in parts.items():
        if len(part):
            values = part[["states", "seconds"]].quantile(list(quantiles))
            values.insert(0, "deals", len(part))
            found.append(pd.concat({verdict: values}, names=["verdict", "quantile"]))
    return pd.concat(found)


def survival(frame: pd.DataFrame, states: Sequence[int] | None = None) -> pd.DataFrame:
    """Return which share of the deals is still undecided after so many states.

    A deal that was decided with n states counts as undecided below n. (A search with restarts shares out its budget, so
    that a smaller budget might have decided it otherwise; for one complete search the count is exact.)

    Parameters
    ----------
    frame
        One row a deal.
    states
        The numbers of states to look at; some for each power of ten if None.

    Returns
    -------
    pandas.DataFrame
        Indexed by states: undecided (deals), share, low and high (Wilson, 95 %). Beyond the smallest number of states
        at which a deal was given up nothing is known, and nothing is said.
    """
    open_deals = (frame["verdict"].astype(str) == UNDECIDED).to_numpy()
    spent = frame["states"].to_numpy()
    decided, given_up = np.sort(spent[~open_deals]), spent[open_deals]
    last = int(given_up.min() if given_up.size else spent.max(initial=1))
    if states is None:
        states = sorted({round(10 ** (step / 8)) for step in range(8 * 12)})
    known = [number for number in states if number <= last]
    rows = []
    for number in known:
        left = len(given_up) + len(decided) - int(np.searchsorted(decided, number, side="right"))
        found = estimate(left, len(spent) - left, 0)
        rows.append({UNDECIDED: left, "share": left / max(1, len(spent)), "low": found.low, "high": found.high})
    return pd.DataFrame(rows, index=pd.Index(known, name="states"))


def swept(
    options: Mapping[str, Sequence[object]], study: Callable[[Mapping[str, object]], StudyResult]
) -> pd.DataFrame:
    """Run a study for each combination of values of options; return all their rows as one frame.

    Returns
    -------
    pandas.DataFrame
        A column for each option, then those of the studies. `attrs` has what each study was, by its values.

    Raises
    ------
    InputError
        If no option has several values.
    """
    if not options or not all(options.values()):
        raise InputError("sweep: expected an option with several values, such as draw=range(1, 14)")
    frames, about = [], {}
    for values in itertools.product(*options.values()):
        chosen = dict(zip(options, values, strict=True))
        frame = study(chosen).frame
        about[", ".join(f"{name}={value}" for name, value in chosen.items())] = frame.attrs
        for place, (name, value) in enumerate(chosen.items()):
            frame.insert(place, name, value)  # type: ignore[arg-type]
        frame.attrs = {}
        frames.append(frame)
    whole = pd.concat(frames, ignore_index=True)
    for column in ("verdict", "reason", "stage"):
        whole[column] = whole[column].astype("category")
    whole.attrs = {"studies": about}
    return whole


# Opening features.


def features(game: Game, seeds: Iterable[int], *, shuffle: str = "native", solutions: int = 0) -> pd.DataFrame:
    """Return what can be seen of the deals before the first move.

    Parameters
    ----------
    game
        A build game.
    seeds
        Numbers of the deals: a study's ``frame["seed"]``.
    shuffle
        Whose numbers.
    solutions
        Solve each deal again with this budget of states, and say from its solution when the first column was emptied.

    Returns
    -------
    pandas.DataFrame
        Indexed by seed. Of aces and deuces, which are needed first: `aces_buried` (aces in the tableau with cards on
        them), `cards_on_aces` (how many lie on them, all together), `face_down_low` (aces and deuces face down),
        `face_down_depth` (face-down cards from an ace or deuce to the top of its column, itself counted),
        `aces_in_stock`. `kings_down`: kings with cards under them. `first_moves`: legal moves, turns of the stock left
        out. With `solutions` also `empty_column_time`: after how many moves a column is empty for the first time in the
        solution that was found; missing if there was none, or it emptied none.

    Raises
    ------
    InputError
        If it is no build game.
    """
    rules = game.rules
    if not isinstance(rules, BuildRules):
        raise InputError(f"{game.key}: opening features are those of build games")
    numbers = [int(seed) for seed in seeds]
    deals = [deal_seed(rules, seed, shuffle) for seed in numbers]
    frame = pd.DataFrame(
        [_features(rules, deal) for deal in deals], index=pd.Index(numbers, dtype="uint64", name="seed")
    )
    if solutions:
        times = [_empty_column_time(rules, deal, solutions) for deal in deals]
        frame["empty_column_time"] = pd.array(times, dtype="Int64")
    return frame


def _features(rules: BuildRules, deal: Deal) -> dict[str, int]:
    above = [
        (pile, place, face_up(card))
        for pile in deal.tableau
        for place, card in enumerate(pile)
        if rank_of(face_up(card)) <= 2
    ]
    aces = [(pile, place) for pile, place, card in above if rank_of(card) == 1]
    moves = position(rules, deal).legal_moves()
    return {
        "aces_buried": sum(place + 1 < len(pile) for pile, place in aces),
        "cards_on_aces": sum(len(pile) - place - 1 for pile, place in aces),
        "face_down_low": sum(is_face_down(pile[place]) for pile, place, _ in above),
        "face_down_depth": sum(sum(map(is_face_down, pile[place:])) for pile, place, _ in above),
        "aces_in_stock": sum(rank_of(card) == 1 for card in deal.stock),
        "kings_down": sum(
            place > 0
            for pile in deal.tableau
            for place, card in enumerate(pile)
            if rank_of(face_up(card)) == rules.ranks
        ),
        "first_moves": sum(move.kind != "draw" for move in moves),
    }


def _empty_column_time(rules: Rules, deal: Deal, max_states: int) -> int | None:
    """Return after how many moves of a solution a column is empty for the first time."""
    from solitaire_lab.study.pool import solve_here

    verdict = solve_here(rules, Budget(max_states), None, deal)
    board: Any = position(rules, deal)
    for number, move in enumerate((verdict and verdict.moves) or (), start=1):
        board.apply(move)
        if not all(board.state.tableau):
            return number
    return None


def by_feature(frame: pd.DataFrame, seen: pd.DataFrame, feature: str, *, groups: int | None = None) -> pd.DataFrame:
    """Return the winnable share by an opening feature.

    Parameters
    ----------
    frame
        A study's frame.
    seen
        What :func:`features` returns for its seeds.
    feature
        A column of it.
    groups
        Put the deals into so many groups of about the same size; by its single values if None.

    Returns
    -------
    pandas.DataFrame
        As :func:`summary`, indexed by the feature.

    Raises
    ------
    InputError
        If there is no such feature, or a deal without it.
    """
    if feature not in seen:
        raise InputError(f"no feature {feature!r}; there are {', '.join(seen.columns)}{near(feature, seen.columns)}")
    missing = ~frame["seed"].isin(seen.index)
    if missing.any():
        raise InputError(f"features: seed {frame['seed'][missing].iloc[0]} of the study has none")
    values = seen[feature].reindex(frame["seed"]).reset_index(drop=True)
    if groups is not None:
        values = pd.qcut(values, groups, duplicates="drop")
    return summary(frame.reset_index(drop=True).assign(**{feature: values}), feature)
