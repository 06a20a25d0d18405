"""Solve a game by the method that suits its family, from memory or a file where one is at hand.

`METHODS` is the one table that says how each game is solved: closed forms and tables for Nim and
sticks, compiled retrograde analysis for chopsticks and tic-tac-toe, proof search where loops are
barred, endgame search for Othello, and retrograde analysis for any other game, through its rules or
the compiled function it brings.

A saved solution is one line of JSON (what was solved, and the checksum of the rest) followed by
the arrays.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
from collections import OrderedDict
from pathlib import Path
from typing import Any

from parlour.core import (
    BadFile,
    Game,
    ParlourError,
    Solution,
    State,
    Work,
    check_type,
    check_writable,
    data_folder,
    to_game,
    to_work,
    values,
    write_whole,
)
from parlour.rules import Chopsticks, Nim, Othello, Sticks, TicTacToe
from parlour.truth.geography import GeographyMethod
from parlour.truth.graph import (
    ChopsticksMethod,
    CompiledMethod,
    Method,
    OthelloMethod,
    Parts,
    TicTacToeMethod,
)
from parlour.truth.impartial import NimMethod, SticksMethod

FORMAT = "parlour solution 1"
MAX_REMEMBERED = 8  # solutions, so that a league of variants does not fill the memory

METHODS: dict[type, Method] = {
    Nim: NimMethod(),
    Sticks: SticksMethod(),
    Chopsticks: ChopsticksMethod(),
    TicTacToe: TicTacToeMethod(),
    Othello: OthelloMethod(),
}
BARRED: dict[type, Method] = {Chopsticks: GeographyMethod()}  # where no situation may come back
COMPILED = CompiledMethod()  # what a game brings itself
ANY = Method()

_remembered: OrderedDict[Game, Solution] = OrderedDict()


def find_method(game: Game) -> Method:
    """Return how a game is solved."""
    table = BARRED if getattr(game, "loops", "") == "barred" else METHODS
    other = COMPILED if hasattr(game, "compiled") else ANY
    return next((table[cls] for cls in type(game).__mro__ if cls in table), other)


def check_solvable(game: Game) -> None:
    """Raise `TooLarge` or `Unsolved` at once, with the numbers, if a game cannot be solved here."""
    find_method(game).check(game)


def is_solved_soon(game: Game) -> bool:
    """Return whether a game is certain to be solved from its start while somebody waits.

    The answer depends on the game alone, never on the clock, so it is the same on every machine.
    """
    try:
        check_solvable(game)
    except ParlourError:
        return False
    return find_method(game).is_quick(game)


def solve(game: Any, *, work: Work | None = None, file: str | Path | None = None) -> Solution:
    """Return the exact values of a game, for every state that can arise.

    The game may be given by its class, name or file. `work` shows progress and can stop it. `file`
    keeps the solution: it is read if it holds exactly this game undamaged, and written anew
    otherwise. A game that would not fit in memory is refused at once with `TooLarge`, one without
    exact values with `Unsolved`. Of Othello on 8x8 only the start and some positions near it have
    values, and those near the end.
    """
    game, work = to_game(game), to_work(work)
    if file is not None:
        check_type("file", file, (str, Path), "it must be the path of a file")
    method = find_method(game)
    if (known := method.recall(game, work)) is not None:
        return known  # it comes with the package, and no file need keep it
    method.check(game)
    if file is not None:
        try:
            return method.restore(game, load(game, Path(file)))
        except BadFile:  # absent, damaged or another game's: solved below, and written anew
            check_writable(Path(file))
    solution = method.solve(game, work)
    if file is not None:
        save(solution, Path(file))
    return solution


def solve_soon(game: Game) -> Solution | None:
    """Return a solution that knows who wins, perhaps not how soon; None if that takes a while."""
    return find_method(game).solve_outcomes(game) if is_solved_soon(game) else None


def solve_once(game: Game, work: Work | None = None) -> Solution:
    """Return the solution of a game, worked out once as long as it is remembered.

    A proof that took a search is kept in the user's folder as well; everything else is solved
    sooner than it would be read.
    """
    if game not in _remembered:
        _remembered[game] = _solve_or_load(game, work)
        while len(_remembered) > MAX_REMEMBERED:
            _remembered.popitem(last=False)
    _remembered.move_to_end(game)
    return _remembered[game]


def _solve_or_load(game: Game, work: Work | None) -> Solution:
    check_solvable(game)
    if find_method(game).keeps:
        with contextlib.suppress(BadFile):  # where nothing can be written, nothing is kept
            return solve(game, work=work, file=default_file(game))
    return solve(game, work=work)


def solve_at(
    game: Game, state: State, solution: Solution | None = None, *, work: Work | None = None
) -> Solution:
    """Return a solution that covers this position, even if it cannot arise from the start.

    That is what somebody who pastes a position wants: the Nim that begins with these piles, the
    hands as they are, the last squares of an Othello. A `solution` at hand is used if it does.
    """
    method, work = find_method(game), work or Work()
    if solution is None and method.whole:
        solution = solve_once(game, work)
    covering: Solution = method.solve_at(game, state, solution, work)
    return covering


# Saved solutions


def default_file(game: Game) -> Path:
    """Return where in the user's folder the solution of a game is kept."""
    identity = json.dumps([FORMAT, game.name, values(game)], sort_keys=True)
    return data_folder() / "solutions" / hashlib.sha256(identity.encode()).hexdigest()[:24]


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


def load(game: Game, path: Path) -> Parts:
    """Return the arrays of a saved solution of exactly this game; `BadFile` for anything else."""
    import numpy as np

    try:
        line, _, body = path.read_bytes().partition(b"\n")
    except OSError as error:
        raise BadFile(f"cannot read {path}: {error.strerror}") from None
    try:
        head = json.loads(line)
        right = head["format"] == FORMAT
        same = (head["game"], head["options"]) == (game.name, values(game))
        whole = hashlib.sha256(body).hexdigest() == head["sha256"]
    except (ValueError, KeyError, TypeError):
        right = False
    if not right:
        raise BadFile(f"{path} is not a saved solution")
    if not same:
        raise BadFile(f"{path} holds the solution of another game")
    if not whole:
        raise BadFile(f"{path} is damaged")
    with np.load(io.BytesIO(body), allow_pickle=False) as parts:
        return dict(parts)
