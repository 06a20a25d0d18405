"""Training of hats, compiled: games are walks over the enumerated situations of any game.

A situation's balls begin at `first`; `leads` says where each one leads: to twice the next situation
(plus 1 if the same seat moves again) or, when negative, to an end that is won (-3), drawn (-2) or
lost (-1) for the seat that drew it.
"""

from __future__ import annotations

import numpy as np
from numba import int64, uint64

from parlour.kernels.compiler import helper, kernel
from parlour.kernels.rng import STEP, below, scramble

STOP, DONE = 0, 1
WIN = -3
DRAWS, RESIGNED, RAN_OUT_AT, GAMES = 2, 3, 5, 6  # places in the tally, after both wins
MAX_BALLS = 2**31 - 1  # of a kind: the largest number that a row can hold
MAX_TOTAL = 2**32  # the largest that `below` can take


@helper
def draw_ball(balls, begin, end, number):
    """Return the place of a ball drawn by a random number; -1 when there is none."""
    total = int64(0)
    for place in range(begin, end):
        total += balls[place]
    if total == 0:
        return int64(-1)
    # For a total too large for `below` a remainder is fair enough.
    index = below(number, uint64(total)) if total <= MAX_TOTAL else number % uint64(total)
    left = int64(index)
    for place in range(begin, end):
        left -= balls[place]
        if left < 0:
            return int64(place)
    return int64(-1)


@kernel("int64(int32[::1], int64, int64, uint64[::1])")
def draw_next(balls, begin, end, rng):
    """Return the place of the ball that training draws next from these; -1 when there is none."""
    rng[0] += STEP
    return draw_ball(balls, begin, end, scramble(rng[0]))


@kernel(
    "void(int64[::1], int32[::1], int8[::1], int32[:, ::1], int8[::1], boolean, int64[::1], "
    "int64, int64, int64, uint64[::1], int64[::1], int64[::1])"
)
def train(
    first, leads, boxed, balls, learns, alternate, gains, floor, games, longest, rng, tally, work
):
    """Play games and learn; `balls` has one row for each player, or one that both share.

    `gains` are the balls that a loss, a draw and a win add of each kind drawn, never below `floor`
    and never above what fits. The tally counts wins of either player, draws, resignations of either
    for want of balls, and notes the first game in which one had nothing to draw at its first turn.
    """
    players = balls.shape[0]
    places = np.empty(longest, np.int64)  # the place of each ball drawn in this game
    drawn_by = np.empty(longest, np.int64)  # and the seat that drew it
    for _ in range(games):
        if work[STOP]:
            break
        begins = int64(tally[GAMES] & 1) if alternate else int64(0)  # the player at the first seat
        situation, seat = int64(0), int64(0)
        drawn, plies = int64(0), int64(0)
        winner = int64(-1)  # a seat; -1 for a draw
        while plies < longest:
            player = (seat + begins) & int64(1)
            row = player if players == 2 else int64(0)
            begin, end = first[situation], first[situation + 1]
            if boxed[situation]:
                rng[0] += STEP
                place = draw_ball(balls[row], begin, end, scramble(rng[0]))
                if place < 0:
                    tally[RESIGNED + player] += 1
                    own = int64(0)
                    for i in range(drawn):
                        own += int64(drawn_by[i] == seat)
                    if own == 0 and tally[RAN_OUT_AT] < 0:
                        tally[RAN_OUT_AT] = tally[GAMES] + 1
                    winner = int64(1) - seat
                    break
                if learns[row]:
                    places[drawn] = place
                    drawn_by[drawn] = seat
                    drawn += 1
            else:
                place = begin
            plies += 1
            following = int64(leads[place])
            if following < 0:
                if following != -2:
                    winner = seat if following == WIN else int64(1) - seat
                break
            situation = following >> int64(1)
            if not following & int64(1):
                seat = int64(1) - seat
        for i in range(drawn):
            row = (drawn_by[i] + begins) & int64(1) if players == 2 else int64(0)
            outcome = int64(1) if winner < 0 else int64(2) * int64(winner == drawn_by[i])
            place = places[i]
            learned = max(int64(balls[row, place]) + gains[outcome], floor)
            balls[row, place] = min(learned, int64(MAX_BALLS))
        if winner < 0:
            tally[DRAWS] += 1
        else:
            tally[(winner + begins) & int64(1)] += 1
        tally[GAMES] += 1
        work[DONE] += 1


@kernel(
    "int64(int64[::1], int32[::1], float64[::1], float64[::1], int64, float64[:, ::1], "
    "float64[:, ::1], int64[::1])"
)
def outcome_probabilities(first, leads, own, other, sweeps, won, lost, work):
    """Compute a player's probabilities of winning and losing from each situation against another.

    `own` and `other` are the probabilities of each ball; a box without any resigns. Row 0 of `won`
    and `lost` is for situations where the player is to move, row 1 where the opponent is. Games
    that never end count as neither. Sweep until nothing changes or the work is stopped; return the
    number of sweeps.
    """
    situations = first.size - 1
    for sweep in range(sweeps):
        if work[STOP]:
            return int64(sweep)
        change = 0.0
        for back in range(situations):
            s = situations - 1 - back
            for mover in range(2):
                probabilities = own if mover == 0 else other
                win, loss, total = 0.0, 0.0, 0.0
                for place in range(first[s], first[s + 1]):
                    probability = probabilities[place]
                    if probability == 0.0:
                        continue
                    total += probability
                    following = int64(leads[place])
                    if following >= 0:
                        who = mover if following & int64(1) else 1 - mover
                        win += probability * won[who, following >> int64(1)]
                        loss += probability * lost[who, following >> int64(1)]
                    elif following != -2:
                        if (following == WIN) == (mover == 0):
                            win += probability
                        else:
                            loss += probability
                if total == 0.0:
                    if mover == 0:
                        loss = 1.0
                    else:
                        win = 1.0
                change += abs(win - won[mover, s]) + abs(loss - lost[mover, s])
                won[mover, s] = win
                lost[mover, s] = loss
        if change < 1e-12:
            return int64(sweep + 1)
    return int64(sweeps)
