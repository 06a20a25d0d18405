"""A server that is asked to stop finishes what people wait for and leaves the database whole."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys

import pytest
from websockets.exceptions import ConnectionClosed

from tests.faces.web.browser import Server
from tests.faces.web.house import Guest, wait_until

pytestmark = pytest.mark.server

SLOW = """
import pathlib, time

def choose(game, state):
    here = pathlib.Path(__file__).parent
    (here / "thinking").touch()
    while not (here / "go").exists():
        time.sleep(0.01)
    return game.moves(state)[0]
"""


@pytest.fixture
def server(tmp_path):
    bot = tmp_path / "slow.py"
    bot.write_text(SLOW)
    found = Server(tmp_path, "", str(bot))
    yield found
    found.close()


def seat(server, *seats, game="sticks"):
    """A table with a program at its first seat."""
    guest = Guest(server.port)
    made = guest.call("/tables", {"game": game, "seats": [{"kind": "open"}, *seats]})
    assert made.status == 201, made.text
    table = made.json["id"]
    taken = guest.call(f"/tables/{table}/seats/0", {"name": "Ann"}).json
    return table, Guest(server.port, token=taken["token"])


def stored_moves(file, table):
    """The moves in a database file, as any program reads them."""
    with sqlite3.connect(f"file:{file}?mode=ro&immutable=1", uri=True) as found:
        assert found.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        ((body,),) = found.execute("SELECT body FROM tables WHERE id = ?", (table,)).fetchall()
    found.close()
    return json.loads(body)["moves"]


@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT])
def test_after_a_signal_the_database_is_one_whole_file(server, tmp_path, told):
    server.start()
    table, ann = seat(server, {"kind": "bot", "bot": "random"})
    assert ann.call(f"/tables/{table}/moves", {"move": "1", "at": 0}).status == 200
    server.processes[-1].send_signal(told)
    assert server.processes[-1].wait(60) == (0 if told == signal.SIGTERM else 130)
    assert [each.name for each in tmp_path.glob("parlour.db*")] == ["parlour.db"]
    copy = shutil.copy(tmp_path / "parlour.db", tmp_path / "copy.db")
    assert stored_moves(copy, table)[0] == "1"
    assert "Traceback" not in server.log


def test_a_search_may_finish_and_the_page_is_sent_its_move_before_it_is_closed(server, tmp_path):
    server.start()
    table, ann = seat(server, {"kind": "bot", "bot": "slow"})
    watcher = Guest(server.port)
    watcher.get("/docs")
    kept = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    kept.request("GET", "/preparing")
    kept.getresponse().read()
    with watcher.live(f"table:{table}") as page:
        page.recv(timeout=60)
        assert ann.call(f"/tables/{table}/moves", {"move": "1", "at": 0}).status == 200
        wait_until((tmp_path / "thinking").exists)
        server.processes[-1].send_signal(signal.SIGTERM)
        wait_until(lambda: not connects(server.port))
        kept.request("GET", "/readyz")
        told = kept.getresponse()
        assert (told.status, json.load(told)["reason"]) == (503, "the server is stopping")
        (tmp_path / "go").touch()
        seen = []
        with contextlib.suppress(ConnectionClosed):
            while True:
                seen.append(json.loads(page.recv(timeout=60))["version"])
        assert page.close_code == 1012
        kept.close()
    assert server.processes[-1].wait(60) == 0
    assert len(stored_moves(tmp_path / "parlour.db", table)) == 2
    assert max(seen) == 3  # sat down, moved, answered


def connects(port):
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.connect()
    except ConnectionRefusedError:
        return False
    connection.close()
    return True


def test_a_second_signal_stops_it_at_once(server, tmp_path):
    server.start()
    table, ann = seat(server, {"kind": "bot", "bot": "slow"})
    assert ann.call(f"/tables/{table}/moves", {"move": "1", "at": 0}).status == 200
    wait_until((tmp_path / "thinking").exists)  # and it will never end
    server.processes[-1].send_signal(signal.SIGTERM)
    wait_until(lambda: not connects(server.port))
    server.processes[-1].send_signal(signal.SIGTERM)
    assert server.processes[-1].wait(60) == 0
    assert stored_moves(tmp_path / "parlour.db", table) == ["1"]
    assert "Traceback" not in server.log


def test_a_second_server_on_the_same_file_is_refused_in_a_sentence(server, tmp_path):
    server.start()
    command = [sys.executable, "-m", "parlour", "web", "--port", "0", "--database", server.database]
    second = subprocess.run(command, capture_output=True, text=True, env=os.environ, check=False)
    assert second.returncode == 2
    number = server.processes[-1].pid
    assert second.stderr == (
        f"parlour: another server uses {tmp_path}/parlour.db (process {number}); stop that one, "
        "or name another file with --database\n"
    )
    server.kill()  # which leaves the lock file, though not the lock
    server.start()
    assert server.stop() == 0
    assert not (tmp_path / "parlour.db.lock").exists()
