"""Cards that leave reserve or foundations only where there is a use for it.

A *lift* is a move of a card from the reserve or a foundation to a column. It takes away no card that lies on others, so
it can be of use in two ways only: another card is put on the lifted one, or, from a foundation, the next lower card
of the suit comes within reach. As long as that is not done, the lift could as well have waited.

Setting. One deck, nothing automatic, no free runs (see ``free_runs.py``, which does not go by single positions); for
lifts from foundations also that they may go to spaces, if they may go anywhere
(:func:`solitaire_lab.translate.lifts`). Where only the reserve's lifts are in the setting, read "lift" below as one
of these.

The *answer* to a lift of a card c is the first later move that puts a card on c or, if c came from a foundation,
lifts the next lower card of its suit from there.

Theorem. A position that can be won has a shortest win in which

1. all moves between a lift and its answer are lifts;
2. the answer to a lift from the reserve comes directly after it.

Proof. Take of all shortest wins one, W, in which the sum of the lifts' places in the sequence of moves is greatest.
Let L be a lift of c in W. Until L is answered, nothing comes on c, so c is its column's top card, and moves only
alone or on the end of a run. The first move of c alone does not come before the answer: if it took c to a column, L
could take c there at once, at that time; if it took c from the reserve to its foundation, likewise; if it took c back
to the foundation that it came from, both could be left out (in between nothing comes on that foundation, where only c
would fit, and nothing leaves it, since that were the answer). In each case the other moves stay legal, by what
follows, and the win would be shorter. So, as c must go to its foundation in the end, the answer exists.

Now put L off until directly before its answer, with c going on the card that it lay on (or into the space). The moves
between stay legal: they take nothing from c's column and put nothing on it, but for runs with c on their end, which
are runs without c, and whole if they were; they do not touch c's foundation, as was said. What they need is as open
as before. The win is as long as before, and the sum of the lifts' places has grown by the number of moves between
that are not lifts. So there were none, which is 1.

For 2, take the lifts from the reserve, from the last one to the first, and put each off until directly before its
answer. By 1 only lifts are between; none of them lies on c or needs it away from the reserve. The sum of places
stays, so W is still one of those, and 1 still holds. No two lifts from the reserve have the same answer, since it
puts a card on them; so those that were treated before stay directly before their answers.

Consequences. *(a)* After a lift the search tries only lifts and, as soon as only one lift is unanswered, moves that
put a card on that one; after a lift from the reserve only moves that put a card on it. (A move that is no lift can
answer one lift only.) *(b)* An answer's lowest card has a rank one lower than the lifted card. If the answer is a
lift too, it is answered in turn, and so on, to a move that is no lift, of a card of still lower rank. All moves in
between are lifts, which bring no card of the columns or the waste into the open, so that card is open already. Lifts
without any such card are dropped.

Second theorem, where lifts from foundations are in the setting. If the top card c of a column can go to its
foundation, and lies on a card that takes it, or alone in its column and spaces take it, then c may be played at once,
and nothing else tried (:func:`move_to_be_lifted_back`).

Let the cost of a win be the number of its moves other than lifts and moves to foundations. Let W be a win of the
least cost. Play c, then follow W, until W puts a card on c, plays c, moves c alone, or lifts the next lower card of
its suit; runs with c on their end move without it before that. Play of c is then left out; in place of a move of c
alone, c is lifted to where that goes; in the other cases c is first lifted to the card that it lay on, or to the
space. That card is its column's top, and c its foundation's, as W leaves both alone. So the new win costs no more
than W.

Measure. Let distance mean: first the least cost of a win, then, among equals, the number of cards that are not on
foundations. Of all wins of least cost take those of the fewest moves, and among them the one of the first theorem:
its proof holds as it stands, since what it leaves out costs nothing or makes a win cheaper. A move to a foundation,
forced or not, brings the position nearer by its second part. Any other move of such a win costs 1, and with a line of
lifts comes one, at its end. So in each position that can be won, with no lift unanswered, some line of moves that the
search tries leads nearer. The other dominances keep to that: a safe move to a foundation costs nothing and leads to a
position that costs no more (see ``dominance.py``), and twin spaces are equal positions. Which lifts are unanswered is
part of a position, with keys of its own in the fingerprint.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.bits import ZERO, below, bit, lowest
from solitaire_lab.engine.build.hashing import key_of_waiting, minus, plus, prefix, prefix_place, top_card, with_card
from solitaire_lab.engine.build.layout import (
    ALL,
    ALL_LIFTS,
    FOUNDATION_TO_TABLEAU,
    FROM_FOUNDATIONS,
    FROM_RESERVE,
    GOING_UP,
    KEY_LIFTED,
    LENGTH,
    LIFTED,
    LIFTS,
    MAX_PILE,
    N_COLUMNS,
    NONE,
    ONE_CARD,
    OPEN,
    PILES,
    RESERVE_LIFTS,
    RESERVE_TO_TABLEAU,
    SPACE_TAKES,
    STOCK,
    TABLEAU_TO_FOUNDATION,
    TAKES,
    TO_SPACES,
    TOPS,
    TURN_STOCK,
    WAITING,
    WASTE_TOP,
    WORRYING_BACK,
    is_to_foundation,
    move_card,
    move_kind,
    move_target,
    pack_move,
)
from solitaire_lab.engine.kernel import kernel


@kernel
def is_lift(board, move):
    """Say whether a move is a lift that must be answered."""
    kind = move_kind(move)
    return kind == RESERVE_TO_TABLEAU or (kind == FOUNDATION_TO_TABLEAU and board[LIFTS] == ALL_LIFTS)


@kernel
def note_lifts(board, cards, move):
    """Note, before a move is made, which lifts it answers, and that it must be answered itself."""
    board[LIFTED] ^= answered(board, cards, move)
    board[WAITING] = 0
    if is_lift(board, move):
        if move_kind(move) == RESERVE_TO_TABLEAU:
            board[WAITING] = 1 + move_target(move)
        else:
            board[LIFTED] |= np.int64(1) << move_target(move)


@kernel
def answered(board, cards, move):
    """Return the columns, as bits, on which a card from a foundation waits that a move answers."""
    if not is_lift(board, move):
        return board[LIFTED]
    columns = np.int64(0)
    waiting = np.uint64(board[LIFTED])
    while waiting:
        column = lowest(waiting)
        waiting &= waiting - np.uint64(1)
        is_next = move_kind(move) == FOUNDATION_TO_TABLEAU and top_card(board, cards, column) == move_card(move) + 4
        if is_next or column == move_target(move):
            columns |= np.int64(1) << column
    return columns


@kernel
def lanes_after_lifts(board, cards, hashes, lanes, move):
    """Return what :func:`note_lifts` changes in the fingerprint, added to it."""
    if board[WAITING]:
        column = board[WAITING] - 1
        at = prefix_place(column, board[LENGTH + column])
        a, b = key_of_waiting(hashes[at], hashes[at + 1])
        lanes = lanes[0] - a, lanes[1] - b
    columns = np.uint64(answered(board, cards, move))
    while columns:
        lanes = minus(hashes, lanes, KEY_LIFTED, top_card(board, cards, lowest(columns)))
        columns &= columns - np.uint64(1)
    if is_lift(board, move):
        if move_kind(move) == FOUNDATION_TO_TABLEAU:
            return plus(hashes, lanes, KEY_LIFTED, move_card(move))
        before, under = prefix(cards, hashes, move_target(move), board[LENGTH + move_target(move)])
        a, b, _ = with_card(board, hashes, before, under, move_card(move))
        a, b = key_of_waiting(a, b)
        lanes = lanes[0] + a, lanes[1] + b
    return lanes


@kernel
def keep_useful_lifts(board, cards, hashes):
    """Narrow the sets of the generator to lifts of cards with an open card of lower rank, itself not to be lifted."""
    open_cards = hashes[TO_SPACES + ALL]  # nothing narrows that
    if board[LIFTS] == RESERVE_LIFTS and board[WORRYING_BACK]:
        open_cards |= hashes[TOPS]
    if board[WASTE_TOP]:
        open_cards |= bit(np.int64(cards[STOCK + board[WASTE_TOP]]))
    useful = ~below((lowest(open_cards) | 3) + 1) if open_cards else ZERO
    hashes[FROM_RESERVE] = useful
    if board[LIFTS] == ALL_LIFTS:
        hashes[FROM_FOUNDATIONS] &= useful


@kernel
def keep_to_column(board, hashes, column):
    """Narrow the sets of the generator to moves to one column."""
    for other in range(board[N_COLUMNS]):
        if other != column:
            hashes[OPEN + other] = ZERO
    hashes[OPEN + ALL] = hashes[OPEN + column]


@kernel
def keep_answers(board, moves, start, end):
    """Keep the moves that may come while a lift is unanswered; return the new end."""
    waiting = board[WAITING] - 1
    unanswered = board[LIFTED]
    if waiting >= 0:
        unanswered |= np.int64(1) << waiting
    kept = start
    for at in range(start, end):
        move = np.int64(moves[at])
        if is_to_foundation(move) or move_kind(move) >= TURN_STOCK:
            continue
        target = move_target(move)
        if waiting >= 0 and target != waiting:
            continue
        if is_lift(board, move) or unanswered == np.int64(1) << target:
            moves[kept] = np.int32(move)
            kept += 1
    return kept


@kernel
def move_to_be_lifted_back(board, cards, hashes):
    """Return a move of a card from a column to its foundation that could go back to the same place, or -1."""
    for column in range(board[N_COLUMNS]):
        length = board[LENGTH + column]
        if not length:
            continue
        card = top_card(board, cards, column)
        if hashes[GOING_UP] & bit(card):
            taken = hashes[SPACE_TAKES]
            if length > 1:
                taken = hashes[TAKES + np.int64(cards[PILES + column * MAX_PILE + length - 2])]
            if taken & bit(card):
                return np.int64(pack_move(TABLEAU_TO_FOUNDATION, column, NONE, ONE_CARD, card))
    return np.int64(-1)
