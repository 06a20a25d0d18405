"""A box and its balls as a picture: a hat for sticks, a matchbox for any other game.

Every kind of ball is told by its colour, by what is written on it, and in words with its number and
its chance. There are rarely more balls than can be drawn; where there are, the picture keeps their
proportion and says how many there are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import singledispatch
from typing import Any

from parlour.core import State, seat_name
from parlour.drawing import (
    INK,
    LINE,
    PAPER,
    QUIET,
    VERMILION,
    Drawing,
    Ellipse,
    Polygon,
    Rect,
    Shape,
    Text,
    circle,
    fitting,
    line,
    readable_on,
    text_width,
)
from parlour.learn.balls import (
    MOST,
    Kind,
    are_hats,
    describe_box,
    format_percent,
    list_kinds,
    name_box,
    scale_balls,
)
from parlour.learn.hat_set import Hats
from parlour.rules import Sticks, TicTacToe, by_seat

HEAP = 45  # balls that a hat can show
SLEEVE, WOOD, TRAY = "#E9DFC9", "#B98B4E", "#F4ECD8"


def draw_box(hats: Hats, row: int, box: int) -> Drawing:
    """A box of a player with its balls."""
    found = list_kinds(hats, row, box)
    name = name_box(hats, row, box)
    where = (
        "" if isinstance(hats.game, Sticks) else f" for {hats.game.write(hats.boxes.states[box])}"
    )
    title = f"{name[0].upper()}{name[1:]}{where}"
    about = f"{describe_box(hats, row, box)}. " + "; ".join(kind.told for kind in found)
    if are_hats(hats):
        wide, high, shapes = _draw_hat(found, name, describe_box(hats, row, box))
    else:
        wide, high, shapes = _draw_matchbox(hats, row, box, found)
    return Drawing(wide, high, title, about, tuple(shapes))


def draw_bead(x: float, y: float, radius: float, mark: str, fill: str) -> list[Shape]:
    """A ball with what is written on it."""
    size = fitting(mark, 1.45 * radius, 1.15 * radius, 600)
    return [
        circle(x, y, radius, fill, INK, min(1, radius / 10)),
        Text(x, y + 0.36 * size, mark, size, "middle", 600, readable_on(fill)),
    ]


# A hat

FELT, RIM = "#4A4238", "#5A5146"


def _draw_hat(found: Sequence[Kind], name: str, said: str) -> tuple[float, float, list[Shape]]:
    """A hat turned over, with the balls heaped in it; its name and the chances under it."""
    heap = _arrange_heap(found)
    columns = math.ceil(len(found) / 12)
    rows = math.ceil(len(found) / columns)
    numbers = max(text_width(f"×{kind.held:,}", 14, 600) for kind in found)
    step = numbers + 108
    wide = max(460, columns * step + 24)
    middle, brim = wide / 2, 62.0 + 19 * max(0, len(heap) - 1)
    shapes: list[Shape] = [
        *draw_hat_back(middle, brim, 1),
        *_draw_heap(heap, middle, brim),
        *draw_hat_front(middle, brim, 1),
        Text(middle, brim + 84, name, 24, "middle", 600, PAPER),
        Text(middle, brim + 172, said, 13, "middle", colour=QUIET),
    ]
    left = 64.0 if columns == 1 else (wide - columns * step) / 2 + 12
    for place, kind in enumerate(found):
        x, y = left + place // rows * step, brim + 206 + place % rows * 28
        shapes += draw_bead(x + 11, y, 11, kind.mark, kind.fill)
        x += 34 + numbers
        shapes.append(Text(x, y + 5, f"×{kind.held:,}", 14, "end", 600))
        shapes.append(Text(x + 48, y + 5, format_percent(kind.chance), 14, "end"))
        if columns == 1:
            shapes += _draw_bar(x + 62, y, wide - 64 - (x + 62), kind)
    return wide, brim + 214 + rows * 28, shapes


def _draw_bar(x: float, y: float, longest: float, kind: Kind) -> list[Shape]:
    bar: list[Shape] = [Rect(x, y - 5, longest, 10, TRAY, LINE, 0.75, radius=3)]
    if kind.held:
        long = max(3, kind.chance * longest)
        bar.append(Rect(x, y - 5, long, 10, kind.fill, INK, 0.75, radius=3))
    return bar


def draw_hat_back(x: float, y: float, scale: float) -> list[Shape]:
    """What of a hat lies behind its balls: the brim, and the dark inside."""
    return [
        Ellipse(x, y, 150 * scale, 26 * scale, FELT, INK, scale),
        Ellipse(x, y - 2 * scale, 104 * scale, 15 * scale, INK),
    ]


def draw_hat_front(x: float, y: float, scale: float) -> list[Shape]:
    """What lies before them: the front of the brim, the crown under it, and its band."""

    def arc(wide: float, deep: float, low: float) -> list[tuple[float, float]]:
        """The near half of an ellipse, from left to right."""
        turns = [math.pi * step / 24 for step in range(25)]
        return [
            (x - wide * scale * math.cos(turn), y + (low + deep * math.sin(turn)) * scale)
            for turn in turns
        ]

    inside, rim = arc(104, 15, -2), arc(150, 26, 0)
    crown = [*arc(103, 15, 10), *reversed(arc(84, 13, 122))]
    band = [*arc(100.5, 15, 25), *reversed(arc(96.5, 14.5, 49))]
    return [
        Polygon(tuple(crown), FELT, INK, scale),
        Polygon(tuple(band), VERMILION),
        Polygon((*inside, *reversed(rim)), RIM, INK, scale),
    ]


def _arrange_heap(found: Sequence[Kind]) -> list[list[Kind]]:
    """Balls as they lie in a hat, row over row, each one ball shorter than the one under it."""
    most = max(1, min(MOST, HEAP // len(found)))
    drawn = scale_balls([kind.held for kind in found], most)
    pile = [kind for kind, balls in zip(found, drawn, strict=True) for _ in range(balls)]
    if len(pile) > HEAP:
        pile = sorted(pile, key=lambda kind: -kind.held)[:HEAP]
    # Stirred by steps that have no factor in common with their number, so that all are there.
    step = next((step for step in (7, 11, 13) if len(pile) % step), 1)
    pile = [pile[place * step % len(pile)] for place in range(len(pile))]
    long = 7 if len(pile) <= 25 else 9
    heap = []
    while pile:
        heap.append(pile[:long])
        pile, long = pile[long:], max(1, long - 1)
    return heap


def _draw_heap(heap: Sequence[Sequence[Kind]], x: float, y: float) -> list[Shape]:
    shapes: list[Shape] = []
    for level, layer in enumerate(heap):
        for place, kind in enumerate(layer):
            aside = (place - (len(layer) - 1) / 2) * 22
            sunk = 0 if level else 4 - aside**2 / 2000  # the inside of the hat is round
            shapes += draw_bead(x + aside, y - 6 + sunk - level * 19, 11, kind.mark, kind.fill)
    return shapes


# A matchbox

LID = 208  # the side of the sleeve
STEP = 24  # from bead to bead


def _draw_matchbox(
    hats: Hats, row: int, box: int, found: Sequence[Kind]
) -> tuple[float, float, list[Shape]]:
    """The sleeve with the position on it, and the drawer pulled out with rows of beads."""
    game, state = hats.game, hats.boxes.states[box]
    worded = [kind.move for kind in found if kind.mark != kind.move]
    moves = max((text_width(move, 13) for move in worded), default=-10.0) + 10
    numbers = max(text_width(f"×{kind.held:,}", 14, 600) for kind in found)
    most = scale_balls([kind.held for kind in found])
    top, left = 84.0, 24.0
    high = max(LID, len(found) * STEP + 16)
    tray = left + LID
    long = MOST * STEP + 24
    right = tray + long + 14
    wide = right + 22 + moves + numbers + 56 + 24
    name = name_box(hats, row, box)
    said = describe_box(hats, row, box)
    shapes: list[Shape] = [
        Text(left, 40, f"{name[0].upper()}{name[1:]}", 20, weight=600),
        Text(left, 62, said, fitting(said, wide - 48, 13), colour=QUIET),
        Rect(tray - 20, top + 5, long + 20, high - 10, TRAY, WOOD, 2, radius=4),
        Rect(left, top, LID, high, SLEEVE, WOOD, 2, radius=6),
        *(Rect(x, top + 8, 7, high - 16, "#7B5B3A") for x in (left + 1, tray - 8)),
        *_draw_lid(game, state, found, left + LID / 2, top + high / 2),
    ]
    first = top + high / 2 - (len(found) - 1) * STEP / 2
    for number, (kind, balls) in enumerate(zip(found, most, strict=True)):
        y = first + number * STEP
        for place in range(balls):
            shapes += draw_bead(tray + 23 + place * STEP, y, 10.5, kind.mark, kind.fill)
        x = right
        shapes += draw_bead(x + 8, y, 8, kind.mark, kind.fill)
        x += 24
        if kind.mark != kind.move:
            shapes.append(Text(x, y + 5, kind.move, 13))
        x += moves + numbers
        shapes.append(Text(x, y + 5, f"×{kind.held:,}", 14, "end", 600))
        shapes.append(Text(x + 50, y + 5, format_percent(kind.chance), 14, "end"))
    if not any(most):
        shapes.append(
            Text(tray + long / 2, top + high / 2 + 5, "empty", 16, "middle", colour=QUIET)
        )
    return wide, top + high + 28, shapes


@singledispatch
def _draw_lid(game: Any, state: State, found: Sequence[Kind], x: float, y: float) -> list[Shape]:
    """The position in words on the lid."""
    words, mover = game.write(state), f"{seat_name(game, game.turn(state))} to move"
    return [
        Rect(x - 86, y - 40, 172, 80, PAPER, LINE, radius=4),
        Text(x, y + 2, words, fitting(words, 156, 22, 600), "middle", 600),
        Text(x, y + 24, mover, 12, "middle", colour=QUIET),
    ]


@_draw_lid.register
def _(game: TicTacToe, state: State, found: Sequence[Kind], x: float, y: float) -> list[Shape]:
    """The board, with a bead on the square that each kind stands for."""
    cell = min(176 / game.columns, 176 / game.rows, 54)
    placed = {kind.move: (kind.mark, kind.fill) for kind in found}
    left, top = x - cell * game.columns / 2, y - cell * game.rows / 2
    return draw_board(game, state, placed, left, top, cell)


def draw_board(
    game: TicTacToe,
    state: State,
    placed: dict[str, tuple[str, str]],
    left: float,
    top: float,
    cell: float,
    paper: str = PAPER,
) -> list[Shape]:
    """A board of tic-tac-toe with X, O, and beads by the squares they stand for."""
    first, second = by_seat(state[0], state[1], state[2])
    wide, high = cell * game.columns, cell * game.rows
    thick = max(0.5, cell / 40)
    shapes: list[Shape] = [Rect(left, top, wide, high, paper, INK, thick)]
    for column in range(1, game.columns):
        x = left + column * cell
        shapes.append(line(x, top, x, top + high, INK, thick))
    for row in range(1, game.rows):
        y = top + row * cell
        shapes.append(line(left, y, left + wide, y, INK, thick))
    for square, bit in game.board.bits.items():
        x, y = left + (square[0] + 0.5) * cell, top + (square[1] + 0.5) * cell
        reach = 0.28 * cell
        if first & bit:
            shapes.append(line(x - reach, y - reach, x + reach, y + reach, INK, cell / 12))
            shapes.append(line(x - reach, y + reach, x + reach, y - reach, INK, cell / 12))
        elif second & bit:
            shapes.append(circle(x, y, 0.3 * cell, "", INK, cell / 12))
        elif game.write_move(square) in placed:
            shapes += draw_bead(x, y, 0.34 * cell, *placed[game.write_move(square)])
    return shapes
