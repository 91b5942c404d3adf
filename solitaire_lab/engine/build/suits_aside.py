"""Positions that count as one as long as suits do not matter.

Where building goes by ranks, or by ranks and colours, the suit of a card matters only when it goes to its foundation.
Until then cards of a rank (and colour) do the same. So a search may leave it open which of them lies where, but for
those that foundations show or will soon take. That is far fewer positions: of Flower Garden deals that are lost it
leaves one in ten to one in a hundred, of the hardest one in a thousand to one in ten thousand.

Setting. One pack, no stock, nothing automatic. Building in any suit, or in alternating colours; cards move one at a
time, or in runs that are built as the tableau is (:func:`solitaire_lab.portfolio.may_set_suits_aside`). Call cards
*alike* if they have the same rank and, where colours alternate, the same colour. Some cards are *told apart*, among
them all that foundations show or take next at the root. Each of these is a class of its own; the others form classes
of alike cards. An *exchange* is a permutation of the pack that maps every card into its own class; it leaves unanswered
lifts (see ``lifts.py``) in their columns. Positions count as one (in the fingerprint, see ``hashing.py``) if an
exchange takes one to the other, or to one that counts as one with that by ``free_runs.py`` or by the order of columns
and of the reserve.

A position is *too coarse* if some card that a foundation takes next shares its class with others, and one of the class
is open: the top card of a column, in the reserve or, with free runs, in a run that may move (where a top card of the
position that is held may be one that is told apart, and another of the class under a run, which lies on the other one
in a position that counts as the same). The search stops there. It then begins anew with that card told apart
(:mod:`solitaire_lab.solver`). As classes only get smaller, this ends.

Theorem. If the search ends exhausted, without having stopped, the deal cannot be won.

Proof. On foundations lie only cards that are alone in their class: others never get there, as the search stops first.
So exchanges leave foundations as they are, and what they take next too. They keep ranks (and colours) and places. Of
nothing else do the legal moves speak, but for moves to foundations of cards that share their class; nor do the rules
that leave moves out: safe moves and lifted cards go by ranks, colours, heights of foundations and places, spaces by
places, free runs by which cards are alike. So the moves that are tried in an exchange of a position are the exchanges
of those tried in the position. (Where the order of columns or reserve differs, too, another one of several forced moves
may come first; each of them would do.)

Let the distance of a class of positions without unanswered lifts be the least distance, in the measure of ``lifts.py``
or ``dominance.py``, of a position in it that can be won. Suppose that the search has entered a position q, of a class
of finite distance. Take the nearest position of the class. By ``free_runs.py`` and the order of columns and reserve it
is as near as an exchange of q, say p. As p can be won, some line of moves that would be tried there leads nearer (a
line of one move, or of lifts and their answer). If no move in it takes a card that shares its class to a foundation,
its exchange is tried from q, move by move, or from positions that count as one with those and were entered before; it
leads to a class of less distance. Otherwise look where the first such move is made, of a card c: the position that the
search has entered there has an exchange of c open in c's place, and the foundation takes c next there too: too coarse,
the search stops. So a search that does not stop comes nearer and nearer to a win, from the root of a deal that can be
won, and so meets one.

A position that is held is always one that was truly reached, by moves of the game; so a win is a win.

*Ignoring suits* the search goes on where it is too coarse. It then finds wins, most of them much sooner than the
complete search, since it tries only one arrangement of many that are nearly alike. That it finds none proves nothing.
"""

from __future__ import annotations

from solitaire_lab.engine.bits import ONE, ZERO, bit, lowest
from solitaire_lab.engine.build.generator import run_heads
from solitaire_lab.engine.build.hashing import top_card
from solitaire_lab.engine.build.layout import ALIKE, FREE_RUNS, GOING_UP, LENGTH, N_COLUMNS, RESERVE_CARDS
from solitaire_lab.engine.kernel import kernel


@kernel
def too_coarse(board, cards, hashes):
    """Return the cards that a foundation takes next and that share their class with an open one."""
    open_cards = hashes[RESERVE_CARDS]
    for column in range(board[N_COLUMNS]):
        if board[LENGTH + column]:
            open_cards |= bit(top_card(board, cards, column))
            if board[FREE_RUNS]:
                open_cards |= run_heads(board, cards, hashes, column)
    return sharing(hashes, hashes[GOING_UP], open_cards)


@kernel
def sharing(hashes, wanted, open_cards):
    """Return those of the `wanted` cards that share their class with others, one of which is open."""
    found = ZERO
    while wanted:
        card = lowest(wanted)
        wanted &= wanted - ONE
        alike = hashes[ALIKE + card]
        if alike != bit(card) and alike & open_cards:
            found |= bit(card)
    return found
