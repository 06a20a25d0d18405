"""The tasks of the workers for puzzles: find some, make them from a game, and judge an answer."""

from __future__ import annotations

import random
from typing import Any

from parlour import lessons
from parlour.core import ParlourError, Work, say
from parlour.faces.web.workers import Payload, TaskFunction, game_of, state_of
from parlour.lessons import Puzzle, find_puzzles, judge_answer, make_puzzle


def find(payload: Payload, work: Work) -> list[dict[str, Any]]:
    """Find puzzles of a variant."""
    game = game_of(payload)
    games = None
    if payload["archive"]:  # whose endings are those that people came to
        games = lessons.Archive(payload["archive"]).draw_lines(random.Random(payload["seed"]))
    found = find_puzzles(
        game,
        payload["number"],
        level=payload["level"],
        seed=payload["seed"],
        games=games,
        work=work,
    )
    return [_describe(puzzle) for puzzle in found]


def _describe(puzzle: Puzzle) -> dict[str, Any]:
    return {
        "id": puzzle.id,
        "position": puzzle.game.write(puzzle.state),
        "difficulty": puzzle.difficulty,
        "level": puzzle.level,
    }


def make_from_game(payload: Payload, work: Work) -> list[dict[str, Any]]:
    """Make a puzzle of every position in which one of these seats gave away value."""
    game = game_of(payload)
    state = game.read(payload["position"]) if payload.get("position") else game.start()
    found = []
    for text in payload["moves"]:
        move = game.read_move(state, text)
        if game.turn(state) in payload["seats"] and len(game.moves(state)) > 1:
            try:
                puzzle = make_puzzle(game, state, work=work)
            except ParlourError:  # too early in the game to be proven
                puzzle = None
            if puzzle is not None and move in puzzle.wrong:
                found.append(_describe(puzzle))
        if work.stopped:
            break
        state = game.play(state, move)
    return found


def judge(payload: Payload, work: Work) -> dict[str, Any]:
    """Judge an answer to a puzzle; without a move, tell the answer."""
    game = game_of(payload)
    state = state_of(game, payload)
    puzzle = make_puzzle(game, state, work=work)
    if puzzle is None:
        raise ParlourError(say("in this position any move will do, so it is no puzzle"))
    told = {
        "goal": puzzle.goal,
        "right": [game.write_move(move) for move in puzzle.right],
    }
    if not payload["move"]:
        return told
    move = game.read_move(state, payload["move"])
    verdict = judge_answer(puzzle, move, work=work)
    line = [game.write_move(each) for each in verdict.line]
    return told | {
        "is_right": verdict.is_right,
        "sentences": list(verdict.sentences),
        "tells_line": verdict.tells_line,
        "line": line,
    }


TASKS: dict[str, TaskFunction] = {
    "puzzles-find": find,
    "puzzles-from-game": make_from_game,
    "puzzles-judge": judge,
}
