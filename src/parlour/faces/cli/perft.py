"""The command perft: the lines of play of a game counted, depth by depth, and how fast.

Each depth is printed when it is done, so that Ctrl-C loses nothing.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import partial

from parlour.core import Game, ParlourError, State, Work, describe, values
from parlour.faces.cli.flags import Parser, asked, read_number, show_json
from parlour.faces.cli.progress import wait

DEPTH = 6
DEEPEST = 100
USUAL = "othello"  # what is counted when no game is named


@dataclass(frozen=True)
class Row:
    """The lines of play to one depth."""

    depth: int
    leaves: int
    seconds: float

    @property
    def rate(self) -> float:
        """Leaves a second."""
        return self.leaves / max(self.seconds, 1e-9)


def perft(parser: Parser, arguments: list[str]) -> int:
    """`parlour perft [GAME] [options] [POSITION] [--depth N]`"""
    parser.epilog = "A pass counts as a move, and a game that ends sooner as one line of play."
    parser.add_argument(
        "--depth", metavar="N", default=str(DEPTH), help=f"how many plies (usually {DEPTH})"
    )
    if not arguments or arguments[0].startswith("-"):
        arguments = [USUAL, *arguments]
    given, game, state = asked(parser, arguments)
    depth = read_number("--depth", given.depth)
    if not 1 <= depth <= DEEPEST:
        raise ParlourError(f"--depth must be 1 to {DEEPEST}, not {depth}")
    rows: list[Row] = []
    if not given.json:
        print(f"{describe(game)}: {game.write(state)}\n")
        print(f"{'depth':>5} {'leaves':>22} {'seconds':>10} {'million/s':>10}", flush=True)
    try:
        for row in _counted(game, state, depth):
            rows.append(row)
            if not given.json:
                print(
                    f"{row.depth:5} {row.leaves:22,} {row.seconds:10.3f} {row.rate / 1e6:10.1f}",
                    flush=True,
                )
    except KeyboardInterrupt:
        print("parlour: stopped; this is what was done", file=sys.stderr)
    if given.json:
        show_json(
            {
                "game": game.name,
                "options": values(game),
                "position": game.write(state),
                "depths": [asdict(row) | {"rate": row.rate} for row in rows],
            }
        )
    return 0 if len(rows) == depth else 130


def _counted(game: Game, state: State, deepest: int) -> Iterator[Row]:
    _lines(game, state, 1, Work())  # loads what is compiled, which no clock should count
    for depth in range(1, deepest + 1):
        began = time.perf_counter()
        count = partial(_lines, game, state, depth)
        found = wait(count, doing=f"counting leaves at depth {depth}")
        yield Row(depth, found, time.perf_counter() - began)


def _lines(game: Game, state: State, depth: int, work: Work) -> int:
    from parlour.rules import perft as lines

    return lines(game, state, depth, work=work)
