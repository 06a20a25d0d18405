"""`explain(game, state)`: why a position is what it is, and why a move was right or wrong.

`EXPLAINERS` is the one table that says which explainer knows the reasons of which game.
"""

from __future__ import annotations

from parlour.core import Game, Move, Solution, State, TooLarge, Unsolved, Work
from parlour.rules import Chopsticks, Nim, Othello, Sticks, TicTacToe
from parlour.truth.explain.chopsticks import ChopsticksExplainer
from parlour.truth.explain.explainer import Explainer, Explanation
from parlour.truth.explain.nim import NimExplainer, SticksExplainer
from parlour.truth.explain.othello import Estimate, OthelloExplainer
from parlour.truth.explain.tictactoe import TicTacToeExplainer
from parlour.truth.solver import solve_at

EXPLAINERS: dict[type, Explainer] = {
    Nim: NimExplainer(),
    Sticks: SticksExplainer(),
    Chopsticks: ChopsticksExplainer(),
    TicTacToe: TicTacToeExplainer(),
    Othello: OthelloExplainer(),
}
ANY = Explainer()


def explain(
    game: Game,
    state: State,
    move: Move | None = None,
    *,
    solution: Solution | None = None,
    estimate: Estimate | None = None,
    work: Work | None = None,
) -> Explanation:
    """Explain why a position is won, lost or drawn; with a move, why it is right or wrong.

    A `solution` at hand saves solving the game again. An illegal move raises `IllegalMove`. Where
    loops are barred, a move off the proof is searched first, which `work` can stop. The
    `estimate` of an Othello position is used where nothing is proven.
    """
    explainer = next((EXPLAINERS[c] for c in type(game).__mro__ if c in EXPLAINERS), ANY)
    following = None if move is None else game.play(state, move)
    if game.result(state) is not None:
        facts = explainer.explain_end(game, state)
    else:
        try:
            found = solve_at(game, state, solution, work=work)
            value = found.value(state)
        except (Unsolved, TooLarge) as error:
            reason = str(error).rstrip(".")
            facts = explainer.explain_unsolved(game, state, move, reason, estimate)
        else:
            if move is None:
                facts = explainer.explain_position(game, found, state, value)
            else:
                facts = explainer.explain_move(game, found, state, move, value)
        if following is not None and game.result(following) is not None:
            facts += explainer.explain_end(game, following)
    return Explanation(tuple(facts), tuple(map(explainer.phrase, facts)))
