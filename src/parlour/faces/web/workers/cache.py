"""A cache of what workers found out: the same question is answered at once the second time.

A page waits only a moment for an answer. If there is none by then, it says so, and finds the answer
when it asks again.
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
from parlour.faces.web.workers.pool import QueueFull, TaskFailed, TaskTimeout, WorkerPool

MAX_PENDING = 40  # questions of all clients together
RETRY_AFTER = 20.0  # seconds after which a temporary error is forgotten
TEMPORARY = (TaskTimeout, QueueFull, TaskFailed)


@dataclass(eq=False)
class Answer:
    """What was found, or the error, or how far it is."""

    found: Any = None
    trouble: ParlourError | None = None
    pending: bool = True
    done: int = 0
    total: int = 0
    ended: float = 0.0

    def set_progress(self, done: int, total: int) -> None:
        """Note how far it is."""
        self.done, self.total = done, total

    @property
    def is_stale(self) -> bool:
        """Whether the question should be asked again."""
        temporary = isinstance(self.trouble, TEMPORARY)
        return temporary and time.monotonic() - self.ended > RETRY_AFTER


class AnswerCache:
    """The latest answers, used from one event loop."""

    def __init__(self, workers: WorkerPool, size: int) -> None:
        self._workers = workers
        self._size = size
        self._answers: OrderedDict[str, Answer] = OrderedDict()
        self._tasks: dict[Answer, asyncio.Task[None]] = {}

    async def ask(
        self,
        task: str,
        payload: Mapping[str, Any],
        *,
        seconds: float,
        client: str,
        patience: float,
    ) -> Answer:
        """Return the answer to a task, or how far it is after waiting `patience` seconds."""
        key = json.dumps([task, payload], sort_keys=True)
        answer = self._answers.pop(key, None)
        if answer is None or answer.is_stale:
            if len(self._tasks) >= MAX_PENDING:
                busy = QueueFull("the server is busy; try again in a moment")
                return Answer(trouble=busy, pending=False)
            answer = Answer()
            run = self._run(answer, task, payload, seconds, client)
            self._tasks[answer] = asyncio.create_task(run)
        self._answers[key] = answer  # most recently used last
        if len(self._answers) > self._size:
            self._answers.popitem(last=False)
        if answer.pending:
            await asyncio.wait([self._tasks[answer]], timeout=patience)
        return answer

    async def _run(
        self, answer: Answer, task: str, payload: Mapping[str, Any], seconds: float, client: str
    ) -> None:
        try:
            answer.found = await self._workers.run(
                task, payload, seconds, client=client, progress=answer.set_progress
            )
        except ParlourError as error:
            answer.trouble = error
        finally:
            del self._tasks[answer]
            answer.pending, answer.ended = False, time.monotonic()
