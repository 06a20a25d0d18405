"""The clocks of a game as NBoard tells them: what each side began with, less what each move took.

`TI[5:00]` in the game is the time a side has for all its moves, and in `B[F5/1.5/2.4]` the last
number is the seconds that one took. A game without `TI` is not timed.

A conversation in the NBoard protocol, version 2: lines come in at any time, answers go out.

One thread hears the lines and another obeys them in order, so that a line can end the thinking
about one before it: any command ends hints and analyses, and a `ping` has the move that was asked
for answered soon. A line that cannot be obeyed is told in the status line and changes nothing; one
that is not understood is left alone, as the protocol wants it.
"""

from __future__ import annotations

import math
import re
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from parlour.core import ParlourError, Work, capital, named, quote, whole
from parlour.players import solves_from
from parlour.rules import PASS, Othello, OthelloState
from parlour.rules.formats import read_ggf

if TYPE_CHECKING:
    from parlour.engine import Analysis, OthelloEngine
    from parlour.rules import Square

SECONDS = r"[0-9]{1,6}(?:\.[0-9]{0,20})?"
TOTAL = re.compile(r"(?<![A-Z])TI\[((?:[0-9]{1,4}:){1,2}[0-9]{1,4})")
SPENT = re.compile(rf"(?<![A-Z])([BW])\[[^\]/]*/[^\]/]*/({SECONDS})\]")
SOLVED = 6  # moves at the end that take no time, as the first of them has already been thought out
FEWEST = 3  # parts into which what is left is cut even so
LEAST = 0.5  # seconds for a move when nothing is left: people look at games longer than they say


def read_clocks(ggf: str) -> list[float] | None:
    """The seconds that black and white have left at the end of this game; None if not timed."""
    total = TOTAL.search(ggf)
    if total is None:
        return None
    seconds = 0.0
    for part in total[1].split(":"):
        seconds = 60 * seconds + int(part)
    left = [seconds, seconds]
    for side, spent in SPENT.findall(ggf):
        left["BW".index(side)] -= float(spent)
    return left


def share(left: float, empties: int) -> float:
    """How much of what a side has left its next move may take."""
    to_come = (empties + 1) // 2
    return max(LEAST, left / max(FEWEST, to_come - SOLVED))


T = TypeVar("T")

NAME = "Parlour"
DEPTH = 12  # plies, until the board says how many
DEEPEST = 60
SOON = 0.1  # seconds that a move is thought about even if a ping has come: enough for a good one
LAST = 3.0  # seconds for anything when the input has ended, as perhaps nobody waits any more
LONGEST_LINE = 10_000  # characters; a game of 60 moves has about 1,500
COMMANDS = ("nboard", "set", "move", "hint", "go", "ping", "learn", "analyze", "quit")
SETTINGS = ("depth", "game", "contempt")


