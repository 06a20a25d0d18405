"""What only PostgreSQL has: a server that refuses, goes away and comes back, and notifications."""

import contextlib
import queue
import threading

import pytest

from parlour.core.errors import ParlourError
from parlour.store.database import EVERYTHING, Unavailable
from parlour.store.models import Table
from parlour.store.store import open_store
from tests.postgres import cluster
from tests.store.test_peers import ODD, Line

PATIENCE = 60  # seconds; it only ends a hang
LAST = "the last topic"


def test_both_spellings_of_postgresql_are_known(postgres_url):
    for url in (postgres_url, postgres_url.replace("postgresql:", "postgres:")):
        store = open_store(url)
        assert store.dialect == "postgresql"
        store.close()


@pytest.mark.postgresql
def test_a_wrong_password_an_unknown_user_and_a_missing_database_are_refused_by_the_server():
    server = cluster()
    right = server.url("postgres")
    for url, words in (
        (right.replace("secret", "wrong"), "password authentication failed"),
        (right.replace("parlour", "stranger"), "stranger"),
        (server.url("nowhere"), '"nowhere" does not exist'),
    ):
        with pytest.raises(
            ParlourError, match=f"^the server refuses postgresql://.*: .*{words}"
        ) as refusal:
            open_store(url)
        assert "\n" not in str(refusal.value)
        assert "secret" not in str(refusal.value)
        assert "wrong" not in str(refusal.value)


def test_after_the_server_was_restarted_the_next_request_works(postgres_url):
    store = open_store(postgres_url)
    table = store.tables.add(Table(id="x", game="nim"))
    cluster().stop()
    cluster().start()
    assert store.tables.get("x") == table
    cluster().stop()
    try:
        with pytest.raises(Unavailable, match="the database cannot be used now"):
            store.tables.get("x")
    finally:
        cluster().start()
    assert store.tables.get("x") == table
    assert store.tables.put(table).version == 1
    store.close()


# Notifications between servers


@contextlib.contextmanager
def listening(store, speaker):
    """Yield a queue of the topics and rows that a store hears; the speaker is another store."""
    heard, stop = queue.Queue(), threading.Event()

    def listen():
        store.listen(lambda topic, row: heard.put((topic, row)), stop)

    listener = threading.Thread(target=listen)
    listener.start()
    try:
        first = None
        while first is None:  # until it listens
            speaker.notify("are you there?")
            with contextlib.suppress(queue.Empty):
                first = heard.get(timeout=0.05)
        begins = speaker.new_id()
        speaker.notify(begins)
        read_before(begins, heard)
        yield heard
    finally:
        stop.set()
        listener.join(PATIENCE)
    assert not listener.is_alive()


def read_before(last, heard):
    """Take the topics and rows before the last topic; those of one store come in order."""
    found = []
    while (each := heard.get(timeout=PATIENCE)) != (last, ""):
        found.append(each)
    return found


@pytest.fixture
def open_stores(postgres_url):
    """Open so many stores on one database."""
    with contextlib.ExitStack() as closing:
        yield lambda number: [
            closing.enter_context(contextlib.closing(open_store(postgres_url)))
            for _ in range(number)
        ]


def test_another_server_hears_what_is_stored_and_announced_and_nothing_else(open_stores):
    store, other = open_stores(2)
    with listening(other, store) as heard:
        table = store.tables.add(Table(id="x", game="nim"))
        assert store.tables.put(table, announce="table:x") is not None
        assert store.tables.put(table, announce="an old version") is None
        store.tables.put(store.tables.get("x"))
        store.notify(LAST)
        assert read_before(LAST, heard) == [("table:x", "")]


def test_a_listener_comes_back_with_the_server_and_says_that_anything_may_have_changed(open_stores):
    store, other = open_stores(2)
    with listening(other, store) as heard:
        cluster().stop()
        cluster().start()
        assert heard.get(timeout=PATIENCE) == (EVERYTHING, "")
        store.notify("table:x")
        assert heard.get(timeout=PATIENCE) == ("table:x", "")


def test_a_process_of_the_same_server_hears_a_change_once_and_another_server_too(open_stores):
    """The database notifies all; what came by the line already is not heard again."""
    one, two, elsewhere, caller = open_stores(4)
    lines = [Line(), Line()]
    lines[0].others = [lines[1]]
    one.join(lines[0])
    two.join(lines[1])
    with listening(two, caller) as beside, listening(elsewhere, caller) as far:
        table = one.tables.add(ODD)
        stored = one.tables.put(table, announce="table:x")
        caller.notify(LAST)  # notifications come in the order of the commits
        rows = [row for topic, row in read_before(LAST, beside) if topic == "table:x"]
        assert [two.tables.read(row) for row in rows] == [stored]
        assert ("table:x", "") in read_before(LAST, far)
