"""Why a chopsticks position is won or lost: who wins from the start, and which hands are dead.

There is no formula to show; the forced line is the reason. It helps to know who wins the game as a
whole, which under Benedict's rules is the player who moves second.
"""

from __future__ import annotations

from parlour.core import Solution, State, Unsolved, Value, seat_name
from parlour.rules import Chopsticks
from parlour.truth.explain.explainer import Explainer, Fact, fact


class ChopsticksExplainer(Explainer):
    """Adds who wins from the start, and how a game was lost."""

    def reasons(
        self, game: Chopsticks, solution: Solution, state: State, value: Value
    ) -> list[Fact]:
        """Return who wins from the start under these rules."""
        try:
            start = solution.value(game.start())
        except Unsolved:
            return []
        winner = {"win": "first", "loss": "second", "draw": None}[start.outcome]
        return [fact("start", winner=winner, plies=start.plies, benedict=game == Chopsticks())]

    def ending(self, game: Chopsticks, state: State) -> list[Fact]:
        """Return who has no live hand, or no move that is not barred."""
        loser = (game.result(state) or ()).index(-1)
        hands = list(state[1 + 2 * loser : 3 + 2 * loser])
        return [fact("beaten", name=seat_name(game, loser), hands=hands, word=game.words[0])]
