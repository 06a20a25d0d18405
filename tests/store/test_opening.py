"""Opening a store: which URL is right, what is wrong with others, and how old ones become new."""

from __future__ import annotations

import sqlite3
import stat
import subprocess
import sys
import threading

import pytest
import sqlalchemy as sa

from parlour.core.errors import BadFile, BadText, ParlourError
from parlour.core.files import data_folder
from parlour.store import migrations as schema
from parlour.store.models import Table
from parlour.store.store import open_store
from tests.postgres import cluster

pytestmark = pytest.mark.server

PROGRAMS = 4


def looked_into(url):
    """The database as anybody else sees it."""
    return sa.create_engine(url.replace("postgresql:", "postgresql+psycopg:"))


def told(url, *statements):
    """Do something to the database behind the store's back."""
    engine = looked_into(url)
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


def test_a_file_is_made_with_its_folder_for_its_owner_alone(tmp_path):
    path = tmp_path / "deep" / "down" / "x.sqlite"
    store = open_store(f"sqlite:///{path}")
    store.secret("cookies")
    assert {stat.S_IMODE(each.stat().st_mode) for each in path.parent.iterdir()} == {0o600}
    store.close()


def test_both_spellings_of_postgresql_are_known(postgres_url):
    for url in (postgres_url, postgres_url.replace("postgresql:", "postgres:")):
        store = open_store(url)
        assert store.dialect == "postgresql"
        store.close()


def test_a_commit_is_on_the_disk_when_it_returns(tmp_path):
    store = open_store(f"sqlite:///{tmp_path}/x.sqlite")
    with store._database.reading() as connection:
        settings = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    store.close()
    full = 2
    assert settings == {"journal_mode": "wal", "synchronous": full, "foreign_keys": 1}


# What is refused


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("games.sqlite", r"'games.sqlite' is not the URL .* write sqlite:///games.sqlite$"),
        ("/var/games.db", r"write sqlite:////var/games.db$"),
        ("sqlite://games.db", r"does not name a file; write sqlite:///FILE or postgresql://"),
        ("sqlite://", r"does not name a file"),
        ("sqlite:///:memory:", r"does not name a file"),
        ("mysql://me@there/games", r"'mysql' databases are not supported; write sqlite:///FILE or"),
        ("postgresql://me:pass@there:port/games", r"^this is not the URL of a database; write"),
        ("://", r"is not the URL of a database"),
    ],
)
def test_a_url_of_another_kind_is_told_what_would_be_right(url, sentence):
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


def test_a_server_that_is_not_there_is_named_without_the_password():
    with pytest.raises(
        ParlourError,
        match=r"^postgresql://me@127\.0\.0\.1:1/games cannot be opened: [^:;]+; is the server",
    ) as refusal:
        open_store("postgresql://me:hidden@127.0.0.1:1/games")
    assert "hidden" not in str(refusal.value)


def test_a_wrong_password_a_stranger_and_a_missing_database_are_refused_by_the_server():
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


def test_a_database_of_a_newer_parlour_is_refused_and_left_alone(url):
    open_store(url).close()
    told(url, "UPDATE parlour_version SET version = 99")
    with pytest.raises(BadFile, match=r"belongs to a newer Parlour \(its version is 99, and this"):
        open_store(url)


def test_tables_of_another_program_are_not_taken_for_ours(url):
    told(url, "CREATE TABLE talks (speaker TEXT)", "CREATE TABLE other (x TEXT)")
    with pytest.raises(BadFile, match=r"holds a table 'talks' that Parlour did not make"):
        open_store(url)
    engine = looked_into(url)
    assert set(sa.inspect(engine).get_table_names()) == {"talks", "other"}
    engine.dispose()


# How it looks, and how it became so


def described(engine):
    """All tables with their columns, keys and indexes."""
    inspector = sa.inspect(engine)
    return {
        name: (
            [
                (column["name"], column["nullable"], column["type"].python_type)
                for column in inspector.get_columns(name)
            ],
            inspector.get_pk_constraint(name)["constrained_columns"],
            sorted((i["name"], tuple(i["column_names"])) for i in inspector.get_indexes(name)),
            [
                (key["constrained_columns"], key["referred_table"], key["options"])
                for key in inspector.get_foreign_keys(name)
            ],
        )
        for name in inspector.get_table_names()
    }


