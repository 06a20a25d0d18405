"""Trained hats in words, data and charts: how well they play, and the strategy in them.

The strategy is read from the balls alone, only as far as they support it; the exact values stand
beside it, and a proof follows.

The learning curve shows four measures on one scale from 0% to 100%. The axis of games is
logarithmic, because most is learned in the first few; the untrained hats stand at the left edge.
"""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NotRequired, TypedDict, cast

from parlour import boards, core, drawing
from parlour.core import Work, answers, count, describe, one_of, say, say_number, seat_name
from parlour.drawing import BLUE, GREY, VERMILION, Axis, Drawing, LogAxis, Polyline, Shape, TextLine
from parlour.learn import storage
from parlour.learn.hat_set import Hats, Odds, Point, TrainingTally, has_numbered_hats, number_hats
from parlour.learn.pictures import are_hats, draw_box, format_percent
from parlour.learn.training import compute_odds, find_truths, measure
from parlour.rules import Sticks
from parlour.truth import solve_once

CLEAR_FAVOURITE = 2 / 3  # the least probability of a clear favourite
MIN_BALLS = 6  # balls in a hat before it is asked for a favourite
MAX_REPEATED = 3  # balls of a kind that are written out one by one
MAX_KINDS = 9  # a table names only the first few of more
FIRST_FEW = 5
NOTHING_MEASURED = say("nothing is measured yet")


# The table, as on paper


def format_table(hats: Hats, row: int, width: int = 80) -> str:
    """Return every stick hat with its content, its likeliest take and the right one."""
    known = find_truths(hats.boxes)
    columns = [("hat", "content", "likely", "right")]
    for sticks, box in number_hats(hats, row).items():
        texts = [ball.text for ball in hats.boxes.balls[box]]
        likely = [texts[kind] for kind in hats.likeliest(row, box)]
        right = _join_few([texts[kind] for kind in known[box].right]) or "any"
        columns.append(
            (
                str(sticks),
                format_content(texts, hats.contents(row, box)),
                "any" if len(likely) == len(texts) else _join_few(likely),
                "lost" if known[box].outcome == "loss" else right,
            )
        )
    return _format_columns(columns, width)


def format_hats(hats: Hats, row: int, beside: Mapping[int, int], width: int = 80) -> str:
    """Return every stick hat with its content; `beside` are the balls drawn, their kinds by box."""
    columns: list[tuple[str, ...]] = [("hat", "content", "beside")]
    for sticks, box in number_hats(hats, row).items():
        texts, held = [ball.text for ball in hats.boxes.balls[box]], hats.contents(row, box)
        left = [balls - (kind == beside.get(box)) for kind, balls in enumerate(held)]
        drawn = texts[beside[box]] if box in beside else ""
        columns.append((str(sticks), format_content(texts, left), drawn))
    return _format_columns(columns if beside else [column[:2] for column in columns], width)


def format_content(texts: Sequence[str], held: Sequence[int]) -> str:
    """Return `1,2,3,3`, with a count where there are many balls of a kind.

    Of many kinds the likeliest are written and the others counted: `7,7,1,2,3,4 … and 95 more`.
    """
    there = [(text, balls) for text, balls in zip(texts, held, strict=True) if balls]
    if len(there) > MAX_KINDS:
        there.sort(key=lambda kind: -kind[1])
    words = [
        ",".join([text] * balls) if balls <= MAX_REPEATED else f"{text}×{balls}"
        for text, balls in there
    ]
    return _join_few(words) or "empty"


def _join_few(words: Sequence[str]) -> str:
    if len(words) <= MAX_KINDS:
        return ",".join(words)
    return f"{','.join(words[:FIRST_FEW])} … and {len(words) - FIRST_FEW} more"


