"""Opening a store: which URL is right, what is wrong with others, and how old ones become new."""

import os
import sqlite3
import stat
import subprocess
import sys
import threading

import pytest
import sqlalchemy as sa

from parlour.core.errors import BadFile, BadText, ParlourError
from parlour.core.files import data_folder
from parlour.store.models import Table
from parlour.store.server_lock import claim, find_server
from parlour.store.store import MIGRATIONS, TABLES, open_store
from tests.store.conftest import look_into


def execute(url, *statements):
    """Change the database behind the store's back."""
    engine = look_into(url)
    with engine.begin() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
    engine.dispose()


# Which database


def test_without_a_url_it_is_a_file_in_the_users_folder():
    store = open_store()
    store.tables.add(Table(id="x", game="nim"))
    store.close()
    path = data_folder() / "parlour.sqlite"
    assert path.read_bytes().startswith(b"SQLite format 3")
    again = open_store(f"sqlite:///{path}")
    assert again.tables.get("x").game == "nim"
    again.close()


def test_a_connection_in_use_while_the_store_closes_is_closed_as_soon_as_it_is_given_back(tmp_path):
    store = open_store(f"sqlite:///{tmp_path}/x.sqlite")
    with store.reading() as connection:
        own = connection.connection.dbapi_connection
        store.close()
        assert connection.exec_driver_sql("SELECT 1").scalar() == 1
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        own.execute("SELECT 1")


def test_a_file_is_made_with_its_folder_for_its_owner_alone(tmp_path):
    path = tmp_path / "deep" / "down" / "x.sqlite"
    store = open_store(f"sqlite:///{path}")
    store.secret("cookies")
    assert {stat.S_IMODE(each.stat().st_mode) for each in path.parent.iterdir()} == {0o600}
    store.close()


def test_a_commit_is_on_the_disk_when_it_returns(tmp_path):
    store = open_store(f"sqlite:///{tmp_path}/x.sqlite")
    with store.reading() as connection:
        settings = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    store.close()
    full = 2
    assert settings == {"journal_mode": "wal", "synchronous": full, "foreign_keys": 1}


# What is refused


def test_a_url_of_another_kind_is_refused_with_one_that_would_be_right():
    for url, sentence in (
        ("games.sqlite", r"'games.sqlite' is not the URL .* write sqlite:///games.sqlite$"),
        ("/var/games.db", r"write sqlite:////var/games.db$"),
        ("sqlite://games.db", r"does not name a file; write sqlite:///FILE or postgresql://"),
        ("sqlite://", r"does not name a file"),
        ("sqlite:///:memory:", r"does not name a file"),
        ("mysql://me@there/games", r"'mysql' databases are not supported; write sqlite:///FILE or"),
        ("postgresql://me:pass@there:port/games", r"^this is not the URL of a database; write"),
        ("://", r"is not the URL of a database"),
    ):
        with pytest.raises(BadText, match=sentence):
            open_store(url)


def test_a_file_that_is_no_database_is_left_as_it_is(tmp_path):
    path = tmp_path / "letter.txt"
    path.write_text("Dear Benedict,\n" * 100, encoding="utf-8")
    with pytest.raises(BadFile, match=r"letter\.txt is not an SQLite database; name another file"):
        open_store(f"sqlite:///{path}")
    assert path.read_text(encoding="utf-8") == "Dear Benedict,\n" * 100
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    for place in (f"{tmp_path}/file/x.sqlite", f"{tmp_path}", "/proc/x.sqlite"):
        with pytest.raises(BadFile, match="cannot write"):
            open_store(f"sqlite:///{place}")


@pytest.mark.slow
def test_a_server_that_is_not_there_is_named_without_the_password():
    with pytest.raises(
        ParlourError,
        match=r"^postgresql://me@127\.0\.0\.1:1/games cannot be opened: [^:;]+; is the server",
    ) as refusal:
        open_store("postgresql://me:hidden@127.0.0.1:1/games")
    assert "hidden" not in str(refusal.value)


def test_a_database_of_a_newer_parlour_or_of_an_unreleased_one_is_refused(url):
    open_store(url).close()
    execute(url, "UPDATE parlour_version SET version = 99")
    with pytest.raises(BadFile, match=r"belongs to a newer Parlour \(its version is 99, and this"):
        open_store(url)
    execute(url, "UPDATE parlour_version SET version = 2")
    with pytest.raises(BadFile, match="belongs to a Parlour from before the first release"):
        open_store(url)


