"""The three doors to the boards: a whole board, a small picture, and the move that was meant.

Games of our own have a module each; any other is shown by what it says of itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

from parlour.core import Game, State
from parlour.faces.web.boards import (
    any_game as stranger,
)
from parlour.faces.web.boards import (
    chopsticks,
    nim,
    othello,
    sticks,
    tictactoe,
)
from parlour.faces.web.boards.marks import Mark
from parlour.faces.web.boards.view import View
from parlour.rules import Chopsticks, Nim, Othello, Sticks, TicTacToe

_DRAWN_BY: dict[type, ModuleType] = {
    Chopsticks: chopsticks,
    Nim: nim,
    Othello: othello,
    Sticks: sticks,
    TicTacToe: tictactoe,
}


def board(
    game: Game,
    state: State,
    *,
    last: str = "",
    before: State | None = None,
    playable: bool = False,
    at: int = 0,
    action: str = "",
    marks: Mapping[str, Mark] | None = None,
    hints: bool = False,
    viewer: int | None = None,
) -> str:
    """The board as markup.

    `last` is the last move and `before` the state it was made in; `playable` says that whoever
    looks may move now, by a form sent to `action` that carries `at`, the number of moves so far;
    `marks` are values of moves, by the text of the move; `viewer` is the seat that looks.
    """
    playable = playable and bool(game.moves(state))
    view = View(
        game, state, last, before, playable, at, action, marks or {}, hints=hints, viewer=viewer
    )
    markup: str = _DRAWN_BY.get(type(game), stranger).board(view)
    return markup


def picture(game: Game, state: State) -> str:
    """The position alone as one small SVG with a title."""
    markup: str = _DRAWN_BY.get(type(game), stranger).picture(game, state)
    return markup


def move_text(fields: Mapping[str, str]) -> str:
    """The move that the fields of a board's form mean, to be read by the game."""
    if "move" in fields or "amount" not in fields:
        return fields.get("move", "")
    return f"{fields['amount']} from {fields['pile']}" if "pile" in fields else fields["amount"]
