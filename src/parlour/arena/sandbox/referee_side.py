"""Strangers' bots at the referee's table: spoken to line by line, and held to what they may use.

Every game has a fresh process in a sandbox of its own. Whatever a bot does wrong becomes one
`Fault`, with a reason for the record and a log for its author. Between its moves it is made to
stand still, so that nobody thinks in the opponent's time. The lines are those of docs/protocol.md.
"""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

from parlour.arena.entries import digest
from parlour.arena.plan import GTP, PYTHON, Entry, Plan
from parlour.arena.sandbox import launcher as sandbox
from parlour.arena.sandbox import namespaces as cell
from parlour.arena.sandbox.faults import LONGEST_REASON, Fault, Lost, printable
from parlour.arena.sandbox.fork_server import stable
from parlour.core import Game, IllegalMove, Move, ParlourError, Resigns, State, quote, values
from parlour.players import Endless, Gone, Pipe, Silent, Trouble

PROTOCOL = 1
MOST_LISTED = 1_000  # moves in one question


def seated(
    entry: Entry, plan: Plan, game: Game, seat: int, seed: int, players: Sequence[str], strong: bool
) -> Apart:
    """The bot in a process of its own, ready to play one game; `Fault` when it cannot.

    `Lost` here, or later, is nobody's fault: the game is to be played again.

    `strong` is whether it is shut in, as it should be wherever `sandbox.available` says nothing.
    """
    words = shlex.split(entry.what)
    if entry.digest and digest(words) != entry.digest:
        what = f"the file {Path(words[0]).name}" if entry.kind == PYTHON else entry.name
        raise ParlourError(f"{what} has changed since the tournament began; start it again")
    files = {word: str(Path(word).absolute()) for word in words if Path(word).is_file()}
    words = [files.get(word, word) for word in words]
    if entry.kind == PYTHON:
        home = stable(plan.game, json.dumps(dict(plan.options), sort_keys=True))
        pipe = Pipe(home.let_out(shlex.join(words), words[0], plan.limits, strong=strong))
    else:
        command = sandbox.wrap(words, files=files.values(), limits=plan.limits, strong=strong)
        pipe = Pipe(command)
    bot = (SpeaksGtp if entry.kind == GTP else Apart)(pipe, plan)
    start = {
        "type": "start",
        "protocol": PROTOCOL,
        "game": game.name,
        "options": values(game),
        "seat": seat,
        "seats": game.seats,
        "players": list(players),
        "seed": seed,
        "clock": None if plan.clock is None else asdict(plan.clock),
    }
    try:
        with bot.awake(plan.limits.start, starting=True):
            bot.begin(game, start)
    except BaseException:
        bot.close()
        raise
    return bot


