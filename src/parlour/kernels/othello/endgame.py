"""The last seven empty squares: no transposition table, parity and mobility order the moves.

Every function searches a null window: its value says whether the score is above `alpha`, and is a
bound on it. A score is the mover's final lead in discs, the empty squares going to the winner.
There is one function for each of the last four squares, one for the fifth, which orders moves by
parity, and one for the sixth and seventh, which orders them by mobility. `solve_distance` asks
another question: in how many plies a position is won.

Stable discs bound the score. A disc is stable when it is safe in each of the four kinds of line:
the line is full, or ends there at the edge, or a neighbour on it is stable and of the same colour.
"""

from __future__ import annotations

import numpy as np
from numba import int64, uint64

from parlour.kernels.compiler import helper, kernel
from parlour.kernels.intrinsics import HAS_EXTRACT, extract, lookup, lowest, popcount
from parlour.kernels.othello.bitboard import (
    ONE,
    STEPS,
    ZERO,
    corners_of,
    empty_squares,
    final_score,
    flips_and_replies,
    flips_of,
    inlined,
    moves_of,
    odd_quadrants,
    ray,
    squares_of,
    stable_by_table,
    weighted_mobility,
)
from parlour.kernels.othello.transposition import (
    MOVE_WORDS,
    NO_VALUE,
    add_move,
    count_node,
    flips_at,
    is_stopped,
    move_at,
    pick_move,
    replies_at,
    set_key,
    square_at,
)

PARITY_EMPTIES = int64(5)  # up to here moves are ordered by parity alone
MAX_PLIES = int64(1000)  # more than any game has left
STOP_EMPTIES = int64(8)  # with fewer the search of a distance does not poll the stop flag

# Stability


def _edge_table():
    """Return, for each pair of edge bytes, the own discs that no sequence of edge moves flips.

    Either side may fill any square of an edge at any time, flipping what it encloses.
    """
    stable = {}

    def place(own, other, square):
        flipped = 0
        for step in (1, -1):
            run, here = 0, square + step
            while 0 <= here < 8 and other >> here & 1:
                run |= 1 << here
                here += step
            if 0 <= here < 8 and own >> here & 1:
                flipped |= run
        return own | flipped | 1 << square, other & ~flipped

    def solve(own, other):
        """Return the discs of both sides that keep their colour in every continuation."""
        key = own << 8 | other
        if key in stable:
            return stable[key]
        kept = own | other
        for square in range(8):
            if (own | other) >> square & 1:
                continue
            mine, yours = place(own, other, square)
            kept &= solve(mine, yours) & ((own & mine) | (other & yours))
            yours, mine = place(other, own, square)
            kept &= solve(mine, yours) & ((own & mine) | (other & yours))
        stable[key] = kept
        return kept

    table = np.zeros((256, 256), np.uint8)
    for own in range(256):
        for other in range(256):
            if not own & other:
                table[own, other] = solve(own, other) & own
    return table


def _columns():
    """Return, for each byte, its bits along the first column."""
    return np.array(
        [sum((byte >> row & 1) << 8 * row for row in range(8)) for byte in range(256)], np.uint64
    )


edge = lookup("othello.edge", _edge_table())
column = lookup("othello.column", _columns(), uint64)


@helper
def gather_column(board):
    """Return the first column as a byte."""
    return int64((board & uint64(0x0101010101010101)) * uint64(0x0102040810204080) >> uint64(56))


@helper
def stable_edges(own, other):
    """Return the own discs on the four edges that edge moves cannot flip."""
    low, high = uint64(255), uint64(56)
    found = uint64(edge(int64((own & low) << uint64(8) | other & low)))
    found |= uint64(edge(int64((own >> high) << uint64(8) | other >> high))) << high
    found |= column(edge(gather_column(own) << int64(8) | gather_column(other)))
    one = uint64(7)
    found |= (
        column(edge(gather_column(own >> one) << int64(8) | gather_column(other >> one))) << one
    )
    return found