COLUMNS = {
    "tables": {
        "listed": bool,
        "over": bool,
        "creator": str,
        "bots": bool,
        "played": bool,
        "slow": bool,
    },
    "setups": {"owner": str},
    "people": {"rated": bool},
    "talks": {},
    "trainings": {"owner": str, "state": str},
    "tournaments": {"owner": str, "state": str},
    "pairings": {"tournament": str, "state": str},
    "accounts": {"handle": str, "origin": str},
    "challenges": {"challenger": str, "opponent": str, "state": str},
    "feeds": {"owner": str},
    "puzzles": {"game": str},
    "cards": {"owner": str, "puzzle": str},
    "classes": {"owner": str, "code": str, "ends": str},
    "pupils": {"class_id": str, "owner": str, "handle": str},
    "class_questions": {"class_id": str},
    "studies": {"owner": str, "public": bool},
    "homework": {"class_id": str},
    "pupil_work": {"homework": str, "pupil": str},
}
LOGS = {"events"}
LISTS = {  # rows that are no models
    *("seats", "waiting", "presence", "codes", "results", "deletions"),
    *("addresses", "bars", "admin_tokens", "admin_log"),
    "choices",
    *("class_answers", "class_presence"),
}
INDEXES = {
    "tables": {
        ("over", "listed", "changed"),
        ("creator", "over", "changed"),
        ("slow", "over", "changed"),
    },
    "setups": {("owner", "changed")},
    "people": set(),
    "talks": set(),
    "trainings": {("owner", "changed"), ("state", "changed")},
    "tournaments": {("owner", "changed"), ("state", "changed")},
    "pairings": {("tournament", "state"), ("state", "changed")},
    "accounts": {("handle",), ("origin", "changed")},
    "challenges": {
        ("challenger", "state", "changed"),
        ("opponent", "state", "changed"),
        ("state", "changed"),
    },
    "feeds": {("owner", "changed")},
    "puzzles": {("game", "changed")},
    "cards": {("owner", "puzzle")},
    "classes": {("owner", "changed"), ("code",), ("ends",)},
    "pupils": {("owner", "changed"), ("class_id", "handle")},
    "class_questions": {("class_id", "changed")},
    "studies": {("owner", "changed"), ("public", "changed")},
    "homework": {("class_id", "changed")},
    "pupil_work": {("homework", "changed"), ("pupil", "changed")},
}


def test_the_migrations_make_a_table_of_every_model_with_the_columns_it_is_searched_by(url):
    open_store(url).close()
    engine = looked_into(url)
    found = described(engine)
    engine.dispose()
    assert set(found) == {*COLUMNS, *LOGS, *LISTS, "secrets", "parlour_version"}
    common = {"id": str, "version": int, "changed": float, "body": str}
    for name, columns in COLUMNS.items():
        looks, key, indexes, foreign = found[name]
        assert {column: kind for column, _, kind in looks} == common | columns, name
        assert not any(nullable for _, nullable, _ in looks), name
        assert key == ["id"]
        assert {columns for _, columns in indexes} == INDEXES[name] | {("changed",)}, name
        whole = {  # with which it is deleted
            "tournament": "tournaments",
            "class_id": "classes",
            "homework": "homework",
            "pupil": "pupils",
        }
        parts = [column for column in whole if column in columns]
        assert foreign == [([each], whole[each], {"ondelete": "CASCADE"}) for each in parts]


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
        store = open_store(url, migrations=(*schema.MIGRATIONS, second))
        assert store.tables.get("x") == held
        assert store.secret("cookies") == secret
        store.close()
    assert ran == ["second"]
    known = len(schema.MIGRATIONS)
    with pytest.raises(
        BadFile, match=f"its version is {known + 1}, and this program knows {known}"
    ):
        open_store(url)


