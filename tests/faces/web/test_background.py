"""Work outside of requests: writes in batches, tasks by key, and rows that are deleted in time."""

import asyncio
import time

import pytest

from parlour.core.errors import ParlourError
from parlour.faces.web import app, background
from parlour.faces.web.background import DAY, KeyedTasks, WriteQueue, delete_old, every
from parlour.faces.web.table import service
from parlour.store.database import Unavailable
from parlour.store.models import Setup, Table, Talk, Tournament, Training
from parlour.store.store import open_store
from tests.faces.web.house import opened, wait_until


@pytest.fixture
def store(tmp_path):
    found = open_store(f"sqlite:///{tmp_path}/parlour.sqlite")
    yield found
    found.close()


# Writes


def write(store, *calls):
    """The answers to several writes that come at once."""

    async def run():
        queue = WriteQueue(store)
        return await asyncio.gather(*(queue.run(call) for call in calls), return_exceptions=True)

    return asyncio.run(run())


def adding(store, name, *after):
    def call():
        store.talks.add(Talk(id=name))
        for each in after:
            store.after_commit(each)
        return name

    return call


def test_an_announcement_that_fails_is_logged_and_the_change_is_stored(store, caplog):
    announced = []

    def fail():
        raise ZeroDivisionError("oh")

    calls = [
        adding(store, "a", lambda: announced.append("a")),
        adding(store, "b", fail, lambda: announced.append("b")),
        adding(store, "c", lambda: announced.append("c")),
    ]
    assert write(store, *calls) == ["a", "b", "c"]
    assert announced == ["a", "b", "c"]
    assert {each.id for each in store.talks.find()} == {"a", "b", "c"}
    (record,) = [each for each in caplog.records if each.name == "parlour"]
    assert str(record.exc_info[1]) == "oh"


def test_nothing_is_announced_that_was_not_stored(store):
    announced = []

    def broken():
        store.after_commit(lambda: announced.append("broken"))
        store._held.connection.exec_driver_sql("ROLLBACK")  # as if the disk were full

    assert isinstance(write(store, broken)[0], Exception)
    assert announced == []


def test_a_refusal_reaches_the_one_that_was_refused_alone(store):
    def refused():
        raise ParlourError("no")

    first, second = write(store, adding(store, "a"), refused)
    assert (first, str(second)) == ("a", "no")


# Tasks by key


async def settle():
    for _ in range(10):
        await asyncio.sleep(0)


def test_a_key_that_is_woken_while_its_task_runs_makes_it_run_once_more():
    async def play():
        ran, gate = [], asyncio.Event()

        async def run(key):
            ran.append(key)
            await gate.wait()

        tasks = KeyedTasks(run)
        tasks.wake("a")
        await settle()
        for _ in range(3):
            tasks.wake("a")
        tasks.wake("b")
        await settle()
        assert ran == ["a", "b"]
        gate.set()
        await tasks.finish()
        assert ran == ["a", "b", "a"]

    asyncio.run(play())


def test_an_error_of_a_task_is_logged_with_its_key_which_can_be_woken_again(caplog):
    error = ZeroDivisionError("oh")

    async def play():
        ran = []

        async def run(key):
            ran.append(key)
            if len(ran) == 1:
                tasks.wake(key)  # meanwhile
                await asyncio.sleep(0)
                raise error

        tasks = KeyedTasks(run)
        for runs in (2, 3):
            tasks.wake("ab12")
            await settle()
            await tasks.finish()
            assert ran == ["ab12"] * runs

    asyncio.run(play())
    (record,) = caplog.records
    assert (record.name, record.levelname) == ("parlour", "ERROR")
    assert "ab12" in record.getMessage()
    assert record.exc_info[1] is error


def test_a_task_is_tried_again_while_the_store_is_unavailable(monkeypatch, caplog):
    monkeypatch.setattr(background, "RETRY", 0.0)

    async def play():
        ran = []

        async def run(key):
            ran.append(key)
            if len(ran) < 4:
                raise Unavailable("it is being restarted")

        tasks = KeyedTasks(run)
        tasks.wake("a")
        await settle()
        await tasks.finish()
        assert len(ran) == 4

    asyncio.run(play())
    assert not caplog.records


# Calls again and again


def test_what_is_called_again_and_again_goes_on_after_any_error(caplog):
    calls, errors = [], [Unavailable("away"), ZeroDivisionError("oh")]

    def in_a_thread():
        calls.append("thread")
        if errors:
            raise errors.pop(0)

    async def on_the_loop():
        calls.append("loop")

    async def run():
        first = asyncio.create_task(every(0.01, in_a_thread, at_once=True))
        later = asyncio.create_task(every(0.01, on_the_loop))
        while calls.count("thread") < 3 or "loop" not in calls:
            await asyncio.sleep(0.01)
        first.cancel()
        later.cancel()

    asyncio.run(asyncio.wait_for(run(), 30))
    assert calls[0] == "thread", "at once"
    assert [each.exc_info[0] for each in caplog.records] == [ZeroDivisionError]


# Rows that are deleted in time

ALL = {"unbegun", "unfinished", "finished", "given up", "setup", "talk", "class", "cup"}


def fill(store):
    """Add one thing of each kind, made now."""
    store.tables.add(Table(id="unbegun", game="nim"))
    store.tables.add(Table(id="unfinished", game="nim", moves=("1 from 1",)))
    store.tables.add(Table(id="finished", game="nim", moves=("1 from 1",), result=(1, -1)))
    store.tables.add(Table(id="given up", game="nim", result=(1, -1), reason="player 2 resigned"))
    store.setups.add(Setup(id="setup", owner="ann", game="nim"))
    store.talks.add(Talk(id="talk"))
    store.trainings.add(Training(id="class", owner="ann", name="x", game="nim"))
    store.tournaments.add(Tournament(id="cup", owner="ann", name="x"))


def test_each_kind_of_row_is_kept_for_its_time(store):
    fill(store)
    left = set(ALL)
    for days, gone in (
        (0, set()),
        (1.9, set()),
        (2.1, {"unbegun"}),
        (29.9, set()),
        (30.1, {"unfinished"}),
        (179.9, set()),
        (180.1, {"setup", "talk"}),
        (10_000, set()),
    ):
        assert delete_old(store, time.time() + days * DAY) == len(gone), days
        left -= gone
        tables = (store.tables, store.setups, store.talks, store.trainings, store.tournaments)
        assert {row.id for table in tables for row in table.find()} == left, days


@pytest.mark.slow
def test_a_server_deletes_when_it_starts_and_goes_on_when_it_cannot(store, tmp_path, monkeypatch):
    fill(store)
    url = f"sqlite:///{tmp_path}/parlour.sqlite"
    monkeypatch.setattr(background, "KEEP_UNPLAYED", -60.0)
    with opened(url) as house:
        wait_until(lambda: store.tables.get("unbegun") is None)
        assert store.tables.get("unfinished")
        assert house.browser().get("/").status == 200
    monkeypatch.setattr(app, "delete_old", lambda *_: 1 // 0)
    with opened(url) as house:
        assert house.browser().get("/").status == 200


def test_the_lobby_shows_what_was_touched_within_a_day(house, monkeypatch):
    table = house.table("tictactoe")
    assert table in house.browser().get("/").text
    assert table in house.nobody().call("/tables?limit=100").text
    monkeypatch.setattr(service, "RECENT", 0.0)
    assert table not in house.browser().get("/").text
    assert table not in house.nobody().call("/tables?limit=100").text
