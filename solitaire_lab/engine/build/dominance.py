"""Moves of build games that need not be tried, each with its proof.

A rule here either names one move that may be forced, or drops moves. Each can be switched off by its bit in
``board[DOMINANCES]``, and each looks at nothing but the position, never at the path that led to it: whether
a position's children are complete does not depend on when the table first sees it.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.build import layout
from solitaire_lab.engine.build.free_runs import class_moves
from solitaire_lab.engine.build.layout import (
    AHEAD,
    ALL_LIFTS,
    ALTERNATE_COLOUR,
    AUTO_FOUNDATION,
    BUILD,
    DECKS,
    DOMINANCES,
    DRAW,
    FOUNDATION,
    LENGTH,
    LIFTED,
    LIFTS,
    N_COLUMNS,
    PASS,
    PASSES,
    PILES_ALIKE,
    SAME_SUIT,
    TABLEAU_TO_TABLEAU,
    WAITING,
    WASTE_TO_FOUNDATION,
    WORRYING_BACK,
    is_to_foundation,
    move_card,
    move_count,
    move_kind,
    move_source,
    move_target,
)
from solitaire_lab.engine.build.lifts import can_be_lifted_back, drop_useless_lifts, keep_answers
from solitaire_lab.engine.build.moves import legal_moves
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
    end = legal_moves(board, cards, hashes, moves, start)
    if board[layout.FREE_RUNS]:
        end = class_moves(board, cards, hashes, moves, start, end)
    return prune(board, cards, hashes, moves, start, end)


@kernel
def prune(board, cards, hashes, moves, start, end):
    """Apply the dominances to the legal moves in ``moves[start:end]``; return the new end.

    Must follow the generator of legal moves, whose sets ``HEADS`` it uses.
    """
    unanswered = board[WAITING] or board[LIFTED]
    if board[DOMINANCES] & SAFE_FOUNDATION and not board[AUTO_FOUNDATION] and not unanswered:
        for at in range(start, end):
            if is_safe_foundation_move(board, np.int64(moves[at])):
                moves[start] = moves[at]
                return start + 1
    if board[LIFTS] == ALL_LIFTS and not unanswered:
        for at in range(start, end):
            if can_be_lifted_back(board, cards, hashes, np.int64(moves[at])):
                moves[start] = moves[at]
                return start + 1
    if board[AHEAD]:
        end = plays_ahead(board, cards, hashes, moves, start, end)
    if board[DOMINANCES] & TWIN_SPACES and board[PILES_ALIKE]:
        end = drop_twin_spaces(board, moves, start, end)
    if board[LIFTS]:
        end = drop_useless_lifts(board, cards, hashes, moves, start, end)
    if unanswered:
        end = keep_answers(board, moves, start, end)
    return end


@kernel
def is_safe_foundation_move(board, move):
    """Say whether a move to a foundation is provably harmless, so that it may be the only one tried.

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

    A card on the waste's top may go only if that changes no later turn of the stock: with one card turned at
    a time its absence merely skips a turn, and in the last pass what lies in the waste is never turned again.
    With automatic play there is nothing to force.
    """
    kind = move_kind(move)
    if kind == WASTE_TO_FOUNDATION:
        if board[DRAW] > 1 and (board[PASSES] == 0 or board[PASS] < board[PASSES]):
            return False
    elif not is_to_foundation(move):
        return False
    card = move_card(move)
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
def drop_twin_spaces(board, moves, start, end):
    """Drop moves to any but the first empty column, and moves of whole columns to an empty one.

    Columns are alike: the first lead to positions that differ from those of the moves kept in the order of
    the columns only, the second to the position itself with its columns in another order. The table would
    cut both all the same, since its fingerprints do not tell such positions apart.
    """
    first_space = -1
    for column in range(board[N_COLUMNS]):
        if board[LENGTH + column] == 0:
            first_space = column
            break
    if first_space < 0:
        return end
    kept = start
    for at in range(start, end):
        move = np.int64(moves[at])
        kind = move_kind(move)
        if not is_to_foundation(move):
            target = move_target(move)
            if target > first_space and board[LENGTH + target] == 0:
                continue
            whole = kind == TABLEAU_TO_TABLEAU and move_count(move) == board[LENGTH + move_source(move)]
            if whole and target == first_space:
                continue
        moves[kept] = np.int32(move)
        kept += 1
    return kept
