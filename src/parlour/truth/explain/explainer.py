"""Facts about any solved game, and the explanations made of them.

An explanation is a list of facts that a program can check, each with a sentence for people. A
sentence is phrased from the data of its fact and nothing else, so what holds for the facts holds
for the words. `Explainer` reads who wins, the right moves and the line off the solution, move by
move; moves that lead to one key count as one, so two equal hands do not hide an only move. A game
with reasons of its own has an explainer that extends it, in a file of its own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from parlour.core import (
    OUTCOMES,
    Game,
    Move,
    Solution,
    State,
    Unsolved,
    Value,
    capital,
    key,
    seat_name,
)
from parlour.truth.geography import BarredSolution

Data: TypeAlias = dict[str, Any]
Phrase: TypeAlias = Callable[[Data], str]

MOST_LISTED = 8  # nobody reads a sentence that lists more
MOST_TRIED = (
    40_000  # only a Nim too large for any table has more, and there all best moves are known
)
LONGEST_LINE = 30


@dataclass(frozen=True)
class Fact:
    """One checkable statement; its data are plain numbers, texts, lists and dictionaries."""

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
        """Return the explanation as plain data."""
        facts = [{"kind": fact.kind, **fact.data} for fact in self.facts]
        return {"facts": facts, "sentences": list(self.sentences)}

    def to_json(self) -> str:
        """Return the explanation as one line of JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False)


# Words that all sentences share


def count_plies(number: int) -> str:
    """Return `1 ply` or `2 plies`."""
    return f"{number:,} ply" if number == 1 else f"{number:,} plies"


def describe_value(game: Game, state: State, value: Value) -> str:
    """Return `player 1 is to move and wins within 3 plies, whatever player 2 does`."""
    mover = seat_name(game, game.turn(state))
    other = seat_name(game, 1 - game.turn(state))
    if not game.moves(state):
        says = {"win": f"{mover} has won", "loss": f"{other} has won", "draw": "a draw"}
        return f"the game is over: {says[value.outcome]}"
    within = "" if value.plies is None else f" within {count_plies(value.plies)}"
    return {
        "win": f"{mover} is to move and wins{within}, whatever {other} does",
        "loss": f"{mover} is to move, and {other} wins{within}, whatever {mover} does",
        "draw": f"{mover} is to move, and neither can force a win",
    }[value.outcome]


def join_texts(texts: Sequence[str]) -> str:
    """Return `a, b and c`; a long list is cut short."""
    if len(texts) > MOST_LISTED:
        return ", ".join(texts[:MOST_LISTED]) + " and others"
    *most, last = texts
    return f"{', '.join(most)} and {last}" if most else last


def format_value(value: Data | None, article: str = "") -> str:
    """Return `win in 3` for a value as facts hold it."""
    if value is None:
        return "unproven"
    plain: str = value["outcome"]
    return f"{article}{plain}" + (f" in {value['plies']}" if value["plies"] is not None else "")


# What is read off a solution


@dataclass(frozen=True)
class Choice:
    """A legal move, the situation it leads to, and its value if known."""

    text: str
    key: Hashable
    value: Value | None


def _to_data(value: Value | None) -> Data | None:
    """Return a value as facts hold it."""
    return {"outcome": value.outcome, "plies": value.plies} if value else None


def value_move(solution: Solution, state: State, move: Move) -> Value | None:
    """Return the value of a move for its mover, or None where it is not proven.

    A draw has no distance, even where the move ends the game.
    """
    try:
        value = solution.after(state, move)
    except Unsolved:
        return None
    return Value("draw") if value.outcome == "draw" else value


def _best_moves(solution: Solution, state: State) -> Sequence[Move]:
    """Return the best moves, or none where they are not known."""
    try:
        return solution.best(state)
    except Unsolved:
        return ()


def right_moves(game: Game, solution: Solution, state: State, value: Value) -> Data:
    """Return the moves that keep the value; in a lost position those that delay the end longest."""
    moves = game.moves(state)
    known = _best_moves(solution, state)
    tried = moves if len(moves) <= MOST_TRIED else known
    choices = []
    for move in tried:
        following = game.play(state, move)
        at_hand = not isinstance(solution, BarredSolution) or solution.is_proven(following)
        # A proof search for every single move would take minutes.
        worth = value_move(solution, state, move) if at_hand else None
        choices.append(Choice(game.write_move(move), key(game, following), worth))
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
    if value.outcome == "loss":  # then every move is proven to lose
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


