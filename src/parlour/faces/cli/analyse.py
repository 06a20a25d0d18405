"""The command analyse: what each move of a recorded Othello cost, in discs.

A row is printed as soon as its move is judged, so that one can read along, and Ctrl-C leaves what
is done. Losses near the end are proven; those before are estimates and say so.
"""

from __future__ import annotations

import argparse
import math
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from parlour.core import (
    BadText,
    ParlourError,
    Work,
    capital,
    count,
    declared,
    describe,
    make,
    quote,
    values,
)
from parlour.engine import empties
from parlour.faces.cli.flags import (
    Parser,
    add_options,
    name_of,
    named_game,
    read_number,
    read_options,
    show_json,
)
from parlour.faces.cli.othello import add_engine, between, bytes_given, engine, founded, signed
from parlour.faces.cli.progress import wait
from parlour.rules import PASS, Othello, OthelloState, Square
from parlour.rules.formats import COLOURS, Transcript, read_games

if TYPE_CHECKING:
    from parlour.engine import LossAnalyser, MoveLoss

LEVEL = 14
EXACT = 20  # empty squares
DEEPEST = 60


@dataclass(frozen=True)
class End:
    """The last position: by how many discs black leads in the end, or would with best play."""

    state: OthelloState
    lead: float
    over: bool
    exact: bool


# What was asked


def analyse(parser: Parser, arguments: list[str]) -> int:
    """`parlour analyse othello RECORD [--game N] [--level N | --time SECONDS]`"""
    parser.epilog = (
        "RECORD is a file: a record of this house, a WTHOR archive (.wtb), GGF, or a plain list of "
        "moves; or the list itself, like f5d6c3; or - for standard input. The options of the game "
        "are for plain lists; other records say themselves what was played."
    )
    parser.add_argument("record", metavar="RECORD", nargs="*", help="the game to analyse")
    parser.add_argument("--game", metavar="N", help="which game of a file that holds several")
    parser.add_argument(
        "--level", metavar="PLIES", help=f"how far to look ahead (usually {LEVEL} plies)"
    )
    parser.add_argument(
        "--exact",
        metavar="N",
        help=f"solve positions with at most so many empty squares (usually {EXACT})",
    )
    parser.add_argument(
        "--time", metavar="SECONDS", help="look as far as one comes in this time for each move"
    )
    add_engine(parser)
    parser.add_argument("--json", action="store_true", help="as JSON, for programs")
    cls, rest = named_game(parser, arguments)
    if not issubclass(cls, Othello):
        raise ParlourError(
            f"only othello is analysed move by move, not {name_of(cls)}; "
            f"`parlour explain {name_of(cls)}` tells of a position"
        )
    known = declared(cls)
    add_options(parser, known)
    given = parser.parse(rest)
    transcript = _chosen(given, make(cls, name_of(cls), read_options(known, vars(given))))
    return _tell(_Analysis(transcript, given), json=given.json)


def _chosen(given: argparse.Namespace, game: Othello) -> Transcript:
    """The game that was asked for, out of what was given."""
    text = " ".join(given.record)
    if not text:
        raise ParlourError("name a record: a file, or a list of moves like f5d6c3")
    data = bytes_given(text)
    try:
        return _picked(read_games(text.encode() if data is None else data, game), text, given.game)
    except BadText as trouble:
        if data is not None:
            raise BadText(f"{_called(text)}: {trouble}") from None
        if "(;" not in text and not re.search("[a-z][0-9]", text, re.IGNORECASE):
            raise BadText(f"{quote(text)} is no file, and no list of moves like f5d6c3") from None
        raise


def _called(text: str) -> str:
    return "standard input" if text == "-" else text


def _picked(games: Sequence[Transcript], text: str, number: str | None) -> Transcript:
    """The game of this number, or the only one."""
    holds = f"{_called(text)} holds {count(len(games), 'game') if games else 'no game'}"
    if number is None and len(games) != 1:
        raise ParlourError(
            f"{holds}; say which, 1 to {len(games)}, as in "
            f"`parlour analyse othello {shlex.quote(text)} --game 1`"
            if games
            else holds
        )
    place = 1 if number is None else read_number("--game", number)
    if not 1 <= place <= len(games):
        raise ParlourError(f"--game cannot be {place}: {holds}")
    return games[place - 1]


