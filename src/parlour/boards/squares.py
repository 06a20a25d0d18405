"""Boards of squares: one SVG with letters and numbers along its edge, and a button on every square.

A square is 100 wide in the drawing. The buttons lie over it in a CSS grid of the same proportions,
whose size is set by classes such as `columns-8` and `rows-8`.

A click on an empty square places a piece, and a click on a piece offers the squares it can go to.
The pieces are radio buttons, and style alone shows their targets, so that it works without scripts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from parlour import core
from parlour.boards import parts
from parlour.boards.parts import Answers, Building, Drawn, View, escape
from parlour.core import BadText, Game, Move, State, join, protocol, quote, say, sides, title
from parlour.rules import board_of, by_seat

CELLS = "-XO"  # what a square becomes in turn when it is pressed
RIM = 4  # around the squares, so that lines are not cut off


def margin(columns: int, rows: int) -> int:
    """The width of the edge with the letters and numbers: a similar share of every board."""
    return 14 + 3 * max(columns, rows)


class Place(NamedTuple):
    """A square: its place, bit and name, and its corner in the drawing."""

    column: int
    row: int
    bit: int
    name: str
    x: int
    y: int

    def attributes(self, source: str = "") -> str:
        """The attributes of the square's button, or of its button for a piece from elsewhere."""
        which = f"{source}-{self.name}" if source else self.name
        return f'id="sq-{which}" data-column="{self.column + 1}" data-row="{self.row + 1}"'


@cache
def places(columns: int, rows: int) -> tuple[Place, ...]:
    """All squares, row by row."""
    geometry, edge = board_of(columns, rows), margin(columns, rows)
    found = []
    for (column, row), bit in geometry.bits.items():
        name = geometry.write_square((column, row))
        found.append(Place(column, row, bit, name, edge + 100 * column, edge + 100 * row))
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
        side = protocol.side_name(game, game.turn(state))
        return join(": ", (title(game), say("{side} to move", side=side)))
    if 1 not in result:
        return say("{title}: a draw", title=title(game))
    winner = protocol.side_name(game, result.index(1))
    return say("{title}: {side_name} has won", title=title(game), side_name=winner)


# The board and its buttons


@dataclass
class Clicks:
    """The moves by how they are clicked."""

    on: dict[protocol.Square, Move] = field(default_factory=dict)
    between: dict[protocol.Square, dict[protocol.Square, Move]] = field(default_factory=dict)
    others: list[Move] = field(default_factory=list)


def sort_moves(game: Game, moves: Iterable[Move]) -> Clicks:
    """Sort moves into those on a square, those between two, and all others.

    Moves that share their squares are among the others, so that a click is never ambiguous.
    """
    by_squares: dict[tuple[protocol.Square, ...], list[Move]] = {}
    for move in moves:
        touched = protocol.squares(game, move)
        ends = tuple(dict.fromkeys((*touched[:1], *touched[-1:])))
        by_squares.setdefault(ends, []).append(move)
    clicks = Clicks()
    for ends, several in sorted(by_squares.items(), key=lambda item: len(item[0])):
        if len(several) > 1 or not ends or (len(ends) == 2 and ends[0] in clicks.on):
            clicks.others += several
        elif len(ends) == 1:
            clicks.on[ends[0]] = several[0]
        else:
            clicks.between.setdefault(ends[0], {})[ends[1]] = several[0]
    return clicks


def draw_squares(
    view: View, kind: str, title: str, inside: str, size: tuple[int, int] | None = None
) -> Drawn:
    """Draw the squares with their edge, and values on those where a click makes a move.

    The size is the game's, unless given.
    """
    columns, rows = size or (view.game.columns, view.game.rows)
    badges, listed = "", set(view.marks)
    if view.marks:
        on = sort_moves(view.game, view.game.moves(view.state)).on
        wordy = columns <= parts.MAX_WORDY_COLUMNS
        for place in places(columns, rows):
            move = on.get((place.column, place.row))
            if mark := _mark(view, move):
                badges += parts.badge(mark, place.x, place.y, wordy=wordy)
                listed.discard(view.game.write_move(move))
    around = margin(columns, rows)
    return Drawn(
        kind,
        title,
        around + 100 * columns + RIM,
        around + 100 * rows + RIM,
        inside + badges,
        tuple(text for text in view.marks if text in listed),
        edge=edge(columns, rows),
        margin=around - RIM,
    )