def _is_right(choice: Choice, value: Value, proven: set[str]) -> bool:
    if choice.value is None:
        return value.outcome != "loss" and choice.text in proven
    if value.outcome == "loss":  # without distances all moves lose alike
        return value.plies is not None and choice.value.plies == value.plies
    return choice.value.outcome == value.outcome


def _line(
    game: Game, solution: Solution, state: State, value: Value | None, first: Move | None = None
) -> Fact | None:
    """Return best play on both sides: the winner hurries, the loser delays, a draw goes round.

    A `first` move is played whatever its value, which `value` then is. A win without a distance has
    a line only where it reaches the end.
    """
    if value is None:
        return None
    name = seat_name(game, game.turn(state))
    seen: dict[Any, int] = {}
    texts: list[str] = []
    back_to = None
    while back_to is None and game.moves(state) and len(texts) < LONGEST_LINE:
        seen[game.turn(state), key(game, state)] = len(texts)
        moves = (first,) if first is not None and not texts else _best_moves(solution, state)
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


def _swing(
    game: Game, solution: Solution, state: State, move: Move, value: Value, right: Data
) -> Fact:
    """Return what a move made of the value, both distances counted from before the move."""
    now = value_move(solution, state, move)
    text = game.write_move(move)
    data = {
        "name": seat_name(game, game.turn(state)),
        "move": text,
        "before": _to_data(value),
        "after": _to_data(now),
        "verdict": _verdict(value, now),
        "only": right["only"] and text in right["right"][0]["moves"],
    }
    return Fact("swing", data)


def _verdict(before: Value, now: Value | None) -> str:
    """Return `best`, `slower` (a win), `sooner` (a loss), `mistake`, or `unproven`."""
    if now is None:
        return "unproven"
    if OUTCOMES.index(now.outcome) < OUTCOMES.index(before.outcome):
        return "mistake"
    if None in (before.plies, now.plies) or before.plies == now.plies:
        return "best"
    return "slower" if now.outcome == "win" else "sooner"


def _better(right: Data) -> Fact:
    """Return those of the right moves that keep the value in full."""
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


def _phrase_value(data: Data) -> str:
    name, other = data["name"], data["other"]
    if data["outcome"] == "draw":
        return f"Draw: neither {name}, who is to move, nor {other} can force a win."
    far = f" in {count_plies(data['plies'])}" if data["plies"] is not None else ""
    if data["outcome"] == "win":
        text = f"Win{far} for {name}, who is to move, whatever {other} does"
    else:
        text = f"Loss{far} for {name}, who is to move: {other} wins, whatever {name} does"
    return text + ("." if far else "; how soon is not known.")


def _phrase_group(group: Data) -> str:
    """Return `hit left left (hit left right comes to the same)`."""
    text, *others = group["moves"]
    if not others:
        return str(text)
    comes = "comes" if len(others) == 1 else "come"
    return f"{text} ({join_texts(others)} {comes} to the same)"


def _phrase_right(data: Data) -> str:
    right, outcome = data["right"], data["outcome"]
    if outcome == "loss":
        return _phrase_lost(data)
    verb = {"win": ("wins", "win"), "draw": ("holds the draw", "hold the draw")}[outcome]
    if data["unproven"]:
        moves = join_texts([_phrase_group(group) for group in right])
        return f"Proven to {verb[1]}: {moves}. The others are not proven."
    if data["every"] and len(right) == 1:
        return f"There is only this move: {_phrase_group(right[0])}."
    if data["only"]:
        return f"Only one move {verb[0]}: {_phrase_group(right[0])}."
    if data["every"] and outcome == "draw":
        return "Every move holds the draw."
    moves = join_texts(
        [
            _phrase_group(group) + (f" in {group['plies']}" if group["plies"] is not None else "")
            for group in right
        ]
    )
    if data["every"]:
        return f"Every move {verb[0]}: {moves}."
    return f"{data['situations']} moves {verb[1]}: {moves}."