class Session:
    """One conversation: the game so far, what is being thought about, and what else was said."""

    def __init__(
        self, say: Callable[[str], None], mind: Callable[[Othello], OthelloEngine]
    ) -> None:
        self.game = Othello()
        self._write = say
        self._make_mind = mind
        self._mind: OthelloEngine | None = None
        self._depth = DEPTH
        self._states: list[OthelloState] = [
            self.game.start()
        ]  # every position of the game, the last now
        self._clocks: list[float] | None = None
        self._changed = threading.Condition()  # it guards all that follows
        self._heard: deque[str | None] = deque()  # None is the end of the input
        self._task = ""  # the command that is being thought about…
        self._began = 0.0  # …since when…
        self._ends = math.inf  # …until when at most…
        self._work: Work | None = None  # …and by what

    # Hearing and obeying, each in a thread of its own

    def hear(self, line: str | None) -> None:
        """Take a line, or None when no more will come; whatever it ends, ends."""
        with self._changed:
            self._heard.append(line)
            self._changed.notify()
            self._hasten([line])

    def run(self) -> None:
        """Obey the lines in order, until `quit` or their end."""
        while (line := self._next()) is not None:
            word, rest = _words(line)
            if word == "quit":
                break
            if word in COMMANDS:
                self._obey(line, word, rest)

    def _next(self) -> str | None:
        with self._changed:
            self._changed.wait_for(lambda: self._heard)
            return self._heard.popleft()

    def _obey(self, line: str, word: str, rest: str) -> None:
        too_long = len(line) > LONGEST_LINE
        try:
            getattr(self, "_too_long" if too_long else f"_{word}")(rest)
        except ParlourError as refusal:
            self._status(" ".join(str(refusal).split()))
        except Exception as trouble:
            self._status(f"something went wrong inside: {named(trouble)}")

    def _too_long(self, _: str) -> None:
        raise ParlourError(f"no line is longer than {LONGEST_LINE:,} characters")

    def _think(self, task: str, call: Callable[[OthelloEngine, Work], T]) -> T:
        """What a call comes to, which what is heard may end before its time."""
        self._status("thinking")
        mind = self._mind = self._mind or self._make_mind(self.game)
        work = Work()
        with self._changed:
            self._task, self._began, self._ends = task, time.monotonic(), math.inf
            self._work = work
            self._hasten(self._heard)
        try:
            return work.run(lambda: call(mind, work), watch=self._watch)
        finally:
            with self._changed:
                self._work = None

    def _hasten(self, lines: Iterable[str | None]) -> None:
        """See to it that what is being thought about ends when the first of these lines has it."""
        if self._work is not None:
            patience = (_patience(self._task, line) for line in lines)
            seconds = next((each for each in patience if each < math.inf), math.inf)
            self._ends = min(self._ends, self._began + seconds)
            self._watch(self._work)

    def _watch(self, work: Work) -> None:
        if time.monotonic() >= self._ends:
            work.stop()

    # Saying

    def _say(self, line: str) -> None:
        self._write(line.replace("…", "...").encode("ascii", "backslashreplace").decode())

    def _status(self, text: str = "") -> None:
        self._say(f"status {capital(text)}".rstrip())

    def _value(self, thought: Analysis) -> None:
        """What a move is worth to the mover, and how far that was looked into.

        `100%` means proven and `95%` played out to the end but not proven, both for the board; a
        number alone is how many plies it looked ahead.
        """
        if thought.exact:
            depth = "100%"
        elif thought.depth >= self._empties():
            depth = f"{min(thought.certainty, 99)}%"
        else:
            depth = f"{thought.depth}"
        kind = "book" if thought.book else "search"
        line = "".join(map(_square, thought.line))
        self._say(f"{kind} {line} {_discs(thought.score)} 0 {depth}")

    def _count(self, nodes: int, seconds: float) -> None:
        self._say(f"nodestats {nodes} {seconds:.2f}")

    # What is said about the game

    @property
    def _state(self) -> OthelloState:
        return self._states[-1]

    def _empties(self) -> int:
        own, other, _ = self._state
        return len(self.game.board.bits) - (own | other).bit_count()

    def _nboard(self, _: str) -> None:
        self._say(f"set myname {NAME}")

    def _set(self, rest: str) -> None:
        name, value = _words(rest)
        if name in SETTINGS:
            getattr(self, f"_set_{name}")(value)

    def _set_depth(self, text: str) -> None:
        depth = _number(text)
        if not 1 <= depth <= DEEPEST:
            raise ParlourError(f"the depth is a number from 1 to {DEEPEST}, not {quote(text)}")
        self._depth = depth
        self._say(f"set myname {NAME}{depth}")

    def _set_contempt(self, _: str) -> None:
        """What a draw should count for in the book; here it counts as a draw."""

    def _set_game(self, ggf: str) -> None:
        transcript = next(read_ggf(ggf))
        if transcript.game != self.game:
            raise ParlourError("only games on 8 columns and 8 rows are played here")
        self._states = [state for state, _ in transcript.positions()]
        self._clocks = read_clocks(ggf)

    def _move(self, text: str) -> None:
        """`F5`, `F5/1.5/2.4`, `PA//0.1`: the move, what was thought of it, and its seconds."""
        said, *told = (part.strip() for part in text.split("/"))
        state = self._state
        self._states.append(self.game.play(state, self.game.read_move(state, said)))
        if self._clocks is not None and len(told) == 2 and re.fullmatch(SECONDS, told[1]):
            self._clocks[state[2]] -= float(told[1])

    def _ping(self, number: str) -> None:
        if not re.fullmatch("-?[0-9]+", number):
            raise ParlourError(f"ping comes with a number, not {quote(number)}")
        self._say(f"pong {number}")

    def _learn(self, _: str) -> None:
        """Nothing is learned from one game, but the board waits for the word."""
        self._say("learned")

    # What is asked about it

    def _moves(self) -> tuple[Square, ...]:
        """The moves there are, or the only thing that can be said without one."""
        if moves := self.game.moves(self._state):
            return tuple(moves)
        raise ParlourError("the game is over")

    def _go(self, _: str) -> None:
        """The move the engine would make; whether it is made, the board says."""
        if self._moves() == (PASS,):
            self._say("=== PA")
            return
        state, depth = self._state, self._depth
        clock = None if self._clocks is None else share(self._clocks[state[2]], self._empties())

        def told(thought: Analysis) -> None:
            self._value(thought)
            self._count(thought.nodes, thought.seconds)

        thought = self._think(
            "go",
            lambda mind, work: mind.analyse(
                state,
                plies=depth,
                seconds=clock,
                solves=solves_from(depth),
                work=work,
                on_progress=told,
            ),
        )
        seconds = time.monotonic() - self._began
        self._say(f"=== {_square(thought.move)}/{_discs(thought.score)}/{seconds:.2f}")
        self._status()

    def _hint(self, text: str) -> None:
        """What the best moves are worth, deeper and deeper until something else is said."""
        most = _number(text)
        if not most:
            raise ParlourError(f"hint comes with the number of moves to value, not {quote(text)}")
        best = self._best_of_passing if self._moves() == (PASS,) else self._best
        self._think("hint", lambda mind, work: best(mind, work, most))
        self._status()

    def _best(self, mind: OthelloEngine, work: Work, most: int) -> None:
        """Tell the best moves at every depth; all of them, as the board forgets shallower ones."""

        def told(found: dict[Square, Analysis]) -> None:
            for thought in sorted(found.values(), key=lambda thought: -thought.score)[:most]:
                self._value(thought)
            nodes = max(thought.nodes for thought in found.values())
            self._count(nodes, time.monotonic() - self._began)

        depth = self._depth
        mind.analyse_moves(
            self._state, plies=depth, solves=solves_from(depth), work=work, on_progress=told
        )

    def _best_of_passing(self, mind: OthelloEngine, work: Work, _: int) -> None:
        """Tell what a pass is worth: what the other side then has, seen from this one."""

        def told(reply: Analysis) -> None:
            line = (PASS, *reply.line)
            self._value(replace(reply, move=PASS, score=-reply.score, line=line))
            self._count(reply.nodes, reply.seconds)

        depth, passed = self._depth, self.game.play(self._state, PASS)
        mind.analyse(passed, plies=depth, solves=solves_from(depth), work=work, on_progress=told)

    def _analyze(self, _: str) -> None:
        """What every position of the game was worth to who was to move, the last one first."""
        self._think("analyze", self._look_back)
        self._status()

    def _look_back(self, mind: OthelloEngine, work: Work) -> None:
        for played in reversed(range(len(self._states))):
            worth = self._worth(mind, work, self._states[played])
            if work.stopped:
                return
            self._say(f"analysis {played} {_discs(worth)}")

    def _worth(self, mind: OthelloEngine, work: Work, state: OthelloState) -> float:
        moves = self.game.moves(state)
        if not moves:
            lead = self.game.score(state)
            return lead if state[2] == 0 else -lead
        if moves[0] == PASS:
            return -self._worth(mind, work, self.game.play(state, PASS))
        depth = self._depth
        return mind.analyse(state, plies=depth, solves=solves_from(depth), work=work).score


def _patience(task: str, line: str | None) -> float:
    """How many seconds a task may take in all once this line was heard."""
    if line is None:
        return LAST
    word, _ = _words(line)
    if task == "go":
        return {"ping": SOON, "quit": 0.0}.get(word, math.inf)
    return 0.0 if word in COMMANDS else math.inf


def _words(line: str) -> tuple[str, str]:
    """The first word, and the rest."""
    word, *rest = line.split(None, 1) or [""]
    return word, "".join(rest).rstrip()


def _number(text: str) -> int:
    """A whole number; 0 for anything else."""
    return whole(text) if re.fullmatch("[0-9]+", text) else 0


def _square(move: Square) -> str:
    return "PA" if move == PASS else f"{'ABCDEFGH'[move[0]]}{move[1] + 1}"


def _discs(score: float) -> str:
    """The score without an exponent, nor a minus before a zero."""
    return f"{round(score, 2) + 0.0:.2f}"
