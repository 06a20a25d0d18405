"""What came of a tuning: in a short table, as JSON, and as a page with charts."""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Iterator, Sequence
from typing import Any

from parlour.arena.report import Cell, Grid, GridRow, draw, render_page
from parlour.arena.tuning.search import Generation, Lead, Standing, TuningResult
from parlour.core import Bot, as_flags, capital, count, describe, options_of, registry, values
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
    Polygon,
    Polyline,
    Rect,
    Shape,
    Text,
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
MAX_BARS = 40
BAR = 22.0  # from one bar to the next
CELL = 44.0
MAX_LABELS = 12  # generations named under a curve
MAX_NAME = 110.0
WHOLE = 5  # whole numbers this close together are all marked


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


def format_option(bot: Bot, name: str) -> str:
    """Return the value of an option as one types it."""
    return options_of(type(bot))[name].write(getattr(bot, name))


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
    options = " ".join(
        f"{name}={format_option(best.variant.bot, name)}" for name in shown_options(tuned)
    )
    who = best.variant.name + (f" ({options})" if options else "")
    head = f"{who}, the best of {len(last.variants)}, {won}."
    against = f"In {fresh} against {base}, the bot you began with,"
    if ahead.elo <= 0:
        return f"{head} {against} it did no better ({elo(ahead)}): its lead was luck."
    likely = format_likelihood(ahead.likelihood)
    sure = f"{against} it is stronger with {likely} likelihood ({elo(ahead)})."
    caution = "" if ahead.likelihood >= CERTAIN else " That is not sure; more games would tell."
    return f"{head} {sure}{caution}"


def elo(lead: Lead) -> str:
    """Return `+35 Elo, -20 to +90`."""
    return f"{format_signed(lead.elo)} Elo, {interval(lead)}"


def interval(lead: Lead) -> str:
    """Return `-20 to +90`."""
    return f"{format_signed(lead.low)} to {format_signed(lead.high)}"


def format_signed(number: float) -> str:
    """Return `+35`, `-20` or `0`."""
    return f"{round(number):+}" if round(number) else "0"


def format_likelihood(share: float) -> str:
    """Return `83 %`; nothing is certain."""
    return f"{min(max(round(100 * share), 1), 99)} %"


def count_games(tuned: TuningResult) -> str:
    """Return `380 games`, without those of the last match."""
    many = sum(len(each.games) for each in tuned.generations)
    return f"{many:,} games"


def describe_faults(tuned: TuningResult) -> str:
    """Say how many games ended by a fault, and how the first of them did."""
    stages = [*tuned.generations, *([tuned.match] if tuned.match else [])]
    faults = [game for each in stages for _, game in each.games if game.fault]
    if not faults:
        return ""
    return f"{count(len(faults), 'game')} ended by a fault, the first: {faults[0].record.reason}"


def format_summary(tuned: TuningResult) -> str:
    """Format a table of the best, and the verdict."""
    last = tuned.generations[-1]
    ranked = list(enumerate(last.standings, start=1))
    rows = [(rank, each) for rank, each in ranked if rank <= TOP or each.lead is None]
    heads = ["", *shown_options(tuned)]
    bots = [
        [each.variant.name, *(format_option(each.variant.bot, name) for name in heads[1:])]
        for _, each in rows
    ]
    wide = [max(map(len, column)) for column in zip(heads, *bots, strict=True)]

    def line(words: list[str]) -> str:
        more = map(str.rjust, words[1:], wide[1:])
        return "  ".join([words[0].ljust(wide[0]), *more])

    lines = [
        f"{title(tuned)}, {count_games(tuned)}",
        "",
        f"     {line(heads)}   won  drawn  lost  Elo above {last.variants[0].name}",
    ]
    for (rank, each), words in zip(rows, bots, strict=True):
        won = f"{each.wins:>4}  {each.draws:>5}  {each.losses:>4}"
        ahead = (
            ""
            if each.lead is None
            else f"{format_signed(each.lead.elo):>5}  ({interval(each.lead)})"
        )
        lines.append(f"{rank:>3}. {line(words)}  {won}  {ahead}".rstrip())
    lines += ["", verdict(tuned)]
    return "\n".join(lines + ([describe_faults(tuned)] if describe_faults(tuned) else []))


