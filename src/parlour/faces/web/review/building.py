"""Positions put together by hand: what a form asks for, and the position that its answers write.

Boards are set square by square, piles, fingers and sticks are typed. What comes out is a text for
the game to read, so that whatever cannot be a position is refused in the game's own words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

from parlour.core import BadText, Game, State, quote, seat_name, sides
from parlour.faces.web import boards
from parlour.rules import (
    BOXES,
    MOST_STICKS,
    SIDES,
    Chopsticks,
    Nim,
    Othello,
    Sticks,
    TicTacToe,
    by_seat,
)

CELLS = "-XO"  # what a square becomes in turn when it is pressed
LONGEST = 700  # letters of a field


@dataclass(frozen=True)
class Asked:
    """One thing that a form asks for."""

    name: str
    label: str
    value: str
    most: int | None = None  # of a number
    about: str = ""


@dataclass(frozen=True)
class Square:
    """A square that can be pressed, and what it says of itself."""

    name: str
    label: str


@dataclass(frozen=True)
class Building:
    """What is put together so far: fields to fill, or a board to press squares on."""

    fields: tuple[Asked, ...] = ()
    turn: str = "1"
    turns: tuple[tuple[str, str], ...] = ()  # what is sent, and what is shown
    cells: str = ""
    names: tuple[str, ...] = ()  # of what a square can be, in turn
    squares: tuple[Square, ...] = ()
    picture: str = ""


@singledispatch
def building(game: Any, state: State, answers: Mapping[str, str]) -> Building | None:
    """The form, filled with what was answered or else with a position; None for a guest's game."""
    return None


@singledispatch
def composed(game: Any, answers: Mapping[str, str]) -> str:
    """The position that the answers write, for the game to read."""
    raise BadText(f"a position of {game.name} can only be pasted")


def _turns(game: Game) -> tuple[tuple[str, str], ...]:
    return tuple((str(seat + 1), seat_name(game, seat).capitalize()) for seat in range(game.seats))


def _answer(answers: Mapping[str, str], name: str, otherwise: object) -> str:
    return answers.get(name, str(otherwise))[:LONGEST]


# Piles, sticks and hands are typed


@building.register
def _(game: Nim, state: State, answers: Mapping[str, str]) -> Building:
    written = _answer(answers, "piles", ", ".join(map(str, state[2:])))
    about = "How many coins each pile holds, like 3, 4, 5."
    turn = _answer(answers, "turn", state[0] + 1)
    return Building((Asked("piles", "Piles", written, about=about),), turn, _turns(game))


@composed.register
def _(game: Nim, answers: Mapping[str, str]) -> str:
    return f"{_answer(answers, 'piles', '')}:{_answer(answers, 'turn', 1)}"


@building.register
def _(game: Sticks, state: State, answers: Mapping[str, str]) -> Building:
    field = Asked(
        "sticks", "Sticks on the table", _answer(answers, "sticks", state[2]), MOST_STICKS
    )
    return Building((field,), _answer(answers, "turn", state[0] + 1), _turns(game))


@composed.register
def _(game: Sticks, answers: Mapping[str, str]) -> str:
    return f"{_answer(answers, 'sticks', '')}:{_answer(answers, 'turn', 1)}"


@building.register
def _(game: Chopsticks, state: State, answers: Mapping[str, str]) -> Building:
    hand, finger = game.words
    fields = []
    for place, box in enumerate(BOXES):
        seat, side = divmod(place, 2)
        which = f"box {box.upper()}" if hand == "box" else f"{SIDES[side]} hand"
        label = f"{seat_name(game, seat).capitalize()}, {which}"
        value = _answer(answers, box, state[1 + place])
        about = "" if place else f"{finger.capitalize()}s; 0 for a dead {hand}."
        fields.append(Asked(box, label, value, game.dies_at - 1, about))
    return Building(tuple(fields), _answer(answers, "turn", state[0] + 1), _turns(game))


@composed.register
def _(game: Chopsticks, answers: Mapping[str, str]) -> str:
    a, b, c, d = (_answer(answers, box, "") for box in BOXES)
    return f"{a},{b}:{c},{d}:{_answer(answers, 'turn', 1)}"


# Boards are pressed


@building.register(Othello)
@building.register(TicTacToe)
def _(game: Any, state: State, answers: Mapping[str, str]) -> Building:
    usual_cells, usual_turn = game.write(state).split()
    cells = _pressed(game, answers.get("cells", usual_cells), answers.get("square", ""))
    turn = "O" if answers.get("turn", usual_turn) == "O" else "X"
    first, second, seat = game.board.read(f"{cells} {turn}")
    shown = (*by_seat(first, second, seat), seat, *([0] if isinstance(game, TicTacToe) else []))
    names = ("empty", *sides(game))
    on_it = dict(zip(CELLS, names, strict=True))
    squares = []
    for square, cell in zip(game.board.bits, cells, strict=True):
        name = game.board.write_square(square)
        squares.append(Square(name, f"{name}, {on_it[cell]}: make it {on_it[_next(cell)]}"))
    return Building(
        turn=turn,
        turns=tuple((mark, f"{on_it[mark].capitalize()} moves") for mark in game.marks),
        cells=cells,
        names=names,
        squares=tuple(squares),
        picture=boards.picture(game, shown),
    )


def _next(cell: str) -> str:
    return CELLS[(CELLS.index(cell) + 1) % len(CELLS)]


def _pressed(game: Any, cells: str, square: str) -> str:
    """The squares after one of them was pressed."""
    size = len(game.board.bits)
    cells = "".join(cells[: 4 * LONGEST].upper().split())
    if len(cells) != size or set(cells) - set(CELLS):
        raise BadText(f"{quote(cells)} are not the {size} squares of this board as X, O and -")
    if not square:
        return cells
    place = list(game.board.bits).index(game.board.read_square(square))
    return cells[:place] + _next(cells[place]) + cells[place + 1 :]


@composed.register(Othello)
@composed.register(TicTacToe)
def _(game: Any, answers: Mapping[str, str]) -> str:
    return f"{_pressed(game, answers.get('cells', ''), '')} {_answer(answers, 'turn', 'X')}"
