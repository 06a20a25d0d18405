"""Why a position is what it is, and why a move was right or wrong: `explain(game, state)`.

What holds for every solved game is told first and last, the value and the line; between them stands
the reason that only this game has, chosen by its class. Where nothing exact is known, that is said.
"""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from parlour.core import Game, Move, Solution, State, TooLarge, Unsolved, Value, seat_name
from parlour.engine import EndSolution
from parlour.rules import Chopsticks, Nim, Othello, Sticks, TicTacToe
from parlour.truth.explain.chopsticks import (
    CHOPSTICKS_TELLERS,
    chopsticks_facts,
    how_chopsticks_ended,
)
from parlour.truth.explain.endings import ENDINGS_TELLERS, endings_after, endings_facts
from parlour.truth.explain.facts import MOST_LISTED, Explanation, Fact, told
from parlour.truth.explain.nim import (
    NIM_TELLERS,
    how_nim_ended,
    nim_after,
    nim_facts,
    sticks_after,
    sticks_facts,
)
from parlour.truth.explain.othello import (
    OTHELLO_TELLERS,
    Estimate,
    estimate_facts,
    expected,
    margin_after,
    margin_facts,
    margin_line,
    margin_value,
    othello_after,
    othello_chances,
    othello_facts,
    othello_leaves,
)
from parlour.truth.explain.solved import PLAY_TELLERS, better, line, right_moves, swing, value_fact
from parlour.truth.explain.tictactoe import (
    TICTACTOE_TELLERS,
    how_tictactoe_ended,
    tictactoe_after,
    tictactoe_facts,
)
from parlour.truth.solver import solve_at

__all__ = ["Estimate", "Explanation", "explain"]

TELLERS = {
    **PLAY_TELLERS,
    **NIM_TELLERS,
    **ENDINGS_TELLERS,
    **CHOPSTICKS_TELLERS,
    **OTHELLO_TELLERS,
    **TICTACTOE_TELLERS,
}


def explain(
    game: Game,
    state: State,
    move: Move | None = None,
    *,
    solution: Solution | None = None,
    estimate: Estimate | None = None,
) -> Explanation:
    """Why a position is won, lost or drawn; with a move, why that is right or wrong.

    A `solution` that is at hand saves solving the game again. An illegal move raises `IllegalMove`.
    Where loops are barred, a move off the proof is searched first, which its `work` can stop. An
    `estimate` of an Othello is told where nothing is proven.
    """
    following = None if move is None else game.play(state, move)
    if game.result(state) is not None:
        return told(_ended(game, state), TELLERS)
    try:
        found = solve_at(game, state, solution)
        value = found.value(state)
    except (Unsolved, TooLarge) as trouble:
        facts = _unsolved(game, state, move, str(trouble).rstrip("."), estimate)
    else:
        if move is None:
            facts = _position(game, found, state, value)
        else:
            facts = _move(game, found, state, move, value)
    if following is not None and game.result(following) is not None:
        facts += _ended(game, following)
    return told(facts, TELLERS)


def _position(game: Game, solution: Solution, state: State, value: Value) -> list[Fact]:
    facts = [_value(game, solution, state, value), *_why(game, solution, state, value)]
    facts.append(Fact("right", right_moves(game, solution, state, value)))
    forced = _line(game, solution, state, value)
    return [*facts, forced] if forced else facts


def _move(game: Game, solution: Solution, state: State, move: Move, value: Value) -> list[Fact]:
    right = right_moves(game, solution, state, value)
    judged = swing(game, solution, state, move, value, right)
    facts = [judged, *_what_it_left(game, solution, state, move)]
    if judged.data["verdict"] != "best":
        facts.append(better(right))
    now = judged.data["after"]
    following = game.play(state, move)
    answered = game.moves(following) and game.turn(following) != game.turn(state)
    if judged.data["verdict"] == "mistake" and answered:
        reply = right_moves(game, solution, following, solution.value(following))
        facts.append(Fact("reply", reply))
    forced = _line(game, solution, state, now and Value(**now), first=move)
    return [*facts, forced] if forced and game.moves(following) else facts


def _value(game: Game, solution: Solution, state: State, value: Value) -> Fact:
    """Who wins, and how soon; in Othello by how much, where it is not known how soon."""
    if isinstance(solution, EndSolution) and not solution.is_timed(state):
        return margin_value(solution.othello, solution, state)
    return value_fact(game, state, value)


def _line(
    game: Game, solution: Solution, state: State, value: Value | None, first: Move | None = None
) -> Fact | None:
    """Best play on both sides; in Othello for discs, where it is not known how soon it ends."""
    if isinstance(solution, EndSolution) and not solution.is_timed(state):
        return margin_line(solution.othello, solution, state, first)
    return line(game, solution, state, value, first)


