"""Killing the server at any moment loses no move that was acknowledged, and games go on after it.

The servers are real ones, `parlour web` in processes of their own that are killed like a power cut;
they are forked from a program that has everything loaded, so that a dozen of them take seconds.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time

import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from parlour.core import registry
from parlour.core.referee import Match
from parlour.store.store import open_store
from tests.conftest import LONG
from tests.faces.web.house import Guest, wait_until
from tests.postgres import lasting_cluster

pytestmark = pytest.mark.server

KILLS = 200 if LONG else 6
STOPS = 50 if LONG else 3
PILES = [90] * 9  # more than will be taken one by one
GONE = (OSError, http.client.HTTPException, EOFError)

SERVERS = """
import json, os, sys
import jinja2.ext, psycopg, sqlalchemy.dialects.postgresql.psycopg, sqlalchemy.dialects.sqlite
import uvicorn.loops.uvloop, uvicorn.lifespan.on, uvicorn.protocols.http.httptools_impl
import uvicorn.protocols.websockets.websockets_sansio_impl
from parlour.core import registry
from parlour.faces.cli.command import Parser
import parlour.faces.cli.web as command
from parlour.faces.web import app
from parlour.faces.web.clients import RateLimit

app.TASKS = "tests.faces.web.few_tasks"
RateLimit.take = lambda *_, **__: True  # those who play here are quicker than anybody
registry.game("nim").start()
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        os.setsid()
        sys.exit(command.run(Parser(prog="parlour web"), json.loads(line)))
    print(child, flush=True)
    os.waitpid(child, 0)
    print("gone", flush=True)
