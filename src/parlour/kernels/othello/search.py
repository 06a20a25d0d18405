"""The search: some plies ahead by the evaluation, or to the end exactly.

`null_window` tells only whether a value is above a bound, `principal_variation` finds the value
inside a window, and `search_root` does that for a position whose best move is wanted. Values are
the mover's lead in whole discs. The transposition table is probed first, then the moves are ordered
with as much effort as the size of the search deserves.

One search serves every board. On 8x8, where `board` is None, it evaluates by patterns, whose
indices are updated from ply to ply; elsewhere by features of the position alone.

Below the selectivity `EXACT` a search also trusts ProbCut: when a shallower search finds a value
far enough outside the window, the deeper one is assumed to agree. How far is a multiple of the
error that `python -m tools.othello.errors` measured on tournament positions of the 8x8 board.

With `FEW_MOVES` a search to a depth extends the lines in which a side has few moves: such a ply
costs no depth, so a line may be followed far beyond that depth, even to the end of the game.
"""

from __future__ import annotations

import numpy as np
from numba import int64, uint64

from parlour.kernels.compiler import helper, kernel
from parlour.kernels.intrinsics import load, lookup, lowest, popcount, store
from parlour.kernels.othello.bitboard import (
    ONE,
    UNIT,
    distinct_moves,
    empty_squares,
    evaluate_features,
    final_score,
    flips_and_replies,
    inlined,
    moves_of,
    odd_quadrants,
    weighted_mobility,
)
from parlour.kernels.othello.endgame import solve_by_mobility, stability_bound
from parlour.kernels.othello.evaluation import (
    indices_at,
    moves_value,
    pattern_sum,
    pattern_sum_after,
    set_indices,
    swap_indices,
    update_indices,
    weights_at,
)
from parlour.kernels.othello.sharing import cutoff_by_now, enter, leave, pick_next, shared_at
from parlour.kernels.othello.transposition import (
    BEST_MOVE,
    FEW_MOVES,
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
    move_at,
    pick_move,
    prefetch_bucket,
    prefetch_children,
    probe,
    replies_at,
    save,
    set_key,
    square_at,
)


def make_constant(on_8x8, elsewhere):
    """Return a compiled function that gives one number for the 8x8 board, and one for others."""

    @inlined
    def number(board):
        return int64(on_8x8) if board is None else int64(elsewhere)

    return number


INFINITY = int64(1) << int64(30)  # beyond every value in units
HALF = UNIT // int64(2)
STOP_DEPTH = int64(4)  # nearer the leaves a shallow search does not poll the stop flag
ROOT_COST = int64(64)  # more than any other entry can have cost

# A search to the end, by empty squares
MOBILITY_EMPTIES = int64(7)  # up to here `solve_by_mobility` is used
PROBCUT_EMPTIES = int64(13)  # from here on ProbCut is tried
child_cutoff_empties = make_constant(11, 10)  # from here on the entries of the children are probed
evaluation_empties = make_constant(13, 11)  # from here on moves are ordered by the evaluation
search_empties = make_constant(18, 14)  # from here on by a search
max_ordering_depth = make_constant(6, 26)  # of that search

# A search to a depth
PROBCUT_DEPTH = int64(4)  # from here on ProbCut is tried
shallow_depth = make_constant(2, 3)  # up to here no transposition table is used
search_depth = make_constant(10, 6)  # from here on moves are ordered by a search
shallow_evaluation_depth = make_constant(
    3, 99
)  # from here on a shallow search orders by the evaluation

# Evaluation


@helper
def prepare_evaluation(own, other, empties, board, work):
    """Prepare the evaluation of a position that no search has led to."""
    if board is None:
        set_indices(own, other, empties, work)


@helper
def update_evaluation(square, flipped, empties, board, work):
    """Prepare the evaluation of the next ply after a move."""
    if board is None:
        after = indices_at(empties - int64(1), work)
        update_indices(indices_at(empties, work), square, flipped, after)


@helper
def swap_evaluation(empties, board, work):
    """Prepare the evaluation after a pass."""
    if board is None:
        swap_indices(indices_at(empties, work))


@helper
def evaluate(own, other, mask, empties, board, work):
    """Return the evaluation in units of a disc, given the legal moves; there must be one."""
    replies = moves_of(other, own, board)
    if board is not None:
        return evaluate_features(own, other, mask, replies, empties, board)
    weights = weights_at(empties, work)
    value = pattern_sum(indices_at(empties, work), weights)
    return value + moves_value(empty_squares(own, other, board), mask, replies, weights)


