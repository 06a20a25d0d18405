"""The bot `engine`: the strongest Othello player here, on any board of up to 64 squares.

It plays by an `OthelloEngine`. Given a level it searches that many plies, and with few enough empty
squares plays exactly; given a time it searches as deep as that allows. The lowest levels are for
learners: there a random error is added to the score of each move, so that mistakes that cost little
are common and those that cost much are rare.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import ClassVar

from parlour.core import Game, Move, State, Work, count, option, settle
from parlour.engine import Analysis, OthelloEngine, load_book
from parlour.players.othello import require_othello
from parlour.rules import COMPILED_SQUARES, Othello

DEFAULT_LEVEL = 10
BOOK_PLIES = 16  # that the scores of the book look ahead at least, and how certain they are
BOOK_CERTAINTY = 73
SHARE = 0.06  # of the clock for one move
RESERVE = 0.05  # seconds of the clock never used
ERRORS = {1: 16.0, 2: 10.0, 3: 6.5, 4: 4.5, 5: 2.5}  # standard deviation in discs, by level


def solves_from(level: int) -> int:
    """Return the number of empty squares from which a level plays exactly."""
    return min(2 * level, 10 + level, 15 + level // 2, 24)


@dataclass
class Engine:
    """The strongest Othello here: patterns, deep search, and an exact endgame."""

    name: ClassVar[str] = "engine"

    level: int | None = option(
        None, "how many plies it looks ahead, 10 if not given; 1 to 10 suit people", low=1, high=60
    )
    time: float | None = option(
        None,
        "seconds it may take for a move; without a level it uses them all",
        low=0.001,
        high=86_400,
    )
    threads: int = option(1, "how many threads solve the end together", low=1, high=256)
    hash: int = option(64, "megabytes for the transposition table", low=4, high=65_536)
    book: bool = option(True, "whether it plays known openings from its book")
    seed: int | None = option(None, "a number that makes its random choices repeatable", low=0)

    def __post_init__(self) -> None:
        settle(self)
        self._random = random.Random(self.seed)
        self._work = Work()
        self._engine: OthelloEngine | None = None
        self._seconds_left: float | None = None

    def plays(self, game: Game) -> str:
        if not isinstance(game, Othello) or len(game.board.bits) > COMPILED_SQUARES:
            return ""
        if self.time is not None:
            return f"strongly, thinking {self.time:g} s a move"
        level = self.level or DEFAULT_LEVEL
        well = "for learners" if level in ERRORS else "strongly"
        ahead = f"{count(level, 'move')} ahead"
        return f"{well}, {ahead} and exactly with {solves_from(level)} squares empty"

    def clock(self, seconds_left: float) -> None:
        """Take the time left for the rest of the game."""
        self._seconds_left = seconds_left

    def choose(self, game: Game, state: State) -> Move:
        moves = game.moves(state)
        if len(moves) == 1:
            return moves[0]
        return self.analyse(game, state).move

    def stop(self) -> None:
        """Make the choice under way at once; from any thread."""
        self._work.stop()

    def analyse(self, game: Game, state: State) -> Analysis:
        """Return the analysis of its choice."""
        self._work = work = Work()
        engine = self.engine(game)
        if opening := self._book_move(engine.game, state):
            return opening
        level = self.level or (None if self.time is not None else DEFAULT_LEVEL)
        solves = None if level is None else solves_from(level)
        seconds = self._time_limit()
        if level not in ERRORS:
            return engine.analyse(state, plies=level, seconds=seconds, solves=solves, work=work)
        analyses = engine.analyse_moves(
            state, plies=level, seconds=seconds, solves=solves, work=work
        )
        scores = {
            move: analysis.score + self._random.gauss(0, ERRORS[level])
            for move, analysis in analyses.items()
        }
        return analyses[max(scores, key=lambda move: scores[move])]

    def engine(self, game: Game) -> OthelloEngine:
        """Return the engine for this game."""
        if self._engine is None or self._engine.game != game:
            othello = require_othello(self, game)
            self._engine = OthelloEngine(othello, megabytes=self.hash, threads=self.threads)
        return self._engine

    def _book_move(self, game: Othello, state: State) -> Analysis | None:
        """Return a random one of the book's best moves, or of those a disc worse."""
        if not self.book or (game.columns, game.rows) != (8, 8) or self.level in ERRORS:
            return None
        moves = load_book().find(*state[:2]) or {}
        best = [square for square, lead in moves.items() if lead >= max(moves.values()) - 1]
        if not best:
            return None
        square = self._random.choice(best)
        move = (square % game.columns, square // game.columns)
        return Analysis(
            move, moves[square], False, BOOK_PLIES, BOOK_CERTAINTY, (move,), 0, 0.0, True
        )

    def _time_limit(self) -> float | None:
        """Return the seconds for this move, so that the clock does not run out."""
        if self._seconds_left is None:
            return self.time
        share = max(SHARE * (self._seconds_left - RESERVE), 0.001)
        self._seconds_left = None
        return share if self.time is None else min(self.time, share)
