"""The bot "sandbox": a bot in a file, shut in wherever it plays, not in tournaments alone.

A `.py` file that is named at one's own table runs with one's own rights. Behind this name it does
not; and models whose files can run code when they are opened, such as `model.zip`, are always
played by it.
"""

from __future__ import annotations

import contextlib
import random
import shlex
import sys
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from parlour.arena.plan import Entry, Limits, Plan, model_entry, python_entry
from parlour.arena.results import Fault
from parlour.core import (
    Game,
    Move,
    ParlourError,
    State,
    option,
    reduce_to_options,
    referee,
    registry,
    settle,
    values,
)

NO_FILE = "it needs the file of a bot, like bot=model.zip"


@dataclass
class SandboxPlayer:
    """A bot in a file, such as model.zip or a stranger's .py, played in the sandbox."""

    name: ClassVar[str] = "sandbox"
    needs_trust: ClassVar[str] = "opens a file"  # so web pages and Benedict do not offer it

    bot: str = option("", "the file of the bot with its options, like model.zip")
    memory: int = option(1024, "the MiB of memory it may use", low=64, high=1 << 20)
    seconds: float = option(60.0, "the seconds a move may take", low=0.1, high=1_000_000)

    def __post_init__(self) -> None:
        settle(self)
        self._game: Game | None = None
        self._held: Any = None  # the bot in its sandbox, for that game
        self._end: Callable[[], object] = lambda: None
        self._moves: Sequence[str] = ()
        self._left: float | None = None
        if self.bot:
            self._read_entry()  # what is not there is refused at once
            self._find_opener()

    def __reduce__(self) -> tuple[Any, ...]:
        return reduce_to_options(self)  # the copy starts a process of its own

    def plays(self, game: Game) -> str:
        """Say that it plays, as far as can be said before it is started."""
        return "" if self.why_not(game) else "as its author made it"

    def why_not(self, game: Game) -> str:
        """Return why it cannot play this game, or nothing; the file is not opened for that."""
        if not self.bot:
            return NO_FILE
        opener = self._find_opener()
        return str(opener.why_not(game)) if opener else ""

    def follow(self, game: Game, moves: Sequence[str]) -> None:
        """Take the moves that led to the position of the next choice."""
        self._moves = moves

    def clock(self, seconds_left: float) -> None:
        """Take the time that is left for the next choice."""
        self._left = seconds_left

    def choose(self, game: Game, state: State) -> Move:
        """Return its move, which is a legal one; whatever it does wrong is a `ParlourError`."""
        left, self._left = self._left, None
        moves, self._moves = self._moves, ()
        try:
            if self._held is None or self._game != game:
                self._start(game, state)
            if left is not None:
                self._held.clock(left)
            self._held.follow(game, moves)
            return self._held.choose(game, state)
        except Fault as fault:
            self.close()
            if fault.fault == "time":
                raise referee.OutOfTime(str(fault)) from None
            raise
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End it; it is started again when it is needed."""
        self._held = None
        self._end()

    def _read_entry(self) -> Entry:
        first = (registry.split_command(self.bot) or [""])[0]
        if first.endswith(".py"):
            return python_entry(self.bot)
        if first.endswith(registry.MODELS) and not registry.is_address(first):
            return model_entry(self.bot)
        raise ParlourError(f"the sandbox takes the file of a bot, like model.zip, not {first!r}")

    def _find_opener(self) -> Any:
        """Return the bot that will open a model, if it can say something of the file before."""
        words = registry.split_command(self.bot)
        if not words[0].endswith(".zip"):
            return None
        options = shlex.join([f"model={words[0]}", "trust=yes", *words[1:]])
        return registry.bot(f"stable-baselines3 {options}")

    def _start(self, game: Game, state: State) -> None:
        self.close()
        source = registry.source_of(type(game))
        if not source and not registry.is_installed("games", type(game)):
            raise ParlourError(f"{game.name} is in no file, so the sandbox cannot be told of it")
        entry = self._read_entry()
        plan = Plan(
            str(Path(source).resolve()) if source else game.name,
            (entry,),
            values(game),
            limits=Limits(memory=self.memory, think=self.seconds),
        )
        self._held = self._shut_in(plan, game, game.turn(state))
        self._end = weakref.finalize(self, _close, self._held)
        self._game = game

    def _shut_in(self, plan: Plan, game: Game, seat: int) -> Any:
        """Start the bot of a plan in a sandbox, and never without one."""
        why = "that needs Linux"
        if sys.platform != "win32":
            from parlour.arena.sandbox import launcher, start_bot

            [entry], seed = plan.entries, random.randrange(2**48)
            why = launcher.why_unavailable()
            if not why:
                names = [entry.name] * game.seats
                return start_bot(entry, plan, game, seat, seed, names, strong=True)
        raise ParlourError(f"{plan.entries[0].name} cannot be sandboxed on this machine: {why}")


def _close(held: Any) -> None:
    with contextlib.suppress(OSError):
        held.close()
