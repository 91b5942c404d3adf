"""A search without any cleverness: the oracle that the engines must equal on tiny inputs.

It knows the referee's positions and nothing else: no packed states, no dominances, no symmetry unless asked.
"""

from __future__ import annotations

from collections.abc import Callable

from solitaire_lab.deals import Deal
from solitaire_lab.referee import position
from solitaire_lab.referee.build import BuildState
from solitaire_lab.referee.pair import PairState
from solitaire_lab.rules import UNLIMITED, Rules
from solitaire_lab.verdicts import UNDECIDED, UNWINNABLE, WINNABLE

State = BuildState | PairState


def naive_verdict(rules: Rules, deal: Deal, limit: int = 1_000_000, *, canonical: bool = False) -> tuple[str, int]:
    """Visit every position that the referee's moves lead to, until one is won.

    Parameters
    ----------
    rules, deal
        The game and where its cards start.
    limit
        Give up as undecided once there are more distinct states than this.
    canonical
        Count states that differ in the order of the tableau columns as one, which saves time. No rule tells
        columns apart but the scan order of ``auto_foundation``; with that option this is ignored.

    Returns
    -------
    verdict, states
        The number of distinct states, for an unwinnable deal that of all reachable ones.
    """
    board = position(rules, deal)
    fold = _folding(rules, canonical=canonical)
    start = fold(board.state)
    seen = {start}
    # A stack rather than a queue: a win lies deep, and an exhaustion visits the same states in any order.
    stack = [start]
    while stack:
        board.state = stack.pop()
        if board.won:
            return WINNABLE, len(seen)
        for move in reversed(board.legal_moves()):  # so that the first is tried first
            child = fold(board._after(move))
            if child not in seen:
                seen.add(child)
                stack.append(child)
        if len(seen) > limit:
            return UNDECIDED, len(seen)
    return UNWINNABLE, len(seen)


def perft(rules: Rules, deal: Deal, depth: int) -> list[int]:
    """Count the distinct states that can be reached within 0, 1, ..., `depth` moves."""
    board = position(rules, deal)
    fold = _folding(rules, canonical=False)
    layer = [fold(board.state)]
    seen = set(layer)
    counts = [1]
    for _ in range(depth):
        following = []
        for state in layer:
            board.state = state
            for move in board.legal_moves():
                child = fold(board._after(move))
                if child not in seen:
                    seen.add(child)
                    following.append(child)
        layer = following
        counts.append(len(seen))
    return counts


def _folding(rules: Rules, *, canonical: bool) -> Callable[[State], State]:
    """Return what makes one of states that only their pass number, or the order of their columns, tells apart."""
    columns = canonical and rules.family == "build" and not getattr(rules, "auto_foundation", False)
    passes = rules.passes == UNLIMITED

    def fold(state: State) -> State:
        if passes and state.pass_number > 1:  # without a limit the number means nothing, and would never stop growing
            state = state._replace(pass_number=1)
        return state._replace(tableau=tuple(sorted(state.tableau))) if columns else state

    return fold if passes or columns else lambda state: state
