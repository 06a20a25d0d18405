"""The search of the 8x8 board: some plies ahead by the evaluation, or to the end exactly.

`null_window` tells only whether a value is above a bound, `principal_variation` finds the value
inside a window, and `search_root` does that for a position whose best move is wanted. Values are
the mover's lead in whole discs. The transposition table is probed first, then the moves are ordered
with as much effort as the size of the search deserves.

Below the selectivity `EXACT` a search also trusts ProbCut: when a shallower search finds a value
far enough outside the window, the deeper one is assumed to agree. How far is a multiple of the
error that `python -m tools.othello.errors` measured on tournament positions.
"""

from __future__ import annotations

import numpy as np
from numba import int64, njit, uint64

from parlour.kernels.compiler import kernel
from parlour.kernels.intrinsics import load, lookup, lowest, popcount, store
from parlour.kernels.othello.board_8x8 import (
    ONE,
    final_score,
    flips_of,
    moves_of,
    odd_quadrants,
    weighted_mobility,
)
from parlour.kernels.othello.endgame import solve_by_mobility, stability_bound
from parlour.kernels.othello.evaluation import (
    UNIT,
    indices_at,
    mobility_value,
    pattern_sum,
    pattern_sum_after,
    set_indices,
    swap_indices,
    update_indices,
    weights_at,
)
from parlour.kernels.othello.transposition import (
    BEST_MOVE,
    FIRST,
    MOVE_WORDS,
    NO_MOVE,
    NO_VALUE,
    NODES,
    SECOND,
    SELECTIVITY,
    add_move,
    bucket_of,
    child_cutoff,
    cost_since,
    count_node,
    cutoff,
    field,
    flips_at,
    hash_move_key,
    is_stopped,
    list_at,
    pick_move,
    prefetch_bucket,
    prefetch_children,
    probe,
    save,
    square_at,
)

INFINITY = int64(1) << int64(30)  # beyond every value in units
HALF = UNIT // int64(2)
STOP_DEPTH = int64(4)  # nearer the leaves a shallow search does not poll the stop flag
ROOT_COST = int64(64)  # more than any other entry can have cost

# A search to the end, by empty squares
MOBILITY_EMPTIES = int64(7)  # up to here `solve_by_mobility` is used
CHILD_CUTOFF_EMPTIES = int64(11)  # from here on the entries of the children are probed
EVALUATION_EMPTIES = int64(12)  # from here on moves are ordered by the evaluation
SEARCH_EMPTIES = int64(18)  # from here on by a search
PROBCUT_EMPTIES = int64(13)  # from here on ProbCut is tried

# A search to a depth
SHALLOW_DEPTH = int64(2)  # up to here no transposition table is used
PROBCUT_DEPTH = int64(4)  # from here on ProbCut is tried
SEARCH_DEPTH = int64(10)  # from here on moves are ordered by a search

# Move ordering

MOBILITY_PENALTY = int64(256)  # of one reply of the opponent, in units
PARITY_BONUS = int64(64)  # of an odd quadrant, half as much as a reply when mobility decides
SQUARE_VALUES = np.array(
    [
        18, 4, 16, 12, 12, 16, 4, 18,
        4, 2, 6, 8, 8, 6, 2, 4,
        16, 6, 14, 10, 10, 14, 6, 16,
        12, 8, 10, 0, 0, 10, 8, 12,
        12, 8, 10, 0, 0, 10, 8, 12,
        16, 6, 14, 10, 10, 14, 6, 16,
        4, 2, 6, 8, 8, 6, 2, 4,
        18, 4, 16, 12, 12, 16, 4, 18,
    ],
    np.int8,
)  # fmt: skip
square_value = lookup("othello.square_value", SQUARE_VALUES)


@njit
def list_moves(own, other, mask, empties, work):
    """Write the moves and their flips into this ply's list; return their number."""
    place = list_at(empties)
    count = int64(0)
    while mask:
        square = lowest(mask)
        mask &= mask - ONE
        add_move(place, square, flips_of(own, other, square), work)
        place += MOVE_WORDS
        count += int64(1)
    return count


