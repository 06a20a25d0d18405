"""Tuning: a bot and its neighbours meet, the best stay, and their neighbours replace the others.

A generation is a round robin, both seatings for every pair, most wins first. The best quarter stays
and so does the original bot, as a yardstick. Who takes part in a generation follows from the
seed and the games before it, so an interrupted tuning resumes where it stopped.

The best of twenty is in part the luckiest of twenty, and looks better than it is. So at the end it
meets the original bot in fresh games, from openings drawn for them: that figure is honest.
"""

from __future__ import annotations

import hashlib
import math
import random
import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any, TypedDict

from parlour import core, drawing
from parlour.arena import charts
from parlour.arena.plan import HOUSE, Entry, Fixture, Opening, Plan, file_entry, random_openings
from parlour.arena.ratings import Ratings, rate
from parlour.arena.report import render_page
from parlour.arena.results import GameResult
from parlour.arena.schedule import Done, scored_games
from parlour.arena.standings import format_likelihood, group_meetings
from parlour.boards import ResultTable
from parlour.core import BadFile, Bot, Clock, Game, Option, ParlourError, UnknownName, describe
from parlour.drawing import VERMILION, Drawing
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

# The report
TOP = 10  # rows of the short table
MAX_SHOWN = 4  # numbers that are shown for every variant
MAX_TITLE = 60  # characters of a bot with its options in a title
CERTAIN = 0.975  # likelihood from which on the interval leaves 0 out
MAX_ROWS = 40  # of a chart
ELO = replace(charts.ELO, zero=VERMILION)

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
        return _write_bot(self.bot, core.registry.file_of(type(self.bot)))

    def write_option(self, name: str) -> str:
        """Return the value of an option as one types it."""
        return core.options_of(type(self.bot))[name].write(getattr(self.bot, name))


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
        return f"{core.format_signed(self.low)} to {core.format_signed(self.high)}"

    def __str__(self) -> str:
        return f"{core.format_signed(self.elo)} Elo, {self.interval}"


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
        tally = Counter(
            each
            for fixture, game in self.games
            for each in zip((fixture.first, fixture.second), game.points, strict=True)
        )
        found = [
            Standing(
                each,
                tally[number, 1],
                tally[number, 0.5],
                tally[number, 0],
                _lead(rated, number, 0) if number else None,
            )
            for number, each in enumerate(self.variants)
        ]
        return sorted(found, key=lambda each: (-each.wins, -each.points))


def _lead(rated: Ratings, one: int, other: int) -> Lead:
    error = math.sqrt(rated.difference_variance(one, other))
    # As many standard errors as the interval of a rating has.
    error *= (rated[one].high - rated[one].elo) / math.sqrt(rated.covariance[one, one])
    elo = rated[one].elo - rated[other].elo
    return Lead(
        round(elo, 1),
        round(elo - error, 1),
        round(elo + error, 1),
        round(rated.superiority(one, other), 4),
    )


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
    def stages(self) -> list[Generation]:
        """The generations, and the last match."""
        return [*self.generations, *([self.match] if self.match else [])]

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
        plan = plan_generation(task, variants, number)
        generations.append(Generation(number, variants, plan, scored_games(plan, play(plan))))
    base, best = generations[-1].variants[0], generations[-1].standings[0].variant
    if best == base:
        return TuningResult(task, tuple(generations), None)
    plan = plan_final_match(task, base, best)
    match = Generation(0, (base, best), plan, scored_games(plan, play(plan)))
    return TuningResult(task, tuple(generations), match)


