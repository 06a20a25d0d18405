"""The search of Othello on any board of at most 64 squares: so many plies ahead, or to the end.

`above` asks of a position only whether its value is above a bound, `between` asks for the value
inside two bounds, `search` does that for a position whose best move is wanted. Values are the
mover's lead in whole discs. When the plies reach the end of the game, what is found is proven.
"""

from __future__ import annotations

from numba import int64, njit, uint64

from parlour.kernels.compiler import kernel
from parlour.kernels.intrinsics import load, store
from parlour.kernels.othello.anysize.board import empties_on, moves_on, settled, unlike
from parlour.kernels.othello.anysize.endgame import few, stable_bound
from parlour.kernels.othello.anysize.evaluation import DISC_UNITS
from parlour.kernels.othello.anysize.ordering import glance, judge_deeply, judge_quickly, list_moves
from parlour.kernels.othello.flips import ONE
from parlour.kernels.othello.transposition import (
    BEST,
    DEPTH,
    FIRST,
    LOWER,
    NODES,
    NONE,
    NOWHERE,
    SECOND,
    UPPER,
    bucket_of,
    cost_of,
    count_node,
    fetch,
    fetch_children,
    field,
    known_cut,
    next_move,
    recall,
    remember,
    stopped,
)

FEW = int64(7)  # so many empty squares are searched without hash
GLANCED = int64(3)  # and so many plies
HELPED = int64(10)  # from so many empty squares on the hash is asked about every child first
JUDGED = int64(11)  # from so many on the judgement sorts the moves of a search to the end
LOOKED = int64(14)  # and from so many on a search with it
SORTED = int64(6)  # from so many plies on moves are sorted by a search
SURE = int64(1)  # the level of all that is known here: nothing is only likely
HALF = DISC_UNITS // int64(2)


@njit
def to_discs(value):
    """Units as whole discs."""
    return (value + HALF) // DISC_UNITS


@njit
def judge(own, other, listed, first, second, depth, empties, board, work):
    """Sort this ply's list as well as the size of the search deserves."""
    if depth < empties:
        ahead = int64(0) if depth < SORTED else (depth - SORTED) // int64(3) + int64(1)
    elif empties < JUDGED:
        judge_quickly(own, other, listed, first, second, empties, board, work)
        return
    else:
        ahead = int64(0) if empties < LOOKED else (empties - LOOKED) // int64(2) + int64(1)
    judge_deeply(own, other, listed, first, second, ahead, empties, board, work)


@kernel("int64(uint64, uint64, int64, int64, int64, int64, int64)")
def above(own, other, alpha, depth, empties, board, work):
    """Is the value above alpha? What comes back is a bound that says so."""
    if depth >= empties:
        if empties <= FEW:
            return few(own, other, alpha, empties, board, work)
    elif depth <= GLANCED:
        bound = alpha * DISC_UNITS + HALF
        return to_discs(glance(own, other, bound - int64(1), bound, depth, empties, board, work))
    if stopped(work):
        return alpha
    count_node(work)
    place = bucket_of(own, other, empties, work)
    fetch(place)
    bound = stable_bound(own, other, alpha, board)
    if bound <= alpha:
        return bound
    mask = moves_on(own, other, board)
    if not mask:
        if not moves_on(other, own, board):
            return settled(own, other, board)
        return -above(other, own, -alpha - int64(1), depth, empties, board, work)
    before = load(work, NODES)
    listed = list_moves(own, other, mask, empties, board, work)  # while the memory answers
    known = recall(own, other, place, work)
    first, second = NOWHERE, NOWHERE
    if known:
        if field(known, DEPTH) >= depth:
            bound = field(known, LOWER) - int64(64)
            if bound > alpha:
                return bound
            bound = field(known, UPPER) - int64(64)
            if bound <= alpha:
                return bound
        first, second = field(known, FIRST), field(known, SECOND)
    if empties > FEW + int64(1):
        fetch_children(own, other, listed, empties, work)
    if empties >= HELPED:
        bound = known_cut(own, other, listed, alpha, depth, empties, SURE, work)
        if bound > alpha:
            return bound
    judge(own, other, listed, first, second, depth, empties, board, work)
    best = NONE
    best_move = NOWHERE
    below = -alpha - int64(1)
    rest, left = depth - int64(1), empties - int64(1)
    for index in range(listed):
        here = next_move(index, listed, empties, work)
        square = int64(load(work, here + int64(1)))
        turned = load(work, here + int64(2))
        yours, mine = other ^ turned, own ^ turned ^ ONE << uint64(square)
        value = -above(yours, mine, below, rest, left, board, work)
        if value > best:
            best = value
            best_move = square
            if best > alpha:
                break
    if stopped(work):
        return alpha
    cost = cost_of(before, work)
    remember(own, other, place, alpha, alpha + int64(1), best, best_move, depth, SURE, cost, work)
    return best


