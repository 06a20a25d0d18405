"""A house is backed up while it plays, restored in an empty place, and its games go on there."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.faces.web.browser import Server
from tests.faces.web.house import Guest
from tests.postgres import cluster

pytestmark = pytest.mark.server


def parlour(*arguments):
    """What a command prints."""
    done = subprocess.run(
        [sys.executable, "-m", "parlour", *arguments],
        capture_output=True,
        text=True,
        env=os.environ,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_an_open_game_goes_on_in_a_restored_house(tmp_path, kind):
    def place(name):
        folder = tmp_path / name
        folder.mkdir()
        return Server(folder, cluster().new_database() if kind == "postgresql" else "")

    here, there = place("here"), place("there")
    file = str(tmp_path / "backup")
    try:
        here.start()
        guest = Guest(here.port)
        guest.get("/docs")
        nobody = Guest(here.port)
        table = nobody.call("/tables", {"game": "tictactoe"}).json["id"]
        assert guest.post(f"/tables/{table}/sit", {"seat": 0, "name": "Ann"}).status == 303
        bob = nobody.call(f"/tables/{table}/seats/1", {"name": "Bob"}).json["token"]
        bob = Guest(here.port, token=bob)
        assert guest.send(f"/tables/{table}/move", {"move": "b2", "at": 0}).status == 200
        assert bob.call(f"/tables/{table}/moves", {"move": "a1", "at": 1}).status == 200
        told = parlour("backup", file, "--database", here.database)
        assert "including 1 table" in told
        with guest.live(f"table:{table}") as page:
            page.recv(timeout=60)
            assert guest.send(f"/tables/{table}/move", {"move": "c3", "at": 2}).status == 200
            after = json.loads(page.recv(timeout=60))["version"]
            told = parlour("restore", file, "--replace", "--database", here.database)
            assert "Restored as of" in told
            assert "Restart" not in told  # the same house, with the same key
            while json.loads(page.recv(timeout=60))["version"] != after - 1:  # it shows that now
                pass
        assert guest.call(f"/tables/{table}").json["moves"] == ["b2", "a1"]
        parlour("restore", file, "--database", there.database)
        there.start()
        ann, bob = Guest(there.port, guest.cookie), Guest(there.port, token=bob.token)
        assert ann.send(f"/tables/{table}/move", {"move": "b1", "at": 2}).status == 200
        assert bob.call(f"/tables/{table}/moves", {"move": "b3", "at": 3}).status == 200
        assert ann.call(f"/tables/{table}").json["moves"] == ["b2", "a1", "b1", "b3"]
    finally:
        here.close()
        there.close()