# What is found


class _Analysis:
    """The moves of one game, judged one after another."""

    def __init__(self, transcript: Transcript, given: argparse.Namespace) -> None:
        self.transcript = transcript
        self.game = transcript.game
        self.make_mind = engine(given, transcript.game)
        self.limits = _limits(given)
        self.losses: LossAnalyser | None = None
        self.costs: list[MoveLoss] = []
        self.end: End | None = None  # until every move is judged

    def judge(self) -> Iterator[MoveLoss]:
        """The cost of every move; Ctrl-C ends it."""
        total = len(self.transcript.moves)
        for state, move in self.transcript.positions():
            if move is None:
                self.end = wait(partial(self._end, state), doing="the last position")
            else:
                doing = f"move {len(self.costs) + 1} of {total}"
                so_far = partial(_emptiness, self.game, state)
                cost = wait(partial(self._cost, state, move), doing=doing, so_far=so_far)
                self.costs.append(cost)
                yield cost

    def _cost(self, state: OthelloState, move: Square, work: Work) -> MoveLoss:
        return self._losses().measure(state, move, work)

    def _losses(self) -> LossAnalyser:
        if self.losses is None:
            from parlour.engine import LossAnalyser  # it loads compiled code

            self.losses = LossAnalyser(self.make_mind(), **self.limits)
        return self.losses

    def _end(self, state: OthelloState, work: Work) -> End:
        if not self.game.moves(state):
            return End(state, self.game.score(state), True, True)
        found = self._losses().analyse(state, work)
        return End(state, -found.score if state[2] else found.score, False, found.exact)


def _emptiness(game: Othello, state: OthelloState) -> str:
    return f"{count(empties(game, state), 'square')} empty"


def _limits(given: argparse.Namespace) -> dict[str, Any]:
    """How far to look: by plies and empty squares, or by time."""
    limits: dict[str, Any] = {}
    if given.time is not None:
        for flag, value in (("--level", given.level), ("--exact", given.exact)):
            if value is not None:
                raise ParlourError(f"give {flag} or --time, not both")
        limits["seconds"] = _seconds(given.time)
    else:
        limits["plies"] = between("--level", given.level or str(LEVEL), 2, DEEPEST)
        limits["exact"] = between("--exact", given.exact or str(EXACT), 0, DEEPEST)
    return limits


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise ParlourError(f"--time must be a number of seconds above 0, not {quote(text)}")
    return seconds


# How it is told


def _tell(analysis: _Analysis, *, json: bool) -> int:
    """Print what each move cost as it is found, then the sums; the exit code."""
    if not json:
        print(_heading(analysis.transcript), flush=True)
    try:
        number = 0
        for cost in analysis.judge():
            number += cost.move != PASS
            if not json:
                print(_row(analysis.game, number, cost), flush=True)
    except KeyboardInterrupt:
        pass
    if json:
        show_json(_as_json(analysis))
    else:
        print("\n" + "\n".join(_sums(analysis)))
    return 0 if analysis.end is not None else 130


def _heading(transcript: Transcript) -> str:
    """Whose game it is, and what the columns mean."""
    game = transcript.game
    seats = [
        f"{colour} ({game.marks[seat]})" + (f": {name}" if name else "")
        for seat, (colour, name) in enumerate(zip(COLOURS, transcript.players, strict=True))
    ]
    return (
        f"{describe(game)}: {game.write(transcript.start)}\n"
        f"{capital(', '.join(seats))}\n\n"
        "Score: by how many discs whoever moves will lead in the end; ≈ is an estimate.\n"
        "Loss: what the best move would have given more.\n\n"
        f"{'no':>4}  {'move':7} {'score':>6} {'loss':>6}  {'best':6} how far seen"
    )


