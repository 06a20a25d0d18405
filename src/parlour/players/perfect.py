"""The bot "perfect": proven best moves, or at a lower level mistakes like a person's.

At level 10 it plays the best move of a proven solution and never errs. At a lower level it
sometimes walks into a trap, more often the deeper the trap is, as people do. `chance_to_err` states
how often, so that the strength of each level can be computed exactly.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import ClassVar

from parlour.core import Game, Move, ParlourError, Solution, State, Value, option, say, settle
from parlour.truth import check_solvable, solve_once

MAX_TRAP_PLIES = 12  # plies: a deeper trap is no harder to see
MAX_WEIGHED = 500  # moves considered as mistakes
MAX_BARRED = 7  # the largest dies_at for which a proof can be expected


def chance_to_err(level: int, plies: int | None) -> float:
    """Return how likely a player of this level is to miss a trap that closes after these plies.

    None is a trap that never closes: a win given away for a draw. Level 1 misses nearly all that
    are far and a third of those that are near; each further level misses fewer, in equal steps, and
    level 10 none.
    """
    depth = min(MAX_TRAP_PLIES if plies is None else plies, MAX_TRAP_PLIES) / MAX_TRAP_PLIES
    return (10 - level) / 9 * (0.3 + 0.65 * depth)


@dataclass
class Perfect:
    """Plays the proven best move; at a lower level it sometimes errs."""

    name: ClassVar[str] = "perfect"

    level: int = option(10, "how well it plays; at 10 it never errs", low=1, high=10)
    seed: int | None = option(None, "a number that makes its random choices repeatable", low=0)

    def __post_init__(self) -> None:
        settle(self)
        self._random = random.Random(self.seed)

    def plays(self, game: Game) -> str:
        """Say how well it plays, without solving the game; nothing where it cannot be solved."""
        try:
            check_solvable(game)
        except ParlourError:
            return ""
        well = say("perfectly")
        if self.level < 10:
            well = say("at level {level} of 10", level=self.level)
        if getattr(game, "loops", "") != "barred":
            return well
        provable = getattr(game, "dies_at", 0) <= MAX_BARRED
        return say("{well}, once a proof is found", well=well) if provable else ""

    def choose(self, game: Game, state: State) -> Move:
        """Return the first of the best moves, or at a lower level perhaps a worse one."""
        if self.level < 10:
            weights = self.weights(game, state)
            return self._random.choices(list(weights), list(weights.values()))[0]
        solution = solve_once(game)
        return _hardest(solution, state, solution.best(state))

    def weights(self, game: Game, state: State) -> dict[Move, float]:
        """Return how likely each move is.

        Every wrong move is as tempting as its own trap is deep. The chance to err here is the mean,
        which the wrong moves share in that proportion; the best moves share the rest.
        """
        solution = solve_once(game)
        value, right = solution.value(state), solution.best(state)
        wrong = {} if value.outcome == "loss" else _worse(solution, state, value, right)
        tempting = {move: chance_to_err(self.level, plies) for move, plies in wrong.items()}
        err = sum(tempting.values()) / len(tempting) if tempting else 0.0
        weights = {move: (1 - err) / len(right) for move in right}
        return weights | {move: chance / len(tempting) for move, chance in tempting.items()}


def _worse(
    solution: Solution, state: State, value: Value, right: tuple[Move, ...]
) -> dict[Move, int | None]:
    """Return the moves that give something away, with the plies after which the trap closes.

    With barred loops each move would take a search, so all but the best count as wrong. Of very
    many moves only a sample is considered.
    """
    moves = solution.game.moves(state)
    step = 1 + len(moves) // MAX_WEIGHED
    some = [moves[place] for place in range(0, len(moves), step)]
    if getattr(solution.game, "loops", "") == "barred":
        return {move: None for move in some if move not in right}
    worth = {move: solution.after(state, move) for move in some}
    return {
        move: after.plies if after.outcome == "loss" else None
        for move, after in worth.items()
        if after.outcome != value.outcome
    }


def _hardest(solution: Solution, state: State, best: tuple[Move, ...]) -> Move:
    """Return the first move or, in a draw, the one after which most replies lose."""
    if solution.value(state).outcome != "draw" or len(best) == 1:
        return best[0]

    def traps(move: Move) -> float:
        after = solution.game.play(state, move)
        replies = solution.game.moves(after)
        lost = sum(solution.after(after, reply).outcome == "loss" for reply in replies)
        return lost / max(1, len(replies))

    return max(best, key=traps)