def _phrase_lost(data: Data) -> str:
    right = data["right"]
    if data["every"] and len(right) == 1:
        return f"There is only this move: {_phrase_group(right[0])}."
    if data["every"] or not right:
        return "Every move loses" + (" equally soon." if right else ".")
    longest = join_texts([_phrase_group(group) for group in right])
    return f"Every move loses; {longest} {'holds' if len(right) == 1 else 'hold'} out longest."


def _phrase_line(data: Data) -> str:
    moves = ", ".join(data["moves"])
    if data["outcome"] == "draw":
        if data["back_to"] is not None:
            at = (
                f"the situation after ply {data['back_to']}"
                if data["back_to"]
                else "this situation"
            )
            return f"Both can go round for ever: {moves}, and {at} is back."
        return f"Best play on both sides, {count_plies(data['shown'])} to the draw: {moves}."
    if data["plies"] is None:
        return f"One way it may go, {count_plies(data['shown'])}: {moves}."
    if data["ends"]:
        return f"The forced line, {count_plies(data['plies'])}: {moves}."
    return f"The forced line, {count_plies(data['plies'])}, begins: {moves}, …"


def _phrase_swing(data: Data) -> str:
    move, before, now = data["move"], data["before"], data["after"]
    match data["verdict"]:
        case "mistake":
            turned = f"{format_value(before, 'a ')} into {format_value(now, 'a ')}"
            return f"Wrong: {move}. That turned {turned}."
        case "unproven":
            return f"Unproven: {move} leaves {format_value(before, 'a ')} for an unproven position."
        case "slower":
            return f"Slower: {move} still wins, but in {now['plies']} instead of {before['plies']}."
        case "sooner":
            return f"Sooner: {move} loses in {now['plies']} instead of {before['plies']}."
    if before["outcome"] == "loss":
        if before["plies"] is None:
            return f"No fault in {move}: every move loses here."
        return f"No fault in {move}: every move loses, and none later than in {before['plies']}."
    only = ", and it is the only move that does" if data["only"] else ""
    return f"Right: {move} keeps the {format_value(before)}{only}."


def _phrase_better(data: Data) -> str:
    moves = join_texts([_phrase_group(group) for group in data["right"]])
    if data["value"]["outcome"] == "loss":
        return f"Better: {moves}, to lose only in {data['value']['plies']}."
    return f"Better: {moves}, to keep the {format_value(data['value'])}."


def _phrase_reply(data: Data) -> str:
    one, many = (
        ("saves the draw", "save the draw")
        if data["outcome"] == "draw"
        else ("punishes it", "punish it")
    )
    moves = join_texts([_phrase_group(group) for group in data["right"]])
    if data["only"]:
        return f"Only one reply {one}: {moves}."
    return f"Replies that {many}: {moves}." if data["situations"] > 1 else f"What {one}: {moves}."


def _phrase_ended(data: Data) -> str:
    if data["winners"]:
        return f"The game is over: {join_texts(data['winners'])} won."
    return "The game is over: a draw." if data["drawn"] else "The game is over: nobody won."


def _phrase_unsolved(data: Data) -> str:
    return f"No exact value is known here: {data['reason']}."


def _phrase_legal(data: Data) -> str:
    name, legal = data["name"], data["legal"]
    if legal == 1:
        return f"{capital(name)} has 1 legal move: {join_texts(data['moves'])}."
    return f"{capital(name)} has {legal} legal moves: {join_texts(data['moves'])}."


def _phrase_unjudged(data: Data) -> str:
    return f"Whether {data['move']} was right is not proven either way."


PHRASES: dict[str, Phrase] = {
    "value": _phrase_value,
    "right": _phrase_right,
    "line": _phrase_line,
    "swing": _phrase_swing,
    "better": _phrase_better,
    "reply": _phrase_reply,
    "ended": _phrase_ended,
    "unsolved": _phrase_unsolved,
    "legal": _phrase_legal,
    "unjudged": _phrase_unjudged,
}