def first_generation(task: Task) -> tuple[Variant, ...]:
    """Return the bot as it was given, and its neighbours."""
    base = Variant(task.bot.name, task.bot)
    found = _fill(task, [base], [base], 1, 1)
    if len(found) < task.variants:
        raise ParlourError(
            f"there are hardly more than {core.count(len(found), 'bot')} like {describe(task.bot)} "
            f"that differ in {', '.join(sorted(task.vary))}; "
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
    stage = f"generation {number} of {task.seed}"
    seed = int.from_bytes(hashlib.sha256(stage.encode()).digest()[:6])
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
    legs = FRESH if "seed" in core.options_of(type(task.bot)) else len(openings)
    return replace(plan, games=2 * legs, openings=openings)


def _fresh_openings(game: Game, seed: int) -> tuple[Opening, ...]:
    for plies in FRESH_PLIES:
        try:
            return random_openings(game, plies, FRESH, seed)
        except ParlourError:  # too long for this game
            continue
    return ((),)


def _entry(task: Task, variant: Variant) -> Entry:
    if path := core.registry.source_of(type(variant.bot)):
        found = file_entry(_write_bot(variant.bot, path))
        return replace(found, name=variant.name)
    return Entry(variant.name, HOUSE, variant.text)


# Neighbours


def list_numeric(bot: Bot) -> list[str]:
    """Return the options that hold numbers now."""
    return [
        name
        for name, opt in core.options_of(type(bot)).items()
        if opt.kind in (int, float)
        and name not in NOT_STRENGTH
        and getattr(bot, name) not in (None, ())
    ]


def list_tunable(game: Game) -> list[str]:
    """Return the names of the bots that have something to vary in this game."""
    found = []
    for bot in map(core.registry.bot, core.registry.bots(game)):
        if list_numeric(bot):
            with suppress(ParlourError):  # it has none that this game allows
                neighbour(bot, game, random.Random(0), choose_varied(bot, [], game))
                found.append(bot.name)
    return found


def choose_varied(bot: Bot, asked: Iterable[str], game: Game) -> frozenset[str]:
    """Return the options to vary: those asked for, else those the bot names, else all numbers."""
    able, known = list_numeric(bot), core.options_of(type(bot))
    if not able:
        others = list_tunable(game)
        there = f"; try {core.one_of(others)}" if others else ""
        raise ParlourError(f"{bot.name} has no numbers to tune{there}")
    for name in asked:
        if name not in known:
            hint = core.suggest(name, able) or f"; it can vary {core.one_of(able)}"
            raise UnknownName(f"{bot.name} has no option {core.quote(name)}{hint}")
        if name not in able:
            why = "makes it luckier, not better" if name in NOT_STRENGTH else "holds no numbers"
            raise ParlourError(f"{bot.name}'s {name} {why}; it can vary {core.one_of(able)}")
    return frozenset(asked) or frozenset(able) & frozenset(getattr(bot, "tunes", able))


def neighbour(bot: Bot, game: Game, rng: random.Random, vary: frozenset[str]) -> Bot:
    """Return a bot near this one that its class and the game allow.

    A bot whose options in `tunes` belong together varies these by its own method `neighbour`.
    """
    together = vary & frozenset(getattr(bot, "tunes", ()) if hasattr(bot, "neighbour") else ())
    known = core.options_of(type(bot))
    options = {name: getattr(bot, name) for name in known}
    for name in sorted(vary - together):
        options[name] = vary_value(known[name], options[name], rng)
    found: Any = core.registry.build("bots", type(bot), options)
    if together:
        try:
            found = found.neighbour(game, rng, together)
        except ParlourError:
            raise
        except Exception as error:  # it may be anybody's code
            raise BadFile(
                f"{bot.name} cannot make its neighbour: {core.describe_error(error)}"
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


# In words


def title(tuned: TuningResult) -> str:
    """Return `Othello: 20 variants of benedict`, with the generations where there are several."""
    task, many = tuned.task, len(tuned.generations)
    bot = describe(task.bot)
    if len(bot) > MAX_TITLE:  # it began with the user's own tables
        bot = task.bot.name
    head = f"{core.capital(describe(task.game))}: {task.variants} variants of {bot}"
    return head + (f", {many} generations" if many > 1 else "")


def shown_options(tuned: TuningResult) -> list[str]:
    """Return the options to show for every variant: those that vary, unless they are long."""
    bot = tuned.task.bot
    names = [name for name in core.options_of(type(bot)) if name in tuned.task.vary]
    return names if sum(len(numbers_in(bot, name)) for name in names) <= MAX_SHOWN else []


def numbers_in(bot: Bot, name: str) -> list[float]:
    """Return all numbers in an option of a bot, however deeply nested."""

    def within(value: Any) -> list[float]:
        if isinstance(value, tuple):
            return [number for each in value for number in within(each)]
        return [value]

    return within(getattr(bot, name))


def verdict(tuned: TuningResult) -> str:
    """Say in one or two sentences whether the best is better than the bot one began with."""
    best, last = tuned.best, tuned.generations[-1]
    where = "of the last generation" if len(tuned.generations) > 1 else "of them"
    won = f"won {best.wins} of {core.count(best.games, 'game')}"
    base = tuned.task.bot.name
    if tuned.confirmed is None or tuned.confirmed.lead is None:
        return (
            f"None {where} did better than {base}, the bot you began with: it {won}. "
            "More generations, or other options to vary, may find one."
        )
    ahead, fresh = tuned.confirmed.lead, core.count(tuned.confirmed.games, "fresh game")
    options = " ".join(f"{name}={best.variant.write_option(name)}" for name in shown_options(tuned))
    who = best.variant.name + (f" ({options})" if options else "")
    head = f"{who}, the best of {len(last.variants)}, {won}."
    against = f"In {fresh} against {base}, the bot you began with,"
    if ahead.elo <= 0:
        return f"{head} {against} it did no better ({ahead}): its lead was luck."
    likely = format_likelihood(ahead.likelihood)
    caution = "" if ahead.likelihood >= CERTAIN else " That is not certain; more games would tell."
    return f"{head} {against} it is stronger with {likely} likelihood ({ahead}).{caution}"


def count_games(tuned: TuningResult) -> str:
    """Return `380 games`, without those of the last match."""
    return f"{sum(len(each.games) for each in tuned.generations):,} games"


def describe_faults(tuned: TuningResult) -> str:
    """Say how many games ended by a fault, and how the first of them did."""
    faults = [game for each in tuned.stages for _, game in each.games if game.fault]
    if not faults:
        return ""
    return (
        f"{core.count(len(faults), 'game')} ended by a fault, the first: {faults[0].record.reason}"
    )


def format_summary(tuned: TuningResult) -> str:
    """Format a table of the best, and the verdict."""
    last, names = tuned.generations[-1], shown_options(tuned)
    base = last.variants[0].name
    head, lines = ["", "", *names, "won", "drawn", "lost", f"Elo above {base}", ""], []
    for rank, each in enumerate(last.standings, start=1):
        if rank > TOP and each.lead is not None:
            continue
        lead = (
            [core.format_signed(each.lead.elo), f"({each.lead.interval})"]
            if each.lead
            else ["", ""]
        )
        options = map(each.variant.write_option, names)
        results = map(str, (each.wins, each.draws, each.losses))
        lines.append([f"{rank}.", each.variant.name, *options, *results, *lead])
    table = ResultTable(head, lines).to_text(left=(1,), cut=1)
    words = f"{verdict(tuned)}\n{describe_faults(tuned)}".rstrip()
    return f"{title(tuned)}, {count_games(tuned)}\n\n{table}\n\n{words}"


def describe_best(tuned: TuningResult) -> BestBot:
    """Describe the best bot: its options, how to type it, and how to play against it."""
    variant, game = tuned.best.variant, tuned.task.game
    named = core.registry.file_of(type(game)) or game.name
    seats = ["--seat", "human", "--seat", variant.text]
    return {
        "game": game.name,
        "game_options": core.values(game),
        "bot": variant.bot.name,
        "options": core.values(variant.bot),
        "text": variant.text,
        "play": shlex.join(["parlour", "play", named, *core.as_flags(game), *seats]),
    }


class BestBot(TypedDict):
    """A bot, how to type it, and how to play against it."""

    game: str  # the name of the game
    game_options: dict[str, Any]  # the value of every option
    bot: str
    options: dict[str, Any]  # the value of every option
    text: str
    play: str  # the command that plays against it


class NamedBest(BestBot):
    """The best variant."""

    name: str


class VariantResult(TypedDict):
    """A variant and its results."""

    name: str
    parent: str | None
    wins: core.answers.Natural
    draws: core.answers.Natural
    losses: core.answers.Natural
    lead: Annotated[dict[str, Any], Lead] | None
    bot: str


class TuningData(TypedDict):
    """The variants of a bot, and the best of them."""

    game: str
    bot: str
    vary: list[str]
    seed: int
    generations: list[list[VariantResult]]
    match: list[VariantResult] | None
    best: NamedBest
    verdict: str


def to_dict(tuned: TuningResult) -> TuningData:
    """Return everything as plain data."""
    task = tuned.task
    return {
        "game": describe(task.game),
        "bot": describe(task.bot),
        "vary": sorted(task.vary),
        "seed": task.seed,
        "generations": [_to_dicts(each) for each in tuned.generations],
        "match": None if tuned.match is None else _to_dicts(tuned.match),
        "best": {"name": tuned.best.variant.name, **describe_best(tuned)},
        "verdict": verdict(tuned),
    }


def _to_dicts(generation: Generation) -> list[VariantResult]:
    return [
        core.answers.pick(
            VariantResult,
            each,
            name=each.variant.name,
            parent=each.variant.parent or None,
            lead=core.answers.to_plain(each.lead),
            bot=each.variant.text,
        )
        for each in generation.standings
    ]


# As a page


def render_report(tuned: TuningResult, *, date: str) -> str:
    """Return the page."""
    fresh = (
        "" if tuned.match is None else f" and {core.count(len(tuned.match.games), 'fresh game')}"
    )
    lead = [count_games(tuned) + fresh, date]
    lead += [f"varied: {', '.join(sorted(tuned.task.vary))}", f"seed {tuned.task.seed}"]
    boards, options = _list_changes(tuned) if tuned.match else ({}, [])
    drawn, shown = [draw_wins(tuned.generations[-1]), draw_progress(tuned)], shown_options(tuned)
    if len(shown) == 1 and len(numbers_in(tuned.task.bot, shown[0])) == 1:
        drawn.append(draw_option(tuned.generations[-1], shown[0]))
    return render_page(
        "tuning.html",
        title=title(tuned),
        lead=lead,
        tuned=tuned,
        verdict=verdict(tuned),
        faults=describe_faults(tuned),
        charts=drawn,
        boards=boards,
        options=options,
        shown=shown,
        command=describe_best(tuned)["play"],
    )


def _list_changes(tuned: TuningResult) -> tuple[dict[str, Any], list[tuple[str, str, str]]]:
    """Return the numbers of squares before and after, by option, and every other option."""
    before, after, game = tuned.task.bot, tuned.best.variant.bot, tuned.task.game
    squares = getattr(game, "columns", 0) * getattr(game, "rows", 0)
    boards, options = {}, []
    for name, option in core.options_of(type(before)).items():
        if name not in tuned.task.vary:
            continue
        old, new = getattr(before, name), getattr(after, name)
        if option.depth == 1 and len(new) == squares:
            boards[name] = list(zip(old, new, strict=True))
        else:
            options.append((name, option.write(old), option.write(new)))
    return boards, options


# Charts


def draw_wins(generation: Generation) -> Drawing:
    """Draw the wins of each, most first."""
    ranked = generation.standings
    shown = [each for rank, each in enumerate(ranked) if rank < MAX_ROWS or each.lead is None]
    points = [
        charts.Point(
            each.variant.name,
            each.wins,
            about=f"{each.variant.name}: {each.wins} won, {each.draws} drawn, {each.losses} lost",
            beside=f"{each.wins}" + (f" and {each.draws} drawn" if each.draws else ""),
        )
        for each in shown
    ]
    number = f" of generation {generation.number}" if generation.number > 1 else ""
    first = f", the first {MAX_ROWS}" if len(ranked) > MAX_ROWS else ""
    series, unit = charts.Series("", points), replace(charts.AMOUNT, high=ranked[0].games)
    return charts.draw_rows(f"Wins{number}{first}", [series], unit)


def draw_progress(tuned: TuningResult) -> Drawing:
    """Draw the lead of the best of each generation, and of the last of them in fresh games."""
    found = [(f"{each.number}", each.standings[0]) for each in tuned.generations]
    series = [
        charts.Series("", [_mark(*each) for each in found], charts.COLOURS.index(drawing.GREY))
    ]
    if tuned.confirmed is not None:
        series.append(charts.Series("", [_mark("fresh games", tuned.confirmed)]))
    title = f"Elo points of the best above {tuned.task.bot.name}"
    return charts.draw_lines(title, series, ELO, below="best of generation")


def _mark(label: str, best: Standing) -> charts.Point:
    lead = best.lead or Lead(0, 0, 0, 0.5)
    return charts.Point(label, lead.elo, (lead.low, lead.high), f"{best.variant.name}: {lead}")


def draw_option(generation: Generation, name: str) -> Drawing:
    """Draw the Elo points of each above the first bot against the number in this option."""
    base = generation.variants[0]
    others, own = [], []
    for each in generation.standings:
        number = numbers_in(each.variant.bot, name)[0]
        what = f"{each.variant.name}, {name}={number:g}"
        if each.lead is None:
            own.append(charts.Point(str(number), 0.0, None, what))
        else:
            about = f"{what}: {each.lead}"
            lead = each.lead
            others.append(charts.Point(str(number), lead.elo, (lead.low, lead.high), about))
    others.sort(key=lambda point: float(point.label))
    series = [charts.Series("", others), charts.Series("", own, charts.COLOURS.index(VERMILION))]
    title = f"Elo points above {base.name}, by {name}"
    return charts.draw_lines(title, series, ELO, below=name, to_scale=True)
