"""The search of any board of at most 64 squares: some plies ahead, or to the end exactly.

It has the parts of the 8x8 search, with the same names: `null_window` tells only whether a value is
above a bound, `principal_variation` finds the value inside a window, `search_root` does that for a
position whose best move is wanted. Values are the mover's lead in whole discs. There is no ProbCut:
a value whose depth reaches the end of the game is proven.
"""

from __future__ import annotations

from numba import int64, njit, uint64

from parlour.kernels.compiler import kernel
from parlour.kernels.intrinsics import load, lowest, popcount, store
from parlour.kernels.othello.anysize.board import (
    CORNERS,
    FULL,
    SQUARES,
    UNIT,
    distinct_moves,
    empties_on,
    evaluate_on,
    final_score_on,
    flips_on,
    moves_on,
    odd_quadrants_on,
    stable_on,
)
from parlour.kernels.othello.board_8x8 import ONE, ZERO, inlined
from parlour.kernels.othello.transposition import (
    BEST_MOVE,
    FIRST,
    MOVE_WORDS,
    NO_MOVE,
    NO_VALUE,
    NODES,
    SECOND,
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
EXACT = int64(1)  # the selectivity of every entry: nothing is only likely
STOP_DEPTH = int64(4)  # nearer the leaves a shallow search does not poll the stop flag

# A search to the end, by empty squares
PARITY_EMPTIES = int64(5)  # up to here moves are ordered by parity alone,
MOBILITY_EMPTIES = int64(7)  # up to here by mobility, and no transposition table is used
STABILITY_EMPTIES = int64(4)  # from here on stable discs may bound the score,
STABILITY_ALPHA = int64(4)  # if alpha is at least this
CHILD_CUTOFF_EMPTIES = int64(10)  # from here on the entries of the children are probed
EVALUATION_EMPTIES = int64(11)  # from here on moves are ordered by the evaluation
SEARCH_EMPTIES = int64(14)  # from here on by a search

# A search to a depth
SHALLOW_DEPTH = int64(3)  # up to here no transposition table is used
SEARCH_DEPTH = int64(6)  # from here on moves are ordered by a search

# Move ordering

MOBILITY_PENALTY = int64(128)  # of one reply of the opponent, in units


@njit
def list_moves(own, other, mask, empties, board, work):
    """Write the moves and their flips into this ply's list; return their number."""
    place = list_at(empties)
    count = int64(0)
    while mask:
        square = lowest(mask)
        mask &= mask - ONE
        add_move(place, square, flips_on(own, other, square, board), work)
        place += MOVE_WORDS
        count += int64(1)
    return count


@njit
def weighted_mobility(mask, board):
    """Return the number of moves, a corner counting double."""
    return popcount(mask) + popcount(mask & load(board, CORNERS))


@njit
def order_by_mobility(own, other, count, first, second, empties, board, work):
    """Set the keys by the opponent's mobility; an odd quadrant is worth half a reply."""
    place = list_at(empties)
    odd = odd_quadrants_on(load(board, FULL) & ~(own | other), board)
    for _ in range(count):
        square = square_at(place, work)
        flipped = flips_at(place, work)
        key = hash_move_key(square, first, second)
        if not key:
            move = ONE << uint64(square)
            replies = moves_on(other ^ flipped, own ^ flipped ^ move, board)
            key = int64(-2) * weighted_mobility(replies, board)
            if odd & move:
                key += int64(1)
        store(work, place, uint64(key))
        place += MOVE_WORDS


@kernel("int64(uint64, uint64, int64, int64, int64, int64, int64, int64)")
def shallow_search(own, other, alpha, beta, depth, empties, board, work):
    """Return the value in units at this depth, without transposition table."""
    count_node(work)
    mask = moves_on(own, other, board)
    if not mask:
        mask = moves_on(other, own, board)
        if not mask:
            return final_score_on(own, other, board) * UNIT
        if depth == int64(0):
            return -evaluate_on(other, own, mask, ZERO, empties, board)
        return -shallow_search(other, own, -beta, -alpha, depth, empties, board, work)
    if depth == int64(0):
        return evaluate_on(own, other, mask, moves_on(other, own, board), empties, board)
    if depth >= STOP_DEPTH and is_stopped(work):
        return int64(0)
    count = list_moves(own, other, mask, empties, board, work)
    if depth > int64(1):
        order_by_mobility(own, other, count, NO_MOVE, NO_MOVE, empties, board, work)
    best = -INFINITY
    for index in range(count):
        place = list_at(empties) + index * MOVE_WORDS
        if depth > int64(1):
            place = pick_move(index, count, empties, work)
        flipped = flips_at(place, work)
        value = -shallow_search(
            other ^ flipped, own ^ flipped ^ ONE << uint64(square_at(place, work)),
            -beta, -max(alpha, best), depth - int64(1), empties - int64(1), board, work,
        )  # fmt: skip
        if value > best:
            best = value
            if best >= beta:
                break
    return best


@njit
def order_by_search(own, other, count, first, second, depth, empties, board, work):
    """Set the keys by a search of this depth after the move and the opponent's mobility."""
    place = list_at(empties)
    left = empties - int64(1)
    for _ in range(count):
        square = square_at(place, work)
        flipped = flips_at(place, work)
        key = hash_move_key(square, first, second)
        if not key:
            mine, yours = own ^ flipped ^ ONE << uint64(square), other ^ flipped
            key = -shallow_search(yours, mine, -INFINITY, INFINITY, depth, left, board, work)
            key -= MOBILITY_PENALTY * weighted_mobility(moves_on(yours, mine, board), board)
        store(work, place, uint64(key))
        place += MOVE_WORDS


@njit
def order_moves(own, other, count, first, second, depth, empties, board, work):
    """Set the keys of this ply's list with the effort that the size of the search deserves."""
    if depth < empties:
        ahead = int64(0) if depth < SEARCH_DEPTH else (depth - SEARCH_DEPTH) // int64(3) + int64(1)
    elif empties < EVALUATION_EMPTIES:
        order_by_mobility(own, other, count, first, second, empties, board, work)
        return
    elif empties < SEARCH_EMPTIES:
        ahead = int64(0)
    else:
        ahead = (empties - SEARCH_EMPTIES) // int64(2) + int64(1)
    order_by_search(own, other, count, first, second, ahead, empties, board, work)


# The last squares


@njit
def stability_bound(own, other, alpha, board):
    """Return an upper bound by the opponent's stable discs; all squares if not worth computing."""
    squares = int64(load(board, SQUARES))
    if alpha < STABILITY_ALPHA or not other & load(board, CORNERS):
        return squares
    if squares - int64(2) * popcount(other) > alpha:
        return squares
    return squares - int64(2) * popcount(stable_on(other, own, board))


@inlined
def solve_1(own, other, alpha, square, board):
    """Score one empty square: the mover takes it, or else the opponent, or nobody."""
    lead = popcount(own) - popcount(other)
    flipped = flips_on(own, other, square, board)
    if flipped:
        return lead + int64(2) * popcount(flipped) + int64(1)
    kept = lead + int64(lead > int64(0)) - int64(lead < int64(0))
    if kept <= alpha:
        return kept
    flipped = flips_on(other, own, square, board)
    return lead - int64(2) * popcount(flipped) - int64(1) if flipped else kept


@inlined
def try_2(own, other, alpha, first, second, board):
    """Return the better value of the moves with two empty squares, NO_VALUE without a move."""
    best = NO_VALUE
    below = -alpha - int64(1)
    flipped = flips_on(own, other, first, board)
    if flipped:
        best = -solve_1(other ^ flipped, own ^ flipped ^ ONE << uint64(first), below, second, board)
        if best > alpha:
            return best
    flipped = flips_on(own, other, second, board)
    if flipped:
        value = -solve_1(
            other ^ flipped, own ^ flipped ^ ONE << uint64(second), below, first, board
        )
        best = max(best, value)
    return best


@njit
def solve_2(own, other, alpha, first, second, board, work):
    """Score two empty squares."""
    count_node(work)
    best = try_2(own, other, alpha, first, second, board)
    if best > NO_VALUE:
        return best
    best = try_2(other, own, -alpha - int64(1), first, second, board)
    if best > NO_VALUE:
        return -best
    return final_score_on(own, other, board)


@kernel("int64(uint64, uint64, int64, int64, int64, int64)")
def solve_by_parity(own, other, alpha, empties, board, work):
    """Score up to five empty squares: corners first, then the odd quadrants."""
    empty = load(board, FULL) & ~(own | other)
    if empties == int64(2):
        return solve_2(own, other, alpha, lowest(empty), lowest(empty & empty - ONE), board, work)
    if empties == int64(1):
        return solve_1(own, other, alpha, lowest(empty), board)
    count_node(work)
    if empties >= STABILITY_EMPTIES:
        bound = stability_bound(own, other, alpha, board)
        if bound <= alpha:
            return bound
    mask = moves_on(own, other, board)
    if not mask:
        if not moves_on(other, own, board):
            return final_score_on(own, other, board)
        return -solve_by_parity(other, own, -alpha - int64(1), empties, board, work)
    best = NO_VALUE
    below = -alpha - int64(1)
    todo = mask & odd_quadrants_on(empty, board)
    rest = mask ^ todo
    if not todo:
        todo = rest
        rest = ZERO
    while True:
        corner = todo & load(board, CORNERS)
        square = lowest(corner if corner else todo)
        move = ONE << uint64(square)
        todo ^= move
        flipped = flips_on(own, other, square, board)
        yours, mine = other ^ flipped, own ^ flipped ^ move
        value = -solve_by_parity(yours, mine, below, empties - int64(1), board, work)
        if value > best:
            best = value
            if best > alpha:
                return best
        if not todo:
            if not rest:
                return best
            todo = rest
            rest = ZERO


@kernel("int64(uint64, uint64, int64, int64, int64, int64)")
def solve_by_mobility(own, other, alpha, empties, board, work):
    """Score up to seven empty squares, the moves that leave the fewest replies first."""
    if empties <= PARITY_EMPTIES:
        return solve_by_parity(own, other, alpha, empties, board, work)
    count_node(work)
    bound = stability_bound(own, other, alpha, board)
    if bound <= alpha:
        return bound
    mask = moves_on(own, other, board)
    if not mask:
        if not moves_on(other, own, board):
            return final_score_on(own, other, board)
        return -solve_by_mobility(other, own, -alpha - int64(1), empties, board, work)
    best = NO_VALUE
    below = -alpha - int64(1)
    count = list_moves(own, other, mask, empties, board, work)
    order_by_mobility(own, other, count, NO_MOVE, NO_MOVE, empties, board, work)
    for index in range(count):
        place = pick_move(index, count, empties, work)
        move = ONE << uint64(square_at(place, work))
        flipped = flips_at(place, work)
        yours, mine = other ^ flipped, own ^ flipped ^ move
        value = -solve_by_mobility(yours, mine, below, empties - int64(1), board, work)
        if value > best:
            best = value
            if best > alpha:
                break
    return best


# The search


@njit
def to_discs(value):
    """Round units to whole discs."""
    return (value + HALF) // UNIT


@kernel("int64(uint64, uint64, int64, int64, int64, int64, int64)")
def null_window(own, other, alpha, depth, empties, board, work):
    """Return a bound that tells whether the value is above alpha."""
    if depth >= empties:
        if empties <= MOBILITY_EMPTIES:
            return solve_by_mobility(own, other, alpha, empties, board, work)
    elif depth <= SHALLOW_DEPTH:
        bound = alpha * UNIT + HALF
        value = shallow_search(own, other, bound - int64(1), bound, depth, empties, board, work)
        return to_discs(value)
    if is_stopped(work):
        return alpha
    count_node(work)
    bucket = bucket_of(own, other, empties, work)
    prefetch_bucket(bucket)
    bound = stability_bound(own, other, alpha, board)
    if bound <= alpha:
        return bound
    mask = moves_on(own, other, board)
    if not mask:
        if not moves_on(other, own, board):
            return final_score_on(own, other, board)
        return -null_window(other, own, -alpha - int64(1), depth, empties, board, work)
    before = load(work, NODES)
    count = list_moves(own, other, mask, empties, board, work)  # while the bucket is being loaded
    entry = probe(own, other, bucket, work)
    first, second = NO_MOVE, NO_MOVE
    if entry:
        bound = cutoff(entry, alpha, alpha + int64(1), depth, EXACT)
        if bound != NO_VALUE:
            return bound
        first, second = field(entry, FIRST), field(entry, SECOND)
    if empties > MOBILITY_EMPTIES + int64(1):
        prefetch_children(own, other, count, empties, work)
    if empties >= CHILD_CUTOFF_EMPTIES:
        bound = child_cutoff(own, other, count, alpha, depth, empties, EXACT, work)
        if bound > alpha:
            return bound
    order_moves(own, other, count, first, second, depth, empties, board, work)
    best = NO_VALUE
    best_move = NO_MOVE
    below = -alpha - int64(1)
    rest, left = depth - int64(1), empties - int64(1)
    for index in range(count):
        place = pick_move(index, count, empties, work)
        square = square_at(place, work)
        flipped = flips_at(place, work)
        yours, mine = other ^ flipped, own ^ flipped ^ ONE << uint64(square)
        value = -null_window(yours, mine, below, rest, left, board, work)
        if value > best:
            best = value
            best_move = square
            if best > alpha:
                break
    if is_stopped(work):
        return alpha
    cost = cost_since(before, work)
    save(own, other, bucket, alpha, alpha + int64(1), best, best_move, depth, EXACT, cost, work)
    return best


@kernel("int64(uint64, uint64, int64, int64, int64, int64, int64, int64)")
def principal_variation(own, other, alpha, beta, depth, empties, board, work):
    """Return the value, if it is inside the window, else a bound."""
    if depth < empties and depth <= SHALLOW_DEPTH:
        low, high = alpha * UNIT - HALF, beta * UNIT + HALF
        return to_discs(shallow_search(own, other, low, high, depth, empties, board, work))
    if is_stopped(work):
        return alpha
    count_node(work)
    mask = moves_on(own, other, board)
    if not mask:
        if not moves_on(other, own, board):
            return final_score_on(own, other, board)
        return -principal_variation(other, own, -beta, -alpha, depth, empties, board, work)
    before = load(work, NODES)
    bucket = bucket_of(own, other, empties, work)
    entry = probe(own, other, bucket, work)
    first, second = NO_MOVE, NO_MOVE
    if entry:
        bound = cutoff(entry, alpha, beta, depth, EXACT)
        if bound != NO_VALUE:
            return bound
        first, second = field(entry, FIRST), field(entry, SECOND)
    count = list_moves(own, other, mask, empties, board, work)
    order_moves(own, other, count, first, second, depth, empties, board, work)
    best = NO_VALUE
    best_move = NO_MOVE
    low = alpha
    rest, left = depth - int64(1), empties - int64(1)
    for index in range(count):
        place = pick_move(index, count, empties, work)
        square = square_at(place, work)
        flipped = flips_at(place, work)
        yours, mine = other ^ flipped, own ^ flipped ^ ONE << uint64(square)
        value = low + int64(1)
        if index > int64(0):
            value = -null_window(yours, mine, -low - int64(1), rest, left, board, work)
        if index == int64(0) or low < value < beta:
            value = -principal_variation(yours, mine, -beta, -low, rest, left, board, work)
        if value > best:
            best = value
            best_move = square
            low = max(low, best)
            if best >= beta:
                break
    if is_stopped(work):
        return alpha
    cost = cost_since(before, work)
    save(own, other, bucket, alpha, beta, best, best_move, depth, EXACT, cost, work)
    return best


# Called from Python


@kernel("int64(uint64, uint64, int64, int64, int64, int64, int64)")
def search_root(own, other, alpha, beta, depth, board, work):
    """Search a position; return its value if inside the window, else a bound.

    `BEST_MOVE` of the block is the move to search first, and afterwards the best found so far. Of
    symmetric moves one is searched. The value is meaningless once the search is stopped.
    """
    empties = empties_on(own, other, board)
    depth = min(depth, empties)
    mask = moves_on(own, other, board)
    if not mask or depth == int64(0):
        return principal_variation(own, other, alpha, beta, depth, empties, board, work)
    count_node(work)
    first = int64(load(work, BEST_MOVE))
    mask = distinct_moves(own, other, mask, board)
    count = list_moves(own, other, mask, empties, board, work)
    order_moves(own, other, count, first, NO_MOVE, depth, empties, board, work)
    best = NO_VALUE
    low = alpha
    rest, left = depth - int64(1), empties - int64(1)
    for index in range(count):
        place = pick_move(index, count, empties, work)
        square = square_at(place, work)
        flipped = flips_at(place, work)
        yours, mine = other ^ flipped, own ^ flipped ^ ONE << uint64(square)
        value = low + int64(1)
        if index > int64(0):
            value = -null_window(yours, mine, -low - int64(1), rest, left, board, work)
        if value > low or index == int64(0):
            value = -principal_variation(yours, mine, -beta, -low, rest, left, board, work)
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
    cost = cost_since(uint64(0), work)
    save(own, other, bucket, alpha, beta, best, move, depth, EXACT, cost, work)
    return best


@kernel("int64(uint64, uint64, int64, int64)")
def hash_move(own, other, board, work):
    """Return the best move according to the transposition table, or `NO_MOVE`."""
    entry = probe(own, other, bucket_of(own, other, empties_on(own, other, board), work), work)
    return field(entry, FIRST) if entry else NO_MOVE
