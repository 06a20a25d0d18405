"""A server that is asked to stop finishes searches of visitors and leaves the database whole."""

import contextlib
import http.client
import json
import os
import shutil
import signal
import socket

import pytest
from websockets.exceptions import ConnectionClosed

from parlour.core import ParlourError
from parlour.store import claim, find_server
from tests.faces.web.browser import Server
from tests.faces.web.house import Guest, wait_until
from tests.faces.web.test_kill import stored_moves

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
    found.start()
    yield found
    found.close()


def seat(server, bot):
    """A table with a program at its first seat."""
    guest, seats = Guest(server.port), [{"kind": "open"}, {"kind": "bot", "bot": bot}]
    table = guest.call("/tables", {"game": "sticks", "seats": seats}).json["id"]
    taken = guest.call(f"/tables/{table}/seats/0", {"name": "Ann"}).json
    return table, Guest(server.port, token=taken["token"])


def connects(port):
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except ConnectionError:  # refused, or reset by a server that stops listening just now
        return False
    return True


@pytest.mark.server
def test_a_search_may_finish_and_the_page_is_sent_its_move_before_it_is_closed(server, tmp_path):
    table, ann = seat(server, "slow")
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
        answer = kept.getresponse()
        assert (answer.status, json.load(answer)["reason"]) == (503, "the server is stopping")
        (tmp_path / "go").touch()
        seen = []
        with contextlib.suppress(ConnectionClosed):
            while True:
                seen.append(json.loads(page.recv(timeout=60))["version"])
        assert page.close_code == 1012
        kept.close()
    assert server.processes[-1].wait(60) == 0
    assert [each.name for each in tmp_path.glob("parlour.db*")] == ["parlour.db"]
    assert len(stored_moves(shutil.copy(tmp_path / "parlour.db", tmp_path / "copy"))[table]) == 2
    assert max(seen) == 3  # sat down, moved, answered
    assert "Traceback" not in server.log


@pytest.mark.server
@pytest.mark.long
def test_ctrl_c_leaves_one_whole_file_too(server, tmp_path):
    table, ann = seat(server, "random")
    assert ann.call(f"/tables/{table}/moves", {"move": "1", "at": 0}).status == 200
    server.processes[-1].send_signal(signal.SIGINT)
    assert server.processes[-1].wait(60) == 130
    assert [each.name for each in tmp_path.glob("parlour.db*")] == ["parlour.db"]
    assert stored_moves(tmp_path / "parlour.db")[table][0] == "1"
    assert "Traceback" not in server.log


@pytest.mark.server
@pytest.mark.long
def test_a_second_signal_stops_it_at_once(server, tmp_path):
    table, ann = seat(server, "slow")
    assert ann.call(f"/tables/{table}/moves", {"move": "1", "at": 0}).status == 200
    wait_until((tmp_path / "thinking").exists)  # and it will never end
    server.processes[-1].send_signal(signal.SIGTERM)
    wait_until(lambda: not connects(server.port))
    server.processes[-1].send_signal(signal.SIGTERM)
    assert server.processes[-1].wait(60) == 0
    assert stored_moves(tmp_path / "parlour.db")[table] == ["1"]
    assert "Traceback" not in server.log


def test_a_second_server_on_the_same_file_is_refused_in_a_sentence(tmp_path):
    file = tmp_path / "parlour.db"
    url = f"sqlite:///{file}"
    lock = tmp_path / "parlour.db.lock"
    lock.touch()  # as a server leaves it that was killed
    assert find_server(url) is None
    with claim(url):
        assert find_server(url) == os.getpid()
        with pytest.raises(ParlourError) as refused, claim(url):
            pass
    assert str(refused.value) == (
        f"another server uses {file} (process {os.getpid()}); stop that one, "
        "or name another file with --database"
    )
    assert not lock.exists()
    assert find_server(url) is None