@inlined
def full_to_edge(disc, border, shift):
    """Return the discs with no empty square before the edge, `shift` squares a step downwards.

    `border` is where such a run ends. The step is doubled each time.
    """
    for _ in range(3):
        disc &= border | disc >> shift
        border |= border >> shift
        shift += shift
    return disc


@inlined
def full_from_edge(disc, border, shift):
    """Do the same upwards."""
    for _ in range(3):
        disc &= border | disc << shift
        border |= border << shift
        shift += shift
    return disc


@helper
def full_lines(disc):
    """Return four masks: the squares whose row, column and two diagonals are full."""
    row = disc & disc >> uint64(1)
    row &= row >> uint64(2)
    row &= row >> uint64(4)
    row = (row & uint64(0x0101010101010101)) * uint64(255)
    col = disc & (disc >> uint64(8) | disc << uint64(56))
    col &= col >> uint64(16) | col << uint64(48)
    col &= col >> uint64(32) | col << uint64(32)
    rising = full_to_edge(disc, uint64(0xFF80808080808080), uint64(9))
    rising &= full_from_edge(disc, uint64(0x01010101010101FF), uint64(9))
    falling = full_to_edge(disc, uint64(0xFF01010101010101), uint64(7))
    falling &= full_from_edge(disc, uint64(0x80808080808080FF), uint64(7))
    return row, col, rising, falling


@helper
def stable_discs(own, other):
    """Return discs of the first side that are certainly stable; there may be more."""
    row, col, rising, falling = full_lines(own | other)
    stable = stable_edges(own, other) | row & col & rising & falling & own
    inner = own & uint64(0x007E7E7E7E7E7E00)
    if not stable:
        return stable
    while True:
        safe = stable << uint64(1) | stable >> uint64(1) | row
        safe &= stable << uint64(8) | stable >> uint64(8) | col
        safe &= stable << uint64(9) | stable >> uint64(9) | rising
        safe &= stable << uint64(7) | stable >> uint64(7) | falling
        grown = stable | safe & inner
        if grown == stable:
            return stable
        stable = grown


