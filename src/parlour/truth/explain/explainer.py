"""Facts about any solved game, and the explanations made of them.

An explanation is a list of facts that a program can check, each with a sentence for people. A
sentence is phrased from the data of its fact and nothing else, so what holds for the facts holds
for the words. `Explainer` reads who wins, the right moves and the line off the solution, move by
move; moves that lead to one key count as one, so two equal hands do not hide an only move. A game
with reasons of its own has an explainer that extends it, in a file of its own.
"""

from __future__ import annotations

import json
import string
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
    all_of,
    capital,
    count,
    key,
    seat_name,
)

Data: TypeAlias = dict[str, Any]
Phrase: TypeAlias = str | Callable[[Data], str]  # a template for a fact's data, or a function of it

MAX_LISTED = 8  # nobody reads a sentence that lists more
MAX_TRIED = 40_000  # a Nim with more moves is too large for a table, and its best ones are known
MAX_LINE = 30


@dataclass(frozen=True)
class Fact:
    """One checkable statement; its data are plain numbers, texts, lists and dictionaries."""

    kind: str
    data: Data


def fact(kind: str, **data: Any) -> Fact:
    """Return the fact of this kind with these data."""
    return Fact(kind, data)


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
    return all_of([*texts[:MAX_LISTED], *(["others"] if len(texts) > MAX_LISTED else [])])


class Template(string.Formatter):
    """Fills `{name}`, `{discs:disc}` as `2 discs`, and a list `{moves}` as `a, b and c`.

    Of a list of dictionaries, `{squares:square}` joins what each holds under that key.
    """

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, list):
            return join_texts([each[format_spec] for each in value] if format_spec else value)
        return count(value, format_spec) if format_spec else str(value)


def _fill(phrase: Phrase, data: Data) -> str:
    return Template().vformat(phrase, (), data) if isinstance(phrase, str) else phrase(data)


def name_sides(game: Game, state: State) -> Data:
    """Return the names of the mover and of the other seat, as facts hold them."""
    seat = game.turn(state)
    return {"name": seat_name(game, seat), "other": seat_name(game, 1 - seat)}


def format_value(value: Data | None, article: str = "") -> str:
    """Return `win in 3` for a value as facts hold it."""
    if value is None:
        return "unproven"
    plain: str = value["outcome"]
    return f"{article}{plain}" + (f" in {value['plies']}" if value["plies"] is not None else "")


# What is read off a solution


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
    moves, best = game.moves(state), _best_moves(solution, state)
    known = set(best)
    groups: dict[Hashable, Data] = {}
    unproven = 0
    for move in moves if len(moves) <= MAX_TRIED else best:
        following = game.play(state, move)
        # A proof search for every single move would take minutes.
        at_hand = solution.is_proven(following)
        now = value_move(solution, state, move) if at_hand else None
        unproven += now is None and move not in known
        if _is_right(now, value, is_best=move in known):
            plies = now.plies if now else None
            group = groups.setdefault(key(game, following), {"moves": [], "plies": plies})
            group["moves"].append(game.write_move(move))
    if value.outcome == "loss":  # then every move is proven to lose
        unproven = 0
    right = sorted(groups.values(), key=lambda group: group["plies"] or 0)
    every = sum(len(group["moves"]) for group in right) == len(moves)
    return {
        "name": seat_name(game, game.turn(state)),
        "outcome": value.outcome,
        "plies": value.plies,
        "legal": len(moves),
        "right": right,
        "situations": len(right),
        "unproven": unproven,
        "every": every,
        "only": len(right) == 1 and not every and not unproven and value.outcome != "loss",
    }


def _is_right(now: Value | None, value: Value, *, is_best: bool) -> bool:
    """Return whether a move that leads to the value `now` keeps `value`."""
    if now is None:
        return value.outcome != "loss" and is_best
    if value.outcome == "loss":  # without distances all moves lose alike
        return value.plies is not None and now.plies == value.plies
    return now.outcome == value.outcome


def _verdict(before: Value, now: Value | None) -> str:
    """Return `best`, `slower` (a win), `sooner` (a loss), `mistake`, or `unproven`."""
    if now is None:
        return "unproven"
    if OUTCOMES.index(now.outcome) < OUTCOMES.index(before.outcome):
        return "mistake"
    if None in (before.plies, now.plies) or before.plies == now.plies:
        return "best"
    return "slower" if now.outcome == "win" else "sooner"


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


