"""A backup holds the rows of one moment, and is restored whole or not at all, into either kind."""

import contextlib
import dataclasses
import gzip
import itertools
import json
import random
import stat
import threading

import pytest

from parlour.core.errors import BadFile, ParlourError
from parlour.store.backup import check_backup, list_deletions, restore_backup, write_backup
from parlour.store.models import Pairing, Seat, Setup, StoredStudy, Table, Talk, Tournament
from parlour.store.store import MIGRATIONS, open_store
from tests.postgres import cluster
from tests.store.conftest import look_into

BACKUPS = 3


@pytest.fixture
def new_url(tmp_path):
    """A call that returns the URL of an empty database of a kind."""
    numbers = itertools.count(1)

    def make(kind="sqlite"):
        if kind == "postgresql":
            return cluster().new_database()
        return f"sqlite:///{tmp_path}/{next(numbers)}.sqlite"

    return make


def seats(*owners):
    return tuple(Seat("person", f"Guest {at}", owner=owner) for at, owner in enumerate(owners))


def fill(url):
    """A house in which all sorts of things have happened, with odd letters in them."""
    with contextlib.closing(open_store(url)) as store:
        for number in range(30):
            owners = seats(f"browser:{number % 4}", f"browser:{number % 7}")
            table = Table(id=f"t{number}", game="nim", seats=owners, listed=number % 2 == 0)
            store.tables.put(dataclasses.replace(store.tables.add(table), moves=("1a",) * number))
        store.setups.add(Setup(id="s", game="nim", owner="browser:1"))
        store.talks.add(Talk(id="1", lines=(("you", "NUL \0, Ünïcødé 🎲, \ud800 and 'quotes\"'"),)))
        store.tournaments.add(Tournament(id="c", owner="browser:2", name="Cup"))
        store.pairings.add_all(Pairing(id=f"p{n}", tournament="c", number=n) for n in range(5))
        nodes = ({"comment": "Ünïcødé 🎲, 'quotes\"'"}, {"parent": 0, "move": "1 from 1"})
        study = store.studies.add(StoredStudy(id="l", owner="browser:1", game="nim", nodes=nodes))
        store.studies.put(dataclasses.replace(study, public=True, title="Lines"))
        store.secret("cookies")


def read_all(url):
    """All that is stored, as the program sees it."""
    with contextlib.closing(open_store(url)) as store:
        names = ("tables", "setups", "talks", "tournaments", "pairings", "people", "studies")
        rows = [sorted(getattr(store, name).find(), key=lambda row: row.id) for name in names]
        return rows, store.secret("cookies"), store.deletions.list()


@pytest.mark.slow
def test_a_backup_is_restored_into_the_other_kind_of_database_and_back(tmp_path, new_url):
    urls = [new_url(), new_url("postgresql"), new_url()]
    fill(urls[0])
    for number, (source, target) in enumerate(itertools.pairwise(urls)):
        file = tmp_path / f"backup{number}"
        found = write_backup(source, file)
        assert found.tables == 30
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert check_backup(file) == found
        restore_backup(target, file)
        assert read_all(target) == read_all(urls[0])
    with contextlib.closing(open_store(urls[2])) as store:
        [study] = store.studies.find(public=True)
    assert (study.title, len(study.nodes)) == ("Lines", 2)


@pytest.mark.slow
def test_a_backup_made_while_another_thread_writes_is_of_one_moment(tmp_path, new_url, url):
    store, begun, over = open_store(url), threading.Event(), threading.Event()
    one = store.tables.add(Table(id="one", game="nim"))
    two = store.tables.add(Table(id="two", game="nim"))

    def write():
        nonlocal one, two
        while not over.is_set():
            with store.transaction():
                one, two = store.tables.put(one), store.tables.put(two)
            begun.set()

    writer = threading.Thread(target=write)
    writer.start()
    begun.wait()
    try:
        for number in range(BACKUPS):
            write_backup(url, tmp_path / f"backup{number}")
    finally:
        over.set()
        writer.join()
        store.close()
    versions = []
    for number in range(BACKUPS):
        copy = new_url()
        restore_backup(copy, tmp_path / f"backup{number}")
        with contextlib.closing(open_store(copy)) as restored:
            pair = [restored.tables.get(name).version for name in ("one", "two")]
        assert pair[0] == pair[1]
        versions.append(pair[0])
    assert versions == sorted(versions)
    assert versions[0] > 0


