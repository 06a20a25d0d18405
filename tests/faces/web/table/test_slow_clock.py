"""A slow clock gives days for each move, and the server decides."""

from __future__ import annotations

from dataclasses import replace

import pytest

from parlour.faces.web.table.service import DAY, match_of, seconds_left


@pytest.fixture
def game(house):
    """A game with two days a move, both seats taken."""
    table = house.table("tictactoe")
    ann, bob = house.player(table, 0), house.player(table, 1)
    house.store.tables.put(replace(house.read(table), days=2))
    return table, ann, bob


def make_late(house, table, days):
    before = house.read(table)
    house.store.tables.put(replace(before, turned=before.turned - days * DAY))


def left(house, table):
    stored = house.read(table)
    return [seconds_left(stored, match_of(stored), seat) for seat in range(2)]


def test_the_time_for_a_move_begins_anew_with_every_turn(house, game):
    table, ann, bob = game
    make_late(house, table, 1.5)
    assert [round(each / DAY, 1) for each in left(house, table)] == [0.5, 2.0]
    assert ann.call(f"/tables/{table}/moves", {"move": "b2"}).status == 200
    assert [round(each / DAY, 1) for each in left(house, table)] == [2.0, 2.0]
    assert bob.call(f"/tables/{table}").json["seats"][1]["seconds_left"] > 1.9 * DAY


def test_a_slow_clock_is_chosen_in_the_settings_and_said_at_the_table(house):
    ann = house.browser()
    assert ann.post("/new/tictactoe/settings", {"do": "table", "clock": "3d"}).status == 303
    assert '<option value="3d" selected' in ann.get("/new/tictactoe/settings").text
    for name in ("Ann", "Bob"):
        assert ann.post("/new/tictactoe/seats", {"do": "person", "name": name}).status == 303
    table = ann.post("/new/tictactoe/play").headers["location"].rpartition("/")[2]
    assert (house.read(table).days, house.read(table).clock) == (3, None)
    page = ann.get(f"/tables/{table}").text
    assert "3 days a move · 3 days left" in page
    assert "data-clock" not in page
    make_late(house, table, 2.5)
    assert "3 days a move · 12 hours left" in ann.get(f"/tables/{table}").text
    make_late(house, table, 11.5 / 24)
    assert "30 minutes left" in ann.get(f"/tables/{table}").text
