"""Who estimates what cannot be proven, and how: chosen here and nowhere else.

For Othello it is the engine. Boards of more than 64 squares are beyond it; there Despacito stands
in, whose points have been held against the truth.

Reasons for whoever asks: proven ones, and where nothing is proven those of an estimate.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from parlour.core import Game, Move, Solution, State, Unsolved, Work, within
from parlour.engine import OthelloEngine, empties, most_empties
from parlour.players.engine import Engine
from parlour.players.othello import Despacito
from parlour.rules import COMPILED_SQUARES, PASS, Othello, Square
from parlour.truth.explain import Estimate, Explanation
from parlour.truth.explain import explain as explain_solved

GLANCE = 10  # plies, which take no time
AT_LEAST = 6  # plies, which take less than a processor may be busy elsewhere
LONGEST_LINE = 8  # moves that are expected one after another
LINE = 0.5  # seconds to find them again
KEPT = 2  # boards whose minds stay at hand, with what they remember

# Of Despacito, on boards that the engine does not play on.
DEEPEST = 6  # plies
SHORT_LINE = 4  # moves that are expected after the first
POINTS_A_DISC = 2.5  # fitted to positions from tournaments; with many squares empty it is a guess
FINISHED = 2**29  # what lies beyond is a finished game, and by how many discs it is won
LATE = 10_000  # where it starts from when few squares are empty, and only discs count

_minds: dict[Othello, OthelloEngine] = {}


def is_estimated(game: Game, state: State) -> bool:
    """Whether a position is not proven here but estimated."""
    if not isinstance(game, Othello) or not game.moves(state):
        return False
    return empties(game, state) > most_empties(game)


def estimated(
    game: Othello,
    state: State,
    *,
    work: Work | None = None,
    seconds: float | None = 2.0,
    plies: int | None = None,
) -> Estimate:
    """By how many discs the mover may win with each move, as far ahead as the time allows.

    With so many `plies` and without a time it finds the same whenever it is asked. In the shortest
    time it still looks a few plies ahead.
    """
    work = work or Work()
    if work.stopped:
        raise Unsolved("stopped before the moves were estimated")
    if len(game.board.bits) > COMPILED_SQUARES:
        return _by_despacito(game, state, work, 2.0 if seconds is None else seconds, plies)
    with _mind(game) as mind:
        found = mind.analyse_moves(state, plies=plies, seconds=seconds, work=work)
        least = min(AT_LEAST, plies or AT_LEAST)
        if not work.stopped and min(thought.depth for thought in found.values()) < least:
            found = mind.analyse_moves(state, plies=least, work=work)
    thoughts = list(found.values())
    if not all(thought.depth for thought in thoughts):
        raise Unsolved("stopped before the moves were estimated")
    return Estimate(
        Engine.name,
        min(thought.depth for thought in thoughts),
        {move: thought.score for move, thought in found.items()},
        min(thought.certainty for thought in thoughts),
        all(thought.exact for thought in thoughts),
        {move: thought.line[:LONGEST_LINE] for move, thought in found.items()},
    )


@contextmanager
def _mind(game: Othello) -> Iterator[OthelloEngine]:
    """A mind for this board, nobody else's while it is used: two threads never meet in one."""
    mind = _minds.pop(game, None) or OthelloEngine(game)
    yield mind
    if len(_minds) >= KEPT:
        _minds.clear()
    _minds[game] = mind


def with_line(
    game: Othello,
    state: State,
    guess: Estimate,
    move: Move | None = None,
    *,
    work: Work | None = None,
) -> Estimate:
    """The estimate with how it is expected to go on: by this move, or else by the best."""
    move = guess.best if move is None else move
    if move in guess.lines:
        return guess
    following, ahead = game.play(state, move), max(1, guess.plies - 1)
    line: list[Square] = []
    if len(game.board.bits) > COMPILED_SQUARES:
        line = _line_of_despacito(game, following, ahead)
    elif game.moves(following):
        with _mind(game) as mind:
            line += mind.analyse(following, plies=ahead, seconds=LINE, work=work).line
    return replace(guess, lines={**guess.lines, move: (move, *line)[:LONGEST_LINE]})


# Boards of more than 64 squares


def _by_despacito(
    game: Othello, state: State, work: Work, seconds: float, plies: int | None
) -> Estimate:
    """Despacito's estimate 2, 4, 6 … plies ahead, as far as the time allows.

    After an odd number whoever moved last looks better than he is.
    """
    found: list[Estimate] = []

    def deepen(own: Work) -> None:
        for level in range(2, min(plies or DEEPEST, DEEPEST, empties(game, state)) + 1, 2):
            # The first level takes no time, but for compiled code that has to be loaded.
            held = own if found else work
            values = Despacito(level=level).values(game, state, work=held)
            if held.stopped:
                return
            scores = {move: _discs(game, state, level, value) for move, value in values.items()}
            found.append(Estimate(Despacito.name, level, scores))

    within(seconds, work, deepen)
    if not found:
        raise Unsolved("stopped before the moves were estimated")
    return found[-1]


def _line_of_despacito(game: Othello, state: State, level: int) -> list[Square]:
    """What Despacito plays for either side, as far ahead as it looked."""
    line: list[Square] = []
    level = min(level, SHORT_LINE)
    while level and game.moves(state):
        line.append(Despacito(level=level).choose(game, state))
        state = game.play(state, line[-1])
        level -= line[-1] != PASS  # which it does not count
    return line


def _discs(game: Othello, state: State, level: int, value: int) -> float:
    """A value of Despacito's as discs."""
    squares = len(game.board.bits)
    left = empties(game, state) - level
    if abs(value) > FINISHED:
        discs: float = value - (2**30 - 1) if value > 0 else value + 2**30
    elif left <= squares // 10:
        discs = (value - LATE) / LATE * (squares - left)
    else:
        discs = value / POINTS_A_DISC
    return round(max(-squares, min(squares, discs)), 1)


PLIES = 12  # for an estimate


def explain(
    game: Game,
    state: State,
    move: Move | None = None,
    *,
    solution: Solution | None = None,
    estimate: Estimate | None = None,
    work: Work | None = None,
    plies: int = PLIES,
) -> Explanation:
    """Why a position is won, lost or drawn; with a move, why that is right or wrong.

    A `solution` that is at hand saves solving the game again. An illegal move raises `IllegalMove`.
    Where loops are barred, a move off the proof is searched first, which its `work` can stop. An
    Othello of which nothing is proven is estimated so many plies ahead, and said to be; or an
    `estimate` at hand is told.
    """
    if isinstance(game, Othello) and is_estimated(game, state):
        if move is not None:
            game.play(state, move)  # what is illegal is refused before anybody thinks about it
        estimate = estimate or estimated(game, state, work=work, plies=plies, seconds=None)
        estimate = with_line(game, state, estimate, move, work=work)
    return explain_solved(game, state, move, solution=solution, estimate=estimate)
