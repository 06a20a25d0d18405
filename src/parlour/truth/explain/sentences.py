"""The sentences for facts about any game, and the words that the games' own sentences share.

A function for each kind of fact makes its sentence from what the players are called and from the
data of the fact, alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from parlour import core
from parlour.core import Game, State, Text, Value, join, say, say_number, seat_name, sentences

Data: TypeAlias = dict[str, Any]
Sentences: TypeAlias = Mapping[str, Callable[..., Text]]  # by the kind of fact

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


# Words that all sentences share


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
            text = say("{first} (equivalent to {others})", first=text, others=list_some(others))
        if distances and group["plies"] is not None:
            text = say("{move} in {plies}", move=text, plies=group["plies"])
        texts.append(text)
    return list_some(texts)


def name_value(value: Data | None) -> Text:
    """Return `win in 3 plies` for a value as facts hold it: a ply is one move of either side."""
    if value is None:
        return say("unproven")
    outcome = OUTCOME_NAMES[value["outcome"]]
    if value["plies"] is None:
        return outcome
    return say("{outcome} {in_plies}", outcome=outcome, in_plies=in_plies(value["plies"]))


def describe_value(game: Game, state: State, value: Value) -> Text:
    """Return `player 1 is to move and wins within 3 plies, whatever player 2 does`."""
    mover = seat_name(game, game.turn(state))
    other = seat_name(game, 1 - game.turn(state))
    if not game.moves(state):
        if value.outcome == "draw":
            return say("the game is over: a draw")
        winner = mover if value.outcome == "win" else other
        return say("the game is over: {name} has won", name=winner)
    if value.outcome == "draw":
        return say("{mover} is to move, and neither can force a win", mover=mover)
    who: Data = {"mover": mover, "other": other}
    if value.plies is None:
        if value.outcome == "win":
            return say("{mover} is to move and wins, whatever {other} does", **who)
        return say("{mover} is to move, and {other} wins, whatever {mover} does", **who)
    who["within"] = say_number(value.plies, "within {number:,} ply", "within {number:,} plies")
    if value.outcome == "win":
        return say("{mover} is to move and wins {within}, whatever {other} does", **who)
    return say("{mover} is to move, and {other} wins {within}, whatever {mover} does", **who)


def format_score(score: float, *, exact: bool = False) -> str:
    """Return `≈ +3`, or `+3` where the score is exact."""
    return ("" if exact else "≈ ") + core.format_signed(score, 1)


def format_source(by: str, ahead: int, certainty: int = 0) -> Text:
    """Return whose estimate it is: `estimated by engine, 14 moves ahead, 73 % sure`."""
    values = {"by": by, "moves": core.count(ahead, "move"), "certainty": certainty}
    if certainty:
        return say("estimated by {by}, {moves} ahead, {certainty} % sure", **values)
    return say("estimated by {by}, {moves} ahead", **values)


# Sentences


def say_value(
    _: Wording, *, name: str, other: str, outcome: str, plies: int | None, **_rest: Any
) -> Text:
    """Say who wins, and how soon."""
    who = {"name": name, "other": other}
    if outcome == "draw":
        return say("Draw: neither {name}, who is to move, nor {other} can force a win.", **who)
    if plies is None and outcome == "win":
        return say(
            "Win for {name}, who is to move, whatever {other} does; how soon is not known.", **who
        )
    if plies is None:
        return say(
            "Loss for {name}, who is to move: {other} wins, whatever {name} does; "
            "how soon is not known.",
            **who,
        )
    who["in_plies"] = in_plies(plies)
    if outcome == "win":
        return say("Win {in_plies} for {name}, who is to move, whatever {other} does.", **who)
    return say(
        "Loss {in_plies} for {name}, who is to move: {other} wins, whatever {name} does.", **who
    )


def say_right(_: Wording, *, outcome: str, right: list[Data], every: bool, **rest: Any) -> Text:
    """Say which moves keep the value."""
    if every and rest["legal"] == 1:
        return say("There is only this move: {right}.", right=list_groups(right))
    if every and rest["situations"] == 1:
        return say("All moves are equivalent: {moves}.", moves=list_some(right[0]["moves"]))
    if outcome == "loss":
        return _say_lost(right, rest["situations"], every=every)
    if rest["unproven"]:
        return _say_proven(outcome, right)
    if rest["only"]:
        return _say_only(outcome, right[0]["moves"])
    timed = outcome == "win" and right[-1]["plies"] is not None
    moves = list_groups(right, distances=True)
    if every and outcome == "draw":
        return say("Every move holds the draw.")
    if every and timed:
        return say("Every move wins: {right} plies.", right=moves)
    if every:
        return say("Every move wins: {right}.", right=moves)
    found = {"situations": rest["situations"], "right": moves}
    if outcome == "draw":
        return say("{situations} moves hold the draw: {right}.", **found)
    if timed:
        return say("{situations} moves win: {right} plies.", **found)
    return say("{situations} moves win: {right}.", **found)


def _say_lost(right: list[Data], situations: int, *, every: bool) -> Text:
    if not right:
        return say("Every move loses.")
    if every:
        return say("Every move loses equally soon.")
    return say_number(
        situations,
        "Every move loses; {right} holds out longest.",
        "Every move loses; {right} hold out longest.",
        right=list_groups(right),
    )


def _say_proven(outcome: str, right: list[Data]) -> Text:
    moves = list_groups(right)
    if outcome == "draw":
        proven = say("Proven to hold the draw: {right}.", right=moves)
    else:
        proven = say("Proven to win: {right}.", right=moves)
    return join(" ", [proven, say("The others are not proven.")])


def _say_only(outcome: str, moves: list[str]) -> Text:
    if outcome == "draw":
        return say_number(
            len(moves),
            "Only one move holds the draw: {moves}.",
            "Only these equivalent moves hold the draw: {moves}.",
            moves=list_some(moves),
        )
    return say_number(
        len(moves),
        "Only one move wins: {moves}.",
        "Only these equivalent moves win: {moves}.",
        moves=list_some(moves),
    )


def say_line(
    _: Wording,
    *,
    outcome: str,
    plies: int | None,
    moves: list[str],
    ends: bool,
    back_to: int | None,
    **_rest: Any,
) -> Text:
    """Say how it goes on with best play."""
    if back_to == 0:
        return say("Both can go round forever: {moves}, and this situation is back.", moves=moves)
    if back_to is not None:
        return say(
            "Both can go round forever: {moves}, and the situation after ply {back_to} is back.",
            moves=moves,
            back_to=back_to,
        )
    far = count_plies(len(moves) if outcome == "draw" or plies is None else plies)
    if outcome == "draw":
        return say("Best play on both sides, {plies} to the draw: {moves}.", plies=far, moves=moves)
    if plies is None:
        return say("One way it may go, {plies}: {moves}.", plies=far, moves=moves)
    if ends:
        return say("The forced line, {plies}: {moves}.", plies=far, moves=moves)
    return say("The forced line, {plies}, begins: {moves}, …", plies=far, moves=moves)


def say_swing(
    wording: Wording,
    *,
    move: str,
    before: Data,
    after: Data | None,
    verdict: str,
    only: bool,
    alike: list[str],
    **_rest: Any,
) -> Text:
    """Say whether a move was right, and what it cost."""
    if verdict == "mistake":
        turned = {"before": name_value(before), "after": name_value(after)}
        if wording.supposed:
            cost = say("That would turn a {before} into a {after}.", **turned)
        else:
            cost = say("That turned a {before} into a {after}.", **turned)
        return join(" ", [say("Wrong: {move}.", move=move), cost])
    if verdict == "unproven":
        return say(
            "Unproven: {move} gives up a {before} that is proven.",
            move=move,
            before=name_value(before),
        )
    if verdict in ("slower", "sooner"):
        return _say_when(verdict, move, before["plies"], (after or before)["plies"])
    if before["outcome"] == "loss":
        return _say_nothing_wrong(move, before["plies"])
    kept = {"move": move, "before": name_value(before)}
    if only and alike:
        return say(
            "Right: {move} keeps the {before}, and besides the equivalent {alike} "
            "no other move does.",
            alike=list_some(alike),
            **kept,
        )
    if only:
        return say("Right: {move} keeps the {before}, and it is the only move that does.", **kept)
    return say("Right: {move} keeps the {before}.", **kept)


def _say_when(verdict: str, move: str, before: int, after: int) -> Text:
    when = {"move": move, "in_plies": in_plies(after), "before": before}
    if verdict == "slower":
        return say("Slower: {move} still wins, but {in_plies} instead of {before}.", **when)
    return say("Sooner: {move} loses {in_plies} instead of {before}.", **when)


def _say_nothing_wrong(move: str, plies: int | None) -> Text:
    if plies is None:
        return say("Nothing wrong with {move}: every move loses.", move=move)
    return say(
        "Nothing wrong with {move}: every move loses, and none lasts longer than {plies}.",
        move=move,
        plies=count_plies(plies),
    )


def say_better(_: Wording, *, right: list[Data], value: Data) -> Text:
    """Say which moves would have been better."""
    if value["outcome"] == "loss":
        return say(
            "Better: {right}, to hold out for {plies}.",
            right=list_groups(right),
            plies=count_plies(value["plies"]),
        )
    return say(
        "Better: {right}, to keep the {value}.", right=list_groups(right), value=name_value(value)
    )


def say_reply(
    _: Wording, *, outcome: str, right: list[Data], situations: int, only: bool, **_rest: Any
) -> Text:
    """Say which replies make use of a mistake."""
    if only and outcome == "draw":
        return say_number(
            len(right[0]["moves"]),
            "Only one reply saves the draw: {moves}.",
            "Only these equivalent replies save the draw: {moves}.",
            moves=list_some(right[0]["moves"]),
        )
    if only:
        return say_number(
            len(right[0]["moves"]),
            "Only one reply punishes it: {moves}.",
            "Only these equivalent replies punish it: {moves}.",
            moves=list_some(right[0]["moves"]),
        )
    if outcome == "draw":
        return say_number(
            situations,
            "What saves the draw: {right}.",
            "Replies that save the draw: {right}.",
            right=list_groups(right),
        )
    return say_number(
        situations,
        "What punishes it: {right}.",
        "Replies that punish it: {right}.",
        right=list_groups(right),
    )


def say_ended(_: Wording, *, winners: list[str], drawn: bool, **_rest: Any) -> Text:
    """Say who won."""
    if winners:
        return say("The game is over: {winners} won.", winners=list_some(winners))
    return say("The game is over: a draw.") if drawn else say("The game is over: nobody won.")


def say_unsolved(_: Wording, *, reason: str) -> Text:
    """Say why there is no exact value."""
    return say("No exact value is known here: {reason}.", reason=reason)


def say_legal(_: Wording, *, name: str, legal: int, moves: list[str]) -> Text:
    """Say which moves there are."""
    return say_number(
        legal,
        "{name} has {number} legal move: {moves}.",
        "{name} has {number} legal moves: {moves}.",
        name=name,
        moves=list_some(moves),
    )


def say_unjudged(_: Wording, *, move: str, **_rest: Any) -> Text:
    """Say that nothing is proven of a move."""
    return say("Whether {move} was right is not proven either way.", move=move)


ANY_GAME: Sentences = {
    "value": say_value,
    "right": say_right,
    "line": say_line,
    "swing": say_swing,
    "better": say_better,
    "reply": say_reply,
    "ended": say_ended,
    "unsolved": say_unsolved,
    "legal": say_legal,
    "unjudged": say_unjudged,
}
