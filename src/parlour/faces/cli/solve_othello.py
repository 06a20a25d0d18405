"""The command solve for Othello: the exact score of one position, or of every line of a file.

While it goes on a terminal shows the best estimate so far, and Ctrl-C leaves that. Scores that
follow a position, as in the files of test positions, are checked.
"""

from __future__ import annotations

import argparse
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeGuard

from parlour.core import BadText, Game, Unsolved, Work, capital, count, describe, seat_name, values
from parlour.engine import empties
from parlour.faces.cli.flags import Parser, position, show_json
from parlour.faces.cli.marks import mark
from parlour.faces.cli.othello import add_engine, bytes_given, engine, founded, signed
from parlour.faces.cli.progress import wait
from parlour.rules import COMPILED_SQUARES, Othello, OthelloState, Square

if TYPE_CHECKING:
    from functools import partial

    from parlour.engine import Analysis, OthelloEngine

SCORE = re.compile(r"\s*([a-z][0-9]{1,2}|pass|pa)\s*:\s*([+-]?[0-9]{1,3})\s*", re.IGNORECASE)
COMMENT = ("#", "%")  # what the lines of a file begin with that hold no position
LONG = 32  # empty squares; nobody should wait for the end with more


@dataclass(frozen=True)
class Task:
    """A position, and the scores of moves that were written after it."""

    state: OthelloState
    scores: Mapping[Square, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Answer:
    """What was found of a position: a thought of it, or of each of its moves."""

    task: Task
    score: float
    exact: bool
    thoughts: Sequence[Analysis]  # the best first; none where the game is over
    each: bool = False

    @property
    def right(self) -> bool | None:
        """Whether the scores that were written are those found, where both are known."""
        scores = self.task.scores
        if not scores or not self.exact:
            return None
        if not self.each:
            return self.score == max(scores.values())
        found = {thought.move: thought.score for thought in self.thoughts}
        return all(found.get(move) == score for move, score in scores.items())

    @property
    def nodes(self) -> int:
        return max((thought.nodes for thought in self.thoughts), default=0)

    @property
    def seconds(self) -> float:
        return sum(thought.seconds for thought in self.thoughts)

    @property
    def rate(self) -> float:
        """Positions looked at in a second."""
        return self.nodes / self.seconds if self.seconds else 0.0


# What was asked


def add_flags(parser: Parser) -> None:
    """The flags that only Othello has."""
    parser.epilog = (
        "Othello on up to 64 squares is solved to the disc. POSITION may be a file with a position "
        "on every line, or - for standard input; scores that follow one are checked."
    )
    parser.add_argument("--each", action="store_true", help="the score of every move")
    add_engine(parser)


def can_solve(game: Game, given: argparse.Namespace) -> TypeGuard[Othello]:
    """Whether the engine does it: proofs, and larger boards, are for the general way."""
    return (
        isinstance(game, Othello)
        and len(game.board.bits) <= COMPILED_SQUARES
        and given.certificate is None
    )


def solve(game: Othello, given: argparse.Namespace) -> int:
    """Solve what was given; the exit code is 1 where a score is not as it was written."""
    make_mind = engine(given, game)
    data = None if given.position is None else bytes_given(given.position)
    if data is None:
        task = Task(game.start()) if given.position is None else _read(game, given.position)
        return _solve_one(Solver(game, make_mind, given.each), task, json=given.json)
    tasks = _listed(game, data.decode("utf-8-sig", errors="replace"))
    return _solve_many(Solver(game, make_mind, given.each), tasks, json=given.json)


def _read(game: Othello, line: str) -> Task:
    text, *fields = line.split(";")
    state = position(game, text)
    scores = {}
    for found in filter(None, map(SCORE.fullmatch, fields)):
        scores[game.read_move(state, found[1])] = int(found[2])
    return Task(state, scores)


def _listed(game: Othello, text: str) -> list[Task]:
    tasks = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith(COMMENT):
            try:
                tasks.append(_read(game, line))
            except BadText as trouble:
                raise BadText(f"line {number}: {trouble}") from None
    if not tasks:
        raise BadText("there is no position in it; write one on every line")
    return tasks


# What is found


class Solver:
    """Solves positions with one mind, and keeps the last thoughts for whoever stops it."""

    def __init__(self, game: Othello, make_mind: partial[OthelloEngine], each: bool) -> None:
        self.game = game
        self.make_mind = make_mind
        self.each = each
        self.mind: OthelloEngine | None = None
        self.thoughts: list[Analysis] = []

    def solve(self, task: Task, doing: str) -> Answer:
        """The exact answer; after Ctrl-C what was thought until then, if anything."""
        self.thoughts = []
        if not self.game.moves(task.state):
            lead = self.game.score(task.state)
            return Answer(task, -lead if task.state[2] else lead, True, ())
        empty = empties(self.game, task.state)
        size = f"{empty} squares are empty, which may take for ever" if empty > LONG else ""
        try:
            wait(lambda work: self._think(task, work), doing=doing, size=size, so_far=self._so_far)
        except KeyboardInterrupt:
            if not self.thoughts:
                raise
        exact = all(thought.exact for thought in self.thoughts)
        return Answer(task, self.thoughts[0].score, exact, self.thoughts, self.each)

    def _think(self, task: Task, work: Work) -> None:
        if self.mind is None:
            self.mind = self.make_mind()
        if not self.each:
            self.thoughts = [self.mind.solve(task.state, work=work, on_progress=self._told)]
            return
        self._told_each(self.mind.analyse_moves(task.state, work=work, on_progress=self._told_each))
        if not all(thought.exact for thought in self.thoughts):
            raise Unsolved("stopped before every move was solved")

    def _told(self, thought: Analysis) -> None:
        self.thoughts = [thought]

    def _told_each(self, found: Mapping[Square, Analysis]) -> None:
        if any(thought.depth for thought in found.values()):
            self.thoughts = sorted(found.values(), key=lambda thought: -thought.score)

    def _so_far(self) -> str:
        if not self.thoughts:
            return "nothing known yet"
        best = self.thoughts[0]
        score = signed(best.score, exact=False)
        told = founded(False, best.depth, best.certainty)
        return f"{self.game.write_move(best.move)} {score}, {told}"


# How it is told


def _solve_one(solver: Solver, task: Task, *, json: bool) -> int:
    game = solver.game
    answer = solver.solve(task, f"solving {describe(game)}")
    if json:
        show_json({"game": game.name, "options": values(game), **_as_json(game, answer)})
        return _exit_code([answer])
    print(f"{describe(game)}: {game.write(task.state)}\n\n{game.draw(task.state)}\n")
    print(f"{_mark(answer)} {capital(_verdict(game, answer))}.")
    if not answer.thoughts:
        return _exit_code([answer])
    best = answer.thoughts[0]
    if not answer.exact:
        print(f"  Stopped: this is an estimate, {founded(False, best.depth, best.certainty)}.")
    if answer.each:
        for thought in answer.thoughts:
            score = signed(thought.score, exact=thought.exact)
            print(f"  {score:>5}  {_line(game, thought.line)}")
    else:
        print(f"  {_line(game, best.line)}")
    if answer.right is not None:
        print(f"  The scores given are {'right' if answer.right else 'not these'}.")
    print(f"\n{_effort(answer.nodes, answer.seconds)}")
    return _exit_code([answer])


def _solve_many(solver: Solver, tasks: Sequence[Task], *, json: bool) -> int:
    game, answers = solver.game, list[Answer]()
    if not json:
        print(
            f"{'no':>4} {'empty':>5} {'score':>6}  {'best':4} {'given':>6} "
            f"{'positions':>15} {'seconds':>9} {'million/s':>9}",
            flush=True,
        )
    for number, task in enumerate(tasks, start=1):
        try:
            answers.append(solver.solve(task, f"position {number} of {len(tasks)}"))
        except KeyboardInterrupt:
            break
        if not json:
            print(_row(game, number, answers[-1]), flush=True)
        if not answers[-1].exact:
            break
    if json:
        told = [_as_json(game, answer) for answer in answers]
        show_json({"game": game.name, "options": values(game), "positions": told})
    else:
        print(f"\n{_summary(answers, len(tasks))}")
    return _exit_code(answers) if len(answers) == len(tasks) else 130


def _exit_code(answers: Sequence[Answer]) -> int:
    if not all(answer.exact for answer in answers):
        return 130
    return 1 if any(answer.right is False for answer in answers) else 0


def _mark(answer: Answer) -> str:
    outcome = "win" if answer.score > 0 else "loss" if answer.score < 0 else "draw"
    return mark(outcome, exact=answer.exact)


def _verdict(game: Othello, answer: Answer) -> str:
    """`+38: player 1 (X) is to move and wins by 38 discs, whatever player 2 (O) does`"""
    turn = answer.task.state[2]
    mover, other = seat_name(game, turn), seat_name(game, 1 - turn)
    winner = mover if answer.score > 0 else other
    discs = f"{abs(answer.score):g} {'disc' if abs(answer.score) == 1 else 'discs'}"
    if not answer.thoughts:
        won = f"{winner} has won by {discs}" if answer.score else "a draw"
        return f"the game is over: {won}"
    score = signed(answer.score, exact=answer.exact)
    if not answer.exact:
        ahead = f"{winner} seems to win by {discs}" if answer.score else "it seems even"
        return f"{score}: {mover} is to move, and {ahead}"
    if not answer.score:
        return f"{score}: {mover} is to move, and neither can force a win"
    if winner == mover:
        return f"{score}: {mover} is to move and wins by {discs}, whatever {other} does"
    return f"{score}: {mover} is to move, and {other} wins by {discs}, whatever {mover} does"


def _line(game: Othello, line: Sequence[Square]) -> str:
    return " ".join(map(game.write_move, line))


def _effort(nodes: int, seconds: float) -> str:
    rate = nodes / seconds / 1e6 if seconds else 0.0
    return f"{nodes:,} positions in {seconds:.2f} s, {rate:.1f} million a second."


def _row(game: Othello, number: int, answer: Answer) -> str:
    """A position on one line, its moves on another if they were asked for."""
    best = game.write_move(answer.thoughts[0].move) if answer.thoughts else "over"
    given = signed(max(answer.task.scores.values())) if answer.task.scores else ""
    row = (
        f"{number:4} {empties(game, answer.task.state):5} "
        f"{signed(answer.score, exact=answer.exact):>6}  {best:4} "
        f"{given + ('!' if answer.right is False else ''):>6} "
        f"{answer.nodes:15,} {answer.seconds:9.2f} {answer.rate / 1e6:9.1f}"
    )
    if not answer.each or not answer.thoughts:
        return row
    moves = ", ".join(
        f"{game.write_move(thought.move)} {signed(thought.score)}" for thought in answer.thoughts
    )
    indent = " " * 5
    return f"{row}\n{textwrap.fill(moves, 80, initial_indent=indent, subsequent_indent=indent)}"


def _summary(answers: Sequence[Answer], asked: int) -> str:
    solved = [answer for answer in answers if answer.exact]
    checked = [answer.right for answer in solved if answer.right is not None]
    wrong = checked.count(False)
    said = f"{count(len(solved), 'position')} solved"
    if len(solved) < asked:
        said = f"Stopped: {len(solved)} of {count(asked, 'position')} solved"
    if checked:
        said += f", {len(checked)} with scores to check: " + (
            f"{wrong} {'is' if wrong == 1 else 'are'} not as given" if wrong else "all as given"
        )
    nodes, seconds = (sum(getattr(a, name) for a in answers) for name in ("nodes", "seconds"))
    return f"{said}.\n{_effort(nodes, seconds)}"


def _as_json(game: Othello, answer: Answer) -> dict[str, Any]:
    task, best = answer.task, answer.thoughts[0] if answer.thoughts else None
    told: dict[str, Any] = {
        "position": game.write(task.state),
        "turn": task.state[2] + 1,
        "empty": empties(game, task.state),
        "score": answer.score,
        "exact": answer.exact,
        "depth": best.depth if best else 0,
        "certainty": best.certainty if best else 100,
        "best": game.write_move(best.move) if best else None,
        "line": [game.write_move(move) for move in best.line] if best else [],
        "nodes": answer.nodes,
        "seconds": round(answer.seconds, 6),
        "rate": round(answer.rate),
    }
    if answer.each:
        told["moves"] = [
            {"move": game.write_move(thought.move), "score": thought.score, "exact": thought.exact}
            for thought in answer.thoughts
        ]
    if task.scores:
        told["given"] = {game.write_move(move): score for move, score in task.scores.items()}
        told["right"] = answer.right
    return told
