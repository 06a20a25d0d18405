"""Thoughts of the lab: all that is known of a position, what comes of changing one rule, and the
atlas of a game.
"""

from __future__ import annotations

from typing import Any

from parlour.core.drawing import svg
from parlour.core.errors import ParlourError
from parlour.core.game import Game, State
from parlour.core.options import plain, values
from parlour.core.work import Work
from parlour.faces.web.thoughts_payload import Payload, game_of, state_of
from parlour.faces.web.thoughts_worker import Thought
from parlour.host.who_wins import PUBLISHED
from parlour.players.assess import assess
from parlour.players.perfect import solved
from parlour.rules.othello import Othello
from parlour.truth import atlas as sweeps
from parlour.truth import reasons
from parlour.truth.atlas_image import picture
from parlour.truth.neighbours import neighbours as solve_neighbours
from parlour.truth.othello_end import refuse_empties
from parlour.truth.standing import solve_at
from parlour.truth.values import Solution, Unsolved

SOLVING = 28.0  # seconds for a variant
ESTIMATING = 1.0  # seconds for the moves of an Othello that is too large
NEIGHBOURS = 10.0  # seconds for all of them


def study(payload: Payload, work: Work) -> dict[str, Any]:
    """What a position and each of its moves are worth, why, and how that was found."""
    game = game_of(payload)
    state = state_of(game, payload)
    seconds = ESTIMATING if isinstance(game, Othello) else SOLVING
    assessed = assess(game, state, work=work, seconds=seconds)
    told = {**assessed.to_dict(), "method": "", "counts": None, "reasons": [], "published": ""}
    if assessed.value is None or not assessed.value.exact:
        return told | _unproven(game, state)
    solution = _solution(game, state, work) if game.moves(state) else None
    told["reasons"] = list(reasons.explain(game, state, solution=solution).sentences)
    if solution is not None:
        told["method"] = solution.method
        if state == game.start():
            told["counts"] = _counts(solution)
    return told


def _solution(game: Game, state: State, work: Work) -> Solution:
    """The solution by which the position was assessed, which is remembered."""
    known = None if isinstance(game, Othello) else solved(game, work)
    return solve_at(game, state, known, work=work)


def _unproven(game: Game, state: State) -> dict[str, str]:
    """Why an Othello is only estimated, and what others have found."""
    if not isinstance(game, Othello):
        return {}
    told = (
        {"published": PUBLISHED.get((game.columns, game.rows), "")} if state == game.start() else {}
    )
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
    return {
        "base": found.base_name,
        "summary": found.summary(),
        "csv": found.to_csv(),
        "data": found.to_json(),
        "svg": svg(picture(found)),
    }


THOUGHTS: dict[str, Thought] = {"atlas": atlas, "neighbours": neighbours, "study": study}