def test_tables_of_another_program_are_not_taken_for_ours(url):
    execute(url, "CREATE TABLE talks (speaker TEXT)", "CREATE TABLE other (x TEXT)")
    with pytest.raises(BadFile, match=r"holds a table 'talks' that Parlour did not make"):
        open_store(url)
    engine = look_into(url)
    assert set(sa.inspect(engine).get_table_names()) == {"talks", "other"}
    engine.dispose()


# How an old one becomes new


def test_every_table_that_is_made_is_known_as_ours(url):
    """So that those of another program are noticed, whatever their names."""
    open_store(url).close()
    engine = look_into(url)
    assert set(sa.inspect(engine).get_table_names()) == {*TABLES, "parlour_version"}
    engine.dispose()


def test_an_old_store_is_brought_up_to_date_once_and_keeps_what_it_holds(url):
    ran = []

    def second(connection):
        ran.append("second")
        connection.exec_driver_sql("ALTER TABLE talks ADD COLUMN mood TEXT DEFAULT 'fine'")

    store = open_store(url)
    held = store.tables.add(Table(id="x", game="nim"))
    secret = store.secret("cookies")
    store.close()
    for _ in range(2):
        store = open_store(url, migrations=(*MIGRATIONS, second))
        assert store.tables.get("x") == held
        assert store.secret("cookies") == secret
        store.close()
    assert ran == ["second"]
    known = len(MIGRATIONS)
    with pytest.raises(
        BadFile, match=f"its version is {known + 1}, and this program knows {known}"
    ):
        open_store(url)


def test_a_migration_that_fails_halfway_leaves_the_store_as_it_was(url):
    def second(connection):
        connection.exec_driver_sql("ALTER TABLE talks ADD COLUMN mood TEXT")
        connection.exec_driver_sql("ALTER TABLE nothing ADD COLUMN mood TEXT")

    store = open_store(url)
    held = store.tables.add(Table(id="x", game="nim"))
    store.close()
    with pytest.raises(ParlourError, match="nothing"):
        open_store(url, migrations=(*MIGRATIONS, second))
    store = open_store(url)
    assert store.tables.get("x") == held
    store.close()
    engine = look_into(url)
    assert "mood" not in {column["name"] for column in sa.inspect(engine).get_columns("talks")}
    engine.dispose()


def test_opening_waits_for_another_program_that_makes_the_file(tmp_path):
    other = sqlite3.connect(tmp_path / "x.sqlite", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")  # SQLite refuses at once to change how it logs
    soon = threading.Timer(0.3, other.execute, ("COMMIT",))
    soon.start()
    open_store(f"sqlite:///{tmp_path}/x.sqlite").close()
    soon.join()
    other.close()


def test_the_lock_of_a_killed_server_is_taken_over_and_postgresql_needs_none(tmp_path):
    url, shared = f"sqlite:///{tmp_path}/x.sqlite", "postgresql://me@127.0.0.1:1/games"
    (tmp_path / "x.sqlite.lock").write_text("12345678901 was killed\n", encoding="utf-8")
    with claim(url):
        assert find_server(url) == os.getpid()
    with claim(shared), claim(shared):
        assert find_server(shared) is None


OPENS_IN_FORKS = """
import os, sys
from parlour.store.store import open_store
from tests.store.conftest import look_into
from parlour.store.models import Table
from parlour.core.errors import NameTaken

for _ in range(4):
    if os.fork() == 0:
        store = open_store(sys.argv[1])
        try:
            store.tables.add(Table(id="x", game="nim"))
        except NameTaken:
            pass
        for _ in range(20):
            while store.tables.put(store.tables.get("x")) is None:
                pass
        os.write(1, store.secret("cookies").hex().encode() + b"\\n")
        store.close()
        os._exit(0)
for _ in range(4):
    assert os.wait()[1] == 0
"""


@pytest.mark.server
def test_four_programs_may_start_at_once_on_an_empty_database(url):
    printed = subprocess.check_output([sys.executable, "-c", OPENS_IN_FORKS, url], text=True)
    assert len(printed.split()) == 4
    (secret,) = set(printed.split())
    store = open_store(url)
    assert store.tables.get("x").version == 4 * 20
    assert store.secret("cookies").hex() == secret
    store.close()
