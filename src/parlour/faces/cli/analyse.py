"""`parlour analyse othello RECORD`: what each move of a recorded Othello game cost, in discs.

A row is printed as soon as its move is judged, so that one can read along, and Ctrl-C leaves what
is done. Losses near the end are proven; earlier ones are estimates and say so.
"""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from parlour import core
from parlour.core import BadText, ParlourError, Work, answers
from parlour.engine import empties
from parlour.faces.cli import command
from parlour.faces.progress import wait
from parlour.faces.terminal import console
from parlour.rules import PASS, Othello, OthelloState, Square
from parlour.rules.formats import Games, Transcript, read_games

if TYPE_CHECKING:
    from parlour.engine import LossAnalyser, MoveLoss

LEVEL = 14
EXACT = 20  # empty squares
MAX_DEPTH = 60


class AnalysedMove(TypedDict):
    """What one move cost."""

    turn: answers.Natural  # the seat that moved, counted from 0
    move: str
    best: str
    score: float  # the mover's lead in discs after it
    loss: float  # by how much the best move would have scored more
    forced: bool  # there was no other move
    exact: bool  # proven
    depth: answers.Natural  # the plies searched
    certainty: float  # in percent


class DiscsLost(TypedDict):
    """The discs that a seat lost."""

    exact: float
    estimated: float


class LastPosition(TypedDict):
    """The last position of the game."""

    position: str  # in the game's own notation
    over: bool
    lead: float  # of the first seat
    exact: bool


class Answer(answers.GameFields):
    """What `parlour analyse othello --json` prints: what each move of a game cost, in discs."""

    format: Literal["parlour analyse 2"]
    start: str  # the position in the game's own notation
    players: list[str]  # by seat; empty where no name is known
    moves: list[AnalysedMove]
    lost: list[DiscsLost]  # by seat
    end: LastPosition | None  # null if it was stopped
    stated: float | None  # the lead that the record states


def run(parser: command.Parser, arguments: list[str]) -> int:
    """Judge every move of one game, and sum up what each side lost."""
    parser.epilog = (
        "RECORD is a file (a record of Parlour, a WTHOR archive, GGF, or a plain list of moves), "
        "the list of moves itself, as in f5d6c3, or - for standard input. The options of the game "
        "are for plain lists; other records state what was played."
    )
    parser.add_argument("record", metavar="RECORD", nargs="*", help="the game to analyse")
    parser.add_number("--game", "which game, counted from 1, of a file that holds several")
    about = f"how many plies to look ahead (default: {LEVEL})"
    parser.add_number("--level", about, metavar="PLIES", low=2, high=MAX_DEPTH)
    about = f"solve positions with at most N empty squares (default: {EXACT})"
    parser.add_number("--exact", about, low=0, high=MAX_DEPTH)
    parser.add_seconds("--time", "search each move for this long, in place of --level and --exact")
    command.add_engine_flags(parser)
    parser.add_json()
    cls, rest = command.split_game(parser, arguments)
    if not issubclass(cls, Othello):
        raise ParlourError(
            f"only othello is analysed move by move, not {command.name_of(cls)}; "
            f"`parlour explain {command.name_of(cls)}` explains a position"
        )
    given, game = command.parse_options(parser, cls, rest)
    return _print_analysis(Analysis(_choose_transcript(given, game), given), json=given.json)


def _choose_transcript(given: argparse.Namespace, game: Othello) -> Transcript:
    """Read the games that were given, and return the one that was asked for."""
    text = " ".join(given.record)
    if not text:
        raise ParlourError("name a record: a file, or a list of moves like f5d6c3")
    data = command.read_input(text)
    try:
        return _pick(read_games(text.encode() if data is None else data, game), text, given.game)
    except BadText as error:
        if data is not None:
            raise BadText(f"{command.name_source(text)}: {error}") from None
        if "(;" not in text and not re.search("[a-z][0-9]", text, re.IGNORECASE):
            raise BadText(
                f"{core.quote(text)} is neither a file nor a list of moves like f5d6c3"
            ) from None
        raise


