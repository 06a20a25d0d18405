"""How far a shallow search may be trusted: the error it makes against a deeper one.

The errors were measured on positions from tournaments by `python -m tools.othello.errors`; the
formulas are fitted to them. A search that is not sure of all it cuts works at a level, which says
how many times the usual error a shallower value must lie outside the bounds.
"""

from __future__ import annotations

import numpy as np
from numba import int64, njit

from parlour.kernels.intrinsics import lookup

EXACT = int64(3)  # the level at which nothing is only likely
DOUBTS = np.array([0, 110, 200, 0], np.int64)  # hundredths of the usual error, by level
doubt = lookup("othello.doubts", DOUBTS)


def _ahead():
    """In thousandths, how the error of one depth against a deeper one grows with the distance."""
    table = np.zeros((64, 64), np.int16)
    for depth in range(2, 64):
        for shallow in range(1, depth):
            table[depth, shallow] = round(
                1000 * (depth - shallow) ** 0.342 * (shallow + 1) ** -0.330
            )
    return table


def _early():
    """In hundredths of a disc, how the error shrinks the more squares are empty."""
    return np.round(100 * np.exp(2.037 - 0.0293 * np.minimum(np.arange(64), 52))).astype(np.int16)


def _at_end():
    """In hundredths of a disc, the error against the end, by empty squares and depth."""
    empties, depth = np.ogrid[:64, :64]
    errors = np.exp(2.528 - 0.0132 * empties - 0.334 * np.log(depth + 1))
    return np.round(100 * errors).astype(np.int16)


ahead = lookup("othello.doubt_ahead", _ahead())
early = lookup("othello.doubt_early", _early())
at_end = lookup("othello.doubt_at_end", _at_end())


@njit
def shallower(depth, empties):
    """How deep to look for a likely cut of a search this deep."""
    if depth >= empties:
        return (empties - int64(10)) // int64(2)
    return int64(2) * (depth // int64(4)) + (depth & int64(1))


@njit
def margin(depth, shallow, empties, level):
    """How far outside the bounds the shallower value must lie, in whole discs."""
    if depth >= empties:
        usual = at_end(empties * int64(64) + shallow)
    else:
        usual = early(empties) * ahead(depth * int64(64) + shallow) // int64(1000)
    return (doubt(level) * usual + int64(5000)) // int64(10000)
