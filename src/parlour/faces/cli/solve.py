"""`parlour solve GAME [POSITION]`: who wins from a position, and by which moves.

Any game is solved by value: won, lost or drawn, and in how many plies. Othello on up to 64 squares
is solved to the disc by the engine; a terminal shows the best estimate so far, which Ctrl-C leaves.
"""

from __future__ import annotations

import argparse
import itertools
import json
import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NotRequired, TypedDict

from parlour import core
from parlour.core import BadText, Game, Move, ParlourError, Solution, State, Unsolved, Value, Work
from parlour.engine import empties
from parlour.faces.cli import command
from parlour.faces.progress import describe_size, wait
from parlour.faces.terminal import console
from parlour.rules import Othello, OthelloState, Square
from parlour.truth import describe_proof, is_drawn, solve, solve_at
from parlour.truth.explain import describe_value, phrase_bounds, value_move
from parlour.truth.proofs import certificate

if TYPE_CHECKING:
    from parlour.engine import Analysis, OthelloEngine

MAX_VALUED = 1000  # moves: of more, only the best are valued
MAX_LISTED = 12  # moves of one value on a line
SCORE = re.compile(r"\s*([a-z][0-9]{1,2}|pass|pa)\s*:\s*([+-]?[0-9]{1,3})\s*", re.IGNORECASE)
COMMENT = ("#", "%")  # how comment lines in a file of positions begin
HOPELESS = 32  # empty squares: with more, nobody should wait for the end


class ValuedMove(core.answers.ValueFields):
    """A move and its value."""

    move: str


class SituationCounts(TypedDict):
    """The distinct situations that can be reached."""

    win: core.answers.Natural
    loss: core.answers.Natural
    draw: core.answers.Natural
    end: core.answers.Natural


class SolvedByValue(core.answers.GameFields, core.answers.PositionFields):
    """A position solved by value."""

    format: Literal["parlour solve 2"]
    value: core.answers.ValueFields
    best: list[str]  # the best moves
    # The moves with their values, best first; only the best where there are too many
    moves: list[ValuedMove]
    counts: Annotated[dict[str, int], SituationCounts] | None
    method: str  # how it was solved
    # Whose work the proof is, in a sentence; only where part of it is taken from others
    credit: NotRequired[str]
    folder: NotRequired[str]  # the folder or URL where the solution lies, if it is on disk
    bytes: NotRequired[core.answers.Natural]  # how much room it takes there


class ScoredMove(TypedDict):
    """A move of Othello and its score."""

    move: str
    score: float
    exact: bool


class ScoredPosition(core.answers.PositionFields):
    """A position of Othello and its score."""

    empty: core.answers.Natural  # empty squares
    score: float  # the mover's lead in discs at the end of best play
    exact: bool  # whether the score is proven
    depth: core.answers.Natural  # the plies searched
    certainty: float  # how sure the search is, in percent
    best: str | None
    line: list[str]  # the best line of play
    nodes: core.answers.Natural
    seconds: float
    rate: float  # nodes per second
    moves: NotRequired[list[ScoredMove]]  # every move, best first; with --each
    given: NotRequired[dict[str, float]]  # the scores that followed the position in the file
    right: NotRequired[bool | None]  # whether those are right; null if that is not known


class SolvedByScore(core.answers.GameFields, ScoredPosition):
    """A position of Othello solved to the disc."""

    format: Literal["parlour solve 2"]


class SolvedFile(core.answers.GameFields):
    """All positions of a file."""

    format: Literal["parlour solve 2"]
    positions: list[ScoredPosition]


Answer = Annotated[
    SolvedByValue | SolvedByScore | SolvedFile,
    "What `parlour solve --json` prints: a value; for Othello up to 64 squares a score, or many.",
]


