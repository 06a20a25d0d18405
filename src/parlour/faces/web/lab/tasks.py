"""The lab's tasks for the workers: study a position, solve neighbouring variants, make an atlas."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from parlour import core
from parlour.core import Game, ParlourError, Solution, State, Unsolved, Work, title, values
from parlour.drawing import svg
from parlour.engine import refuse_empties
from parlour.faces.web import forms
from parlour.faces.web.workers import Payload, TaskFunction, game_of, state_of
from parlour.host.table import PUBLISHED
from parlour.players import Assessment, assess, explain, is_estimated, recover_estimate
from parlour.truth import describe_proof, is_drawn
from parlour.truth.variants import Atlas, draw_atlas, find_neighbours
from parlour.truth.variants import atlas as sweep_variants

SOLVING = 28.0  # seconds for a variant
ESTIMATING = 0.5  # seconds for the moves of a position that is too large to solve
NEIGHBOURS = 10.0  # seconds for all of them


def study(payload: Payload, work: Work) -> dict[str, Any]:
    """Find what a position and each of its moves are worth, why, and by which method."""
    game = game_of(payload)
    state = state_of(game, payload)
    seconds = ESTIMATING if is_estimated(game, state) else SOLVING
    assessed = assess(game, state, work=work, seconds=seconds)
    found = {**assessed.to_dict(), "method": "", "counts": None, "reasons": []}
    found |= {"published": "", "drawn_by": ""}
    if assessed.value is None or assessed.by:
        return found | _explain_estimate(game, state, assessed)
    found["reasons"] = list(explain(game, state, solution=assessed.solution).sentences)
    if assessed.solution is not None:
        found["method"] = assessed.solution.method
        if state == game.start():
            found["counts"] = _counts(assessed.solution)
    return found


def _explain_estimate(game: Any, state: State, assessed: Assessment) -> dict[str, Any]:
    """Explain an estimate, why the value is not exact, and what others have found."""
    if not is_estimated(game, state):
        return {}
    found: dict[str, Any] = {}
    if state == game.start():
        found["published"] = PUBLISHED.get((game.columns, game.rows), "")
        found["drawn_by"] = describe_proof() if is_drawn(game, state) else ""
    if estimate := recover_estimate(game, state, assessed):
        found["reasons"] = list(explain(game, state, estimate=estimate).sentences)
    if assessed.value is None or not assessed.value.exact:
        try:
            refuse_empties(game, state)
        except Unsolved as error:
            found["why_not"] = error.text
    return found


def _counts(solution: Solution) -> dict[str, int] | None:
    try:
        return solution.counts()
    except Unsolved:
        return None


def neighbours(payload: Payload, work: Work) -> list[dict[str, Any]]:
    """Find who wins each of the variants that differ in one option."""
    found = find_neighbours(game_of(payload), work=work, seconds=NEIGHBOURS)
    return [
        {
            "option": option,
            "value": core.plain(row.options[option]),
            "outcome": row.outcome,
            "plies": row.plies,
            "reason": row.reason,
            "stopped": row.stopped,
        }
        for option, rows in found.items()
        for row in rows
    ]


def atlas(payload: Payload, work: Work) -> dict[str, Any]:
    """Make the atlas of a game as a picture, a table and data, with one variant marked."""
    game = game_of(payload)
    try:
        found = sweep_variants(type(game), base=values(game), work=work)
    except Unsolved:
        raise
    except ParlourError:  # it is not among those of the atlas
        found = sweep_variants(type(game), work=work)
    found = _use_form_words(found, game)
    return {
        "base": found.base_name,
        "summary": found.summary(),
        "csv": found.to_csv(),
        "data": found.to_dict(),
        "svg": svg(draw_atlas(found)),
    }


def _use_form_words(found: Atlas, game: Game) -> Atlas:
    """Name the options and values of an atlas as the form does."""
    options = core.options_of(type(game)).values()
    base: Game = core.registry.build("games", type(game), dict(found.base.options))
    return replace(
        found,
        base_name=title(base),
        labels={each.name: forms.words(each.name) for each in options},
        words={each.name: forms.name_values(each) for each in options},
    )


TASKS: dict[str, TaskFunction] = {"atlas": atlas, "neighbours": neighbours, "study": study}
