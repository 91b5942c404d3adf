"""The talon: which of its cards can be played next, after how many turns no matter.

Turns of the stock are no moves of their own here: from a position every card of the talon is tried that some turns
bring to the top of the waste, at the first time they do.

- In the present pass those are the waste's top and every `draw`-th card from there on, and the last one.
- In the next pass, if there is one, every `draw`-th card from the beginning, and the last one. A pass more
  brings the same cards again, later.

After a card has been taken, the waste holds all cards left before its place, whichever way it was reached: so it
is reached in the earliest pass that it can be, as a later one only leaves fewer passes (whatever can be
done with fewer passes left can be done with more). Without a limit of passes, the pass does not count. And a
waste of a multiple of `draw` cards, or of all cards, is then as good as none: the cards in reach from
there are those from the beginning (the waste's top is one of them, as is every `draw`-th card from it on), and
so are all later ones, since a card taken leaves the same waste behind it.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.bits import highest
from solitaire_lab.engine.compact.layout import (
    CURSOR,
    DRAW,
    ONE,
    PASS,
    PASSES,
    REACH,
    REACH_LATER,
    TALON,
    TALON_CARD,
    TALON_PLACE,
    TURNED,
    ZERO,
    first,
    size,
)
from solitaire_lab.engine.kernel import kernel


@kernel
def look_ahead(board, records, record):
    """Set which cards of the talon are in reach, and which of them need a pass more."""
    talon = records[record + TALON]
    waste = talon & (ONE << records[record + TURNED]) - ONE
    again = board[PASSES] == 0 or records[record + PASS] < board[PASSES]
    draw = board[DRAW]
    now, later = ZERO, ZERO
    if waste:
        now = ONE << board[TALON_CARD + highest(np.uint64(waste))]
    left = talon ^ waste
    if draw == 1:
        while left:
            now |= ONE << board[TALON_CARD + first(left)]
            left &= left - ONE
        if again:
            while waste:
                later |= ONE << board[TALON_CARD + first(waste)]
                waste &= waste - ONE
    else:
        card = np.int64(-1)
        to_go = draw
        while left:
            card = board[TALON_CARD + first(left)]
            left &= left - ONE
            to_go -= 1
            if to_go == 0 or left == 0:
                now |= ONE << card
                to_go = draw
        if again:
            to_go = draw
            while talon:
                card = board[TALON_CARD + first(talon)]
                talon &= talon - ONE
                to_go -= 1
                if to_go == 0 or talon == 0:
                    later |= ONE << card
                    to_go = draw
    later &= ~now
    records[record + REACH] = now | later
    records[record + REACH_LATER] = later


@kernel
def take(board, records, record, card):
    """Take a card in reach out of the talon. What is in reach then is left to :func:`look_ahead`."""
    place = board[TALON_PLACE + card]
    talon = records[record + TALON] ^ (ONE << place)
    records[record + TALON] = talon
    waste = talon & (ONE << place) - ONE
    turned = ZERO
    if waste:
        turned = highest(np.uint64(waste)) + 1
    if board[PASSES] == 0:
        draw = board[DRAW]
        if draw == 1 or waste == talon or size(waste) % draw == 0:
            turned = ZERO
    elif talon == 0:
        records[record + PASS] = board[PASSES]
    elif records[record + REACH_LATER] >> card & ONE:
        records[record + PASS] += 1
    records[record + TURNED] = turned
    records[record + CURSOR] = place


@kernel
def is_free_to_take(board, records, record, card):
    """Say whether taking a card in reach takes nothing else out of reach, now or at any later time.

    That is, whether every line of play of the other cards that is possible with the card left in the talon
    is possible once it has been taken.

    - *Unlimited passes, one card at a time*: every card is always in reach.
    - *Last pass, the waste's top*: what lies in the waste is never turned again, so the others come up as
      before. With one card at a time the same holds for the next card of the stock, which lies on the
      waste for just as long as it takes to play it. And with one card at a time both hold in any pass: the order
      of the others stays, and each comes up alone.
    - *The last card of the talon*, if all cards are turned, so that it is the waste's top: the cards before it
      come up as before in a next pass, and the one before it always does, being the last. The waste is what it
      would have been under it.
    - *Unlimited passes, the last card of the talon*, if the waste is as good as none: likewise, for what is left
      is a waste of all cards or again one as good as none.
    """
    place = board[TALON_PLACE + card]
    talon, turned = records[record + TALON], records[record + TURNED]
    after = talon >> place >> ONE
    if board[PASSES] == 0:
        return board[DRAW] == 1 or (turned == 0 and after == 0)
    if turned > place:
        top = (talon & (ONE << turned) - ONE) >> place == ONE
        if not top:
            return False
        return board[DRAW] == 1 or records[record + PASS] == board[PASSES] or after == 0
    return board[DRAW] == 1 and talon >> turned & (ONE << (place - turned)) - ONE == 0
