"""Errands: one task for each name, woken as often as anybody likes, ended by nothing that fails."""

from __future__ import annotations

import asyncio

import pytest

from parlour.faces.web import background
from parlour.faces.web.background import KeyedTasks
from parlour.store.database import Unavailable


def played(play):
    """Run a play; how an errand goes is up to it."""
    asyncio.run(asyncio.wait_for(play(), 60))


async def settle():
    for _ in range(10):
        await asyncio.sleep(0)


def test_a_name_woken_meanwhile_is_looked_at_once_more():
    async def play():
        ran, gate = [], asyncio.Event()

        async def run(name):
            ran.append(name)
            await gate.wait()

        held = KeyedTasks(run)
        held.wake("a")
        await settle()
        for _ in range(3):
            held.wake("a")
        held.wake("b")
        await settle()
        assert ran == ["a", "b"]
        gate.set()
        await settle()
        assert ran == ["a", "b", "a"]
        assert not held._tasks
        assert not held._due

    played(play)


@pytest.mark.parametrize("trouble", [ZeroDivisionError("oh"), KeyError("x"), TypeError("no")])
def test_what_goes_wrong_is_logged_with_its_name_and_the_name_can_be_woken(trouble, caplog):
    async def play():
        ran, troubles = [], [trouble]

        async def run(name):
            ran.append(name)
            if troubles:
                raise troubles.pop()

        held = KeyedTasks(run)
        held.wake("ab12")
        await settle()
        assert not held._tasks
        held.wake("ab12")
        await settle()
        assert ran == ["ab12", "ab12"]

    played(play)
    (record,) = caplog.records
    assert (record.name, record.levelname) == ("parlour", "ERROR")
    assert "ab12" in record.getMessage()
    assert record.exc_info[1] is trouble


def test_one_that_fails_and_was_woken_meanwhile_is_looked_at_again(caplog):
    async def play():
        ran = []

        async def run(name):
            ran.append(name)
            if len(ran) == 1:
                held.wake(name)
                await asyncio.sleep(0)
                raise ValueError("once")

        held = KeyedTasks(run)
        held.wake("a")
        await settle()
        assert ran == ["a", "a"]

    played(play)


def test_while_the_store_is_away_it_is_tried_again(monkeypatch, caplog):
    monkeypatch.setattr(background, "RETRY", 0.01)

    async def play():
        ran, done = [], asyncio.Event()

        async def run(name):
            ran.append(name)
            if len(ran) < 4:
                raise Unavailable("it is being restarted")
            done.set()

        KeyedTasks(run).wake("a")
        await done.wait()
        assert len(ran) == 4

    played(play)
    assert not caplog.records