def run(parser: command.Parser, arguments: list[str]) -> int:
    """Solve a position; of Othello, print its score, else its value and that of every move."""
    about = "write a proof to this file, for `parlour verify` to check"
    parser.add_flag("--certificate", "FILE", about, type=Path)
    _add_disk_flags(parser)
    if arguments[:1] == [Othello.name]:
        parser.epilog = (
            "Othello on up to 64 squares is solved to the disc. POSITION may be a file with one "
            "position per line, or - for standard input; scores that follow a position are checked."
        )
        parser.add_switch("--each", "give the score of every move, not only of the best")
        command.add_engine_flags(parser)
    given, game = command.parse_position(parser, arguments)
    _check_disk_flags(given)
    by_value = given.certificate is not None or given.disk is not None
    is_searched = isinstance(game, Othello) and game.is_compiled and not by_value
    if isinstance(game, Othello) and is_searched and not _is_proven(game, given):
        return _solve_by_engine(game, given)  # which writes no proofs, and nothing to disk
    state = command.read_position(game, given.position)
    finding = wait(
        lambda work: _solve(game, state, work, given),
        doing=f"solving {core.describe(game)}",
        things="situations",
        size=describe_size(game),
    )
    if given.json:
        command.print_json(_finding_to_dict(game, state, finding))
        return 0
    print(command.heading(game, state))
    print(_format_verdict(game, state, finding.value))
    for value, moves in itertools.groupby(finding.moves, key=finding.moves.__getitem__):
        listed = console.list_moves(game, state, list(moves), MAX_LISTED)
        print(f"  {command.mark(value.outcome)} {value!s:12} {listed}")
    print()
    print(_format_counts(finding))
    print(f"Solved by {finding.method}{finding.place}.")
    if finding.credit:
        print(f"{finding.credit}.")
    return 0


def _add_disk_flags(parser: command.Parser) -> None:
    parser.add_flag(
        "--disk",
        "FOLDER",
        "solve the whole game into this folder, or the URL of one, past what fits in memory; what "
        "is there already is kept; with - it is a folder of yours where every face finds it",
    )
    about = "solve on this machine, or on a Dask or Ray cluster that reaches the folder too"
    workers = "with --disk, the number of processes (default: one per core)"
    parser.add_executor_flags(about, workers)
    about = "with --disk, write every position and its value to this file, for other programs"
    parser.add_flag("--parquet", "FILE", about, type=Path)


def _check_disk_flags(given: argparse.Namespace) -> None:
    if given.disk is None and (given.parquet or given.workers or given.address):
        raise ParlourError("--workers, --address and --parquet need --disk FOLDER")
    if given.disk is None and given.engine != core.executors.ENGINES[0]:
        raise ParlourError("a cluster solves into a folder that it reaches; add --disk FOLDER")


def _is_proven(game: Othello, given: argparse.Namespace) -> bool:
    """Return whether a single position near the start is asked for that is proven to be a draw."""
    if given.each:
        return False
    try:
        return is_drawn(game, command.read_position(game, given.position))
    except BadText:  # it may be a file, or have scores after it
        return False


# Any game, by value


@dataclass(frozen=True)
class Finding:
    """What is known of one position."""

    value: Value
    best: tuple[Move, ...]
    moves: dict[Move, Value]  # all of them where each can be valued, else the best ones
    counts: dict[str, int] | None
    why_uncounted: str
    method: str
    credit: str  # who proved which part, where not all of the proof is ours
    folder: str = ""  # where it lies on disk
    bytes: int = 0

    @property
    def place(self) -> str:
        """`, 24 MB in /tmp/solved`; nothing where it is in memory."""
        from parlour.truth.disk import write_bytes

        return f", {write_bytes(self.bytes)} in {self.folder}" if self.folder else ""


def _solve(game: Game, state: State, work: Work, given: argparse.Namespace) -> Finding:
    from parlour.truth.disk import DiskSolution

    proof: Path | None = given.certificate
    by_bounds = given.disk is None and is_drawn(game, state)
    if given.disk is not None:
        solution = solve(
            game,
            work=work,
            disk=True if given.disk == "-" else given.disk,
            engine=given.engine,
            workers=given.workers,
            address=given.address,
        )
    else:
        solution = solve(game, work=work) if by_bounds else solve_at(game, state, work=work)
    value, best = solution.value(state), solution.best(state)
    if given.parquet is not None and isinstance(solution, DiskSolution):
        solution.to_parquet(given.parquet, work)
    if proof is not None:
        with core.files.explain_errors("write", proof):
            proof.write_text(json.dumps(certificate(solution, state)) + "\n", encoding="utf-8")
    try:
        counts, why_uncounted = solution.counts(), ""
    except Unsolved as reason:
        counts, why_uncounted = None, str(reason)
    moves = _value_moves(solution, state, value, best)
    credit = describe_proof() if by_bounds else ""
    place = (solution.folder.url, solution.bytes) if isinstance(solution, DiskSolution) else ()
    return Finding(value, best, moves, counts, why_uncounted, solution.method, credit, *place)


