"""Tic-tac-toe on paper: ink lines, thick marks, and a stroke through every finished line."""

from __future__ import annotations

from parlour.boards import squares
from parlour.boards.parts import Answers, Building, Drawn, View
from parlour.boards.squares import Place, build_squares, compose_squares, margin
from parlour.core import say
from parlour.rules import TicTacToe, TicTacToeState, by_seat

REACH = 30  # of a mark from the middle of its square
OVER = 38  # of the stroke beyond the middle of the outer squares


def board(view: View) -> str:
    """The board with a button on every square."""
    contents = [mark or say("empty") for row in view.game.grid(view.state) for mark in row]
    return squares.draw_board(view, draw(view), contents)


def draw(view: View) -> Drawn:
    """The board with its edge, and the values of moves on their squares."""
    game, state = view.game, view.state
    inside = _draw(game, state, view.last, moved=view.before is not None)
    return squares.draw_squares(view, "tictactoe", squares.describe_position(game, state), inside)


def build(game: TicTacToe, state: TicTacToeState, answers: Answers) -> Building:
    """A board to press squares on."""
    return build_squares(
        game, state, answers, lambda *position: draw(View(game, (*position, 0))).picture()
    )


compose = compose_squares


def _draw(game: TicTacToe, state: TicTacToeState, last: str = "", *, moved: bool = False) -> str:
    columns, rows = game.columns, game.rows
    first, second = by_seat(state[0], state[1], state[2])
    parts = [squares.sheet(columns, rows)]
    for place in squares.places(columns, rows):
        if (first | second) & place.bit:
            new = moved and place.name == last
            if place.name == last:
                parts.append(squares.frame(place))
            parts.append(_cross(place, new) if first & place.bit else _nought(place, new))
    if state[3]:
        kind = "struck is-drawn" if moved else "struck"
        finished = set(game.board.squares(state[1]))
        parts += [
            f'<path class="{kind}" pathLength="1" '
            f'd="{_stroke(margin(columns, rows), *line[0], *line[-1])}"/>'
            for line in game.all_lines()
            if finished.issuperset(line)
        ]
    return "".join(parts)


def _cross(place: Place, new: bool) -> str:
    x, y, long = place.x + 50 - REACH, place.y + 50 - REACH, 2 * REACH
    kind = "cross is-new" if new else "cross"
    return f'<path class="{kind}" d="M{x} {y}l{long} {long}m0 -{long}l-{long} {long}"/>'


def _nought(place: Place, new: bool) -> str:
    kind = "nought is-new" if new else "nought"
    return f'<circle class="{kind}" cx="{place.x + 50}" cy="{place.y + 50}" r="{REACH}"/>'


def _stroke(edge: int, column: int, row: int, to_column: int, to_row: int) -> str:
    """The path from a little before the first square of a line to a little after the last."""
    right = (to_column > column) or (to_column == column and to_row == row)
    down = (to_row > row) - (to_row < row)
    x, y = edge + 100 * column + 50, edge + 100 * row + 50
    to_x, to_y = edge + 100 * to_column + 50, edge + 100 * to_row + 50
    return f"M{x - OVER * right} {y - OVER * down}L{to_x + OVER * right} {to_y + OVER * down}"
