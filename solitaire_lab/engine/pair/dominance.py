"""What need not be tried in pair games, each rule with its proof.

Each rule can be switched off by its bit in ``rules[DOMINANCES]``, and looks at nothing but the position and the set of
cards passed over that belongs to it. What the rules say of a winning line they say of a winning *plan*, the set of the
line's discards: ``passed_over.py`` says what that is, and why the order does not matter.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.bits import ZERO, below, bit, highest
from solitaire_lab.engine.kernel import kernel
from solitaire_lab.engine.pair.free_stock import without_twins
from solitaire_lab.engine.pair.layout import (
    ALONE,
    CARDS,
    DISCARD_ONE,
    DISCARD_PAIR,
    DOMINANCES,
    DRAW,
    FEASIBLE,
    FORCED,
    FREE_STOCK,
    GOAL,
    LAYOUT,
    PARTNERS,
    STOCK,
    STOCK_EXPOSED,
    STOP_AT_EXHAUSTION,
    WASTE_PILES,
    move_first,
    move_kind,
    move_second,
    next_card,
    waste_left,
)
from solitaire_lab.engine.pair.matching import cannot_all_pair
from solitaire_lab.engine.pair.moves import is_last_pass
from solitaire_lab.engine.pair.relaxation import cannot_be_won, feasible_by_rank_and_place

FORCED_ALONE = np.int64(1)
NO_MATCHING = np.int64(2)
"""Positions whose cards cannot all find partners, ``matching.py``, have no moves;"""
DEAD_ENDS = np.int64(4)
"""nor have those that ``relaxation.py`` proves lost."""
SOLE_PARTNER = np.int64(8)
STOCK_AHEAD = np.int64(16)
"""Turns of the stock are no moves of their own: ``stock_ahead.py``. Takes effect when a search is set."""
BURIED = np.int64(32)
PASSED_OVER = np.int64(64)
"""What could have been discarded before a turn is not discarded after it: ``passed_over.py``. Likewise."""
ALL_FREE = np.int64(128)
"""Stock cards that can be turned up at any time are taken as exposed: ``free_stock.py``. Likewise."""
ALL = FORCED_ALONE | NO_MATCHING | DEAD_ENDS | SOLE_PARTNER | STOCK_AHEAD | BURIED | PASSED_OVER | ALL_FREE


@kernel
def is_dead(rules, masks, low, high):
    """Say whether the position is proved lost; find with which cards each one may still go (`FEASIBLE`)."""
    if rules[DOMINANCES] & DEAD_ENDS:
        if cannot_be_won(rules, masks, low, high):
            return True
    else:
        feasible_by_rank_and_place(masks, low)
    return rules[DOMINANCES] & NO_MATCHING != 0 and cannot_all_pair(masks, low)


@kernel
def without_buried(rules, masks, low):
    """Return the low word without the cards of the waste that never leave it again (`BURIED`).

    In the last pass nothing turns the waste over. A card there that does not go alone, and with which no card in play
    may still go, stays, and so do those below it. Positions that differ in nothing else are won by the same
    discards; none of these cards must go, and without them no other one becomes exposed that is not so already.
    """
    if not rules[DOMINANCES] & BURIED or rules[FREE_STOCK] or rules[WASTE_PILES] > 1 or not is_last_pass(rules, low):
        return low
    rest = waste_left(masks, low)
    if rest & masks[GOAL]:
        return low
    while rest:
        card = highest(rest)
        if not masks[FEASIBLE + card] and not masks[ALONE] & bit(card):
            return low & ~(masks[STOCK] & below(card + 1))
        rest ^= bit(card)
    return low


@kernel
def prune(rules, masks, low, moves, start, end):
    """Apply the forced moves to the moves in ``moves[start:end]``; return the new end."""
    for at in range(start, end):
        if is_forced(rules, masks, low, np.int64(moves[at])):
            moves[start] = np.int32(np.int64(moves[at]) | FORCED)
            return start + 1
    return end


@kernel
def is_forced(rules, masks, low, move):
    """Say whether a discard may be made at once, as the only move tried.

    - *A card that goes alone and pairs with no other* (`FORCED_ALONE`): no plan uses it otherwise.
    - *A card that must go, and the only card left that it may still go with* (`SOLE_PARTNER`, by `FEASIBLE`): every
      plan that wins has these two as a pair. Twins in a free stock count as one.

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
    if not is_sole_partner(rules, masks, low, first, second) and not is_sole_partner(rules, masks, low, second, first):
        return False
    return leaves_turns_alone(rules, masks, low, first) and leaves_turns_alone(rules, masks, low, second)


@kernel
def is_sole_partner(rules, masks, low, card, other):
    """Say whether a card must go, and with this other one only."""
    if not masks[GOAL] & ~masks[ALONE] & bit(card):
        return False
    partners = masks[FEASIBLE + card] & low & CARDS
    if rules[FREE_STOCK]:
        partners = without_twins(masks, low, partners)
    return partners == bit(other)


@kernel
def leaves_turns_alone(rules, masks, low, card):
    """Say whether an exposed card may go now rather than later without changing what the stock turns up.

    - A card of the layout has no part in that, nor has one of a free stock.
    - A card on the waste: in the last pass what lies there is never turned again. In an earlier one, with one
      card at a time, its absence in later passes only skips its turn.
    - The exposed next card of the stock: with one card at a time its own turn is skipped, likewise.

    With ``at_exhaustion=stop`` skipping the turn of what would be the last stock card brings the end forward,
    so there the two cases that skip a turn are left out. (A turn that W makes of this card alone, as the only
    one of a pass, is skipped together with the redeal before it.)
    """
    if masks[LAYOUT] & bit(card) or rules[FREE_STOCK]:
        return True
    skips_turn = rules[DRAW] == 1 and not rules[STOP_AT_EXHAUSTION]
    if rules[STOCK_EXPOSED] and card == next_card(low):
        return skips_turn
    return skips_turn or is_last_pass(rules, low)