def _unsolved(
    game: Game, state: State, move: Move | None, reason: str, estimate: Estimate | None
) -> list[Fact]:
    """What can be said without an exact value; a move that ends the game needs none."""
    seen = _seen(game, state) if move is None else _seen_after(game, state, move)
    if move is not None and game.result(game.play(state, move)) is not None:
        return seen
    if estimate is not None and isinstance(game, Othello):
        told = estimate_facts(game, state, move, estimate, reason)
        return [*told, *seen, *expected(game, estimate, move)]
    facts = [Fact("unsolved", {"reason": reason})]
    if move is not None:
        leads = {"move": game.write_move(move), "to": game.write(game.play(state, move))}
        return [*facts, Fact("unjudged", leads), *seen]
    moves = game.moves(state)
    shown = [game.write_move(moves[i]) for i in range(min(len(moves), MOST_LISTED + 1))]
    name = seat_name(game, game.turn(state))
    legal = Fact("legal", {"name": name, "legal": len(moves), "moves": shown})
    return [*facts, *seen, legal]


def _ended(game: Game, state: State) -> list[Fact]:
    """Who won, and by which rule."""
    result = game.result(state) or ()
    winners = [seat_name(game, seat) for seat, payoff in enumerate(result) if payoff > 0]
    data = {"result": list(result), "winners": winners, "drawn": not any(result)}
    return [Fact("ended", data), *_how_it_ended(game, state)]


# The reasons that only one game has


@singledispatch
def _why(game: Any, solution: Solution, state: State, value: Value) -> list[Fact]:
    """Why a position has its value; by default, what can be seen on the board."""
    return _seen(game, state)


@_why.register
def _(game: Nim, solution: Solution, state: State, value: Value) -> list[Fact]:
    if game.endings:
        return endings_facts(game, solution, state, value)
    return nim_facts(game, state)


@_why.register
def _(game: Sticks, solution: Solution, state: State, value: Value) -> list[Fact]:
    return sticks_facts(game, state)


@_why.register
def _(game: Chopsticks, solution: Solution, state: State, value: Value) -> list[Fact]:
    return chopsticks_facts(game, solution)


@_why.register
def _(game: Othello, solution: Solution, state: State, value: Value) -> list[Fact]:
    seen = othello_facts(game, state)
    if isinstance(solution, EndSolution):
        return seen + margin_facts(game, solution, state)
    return seen


@singledispatch
def _seen(game: Any, state: State) -> list[Fact]:
    """What anyone can see on the board, solved or not."""
    return []


@_seen.register
def _(game: TicTacToe, state: State) -> list[Fact]:
    return tictactoe_facts(game, state)


@_seen.register
def _(game: Othello, state: State) -> list[Fact]:
    return othello_facts(game, state) + othello_chances(game, state)


@singledispatch
def _what_it_left(game: Any, solution: Solution, state: State, move: Move) -> list[Fact]:
    """Why a move is right or wrong; by default, what can be seen of it."""
    return _seen_after(game, state, move)


@_what_it_left.register
def _(game: Nim, solution: Solution, state: State, move: Move) -> list[Fact]:
    if game.endings:
        return endings_after(game, solution, state, move)
    return nim_after(game, state, move)


@_what_it_left.register
def _(game: Sticks, solution: Solution, state: State, move: Move) -> list[Fact]:
    return sticks_after(game, state, move)


@_what_it_left.register
def _(game: Othello, solution: Solution, state: State, move: Move) -> list[Fact]:
    seen = othello_after(game, state, move)
    if isinstance(solution, EndSolution):
        return seen + margin_after(game, solution, state, move)
    return seen


@singledispatch
def _seen_after(game: Any, state: State, move: Move) -> list[Fact]:
    """What anyone can see of a move, solved or not."""
    return []


@_seen_after.register
def _(game: TicTacToe, state: State, move: Move) -> list[Fact]:
    return tictactoe_after(game, state, move)


@_seen_after.register
def _(game: Othello, state: State, move: Move) -> list[Fact]:
    return othello_after(game, state, move) + othello_leaves(game, state, move)


@singledispatch
def _how_it_ended(game: Any, state: State) -> list[Fact]:
    """By which rule a game ended."""
    return []


@_how_it_ended.register(Nim)
@_how_it_ended.register(Sticks)
def _(game: Nim | Sticks, state: State) -> list[Fact]:
    return how_nim_ended(game, state)


@_how_it_ended.register
def _(game: Chopsticks, state: State) -> list[Fact]:
    return how_chopsticks_ended(game, state)


@_how_it_ended.register
def _(game: TicTacToe, state: State) -> list[Fact]:
    return how_tictactoe_ended(game, state)


@_how_it_ended.register
def _(game: Othello, state: State) -> list[Fact]:
    return othello_facts(game, state)
