"""Nothing acknowledged is lost when a program is killed or the disk is full."""

import dataclasses
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading

import pytest

from parlour.store.database import Unavailable
from parlour.store.models import Table
from parlour.store.store import open_store
from tests.conftest import LONG
from tests.store.conftest import look_into

KILLS = 20 if LONG else 5

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


@pytest.mark.server
def test_a_writer_killed_at_any_moment_loses_nothing_that_was_acknowledged(url):
    rng = random.Random(1)
    store = open_store(url)
    store.tables.add(Table(id="x", game="nim"))
    with subprocess.Popen(
        [sys.executable, "-c", WRITES, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as program:
        for _ in range(KILLS):
            program.stdin.write(b"\n")
            program.stdin.flush()
            child = int(program.stdout.readline())
            for _ in range(rng.randint(1, 20)):
                acknowledged = int(program.stdout.readline())
            os.kill(child, signal.SIGKILL)
            while (line := program.stdout.readline()) != b"gone\n":
                acknowledged = int(line)
            wait_for_rollback(url)
            table = store.tables.get("x")
            assert acknowledged <= table.version <= acknowledged + 1
            assert table.moves == tuple(f"{number}" for number in range(table.version))
            if store.dialect == "sqlite":
                with sqlite3.connect(url.removeprefix("sqlite:///")) as file:
                    assert file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
                file.close()
        program.stdin.close()
    store.close()


def wait_for_rollback(url):
    """Return once a PostgreSQL server has noticed that the writer is gone."""
    if url.startswith("sqlite"):
        return
    busy = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
        "AND backend_type = 'client backend' AND pid <> pg_backend_pid() AND state = 'active'"
    )
    engine = look_into(url)
    with engine.connect() as connection:
        while connection.exec_driver_sql(busy).scalar():
            pass
    engine.dispose()


def test_a_full_disk_is_reported_in_a_sentence_and_logged_once_and_changes_nothing(
    tmp_path, caplog
):
    store = open_store(f"sqlite:///{tmp_path}/x.sqlite")
    table = store.tables.add(Table(id="x", game="nim"))
    with store.reading() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count = 1")
    for _ in range(2):
        with pytest.raises(Unavailable, match="cannot be used now: database or disk is full"):
            store.tables.put(dataclasses.replace(table, reason="x" * 1_000_000))
    for _ in range(2):
        assert store.tables.get("x") == table
    assert [record.getMessage() for record in caplog.records] == [
        "the database cannot be used now: database or disk is full",
        "the database can be used again",
    ]
    store.close()


def test_a_file_notifies_no_server_and_hears_none(tmp_path):
    store = open_store(f"sqlite:///{tmp_path}/x.sqlite")
    store.notify("lobby")
    store.listen(pytest.fail, threading.Event())
    table = store.tables.add(Table(id="x", game="nim"))
    assert store.tables.put(table, announce="table:x").version == 1
    store.close()
