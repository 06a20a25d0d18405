"""Solutions in files: saved whole, checked by their sum, and refused when anything is wrong.

A file is one line of JSON (what was solved, and the checksum of the rest) and then the arrays.

One door to the truth: `solve(game)` finds the way that suits the game.

Closed forms and tables for Nim and sticks, compiled families for chopsticks and tic-tac-toe, proof
search where loops are barred, and the game's own verbs for everybody else's.

A position solved where it stands, even if the game as it starts never comes there.

That is what somebody wants who pastes a position: the Nim that begins with these piles, the hands
as they are, the last squares of an Othello.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import io
import json
from dataclasses import dataclass, replace
from functools import singledispatch
from pathlib import Path
from typing import Any, cast

from parlour.core import (
    BadFile,
    Game,
    Solution,
    State,
    TooLarge,
    Unsolved,
    Work,
    check_writable,
    data_folder,
    key,
    refuse_seats,
    roughly,
    values,
    write_whole,
)
from parlour.engine import EndSolution, refuse_empties
from parlour.rules import COMPILED_SQUARES, Chopsticks, Nim, Othello, Sticks, TicTacToe
from parlour.truth import barred, graph, nim
from parlour.truth.barred import BarredSolution
from parlour.truth.graph import solve_chopsticks, solve_graph
from parlour.truth.nim import NimTable

FORMAT = "parlour solution 1"


def usual_file(game: Game) -> Path:
    """Where in the user's folder the solution of a game is kept."""
    what = json.dumps([FORMAT, game.name, values(game)], sort_keys=True)
    return data_folder() / "solutions" / hashlib.sha256(what.encode()).hexdigest()[:24]


def save(solution: Solution, path: Path) -> None:
    """Write a solution, all or nothing."""
    import numpy as np

    body = io.BytesIO()
    np.savez_compressed(body, **solution.parts())
    head = {
        "format": FORMAT,
        "game": solution.game.name,
        "options": values(solution.game),
        "sha256": hashlib.sha256(body.getvalue()).hexdigest(),
    }
    write_whole(path, json.dumps(head).encode() + b"\n" + body.getvalue())


def load(game: Game, path: Path) -> dict[str, Any]:
    """The parts of a saved solution of exactly this game; `BadFile` for anything else."""
    import numpy as np

    try:
        line, _, body = path.read_bytes().partition(b"\n")
    except OSError as trouble:
        raise BadFile(f"cannot read {path}: {trouble.strerror}") from None
    try:
        head = json.loads(line)
        right = head["format"] == FORMAT
        same = (head["game"], head["options"]) == (game.name, values(game))
        whole = hashlib.sha256(body).hexdigest() == head["sha256"]
    except (ValueError, KeyError, TypeError):
        right = False
    if not right:
        raise BadFile(f"{path} is no saved solution")
    if not same:
        raise BadFile(f"{path} holds the solution of another game")
    if not whole:
        raise BadFile(f"{path} is damaged")
    with np.load(io.BytesIO(body), allow_pickle=False) as parts:
        return dict(parts)


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
            return _restore(game, load(game, Path(file)))
        except BadFile:  # absent, damaged or another game's: solved below, and written anew
            check_writable(Path(file))
    solution = _solve(game, work or Work())
    if file is not None:
        save(solution, Path(file))
    return solution


def solve_and_keep(game: Game, *, work: Work | None = None) -> Solution:
    """The same, with a proof that took a search kept in the user's folder for the next time.

    Everything else is solved sooner than it would be read. Where nothing can be written, nothing
    is kept.
    """
    if not (isinstance(game, Chopsticks) and game.loops == "barred"):
        return solve(game, work=work)
    path = usual_file(game)
    try:
        return _restore(game, load(game, path))
    except BadFile:
        solution = solve(game, work=work)
    with contextlib.suppress(BadFile):
        save(solution, path)
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


def solve_at(
    game: Game, state: State, solution: Solution | None = None, *, work: Work | None = None
) -> Solution:
    """A solution that covers this position; the one at hand, if it does."""
    return _solved(game, state, solution, work or Work())


@dataclass(frozen=True)
class StartingAt:
    """A game that starts from another position and is the same in all else."""

    game: Any
    state: State

    def start(self) -> State:
        return self.state

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)


@singledispatch
def _solved(game: Any, state: State, solution: Solution | None, work: Work) -> Solution:
    return solution or solve_and_keep(game, work=work)


@_solved.register
def _(game: Nim, state: State, solution: Solution | None, work: Work) -> Solution:
    if isinstance(solution, NimTable) and solution.numbers.of(state[2:]) is None:
        solution = None
    piles = tuple(state[2:]) if any(state[2:]) else game.piles
    return solution or solve(replace(game, piles=piles), work=work)


@_solved.register
def _(game: Sticks, state: State, solution: Solution | None, work: Work) -> Solution:
    if state[2] > game.sticks:
        return solve(replace(game, sticks=state[2]), work=work)
    return solution or solve_and_keep(game, work=work)


@_solved.register
def _(game: Chopsticks, state: State, solution: Solution | None, work: Work) -> Solution:
    solution = solution or solve_and_keep(game, work=work)
    if isinstance(solution, BarredSolution):
        solution.work = work  # a position off the proof is searched for whoever asks now
        return solution
    try:
        solution.value(state)
    except Unsolved:
        return solve_chopsticks(cast(Chopsticks, StartingAt(game, state)), work)
    return solution


@_solved.register
def _(game: Othello, state: State, solution: Solution | None, work: Work) -> Solution:
    if solution:
        return solution
    refuse_empties(game, state)
    if len(game.board.bits) <= COMPILED_SQUARES:
        return EndSolution(game, work)
    return solve_graph(cast(Game, StartingAt(game, state)), work)