@helper
def evaluate_after(own, other, square, flipped, replies, empties, board, work):
    """Return the evaluation after a move for the next mover, in units of a disc."""
    mine, yours = own ^ flipped ^ ONE << uint64(square), other ^ flipped
    own_next = moves_of(mine, yours, board)
    if not replies | own_next:
        return final_score(yours, mine, board) * UNIT
    left = empties - int64(1)
    if board is not None:
        if replies:
            return evaluate_features(yours, mine, replies, own_next, left, board)
        return -evaluate_features(mine, yours, own_next, replies, left, board)
    weights = weights_at(left, work)
    value = pattern_sum_after(indices_at(empties, work), square, flipped, weights)
    empty = empty_squares(yours, mine, board)
    return value + moves_value(empty, replies, own_next, weights)


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


@helper
def list_moves(own, other, mask, empties, board, work):
    """Write the moves, their flips and the replies into this ply's list; return their number."""
    place = move_at(int64(0), empties)
    count = int64(0)
    while mask:
        square = lowest(mask)
        mask &= mask - ONE
        flipped, replies = flips_and_replies(own, other, square, board)
        add_move(place, square, flipped, replies, work)
        place += MOVE_WORDS
        count += int64(1)
    return count


@helper
def order_by_mobility(own, other, count, first, second, empties, board, work):
    """Set the keys by the opponent's mobility, parity, and on 8x8 the square."""
    odd = odd_quadrants(empty_squares(own, other, board), board)
    for index in range(count):
        place = move_at(index, empties)
        square = square_at(place, work)
        key = hash_move_key(square, first, second)
        if not key:
            key = -weighted_mobility(replies_at(place, work), board) << int64(7)
            if board is None:
                key += square_value(square)
            if odd >> uint64(square) & ONE:
                key += PARITY_BONUS
        set_key(key, index, empties, work)


@helper
def order_by_evaluation(own, other, count, first, second, empties, board, work):
    """Set the keys by the evaluation after the move and the opponent's mobility."""
    for index in range(count):
        place = move_at(index, empties)
        square = square_at(place, work)
        key = hash_move_key(square, first, second)
        if not key:
            flipped, replies = flips_at(place, work), replies_at(place, work)
            key = -evaluate_after(own, other, square, flipped, replies, empties, board, work)
            key -= MOBILITY_PENALTY * weighted_mobility(replies, board)
        set_key(key, index, empties, work)


@helper
def depth_after(mask, depth, empties, work):
    """Return the depth that is left after one of these moves."""
    if depth < empties and popcount(mask) <= int64(load(work, FEW_MOVES)):
        return depth
    return depth - int64(1)


@helper
def shallow_search(own, other, mask, alpha, beta, depth, empties, board, work):
    """Return the value in units at this depth, without transposition table, given the legal moves.

    The evaluation of the position must be prepared.
    """
    count_node(work)
    if not mask:
        mask = moves_of(other, own, board)
        if not mask:
            return final_score(own, other, board) * UNIT
        swap_evaluation(empties, board, work)
        return -shallow_search(other, own, mask, -beta, -alpha, depth, empties, board, work)
    if depth == int64(0):
        return evaluate(own, other, mask, empties, board, work)
    if depth >= STOP_DEPTH and is_stopped(work):
        return int64(0)
    best = -INFINITY
    if depth == int64(1):
        while mask:
            square = lowest(mask)
            mask &= mask - ONE
            flipped, replies = flips_and_replies(own, other, square, board)
            value = -evaluate_after(own, other, square, flipped, replies, empties, board, work)
            if value > best:
                best = value
                if best >= beta:
                    break
        return best
    rest = depth_after(mask, depth, empties, work)
    count = list_moves(own, other, mask, empties, board, work)
    if depth < shallow_evaluation_depth(board):
        order_by_mobility(own, other, count, NO_MOVE, NO_MOVE, empties, board, work)
    else:
        order_by_evaluation(own, other, count, NO_MOVE, NO_MOVE, empties, board, work)
    for _ in range(count):
        place = pick_move(count, empties, work)
        square, flipped = square_at(place, work), flips_at(place, work)
        update_evaluation(square, flipped, empties, board, work)
        value = -shallow_search(
            other ^ flipped, own ^ flipped ^ ONE << uint64(square), replies_at(place, work),
            -beta, -max(alpha, best), rest, empties - int64(1), board, work,
        )  # fmt: skip
        if value > best:
            best = value
            if best >= beta:
                break
    return best