def _pick(games: Games, text: str, number: int | None) -> Transcript:
    """Return the game of this number, or the only one."""
    held = core.count(len(games), "game") if games else "no game"
    holds = f"{command.name_source(text)} holds {held}"
    if number is None and len(games) != 1:
        raise ParlourError(
            f"{holds}; choose 1 to {len(games)}, as in "
            f"`parlour analyse othello {shlex.quote(text)} --game 1`"
            if games
            else holds
        )
    at = 1 if number is None else number
    if not 1 <= at <= len(games):
        raise ParlourError(f"--game cannot be {at}: {holds}")
    return games[at - 1]


class Analysis:
    """The moves of one game, judged one after another."""

    def __init__(self, transcript: Transcript, given: argparse.Namespace) -> None:
        self.transcript = transcript
        self.game = transcript.game
        self.engine = command.prepare_engine(given, transcript.game)
        self.limits = _read_limits(given)
        self.costs: list[MoveLoss] = []
        self.end: LastPosition | None = None  # known once every move is judged

    def judge(self) -> Iterator[MoveLoss]:
        """Yield the cost of every move; Ctrl-C is raised."""
        total = len(self.transcript.moves)
        for state, move in self.transcript.positions():
            if move is None:
                self.end = wait(partial(self._value_end, state), doing="the last position")
            else:
                doing = f"move {len(self.costs) + 1} of {total}"
                status = partial(_count_empties, self.game, state)
                cost = wait(partial(self._value_move, state, move), doing=doing, status=status)
                self.costs.append(cost)
                yield cost

    @cached_property
    def analyser(self) -> LossAnalyser:
        from parlour.engine import LossAnalyser  # it loads compiled code

        return LossAnalyser(self.engine(), **self.limits)

    def _value_move(self, state: OthelloState, move: Square, work: Work) -> MoveLoss:
        return self.analyser.measure(state, move, work)

    def _value_end(self, state: OthelloState, work: Work) -> LastPosition:
        position = self.game.write(state)
        if not self.game.moves(state):
            lead = self.game.score(state)
            return {"position": position, "over": True, "lead": lead, "exact": True}
        found = self.analyser.analyse(state, work)
        best = -found.score if state[2] else found.score
        return {"position": position, "over": False, "lead": best, "exact": found.exact}


def _count_empties(game: Othello, state: OthelloState) -> str:
    return f"{core.count(empties(game, state), 'square')} empty"


def _read_limits(given: argparse.Namespace) -> dict[str, Any]:
    """Read how far to search: by plies and empty squares, or by time."""
    if given.time is None:
        exact = EXACT if given.exact is None else given.exact
        return {"plies": given.level or LEVEL, "exact": exact}
    for flag in ("level", "exact"):
        if getattr(given, flag) is not None:
            raise ParlourError(f"give --{flag} or --time, not both")
    return {"seconds": given.time}


# Printing


def _print_analysis(analysis: Analysis, *, json: bool) -> int:
    """Print what each move cost as it is found, then the totals; return the exit code."""
    if not json:
        print(_format_heading(analysis.transcript), flush=True)
    try:
        number = 0
        for cost in analysis.judge():
            number += cost.move != PASS
            if not json:
                print(_format_row(analysis.game, number, cost), flush=True)
    except KeyboardInterrupt:
        pass
    if json:
        command.print_json(_to_answer(analysis))
    else:
        print("\n" + "\n".join(_format_totals(analysis)))
    return 0 if analysis.end is not None else 130


def _format_heading(transcript: Transcript) -> str:
    """Return the lines above the table: the players, and what the columns mean."""
    game = transcript.game
    seats = [
        f"{colour} ({game.marks[seat]})" + (f": {name}" if name else "")
        for seat, (colour, name) in enumerate(zip(Othello.sides, transcript.players, strict=True))
    ]
    return (
        f"{core.describe(game)}: {game.write(transcript.start)}\n"
        f"{core.capital(', '.join(seats))}\n\n"
        "Score: the mover's lead in discs at the end of best play; ≈ is an estimate.\n"
        "Loss: how many discs the best move would have been better.\n\n"
        f"{'no':>4}  {'move':7} {'score':>6} {'loss':>6}  {'best':6} search"
    )


