"""A review as the beginning of a study: the moves, each mistake with its cost, and what was better.

The better move is a variation of its own, marked as right, so that one question before it makes a
lesson of one's own mistake.
"""

from __future__ import annotations

from parlour import boards
from parlour.core import sentence
from parlour.faces.web.review.service import Analysis
from parlour.faces.web.review.story import MAX_NAMED, name_verdict
from parlour.faces.web.texts import _, translate
from parlour.lessons import MAX_TITLE, Study, follow_moves
from parlour.players import MoveReview


def make_study(analysis: Analysis) -> Study:
    """Return the study of a reviewed line, as far as its moves are judged."""
    line = analysis.line
    named = [line.name(seat) for seat in range(line.game.seats)] if line.players else []
    title = " – ".join(named)[:MAX_TITLE]
    study = follow_moves(line.game, line.moves, title, line.position)
    for number, found in reversed([*enumerate(analysis.review(), start=1)]):
        if found is None or found.verdict != "mistake":
            continue
        study = study.change(number, comment=_tell(analysis, found))
        if found.best:  # added behind the line, so the numbers of earlier moves stay
            study, better = study.add(number - 1, found.best[0])
            study = study.change(better, right=True)
    return study


def _tell(analysis: Analysis, found: MoveReview) -> str:
    """Say what a move cost, and what was better."""
    game, state = analysis.line.game, analysis.line.states[found.number - 1]
    named = [translate(boards.name_move(move, game, state)) for move in found.best[:MAX_NAMED]]
    verdict = sentence(name_verdict(found))
    if not named:
        return verdict
    if len(named) == 1:
        return f"{verdict}\n{_('Best was %(moves)s.', moves=named[0])}"
    return f"{verdict}\n{_('Best were %(moves)s.', moves=', '.join(named))}"
