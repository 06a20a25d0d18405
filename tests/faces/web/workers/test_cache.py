"""Answers that are remembered: found once, waited for a moment only, and not kept for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from parlour.core.errors import ParlourError
from parlour.faces.web.workers import pool as answers
from parlour.faces.web.workers.pool import AnswerCache, TaskTimeout


class Slow:
    """A pool whose tasks take until they are let go."""

    address_of = staticmethod(lambda client: client.partition(" ")[0])

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.free = asyncio.Event()
        self.error: ParlourError | None = None

    async def run(
        self, name: str, payload: Any, seconds: float, *, client: str, progress: Any
    ) -> str:
        self.asked.append(payload["x"])
        progress(1, 3)
        await self.free.wait()
        if self.error is not None:
            raise self.error
        return f"found {payload['x']}"


def with_cache(call: Callable[[Slow, AnswerCache], Any], most: int = 2) -> None:
    async def run() -> None:
        slow = Slow()
        await call(slow, AnswerCache(slow, most))  # type: ignore[arg-type]

    asyncio.run(run())


async def ask(
    known: AnswerCache, x: str, patience: float = 0.01, client: str = "me"
) -> answers.Answer:
    return await known.ask("t", {"x": x}, seconds=1, client=client, patience=patience)


def test_a_task_runs_once_for_all_who_ask() -> None:
    async def call(slow: Slow, known: AnswerCache) -> None:
        first, second = await asyncio.gather(ask(known, "a"), ask(known, "a"))
        assert first is second
        assert (first.pending, first.done, first.total) == (True, 1, 3)
        slow.free.set()
        later = await ask(known, "a", 60)
        assert (later.pending, later.found) == (False, "found a")
        assert slow.asked == ["a"]

    with_cache(call)


def test_only_the_last_answers_are_kept() -> None:
    async def call(slow: Slow, known: AnswerCache) -> None:
        slow.free.set()
        for x in "abcba":
            await ask(known, x, 60)
        assert "".join(slow.asked) == "abca"

    with_cache(call)


def test_a_timeout_is_reported_and_tried_again_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def call(slow: Slow, known: AnswerCache) -> None:
        slow.error = TaskTimeout("no")
        slow.free.set()
        assert (await ask(known, "a", 60)).error is slow.error
        await ask(known, "a", 60)
        assert slow.asked == ["a"]
        monkeypatch.setattr(answers, "RETRY_AFTER", 0.0)
        slow.error = None
        assert (await ask(known, "a", 60)).found == "found a"

    with_cache(call)


def test_only_so_many_tasks_of_all_clients_are_pending(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "MAX_PENDING", 3)

    async def call(slow: Slow, known: AnswerCache) -> None:
        for x in "abc":
            assert (await ask(known, x)).pending
        assert "the server is busy" in str((await ask(known, "d")).error)
        slow.free.set()
        await ask(known, "a", 60)
        assert (await ask(known, "d", 60)).found

    with_cache(call, most=10)


def test_many_clients_of_one_address_leave_room_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "MAX_PENDING_BY_ADDRESS", 3)

    async def call(slow: Slow, known: AnswerCache) -> None:
        for number, x in enumerate("abc"):
            assert (await ask(known, x, client=f"house {number}")).pending
        refused = (await ask(known, "d", client="house 9")).error
        assert (type(refused), "of your network" in str(refused)) == (answers.QueueFull, True)
        assert (await ask(known, "d", client="elsewhere 1")).pending
        slow.free.set()
        await ask(known, "d", 60, client="elsewhere 1")

    with_cache(call, most=10)
