"""What was thought about once is remembered: whoever asks the same is told the same, at once.

A page waits only a moment for an answer. If there is none by then, it says so, and finds it when
it asks again.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from parlour.core import ParlourError
from parlour.faces.web.workers.pool import Thinkers, ThoughtFailed, TookTooLong, TooMany

MOST_THOUGHT = 40  # questions without an answer, of everybody together
FORGOTTEN = 20.0  # seconds after which somebody may try again what went wrong by the way
PASSING = (TookTooLong, TooMany, ThoughtFailed)


@dataclass(eq=False)
class Answer:
    """A question: what was found, or what stood in the way, or how far it is."""

    found: Any = None
    trouble: ParlourError | None = None
    pending: bool = True
    done: int = 0
    total: int = 0
    ended: float = 0.0

    def note(self, done: int, total: int) -> None:
        """Remember how far it is."""
        self.done, self.total = done, total

    @property
    def is_stale(self) -> bool:
        """Whether it may be otherwise by now."""
        passing = isinstance(self.trouble, PASSING)
        return passing and time.monotonic() - self.ended > FORGOTTEN


class Answers:
    """The answers to the last so many questions, used from one event loop."""

    def __init__(self, thinkers: Thinkers, most: int) -> None:
        self._thinkers = thinkers
        self._most = most
        self._kept: OrderedDict[str, Answer] = OrderedDict()
        self._thoughts: dict[Answer, asyncio.Task[None]] = {}

    async def ask(
        self,
        name: str,
        payload: Mapping[str, Any],
        *,
        seconds: float,
        whose: str,
        patience: float,
    ) -> Answer:
        """The answer to a thought, or how far it is after so much patience."""
        key = json.dumps([name, payload], sort_keys=True)
        answer = self._kept.pop(key, None)
        if answer is None or answer.is_stale:
            if len(self._thoughts) >= MOST_THOUGHT:
                busy = TooMany("a great many questions are being thought about; ask again soon")
                return Answer(trouble=busy, pending=False)
            answer = Answer()
            thought = asyncio.create_task(self._think(answer, name, payload, seconds, whose))
            self._thoughts[answer] = thought
        self._kept[key] = answer  # the one used last stands last
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)
        if answer.pending:
            await asyncio.wait([self._thoughts[answer]], timeout=patience)
        return answer

    async def _think(
        self, answer: Answer, name: str, payload: Mapping[str, Any], seconds: float, whose: str
    ) -> None:
        try:
            answer.found = await self._thinkers.ask(
                name, payload, seconds, whose=whose, progress=answer.note
            )
        except ParlourError as trouble:
            answer.trouble = trouble
        finally:
            del self._thoughts[answer]
            answer.pending, answer.ended = False, time.monotonic()
