"""Turns of the stock are no moves of their own, but the beginning of a play of the card that they bring up.

Setting. Nothing automatic, and no lifts to be answered (see ``lifts.py``).

Theorem. Call a turn of the stock or a new pass a *turn*, and a move of the waste's top card a *play*. A position that
can be won has a shortest win in which each turn is directly followed by a turn or a play, and in which no more turns
come in a row than bring each card of the stock up once.

Proof. A move that is neither a turn nor a play does not depend on what the waste's top card is, nor a turn on anything
but stock and waste. So where such a move follows a turn the two may change places, and the positions after both are the
same. Every turn is followed by a play at some time, since the waste is empty in the end; so, changed places as long as
there is something to change, all turns stand directly before plays. That leaves the number of moves as it was, and
their costs (``dominance.py``), so the win is still a shortest one.

With turns in a row no card is taken, so after one new pass and a whole pass more all cards have been up that ever will
be. If a card was up before in this row of turns, or at its beginning, then play it there: the position after it
differs only in that fewer passes have been used, and each line of play from the one is one from the other. With one
card turned at a time, each card behind the first one's place in a new pass was up before.

Consequences. The search tries, in place of a turn, a play of each card that turns bring up, with those turns. It never
comes to a position in between, so those are not entered. The distance to a win still shrinks along the right move, as
the other dominances need it: that move is the first one of the theorem's win, or its first turns and play together.
Safe moves to foundations are looked for before any turn.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.bits import ONE, bit, lowest
from solitaire_lab.engine.build.generator import columns_with
from solitaire_lab.engine.build.layout import (
    DRAW,
    GOING_UP,
    N_STOCK,
    NEXT,
    NONE,
    ONE_CARD,
    OPEN,
    PASS,
    PASSES,
    REDEAL,
    STOCK,
    TURN_STOCK,
    WASTE_TO_FOUNDATION,
    WASTE_TO_TABLEAU,
    WASTE_TOP,
    move_kind,
    move_source,
    pack_move,
)
from solitaire_lab.engine.kernel import kernel


@kernel
def turn(board, waste_top):
    """Return the waste's top node after a turn; 0 after a redeal, -1 if there are no more turns.

    Whether there may be another pass is for the caller to know.
    """
    if board[NEXT + waste_top] > board[N_STOCK]:
        return np.int64(0) if waste_top else np.int64(-1)
    for _ in range(board[DRAW]):
        if board[NEXT + waste_top] > board[N_STOCK]:
            break
        waste_top = board[NEXT + waste_top]
    return waste_top


@kernel
def turned(board, turns):
    """Return the waste's top node after some turns, and how many of them began a new pass."""
    waste_top, passes = board[WASTE_TOP], np.int64(0)
    for _ in range(turns):
        waste_top = turn(board, waste_top)
        if waste_top == 0:
            passes += 1
    return waste_top, passes


@kernel
def turns_of(move):
    """Return how many turns of the stock a move begins with."""
    kind = move_kind(move)
    if kind == WASTE_TO_TABLEAU or kind == WASTE_TO_FOUNDATION:
        return move_source(move)
    return np.int64(kind == TURN_STOCK or kind == REDEAL)


@kernel
def plays_ahead(board, cards, hashes, moves, start, end):
    """Put plays of the cards that turns bring up in place of the turn in ``moves[start:end]``; return the new end.

    Goes by the generator's sets ``OPEN``. A play's source is the number of its turns.
    """
    kept = start
    for at in range(start, end):
        if move_kind(moves[at]) < TURN_STOCK or move_kind(moves[at]) > TURN_STOCK + 1:
            moves[kept] = moves[at]
            kept += 1
    if kept == end:
        return end
    first, waste_top = board[WASTE_TOP], board[WASTE_TOP]
    turns, again = np.int64(0), False
    while True:
        waste_top = turn(board, waste_top)
        turns += 1
        if waste_top <= 0:
            if waste_top < 0 or again or (board[PASSES] and board[PASS] >= board[PASSES]):
                return kept
            again = True
            continue
        if again and board[DRAW] == 1 and waste_top >= first:
            return kept
        card = np.int64(cards[STOCK + waste_top])
        if hashes[GOING_UP] & bit(card):
            moves[kept] = pack_move(WASTE_TO_FOUNDATION, turns, NONE, ONE_CARD, card)
            kept += 1
        targets = columns_with(board, hashes, OPEN, card)
        while targets:
            moves[kept] = pack_move(WASTE_TO_TABLEAU, turns, lowest(targets), ONE_CARD, card)
            targets &= targets - ONE
            kept += 1
