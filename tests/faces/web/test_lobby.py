"""The lobby cannot be flooded, and whoever is barred starts and joins nothing."""

from __future__ import annotations

import time

import pytest

from parlour.faces.web.table import service
from parlour.store import Seat
from parlour.store.hosting import Bar

OPEN = (Seat("open"), Seat("open"))


def test_one_browser_may_wait_at_a_few_tables_only(house, monkeypatch):
    monkeypatch.setattr(service, "MAX_LISTED", 2)
    ann = house.browser()
    seats = [Seat("person", "Ann", owner=f"browser:{ann.cookie.partition('.')[0]}"), Seat("open")]
    creator = seats[0].owner
    game = service._game("sticks", "{}")
    made = [house.state.tables.create(game, seats, creator=creator) for _ in range(2)]
    with pytest.raises(service.TooMany, match="already have 2 open tables in the lobby"):
        house.state.tables.create(game, seats, creator=creator)
    house.state.tables.create(game, seats, creator=creator, listed=False)  # only for a friend
    for table in made:
        house.store.tables.remove(table.id)


def test_one_address_may_wait_at_many_tables_but_not_at_any_number(house, monkeypatch):
    monkeypatch.setattr(service, "MAX_LISTED_BY_ADDRESS", 3)
    game = service._game("sticks", "{}")
    for number in range(3):
        house.store.addresses.note(f"browser:c{number}", "198.51.100.1")
        house.state.tables.create(game, OPEN, creator=f"browser:c{number}")
    house.store.addresses.note("browser:c9", "198.51.100.1")
    with pytest.raises(service.TooMany, match="many open tables of your network"):
        house.state.tables.create(game, OPEN, creator="browser:c9")
    house.store.addresses.note("browser:d", "198.51.100.2")
    house.state.tables.create(game, OPEN, creator="browser:d")
    for table in house.store.tables.find(listed=True, over=False):
        house.store.tables.remove(table.id)


# Bars


def bar(house, subject, seconds=3600.0):
    now = time.time()
    house.store.bars.put(Bar(subject, now + seconds, now, "test"))
    house.state.visitors.note_change()


def lift(house, subject):
    house.store.bars.remove(subject)
    house.state.visitors.note_change()


def test_whoever_is_barred_starts_and_joins_nothing_but_may_watch(house):
    table = house.table("tictactoe")
    ann = house.browser()
    owner = f"browser:{ann.cookie.partition('.')[0]}"
    bar(house, owner)
    try:
        for path, form in (
            ("/quick", {"game": "sticks"}),
            ("/new/sticks/play", {}),
            ("/tournaments", {"game": "sticks"}),
            (f"/tables/{table}/sit", {"seat": 0, "name": "Ann"}),
            ("/chat", {"text": "hello"}),
        ):
            refused = ann.post(path, form)
            assert refused.status == 403, path
            assert "you can still watch" in refused.said, path
        assert ann.get(f"/tables/{table}").status == 200
        bob = house.browser()
        assert bob.post("/quick", {"game": "sticks"}).status == 303
    finally:
        lift(house, owner)
    assert ann.post("/quick", {"game": "sticks"}).status == 303


def test_an_address_is_barred_for_programs_too_and_only_for_its_time(house):
    table = house.table("tictactoe")
    bar(house, "127.0.0.1")
    try:
        assert house.nobody().call("/tables", {"game": "nim"}).status == 403
        seat = house.nobody().call(f"/tables/{table}/seats/0", {"name": "Ann"})
        assert (seat.status, "you can still watch" in seat.said) == (403, True)
        assert house.nobody().call(f"/tables/{table}").status == 200
        bar(house, "127.0.0.1", seconds=-1.0)  # it has ended
        assert house.nobody().call("/tables", {"game": "nim"}).status == 201
    finally:
        lift(house, "127.0.0.1")
