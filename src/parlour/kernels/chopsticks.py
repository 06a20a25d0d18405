"""Minimax over all positions of chopsticks at once, compiled.

A position is the pair of hands of the mover and that of the opponent, each unordered. There are far
fewer positions than lines of play, so each depth is computed for all of them from the depth below,
and one more ply costs no more than the one before.
"""

from __future__ import annotations

from numba import int64, njit

from parlour.kernels.compiler import kernel

ZERO, ONE, TWO = int64(0), int64(1), int64(2)
WIN = int64(1000)


@njit
def pair_of(one, two):
    """Return the index of an unordered pair of hands."""
    low, high = min(one, two), max(one, two)
    return high * (high + ONE) // TWO + low


@njit
def add_fingers(hand, target, dies_at, wraps):
    """Return the fingers of the target after a hit."""
    fingers = hand + target
    if fingers < dies_at:
        return fingers
    return fingers - dies_at if wraps else ZERO


@njit
def best_value(a, b, c, d, below, dies_at, wraps, hit_self, split_least, revive, split_same):
    """Return the value for the mover with a and b against c and d, from the values below."""
    mine, theirs = pair_of(a, b), pair_of(c, d)
    value = -WIN
    for hand, other in ((a, b), (b, a)):
        if not hand:
            continue
        for target, kept in ((c, d), (d, c)):
            if target:
                hit = pair_of(add_fingers(hand, target, dies_at, wraps), kept)
                value = max(value, -below[hit, mine])
        if hit_self and other:
            hit = pair_of(hand, add_fingers(hand, other, dies_at, wraps))
            value = max(value, -below[theirs, hit])
    if revive or (a and b):
        total = a + b
        for left in range(max(split_least, total - dies_at + ONE), dies_at):
            right = total - left
            if right < split_least:
                break
            split = pair_of(left, right)
            if split_same or split != mine:
                value = max(value, -below[theirs, split])
    return value


@kernel(
    "void(int64, int64, boolean, boolean, int64, boolean, boolean, int64[:, ::1], int64[:, ::1])"
)
def look_ahead(depth, dies_at, wraps, hit_self, split_least, revive, split_same, values, below):
    """Fill `values`: what the mover with one pair against another can reach at this depth.

    1000 and -1000 are a win and a loss; others are the mover's fingers less the opponent's.
    """
    for ahead in range(depth + ONE):
        below[:] = values
        for b in range(dies_at):
            for a in range(b + ONE):
                for d in range(dies_at):
                    for c in range(d + ONE):
                        if not b:
                            value = -WIN
                        elif not d:
                            value = WIN
                        elif not ahead:
                            value = a + b - c - d
                        else:
                            value = best_value(
                                a, b, c, d, below,
                                dies_at, wraps, hit_self, split_least, revive, split_same,
                            )  # fmt: skip
                        values[pair_of(a, b), pair_of(c, d)] = value
