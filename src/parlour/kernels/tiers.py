"""Solving tier by tier, compiled: the positions of a tier by number, each from its successors.

A value is one number that grows with what the position is worth to its mover: a loss in d plies is
1 + d, a draw is the middle of the range, and a win in d plies is the top less d; 0 stands for no
position. So a position is worth what `before` makes of the least of its successors' values.

The values of later tiers lie in one `pool`, in chunks: number i is at
`pool[places[i >> BITS] + (i & LAST)]`. A task that cannot hold a whole tier marks the chunks it
will need first, and runs again once they are there.

A position of tic-tac-toe is numbered by its first player's squares, up to the symmetries of the
board, and then by the other's squares among those left. All positions with the same squares of the
first player are one row. In a row of symmetric squares only the least of equal positions counts.
"""

from __future__ import annotations

import numpy as np
from numba import int32, int64, types, uint8, uint16, uint64

from parlour.kernels.compiler import helper, kernel
from parlour.kernels.intrinsics import lowest
from parlour.kernels.othello.board import count, flipped_discs, legal_moves

BITS = int64(12)
LAST = int64((1 << 12) - 1)
ONE = int64(1)
LOSS, DRAW, WIN = 1, 128, 255  # of games that have ended, in a byte
WIDE_DRAW, WIDE_WIN = 32768, 65535  # the same in two bytes
LOW = int64(12)  # squares whose subsets are ranked by one table
LOW_MASK = int64((1 << 12) - 1)

# What a set of squares is: without a line, with lines that one mark may have completed, or more.
OPEN, LINED, IMPOSSIBLE = 0, 1, 2

SPREAD, STIR = 0x5851F42D4C957F2D, 0x14057B7EF767814F  # odd, so that they can be undone
UNSPREAD, UNSTIR = ((pow(each, -1, 2**64) + 2**63) % 2**64 - 2**63 for each in (SPREAD, STIR))

SUCCESSORS = types.FunctionType(int64(int64, int64[::1], int64[::1]))


@helper
def before(value):
    """Return the value, for the mover, of moving to a position of this value."""
    if value == DRAW:
        return value
    return int64(WIN) - value if value < DRAW else int64(WIN + 2) - value


@helper
def wide_before(value):
    """Do the same for values of two bytes."""
    if value == WIDE_DRAW:
        return value
    return int64(WIDE_WIN) - value if value < WIDE_DRAW else int64(WIDE_WIN + 2) - value


# Tic-tac-toe


@helper
def turn_mask(mask, ways, way, squares):
    """Return a set of squares under one of the symmetries, given by bytes."""
    turned = int64(0)
    part = int64(0)
    for shift in range(0, squares, 8):
        turned |= int64(ways[way, part, (mask >> shift) & int64(255)])
        part += ONE
    return turned


@kernel("void(int64, int32[:, :, ::1], int64[::1], int32[::1], uint8[::1], uint8[::1], int64[::1])")
def index_sets(squares, ways, lines, number, way_to, kind, reps):
    """Number all sets of squares of each size up to symmetry, and say which have lines.

    A set becomes the least of its kind by the symmetry `way_to`; `number` counts those of its size,
    and `reps` their totals.
    """
    for mask in range(ONE << squares):
        least, way = mask, int64(0)
        for each in range(1, ways.shape[0]):
            turned = turn_mask(mask, ways, each, squares)
            if turned < least:
                least, way = turned, int64(each)
        way_to[mask] = uint8(way)
        if least < mask:
            number[mask] = number[least]
            kind[mask] = kind[least]
            continue
        size = int64(0)
        rest = mask
        while rest:
            rest &= rest - ONE
            size += ONE
        number[mask] = int32(reps[size])
        reps[size] += ONE
        common = mask
        found = False
        for line in lines:
            if mask & line == line:
                found = True
                common &= line
        kind[mask] = uint8(OPEN if not found else LINED if common else IMPOSSIBLE)


