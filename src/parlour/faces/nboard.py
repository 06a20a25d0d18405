"""The NBoard protocol, version 2: Othello boards send lines at any time, and the engine answers.

One thread receives lines and another obeys them in order, so that a line can end the search for an
earlier one: any command ends hints and analyses, and a `ping` asks for the move soon. A line that
cannot be obeyed is reported in the status line and changes nothing; an unknown one is ignored, as
the protocol demands.

`TI[5:00]` in a game is the time a side has for all its moves, and the last number of
`B[F5/1.5/2.4]` is how many seconds that move took. A game without `TI` is not timed.
"""

from __future__ import annotations

import contextlib
import math
import re
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from parlour.core import ParlourError, Work, capital, describe_error, quote, whole
from parlour.faces.lines import open_input, read_lines, to_ascii
from parlour.players import solves_from
from parlour.rules import PASS, Othello, OthelloState, Square
from parlour.rules.formats import read_ggf

if TYPE_CHECKING:
    from parlour.engine import Analysis, OthelloEngine

T = TypeVar("T")

NAME = "Parlour"
DEPTH = 12  # plies, until the board sets a depth
MAX_DEPTH = 60
SOON = 0.1  # seconds to search for a move after a ping: enough for a good one
LAST = 3.0  # seconds for anything once the input has ended, when perhaps nobody waits any more
MAX_LINE = 10_000  # characters; a game of 60 moves has about 1,500
COMMANDS = ("nboard", "set", "move", "hint", "go", "ping", "learn", "analyze", "quit")
SETTINGS = ("depth", "game", "contempt")

SECONDS = r"[0-9]{1,6}(?:\.[0-9]{0,20})?"
TOTAL_TIME = re.compile(r"(?<![A-Z])TI\[((?:[0-9]{1,4}:){1,2}[0-9]{1,4})")
TIME_SPENT = re.compile(rf"(?<![A-Z])([BW])\[[^\]/]*/[^\]/]*/({SECONDS})\]")
SOLVED_MOVES = 6  # at the end they take no time, as the search for the first solves the rest
MIN_SHARES = 3  # even so, a move never gets more than a third of what is left
MIN_TIME = 0.5  # seconds for a move when none are left: people review games beyond their clocks


def serve(make_engine: Callable[[Othello], OthelloEngine]) -> int:
    """Answer standard input until `quit` or its end; return the exit code."""
    out = sys.stdout

    def send(line: str) -> None:
        out.write(line + "\n")
        out.flush()

    session = Session(send, make_engine)
    reader = threading.Thread(target=_receive_all, args=(session,), daemon=True)
    with contextlib.redirect_stdout(sys.stderr):  # what is printed inside is not an answer
        try:
            reader.start()
            session.run()
        except KeyboardInterrupt:
            return 130
    return 0


def _receive_all(session: Session) -> None:
    try:
        for line in read_lines(open_input(), MAX_LINE):
            session.receive(line)
    finally:
        session.receive(None)


def read_clocks(ggf: str) -> list[float] | None:
    """Return the seconds black and white have left at the end of a game; None if not timed."""
    total = TOTAL_TIME.search(ggf)
    if total is None:
        return None
    seconds = 0.0
    for part in total[1].split(":"):
        seconds = 60 * seconds + int(part)
    left = [seconds, seconds]
    for side, spent in TIME_SPENT.findall(ggf):
        left["BW".index(side)] -= float(spent)
    return left


def time_for_move(left: float, empties: int) -> float:
    """Return how many of the seconds a side has left its next move may take."""
    moves_left = (empties + 1) // 2
    return max(MIN_TIME, left / max(MIN_SHARES, moves_left - SOLVED_MOVES))


