"""Random games of Nim, compiled.

Every object of a pile stands for one move: taking it and all above it. So a random move is a random
object, and no list of moves is ever made.
"""

from __future__ import annotations

from numba import int64, njit, uint64

from parlour.kernels import kernel
from parlour.kernels.chance import STEP, below, scramble


@njit
def is_ending(piles, endings):
    """Whether the piles, in whatever order, are one of the endings (sorted, zeros first)."""
    ordered = piles.copy()
    ordered.sort()
    for e in range(endings.shape[0]):
        same = True
        for i in range(ordered.size):
            same &= ordered[i] == endings[e, i]
        if same:
            return True
    return False


@njit
def next_seat(turn, left, seats):
    """The next of the seats still in the game."""
    turn = (turn + 1) % seats
    while not (left >> turn) & 1:
        turn = (turn + 1) % seats
    return turn


@kernel(
    "void(int64[::1], int64[:, ::1], int64, boolean, int64, int64, uint64, int64[::1], int64[::1])"
)
def playouts(start, endings, take, misere, seats, games, seed, tally, work):
    """Play so many random games; `tally` counts the wins of each seat, then all plies."""
    piles = start.copy()
    everyone = (int64(1) << seats) - int64(1)
    chance = seed
    plies = int64(0)
    all_ways = int64(0)
    for pile in start:
        all_ways += min(pile, take)
    for _ in range(games):
        if work[0]:
            break
        for i in range(piles.size):
            piles[i] = start[i]
        turn, left = int64(0), everyone
        ways = all_ways
        winner = int64(-1)
        while winner < 0:
            chance += STEP
            chosen = int64(below(scramble(chance), uint64(ways)))
            ways = int64(0)
            objects = int64(0)
            for i in range(piles.size):  # without branches: which pile is hit cannot be foreseen
                pile = piles[i]
                share = min(pile, take)
                hit = int64(chosen >= 0) & int64(chosen < share)
                pile -= hit * (chosen + 1)
                chosen -= share
                piles[i] = pile
                objects += pile
                ways += min(pile, take)
            plies += 1
            if objects and not (endings.shape[0] and is_ending(piles, endings)):
                turn = int64(1) - turn if seats == 2 else next_seat(turn, left, seats)
            elif not misere:
                winner = turn
            else:
                left &= ~(int64(1) << turn)
                piles[:] = start
                ways = all_ways
                turn = int64(0)
                while not (left >> turn) & 1:
                    turn += 1
                if left == int64(1) << turn:
                    winner = turn
        tally[winner] += 1
        work[1] += 1
    tally[seats] += plies
