"""The search itself: so many plies ahead by the evaluation, or to the end of the game exactly.

`above` asks of a position only whether its value is above a bound, `between` asks for the value
inside two bounds, `root` does that for a position whose best move is wanted. Values are the mover's
lead in whole discs. The hash is asked first, then the moves are sorted as well as the size of the
search deserves. Below the level `EXACT` a search trusts a likely cut: a shallower search whose
value lies so far outside the bounds that the deeper one hardly lies within.
"""

from __future__ import annotations

from numba import int64, njit, uint64

from parlour.kernels.compiler import kernel
from parlour.kernels.intrinsics import load, popcount, store
from parlour.kernels.othello.endgame import few, stable_bound
from parlour.kernels.othello.evaluation import UNIT, carry_views, set_views, swap_views, views_at
from parlour.kernels.othello.flips import ONE, moves_of, settled
from parlour.kernels.othello.ordering import (
    ENDLESS,
    glance,
    judge_deeply,
    judge_quickly,
    judge_statically,
    list_moves,
)
from parlour.kernels.othello.probcut import EXACT, margin, shallower
from parlour.kernels.othello.transposition import (
    BEST,
    DEPTH,
    FIRST,
    LEVEL,
    LEVEL_NOW,
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
HELPED = int64(11)  # from so many on the hash is asked about every child first
JUDGED = int64(12)  # from so many on the evaluation sorts the moves of an exact search
LOOKED = int64(18)  # and from so many on a search with it
GLANCED = int64(2)  # so many plies are searched without hash
SORTED = int64(10)  # from so many plies on moves are sorted by a search
HALF = UNIT // int64(2)

LIKELY_EMPTIES = int64(13)  # from so many on likely cuts are tried in a search to the end
ROOT_COST = int64(64)  # more than any other entry can have cost
LIKELY_DEPTH = int64(4)  # and from so many plies on in one that ends before


@njit
def to_discs(value):
    """Units as whole discs, which no board has more of than 64."""
    return max(int64(-64), min(int64(64), (value + HALF) // UNIT))


@njit
def above_at_a_glance(own, other, alpha, depth, empties, work):
    """The same as `above`, for few plies."""
    bound = alpha * UNIT + HALF
    return to_discs(glance(own, other, bound - int64(1), bound, depth, empties, work))


@njit
def carry(square, turned, depth, empties, work):
    """Bring the views to the next ply if they are used there."""
    if empties > JUDGED or depth < empties:
        carry_views(views_at(empties, work), square, turned, views_at(empties - int64(1), work))


@njit
def judge(own, other, listed, first, second, depth, empties, work):
    """Sort this ply's list as well as its size deserves."""
    if depth >= empties:
        if empties < JUDGED:
            judge_quickly(own, other, listed, first, second, empties, work)
        elif empties < LOOKED:
            judge_statically(own, other, listed, first, second, empties, work)
        else:
            ahead = min((empties - LOOKED) // int64(2) + int64(1), int64(6))
            judge_deeply(own, other, listed, first, second, ahead, empties, work)
    elif depth < SORTED:
        judge_statically(own, other, listed, first, second, empties, work)
    else:
        ahead = (depth - SORTED) // int64(3) + int64(1)
        judge_deeply(own, other, listed, first, second, ahead, empties, work)


@kernel("int64(uint64, uint64, int64, int64, int64, int64)")
def above(own, other, alpha, depth, empties, work):
    """Is the value above alpha? What comes back is a bound that says so."""
    if depth >= empties:
        if empties <= FEW:
            return few(own, other, alpha, empties, work)
    elif depth <= GLANCED:
        return above_at_a_glance(own, other, alpha, depth, empties, work)
    if stopped(work):
        return alpha
    count_node(work)
    place = bucket_of(own, other, empties, work)
    fetch(place)
    bound = stable_bound(own, other, alpha, empties)
    if bound <= alpha:
        return bound
    mask = moves_of(own, other)
    if not mask:
        if not moves_of(other, own):
            return settled(own, other)
        if empties >= JUDGED or depth < empties:
            swap_views(views_at(empties, work))
        return -above(other, own, -alpha - int64(1), depth, empties, work)
    before = load(work, NODES)
    listed = list_moves(own, other, mask, empties, work)  # while the memory answers
    known = recall(own, other, place, work)
    first, second = NOWHERE, NOWHERE
    level = int64(load(work, LEVEL_NOW))
    if known:
        if field(known, LEVEL) >= level and field(known, DEPTH) >= depth:
            bound = field(known, LOWER) - int64(64)
            if bound > alpha:
                return bound
            bound = field(known, UPPER) - int64(64)
            if bound <= alpha:
                return bound
        first, second = field(known, FIRST), field(known, SECOND)
    if level < EXACT and (empties >= LIKELY_EMPTIES if depth >= empties else depth >= LIKELY_DEPTH):
        shallow = shallower(depth, empties)
        width = margin(depth, shallow, empties, level)
        static = to_discs(glance(own, other, -ENDLESS, ENDLESS, int64(0), empties, work))
        high = alpha + int64(1) + width
        low = alpha - width
        if static >= high - width // int64(2) and high < int64(64):
            bound = above(own, other, high - int64(1), shallow, empties, work)
            if bound >= high:
                return alpha + int64(1)
        elif static <= low + width // int64(2) and low > int64(-64):
            bound = above(own, other, low, shallow, empties, work)
            if bound <= low:
                return alpha
        listed = list_moves(own, other, mask, empties, work)  # its row was used for that
    if empties > FEW + int64(1):
        fetch_children(own, other, listed, empties, work)
    if empties >= HELPED:
        if empties < JUDGED:  # the memory answers while the moves are judged
            judge(own, other, listed, first, second, depth, empties, work)
        bound = known_cut(own, other, listed, alpha, depth, empties, level, work)
        if bound > alpha:
            return bound
    if empties >= JUDGED or empties < HELPED:
        judge(own, other, listed, first, second, depth, empties, work)
    best = NONE
    best_move = NOWHERE
    below = -alpha - int64(1)
    for index in range(listed):
        here = next_move(index, listed, empties, work)
        square = int64(load(work, here + int64(1)))
        turned = load(work, here + int64(2))
        carry(square, turned, depth, empties, work)
        yours, mine = other ^ turned, own ^ turned ^ ONE << uint64(square)
        value = -above(yours, mine, below, depth - int64(1), empties - int64(1), work)
        if value > best:
            best = value
            best_move = square
            if best > alpha:
                break
    if stopped(work):
        return alpha
    cost = cost_of(before, work)
    remember(own, other, place, alpha, alpha + int64(1), best, best_move, depth, level, cost, work)
    return best


@kernel("int64(uint64, uint64, int64, int64, int64, int64, int64)")
def between(own, other, alpha, beta, depth, empties, work):
    """The value, exactly so far as this depth and level are, if it lies between the bounds."""
    if depth >= empties:
        if empties <= FEW + int64(1):
            low, high = alpha, beta
            while low < high:  # a few null windows are enough at this size
                middle = low + (high - low) // int64(2)
                value = above(own, other, middle, depth, empties, work)
                if value > middle:
                    low = value
                else:
                    high = value
            return low
    elif depth <= GLANCED:
        low, high = alpha * UNIT - HALF, beta * UNIT + HALF
        return to_discs(glance(own, other, low, high, depth, empties, work))
    if stopped(work):
        return alpha
    count_node(work)
    mask = moves_of(own, other)
    if not mask:
        if not moves_of(other, own):
            return settled(own, other)
        if empties >= JUDGED or depth < empties:
            swap_views(views_at(empties, work))
        return -between(other, own, -beta, -alpha, depth, empties, work)
    before = load(work, NODES)
    place = bucket_of(own, other, empties, work)
    known = recall(own, other, place, work)
    first, second = NOWHERE, NOWHERE
    level = int64(load(work, LEVEL_NOW))
    if known:
        if field(known, LEVEL) >= level and field(known, DEPTH) >= depth:
            low, high = field(known, LOWER) - int64(64), field(known, UPPER) - int64(64)
            if low == high or low >= beta:
                return low
            if high <= alpha:
                return high
        first, second = field(known, FIRST), field(known, SECOND)
    listed = list_moves(own, other, mask, empties, work)
    judge(own, other, listed, first, second, depth, empties, work)
    best = NONE
    best_move = NOWHERE
    low = alpha
    for index in range(listed):
        here = next_move(index, listed, empties, work)
        square = int64(load(work, here + int64(1)))
        turned = load(work, here + int64(2))
        yours, mine = other ^ turned, own ^ turned ^ ONE << uint64(square)
        rest, left = depth - int64(1), empties - int64(1)
        carry(square, turned, depth, empties, work)
        if index == int64(0):
            value = -between(yours, mine, -beta, -low, rest, left, work)
        else:
            value = -above(yours, mine, -low - int64(1), rest, left, work)
            if low < value < beta:
                carry(square, turned, depth, empties, work)
                value = -between(yours, mine, -beta, -value, rest, left, work)
        if value > best:
            best = value
            best_move = square
            low = max(low, best)
            if best >= beta:
                break
    if stopped(work):
        return alpha
    cost = cost_of(before, work)
    remember(own, other, place, alpha, beta, best, best_move, depth, level, cost, work)
    return best


@kernel("int64(uint64, uint64, int64, int64, int64, int64, int64)")
def root(own, other, alpha, beta, depth, level, work):
    """The value between the bounds of a position whose mover can move, so many plies ahead.

    The block's `BEST` is the move to look at first, and then the best of those looked at so far.
    The hash has no say in the order, for it may hold what others found.
    """
    empties = popcount(~(own | other))
    store(work, LEVEL_NOW, uint64(level))
    set_views(own, other, empties, work)
    count_node(work)
    first = int64(load(work, BEST))
    listed = list_moves(own, other, moves_of(own, other), empties, work)
    judge(own, other, listed, first, NOWHERE, depth, empties, work)
    best = NONE
    low = alpha
    rest, left = depth - int64(1), empties - int64(1)
    for index in range(listed):
        here = next_move(index, listed, empties, work)
        square = int64(load(work, here + int64(1)))
        turned = load(work, here + int64(2))
        yours, mine = other ^ turned, own ^ turned ^ ONE << uint64(square)
        carry_views(views_at(empties, work), square, turned, views_at(left, work))
        value = low + int64(1)
        if index > int64(0):
            value = -above(yours, mine, -low - int64(1), rest, left, work)
            carry_views(views_at(empties, work), square, turned, views_at(left, work))
        if value > low or index == int64(0):
            value = -between(yours, mine, -beta, -low, rest, left, work)
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
    remember(own, other, place, alpha, beta, best, move, depth, level, ROOT_COST, work)
    return best


@kernel("int64(uint64, uint64, int64, int64, int64, int64)")
def ask(own, other, alpha, depth, level, work):
    """`above`, for a position that no search has led to."""
    empties = popcount(~(own | other))
    store(work, LEVEL_NOW, uint64(level))
    set_views(own, other, empties, work)
    return above(own, other, alpha, depth, empties, work)


@kernel("int64(uint64, uint64, int64)")
def evaluate(own, other, work):
    """The value of a position as it stands."""
    empties = popcount(~(own | other))
    set_views(own, other, empties, work)
    return to_discs(glance(own, other, -ENDLESS, ENDLESS, int64(0), empties, work))


@kernel("int64(uint64, uint64, int64)")
def expected(own, other, work):
    """The square that the hash expects the mover to take, or `NOWHERE`."""
    known = recall(own, other, bucket_of(own, other, popcount(~(own | other)), work), work)
    return field(known, FIRST) if known else NOWHERE