class Session:
    """One conversation: the game so far, the current search, and the lines still to be obeyed."""

    def __init__(
        self, send: Callable[[str], None], make_engine: Callable[[Othello], OthelloEngine]
    ) -> None:
        self.game = Othello()
        self._write = send
        self._make_engine = make_engine
        self._engine: OthelloEngine | None = None
        self._depth = DEPTH
        self._states: list[OthelloState] = [self.game.start()]  # every position of the game so far
        self._clocks: list[float] | None = None
        self._changed = threading.Condition()  # guards everything below
        self._lines: deque[str | None] = deque()  # None is the end of the input
        self._task = ""  # the command being searched for…
        self._began = 0.0  # …since when…
        self._deadline = math.inf  # …until when at most…
        self._work: Work | None = None  # …and its work

    # Receiving and obeying, each in a thread of its own

    def receive(self, line: str | None) -> None:
        """Queue a line, or None when no more will come, and end the search it ends."""
        with self._changed:
            self._lines.append(line)
            self._changed.notify()
            self._shorten([line])

    def run(self) -> None:
        """Obey the lines in order, until `quit` or the end of the input."""
        while (line := self._next_line()) is not None:
            word, rest = _split_word(line)
            if word == "quit":
                break
            if word in COMMANDS:
                self._obey(line, word, rest)

    def _next_line(self) -> str | None:
        with self._changed:
            self._changed.wait_for(lambda: self._lines)
            return self._lines.popleft()

    def _obey(self, line: str, word: str, rest: str) -> None:
        too_long = len(line) > MAX_LINE
        try:
            getattr(self, "_too_long" if too_long else f"_{word}")(rest)
        except ParlourError as error:
            self._status(" ".join(str(error).split()))
        except Exception as error:
            self._status(f"something went wrong inside: {describe_error(error)}")

    def _too_long(self, _: str) -> None:
        raise ParlourError(f"a line may hold at most {MAX_LINE:,} characters")

    def _search(self, task: str, call: Callable[[OthelloEngine, Work], T]) -> T:
        """Return what a call finds; a line that is received may end it early."""
        self._status("thinking")
        engine = self._engine = self._engine or self._make_engine(self.game)
        work = Work()
        with self._changed:
            self._task, self._began, self._deadline = task, time.monotonic(), math.inf
            self._work = work
            self._shorten(self._lines)
        try:
            return work.run(lambda: call(engine, work), watch=self._watch)
        finally:
            with self._changed:
                self._work = None

    def _shorten(self, lines: Iterable[str | None]) -> None:
        """Bring the deadline of the search forward if one of these lines ends it."""
        if self._work is not None:
            limits = (_time_limit(self._task, line) for line in lines)
            seconds = next((limit for limit in limits if limit < math.inf), math.inf)
            self._deadline = min(self._deadline, self._began + seconds)
            self._watch(self._work)

    def _watch(self, work: Work) -> None:
        if time.monotonic() >= self._deadline:
            work.stop()

    # Sending

    def _send(self, line: str) -> None:
        self._write(to_ascii(line))

    def _status(self, text: str = "") -> None:
        self._send(f"status {capital(text)}".rstrip())

    def _send_value(self, analysis: Analysis) -> None:
        """Send what a move is worth to the mover, and how far that was searched.

        To the board `100%` means proven, `95%` searched to the end but not proven, and a number
        alone the depth in plies.
        """
        if analysis.exact:
            depth = "100%"
        elif analysis.depth >= self._empties():
            depth = f"{min(analysis.certainty, 99)}%"
        else:
            depth = f"{analysis.depth}"
        kind = "book" if analysis.book else "search"
        line = "".join(map(_format_square, analysis.line))
        self._send(f"{kind} {line} {_format_discs(analysis.score)} 0 {depth}")

    def _send_nodes(self, nodes: int, seconds: float) -> None:
        self._send(f"nodestats {nodes} {seconds:.2f}")

    # Commands that change the game

    @property
    def _state(self) -> OthelloState:
        return self._states[-1]

    def _empties(self) -> int:
        own, other, _ = self._state
        return len(self.game.board.bits) - (own | other).bit_count()

    def _nboard(self, _: str) -> None:
        self._send(f"set myname {NAME}")

    def _set(self, rest: str) -> None:
        name, value = _split_word(rest)
        if name in SETTINGS:
            getattr(self, f"_set_{name}")(value)

    def _set_depth(self, text: str) -> None:
        depth = _read_number(text)
        if not 1 <= depth <= MAX_DEPTH:
            raise ParlourError(
                f"the depth must be a number from 1 to {MAX_DEPTH}, not {quote(text)}"
            )
        self._depth = depth
        self._send(f"set myname {NAME}{depth}")

    def _set_contempt(self, _: str) -> None:
        """Ignore how a draw should count in the book: here it counts as a draw."""

    def _set_game(self, ggf: str) -> None:
        transcript = next(read_ggf(ggf))
        if transcript.game.misere:
            raise ParlourError("this is a game of misère Othello, which the engine does not play")
        if transcript.game != self.game:
            raise ParlourError("only games on an 8x8 board are played here")
        self._states = [state for state, _ in transcript.positions()]
        self._clocks = read_clocks(ggf)

    def _move(self, text: str) -> None:
        """Play `F5`, `F5/1.5/2.4` or `PA//0.1`: the move, its value and its seconds."""
        move, *notes = (part.strip() for part in text.split("/"))
        state = self._state
        self._states.append(self.game.play(state, self.game.read_move(state, move)))
        if self._clocks is not None and len(notes) == 2 and re.fullmatch(SECONDS, notes[1]):
            self._clocks[state[2]] -= float(notes[1])

    def _ping(self, number: str) -> None:
        if not re.fullmatch("-?[0-9]+", number):
            raise ParlourError(f"ping needs a number, not {quote(number)}")
        self._send(f"pong {number}")

    def _learn(self, _: str) -> None:
        """Answer as if the game had been learned: the board waits for it."""
        self._send("learned")

    # Commands that search

    @property
    def _depth_limits(self) -> dict[str, Any]:
        """How far to look ahead, and from how many empty squares on to solve."""
        return {"plies": self._depth, "solves": solves_from(self._depth)}

    def _moves(self) -> tuple[Square, ...]:
        """Return the legal moves; there must be some."""
        if moves := self.game.moves(self._state):
            return tuple(moves)
        raise ParlourError("the game is over")

    def _go(self, _: str) -> None:
        """Send the move the engine would make; the board decides whether it is played."""
        if self._moves() == (PASS,):
            self._send("=== PA")
            return
        state, clock = self._state, None
        if self._clocks is not None:
            clock = time_for_move(self._clocks[state[2]], self._empties())

        def report(analysis: Analysis) -> None:
            self._send_value(analysis)
            self._send_nodes(analysis.nodes, analysis.seconds)

        def search(engine: OthelloEngine, work: Work) -> Analysis:
            limits = self._depth_limits
            return engine.analyse(state, **limits, seconds=clock, work=work, on_progress=report)

        analysis = self._search("go", search)
        seconds = time.monotonic() - self._began
        self._send(
            f"=== {_format_square(analysis.move)}/{_format_discs(analysis.score)}/{seconds:.2f}"
        )
        self._status()

    def _hint(self, text: str) -> None:
        """Send what the best moves are worth, deeper and deeper until another line arrives."""
        most = _read_number(text)
        if not most:
            raise ParlourError(f"hint needs the number of moves to value, not {quote(text)}")
        hint = self._hint_pass if self._moves() == (PASS,) else self._hint_moves
        self._search("hint", lambda engine, work: hint(engine, work, most))
        self._status()

    def _hint_moves(self, engine: OthelloEngine, work: Work, most: int) -> None:
        """Send the best moves at every depth, all of them: the board forgets shallower ones."""

        def report(found: dict[Square, Analysis]) -> None:
            for analysis in sorted(found.values(), key=lambda analysis: -analysis.score)[:most]:
                self._send_value(analysis)
            nodes = max(analysis.nodes for analysis in found.values())
            self._send_nodes(nodes, time.monotonic() - self._began)

        engine.analyse_moves(self._state, **self._depth_limits, work=work, on_progress=report)

    def _hint_pass(self, engine: OthelloEngine, work: Work, _: int) -> None:
        """Send what a pass is worth: the value of the reply, for this side."""

        def report(reply: Analysis) -> None:
            line = (PASS, *reply.line)
            self._send_value(replace(reply, move=PASS, score=-reply.score, line=line))
            self._send_nodes(reply.nodes, reply.seconds)

        passed = self.game.play(self._state, PASS)
        engine.analyse(passed, **self._depth_limits, work=work, on_progress=report)

    def _analyze(self, _: str) -> None:
        """Send what every position of the game was worth to the side to move, last one first."""
        self._search("analyze", self._value_positions)
        self._status()

    def _value_positions(self, engine: OthelloEngine, work: Work) -> None:
        for ply in reversed(range(len(self._states))):
            score = self._value_position(engine, work, self._states[ply])
            if work.stopped:
                return
            self._send(f"analysis {ply} {_format_discs(score)}")

    def _value_position(self, engine: OthelloEngine, work: Work, state: OthelloState) -> float:
        moves = self.game.moves(state)
        if not moves:
            lead = self.game.score(state)
            return lead if state[2] == 0 else -lead
        if moves[0] == PASS:
            return -self._value_position(engine, work, self.game.play(state, PASS))
        return engine.analyse(state, **self._depth_limits, work=work).score


def _time_limit(task: str, line: str | None) -> float:
    """Return how many seconds a search may take in all once this line has arrived."""
    if line is None:
        return LAST
    word, _ = _split_word(line)
    if task == "go":
        return {"ping": SOON, "quit": 0.0}.get(word, math.inf)
    return 0.0 if word in COMMANDS else math.inf


def _split_word(line: str) -> tuple[str, str]:
    """Return the first word, and the rest."""
    word, *rest = line.split(None, 1) or [""]
    return word, "".join(rest).rstrip()


def _read_number(text: str) -> int:
    """Read a whole number; anything else is 0."""
    return whole(text) if re.fullmatch("[0-9]+", text) else 0


def _format_square(move: Square) -> str:
    return "PA" if move == PASS else f"{'ABCDEFGH'[move[0]]}{move[1] + 1}"


def _format_discs(score: float) -> str:
    """Write a score without an exponent, or a minus before a zero."""
    return f"{round(score, 2) + 0.0:.2f}"
