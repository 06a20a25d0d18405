"""Sandboxed bots, and the bot "sandbox": one in a file, shut in wherever it plays.

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

from parlour.arena.plan import Entry, Limits, Plan, file_entry, is_bot_file
from parlour.arena.results import Fault
from parlour.core import Game, Move, ParlourError, State, option, referee, registry, settle, values
from parlour.players import External

NO_WINDOWS = "bots that are files run on Linux and macOS; choose installed bots"
NO_FILE = "it needs the file of a bot, like bot=model.zip"


def find_untrusted(plan: Plan) -> tuple[list[str], str]:
    """Return the names of the sandboxed bots, and why this machine has no sandbox, if so."""
    names = [each.name for each in plan.entries if each.sandboxed]
    if not names:
        return [], ""
    if sys.platform == "win32":
        raise ParlourError(NO_WINDOWS)
    from parlour.arena.sandbox import launcher

    return names, launcher.why_unavailable()


def check_sandbox(plan: Plan, *, trust: bool) -> bool:
    """Return whether bots are isolated; where they cannot be, they have to be trusted."""
    names, why = find_untrusted(plan)
    if why and not trust:
        raise ParlourError(
            f"{' and '.join(names)} cannot be sandboxed on this machine ({why}); with trust=True, "
            "or --trust, they run anyway"
        )
    return not why


def start_sandboxed(
    entry: Entry,
    plan: Plan,
    game: Game,
    seat: int,
    seed: int,
    players: Sequence[str] = (),
    *,
    strong: bool = True,
) -> Any:
    """Start a bot in a process of its own; `Fault` when it cannot start.

    Without the names of the `players` it plays against itself. `strong` is whether it is isolated.
    """
    if sys.platform == "win32":
        raise ParlourError(NO_WINDOWS)
    from parlour.arena import sandbox

    names = players or [entry.name] * game.seats
    return sandbox.start_bot(entry, plan, game, seat, seed, names, strong)


@dataclass
class SandboxPlayer(External):
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
        if self.bot:
            self._read_entry()  # what is not there is refused at once
            self._find_opener()

    def plays(self, game: Game) -> str:
        """Say that it plays, as far as can be said before it is started."""
        return "" if self.why_not(game) else "as its author made it"

    def why_not(self, game: Game) -> str:
        """Return why it cannot play this game, or nothing; the file is not opened for that."""
        if not self.bot:
            return NO_FILE
        opener = self._find_opener()
        return str(opener.why_not(game)) if opener else ""

    def choose(self, game: Game, state: State) -> Move:
        """Return its move, which is a legal one; whatever it does wrong is a `ParlourError`."""
        moves, left = self._take_given()
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
        if is_bot_file(first):
            return file_entry(self.bot)
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
        _, why = find_untrusted(plan)
        if why:
            raise ParlourError(f"{entry.name} cannot be sandboxed on this machine: {why}")
        seed = random.randrange(2**48)
        self._held = start_sandboxed(entry, plan, game, game.turn(state), seed)
        self._end = weakref.finalize(self, _close, self._held)
        self._game = game


def _close(held: Any) -> None:
    with contextlib.suppress(OSError):
        held.close()
