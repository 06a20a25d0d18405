"""The learning curve: how well hats play, measured against the truth, as training goes on.

Four measures share one scale from 0% to 100%. The axis of games is logarithmic, because most is
learned in the first few; the untrained hats stand at the left edge.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from parlour.core import count, describe, seat_name
from parlour.drawing import (
    BLUE,
    GREY,
    QUIET,
    VERMILION,
    Axis,
    Drawing,
    LogAxis,
    Polyline,
    Shape,
    Text,
    fit_size,
    label_line,
    line,
    marker,
    spread,
)
from parlour.learn.hat_set import Hats, Point

GREEN = "#009E73"
WIDTH, HEIGHT = 780, 446
LEFT, RIGHT, TOP, BOTTOM = 66, 558, 106, 380  # the sides of the grid
SCORE = "in a score a win counts 1, a draw a half"
APART = 17  # the least distance of two labels
SHARES = Axis(0, 1, BOTTOM, TOP, step=0.25)


@dataclass(frozen=True)
class Curve:
    """One measure: its name, its colour and mark, and its values from 0 to 1."""

    words: str
    colour: str
    mark: str  # in the terminal
    values: tuple[float, ...]


def list_curves(points: Sequence[Point]) -> list[Curve]:
    """Return the measures of a player, as far as there is anything to measure."""
    found = []
    if points and all(point.of for point in points):
        found = [
            Curve("likeliest ball is right", BLUE, "o", tuple(p.right / p.of for p in points)),
            Curve("chance of a right ball", GREEN, "#", tuple(p.chance for p in points)),
        ]
    for opponent, colour, mark in (("random", GREY, "+"), ("perfect", VERMILION, "x")):
        if points and all(any(f.opponent == opponent for f in p.fortunes) for p in points):
            scores = tuple(_average_score(point, opponent) for point in points)
            found.append(Curve(f"score against {opponent}", colour, mark, scores))
    return found


def _average_score(point: Point, opponent: str) -> float:
    scores = [odds.score for odds in point.fortunes if odds.opponent == opponent]
    return sum(scores) / len(scores)


def games_axis(points: Sequence[Point], start: float = 0, end: float = 1) -> LogAxis:
    """Return the axis of games by powers of ten, from `start` to `end`."""
    return LogAxis([point.games for point in points], start, end)


def chart_title(hats: Hats, row: int) -> str:
    """Return `Player 1's hats for sticks, at either seat`."""
    whose = f"Player {row + 1}'s hats" if len(hats.balls) == 2 else "Hats"
    seats = hats.seats(row)
    where = "at either seat" if len(seats) == 2 else f"as {seat_name(hats.game, seats[0])}"
    return f"{whose} for {describe(hats.game)}, {where}"


def chart_subtitle(hats: Hats) -> str:
    """Return how the hats were trained."""
    other = {
        "another": "another such player",
        "itself": "themselves",
        "random": "a random player",
        "perfect": "a perfect player",
    }[hats.against]
    games = f"{hats.games:,} game{'' if hats.games == 1 else 's'}"
    return f"Learning beside the truth: {games} against {other}, by the rule {hats.rule.name}"


def draw_chart(hats: Hats, row: int) -> Drawing:
    """Draw the learning curve of a player's hats."""
    points = hats.curves[row]
    games, lines = games_axis(points, LEFT, RIGHT), list_curves(points)
    head = chart_title(hats, row)
    shapes: list[Shape] = [
        Text(24, 38, head, fit_size(head, WIDTH - 60, 20, 600), weight=600),
        Text(24, 60, chart_subtitle(hats), 13, colour=QUIET),
        *_draw_axes(games),
    ]
    for number, curve in enumerate(lines):
        places = [
            (games.at(point.games), SHARES.at(value))
            for point, value in zip(points, curve.values, strict=True)
        ]
        shapes.append(Polyline(tuple(places), curve.colour, 2))
        shapes += [marker(number, *place, curve.colour) for place in _thin_out(places)]
    ends = [SHARES.at(curve.values[-1]) for curve in lines]
    heights = spread(ends, TOP, BOTTOM, APART)
    for number, (curve, end, y) in enumerate(zip(lines, ends, heights, strict=True)):
        words = f"{curve.words} {curve.values[-1]:.0%}"
        shapes += label_line(number, words, RIGHT, end, y, curve.colour)
    if not lines:
        middle = (LEFT + RIGHT) / 2
        shapes.append(
            Text(middle, (TOP + BOTTOM) / 2, "nothing is measured yet", 15, "middle", colour=QUIET)
        )
    text = "; ".join(f"{c.words} {c.values[0]:.0%} at first, {c.values[-1]:.0%} now" for c in lines)
    return Drawing(WIDTH, HEIGHT, head, f"{chart_subtitle(hats)}: {text or 'no game'}.", (*shapes,))