def test_a_store_of_the_first_version_knows_what_the_second_asks_for(url):
    seats = '"seats": [{"kind": "%s", "name": "", "bot": "", "owner": ""}]'
    record = '{\\"game\\": \\"nim\\", \\"result\\": %s}'
    pairing = '{"number": 1, "game": 0, "seats": [0, 1], "record": "%s", "table": "t"}'
    tables = {
        "fresh": '{"game": "nim", "moves": [], %s}' % (seats % "person"),
        "played": '{"game": "nim", "moves": ["\\"moves\\": []"], %s}' % (seats % "bot"),
    }
    pairings = {
        "done": pairing % (record % "[1, -1]"),
        "drawn": pairing % (record % "[0, 0]"),
        "failed": pairing % "it died",
        "waiting": pairing % "",
    }
    open_store(url, migrations=schema.MIGRATIONS[:1]).close()
    engine = looked_into(url)
    with engine.begin() as connection:
        for name, body in tables.items():
            connection.execute(
                sa.text("INSERT INTO tables VALUES (:id, 3, 5.0, :no, :no, :body)"),
                {"id": name, "no": False, "body": body},
            )
        connection.execute(
            sa.text("INSERT INTO tournaments VALUES ('cup', 0, 5.0, 'me', 'on', :body)"),
            {"body": '{"name": "Cup"}'},
        )
        for name, body in pairings.items():
            state = "done" if name == "drawn" else name
            connection.execute(
                sa.text("INSERT INTO pairings VALUES (:id, 1, 5.0, 'cup', :state, :body)"),
                {"id": name, "state": state, "body": body},
            )
    engine.dispose()
    store = open_store(url)
    assert [table.id for table in store.tables.find(played=True)] == ["played"]
    assert [table.id for table in store.tables.find(bots=True)] == ["played"]
    assert {(table.creator, table.version) for table in store.tables.find()} == {("", 3)}
    found = {each.id: (each.points, each.note) for each in store.pairings.find(tournament="cup")}
    assert found == {
        "done": ((1.0, 0.0), ""),
        "drawn": ((0.5, 0.5), ""),
        "failed": ((), "it died"),
        "waiting": ((), ""),
    }
    store.close()


def test_a_migration_that_fails_halfway_leaves_the_store_as_it_was(url):
    def second(connection):
        connection.exec_driver_sql("ALTER TABLE talks ADD COLUMN mood TEXT")
        connection.exec_driver_sql("ALTER TABLE nothing ADD COLUMN mood TEXT")

    store = open_store(url)
    held = store.tables.add(Table(id="x", game="nim"))
    store.close()
    with pytest.raises(ParlourError, match="nothing"):
        open_store(url, migrations=(*schema.MIGRATIONS, second))
    store = open_store(url)
    assert store.tables.get("x") == held
    store.close()
    engine = looked_into(url)
    assert "mood" not in {column["name"] for column in sa.inspect(engine).get_columns("talks")}
    engine.dispose()


def test_a_file_that_somebody_else_is_making_is_waited_for(tmp_path):
    other = sqlite3.connect(tmp_path / "x.sqlite", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")  # SQLite refuses at once to change how it logs
    soon = threading.Timer(0.3, other.execute, ("COMMIT",))
    soon.start()
    open_store(f"sqlite:///{tmp_path}/x.sqlite").close()
    soon.join()
    other.close()


COUNTS = """
import sys
from parlour.store.store import open_store
from parlour.store.models import Table
from parlour.core.errors import NameTaken

sys.stdin.readline()
store = open_store(sys.argv[1])
try:
    store.tables.add(Table(id="x", game="nim"))
except NameTaken:
    pass
for _ in range(50):
    while store.tables.put(store.tables.get("x")) is None:
        pass
print(store.secret("cookies").hex())
store.close()
"""


def test_four_programs_may_start_at_once_on_an_empty_database(url):
    programs = [
        subprocess.Popen(
            [sys.executable, "-c", COUNTS, url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(PROGRAMS)
    ]
    for program in programs:
        program.stdin.write("\n")
        program.stdin.flush()
    secrets = {program.communicate(timeout=240)[0] for program in programs}
    assert [program.returncode for program in programs] == [0] * PROGRAMS
    assert len(secrets) == 1
    store = open_store(url)
    assert store.tables.get("x").version == 50 * PROGRAMS
    assert store.secret("cookies").hex() == secrets.pop().strip()
    store.close()
