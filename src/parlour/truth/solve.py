"""One door to the truth: `solve(game)` finds the way that suits the game.

Closed forms and tables for Nim and sticks, compiled families for chopsticks and tic-tac-toe, proof
search where loops are barred, and the game's own verbs for everybody else's.
"""

from __future__ import annotations

import contextlib
import functools
from functools import singledispatch
from pathlib import Path
from typing import Any

from parlour.core.errors import BadFile
from parlour.core.files import check_writable
from parlour.core.game import Game, key
from parlour.core.words import roughly
from parlour.core.work import Work
from parlour.rules.chopsticks import Chopsticks
from parlour.rules.nim import Nim
from parlour.rules.othello import Othello
from parlour.rules.sticks import Sticks
from parlour.rules.tictactoe import TicTacToe
from parlour.truth import barred, graph, nim, saving
from parlour.truth.values import Solution, TooLarge, Unsolved, refuse_seats

Parts = dict[str, Any]


def solve(game: Game, *, work: Work | None = None, file: str | Path | None = None) -> Solution:
    """The exact values of a game, for every state that can arise.

    A `work` shows how far it is and can stop it. A `file` keeps the solution: it is read if it
    holds this very game undamaged, and written anew otherwise. What would not fit in memory is
    refused at once with `TooLarge`, what has no exact values with `Unsolved`.
    """
    refuse(game)
    if file is not None:
        try:
            return _restore(game, saving.load(game, Path(file)))
        except BadFile:  # absent, damaged or another game's: solved below, and written anew
            check_writable(Path(file))
    solution = _solve(game, work or Work())
    if file is not None:
        saving.save(solution, Path(file))
    return solution


def solve_and_keep(game: Game, *, work: Work | None = None) -> Solution:
    """The same, with a proof that took a search kept in the user's folder for the next time.

    Everything else is solved sooner than it would be read. Where nothing can be written, nothing
    is kept.
    """
    if not (isinstance(game, Chopsticks) and game.loops == "barred"):
        return solve(game, work=work)
    path = saving.usual_file(game)
    try:
        return _restore(game, saving.load(game, path))
    except BadFile:
        solution = solve(game, work=work)
    with contextlib.suppress(BadFile):
        saving.save(solution, path)
    return solution


@singledispatch
def refuse(game: Any) -> None:
    """Raise at once, with the numbers, if a game cannot be solved here."""
    refuse_seats(game)
    size = game.size() if hasattr(game, "size") else 0
    room = graph.available() // graph.BYTES_A_KEY
    if size > 1000 * room:  # a bound may be far above what can arise, but not that far
        raise TooLarge(
            f"{game.name} may have {roughly(size)} situations, too many to list; choose a smaller "
            "variant, or ask a bot that looks ahead"
        )


@singledispatch
def _solve(game: Any, work: Work) -> Solution:
    return graph.solve_graph(game, work)


@singledispatch
def _restore(game: Any, parts: Parts) -> Solution:
    states = [game.read(text) for text in parts["positions"].tobytes().decode().split("\n")]
    numbers = {key(game, state): number for number, state in enumerate(states)}
    index = graph.KeyIndex(game, numbers, states)
    return graph.GraphSolution(game, index, parts["outcome"], parts["plies"])


@refuse.register
def _(game: Nim) -> None:
    nim.fits(game)


@_solve.register
def _(game: Nim, work: Work) -> Solution:
    return nim.solve_nim(game, work)


@_restore.register
def _(game: Nim, parts: Parts) -> Solution:
    return nim.NimTable(game, parts["distance"]) if parts else nim.NimClosed(game)


@refuse.register
def _(game: Sticks) -> None:
    """Every Game of Sticks is small."""


@_solve.register
def _(game: Sticks, work: Work) -> Solution:
    return nim.SticksTable(game, nim.table(game.nim, work))


@_restore.register
def _(game: Sticks, parts: Parts) -> Solution:
    return nim.SticksTable(game, parts["distance"])


@refuse.register
def _(game: TicTacToe) -> None:
    graph.refuse_tictactoe(game)


@_solve.register
def _(game: TicTacToe, work: Work) -> Solution:
    return graph.solve_tictactoe(game, work)


@_restore.register
def _(game: TicTacToe, parts: Parts) -> Solution:
    return _family(game, graph.tictactoe_code, parts)


@refuse.register
def _(game: Chopsticks) -> None:
    """With loops allowed every variant is small; with loops barred only a search can tell."""


@_solve.register
def _(game: Chopsticks, work: Work) -> Solution:
    if game.loops == "barred":
        return barred.solve_barred(game, work)
    return graph.solve_chopsticks(game, work)


@_restore.register
def _(game: Chopsticks, parts: Parts) -> Solution:
    if game.loops == "barred":
        return barred.restore(game, parts)
    return _family(game, graph.chopsticks_code, parts)


def _family(game: Any, code: Any, parts: Parts) -> Solution:
    index = graph.CodeIndex(parts["codes"], functools.partial(code, game))
    return graph.GraphSolution(game, index, parts["outcome"], parts["plies"])


MOST_OTHELLO = 20  # squares: 4x4 takes seconds, 4x5 a while, and 6x6 would take years this way


@refuse.register
def _(game: Othello) -> None:
    squares = len(game.board.bits)
    if squares > MOST_OTHELLO:
        raise Unsolved(
            f"Othello on {game.columns}x{game.rows} has too many positions to list, up to "
            f"{roughly(game.size())}; boards of up to {MOST_OTHELLO} squares are solved"
        )