def draw_board(
    view: View,
    drawn: Drawn,
    contents: Iterable[str],
    below: str = "",
    size: tuple[int, int] | None = None,
) -> str:
    """Lay a button over every square of a drawing, in a form.

    `contents` says what is on each square, row by row; `below` is put under the board, by default a
    button for every move that no click on a square makes. The size is the game's, unless given.
    """
    columns, rows = size or (view.game.columns, view.game.rows)
    clicks = sort_moves(view.game, view.game.moves(view.state))
    words = dict(zip(places(columns, rows), contents, strict=True))
    buttons = "".join(_draw_buttons(view, clicks, words))
    placed = " is-placed" if clicks.between else ""
    field = (
        f'<div class="field columns-{columns} rows-{rows}">{drawn.svg()}'
        f'<div class="squares{placed}">{buttons}</div></div>'
    )
    others = ""
    if clicks.others and not below and (view.playable or view.marks):
        others = view.buttons(clicks.others)
    return (
        f'<div class="board board-{drawn.kind}">{view.form(field + below, "play")}{others}'
        f"{parts.legend(view.marks)}</div>"
    )


def _mark(view: View, move: Move | None) -> parts.Mark | None:
    return None if move is None else view.marks.get(view.game.write_move(move))


def _draw_buttons(view: View, clicks: Clicks, words: Mapping[Place, str]) -> Iterator[str]:
    """A button for every square: to play there, to pick up its piece, or to hear what is there.

    Arrow keys reach the last kind too, but Tab does not.
    """
    where = {(place.column, place.row): place for place in words}
    for square, place in where.items():
        move = clicks.on.get(square)
        if view.playable and square in clicks.between:
            targets = [
                _target(view, where[to], words[where[to]], each, place.name)
                for to, each in clicks.between[square].items()
            ]
            yield _source(place, words[place], targets)
        elif view.playable and move is not None:
            yield _target(view, place, words[place], move)
        else:
            mark = _mark(view, move)
            label = join(", ", (place.name, words[place], *([mark.words] if mark else ())))
            yield (
                f'<button type="button" tabindex="-1" aria-disabled="true" {place.attributes()} '
                f'aria-label="{escape(label)}"></button>'
            )


def _source(place: Place, content: str, targets: Iterable[str]) -> str:
    """A piece to pick up, followed by the squares it can go to."""
    label = say("{name}, {content}: pick up", name=place.name, content=content)
    return (
        f'<div class="source"><input type="radio" name="piece" value="{place.name}" '
        f'{place.attributes()} aria-label="{escape(label)}"/>'
        f"{''.join(targets)}</div>"
    )


def _target(view: View, place: Place, content: str, move: Move, source: str = "") -> str:
    """A square that a click plays on, with a piece from another square if there is a source."""
    text = view.game.write_move(move)
    label = say("{name}, {content}: play here", name=place.name, content=content)
    if source:
        label = say(
            "{name}, {content}: move {source} here", name=place.name, content=content, source=source
        )
    return view.press(text, label, place.attributes(source), "target" if source else "")


# Setting up a position


def build_squares(
    game: Any, state: State, answers: Answers, draw: Callable[[int, int, int], str]
) -> Building:
    """A board of squares that hold X, O or nothing, after one of them was pressed.

    `draw` is given the squares of the seat to move, those of the other seat, and the seat.
    """
    default_cells, default_turn = game.write(state).split()
    cells = _press(game, answers.get("cells", default_cells), answers.get("square", ""))
    turn = "O" if answers.get("turn", default_turn) == "O" else "X"
    first, second, seat = game.board.read(f"{cells} {turn}")
    names = (say("empty"), *sides(game))
    contents = dict(zip(CELLS, names, strict=True))
    buttons = []
    for square, cell in zip(game.board.bits, cells, strict=True):
        name = game.board.write_square(square)
        label = say(
            "{name}, {content}: change to {other}",
            name=name,
            content=contents[cell],
            other=contents[_next(cell)],
        )
        buttons.append((name, label))
    return Building(
        turn=turn,
        turns=tuple(
            (mark, say("{side} to move", side=core.capital(contents[mark]))) for mark in game.marks
        ),
        cells=cells,
        names=names,
        squares=tuple(buttons),
        picture=draw(*by_seat(first, second, seat), seat),
    )


def compose_squares(game: Any, answers: Answers) -> str:
    """The position on a board of squares, for the game to read."""
    return f"{_press(game, answers.get('cells', ''), '')} {parts.answer(answers, 'turn', 'X')}"


def _next(cell: str) -> str:
    return CELLS[(CELLS.index(cell) + 1) % len(CELLS)]


def _press(game: Any, cells: str, square: str) -> str:
    """The squares after one of them was pressed."""
    size = len(game.board.bits)
    cells = "".join(cells[: 4 * parts.MAX_ANSWER].upper().split())
    if len(cells) != size or set(cells) - set(CELLS):
        raise BadText(
            "{cells} is not this board, whose {size} squares are X, O or -",
            cells=quote(cells),
            size=size,
        )
    if not square:
        return cells
    place = list(game.board.bits).index(game.board.read_square(square))
    return cells[:place] + _next(cells[place]) + cells[place + 1 :]