def _value_moves(
    solution: Solution, state: State, value: Value, best: tuple[Move, ...]
) -> dict[Move, Value]:
    """Return each proven move with its value, best first; only the best if none has a distance."""
    moves = solution.game.moves(state)
    has_distance = value.plies is not None or value.outcome == "draw"
    if not has_distance or len(moves) > MAX_VALUED:
        return {move: solution.after(state, move) if has_distance else value for move in best}
    found = ((move, value_move(solution, state, move)) for move in moves)
    valued = {move: value for move, value in found if value is not None}
    return dict(sorted(valued.items(), key=lambda item: item[1].rank, reverse=True))


def _format_verdict(game: Game, state: State, value: Value) -> str:
    text = describe_value(game, state, value)
    if not game.moves(state):
        return f"{command.mark(value.outcome)} {core.capital(text)}."
    return f"{command.mark(value.outcome)} {str(value).capitalize()}: {text}."


def _format_counts(finding: Finding) -> str:
    if finding.counts is None:
        return f"Not counted: {finding.why_uncounted}."
    won, lost, drawn, ended = (finding.counts[kind] for kind in ("win", "loss", "draw", "end"))
    return (
        f"{sum(finding.counts.values()):,} situations: {won:,} won, {lost:,} lost and {drawn:,} "
        f"drawn for the player to move, {ended:,} ended."
    )


def _finding_to_dict(game: Game, state: State, finding: Finding) -> SolvedByValue:
    answer: SolvedByValue = {
        "format": "parlour solve 2",
        "game": game.name,
        "options": core.values(game),
        "position": game.write(state),
        "turn": game.turn(state),
        "value": core.answers.pick(core.answers.ValueFields, finding.value),
        "best": [game.write_move(move) for move in finding.best],
        "moves": [
            core.answers.pick(ValuedMove, value, move=game.write_move(move))
            for move, value in finding.moves.items()
        ],
        "counts": finding.counts,
        "method": finding.method,
    }
    if finding.credit:
        answer["credit"] = finding.credit
    if finding.folder:
        answer |= {"folder": finding.folder, "bytes": finding.bytes}
    return answer


# Othello, to the disc


@dataclass(frozen=True)
class Task:
    """A position, and the scores of moves that were written after it."""

    state: OthelloState
    scores: dict[str, float] = field(default_factory=dict)


def _solve_by_engine(game: Othello, given: argparse.Namespace) -> int:
    """Solve what was given; the exit code is 1 if a score written after a position is wrong."""
    solver = Solver(game, command.prepare_engine(given, game), given.each)
    data = None if given.position is None else command.read_input(given.position)
    if data is None:
        task = Task(game.start()) if given.position is None else _read_task(game, given.position)
        return _solve_one(solver, task, json=given.json)
    tasks = _read_tasks(game, data.decode("utf-8-sig", errors="replace"))
    return _solve_many(solver, tasks, json=given.json)


def _read_task(game: Othello, line: str) -> Task:
    text, *fields = line.split(";")
    state = command.read_position(game, text)
    scores: dict[str, float] = {}
    for found in filter(None, map(SCORE.fullmatch, fields)):
        scores[game.write_move(game.read_move(state, found[1]))] = int(found[2])
    return Task(state, scores)


def _read_tasks(game: Othello, text: str) -> list[Task]:
    tasks = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith(COMMENT):
            try:
                tasks.append(_read_task(game, line))
            except BadText as error:
                raise BadText(f"line {number}: {error}") from None
    if not tasks:
        raise BadText("there is no position in it; write one on every line")
    return tasks