def test_a_database_that_is_not_empty_is_replaced_only_when_that_was_asked(tmp_path, new_url, url):
    source, file = new_url(), tmp_path / "backup"
    fill(source)
    write_backup(source, file)
    with contextlib.closing(open_store(url)) as store:
        store.tables.add(Table(id="other", game="nim"))
    with pytest.raises(ParlourError, match=r"is not empty \(1 rows\); add --replace"):
        restore_backup(url, file)
    with contextlib.closing(open_store(url)) as store:
        assert store.tables.get("other") is not None
        assert store.tables.get("t1") is None
    restored = restore_backup(url, file, replace=True)
    assert restored.same_house  # it had no key yet
    assert read_all(url) == read_all(source)


def test_data_deleted_since_the_backup_stays_deleted(tmp_path, new_url, url):
    file, later = tmp_path / "backup", tmp_path / "later"
    fill(url)
    write_backup(url, file)
    with contextlib.closing(open_store(url)) as store:
        store.deletions.delete("browser:1")
    assert b"browser:1" in gzip.decompress(file.read_bytes())
    write_backup(url, later)
    elsewhere = new_url()
    after = {
        url: restore_backup(url, file, replace=True),
        elsewhere: restore_backup(elsewhere, file, deletions=list_deletions(str(later))),
    }
    for where, restored in after.items():
        assert restored.deleted == 1
        with contextlib.closing(open_store(where)) as store:
            owners = {seat.owner for table in store.tables.find() for seat in table.seats}
            assert "browser:1" not in owners
            assert store.studies.find() == []
            assert "browser:2" in owners
            assert store.talks.get("1") is None
            assert len(store.deletions.list()) == 1
    again = restore_backup(url, file, replace=True)  # it is still known
    assert again.deleted == 1


def test_a_damaged_backup_changes_nothing(tmp_path, new_url):
    url, file = new_url(), tmp_path / "backup"
    fill(url)
    write_backup(url, file)
    whole = file.read_bytes()
    before = read_all(url)
    rng = random.Random(3)
    plain = gzip.decompress(whole)
    lines = plain.splitlines(keepends=True)
    damaged = [
        b"",
        b"Dear Benedict",
        whole[: len(whole) // 2],
        whole[:-1],
        gzip.compress(b"".join(lines[:-1])),
        gzip.compress(b"".join(lines[:5] + lines[6:])),
        gzip.compress(plain.replace(b"nim", b"Nim", 1)),
        gzip.compress(plain + lines[3]),
        gzip.compress(b"[]\n"),
    ]
    for _ in range(40):
        at = rng.randrange(20, len(whole))
        damaged.append(whole[:at] + bytes([whole[at] ^ 1 << rng.randrange(8)]) + whole[at + 1 :])
    for number, data in enumerate(damaged):
        file.write_bytes(data)
        with pytest.raises(BadFile, match=r"damaged|not a backup"):
            restore_backup(url, file, replace=True)
        assert number % 10 or read_all(url) == before


@pytest.mark.slow
def test_a_restore_that_fails_midway_leaves_everything_as_it_was(tmp_path, url):
    file = tmp_path / "backup"
    fill(url)
    write_backup(url, file)
    with contextlib.closing(open_store(url)) as store:
        store.tables.remove("t1")
    before = read_all(url)

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        restore_backup(url, file, replace=True, progress=stop)
    assert read_all(url) == before


def test_a_backup_of_a_newer_program_and_a_missing_database_are_named(tmp_path, new_url):
    url, file = new_url(), tmp_path / "backup"
    head = {"format": "parlour backup 1", "schema": 99, "made": 0.0, "rows": 0}
    file.write_bytes(gzip.compress(json.dumps(head).encode() + b"\n"))
    with pytest.raises(BadFile, match="was made by a newer Parlour"):
        restore_backup(url, file)
    with pytest.raises(BadFile, match="there is no database at"):
        write_backup(f"sqlite:///{tmp_path}/none.sqlite", tmp_path / "x")
    with pytest.raises(BadFile, match="No such file"):
        restore_backup(url, tmp_path / "none")
    assert not (tmp_path / "x").exists()
    assert not list(tmp_path.glob(".*"))


def test_a_backup_of_an_older_schema_is_migrated_as_its_database_would_have_been(
    tmp_path, new_url, url
):
    source, file = new_url(), tmp_path / "backup"
    fill(source)
    write_backup(source, file)

    def add_a_mood(connection):
        connection.exec_driver_sql("ALTER TABLE talks ADD COLUMN mood TEXT DEFAULT 'fine'")

    migrations = (*MIGRATIONS, add_a_mood)
    restored = restore_backup(url, file, migrations=migrations)
    assert (restored.contents.version, restored.contents.tables) == (len(MIGRATIONS), 30)
    with contextlib.closing(open_store(url, migrations=migrations)) as store:
        assert len(store.tables.get("t29").moves) == 29
    engine = look_into(url)
    with engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT mood FROM talks").scalars().all() == ["fine"]
    engine.dispose()
