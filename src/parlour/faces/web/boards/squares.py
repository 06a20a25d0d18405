"""Boards of squares: one SVG with letters and numbers along its edge, and a button on every square.

A square is 100 wide in the drawing. The buttons lie over it in a CSS grid of the same proportions,
whose size is set by classes such as `columns-8` and `rows-8`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from parlour.core import Game, State, side_name, title
from parlour.faces.web.boards.parts import FEW_COLUMNS, View, badge, drawing, escape, legend
from parlour.rules import board_of

RIM = 4  # around the squares, so that lines are not cut off


def margin(columns: int, rows: int) -> int:
    """The width of the edge with the letters and numbers: a similar share of every board."""
    return 14 + 3 * max(columns, rows)


class Place(NamedTuple):
    """A square: its place, bit and name, its corner in the drawing, and how its button begins."""

    column: int
    row: int
    bit: int
    name: str
    x: int
    y: int
    button: str  # that takes the square
    still: str  # that only says what is there; arrow keys can reach it, Tab does not


@cache
def places(columns: int, rows: int) -> tuple[Place, ...]:
    """All squares, row by row."""
    found = []
    geometry, edge = board_of(columns, rows), margin(columns, rows)
    for (column, row), bit in geometry.bits.items():
        name = geometry.write_square((column, row))
        which = f'id="sq-{name}" data-column="{column + 1}" data-row="{row + 1}" aria-label="{name}'
        found.append(
            Place(
                column,
                row,
                bit,
                name,
                edge + 100 * column,
                edge + 100 * row,
                f'<button name="move" value="{name}" {which}',
                f'<button type="button" tabindex="-1" aria-disabled="true" {which}',
            )
        )
    return tuple(found)


@cache
def edge(columns: int, rows: int) -> str:
    """The letters above the board and the numbers beside it."""
    wide = margin(columns, rows)
    names = [place.name for place in places(columns, rows)]
    letters = "".join(
        f'<text x="{wide + 100 * column + 50}" y="{0.7 * wide:g}">{names[column][0]}</text>'
        for column in range(columns)
    )
    numbers = "".join(
        f'<text x="{wide / 2:g}" y="{wide + 50 + 100 * row + wide // 4}">{row + 1}</text>'
        for row in range(rows)
    )
    return f'<g class="edge" font-size="{0.68 * wide:g}" aria-hidden="true">{letters}{numbers}</g>'


@cache
def lines(columns: int, rows: int) -> str:
    """The lines between the squares, as one path."""
    edge = margin(columns, rows)
    across = "".join(f"M{edge} {edge + 100 * row}h{100 * columns}" for row in range(1, rows))
    down = "".join(f"M{edge + 100 * column} {edge}v{100 * rows}" for column in range(1, columns))
    return f'<path class="lines" d="{across}{down}"/>'


def surface(columns: int, rows: int) -> str:
    """The attributes of a rectangle that covers all squares."""
    edge = margin(columns, rows)
    return f'x="{edge}" y="{edge}" width="{100 * columns}" height="{100 * rows}"'


def sheet(columns: int, rows: int) -> str:
    """A sheet of paper with lines."""
    return f'<rect class="sheet" {surface(columns, rows)}/>{lines(columns, rows)}'


def frame(place: Place) -> str:
    """A frame just inside a square, around the last move."""
    return (
        f'<rect class="last" x="{place.x + 6}" y="{place.y + 6}" width="88" height="88" rx="10"/>'
    )


def describe_position(game: Game, state: State) -> str:
    """Say in a few words whose turn it is, or who has won."""
    result = game.result(state)
    if result is None:
        return f"{title(game)}: {side_name(game, game.turn(state))} to move"
    if 1 not in result:
        return f"{title(game)}: a draw"
    return f"{title(game)}: {side_name(game, result.index(1))} has won"


def draw_picture(kind: str, columns: int, rows: int, title: str, inside: str) -> str:
    """Draw the squares as a small picture, without the edge."""
    corner = margin(columns, rows) - RIM
    box = f"{corner} {corner} {100 * columns + 2 * RIM} {100 * rows + 2 * RIM}"
    return drawing(f"picture picture-{kind}", box, title, inside)


def draw_field(
    columns: int, rows: int, title: str, inside: str, buttons: Iterable[str], kind: str = "squares"
) -> str:
    """Draw the board with its edge, and lay the buttons over it."""
    around = margin(columns, rows) + RIM
    box = f"0 0 {around + 100 * columns} {around + 100 * rows}"
    svg = drawing("drawing", box, title, inside)
    return (
        f'<div class="field columns-{columns} rows-{rows}">{svg}'
        f'<div class="{kind}">{"".join(buttons)}</div></div>'
    )


def draw_board(
    view: View, kind: str, title: str, inside: str, contents: Iterable[str], below: str = ""
) -> str:
    """Draw the whole board; `contents` says what is on each square, row by row."""
    game, marks = view.game, view.marks
    columns, rows = game.columns, game.rows
    legal = {game.write_move(move) for move in game.moves(view.state)} if view.playable else ()
    buttons, badges = [], []
    for place, content in zip(places(columns, rows), contents, strict=True):
        name = place.name
        mark = marks.get(name)
        value = ""
        if mark is not None:
            value = f", {escape(mark.words)}"
            badges.append(badge(mark, place.x, place.y, wordy=columns <= FEW_COLUMNS))
        if name in legal:
            buttons.append(f'{place.button}, {content}: play here{value}"></button>')
        else:
            buttons.append(f'{place.still}, {content}{value}"></button>')
    inside = f"{inside}{edge(columns, rows)}{''.join(badges)}"
    field = draw_field(columns, rows, title, inside, buttons)
    return (
        f'<div class="board board-{kind}">{view.form(field + below, "play")}{legend(marks)}</div>'
    )
