"""Neighbours of a bot, for tuning: the same bot with slightly different numbers.

A number changes by a normally distributed step of about a fifth of itself. A bot may list in
`tunes` the options worth varying; if their numbers belong together, as on a board, it varies them
itself by a method `neighbour(game, rng, vary)`.

Tables of Othello squares stay symmetrical: squares that a rotation or reflection carries into each
other have one worth, so 8x8 has ten kinds of squares. And whatever the numbers, a corner is worth
more than the rest of an edge, that more than the centre, and the squares that give a corner away
least.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping
from itertools import combinations
from statistics import fmean
from typing import Any

from parlour.core import (
    BadFile,
    Bot,
    Game,
    Option,
    ParlourError,
    UnknownName,
    describe_error,
    one_of,
    options_of,
    quote,
    registry,
    suggest,
)

SHARE = 0.2  # the usual step, as a share of the number
LEAST = 0.01  # the least step of a float, as a share of its option's span
DIGITS = 4  # significant digits of a float, so that it can be read and typed
NOT_STRENGTH = frozenset({"seed"})  # luck, not strength
TRIES = 20  # before a bot counts as one without neighbours


def list_numeric(bot: Bot) -> list[str]:
    """Return the options that hold numbers now."""
    return [
        name
        for name, opt in options_of(type(bot)).items()
        if opt.kind in (int, float)
        and name not in NOT_STRENGTH
        and getattr(bot, name) not in (None, ())
    ]


def list_tunable(game: Game) -> list[str]:
    """Return the names of the bots that have something to vary in this game."""
    return [name for name in registry.bots(game) if _has_neighbours(registry.bot(name), game)]


def _has_neighbours(bot: Bot, game: Game) -> bool:
    if not list_numeric(bot):
        return False
    rng, vary = random.Random(0), choose_varied(bot, [], game)
    for _ in range(TRIES):  # some numbers may not go together
        try:
            neighbour(bot, game, rng, vary)
        except ParlourError:
            continue
        return True
    return False


def choose_varied(bot: Bot, asked: Iterable[str], game: Game) -> frozenset[str]:
    """Return the options to vary: those asked for, else those the bot names, else all numbers."""
    able, known = list_numeric(bot), options_of(type(bot))
    if not able:
        others = list_tunable(game)
        there = f"; try {one_of(others)}" if others else ""
        raise ParlourError(f"{bot.name} has no numbers to tune{there}")
    for name in asked:
        if name not in known:
            hint = suggest(name, able) or f"; it can vary {one_of(able)}"
            raise UnknownName(f"{bot.name} has no option {quote(name)}{hint}")
        if name not in able:
            why = "makes it luckier, not better" if name in NOT_STRENGTH else "holds no numbers"
            raise ParlourError(f"{bot.name}'s {name} {why}; it can vary {one_of(able)}")
    return frozenset(asked) or frozenset(able) & frozenset(getattr(bot, "tunes", able))


def neighbour(bot: Bot, game: Game, rng: random.Random, vary: frozenset[str]) -> Bot:
    """Return a bot near this one that its class and the game allow."""
    together = vary & frozenset(getattr(bot, "tunes", ()) if hasattr(bot, "neighbour") else ())
    known = options_of(type(bot))
    options = {name: getattr(bot, name) for name in known}
    for name in sorted(vary - together):
        options[name] = vary_value(known[name], options[name], rng)
    found: Any = registry.build(type(bot), bot.name, options)
    if together:
        try:
            found = found.neighbour(game, rng, together)
        except ParlourError:
            raise
        except Exception as error:  # it may be anybody's code
            raise BadFile(
                f"{bot.name} cannot make its neighbour: {describe_error(error)}"
            ) from error
    near: Bot = found
    return near


def vary_value(opt: Option, value: Any, rng: random.Random) -> Any:
    """Return the number, or every number in the list, a step away within the option's limits."""
    if isinstance(value, tuple):
        return tuple(vary_value(opt, each, rng) for each in value)
    low = -math.inf if opt.low is None else opt.low
    high = math.inf if opt.high is None else opt.high
    if opt.kind is int:
        step = vary_integer(value, rng)
        return math.ceil(low) if step < low else math.floor(high) if step > high else step
    span = high - low if math.isfinite(high - low) else 1.0
    near = rng.gauss(value, max(SHARE * abs(value), LEAST * span))
    return min(max(float(f"{near:.{DIGITS}g}"), low), high)


def vary_integer(value: int, rng: random.Random) -> int:
    """Return a whole number a normally distributed step away."""
    return round(rng.gauss(value, max(1.0, SHARE * abs(value))))


Kind = tuple[int, int]  # of square: its distances from the two nearest sides, the shorter first

CORNER, EDGE, CENTRE, BESIDE, DIAGONAL = ZONES = range(5)  # from the best to the worst


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
    worth = _average_worths(board, table)
    gaps = _find_gaps(worth, _average_worths(board, usual))
    for kind in rng.sample(sorted(worth), len(worth)):
        low, high = -math.inf, math.inf
        for other, value in worth.items():
            if (gap := gaps.get((find_zone(kind), find_zone(other)))) is not None:
                low = max(low, value + gap)
            if (gap := gaps.get((find_zone(other), find_zone(kind)))) is not None:
                high = min(high, value - gap)
        worth[kind] = int(min(max(vary_integer(worth[kind], rng), low), high))
    return tuple(worth[kind] for kind in board)


def _average_worths(board: list[Kind], table: tuple[int, ...]) -> dict[Kind, int]:
    """Return the worth of each kind of square, averaged where the table is not symmetrical."""
    return {
        kind: round(fmean(v for k, v in zip(board, table, strict=True) if k == kind))
        for kind in dict.fromkeys(board)
    }


def _find_gaps(worth: Mapping[Kind, int], usual: Mapping[Kind, int]) -> dict[tuple[int, int], int]:
    """Return by how much each zone must stay above another, where it does now."""
    found = {}
    for above, below in combinations(ZONES, 2):
        here, there = _measure_gap(worth, above, below), _measure_gap(usual, above, below)
        if min(here, there) >= 0:
            found[above, below] = int(min(here, there) > 0)
    return found


def _measure_gap(worth: Mapping[Kind, int], above: int, below: int) -> int:
    """Return how far the worst square of a zone is above the best of another."""
    return min(v for k, v in worth.items() if find_zone(k) == above) - max(
        v for k, v in worth.items() if find_zone(k) == below
    )
