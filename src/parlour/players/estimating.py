"""Who estimates what cannot be proven, and how: chosen here and nowhere else.

For Othello it is Despacito, because its points have been held against the truth: how many of them
make a disc, and how far that can be trusted, was measured on positions from tournaments.
"""

from __future__ import annotations

from dataclasses import replace

from parlour.core.game import Game, Move, State
from parlour.core.work import Work, within
from parlour.players.othello_bots import Despacito
from parlour.rules.othello import PASS, Othello
from parlour.truth.othello_end import empties, most_empties
from parlour.truth.reasons import Estimate
from parlour.truth.values import Unsolved

DEEPEST = 12  # plies for an estimate
GLANCE = 4  # plies, which take no time
LONGEST_LINE = 5  # moves that are expected one after another

# How many of Despacito's points are a disc in the end, fitted to 6,800 positions from tournaments.
# Looking 6 plies ahead, its correlation with the truth is 0.7 where 15 squares are empty, 0.5 where
# 28 are, and 0.2 where 45 are: an estimate, and early on hardly that.
POINTS_A_DISC = 2.5
FINISHED = 2**29  # what lies beyond is a finished game, and by how many discs it is won
LATE = 10_000  # where Despacito starts from when few squares are empty, and only discs count


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
    seconds: float = 2.0,
    deepest: int = DEEPEST,
) -> Estimate:
    """By how many discs the mover may win with each move, if Despacito judges rightly.

    It looks 2, 4, 6 … plies ahead, as far as the time allows: after an odd number whoever moved
    last looks better than he is. Its points are turned into discs by `POINTS_A_DISC`.
    """
    work = work or Work()
    found: list[Estimate] = []

    def deepen(own: Work) -> None:
        for level in range(2, min(deepest, empties(game, state)) + 1, 2):
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


def with_line(game: Othello, state: State, guess: Estimate, move: Move | None = None) -> Estimate:
    """The estimate with how it is expected to go on: by this move, or else by the best."""
    scores = guess.scores
    move = max(scores, key=lambda each: scores[each]) if move is None else move
    line = [game.write_move(move)]
    state = game.play(state, move)
    level = min(guess.plies, LONGEST_LINE) - 1
    while level and game.moves(state):
        move = Despacito(level=level).choose(game, state)
        line.append(game.write_move(move))
        state = game.play(state, move)
        level -= move != PASS  # which it does not count
    return replace(guess, line=tuple(line))
