"""A house is backed up while it plays, restored in an empty place, and its games go on there."""

import json

import pytest

from parlour.faces.cli import main
from parlour.faces.web.app import receive
from parlour.store import EVERYTHING
from tests.faces.web.house import Guest, opened


@pytest.mark.slow
def test_an_open_game_goes_on_in_a_restored_house(tmp_path, capsys):
    here, there = f"sqlite:///{tmp_path}/here.db", f"sqlite:///{tmp_path}/there.db"
    file = str(tmp_path / "backup")
    with opened(here) as house:
        table = house.table("tictactoe")
        ann, bob = house.sitting(table, 0), house.player(table, 1)
        assert ann.send(f"/tables/{table}/move", {"move": "b2", "at": 0}).status == 200
        assert bob.call(f"/tables/{table}/moves", {"move": "a1", "at": 1}).status == 200
        assert main(["backup", file, "--database", here]) == 0
        assert "including 1 table" in capsys.readouterr().out
        with ann.live(f"table:{table}") as page:
            page.recv(timeout=60)
            assert ann.send(f"/tables/{table}/move", {"move": "c3", "at": 2}).status == 200
            after = json.loads(page.recv(timeout=60))["version"]
            assert main(["restore", file, "--replace", "--database", here]) == 0
            receive(house.services, EVERYTHING)  # as a server does at SIGUSR1
            while json.loads(page.recv(timeout=60))["version"] != after - 1:
                pass
        assert ann.call(f"/tables/{table}").json["moves"] == ["b2", "a1"]
    assert main(["restore", file, "--database", there]) == 0
    with opened(there) as house:
        ann, bob = Guest(house.port, ann.cookie), Guest(house.port, token=bob.token)
        assert ann.send(f"/tables/{table}/move", {"move": "b1", "at": 2}).status == 200
        assert bob.call(f"/tables/{table}/moves", {"move": "b3", "at": 3}).status == 200
        assert house.read(table).moves == ("b2", "a1", "b1", "b3")