@njit
def order_by_mobility(own, other, count, first, second, empties, work):
    """Set the keys by the opponent's mobility, parity, and the square."""
    place = list_at(empties)
    odd = odd_quadrants(~(own | other))
    for _ in range(count):
        square = square_at(place, work)
        flipped = flips_at(place, work)
        move = ONE << uint64(square)
        mine, yours = own ^ flipped ^ move, other ^ flipped
        key = hash_move_key(square, first, second)
        if not key:
            replies = moves_of(yours, mine)
            key = -weighted_mobility(replies) << int64(7)
            key += square_value(square)
            if odd & move:
                key += PARITY_BONUS
        store(work, place, uint64(key))
        place += MOVE_WORDS


@njit
def evaluate_after(own, other, square, flipped, empties, work):
    """Return the evaluation after a move for the next mover, in units of a disc."""
    move = ONE << uint64(square)
    mine, yours = own ^ flipped ^ move, other ^ flipped
    replies, own_next = popcount(moves_of(yours, mine)), popcount(moves_of(mine, yours))
    if replies == int64(0) and own_next == int64(0):
        return final_score(yours, mine) * UNIT
    weights = weights_at(empties - int64(1), work)
    value = pattern_sum_after(indices_at(empties, work), square, flipped, weights)
    return value + mobility_value(replies, own_next, weights)


@njit
def order_by_evaluation(own, other, count, first, second, empties, work):
    """Set the keys by the evaluation after the move and the opponent's mobility."""
    place = list_at(empties)
    for _ in range(count):
        square = square_at(place, work)
        flipped = flips_at(place, work)
        key = hash_move_key(square, first, second)
        if not key:
            move = ONE << uint64(square)
            replies = moves_of(other ^ flipped, own ^ flipped ^ move)
            key = -evaluate_after(own, other, square, flipped, empties, work)
            key -= MOBILITY_PENALTY * weighted_mobility(replies)
        store(work, place, uint64(key))
        place += MOVE_WORDS


@kernel("int64(uint64, uint64, int64, int64, int64, int64, int64)")
def shallow_search(own, other, alpha, beta, depth, empties, work):
    """Return the value in units at this depth, without transposition table.

    The pattern indices of the position must be written.
    """
    count_node(work)
    mask = moves_of(own, other)
    if not mask:
        if not moves_of(other, own):
            return final_score(own, other) * UNIT
        swap_indices(indices_at(empties, work))
        return -shallow_search(other, own, -beta, -alpha, depth, empties, work)
    if depth == int64(0):
        weights = weights_at(empties, work)
        value = pattern_sum(indices_at(empties, work), weights)
        return value + mobility_value(popcount(mask), popcount(moves_of(other, own)), weights)
    if depth >= STOP_DEPTH and is_stopped(work):
        return int64(0)
    best = -INFINITY
    if depth == int64(1):
        while mask:
            square = lowest(mask)
            mask &= mask - ONE
            flipped = flips_of(own, other, square)
            value = -evaluate_after(own, other, square, flipped, empties, work)
            if value > best:
                best = value
                if best >= beta:
                    return best
        return best
    count = list_moves(own, other, mask, empties, work)
    if depth == int64(2):
        order_by_mobility(own, other, count, NO_MOVE, NO_MOVE, empties, work)
    else:
        order_by_evaluation(own, other, count, NO_MOVE, NO_MOVE, empties, work)
    for index in range(count):
        place = pick_move(index, count, empties, work)
        square = square_at(place, work)
        flipped = flips_at(place, work)
        left = empties - int64(1)
        update_indices(indices_at(empties, work), square, flipped, indices_at(left, work))
        value = -shallow_search(
            other ^ flipped, own ^ flipped ^ (ONE << uint64(square)), -beta, -max(alpha, best),
            depth - int64(1), left, work,
        )  # fmt: skip
        if value > best:
            best = value
            if best >= beta:
                return best
    return best


@njit
def order_by_search(own, other, count, first, second, depth, empties, work):
    """Set the keys by a search of this depth after the move and the opponent's mobility."""
    place = list_at(empties)
    left = empties - int64(1)
    for _ in range(count):
        square = square_at(place, work)
        flipped = flips_at(place, work)
        key = hash_move_key(square, first, second)
        if not key:
            move = ONE << uint64(square)
            mine, yours = own ^ flipped ^ move, other ^ flipped
            update_indices(indices_at(empties, work), square, flipped, indices_at(left, work))
            key = -shallow_search(yours, mine, -INFINITY, INFINITY, depth, left, work)
            key -= MOBILITY_PENALTY * weighted_mobility(moves_of(yours, mine))
        store(work, place, uint64(key))
        place += MOVE_WORDS


