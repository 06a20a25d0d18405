"""Databases that older programs wrote are read by this one, in place and from a backup."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pytest

from parlour.core import registry
from parlour.core.referee import Match
from parlour.store.backup import check_backup, restore_backup, write_backup
from parlour.store.store import open_store

pytestmark = pytest.mark.server

SCHEMAS = Path(__file__).with_name("schemas")
ANN, BOB = "browser:" + "a1" * 16, "token:" + "b2" * 32


@pytest.fixture(params=[1, 2])
def old(request, tmp_path):
    """A file of an older schema, and which."""
    path = tmp_path / "old.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as file:
        file.executescript((SCHEMAS / f"{request.param}.sql").read_text(encoding="utf-8"))
        file.commit()
    return path, request.param


def check(url):
    """What was stored then is there, as this program names it."""
    with contextlib.closing(open_store(url)) as store:
        people = store.tables.get("people2345")
        assert people.moves == ("b2", "a1", "b1")
        assert [seat.owner for seat in people.seats] == [ANN, BOB]
        assert (people.version, people.changed) == (3, 1763200005.0)
        Match.from_record(registry.game("tictactoe"), people.record())
        bot = store.tables.get("againstbot")
        assert bot.seats[0].name == "Zoë ☃"
        assert (bot.pace, bot.clock) == ("ok", (300.0, 5.0))
        assert store.tables.get("finished23").result == (-1, 1)
        found = {
            flags: {table.id for table in store.tables.find(**dict.fromkeys(flags, True))}
            for flags in (("listed",), ("over",), ("bots",), ("played",))
        }
        assert found == {
            ("listed",): {"people2345"},
            ("over",): {"finished23"},
            ("bots",): {"againstbot", "finished23"},
            ("played",): {"people2345", "finished23"},
        }
        assert {table.id for table in store.tables.find_of(ANN)} == {
            "people2345",
            "againstbot",
        }
        assert store.setups.get("setup23456").seats[1].bot == "benedict"
        assert store.talks.get("a1" * 16).lines[0] == ("you", "hello \0 there")
        assert store.trainings.get("class23456").state == "paused"
        pairings = {each.id: each for each in store.pairings.find(tournament="cup2345678")}
        assert pairings["pair1"].points == (0.0, 1.0)
        assert (pairings["pair2"].state, pairings["pair2"].note) == ("failed", "it took too long")
        assert pairings["pair3"].state == "waiting"
        assert store.secret("cookies") == bytes.fromhex("ab" * 32)


def test_an_old_file_is_brought_up_to_date_where_it_lies(old):
    check(f"sqlite:///{old[0]}")


def test_a_backup_of_an_old_database_is_restored_into_a_new_one(old, url, tmp_path):
    path, schema = old
    write_backup(f"sqlite:///{path}", tmp_path / "backup")
    assert check_backup(tmp_path / "backup").version == schema
    with contextlib.closing(sqlite3.connect(path)) as file:
        assert file.execute("SELECT version FROM parlour_version").fetchall() == [(schema,)]
    restore_backup(url, tmp_path / "backup")
    check(url)
