"""What nobody comes back to is thrown away in time, and nothing else."""

from __future__ import annotations

import time

import pytest

from parlour.faces.web import background
from parlour.faces.web.background import DAY, delete_old
from parlour.faces.web.table import service
from parlour.store.models import Setup, Table, Talk, Tournament, Training
from parlour.store.store import open_store
from tests.faces.web.house import opened, wait_until


@pytest.fixture
def store(tmp_path):
    """A store with one thing of each kind, made now."""
    held = open_store(f"sqlite:///{tmp_path}/parlour.sqlite")
    held.tables.add(Table(id="unbegun", game="nim"))
    held.tables.add(Table(id="unfinished", game="nim", moves=("1 from 1",)))
    held.tables.add(Table(id="finished", game="nim", moves=("1 from 1",), result=(1, -1)))
    held.tables.add(Table(id="given up", game="nim", result=(1, -1), reason="player 2 resigned"))
    held.setups.add(Setup(id="setup", owner="ann", game="nim"))
    held.talks.add(Talk(id="talk"))
    held.trainings.add(Training(id="class", owner="ann", name="x", game="nim"))
    held.tournaments.add(Tournament(id="cup", owner="ann", name="x"))
    yield held
    held.close()


ALL = {"unbegun", "unfinished", "finished", "given up", "setup", "talk", "class", "cup"}


@pytest.mark.parametrize(
    ("days", "gone"),
    [
        (0, set()),
        (1.9, set()),
        (2.1, {"unbegun"}),
        (29.9, {"unbegun"}),
        (30.1, {"unbegun", "unfinished"}),
        (179.9, {"unbegun", "unfinished"}),
        (180.1, {"unbegun", "unfinished", "setup", "talk"}),
        (10_000, {"unbegun", "unfinished", "setup", "talk"}),
    ],
)
def test_each_kind_is_kept_so_long(store, days, gone):
    assert delete_old(store, time.time() + days * DAY) == len(gone)
    shelves = (store.tables, store.setups, store.talks, store.trainings, store.tournaments)
    assert {thing.id for shelf in shelves for thing in shelf.find()} == ALL - gone


@pytest.mark.server
def test_a_server_sweeps_when_it_starts_and_goes_on_when_it_cannot(store, tmp_path, monkeypatch):
    url = f"sqlite:///{tmp_path}/parlour.sqlite"
    monkeypatch.setattr(background, "KEEP_UNPLAYED", -60.0)
    with opened(url) as house:
        wait_until(lambda: store.tables.get("unbegun") is None)
        assert store.tables.get("unfinished")
        assert house.browser().get("/").status == 200
    monkeypatch.setattr(background, "delete_old", lambda *_: 1 // 0)
    with opened(url) as house:
        assert house.browser().get("/").status == 200


def test_the_lobby_shows_what_was_touched_within_a_day(house, monkeypatch):
    table = house.table("tictactoe")
    assert table in house.browser().get("/").text
    assert table in house.nobody().call("/tables?limit=100").text
    monkeypatch.setattr(service, "RECENT", 0.0)
    assert table not in house.browser().get("/").text
    assert table not in house.nobody().call("/tables?limit=100").text
