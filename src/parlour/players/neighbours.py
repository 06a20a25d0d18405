"""Neighbours of a bot: the same bot with its numbers a little different.

A number moves by a normal step of a fifth of itself, so that a large one moves far and a small one
little. A bot may say in `tunes` which of its options are worth it; and if their numbers belong
together, as on a board, it moves those options itself, by a verb `neighbour(game, lots, vary)`.

Tables of squares that differ a little, and still look like tables for Othello.

The board looks the same in a mirror and when it is turned, so squares that are carried into each
other have one worth: 8x8 has ten kinds of squares. And whatever the numbers, a corner is worth more
than the rest of an edge, that more than the middle, and the squares that give a corner away least.
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
    declared,
    named,
    nearest,
    one_of,
    quote,
    registry,
)

SHARE = 0.2  # of a number is its usual step
LEAST = 0.01  # of an option's span is the least step of a number that need not be whole
DIGITS = 4  # of such a number, so that it can be read and typed
NOT_STRENGTH = frozenset({"seed"})  # lots, not strength
TRIES = 20  # before a bot counts as one that has no neighbours


def numeric(bot: Bot) -> list[str]:
    """The options that hold numbers now."""
    return [
        name
        for name, opt in declared(type(bot)).items()
        if opt.kind in (int, float)
        and name not in NOT_STRENGTH
        and getattr(bot, name) not in (None, ())
    ]


def tunable(game: Game) -> list[str]:
    """The names of the bots that have something to vary in this game."""
    return [name for name in registry.bots(game) if _has_neighbours(registry.bot(name), game)]


def _has_neighbours(bot: Bot, game: Game) -> bool:
    if not numeric(bot):
        return False
    lots, vary = random.Random(0), varied(bot, [], game)
    for _ in range(TRIES):  # some numbers may not go together
        try:
            neighbour(bot, game, lots, vary)
        except ParlourError:
            continue
        return True
    return False


def varied(bot: Bot, asked: Iterable[str], game: Game) -> frozenset[str]:
    """The options to vary: those asked for, else those the bot names, else all with numbers."""
    able, known = numeric(bot), declared(type(bot))
    if not able:
        others = tunable(game)
        there = f"; those who have: {one_of(others)}" if others else ""
        raise ParlourError(f"{bot.name} has no numbers that could be better or worse{there}")
    for name in asked:
        if name not in known:
            hint = nearest(name, able) or f"; it can vary {one_of(able)}"
            raise UnknownName(f"{bot.name} has no option {quote(name)}{hint}")
        if name not in able:
            why = "makes it luckier, not better" if name in NOT_STRENGTH else "holds no numbers"
            raise ParlourError(f"{bot.name}'s {name} {why}; it can vary {one_of(able)}")
    return frozenset(asked) or frozenset(able) & frozenset(getattr(bot, "tunes", able))


def neighbour(bot: Bot, game: Game, lots: random.Random, vary: frozenset[str]) -> Bot:
    """A bot near this one, of those that its class and the game allow."""
    together = vary & frozenset(getattr(bot, "tunes", ()) if hasattr(bot, "neighbour") else ())
    known = declared(type(bot))
    options = {name: getattr(bot, name) for name in known}
    for name in sorted(vary - together):
        options[name] = moved(known[name], options[name], lots)
    found: Any = registry.made(type(bot), bot.name, options)
    if together:
        try:
            found = found.neighbour(game, lots, together)
        except ParlourError:
            raise
        except Exception as trouble:  # it may be in anybody's file
            raise BadFile(f"{bot.name} makes no neighbour of itself: {named(trouble)}") from trouble
    near: Bot = found
    return near


def moved(opt: Option, value: Any, lots: random.Random) -> Any:
    """The number, or every number in the list, a step away and within the option's limits."""
    if isinstance(value, tuple):
        return tuple(moved(opt, each, lots) for each in value)
    low = -math.inf if opt.low is None else opt.low
    high = math.inf if opt.high is None else opt.high
    if opt.kind is int:
        step = stepped(value, lots)
        return math.ceil(low) if step < low else math.floor(high) if step > high else step
    span = high - low if math.isfinite(high - low) else 1.0
    drawn = lots.gauss(value, max(SHARE * abs(value), LEAST * span))
    return min(max(float(f"{drawn:.{DIGITS}g}"), low), high)


def stepped(value: int, lots: random.Random) -> int:
    """A whole number a normal step away: a fifth of itself, and at least 1, is usual."""
    return round(lots.gauss(value, max(1.0, SHARE * abs(value))))


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
