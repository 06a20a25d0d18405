"""What can be said of any solved game: who wins and how soon, which moves are right, and the line.

All of it is read off the solution, move by move. Moves that lead to one key are one move here, so
two equal hands do not hide an only move.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from parlour.core import OUTCOMES, Game, Move, Solution, State, Unsolved, Value, key, seat_name
from parlour.truth.barred import BarredSolution
from parlour.truth.explain.facts import Data, Fact, Teller, listed, opening, plies, worth

MOST_TRIED = 40_000  # more moves at once has only a Nim beyond all tables, whose best are all
LONGEST_LINE = 30


@dataclass(frozen=True)
class Choice:
    """A legal move, the situation it leads to, and what it is worth, where that is known."""

    text: str
    key: Hashable
    value: Value | None


def plain(value: Value | None) -> Data | None:
    """A value as facts hold it."""
    return {"outcome": value.outcome, "plies": value.plies} if value else None


def after(solution: Solution, state: State, move: Move) -> Value | None:
    """What a move is worth to whoever makes it, or None where no proof is held of it.

    A draw has no distance, even where the move ends the game.
    """
    try:
        value = solution.after(state, move)
    except Unsolved:
        return None
    return Value("draw") if value.outcome == "draw" else value


def best(solution: Solution, state: State) -> Sequence[Move]:
    """The best moves that are known."""
    try:
        return solution.best(state)
    except Unsolved:
        return ()


def value_fact(game: Game, state: State, value: Value) -> Fact:
    """Who wins, and in how many plies."""
    seat = game.turn(state)
    names = {"seat": seat, "name": seat_name(game, seat), "other": seat_name(game, 1 - seat)}
    return Fact("value", {**names, "outcome": value.outcome, "plies": value.plies})


def right_moves(game: Game, solution: Solution, state: State, value: Value) -> Data:
    """The moves that keep the value; in a lost position those that put the end off longest."""
    moves = game.moves(state)
    known = best(solution, state)
    tried = moves if len(moves) <= MOST_TRIED else known
    choices = []
    for move in tried:
        following = game.play(state, move)
        value_of = after(solution, state, move) if _is_held(solution, following) else None
        choices.append(Choice(game.write_move(move), key(game, following), value_of))
    proven = {game.write_move(move) for move in known}
    groups: dict[Hashable, Data] = {}
    for choice in choices:
        if _is_right(choice, value, proven):
            left = choice.value.plies if choice.value else None
            group = groups.setdefault(choice.key, {"moves": [], "plies": left})
            group["moves"].append(choice.text)
    right = sorted(groups.values(), key=lambda group: group["plies"] or 0)
    texts = sum(len(group["moves"]) for group in right)
    unproven = sum(choice.value is None and choice.text not in proven for choice in choices)
    if value.outcome == "loss":  # whatever they lead to, that is proven
        unproven = 0
    return {
        "name": seat_name(game, game.turn(state)),
        "outcome": value.outcome,
        "plies": value.plies,
        "legal": len(moves),
        "right": right,
        "situations": len(right),
        "unproven": unproven,
        "every": texts == len(moves),
        "only": len(right) == 1 and texts < len(moves) and not unproven and value.outcome != "loss",
    }


def _is_held(solution: Solution, state: State) -> bool:
    """Whether the value is at hand; a proof search for each move would take minutes."""
    if not isinstance(solution, BarredSolution) or not solution.rules.moves(state):
        return True
    return solution.claims.find(*solution.place(state)) is not None


def _is_right(choice: Choice, value: Value, proven: set[str]) -> bool:
    if choice.value is None:
        return value.outcome != "loss" and choice.text in proven
    if value.outcome == "loss":  # where no distance is known all moves lose alike
        return value.plies is not None and choice.value.plies == value.plies
    return choice.value.outcome == value.outcome


def line(
    game: Game, solution: Solution, state: State, value: Value | None, first: Move | None = None
) -> Fact | None:
    """Best play on both sides: the winner hurries, the loser delays, and a draw goes round.

    A `first` move is played whatever it is worth, and `value` is then what it is worth. Of a win
    without a distance the line is told only where it comes to its end.
    """
    if value is None:
        return None
    name = seat_name(game, game.turn(state))
    seen: dict[Any, int] = {}
    texts: list[str] = []
    back_to = None
    while back_to is None and game.moves(state) and len(texts) < LONGEST_LINE:
        seen[game.turn(state), key(game, state)] = len(texts)
        moves = (first,) if first is not None and not texts else best(solution, state)
        if not moves:
            break
        ways = [(move, game.play(state, move)) for move in moves]
        if value.outcome == "draw":
            known = [way for way in ways if (game.turn(way[1]), key(game, way[1])) in seen]
            ways = known or ways
        move, state = ways[0]
        texts.append(game.write_move(move))
        if value.outcome == "draw":
            back_to = seen.get((game.turn(state), key(game, state)))
    ends = game.result(state) is not None
    if not texts or (value.plies is None and not ends and back_to is None):
        return None
    result = game.result(state)
    return Fact(
        "line",
        {
            "name": name,
            "outcome": value.outcome,
            "plies": value.plies,
            "moves": texts,
            "shown": len(texts),
            "ends": ends,
            "result": None if result is None else list(result),
            "back_to": back_to,
        },
    )


def swing(
    game: Game, solution: Solution, state: State, move: Move, value: Value, right: Data
) -> Fact:
    """What a move made of the value; both distances are counted from before the move."""
    now = after(solution, state, move)
    text = game.write_move(move)
    data = {
        "name": seat_name(game, game.turn(state)),
        "move": text,
        "before": plain(value),
        "after": plain(now),
        "verdict": _verdict(value, now),
        "only": right["only"] and text in right["right"][0]["moves"],
    }
    return Fact("swing", data)


def _verdict(before: Value, now: Value | None) -> str:
    """`best`, `slower` (a win), `sooner` (a loss), `mistake`, or `unproven`."""
    if now is None:
        return "unproven"
    if OUTCOMES.index(now.outcome) < OUTCOMES.index(before.outcome):
        return "mistake"
    if None in (before.plies, now.plies) or before.plies == now.plies:
        return "best"
    return "slower" if now.outcome == "win" else "sooner"


def better(right: Data) -> Fact:
    """The moves that keep the value in full, from all that are right."""
    far = right["plies"]
    top = [group for group in right["right"] if far is None or group["plies"] == far]
    return Fact(
        "better",
        {
            "right": top,
            "value": {"outcome": right["outcome"], "plies": right["plies"]},
        },
    )


# Sentences


def _tell_value(data: Data) -> str:
    name, other = data["name"], data["other"]
    if data["outcome"] == "draw":
        return f"Draw: neither {name}, who is to move, nor {other} can force a win."
    far = f" in {plies(data['plies'])}" if data["plies"] is not None else ""
    if data["outcome"] == "win":
        said = f"Win{far} for {name}, who is to move, whatever {other} does"
    else:
        said = f"Loss{far} for {name}, who is to move: {other} wins, whatever {name} does"
    return said + ("." if far else "; how soon is not known.")


def _alike(group: Data) -> str:
    """`hit left left (hit left right comes to the same)`"""
    text, *others = group["moves"]
    if not others:
        return str(text)
    comes = "comes" if len(others) == 1 else "come"
    return f"{text} ({listed(others)} {comes} to the same)"


def _tell_right(data: Data) -> str:
    right, outcome = data["right"], data["outcome"]
    if outcome == "loss":
        return _tell_lost(data)
    verb = {"win": ("wins", "win"), "draw": ("holds the draw", "hold the draw")}[outcome]
    if data["unproven"]:
        moves = listed([_alike(group) for group in right])
        return f"Proven to {verb[1]}: {moves}. Of the others no proof is held."
    if data["every"] and len(right) == 1:
        return f"There is only this move: {_alike(right[0])}."
    if data["only"]:
        return f"Only one move {verb[0]}: {_alike(right[0])}."
    if data["every"] and outcome == "draw":
        return "Every move holds the draw."
    told = listed(
        [
            _alike(group) + (f" in {group['plies']}" if group["plies"] is not None else "")
            for group in right
        ]
    )
    if data["every"]:
        return f"Every move {verb[0]}: {told}."
    return f"{data['situations']} moves {verb[1]}: {told}."


def _tell_lost(data: Data) -> str:
    right = data["right"]
    if data["every"] and len(right) == 1:
        return f"There is only this move: {_alike(right[0])}."
    if data["every"] or not right:
        return "Every move loses" + (" equally soon." if right else ".")
    longest = listed([_alike(group) for group in right])
    return f"Every move loses; {longest} {'holds' if len(right) == 1 else 'hold'} out longest."


def _tell_line(data: Data) -> str:
    moves = ", ".join(data["moves"])
    if data["outcome"] == "draw":
        if data["back_to"] is not None:
            at = (
                f"the situation after ply {data['back_to']}"
                if data["back_to"]
                else "this situation"
            )
            return f"Both can go round for ever: {moves}, and {at} is back."
        return f"Best play on both sides, {plies(data['shown'])} to the draw: {moves}."
    if data["plies"] is None:
        return f"One way it may go, {plies(data['shown'])}: {moves}."
    if data["ends"]:
        return f"The forced line, {plies(data['plies'])}: {moves}."
    return f"The forced line, {plies(data['plies'])}, begins: {moves}, …"


def _tell_swing(data: Data) -> str:
    move, before, now = data["move"], data["before"], data["after"]
    match data["verdict"]:
        case "mistake":
            turned = f"{worth(before, 'a ')} into {worth(now, 'a ')}"
            return f"Wrong: {move}. That turned {turned}."
        case "unproven":
            return f"Unproven: {move} leaves {worth(before, 'a ')} for what no proof is held of."
        case "slower":
            return f"Slower: {move} still wins, but in {now['plies']} instead of {before['plies']}."
        case "sooner":
            return f"Sooner: {move} loses in {now['plies']} instead of {before['plies']}."
    if before["outcome"] == "loss":
        if before["plies"] is None:
            return f"No fault in {move}: every move loses here."
        return f"No fault in {move}: every move loses, and none later than in {before['plies']}."
    only = ", and it is the only move that does" if data["only"] else ""
    return f"Right: {move} keeps the {worth(before)}{only}."


def _tell_better(data: Data) -> str:
    told = listed([_alike(group) for group in data["right"]])
    if data["value"]["outcome"] == "loss":
        return f"Better: {told}, to lose only in {data['value']['plies']}."
    return f"Better: {told}, to keep the {worth(data['value'])}."


def _tell_reply(data: Data) -> str:
    one, many = (
        ("saves the draw", "save the draw")
        if data["outcome"] == "draw"
        else ("punishes it", "punish it")
    )
    told = listed([_alike(group) for group in data["right"]])
    if data["only"]:
        return f"Only one reply {one}: {told}."
    return f"Replies that {many}: {told}." if data["situations"] > 1 else f"What {one}: {told}."


def _tell_ended(data: Data) -> str:
    if data["winners"]:
        return f"The game is over: {listed(data['winners'])} won."
    return "The game is over: a draw." if data["drawn"] else "The game is over: nobody won."


def _tell_unsolved(data: Data) -> str:
    return f"No exact value is known here: {data['reason']}."


def _tell_legal(data: Data) -> str:
    name, legal = data["name"], data["legal"]
    if legal == 1:
        return f"{opening(name)} has 1 legal move: {listed(data['moves'])}."
    return f"{opening(name)} has {legal} legal moves: {listed(data['moves'])}."


def _tell_unjudged(data: Data) -> str:
    return f"Whether {data['move']} was right cannot be said with proof."


PLAY_TELLERS: dict[str, Teller] = {
    "value": _tell_value,
    "right": _tell_right,
    "line": _tell_line,
    "swing": _tell_swing,
    "better": _tell_better,
    "reply": _tell_reply,
    "ended": _tell_ended,
    "unsolved": _tell_unsolved,
    "legal": _tell_legal,
    "unjudged": _tell_unjudged,
}
