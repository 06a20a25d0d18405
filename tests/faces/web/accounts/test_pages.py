"""People meet the bots of others: who is here, a challenge, its answer, and a feed of one's own."""

import json
import re
import time
import zlib

import pytest

from parlour.faces.web.accounts import service as accounts
from tests.faces.web.house import Guest, lift_limits, wait_until


@pytest.fixture(autouse=True)
def in_haste(monkeypatch):
    lift_limits(monkeypatch)


@pytest.fixture
def bot(house, request):
    """A bot that is here until the end of the test, with its name."""
    name = f"B{zlib.crc32(request.node.name.encode())}"
    about = "Plays <b>fast</b>."
    made = house.nobody().call("/accounts", {"name": name, "description": about})
    guest = Guest(house.port, token=made.json["token"])
    with guest.open("/api/account/stream") as line:
        assert json.loads(line.recv(timeout=60))["type"] == "hello"
        yield guest, name


def test_bots_that_are_here_are_listed_and_their_descriptions_escaped(house, bot, monkeypatch):
    _, name = bot
    for path in ("/bots", "/"):
        page = house.browser().get(path).text
        assert name in page
        assert "Plays &lt;b&gt;fast&lt;/b&gt;." in page
        assert f'href="/bots/{name}"' in page
    monkeypatch.setattr(accounts, "time", type("Later", (), {"time": lambda: time.time() + 60}))
    wait_until(lambda: name not in house.browser().get("/bots").text)  # it has left


def test_an_open_lobby_shows_at_once_which_bots_come_and_go(house):
    made = house.nobody().call("/accounts", {"name": "Just-came"})
    guest = Guest(house.port, token=made.json["token"])
    with house.browser().live("lobby:", have=0) as lobby:
        assert "Just-came" not in json.loads(lobby.recv(timeout=60))["html"]
        with guest.open("/api/account/stream"):
            wait_until(lambda: "Just-came" in json.loads(lobby.recv(timeout=60))["html"])
        wait_until(lambda: "Just-came" not in json.loads(lobby.recv(timeout=60))["html"])


def test_a_person_challenges_a_bot_and_the_game_begins(house, bot):
    guest, name = bot
    ann = house.browser()
    form = ann.get(f"/bots/{name}").text
    assert 'value="tictactoe"' in form
    sent = ann.post(
        f"/bots/{name}/challenge", {"game": "tictactoe", "seat": "0", "clock": "3d", "name": "Ann"}
    )
    assert sent.status == 303
    waiting = sent.headers["location"]
    page = ann.get(waiting).text
    assert f"A challenge to {name}" in page
    assert "Waiting for an answer" in page
    found = waiting.rpartition("/")[2]
    with ann.live(f"challenge:{found}", have=0) as line:
        accepted = guest.call(f"/challenges/{found}/accept", {}).json
        shown = json.loads(line.recv(timeout=60))["html"]
        assert f'data-go href="/tables/{accepted["table"]}"' in shown
    table = house.read(accepted["table"])
    assert [seat.name for seat in table.seats] == ["Ann", name]
    assert table.days == 3
    page = ann.get(f"/tables/{table.id}").text
    assert f"{name} bot" in page
    assert ann.post(f"/tables/{table.id}/move", {"move": "b2", "at": 0}).status == 303
    assert table.id in [each["id"] for each in guest.call("/account/games").json]


def test_a_challenge_can_be_cancelled_declined_or_wrong(house, bot):
    guest, name = bot
    ann, bob = house.browser(), house.browser()
    path = ann.post(f"/bots/{name}/challenge", {"game": "nim"}).headers["location"]
    assert bob.post(f"{path}/cancel").status == 403
    assert bob.post(f"{path}/accept").status == 403
    assert ann.post(f"{path}/cancel").status == 303
    assert "was cancelled" in ann.get(path).text
    path = ann.post(f"/bots/{name}/challenge", {"game": "nim"}).headers["location"]
    guest.call(f"/challenges/{path.rpartition('/')[2]}/decline", {"reason": "Not <now>"})
    assert "“Not &lt;now&gt;”" in ann.get(path).text
    wrong = ann.post(f"/bots/{name}/challenge", {"game": "chess", "name": "Ann"})
    assert wrong.status == 404
    assert "no game 'chess'" in wrong.said
    assert 'value="Ann"' in wrong.text  # what was typed is kept
    assert ann.get("/bots/nobody-at-all").status == 404
    assert ann.get("/challenges/nothing").status == 404
    assert ann.post(f"{path}/jump").status == 404


def test_an_offer_of_a_bot_is_accepted_by_a_press(house, bot):
    guest, name = bot
    offer = guest.call("/challenges", {"game": "sticks", "days": 2}).json["id"]
    ann = house.browser()
    page = ann.get("/bots").text
    assert f"{name}, a bot" in page
    assert "2 days a move" in page
    gone = ann.post(f"/challenges/{offer}/accept")
    assert gone.status == 303
    assert house.read(gone.headers["location"].rpartition("/")[2]).days == 2


def test_a_person_has_a_feed_and_can_replace_its_address(house):
    ann = house.browser()
    table = ann.post("/quick", {"game": "tictactoe"}).headers["location"]
    page = ann.get("/feed").text
    address = re.search(r'value="[^"]*(/feeds/[^"/]+)/feed.atom"', page)[1]
    assert ann.get("/feed").text.count(address) >= 2  # it stays the same
    items = house.nobody().get(f"{address}/feed.json").json["items"]
    assert [item["url"].endswith(table) for item in items] == [True]
    assert items[0]["title"].startswith("Your turn: ")
    assert ann.post("/feed").status == 303
    assert house.nobody().get(f"{address}/feed.json").status == 404
    assert address not in ann.get("/feed").text