@kernel("void(int64, int64, int32[::1], uint8[::1], int32[::1])")
def list_sets(squares, size, number, way_to, found):
    """Write the least set of each number, of this size."""
    for mask in range(ONE << squares):
        if way_to[mask]:
            continue
        count = int64(0)
        rest = mask
        while rest:
            rest &= rest - ONE
            count += ONE
        if count == size:
            found[number[mask]] = int32(mask)


@helper
def rank_subset(mask, low_rank, high_rank):
    """Return how many sets of the same size are less."""
    low = mask & LOW_MASK
    packed = int64(low_rank[low])
    return (packed & int64(0xFFFF)) + int64(high_rank[packed >> int64(16), mask >> LOW])


@helper
def first_subset(rank, size, width, choose):
    """Return the subset of this size and rank."""
    mask = int64(0)
    at = width - ONE
    left = size
    while left > 0:
        while choose[at, left] > rank:
            at -= ONE
        mask |= ONE << at
        rank -= choose[at, left]
        left -= ONE
        at -= ONE
    return mask


@helper
def spread(mask, where):
    """Return the squares of a subset of those left."""
    found = int64(0)
    at = int64(0)
    while mask:
        if mask & ONE:
            found |= ONE << where[at]
        mask >>= ONE
        at += ONE
    return found


@helper
def squeeze(mask, rep, squares):
    """Return a set of squares as a subset of those that `rep` leaves."""
    found = int64(0)
    at = int64(0)
    for square in range(squares):
        bit = ONE << square
        if rep & bit:
            continue
        if mask & bit:
            found |= ONE << at
        at += ONE
    return found


@helper
def least_rank(other, rep, squares, ways, low_rank, high_rank):
    """Return the least rank of the other's squares under the symmetries that keep `rep`."""
    best = rank_subset(squeeze(other, rep, squares), low_rank, high_rank)
    for way in range(1, ways.shape[0]):
        if turn_mask(rep, ways, way, squares) == rep:
            turned = squeeze(turn_mask(other, ways, way, squares), rep, squares)
            best = min(best, rank_subset(turned, low_rank, high_rank))
    return best


@helper
def is_symmetric(rep, ways, squares):
    """Return whether some symmetry keeps a set of squares."""
    found = False
    for way in range(1, ways.shape[0]):
        found |= turn_mask(rep, ways, way, squares) == rep
    return found


@kernel(
    "int64(int64, int64, int32[:, :, ::1], int32[::1], uint8[::1], int32[::1], int32[:, ::1],"
    " int64, int64)"
)
def rank_board(first, second, ways, number, way_to, low_rank, high_rank, squares, row_size):
    """Return the number of a position in its tier."""
    way = int64(way_to[first])
    rep = turn_mask(first, ways, way, squares) if way else first
    other = turn_mask(second, ways, way, squares) if way else second
    rank = least_rank(other, rep, squares, ways, low_rank, high_rank)
    return int64(number[first]) * row_size + rank


