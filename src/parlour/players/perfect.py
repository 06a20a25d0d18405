"""The perfect player, and how it errs when it is asked to.

At level 10 it plays the best move of a proven solution and never errs. At a lower level it walks
into a trap now and then: the deeper the trap, the more likely, as it is with people.
The chance is stated by `chance_to_err`, so that how well each level plays can be computed exactly.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import ClassVar

from parlour.core import Game, Move, ParlourError, Solution, State, Value, option, settle
from parlour.rules import Chopsticks
from parlour.truth import BarredSolution, check_solvable, solve_once

FAR = 12  # plies from which on a trap is as deep as any
MOST_WEIGHED = 500  # moves
LARGEST_BARRED = 7  # dies_at up to which a proof can be expected


def chance_to_err(level: int, plies: int | None) -> float:
    """How likely a player of this level is to walk into a trap that closes after so many plies.

    None is a trap that never closes: a win given away for a draw. Level 1 falls for nearly all that
    is far and a third of what is next; each further level for less, in equal steps, level 10 for
    none.
    """
    depth = min(FAR if plies is None else plies, FAR) / FAR
    return (10 - level) / 9 * (0.3 + 0.65 * depth)


@dataclass
class Perfect:
    """Plays the best move, proven; at a lower level it errs now and then."""

    name: ClassVar[str] = "perfect"

    level: int = option(10, "how well it plays, 10 without error", low=1, high=10)
    seed: int | None = option(None, "a number that makes it draw the same lots again", low=0)

    def __post_init__(self) -> None:
        settle(self)
        self._lots = random.Random(self.seed)

    def plays(self, game: Game) -> str:
        """Perfectly, where the game can be solved; asked without solving it."""
        try:
            check_solvable(game)
        except ParlourError:
            return ""
        well = "perfectly" if self.level == 10 else f"at level {self.level} of 10"
        if not isinstance(game, Chopsticks) or game.loops == "allowed":
            return well
        return f"{well}, once a proof is found" if game.dies_at <= LARGEST_BARRED else ""

    def choose(self, game: Game, state: State) -> Move:
        """The first of the best moves, or at a lower level perhaps a worse one."""
        if self.level < 10:
            weights = self.weights(game, state)
            return self._lots.choices(list(weights), list(weights.values()))[0]
        solution = solve_once(game)
        return _hardest(solution, state, solution.best(state))

    def weights(self, game: Game, state: State) -> dict[Move, float]:
        """How likely each move is.

        Each wrong move tempts by the depth of its own trap; their mean is the chance to err here,
        and they share it in that proportion. The best moves share the rest.
        """
        solution = solve_once(game)
        value, right = solution.value(state), solution.best(state)
        wrong = {} if value.outcome == "loss" else _worse(solution, state, value, right)
        tempting = {move: chance_to_err(self.level, plies) for move, plies in wrong.items()}
        err = sum(tempting.values()) / len(tempting) if tempting else 0.0
        weights = {move: (1 - err) / len(right) for move in right}
        share = len(tempting)
        return weights | {move: chance / share for move, chance in tempting.items()}


def _worse(
    solution: Solution, state: State, value: Value, right: tuple[Move, ...]
) -> dict[Move, int | None]:
    """The moves that give something away, with the plies after which the trap closes.

    With barred loops it would take a search for each move; there every other move counts as one.
    Of very many moves a spread is looked at.
    """
    moves = solution.game.moves(state)
    step = 1 + len(moves) // MOST_WEIGHED
    some = [moves[place] for place in range(0, len(moves), step)]
    if isinstance(solution, BarredSolution):
        return {move: None for move in some if move not in right}
    worth = {move: solution.after(state, move) for move in some}
    return {
        move: after.plies if after.outcome == "loss" else None
        for move, after in worth.items()
        if after.outcome != value.outcome
    }


def _hardest(solution: Solution, state: State, best: tuple[Move, ...]) -> Move:
    """In a draw, the move after which most replies lose; else simply the first."""
    if solution.value(state).outcome != "draw" or len(best) == 1:
        return best[0]

    def traps(move: Move) -> float:
        after = solution.game.play(state, move)
        replies = solution.game.moves(after)
        lost = sum(solution.after(after, reply).outcome == "loss" for reply in replies)
        return lost / max(1, len(replies))

    return max(best, key=traps)
