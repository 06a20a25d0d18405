"""Thoughts of the lab: all that is known of a position, what comes of changing one rule, and the
atlas of a game.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from parlour.core import (
    Game,
    ParlourError,
    Solution,
    State,
    Unsolved,
    Work,
    plain,
    registry,
    title,
    values,
)
from parlour.drawing import svg
from parlour.engine import refuse_empties
from parlour.faces.web import forms
from parlour.faces.web.workers import Payload, Thought, game_of, state_of
from parlour.host.table import PUBLISHED
from parlour.players import Assessment, assess, estimate_of, explain
from parlour.rules import Othello
from parlour.truth import solve_at, solve_once
from parlour.truth.variants import (
    Atlas,
    draw_atlas,
)
from parlour.truth.variants import (
    find_neighbours as solve_neighbours,
)
from parlour.truth.variants import (
    sweep as sweeps,
)

SOLVING = 28.0  # seconds for a variant
ESTIMATING = 0.5  # seconds for the moves of an Othello that is too large
NEIGHBOURS = 10.0  # seconds for all of them


def study(payload: Payload, work: Work) -> dict[str, Any]:
    """What a position and each of its moves are worth, why, and how that was found."""
    game = game_of(payload)
    state = state_of(game, payload)
    seconds = ESTIMATING if isinstance(game, Othello) else SOLVING
    assessed = assess(game, state, work=work, seconds=seconds)
    told = {**assessed.to_dict(), "method": "", "counts": None, "reasons": [], "published": ""}
    if assessed.value is None or assessed.by:
        return told | _unsolved(game, state, assessed)
    solution = _solution(game, state, work) if game.moves(state) else None
    told["reasons"] = list(explain(game, state, solution=solution).sentences)
    if solution is not None:
        told["method"] = solution.method
        if state == game.start():
            told["counts"] = _counts(solution)
    return told


def _solution(game: Game, state: State, work: Work) -> Solution:
    """The solution by which the position was assessed, which is remembered."""
    known = None if isinstance(game, Othello) else solve_once(game, work)
    return solve_at(game, state, known, work=work)


def _unsolved(game: Game, state: State, assessed: Assessment) -> dict[str, Any]:
    """Why an Othello is only estimated, what the estimate says, and what others have found."""
    if not isinstance(game, Othello):
        return {}
    told: dict[str, Any] = {}
    if state == game.start():
        told["published"] = PUBLISHED.get((game.columns, game.rows), "")
    if estimate := estimate_of(game, state, assessed):
        told["reasons"] = list(explain(game, state, estimate=estimate).sentences)
    if assessed.value is None or not assessed.value.exact:
        try:
            refuse_empties(game, state)
        except Unsolved as refusal:
            return {**told, "why_not": str(refusal)}
    return told


def _counts(solution: Solution) -> dict[str, int] | None:
    try:
        return solution.counts()
    except Unsolved:
        return None


def neighbours(payload: Payload, work: Work) -> list[dict[str, Any]]:
    """The variants that differ in one option alone, each with who wins it."""
    found = solve_neighbours(game_of(payload), work=work, seconds=NEIGHBOURS)
    return [
        {
            "option": option,
            "value": plain(row.options[option]),
            "outcome": row.outcome,
            "plies": row.plies,
            "reason": row.reason,
        }
        for option, rows in found.items()
        for row in rows
    ]


def atlas(payload: Payload, work: Work) -> dict[str, Any]:
    """The usual sweep of a game as a picture, a table and data; the variant asked for is marked."""
    game = game_of(payload)
    try:
        found = sweeps.atlas(type(game), base=values(game), work=work)
    except Unsolved:
        raise
    except ParlourError:  # it is not among the usual ones
        found = sweeps.atlas(type(game), work=work)
    found = _as_forms_say(found, game)
    return {
        "base": found.base_name,
        "summary": found.summary(),
        "csv": found.to_csv(),
        "data": found.to_json(),
        "svg": svg(draw_atlas(found)),
    }


def _as_forms_say(found: Atlas, game: Game) -> Atlas:
    """The atlas with options and values called as in the form."""
    shown = forms.fields(game)
    base: Game = registry.made(type(game), game.name, dict(found.base.options))
    return replace(
        found,
        base_name=title(base),
        labels={field.name: field.label.lower() for field in shown},
        words={field.name: {v: w.lower() for v, w in field.choices} for field in shown},
    )


TASKS: dict[str, Thought] = {"atlas": atlas, "neighbours": neighbours, "study": study}
