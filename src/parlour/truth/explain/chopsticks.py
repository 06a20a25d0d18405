"""Why a chopsticks position is won or lost: who wins from the start, and which hands are dead.

There is no formula to show; the forced line is the reason. It helps to know who wins the game as a
whole, which under Benedict's rules is the player who moves second.
"""

from __future__ import annotations

from typing import Any, ClassVar

from parlour.core import Solution, State, Text, Unsolved, Value, conjugate, say, seat_name
from parlour.rules import Chopsticks
from parlour.truth.explain.explainer import Explainer, Fact, fact
from parlour.truth.explain.sentences import ANY_GAME, Sentences, Wording, in_plies

# Sentences


def say_start(_: Wording, *, winner: str | None, plies: int | None, benedict: bool) -> Text:
    """Say who wins from the start."""
    if winner is None:
        return say("From the start these rules are a draw: neither side can force a win.")
    which: dict[str, Any] = {"winner": say("first") if winner == "first" else say("second")}
    if plies is None and benedict:
        return say(
            "From the start the {winner} player wins under these rules; that is why Benedict, "
            "who lets his opponent begin, never loses.",
            **which,
        )
    if plies is None:
        return say("From the start the {winner} player wins under these rules.", **which)
    which["in_plies"] = in_plies(plies)
    if benedict:
        return say(
            "From the start the {winner} player wins {in_plies} under these rules; "
            "that is why Benedict, who lets his opponent begin, never loses.",
            **which,
        )
    return say("From the start the {winner} player wins {in_plies} under these rules.", **which)


def say_beaten(wording: Wording, *, name: str, hands: list[int], word: str) -> Text:
    """Say why somebody lost: both hands are dead, or no move is left."""
    who = wording.call(name)
    if any(hands):
        return say(
            "{name} {has} no move left that leads to a new situation, and loops are barred.",
            name=who,
            has=conjugate("have", who),
        )
    whose = {"me": "my", "you": "your"}.get(wording.address(name))
    if whose and word == "box":
        return say("Both of {whose} boxes are dead.", whose=whose)
    if whose:
        return say("Both of {whose} hands are dead.", whose=whose)
    if word == "box":
        return say("Both boxes of {name} are dead.", name=name)
    return say("Both hands of {name} are dead.", name=name)


class ChopsticksExplainer(Explainer):
    """Adds who wins from the start, and how a game was lost."""

    sentences: ClassVar[Sentences] = {**ANY_GAME, "start": say_start, "beaten": say_beaten}

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
        word = "hand" if game.rules == "benedict" else "box"
        return [fact("beaten", name=seat_name(game, loser), hands=hands, word=word)]
