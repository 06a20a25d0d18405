"""All bots of a league make their first move, several at once, and what came of it is remembered.

Nobody is asked twice the same thing: what was found is kept under all that decides it, who the bot
is and under which conditions it plays. Only who failed at once is asked anew, for that costs
nothing, and what it lacked on this machine may be there by now.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from parlour.arena.botcheck.check import check_first_move
from parlour.arena.botcheck.flaws import Flaw, bot_file
from parlour.arena.executors import Executor
from parlour.arena.plan import Entry, Plan
from parlour.arena.playing import load_plan
from parlour.core import ParlourError, write_whole

NAME = "checked.json"
AT_ONCE = 2.0  # seconds
GLANCE = 0.1  # seconds between two looks while nothing comes back


@dataclass(frozen=True)
class Answer:
    """What came of asking a bot for its first move."""

    flaw: Flaw | None
    seconds: float

    @property
    def lasting(self) -> bool:
        """Whether it need not be asked again."""
        return self.flaw is None or self.seconds > AT_ONCE

    def told(self) -> list[object]:
        """As it is written down."""
        return [self.flaw and asdict(self.flaw), round(self.seconds, 3)]

    @classmethod
    def read(cls, told: Any) -> Answer:
        """What was written down."""
        flaw, seconds = told
        if flaw is not None:
            listed = {name: tuple(flaw[name]) for name in ("moves", "wrote")}
            flaw = Flaw(**flaw | listed)
        return cls(flaw, float(seconds))


class FirstMoveCache:
    """What was found out about bots, in a folder."""

    def __init__(self, folder: Path, plan: Plan, *, strong: bool) -> None:
        self._path = folder / NAME
        self._known: dict[str, Answer] = {}
        game = Path(plan.game)
        rules = game.read_bytes() if game.suffix == ".py" and game.is_file() else b""
        clock = None if plan.clock is None else asdict(plan.clock)
        told = [plan.game, dict(plan.options), clock, asdict(plan.limits), plan.seed, strong]
        self._conditions = _digest([told, hashlib.sha256(rules).hexdigest()])
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
            kept = json.loads(self._path.read_bytes())
            self._known = {key: Answer.read(each) for key, each in kept.items()}

    def of(self, entry: Entry) -> Answer | None:
        """What this bot did under these conditions, if it was ever asked."""
        return self._known.get(self._key(entry))

    def add(self, entry: Entry, answer: Answer) -> None:
        """Remember this too."""
        self._known[self._key(entry)] = answer

    def keep(self, entries: Sequence[Entry]) -> None:
        """Write down what is known of these, and forget all others."""
        told = {
            key: self._known[key].told() for key in map(self._key, entries) if key in self._known
        }
        write_whole(self._path, json.dumps(told, indent=1).encode())

    def _key(self, entry: Entry) -> str:
        return _digest([bot_file(entry).name, entry.kind, entry.digest, self._conditions])


def _digest(told: list[object]) -> str:
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:20]


def check_first_moves(
    plan: Plan,
    memory: FirstMoveCache,
    executor: Executor,
    *,
    strong: bool,
    watch: Callable[[int, int], None] = lambda done, total: None,
) -> dict[Entry, Flaw | None]:
    """What keeps each bot of a plan from making even one move, if anything does.

    `watch` is told how many of those who had to be asked have answered.
    """
    known = {entry: memory.of(entry) for entry in plan.entries}
    found = {entry: answer.flaw for entry, answer in known.items() if answer and answer.lasting}
    new = [entry for entry in plan.entries if entry not in found]
    waiting: dict[Future[str], Entry] = {}

    def take(seconds: float) -> None:
        """What has come back, or comes soon."""
        for future in wait(waiting, timeout=seconds, return_when=FIRST_COMPLETED).done:
            entry = waiting.pop(future)
            answer = _answer(future)
            found[entry] = answer.flaw if answer else None
            if answer:
                memory.add(entry, answer)
            else:
                executor.recover()
        watch(len(found) - len(plan.entries) + len(new), len(new))

    try:
        for entry in new:
            take(0.0)
            while len(waiting) >= 2 * executor.workers:
                take(GLANCE)
            line = replace(plan, entries=(entry,)).to_json()
            waiting[executor.submit(_first_move, line, strong)] = entry
        while waiting:
            take(GLANCE)
    finally:  # also when it is broken off
        if new:
            memory.keep(plan.entries)
    return found


def _first_move(line: str, strong: bool) -> str:
    """Text in, text out, for it is done in other processes."""
    plan, game = load_plan(line)
    began = time.monotonic()
    flaw = check_first_move(plan.entries[0], plan, game, strong=strong)
    return json.dumps(Answer(flaw, time.monotonic() - began).told())


def _answer(future: Future[str]) -> Answer | None:
    """What came back, if anything did."""
    try:
        return Answer.read(json.loads(future.result()))
    except ParlourError:
        raise
    except Exception:  # it took its worker with it; the games will tell
        return None
