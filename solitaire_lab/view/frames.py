"""The frames of several studies put together, for the plots that compare."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

MADE_OF = ("game", "options", "deals", "budget", "version")
"""What a frame's `attrs` may say of the study, in this order."""


def together(frames: Mapping[str, pd.DataFrame], by: str = "game") -> pd.DataFrame:
    """Put the frames of several studies into one, for the plots that compare.

    Parameters
    ----------
    frames
        Frames by the name that each is to have.
    by
        The column of the names, an ordered category.

    Returns
    -------
    pandas.DataFrame
        Its `attrs` say of every study what it was.
    """
    import pandas as pd

    parts = [pd.DataFrame(frame.assign(**{by: name})) for name, frame in frames.items()]
    for part in parts:
        part.attrs = {}
    joined = pd.concat(parts, ignore_index=True)
    joined[by] = pd.Categorical(joined[by], categories=list(frames), ordered=True)
    joined.attrs = common({name: frame.attrs for name, frame in frames.items()})
    return joined


def side_by_side(frames: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Put the verdicts of several studies of the same deals side by side, for `paired`.

    Parameters
    ----------
    frames
        Frames with the columns `seed` and `verdict`, by the name that each is to have.

    Returns
    -------
    pandas.DataFrame
        One row a seed that all frames have, one column of verdicts a frame. Its `attrs` say of every study what it was.
    """
    import pandas as pd

    columns = [frame.set_index("seed")["verdict"].rename(name) for name, frame in frames.items()]
    joined = pd.concat(columns, axis=1, join="inner")
    joined.attrs = common({name: frame.attrs for name, frame in frames.items()})
    return joined


def common(attrs: Mapping[Any, Mapping[Any, Any]]) -> dict[Hashable | None, Any]:
    """Return what the `attrs` of several frames say: a thing on which they agree once, any other name by name.

    Of options only those are named in which the frames differ, and games not at all where they do.
    """
    told: dict[Hashable | None, Any] = {}
    for what in MADE_OF:
        values = {name: str(each[what]) for name, each in attrs.items() if what in each}
        if len(set(values.values())) == 1:
            told[what] = next(iter(values.values()))
        elif values and what == "options":
            told[what] = _differing(values)
        elif values and what != "game":
            told[what] = "; ".join(f"{name}: {value}" for name, value in values.items())
    return told


def _differing(options: Mapping[str, str]) -> str:
    parts = {name: text.split(", ") for name, text in options.items()}
    shared = set.intersection(*map(set, parts.values()))
    own = {name: ", ".join(part for part in each if part not in shared) for name, each in parts.items()}
    return "; ".join(f"{name}: {text}" for name, text in own.items() if text)
