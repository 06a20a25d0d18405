"""Neighbours of a bot: the same bot with its numbers a little different.

A number moves by a normal step of a fifth of itself, so that a large one moves far and a small one
little. A bot may say in `tunes` which of its options are worth it; and if their numbers belong
together, as on a board, it moves those options itself, by a verb `neighbour(game, lots, vary)`.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from typing import Any

from parlour.core import registry
from parlour.core.errors import BadFile, ParlourError, UnknownName
from parlour.core.game import Game
from parlour.core.options import Option, declared
from parlour.core.player import Bot
from parlour.core.words import named, nearest, one_of, quote

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