def _format_columns(columns: Sequence[tuple[str, ...]], width: int) -> str:
    """Return blocks of as many columns as fit side by side, each with the row names first."""
    names, *rest = columns
    blocks = []
    while rest:
        block = [names]
        while rest and sum(3 + max(map(len, c)) for c in [*block, rest[0]]) - 3 <= width:
            block.append(rest.pop(0))
        if len(block) == 1:  # a column too wide for any screen
            block.append(rest.pop(0))
        wide = [max(map(len, column)) for column in block]
        lines = [
            " | ".join(f"{column[at]:{w}}" for column, w in zip(block, wide, strict=True)).rstrip()
            for at in range(len(names))
        ]
        lines.insert(1, " | ".join("-" * w for w in wide))
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


# How well they play


def describe_play(hats: Hats, row: int) -> list[str]:
    """Return how well these hats play, in lines; exact."""
    lines = [wrap_text(core.sentence(_describe_point(measure(hats, row))))]
    empty = [box for box in hats.own_boxes(row) if not any(hats.contents(row, box))]
    if empty:
        boxes = "1 box is" if len(empty) == 1 else f"{len(empty)} boxes are"
        lines.append(f"{boxes} empty; there it gives up.")
    ways = (("drawing its balls", False), ("playing its likeliest ball", True))
    for how, likeliest in ways if hats.games else ways[:1]:
        lines += ["", f"How it fares {how}:"]
        lines += [
            f"  moving {SEATS[odds.seat]} against {OPPONENT[odds.opponent]}  {_format_odds(odds)}"
            for odds in compute_odds(hats, row, likeliest=likeliest)
        ]
    return lines


SEATS = ("first, ", "second,")
OPPONENT = {"random": "a random player   ", "perfect": "the perfect player"}


def _format_odds(odds: Odds) -> str:
    chances = {"wins": odds.win, "draws": odds.draw, "loses": odds.loss}
    if 1 in chances.values():
        return f"always {next(word for word, chance in chances.items() if chance == 1)}"
    never = "" if odds.loss else ", never loses"
    return ", ".join(f"{word} {format_percent(c, 1)}" for word, c in chances.items() if c) + never


# The strategy


def describe_strategy(hats: Hats, row: int) -> tuple[list[str], bool]:
    """Return what the stick hats seem to do, as far as they support it.

    The second value says whether that is the rule that `prove_strategy` proves.
    """
    favourite = _find_favourites(hats, row)
    if not favourite:
        nothing = say("These hats say nothing yet: no ball is a clear favourite in any of them.")
        return [nothing], False
    leaves = {sticks: sticks - take for sticks, take in favourite.items()}
    agree, pattern = leaves, _find_pattern(list(leaves.values()))
    if pattern is not None:
        every, rest = pattern
        agree = {sticks: left for sticks, left in leaves.items() if left % every == rest}
    seen, among = _list(sorted(set(agree.values())), one_of), count(len(leaves), "hat")
    lines: list[str] = [
        say(
            "{hats} with a clear favourite: they leave {list}. That is not enough to see a rule.",
            hats=among,
            list=seen,
        )
        if pattern is None
        else say(
            "{agree} of the {hats} with a clear favourite leave {list}: {rule}.",
            agree=len(agree),
            hats=among,
            list=seen,
            rule=_describe_pattern(*pattern),
        )
    ]
    lines += [
        say(
            "Hat {sticks} says otherwise: it takes {favourite} and leaves {left}.",
            sticks=sticks,
            favourite=favourite[sticks],
            left=left,
        )
        for sticks, left in leaves.items()
        if sticks not in agree
    ]
    silent = [sticks for sticks in number_hats(hats, row) if sticks not in favourite]
    if silent:
        lines.append(
            say_number(
                len(silent),
                "No clear favourite in hat {list}.",
                "No clear favourite in hats {list}.",
                list=_list(silent),
            )
        )
    return lines, pattern == (len(hats.boxes.balls[0]) + 1, 1)


def _find_favourites(hats: Hats, row: int) -> dict[int, int]:
    """Return how many sticks each hat takes that has a clear favourite."""
    found = {}
    for sticks, box in number_hats(hats, row).items():
        held, likely = hats.contents(row, box), hats.likeliest(row, box)
        clear = sum(held) >= MIN_BALLS and max(held) >= CLEAR_FAVOURITE * sum(held)
        if clear and len(likely) == 1:
            found[sticks] = min(likely[0] + 1, sticks)
    return found


