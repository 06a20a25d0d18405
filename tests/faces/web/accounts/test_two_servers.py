"""Two servers on one database: an account follows at one what happens at the other."""

from __future__ import annotations

import json

import pytest

from parlour.faces.web.accounts import events
from tests.faces.web.house import Guest, lift_limits, opened
from tests.postgres import postgres_url  # noqa: F401  # a fixture


def create(house, name):
    return house.nobody().call("/accounts", {"name": name}).json["token"]


@pytest.mark.long
def test_a_game_is_followed_at_one_server_and_played_at_the_other(
    postgres_url,  # noqa: F811
    monkeypatch,
):
    lift_limits(monkeypatch)
    monkeypatch.setattr(events, "POLL", 3600)  # only announcements wake a stream
    with opened(postgres_url) as one, opened(postgres_url) as two:
        rex = create(one, "Rex")
        ada = Guest(two.port, "", create(two, "Ada"))
        with Guest(one.port, "", rex).open("/api/account/stream") as line:

            def following():
                return json.loads(line.recv(timeout=60))

            assert following()["type"] == "hello"
            assert [each["name"] for each in ada.call("/accounts?here=true").json] == ["Rex"]
            challenge = {"game": "tictactoe", "opponent": "Rex", "seat": 0}
            sent = ada.call("/challenges", challenge).json["id"]
            assert following()["challenge"]["id"] == sent
            accepted = Guest(two.port, "", rex).call(f"/challenges/{sent}/accept", {})
            table = accepted.json["table"]
            assert [following()["type"] for _ in range(2)] == ["challenge", "game_start"]
            assert ada.call(f"/tables/{table}/moves", {"move": "b2"}).status == 200
            assert following()["type"] == "turn"
            line.send(json.dumps({"type": "move", "table": table, "move": "a1", "at": 1}))
            assert following()["moves"] == 2
            assert ada.call("/account/games").json[0]["moves"] == ["b2", "a1"]
