"""Beam search of build games: level by level, and of each level only the most promising positions go on.

An incomplete search. It finds wins that a depth-first search, once it has gone wrong early, does not come to
within any budget; that it finds none proves nothing. So whatever it leaves out needs no proof.

A level's positions are one move apart from the level before, where the foundation moves that need not be weighed
are part of the move before them. Positions of all levels are entered into one table, so that none comes twice.
"""

from __future__ import annotations

import numpy as np

from solitaire_lab.engine.bits import highest
from solitaire_lab.engine.build.dominance import DEAD_ENDS, moves_to_try, safe_cards, settling_move, waste_may_settle
from solitaire_lab.engine.build.evaluate import evaluate
from solitaire_lab.engine.build.layout import (
    DOMINANCES,
    GOING_UP,
    SUM,
)
from solitaire_lab.engine.build.moves import is_won, make, take_back
from solitaire_lab.engine.build.relaxation import cannot_be_won
from solitaire_lab.engine.build.search import enter, pays_in_the_tree
from solitaire_lab.engine.build.snapshot import load, save
from solitaire_lab.engine.control import EXHAUSTED, MAX_STATES, OUT_OF_STATES, STATES, WON, poll
from solitaire_lab.engine.kernel import kernel, large_kernel

# Places in the beam's array of numbers (int64).

WIDTH = np.int64(0)
"""Positions of a level that go on."""
SNAPSHOT = np.int64(1)
"""Bytes of a snapshot."""
ALWAYS = np.int64(2)
"""1 to play every card to its foundation at once, not only those that are safe there."""
NOISE = np.int64(3)
"""Scores are raised by a pseudo-random number below this one (from 1 on), which the position decides."""
SEED = np.int64(4)
"""What else decides it."""
LIVE = np.int64(5)
"""Positions in the present level."""
HALF = np.int64(6)
"""Which half of the room for positions the present level is in: 0 or 1."""
NODES = np.int64(7)
"""Nodes of the tree of moves in use; its root is node 0."""
ALIKE = np.int64(8)
"""What a position's score loses when there are better ones of its kind in the level, and again with twice as many."""
NUMBERS_SIZE = np.int64(9)

N_SCORES = np.int64(8192)
MIDDLE = np.int64(4096)
CANDIDATE_WORDS = np.int64(4)
"""A candidate for the next level is the number of its parent in the present one, its move, its score and its kind."""
CHILDREN = 64
"""Room for so many candidates for each position of a level; the rest of a level that has more is left out."""

_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_TOP = np.uint64(34)
_UPPER_31 = np.uint64(33)
START = np.int64(0)


