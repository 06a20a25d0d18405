"""Processes of one server send each other the rows they change, once each and only if stored."""

from dataclasses import replace

import pytest

from parlour.store.models import Person, Seat, Table

PATIENCE = 60  # seconds after which something has not happened
SEATS = (Seat("person", "Änn\n\t", owner="browser:ann"), Seat("bot", "Rex", bot="perfect"))
ODD = Table(
    id="x",
    game="nim",
    options={"piles": [3, [4, 5]], "note": "\ud800 \0"},
    seats=SEATS,
    moves=("1 from 1",),
    seconds=(0.25,),
    clock=(60.0, 1.5),
    listed=True,
    creator="browser:ann",
)


class Line:
    """A connection to the other processes of a server: what was sent, and who hears it."""

    def __init__(self, server="house"):
        self.server = server
        self.listens = True  # to other servers
        self.sent = []
        self.others = []
        self.callbacks = {}

    def send(self, kind, text):
        assert "\n" not in text  # each message is one line
        self.sent.append((kind, text))
        for other in self.others:
            other.callbacks[kind](text)

    def on(self, kind, callback):
        self.callbacks[kind] = callback


@pytest.fixture
def line(store):
    """What the processes beside this store are sent."""
    found = Line()
    store.join(found)
    return found


def rows(line):
    """The topics that were sent, and the row that came with each."""
    assert all(kind == "topic" for kind, _ in line.sent)
    return [tuple(text.split("\t", 1)) for _, text in line.sent]


@pytest.mark.parametrize("reseated", [False, True])
def test_the_row_that_is_sent_is_the_model_that_was_stored(store, line, reseated):
    held = store.tables.add(ODD)
    seats = (replace(SEATS[1], name="Max"), replace(SEATS[0], owner="browser:bob"))
    changed = replace(held, seats=seats if reseated else SEATS, moves=("1 from 1", "2 from 2"))
    stored = store.tables.put(changed, announce="table:x", reseated=reseated)
    [(topic, row)] = rows(line)
    assert topic == "table:x"
    assert store.tables.read(row) == stored == store.tables.get("x")


def test_columns_outside_the_body_are_read_too(store, line):
    held = store.people.add(Person(id="browser:ann", name="Ann"))
    stored = store.people.put(replace(held, rated=True), announce="person")
    [(_, row)] = rows(line)
    assert store.people.read(row) == stored
    assert (stored.version, stored.rated) == (1, True)


def test_changes_that_are_not_announced_or_not_stored_are_not_sent(store, line):
    held = store.tables.add(ODD)
    store.tables.put(held)
    assert store.tables.put(held, announce="an old version") is None
    assert line.sent == []
    store.notify("lobby")
    assert line.sent == [("topic", "lobby")]


def test_the_changes_of_a_transaction_are_sent_after_it_and_never_if_it_is_rolled_back(store, line):
    held = store.tables.add(ODD)

    def fail():
        with store.transaction():
            store.tables.put(held, announce="table:x")
            store.tables.put(replace(held, version=1), announce="table:x", reseated=True)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert line.sent == []
    assert store.tables.get("x") == held
    with store.transaction():
        first = store.tables.put(held, announce="table:x")
        second = store.tables.put(first, announce="table:x", reseated=True)
        assert line.sent == []
    assert [store.tables.read(row) for _, row in rows(line)] == [first, second]
