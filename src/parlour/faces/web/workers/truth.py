"""Thoughts about the truth: who wins, in how many plies, and why."""

from __future__ import annotations

from typing import Any

from parlour.core import Game, Solution, State, TooLarge, Unsolved, Work, capital, plain
from parlour.faces.web.workers.payload import Payload, field, game_of, state_of
from parlour.players import Assessment, recover_estimate
from parlour.players import explain as reasons
from parlour.truth import is_solved_soon, solve_at, solve_once
from parlour.truth.explain import describe_value


def solve(payload: Payload, work: Work) -> dict[str, Any]:
    """The exact value of a position, its best moves, and how it was solved."""
    game = game_of(payload)
    state = state_of(game, payload)
    solution = _solution(game, state, work)
    value = solution.value(state)
    try:
        counts = solution.counts()
    except Unsolved:
        counts = None
    return {
        "outcome": value.outcome,
        "plies": value.plies,
        "method": solution.method,
        "counts": counts,
        "best": [game.write_move(move) for move in solution.best(state)],
        "sentence": capital(f"{describe_value(game, state, value)}."),
    }


def explain(payload: Payload, work: Work) -> dict[str, Any]:
    """Why a position is what it is; with a move, why that is right or wrong.

    Where it is only estimated, what was `known` of the moves before is what is told.
    """
    game = game_of(payload)
    state = state_of(game, payload)
    told_move = field(payload, "move", str, "")
    move = game.read_move(state, told_move) if told_move else None
    solution = None
    if game.moves(state):
        try:
            solution = _solution(game, state, work)
        except (TooLarge, Unsolved):  # the reasons say so themselves
            if work.stopped:
                raise
    known: dict[str, Any] = field(payload, "known", dict, {})
    estimate = recover_estimate(game, state, Assessment.from_dict(known)) if known else None
    told = reasons(game, state, move, solution=solution, estimate=estimate, work=work)
    facts = [{"kind": fact.kind, "data": plain(fact.data)} for fact in told.facts]
    return {"lines": list(told.sentences), "facts": facts}


def _solution(game: Game, state: State, work: Work) -> Solution:
    """A solution that covers the position; of a game that is soon solved it is remembered."""
    known = solve_once(game, work) if is_solved_soon(game) else None
    return solve_at(game, state, known, work=work)
