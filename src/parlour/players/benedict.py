"""Benedict, the host, as a player of his three games.

At Nim he moves to nim-sum 0, at chopsticks he plays a shortest win and splits as evenly as he can,
and at Othello he looks three plies ahead with two tables. He plays as the program he is named after
did, even where a variant calls for something else; `plays` says so.

When his tables are tuned they stay symmetrical: squares that a rotation or reflection carries into
each other have one value, so 8x8 has ten kinds of squares. And whatever the numbers, a corner is
worth more than the rest of an edge, that more than the centre, and the squares that give a corner
away least.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import fmean
from typing import Any, ClassVar

from parlour.core import BadOption, Game, Move, ParlourError, State, extra, option, say, settle
from parlour.engine import board_table
from parlour.kernels import othello as kernels
from parlour.players import nim as nim_bots
from parlour.players.minimax import Style
from parlour.players.othello import byte_sums, check_table, require_othello
from parlour.players.perfect import Perfect
from parlour.rules import PASS, SPLIT, Chopsticks, Nim, Othello, OthelloState, Square
from parlour.truth import solve_once

# The value of a disc on each square, row by row: corners cannot be flipped back, edges
# hardly, and the squares beside a corner give it away.
TABLE: tuple[int, ...] = (
    50,  -3, 10, 5, 5, 10,  -3, 50,
    -3, -10,  0, 0, 0,  0, -10, -3,
    10,   0,  0, 0, 0,  0,   0, 10,
     5,   0,  0, 0, 0,  0,   0,  5,
     5,   0,  0, 0, 0,  0,   0,  5,
    10,   0,  0, 0, 0,  0,   0, 10,
    -3, -10,  0, 0, 0,  0, -10, -3,
    50,  -3, 10, 5, 5, 10,  -3, 50,
)  # fmt: skip

# What each legal move of the opponent costs him. Beside a corner it is nothing, not a gain: the
# opponent need not play there while there is another choice.
MOBILITY_TABLE: tuple[int, ...] = (
    10, 0, 5, 3, 3, 5, 0, 10,
     0, 0, 1, 1, 1, 1, 0,  0,
     5, 1, 1, 1, 1, 1, 1,  5,
     3, 1, 1, 1, 1, 1, 1,  3,
     3, 1, 1, 1, 1, 1, 1,  3,
     5, 1, 1, 1, 1, 1, 1,  5,
     0, 0, 1, 1, 1, 1, 0,  0,
    10, 0, 5, 3, 3, 5, 0, 10,
)  # fmt: skip


@dataclass
class Benedict:
    """The host's own play: nim-sums, shortest wins, and two tables for Othello."""

    name: ClassVar[str] = "benedict"
    tunes: ClassVar[tuple[str, ...]] = ("table", "mobility_table")

    table: tuple[int, ...] = option(
        TABLE, "Othello: what each square is worth, row by row", longest=64
    )
    mobility_table: tuple[int, ...] = option(
        MOBILITY_TABLE,
        "Othello: what it costs to let the opponent move there, row by row",
        longest=64,
    )
    plies: int = option(3, "Othello: how many plies he looks ahead", low=1, high=7)

    def __post_init__(self) -> None:
        settle(self)

    def plays(self, game: Game) -> str:
        style: Style | None = extra(game, "benedict")
        return style.plays(self, game) if style else ""

    def choose(self, game: Game, state: State) -> Move:
        style: Style | None = extra(game, "benedict")
        if style is None:
            games = Nim.name, Chopsticks.name, Othello.name
            raise ParlourError(
                "{bot} plays {games:and}, not {name}", bot=self.name, games=games, name=game.name
            )
        return style.choose(self, game, state)

    def neighbour(self, game: Game, rng: random.Random, vary: frozenset[str]) -> Benedict:
        """Return Benedict with slightly different tables, still symmetrical and in order."""
        if not isinstance(game, Othello):
            raise ParlourError(f"benedict's tables are for othello; at {game.name} he needs none")
        usual = {"table": TABLE, "mobility_table": MOBILITY_TABLE}
        tables: dict[str, Any] = {}
        for name in sorted(vary):
            table = getattr(self, name)
            if len(table) != len(usual[name]):
                number = len(usual[name])
                raise BadOption(name, table, f"it must be {number} whole numbers here")
            tables[name] = vary_table(table, usual[name], rng)
        return replace(self, **tables)


def _rate_nim(benedict: Benedict, game: Nim) -> str:
    if game.seats != 2:
        return ""
    if game.misere or game.endings:
        return say("as in plain normal Nim, which this is not")
    return say("perfectly")


def _rate_chopsticks(benedict: Benedict, game: Chopsticks) -> str:
    if game == Chopsticks():
        return say("perfectly; moving second he never loses")
    return Perfect().plays(game)


