"""Perft: the number of lines of play to a given depth, the usual test of a move generator.

A pass counts as a move, and a game that ends sooner as one line. Any game is walked through its
verbs, the last ply is counted without being played; Othello on up to 64 squares by compiled code.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch
from typing import Any

from parlour.core import DONE, Game, State, Work
from parlour.rules.othello import Othello

COMPILED_PLIES = 9  # more are walked in Python, for the sake of progress

Counter = Callable[[State, int], int]


def perft(game: Game, state: State, depth: int, *, work: Work | None = None) -> int:
    """Count the lines of play of `depth` plies from a position.

    `work` counts the lines as they are found; once it is stopped the result is meaningless.
    """
    if depth == 0:
        return 1
    work = work or Work()
    count_leaves, plies = _compiled(game, work)
    return _walk(game, state, depth, work, count_leaves, plies)


def _walk(
    game: Game, state: State, depth: int, work: Work, count_leaves: Counter, plies: int
) -> int:
    if depth <= plies:
        lines = count_leaves(state, depth)
        work.cells[DONE] += lines
        return lines
    moves = game.moves(state)
    if not moves:
        work.cells[DONE] += 1
        return 1
    lines = 0
    for move in moves:
        if work.stopped:
            break
        lines += _walk(game, game.play(state, move), depth - 1, work, count_leaves, plies)
    return lines


@singledispatch
def _compiled(game: Any, work: Work) -> tuple[Counter, int]:
    """Return a function that counts the last plies at once, and how many it counts."""
    return lambda state, depth: len(game.moves(state)) or 1 if depth else 1, 1


@_compiled.register
def _(game: Othello, work: Work) -> tuple[Counter, int]:
    if not game.is_compiled:
        return _compiled.dispatch(object)(game, work)
    stop, _ = work.cells.buffer_info()
    from parlour.kernels import othello

    kernels: Any = othello
    standard = game.columns == game.rows == 8
    table = kernels.board_table(game.columns, game.rows)

    def count(state: State, depth: int) -> int:
        board = 0 if standard else table.ctypes.data
        lines: int = kernels.perft(state[0], state[1], depth, board, stop)
        return lines

    return count, COMPILED_PLIES