def _find_pattern(leaves: Sequence[int]) -> tuple[int, int] | None:
    """Return the largest step and remainder that nearly all numbers share, or None."""
    if len(set(leaves)) < 3:
        return None
    for every in range(max(leaves), 1, -1):
        for rest in range(every):
            agree = [left for left in leaves if left % every == rest]
            if len(agree) >= 0.75 * len(leaves) and len(set(agree)) >= 3:
                return every, rest
    return None


def _describe_pattern(every: int, rest: int) -> str:
    if rest == 0:
        return say("a multiple of {every}", every=every)
    return say_number(
        rest,
        "one more than a multiple of {every}",
        "{number} more than a multiple of {every}",
        every=every,
    )


def _list(numbers: Sequence[int], together: Callable[[Iterable[object]], str] = core.all_of) -> str:
    """Return `1, 5 and 9`; of many numbers the first and the last."""
    if len(numbers) <= 8:
        return together(numbers)
    return say("{first} … {last}", first=list(numbers[:6]), last=numbers[-1])


def prove_strategy(game: Sticks) -> list[str]:
    """Return why leaving one more than a multiple wins, and that solving the game agrees."""
    most, step = game.take, game.take + 1
    rule = {
        "step": step,
        "takes": one_of([1]) if most == 1 else say("{low} to {high}", low=1, high=most),
    }
    solution = solve_once(game)
    states = {n: game.read(str(n)) for n in range(1, game.sticks + 1)}
    lost = [n for n, state in states.items() if solution.value(state).outcome == "loss"]
    return [
        say(
            "Leave one more than a multiple of {step}: 1, {second}, {third}, …",
            step=step,
            second=1 + step,
            third=1 + 2 * step,
        ),
        say("1 stick is lost for the player who must take it."),
        say(
            "With {step}k + 1 sticks, whatever number the opponent takes ({takes}), take as many "
            "as make {step} together. That is {takes} as well, and it leaves {step}(k - 1) + 1 "
            "sticks: the same with {step} fewer. In the end the opponent has to take the last "
            "stick.",
            **rule,
        ),
        say(
            "From any other number you get there in one move: take the remainder of (n - 1) "
            "divided by {step}, which is {takes}. From {step}k + 1 you cannot: "
            "that remainder is 0.",
            **rule,
        ),
        say(
            "Solving the game confirms it: of 1 to {sticks} sticks, {list} are lost for "
            "the player to move.",
            sticks=game.sticks,
            list=_list(lost),
        ),
    ]


def wrap_text(line: str, first: str = "", other: str = "") -> str:
    """Return a sentence wrapped to the width of the screen."""
    wide = min(100, shutil.get_terminal_size().columns)
    return textwrap.fill(line, wide, initial_indent=first, subsequent_indent=other)


# For people


def describe_training(hats: Hats) -> str:
    """Return how hats were trained, in a line."""
    return say(
        "{games}, by the rule {name}, seed {seed}",
        games=describe_games(hats),
        name=hats.rule.name,
        seed=hats.seed,
    )


def describe_games(hats: Hats) -> str:
    """Return how many games hats have played, against whom, and who began."""
    whom = {
        "another": say("against another who learns too"),
        "itself": say("against themselves"),
        "random": say("against a random player"),
        "perfect": say("against the perfect player"),
    }[hats.against]
    begins = say("always beginning")
    if hats.starts == "alternate":
        begins = say("taking turns to begin")
    elif hats.against in ("another", "itself") and hats.starts == "first":
        begins = say("the first always beginning")
    return say("{games} {whom}, {begins}", games=_count_games(hats.games), whom=whom, begins=begins)


def _count_games(number: int) -> str:
    return say_number(number, "{number:,} game", "{number:,} games")


def describe_learning(hats: Hats, row: int) -> str:
    """Return how well a player's hats played when last measured."""
    curve = hats.curves[row]
    learning = _describe_point(curve[-1]) if curve else NOTHING_MEASURED
    if len(hats.curves) == 1:
        return learning
    return say("Player {row}: {learning}", row=row + 1, learning=learning)