@kernel
def level(
    board, cards, hashes, weights, table, kept, sums, origins, tree, candidates, order, kinds, scores, moves, line,
    numbers, control, stop, deadline,
):  # fmt: skip
    """Go on by one level; return why the search ended, or 0.

    Parameters
    ----------
    board, cards, hashes : ndarray
        The position, see ``layout.py``; any one of the deal.
    weights : ndarray of int64
        See ``evaluate.py``.
    table : ndarray of uint64
        Must have room for as many positions as may be entered.
    kept : ndarray of uint8, sums : ndarray of uint64, origins : ndarray of int32
        Snapshots, fingerprints and nodes of twice `WIDTH` positions: the present level and the next.
    tree : ndarray of int32
        Two words a node: the node before, and the move from there. Must have room for the next level, and for
        all cards of the pack for each of its positions.
    candidates, kinds : ndarray of int32, order, scores : ndarray of int64
        Scratch: candidates for the next level, how many there are of each kind (the size is a power of two), their
        order from the best one on, and how many there are of each score (`N_SCORES`).
    moves : ndarray of int32, line : ndarray of int64
        Scratch: the moves of a position; moves made, each with its undo word.
    numbers : ndarray of int64
        See above.
    control : ndarray of int64, stop : ndarray of uint8, deadline : float
        See :mod:`solitaire_lab.engine.control`.
    """
    here = numbers[HALF] * numbers[WIDTH]
    scores[:] = 0
    look = board[DOMINANCES] & DEAD_ENDS and pays_in_the_tree(board)
    found = np.int64(0)
    for parent in range(here, here + numbers[LIVE]):
        status = poll(control, stop, deadline)
        if status:
            return status
        load(board, cards, hashes, kept, parent * numbers[SNAPSHOT], sums, 2 * parent)
        end = moves_to_try(board, cards, hashes, moves, START)
        if (found + end) * CANDIDATE_WORDS > candidates.size:
            break
        for at in range(end):
            if control[STATES] >= control[MAX_STATES]:
                return OUT_OF_STATES
            length = play(board, cards, hashes, moves[at], numbers[ALWAYS], line)
            if is_won(board):
                grow_tree(tree, numbers, np.int64(origins[parent]), line, length)
                return WON
            new = enter(hashes[SUM], hashes[SUM + 1], table, control)
            if new and not (look and cannot_be_won(board, cards, hashes)):
                noise = (hashes[SUM] ^ np.uint64(numbers[SEED])) * _SPREAD >> _TOP
                score, kind = evaluate(board, cards, hashes, weights)
                score = min(max(MIDDLE + score + np.int64(noise) % numbers[NOISE], np.int64(0)), N_SCORES - 1)
                candidates[found * CANDIDATE_WORDS] = parent
                candidates[found * CANDIDATE_WORDS + 1] = moves[at]
                candidates[found * CANDIDATE_WORDS + 2] = score
                candidates[found * CANDIDATE_WORDS + 3] = np.int64(kind >> _UPPER_31)
                scores[score] += 1
                found += 1
            while length:
                length -= 1
                take_back(board, cards, hashes, line[2 * length], line[2 * length + 1])
            hashes[SUM] = sums[2 * parent]
            hashes[SUM + 1] = sums[2 * parent + 1]
    thin_out(candidates, found, order, kinds, scores, numbers[ALIKE])
    # The lowest score that goes on, and how many of those that have it.
    lowest, left = N_SCORES - 1, numbers[WIDTH]
    while lowest and scores[lowest] < left:
        left -= scores[lowest]
        lowest -= 1
    there = numbers[WIDTH] - here
    live = np.int64(0)
    for at in range(found):
        candidate = order[at] * CANDIDATE_WORDS
        if candidates[candidate + 2] < lowest or (candidates[candidate + 2] == lowest and left == 0):
            continue
        if candidates[candidate + 2] == lowest:
            left -= 1
        origin = np.int64(candidates[candidate])
        load(board, cards, hashes, kept, origin * numbers[SNAPSHOT], sums, 2 * origin)
        length = play(board, cards, hashes, candidates[candidate + 1], numbers[ALWAYS], line)
        origins[there + live] = grow_tree(tree, numbers, np.int64(origins[origin]), line, length)
        save(board, cards, hashes, kept, (there + live) * numbers[SNAPSHOT], sums, 2 * (there + live))
        live += 1
    numbers[LIVE] = live
    numbers[HALF] = 1 - numbers[HALF]
    return np.int64(0) if live else EXHAUSTED


@large_kernel
def thin_out(candidates, found, order, kinds, scores, penalty):
    """Lower the scores of candidates of which there are better ones of the same kind.

    So a level stays varied: many ways to arrange the same would else fill it. Two words of `kinds` hold a kind and how
    many there are of it; kinds that meet in one place are counted anew each time, which makes them look rarer.
    """
    end = np.int64(0)
    for score in range(N_SCORES - 1, -1, -1):
        start = end
        end += scores[score]
        scores[score] = start
    for candidate in range(found):
        score = candidates[candidate * CANDIDATE_WORDS + 2]
        order[scores[score]] = candidate
        scores[score] += 1
    scores[:] = 0
    kinds[:] = 0
    for at in range(found):
        candidate = order[at] * CANDIDATE_WORDS
        kind = np.int64(candidates[candidate + 3])
        place = 2 * kind & (kinds.size - 1)
        if kinds[place] != kind:
            kinds[place] = kind
            kinds[place + 1] = 0
        kinds[place + 1] += 1
        better = penalty * highest(np.uint64(kinds[place + 1]))
        score = max(candidates[candidate + 2] - better, np.int64(0))
        candidates[candidate + 2] = score
        scores[score] += 1


@large_kernel
def play(board, cards, hashes, first, always, line):
    """Make a move and the foundation moves after it that need not be weighed; return how many."""
    length = np.int64(0)
    move = np.int64(first)
    while move >= 0:
        line[2 * length] = move
        line[2 * length + 1] = make(board, cards, hashes, move)
        length += 1
        wanted = hashes[GOING_UP] if always else safe_cards(board, hashes[GOING_UP])
        move = settling_move(board, cards, hashes, wanted, always or waste_may_settle(board))
    return length


@kernel
def grow_tree(tree, numbers, node, line, length):
    """Add a line of moves to a node of the tree; return the last node."""
    for place in range(length):
        new = numbers[NODES]
        tree[2 * new] = node
        tree[2 * new + 1] = line[2 * place]
        numbers[NODES] = new + 1
        node = new
    return node
