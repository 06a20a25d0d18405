"""The bot `engine`: the strongest Othello player of the house, on any board of up to 64 squares.

It thinks with a `Mind`. Asked for a level it looks so many plies ahead, and from so many empty
squares on it plays exactly; asked for a time it looks as far as that allows. The lowest levels are
for people who learn: there the value of each move is blurred by so many discs, as if seen from
afar, so mistakes that cost little are common and those that cost much are rare.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import ClassVar

from parlour.core import Game, Move, ParlourError, State, Work, count, option, settle
from parlour.engine import Mind, Thought, book
from parlour.rules import COMPILED_SQUARES, Othello

USUAL_LEVEL = 10
BOOK_PLIES = 16  # that the values of the book look ahead at least, and how sure they are
BOOK_CERTAINTY = 73
SHARE = 0.06  # of the clock for one move
SPARE = 0.05  # seconds of the clock never used
BLUR = {1: 16.0, 2: 10.0, 3: 6.5, 4: 4.5, 5: 2.5}  # discs, by level; none above


def solves_from(level: int) -> int:
    """With so many empty squares a level plays the rest exactly."""
    return min(2 * level, 10 + level, 15 + level // 2, 24)


@dataclass
class Engine:
    """Othello as strong as it can be had: patterns, deep search, and the end played exactly."""

    name: ClassVar[str] = "engine"

    level: int | None = option(
        None, "how many plies it looks ahead; 1 to 10 for people, none for 10", low=1, high=60
    )
    time: float | None = option(
        None,
        "seconds it may take for a move; without a level it uses them all",
        low=0.001,
        high=86_400,
    )
    threads: int = option(1, "how many threads solve the end together", low=1, high=256)
    hash: int = option(64, "megabytes it remembers positions in", low=4, high=65_536)
    book: bool = option(True, "whether it plays known openings from its book")
    seed: int | None = option(None, "a number that makes it draw the same lots again", low=0)

    def __post_init__(self) -> None:
        settle(self)
        self._lots = random.Random(self.seed)
        self._work = Work()
        self._mind: Mind | None = None
        self._left: float | None = None

    def plays(self, game: Game) -> str:
        if not isinstance(game, Othello) or len(game.board.bits) > COMPILED_SQUARES:
            return ""
        if self.time is not None:
            return f"strongly, thinking {self.time:g} s a move"
        level = self.level or USUAL_LEVEL
        well = "for learners" if level in BLUR else "strongly"
        ahead = f"{count(level, 'move')} ahead"
        return f"{well}, {ahead} and exactly with {solves_from(level)} squares empty"

    def clock(self, seconds_left: float) -> None:
        """How long it has for the rest of the game."""
        self._left = seconds_left

    def choose(self, game: Game, state: State) -> Move:
        moves = game.moves(state)
        if len(moves) == 1:
            return moves[0]
        return self.think(game, state).move

    def stop(self) -> None:
        """Make the choice under way at once; from any thread."""
        self._work.stop()

    def think(self, game: Game, state: State) -> Thought:
        """Its choice, and what it thinks of it."""
        self._work = work = Work()
        mind = self.mind(game)
        if known := self._known(mind.game, state):
            return known
        level = self.level or (None if self.time is not None else USUAL_LEVEL)
        solves = None if level is None else solves_from(level)
        seconds = self._allowed(self.time)
        if level not in BLUR:
            return mind.think(state, plies=level, seconds=seconds, solves=solves, work=work)
        thoughts = mind.each(state, plies=level, seconds=seconds, solves=solves, work=work)
        seen = {move: thoughts[move].score + self._lots.gauss(0, BLUR[level]) for move in thoughts}
        return thoughts[max(seen, key=lambda move: seen[move])]

    def _known(self, game: Othello, state: State) -> Thought | None:
        """A move from the book: one of those that promise most, or a disc less."""
        if not self.book or (game.columns, game.rows) != (8, 8) or self.level in BLUR:
            return None
        moves = book().find(*state[:2]) or {}
        best = [square for square, lead in moves.items() if lead >= max(moves.values()) - 1]
        if not best:
            return None
        square = self._lots.choice(best)
        move = (square % game.columns, square // game.columns)
        return Thought(
            move, moves[square], False, BOOK_PLIES, BOOK_CERTAINTY, (move,), 0, 0.0, True
        )

    def mind(self, game: Game) -> Mind:
        """What it thinks with about this game."""
        if not isinstance(game, Othello):
            raise ParlourError(f"engine plays othello, not {game.name}")
        if self._mind is None or self._mind.game != game:
            self._mind = Mind(game, megabytes=self.hash, threads=self.threads)
        return self._mind

    def _allowed(self, seconds: float | None) -> float | None:
        """How long it may think, so that the clock does not run out."""
        if self._left is None:
            return seconds
        share = max(SHARE * (self._left - SPARE), 0.001)
        self._left = None
        return share if seconds is None else min(seconds, share)