def _describe_point(point: Point) -> str:
    if not point.of:
        return say("no ball can be wrong here")
    return say(
        "the likeliest ball is right in {right} of {of} boxes where one can be wrong; "
        "a right ball is drawn with a chance of {probability:.2f} on average",
        right=point.right,
        of=point.of,
        probability=point.probability,
    )


def describe_last_games(last: TrainingTally) -> str:
    """Return the results of the last games against a player who does not learn."""
    won, lost = last.wins
    played = _count_games(won + lost + last.draws)
    return f"Of the last {played} they won {won:,}, drew {last.draws:,} and lost {lost:,}."


def describe_running_out(hats: Hats) -> list[str]:
    """Return a line about a player that ran out of balls, if one did."""
    tally = hats.tally
    if tally.ran_out_at is None:
        return []
    return [
        say(
            "They ran out of balls: in game {ran_out_at:,} none was left for their first move. "
            "They resigned {games} because a box was empty.",
            ran_out_at=tally.ran_out_at,
            games=_count_games(sum(tally.resigned)),
        )
    ]


# The learning curve

GREEN = "#009E73"
WIDTH, HEIGHT = 780, 446  # of the chart
LEFT, RIGHT, TOP, BOTTOM = 66, 558, 106, 380  # the sides of its grid
SCORE = say("in a score a win counts 1, a draw a half")
BETWEEN_LABELS, BETWEEN_MARKERS = 17, 11  # the least distances
TEXT_WIDTH = 72  # of the chart in a terminal
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
            Curve(say("likeliest ball is right"), BLUE, "o", tuple(p.right / p.of for p in points)),
            Curve(say("chance of a right ball"), GREEN, "#", tuple(p.probability for p in points)),
        ]
    for opponent, colour, mark in (("random", GREY, "+"), ("perfect", VERMILION, "x")):
        if points and all(any(odds.opponent == opponent for odds in p.odds) for p in points):
            scores = tuple(point.score(opponent) for point in points)
            found.append(
                Curve(say("score against {opponent}", opponent=opponent), colour, mark, scores)
            )
    return found


def games_axis(points: Sequence[Point], start: float = 0, end: float = 1) -> LogAxis:
    """Return the axis of games by powers of ten, from `start` to `end`."""
    return LogAxis([point.games for point in points], start, end)


def chart_title(hats: Hats, row: int) -> str:
    """Return `Player 1's hats for sticks, at either seat`."""
    game, seats = describe(hats.game), hats.seats(row)
    own = seat_name(hats.game, seats[0])
    if len(hats.balls) == 1 and len(seats) == 2:
        return say("Hats for {game}, at either seat", game=game)
    if len(hats.balls) == 1:
        return say("Hats for {game}, as {seat}", game=game, seat=own)
    if len(seats) == 2:
        return say("Player {row}'s hats for {game}, at either seat", row=row + 1, game=game)
    return say("Player {row}'s hats for {game}, as {seat}", row=row + 1, game=game, seat=own)


def describe_curve(hats: Hats, row: int) -> str:
    """Return how hats were trained, and their measures at first and now, for a picture."""
    measures = [
        say(
            "{words} {before:.0%} at first, {now:.0%} now",
            words=curve.words,
            before=curve.values[0],
            now=curve.values[-1],
        )
        for curve in list_curves(hats.curves[row])
    ]
    return say(
        "{training}: {measures}.",
        training=describe_training(hats),
        measures=core.join("; ", measures) if measures else NOTHING_MEASURED,
    )