class Solver:
    """Solves positions with one engine, and keeps its last estimate for when it is stopped."""

    def __init__(self, game: Othello, engine: Callable[[], OthelloEngine], each: bool) -> None:
        self.game = game
        self.engine = engine
        self.each = each
        self.analyses: list[Analysis] = []  # best first; empty where the game is over

    def solve(self, task: Task, doing: str) -> ScoredPosition:
        """Return the exact answer, or after Ctrl-C the last estimate if there is one."""
        self.analyses = []
        if self.game.moves(task.state):
            empty = empties(self.game, task.state)
            size = f"{empty} squares are empty, which may take forever" * (empty > HOPELESS)
            search = partial(self._search, task)
            try:
                wait(search, doing=doing, size=size, status=self._status)
            except KeyboardInterrupt:
                if not self.analyses:
                    raise
        return self._to_dict(task)

    def _search(self, task: Task, work: Work) -> None:
        engine = self.engine()
        if not self.each:
            self._keep(engine.solve(task.state, work=work, on_progress=self._keep))
            return
        self._keep_each(engine.analyse_moves(task.state, work=work, on_progress=self._keep_each))
        if not all(analysis.exact for analysis in self.analyses):
            raise Unsolved("stopped before every move was solved")

    def _keep(self, analysis: Analysis) -> None:
        self.analyses = [analysis]

    def _keep_each(self, found: Mapping[Square, Analysis]) -> None:
        if any(analysis.depth for analysis in found.values()):
            self.analyses = sorted(found.values(), key=lambda analysis: -analysis.score)

    def _status(self) -> str:
        if not self.analyses:
            return "nothing known yet"
        best = self.analyses[0]
        score = console.format_score(best.score, exact=False)
        depth = command.format_depth(False, best.depth, best.certainty)
        return f"{self.game.write_move(best.move)} {score}, {depth}"

    def _to_dict(self, task: Task) -> ScoredPosition:
        game, turn = self.game, task.state[2]
        best = self.analyses[0] if self.analyses else None
        lead = 0.0 if best else game.score(task.state)
        nodes = max((each.nodes for each in self.analyses), default=0)
        seconds = sum(each.seconds for each in self.analyses)
        found: ScoredPosition = {
            "position": game.write(task.state),
            "turn": turn,
            "empty": empties(game, task.state),
            "score": best.score if best else -lead if turn else lead,
            "exact": all(each.exact for each in self.analyses),
            "depth": best.depth if best else 0,
            "certainty": best.certainty if best else 100,
            "best": game.write_move(best.move) if best else None,
            "line": [game.write_move(move) for move in best.line] if best else [],
            "nodes": nodes,
            "seconds": round(seconds, 6),
            "rate": round(nodes / seconds) if seconds else 0,
        }
        if self.each:
            found["moves"] = [
                core.answers.pick(ScoredMove, each, move=game.write_move(each.move))
                for each in self.analyses
            ]
        if task.scores:
            found["given"] = task.scores
            found["right"] = _check_scores(found)
        return found


def _check_scores(found: ScoredPosition) -> bool | None:
    """Return whether the scores written after a position are right; None if that is not known."""
    given = found["given"]
    if not found["exact"]:
        return None
    if "moves" not in found:
        return found["score"] == max(given.values())
    scores = {each["move"]: each["score"] for each in found["moves"]}
    return all(scores.get(move) == score for move, score in given.items())


def _solve_one(solver: Solver, task: Task, *, json: bool) -> int:
    game = solver.game
    found = solver.solve(task, f"solving {core.describe(game)}")
    if json:
        fields = {**core.answers.game_fields(game), **found}
        command.print_json({"format": "parlour solve 2", **fields})
        return _exit_code([found])
    print(command.heading(game, task.state))
    outcome = "win" if found["score"] > 0 else "loss" if found["score"] < 0 else "draw"
    verdict = core.capital(_format_verdict_in_discs(game, found))
    print(f"{command.mark(outcome, exact=found['exact'])} {verdict}.")
    if not solver.analyses:
        return _exit_code([found])
    if not found["exact"]:
        depth = command.format_depth(False, found["depth"], found["certainty"])
        print(f"  Stopped: this is an estimate, {depth}.")
        if proven := phrase_bounds(game, task.state):
            print(f"  {proven}")
    for analysis in solver.analyses:
        score = console.format_score(analysis.score, exact=analysis.exact)
        line = " ".join(map(game.write_move, analysis.line))
        print(f"  {score:>5}  {line}" if solver.each else f"  {line}")
    if found.get("right") is not None:
        print(f"  The scores given are {'right' if found['right'] else 'not these'}.")
    print(f"\n{_format_effort([found])}")
    return _exit_code([found])


