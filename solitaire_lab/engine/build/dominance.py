"""Moves of build games that need not be tried, each with its proof.

A rule here either names one move that may be forced, or drops moves, most by narrowing the sets from which
``generator.py`` writes them. Each can be switched off by its bit in ``board[DOMINANCES]``, and each looks at nothing
but the position, never at the path that led to it: whether a position's children are complete does not depend on when
the table first sees it.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.bits import ONE, ZERO, bit, highest, lowest
from solitaire_lab.engine.build import layout
from solitaire_lab.engine.build.free_runs import compound_moves, go_by_classes
from solitaire_lab.engine.build.generator import note_open, write_moves
from solitaire_lab.engine.build.hashing import top_card
from solitaire_lab.engine.build.layout import (
    AHEAD,
    ALL_LIFTS,
    ALTERNATE_COLOUR,
    AUTO_FOUNDATION,
    BUILD,
    DECKS,
    DOMINANCES,
    DRAW,
    EMPTY,
    FOUNDATION,
    GOING_UP,
    LENGTH,
    LIFTED,
    LIFTS,
    N_COLUMNS,
    NONE,
    ONE_CARD,
    OPEN,
    PASS,
    PASSES,
    PILES_ALIKE,
    RESERVE,
    RESERVE_CARDS,
    RESERVE_LEFT,
    RESERVE_TO_FOUNDATION,
    SAME_SUIT,
    STOCK,
    TABLEAU_TO_FOUNDATION,
    TO_SPACES,
    TOP_CARDS,
    WAITING,
    WASTE_TO_FOUNDATION,
    WASTE_TOP,
    WORRYING_BACK,
    move_card,
    pack_move,
)
from solitaire_lab.engine.build.lifts import keep_answers, keep_to_column, keep_useful_lifts, move_to_be_lifted_back
from solitaire_lab.engine.build.stock_ahead import plays_ahead
from solitaire_lab.engine.kernel import kernel, large_kernel

SAFE_FOUNDATION = np.int64(1)
TWIN_SPACES = np.int64(2)
DEAD_ENDS = np.int64(4)
"""Positions that ``relaxation.py`` proves lost have no moves."""
FREE_RUNS = np.int64(8)
"""Positions that ``free_runs.py`` proves equivalent count as one. Takes effect when the rules are set."""
ANSWERED_LIFTS = np.int64(16)
"""Cards leave reserve and foundations only where ``lifts.py`` has a use for it. Takes effect when the rules are set."""
STOCK_AHEAD = np.int64(32)
"""Turns of the stock come with a play of what they bring up: ``stock_ahead.py``. Takes effect as the one before."""
ALL = SAFE_FOUNDATION | TWIN_SPACES | DEAD_ENDS | FREE_RUNS | ANSWERED_LIFTS | STOCK_AHEAD


@large_kernel
def moves_to_try(board, cards, hashes, moves, start):
    """Write the moves of a position that are to be tried to ``moves[start:]``; return the place after the last one."""
    note_open(board, cards, hashes)
    unanswered = board[WAITING] or board[LIFTED]
    if not unanswered:
        move = forced_move(board, cards, hashes)
        if move >= 0:
            moves[start] = np.int32(move)
            return start + 1
    if board[DOMINANCES] & TWIN_SPACES and board[PILES_ALIKE] and hashes[EMPTY]:
        drop_twin_spaces(board, cards, hashes)
    if board[LIFTS]:
        keep_useful_lifts(board, cards, hashes)
    if board[WAITING]:
        keep_to_column(board, hashes, board[WAITING] - 1)
    if board[layout.FREE_RUNS]:
        go_by_classes(board, hashes)
    end = write_moves(board, cards, hashes, moves, start)
    if board[layout.FREE_RUNS]:
        simple = end
        end = compound_moves(board, cards, hashes, moves, end)
        for at in range(simple, end):
            if board[DOMINANCES] & SAFE_FOUNDATION and is_safe_on_foundation(board, move_card(np.int64(moves[at]))):
                moves[start] = moves[at]
                return start + 1
    if board[AHEAD]:
        end = plays_ahead(board, cards, hashes, moves, start, end)
    if unanswered:
        end = keep_answers(board, moves, start, end)
    return end


@kernel
def forced_move(board, cards, hashes):
    """Return a move to a foundation that may be the only one tried, or -1; there must be no unanswered lift.

    Goes by the sets of :func:`note_open`.
    """
    wanted = hashes[TOP_CARDS] | hashes[RESERVE_CARDS]
    if board[WASTE_TOP]:
        wanted |= bit(np.int64(cards[STOCK + board[WASTE_TOP]]))
    wanted &= hashes[GOING_UP]
    if not wanted or board[AUTO_FOUNDATION]:
        return np.int64(-1)
    safe = safe_cards(board, wanted) if board[DOMINANCES] & SAFE_FOUNDATION else ZERO
    if safe:
        move = settling_move(board, cards, hashes, safe, waste_may_settle(board))
        if move >= 0:
            return move
    if board[LIFTS] == ALL_LIFTS and wanted & hashes[TOP_CARDS]:
        return move_to_be_lifted_back(board, cards, hashes)
    return np.int64(-1)


@kernel
def settling_move(board, cards, hashes, wanted, from_waste):
    """Return a move of one of the `wanted` cards to its foundation, from the waste only if so allowed; or -1."""
    for column in range(board[N_COLUMNS]):
        if board[LENGTH + column]:
            card = top_card(board, cards, column)
            if wanted & bit(card):
                return np.int64(pack_move(TABLEAU_TO_FOUNDATION, column, NONE, ONE_CARD, card))
    if board[WASTE_TOP] and from_waste:
        card = np.int64(cards[STOCK + board[WASTE_TOP]])
        if wanted & bit(card):
            return np.int64(pack_move(WASTE_TO_FOUNDATION, NONE, NONE, ONE_CARD, card))
    if wanted & hashes[RESERVE_CARDS]:
        left = np.uint64(board[RESERVE_LEFT])
        while left:
            place = lowest(left)
            left &= left - ONE
            card = np.int64(cards[RESERVE + place])
            if wanted & bit(card):
                return np.int64(pack_move(RESERVE_TO_FOUNDATION, place, NONE, ONE_CARD, card))
    return np.int64(-1)


@kernel
def safe_cards(board, going_up):
    """Return those of the cards that foundations take next that are provably harmless there."""
    safe = ZERO
    while going_up:
        card = lowest(going_up)
        going_up &= going_up - ONE
        if is_safe_on_foundation(board, card):
            safe |= bit(card)
    return safe


@kernel
def waste_may_settle(board):
    """Say whether a safe card may be forced from the waste: whether its absence changes no later turn of the stock."""
    return board[DRAW] == 1 or (board[PASSES] != 0 and board[PASS] >= board[PASSES])


@kernel
def is_safe_on_foundation(board, card):
    """Say whether a card that a foundation takes is provably harmless there, so that this may be the only move tried.

    Let c, of rank r and suit s, be the card. Call *low* a set of cards with three properties: (1) c is in
    it; (2) every card that the tableau's building allows on top of a low card is low; (3) each low card that
    is not on a foundation could go there, at the latest, whenever it comes to lie on a low card, given that
    all lower low cards are there. If there is such a set, then any line W that wins from here can be turned
    into one that begins by playing c and is at least one move shorter: play c; follow W; leave out each move
    that W makes with low cards that are on the foundations in the new line; where W puts a low card (or a
    run of them, its top card first) on a low card, play it to its foundation instead.

    Throughout, the new position is the one of W with some low cards taken off the tops of columns and put on
    foundations. They do lie on top: by (2) only low cards ever come on them. So every other card that W
    moves is as free as in W (a column without its low cards moves as a run, whole face-up column or single
    card just as before; a card turned up early under low cards is not touched before they have left it in
    W), every target is as open or an empty column more, and foundations are as high or higher: low cards lie
    below all others of their suit there, since low is closed downward within each suit that it meets.

    Count a move that only takes an attached card to another card as 0 (see ``free_runs.py``; elsewhere there are
    none of these) and all others as 1. In the new line each low card goes to its foundation at most once, and W
    pays 1 for that card's last such move, which the new line leaves out; so the new line costs no more than W,
    also where the move that it replaces cost 0 or took a whole run. After c, what is left of it costs at
    least 1 less than W. As the distance to a win thus shrinks along the forced move, and along the right move
    of a position without one, forcing never leads in a circle: the pruned search still meets a win whenever
    there is one.

    Low sets, for one deck (h is the height of a suit's foundation, so c fits when h(s) = r - 1):

    - *Building in suit*: c and all lower cards of s; all but c lie on the foundation. Always safe.
    - *Any suit*: c and all cards of rank below r. (3) holds if h >= r - 2 for every suit.
    - *Alternating colours*: c, the other colour up to rank r - 1, c's suit below r, its twin (same colour)
      up to rank r - 2. (3) holds if h >= r - 2 in the other colour and h >= r - 3 in the twin.
    - *Without worrying back*, cards on foundations never come back, so if h >= r - 1 for all suits that may
      lie on c, {c} alone will do.

    Two decks: the other copy of c is not low, and must never be kept from its place by c, so all foundations of s
    must have reached r - 1 (where W returns one of the two while both are up, it is taken to be c, and left out);
    and the sets above are used with every low card but c already on its foundations, both copies: h >= r - 1 in
    all foundations of the suits that may lie on c, and for alternating colours with worrying back h >= r - 2 in
    both of the twin's. Counted by copies, n(k) of a suit's rank k on its
    foundations, a card of rank k fits when n(k - 1) > n(k): with n(k) = 2 for all k < r, and one more at r,
    every move of W to or from a foundation of s fits in the new line too.

    A card on the waste's top may go only if that changes no later turn of the stock (:func:`waste_may_settle`): with
    one card turned at a time its absence merely skips a turn, and in the last pass what lies in the waste is never
    turned again. With automatic play there is nothing to force.
    """
    rank, suit = card >> 2, card & 3
    if board[DECKS] == 2:
        if least_height(board, suit) < rank - 1:
            return False
        if board[BUILD] == SAME_SUIT:
            return True
        others = min(least_height(board, suit ^ 1), least_height(board, suit ^ 2))
        twin = least_height(board, suit ^ 3)
        if board[BUILD] == ALTERNATE_COLOUR:
            return others >= rank - 1 and (not board[WORRYING_BACK] or twin >= rank - 2)
        return others >= rank - 1 and twin >= rank - 1
    if board[BUILD] == SAME_SUIT:
        return True
    others = min(least_height(board, suit ^ 1), least_height(board, suit ^ 2))
    twin = least_height(board, suit ^ 3)
    if board[BUILD] == ALTERNATE_COLOUR:
        if others >= rank - 2 and twin >= rank - 3:
            return True
        return not board[WORRYING_BACK] and others >= rank - 1
    return others >= rank - 2 and twin >= rank - 2


@kernel
def least_height(board, suit):
    """Return the height of the suit's lowest foundation."""
    if board[DECKS] == 2:
        return board[FOUNDATION + 2 * suit + 1]
    return board[FOUNDATION + 2 * suit]


@kernel
def drop_twin_spaces(board, cards, hashes):
    """Narrow the sets of the generator: no moves to any but the first space, and none of whole columns to a space.

    Columns are alike: the first lead to positions that differ from those of the moves kept in the order of
    the columns only, the second to the position itself with its columns in another order. The table would
    cut both all the same, since its fingerprints do not tell such positions apart.
    """
    empty = hashes[EMPTY]
    empty &= empty - ONE
    while empty:
        hashes[OPEN + lowest(empty)] = ZERO
        empty &= empty - ONE
    for column in range(board[N_COLUMNS]):
        heads = hashes[TO_SPACES + column]
        if heads:
            head = highest(heads)
            cards_above = (head >> 2) - (top_card(board, cards, column) >> 2)
            if board[LENGTH + column] == cards_above + 1:
                hashes[TO_SPACES + column] = heads ^ bit(head)
