"""Several server processes on one PostgreSQL database are one house."""

from __future__ import annotations

import contextlib
import json
import statistics
import threading
import time

import pytest
from websockets.exceptions import ConnectionClosed

from parlour.core import registry
from parlour.core.referee import Match
from parlour.store.store import open_store
from tests.faces.web.browser import Server
from tests.faces.web.house import Guest, wait_until
from tests.postgres import cluster

pytestmark = pytest.mark.server

MANY = 3
SOON = 1.0  # seconds until a page at another server shows a move, as a rule
BOT = [{"kind": "open"}, {"kind": "bot", "bot": "random"}]


@pytest.fixture(scope="module")
def database():
    return cluster().new_database()


@pytest.fixture(scope="module")
def servers(tmp_path_factory, database):
    """Three processes, started at once."""
    with contextlib.ExitStack() as closing:
        found = [Server(tmp_path_factory.mktemp("web"), database) for _ in range(MANY)]
        for server in found:
            closing.callback(server.close)
        threads = [threading.Thread(target=server.start) for server in found]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for server in found:  # until all have loaded what bots need
            assert Guest(server.port).call("/bots", {"game": "tictactoe"}).json
        yield found


@pytest.fixture
def store(database):
    held = open_store(database)
    yield held
    held.close()


def at(server, guest):
    """The same visitor at another server."""
    return Guest(server.port, guest.cookie, guest.token)


def laid(server, game="tictactoe", seats=(), **more):
    made = Guest(server.port).call("/tables", {"game": game, "seats": list(seats), **more})
    assert made.status == 201, made.text
    return made.json["id"]


def player(server, table, seat):
    seated = Guest(server.port).call(f"/tables/{table}/seats/{seat}", {"name": f"Guest {seat}"})
    assert seated.status == 201, seated.text
    return Guest(server.port, token=seated.json["token"])


def test_a_move_at_one_server_is_seen_at_the_others_at_once(servers):
    table = laid(servers[0])
    players = [player(servers[1], table, 0), player(servers[2], table, 1)]
    late = []
    with contextlib.ExitStack() as lines:
        pages = []
        for server in servers:
            watcher = Guest(server.port)
            watcher.get(f"/tables/{table}")
            pages.append(lines.enter_context(watcher.live(f"table:{table}")))
            pages.append(lines.enter_context(Guest(server.port).stream(table)))
        for page in pages:
            page.recv(timeout=60)
        for number, move in enumerate(["b2", "a1", "b1", "b3", "a3", "c1", "c3", "a2"]):
            mover = at(servers[number % MANY], players[number % 2])
            assert mover.call(f"/tables/{table}/moves", {"move": move, "at": number}).status == 200
            moved = time.monotonic()
            for page in pages:
                while json.loads(text := page.recv(timeout=60))["version"] < number + 3:
                    pass
                assert move in text
            late.append(time.monotonic() - moved)
    assert statistics.median(late) < SOON, late  # whatever else the machine does now and then


def test_the_lobby_of_one_server_shows_what_opens_at_another(servers):
    watcher = Guest(servers[1].port)
    watcher.get("/docs")
    late = []
    with watcher.live("lobby:") as lobby:
        lobby.recv(timeout=60)
        for _ in range(3):
            table = laid(servers[0])
            began = time.monotonic()
            while table not in lobby.recv(timeout=60):
                pass
            late.append(time.monotonic() - began)
    assert statistics.median(late) < SOON, late


