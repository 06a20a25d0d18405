"""Tables of squares that differ a little, and still look like tables for Othello.

The board looks the same in a mirror and when it is turned, so squares that are carried into each
other have one worth: 8x8 has ten kinds of squares. And whatever the numbers, a corner is worth more
than the rest of an edge, that more than the middle, and the squares that give a corner away least.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from itertools import combinations
from statistics import fmean

from parlour.players.neighbours import stepped

Kind = tuple[int, int]  # of square: its distances from the two nearest sides, the shorter first

CORNER, EDGE, CENTRE, BESIDE, DIAGONAL = ZONES = range(5)  # from the best to the worst


def kinds(side: int) -> list[Kind]:
    """The kind of every square of a board, row by row."""

    def kind(row: int, column: int) -> Kind:
        near, far = sorted((min(row, side - 1 - row), min(column, side - 1 - column)))
        return near, far

    return [kind(row, column) for row in range(side) for column in range(side)]


def zone(kind: Kind) -> int:
    """Which part of the board squares of a kind lie in."""
    near, far = kind
    if near == 0:
        return (CORNER, BESIDE)[far] if far < 2 else EDGE
    return DIAGONAL if far == 1 else CENTRE


def neighbour_table(
    table: tuple[int, ...], usual: tuple[int, ...], lots: random.Random
) -> tuple[int, ...]:
    """A symmetrical table near this one, its zones in the order they have in the usual table.

    The kinds of squares move one after another, each no further than the others let it: then the
    table is in order after every move because it was before. Zones that are out of order here, in
    a table of somebody's own, may stay so.
    """
    board = kinds(math.isqrt(len(table)))
    worth = _worths(board, table)
    gaps = _gaps(worth, _worths(board, usual))
    for kind in lots.sample(sorted(worth), len(worth)):
        low, high = -math.inf, math.inf
        for other, value in worth.items():
            if (gap := gaps.get((zone(kind), zone(other)))) is not None:
                low = max(low, value + gap)
            if (gap := gaps.get((zone(other), zone(kind)))) is not None:
                high = min(high, value - gap)
        worth[kind] = int(min(max(stepped(worth[kind], lots), low), high))
    return tuple(worth[kind] for kind in board)


def _worths(board: list[Kind], table: tuple[int, ...]) -> dict[Kind, int]:
    """What a square of each kind is worth, on average where the table is not symmetrical."""
    return {
        kind: round(fmean(v for k, v in zip(board, table, strict=True) if k == kind))
        for kind in dict.fromkeys(board)
    }


def _gaps(worth: Mapping[Kind, int], usual: Mapping[Kind, int]) -> dict[tuple[int, int], int]:
    """By how much a zone must stay above another, for those of which that is true here."""
    found = {}
    for above, below in combinations(ZONES, 2):
        here, there = _distance(worth, above, below), _distance(usual, above, below)
        if min(here, there) >= 0:
            found[above, below] = int(min(here, there) > 0)
    return found


def _distance(worth: Mapping[Kind, int], above: int, below: int) -> int:
    """How far the worst square of a zone is above the best of another."""
    return min(v for k, v in worth.items() if zone(k) == above) - max(
        v for k, v in worth.items() if zone(k) == below
    )
