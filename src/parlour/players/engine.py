"""The bot `engine`, the strongest Othello player on up to 64 squares, and estimates of moves.

It plays by an `OthelloEngine`. Given a level it searches that many plies, and with few enough empty
squares plays exactly; given a time it searches as deep as that allows. The lowest levels are for
learners: there a random error is added to the score of each move, so that mistakes that cost little
are common and those that cost much are rare.

`estimate_moves` says what the engine thinks of every move of a position, or Despacito on boards too
large for the engine.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeGuard

from parlour.core import Game, Move, State, Unsolved, Work, count, option, say, settle
from parlour.engine import (
    Analysis,
    OthelloEngine,
    can_search,
    empties,
    is_ready,
    load_book,
    most_empties,
)
from parlour.players.othello import Despacito, require_othello
from parlour.rules import PASS, Othello, Square
from parlour.truth import check_solvable, is_drawn, keeping_moves
from parlour.truth.explain import Estimate

DEFAULT_LEVEL = 10
BOOK_PLIES = 16  # that the scores of the book look ahead at least, and how certain they are
BOOK_CERTAINTY = 73
CONFIRMED = 11  # from this level on the best move is confirmed by a wider search
SHARE = 0.06  # of the clock for one move
RESERVE = 0.05  # seconds of the clock never used
ERRORS = {1: 16.0, 2: 10.0, 3: 6.5, 4: 4.5, 5: 2.5}  # standard deviation in discs, by level

# Estimates
GLANCE = 10  # plies, searched in no time
MIN_PLIES = 6  # searched even when time is up
MAX_LINE = 8  # moves of an expected line
LINE_SECONDS = 0.5  # to search for it again
MAX_ENGINES = 2  # kept with their transposition tables

# For Despacito, on boards too large for the engine
DESPACITO_PLIES = 6
DESPACITO_LINE = 4  # moves expected after the first
POINTS_PER_DISC = 2.5  # fitted to tournament positions; with many squares empty it is a guess
FINISHED_VALUE = 2**29  # values beyond it are finished games, with their margin
LATE_VALUE = 10_000  # the offset of values near the end, where only discs count


def solves_from(level: int) -> int:
    """Return the number of empty squares from which a level plays exactly."""
    return min(2 * level, 10 + level, 15 + level // 2, 24)


@dataclass
class Engine:
    """The strongest Othello here: patterns, deep search, and an exact endgame."""

    name: ClassVar[str] = "engine"

    level: int | None = option(
        None,
        say("how many plies it looks ahead; 1 to 10 suit people, 10 if no time is given either"),
        low=1,
        high=60,
    )
    time: float | None = option(
        None,
        say("the seconds it may take for a move; without a level it uses them all"),
        low=0.001,
        high=86_400,
    )
    threads: int = option(1, say("how many threads search together"), low=1, high=256)
    hash: int = option(
        64, say("the size of the transposition table in megabytes"), low=4, high=65_536
    )
    book: bool = option(True, say("whether it plays known openings from its book"))
    seed: int | None = option(None, say("a number that makes its random choices repeatable"), low=0)

    def __post_init__(self) -> None:
        settle(self)
        self._random = random.Random(self.seed)
        self._work = Work()
        self._engine: OthelloEngine | None = None
        self._seconds_left: float | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_engine": None}  # its memory fills again

    def plays(self, game: Game) -> str:
        if not can_search(game):
            return ""
        if self.time is not None:
            return say("strongly, thinking {time:g} s per move", time=self.time)
        level = self.level or DEFAULT_LEVEL
        depth = {"moves": count(level, "move"), "solves_from": solves_from(level)}
        if level in ERRORS:
            return say(
                "for learners, {moves} ahead and exactly with {solves_from} squares empty", **depth
            )
        return say("strongly, {moves} ahead and exactly with {solves_from} squares empty", **depth)

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
        othello = require_othello(self, game)
        opening = self._book_move(othello, state)
        if opening and not is_ready(othello):  # nobody waits for the compiler to open a game
            return opening
        engine = self.engine(game)
        if opening:
            return opening
        level = self.level or (None if self.time is not None else DEFAULT_LEVEL)
        solves = None if level is None else solves_from(level)
        seconds = self._time_limit()
        if level not in ERRORS:
            confirms = level is not None and level >= CONFIRMED
            return engine.analyse(
                state, plies=level, seconds=seconds, solves=solves, confirms=confirms, work=work
            )
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
        """Return a random one of the moves that the book would play."""
        if not self.book or self.level in ERRORS:
            return None
        moves = find_book_moves(game, state)
        if not moves:
            return None
        move = self._random.choice(list(moves))
        return Analysis(move, moves[move], False, BOOK_PLIES, BOOK_CERTAINTY, (move,), 0, 0.0, True)

    def _time_limit(self) -> float | None:
        """Return the seconds for this move, so that the clock does not run out."""
        if self._seconds_left is None:
            return self.time
        share = max(SHARE * (self._seconds_left - RESERVE), 0.001)
        self._seconds_left = None
        return share if self.time is None else min(self.time, share)


def find_book_moves(game: Othello, state: State) -> dict[Square, int]:
    """Return the moves to play by the book, with their scores: the best, and those a disc worse.

    If some of these are proven to lead to no loss, only they are played. Where no win is in sight,
    any move proven so is preferred to all others: the book does not leave a proven draw.
    """
    usual = (game.columns, game.rows) == (8, 8) and not game.misere
    known = load_book().find(*state[:2]) if usual else None
    if not known:
        return {}
    top = max(known.values())
    moves = {(square % game.columns, square // game.columns): known[square] for square in known}
    best = {move: lead for move, lead in moves.items() if lead >= top - 1}
    safe = keeping_moves(game, state)
    if any(move in best for move in safe):
        return {move: best[move] for move in safe if move in best}
    no_win = top <= 0 or is_drawn(game, state)
    return {move: moves.get(move, 0) for move in safe} if safe and no_win else best


# Estimates


_engines: dict[tuple[Othello, int], OthelloEngine] = {}  # by board and number of threads


def is_valued_in_discs(game: Game) -> TypeGuard[Othello]:
    """Return whether moves are valued by discs, and estimated far from the end."""
    return isinstance(game, Othello)


def is_beyond_solving(game: Game) -> TypeGuard[Othello]:
    """Return whether a game is valued in discs because nothing proves who wins it."""
    if not is_valued_in_discs(game):
        return False
    try:
        check_solvable(game)
    except Unsolved:
        return True
    return False


def is_estimated(game: Game, state: State) -> bool:
    """Return whether a position is estimated rather than proven."""
    if not is_valued_in_discs(game) or not game.moves(state):
        return False
    return empties(game, state) > most_empties(game)


def estimate_moves(
    game: Othello,
    state: State,
    *,
    work: Work | None = None,
    seconds: float | None = 2.0,
    plies: int | None = None,
) -> Estimate:
    """Estimate the margin in discs after each move, as deep as the time allows.

    With `plies` and without a time it uses one thread, and the result is repeatable. Even in the
    shortest time it looks a few plies ahead.
    """
    work = work or Work()
    if work.stopped:
        raise Unsolved(say("stopped before the moves were estimated"))
    if game.misere and not game.is_compiled:
        raise Unsolved(
            "misère Othello on {columns}x{rows} has more squares than the search of it takes, and "
            "nothing else estimates it",
            columns=game.columns,
            rows=game.rows,
        )
    if not game.is_compiled:
        return _estimate_by_despacito(game, state, work, 2.0 if seconds is None else seconds, plies)
    threads = 1 if seconds is None else work.threads
    with _borrow_engine(game, threads) as engine:
        found = engine.analyse_moves(state, plies=plies, seconds=seconds, work=work)
        least = min(MIN_PLIES, plies or MIN_PLIES)
        if not work.stopped and min(result.depth for result in found.values()) < least:
            found = engine.analyse_moves(state, plies=least, work=work)
    results = list(found.values())
    if not all(result.depth for result in results):
        raise Unsolved(say("stopped before the moves were estimated"))
    return Estimate(
        say("a plain search") if game.misere else Engine.name,
        min(result.depth for result in results),
        {move: result.score for move, result in found.items()},
        min(result.certainty for result in results),
        all(result.exact for result in results),
        {move: result.line[:MAX_LINE] for move, result in found.items()},
    )


@contextmanager
def _borrow_engine(game: Othello, threads: int = 1) -> Iterator[OthelloEngine]:
    """Lend the engine for this board, with so many threads, to one borrower at a time."""
    key = (game, threads)
    engine = _engines.pop(key, None) or OthelloEngine(game, threads=threads)
    yield engine
    if len(_engines) >= MAX_ENGINES:
        _engines.clear()
    _engines[key] = engine


def add_line(
    game: Othello,
    state: State,
    guess: Estimate,
    move: Move | None = None,
    *,
    work: Work | None = None,
) -> Estimate:
    """Return the estimate with the expected line after this move, or else after the best."""
    move = guess.best if move is None else move
    if move in guess.lines:
        return guess
    following, ahead = game.play(state, move), max(1, guess.plies - 1)
    line: list[Square] = []
    if not game.is_compiled:
        line = _extend_by_despacito(game, following, ahead)
    elif game.moves(following):
        with _borrow_engine(game) as engine:
            line += engine.analyse(following, plies=ahead, seconds=LINE_SECONDS, work=work).line
    return replace(guess, lines={**guess.lines, move: (move, *line)[:MAX_LINE]})


def _estimate_by_despacito(
    game: Othello, state: State, work: Work, seconds: float, plies: int | None
) -> Estimate:
    """Return Despacito's estimate 2, 4, 6 … plies ahead, as deep as the time allows.

    After an odd number of plies the side that moved last looks better than it is.
    """
    found: list[Estimate] = []

    def deepen(own: Work) -> None:
        deepest = min(plies or DESPACITO_PLIES, DESPACITO_PLIES, empties(game, state))
        for level in range(2, deepest + 1, 2):
            # The first level takes no time, apart from loading compiled code.
            held = own if found else work
            values = Despacito(level=level).values(game, state, work=held)
            if held.stopped:
                return
            scores = {move: _to_discs(game, state, level, value) for move, value in values.items()}
            found.append(Estimate(Despacito.name, level, scores))

    work.run_within(seconds, deepen)
    if not found:
        raise Unsolved(say("stopped before the moves were estimated"))
    return found[-1]


def _extend_by_despacito(game: Othello, state: State, level: int) -> list[Square]:
    """Return what Despacito plays for both sides, as far ahead as it looked."""
    line: list[Square] = []
    level = min(level, DESPACITO_LINE)
    while level and game.moves(state):
        line.append(Despacito(level=level).choose(game, state))
        state = game.play(state, line[-1])
        level -= line[-1] != PASS  # passes do not count
    return line


def _to_discs(game: Othello, state: State, level: int, value: int) -> float:
    """Convert a value of Despacito's to discs."""
    squares = len(game.board.bits)
    left = empties(game, state) - level
    if abs(value) > FINISHED_VALUE:
        discs: float = value - (2**30 - 1) if value > 0 else value + 2**30
    elif left <= squares // 10:
        discs = (value - LATE_VALUE) / LATE_VALUE * (squares - left)
    else:
        discs = value / POINTS_PER_DISC
    return round(max(-squares, min(squares, discs)), 1)
