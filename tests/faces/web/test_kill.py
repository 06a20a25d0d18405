"""Killing the server at any moment loses no move that was acknowledged, and games go on after it.

The servers are processes of `parlour web` that end as by a power cut, or by SIGTERM.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import random
import shutil
import signal
import sqlite3
import threading
import time

import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from parlour.core import registry
from parlour.core.referee import Match
from parlour.store.store import open_store
from tests.conftest import LONG
from tests.faces.web.browser import Server
from tests.faces.web.house import Guest, wait_until
from tests.postgres import lasting_cluster

pytestmark = pytest.mark.server

TIMES = 40 if LONG else 1
PILES = [90] * (9 if LONG else 3)  # more than will be taken one by one
PAUSE = 0.12  # seconds; a look and a move in each stay below 20 requests a second
GONE = (OSError, http.client.HTTPException, EOFError)


class Player(threading.Thread):
    """A guest who goes on playing whatever happens, and notes which moves were acknowledged."""

    def __init__(self, guest, table, seat, send_move):
        super().__init__(daemon=True)
        self.guest, self.table, self.seat, self.send_move = guest, table, seat, send_move
        self.acknowledged, self.tried, self.odd = {}, {}, []
        self.over = self.hurries = False

    def run(self):
        while not self.over:
            time.sleep(PAUSE)
            with contextlib.suppress(*GONE):
                answer = self.guest.call(f"/tables/{self.table}")
                if answer.status == 200:
                    self.look(answer.json)
                elif answer.status != 503:
                    self.odd.append((answer.status, answer.text))

    def look(self, table):
        self.over = table["result"] is not None
        if self.over or table["turn"] != self.seat:
            return
        at = len(table["moves"])
        move = random.choice(table["legal"][-2:] if self.hurries else table["legal"][:2])
        self.tried.setdefault(at, set()).add(move)
        status = self.send_move(self.guest, self.table, move, at)
        if status == 200:
            self.acknowledged[at] = move
        elif status not in (409, 503):
            self.odd.append((status, move, at))


def by_page(guest, table, move, at):
    return guest.send(f"/tables/{table}/move", {"move": move, "at": at}).status


def by_api(guest, table, move, at):
    return guest.call(f"/tables/{table}/moves", {"move": move, "at": at}).status


def by_stream(guest, table, move, at):
    try:
        with guest.stream(table) as line:
            line.send(json.dumps({"move": move, "at": at}))
            while "id" in (answer := json.loads(line.recv(timeout=60))):
                pass
            return answer.get("status", 200)
    except (ConnectionClosed, InvalidHandshake, InvalidMessage, TimeoutError) as gone:
        raise EOFError from gone


class Watcher(threading.Thread):
    """An open page: it comes back by itself as the script does, and says which version it has."""

    def __init__(self, guest, table):
        super().__init__(daemon=True)
        self.guest, self.table = guest, table
        self.version, self.html, self.seen, self.left = 0, "", [], False

    def run(self):
        pause = 0.25
        while not self.left:
            try:
                with self.guest.live(f"table:{self.table}", have=self.version) as line:
                    while not self.left:
                        with contextlib.suppress(TimeoutError):
                            news = json.loads(line.recv(timeout=0.2))
                            self.version, self.html = news["version"], news["html"]
                            self.seen.append(self.version)
                            pause = 0.25
            except (*GONE, ConnectionClosed, InvalidHandshake, InvalidMessage):
                time.sleep(pause * (0.5 + random.random()))
                pause = min(2 * pause, 5.0)


def begin(port, *kinds):
    """A table of Nim, and a guest at each seat: a "browser" or a "program", unless it is a bot."""
    guest = Guest(port)
    seats = [{"kind": "bot", "bot": "random"} if each == "bot" else {} for each in kinds]
    seats = [each or {"kind": "open"} for each in seats]
    made = guest.call("/tables", {"game": "nim", "options": {"piles": PILES}, "seats": seats})
    name, found = made.json["id"], []
    for seat, kind in enumerate(kinds):
        form = {"seat": seat, "name": f"Guest {seat}"}
        if kind == "browser":
            found.append(Guest(port))
            found[-1].get("/docs")
            assert found[-1].post(f"/tables/{name}/sit", form).status == 303
        elif kind == "program":
            seated = guest.call(f"/tables/{name}/seats/{seat}", {"name": form["name"]})
            found.append(Guest(port, token=seated.json["token"]))
    return name, found


def finish(players, patience=240):
    """Let all games end."""
    for player in players:
        player.hurries = True
    for player in players:
        player.join(patience)
        assert player.over, "the games did not go on to their ends"


def check_stored(database, players):
    """Every stored game is legal, its moves were sent, and none that was acknowledged is lost."""
    with contextlib.closing(open_store(database)) as store:
        tables = {player.table: store.tables.get(player.table) for player in players}
    for player in players:
        table = tables[player.table]
        Match.from_record(registry.game("nim", piles=PILES), table.record())
        assert player.acknowledged
        for at, move in player.acknowledged.items():
            assert table.moves[at] == move, "an acknowledged move was lost"
        for at in range(player.seat, len(table.moves), 2):
            assert table.moves[at] in player.tried[at], "this move was never sent"
    return tables


def stored_moves(file):
    """The moves of all tables in a whole database file, as any program reads them."""
    with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro&immutable=1", uri=True)) as found:
        assert found.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        rows = found.execute("SELECT id, body FROM tables").fetchall()
    return {name: json.loads(body)["moves"] for name, body in rows}


@pytest.mark.parametrize(
    ("database", "number"),
    [
        ("sqlite", signal.SIGKILL),
        pytest.param("sqlite", signal.SIGTERM, marks=pytest.mark.long),
        pytest.param("postgresql", signal.SIGKILL, marks=pytest.mark.long),
        pytest.param("postgresql", signal.SIGTERM, marks=pytest.mark.long),
    ],
)
def test_no_acknowledged_move_is_lost_however_the_server_ends(start_server, database, number):
    url = lasting_cluster().new_database() if database == "postgresql" else ""
    server: Server = start_server(url)
    among_browsers, (ann, bob) = begin(server.port, "browser", "browser")
    among_programs, (one, two) = begin(server.port, "program", "program")
    against_bot, (three,) = begin(server.port, "program", "bot")
    players = [
        Player(ann, among_browsers, 0, by_page),
        Player(bob, among_browsers, 1, by_page),
        Player(one, among_programs, 0, by_api),
        Player(two, among_programs, 1, by_stream),
        Player(three, against_bot, 0, by_api),
    ]
    watchers = [
        Watcher(bob, among_browsers),
        Watcher(Guest(server.port, ann.cookie), against_bot),
    ]
    for each in (*players, *watchers):
        each.start()
    wait_until(lambda: all(player.acknowledged for player in players))
    delays = random.Random(7)
    for _ in range(TIMES):
        time.sleep(delays.random() * 0.12)  # at any moment
        acknowledged = [(player.table, dict(player.acknowledged)) for player in players]
        if number == signal.SIGKILL:
            server.kill()
        else:
            assert server.stop() == 0
        if number == signal.SIGTERM and database == "sqlite":
            assert [each.name for each in server.folder.glob("parlour.db*")] == ["parlour.db"]
            moves = stored_moves(shutil.copy(server.folder / "parlour.db", server.folder / "copy"))
            for table, before in acknowledged:
                assert all(moves[table][at] == move for at, move in before.items())
        server.start()
    finish(players)
    assert not [player.odd for player in players if player.odd]
    tables = check_stored(server.database, players)
    for watcher in watchers:
        table = tables[watcher.table]
        wait_until(lambda watcher=watcher, table=table: watcher.version == table.version)
        assert watcher.seen == sorted(watcher.seen)
        assert "wins" in watcher.html
        watcher.left = True
        watcher.join(10)