@kernel("int64(uint64, uint64, int64, int64, int64, int64, int64, int64)")
def between(own, other, alpha, beta, depth, empties, board, work):
    """The value, as exact as this depth makes it, if it lies between the bounds."""
    if depth < empties and depth <= GLANCED:
        low, high = alpha * DISC_UNITS - HALF, beta * DISC_UNITS + HALF
        return to_discs(glance(own, other, low, high, depth, empties, board, work))
    if stopped(work):
        return alpha
    count_node(work)
    mask = moves_on(own, other, board)
    if not mask:
        if not moves_on(other, own, board):
            return settled(own, other, board)
        return -between(other, own, -beta, -alpha, depth, empties, board, work)
    before = load(work, NODES)
    place = bucket_of(own, other, empties, work)
    known = recall(own, other, place, work)
    first, second = NOWHERE, NOWHERE
    if known:
        if field(known, DEPTH) >= depth:
            low, high = field(known, LOWER) - int64(64), field(known, UPPER) - int64(64)
            if low == high or low >= beta:
                return low
            if high <= alpha:
                return high
        first, second = field(known, FIRST), field(known, SECOND)
    listed = list_moves(own, other, mask, empties, board, work)
    judge(own, other, listed, first, second, depth, empties, board, work)
    best = NONE
    best_move = NOWHERE
    low = alpha
    rest, left = depth - int64(1), empties - int64(1)
    for index in range(listed):
        here = next_move(index, listed, empties, work)
        square = int64(load(work, here + int64(1)))
        turned = load(work, here + int64(2))
        yours, mine = other ^ turned, own ^ turned ^ ONE << uint64(square)
        value = low + int64(1)
        if index > int64(0):
            value = -above(yours, mine, -low - int64(1), rest, left, board, work)
        if index == int64(0) or low < value < beta:
            value = -between(yours, mine, -beta, -low, rest, left, board, work)
        if value > best:
            best = value
            best_move = square
            low = max(low, best)
            if best >= beta:
                break
    if stopped(work):
        return alpha
    cost = cost_of(before, work)
    remember(own, other, place, alpha, beta, best, best_move, depth, SURE, cost, work)
    return best


@kernel("int64(uint64, uint64, int64, int64, int64, int64, int64)")
def search(own, other, alpha, beta, depth, board, work):
    """The value between the bounds of a position whose mover can move, so many plies ahead.

    The block's `BEST` is the move to look at first, and then the best of those looked at so far.
    Of moves that are mirror images of each other one is looked at. Once the search is stopped, what
    comes back means nothing.
    """
    empties = empties_on(own, other, board)
    depth = min(depth, empties)
    mask = moves_on(own, other, board)
    if not mask or depth == int64(0):
        return between(own, other, alpha, beta, depth, empties, board, work)
    count_node(work)
    first = int64(load(work, BEST))
    listed = list_moves(own, other, unlike(own, other, mask, board), empties, board, work)
    judge(own, other, listed, first, NOWHERE, depth, empties, board, work)
    best = NONE
    low = alpha
    rest, left = depth - int64(1), empties - int64(1)
    for index in range(listed):
        here = next_move(index, listed, empties, work)
        square = int64(load(work, here + int64(1)))
        turned = load(work, here + int64(2))
        yours, mine = other ^ turned, own ^ turned ^ ONE << uint64(square)
        value = low + int64(1)
        if index > int64(0):
            value = -above(yours, mine, -low - int64(1), rest, left, board, work)
        if value > low or index == int64(0):
            value = -between(yours, mine, -beta, -low, rest, left, board, work)
        if stopped(work):
            return best
        if value > best:
            best = value
            store(work, BEST, uint64(square))
            low = max(low, best)
            if best >= beta:
                break
    place = bucket_of(own, other, empties, work)
    move = int64(load(work, BEST))
    cost = cost_of(uint64(0), work)
    remember(own, other, place, alpha, beta, best, move, depth, SURE, cost, work)
    return best


@kernel("int64(uint64, uint64, int64, int64)")
def expected(own, other, board, work):
    """The square that the hash expects the mover to take, or `NOWHERE`."""
    known = recall(own, other, bucket_of(own, other, empties_on(own, other, board), work), work)
    return field(known, FIRST) if known else NOWHERE
