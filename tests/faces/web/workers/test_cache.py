"""Answers that are remembered: asked once, waited for a moment only, and not for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from parlour.core.errors import ParlourError
from parlour.faces.web.workers import pool as answers
from parlour.faces.web.workers.pool import AnswerCache, TaskTimeout


class Slow:
    """Somebody who thinks until they are let go."""

    address_of = staticmethod(lambda client: client.partition(" ")[0])

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.free = asyncio.Event()
        self.trouble: ParlourError | None = None

    async def run(
        self, name: str, payload: Any, seconds: float, *, client: str, progress: Any
    ) -> str:
        self.asked.append(payload["x"])
        progress(1, 3)
        await self.free.wait()
        if self.trouble is not None:
            raise self.trouble
        return f"found {payload['x']}"


def thinking(call: Callable[[Slow, AnswerCache], Any], most: int = 2) -> None:
    async def run() -> None:
        slow = Slow()
        await call(slow, AnswerCache(slow, most))  # type: ignore[arg-type]

    asyncio.run(run())


async def ask(
    known: AnswerCache, x: str, patience: float = 0.01, client: str = "me"
) -> answers.Answer:
    return await known.ask("t", {"x": x}, seconds=1, client=client, patience=patience)


def test_a_question_is_thought_about_once_however_many_ask() -> None:
    async def call(slow: Slow, known: AnswerCache) -> None:
        first, second = await asyncio.gather(ask(known, "a"), ask(known, "a"))
        assert first is second
        assert (first.pending, first.done, first.total) == (True, 1, 3)
        slow.free.set()
        later = await ask(known, "a", 1)
        assert (later.pending, later.found) == (False, "found a")
        assert slow.asked == ["a"]

    thinking(call)


def test_only_the_last_answers_are_kept() -> None:
    async def call(slow: Slow, known: AnswerCache) -> None:
        slow.free.set()
        for x in "abcba":
            await ask(known, x, 1)
        assert "".join(slow.asked) == "abca"

    thinking(call)


def test_what_took_too_long_is_told_and_may_be_tried_again_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def call(slow: Slow, known: AnswerCache) -> None:
        slow.trouble = TaskTimeout("no")
        slow.free.set()
        assert (await ask(known, "a", 1)).error is slow.trouble
        await ask(known, "a", 1)
        assert slow.asked == ["a"]
        monkeypatch.setattr(answers, "RETRY_AFTER", 0.0)
        slow.trouble = None
        assert (await ask(known, "a", 1)).found == "found a"

    thinking(call)


def test_not_too_much_is_thought_about_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "MAX_PENDING", 3)

    async def call(slow: Slow, known: AnswerCache) -> None:
        for x in "abc":
            assert (await ask(known, x)).pending
        assert "the server is busy" in str((await ask(known, "d")).error)
        slow.free.set()
        await asyncio.sleep(0.01)
        assert (await ask(known, "d", 1)).found

    thinking(call, most=10)


def test_many_clients_of_one_address_leave_room_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "MAX_PENDING_BY_ADDRESS", 3)

    async def call(slow: Slow, known: AnswerCache) -> None:
        for number, x in enumerate("abc"):
            assert (await ask(known, x, client=f"house {number}")).pending
        refused = (await ask(known, "d", client="house 9")).error
        assert (type(refused), "of your network" in str(refused)) == (answers.QueueFull, True)
        assert (await ask(known, "d", client="elsewhere 1")).pending
        slow.free.set()
        await asyncio.sleep(0.01)

    thinking(call, most=10)
