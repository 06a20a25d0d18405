"""Neighbours of a bot, for tuning: the same bot with slightly different numbers.

A number changes by a normally distributed step of about a fifth of itself. A bot may list in
`tunes` the options worth varying; if their numbers belong together, as on a board, it varies them
itself by a method `neighbour(game, rng, vary)`.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
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