def _join_groups(groups: Sequence[Data], *, distances: bool = False) -> str:
    """Return `b1 (equivalent to a2 and d3) in 3, b2 in 5`."""
    texts = []
    for group in groups:
        text, *others = group["moves"]
        equivalent = f" (equivalent to {join_texts(others)})" if others else ""
        known = distances and group["plies"] is not None
        texts.append(f"{text}{equivalent}" + (f" in {group['plies']}" if known else ""))
    return join_texts(texts)


def _phrase_right(data: Data) -> str:
    right, outcome = data["right"], data["outcome"]
    if data["every"] and len(right) == 1:
        return f"There is only this move: {_join_groups(right)}."
    if outcome == "loss":
        if data["every"] or not right:
            return "Every move loses" + (" equally soon." if right else ".")
        holds = "holds" if len(right) == 1 else "hold"
        return f"Every move loses; {_join_groups(right)} {holds} out longest."
    one, many = {"win": ("wins", "win"), "draw": ("holds the draw", "hold the draw")}[outcome]
    if data["unproven"]:
        return f"Proven to {many}: {_join_groups(right)}. The others are not proven."
    if data["only"]:
        return f"Only one move {one}: {_join_groups(right)}."
    if data["every"] and outcome == "draw":
        return "Every move holds the draw."
    moves = _join_groups(right, distances=True)
    which = f"Every move {one}" if data["every"] else f"{data['situations']} moves {many}"
    return f"{which}: {moves}."


def _phrase_line(data: Data) -> str:
    moves = ", ".join(data["moves"])
    if data["outcome"] == "draw":
        if data["back_to"] is None:
            return f"Best play on both sides, {count_plies(data['shown'])} to the draw: {moves}."
        after = (
            f"the situation after ply {data['back_to']}" if data["back_to"] else "this situation"
        )
        return f"Both can go round for ever: {moves}, and {after} is back."
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
            return f"Unproven: {move} gives up {format_value(before, 'a ')} that is proven."
        case "slower":
            return f"Slower: {move} still wins, but in {now['plies']} instead of {before['plies']}."
        case "sooner":
            return f"Sooner: {move} loses in {now['plies']} instead of {before['plies']}."
    if before["outcome"] == "loss":
        longest = ""
        if before["plies"] is not None:
            longest = f", and none lasts longer than {count_plies(before['plies'])}"
        return f"Nothing wrong with {move}: every move loses{longest}."
    only = ", and it is the only move that does" if data["only"] else ""
    return f"Right: {move} keeps the {format_value(before)}{only}."


def _phrase_better(data: Data) -> str:
    value = data["value"]
    why = f"keep the {format_value(value)}"
    if value["outcome"] == "loss":
        why = f"hold out for {count_plies(value['plies'])}"
    return f"Better: {_join_groups(data['right'])}, to {why}."


def _phrase_reply(data: Data) -> str:
    one, many = "punishes it", "punish it"
    if data["outcome"] == "draw":
        one, many = "saves the draw", "save the draw"
    moves = _join_groups(data["right"])
    if data["only"]:
        return f"Only one reply {one}: {moves}."
    return f"Replies that {many}: {moves}." if data["situations"] > 1 else f"What {one}: {moves}."


def _phrase_ended(data: Data) -> str:
    if data["winners"]:
        return f"The game is over: {join_texts(data['winners'])} won."
    return "The game is over: a draw." if data["drawn"] else "The game is over: nobody won."


PHRASES: dict[str, Phrase] = {
    "value": _phrase_value,
    "right": _phrase_right,
    "line": _phrase_line,
    "swing": _phrase_swing,
    "better": _phrase_better,
    "reply": _phrase_reply,
    "ended": _phrase_ended,
    "unsolved": "No exact value is known here: {reason}.",
    "legal": "{name} has {legal:legal move}: {moves}.",
    "unjudged": "Whether {move} was right is not proven either way.",
}


