"""Setting up a position: what the form asks for, and the position its answers spell.

Boards are set square by square; piles, sticks and fingers are typed. What comes out is text for the
game to read, so that an impossible position is refused in the game's own words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from parlour.core import BadText, Game, State, quote, seat_name, sides
from parlour.rules import by_seat

CELLS = "-XO"  # what a square becomes in turn when it is pressed
LONGEST = 700  # letters of a field

Answers = Mapping[str, str]


@dataclass(frozen=True)
class Input:
    """A field of the form."""

    name: str
    label: str
    value: str
    most: int | None = None  # of a number
    about: str = ""


@dataclass(frozen=True)
class SquareButton:
    """A square to press, and its label."""

    name: str
    label: str


@dataclass(frozen=True)
class Building:
    """A position being set up: fields to fill in, or a board whose squares are pressed."""

    fields: tuple[Input, ...] = ()
    turn: str = "1"
    turns: tuple[tuple[str, str], ...] = ()  # what is sent, and what is shown
    cells: str = ""
    names: tuple[str, ...] = ()  # what a square can hold, in turn
    squares: tuple[SquareButton, ...] = ()
    picture: str = ""


def build_fields(game: Game, state: State, answers: Answers, *fields: Input) -> Building:
    """A form of fields, each with its answer if there is one, and whose turn it is."""
    turns = tuple((str(seat + 1), seat_name(game, seat).capitalize()) for seat in range(game.seats))
    filled = tuple(
        Input(each.name, each.label, answer(answers, each.name, each.value), each.most, each.about)
        for each in fields
    )
    return Building(filled, answer(answers, "turn", state[0] + 1), turns)


def answer(answers: Answers, name: str, default: object = "") -> str:
    """What was typed in a field, as far as it is read."""
    return answers.get(name, str(default))[:LONGEST]


# Boards that are pressed square by square


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
    names = ("empty", *sides(game))
    contents = dict(zip(CELLS, names, strict=True))
    squares = []
    for square, cell in zip(game.board.bits, cells, strict=True):
        name = game.board.write_square(square)
        label = f"{name}, {contents[cell]}: change to {contents[_next(cell)]}"
        squares.append(SquareButton(name, label))
    return Building(
        turn=turn,
        turns=tuple((mark, f"{contents[mark].capitalize()} to move") for mark in game.marks),
        cells=cells,
        names=names,
        squares=tuple(squares),
        picture=draw(*by_seat(first, second, seat), seat),
    )


def compose_squares(game: Any, answers: Answers) -> str:
    """The position on a board of squares, for the game to read."""
    return f"{_press(game, answers.get('cells', ''), '')} {answer(answers, 'turn', 'X')}"


def _next(cell: str) -> str:
    return CELLS[(CELLS.index(cell) + 1) % len(CELLS)]


def _press(game: Any, cells: str, square: str) -> str:
    """The squares after one of them was pressed."""
    size = len(game.board.bits)
    cells = "".join(cells[: 4 * LONGEST].upper().split())
    if len(cells) != size or set(cells) - set(CELLS):
        raise BadText(f"{quote(cells)} is not this board, whose {size} squares are X, O or -")
    if not square:
        return cells
    place = list(game.board.bits).index(game.board.read_square(square))
    return cells[:place] + _next(cells[place]) + cells[place + 1 :]
