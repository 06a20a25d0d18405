"""Moves of finished games are counted once each, and no longer than the game is there."""

from dataclasses import replace

import pytest

from parlour.store import Counted, Seat, Table

PEOPLE = (Seat("person", "Ann", owner="browser:a"), Seat("person", "Bob", owner="browser:b"))


@pytest.fixture
def table(store):
    return store.tables.add(
        Table(id="t", game="sticks", seats=PEOPLE, moves=("1", "2"), result=(1, -1))
    )


def unread(store, since=0.0):
    return [name for name, _ in store.choices.list_unread(since, 10)]


def test_a_finished_game_is_to_be_read_until_it_has_been(store, table):
    store.tables.add(Table(id="on", game="sticks", seats=PEOPLE, moves=("1",)))
    store.tables.add(Table(id="empty", game="sticks", seats=PEOPLE, result=(1, -1)))
    assert unread(store) == ["t"]
    assert unread(store, table.changed + 1) == []
    store.choices.replace("t", table.version, [(0, 10, 20, 1, True), (1, 20, 30, -1, False)])
    assert unread(store) == []
    assert store.choices.count(10) == [Counted(20, 1, True, 1)]
    assert store.choices.count(20) == [Counted(30, -1, False, 1)]
    assert store.choices.count(0) == []


def test_reading_a_game_twice_counts_it_once(store, table):
    for _ in range(2):
        store.choices.replace("t", table.version, [(0, 10, 20, 1, True)])
    assert store.choices.count(10) == [Counted(20, 1, True, 1)]


def test_a_game_of_which_nothing_counts_is_read_once(store, table):
    store.choices.replace("t", table.version, [])
    assert unread(store) == []


def test_a_game_that_changed_is_read_again_and_one_that_goes_on_is_forgotten(store, table):
    store.choices.replace("t", table.version, [(0, 10, 20, 1, True)])
    on = store.tables.put(replace(table, moves=("1",), result=None))
    assert unread(store) == ["t"]
    store.choices.forget("t")
    assert unread(store) == []
    assert store.choices.count(10) == []
    over = store.tables.put(replace(on, moves=("1", "3"), result=(-1, 1)))
    store.choices.replace("t", table.version, [(0, 10, 20, 1, True)])  # by a server that was slow
    assert store.choices.count(10) == []
    store.choices.replace("t", over.version, [(0, 10, 20, -1, True)])
    assert store.choices.count(10) == [Counted(20, -1, True, 1)]


def test_a_deleted_game_is_counted_no_longer(store, table):
    store.choices.replace("t", table.version, [(0, 10, 20, 1, True)])
    store.tables.remove("t")
    assert store.choices.count(10) == []
