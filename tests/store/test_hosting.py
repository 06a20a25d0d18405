"""What a host needs: a lobby that is shared fairly, addresses for some days, tokens and a log."""

import time

import pytest

from parlour.core.errors import NameTaken, UnknownName
from parlour.faces.web.background import KEEP_ADDRESSES, delete_old
from parlour.store import Seat, Table
from parlour.store.hosting import Bar

OPEN = (Seat("open"), Seat("open"))
QUERY = {"since": 0.0, "active": 0.0, "here": 0.0, "of_creator": 3, "limit": 30}


def add_tables(store, creator, number):
    """Tables of a creator, as the lobby would list them."""
    for _ in range(number):
        table = Table(id=store.new_id(), game="sticks", seats=OPEN, listed=True, creator=creator)
        store.tables.add(table)


def creators(store, **more):
    return [table.creator for table in store.tables.find_for_lobby(**QUERY | more)]


def test_one_creator_has_a_few_rows_and_all_others_are_shown(store):
    add_tables(store, "browser:modest", 1)
    add_tables(store, "browser:flood", 20)
    assert creators(store) == ["browser:flood", "browser:modest"] + ["browser:flood"] * 2


def test_many_cookies_of_one_address_come_after_the_first_tables_of_others(store):
    for address in range(10):
        store.addresses.note(f"browser:{address}", f"192.0.2.{address}")
        add_tables(store, f"browser:{address}", 1)
    for cookie in range(20):
        store.addresses.note(f"browser:flood {cookie}", "203.0.113.1")
        add_tables(store, f"browser:flood {cookie}", 3)
    shown = creators(store)
    assert len(shown) == 30
    assert {f"browser:{address}" for address in range(10)} <= set(shown[:11])


def test_a_table_that_waits_for_players_falls_out_when_its_creator_has_gone(store):
    add_tables(store, "browser:here", 1)
    add_tables(store, "browser:gone", 1)
    store.addresses.note("browser:here", "192.0.2.1")
    store.addresses.note("browser:gone", "192.0.2.2")
    now = time.time()
    store.addresses.touch(["browser:here"], now + 1000)
    assert creators(store, here=now + 500) == ["browser:here"]


def test_a_game_in_play_falls_out_after_long_without_a_move(store):
    table = Table(id="a", game="sticks", seats=OPEN, listed=True, moves=("1",), creator="browser:x")
    store.tables.add(table)
    now = time.time()
    assert creators(store, active=now - 60) == ["browser:x"]
    assert creators(store, active=now + 60) == []


# What is kept


def test_addresses_are_kept_for_seven_days_wherever_they_are(store):
    day = 24 * 3600.0
    assert 7 * day == KEEP_ADDRESSES
    store.addresses.note("browser:a", "192.0.2.1")
    store.addresses.note("192.0.2.2", "192.0.2.2")
    add_tables(store, "192.0.2.2", 1)
    add_tables(store, "browser:a", 1)
    add_tables(store, "2001:db8::7", 1)
    delete_old(store, time.time() + 6.9 * day - 5 * day)
    assert len(store.addresses.list(9)) == 2
    store.tables.add(Table(id="kept", game="sticks", result=(1, -1), creator="192.0.2.2"))
    delete_old(store, time.time() + 7.1 * day)
    assert store.addresses.list(9) == []
    kept = store.tables.get("kept")
    assert kept is not None
    assert kept.creator == ""


def test_addresses_go_with_the_person(store):
    store.addresses.note("browser:a", "192.0.2.1")
    store.deletions.delete("browser:a")
    assert store.addresses.get("browser:a") is None


# Bars, tokens, log


def test_a_bar_holds_until_its_time_and_can_be_changed_and_lifted(store):
    store.bars.put(Bar("192.0.2.1", 100.0, 50.0, "one"))
    store.bars.put(Bar("192.0.2.1", 200.0, 60.0, "two"))
    assert store.bars.find(150.0) == [Bar("192.0.2.1", 200.0, 60.0, "two")]
    assert store.bars.find(200.0) == []
    store.bars.remove("192.0.2.1")
    assert store.bars.find(0.0) == []


def test_a_token_is_valid_until_it_is_revoked(store):
    store.admin_tokens.add("ann", "hash of ann")
    with pytest.raises(NameTaken):
        store.admin_tokens.add("ann", "another")
    store.admin_tokens.add("bob", "hash of bob")
    assert store.admin_tokens.find("hash of ann").label == "ann"
    store.admin_tokens.revoke("ann")
    assert store.admin_tokens.find("hash of ann") is None
    assert store.admin_tokens.find("hash of bob").label == "bob"
    with pytest.raises(UnknownName):
        store.admin_tokens.revoke("ann")


def test_actions_of_the_host_are_listed_latest_first(store):
    for action in ("hide", "bar"):
        store.admin_log.add("ann", action, "table x")
    assert [entry.action for entry in store.admin_log.list(9)] == ["bar", "hide"]
    store.admin_log.prune(time.time() + 1)
    assert store.admin_log.list(9) == []
