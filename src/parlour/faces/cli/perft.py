"""`parlour perft [GAME] [POSITION]`: count the lines of play of a game, depth by depth.

Each depth is printed when it is done, so that Ctrl-C loses nothing.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from functools import partial
from typing import Any, Literal, TypedDict

from parlour.core import Game, State, Work, answers, describe
from parlour.faces.cli.command import Parser, parse_position, print_json, read_position
from parlour.faces.progress import wait

DEFAULT_GAME = "othello"
COMPILED_PLIES = 9  # more are walked in Python, for the sake of progress


class DepthCount(TypedDict):
    """The lines of play to one depth."""

    depth: answers.Natural
    leaves: answers.Natural
    seconds: float
    rate: float  # leaves per second


class Answer(answers.GameFields):
    """What `parlour perft --json` prints: the lines of play, depth by depth."""

    format: Literal["parlour perft 1"]
    position: str  # the position in the game's own notation
    depths: list[DepthCount]


def run(parser: Parser, arguments: list[str]) -> int:
    """Print how many lines of play there are to each depth, and how fast they were counted."""
    parser.epilog = (
        "A pass counts as a move, and a game that ends sooner as one line of play. Without the "
        "name of a game it is Othello."
    )
    parser.add_number("--depth", "the deepest level to count, in plies", default=6, low=1, high=100)
    if not arguments or arguments[0].startswith("-"):
        arguments = [DEFAULT_GAME, *arguments]
    given, game = parse_position(parser, arguments)
    state = read_position(game, given.position)
    rows: list[DepthCount] = []
    if not given.json:
        print(f"{describe(game)}: {game.write(state)}\n")
        print(f"{'depth':>5} {'leaves':>22} {'seconds':>10} {'million/s':>10}", flush=True)
    try:
        for row in _count_depths(game, state, given.depth):
            rows.append(row)
            if not given.json:
                print(
                    f"{row['depth']:5} {row['leaves']:22,} {row['seconds']:10.3f} "
                    f"{row['rate'] / 1e6:10.1f}",
                    flush=True,
                )
    except KeyboardInterrupt:
        print("parlour: stopped; this is what was counted", file=sys.stderr)
    if given.json:
        answer: Answer = {
            "format": "parlour perft 1",
            **answers.game_fields(game),
            "position": game.write(state),
            "depths": rows,
        }
        print_json(answer)
    return 0 if len(rows) == given.depth else 130


def _count_depths(game: Game, state: State, deepest: int) -> Iterator[DepthCount]:
    perft(game, state, 1, Work())  # loads compiled code, which no clock should count
    for depth in range(1, deepest + 1):
        began = time.perf_counter()
        count = partial(perft, game, state, depth)
        leaves = wait(count, doing=f"counting leaves at depth {depth}", things="leaves")
        seconds = time.perf_counter() - began
        rate = leaves / max(seconds, 1e-9)
        yield {"depth": depth, "leaves": leaves, "seconds": seconds, "rate": rate}


def perft(game: Any, state: State, depth: int, work: Work) -> int:
    """Count the lines of play of `depth` plies from a position, the usual test of a game's moves.

    `work` counts the lines as they are found; once it is stopped the result is meaningless.
    """
    if 0 < depth <= COMPILED_PLIES and getattr(game, "is_compiled", False):
        stop, _ = work.cells.buffer_info()
        lines: int = game.count_lines(state, depth, stop)
    else:
        moves = game.moves(state) if depth else ()
        if depth > 1 and moves:
            following = (game.play(state, move) for move in moves if not work.stopped)
            return sum(perft(game, after, depth - 1, work) for after in following)
        lines = len(moves) or 1  # a game that ends sooner is one line
    work.done += lines
    return lines
