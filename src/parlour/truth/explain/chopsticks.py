"""Why a chopsticks position is won or lost: who wins from the start, and which hands are dead.

There is no formula to show; the forced line is the reason. It helps to know who wins the game as a
whole, which under Benedict's rules is the player who moves second.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from parlour.core import Solution, State, Unsolved, Value, capital
from parlour.rules import Chopsticks
from parlour.truth.explain.explainer import PHRASES, Data, Explainer, Fact, Phrase, count_plies


def _phrase_start(data: Data) -> str:
    if data["winner"] is None:
        return "From the start these rules are a draw: neither side can force a win."
    distance = f" in {count_plies(data['plies'])}" if data["plies"] is not None else ""
    text = f"From the start the {data['winner']} player wins{distance} under these rules"
    if data["benedict"]:
        text += "; that is why Benedict, who lets the other begin, never loses"
    return f"{text}."


def _phrase_beaten(data: Data) -> str:
    word = data["word"] + ("es" if data["word"].endswith("x") else "s")
    if any(data["hands"]):
        return (
            f"{capital(data['name'])} has no move left that leads to a new situation, and loops "
            "are barred."
        )
    return f"Both {word} of {data['name']} are dead."


class ChopsticksExplainer(Explainer):
    """Adds who wins from the start, and how a game was lost."""

    phrases: ClassVar[Mapping[str, Phrase]] = {
        **PHRASES,
        "start": _phrase_start,
        "beaten": _phrase_beaten,
    }

    def reasons(
        self, game: Chopsticks, solution: Solution, state: State, value: Value
    ) -> list[Fact]:
        """Return who wins from the start under these rules."""
        try:
            start = solution.value(game.start())
        except Unsolved:
            return []
        winner = {"win": "first", "loss": "second", "draw": None}[start.outcome]
        own = game == Chopsticks()
        return [Fact("start", {"winner": winner, "plies": start.plies, "benedict": own})]

    def ending(self, game: Chopsticks, state: State) -> list[Fact]:
        """Return who has no live hand, or no move that is not barred."""
        hand, _ = game.words
        loser = (game.result(state) or ()).index(-1)
        hands = list(state[1 + 2 * loser : 3 + 2 * loser])
        return [Fact("beaten", {"name": f"player {loser + 1}", "hands": hands, "word": hand})]