class Apart:
    """A bot in a process of its own that speaks the line protocol."""

    def __init__(self, pipe: Pipe, plan: Plan) -> None:
        self.pipe = pipe
        self._limits = plan.limits
        self._clock = plan.clock
        self._left: float | None = None
        self._until = 0.0  # when it must have answered
        self._played: Sequence[str] = ()

    def clock(self, seconds_left: float) -> None:
        """Be told how much time is left, before a choice."""
        self._left = seconds_left

    def follow(self, game: Game, moves: Sequence[str]) -> None:
        """Be told the moves that led to the position that comes next."""
        self._played = moves

    def choose(self, game: Game, state: State) -> Move:
        """Its move, which is a legal one; else `Fault`, or `Resigns`."""
        left, self._left = self._left, None
        with self.awake(self._limits.think if left is None else left):
            return self._choose(game, state, left)

    def close(self) -> None:
        """End it, and all it started; can be called twice."""
        self.pipe.close(farewell=0)

    @contextmanager
    def awake(self, seconds: float, *, starting: bool = False) -> Iterator[None]:
        """Let it run for so long; whatever becomes of it is its fault."""
        self._until = time.monotonic() + seconds
        if not starting:
            self.pipe.process.send_signal(cell.GO)
        try:
            yield
        except IllegalMove as refusal:
            raise Fault("illegal", str(refusal), self.pipe.errors) from None
        except Trouble as trouble:
            raise self._blamed(trouble, seconds, starting=starting) from None
        finally:
            self.pipe.process.send_signal(cell.STOP)

    def begin(self, game: Game, start: dict[str, Any]) -> None:
        """Tell it what is to be played, and wait until it is ready."""
        self._ask(start, "ready", starting=True)

    def _choose(self, game: Game, state: State, left: float | None) -> Move:
        moves = game.moves(state)
        question = {
            "type": "choose",
            "position": game.write(state),
            "moves": [game.write_move(move) for move in islice(moves, MOST_LISTED)],
            "count": len(moves),
            "played": list(self._played),
            "seconds": left,
        }
        answer = self._ask(question, "move", "resign")
        if answer["type"] == "resign":
            raise Resigns(printable(str(answer.get("why", "")))[:LONGEST_REASON])
        text = answer.get("move")
        if not isinstance(text, str):
            raise self._garbage(f"chose a move that is no text: {quote(text)}")
        try:
            return game.read_move(state, text)
        except ParlourError as refusal:
            reason = f"chose {quote(text)}, which is no move here: {refusal}"
            raise Fault("illegal", reason, self.pipe.errors) from None

    def _ask(
        self, question: dict[str, Any], *wanted: str, starting: bool = False
    ) -> dict[str, Any]:
        """Its answer, of one of the types that are wanted."""
        self._must_be_quiet()
        self.pipe.say(json.dumps(question), self._until - time.monotonic())
        line = self.pipe.hear(self._until - time.monotonic())
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        kind = answer.get("type") if isinstance(answer, dict) else None
        if kind == "error":
            raise self._admitted(answer, starting=starting)
        if kind not in wanted:
            raise self._garbage(f"printed what is no answer: {quote(line)}")
        self._must_be_quiet()
        return dict(answer)

    def _must_be_quiet(self) -> None:
        if said := self.pipe.unasked:
            line = said.splitlines()[0]
            raise self._garbage(f"printed what nobody had asked for: {quote(line)}")

    def _garbage(self, reason: str) -> Fault:
        return Fault("garbage", reason, self.pipe.errors)

    def _admitted(self, answer: dict[str, Any], *, starting: bool) -> Fault:
        """What it says itself went wrong."""
        why, log, fault = (str(answer.get(name, "")) for name in ("why", "log", "fault"))
        log = f"{self.pipe.errors}\n{log}".strip()
        if fault in ("memory", "processes"):
            return self._used_up(fault, log)
        if fault == "illegal":
            return Fault(fault, why, log)
        if starting:
            return Fault("start", f"could not start: {why}", log)
        return Fault("crash", f"crashed: {why}", log)

    def _used_up(self, fault: str, log: str) -> Fault:
        limits = self._limits
        memory = f"used more than {limits.memory} MiB of memory"
        processes = f"had more than {limits.processes} processes"
        return Fault(fault, memory if fault == "memory" else processes, log)

    def _blamed(self, trouble: Trouble, seconds: float, *, starting: bool) -> Fault:
        """What the trouble in speaking with it comes from."""
        log = self.pipe.errors
        last = (log.splitlines() or [str(trouble)])[-1]
        code = trouble.code if isinstance(trouble, Gone) else None
        if code == cell.UNBUILT:
            raise ParlourError(last)  # nobody's fault at the table
        if code is not None and code < 0:  # the warder himself, whom no bot can reach
            raise Lost(f"the process that watches a bot {trouble}")
        if code in USED_UP:
            return self._used_up(USED_UP[code], log)
        if code == cell.RESTLESS:
            return Fault("time", "went on thinking in the opponent's time", log)
        if starting:
            if isinstance(trouble, Silent):
                return Fault("start", f"was not ready after {seconds:g} s", log)
            return Fault("start", last if code == cell.UNSTARTED else str(trouble), log)
        if isinstance(trouble, Silent):
            whole_game = self._clock is not None and self._clock.each is None
            late = "ran out of time" if whole_game else f"took longer than {seconds:g} s for a move"
            return Fault("time", late, log)
        if isinstance(trouble, Endless) or (isinstance(trouble, Gone) and code is None):
            return Fault("output", str(trouble), log)
        return Fault("crash" if isinstance(trouble, Gone) else "garbage", str(trouble), log)


USED_UP: dict[int | None, str] = {cell.MEMORY: "memory", cell.PROCESSES: "processes"}


class SpeaksGtp(Apart):
    """A bot in a process of its own that speaks GTP."""

    def begin(self, game: Any, start: dict[str, Any]) -> None:
        """Ask whether it plays on such a board."""
        from parlour.players import GtpEngine

        self._engine = GtpEngine(self.pipe, seconds=self._limits.start)
        self._engine.until = self._until
        self._engine.suits(game)
        self._engine.seconds = self._limits.think

    def _choose(self, game: Any, state: State, left: float | None) -> Move:
        self._engine.until = self._until  # for all that it is told and asked in this turn
        return self._engine.choose(game, state, told=self._played, left=left)
