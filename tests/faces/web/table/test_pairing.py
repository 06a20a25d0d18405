"""A visitor who presses `Play somebody now` meets another who pressed it for the same game."""

import re

import pytest

from parlour.faces.web.table import pairing
from tests.faces.web.house import opened_in, wait_until


@pytest.fixture
def house(tmp_path):
    """A house of the test's own, where nobody waits yet."""
    with opened_in(tmp_path) as found:
        yield found


def ask(guest, game="othello"):
    """Press the button, and return where it leads."""
    return guest.post("/pair", {"game": game}).headers["location"]


def test_two_who_press_the_same_game_are_paired_and_no_visitor_with_themselves(house):
    ann, bob, eve = (house.browser() for _ in range(3))
    assert ask(ann) == "/waiting"
    assert ask(ann) == "/waiting", "she does not meet herself"
    assert ask(eve, "nim") == "/waiting", "that is another game"
    page = ann.get("/waiting").text
    assert "Waiting for somebody to play Othello" in page
    assert re.search(r"1 person is waiting.*?pair-othello", bob.get("/").text, re.S)
    topic = re.search(r'data-live="([^"]+)"', page)[1]
    with ann.live(topic, have="0") as open_page:
        table = ask(bob)
        wait_until(lambda: "data-go" in open_page.recv(timeout=60))
    assert table.startswith("/tables/")
    assert ann.get("/waiting").headers["location"] == table
    stored = house.read(table.rpartition("/")[2])
    assert {seat.owner for seat in stored.seats} == {ann.owner, bob.owner}
    assert not stored.listed
    assert not stored.rated
    assert ann.get("/waiting").headers["location"] == "/"
    assert ask(house.browser()) == "/waiting", "the two are taken"


def test_a_visitor_who_cancels_or_whose_page_is_closed_is_not_paired(house, monkeypatch):
    ann, bob, cid, dot = (house.browser() for _ in range(4))
    ask(ann)
    assert ann.post("/waiting/cancel").status == 303
    assert ask(bob) == "/waiting"
    topic = re.search(r'data-live="([^"]+)"', bob.get("/waiting").text)[1]
    monkeypatch.setattr(pairing, "LEAVING", 0.0)
    with bob.live(topic) as page:
        page.recv(timeout=60)
    wait_until(lambda: "1 person is waiting" not in cid.get("/").text)
    assert ask(cid) == "/waiting"
    monkeypatch.setattr(pairing, "ALIVE", 0.0)  # her page was asked for, and nothing since
    assert ask(dot) == "/waiting"


def test_an_invited_friend_needs_the_link(house):
    ann, bob = house.browser(), house.browser()
    table = ann.post("/friend", {"game": "tictactoe"}).headers["location"]
    assert table not in bob.get("/").text
    assert bob.post(f"{table}/sit", {"seat": 1, "name": "Bob"}).status == 303
    assert "Your move" in ann.get(table).text
