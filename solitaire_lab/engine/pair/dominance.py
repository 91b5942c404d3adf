"""What need not be tried in pair games, each rule with its proof.

Each rule can be switched off by its bit in ``rules[DOMINANCES]``, and looks at nothing but the position.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.bits import ONE, ZERO, bit, lowest
from solitaire_lab.engine.kernel import kernel
from solitaire_lab.engine.pair.layout import (
    ALONE,
    CARDS,
    DISCARD_ONE,
    DISCARD_PAIR,
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
    move_second,
    next_card,
)
from solitaire_lab.engine.pair.moves import is_last_pass

FORCED_ALONE = np.int64(1)
NO_PARTNER = np.int64(2)
DEAD_ENDS = np.int64(4)
"""Positions that ``relaxation.py`` proves lost have no moves."""
SOLE_PARTNER = np.int64(8)
STOCK_AHEAD = np.int64(16)
"""Turns of the stock are no moves of their own: ``stock_ahead.py``. Takes effect when the rules are set."""
ALL = FORCED_ALONE | NO_PARTNER | DEAD_ENDS | SOLE_PARTNER | STOCK_AHEAD


@kernel
def prune(rules, masks, low, moves, start, end):
    """Apply the forced moves to the legal moves in ``moves[start:end]``; return the new end."""
    for at in range(start, end):
        if is_forced(rules, masks, low, np.int64(moves[at])):
            moves[start] = moves[at]
            return start + 1
    return end


@kernel
def is_forced(rules, masks, low, move):
    """Say whether a discard may be made at once, as the only move tried.

    - *A card that goes alone and pairs with no other* (``FORCED_ALONE``): no line ever uses it otherwise.
    - *A card that must go, and the only card left that it can ever go with* (``SOLE_PARTNER``, by `REMOVERS`): any
      winning line discards these two together.

    Let W be a winning line from here, and make the discard first, then W without it. What the cards cover
    is exposed earlier and nothing later; where one would lie on the waste, the card below is the top
    instead: W never uses the card before its own discard, so every other discard of W is still there (and a
    card that W pairs with its last cover still has just that one, or has been free since). It remains that
    the turns of the stock stay as they are in W: :func:`leaves_turns_alone` must hold for each card.

    What follows the forced discard is shorter than W by one move or, where W never discards a card that goes alone,
    no longer than W and with a card fewer in play. So the pair (length of the shortest win, cards in play)
    falls with every forced move, and the pruned search still meets a win whenever there is one.
    """
    kind = move_kind(move)
    first = move_first(move)
    if kind == DISCARD_ONE:
        return (
            rules[DOMINANCES] & FORCED_ALONE != 0
            and masks[PARTNERS + first] == ZERO
            and leaves_turns_alone(rules, masks, low, first)
        )
    if kind != DISCARD_PAIR or not rules[DOMINANCES] & SOLE_PARTNER:
        return False
    second = move_second(move)
    must_go = masks[GOAL] & ~masks[ALONE]
    sole = must_go & bit(first) != ZERO and masks[REMOVERS + first] & low & CARDS == bit(second)
    sole |= must_go & bit(second) != ZERO and masks[REMOVERS + second] & low & CARDS == bit(first)
    return sole and leaves_turns_alone(rules, masks, low, first) and leaves_turns_alone(rules, masks, low, second)


@kernel
def leaves_turns_alone(rules, masks, low, card):
    """Say whether an exposed card may go now rather than later without changing what the stock turns up.

    - A card of the layout has no part in that.
    - A card on the waste: in the last pass what lies there is never turned again. In an earlier one, with one
      card at a time, its absence in later passes only skips its turn.
    - The exposed next card of the stock: with one card at a time its own turn is skipped, likewise.

    With ``at_exhaustion=stop`` skipping the turn of what would be the last stock card brings the end forward,
    so there the two cases that skip a turn are left out. (A turn that W makes of this card alone, as the only
    one of a pass, is skipped together with the redeal before it.)
    """
    if masks[LAYOUT] & bit(card):
        return True
    skips_turn = rules[DRAW] == 1 and not rules[STOP_AT_EXHAUSTION]
    if rules[STOCK_EXPOSED] and card == next_card(low):
        return skips_turn
    return skips_turn or is_last_pass(rules, low)


@kernel
def is_dead(rules, masks, low):
    """Say whether the cards that must go, and do not go alone, cannot all find partners.

    Two cards of a pile of the layout, one of which must be gone before the other is exposed, never go together
    (except a card and the one that directly covers it, where overlapping cards may pair). So each card can
    go only with one of its `REMOVERS`: its partners by rank less those over or under it. Cards never come
    back, so the position cannot be won once none of them is in play, nor if two cards have one and the same
    remover left, since that goes with one of them only.
    """
    if not rules[DOMINANCES] & NO_PARTNER:
        return False
    claimed = ZERO
    rest = low & masks[GOAL] & ~masks[ALONE]
    while rest:
        removers = masks[REMOVERS + lowest(rest)] & low & CARDS
        if not removers:
            return True
        if not removers & (removers - ONE):
            if claimed & removers:
                return True
            claimed |= removers
        rest &= rest - ONE
    return False
