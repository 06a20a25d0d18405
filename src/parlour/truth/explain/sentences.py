"""The sentences for facts about any game, and what fills the gaps of the games' own sentences.

A function for each kind of fact makes its sentence from what the players are called and from the
data of the fact, alone. The sentences themselves stand in `any_game.txt`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from parlour import core
from parlour.core import Game, State, Text, Value, say, say_number, seat_name, sentences
from parlour.truth.explain.phrases import Phrases

Data: TypeAlias = dict[str, Any]
Sentences: TypeAlias = Mapping[str, Callable[..., str]]  # by the kind of fact

PHRASES = Phrases("any_game.txt")
MAX_LISTED = 8  # nobody reads a sentence that lists more
OUTCOME_NAMES = sentences.OUTCOME_NAMES


@dataclass(frozen=True)
class Wording:
    """What the sentences call the players, and whether the move is only supposed."""

    you: str = say("you")  # the mover
    opponent: str = say("the opponent")
    people: Mapping[str, str] = field(default_factory=dict)  # by the names of their seats
    supposed: bool = False

    def call(self, who: str) -> str:
        """Return what to call somebody, or who sits there, before a verb."""
        return self.people.get(who, who)

    def address(self, who: str) -> str:
        """Return what to call somebody, or who sits there, after a verb or a preposition."""
        return "me" if self.call(who) == "I" else self.call(who)


# What fills the gaps


def count_plies(number: int) -> Text:
    """Return `1 ply` or `2 plies`."""
    return say_number(number, "{number:,} ply", "{number:,} plies")


def in_plies(number: int) -> Text:
    """Return `in 1 ply` or `in 2 plies`."""
    return say_number(number, "in {number:,} ply", "in {number:,} plies")


def list_some(items: Sequence[Any]) -> Text:
    """Return `a, b and c`; a long list is cut short."""
    return core.all_of([*items[:MAX_LISTED], *([say("others")] if len(items) > MAX_LISTED else [])])


def list_groups(groups: Sequence[Data], *, distances: bool = False) -> Text:
    """Return `b1 (equivalent to a2 and d3) in 3, b2 in 5`, in plies."""
    texts = []
    for group in groups:
        text, *others = group["moves"]
        if others:
            text = PHRASES("alike", first=text, others=list_some(others))
        if distances and group["plies"] is not None:
            text = PHRASES("way", move=text, plies=group["plies"])
        texts.append(text)
    return list_some(texts)


def name_value(value: Data | None) -> Text:
    """Return `win in 3 plies` for a value as facts hold it: a ply is one move of either side."""
    if value is None:
        return PHRASES("unproven")
    outcome = OUTCOME_NAMES[value["outcome"]]
    if value["plies"] is None:
        return outcome
    return PHRASES("known", outcome=outcome, in_plies=in_plies(value["plies"]))


def describe_outcome(name: str, other: str, outcome: str, how: Text | None) -> Text:
    """Return `player 1 is to move and wins by 3 discs, whatever player 2 does`."""
    return PHRASES("value", name=name, other=other, outcome=outcome, how=how)


def describe_value(game: Game, state: State, value: Value) -> Text:
    """Return `player 1 is to move and wins within 3 plies, whatever player 2 does`."""
    seat = game.turn(state)
    mover, other = seat_name(game, seat), seat_name(game, 1 - seat)
    if not game.moves(state):
        winners = {"win": [mover], "loss": [other], "draw": []}[value.outcome]
        return _describe_end(winners, drawn=not winners)
    return describe_outcome(mover, other, value.outcome, _within(value.plies))


def _within(plies: int | None) -> Text | None:
    if plies is None:
        return None
    return say_number(plies, "within {number:,} ply", "within {number:,} plies")


def _describe_end(winners: Sequence[str], *, drawn: bool) -> Text:
    won = list_some(winners) if winners else None
    return PHRASES("ended", winners=won, drawn=drawn)


def format_score(score: float, *, exact: bool = False) -> str:
    """Return `≈ +3`, or `+3` where the score is exact."""
    return ("" if exact else "≈ ") + core.format_signed(score, 1)


def format_source(by: str, ahead: int, certainty: int = 0) -> Text:
    """Return whose estimate it is: `estimated by engine, 14 moves ahead, 73 % sure`."""
    moves = core.count(ahead, "move")
    return PHRASES("estimated", by=by, moves=moves, certainty=certainty)


# Sentences


def say_value(
    _: Wording, *, name: str, other: str, outcome: str, plies: int | None, **_rest: Any
) -> str:
    """Say who wins, and how soon."""
    return core.sentence(describe_outcome(name, other, outcome, _within(plies)))


def say_right(_: Wording, *, outcome: str, right: list[Data], **data: Any) -> Text:
    """Say which moves keep the value."""
    alike = right[0]["moves"] if right else []
    groups = list_groups(right, distances=outcome != "loss")
    if outcome == "win" and right and right[-1]["plies"] is not None:
        groups = PHRASES("timed", ways=groups)
    return PHRASES(
        "right",
        number=data["situations"] if outcome == "loss" else len(alike),
        moves=list_some(alike),
        right=groups,
        outcome=outcome,
        **data,
    )


def say_reply(_: Wording, *, right: list[Data], situations: int, only: bool, **data: Any) -> Text:
    """Say which replies make use of a mistake."""
    alike = right[0]["moves"]
    return PHRASES(
        "reply",
        number=len(alike) if only else situations,
        moves=list_some(alike),
        right=list_groups(right),
        only=only,
        **data,
    )


def say_line(
    _: Wording, *, plies: int | None, moves: list[str], back_to: int | None, **data: Any
) -> Text:
    """Say how it goes on with best play."""
    return PHRASES(
        "line",
        moves=moves,
        plies=count_plies(len(moves) if plies is None else plies),
        timed=plies is not None,
        goes_round=back_to is not None,
        back_to=back_to,
        **data,
    )


def say_swing(
    wording: Wording,
    *,
    before: Data,
    after: Data | None,
    alike: list[str],
    **data: Any,
) -> Text:
    """Say whether a move was right, and what it cost."""
    plies, now = before["plies"], (after or before)["plies"]
    return PHRASES(
        "swing",
        before=name_value(before),
        after=name_value(after),
        lost=before["outcome"] == "loss",
        plies=plies,
        most=plies and count_plies(plies),
        in_plies=now and in_plies(now),
        alike=alike and list_some(alike),
        supposed=wording.supposed,
        **data,
    )


def say_better(_: Wording, *, right: list[Data], value: Data) -> Text:
    """Say which moves would have been better."""
    return PHRASES(
        "better",
        right=list_groups(right),
        lost=value["outcome"] == "loss",
        plies=value["plies"] and count_plies(value["plies"]),
        value=name_value(value),
    )


def say_ended(_: Wording, *, winners: list[str], drawn: bool, **_rest: Any) -> str:
    """Say who won."""
    return core.sentence(_describe_end(winners, drawn=drawn))


def say_legal(_: Wording, *, legal: int, moves: list[str], **data: Any) -> Text:
    """Say which moves there are."""
    return PHRASES("legal", number=legal, moves=list_some(moves), **data)


ANY_GAME: Sentences = {
    "value": say_value,
    "right": say_right,
    "line": say_line,
    "swing": say_swing,
    "better": say_better,
    "reply": say_reply,
    "ended": say_ended,
    "legal": say_legal,
    **PHRASES.plain("unsolved", "unjudged"),
}