def _draw_axes(games: LogAxis) -> list[Shape]:
    middle = (LEFT + RIGHT) / 2
    return [
        *SHARES.draw_vertical(LEFT, RIGHT, "{:.0%}".format),
        *games.draw_horizontal(TOP, BOTTOM, "{:,}".format),
        line(LEFT, BOTTOM, RIGHT, BOTTOM, QUIET),
        Text(middle, BOTTOM + 44, "games played, by powers of ten", 13, "middle"),
        Text(LEFT - 42, TOP - 14, "how often", 13),
        Text(WIDTH - 24, BOTTOM + 44, SCORE, 12, "end", colour=QUIET),
    ]


def _thin_out(places: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the points whose markers do not overlap; always the last one."""
    kept = [*places[-1:]]
    for place in reversed(places):
        if kept[-1][0] - place[0] >= 11:
            kept.append(place)
    return kept


def plot_text(hats: Hats, row: int, width: int = 72, height: int = 12) -> str:
    """Return the learning curve as plain text, for a terminal."""
    points = hats.curves[row]
    games, lines = games_axis(points), list_curves(points)
    margin = 6
    wide = max(20, width - margin)
    high = max(3, height - 1 + height % 2)  # odd, so that there is a row for one half
    places = [round(games.share(point.games) * (wide - 1)) for point in points]
    grid: dict[tuple[int, int], list[str]] = {}
    for curve in lines:
        for column in range(places[-1] + 1):
            level = round(_interpolate(places, curve.values, column) * (high - 1))
            grid.setdefault((column, level), []).append(curve.mark)
    rows = []
    for level in reversed(range(high)):
        name = {0: "0%", high // 2: "50%", high - 1: "100%"}.get(level, "")
        cells = (grid.get((column, level), " ") for column in range(wide))
        row_text = "".join(marks[column % len(marks)] for column, marks in enumerate(cells))
        rows.append(f"{name:>4} |{row_text}".rstrip())
    rows.append(" " * 5 + "+" + "-" * wide)
    rows.append(" " * margin + _format_ticks(games, wide))
    legend = [f"{curve.mark}  {curve.words:<24}{curve.values[-1]:>5.0%}" for curve in lines]
    last = points[-1] if points else None
    if last and last.of:
        legend[0] += f"  in {last.right} of {count(last.of, 'situation')}"
    head = [
        *textwrap.wrap(chart_title(hats, row), width),
        *textwrap.wrap(chart_subtitle(hats), width),
        "",
    ]
    return "\n".join([*head, *rows, "", *(legend or ["nothing is measured yet"])])


def _interpolate(places: Sequence[int], values: Sequence[float], column: int) -> float:
    """Return the value of a curve above a column, interpolated between its neighbours."""
    after = next(number for number, place in enumerate(places) if place >= column)
    if places[after] == column or not after:
        return values[max(n for n, place in enumerate(places) if place == places[after])]
    share = (column - places[after - 1]) / (places[after] - places[after - 1])
    return values[after - 1] + share * (values[after] - values[after - 1])


def _format_ticks(games: LogAxis, wide: int) -> str:
    """Return the numbers under the axis, each in its place or left out for lack of room."""
    text = ""
    for number in games.ticks:
        name = f"{number:,}"
        place = round(games.share(number) * (wide - 1)) - (len(name) // 2 if number else 0)
        place = min(place, wide - len(name))
        if not text or place > len(text):
            text = text.ljust(place) + name
    words = "games"
    return text if len(text) + 2 + len(words) > wide else f"{text}  {words}"
