"""The board of each game: a whole board, a small picture, a form to set up a position.

Every game of ours has a module with the functions `board`, `picture`, `build` and `compose`; any
other game is shown by what it says of itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from parlour.core import Game, State
from parlour.faces.web.boards import any_game, chopsticks, nim, othello, sticks, tictactoe
from parlour.faces.web.boards.building import Building
from parlour.faces.web.boards.parts import Mark, View
from parlour.rules import Chopsticks, Nim, Othello, Sticks, TicTacToe

MODULES: dict[type, Any] = {
    Chopsticks: chopsticks,
    Nim: nim,
    Othello: othello,
    Sticks: sticks,
    TicTacToe: tictactoe,
}


def _module(game: Game) -> Any:
    return MODULES.get(type(game), any_game)


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
) -> Markup:
    """The board as markup.

    `last` is the last move and `before` the state it was made in. With `playable` the viewer may
    move now, by a form sent to `action` that carries `at`, the number of moves so far. `marks` are
    the values of moves, by the text of the move; `viewer` is the viewer's seat.
    """
    playable = playable and bool(game.moves(state))
    view = View(
        game, state, last, before, playable, at, action, marks or {}, hints=hints, viewer=viewer
    )
    return Markup(_module(game).board(view))  # noqa: S704  # each board escapes what it shows


def picture(game: Game, state: State) -> Markup:
    """The position alone as one small SVG with a title."""
    return Markup(_module(game).picture(game, state))  # noqa: S704


def build_position(game: Game, state: State, answers: Mapping[str, str]) -> Building | None:
    """The form to set up a position, filled with the answers so far; None if there is no form."""
    build = getattr(_module(game), "build", None)
    found: Building | None = build(game, state, answers) if build else None
    return found


def compose_position(game: Game, answers: Mapping[str, str]) -> str:
    """The position that the answers spell, for the game to read."""
    return str(_module(game).compose(game, answers))


def move_text(fields: Mapping[str, str]) -> str:
    """The move that the fields of a board's form mean, to be read by the game."""
    if "move" in fields or "amount" not in fields:
        return fields.get("move", "")
    return f"{fields['amount']} from {fields['pile']}" if "pile" in fields else fields["amount"]
