"""The task of the workers for classes: the truth about a position and about what was answered."""

from __future__ import annotations

from typing import Any

from parlour.core import Game, ParlourError, State, Work, sentence
from parlour.faces.web.workers import Payload, TaskFunction, game_of, state_of
from parlour.lessons import Puzzle, judge_answer, make_puzzle
from parlour.players import Assessment, assess, explain, is_estimated, recover_estimate

SOLVING = 15.0  # seconds for a position that can be proven
ESTIMATING = 2.0  # seconds for one that cannot
RIGHT, WRONG = "right", "wrong"


def tell_truth(payload: Payload, work: Work) -> dict[str, Any]:
    """Find what a position and each of its moves are worth and why, and judge the answers.

    Every move that keeps the value is right. Where all do, or where nothing is proven, no answer is
    called right or wrong.
    """
    game = game_of(payload)
    state = state_of(game, payload)
    seconds = ESTIMATING if is_estimated(game, state) else SOLVING
    assessed = assess(game, state, work=work, seconds=seconds)
    proven = assessed.value is not None and assessed.value.exact
    puzzle = _find_puzzle(game, state, assessed, work)
    return {
        **assessed.to_dict(),
        "source": assessed.source,
        "proven": proven,
        "reasons": _explain_position(game, state, assessed, work),
        "right": [game.write_move(move) for move in puzzle.right] if puzzle else [],
        "answers": {
            text: _judge(puzzle, text, work) for text in payload["answers"] if proven and puzzle
        },
    }


def _find_puzzle(game: Game, state: State, assessed: Assessment, work: Work) -> Puzzle | None:
    if assessed.solution is None:  # estimated, or proven by the engine, which tells no more
        return None
    try:
        return make_puzzle(game, state, solution=assessed.solution, work=work)
    except ParlourError:  # not every move is proven
        return None


def _explain_position(game: Game, state: State, assessed: Assessment, work: Work) -> list[str]:
    if assessed.value is None:
        return [sentence(assessed.why_not)]
    estimate = recover_estimate(game, state, assessed) if assessed.by else None
    solution = assessed.solution
    why = explain(game, state, solution=solution, estimate=estimate, work=work)
    return list(why.sentences)


def _judge(puzzle: Puzzle, text: str, work: Work) -> dict[str, Any]:
    """Judge one answer: whether it is right, why, and how the game would go on."""
    game = puzzle.game
    judged = judge_answer(puzzle, game.read_move(puzzle.state, text), work=work)
    return {
        "verdict": RIGHT if judged.is_right else WRONG,
        "sentences": list(judged.sentences),
        "tells_line": judged.tells_line,
        "line": [game.write_move(each) for each in judged.line],
    }


TASKS: dict[str, TaskFunction] = {"classes-truth": tell_truth}
