"""What becomes of an answer: right, or refuted on the board, with the reason in words."""

from __future__ import annotations

from dataclasses import dataclass

from parlour.core import Move, State, Work, one_of, say
from parlour.engine import EndSolution
from parlour.lessons.puzzle import Puzzle
from parlour.players import explain
from parlour.truth import solve_at

MAX_LINE = 12  # plies of a refutation that are shown
GIVEAWAYS = frozenset({"better", "missed-win"})  # facts that tell the answer


@dataclass(frozen=True)
class AnswerVerdict:
    """Whether an answer is right, why, and how the game would go on against it."""

    is_right: bool
    sentences: tuple[str, ...]  # why, without the answer where it was wrong: one may try again
    answer: tuple[str, ...]  # the sentences that tell it
    line: tuple[Move, ...]  # from the answer on, with best play; it refutes a wrong one
    tells_line: bool  # whether the sentences say how it goes on


def judge_answer(puzzle: Puzzle, move: Move, *, work: Work | None = None) -> AnswerVerdict:
    """Judge a legal move as the answer to a puzzle."""
    game, state = puzzle.game, puzzle.state
    solution = solve_at(game, state, work=work)
    is_right = move in puzzle.right
    tells_line = False
    if isinstance(solution, EndSolution):
        sentences, answer = _compare_discs(puzzle, move, solution)
    else:
        why = explain(game, state, move, solution=solution, work=work)
        sentences, answer = why.without(GIVEAWAYS), why.only(GIVEAWAYS)
        tells_line = bool(why.only({"line"}))
    line: list[Move] = [move]
    after: State = game.play(state, move)
    while len(line) < MAX_LINE and game.moves(after):
        if isinstance(solution, EndSolution):
            reply = max(game.moves(after), key=lambda each: solution.margin_after(after, each))
        else:
            reply = solve_at(game, after, solution, work=work).best(after)[0]
        line.append(reply)
        after = game.play(after, reply)
    return AnswerVerdict(is_right, sentences, answer, tuple(line), tells_line)


def _compare_discs(
    puzzle: Puzzle, move: Move, solution: EndSolution
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Say how the game ends after a move, and how it could have ended."""
    name, ends = puzzle.game.write_move(move), solution.margin_after(puzzle.state, move)
    if move in puzzle.right:
        right = say(
            "Right: {name} ends {ends:+d} for you, and nothing ends better.", name=name, ends=ends
        )
        return (right,), ()
    best = one_of(puzzle.game.write_move(each) for each in puzzle.right)
    return (
        (say("Wrong: {name} ends {ends:+d} for you with best play.", name=name, ends=ends),),
        (say("Better: {best}, which ends {discs:+d}.", best=best, discs=puzzle.discs),),
    )