def _format_row(game: Othello, number: int, cost: MoveLoss) -> str:
    label = f"{number:4}" if cost.move != PASS else " " * 4
    loss = _format_loss(cost) if cost.loss else ""
    best = game.write_move(cost.best) if cost.loss else ""
    how = command.format_depth(cost.exact, cost.depth, cost.certainty)
    if cost.forced:
        how = "only move"
    return (
        f"{label}  {game.marks[cost.seat]} {game.write_move(cost.move):5} "
        f"{console.format_score(cost.score, exact=cost.exact):>6} {loss:>6}  {best:6} {how}"
    ).rstrip()


def _format_totals(analysis: Analysis) -> Iterator[str]:
    """Yield what each side lost, and how the game ended."""
    game, total = analysis.game, len(analysis.transcript.moves)
    if analysis.end is None:
        yield f"Stopped: {len(analysis.costs)} of {core.count(total, 'move')} judged.\n"
    yield f"{'discs lost':12}{'proven':18}{'estimated':20}most by one move"
    for seat, colour in enumerate(Othello.sides):
        own = [cost for cost in analysis.costs if cost.seat == seat]
        side = f"{colour} ({game.marks[seat]})"
        proven, estimated = (_format_losses(own, exact=exact) for exact in (True, False))
        worst = max((cost for cost in own if cost.loss), key=lambda cost: cost.loss, default=None)
        most = f"{game.write_move(worst.move)}: {_format_loss(worst)}" if worst else ""
        row = f"{side:12}{proven:18}{estimated:20}{most}"
        yield row.rstrip()
    if analysis.end is not None:
        yield f"\n{_format_end(game, analysis.end, analysis.transcript.lead)}"


def _format_loss(cost: MoveLoss) -> str:
    return f"{'' if cost.exact else '≈ '}{cost.loss:g}"


def _format_losses(costs: Sequence[MoveLoss], *, exact: bool) -> str:
    """`12 in 11 moves`"""
    some = [cost for cost in costs if cost.exact is exact]
    if not some:
        return ""
    lost = sum(cost.loss for cost in some)
    return f"{'' if exact else '≈ '}{lost:g} in {core.count(len(some), 'move')}"


def _format_end(game: Othello, end: LastPosition, stated: float | None) -> str:
    """Say how the game ended or would have, and what the file says where it differs."""
    squares, lead = len(game.board.bits), end["lead"]
    if end["over"]:
        discs = f"{(squares + lead) / 2:g} to {(squares - lead) / 2:g}"
        text = f"{core.capital(_format_lead(lead))}, {discs}."
    else:
        state = game.read(end["position"])
        play = "With best play" if end["exact"] else "By estimate"
        text = (
            f"The record stops with {_count_empties(game, state)} and "
            f"{Othello.sides[state[2]]} to move.\n{play}, {_format_lead(lead)}."
        )
    if stated is None or (end["over"] and stated == lead):
        return text
    return f"{text}\nThe file says {_format_lead(stated)}."


def _format_lead(lead: float) -> str:
    if not lead:
        return "it is a draw"
    return f"{Othello.sides[lead < 0]} wins by {command.format_discs(abs(lead))}"


def _to_answer(analysis: Analysis) -> Answer:
    game, transcript = analysis.game, analysis.transcript
    return {
        "format": "parlour analyse 2",
        **answers.game_fields(game),
        "start": game.write(transcript.start),
        "players": list(transcript.players),
        "moves": [
            answers.pick(
                AnalysedMove,
                cost,
                turn=cost.seat,
                move=game.write_move(cost.move),
                best=game.write_move(cost.best),
            )
            for cost in analysis.costs
        ],
        "lost": [
            {
                "exact": _sum_losses(analysis.costs, seat, exact=True),
                "estimated": _sum_losses(analysis.costs, seat, exact=False),
            }
            for seat in range(game.seats)
        ],
        "end": analysis.end,
        "stated": transcript.lead,
    }


def _sum_losses(costs: Sequence[MoveLoss], seat: int, *, exact: bool) -> float:
    return sum(cost.loss for cost in costs if (cost.seat, cost.exact) == (seat, exact))
