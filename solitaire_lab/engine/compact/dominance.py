"""Moves that need not be tried, each with its proof.

The search has no cycles (see ``component.py``), so a rule is sound if a position that can be won still has a move to
one that can be won. Each rule can be switched off by its bit in ``board[DOMINANCES]``.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.compact.layout import (
    FIFTEEN,
    FREE,
    HEADS,
    HEIGHTS,
    KINGS,
    KINGS_FILL,
    KINGS_RETURN,
    ONE,
    TABLEAU_SEEN,
    WORRYING_BACK,
    ZERO,
    first,
    locked_with,
    on_foundations,
    size,
)
from solitaire_lab.engine.kernel import kernel

SAFE_FOUNDATION = np.int64(1)
USELESS_SPACES = np.int64(2)
DEAD_ENDS = np.int64(4)
"""Positions that ``capacity.py`` proves lost are not searched."""
STUCK_WASTE = np.int64(8)
"""Nor are those of the last pass that ``waste.py`` proves lost."""
ALL = SAFE_FOUNDATION | USELESS_SPACES | DEAD_ENDS | STUCK_WASTE


@kernel
def is_safe(board, heights, card):
    """Say whether a card that can go to its foundation may go there at once: see ``build/dominance.py``."""
    rank, suit = card >> np.int64(2), card & np.int64(3)
    one = heights >> ((suit ^ ONE) << np.int64(2)) & FIFTEEN
    two = heights >> ((suit ^ np.int64(2)) << np.int64(2)) & FIFTEEN
    others = min(one, two)
    twin = heights >> ((suit ^ np.int64(3)) << np.int64(2)) & FIFTEEN
    if others >= rank - 2 and twin >= rank - 3:
        return True
    return not board[WORRYING_BACK] and others >= rank - 1


@kernel
def needless_heads(board, records, record):
    """Return the heads with nothing under them that need not move to other columns.

    All that such a move gains is an empty column. Only kings fill those, and a king uses one up only when it comes
    from under other cards, from the talon, or back from its foundation. If at least as many columns are
    free and without a king as there are kings that are not in free columns, no more are ever needed. Let W be a line
    that wins and moves such a head x (with its run) to a card y of another column. Leave x where it is, as long as
    W has it lie on some card or other: y is then bare when it is not in W, everything else lies as in W, and each
    card that lies on x in W lies on x. If W plays x to its foundation it is played from there. That leaves the
    column empty, and the line of W goes on from the same position.
    """
    if board[KINGS_FILL]:
        up = on_foundations(board, records[record + HEIGHTS])
        there = records[record + TABLEAU_SEEN] & board[KINGS] & ~records[record + HEADS]
        placed = there & ~up
        rest = size(board[KINGS] & ~(placed if board[KINGS_RETURN] else there))
        if records[record + FREE] - size(placed) < rest:
            return ZERO
    needless, heads = ZERO, records[record + HEADS]
    while heads:
        card = first(heads)
        heads &= heads - ONE
        if locked_with(board, records, record, card) == 1:
            needless |= ONE << card
    return needless
