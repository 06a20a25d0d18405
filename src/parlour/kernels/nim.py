"""Nim, compiled: random games, many games at once, and the distance of every position.

In a random game every object of a pile stands for one move: taking it and all above it. So a random
move is a random object, and no list of moves is ever made.

Of many games at once, each is one place in three arrays: the piles, the turn, and the seats still
in. Actions number the takes from the full piles, pile by pile and amounts ascending: `first` has
the action that takes one from each pile, and after them the number of all actions.

To solve without storing a graph, a position is its piles in descending order, none above the pile
in that place at the start. Positions are indexed in lexicographic order: `before[i, n]` says how
many come before, for pile i being n. Taking objects always leads to a smaller index, so one pass
upwards meets every position after all that it can lead to. A position that no loss has marked is
itself lost, and it marks all positions above that can move into it.
"""

from __future__ import annotations

from numba import float32, int16, int32, int64, uint8, uint64

from parlour.kernels.compiler import helper, kernel
from parlour.kernels.rng import STEP, below, scramble


@helper
def is_ending(piles, endings):
    """Return whether the piles, in any order, are one of the endings (sorted, zeros first)."""
    ordered = piles.copy()
    ordered.sort()
    for e in range(endings.shape[0]):
        same = True
        for i in range(ordered.size):
            same &= ordered[i] == endings[e, i]
        if same:
            return True
    return False


@helper
def next_seat(turn, left, seats):
    """Return the next of the seats still in the game."""
    turn = (turn + 1) % seats
    while not (left >> turn) & 1:
        turn = (turn + 1) % seats
    return turn


@kernel(
    "void(int64[::1], int64[:, ::1], int64, boolean, int64, int64, uint64, int64[::1], int64[::1])",
    seconds=4,
)
def playouts(start, endings, take, misere, seats, games, seed, tally, work):
    """Play random games; `tally` counts the wins of each seat, then all plies."""
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
            for i in range(piles.size):  # without branches, which could not be predicted
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


# Many games at once


@helper
def find_pile(first, action):
    """Return the pile from which an action takes, or -1 where there is no such action."""
    if action < 0:
        return int64(-1)
    for pile in range(first.size - 1):
        if action < first[pile + 1]:
            return int64(pile)
    return int64(-1)


@helper
def lowest_seat(left):
    """Return the first of the seats still in the game."""
    seat = int64(0)
    while not (left >> seat) & 1:
        seat += int64(1)
    return seat


@kernel(
    "int64(int64[:, ::1], int64[::1], int64[::1], int64[::1], boolean[::1], float32[:, ::1],"
    " boolean[::1], int64[::1], int64[::1], int64[:, ::1], boolean, int64)",
    seconds=2,
)
def play(
    piles, turn, left, actions, playing, rewards, terminated, first, start, endings, misere, seats
):
    """Make a move in every game that is `playing`, or return the first whose action is illegal.

    Then nothing is changed; else -1 is returned. `rewards` and `terminated` must be zeros.
    """
    for game in range(actions.size):
        if playing[game]:
            pile = find_pile(first, actions[game])
            if pile < 0 or actions[game] - first[pile] >= piles[game, pile]:
                return int64(game)
    for game in range(actions.size):
        if not playing[game]:
            continue
        pile = find_pile(first, actions[game])
        piles[game, pile] -= actions[game] - first[pile] + 1
        objects = int64(0)
        for i in range(start.size):
            objects += piles[game, i]
        mover = turn[game]
        if objects and not (endings.shape[0] and is_ending(piles[game], endings)):
            turn[game] = next_seat(mover, left[game], seats)
            continue
        if not misere:
            turn[game] = next_seat(mover, left[game], seats)
            left[game] = int64(1) << mover
        else:
            left[game] &= ~(int64(1) << mover)
            turn[game] = lowest_seat(left[game])
            if left[game] & (left[game] - 1):  # a fresh round for those who are left
                for i in range(start.size):
                    piles[game, i] = start[i]
                continue
        for seat in range(seats):
            rewards[game, seat] = float32(1) if (left[game] >> seat) & 1 else float32(-1)
        terminated[game] = True
    return int64(-1)


@kernel("void(int64[:, ::1], int64[::1], int64[::1], int64[::1], int64, int64, float32[:, ::1])")
def observe(piles, turn, left, observers, seats, digits, seen):
    """Fill rows as these seats see them: the piles in binary digits, the highest first; the turn.

    With more than two seats, whose turn it is and who is still in, from the observing seat on.
    """
    for game in range(turn.size):
        place = int64(0)
        for pile in range(piles.shape[1]):
            for digit in range(digits - 1, -1, -1):
                seen[game, place] = float32((piles[game, pile] >> digit) & 1)
                place += int64(1)
        if seats <= 2:
            seen[game, place] = float32(turn[game] == observers[game])
            continue
        for step in range(seats):
            seat = (observers[game] + step) % seats
            seen[game, place + step] = float32(turn[game] == seat)
            seen[game, place + seats + step] = float32((left[game] >> seat) & 1)


