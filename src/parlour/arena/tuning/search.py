"""Tuning: a bot and its neighbours meet, the best stay, and their neighbours replace the others.

A generation is a round robin, both seatings for every pair, most wins first. The best quarter stays
and so does the original bot, as a yardstick. Who takes part in a generation follows from the
seed and the games before it, so an interrupted tuning resumes where it stopped.

The best of twenty is in part the luckiest of twenty, and looks better than it is. So at the end it
meets the original bot in fresh games, from openings drawn for them: that figure is honest.

A neighbour is the same bot with slightly different numbers. A bot may list in `tunes` the options
worth varying; if their numbers belong together, as on a board, it varies them itself by a method
`neighbour(game, rng, vary)`.
"""

from __future__ import annotations

import hashlib
import math
import random
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from parlour.arena.plan import HOUSE, Entry, Fixture, Opening, Plan, file_entry, random_openings
from parlour.arena.ratings import Ratings, rate
from parlour.arena.results import GameResult
from parlour.arena.schedule import Done, scored_games
from parlour.arena.standings import group_meetings
from parlour.core import (
    BadFile,
    Bot,
    Clock,
    Game,
    Option,
    ParlourError,
    UnknownName,
    count,
    describe,
    describe_error,
    format_signed,
    one_of,
    options_of,
    quote,
    registry,
    suggest,
)
from parlour.players import vary_number

MIN_VARIANTS, MAX_VARIANTS = 2, 200  # variants
STAY = 4  # one variant in this many stays for the next generation
TRIES = 5000  # to draw neighbours that are new
FRESH = 50  # openings of the last match, each played in both seatings
FRESH_PLIES = (6, 4, 2)  # their length, where the game is long enough

# Neighbours
MIN_STEP = 0.01  # of a float, as a share of its option's span
DIGITS = 4  # significant digits of a float, so that it can be read and typed
NOT_STRENGTH = frozenset({"seed"})  # luck, not strength
FEW_TRIES = 20  # before a bot counts as one without neighbours

Games = Sequence[tuple[Fixture, GameResult]]


@dataclass(frozen=True)
class Task:
    """What to tune, and how."""

    game: Game
    bot: Bot
    vary: frozenset[str]
    variants: int = 20
    generations: int = 1
    games: int = 2  # of any two
    plies: int = 0  # of random openings
    clock: Clock | None = None
    seed: int = 0


@dataclass(frozen=True)
class Variant:
    """A bot that takes part, under a short name."""

    name: str
    bot: Bot
    parent: str = ""  # empty for the original bot

    @property
    def text(self) -> str:
        """The bot as one types it, even if it is a file."""
        return _write_bot(self.bot, registry.file_of(type(self.bot)))

    def write_option(self, name: str) -> str:
        """Return the value of an option as one types it."""
        return options_of(type(self.bot))[name].write(getattr(self.bot, name))


def _write_bot(bot: Bot, path: str) -> str:
    text = describe(bot)
    return shlex.join([path, *shlex.split(text)[1:]]) if path else text


@dataclass(frozen=True)
class Lead:
    """How far one is ahead of another in Elo points, and how likely it is the stronger."""

    elo: float
    low: float  # of the 95 % confidence interval
    high: float
    likelihood: float

    @property
    def interval(self) -> str:
        """`+20 to +90`"""
        return f"{format_signed(self.low)} to {format_signed(self.high)}"

    def __str__(self) -> str:
        return f"{format_signed(self.elo)} Elo, {self.interval}"


@dataclass(frozen=True)
class Standing:
    """The results of a variant, and its lead over the original bot."""

    variant: Variant
    wins: int
    draws: int
    losses: int
    lead: Lead | None  # None for the original bot

    @property
    def points(self) -> float:
        """1 for a win, a half for a draw."""
        return self.wins + self.draws / 2

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses


@dataclass(frozen=True)
class Generation:
    """Variants that met, the original bot as the first of them."""

    number: int  # from 1; 0 for the last match
    variants: tuple[Variant, ...]
    plan: Plan
    games: Games

    @cached_property
    def standings(self) -> list[Standing]:
        """The variants by wins, then points; of equals the older one first."""
        rated = rate(len(self.variants), group_meetings(self.games))
        tallies = [Counter[float]() for _ in self.variants]
        for fixture, game in self.games:
            for number, points in zip((fixture.first, fixture.second), game.points, strict=True):
                tallies[number][points] += 1
        found = [
            Standing(each, by[1], by[0.5], by[0], _lead(rated, number, 0) if number else None)
            for number, (each, by) in enumerate(zip(self.variants, tallies, strict=True))
        ]
        return sorted(found, key=lambda each: (-each.wins, -each.points))


def _lead(rated: Ratings, one: int, other: int) -> Lead:
    error = math.sqrt(rated.difference_variance(one, other))
    # As many standard errors as the interval of a rating has.
    error *= (rated[one].high - rated[one].elo) / math.sqrt(rated.covariance[one, one])
    elo = rated[one].elo - rated[other].elo
    return Lead(elo, elo - error, elo + error, rated.superiority(one, other))