def describe_best(tuned: TuningResult) -> dict[str, Any]:
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
        "play": shlex.join(
            ["parlour", "play", named, *as_flags(game), *seats],
        ),
    }


def to_json(tuned: TuningResult) -> str:
    """Write everything as JSON."""
    task = tuned.task
    data = {
        "game": describe(task.game),
        "bot": describe(task.bot),
        "vary": sorted(task.vary),
        "seed": task.seed,
        "generations": [_to_dicts(each) for each in tuned.generations],
        "match": None if tuned.match is None else _to_dicts(tuned.match),
        "best": {"name": tuned.best.variant.name, **describe_best(tuned)},
        "verdict": verdict(tuned),
    }
    return json.dumps(data, indent=2, ensure_ascii=False)


def _to_dicts(generation: Generation) -> list[dict[str, Any]]:
    return [
        {
            "name": each.variant.name,
            "parent": each.variant.parent or None,
            "wins": each.wins,
            "draws": each.draws,
            "losses": each.losses,
            "lead": None
            if each.lead is None
            else {
                "elo": round(each.lead.elo, 1),
                "low": round(each.lead.low, 1),
                "high": round(each.lead.high, 1),
                "likelihood": round(each.lead.likelihood, 4),
            },
            "bot": each.variant.text,
        }
        for each in generation.standings
    ]


# As a page


def render_report(tuned: TuningResult, *, date: str) -> str:
    """Return the page."""
    fresh = "" if tuned.match is None else f" and {count(len(tuned.match.games), 'fresh game')}"
    lead = [count_games(tuned) + fresh, date]
    lead += [f"varied: {', '.join(sorted(tuned.task.vary))}", f"seed {tuned.task.seed}"]
    boards, options = _list_changes(tuned) if tuned.match else ([], None)
    return render_page(
        "tuning.html",
        title=title(tuned),
        lead=lead,
        verdict=verdict(tuned),
        faults=describe_faults(tuned),
        charts=[{"drawing": draw(chart), "caption": caption} for chart, caption in _charts(tuned)],
        has_match=tuned.match is not None,
        boards=boards,
        options=options,
        best=tuned.best.variant.name,
        base=tuned.task.bot.name,
        command=describe_best(tuned)["play"],
        standings=_standings_grid(tuned),
    )


def _charts(tuned: TuningResult) -> Iterator[tuple[Drawing, str]]:
    last, base = tuned.generations[-1], tuned.task.bot.name
    number = f" of generation {last.number}" if last.number > 1 else ""
    most = f", the first {MAX_BARS}" if len(last.variants) > MAX_BARS else ""
    yield draw_wins(last), f"Wins{number}{most}"
    yield draw_progress(tuned), f"Elo points of the best above {base}"
    names = shown_options(tuned)
    if len(names) == 1 and len(numbers_in(tuned.task.bot, names[0])) == 1:
        yield draw_option(last, names[0]), f"Elo points above {base}, by {names[0]}"


def _list_changes(tuned: TuningResult) -> tuple[list[dict[str, Any]], Grid | None]:
    """Return tables of squares as boards, and every other option before and after."""
    before, after, game = tuned.task.bot, tuned.best.variant.bot, tuned.task.game
    columns, rows = (int(getattr(game, name, 0)) for name in ("columns", "rows"))
    boards, lines = [], []
    for name in sorted(tuned.task.vary, key=list(options_of(type(before))).index):
        opt, old, new = options_of(type(before))[name], getattr(before, name), getattr(after, name)
        if opt.depth == 1 and len(new) == columns * rows:
            board = draw_board(name, old, new, columns, rows)
            boards.append({"drawing": draw(board), "caption": name})
        else:
            lines.append(GridRow(None, name, [opt.write(old), opt.write(new)]))
    heads = ["Option", before.name, tuned.best.variant.name]
    return boards, Grid("Options before and after", "figures", heads, lines) if lines else None


