"""The log of an account's events: in order, by the owner alone, and never apart from its change."""

import threading
import time

import pytest

from parlour.store.models import Table


def kinds(found):
    return [event["n"] for _, event in found]


def test_events_come_back_in_order_after_any_number(store):
    for number in range(5):
        store.events.append({"account:a": [{"n": number}], "account:b": [{"n": -number}]})
    found = store.events.since("account:a", 0, 100)
    assert kinds(found) == [0, 1, 2, 3, 4]
    numbers = [number for number, _ in found]
    assert numbers == sorted(set(numbers))
    for at, number in enumerate(numbers):
        assert kinds(store.events.since("account:a", number, 100)) == [*range(at + 1, 5)]
    assert kinds(store.events.since("account:a", 0, 2)) == [0, 1]
    assert store.events.latest("account:a") == numbers[-1]
    assert store.events.latest("account:c") == 0
    store.deletions.delete("account:a")
    assert store.events.since("account:a", 0, 9) == []
    assert len(store.events.since("account:b", 0, 9)) == 5


def test_numbers_grow_though_everything_older_was_deleted(store, monkeypatch):
    now = time.time()
    store.events.append({"a": [{"n": 1}]})
    before = store.events.latest("a")
    assert store.events.prune(now + 60) == 1
    monkeypatch.setattr(time, "time", lambda: now + 60)
    store.events.append({"a": [{"n": 2}]})
    assert store.events.latest("a") > before


def test_an_event_is_stored_with_its_change_or_not_at_all(store):
    def fail():
        with store.transaction():
            store.tables.add(Table(id="x", game="nim"))
            store.events.append({"a": [{"n": 1}]})
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert (store.tables.get("x"), store.events.since("a", 0, 9)) == (None, [])
    with store.transaction(), store.transaction():
        store.tables.add(Table(id="x", game="nim"))
        store.events.append({"a": [{"n": 1}]})
    assert store.tables.get("x") is not None
    assert kinds(store.events.since("a", 0, 9)) == [1]


def test_a_reader_that_follows_a_log_misses_no_event_of_many_writers(store):
    """A number that is committed late would lie behind what was already read."""
    seen, done = [], threading.Event()

    def write(writer):
        for number in range(20):
            with store.transaction():
                store.events.append({"a": [{"n": (writer, number)}], "b": [{"n": 0}]})

    def follow():
        last = 0
        while True:
            finished = done.is_set()
            found = store.events.since("a", last, 7)
            seen.extend(tuple(event["n"]) for _, event in found)
            last = found[-1][0] if found else last
            if finished and not found:
                return

    follower = threading.Thread(target=follow)
    follower.start()
    writers = [threading.Thread(target=write, args=(each,)) for each in range(4)]
    for thread in writers:
        thread.start()
    for thread in writers:
        thread.join()
    done.set()
    follower.join()
    assert sorted(seen) == [(writer, number) for writer in range(4) for number in range(20)]