@dataclass(frozen=True)
class TuningResult:
    """The outcome of a tuning."""

    task: Task
    generations: tuple[Generation, ...]
    match: Generation | None  # the best against the first; None if they are the same

    @property
    def best(self) -> Standing:
        """The variant with the most wins in the last generation."""
        return self.generations[-1].standings[0]

    @property
    def confirmed(self) -> Standing | None:
        """The results of the best in the last match."""
        if self.match is None:
            return None
        return next(each for each in self.match.standings if each.lead is not None)


Play = Callable[[Plan], Done]


def tune(task: Task, play: Play) -> TuningResult:
    """Play generation after generation, and the last match."""
    generations: list[Generation] = []
    for number in range(1, task.generations + 1):
        variants = next_generation(task, generations) if generations else first_generation(task)
        generations.append(
            _play_generation(plan_generation(task, variants, number), variants, number, play)
        )
    base, best = generations[-1].variants[0], generations[-1].standings[0].variant
    if best == base:
        return TuningResult(task, tuple(generations), None)
    match = _play_generation(plan_final_match(task, base, best), (base, best), 0, play)
    return TuningResult(task, tuple(generations), match)


def _play_generation(
    plan: Plan, variants: tuple[Variant, ...], number: int, play: Play
) -> Generation:
    return Generation(number, variants, plan, scored_games(plan, play(plan)))


def first_generation(task: Task) -> tuple[Variant, ...]:
    """Return the bot as it was given, and its neighbours."""
    base = Variant(task.bot.name, task.bot)
    found = _fill(task, [base], [base], 1, 1)
    if len(found) < task.variants:
        raise ParlourError(
            f"there are hardly more than {count(len(found), 'bot')} like {describe(task.bot)} that "
            f"differ in {', '.join(sorted(task.vary))}; "
            f"try {max(MIN_VARIANTS, len(found))} variants"
            + ("" if len(found) >= MIN_VARIANTS else ", or vary something else")
        )
    return found


def next_generation(task: Task, before: Sequence[Generation]) -> tuple[Variant, ...]:
    """Return the best quarter, the original bot, and neighbours of the best."""
    last = before[-1]
    best = [each.variant for each in last.standings[: max(1, task.variants // STAY)]]
    base = last.variants[0]
    born = len({variant.name for each in before for variant in each.variants})
    stay = [base, *(each for each in best if each != base)]
    return _fill(task, stay, best, len(before) + 1, born)


def _fill(
    task: Task, stay: list[Variant], parents: list[Variant], number: int, born: int
) -> tuple[Variant, ...]:
    """Add neighbours of the parents in turn, until all places are taken.

    Where options have few values there may be fewer, since no two are alike.
    """
    generator = random.Random(f"generation {number} of {task.seed}")
    found, known = list(stay), {describe(each.bot) for each in stay}
    refusal: ParlourError | None = None
    for attempt in range(TRIES):
        if len(found) >= task.variants:
            break
        parent = parents[attempt % len(parents)]
        try:
            near = neighbour(parent.bot, task.game, generator, task.vary)
        except ParlourError as error:  # numbers that do not go together, or never will
            refusal = error
            continue
        if describe(near) not in known and near.plays(task.game):
            known.add(describe(near))
            found.append(Variant(f"v{born}", near, parent.name))
            born += 1
    if refusal is not None and len(found) == 1:
        raise refusal
    return tuple(found)


def plan_generation(task: Task, variants: Iterable[Variant], number: int) -> Plan:
    """Plan the round robin of a generation."""
    seed = _seed(task, f"generation {number}")
    return Plan.of(
        task.game,
        (_entry(task, each) for each in variants),
        games=task.games,
        openings=random_openings(task.game, task.plies, task.games // 2, seed),
        clock=task.clock,
        seed=seed,
        strikes=0,  # a variant that is too slow loses all its games
    )


def plan_final_match(task: Task, base: Variant, best: Variant) -> Plan:
    """Plan fresh games of the best against the original bot."""
    plan = plan_generation(task, (base, best), 0)
    openings = _fresh_openings(task.game, plan.seed)
    # Bots without a seed would play the same game from the same opening.
    legs = FRESH if "seed" in options_of(type(task.bot)) else len(openings)
    return replace(plan, games=2 * legs, openings=openings)


def _fresh_openings(game: Game, seed: int) -> tuple[Opening, ...]:
    for plies in FRESH_PLIES:
        try:
            return random_openings(game, plies, FRESH, seed)
        except ParlourError:  # too long for this game
            continue
    return ((),)


def _entry(task: Task, variant: Variant) -> Entry:
    if path := registry.source_of(type(variant.bot)):
        found = file_entry(_write_bot(variant.bot, path))
        return replace(found, name=variant.name)
    return Entry(variant.name, HOUSE, variant.text)


def _seed(task: Task, stage: str) -> int:
    """Return a seed for a stage, which depends on the seed of the task."""
    return int.from_bytes(hashlib.sha256(f"{stage} of {task.seed}".encode()).digest()[:6])


# Neighbours


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
    for _ in range(FEW_TRIES):  # some numbers may not go together
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
    found: Any = registry.build("bots", type(bot), options)
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
        step = round(vary_number(value, rng, 1))
        return math.ceil(low) if step < low else math.floor(high) if step > high else step
    span = high - low if math.isfinite(high - low) else 1.0
    near = vary_number(value, rng, MIN_STEP * span)
    return min(max(float(f"{near:.{DIGITS}g}"), low), high)
