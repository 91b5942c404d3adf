"""Solvability research on solitaire card games: deals, proofs, win rates, studies.

>>> import solitaire_lab as sl
>>> sl.board("stonewall", seed=7)  # doctest: +SKIP
>>> sl.solve("stonewall", seed=7).verdict  # doctest: +SKIP
>>> sl.study("stonewall", deals=1000)  # doctest: +SKIP

Importing this is quick: compiled code, pandas, scipy and matplotlib are loaded when something needs them.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

# The package of studies is loaded before the function of the same name, which then keeps the name here;
# ``from solitaire_lab.study.plan import Study`` works all the same.
import solitaire_lab.study  # noqa: F401
from solitaire_lab.api import Board, board, compare, confront, deal, solve, study, sweep
from solitaire_lab.deals import Deal
from solitaire_lab.errors import InputError
from solitaire_lab.referee import Move, replay
from solitaire_lab.rules import Game, catalogue_keys, load_game
from solitaire_lab.rules.claims import claims
from solitaire_lab.verdicts import Budget, Stage, Verdict
from solitaire_lab.version import __version__

if TYPE_CHECKING:
    from solitaire_lab.solver import Solver
    from solitaire_lab.study import analysis
    from solitaire_lab.study.plan import Study
    from solitaire_lab.study.result import StudyResult
    from solitaire_lab.study.statistics import Estimate, deals_needed, estimate
    from solitaire_lab.study.store import open_study
    from solitaire_lab.view import plots

_LATER = {
    "Solver": "solver",
    "Study": "study.plan",
    "StudyResult": "study.result",
    "Estimate": "study.statistics",
    "analysis": "study.analysis",
    "deals_needed": "study.statistics",
    "estimate": "study.statistics",
    "open_study": "study.store",
    "plots": "view.plots",
}
"""What is loaded on first use, and the module that has it."""

__all__ = [
    "Board",
    "Budget",
    "Deal",
    "Estimate",
    "Game",
    "InputError",
    "Move",
    "Solver",
    "Stage",
    "Study",
    "StudyResult",
    "Verdict",
    "__version__",
    "analysis",
    "board",
    "catalogue_keys",
    "claims",
    "compare",
    "confront",
    "deal",
    "deals_needed",
    "estimate",
    "load_game",
    "open_study",
    "plots",
    "replay",
    "solve",
    "study",
    "sweep",
]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(f"{__name__}.{_LATER[name]}")
    return module if _LATER[name].endswith(f".{name}") else getattr(module, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})