@helper
def order_by_search(own, other, count, first, second, depth, empties, board, work):
    """Set the keys by a search of this depth after the move and the opponent's mobility."""
    left = empties - int64(1)
    for index in range(count):
        place = move_at(index, empties)
        square = square_at(place, work)
        key = hash_move_key(square, first, second)
        if not key:
            flipped, replies = flips_at(place, work), replies_at(place, work)
            mine, yours = own ^ flipped ^ ONE << uint64(square), other ^ flipped
            update_evaluation(square, flipped, empties, board, work)
            key = -shallow_search(
                yours, mine, replies, -INFINITY, INFINITY, depth, left, board, work
            )
            key -= MOBILITY_PENALTY * weighted_mobility(replies, board)
        set_key(key, index, empties, work)


@helper
def order_moves(own, other, count, first, second, depth, empties, board, work):
    """Set the keys of this ply's list with the effort that the size of the search deserves."""
    ahead = int64(0)
    if depth < empties:
        if depth >= search_depth(board):
            ahead = (depth - search_depth(board)) // int64(3) + int64(1)
    elif empties < evaluation_empties(board):
        order_by_mobility(own, other, count, first, second, empties, board, work)
        return
    elif empties >= search_empties(board):
        ahead = (empties - search_empties(board)) // int64(2) + int64(1)
        ahead = min(ahead, max_ordering_depth(board))
    if ahead:
        order_by_search(own, other, count, first, second, ahead, empties, board, work)
    else:
        order_by_evaluation(own, other, count, first, second, empties, board, work)


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
            error = (depth - shallow) ** 0.324 * (shallow + 1) ** -0.380
            table[depth, shallow] = round(1000 * error)
    return table


def _phase_errors():
    """Return, in hundredths of a disc, how the error shrinks with the number of empty squares."""
    return np.round(100 * np.exp(2.035 - 0.0272 * np.minimum(np.arange(64), 52))).astype(np.int16)


def _end_errors():
    """Return, in hundredths of a disc, the error of a depth against the end, by empty squares."""
    empties, depth = np.ogrid[:64, :64]
    errors = np.exp(2.392 - 0.0055 * empties - 0.335 * np.log(depth + 1))
    return np.round(100 * errors).astype(np.int16)


depth_error = lookup("othello.depth_errors", _depth_errors())
phase_error = lookup("othello.phase_errors", _phase_errors())
end_error = lookup("othello.end_errors", _end_errors())