def _solve_many(solver: Solver, tasks: Sequence[Task], *, json: bool) -> int:
    game, solved = solver.game, list[ScoredPosition]()
    if not json:
        print(
            f"{'no':>4} {'empty':>5} {'score':>6}  {'best':4} {'given':>6} "
            f"{'nodes':>15} {'seconds':>9} {'million/s':>9}",
            flush=True,
        )
    for number, task in enumerate(tasks, start=1):
        try:
            solved.append(solver.solve(task, f"position {number} of {len(tasks)}"))
        except KeyboardInterrupt:
            break
        if not json:
            print(_format_row(number, solved[-1]), flush=True)
        if not solved[-1]["exact"]:
            break
    if json:
        game_fields = core.answers.game_fields(game)
        command.print_json(SolvedFile(format="parlour solve 2", **game_fields, positions=solved))
    else:
        print(f"\n{_format_summary(solved, len(tasks))}")
    return _exit_code(solved) if len(solved) == len(tasks) else 130


def _exit_code(found: Sequence[ScoredPosition]) -> int:
    if not all(each["exact"] for each in found):
        return 130
    return 1 if any(each.get("right") is False for each in found) else 0


def _format_verdict_in_discs(game: Othello, found: ScoredPosition) -> str:
    """`+38: player 1 (X) is to move and wins by 38 discs, whatever player 2 (O) does`"""
    turn, score = found["turn"], found["score"]
    mover, other = core.seat_name(game, turn), core.seat_name(game, 1 - turn)
    winner = mover if score > 0 else other
    discs = command.format_discs(abs(score))
    if found["best"] is None:
        result = f"{winner} has won by {discs}" if score else "a draw"
        return f"the game is over: {result}"
    if not found["exact"]:
        end = f", and {winner} seems to win by {discs}" if score else ", and it seems even"
    elif not score:
        end = ", and neither can force a win"
    elif winner == mover:
        end = f" and wins by {discs}, whatever {other} does"
    else:
        end = f", and {other} wins by {discs}, whatever {mover} does"
    return f"{console.format_score(score, exact=found['exact'])}: {mover} is to move{end}"


def _format_effort(found: Sequence[ScoredPosition]) -> str:
    nodes, seconds = sum(each["nodes"] for each in found), sum(each["seconds"] for each in found)
    rate = nodes / seconds / 1e6 if seconds else 0.0
    return f"{nodes:,} nodes in {seconds:.2f} s, {rate:.1f} million per second."


def _format_row(number: int, found: ScoredPosition) -> str:
    """Return a position on one line, and below it its moves if each was solved."""
    given = console.format_score(max(found["given"].values())) if "given" in found else ""
    row = (
        f"{number:4} {found['empty']:5} "
        f"{console.format_score(found['score'], exact=found['exact']):>6}  "
        f"{found['best'] or 'over':4} {given + '!' * (found.get('right') is False):>6} "
        f"{found['nodes']:15,} {found['seconds']:9.2f} {found['rate'] / 1e6:9.1f}"
    )
    if not found.get("moves"):
        return row
    moves = ", ".join(f"{m['move']} {console.format_score(m['score'])}" for m in found["moves"])
    indent = " " * 5
    return f"{row}\n{textwrap.fill(moves, 80, initial_indent=indent, subsequent_indent=indent)}"


def _format_summary(done: Sequence[ScoredPosition], total: int) -> str:
    solved = [each for each in done if each["exact"]]
    checked = [each["right"] for each in solved if "right" in each]
    wrong = checked.count(False)
    text = f"{core.count(len(solved), 'position')} solved"
    if len(solved) < total:
        text = f"Stopped: {len(solved)} of {core.count(total, 'position')} solved"
    if checked:
        text += f", {len(checked)} with scores to check: " + (
            f"{wrong} {'is' if wrong == 1 else 'are'} not as given" if wrong else "all as given"
        )
    return f"{text}.\n{_format_effort(done)}"
