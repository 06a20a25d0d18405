"""How far a shallow search may be trusted: the error it makes against a deeper one.

The errors were measured on positions from tournaments by `python -m tools.othello.errors`; the
formulas are fitted to them. A search that is not sure of all it cuts works at a level, which says
how many times the usual error a shallower value must lie outside the bounds.
"""

from __future__ import annotations

import numpy as np
from numba import int64, njit

from parlour.kernels.machine import lookup

EXACT = int64(5)  # the level at which nothing is only likely
DOUBTS = np.array([110, 110, 150, 200, 260, 0], np.int64)  # hundredths of the usual error
doubt = lookup("othello.doubts", DOUBTS)


def _errors():
    """The usual error in hundredths of a disc, of each depth against each deeper one."""
    errors = np.zeros((64, 64), np.int16)
    for depth in range(2, 64):
        for shallow in range(1, depth):
            errors[depth, shallow] = round(320 * (depth - shallow) ** 0.39 * shallow**-0.3)
    return errors


error = lookup("othello.errors", _errors())


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
        usual = int64(860) - int64(60) * shallow
    else:
        usual = error(depth * int64(64) + shallow)
    return (doubt(level) * usual + int64(5000)) // int64(10000)