def _thresholds():
    """Return, by empty squares, the least alpha at which a stability cutoff is worth trying."""
    late = [2 * empties + 6 for empties in range(9)]
    middle = [2 * empties for empties in range(9, 24)]
    early = [min(62, 48 + (empties - 24) // 2 * 2) for empties in range(24, 65)]
    return np.array(late + middle + early, np.int8)


threshold = lookup("othello.threshold", _thresholds())
THRESHOLD = int64(4)  # on other boards


@helper
def stability_bound(own, other, alpha, empties, board):
    """Return an upper bound by the opponent's stable discs; all squares if not worth computing."""
    squares = squares_of(board)
    if alpha < (threshold(empties) if board is None else THRESHOLD):
        return squares
    if not other & corners_of(board) or squares - int64(2) * popcount(other) > alpha:
        return squares
    stable = stable_discs(other, own) if board is None else stable_by_table(other, own, board)
    return squares - int64(2) * popcount(stable)


# The last empty square: the flips on its four lines are looked up


def _line(square, step):
    return ray(square, step, 1) | ray(square, step, -1) | 1 << square


def _flips_on_line(own, place, length):
    """Return twice the number of discs flipped on a line with one empty place."""
    flipped = 0
    for step in (1, -1):
        here = place + step
        while 0 <= here < length and not own >> here & 1:
            here += step
        if 0 <= here < length:
            flipped += abs(here - place) - 1
    return 2 * flipped


def _line_tables():
    """Return the counts, and for each kind of line and square its mask and its row of counts."""
    counts = np.array(
        [[_flips_on_line(own, place, 8) for own in range(256)] for place in range(8)], np.uint8
    )  # serves shorter lines too: what is beyond them never closes a run
    masks = np.zeros((4, 64), np.uint64)
    rows = np.zeros((4, 64), np.uint16)
    for kind, step in enumerate(STEPS):
        for square in range(64):
            mask = _line(square, step)
            masks[kind, square] = mask
            place = (mask & ((1 << square) - 1)).bit_count()
            rows[kind, square] = place * 256
    return counts, masks, rows


COUNTS, MASKS, ROWS = _line_tables()
flips_doubled = lookup("othello.flips_doubled", COUNTS)
line_0, line_1, line_2, line_3 = (
    lookup(f"othello.line{kind}", MASKS[kind], uint64) for kind in range(4)
)
row_0, row_1, row_2, row_3 = (lookup(f"othello.row{kind}", ROWS[kind]) for kind in range(4))


if HAS_EXTRACT:

    @inlined
    def last_flips(own, square):
        """Return twice the number of discs flipped on the last empty square."""
        flipped = flips_doubled(row_0(square) + int64(extract(own, line_0(square))))
        flipped += flips_doubled(row_1(square) + int64(extract(own, line_1(square))))
        flipped += flips_doubled(row_2(square) + int64(extract(own, line_2(square))))
        return flipped + flips_doubled(row_3(square) + int64(extract(own, line_3(square))))

else:

    @inlined
    def last_flips(own, square):
        """Return twice the number of discs flipped on the last empty square."""
        other = ~own & ~(ONE << uint64(square))
        return int64(2) * popcount(flips_of(own, other, square, None))


@inlined
def solve_1_8x8(own, alpha, square):
    """Score one empty square, given the discs of one side."""
    lead = int64(2) * popcount(own) - int64(64)
    flipped = last_flips(own, square)
    if flipped:
        return lead + flipped + int64(2)
    if lead >= int64(0):
        if lead + int64(2) <= alpha:
            return lead + int64(2)
        flipped = last_flips(~own ^ (ONE << uint64(square)), square)
        return lead - flipped if flipped else lead + int64(2)
    if lead <= alpha:
        return lead
    return lead - last_flips(~own ^ (ONE << uint64(square)), square)


@inlined
def solve_1(own, other, alpha, square, board):
    """Score one empty square: the mover takes it, or else the opponent, or nobody."""
    if board is None:
        return solve_1_8x8(own, alpha, square)
    lead = popcount(own) - popcount(other)
    flipped = flips_of(own, other, square, board)
    if flipped:
        return lead + int64(2) * popcount(flipped) + int64(1)
    kept = lead + int64(lead > int64(0)) - int64(lead < int64(0))
    if kept <= alpha:
        return kept
    flipped = flips_of(other, own, square, board)
    return lead - int64(2) * popcount(flipped) - int64(1) if flipped else kept


@inlined
def try_2(own, other, alpha, first, second, board):
    """Return the better value of the moves with two empty squares, NO_VALUE without a move."""
    best = NO_VALUE
    below = -alpha - int64(1)
    flipped = flips_of(own, other, first, board)
    if flipped:
        mine = own ^ flipped ^ ONE << uint64(first)
        best = -solve_1(other ^ flipped, mine, below, second, board)
        if best > alpha:
            return best
    flipped = flips_of(own, other, second, board)
    if flipped:
        mine = own ^ flipped ^ ONE << uint64(second)
        best = max(best, -solve_1(other ^ flipped, mine, below, first, board))
    return best


@helper
def solve_2(own, other, alpha, first, second, board, work):
    """Score two empty squares."""
    count_node(work)
    best = try_2(own, other, alpha, first, second, board)
    if best > NO_VALUE:
        return best
    best = try_2(other, own, -alpha - int64(1), first, second, board)
    if best > NO_VALUE:
        return -best
    return final_score(own, other, board)


@inlined
def try_3(own, other, alpha, first, second, third, board, work):
    """Return the best value of the moves with three empty squares, NO_VALUE without a move."""
    best = NO_VALUE
    below = -alpha - int64(1)
    flipped = flips_of(own, other, first, board)
    if flipped:
        mine = own ^ flipped ^ ONE << uint64(first)
        best = -solve_2(other ^ flipped, mine, below, second, third, board, work)
        if best > alpha:
            return best
    flipped = flips_of(own, other, second, board)
    if flipped:
        mine = own ^ flipped ^ ONE << uint64(second)
        best = max(best, -solve_2(other ^ flipped, mine, below, first, third, board, work))
        if best > alpha:
            return best
    flipped = flips_of(own, other, third, board)
    if flipped:
        mine = own ^ flipped ^ ONE << uint64(third)
        best = max(best, -solve_2(other ^ flipped, mine, below, first, second, board, work))
    return best


@helper
def solve_3(own, other, alpha, first, second, third, board, work):
    """Score three empty squares, given in the order to try them."""
    count_node(work)
    best = try_3(own, other, alpha, first, second, third, board, work)
    if best > NO_VALUE:
        return best
    best = try_3(other, own, -alpha - int64(1), first, second, third, board, work)
    if best > NO_VALUE:
        return -best
    return final_score(own, other, board)


@inlined
def solve_3_by_parity(own, other, alpha, empty, board, work):
    """Score three empty squares, one alone in its quadrant first."""
    odd = empty & odd_quadrants(empty, board)
    if odd & (odd - ONE) == ZERO:  # two share a quadrant, and one has its own
        first = lowest(odd)
        rest = empty ^ odd
    else:
        first = lowest(empty)
        rest = empty & (empty - ONE)
    second = lowest(rest)
    third = lowest(rest & (rest - ONE))
    return solve_3(own, other, alpha, first, second, third, board, work)


@inlined
def try_4(own, other, alpha, mask, empty, board, work):
    """Return the best value of these moves with four empty squares."""
    best = NO_VALUE
    below = -alpha - int64(1)
    todo = mask & odd_quadrants(empty, board)
    rest = mask ^ todo
    while True:
        while todo:
            square = lowest(todo)
            todo &= todo - ONE
            move = ONE << uint64(square)
            flipped = flips_of(own, other, square, board)
            yours, mine = other ^ flipped, own ^ flipped ^ move
            value = -solve_3_by_parity(yours, mine, below, empty ^ move, board, work)
            if value > best:
                best = value
                if best > alpha:
                    return best
        if not rest:
            return best
        todo = rest
        rest = ZERO


@helper
def solve_4(own, other, mask, alpha, board, work):
    """Score four empty squares, given the legal moves, those in odd quadrants first."""
    count_node(work)
    empty = empty_squares(own, other, board)
    if mask:
        return try_4(own, other, alpha, mask, empty, board, work)
    mask = moves_of(other, own, board)
    if mask:
        return -try_4(other, own, -alpha - int64(1), mask, empty, board, work)
    return final_score(own, other, board)


@helper
def solve_by_parity(own, other, mask, alpha, empties, board, work):
    """Score up to five empty squares, given the legal moves: corners, then the odd quadrants."""
    count_node(work)
    bound = stability_bound(own, other, alpha, empties, board)
    if bound <= alpha:
        return bound
    if not mask:
        mask = moves_of(other, own, board)
        if not mask:
            return final_score(own, other, board)
        return -solve_by_parity(other, own, mask, -alpha - int64(1), empties, board, work)
    best = NO_VALUE
    below = -alpha - int64(1)
    left = empties - int64(1)
    todo = mask & odd_quadrants(empty_squares(own, other, board), board)
    rest = mask ^ todo
    if not todo:
        todo = rest
        rest = ZERO
    while True:
        corner = todo & corners_of(board)
        square = lowest(corner if corner else todo)
        move = ONE << uint64(square)
        todo ^= move
        flipped, replies = flips_and_replies(own, other, square, board)
        yours, mine = other ^ flipped, own ^ flipped ^ move
        if left == int64(4):
            value = -solve_4(yours, mine, replies, below, board, work)
        else:
            value = -solve_by_parity(yours, mine, replies, below, left, board, work)
        if value > best:
            best = value
            if best > alpha:
                return best
        if not todo:
            if not rest:
                return best
            todo = rest
            rest = ZERO


@helper
def list_by_mobility(own, other, mask, empties, board, work):
    """List the moves with keys by the opponent's mobility and parity; return their number."""
    place = move_at(int64(0), empties)
    odd = odd_quadrants(empty_squares(own, other, board), board)
    count = int64(0)
    while mask:
        square = lowest(mask)
        move = mask & (~mask + ONE)
        mask ^= move
        flipped, replies = flips_and_replies(own, other, square, board)
        key = -weighted_mobility(replies, board)
        if odd & move:
            key += int64(1)
        set_key(key, count, empties, work)
        add_move(place, square, flipped, replies, work)
        place += MOVE_WORDS
        count += int64(1)
    return count


@helper
def solve_by_mobility(own, other, mask, alpha, empties, board, work):
    """Score up to seven empty squares, the moves that leave the fewest replies first."""
    if empties <= PARITY_EMPTIES:
        return solve_by_parity(own, other, mask, alpha, empties, board, work)
    count_node(work)
    bound = stability_bound(own, other, alpha, empties, board)
    if bound <= alpha:
        return bound
    if not mask:
        mask = moves_of(other, own, board)
        if not mask:
            return final_score(own, other, board)
        return -solve_by_mobility(other, own, mask, -alpha - int64(1), empties, board, work)
    best = NO_VALUE
    below = -alpha - int64(1)
    left = empties - int64(1)
    count = list_by_mobility(own, other, mask, empties, board, work)
    for _ in range(count):
        place = pick_move(count, empties, work)
        flipped = flips_at(place, work)
        yours, mine = other ^ flipped, own ^ flipped ^ ONE << uint64(square_at(place, work))
        replies = replies_at(place, work)
        value = -solve_by_mobility(yours, mine, replies, below, left, board, work)
        if value > best:
            best = value
            if best > alpha:
                break
    return best


# The fastest win


@helper
def find_distance(own, other, ply, alpha, beta, empties, board, work):
    """Do `solve_distance` some plies later, on a board that may be None."""
    if empties >= STOP_EMPTIES and is_stopped(work):
        return int64(0)
    count_node(work)
    after = ply + int64(1)
    mask = moves_of(own, other, board)
    if not mask:
        if moves_of(other, own, board):
            return -find_distance(other, own, after, -beta, -alpha, empties, board, work)
        lead = final_score(own, other, board)
        if lead == int64(0):
            return lead
        return MAX_PLIES - ply if lead > int64(0) else ply - MAX_PLIES
    best = -MAX_PLIES
    count = list_by_mobility(own, other, mask, empties, board, work)
    for _ in range(count):
        place = pick_move(count, empties, work)
        flipped = flips_at(place, work)
        yours, mine = other ^ flipped, own ^ flipped ^ ONE << uint64(square_at(place, work))
        low, left = max(alpha, best), empties - int64(1)
        value = -find_distance(yours, mine, after, -beta, -low, left, board, work)
        if value > best:
            best = value
            if best >= beta:
                break
    return best


@kernel("int64(uint64, uint64, int64, int64, int64, int64)")
def solve_distance(own, other, alpha, beta, board, work):
    """Return MAX_PLIES less the plies to the end for a win, its negative for a loss, 0 for a draw.

    So the winner hurries and the loser delays; a pass is a ply. `board` is the address of a table,
    or 0 for the 8x8 board. The value is meaningless once the search is stopped.
    """
    start = int64(0)
    if board:
        empties = popcount(empty_squares(own, other, board))
        return find_distance(own, other, start, alpha, beta, empties, board, work)
    return find_distance(own, other, start, alpha, beta, popcount(~(own | other)), None, work)
