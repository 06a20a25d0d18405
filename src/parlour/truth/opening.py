"""What is proven of the opening of Othello on 8x8: the start, and positions near it, by bounds.

H. Takizawa proved bounds for positions with 50 empty squares ("Othello is Solved", 2023). What
follows from them for the positions before, up to the start, was derived here. A certificate holds
both, and comes with the package; `python -m tools.othello.draw` makes it.
"""

from __future__ import annotations

import json
import lzma
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from parlour.core import Game, Move, Solution, Unsolved, Value, Work, say
from parlour.engine import EndSolution, empties, most_empties
from parlour.rules import Othello, OthelloState

FILE = Path(__file__).with_name("othello_draw.json.xz")
SOURCE = 'H. Takizawa, "Othello is Solved" (2023)'
GIVEN_EMPTIES = 50  # of the positions whose bounds are taken from there

Bounds: TypeAlias = tuple[int, int]  # of the mover's final lead in discs: at least, at most


def find_bounds(game: Game, state: OthelloState) -> Bounds | None:
    """Return what is proven of a position near the start; None where nothing is."""
    if not isinstance(game, Othello) or (game.columns, game.rows) != (8, 8) or game.misere:
        return None
    return _bounds().get(game.key(state)) if empties(game, state) >= GIVEN_EMPTIES else None


def is_drawn(game: Game, state: OthelloState) -> bool:
    """Return whether a position near the start is proven to be a draw."""
    return find_bounds(game, state) == (0, 0)


def keeping_moves(game: Othello, state: OthelloState) -> tuple[Move, ...]:
    """Return the moves that are proven to lead to no loss, near the start."""
    if empties(game, state) <= GIVEN_EMPTIES or not find_bounds(game, state):
        return ()
    after = {move: find_bounds(game, game.play(state, move)) for move in game.moves(state)}
    return tuple(move for move, bounds in after.items() if bounds and bounds[1] <= 0)


@cache
def describe_proof() -> str:
    """Say who proved which part of it, without a full stop."""
    given = len(load_certificate()["given"])
    return say(
        "The draw follows from bounds that H. Takizawa proved for {given:,} positions "
        'with {given_empties} empty squares ("Othello is Solved", 2023); that it does '
        "is derived and checked here, the bounds are not",
        given=given,
        given_empties=GIVEN_EMPTIES,
    )


def load_certificate() -> dict[str, Any]:
    """Return the certificate that the start is a draw, for the caller to change if need be."""
    certificate: dict[str, Any] = json.loads(lzma.decompress(FILE.read_bytes()))
    return certificate


@cache
def _bounds() -> dict[Any, Bounds]:
    """Return the bounds of all positions of the certificate, which are their own keys there."""
    proof, game = load_certificate(), Othello()
    rows = [*proof["given"], *proof["derived"]]
    known = {game.read(text)[:2]: (least, most) for text, least, most in rows}
    return {**known, game.key(game.start()): (0, 0)}


class OpeningSolution(Solution):
    """Othello on 8x8, where its value is known: near the start, and near the end by search."""

    method = say("minimax of bounds by H. Takizawa (2023)")
    game: Othello

    def __init__(self, game: Othello, work: Work) -> None:
        super().__init__(game)
        self._end = EndSolution(game, work)

    def value(self, state: OthelloState) -> Value:
        """Return the exact value; raise `Unsolved`, saying what is known, where there is none."""
        bounds = find_bounds(self.game, state)
        if bounds == (0, 0):
            return Value("draw")
        if bounds is None:
            return self._end.value(state)
        if bounds[0] == 0:
            raise Unsolved(say("it is proven only that the side to move has at least a draw here"))
        raise Unsolved(say("it is proven only that the side to move has at most a draw here"))

    def is_proven(self, state: OthelloState) -> bool:
        few = empties(self.game, state) <= most_empties(self.game)
        return few or is_drawn(self.game, state)

    def best(self, state: OthelloState) -> tuple[Move, ...]:
        """Return the best moves; near the start those that are proven to keep the draw."""
        if find_bounds(self.game, state) is None:
            return self._end.best(state)
        self.value(state)
        return keeping_moves(self.game, state)

    def counts(self) -> dict[str, int]:
        return self._end.counts()  # which says why there are none