class Explainer:
    """Explains any solved game; a game with reasons of its own overrides what differs."""

    phrases: ClassVar[Mapping[str, Phrase]] = {}  # of the kinds of facts that this game adds

    def explain_position(
        self, game: Any, solution: Solution, state: State, value: Value
    ) -> list[Fact]:
        """Return why a position is won, lost or drawn."""
        return [
            self.value(game, solution, state, value),
            *self.reasons(game, solution, state, value),
            Fact("right", right_moves(game, solution, state, value)),
            *self.line(game, solution, state, value),
        ]

    def explain_move(
        self, game: Any, solution: Solution, state: State, move: Move, value: Value
    ) -> list[Fact]:
        """Return why a move is right or wrong; distances are counted from before it."""
        text, following = game.write_move(move), game.play(state, move)
        right = right_moves(game, solution, state, value)
        now = value_move(solution, state, move)
        verdict = _verdict(value, now)
        swing = fact(
            "swing",
            name=seat_name(game, game.turn(state)),
            move=text,
            before=_to_data(value),
            after=_to_data(now),
            verdict=verdict,
            only=right["only"] and text in right["right"][0]["moves"],
        )
        facts = [swing, *self.move_reasons(game, solution, state, move)]
        if verdict != "best":
            full = [g for g in right["right"] if value.plies is None or g["plies"] == value.plies]
            facts.append(fact("better", right=full, value=_to_data(value)))
        if not game.moves(following):
            return facts
        if verdict == "mistake" and game.turn(following) != game.turn(state):
            reply = right_moves(game, solution, following, solution.value(following))
            facts.append(Fact("reply", reply))
        return [*facts, *self.line(game, solution, state, now, first=move)]

    def explain_unsolved(
        self, game: Any, state: State, move: Move | None, reason: str, estimate: Any
    ) -> list[Fact]:
        """Return what can be said without an exact value; a move that ends the game needs none."""
        unsolved = fact("unsolved", reason=reason)
        if move is not None:
            seen = self.observe_move(game, state, move)
            following = game.play(state, move)
            if game.result(following) is not None:
                return seen
            leads = fact("unjudged", move=game.write_move(move), to=game.write(following))
            return [unsolved, leads, *seen]
        moves = game.moves(state)
        texts = [game.write_move(moves[i]) for i in range(min(len(moves), MAX_LISTED + 1))]
        name = seat_name(game, game.turn(state))
        legal = fact("legal", name=name, legal=len(moves), moves=texts)
        return [unsolved, *self.observe(game, state), legal]

    def explain_end(self, game: Any, state: State) -> list[Fact]:
        """Return who won an ended game, and by which rule."""
        result = game.result(state) or ()
        winners = [seat_name(game, seat) for seat, payoff in enumerate(result) if payoff > 0]
        ended = fact("ended", result=list(result), winners=winners, drawn=not any(result))
        return [ended, *self.ending(game, state)]

    def phrase(self, facts: Sequence[Fact]) -> Explanation:
        """Return the facts with a sentence for each."""
        phrases = {**PHRASES, **self.phrases}
        sentences = (capital(_fill(phrases[each.kind], each.data)) for each in facts)
        return Explanation(tuple(facts), tuple(sentences))

    # What games override

    def value(self, game: Any, solution: Any, state: State, value: Value) -> Fact:
        """Return who wins, and in how many plies."""
        names = {"seat": game.turn(state), **name_sides(game, state)}
        return fact("value", **names, outcome=value.outcome, plies=value.plies)

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
    ) -> list[Fact]:
        """Return best play on both sides: the winner hurries, the loser delays, a draw goes round.

        A `first` move is played whatever its value, which `value` then is. A win without a distance
        has a line only where it reaches the end.
        """
        if value is None:
            return []
        name, drawn = seat_name(game, game.turn(state)), value.outcome == "draw"
        seen: dict[Any, int] = {}
        texts: list[str] = []
        back_to = None
        while back_to is None and game.moves(state) and len(texts) < MAX_LINE:
            seen[game.turn(state), key(game, state)] = len(texts)
            moves = (first,) if first is not None and not texts else _best_moves(solution, state)
            if not moves:
                break
            ways = [(move, game.play(state, move)) for move in moves]
            if drawn:
                back = [way for way in ways if (game.turn(way[1]), key(game, way[1])) in seen]
                ways = back or ways
            move, state = ways[0]
            texts.append(game.write_move(move))
            if drawn:
                back_to = seen.get((game.turn(state), key(game, state)))
        result = game.result(state)
        if not texts or (value.plies is None and result is None and back_to is None):
            return []
        line = fact(
            "line",
            name=name,
            outcome=value.outcome,
            plies=value.plies,
            moves=texts,
            shown=len(texts),
            ends=result is not None,
            result=None if result is None else list(result),
            back_to=back_to,
        )
        return [line]