def draw_chart(hats: Hats, row: int) -> Drawing:
    """Draw the learning curve of a player's hats."""
    points = hats.curves[row]
    games, lines = games_axis(points, LEFT, RIGHT), list_curves(points)
    head, middle = chart_title(hats, row), (LEFT + RIGHT) / 2
    shapes: list[Shape] = [
        TextLine(24, 38, head, drawing.fit_size(head, WIDTH - 60, 20, 600), weight=600),
        TextLine(24, 60, describe_training(hats), 13, colour=drawing.QUIET),
        *SHARES.draw_vertical(LEFT, RIGHT, "{:.0%}".format),
        *games.draw_horizontal(TOP, BOTTOM, "{:,}".format),
        drawing.line(LEFT, BOTTOM, RIGHT, BOTTOM, drawing.QUIET),
        TextLine(middle, BOTTOM + 44, say("games played, by powers of ten"), 13, "middle"),
        TextLine(LEFT - 42, TOP - 14, say("how often"), 13),
        TextLine(WIDTH - 24, BOTTOM + 44, SCORE, 12, "end", colour=drawing.QUIET),
    ]
    places = [games.at(point.games) for point in points]
    for number, curve in enumerate(lines):
        line_points = list(zip(places, map(SHARES.at, curve.values), strict=True))
        shapes.append(Polyline(tuple(line_points), curve.colour, 2))
        marked = [line_points[at] for at in thin_out(places, BETWEEN_MARKERS)]
        shapes += [drawing.marker(number, *place, curve.colour) for place in marked]
    ends = [SHARES.at(curve.values[-1]) for curve in lines]
    heights = drawing.spread(ends, TOP, BOTTOM, BETWEEN_LABELS)
    for number, (curve, end, y) in enumerate(zip(lines, ends, heights, strict=True)):
        words = say("{words} {share:.0%}", words=curve.words, share=curve.values[-1])
        shapes += drawing.label_line(number, words, RIGHT, end, y, curve.colour)
    if not lines:
        at = (middle, (TOP + BOTTOM) / 2)
        shapes.append(TextLine(*at, NOTHING_MEASURED, 15, "middle", colour=drawing.QUIET))
    return Drawing(WIDTH, HEIGHT, head, describe_curve(hats, row), tuple(shapes))


def thin_out(places: Sequence[float], apart: float) -> list[int]:
    """Return which of these ascending places are far enough apart; always the last one."""
    kept = [*range(len(places))][-1:]
    for at in reversed(range(len(places))):
        if places[kept[-1]] - places[at] >= apart:
            kept.append(at)
    return kept


