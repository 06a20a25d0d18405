"""Nothing acknowledged is lost: not when a program is killed, nor when the server goes away."""

from __future__ import annotations

import dataclasses
import os
import queue
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time

import pytest

from parlour.store.database import EVERYTHING, Unavailable
from parlour.store.models import Table
from parlour.store.store import open_store
from tests.postgres import cluster

pytestmark = pytest.mark.server

KILLS = 20
PATIENCE = 60  # seconds after which something has not happened

# Children of a program that has loaded everything, so that each begins to write at once.
WRITES = """
import os, sys
from dataclasses import replace
from parlour.store.store import open_store

for line in sys.stdin:
    child = os.fork()
    if child == 0:
        store = open_store(sys.argv[1])
        table = store.tables.get("x")
        os.write(1, b"%d\\n" % os.getpid())
        while True:
            table = store.tables.put(replace(table, moves=(*table.moves, f"{table.version}")))
            os.write(1, b"%d\\n" % table.version)
    os.waitpid(child, 0)
    os.write(1, b"gone\\n")
"""


def test_a_writer_killed_at_any_moment_loses_nothing_it_was_told_is_stored(url):
    lots = random.Random(1)
    store = open_store(url)
    store.tables.add(Table(id="x", game="nim"))
    with subprocess.Popen(
        [sys.executable, "-c", WRITES, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as program:
        for _ in range(KILLS):
            program.stdin.write(b"\n")
            program.stdin.flush()
            child = int(program.stdout.readline())
            acknowledged = int(program.stdout.readline())
            time.sleep(lots.random() / 50)
            os.kill(child, signal.SIGKILL)
            while (line := program.stdout.readline()) != b"gone\n":
                acknowledged = int(line)
            held = _settled(store)
            assert acknowledged <= held.version <= acknowledged + 1
            assert held.moves == tuple(f"{number}" for number in range(held.version))
            if store.dialect == "sqlite":
                with sqlite3.connect(url.removeprefix("sqlite:///")) as file:
                    assert file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
                file.close()
        program.stdin.close()
    store.close()


def _settled(store):
    """The table once the server has noticed that the writer is gone."""
    if store.dialect == "postgresql":
        busy = (
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
            "AND backend_type = 'client backend' AND pid <> pg_backend_pid() AND state = 'active'"
        )
        with store._database.reading() as connection:
            while connection.exec_driver_sql(busy).scalar():
                time.sleep(0.01)
    return store.tables.get("x")


def test_a_full_disk_is_told_in_a_sentence_and_changes_nothing(tmp_path):
    store = open_store(f"sqlite:///{tmp_path}/x.sqlite")
    held = store.tables.add(Table(id="x", game="nim"))
    with store._database.reading() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count = 1")
    with pytest.raises(Unavailable, match="cannot be used now: database or disk is full"):
        store.tables.put(dataclasses.replace(held, reason="x" * 1_000_000))
    assert store.tables.get("x") == held
    store.close()


def test_after_the_server_was_restarted_the_next_request_works(postgres_url):
    store = open_store(postgres_url)
    held = store.tables.add(Table(id="x", game="nim"))
    cluster().stop()
    cluster().start()
    assert store.tables.get("x") == held
    cluster().stop()
    try:
        with pytest.raises(Unavailable, match="the database cannot be used now"):
            store.tables.get("x")
    finally:
        cluster().start()
    assert store.tables.get("x") == held
    assert store.tables.put(held).version == 1
    store.close()


# News between servers


@pytest.fixture
def ears(postgres_url):
    """What a second server hears of the first one's doings."""
    store = open_store(postgres_url)
    heard, stop = queue.Queue(), threading.Event()
    listener = threading.Thread(target=store.listen, args=(heard.put, stop))
    listener.start()
    yield heard, open_store_until_heard(postgres_url, heard)
    stop.set()
    listener.join(timeout=PATIENCE)
    assert not listener.is_alive()
    store.close()


def open_store_until_heard(url, heard):
    """Another store on the same database, once the listener hears it."""
    store = open_store(url)
    deadline = time.monotonic() + PATIENCE
    while heard.empty() and time.monotonic() < deadline:
        store.notify("are you there?")
        time.sleep(0.05)
    store.notify("this is the last question")  # what comes of one store comes in order
    while heard.get(timeout=PATIENCE) != "this is the last question":
        pass
    return store


def test_another_server_hears_what_is_stored_and_nothing_else(ears):
    heard, store = ears
    held = store.tables.add(Table(id="x", game="nim"))
    assert store.tables.put(held, announce="table:x") is not None
    assert heard.get(timeout=PATIENCE) == "table:x"
    assert store.tables.put(held, announce="an old version") is None
    store.tables.put(store.tables.get("x"))
    store.notify("it's over")
    assert heard.get(timeout=PATIENCE) == "it's over"
    assert heard.empty()
    store.close()


def test_a_listener_comes_back_after_the_server_and_says_that_anything_may_have_changed(ears):
    heard, store = ears
    cluster().stop()
    time.sleep(0.3)
    cluster().start()
    assert heard.get(timeout=PATIENCE) == EVERYTHING
    store.notify("table:x")
    assert heard.get(timeout=PATIENCE) == "table:x"
    store.close()


def test_with_a_file_there_is_nobody_to_tell_and_nothing_to_hear(tmp_path):
    store = open_store(f"sqlite:///{tmp_path}/x.sqlite")
    store.notify("lobby")
    store.listen(pytest.fail, threading.Event())
    held = store.tables.add(Table(id="x", game="nim"))
    assert store.tables.put(held, announce="table:x").version == 1
    store.close()
