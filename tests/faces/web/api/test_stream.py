"""The stream of a table for programs: each change at once, and moves stored before the answer."""

import contextlib
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from websockets.exceptions import ConnectionClosed

from parlour.faces.web import clients as limits
from parlour.faces.web.api import streams as streaming
from parlour.store.database import Unavailable
from tests.faces.web.house import wait_until


@pytest.fixture
def scene(house):
    table = house.table("tictactoe")
    return table, house.player(table, 0), house.player(table, 1)


def receive(line):
    return json.loads(line.recv(timeout=60))


def answer(line):
    """The next answer, past changes of the table."""
    while (found := receive(line))["type"] == "table":
        pass
    return found


def change(line):
    """The next change, past answers."""
    while (found := receive(line))["type"] != "table":
        pass
    return found


def test_a_game_is_played_over_two_streams(house, scene):
    table, ann, bob = scene
    moves = ["b2", "a1", "b1", "b3", "a3", "c1", "c3", "a2", "c2"]
    with ann.stream(table) as one, bob.stream(table) as two, house.nobody().stream(table) as three:
        lines = (one, two)
        for line in (one, two, three):
            first = receive(line)
            assert (first["id"], first["moves"], first["turn"]) == (table, [], 0)
        for number, move in enumerate(moves):
            lines[number % 2].send(json.dumps({"move": move, "at": number}))
            assert answer(lines[number % 2])["moves"] == number + 1
            assert house.read(table).moves == tuple(moves[: number + 1])
            assert change(three)["moves"] == moves[: number + 1]
    assert house.read(table).result == (0, 0)


def test_a_move_is_acknowledged_when_it_is_stored_and_not_before(house, scene, monkeypatch):
    table, ann, _ = scene
    put = house.store.tables.put
    may = threading.Event()

    def slowly(thing, **how):
        assert may.wait(60)
        return put(thing, **how)

    monkeypatch.setattr(house.store.tables, "put", slowly)
    with ann.stream(table) as line, house.nobody().stream(table) as other:
        receive(line), receive(other)
        line.send('{"move": "b2"}')
        for each in (line, other):
            with pytest.raises(TimeoutError):
                each.recv(timeout=0.2)
        may.set()
        assert answer(line)["ok"]
        assert change(other)["moves"] == ["b2"]


def test_a_move_that_is_not_stored_is_refused_and_sent_to_no_page(house, scene, monkeypatch):
    """Several may be stored by one commit: if that fails, none of them was acknowledged."""
    table, ann, _ = scene
    together = house.store.transaction

    def full(*_, **__):
        raise Unavailable("database or disk is full")

    @contextlib.contextmanager
    def uncommitted():
        with together():
            yield
            full()

    with ann.stream(table) as line, house.nobody().stream(table) as other:
        receive(line), receive(other)
        for target, name, failure in (
            (house.store.tables, "put", full),
            (house.store, "transaction", uncommitted),
        ):
            with monkeypatch.context() as patch:
                patch.setattr(target, name, failure)
                line.send('{"move": "b2", "at": 0}')
                refused = answer(line)
            assert refused["status"] == 503
            full_disk = "The database cannot be used now: database or disk is full."
            assert refused["detail"] == full_disk
            assert house.read(table).moves == ()
        line.send('{"move": "a1", "at": 0}')
        assert answer(line)["ok"]
        assert receive(other)["moves"] == ["a1"], "the other saw nothing in between"


def test_of_many_who_move_at_once_each_is_answered_for_itself(house):
    tables = [house.table("tictactoe") for _ in range(8)]
    players = [(table, house.player(table, 0), house.player(table, 1)) for table in tables]

    def play(seated):
        table, guest, _ = seated
        with guest.stream(table) as line:
            for move in ("b2", "z9", "b2"):
                line.send(json.dumps({"move": move, "at": 0}))
            return [answer(line).get("status", 200) for _ in range(3)]

    with ThreadPoolExecutor(len(tables)) as threads:
        assert list(threads.map(play, players)) == [[200, 409, 409]] * len(tables)
    assert all(house.read(table).moves == ("b2",) for table in tables)


def test_a_player_who_sends_too_much_is_asked_to_wait(house, scene, monkeypatch):
    table, ann, _ = scene
    now = time.monotonic()
    monkeypatch.setattr(limits, "time", SimpleNamespace(monotonic=lambda: now))
    with ann.stream(table) as line:
        receive(line)
        for _ in range(80):
            line.send('{"move": "z9"}')
        statuses = [answer(line)["status"] for _ in range(80)]
        assert statuses == [422] * 60 + [429] * 20
        now += 1
        line.send('{"move": "z9"}')
        assert answer(line)["status"] == 422


def test_a_stream_of_no_table_is_closed(house):
    for name in ("nowhere", "\0", "a" * 300):
        with house.nobody().stream(name) as line, pytest.raises(ConnectionClosed) as gone:
            line.recv(timeout=60)
        assert gone.value.rcvd.code == 4404


def test_one_token_opens_only_so_many_streams(house, scene, monkeypatch):
    table, ann, bob = scene
    monkeypatch.setattr(streaming, "MAX_STREAMS", 3)
    with contextlib.ExitStack() as lines:
        for _ in range(3):
            receive(lines.enter_context(ann.stream(table)))
        with ann.stream(table) as line, pytest.raises(ConnectionClosed) as refused:
            line.recv(timeout=60)
        assert refused.value.rcvd.code == 4429
        assert ann.call(f"/tables/{table}/events?seconds=0").status == 429
        with bob.stream(table) as line:
            receive(line)
    wait_until(lambda: not house.services.hub.is_open(f"table:{table}"))