def plot_text(hats: Hats, row: int) -> str:
    """Return the learning curve as plain text, for a terminal."""
    import numpy as np

    points = hats.curves[row]
    games, lines = games_axis(points), list_curves(points)
    wide, high = TEXT_WIDTH - 6, 11  # an odd height, so that there is a row for one half
    places = [round(games.share(point.games) * (wide - 1)) for point in points]
    grid: dict[tuple[int, int], list[str]] = {}
    for curve in lines:
        known = dict(zip(places, curve.values, strict=True))  # the last point of each column
        shares = np.interp(range(places[-1] + 1), [*known], [*known.values()])
        for column, share in enumerate(shares):
            grid.setdefault((column, round(share * (high - 1))), []).append(curve.mark)
    rows = []
    for level in reversed(range(high)):
        name = {0: "0%", high // 2: "50%", high - 1: "100%"}.get(level, "")
        cells = (grid.get((column, level), " ") for column in range(wide))
        row_text = "".join(marks[column % len(marks)] for column, marks in enumerate(cells))
        rows.append(f"{name:>4} |{row_text}".rstrip())
    rows.append(" " * 5 + "+" + "-" * wide)
    rows.append(" " * 6 + _format_ticks(games, wide))
    legend = [f"{curve.mark}  {curve.words:<24}{curve.values[-1]:>5.0%}" for curve in lines]
    last = points[-1] if points else None
    if last and last.of:
        legend[0] += f"  in {last.right} of {count(last.of, 'situation')}"
    head = textwrap.wrap(chart_title(hats, row), TEXT_WIDTH)
    return "\n".join([*head, "", *rows, "", *(legend or [NOTHING_MEASURED])])


def _format_ticks(games: LogAxis, wide: int) -> str:
    """Return the numbers under the axis, each in its place or left out for lack of room."""
    text = ""
    for number in games.ticks:
        name = f"{number:,}"
        place = round(games.share(number) * (wide - 1)) - (len(name) // 2 if number else 0)
        place = min(place, wide - len(name))
        if not text or place > len(text):
            text = text.ljust(place) + name
    return text if len(f"{text}  games") > wide else f"{text}  games"


# In a notebook

MAX_BOXES = 6


def show_hats(hats: Hats) -> str:
    """Return how hats were trained, their learning curves and some of the hats, as HTML."""
    parts = [boards.paragraph(f"{describe_training(hats)}.")]
    for row in range(len(hats.balls)):
        if hats.curves[row]:
            parts.append(drawing.svg(draw_chart(hats, row)))
    owned = hats.own_boxes(0)
    shown = owned[:MAX_BOXES]
    if has_numbered_hats(hats.game):
        shown = list(number_hats(hats, 0).values())[:MAX_BOXES]
    things = "hats" if are_hats(hats) else "matchboxes"
    whose = " of player 1" if len(hats.balls) == 2 else ""
    some = f"The first {len(shown)} of " if len(shown) < len(owned) else ""
    parts.append(boards.paragraph(f"{some}{len(owned):,} {things}{whose}:"))
    parts.append(boards.in_a_row(drawing.svg(draw_box(hats, 0, box)) for box in shown))
    return boards.cell(f"Hats for {describe(hats.game)}", *parts, _list_results(hats.tally))


def show_tally(tally: TrainingTally) -> str:
    """Return the results of training as HTML."""
    return boards.cell("Games of training", _list_results(tally))


def _list_results(tally: TrainingTally) -> str:
    rows = [
        (f"player {row + 1}", tally.wins[row], tally.draws, tally.wins[1 - row], given_up)
        for row, given_up in enumerate(tally.resigned)
    ]
    return boards.ResultTable(("", "won", "drawn", "lost", "gave up"), rows).to_html()


# For programs


class TrainedData(storage.TrainingData):
    """Hats, and how well each player's play after training."""

    name: str
    players: list[storage.PointData | None]  # how well each player's hats play


class BoxData(TypedDict):
    """A box with its balls."""

    position: str  # the position in the game's own notation
    balls: dict[str, answers.Natural]
    value: answers.Outcome
    right: list[str]  # the right balls


class PlayerData(storage.PointData):
    """How well one player's hats play, and what is in them."""

    boxes: list[BoxData]
    strategy: NotRequired[list[str]]  # what the hats of the Game of Sticks say, in sentences


class HatsData(storage.TrainingData):
    """Hats measured now, with their balls."""

    name: str
    players: list[PlayerData]
    box: NotRequired[BoxData]  # the one that was asked for


def to_dict(hats: Hats, name: str, points: Sequence[Point | None]) -> TrainedData:
    """Return hats and how well they play as plain data, without their balls."""
    return {"name": name, **storage.to_dict(hats), "players": answers.to_plain([*points])}


def to_full_dict(hats: Hats, name: str, work: Work) -> HatsData:
    """Return hats measured now, with every box and, for sticks, the strategy."""
    players = [_player_to_dict(hats, row, work) for row in range(len(hats.balls))]
    return cast(HatsData, {"name": name, **storage.to_dict(hats), "players": players})


def _player_to_dict(hats: Hats, row: int, work: Work) -> PlayerData:
    boxes = [box_to_dict(hats, row, box) for box in hats.own_boxes(row)]
    found = cast(PlayerData, {**answers.to_plain(measure(hats, row, work)), "boxes": boxes})
    if has_numbered_hats(hats.game):
        found["strategy"] = describe_strategy(hats, row)[0]
    return found


def box_to_dict(hats: Hats, row: int, box: int) -> BoxData:
    """Return a box with its balls, the value of the position, and the right balls."""
    texts = [ball.text for ball in hats.boxes.balls[box]]
    known = find_truths(hats.boxes)[box]
    return {
        "position": hats.game.write(hats.boxes.states[box]),
        "balls": dict(zip(texts, hats.contents(row, box), strict=True)),
        "value": known.outcome,
        "right": [texts[kind] for kind in known.right] or texts,
    }
