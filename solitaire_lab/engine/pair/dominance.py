"""What need not be tried in pair games, each rule with its proof.

Each rule can be switched off by its bit in ``rules[DOMINANCES]``, and looks at nothing but the position.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.bits import ONE, bit, lowest
from solitaire_lab.engine.kernel import kernel
from solitaire_lab.engine.pair.layout import (
    ALONE,
    DISCARD_ONE,
    DOMINANCES,
    DRAW,
    GOAL,
    LAYOUT,
    PARTNERS,
    REMOVERS,
    STOCK_EXPOSED,
    STOP_AT_EXHAUSTION,
    move_first,
    move_kind,
    next_card,
)
from solitaire_lab.engine.pair.moves import is_last_pass

FORCED_ALONE = np.int64(1)
NO_PARTNER = np.int64(2)
ALL = FORCED_ALONE | NO_PARTNER


@kernel
def prune(rules, masks, low, moves, start, end):
    """Apply the forced moves to the legal moves in ``moves[start:end]``; return the new end."""
    if rules[DOMINANCES] & FORCED_ALONE:
        for at in range(start, end):
            if move_kind(moves[at]) == DISCARD_ONE and is_forced_alone(rules, masks, low, move_first(moves[at])):
                moves[start] = moves[at]
                return start + 1
    return end


@kernel
def is_forced_alone(rules, masks, low, card):
    """Say whether an exposed card that goes alone may be discarded at once, as the only move tried.

    It must have no partner, so no line ever uses it otherwise. Let W be a winning line from here, and play
    the card first, then W without its discard, if any, and without a turn of the stock that would turn it
    alone. Cards that it covered are exposed earlier and none later; where it would lie on the waste, the
    card below is the top instead: W never pairs it, so every discard of W is still there. It remains to see
    that the turns of the stock stay the same:

    - A card of the layout has no part in them.
    - A card on the waste: in the last pass what lies there is never turned again. In an earlier one, with one
      card at a time, its absence in later passes only skips its turn.
    - The exposed next card of the stock: with one card at a time its own turn is skipped, likewise.

    With ``at_exhaustion=stop`` skipping the turn of what would be the last stock card brings the end forward,
    so there the two cases that skip a turn are left out. (A turn that W makes of this card alone, as the last
    one of a pass before a redeal, is skipped with the redeal if no card is left to turn.)

    The new line is no longer than W, and with each forced discard a card fewer is in play: the pair (length
    of the shortest win, cards in play) falls at every step, so the pruned search still meets a win.
    """
    if masks[PARTNERS + card]:
        return False
    if masks[LAYOUT] & bit(card):
        return True
    skips_turn = rules[DRAW] == 1 and not rules[STOP_AT_EXHAUSTION]
    if rules[STOCK_EXPOSED] and card == next_card(low):
        return skips_turn
    return skips_turn or is_last_pass(rules, low)


@kernel
def is_dead(rules, masks, low):
    """Say whether some card that must go, and does not go alone, has no partner left to go with.

    Two cards of a pile of the layout, one of which must be gone before the other is exposed, never go together
    (except a card and the one that directly covers it, where overlapping cards may pair). So each card can
    go only with one of its `REMOVERS`: its partners by rank less those over or under it. Cards never come
    back, so once none of them is in play the position cannot be won.
    """
    if not rules[DOMINANCES] & NO_PARTNER:
        return False
    rest = low & masks[GOAL] & ~masks[ALONE]
    while rest:
        if not masks[REMOVERS + lowest(rest)] & low:
            return True
        rest &= rest - ONE
    return False
