"""The clerk: what is stored is acknowledged, and nothing else is done meanwhile."""

from __future__ import annotations

import asyncio

import pytest

from parlour.core.errors import ParlourError
from parlour.faces.web.background import WriteQueue
from parlour.faces.web.table.routes import TablePage
from parlour.store.models import Talk
from parlour.store.store import open_store


@pytest.fixture
def store(tmp_path):
    held = open_store(f"sqlite:///{tmp_path}/parlour.sqlite")
    yield held
    held.close()


def done(store, *calls):
    """What several calls that come at once are answered with."""

    async def play():
        queue = WriteQueue(store)
        return await asyncio.gather(*(queue.run(call) for call in calls), return_exceptions=True)

    return asyncio.run(play())


def adding(store, name, *after):
    def call():
        store.talks.add(Talk(id=name))
        for each in after:
            store.after_commit(each)
        return name

    return call


def test_an_announcement_that_fails_is_not_taken_for_a_change_that_was_not_stored(store, caplog):
    told = []

    def fail():
        raise ZeroDivisionError("oh")

    calls = [
        adding(store, "a", lambda: told.append("a")),
        adding(store, "b", fail, lambda: told.append("b")),
        adding(store, "c", lambda: told.append("c")),
    ]
    assert done(store, *calls) == ["a", "b", "c"]
    assert told == ["a", "b", "c"]
    assert {each.id for each in store.talks.find()} == {"a", "b", "c"}
    (record,) = [each for each in caplog.records if each.name == "parlour"]
    assert str(record.exc_info[1]) == "oh"


def test_nothing_is_announced_that_was_not_stored(store):
    told = []

    def refused():
        store.after_commit(lambda: told.append("refused"))
        raise ParlourError("no")

    answers = done(store, adding(store, "a", lambda: told.append("a")), refused)
    assert answers[0] == "a"
    assert str(answers[1]) == "no"

    def broken():
        store.after_commit(lambda: told.append("broken"))
        store._database._held.connection.exec_driver_sql("ROLLBACK")  # as if the disk were full

    told.clear()
    assert isinstance(done(store, broken)[0], Exception)
    assert told == []


@pytest.mark.parametrize("form", [{"move": "z9"}, {"move": "b2", "at": "7"}, {"at": "x"}])
def test_no_page_is_drawn_while_others_wait_for_the_store(house, monkeypatch, form):
    table = house.table("tictactoe")
    ann = house.sitting(table, 0)
    house.player(table, 1)
    drawn, page = [], TablePage.show

    def noting(*values, **named):
        drawn.append(getattr(house.store._database._held, "connection", None))
        return page(*values, **named)

    monkeypatch.setattr(TablePage, "show", noting)
    refused = ann.post(f"/tables/{table}/move", form)
    assert refused.status in (400, 409, 422)
    assert refused.said
    assert drawn == [None]
    assert ann.send(f"/tables/{table}/move", form).status == refused.status
    assert ann.post(f"/tables/{table}/move", {"move": "b2", "at": "0"}).status == 303
