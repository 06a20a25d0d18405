"""Pages to print, so that a class can build the player out of hats or matchboxes.

Every box is a label to cut out and glue on, with its number, its turn and the position; a bead lies
on each square that it stands for, and carries its name, so that a print without colours will do.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import singledispatch
from typing import Any

from parlour.core import ParlourError, count, describe, seat_name, span
from parlour.drawing import QUIET, WHITE, Drawing, Rect, Shape, Text, fitting, text_width, wrapped
from parlour.learn.balls import COLOURS, mark_balls, name_box
from parlour.learn.boxes import DRAW
from parlour.learn.hat_set import Hats
from parlour.learn.pictures import draw_bead, draw_board, draw_hat_back, draw_hat_front
from parlour.rules import Sticks, TicTacToe

A4 = (595, 842)  # points
MOST = 3000  # labels: a hundred pages, and more than a class will glue
ACROSS, DOWN = 4, 7  # labels on a page
WIDE, HIGH = 139.0, 102.0  # a label: 49 by 36 mm, the lid of a small matchbox
LEFT, TOP = (A4[0] - ACROSS * WIDE) / 2, 58.0
BALL = 40.0  # a ball to cut out


def make_sheets(hats: Hats, row: int) -> list[Drawing]:
    """The pages of a player: what to do, and a label for every box as it is at first."""
    owned = hats.owned(row)
    sticks = isinstance(hats.game, Sticks)
    if len(owned) > MOST:
        raise ParlourError(
            f"{describe(hats.game)} needs {len(owned):,} boxes, too many to print; "
            f"choose a variant with at most {MOST:,}"
        )
    if sticks:
        owned = owned[::-1]  # from the smallest hat on
    opening, end = _draw_instructions(hats, row, owned)
    skipped = math.ceil((end - TOP) / HIGH) * ACROSS
    each = ACROSS * DOWN
    places = range(skipped, skipped + len(owned))
    pages: list[list[Shape]] = [[] for _ in range(places[-1] // each + 1)] if owned else [[]]
    pages[0] += opening
    for place, box in zip(places, owned, strict=True):
        down, across = divmod(place % each, ACROSS)
        x, y = LEFT + across * WIDE, TOP + down * HIGH
        pages[place // each] += [Rect(x, y, WIDE, HIGH, WHITE, QUIET, 0.5)]
        pages[place // each] += _draw_label(hats.game, hats, row, box, x, y)
    if sticks:
        pages.append(_draw_balls(hats))
    name = f"{_sheet_title(hats, row)}, pages to print"
    return [
        Drawing(
            *A4,
            f"{name}: {number} of {len(pages)}",
            " ".join(shape.words for shape in shapes if isinstance(shape, Text)),
            (*shapes, *_draw_margins(name, number, len(pages))),
            WHITE,
        )
        for number, shapes in enumerate(pages, 1)
    ]


def _draw_margins(name: str, number: int, pages: int) -> list[Shape]:
    foot = f"page {number} of {pages}"
    return [
        *([Text(LEFT, 42, name, 9, colour=QUIET)] if number > 1 else []),
        Text(A4[0] - LEFT, A4[1] - 34, foot, 9, "end", colour=QUIET),
    ]


def _sheet_title(hats: Hats, row: int) -> str:
    what = "Hats" if isinstance(hats.game, Sticks) else "Matchboxes"
    seats = hats.seats(row)
    as_whom = f" as {seat_name(hats.game, seats[0])}" if len(seats) == 1 else ""
    return f"{what} that learn {describe(hats.game)}{as_whom}"


# What to do


def count_beads(hats: Hats, boxes: Sequence[int]) -> Counter[tuple[str, str]]:
    """How many beads of each kind to begin with: by what is written on them, and colour."""
    found: Counter[tuple[str, str]] = Counter()
    for box in boxes:
        for mark in mark_balls(hats, box):
            found[mark] += _first_balls(hats, box)
    return found


def _first_balls(hats: Hats, box: int) -> int:
    return hats.rule.balls(hats.boxes.turns[box])


def _draw_instructions(hats: Hats, row: int, owned: Sequence[int]) -> tuple[list[Shape], float]:
    """The head of the first page, and where it ends."""
    beads = count_beads(hats, owned)
    title = _sheet_title(hats, row)
    shapes: list[Shape] = [Text(LEFT, 52, title, fitting(title, 540, 18, 600), weight=600)]
    y = 76.0
    need, play = _describe_use(hats, row, len(owned), beads)
    for head, words in (
        ("You need", need),
        ("To play", play),
        ("To learn", _describe_lesson(hats)),
    ):
        shapes.append(Text(LEFT, y, head, 10.5, weight=600))
        for part in wrapped(words, A4[0] - 2 * LEFT - 66, 10.5):
            shapes.append(Text(LEFT + 62, y, part, 10.5))
            y += 14
        y += 3
        if head == "You need":
            more, y = _draw_shopping_list(beads, y)
            shapes += more
    return shapes, y


def _draw_shopping_list(beads: Counter[tuple[str, str]], y: float) -> tuple[list[Shape], float]:
    """The beads to get, in columns."""
    names = [(mark, colour, f"{colour} ×{many:,}") for (mark, colour), many in beads.items()]
    names.sort(key=lambda name: _sort_key(name[0]))
    step = max((text_width(words, 9.5) for _, _, words in names), default=0) + 34
    columns = max(1, int((A4[0] - 2 * LEFT - 62) / step))
    shapes: list[Shape] = []
    for place, (mark, colour, words) in enumerate(names):
        x, middle = LEFT + 62 + place % columns * step, y + 4 + place // columns * 19
        shapes += draw_bead(x + 8, middle, 8, mark, COLOURS[colour])
        shapes.append(Text(x + 20, middle + 3.5, words, 9.5))
    return shapes, y + 19 * math.ceil(len(names) / columns) + 8


def _sort_key(mark: str) -> tuple[int, str]:
    """Squares row by row; numbers and letters as one counts."""
    square = mark[0].isalpha() and mark[1:].isdigit()
    return (int(mark[1:]), mark[0]) if square else (len(mark), mark)


def _describe_use(
    hats: Hats, row: int, boxes: int, beads: Counter[tuple[str, str]]
) -> tuple[str, str]:
    """What is needed, and how it is played with."""
    game, total = hats.game, sum(beads.values())
    if isinstance(game, Sticks):
        return (
            f"{count(boxes, 'hat')}, or cups, with a label each, and {total:,} numbered balls: cut "
            f"them out of the last page, printed {_count_prints(beads)}. Put as many balls "
            "of each number into every hat as its label says. Keep the others for the hats' wins.",
            "Count the sticks that are left and draw a ball from the hat of that number without "
            "looking. Lay the ball beside the hat and take that many sticks; a ball that asks for "
            "more than there are takes them all. Whoever takes the last stick loses.",
        )
    need = (
        f"{boxes:,} small matchbox{'es' if boxes != 1 else ''}, "
        f"{total:,} beads to begin with, and more for the wins. Cut out the labels, glue "
        "one on each box, and put in as many beads of each kind as the label says. "
    )
    draw = "Shake it and draw a bead without looking, lay the bead on the box, and "
    if isinstance(game, TicTacToe):
        whose = " and ".join(game.marks[seat] for seat in hats.seats(row))
        return need + "Each square of the board has its own colour:", (
            f"The boxes play {whose}. When it is their turn, find the box with the position; turn "
            f"or mirror the board if need be. {draw}play on its square. A free square without a "
            "bead comes to the same as one that has it. Where one square alone is free, no box is "
            "needed: play there."
        )
    return need + "What a letter stands for is said on each label:", (
        "When it is the boxes' turn, find the box with the position, or with one that comes to the "
        f"same. {draw}make the move that its letter stands for on the label. Where there is one "
        "move only, no box is needed: make it."
    )


def _describe_lesson(hats: Hats) -> str:
    """What becomes of the beads after a game, by the rule."""
    rule = hats.rule
    thing, box = ("ball", "hat") if isinstance(hats.game, Sticks) else ("bead", "box")
    ends = [("Won", rule.win), ("Drawn", rule.draw), ("Lost", rule.loss)]
    if DRAW not in hats.boxes.leads:
        del ends[1]
    said = []
    for end, gain in ends:
        if gain >= 0:
            more = f", with {gain} more of its kind" if gain else ""
            said.append(f"{end}: put each {thing} back into its {box}{more}.")
        else:
            last = f", unless it was the last of its kind in its {box}" if rule.fewest else ""
            more = f", and take out {-1 - gain} more of its kind" if gain < -1 else ""
            said.append(f"{end}: keep each {thing} out{last}{more}.")
    if not rule.fewest:
        said.append(f"When a {box} is empty, give up the game.")
    return " ".join(said)


# Labels


@singledispatch
def _draw_label(game: Any, hats: Hats, row: int, box: int, x: float, y: float) -> list[Shape]:
    """The position in words, and what each bead stands for."""
    state, name = hats.boxes.states[box], name_box(hats, row, box)
    words = game.write(state)
    shapes: list[Shape] = [
        Text(x + 7, y + 14, f"{name[0].upper()}{name[1:]}", 9, weight=600),
        Text(x + WIDE - 7, y + 14, f"{_first_balls(hats, box)} of each", 8, "end", colour=QUIET),
        Text(x + WIDE / 2, y + 31, words, fitting(words, WIDE - 14, 14, 600), "middle", 600),
    ]
    named = list(zip(mark_balls(hats, box), hats.boxes.balls[box], strict=True))
    for size in (7.0, 6.0, 5.0, 4.5):  # the largest at which all moves have room
        step = max(text_width(ball.text, size) for _, ball in named) + 2.9 * size
        columns, rows = max(1, int((WIDE - 8) / step)), int(61 / (1.6 * size))
        if columns * rows >= len(named):
            rows = math.ceil(len(named) / columns)
            break
    for place, ((mark, colour), ball) in enumerate(named):
        left, middle = x + 7 + place // rows * step, y + 44 + place % rows * 1.6 * size
        if place == columns * rows - 1 and place < len(named) - 1:
            words = f"and {len(named) - place} more"
            return [*shapes, Text(left, middle + 0.36 * size, words, size, colour=QUIET)]
        shapes += draw_bead(left + 0.7 * size, middle, 0.7 * size, mark, COLOURS[colour])
        shapes.append(Text(left + 1.8 * size, middle + 0.36 * size, ball.text, size))
    return shapes


@_draw_label.register
def _(game: TicTacToe, hats: Hats, row: int, box: int, x: float, y: float) -> list[Shape]:
    """The board with its beads."""
    state = hats.boxes.states[box]
    cell = 78 / max(game.columns, game.rows)
    placed = {
        ball.text: (mark, COLOURS[colour])
        for (mark, colour), ball in zip(mark_balls(hats, box), hats.boxes.balls[box], strict=True)
    }
    left, top = x + 9, y + (HIGH - cell * game.rows) / 2
    side = x + 9 + 78 + (WIDE - 87) / 2
    number = name_box(hats, row, box).removeprefix("box ")
    return [
        *draw_board(game, state, placed, left, top, cell, WHITE),
        Text(side, y + 24, "box", 8, "middle", colour=QUIET),
        Text(side, y + 42, number, fitting(number, 44, 17, 600), "middle", 600),
        Text(side, y + 60, f"turn {hats.boxes.turns[box] + 1}", 8, "middle"),
        Text(side, y + 72, f"{game.marks[game.turn(state)]} moves", 8, "middle"),
        Text(side, y + 84, f"{_first_balls(hats, box)} of each", 8, "middle"),
    ]


@_draw_label.register
def _(game: Sticks, hats: Hats, row: int, box: int, x: float, y: float) -> list[Shape]:
    """A small hat with its number, and the balls to put in."""
    middle, scale = x + WIDE / 2, 0.36
    name = str(hats.boxes.states[box][2])
    found = mark_balls(hats, box)
    shapes: list[Shape] = [
        *draw_hat_back(middle, y + 20, scale),
        *draw_hat_front(middle, y + 20, scale),
        Text(middle, y + 59, name, 19, "middle", 600, WHITE),
    ]
    many = _first_balls(hats, box)
    if len(found) > 6:
        words = f"{many} each of {span(1, len(found))}"
        return [*shapes, Text(middle, y + 88, words, 9, "middle")]
    words = f"{many} of each"
    left = middle - (len(found) * 16 + 6 + text_width(words, 8)) / 2
    for place, (mark, colour) in enumerate(found):
        shapes += draw_bead(left + 7 + place * 16, y + 85, 7, mark, COLOURS[colour])
    return [*shapes, Text(left + len(found) * 16 + 6, y + 88, words, 8)]


# Balls for hats


def _balls_on_page(kinds: int) -> int:
    """How many balls of a number there are on the page of balls."""
    across, down = int((A4[0] - 2 * LEFT) / BALL), int((A4[1] - TOP - 60) / BALL)
    return across * down // kinds


def _count_prints(beads: Counter[tuple[str, str]]) -> str:
    times = math.ceil(max(beads.values()) / _balls_on_page(len(beads)))
    return "once" if times == 1 else "twice" if times == 2 else f"{times} times"


def _draw_balls(hats: Hats) -> list[Shape]:
    """Numbered balls to cut out."""
    across = int((A4[0] - 2 * LEFT) / BALL)
    left = (A4[0] - (across - 1) * BALL) / 2
    found = mark_balls(hats, 0)
    shapes: list[Shape] = []
    for place in range(len(found) * _balls_on_page(len(found))):
        mark, colour = found[place // _balls_on_page(len(found))]
        down, aside = divmod(place, across)
        x, y = left + aside * BALL, TOP + BALL / 2 + down * BALL
        shapes += draw_bead(x, y, BALL / 2 - 2, mark, COLOURS[colour])
    return shapes