def _standings_grid(tuned: TuningResult) -> Grid:
    last, names = tuned.generations[-1], shown_options(tuned)

    def cells(each: Standing) -> list[str | Cell]:
        options = [format_option(each.variant.bot, name) for name in names]
        lead = ["0", "", "", ""]
        if each.lead is not None:
            lead = [format_signed(each.lead.elo), interval(each.lead)]
            lead += [format_likelihood(each.lead.likelihood), each.variant.parent]
        return [*options, Cell(strong=str(each.wins)), str(each.draws), str(each.losses), *lead]

    rows = [
        GridRow(place, each.variant.name, cells(each))
        for place, each in enumerate(last.standings, start=1)
    ]
    heads = ["Bot", *names, "Won", "Drawn", "Lost", f"Elo above {last.variants[0].name}"]
    heads += ["95 % interval", "Likely stronger", "Neighbour of"]
    return Grid("Standings", "standings", heads, rows)


# Charts


def draw_wins(generation: Generation) -> Drawing:
    """Draw the wins of each, most first; the frame after a bar is half the draws."""
    ranked = list(enumerate(generation.standings))
    shown = [each for rank, each in ranked if rank < MAX_BARS or each.lead is None]
    left = 30 + min(MAX_NAME, max(text_width(each.variant.name, 13, 600) for each in shown))
    most = max(1, *(each.games for each in shown))
    scale = (WIDTH - left - 92) / most
    shapes: list[Shape | Group] = []
    for place, each in enumerate(shown):
        y, own = 14 + BAR * place, each.lead is None
        colour = VERMILION if own else BLUE
        long, more = each.wins * scale, each.draws * scale / 2
        label = f"{each.wins}" + (f" and {each.draws} drawn" if each.draws else "")
        half = [Rect(left + long, y + 2.5, more, BAR - 8, "", colour)] if each.draws else []
        shapes.append(
            Group(
                f"{each.variant.name}: {each.wins} won, {each.draws} drawn, {each.losses} lost",
                (
                    Text(left - 6, y + 14, each.variant.name, 13, "end", 600 if own else 400),
                    Rect(left, y + 2, long, BAR - 7, colour),
                    *half,
                    Text(left + long + more + 6, y + 14, label, 12, colour=QUIET),
                ),
            )
        )
    end = 14 + BAR * len(shown)
    middle = left + most * scale / 2
    shapes.insert(0, line(middle, 10, middle, end + 2, LINE))
    shapes.append(line(left, 10, left, end + 2, QUIET))
    shapes.append(Text(middle, end + 16, "half of them", 11, "middle", colour=QUIET))
    best = shown[0]
    about = f"{best.variant.name} won most, {best.wins} of {count(best.games, 'game')}."
    return Drawing(WIDTH, end + 26, f"Wins of {count(most, 'game')} each", about, (*shapes,))


def draw_progress(tuned: TuningResult) -> Drawing:
    """Draw the lead of the best of each generation, and of the last of them in fresh games."""
    level = Lead(0, 0, 0, 0.5)
    found = [
        (f"{g.number}", g.standings[0], g.standings[0].lead or level) for g in tuned.generations
    ]
    many = len(found)
    if tuned.confirmed is not None and tuned.confirmed.lead is not None:
        found.append(("fresh games", tuned.confirmed, tuned.confirmed.lead))
    left, right, top, bottom = 56.0, WIDTH - 20.0, 14.0, 254.0
    ends = [end for _, _, lead in found for end in (lead.low, lead.high)]
    scale = Axis(min(0.0, *ends), max(10.0, *ends), bottom, top)
    shapes: list[Shape | Group] = [*_draw_elo(scale, left, right)]
    gap = (right - left) / len(found)
    places = [
        (left + gap * (number + 0.5), scale.at(lead.elo)) for number, (*_, lead) in enumerate(found)
    ]
    shapes.append(Polyline(tuple(places[:many]), GREY, 1.5))
    every = math.ceil(many / MAX_LABELS)
    for number, ((x, y), (name, each, lead)) in enumerate(zip(places, found, strict=True)):
        fresh = number >= many
        colour = BLUE if fresh else GREY
        shapes.append(
            Group(
                f"{each.variant.name}: {_describe_lead(lead)}",
                (
                    *_interval(x, lead, scale, colour),
                    _diamond(x, y) if fresh else circle(x, y, 4.5, GREY, PAPER),
                ),
            )
        )
        if fresh or number % every == 0:
            shapes.append(Text(x, bottom + 20, name, 12, "middle", 600 if fresh else 400))
    middle = (places[0][0] + places[many - 1][0]) / 2
    shapes.append(Text(middle, bottom + 38, "best of generation", 12, "middle", colour=QUIET))
    about = "; ".join(f"{name}: {lead.elo:+.0f}" for name, _, lead in found)
    head = f"Elo points of the best above {tuned.task.bot.name}"
    return Drawing(WIDTH, bottom + 48, head, about, (*shapes,))


