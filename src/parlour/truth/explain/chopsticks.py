"""Why a chopsticks position is won or lost: who wins from the start, and which hands are dead.

There is no formula to show; the forced line is the reason. It helps to know who wins the game as a
whole, which under Benedict's rules is the player who moves second.
"""

from __future__ import annotations

from typing import ClassVar

from parlour.core import Solution, State, Text, Unsolved, Value, conjugate, say, seat_name
from parlour.rules import Chopsticks
from parlour.truth.explain.explainer import Explainer, Fact, fact
from parlour.truth.explain.phrases import Phrases
from parlour.truth.explain.sentences import ANY_GAME, Sentences, Wording, in_plies

PHRASES = Phrases("chopsticks.txt")


# Sentences


def say_start(_: Wording, *, winner: str | None, plies: int | None, benedict: bool) -> Text:
    """Say who wins from the start."""
    return PHRASES(
        "start",
        winner=winner and PHRASES(winner),
        in_plies=plies and in_plies(plies),
        benedict=benedict,
    )


def say_beaten(wording: Wording, *, name: str, hands: list[int], word: str) -> Text:
    """Say why somebody lost: both hands are dead, or no move is left."""
    who = wording.call(name)
    return PHRASES(
        "beaten",
        stuck=any(hands),
        name=who,
        has=conjugate("have", who),
        whose={"me": "my", "you": "your"}.get(wording.address(name)),
        things=say("boxes") if word == "box" else say("hands"),
    )


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