class Explainer:
    """Explains any solved game; a game with reasons of its own overrides what differs."""

    phrases: ClassVar[Mapping[str, Phrase]] = PHRASES  # by the kind of fact

    def explain_position(
        self, game: Any, solution: Solution, state: State, value: Value
    ) -> list[Fact]:
        """Return why a position is won, lost or drawn."""
        line = self.line(game, solution, state, value)
        return [
            self.value(game, solution, state, value),
            *self.reasons(game, solution, state, value),
            Fact("right", right_moves(game, solution, state, value)),
            *([line] if line else []),
        ]

    def explain_move(
        self, game: Any, solution: Solution, state: State, move: Move, value: Value
    ) -> list[Fact]:
        """Return why a move is right or wrong."""
        right = right_moves(game, solution, state, value)
        swing = _swing(game, solution, state, move, value, right)
        facts = [swing, *self.move_reasons(game, solution, state, move)]
        if swing.data["verdict"] != "best":
            facts.append(_better(right))
        now = swing.data["after"]
        following = game.play(state, move)
        answered = game.moves(following) and game.turn(following) != game.turn(state)
        if swing.data["verdict"] == "mistake" and answered:
            reply = right_moves(game, solution, following, solution.value(following))
            facts.append(Fact("reply", reply))
        line = self.line(game, solution, state, now and Value(**now), first=move)
        return [*facts, line] if line and game.moves(following) else facts

    def explain_unsolved(
        self, game: Any, state: State, move: Move | None, reason: str, estimate: Any
    ) -> list[Fact]:
        """Return what can be said without an exact value; a move that ends the game needs none."""
        if move is not None:
            seen = self.observe_move(game, state, move)
            following = game.play(state, move)
            if game.result(following) is not None:
                return seen
            leads = {"move": game.write_move(move), "to": game.write(following)}
            return [Fact("unsolved", {"reason": reason}), Fact("unjudged", leads), *seen]
        moves = game.moves(state)
        texts = [game.write_move(moves[i]) for i in range(min(len(moves), MOST_LISTED + 1))]
        name = seat_name(game, game.turn(state))
        legal = Fact("legal", {"name": name, "legal": len(moves), "moves": texts})
        return [Fact("unsolved", {"reason": reason}), *self.observe(game, state), legal]

    def explain_end(self, game: Any, state: State) -> list[Fact]:
        """Return who won an ended game, and by which rule."""
        result = game.result(state) or ()
        winners = [seat_name(game, seat) for seat, payoff in enumerate(result) if payoff > 0]
        data = {"result": list(result), "winners": winners, "drawn": not any(result)}
        return [Fact("ended", data), *self.ending(game, state)]

    def phrase(self, facts: Sequence[Fact]) -> Explanation:
        """Return the facts with a sentence for each."""
        return Explanation(tuple(facts), tuple(self.phrases[f.kind](f.data) for f in facts))

    # What games override

    def value(self, game: Any, solution: Any, state: State, value: Value) -> Fact:
        """Return who wins, and in how many plies."""
        seat = game.turn(state)
        names = {"seat": seat, "name": seat_name(game, seat), "other": seat_name(game, 1 - seat)}
        return Fact("value", {**names, "outcome": value.outcome, "plies": value.plies})

    def reasons(self, game: Any, solution: Any, state: State, value: Value) -> list[Fact]:
        """Return why a position has its value; by default, what can be seen on the board."""
        return self.observe(game, state)

    def move_reasons(self, game: Any, solution: Any, state: State, move: Move) -> list[Fact]:
        """Return why a move is right or wrong; by default, what can be seen of it."""
        return self.observe_move(game, state, move)

    def observe(self, game: Any, state: State) -> list[Fact]:
        """Return what anyone can see on the board, solved or not."""
        return []

    def observe_move(self, game: Any, state: State, move: Move) -> list[Fact]:
        """Return what anyone can see of a move, solved or not."""
        return []

    def ending(self, game: Any, state: State) -> list[Fact]:
        """Return by which rule a game ended."""
        return []

    def line(
        self,
        game: Any,
        solution: Any,
        state: State,
        value: Value | None,
        first: Move | None = None,
    ) -> Fact | None:
        """Return best play on both sides, after a `first` move if there is one."""
        return _line(game, solution, state, value, first)