@njit
def order_moves(own, other, count, first, second, depth, empties, work):
    """Set the keys of this ply's list with the effort that the size of the search deserves."""
    if depth >= empties:
        if empties < EVALUATION_EMPTIES:
            order_by_mobility(own, other, count, first, second, empties, work)
        elif empties < SEARCH_EMPTIES:
            order_by_evaluation(own, other, count, first, second, empties, work)
        else:
            ahead = min((empties - SEARCH_EMPTIES) // int64(2) + int64(1), int64(6))
            order_by_search(own, other, count, first, second, ahead, empties, work)
    elif depth < SEARCH_DEPTH:
        order_by_evaluation(own, other, count, first, second, empties, work)
    else:
        ahead = (depth - SEARCH_DEPTH) // int64(3) + int64(1)
        order_by_search(own, other, count, first, second, ahead, empties, work)


# ProbCut

EXACT = int64(3)  # the selectivity at which ProbCut is not used
# By selectivity, how many hundredths of the standard error a value must lie outside the window
ERROR_FACTORS = np.array([0, 110, 200, 0], np.int64)
error_factor = lookup("othello.error_factors", ERROR_FACTORS)


def _depth_errors():
    """Return, in thousandths, how the error of one depth against a deeper one grows."""
    table = np.zeros((64, 64), np.int16)
    for depth in range(2, 64):
        for shallow in range(1, depth):
            table[depth, shallow] = round(
                1000 * (depth - shallow) ** 0.342 * (shallow + 1) ** -0.330
            )
    return table


def _phase_errors():
    """Return, in hundredths of a disc, how the error shrinks with the number of empty squares."""
    return np.round(100 * np.exp(2.037 - 0.0293 * np.minimum(np.arange(64), 52))).astype(np.int16)


def _end_errors():
    """Return, in hundredths of a disc, the error of a depth against the end, by empty squares."""
    empties, depth = np.ogrid[:64, :64]
    errors = np.exp(2.528 - 0.0132 * empties - 0.334 * np.log(depth + 1))
    return np.round(100 * errors).astype(np.int16)


depth_error = lookup("othello.depth_errors", _depth_errors())
phase_error = lookup("othello.phase_errors", _phase_errors())
end_error = lookup("othello.end_errors", _end_errors())


@njit
def probcut_depth(depth, empties):
    """Return the depth of the shallower search for a search of this depth."""
    if depth >= empties:
        return (empties - int64(10)) // int64(2)
    return int64(2) * (depth // int64(4)) + (depth & int64(1))


@njit
def probcut_margin(depth, shallow, empties, selectivity):
    """Return how far outside the window the shallower value must lie, in whole discs."""
    if depth >= empties:
        error = end_error(empties * int64(64) + shallow)
    else:
        error = phase_error(empties) * depth_error(depth * int64(64) + shallow) // int64(1000)
    return (error_factor(selectivity) * error + int64(5000)) // int64(10000)


# The search


@njit
def to_discs(value):
    """Round units to whole discs, at most 64."""
    return max(int64(-64), min(int64(64), (value + HALF) // UNIT))


@njit
def shallow_null_window(own, other, alpha, depth, empties, work):
    """Search as `null_window` does, at a small depth."""
    bound = alpha * UNIT + HALF
    return to_discs(shallow_search(own, other, bound - int64(1), bound, depth, empties, work))


@njit
def static_value(own, other, empties, work):
    """Return the evaluation in discs; the pattern indices must be written."""
    return to_discs(shallow_search(own, other, -INFINITY, INFINITY, int64(0), empties, work))


@njit
def update_if_used(square, flipped, depth, empties, work):
    """Update the pattern indices for the next ply unless it never evaluates."""
    if empties > EVALUATION_EMPTIES or depth < empties:
        left = empties - int64(1)
        update_indices(indices_at(empties, work), square, flipped, indices_at(left, work))


@kernel("int64(uint64, uint64, int64, int64, int64, int64)")
def null_window(own, other, alpha, depth, empties, work):
    """Return a bound that tells whether the value is above alpha."""
    if depth >= empties:
        if empties <= MOBILITY_EMPTIES:
            return solve_by_mobility(own, other, alpha, empties, work)
    elif depth <= SHALLOW_DEPTH:
        return shallow_null_window(own, other, alpha, depth, empties, work)
    if is_stopped(work):
        return alpha
    count_node(work)
    bucket = bucket_of(own, other, empties, work)
    prefetch_bucket(bucket)
    bound = stability_bound(own, other, alpha, empties)
    if bound <= alpha:
        return bound
    mask = moves_of(own, other)
    if not mask:
        if not moves_of(other, own):
            return final_score(own, other)
        if empties >= EVALUATION_EMPTIES or depth < empties:
            swap_indices(indices_at(empties, work))
        return -null_window(other, own, -alpha - int64(1), depth, empties, work)
    before = load(work, NODES)
    count = list_moves(own, other, mask, empties, work)  # while the bucket is being loaded
    entry = probe(own, other, bucket, work)
    first, second = NO_MOVE, NO_MOVE
    selectivity = int64(load(work, SELECTIVITY))
    if entry:
        bound = cutoff(entry, alpha, alpha + int64(1), depth, selectivity)
        if bound != NO_VALUE:
            return bound
        first, second = field(entry, FIRST), field(entry, SECOND)
    if selectivity < EXACT and (
        empties >= PROBCUT_EMPTIES if depth >= empties else depth >= PROBCUT_DEPTH
    ):
        shallow = probcut_depth(depth, empties)
        width = probcut_margin(depth, shallow, empties, selectivity)
        static = static_value(own, other, empties, work)
        high = alpha + int64(1) + width
        low = alpha - width
        if static >= high - width // int64(2) and high < int64(64):
            bound = null_window(own, other, high - int64(1), shallow, empties, work)
            if bound >= high:
                return alpha + int64(1)
        elif static <= low + width // int64(2) and low > int64(-64):
            bound = null_window(own, other, low, shallow, empties, work)
            if bound <= low:
                return alpha
        count = list_moves(own, other, mask, empties, work)  # ProbCut has used this ply's list
    if empties > MOBILITY_EMPTIES + int64(1):
        prefetch_children(own, other, count, empties, work)
    if empties >= CHILD_CUTOFF_EMPTIES:
        if empties < EVALUATION_EMPTIES:  # cheap ordering, while the buckets are being loaded
            order_moves(own, other, count, first, second, depth, empties, work)
        bound = child_cutoff(own, other, count, alpha, depth, empties, selectivity, work)
        if bound > alpha:
            return bound
    if empties >= EVALUATION_EMPTIES or empties < CHILD_CUTOFF_EMPTIES:
        order_moves(own, other, count, first, second, depth, empties, work)
    best = NO_VALUE
    best_move = NO_MOVE
    below = -alpha - int64(1)
    for index in range(count):
        place = pick_move(index, count, empties, work)
        square = square_at(place, work)
        flipped = flips_at(place, work)
        update_if_used(square, flipped, depth, empties, work)
        yours, mine = other ^ flipped, own ^ flipped ^ ONE << uint64(square)
        value = -null_window(yours, mine, below, depth - int64(1), empties - int64(1), work)
        if value > best:
            best = value
            best_move = square
            if best > alpha:
                break
    if is_stopped(work):
        return alpha
    cost = cost_since(before, work)
    beta = alpha + int64(1)
    save(own, other, bucket, alpha, beta, best, best_move, depth, selectivity, cost, work)
    return best


@kernel("int64(uint64, uint64, int64, int64, int64, int64, int64)")
def principal_variation(own, other, alpha, beta, depth, empties, work):
    """Return the value, if it is inside the window, else a bound."""
    if depth >= empties:
        if empties <= MOBILITY_EMPTIES + int64(1):
            low, high = alpha, beta
            while low < high:  # bisecting by null windows is fast enough at this size
                middle = low + (high - low) // int64(2)
                value = null_window(own, other, middle, depth, empties, work)
                if value > middle:
                    low = value
                else:
                    high = value
            return low
    elif depth <= SHALLOW_DEPTH:
        low, high = alpha * UNIT - HALF, beta * UNIT + HALF
        return to_discs(shallow_search(own, other, low, high, depth, empties, work))
    if is_stopped(work):
        return alpha
    count_node(work)
    mask = moves_of(own, other)
    if not mask:
        if not moves_of(other, own):
            return final_score(own, other)
        if empties >= EVALUATION_EMPTIES or depth < empties:
            swap_indices(indices_at(empties, work))
        return -principal_variation(other, own, -beta, -alpha, depth, empties, work)
    before = load(work, NODES)
    bucket = bucket_of(own, other, empties, work)
    entry = probe(own, other, bucket, work)
    first, second = NO_MOVE, NO_MOVE
    selectivity = int64(load(work, SELECTIVITY))
    if entry:
        bound = cutoff(entry, alpha, beta, depth, selectivity)
        if bound != NO_VALUE:
            return bound
        first, second = field(entry, FIRST), field(entry, SECOND)
    count = list_moves(own, other, mask, empties, work)
    order_moves(own, other, count, first, second, depth, empties, work)
    best = NO_VALUE
    best_move = NO_MOVE
    low = alpha
    for index in range(count):
        place = pick_move(index, count, empties, work)
        square = square_at(place, work)
        flipped = flips_at(place, work)
        yours, mine = other ^ flipped, own ^ flipped ^ ONE << uint64(square)
        rest, left = depth - int64(1), empties - int64(1)
        update_if_used(square, flipped, depth, empties, work)
        if index == int64(0):
            value = -principal_variation(yours, mine, -beta, -low, rest, left, work)
        else:
            value = -null_window(yours, mine, -low - int64(1), rest, left, work)
            if low < value < beta:
                update_if_used(square, flipped, depth, empties, work)
                value = -principal_variation(yours, mine, -beta, -value, rest, left, work)
        if value > best:
            best = value
            best_move = square
            low = max(low, best)
            if best >= beta:
                break
    if is_stopped(work):
        return alpha
    cost = cost_since(before, work)
    save(own, other, bucket, alpha, beta, best, best_move, depth, selectivity, cost, work)
    return best


# Called from Python


@kernel("int64(uint64, uint64, int64, int64, int64, int64, int64)")
def search_root(own, other, alpha, beta, depth, selectivity, work):
    """Search a position with a legal move; its value if inside the window, else a bound.

    `BEST_MOVE` of the block is the move to search first, and afterwards the best found so far. The
    table does not order the moves of the root, since it may hold what other searches found.
    """
    empties = popcount(~(own | other))
    store(work, SELECTIVITY, uint64(selectivity))
    set_indices(own, other, empties, work)
    count_node(work)
    first = int64(load(work, BEST_MOVE))
    count = list_moves(own, other, moves_of(own, other), empties, work)
    order_moves(own, other, count, first, NO_MOVE, depth, empties, work)
    best = NO_VALUE
    low = alpha
    rest, left = depth - int64(1), empties - int64(1)
    for index in range(count):
        place = pick_move(index, count, empties, work)
        square = square_at(place, work)
        flipped = flips_at(place, work)
        yours, mine = other ^ flipped, own ^ flipped ^ ONE << uint64(square)
        update_indices(indices_at(empties, work), square, flipped, indices_at(left, work))
        value = low + int64(1)
        if index > int64(0):
            value = -null_window(yours, mine, -low - int64(1), rest, left, work)
            update_indices(indices_at(empties, work), square, flipped, indices_at(left, work))
        if value > low or index == int64(0):
            value = -principal_variation(yours, mine, -beta, -low, rest, left, work)
        if is_stopped(work):
            return best
        if value > best:
            best = value
            store(work, BEST_MOVE, uint64(square))
            low = max(low, best)
            if best >= beta:
                break
    bucket = bucket_of(own, other, empties, work)
    move = int64(load(work, BEST_MOVE))
    save(own, other, bucket, alpha, beta, best, move, depth, selectivity, ROOT_COST, work)
    return best


@kernel("int64(uint64, uint64, int64, int64, int64, int64)")
def search_null_window(own, other, alpha, depth, selectivity, work):
    """Call `null_window` for a position that no search has led to."""
    empties = popcount(~(own | other))
    store(work, SELECTIVITY, uint64(selectivity))
    set_indices(own, other, empties, work)
    return null_window(own, other, alpha, depth, empties, work)


@kernel("int64(uint64, uint64, int64)")
def evaluate(own, other, work):
    """Return the static value of a position in discs."""
    empties = popcount(~(own | other))
    set_indices(own, other, empties, work)
    return static_value(own, other, empties, work)


@kernel("int64(uint64, uint64, int64)")
def hash_move(own, other, work):
    """Return the best move according to the transposition table, or `NO_MOVE`."""
    entry = probe(own, other, bucket_of(own, other, popcount(~(own | other)), work), work)
    return field(entry, FIRST) if entry else NO_MOVE
