"""Random numbers inside kernels: a counter hashed by splitmix64, so that a seed fixes them all."""

from __future__ import annotations

from numba import uint64

from parlour.kernels.compiler import helper

STEP = uint64(0x9E3779B97F4A7C15)


@helper
def scramble(counter):
    """Return the random number of this counter; step the counter by STEP for the next."""
    z = counter
    z = (z ^ (z >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> uint64(27))) * uint64(0x94D049BB133111EB)
    return z ^ (z >> uint64(31))


@helper
def below(number, limit):
    """Map a random number to one below the limit, which is at most 2^32.

    No result is more likely than another by as much as one part in 2^32 / limit.
    """
    return ((number >> uint64(32)) * limit) >> uint64(32)