def draw_option(generation: Generation, name: str) -> Drawing:
    """Draw the Elo points of each above the first bot against the number in this option."""
    first, *others = sorted(generation.standings, key=lambda each: each.lead is not None)
    found = [
        (numbers_in(each.variant.bot, name)[0], each.variant.name, each.lead)
        for each in sorted(others, key=lambda each: numbers_in(each.variant.bot, name)[0])
        if each.lead is not None
    ]
    here = numbers_in(first.variant.bot, name)[0]
    left, right, top, bottom = 56.0, WIDTH - 20.0, 14.0, 254.0
    ends = [end for _, _, lead in found for end in (lead.low, lead.high)]
    scale = Axis(min(0.0, *ends), max(10.0, *ends), bottom, top)
    values = [here, *(value for value, _, _ in found)]
    low, high = min(values), max(values)
    whole = all(isinstance(value, int) for value in values) and high - low < WHOLE
    along = Axis(low, high, left + 12, right - 12, step=1 if whole else None)
    shapes: list[Shape | Group] = [
        *_draw_elo(scale, left, right),
        *along.draw_horizontal(top, bottom, "{:,.10g}".format),
    ]
    for value, who, lead in found:
        x = along.at(value)
        inside = (*_interval(x, lead, scale, GREY), circle(x, scale.at(lead.elo), 4.5, BLUE, PAPER))
        shapes.append(Group(f"{who}, {name}={value:g}: {_describe_lead(lead)}", inside))
    start = circle(along.at(here), scale.at(0), 4.5, VERMILION, PAPER)
    shapes.append(Group(f"{first.variant.name}, {name}={here:g}", (start,)))
    shapes.append(Text((left + right) / 2, bottom + 38, name, 12, "middle", colour=QUIET))
    about = "; ".join(f"{name}={value:g}: {lead.elo:+.0f}" for value, _, lead in found)
    head = f"Elo points above {first.variant.name}, by {name}"
    return Drawing(WIDTH, bottom + 48, head, about, (*shapes,))


def _draw_elo(axis: Axis, left: float, right: float) -> list[Shape]:
    """A line across for round numbers of Elo points, one in colour where nobody is ahead."""
    return axis.draw_vertical(
        left, right, lambda elo: f"{elo:+.0f}" if elo else "0", zero=VERMILION
    )


def _interval(x: float, lead: Lead, scale: Axis, colour: str) -> Iterator[Shape]:
    up, down = scale.at(lead.high), scale.at(lead.low)
    yield line(x, up, x, down, colour, 2)
    yield line(x - 5, up, x + 5, up, colour, 2)
    yield line(x - 5, down, x + 5, down, colour, 2)


def _describe_lead(lead: Lead) -> str:
    return f"{lead.elo:+.0f} Elo, {lead.low:+.0f} to {lead.high:+.0f}"


def _diamond(x: float, y: float) -> Shape:
    return Polygon(((x, y - 7), (x + 7, y), (x, y + 7), (x - 7, y)), BLUE, PAPER)


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
            Text(middle, y + 21, f"{new:.5g}", 15, "middle"),
        ]
        if change:
            colour = BLUE if change > 0 else VERMILION
            long = (CELL - 4) * abs(change) / most
            inside.append(Text(middle, y + 35, f"{change:+.4g}", 11, "middle", 600, colour))
            inside.append(Rect(middle - long / 2, y + CELL - 5, long, 3, colour))
        label = f"{LETTERS[column]}{row + 1}: {new:g}, before {old:g}"
        shapes.append(Group(label, tuple(inside)))
    for column in range(columns):
        x = left + (column + 0.5) * CELL
        shapes.append(Text(x, top - 6, LETTERS[column], 11, "middle", colour=QUIET))
    for row in range(rows):
        y = top + (row + 0.5) * CELL + 4
        shapes.append(Text(left - 12, y, str(row + 1), 11, "middle", colour=QUIET))
    about = f"What each square is worth in the {name} of the best, and how that differs from before"
    wide, high = columns * CELL + left + 4, rows * CELL + top + 4
    return Drawing(wide, high, name, about, (*shapes,))