@helper
def probcut_depth(depth, empties):
    """Return the depth of the shallower search for a search of this depth."""
    if depth >= empties:
        return (empties - int64(10)) // int64(2)
    return int64(2) * (depth // int64(4)) + (depth & int64(1))


@helper
def probcut_margin(depth, shallow, empties, selectivity):
    """Return how far outside the window the shallower value must lie, in whole discs."""
    if depth >= empties:
        error = end_error(empties * int64(64) + shallow)
    else:
        error = phase_error(empties) * depth_error(depth * int64(64) + shallow) // int64(1000)
    return (error_factor(selectivity) * error + int64(5000)) // int64(10000)


# The search


@helper
def to_discs(value):
    """Round units to whole discs, at most 64."""
    return max(int64(-64), min(int64(64), (value + HALF) // UNIT))


@helper
def update_if_used(square, flipped, depth, empties, board, work):
    """Prepare the evaluation of the next ply unless it never evaluates."""
    if empties > evaluation_empties(board) or depth < empties:
        update_evaluation(square, flipped, empties, board, work)


@helper
def swap_if_used(depth, empties, board, work):
    """Prepare the evaluation after a pass unless this ply never evaluates."""
    if empties >= evaluation_empties(board) or depth < empties:
        swap_evaluation(empties, board, work)


@helper
def null_window(own, other, mask, alpha, depth, empties, board, work):
    """Return a bound that tells whether the value is above alpha, given the legal moves."""
    if depth >= empties:
        if empties <= MOBILITY_EMPTIES:
            return solve_by_mobility(own, other, mask, alpha, empties, board, work)
    elif depth <= shallow_depth(board):
        high = alpha * UNIT + HALF
        low = high - int64(1)
        value = shallow_search(own, other, mask, low, high, depth, empties, board, work)
        return to_discs(value)
    if is_stopped(work):
        return alpha
    count_node(work)
    bucket = bucket_of(own, other, empties, work)
    prefetch_bucket(bucket)
    bound = stability_bound(own, other, alpha, empties, board)
    if bound <= alpha:
        return bound
    if not mask:
        mask = moves_of(other, own, board)
        if not mask:
            return final_score(own, other, board)
        swap_if_used(depth, empties, board, work)
        return -null_window(other, own, mask, -alpha - int64(1), depth, empties, board, work)
    before = load(work, NODES)
    count = list_moves(own, other, mask, empties, board, work)  # while the bucket is being loaded
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
        static = to_discs(
            shallow_search(own, other, mask, -INFINITY, INFINITY, int64(0), empties, board, work)
        )
        high = alpha + int64(1) + width
        low = alpha - width
        if static >= high - width // int64(2) and high < int64(64):
            bound = null_window(own, other, mask, high - int64(1), shallow, empties, board, work)
            if bound >= high:
                return alpha + int64(1)
        elif static <= low + width // int64(2) and low > int64(-64):
            bound = null_window(own, other, mask, low, shallow, empties, board, work)
            if bound <= low:
                return alpha
        count = list_moves(own, other, mask, empties, board, work)  # ProbCut has used this list
    if empties > MOBILITY_EMPTIES + int64(1):
        prefetch_children(own, other, count, empties, work)
    if empties < evaluation_empties(board):  # cheap ordering, while the buckets are being loaded
        order_moves(own, other, count, first, second, depth, empties, board, work)
    rest, left = depth_after(mask, depth, empties, work), empties - int64(1)
    if empties >= child_cutoff_empties(board):
        bound = child_cutoff(own, other, count, alpha, rest, empties, selectivity, work)
        if bound > alpha:
            return bound
    if empties >= evaluation_empties(board):
        order_moves(own, other, count, first, second, depth, empties, board, work)
    best = NO_VALUE
    best_move = NO_MOVE
    below = -alpha - int64(1)
    shared = shared_at(depth, empties, work)
    for index in range(count):
        place = pick_next(own, other, index, count, depth, empties, shared, work)
        square = square_at(place, work)
        flipped = flips_at(place, work)
        update_if_used(square, flipped, depth, empties, board, work)
        yours, mine = other ^ flipped, own ^ flipped ^ ONE << uint64(square)
        if shared:
            enter(yours, mine, rest, shared)
        value = -null_window(yours, mine, replies_at(place, work), below, rest, left, board, work)
        if shared:
            leave(yours, mine, rest, shared)
        if value > best:
            best = value
            best_move = square
            if best > alpha:
                break
        if shared:
            bound = cutoff_by_now(own, other, bucket, alpha, depth, selectivity, work)
            if bound != NO_VALUE:
                return bound
    if is_stopped(work):
        return alpha
    cost = cost_since(before, work)
    beta = alpha + int64(1)
    save(own, other, bucket, alpha, beta, best, best_move, depth, selectivity, cost, work)
    return best


@helper
def principal_variation(own, other, mask, alpha, beta, depth, empties, board, work):
    """Return the value, if it is inside the window, else a bound, given the legal moves."""
    if depth >= empties:
        if empties <= MOBILITY_EMPTIES + int64(1):
            low, high = alpha, beta
            while low < high:  # bisecting by null windows is fast enough at this size
                middle = low + (high - low) // int64(2)
                value = null_window(own, other, mask, middle, depth, empties, board, work)
                if value > middle:
                    low = value
                else:
                    high = value
            return low
    elif depth <= shallow_depth(board):
        low, high = alpha * UNIT - HALF, beta * UNIT + HALF
        return to_discs(shallow_search(own, other, mask, low, high, depth, empties, board, work))
    if is_stopped(work):
        return alpha
    count_node(work)
    if not mask:
        mask = moves_of(other, own, board)
        if not mask:
            return final_score(own, other, board)
        swap_if_used(depth, empties, board, work)
        return -principal_variation(other, own, mask, -beta, -alpha, depth, empties, board, work)
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
    count = list_moves(own, other, mask, empties, board, work)
    order_moves(own, other, count, first, second, depth, empties, board, work)
    best = NO_VALUE
    best_move = NO_MOVE
    low = alpha
    rest, left = depth_after(mask, depth, empties, work), empties - int64(1)
    shared = shared_at(depth, empties, work)
    for index in range(count):
        place = pick_next(own, other, index, count, depth, empties, shared, work)
        square = square_at(place, work)
        flipped = flips_at(place, work)
        yours, mine = other ^ flipped, own ^ flipped ^ ONE << uint64(square)
        update_if_used(square, flipped, depth, empties, board, work)
        replies = replies_at(place, work)
        if shared:
            enter(yours, mine, rest, shared)
        if index == int64(0):
            value = -principal_variation(yours, mine, replies, -beta, -low, rest, left, board, work)
        else:
            value = -null_window(yours, mine, replies, -low - int64(1), rest, left, board, work)
            if low < value < beta:
                update_if_used(square, flipped, depth, empties, board, work)
                value = -principal_variation(
                    yours, mine, replies, -beta, -value, rest, left, board, work
                )
        if shared:
            leave(yours, mine, rest, shared)
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


@helper
def search_moves(own, other, alpha, beta, depth, board, work):
    """Do `search_root` on a board that may be None."""
    empties = popcount(empty_squares(own, other, board))
    depth = min(depth, empties)
    prepare_evaluation(own, other, empties, board, work)
    mask = moves_of(own, other, board)
    if not mask or depth == int64(0):
        return principal_variation(own, other, mask, alpha, beta, depth, empties, board, work)
    count_node(work)
    first = int64(load(work, BEST_MOVE))
    mask = distinct_moves(own, other, mask, board)
    count = list_moves(own, other, mask, empties, board, work)
    order_moves(own, other, count, first, NO_MOVE, depth, empties, board, work)
    best = NO_VALUE
    low = alpha
    rest, left = depth - int64(1), empties - int64(1)
    shared = shared_at(depth, empties, work)
    for index in range(count):
        place = pick_next(own, other, index, count, depth, empties, shared, work)
        square = square_at(place, work)
        flipped = flips_at(place, work)
        yours, mine = other ^ flipped, own ^ flipped ^ ONE << uint64(square)
        update_evaluation(square, flipped, empties, board, work)
        replies = replies_at(place, work)
        if shared:
            enter(yours, mine, rest, shared)
        value = low + int64(1)
        if index > int64(0):
            value = -null_window(yours, mine, replies, -low - int64(1), rest, left, board, work)
            update_evaluation(square, flipped, empties, board, work)
        if value > low or index == int64(0):
            value = -principal_variation(yours, mine, replies, -beta, -low, rest, left, board, work)
        if shared:
            leave(yours, mine, rest, shared)
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
    selectivity = int64(load(work, SELECTIVITY))
    save(own, other, bucket, alpha, beta, best, move, depth, selectivity, ROOT_COST, work)
    return best


# Called from Python, with the address of a board's table, or 0 for the 8x8 board


def search_root(own, other, alpha, beta, depth, selectivity, board, work):
    """Search a position; return its value if inside the window, else a bound.

    `BEST_MOVE` of the block is the move to search first, and afterwards the best found so far. The
    table does not order the moves of the root, since it may hold what other searches found. The
    value is meaningless once the search is stopped.
    """
    if board:
        return search_root_on(own, other, alpha, beta, depth, selectivity, board, work)
    return search_root_8x8(own, other, alpha, beta, depth, selectivity, work)


@kernel("int64(uint64, uint64, int64, int64, int64, int64, int64)", seconds=9)
def search_root_8x8(own, other, alpha, beta, depth, selectivity, work):
    """Search a position of the 8x8 board."""
    store(work, SELECTIVITY, uint64(selectivity))
    return search_moves(own, other, alpha, beta, depth, None, work)


@kernel("int64(uint64, uint64, int64, int64, int64, int64, int64, int64)", seconds=9)
def search_root_on(own, other, alpha, beta, depth, selectivity, board, work):
    """Search a position of the board whose table is at this address."""
    store(work, SELECTIVITY, uint64(selectivity))
    return search_moves(own, other, alpha, beta, depth, board, work)


@kernel("int64(uint64, uint64, int64, int64)")
def hash_move(own, other, empties, work):
    """Return the best move according to the transposition table, or `NO_MOVE`."""
    entry = probe(own, other, bucket_of(own, other, empties, work), work)
    return field(entry, FIRST) if entry else NO_MOVE