"""


class Servers:
    """One server after another, at the same address with the same database."""

    def __init__(self, database, folder):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.command = ["--port", str(self.port), "--database", database]
        self.log = folder / "log.txt"
        with self.log.open("ab") as log:
            self.nest = subprocess.Popen(
                [sys.executable, "-c", SERVERS],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            )
        self.process = 0

    def start(self):
        self.nest.stdin.write(json.dumps(self.command) + "\n")
        self.nest.stdin.flush()
        while not (said := self.nest.stdout.readline().strip()).isdecimal():
            assert said, self.log.read_text()
        self.process = int(said)

    def kill(self, number=signal.SIGKILL):
        os.kill(self.process, number)
        while self.nest.stdout.readline() != "gone\n":
            pass

    def answers(self):
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=5):
                return True
        except OSError:
            return False

    def close(self):
        with self.nest:
            self.nest.stdin.close()
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.process, signal.SIGKILL)
            self.nest.stdout.read()  # until it has said its last word


class Player(threading.Thread):
    """Somebody who plays on whatever happens, and remembers what was acknowledged."""

    def __init__(self, guest, table, seat, way, pause=0.0):
        super().__init__(daemon=True)
        self.guest, self.table, self.seat, self.way = guest, table, seat, way
        self.pause = pause  # seconds before each look at the table
        self.acknowledged, self.tried, self.odd = {}, {}, []
        self.over = self.hurries = False

    def run(self):
        while not self.over:
            time.sleep(self.pause)
            with contextlib.suppress(*GONE):
                told = self.guest.call(f"/tables/{self.table}")
                if told.status == 200:
                    self.look(told.json)
                    continue
                if told.status != 503:
                    self.odd.append(told.text)
            time.sleep(0.02)

    def look(self, told):
        self.over = told["result"] is not None
        if self.over or told["turn"] != self.seat:
            time.sleep(0.005)
            return
        at = len(told["moves"])
        move = random.choice(told["legal"][-2:] if self.hurries else told["legal"][:2])
        self.tried.setdefault(at, set()).add(move)
        status = self.way(self.guest, self.table, move, at)
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
            while "id" in (said := json.loads(line.recv(timeout=60))):
                pass
            return said.get("status", 200)
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


@pytest.fixture(params=["sqlite", "postgresql"])
def servers(request, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    database = f"sqlite:///{tmp_path}/parlour.sqlite"
    if request.param == "postgresql":
        database = lasting_cluster().new_database()
    found = Servers(database, tmp_path)
    found.start()
    wait_until(found.answers)
    yield found
    found.close()
    print(found.log.read_text()[-5000:])  # noqa: T201  # shown when the test has failed


def laid(servers, *bots):
    """A table, and a guest at each seat that no bot has."""
    guest = Guest(servers.port)
    seats = [{"kind": "bot", "bot": "random"} if bot else {"kind": "open"} for bot in bots]
    table = guest.call("/tables", {"game": "nim", "options": {"piles": PILES}, "seats": seats})
    name = table.json["id"]
    found = []
    for seat, bot in enumerate(bots):
        if not bot:
            token = guest.call(f"/tables/{name}/seats/{seat}", {"name": f"Ann {seat}"}).json[
                "token"
            ]
            found.append(Guest(servers.port, token=token))
    return name, found


def laid_for_browsers(servers):
    guest = Guest(servers.port)
    name = guest.call("/tables", {"game": "nim", "options": {"piles": PILES}}).json["id"]
    browsers = [Guest(servers.port), Guest(servers.port)]
    for seat, each in enumerate(browsers):
        each.get("/docs")
        assert each.post(f"/tables/{name}/sit", {"seat": seat, "name": f"Bob {seat}"}).status == 303
    return name, browsers


def test_no_acknowledged_move_is_lost_however_often_the_server_is_killed(servers):
    lots = random.Random(7)
    among_browsers, (ann, bob) = laid_for_browsers(servers)
    among_programs, (one, two) = laid(servers, False, False)
    against_bot, (three,) = laid(servers, False, True)
    players = [
        Player(ann, among_browsers, 0, by_page),
        Player(bob, among_browsers, 1, by_page),
        Player(one, among_programs, 0, by_api),
        Player(two, among_programs, 1, by_stream),
        Player(three, against_bot, 0, by_api),
    ]
    watchers = [Watcher(bob, among_browsers), Watcher(Guest(servers.port, ann.cookie), against_bot)]
    for each in (*players, *watchers):
        each.start()
    for number in range(KILLS):
        if number % 5:
            wait_until(servers.answers)
        time.sleep(lots.random() * 0.12)
        servers.kill()
        servers.start()
    for player in players:
        player.hurries = True
    for player in players:
        player.join(240)
        assert player.over, "the games did not go on to their ends"
        assert not player.odd
        assert player.acknowledged
    with contextlib.closing(open_store(servers.command[-1])) as store:
        tables = [store.tables.get(name) for name in (among_browsers, among_programs, against_bot)]
    for table, theirs in zip(tables, (players[:2], players[2:4], players[4:]), strict=True):
        Match.from_record(registry.game("nim", piles=PILES), table.record())
        for at, move in enumerate(table.moves):
            by = [player for player in theirs if player.seat == at % 2]
            for player in by:
                assert move in player.tried[at], "nobody ever sent this move"
                assert player.acknowledged.get(at, move) == move, "an acknowledged move was lost"
        for player in theirs:
            assert max(player.acknowledged) < len(table.moves), "an acknowledged move was lost"
    for watcher, table in zip(watchers, (tables[0], tables[2]), strict=True):
        wait_until(lambda watcher=watcher, table=table: watcher.version == table.version)
        assert watcher.seen == sorted(watcher.seen)
        assert "wins" in watcher.html
        watcher.left = True
        watcher.join(10)


def test_after_each_stop_the_file_alone_holds_every_acknowledged_move(servers, tmp_path):
    """SIGTERM in the middle of games: no log is needed beside the file, and no move is lost."""
    lots = random.Random(8)
    among_browsers, (ann, bob) = laid_for_browsers(servers)
    among_programs, (one, two) = laid(servers, False, False)
    players = [
        Player(ann, among_browsers, 0, by_page),
        Player(bob, among_browsers, 1, by_page),
        Player(one, among_programs, 0, by_api),
        Player(two, among_programs, 1, by_stream),
    ]
    tables = [among_browsers, among_browsers, among_programs, among_programs]
    for each in players:
        each.start()
    for number in range(STOPS):
        wait_until(servers.answers)
        time.sleep(lots.random() * 0.12)
        acknowledged = [dict(player.acknowledged) for player in players]
        servers.kill(signal.SIGTERM)
        if servers.command[-1].startswith("sqlite"):
            file = tmp_path / "parlour.sqlite"
            assert [each.name for each in tmp_path.glob("parlour.sqlite*")] == [file.name]
            copy = shutil.copy(file, tmp_path / "copy.db")
            with contextlib.closing(sqlite3.connect(f"file:{copy}?immutable=1", uri=True)) as kept:
                assert kept.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
                moves = {
                    name: json.loads(body)["moves"]
                    for name, body in kept.execute("SELECT id, body FROM tables")
                }
            for before, name in zip(acknowledged, tables, strict=True):
                assert all(moves[name][at] == move for at, move in before.items()), number
        servers.start()
    for player in players:
        player.hurries = True
    for player in players:
        player.join(240)
        assert player.over, "the games did not go on to their ends"
        assert not player.odd
    with contextlib.closing(open_store(servers.command[-1])) as store:
        for player, name in zip(players, tables, strict=True):
            stored = store.tables.get(name).moves
            assert all(stored[at] == move for at, move in player.acknowledged.items())
