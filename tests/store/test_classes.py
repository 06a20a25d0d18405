"""Classes in the store: unique names, versions that grow, and nothing left when deleted."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
import sqlalchemy as sa

from parlour.core import ParlourError
from parlour.faces.web.background import delete_old
from parlour.store import Sighting, backup
from parlour.store.classes import PupilAnswer
from parlour.store.models import Classroom, Pupil, Question, Seat, Table
from parlour.store.store import open_store
from tests.store.conftest import found_in_files, look_into

ANN, BOB = "browser:" + "a1" * 16, "browser:" + "b2" * 16
NAME = "Wilhelmina"  # found nowhere else
DAY = 24 * 3600.0


def fill_class(store, class_id="class1", owner=ANN, ends="2999-01-01"):
    """A class with a pupil who has answered a question, and a game that belongs to it."""
    store.classes.add(
        Classroom(
            id=class_id,
            owner=owner,
            code=f"c{class_id}",
            ends=ends,
            name="7b",
            teachers=(owner,),
            question=f"q{class_id}",
        )
    )
    pupil = store.pupils.add(
        Pupil(id=f"p{class_id}", class_id=class_id, owner=BOB, handle=NAME.casefold(), name=NAME)
    )
    store.questions.add(
        Question(id=f"q{class_id}", class_id=class_id, number=1, game="nim", position="3,4,5:1")
    )
    store.class_answers.put(PupilAnswer(f"q{class_id}", pupil.id, "1 from 1", time.time()))
    store.class_presence.note([Sighting(pupil.id, BOB, "here", time.time(), 0.0)])
    seats = (Seat("person", NAME, owner=BOB), Seat("bot", "Rex", "random"))
    store.tables.add(Table(id=f"t{class_id}", game="nim", seats=seats, creator=f"class:{class_id}"))
    return pupil


def rows_with(url, text):
    """The tables of which a row holds a text, in any case."""
    engine = look_into(url)
    metadata = sa.MetaData()
    metadata.reflect(engine)
    with engine.connect() as connection:
        found = {
            name
            for name, table in metadata.tables.items()
            for row in connection.execute(sa.select(table))
            if text.casefold() in repr(tuple(row)).casefold()
        }
    engine.dispose()
    return found


@pytest.mark.slow
def test_a_deleted_class_leaves_no_name_in_any_row_or_byte(store, url):
    fill_class(store)
    assert rows_with(url, NAME) >= {"pupils", "tables"}
    store.deletions.delete("class:class1")
    assert rows_with(url, NAME) == set()
    assert rows_with(url, "class1") == set(), "neither answers, questions nor presence"
    store.deletions.erase()
    if url.startswith("sqlite"):
        assert not found_in_files(url, NAME)


def test_a_class_is_deleted_on_its_day_and_not_before(store, url):
    now = time.time()
    today = time.strftime("%Y-%m-%d", time.gmtime(now))
    fill_class(store, "ended", ends=today)
    fill_class(store, "goes", ends=time.strftime("%Y-%m-%d", time.gmtime(now + DAY)))
    delete_old(store, now)
    assert [each.id for each in store.classes.find()] == ["goes"]
    assert [each.id for each in store.pupils.find()] == ["pgoes"]
    delete_old(store, now + DAY)
    assert store.classes.find() == []
    assert rows_with(url, NAME) == set()
    if url.startswith("sqlite"):
        assert not found_in_files(url, NAME)


def test_a_restored_backup_holds_no_class_and_no_pupil_deleted_since(store, url, tmp_path):
    fill_class(store, "gone")
    kept = fill_class(store, "stays")
    removed = store.pupils.add(
        Pupil(id="px", class_id="stays", owner=ANN, handle="zacharias", name="Zacharias")
    )
    file = tmp_path / "backup.gz"
    backup.write_backup(url, file)
    store.deletions.delete("class:gone")
    store.deletions.delete(f"pupil:{removed.id}")
    backup.restore_backup(url, file, replace=True)
    again = open_store(url)
    assert [each.id for each in again.classes.find()] == ["stays"]
    assert [each.id for each in again.pupils.find()] == [kept.id]
    assert again.class_answers.find("qstays") != []
    again.close()
    assert rows_with(url, "Zacharias") == set()


def test_a_removed_pupil_takes_along_their_own_answers_alone(store):
    pupil = fill_class(store)
    other = store.pupils.add(Pupil(id="o", class_id="class1", owner="", handle="max", name="Max"))
    store.class_answers.put(PupilAnswer("qclass1", other.id, "2 from 1", time.time()))
    store.deletions.delete(f"pupil:{pupil.id}")
    assert [each.pupil for each in store.class_answers.find("qclass1")] == [other.id]
    assert store.class_presence.find("class1") == []


def test_a_person_who_deletes_their_data_is_in_no_class_and_their_own_class_goes(store):
    fill_class(store)
    store.deletions.delete(BOB)
    assert store.pupils.find() == []
    assert [each.id for each in store.classes.find()] == ["class1"]
    store.deletions.delete(ANN)
    assert store.classes.find() == []


def test_a_person_on_another_device_teaches_and_learns_on(store):
    pupil = fill_class(store)
    new = "browser:" + "c3" * 16
    store.deletions.adopt(ANN, new)
    (found,) = store.classes.find()
    assert (found.owner, found.teachers) == (new, (new,))
    store.deletions.adopt(BOB, new)
    assert store.pupils.get(pupil.id).owner == new
    twin = store.pupils.add(
        Pupil(id="twin", class_id="class1", owner=BOB, handle="twin", name="Twin")
    )
    store.deletions.adopt(BOB, new)
    assert store.pupils.get(twin.id).owner == "", "who is there twice comes back by the key"


def test_two_pupils_never_have_one_name_however_they_race(store):
    fill_class(store)

    def join(number):
        try:
            return store.pupils.add(
                Pupil(id=f"n{number}", class_id="class1", owner="", handle="ida", name="Ida")
            )
        except ParlourError:
            return None

    with ThreadPoolExecutor(4) as threads:
        joined = [each for each in threads.map(join, range(8)) if each]
    assert len(joined) == 1


def test_every_answer_counts_up_the_version_however_many_come_at_once(store):
    fill_class(store)
    before = store.classes.get("class1").version
    with ThreadPoolExecutor(4) as threads:
        versions = list(threads.map(lambda _: store.classes.touch("class1"), range(20)))
    assert sorted(versions) == [before + each for each in range(1, 21)]
    stale = replace(store.classes.get("class1"), version=before, closed=True)
    assert store.classes.put(stale) is None


def test_only_the_pupils_own_page_counts_as_being_there(store):
    pupil = fill_class(store)
    before = store.class_presence.find("class1")
    assert store.class_presence.note([Sighting(pupil.id, ANN, "far", 1.0, 0.0)]) == set()
    assert store.class_presence.find("class1") == before