def test_of_many_who_make_the_same_move_at_different_servers_one_is_heard(servers, store):
    table = laid(servers[0], "sticks", options={"sticks": 30})
    players = [player(servers[0], table, seat) for seat in (0, 1)]
    for number in range(8):
        statuses = []

        def move(server, number=number, statuses=statuses):
            guest = at(server, players[number % 2])
            answer = guest.call(f"/tables/{table}/moves", {"move": "1", "at": number})
            statuses.append(answer.status)

        threads = [threading.Thread(target=move, args=(servers[n % MANY],)) for n in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(statuses) == [200] + [409] * 19
        assert len(store.tables.get(table).moves) == number + 1


def test_a_free_seat_is_taken_at_one_server_only(servers, store):
    table = laid(servers[0])
    statuses = []

    def sit(number):
        server = servers[number % MANY]
        told = Guest(server.port).call(f"/tables/{table}/seats/0", {"name": f"Guest {number}"})
        statuses.append(told.status)

    threads = [threading.Thread(target=sit, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [201] + [409] * 19


def test_a_browser_is_known_to_all_servers(servers):
    ann = Guest(servers[0].port)
    ann.get("/docs")
    table = laid(servers[1])
    seat = {"seat": 0, "name": "Ann"}
    assert at(servers[1], ann).post(f"/tables/{table}/sit", seat).status == 303
    player(servers[0], table, 1)
    moved = at(servers[2], ann).post(f"/tables/{table}/move", {"move": "b2", "at": 0})
    assert moved.status == 303
    assert at(servers[2], ann).get("/docs").headers["set-cookie"] is None
    at(servers[0], ann).post("/new/nim/seats", {"do": "person", "name": "Ann of Oz"})
    assert "Ann of Oz" in at(servers[1], ann).get("/new/nim").text


def test_a_bot_moves_once_however_many_servers_look(servers, store):
    tables = [laid(servers[n % MANY], "sticks", BOT, options={"sticks": 30}) for n in range(4)]
    guests = [player(servers[0], table, 0) for table in tables]
    for number in range(0, 10, 2):
        for table, guest in zip(tables, guests, strict=True):
            mover = at(servers[number // 2 % MANY], guest)
            assert mover.call(f"/tables/{table}/moves", {"move": "1", "at": number}).status == 200
            for server in servers:  # each of them wakes the bot
                assert Guest(server.port).get(f"/tables/{table}").status == 200
        for table in tables:
            wait_until(lambda table=table, many=number + 2: len(moves(store, table)) == many)
    time.sleep(0.5)
    for table in tables:
        stored = store.tables.get(table)
        assert len(stored.moves) == 10
        assert stored.result is None
        Match.from_record(registry.game("sticks", sticks=30), stored.record())


def moves(store, table):
    return store.tables.get(table).moves


def test_after_a_restart_of_the_database_everything_comes_back(servers, store):
    people, against = laid(servers[0]), laid(servers[1], "sticks", BOT)
    ann, bob = player(servers[0], people, 0), player(servers[1], people, 1)
    eve = player(servers[1], against, 0)
    watcher = Guest(servers[2].port)
    watcher.get("/docs")
    with watcher.live(f"table:{people}") as page, watcher.live(f"table:{against}") as other:
        page.recv(timeout=60), other.recv(timeout=60)
        cluster().stop()
        try:
            for refused in (
                ann.call(f"/tables/{people}/moves", {"move": "b2", "at": 0}),
                watcher.get(f"/tables/{people}"),
                watcher.get("/"),
            ):
                assert refused.status == 503
                assert refused.said.startswith("The database cannot be used now")
            with watcher.live(f"table:{people}") as late, pytest.raises(ConnectionClosed) as gone:
                late.recv(timeout=60)
            assert gone.value.rcvd.code == 1013
            time.sleep(1)  # by now the servers look for it only now and then
        finally:
            cluster().start()
        assert ann.call(f"/tables/{people}/moves", {"move": "b2", "at": 0}).status == 200
        assert eve.call(f"/tables/{against}/moves", {"move": "1", "at": 0}).status == 200
        assert at(servers[2], bob).call(f"/tables/{people}/moves", {"move": "a1"}).status == 200
        while "a1" not in page.recv(timeout=60):
            pass
        while json.loads(other.recv(timeout=60))["version"] < 3:
            pass
    assert moves(store, people) == ("b2", "a1")
    assert len(moves(store, against)) == 2


def test_a_table_goes_on_at_another_server_when_its_own_is_killed(servers, store, tmp_path):
    doomed = Server(tmp_path, servers[0].database)
    try:
        doomed.start()
        table = laid(doomed)
        ann, bob = player(doomed, table, 0), player(doomed, table, 1)
        assert ann.call(f"/tables/{table}/moves", {"move": "b2", "at": 0}).status == 200
        doomed.kill()
    finally:
        doomed.close()
    assert at(servers[1], bob).call(f"/tables/{table}/moves", {"move": "a1", "at": 1}).status == 200
    assert moves(store, table) == ("b2", "a1")
