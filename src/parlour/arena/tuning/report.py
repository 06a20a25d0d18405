"""The outcome of a tuning: in a short table, as JSON, and as a page with charts."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Annotated, Any, TypedDict

from parlour.arena import charts
from parlour.arena.report import render_page
from parlour.arena.standings import format_likelihood
from parlour.arena.tuning.search import Generation, Lead, Standing, TuningResult
from parlour.boards import ResultTable
from parlour.core import (
    Bot,
    answers,
    as_flags,
    capital,
    count,
    describe,
    format_signed,
    options_of,
    registry,
    values,
)
from parlour.drawing import (
    BLUE,
    GREY,
    LINE,
    PAPER,
    QUIET,
    VERMILION,
    Axis,
    Drawing,
    Group,
    Rect,
    Shape,
    TextLine,
    circle,
    line,
    text_width,
)
from parlour.rules import LETTERS

TOP = 10  # rows of the short table
MAX_SHOWN = 4  # numbers that are shown for every variant
MAX_TITLE = 60  # characters of a bot with its options in a title
CERTAIN = 0.975  # likelihood from which on the interval leaves 0 out
WIDTH = 480  # of a chart, readable on a telephone held upright
PLOT_LEFT, PLOT_RIGHT, PLOT_TOP, PLOT_BOTTOM = 56.0, WIDTH - 20.0, 14.0, 254.0
MAX_BARS = 40
BAR = 22.0  # from one bar to the next
CELL = 44.0
MAX_NAME = 110.0
WHOLE = 5  # whole numbers this close together are all marked
ELO = replace(charts.ELO, zero=VERMILION)


# In words


def title(tuned: TuningResult) -> str:
    """Return `Othello: 20 variants of benedict`, with the generations where there are several."""
    task, many = tuned.task, len(tuned.generations)
    bot = describe(task.bot)
    if len(bot) > MAX_TITLE:  # it began with the user's own tables
        bot = task.bot.name
    head = f"{capital(describe(task.game))}: {task.variants} variants of {bot}"
    return head + (f", {many} generations" if many > 1 else "")


def shown_options(tuned: TuningResult) -> list[str]:
    """Return the options to show for every variant: those that vary, unless they are long."""
    bot = tuned.task.bot
    names = [name for name in options_of(type(bot)) if name in tuned.task.vary]
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
    won = f"won {best.wins} of {count(best.games, 'game')}"
    base = tuned.task.bot.name
    if tuned.confirmed is None or tuned.confirmed.lead is None:
        return (
            f"None {where} did better than {base}, the bot you began with: it {won}. "
            "More generations, or other options to vary, may find one."
        )
    ahead, fresh = tuned.confirmed.lead, count(tuned.confirmed.games, "fresh game")
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
    stages = [*tuned.generations, *([tuned.match] if tuned.match else [])]
    faults = [game for each in stages for _, game in each.games if game.fault]
    if not faults:
        return ""
    return f"{count(len(faults), 'game')} ended by a fault, the first: {faults[0].record.reason}"


def format_summary(tuned: TuningResult) -> str:
    """Format a table of the best, and the verdict."""
    last, names = tuned.generations[-1], shown_options(tuned)
    base = last.variants[0].name
    head, lines = ["", "", *names, "won", "drawn", "lost", f"Elo above {base}", ""], []
    for rank, each in enumerate(last.standings, start=1):
        if rank > TOP and each.lead is not None:
            continue
        lead = [format_signed(each.lead.elo), f"({each.lead.interval})"] if each.lead else ["", ""]
        options = map(each.variant.write_option, names)
        results = map(str, (each.wins, each.draws, each.losses))
        lines.append([f"{rank}.", each.variant.name, *options, *results, *lead])
    table = ResultTable(head, lines).to_text(left=(1,), cut=1)
    words = f"{verdict(tuned)}\n{describe_faults(tuned)}".rstrip()
    return f"{title(tuned)}, {count_games(tuned)}\n\n{table}\n\n{words}"


def describe_best(tuned: TuningResult) -> BestBot:
    """Describe the best bot: its options, how to type it, and how to play against it."""
    variant, game = tuned.best.variant, tuned.task.game
    named = registry.file_of(type(game)) or game.name
    seats = ["--seat", "human", "--seat", variant.text]
    return {
        "game": game.name,
        "game_options": values(game),
        "bot": variant.bot.name,
        "options": values(variant.bot),
        "text": variant.text,
        "play": shlex.join(["parlour", "play", named, *as_flags(game), *seats]),
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
    wins: answers.Natural
    draws: answers.Natural
    losses: answers.Natural
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
        {
            "name": each.variant.name,
            "parent": each.variant.parent or None,
            "wins": each.wins,
            "draws": each.draws,
            "losses": each.losses,
            "lead": _round_lead(each.lead) if each.lead else None,
            "bot": each.variant.text,
        }
        for each in generation.standings
    ]


def _round_lead(lead: Lead) -> dict[str, Any]:
    rounded = asdict(lead).items()
    return {name: round(value, 4 if name == "likelihood" else 1) for name, value in rounded}


# As a page


def render_report(tuned: TuningResult, *, date: str) -> str:
    """Return the page."""
    fresh = "" if tuned.match is None else f" and {count(len(tuned.match.games), 'fresh game')}"
    lead = [count_games(tuned) + fresh, date]
    lead += [f"varied: {', '.join(sorted(tuned.task.vary))}", f"seed {tuned.task.seed}"]
    boards, options = _list_changes(tuned) if tuned.match else ([], [])
    return render_page(
        "tuning.html",
        title=title(tuned),
        lead=lead,
        tuned=tuned,
        verdict=verdict(tuned),
        faults=describe_faults(tuned),
        charts=list(_draw_charts(tuned)),
        boards=boards,
        options=options,
        shown=shown_options(tuned),
        command=describe_best(tuned)["play"],
    )


def _draw_charts(tuned: TuningResult) -> Iterator[Drawing]:
    yield draw_wins(tuned.generations[-1])
    yield draw_progress(tuned)
    names = shown_options(tuned)
    if len(names) == 1 and len(numbers_in(tuned.task.bot, names[0])) == 1:
        yield draw_option(tuned.generations[-1], names[0])


def _list_changes(tuned: TuningResult) -> tuple[list[Drawing], list[tuple[str, str, str]]]:
    """Return tables of squares as boards, and every other option before and after."""
    before, after, game = tuned.task.bot, tuned.best.variant.bot, tuned.task.game
    columns, rows = (int(getattr(game, name, 0)) for name in ("columns", "rows"))
    boards, options = [], []
    for name, option in options_of(type(before)).items():
        if name not in tuned.task.vary:
            continue
        old, new = getattr(before, name), getattr(after, name)
        if option.depth == 1 and len(new) == columns * rows:
            boards.append(draw_board(name, old, new, columns, rows))
        else:
            options.append((name, option.write(old), option.write(new)))
    return boards, options


# Charts


def draw_wins(generation: Generation) -> Drawing:
    """Draw the wins of each, most first; the frame after a bar is half the draws."""
    ranked = list(enumerate(generation.standings))
    shown = [each for rank, each in ranked if rank < MAX_BARS or each.lead is None]
    left = 30 + min(MAX_NAME, max(text_width(each.variant.name, 13, 600) for each in shown))
    most = max(1, *(each.games for each in shown))
    scale = (WIDTH - left - 92) / most
    end, middle = 14 + BAR * len(shown), left + most * scale / 2
    shapes: list[Shape | Group] = [line(middle, 10, middle, end + 2, LINE)]
    for place, each in enumerate(shown):
        y, own = 14 + BAR * place, each.lead is None
        colour = VERMILION if own else BLUE
        long, more = each.wins * scale, each.draws * scale / 2
        label = f"{each.wins}" + (f" and {each.draws} drawn" if each.draws else "")
        half = [Rect(left + long, y + 2.5, more, BAR - 8, "", colour)] if each.draws else []
        inside: tuple[Shape, ...] = (
            TextLine(left - 6, y + 14, each.variant.name, 13, "end", 600 if own else 400),
            Rect(left, y + 2, long, BAR - 7, colour),
            *half,
            TextLine(left + long + more + 6, y + 14, label, 12, colour=QUIET),
        )
        results = f"{each.wins} won, {each.draws} drawn, {each.losses} lost"
        shapes.append(Group(f"{each.variant.name}: {results}", inside))
    shapes.append(line(left, 10, left, end + 2, QUIET))
    shapes.append(TextLine(middle, end + 16, "half of them", 11, "middle", colour=QUIET))
    best = shown[0]
    about = f"{best.variant.name} won most, {best.wins} of {count(best.games, 'game')}."
    number = f" of generation {generation.number}" if generation.number > 1 else ""
    first = f", the first {MAX_BARS}" if len(ranked) > MAX_BARS else ""
    return Drawing(WIDTH, end + 26, f"Wins{number}{first}", about, (*shapes,))


def draw_progress(tuned: TuningResult) -> Drawing:
    """Draw the lead of the best of each generation, and of the last of them in fresh games."""
    found = [(f"{each.number}", each.standings[0]) for each in tuned.generations]
    series = [charts.Series("", [_mark(*each) for each in found], charts.COLOURS.index(GREY))]
    if tuned.confirmed is not None:
        series.append(charts.Series("", [_mark("fresh games", tuned.confirmed)]))
    title = f"Elo points of the best above {tuned.task.bot.name}"
    return charts.draw_lines(
        title, series, ELO, below="best of generation", length=PLOT_RIGHT - PLOT_LEFT
    )


def _mark(label: str, best: Standing) -> charts.Point:
    lead = best.lead or Lead(0, 0, 0, 0.5)
    return charts.Point(label, lead.elo, (lead.low, lead.high), f"{best.variant.name}: {lead}")


def draw_option(generation: Generation, name: str) -> Drawing:
    """Draw the Elo points of each above the first bot against the number in this option."""
    found = sorted(
        (numbers_in(each.variant.bot, name)[0], each.variant.name, each.lead)
        for each in generation.standings
        if each.lead is not None
    )
    first = generation.variants[0]
    here = numbers_in(first.bot, name)[0]
    marks = charts.Series("", [_mark(each.variant.name, each) for each in generation.standings])
    scale = ELO.make_axis([marks], PLOT_BOTTOM, PLOT_TOP)
    shapes: list[Shape | Group] = [
        *scale.draw_vertical(PLOT_LEFT, PLOT_RIGHT, ELO.write, zero=ELO.zero)
    ]
    numbers = [here, *(value for value, _, _ in found)]
    low, high = min(numbers), max(numbers)
    whole = all(isinstance(value, int) for value in numbers) and high - low < WHOLE
    along = Axis(low, high, PLOT_LEFT + 12, PLOT_RIGHT - 12, step=1 if whole else None)
    shapes += along.draw_horizontal(PLOT_TOP, PLOT_BOTTOM, "{:,.10g}".format)
    for value, who, lead in found:
        x = along.at(value)
        dot = circle(x, scale.at(lead.elo), 4.5, BLUE, PAPER)
        interval = charts.draw_interval(scale, lead.low, lead.high, x, GREY, upright=True)
        shapes.append(Group(f"{who}, {name}={value:g}: {lead}", (*interval, dot)))
    start = circle(along.at(here), scale.at(0), 4.5, VERMILION, PAPER)
    shapes.append(Group(f"{first.name}, {name}={here:g}", (start,)))
    middle = (PLOT_LEFT + PLOT_RIGHT) / 2
    shapes.append(TextLine(middle, PLOT_BOTTOM + 38, name, 12, "middle", colour=QUIET))
    about = "; ".join(f"{name}={value:g}: {format_signed(lead.elo)}" for value, _, lead in found)
    head = f"Elo points above {first.name}, by {name}"
    return Drawing(WIDTH, PLOT_BOTTOM + 48, head, about, (*shapes,))


def draw_board(
    name: str, before: Sequence[float], after: Sequence[float], columns: int, rows: int
) -> Drawing:
    """Draw a table of squares as a board; where a value has changed, by how much, and a bar."""
    left, top = 26.0, 20.0
    most = max(abs(new - old) for old, new in zip(before, after, strict=True)) or 1
    shapes: list[Shape | Group] = []
    for square, (old, new) in enumerate(zip(before, after, strict=True)):
        row, column = divmod(square, columns)
        x, y, middle = left + column * CELL, top + row * CELL, left + (column + 0.5) * CELL
        change = new - old
        inside: list[Shape] = [
            Rect(x, y, CELL, CELL, "", LINE),
            TextLine(middle, y + 21, f"{new:.5g}", 15, "middle"),
        ]
        if change:
            colour = BLUE if change > 0 else VERMILION
            long = (CELL - 4) * abs(change) / most
            inside.append(TextLine(middle, y + 35, f"{change:+.4g}", 11, "middle", 600, colour))
            inside.append(Rect(middle - long / 2, y + CELL - 5, long, 3, colour))
        label = f"{LETTERS[column]}{row + 1}: {new:g}, before {old:g}"
        shapes.append(Group(label, tuple(inside)))
    for column in range(columns):
        x = left + (column + 0.5) * CELL
        shapes.append(TextLine(x, top - 6, LETTERS[column], 11, "middle", colour=QUIET))
    for row in range(rows):
        y = top + (row + 0.5) * CELL + 4
        shapes.append(TextLine(left - 12, y, str(row + 1), 11, "middle", colour=QUIET))
    about = f"What each square is worth in the {name} of the best, and how that differs from before"
    wide, high = columns * CELL + left + 4, rows * CELL + top + 4
    return Drawing(wide, high, name, about, (*shapes,))
