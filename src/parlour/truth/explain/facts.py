"""What an explanation is made of: facts that a program can check, and sentences that people read.

A sentence is told from the data of one fact and from nothing else, so what holds for the facts
holds for the words.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from parlour.core import Game, State, Value, seat_name

Data: TypeAlias = dict[str, Any]
Teller: TypeAlias = Callable[[Data], str]

MOST_LISTED = 8  # a sentence that lists more is not read


@dataclass(frozen=True)
class Fact:
    """One thing that is so; its data are plain numbers, texts, lists and dictionaries."""

    kind: str
    data: Data


@dataclass(frozen=True)
class Explanation:
    """Why a position is what it is, or why a move was right or wrong."""

    facts: tuple[Fact, ...]
    sentences: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join(self.sentences)

    def to_dict(self) -> Data:
        """The explanation as plain data."""
        facts = [{"kind": fact.kind, **fact.data} for fact in self.facts]
        return {"facts": facts, "sentences": list(self.sentences)}

    def to_json(self) -> str:
        """The explanation as one line of JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False)


def told(facts: Sequence[Fact], tellers: Mapping[str, Teller]) -> Explanation:
    """The facts, each with its sentence."""
    return Explanation(tuple(facts), tuple(tellers[fact.kind](fact.data) for fact in facts))


# Words that all sentences share


def plies(number: int) -> str:
    """`1 ply`, `2 plies`"""
    return f"{number:,} ply" if number == 1 else f"{number:,} plies"


def verdict(game: Game, state: State, value: Value) -> str:
    """`player 1 is to move and wins within 3 plies, whatever player 2 does`"""
    mover = seat_name(game, game.turn(state))
    other = seat_name(game, 1 - game.turn(state))
    if not game.moves(state):
        says = {"win": f"{mover} has won", "loss": f"{other} has won", "draw": "a draw"}
        return f"the game is over: {says[value.outcome]}"
    within = "" if value.plies is None else f" within {plies(value.plies)}"
    return {
        "win": f"{mover} is to move and wins{within}, whatever {other} does",
        "loss": f"{mover} is to move, and {other} wins{within}, whatever {mover} does",
        "draw": f"{mover} is to move, and neither can force a win",
    }[value.outcome]


def listed(texts: Sequence[str]) -> str:
    """`a, b and c`; a long list is cut short."""
    if len(texts) > MOST_LISTED:
        return ", ".join(texts[:MOST_LISTED]) + " and others"
    *most, last = texts
    return f"{', '.join(most)} and {last}" if most else last


def worth(value: Data | None, article: str = "") -> str:
    """`win in 3`, from a value as facts hold it."""
    if value is None:
        return "unproven"
    plain: str = value["outcome"]
    return f"{article}{plain}" + (f" in {value['plies']}" if value["plies"] is not None else "")


def opening(sentence: str) -> str:
    """The sentence with a capital at its head."""
    return sentence[:1].upper() + sentence[1:]
