"""What becomes of an answer: right, or refuted on the board, with the reason in words."""

from __future__ import annotations

from dataclasses import dataclass

from parlour.core import Move, State, Work, one_of, sentence
from parlour.engine import EndSolution
from parlour.lessons.puzzle import Puzzle
from parlour.players import explain
from parlour.truth import solve_at

MAX_LINE = 12  # plies of a refutation that are shown


GIVEAWAYS = ("Better: ", "A line could have been")  # begin sentences that tell the answer


@dataclass(frozen=True)
class AnswerVerdict:
    """Whether an answer is right, why, and how the game would go on against it."""

    is_right: bool
    sentences: tuple[str, ...]  # why, without the answer where it was wrong: one may try again
    answer: tuple[str, ...]  # the sentences that tell it
    line: tuple[Move, ...]  # from the answer on, with best play; it refutes a wrong one


def judge_answer(puzzle: Puzzle, move: Move, *, work: Work | None = None) -> AnswerVerdict:
    """Judge a legal move as the answer to a puzzle."""
    game, state = puzzle.game, puzzle.state
    solution = solve_at(game, state, puzzle.solution, work=work)
    is_right = move in puzzle.right
    if isinstance(solution, EndSolution):
        sentences = _compare_discs(puzzle, move, solution)
    else:
        why = explain(game, state, move, solution=solution, work=work)
        sentences = tuple(sentence(each) for each in why.sentences)
    line: list[Move] = [move]
    after: State = game.play(state, move)
    while len(line) < MAX_LINE and game.moves(after):
        if isinstance(solution, EndSolution):
            reply = max(game.moves(after), key=lambda each: solution.margin_after(after, each))
        else:
            reply = solution.best(after)[0]
        line.append(reply)
        after = game.play(after, reply)
    told = tuple(each for each in sentences if each.startswith(GIVEAWAYS))
    kept = tuple(each for each in sentences if each not in told)
    return AnswerVerdict(is_right, kept, told, tuple(line))


def _compare_discs(puzzle: Puzzle, move: Move, solution: EndSolution) -> tuple[str, ...]:
    """Say how the game ends after a move, and how it could have ended."""
    name, ends = puzzle.game.write_move(move), solution.margin_after(puzzle.state, move)
    if move in puzzle.right:
        return (f"Right: {name} ends {ends:+d} for you, and nothing ends better.",)
    best = one_of(puzzle.game.write_move(each) for each in puzzle.right)
    return (
        f"Wrong: {name} ends {ends:+d} for you with best play.",
        f"Better: {best}, which ends {puzzle.discs:+d}.",
    )