def _row(game: Othello, number: int, cost: MoveLoss) -> str:
    shown = f"{number:4}" if cost.move != PASS else " " * 4
    loss = _loss(cost) if cost.loss else ""
    best = game.write_move(cost.best) if cost.loss else ""
    how = founded(cost.exact, cost.depth, cost.certainty)
    if cost.forced:
        how = "only move"
    return (
        f"{shown}  {game.marks[cost.seat]} {game.write_move(cost.move):5} "
        f"{signed(cost.score, exact=cost.exact):>6} {loss:>6}  {best:6} {how}"
    ).rstrip()


def _sums(analysis: _Analysis) -> Iterator[str]:
    """What each side lost, and how it ended."""
    game, total = analysis.game, len(analysis.transcript.moves)
    if analysis.end is None:
        yield f"Stopped: {len(analysis.costs)} of {count(total, 'move')} judged.\n"
    yield f"{'discs lost':12}{'proven':18}{'estimated':20}most by one move"
    for seat, colour in enumerate(COLOURS):
        own = [cost for cost in analysis.costs if cost.seat == seat]
        side = f"{colour} ({game.marks[seat]})"
        worst = max(own, key=lambda cost: cost.loss, default=None)
        most = f"{game.write_move(worst.move)}: {_loss(worst)}" if worst and worst.loss else ""
        told = f"{side:12}{_lost(own, exact=True):18}{_lost(own, exact=False):20}{most}"
        yield told.rstrip()
    if analysis.end is not None:
        yield f"\n{_ending(game, analysis.end, analysis.transcript.lead)}"


def _loss(cost: MoveLoss) -> str:
    return f"{'' if cost.exact else '≈ '}{cost.loss:g}"


def _lost(costs: Sequence[MoveLoss], *, exact: bool) -> str:
    """`12 in 11 moves`"""
    some = [cost for cost in costs if cost.exact is exact]
    if not some:
        return ""
    lost = sum(cost.loss for cost in some)
    return f"{'' if exact else '≈ '}{lost:g} in {count(len(some), 'move')}"


def _ending(game: Othello, end: End, stated: float | None) -> str:
    """How it ended, or would; and what the file says, where it says something else."""
    squares = len(game.board.bits)
    if end.over:
        discs = f"{(squares + end.lead) / 2:g} to {(squares - end.lead) / 2:g}"
        told = f"{capital(_won(end.lead))}, {discs}."
    else:
        play = "With best play" if end.exact else "By estimate"
        told = (
            f"The record stops with {_emptiness(game, end.state)} and {COLOURS[end.state[2]]} to "
            f"move.\n{play} {_won(end.lead)}."
        )
    if stated is None or (end.over and stated == end.lead):
        return told
    return f"{told}\nThe file says: {_won(stated)}."


def _won(lead: float) -> str:
    if not lead:
        return "a draw"
    return f"{COLOURS[lead < 0]} by {abs(lead):g} {'disc' if abs(lead) == 1 else 'discs'}"


def _as_json(analysis: _Analysis) -> dict[str, Any]:
    game, transcript, end = analysis.game, analysis.transcript, analysis.end
    return {
        "game": game.name,
        "options": values(game),
        "start": game.write(transcript.start),
        "players": list(transcript.players),
        "moves": [
            {
                "turn": cost.seat + 1,
                "move": game.write_move(cost.move),
                "score": cost.score,
                "loss": cost.loss,
                "best": game.write_move(cost.best),
                "forced": cost.forced,
                "exact": cost.exact,
                "depth": cost.depth,
                "certainty": cost.certainty,
            }
            for cost in analysis.costs
        ],
        "lost": [
            {
                kind: sum(c.loss for c in analysis.costs if (c.seat, c.exact) == (seat, exact))
                for kind, exact in (("exact", True), ("estimated", False))
            }
            for seat in range(game.seats)
        ],
        "end": None
        if end is None
        else {
            "position": game.write(end.state),
            "over": end.over,
            "lead": end.lead,
            "exact": end.exact,
        },
        "stated": transcript.lead,
    }
