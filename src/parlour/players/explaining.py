"""Reasons for whoever asks: proven ones, and where nothing is proven those of an estimate."""

from __future__ import annotations

from parlour.core.game import Game, Move, State
from parlour.core.work import Work
from parlour.players.estimating import estimated, is_estimated, with_line
from parlour.rules.othello import Othello
from parlour.truth import reasons
from parlour.truth.reasons import Estimate, Explanation
from parlour.truth.values import Solution

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
    return reasons.explain(game, state, move, solution=solution, estimate=estimate)
