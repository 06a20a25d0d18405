"""The transcript of an Othello game: the first position and every move, including passes.

Othello files leave passes out, or write them where the rules would not. Here the moves are replayed
one by one, so that a transcript always holds exactly what happened.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import repeat

from parlour.core import BadText, IllegalMove
from parlour.rules.board import Square
from parlour.rules.othello import PASS, Othello, OthelloState

COLOURS = ("black", "white")  # by seat


@dataclass(frozen=True)
class Transcript:
    """One game of a file, finished or not."""

    game: Othello
    start: OthelloState
    moves: tuple[Square, ...]
    players: tuple[str, str] = ("", "")  # as far as the file names them
    lead: float | None = None  # of black at the end, if the file says

    def positions(self) -> Iterator[tuple[OthelloState, Square | None]]:
        """Yield every position with the move played in it, the last one with None."""
        state = self.start
        for move in self.moves:
            yield state, move
            state = self.game.play(state, move)
        yield state, None


def add_passes(
    game: Othello, start: OthelloState, moves: Iterable[Square], seats: Iterable[int] | None = None
) -> tuple[Square, ...]:
    """Return the moves from `start` with the forced passes that were left out.

    `seats` says whose moves they are, in files that record it. Passes after the end are dropped.
    """
    state, complete = start, []
    owners: Iterable[int | None] = repeat(None) if seats is None else seats
    for number, (move, seat) in enumerate(zip(moves, owners, strict=False), start=1):
        possible = game.moves(state)
        if move == PASS and not possible:
            continue
        if move != PASS and possible and possible[0] == PASS:
            complete.append(PASS)
            state = game.play(state, PASS)
        try:
            following = game.play(state, move)
        except IllegalMove as why:
            raise BadText(
                f"move {number}, {game.write_move(move)}, cannot be played: {why}"
            ) from None
        if seat not in (None, game.turn(state)):
            raise BadText(
                f"move {number}, {game.write_move(move)}, is recorded as "
                f"{COLOURS[1 - state[2]]}'s, but {COLOURS[state[2]]} is to move"
            )
        complete.append(move)
        state = following
    return tuple(complete)
