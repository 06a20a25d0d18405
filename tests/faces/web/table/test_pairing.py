"""Somebody who presses `Play somebody now` meets whoever pressed it for the same game."""

from __future__ import annotations

import re
import threading

import pytest

from parlour.faces.web.table import pairing
from tests.faces.web.house import opened, wait_until
from tests.postgres import postgres_url  # noqa: F401  # a fixture

pytestmark = pytest.mark.server


def ask(guest, game="othello"):
    """Press the button; where it leads."""
    return guest.post("/pair", {"game": game}).headers["location"]


@pytest.fixture
def empty(house):
    """The house while nobody waits."""
    for variant in list(house.store.waiting.counts(0.0)):
        assert variant, "somebody was left behind"
        house.store.waiting.prune(float("inf"))
    yield house
    house.store.waiting.prune(float("inf"))


def test_two_who_press_the_same_game_are_paired_and_nobody_with_themselves(empty):
    ann, bob, eve = (empty.browser() for _ in range(3))
    assert ask(ann) == "/waiting"
    assert ask(ann) == "/waiting", "she does not meet herself"
    assert ask(eve, "nim") == "/waiting", "that is another game"
    assert "Waiting for somebody to play Othello" in ann.get("/waiting").text
    assert re.search(r"1 person is waiting.*?pair-othello", bob.get("/").text, re.S)
    table = ask(bob)
    assert table.startswith("/tables/")
    assert ann.get("/waiting").headers["location"] == table
    stored = empty.read(table.rpartition("/")[2])
    owners = {f"browser:{guest.cookie.partition('.')[0]}" for guest in (ann, bob)}
    assert {seat.owner for seat in stored.seats} == owners
    assert not stored.listed
    assert not stored.rated
    assert ann.get("/waiting").headers["location"] == "/"
    assert ask(empty.browser()) == "/waiting", "the two are taken"


def test_the_page_of_the_one_who_waits_is_led_to_the_table(empty):
    ann, bob = empty.browser(), empty.browser()
    ask(ann)
    topic = re.search(r'data-live="([^"]+)"', ann.get("/waiting").text)[1]
    with ann.live(topic, have="0") as page:
        ask(bob)
        wait_until(lambda: "data-go" in page.recv(10))


def test_who_cancels_or_closes_the_page_is_not_paired(empty, monkeypatch):
    ann, bob, cid = (empty.browser() for _ in range(3))
    ask(ann)
    assert ann.post("/waiting/cancel").status == 303
    assert ask(bob) == "/waiting"
    topic = re.search(r'data-live="([^"]+)"', bob.get("/waiting").text)[1]
    monkeypatch.setattr(pairing, "LEAVING", 0.0)
    with bob.live(topic, have="0"):
        wait_until(lambda: f"browser:{bob.cookie.partition('.')[0]}" in empty.state.pairing._open)
    wait_until(lambda: empty.state.pairing.count([empty_game()]) == [0])
    assert ask(cid) == "/waiting"


def empty_game():
    from parlour.core import registry

    return registry.game("othello")


def test_a_page_that_is_open_goes_on_waiting_and_one_that_is_not_does_not(empty, monkeypatch):
    ann, bob = empty.browser(), empty.browser()
    ask(ann)
    monkeypatch.setattr(pairing, "ALIVE", 0.0)  # her page was asked for, and nothing since
    assert ask(bob) == "/waiting"


def test_an_invited_friend_needs_the_link(empty):
    ann, bob = empty.browser(), empty.browser()
    table = ann.post("/friend", {"game": "tictactoe"}).headers["location"]
    assert table not in bob.get("/").text
    assert bob.post(f"{table}/sit", {"seat": 1, "name": "Bob"}).status == 303
    assert "Your move" in ann.get(table).text


def test_of_many_who_press_at_once_on_two_servers_all_are_paired(postgres_url):  # noqa: F811
    with opened(postgres_url) as one, opened(postgres_url) as other:
        guests = [house.browser() for house in (one, other) * 5]
        start = threading.Barrier(len(guests))

        def press(guest):
            start.wait()
            ask(guest)

        threads = [threading.Thread(target=press, args=(guest,)) for guest in guests]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        owners = [f"browser:{guest.cookie.partition('.')[0]}" for guest in guests]
        tables = one.store.tables.find()
        assert len(tables) == 5
        assert sorted(seat.owner for table in tables for seat in table.seats) == sorted(owners)
        assert one.store.waiting.counts(0.0) == {}
