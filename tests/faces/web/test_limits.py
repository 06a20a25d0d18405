"""How much one client may begin and keep open; whoever has too much may come back later."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading

import pytest
from websockets.exceptions import ConnectionClosed

from parlour.faces.web import live
from parlour.faces.web.api import streams
from parlour.faces.web.clients import RateLimit
from parlour.store.database import Unavailable
from tests.faces.web.house import wait_until

# Beginning things

MAKE = {
    "/quick": {"game": "sticks"},
    "/tournaments": {"game": "sticks", "bot": ["perfect", "random"], "rounds": 1},
    "/school": {"game": "sticks", "games": 1},
    "/new/sticks/play": {},
}


def test_one_browser_begins_only_so_many_things_at_once(house, monkeypatch):
    monkeypatch.setattr(house.state.creation_limits, "by_browser", RateLimit(rate=0.0, burst=4))
    ann, bob = house.browser(), house.browser()
    ann.post("/new/sticks/seats", {"do": "person", "name": "Ann"})
    for path, form in MAKE.items():
        assert ann.post(path, form).status == 303, path
    for path, form in MAKE.items():
        refused = ann.post(path, form)
        assert (refused.status, refused.said) == (
            429,
            "You have started a great many games; wait a moment, then go on.",
        ), path
    assert ann.get("/").status == 200
    assert bob.post("/quick", {"game": "sticks"}).status == 303


def test_one_address_begins_only_so_many_things_at_once(house, monkeypatch):
    monkeypatch.setattr(house.state.creation_limits, "by_address", RateLimit(rate=0.0, burst=3))
    assert house.browser().post("/quick", {"game": "sticks"}).status == 303
    for token in ("one", "two"):
        guest = house.nobody()
        guest.token = token
        assert guest.call("/tables", {"game": "nim"}).status == 201
    assert house.nobody().call("/tables", {"game": "nim"}).status == 429
    assert house.browser().post("/quick", {"game": "sticks"}).status == 429


def test_a_class_may_lay_its_tables(house):
    """Five hundred at once from one address, and twenty a second after."""
    limit = house.state.creation_limits.by_address
    fresh = RateLimit(limit.rate, limit.burst)
    assert all(fresh.take("here", now=0.0) for _ in range(500))
    while fresh.take("here", now=0.0):
        pass
    assert [fresh.take("here", now=1.0) for _ in range(21)] == [True] * 20 + [False]


def test_what_nobody_waits_for_any_more_is_not_solved(house, monkeypatch):
    begun, ended = threading.Event(), threading.Event()

    async def run(name, *values, **more):
        begun.set()
        try:
            await asyncio.sleep(3600)
        finally:
            ended.set()

    monkeypatch.setattr(house.state.workers, "run", run)
    body = b'{"game": "nim"}'
    head = b"POST /api/solve HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    with socket.create_connection(("127.0.0.1", house.port)) as line:
        line.sendall(head + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        assert begun.wait(60)
    assert ended.wait(60)


# Open lines


def refused_with(line):
    with line, pytest.raises(ConnectionClosed) as closed:
        line.recv(timeout=60)
    return closed.value.rcvd.code


def test_a_page_too_many_may_come_back_later(house, monkeypatch):
    monkeypatch.setattr(live, "MAX_PAGES", 1)
    ann = house.browser()
    with ann.live("lobby:") as page:
        page.recv(timeout=60)
        assert refused_with(ann.live("lobby:")) == 1013
    assert refused_with(ann.live("nothing:")) == 4404


def test_one_network_has_only_so_many_pages_open(house, monkeypatch):
    wait_until(lambda: not house.state.hub._by_network)
    monkeypatch.setattr(live, "MAX_PAGES_BY_NETWORK", 1)
    with house.browser().live("lobby:") as page:
        page.recv(timeout=60)
        assert refused_with(house.browser().live("lobby:")) == 1013
    wait_until(lambda: not house.state.hub._by_network)


def test_events_and_streams_without_a_token_count_by_address(house, monkeypatch):
    monkeypatch.setattr(streams, "MAX_STREAMS", 2)
    table = house.table("tictactoe")
    wait_until(lambda: house.state.hub.has_room("127.0.0.1", 1))
    with contextlib.ExitStack() as lines:
        for _ in range(2):
            lines.enter_context(house.nobody().stream(table)).recv(timeout=60)
        refused = house.nobody().call(f"/tables/{table}/events?seconds=1")
        assert refused.status == 429
        assert "already have 2 open streams" in refused.said
        assert refused_with(house.nobody().stream(table)) == 4429
        with house.player(table, 0).stream(table) as line:
            line.recv(timeout=60)
    wait_until(lambda: house.state.hub.has_room("127.0.0.1", 1))
    assert house.nobody().call(f"/tables/{table}/events?seconds=0").status == 200
    wait_until(lambda: house.state.hub.has_room("127.0.0.1", 1))


def test_a_stream_may_come_again_when_the_database_cannot_be_asked(house, monkeypatch):
    table = house.table("tictactoe")

    def broken(name):
        raise Unavailable("it is being restarted")

    monkeypatch.setattr(house.store.tables, "get", broken)
    assert refused_with(house.nobody().stream(table)) == 1013