def _rate_othello(benedict: Benedict, game: Othello) -> str:
    his = game.columns == game.rows == 8 and not game.misere
    return say("decently, by a heuristic") if his else ""


def _choose_nim(benedict: Benedict, game: Nim, state: State) -> Move:
    return nim_bots.benedict_move(game, state)


def _choose_chopsticks(benedict: Benedict, game: Chopsticks, state: State) -> Move:
    """Return the most even split among the best moves, else the first of them."""

    def evenness(move: Move) -> tuple[bool, int]:
        kind, left, right = move
        return (kind == SPLIT, -abs(left - right) if kind == SPLIT else 0)

    best: tuple[Move, ...] = solve_once(game).best(state)
    return max(best, key=evenness)


def _choose_othello(benedict: Benedict, game: Othello, state: OthelloState) -> Square:
    """Return his move: max-min-max, and of equally good moves the last, row by row."""
    require_othello(benedict, game)
    tables = benedict.table, benedict.mobility_table
    for table in tables:
        check_table(benedict, game, table)
    own, other, _ = state
    board = board_table(game.columns, game.rows).ctypes.data
    square = kernels.historic.benedict_best(
        own, other, benedict.plies, *map(byte_sums, tables), board
    )
    return PASS if square < 0 else (square % game.columns, square // game.columns)


NIM = Style(_rate_nim, _choose_nim)
CHOPSTICKS = Style(_rate_chopsticks, _choose_chopsticks)
OTHELLO = Style(_rate_othello, _choose_othello)


# Tables that are tuned

STEP = 0.2  # as a share of the number

Kind = tuple[int, int]  # of square: its distances from the two nearest sides, the shorter first

CORNER, EDGE, CENTRE, BESIDE, DIAGONAL = ZONES = range(5)  # from the best to the worst


def vary_number(value: float, rng: random.Random, least: float) -> float:
    """Return a number a normally distributed step away: about a fifth of it, or at `least` that."""
    return rng.gauss(value, max(least, STEP * abs(value)))


def square_kinds(side: int) -> list[Kind]:
    """Return the kind of every square of a board, row by row."""

    def kind(row: int, column: int) -> Kind:
        near, far = sorted((min(row, side - 1 - row), min(column, side - 1 - column)))
        return near, far

    return [kind(row, column) for row in range(side) for column in range(side)]


def find_zone(kind: Kind) -> int:
    """Return the part of the board that squares of a kind lie in."""
    near, far = kind
    if near == 0:
        return (CORNER, BESIDE)[far] if far < 2 else EDGE
    return DIAGONAL if far == 1 else CENTRE


def vary_table(
    table: tuple[int, ...], usual: tuple[int, ...], rng: random.Random
) -> tuple[int, ...]:
    """Return a symmetrical table near this one, its zones ordered as in the usual table.

    The kinds of squares change one after another, each within the limits the others set, so the
    table stays in order throughout. Zones that are out of order in a custom table may stay so.
    """
    board = square_kinds(math.isqrt(len(table)))
    values = _average_kinds(board, table)
    gaps = _find_gaps(values, _average_kinds(board, usual))
    for kind in rng.sample(sorted(values), len(values)):
        low, high = -math.inf, math.inf
        for other, value in values.items():
            if (gap := gaps.get((find_zone(kind), find_zone(other)))) is not None:
                low = max(low, value + gap)
            if (gap := gaps.get((find_zone(other), find_zone(kind)))) is not None:
                high = min(high, value - gap)
        values[kind] = int(min(max(round(vary_number(values[kind], rng, 1)), low), high))
    return tuple(values[kind] for kind in board)


def _average_kinds(board: list[Kind], table: tuple[int, ...]) -> dict[Kind, int]:
    """Return the value of each kind of square, averaged where the table is not symmetrical."""
    return {
        kind: round(fmean(v for k, v in zip(board, table, strict=True) if k == kind))
        for kind in dict.fromkeys(board)
    }


def _find_gaps(values: Mapping[Kind, int], usual: Mapping[Kind, int]) -> dict[tuple[int, int], int]:
    """Return by how much each zone must stay above another, where it does now."""
    found = {}
    for above, below in combinations(ZONES, 2):
        here, there = _measure_gap(values, above, below), _measure_gap(usual, above, below)
        if min(here, there) >= 0:
            found[above, below] = int(min(here, there) > 0)
    return found


def _measure_gap(values: Mapping[Kind, int], above: int, below: int) -> int:
    """Return how far the worst square of a zone is above the best of another."""
    return min(v for k, v in values.items() if find_zone(k) == above) - max(
        v for k, v in values.items() if find_zone(k) == below
    )
