"""The reasons of chopsticks: who wins from the start, and which hands are dead at the end.

There is no formula to show; the forced line is the reason. What a person should know besides is who
wins the game as a whole, for under Benedict's rules that is whoever moves second.
"""

from __future__ import annotations

from parlour.core import Solution, Unsolved
from parlour.rules import Chopsticks, ChopsticksState
from parlour.truth.explain.facts import Data, Fact, Teller, opening, plies


def chopsticks_facts(game: Chopsticks, solution: Solution) -> list[Fact]:
    """Who wins from the start under these rules."""
    try:
        value = solution.value(game.start())
    except Unsolved:
        return []
    winner = {"win": "first", "loss": "second", "draw": None}[value.outcome]
    own = game == Chopsticks()
    return [Fact("start", {"winner": winner, "plies": value.plies, "benedict": own})]


def how_chopsticks_ended(game: Chopsticks, state: ChopsticksState) -> list[Fact]:
    """Who has no live hand, or no move that is not barred."""
    hand, _ = game.words
    result = game.result(state)
    loser = (result or ()).index(-1)
    hands = list(state[1 + 2 * loser : 3 + 2 * loser])
    return [Fact("beaten", {"name": f"player {loser + 1}", "hands": hands, "word": hand})]


# Sentences


def _tell_start(data: Data) -> str:
    if data["winner"] is None:
        return "From the start these rules are a draw: neither side can force a win."
    far = f" in {plies(data['plies'])}" if data["plies"] is not None else ""
    said = f"From the start the {data['winner']} player wins{far} under these rules"
    if data["benedict"]:
        said += "; that is why Benedict, who lets the other begin, never loses"
    return f"{said}."


def _tell_beaten(data: Data) -> str:
    word = data["word"] + ("es" if data["word"].endswith("x") else "s")
    if any(data["hands"]):
        return (
            f"{opening(data['name'])} has no move left that leads to a new situation, and loops "
            "are barred."
        )
    return f"Both {word} of {data['name']} are dead."


CHOPSTICKS_TELLERS: dict[str, Teller] = {"start": _tell_start, "beaten": _tell_beaten}
