"""Facts about any solved game, and the explanations made of them.

An explanation is a list of facts that a program can check, each with a sentence for people. A
sentence is made from the data of its fact and the names of the players alone, so what holds for
the facts holds for the words. `Explainer` reads who wins, the right moves and the line off the
solution, move by move; moves that lead to one key count as one, so two equal hands do not hide an
only move. A game with reasons of its own has an explainer that extends it, in a file of its own.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from parlour import boards, core
from parlour.core import OUTCOMES, Game, Move, Solution, State, TooLarge, Unsolved, Value, Work, say
from parlour.truth.explain.sentences import ANY_GAME, MAX_LISTED, Data, Sentences, Wording
from parlour.truth.solver import solve_at

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

    def only(self, kinds: Collection[str]) -> tuple[str, ...]:
        """Return the sentences for facts of these kinds."""
        pairs = zip(self.facts, self.sentences, strict=True)
        return tuple(text for fact, text in pairs if fact.kind in kinds)

    def without(self, kinds: Collection[str]) -> tuple[str, ...]:
        """Return the sentences for all facts but those of these kinds."""
        return self.only({fact.kind for fact in self.facts}.difference(kinds))

    def to_dict(self) -> Data:
        """Return the explanation as plain data."""
        facts = [{"kind": fact.kind, **fact.data} for fact in self.facts]
        return {"facts": facts, "sentences": list(self.sentences)}

    def _repr_html_(self) -> str:
        head, *rest = self.sentences or (say("There is nothing to say."),)
        return boards.cell(head, *map(boards.paragraph, rest))

    def to_json(self) -> str:
        """Return the explanation as one line of JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False)


def name_sides(game: Game, state: State) -> Data:
    """Return the names of the mover and of the other seat, as facts hold them."""
    seat = game.turn(state)
    return {"name": core.seat_name(game, seat), "other": core.seat_name(game, 1 - seat)}


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
            group = groups.setdefault(core.key(game, following), {"moves": [], "plies": plies})
            group["moves"].append(core.protocol.describe_move(game, state, move))
    if value.outcome == "loss":  # then every move is proven to lose
        unproven = 0
    right = sorted(groups.values(), key=lambda group: group["plies"] or 0)
    every = sum(len(group["moves"]) for group in right) == len(moves)
    return {
        "name": core.seat_name(game, game.turn(state)),
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


class Explainer:
    """Explains any solved game; a game with reasons of its own overrides what differs."""

    sentences: ClassVar[Sentences] = ANY_GAME

    def explain(
        self,
        game: Any,
        state: State,
        move: Move | None = None,
        *,
        solution: Solution | None = None,
        estimate: Any = None,
        work: Work | None = None,
        wording: Wording | None = None,
    ) -> Explanation:
        """Explain a position, or a move in it; an `estimate` serves where nothing is proven."""
        following = None if move is None else game.play(state, move)
        if game.result(state) is not None:
            facts = self.explain_end(game, state)
        else:
            try:
                found = solve_at(game, state, solution, work=work)
                value = found.value(state)
            except (Unsolved, TooLarge) as error:
                facts = self.explain_unsolved(game, state, move, error.text, estimate)
            else:
                if move is None:
                    facts = self.explain_position(game, found, state, value)
                else:
                    facts = self.explain_move(game, found, state, move, value)
            if following is not None and game.result(following) is not None:
                facts += self.explain_end(game, following)
        wording = wording or Wording()
        return Explanation(tuple(facts), tuple(self.phrase(each, wording) for each in facts))

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
        text, following = core.protocol.describe_move(game, state, move), game.play(state, move)
        right = right_moves(game, solution, state, value)
        now = value_move(solution, state, move)
        verdict = _verdict(value, now)
        group = right["right"][0]["moves"] if right["only"] else []
        swing = fact(
            "swing",
            name=core.seat_name(game, game.turn(state)),
            move=text,
            before=_to_data(value),
            after=_to_data(now),
            verdict=verdict,
            only=text in group,
            alike=[move for move in group if move != text and text in group],
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
            text = core.protocol.describe_move(game, state, move)
            leads = fact("unjudged", move=text, to=game.write(following))
            return [unsolved, leads, *seen]
        moves = game.moves(state)
        some = (moves[i] for i in range(min(len(moves), MAX_LISTED + 1)))
        texts = [core.protocol.describe_move(game, state, move) for move in some]
        name = core.seat_name(game, game.turn(state))
        legal = fact("legal", name=name, legal=len(moves), moves=texts)
        return [unsolved, *self.observe(game, state), legal]

    def explain_end(self, game: Any, state: State) -> list[Fact]:
        """Return who won an ended game, and by which rule."""
        result = game.result(state) or ()
        winners = [core.seat_name(game, seat) for seat, payoff in enumerate(result) if payoff > 0]
        ended = fact("ended", result=list(result), winners=winners, drawn=not any(result))
        return [ended, *self.ending(game, state)]

    # What games override

    def phrase(self, each: Fact, wording: Wording) -> str:
        """Return a fact as a sentence."""
        return core.capital(self.sentences[each.kind](wording, **each.data))

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
        self, game: Any, solution: Any, state: State, value: Value | None, first: Move | None = None
    ) -> list[Fact]:
        """Return best play on both sides: the winner hurries, the loser delays, a draw goes round.

        A `first` move is played whatever its value, which `value` then is. A win without a distance
        has a line only where it reaches the end.
        """
        if value is None:
            return []
        name, drawn = core.seat_name(game, game.turn(state)), value.outcome == "draw"
        seen: dict[Any, int] = {}
        texts: list[str] = []
        back_to = None
        while back_to is None and game.moves(state) and len(texts) < MAX_LINE:
            seen[game.turn(state), core.key(game, state)] = len(texts)
            moves = (first,) if first is not None and not texts else _best_moves(solution, state)
            if not moves:
                break
            ways = [(move, game.play(state, move)) for move in moves]
            if drawn:
                back = [way for way in ways if (game.turn(way[1]), core.key(game, way[1])) in seen]
                ways = back or ways
            texts.append(core.protocol.describe_move(game, state, ways[0][0]))
            state = ways[0][1]
            if drawn:
                back_to = seen.get((game.turn(state), core.key(game, state)))
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