@kernel("void(int64[:, ::1], int64[::1], boolean[:, ::1])")
def mark_legal(piles, first, masks):
    """Mark the legal actions."""
    for game in range(piles.shape[0]):
        for pile in range(piles.shape[1]):
            for action in range(first[pile], first[pile + 1]):
                masks[game, action] = action - first[pile] < piles[game, pile]


@kernel("void(int64[:, ::1], int64[::1], uint64, int64[::1])")
def sample(piles, first, chance, actions):
    """Draw a legal action for every game; -1 where nothing is left to take."""
    for game in range(piles.shape[0]):
        ways = int64(0)
        for pile in range(piles.shape[1]):
            ways += min(piles[game, pile], first[pile + 1] - first[pile])
        chance += STEP
        if ways == 0:
            actions[game] = -1
            continue
        chosen = int64(below(scramble(chance), uint64(ways)))
        pile = int64(0)
        share = min(piles[game, 0], first[1] - first[0])
        while chosen >= share:
            chosen -= share
            pile += int64(1)
            share = min(piles[game, pile], first[pile + 1] - first[pile])
        actions[game] = first[pile] + chosen


# Solving


@helper
def index_with(piles, start, before, place, size):
    """Return the index of a position with one pile changed in size; -1 if it cannot arise."""
    index = int64(0)
    at = int64(0)
    put = False
    for i in range(piles.size):
        if i == place:
            continue
        if not put and piles[i] < size:
            if size > start[at]:
                return int64(-1)
            index += before[at, size]
            at += int64(1)
            put = True
        if piles[i] > start[at]:
            return int64(-1)
        index += before[at, piles[i]]
        at += int64(1)
    if not put:
        if size > start[at]:
            return int64(-1)
        index += before[at, size]
    return index


@helper
def advance(piles, start):
    """Advance to the position with the next index."""
    for i in range(piles.size - 1, -1, -1):
        if piles[i] < start[i] and (i == 0 or piles[i] < piles[i - 1]):
            piles[i] += 1
            for j in range(i + 1, piles.size):
                piles[j] = 0
            return


@helper
def step_back(piles, start):
    """Step back to the position with the previous index."""
    for i in range(piles.size - 1, -1, -1):
        if piles[i] > 0:
            piles[i] -= 1
            for j in range(i + 1, piles.size):
                piles[j] = min(start[j], piles[j - 1])
            return


@kernel(
    "void(int64[::1], int64[:, ::1], int64[::1], int64, boolean, int64[::1], int16[::1],"
    " int64[::1])"
)
def solve(start, before, endings, take, misere, piles, distance, work):
    """Fill `distance`: 1 + plies for a win, -1 - plies for a loss; so ends are at 1 and -1.

    `endings` are the indices of the finished positions, ascending, the empty one first. `piles` and
    `distance` must be zeros.
    """
    next_ending = int64(0)
    for index in range(distance.size):
        if index & int64(0xFFFF) == 0:
            work[1] = index
            if work[0]:
                return
        if index > 0:
            advance(piles, start)
        if next_ending < endings.size and index == endings[next_ending]:
            next_ending += int64(1)
            distance[index] = int16(1) if misere else int16(-1)
            if misere:
                continue
        elif distance[index] > 0:
            continue
        else:  # no move leads to a loss, so it is lost, as slowly as possible
            longest = int32(0)
            for i in range(piles.size):
                if i == 0 or piles[i] != piles[i - 1]:
                    for size in range(max(int64(0), piles[i] - take), piles[i]):
                        below = index_with(piles, start, before, i, size)
                        if distance[below] > longest:
                            longest = int32(distance[below])
            distance[index] = int16(-longest - 1)
        sooner = int16(1 - distance[index])
        for i in range(piles.size):
            if i == 0 or piles[i] != piles[i - 1]:
                for size in range(piles[i] + 1, min(start[0], piles[i] + take) + 1):
                    above = index_with(piles, start, before, i, size)
                    if above >= 0 and (distance[above] == 0 or distance[above] > sooner):
                        distance[above] = sooner
    work[1] = distance.size


@kernel("void(int64[::1], int64[:, ::1], int64, int64[::1], int16[::1], uint8[::1])")
def mark_reachable(start, before, take, piles, distance, reached):
    """Mark in `reached` what can arise from the start; endings may cut positions off.

    This goes downwards, with `piles` at the start and the last of `reached` marked. A position can
    arise if one that can, and has not ended, is one move above it; mostly the first one tried is.
    """
    for index in range(distance.size - 2, -1, -1):
        step_back(piles, start)
        found = False
        for i in range(piles.size):
            if found or (i > 0 and piles[i] == piles[i - 1]):
                continue
            for size in range(piles[i] + 1, min(start[0], piles[i] + take) + 1):
                above = index_with(piles, start, before, i, size)
                if above >= 0 and reached[above] and abs(distance[above]) != 1:
                    found = True
                    break
        reached[index] = uint8(found)
