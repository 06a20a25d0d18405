"""The referee's side of a sandboxed bot: it is asked line by line, and held to its limits.

Every game has a fresh process in a sandbox of its own. Whatever a bot does wrong becomes one
`Fault`, with a reason for the record and a log for its author. Between its moves it is paused, so
that it cannot think in the opponent's time. The lines are those of docs/protocol.md.
"""

from __future__ import annotations

import json
import shlex
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

assert sys.platform != "win32"  # nothing here is used there

from parlour import players
from parlour.arena.plan import GTP, MODEL, PYTHON, Entry, Plan, digest_files, find_weights
from parlour.arena.results import Fault, ProcessLost, clean_reason
from parlour.arena.sandbox import namespaces
from parlour.arena.sandbox.launcher import bot_server, find_libraries, wrap_command
from parlour.core import (
    Game,
    IllegalMove,
    Move,
    ParlourError,
    Resigns,
    State,
    quote,
    referee,
    say,
    values,
)

PROTOCOL = 1
LIMIT_FAULTS: dict[int | None, str] = {
    namespaces.OUT_OF_MEMORY: "memory",
    namespaces.TOO_MANY_PROCESSES: "processes",
}


def start_bot(
    entry: Entry, plan: Plan, game: Game, seat: int, seed: int, names: Sequence[str], strong: bool
) -> SandboxedBot:
    """Start a bot in a process of its own, ready to play one game; `Fault` when it cannot.

    `ProcessLost`, here or later, is no fault of a player: the game has to be played again. `strong`
    is whether the bot is isolated, as it should be wherever the sandbox is available.
    """
    words = shlex.split(entry.what)
    is_file = entry.kind in (PYTHON, MODEL)
    beside = find_weights(Path(words[0])) if is_file else []
    if entry.digest and digest_files([*words, *beside]) != entry.digest:
        what = f"the file {Path(words[0]).name}" if is_file else entry.name
        raise ParlourError(f"{what} has changed since the tournament began; start it again")
    files = {word: str(Path(word).absolute()) for word in words if Path(word).is_file()}
    words = [files.get(word, word) for word in words]
    if is_file:
        server = bot_server(
            plan.game, json.dumps(dict(plan.options), sort_keys=True), find_libraries(words[0])
        )
        shown = [words[0], *beside]
        pipe = players.Pipe(server.start(shlex.join(words), shown, plan.limits, strong=strong))
    else:
        shown = list(files.values())
        pipe = players.Pipe(wrap_command(words, files=shown, limits=plan.limits, strong=strong))
    bot = (SandboxedGtpBot if entry.kind == GTP else SandboxedBot)(pipe, plan)
    start = {
        "type": "start",
        "protocol": PROTOCOL,
        "game": game.name,
        "options": values(game),
        "seat": seat,
        "seats": game.seats,
        "players": list(names),
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


class SandboxedBot(players.External):
    """A bot in a process of its own that speaks the line protocol."""

    def __init__(self, pipe: players.Pipe, plan: Plan) -> None:
        self.pipe = pipe
        self._limits = plan.limits
        self._clock = plan.clock
        self._deadline = 0.0  # of the answer that is awaited

    def choose(self, game: Game, state: State) -> Move:
        """Return its move, which is a legal one; else `Fault`, or `Resigns`."""
        played, left = self._take_given()
        with self.awake(self._limits.think if left is None else left):
            return self._choose(game, state, played, left)

    def close(self) -> None:
        """End it, and all it started; can be called twice."""
        self.pipe.close(grace=0)

    @contextmanager
    def awake(self, seconds: float, *, starting: bool = False) -> Iterator[None]:
        """Let it run for this long; whatever goes wrong is its fault."""
        self._deadline = time.monotonic() + seconds
        if not starting:
            self.pipe.process.send_signal(namespaces.RESUME)
        try:
            yield
        except IllegalMove as refusal:
            raise Fault("illegal", refusal.text, self.pipe.errors) from None
        except players.ProcessError as error:
            raise self._blame(error, seconds, starting=starting) from None
        finally:
            self.pipe.process.send_signal(namespaces.PAUSE)

    def begin(self, game: Game, start: dict[str, Any]) -> None:
        """Send it the game and its conditions, and wait until it is ready."""
        self._ask(start, "ready", starting=True)

    def _choose(self, game: Game, state: State, played: Sequence[str], left: float | None) -> Move:
        answer = self._ask(players.ask_for_move(game, state, played, left), "move", "resign")
        if answer["type"] == "resign":
            raise Resigns(clean_reason(str(answer.get("why", ""))))
        text = answer["move"]
        try:
            return game.read_move(state, text)
        except ParlourError as refusal:
            raise Fault.illegal(quote(text), refusal.text, self.pipe.errors) from None

    def _ask(
        self, question: dict[str, Any], *wanted: str, starting: bool = False
    ) -> dict[str, Any]:
        """Return its answer, which must be of one of the wanted types."""
        self._must_be_quiet()
        self.pipe.write_line(json.dumps(question), self._deadline - time.monotonic())
        line = self.pipe.read_line(self._deadline - time.monotonic())
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        kind = answer.get("type") if isinstance(answer, dict) else None
        if kind == "error":
            raise self._admitted_fault(answer, starting=starting)
        if kind not in wanted or (kind == "move" and not isinstance(answer.get("move"), str)):
            raise self._garbage(say("printed {line}, which is not an answer", line=quote(line)))
        self._must_be_quiet()
        return dict(answer)

    def _must_be_quiet(self) -> None:
        if unasked := self.pipe.pending_output:
            line = unasked.splitlines()[0]
            raise self._garbage(say("printed {line} without being asked", line=quote(line)))

    def _garbage(self, reason: str) -> Fault:
        return Fault("garbage", reason, self.pipe.errors)

    def _admitted_fault(self, answer: dict[str, Any], *, starting: bool) -> Fault:
        """Return the fault that the bot itself reports."""
        why, log, fault, choice = (
            str(answer.get(name, "")) for name in ("why", "log", "fault", "choice")
        )
        log = f"{self.pipe.errors}\n{log}".strip()
        if fault in ("memory", "processes"):
            return self._limit_fault(fault, log)
        if fault == "illegal":
            return Fault.illegal(choice, why, log) if choice else Fault("illegal", why, log)
        if starting:
            return Fault("start", say("could not start: {why}", why=why), log)
        return Fault("crash", say("crashed: {error}", error=why), log)

    def _limit_fault(self, fault: str, log: str) -> Fault:
        if fault == "memory":
            reason = say("used more than {memory} MiB of memory", memory=self._limits.memory)
            return Fault("memory", reason, log)
        reason = say("had more than {number} processes", number=self._limits.processes)
        return Fault("processes", reason, log)

    def _blame(self, error: players.ProcessError, seconds: float, *, starting: bool) -> Fault:
        """Return the fault behind a failure to communicate."""
        log = self.pipe.errors
        last = (log.splitlines() or [str(error)])[-1]
        code = error.code if isinstance(error, players.ProcessEnded) else None
        if code == namespaces.NO_SANDBOX:
            raise ParlourError(last)  # not the fault of a player
        if code is not None and code < 0:  # the supervisor itself, which no bot can reach
            raise ProcessLost(f"the process that supervises a bot {error}")
        if code in LIMIT_FAULTS:
            return self._limit_fault(LIMIT_FAULTS[code], log)
        if code == namespaces.RAN_WHILE_PAUSED:
            return Fault("time", say("went on thinking in the opponent's time"), log)
        late = isinstance(error, players.ResponseTimeout)
        if starting and late:
            return Fault("start", say("was not ready after {seconds:g} s", seconds=seconds), log)
        if starting:
            return Fault("start", last if code == namespaces.NOT_STARTED else str(error), log)
        if late:
            each = seconds if self._clock is None else self._clock.each
            return Fault("time", referee.say_late(each), log)
        ended = isinstance(error, players.ProcessEnded)
        if isinstance(error, players.LineTooLong) or (ended and code is None):
            return Fault("output", str(error), log)
        return Fault("crash" if ended else "garbage", str(error), log)


class SandboxedGtpBot(SandboxedBot):
    """A bot in a process of its own that speaks GTP."""

    def begin(self, game: Any, start: dict[str, Any]) -> None:
        """Ask whether it plays on such a board."""
        self._engine = players.GtpEngine(self.pipe, seconds=self._limits.start)
        self._engine.until = self._deadline
        self._engine.set_board_size(game)
        self._engine.seconds = self._limits.think

    def _choose(self, game: Any, state: State, played: Sequence[str], left: float | None) -> Move:
        self._engine.until = self._deadline  # for everything that is sent and asked in this turn
        return self._engine.choose(game, state, history=played, left=left)
