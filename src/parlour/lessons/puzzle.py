"""A puzzle: a position, the moves that keep its value, how hard they are to find, and an answer.

Every move that keeps the value is a right answer, however many there are; the others are wrong, and
the exact values say so. Puzzles are known by the situation, so that two positions that come to the
same by symmetry are one puzzle.

The level says how hard a puzzle is before anybody has tried it. A wrong move that loses at once is
no temptation, so only those count whose punishment lies further ahead than a beginner looks; the
further ahead it lies, and the further the goal itself, the harder the puzzle.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, field

from parlour.core import Game, Move, Solution, State, Work, describe, key, one_of, say
from parlour.engine import EndSolution
from parlour.players import explain
from parlour.truth import solve_at

SEEN = 2  # plies that a beginner looks ahead
LEVELS = (say("very easy"), say("easy"), say("medium"), say("hard"), say("very hard"))
STEPS = (3.0, 4.5, 6.0, 7.5)  # difficulties at which the next level begins
MAX_LINE = 12  # plies of a refutation that are shown
GIVEAWAYS = frozenset({"better", "missed-win"})  # facts that tell the answer


@dataclass(frozen=True)
class Puzzle:
    """A position to solve; moves are in the order in which the game lists them."""

    game: Game
    state: State
    right: tuple[Move, ...]
    wrong: tuple[Move, ...]
    outcome: str  # for the mover, with a right move: "win" or "draw", or "loss" where discs count
    plies: int | None  # to the end, when both play their best; squares left where discs count
    traps: tuple[int | None, ...]  # of each wrong move, the plies until it has lost; None: never
    solution: Solution = field(repr=False, compare=False)  # it covers the position
    discs: int | None = None  # the lead at the end with a right move, where discs count

    @property
    def id(self) -> str:
        """A name that the same puzzle has everywhere, also turned and mirrored."""
        situation = f"{describe(self.game)} {key(self.game, self.state)!r}"
        return hashlib.sha256(situation.encode()).hexdigest()[:12]

    @property
    def temptations(self) -> int:
        """How many wrong moves are not punished within sight."""
        return sum(trap is None or trap > SEEN for trap in self.traps)

    @property
    def difficulty(self) -> float:
        """How hard it is to find a right move, by what the exact values tell."""
        depths = [self.plies or SEEN] + [trap or SEEN for trap in self.traps]
        ahead = math.log2(1 + self.plies) if self.plies else 2.0
        hidden = math.log2(1 + max(depths[1:], default=0))
        choice = math.log2(1 + self.temptations / len(self.right))
        return ahead + hidden / 2 + choice

    @property
    def level(self) -> int:
        """How hard it is, from 1 to 5; `LEVELS` has a word for each."""
        return 1 + sum(self.difficulty >= step for step in STEPS)

    @property
    def goal(self) -> str:
        """What is asked for, as a sentence."""
        if self.discs is not None:
            return say("Find the move that ends with the most discs.")
        if self.outcome == "win":
            return say("Find a move that wins against any reply.")
        return say("Find a move that does not lose.")

    def read_answer(self, text: str) -> Move:
        """Return the move that somebody typed; `ParlourError` says what is wrong with it."""
        return self.game.read_move(self.state, text)


# What becomes of an answer


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
    solution = solve_at(game, state, puzzle.solution, work=work)
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
        line.append(best_reply(solution, after))
        after = game.play(after, line[-1])
    return AnswerVerdict(is_right, sentences, answer, tuple(line), tells_line)


def best_reply(solution: Solution, state: State) -> Move:
    """Return a best move; where discs count, one that keeps them all."""
    if isinstance(solution, EndSolution):
        return solution.most_discs(state)[0]
    return solution.best(state)[0]


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
