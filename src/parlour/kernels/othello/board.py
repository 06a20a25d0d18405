"""Othello on two 64-bit boards, for any board of up to 64 squares.

A board is described by three numbers: `width`, the columns; `inner`, the squares in neither the
first nor the last column; `steps`, how often a doubled step must be repeated to cross the longest
line. Runs are followed on the whole board at once: shift the own discs over the opposing ones, then
everything reached once more, and again two squares at a time.
"""

from __future__ import annotations

from numba import int64, uint64

from parlour.kernels.compiler import helper, kernel
from parlour.kernels.rng import STEP, below, scramble

ZERO = uint64(0)
ONE = uint64(1)
EIGHT = uint64(8)
FULL_8X8 = uint64(0xFFFFFFFFFFFFFFFF)
INNER_8X8 = uint64(0x7E7E7E7E7E7E7E7E)


@helper
def run_up(seeds, through, shift, steps):
    """Return the discs of `through` in unbroken lines from the seeds, towards higher squares."""
    reached = through & (seeds << shift)
    reached |= through & (reached << shift)
    pairs = through & (through << shift)
    twice = shift + shift
    for _ in range(steps):
        reached |= pairs & (reached << twice)
    return reached


@helper
def run_down(seeds, through, shift, steps):
    """Do the same towards lower squares."""
    reached = through & (seeds >> shift)
    reached |= through & (reached >> shift)
    pairs = through & (through >> shift)
    twice = shift + shift
    for _ in range(steps):
        reached |= pairs & (reached >> twice)
    return reached


@helper
def legal_moves(own, other, full, width, inner, steps):
    """Return every empty square next to the far end of a run of opposing discs."""
    side = other & inner  # a run across columns never wraps around the edge
    ends = run_up(own, side, ONE, steps) << ONE
    ends |= run_down(own, side, ONE, steps) >> ONE
    ends |= run_up(own, other, width, steps) << width
    ends |= run_down(own, other, width, steps) >> width
    shift = width + ONE
    ends |= run_up(own, side, shift, steps) << shift
    ends |= run_down(own, side, shift, steps) >> shift
    shift = width - ONE
    ends |= run_up(own, side, shift, steps) << shift
    ends |= run_down(own, side, shift, steps) >> shift
    return ends & full & ~(own | other)


@helper
def flips_up(own, move, through, shift, steps):
    """Return the run from the move towards higher squares, if an own disc closes it."""
    run = run_up(move, through, shift, steps)
    return run if (run << shift) & own else ZERO


@helper
def flips_down(own, move, through, shift, steps):
    """Do the same towards lower squares."""
    run = run_down(move, through, shift, steps)
    return run if (run >> shift) & own else ZERO


@helper
def flipped_discs(own, other, move, width, inner, steps):
    """Return the opposing discs that a disc on `move` encloses; none when the move is illegal."""
    move &= ~(own | other)
    side = other & inner
    discs = flips_up(own, move, side, ONE, steps)
    discs |= flips_down(own, move, side, ONE, steps)
    discs |= flips_up(own, move, other, width, steps)
    discs |= flips_down(own, move, other, width, steps)
    discs |= flips_up(own, move, side, width + ONE, steps)
    discs |= flips_down(own, move, side, width + ONE, steps)
    discs |= flips_up(own, move, side, width - ONE, steps)
    discs |= flips_down(own, move, side, width - ONE, steps)
    return discs


@helper
def count(mask):
    """Return the number of set bits."""
    total = int64(0)
    while mask:
        mask &= mask - ONE
        total += int64(1)
    return total


@kernel("uint64(uint64, uint64, uint64, int64, uint64, uint64)")
def moves(full, width, inner, steps, own, other):
    """Return the legal moves."""
    return legal_moves(own, other, full, width, inner, steps)


@kernel("uint64(uint64, uint64, int64, uint64, uint64, uint64)")
def flips(width, inner, steps, own, other, move):
    """Return the discs flipped by a move."""
    return flipped_discs(own, other, move, width, inner, steps)


@kernel("uint64(uint64, uint64)")
def moves_8x8(own, other):
    """Do `moves` on the 8x8 board: a call from Python pays for every argument."""
    return legal_moves(own, other, FULL_8X8, EIGHT, INNER_8X8, 2)


@kernel("uint64(uint64, uint64, uint64)")
def flips_8x8(own, other, move):
    """Do `flips` on the 8x8 board."""
    return flipped_discs(own, other, move, EIGHT, INNER_8X8, 2)


@kernel(
    "void(uint64, uint64, uint64, int64, uint64, uint64, int64, uint64, int64[::1], int64[::1])"
)
def playouts(full, width, inner, steps, own, other, games, seed, tally, work):
    """Play random games; `tally` counts wins of the mover, of the opponent, draws, plies."""
    chance = seed
    for _ in range(games):
        if work[0]:
            return
        mine, yours = own, other
        mover = True
        passed = False
        while True:
            mask = legal_moves(mine, yours, full, width, inner, steps)
            if mask:
                chance += STEP
                for _ in range(below(scramble(chance), uint64(count(mask)))):
                    mask &= mask - ONE
                move = mask & (~mask + ONE)
                flipped = flipped_discs(mine, yours, move, width, inner, steps)
                mine, yours = yours ^ flipped, mine ^ flipped ^ move
                passed = False
            elif passed:
                tally[3] -= 1  # the game was over, so that pass was not a ply
                break
            else:
                mine, yours = yours, mine
                passed = True
            mover = not mover
            tally[3] += 1
        if not mover:
            mine, yours = yours, mine
        ahead = count(mine) - count(yours)
        tally[0 if ahead > 0 else 1 if ahead < 0 else 2] += 1
        work[1] += 1