@kernel(
    "void(int64, int64, int64, int64, int64, boolean, int32[:, :, ::1], int32[::1], uint8[::1],"
    " uint8[::1], int32[::1], int32[::1], int32[:, ::1], int64[:, ::1], int64, int64, uint8[::1],"
    " int64[::1], boolean, uint8[::1], int64[::1], int64[::1])",
    seconds=3,
)
def solve_boards(
    squares,
    firsts,  # marks of the first player
    seconds,
    start,
    stop,
    misere,
    ways,
    number,
    way_to,
    kind,
    reps,  # the rows of this tier
    low_rank,
    high_rank,
    choose,
    row_size,  # of this tier
    next_size,  # of the next
    pool,
    places,
    marking,
    values,
    counts,
    work,
):
    """Fill in the values of positions `start` to `stop` of a tier, and count what they are.

    When `marking`, `places` is only told which chunks of the next tier are needed.
    """
    width = squares - firsts  # squares left for the second player
    first_moves = firsts == seconds
    parts = (width + int64(7)) >> int64(3)
    where = np.empty(max(width, ONE), np.int64)
    spreads = np.zeros((4, 256), np.int64)
    moved = np.zeros((max(width, ONE), 4, 256), np.int32)
    base = np.zeros(max(width, ONE), np.int64)
    target = np.zeros(max(width, ONE), np.int64)
    twisted = np.zeros(max(width, ONE), np.uint8)
    here = np.empty(squares + ONE, np.int64)
    for row in range(start // row_size, (stop + row_size - ONE) // row_size):
        if work[0]:
            return
        rep = int64(reps[row])
        begin = max(start - row * row_size, int64(0))
        end = min(stop - row * row_size, row_size)
        at = row * row_size + begin - start
        own_kind = kind[rep]
        if own_kind == IMPOSSIBLE or (first_moves and own_kind != OPEN):
            continue  # the values stay 0: nobody could get there
        count = int64(0)
        for square in range(squares):
            if not (rep >> square) & ONE:
                where[count] = square
                count += ONE
        symmetric = is_symmetric(rep, ways, squares)
        for part in range(parts):
            for byte in range(256):
                bits = int64(byte) << (8 * part)
                spreads[part, byte] = int64(0) if bits >> width else spread(bits, where)
        ended_row = own_kind == LINED
        if not ended_row and first_moves:
            for i in range(width):
                first = rep | (ONE << where[i])
                way = int64(way_to[first])
                base[i] = int64(number[first]) * next_size
                least = turn_mask(first, ways, way, squares) if way else first
                target[i] = least
                twisted[i] = uint8(is_symmetric(least, ways, squares))
                # Where each square left goes, among those left there.
                place = int64(0)
                for square in range(squares):
                    here[square] = int64(-1)
                for square in range(squares):
                    if not (least >> square) & ONE:
                        here[square] = place
                        place += ONE
                for part in range(parts):
                    for byte in range(256):
                        moved[i, part, byte] = int32(0)
                    for bit in range(8):
                        j = part * int64(8) + int64(bit)
                        if j >= width or j == i:
                            continue
                        goes = turn_mask(ONE << where[j], ways, way, squares)
                        to = int64(0)
                        while goes > ONE:
                            goes >>= ONE
                            to += ONE
                        image = int32(ONE << here[to])
                        step = ONE << bit
                        for byte in range(step, step << ONE):
                            moved[i, part, byte] = moved[i, part, byte - step] | image
                if marking:
                    for chunk in range(base[i] >> BITS, ((base[i] + next_size - ONE) >> BITS) + 1):
                        places[chunk] = int64(0)
        elif marking and not ended_row and seconds < width:
            begun = row * next_size
            for chunk in range(begun >> BITS, ((begun + next_size - ONE) >> BITS) + 1):
                places[chunk] = int64(0)
        if marking:
            continue
        subset = first_subset(begin, seconds, width, choose)
        for rank in range(begin, end):
            if rank > begin:  # the next larger number with as many bits
                low = subset & -subset
                ripple = subset + low
                subset = ripple | (((ripple ^ subset) >> int64(2)) >> lowest(low))
            at_now = at
            at += ONE
            other = int64(0)
            for part in range(parts):
                other |= spreads[part, (subset >> (8 * part)) & int64(255)]
            other_kind = kind[other]
            if other_kind != OPEN and (other_kind == IMPOSSIBLE or not first_moves):
                continue
            if symmetric and least_rank(other, rep, squares, ways, low_rank, high_rank) != rank:
                continue  # another position is equal to it
            if ended_row or other_kind == LINED:
                values[at_now] = uint8(WIN if misere else LOSS)
                counts[3] += ONE
                continue
            if firsts + seconds == squares:
                values[at_now] = uint8(DRAW)
                counts[3] += ONE
                continue
            least = int64(256)
            if first_moves:
                for i in range(width):
                    if (subset >> i) & ONE:
                        continue
                    if twisted[i]:
                        goal = target[i]
                        way = int64(way_to[rep | (ONE << where[i])])
                        turned = turn_mask(other, ways, way, squares)
                        after = least_rank(turned, goal, squares, ways, low_rank, high_rank)
                    else:
                        image = int64(0)
                        for part in range(parts):
                            image |= int64(moved[i, part, (subset >> (8 * part)) & int64(255)])
                        after = rank_subset(image, low_rank, high_rank)
                    after += base[i]
                    least = min(least, int64(pool[places[after >> BITS] + (after & LAST)]))
            else:
                free = ((ONE << width) - ONE) & ~subset
                while free:
                    bit = free & -free
                    free ^= bit
                    if symmetric:
                        added = spread(subset | bit, where)
                        after = least_rank(added, rep, squares, ways, low_rank, high_rank)
                    else:
                        after = rank_subset(subset | bit, low_rank, high_rank)
                    after += row * next_size
                    least = min(least, int64(pool[places[after >> BITS] + (after & LAST)]))
            value = before(least)
            values[at_now] = uint8(value)
            counts[0 if value > DRAW else 1 if value < DRAW else 2] += ONE
        work[1] += end - begin


@kernel(
    "void(int64, int64, int64, int64, int32[::1], int64[:, ::1], int64, int32[::1], int32[::1])"
)
def list_boards(squares, seconds, start, stop, reps, choose, row_size, firsts_out, seconds_out):
    """Write the squares of both players in the positions `start` to `stop` of a tier."""
    where = np.empty(squares + ONE, np.int64)
    for number in range(start, stop):
        rep = int64(reps[number // row_size])
        count = int64(0)
        for square in range(squares):
            if not (rep >> square) & ONE:
                where[count] = square
                count += ONE
        subset = first_subset(number % row_size, seconds, count, choose)
        firsts_out[number - start] = int32(rep)
        seconds_out[number - start] = int32(spread(subset, where))


@kernel("void(int64, int64[::1], int64[::1], int64[::1], int64[:, ::1], int64[:, ::1])", seconds=1)
def count_boards(squares, units, weights, lines, going_on, ended):
    """Count the positions of tic-tac-toe in which both sets of squares consist of whole units.

    The units are sets of squares that belong together, such as those that a symmetry exchanges,
    and the weights say how many squares each has. `going_on[a, b]` is how many positions have no
    line and a and b squares taken, and `ended[a, b]` those in which the owner of the a squares has
    just completed a line.
    """
    sets = ONE << units.size
    kind = np.zeros(sets, np.uint8)
    size = np.zeros(sets, np.int8)
    for chosen in range(sets):
        mask, taken = int64(0), int64(0)
        for i in range(units.size):
            if (chosen >> i) & ONE:
                mask |= units[i]
                taken += weights[i]
        size[chosen] = taken
        common, found = mask, False
        for line in lines:
            if mask & line == line:
                found = True
                common &= line
        kind[chosen] = uint8(OPEN if not found else LINED if common else IMPOSSIBLE)
    within = np.zeros(sets, np.int32)
    for b in range(squares + ONE):
        some = False
        for chosen in range(sets):
            is_one = kind[chosen] == OPEN and size[chosen] == b
            within[chosen] = int32(is_one)
            some |= is_one
        if not some:
            continue
        for i in range(units.size):  # over all subsets, one unit after the other
            bit = ONE << i
            for chosen in range(sets):
                if chosen & bit:
                    within[chosen] += within[chosen ^ bit]
        for chosen in range(sets):
            found_sets = int64(within[(sets - ONE) ^ chosen])
            if kind[chosen] == OPEN:
                going_on[size[chosen], b] += found_sets
            elif kind[chosen] == LINED:
                ended[size[chosen], b] += found_sets


# Nim


@helper
def rank_piles(piles, fewer, total):
    """Return the number of a position, its piles in descending order, in the tier of its coins."""
    number = int64(0)
    rest = total
    for i in range(piles.size):
        number += fewer[i, piles[i], rest]
        rest -= piles[i]
    return number


@helper
def find_piles(number, fewer, total, tops, piles):
    """Write the piles of a position."""
    rest = total
    for i in range(piles.size):
        size = min(tops[i], rest)
        if i > 0:
            size = min(size, piles[i - 1])
        while fewer[i, size, rest] > number:
            size -= ONE
        number -= fewer[i, size, rest]
        piles[i] = size
        rest -= size


@kernel("void(int64, int64, int64, int64[:, :, ::1], int64[::1], int64[:, ::1])")
def list_piles(total, start, stop, fewer, tops, found):
    """Write the piles of the positions `start` to `stop` of a tier."""
    piles = np.zeros(tops.size, np.int64)
    for number in range(start, stop):
        find_piles(number, fewer, total, tops, piles)
        found[number - start] = piles


@kernel("void(int64, int64[:, :, ::1], int64[::1], uint16[::1], uint16[:, ::1], uint16[::1])")
def list_losses(total, fewer, tops, values, found, lost):
    """Write the piles of all lost positions of a tier, and their values."""
    piles = np.zeros(tops.size, np.int64)
    written = int64(0)
    for number in range(values.size):
        if values[number] == 0 or values[number] >= WIDE_DRAW:
            continue
        find_piles(number, fewer, total, tops, piles)
        for i in range(piles.size):
            found[written, i] = uint16(piles[i])
        lost[written] = values[number]
        written += ONE


@kernel(
    "void(int64, int64, int64, int64, int64[:, :, ::1], int64[::1], uint16[:, ::1], uint16[::1],"
    " uint16[::1], int64[::1])",
    seconds=2,
)
def mark_wins(total, gone, start, stop, fewer, tops, lost, lost_values, values, work):
    """Mark the positions `start` to `stop` of a tier from which taking so many leads to a loss.

    A value becomes that of the soonest win so far. Few positions are lost, so this is far less than
    to try all moves.

    When a pile grows it moves up past smaller ones. The terms of the piles above its new place
    change with what it has grown by, those of the piles below its old place not at all, and those
    between them not with how far it has grown; so all but the last are summed up once.
    """
    size = tops.size
    top = tops[0] - gone  # of piles that may grow so much
    piles = np.zeros(size, np.int64)
    rests = np.zeros(size + 1, np.int64)  # coins from each pile on
    below = np.zeros(size + 1, np.int64)  # terms from each pile on, in the tier of the loss
    for each in range(lost.shape[0]):
        if work[0]:
            return
        for i in range(size - 1, -1, -1):
            piles[i] = int64(lost[each, i])
            rests[i] = rests[i + 1] + piles[i]
            if piles[i] <= top:
                below[i] = below[i + 1] + fewer[i, piles[i], rests[i]]
        value = uint16(wide_before(int64(lost_values[each])))
        above, summed = int64(0), int64(0)  # terms of the first piles, in the tier to mark
        for i in range(size):
            own = piles[i]
            if own > top or (i > 0 and piles[i - 1] == own):
                continue  # only the first of equal piles
            grown = own + gone
            at = int64(i)
            between = int64(0)
            while at > 0 and piles[at - 1] < grown and piles[at - 1] <= tops[at]:
                at -= ONE
                between += fewer[at + ONE, piles[at], rests[at] - own]
            if grown > tops[at] or (at > 0 and piles[at - 1] < grown):
                continue  # so large it cannot arise
            while summed < at:
                above += fewer[summed, piles[summed], rests[summed] + gone]
                summed += ONE
            place = above + fewer[at, grown, rests[at] + gone] + between + below[i + 1]
            if start <= place < stop and values[place - start] < value:
                values[place - start] = value


@kernel(
    "void(int64, int64, int64, int64[:, :, ::1], int64[::1], int64, boolean, int64[::1],"
    " int64[::1], uint16[::1], int64[::1], boolean, boolean, uint16[::1], int64[::1], int64[::1])",
    seconds=2,
)
def solve_piles(
    total,
    start,
    stop,
    fewer,
    tops,
    take,
    misere,
    endings,  # numbers in this tier, ascending
    bases,  # where the values of each total begin
    pool,
    places,
    marking,
    marked,  # whether `mark_wins` has found all wins
    values,
    counts,
    work,
):
    """Fill in the values of positions `start` to `stop` of a tier, and count what they are.

    When a pile shrinks to some size it moves down past larger ones. What the piles that it passes
    add to the number depends on that size alone, and what those above it add on how much is gone.
    """
    size = tops.size
    piles = np.zeros(size, np.int64)
    rests = np.zeros(size + 1, np.int64)  # coins from each pile on
    below = np.zeros(size + 1, np.int64)  # terms from each pile on, which stay as they are
    most = min(take, tops[0])
    above = np.zeros((most + ONE, size + 1), np.int64)  # terms above each pile, by what is gone
    passed = np.zeros((tops[0] + ONE, size + 1), np.int64)  # terms up to each pile, by size
    for number in range(start, stop):
        if number & int64(0xFFF) == 0 and work[0]:
            return
        ended = total == 0
        for ending in endings:
            ended |= ending == number
        if ended:
            values[number - start] = uint16(WIDE_WIN if misere else LOSS)
            counts[3] += ONE
            continue
        if marked and values[number - start]:
            counts[0] += ONE
            continue
        find_piles(number, fewer, total, tops, piles)
        rests[size] = int64(0)
        for i in range(size - 1, -1, -1):
            rests[i] = rests[i + 1] + piles[i]
            below[i] = below[i + 1] + fewer[i, piles[i], rests[i]]
        for gone in range(ONE, min(most, piles[0]) + ONE):
            for i in range(size - 1):
                if piles[i + 1] < gone:
                    break  # no pile from here on has so many
                above[gone, i + 1] = above[gone, i] + fewer[i, piles[i], rests[i] - gone]
        for left in range(piles[0]):
            for i in range(1, size):
                if piles[i] <= left:
                    break
                passed[left, i] = passed[left, i - 1] + fewer[i - 1, piles[i], rests[i] + left]
        least = int64(WIDE_WIN + 1)
        for i in range(size):
            own = piles[i]
            if own == 0:
                break
            if i + 1 < size and piles[i + 1] == own:
                continue  # the last of equal piles
            at = int64(i)
            for left in range(own - ONE, max(int64(0), own - take) - ONE, -1):
                while at + 1 < size and piles[at + 1] > left:
                    at += ONE
                gone = own - left
                place = above[gone, i] + passed[left, at] - passed[left, i]
                place += fewer[at, left, rests[at + 1] + left] + below[at + 1]
                place += bases[total - gone]
                if marking:
                    places[place >> BITS] = int64(0)
                else:
                    least = min(least, int64(pool[places[place >> BITS] + (place & LAST)]))
        if marking:
            continue
        value = wide_before(least)
        values[number - start] = uint16(value)
        counts[0 if value > WIDE_DRAW else 1] += ONE
    work[1] += stop - start


# Any game: successors as numbers, and values from them


@kernel(
    types.int64(
        SUCCESSORS,
        types.FunctionType(int64(int64, int64[::1])),
        types.FunctionType(int64(int64, int64[::1])),
        int64[::1],
        int64,
        int64,
        int64[::1],
        int64[::1],
        uint16[::1],
        int64,
    ),
    seconds=2,
)
def number_successors(
    successors, rank, unrank, options, start, stop, first, numbers, ended, max_moves
):
    """Write the numbers of the successors of some positions, and return how many there are.

    `ended` becomes the value of a position that has ended, and 1 less than the draw where there is
    no position.
    """
    out = np.empty(max_moves, np.int64)
    written = int64(0)
    for number in range(start, stop):
        at = number - start
        code = unrank(number, options)
        if code < 0:
            ended[at] = uint16(WIDE_DRAW - 1)
        else:
            count = successors(code, options, out)
            if count < 0:
                result = count + int64(10)
                ended[at] = uint16(LOSS if result == 1 else WIDE_DRAW if result == 2 else WIDE_WIN)
            else:
                for i in range(count):
                    numbers[written] = rank(out[i], options)
                    written += ONE
        first[at + 1] = written
    return written


@kernel("int64(int64[::1], uint16[::1], uint8[::1], uint16[::1], uint16[::1])")
def value_positions(first, after, again, ended, values):
    """Fill in the values of positions from those of their successors; return how many changed.

    `again` says where the same seat moves once more.
    """
    changed = int64(0)
    for p in range(first.size - 1):
        value = int64(ended[p])
        if value == WIDE_DRAW - 1:
            value = int64(0)
        elif value == 0:
            for e in range(first[p], first[p + 1]):
                each = int64(after[e])
                if not again[e]:
                    each = wide_before(each)
                elif each != WIDE_DRAW:
                    each += ONE if each < WIDE_DRAW else -ONE
                value = max(value, each)
        changed += values[p] != value
        values[p] = uint16(value)
    return changed


# Othello, as ids: both boards side by side, scrambled so that they are spread evenly


@helper
def scramble_code(code, bits):
    """Return a number of as many bits that stands for the code, as if drawn by lot."""
    mask = (ONE << bits) - ONE
    half = (bits + ONE) >> ONE
    code = (code * int64(SPREAD)) & mask
    code ^= code >> half
    code = (code * int64(STIR)) & mask
    return code ^ (code >> half)


@helper
def unscramble_code(code, bits):
    """Return the code that such a number stands for."""
    mask = (ONE << bits) - ONE
    half = (bits + ONE) >> ONE
    code ^= code >> half
    code = (code * int64(UNSTIR)) & mask
    code ^= code >> half
    return (code * int64(UNSPREAD)) & mask


@helper
def code_of_board(own, other, squares, ways):
    """Return the least code of a position over all symmetries of the board."""
    best = (own << squares) | other
    for way in range(1, ways.shape[0]):
        mine = turn_mask(own, ways, way, squares)
        if mine <= best >> squares:
            best = min(best, (mine << squares) | turn_mask(other, ways, way, squares))
    return best


@helper
def tier_of_board(own, other, full, width, inner, steps):
    """Return twice the discs, and 1 more unless the mover has to pass."""
    discs = count(uint64(own | other)) * int64(2)
    if legal_moves(uint64(own), uint64(other), full, width, inner, steps):
        return discs + ONE
    if legal_moves(uint64(other), uint64(own), full, width, inner, steps):
        return discs
    return discs + ONE


@kernel("int64(int64, int64, int64, int32[:, :, ::1])")
def id_of_board(own, other, squares, ways):
    """Return the id of a position of Othello."""
    return scramble_code(code_of_board(own, other, squares, ways), squares * int64(2))


@kernel("void(int64[::1], int64, int32[::1], int32[::1])")
def boards_of_ids(ids, squares, owns, others):
    """Write the discs of the mover and of the other in positions given by their ids."""
    for i in range(ids.size):
        code = unscramble_code(ids[i], squares * int64(2))
        owns[i] = int32(code >> squares)
        others[i] = int32(code & ((ONE << squares) - ONE))


@kernel(
    "int64(int64[::1], int64, uint64, uint64, uint64, int64, boolean, int32[:, :, ::1],"
    " int64[::1], int64[::1], int32[::1], uint16[::1])",
    seconds=3,
)
def follow_boards(
    ids, squares, full, width, inner, steps, misere, ways, first, after, tiers, ended
):
    """Write the ids and tiers of the successors of positions of Othello; return how many they are.

    `ended` becomes the value of a position that has ended.
    """
    bits = squares * int64(2)
    written = int64(0)
    for i in range(ids.size):
        code = unscramble_code(ids[i], bits)
        own = uint64(code >> squares)
        other = uint64(code & ((ONE << squares) - ONE))
        moves = legal_moves(own, other, full, width, inner, steps)
        if moves == uint64(0):
            if legal_moves(other, own, full, width, inner, steps):
                passed = code_of_board(int64(other), int64(own), squares, ways)
                after[written] = scramble_code(passed, bits)
                tiers[written] = int32(count(own | other) * int64(2) + ONE)
                written += ONE
            else:
                ahead = count(own) - count(other)
                if misere:
                    ahead = -ahead
                value = WIDE_WIN if ahead > 0 else LOSS if ahead < 0 else WIDE_DRAW
                ended[i] = uint16(value)
        while moves:
            move = moves & (~moves + uint64(1))
            moves ^= move
            turned = flipped_discs(own, other, move, width, inner, steps)
            mine, yours = int64(own | turned | move), int64(other ^ turned)
            code = code_of_board(yours, mine, squares, ways)
            after[written] = scramble_code(code, bits)
            tiers[written] = int32(tier_of_board(yours, mine, full, width, inner, steps))
            written += ONE
        first[i + ONE] = written
    return written
