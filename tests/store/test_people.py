"""All that is stored of a person: found by who they are, carried along, and gone when deleted."""

import threading
import time
from dataclasses import replace

import pytest

from parlour.store import Result, Sighting
from parlour.store.models import Person, Seat, Setup, StoredStudy, Table, Talk, Tournament, Training
from parlour.store.people import Deletion, hash_owner
from parlour.store.store import open_store
from tests.store.conftest import found_in_files

ANN, BOB = "browser:" + "a1" * 16, "browser:" + "b2" * 16
BROWSER = ANN.removeprefix("browser:")


def seated(name, *owners, **more):
    """A table of Nim with a person in each seat, whose names begin like their owners."""
    names = {ANN: "Annabelle", BOB: "Bobolink"}
    seats = [
        Seat("person", names[o], owner=o) if o else Seat("bot", "Rex", "random") for o in owners
    ]
    return Table(id=name, game="nim", seats=tuple(seats), **more)


@pytest.fixture
def full(store):
    """A store that knows Ann in every way, and a game of hers with Bob."""
    store.tables.add(
        seated("shared", ANN, BOB, moves=("1 from 1",), creator=ANN, setup=f"nim {BROWSER}")
    )
    store.tables.add(seated("alone", ANN, "", creator=ANN))
    store.tables.add(seated("others", BOB, ""))
    store.tables.add(Table(id="bots", game="nim", seats=(Seat("bot", bot="x"),), creator=ANN))
    store.setups.add(
        Setup(
            id=f"nim {BROWSER}",
            owner=ANN,
            game="nim",
            seats=(Seat("person", "Annabelle", owner=ANN),),
        )
    )
    store.talks.add(Talk(id=BROWSER, lines=(("you", "my secret is a heron"),)))
    study = {"title": "Annabelle's lines", "nodes": ({"comment": "Ask Annabelle."},)}
    store.studies.add(StoredStudy(id="lines", owner=ANN, game="nim", **study))
    store.trainings.add(Training(id="class", owner=ANN, name="Annabelle's", game="nim"))
    store.tournaments.add(Tournament(id="cup", owner=ANN, name="Annabelle's cup"))
    store.people.add(Person(id=ANN, name="Annabelle", rated=True))
    store.results.insert(Result("shared", "nim", ANN, BOB, 1.0, time.time()))
    store.presence.note([Sighting("shared", ANN, "here", time.time(), 0.0)])
    store.codes.add("code", ANN, time.time() + 60)
    store.waiting.pair(ANN, "nim", "Annabelle", "", time.time(), 0.0)
    return store


# Seats


def test_the_games_of_a_person_are_found_and_no_others(store):
    store.tables.add(seated("both", ANN, BOB))
    store.tables.add(seated("twice", ANN, ANN, result=(1, -1)))
    store.tables.add_all([seated("his", BOB, ""), seated("hers", ANN, "", result=(1, -1))])
    names = lambda **more: {table.id for table in store.tables.find_of(ANN, **more)}  # noqa: E731
    assert names() == {"both", "twice", "hers"}
    assert names(over=True) == {"twice", "hers"}
    assert names(over=False) == {"both"}
    assert (store.tables.count_of(ANN, over=True), store.tables.count_of(BOB, over=False)) == (2, 2)
    first, second = (store.tables.find_of(ANN, limit=1, offset=at)[0] for at in (0, 1))
    assert first.changed >= second.changed


def test_a_seat_that_is_taken_is_found_with_the_table_or_not_at_all(store):
    table = store.tables.add(seated("x", ANN, ""))
    taken = replace(table, seats=(table.seats[0], Seat("person", "Bob", owner=BOB)))

    def fail():
        with store.transaction():
            store.tables.put(taken, reseated=True)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert store.tables.find_of(BOB) == []
    assert store.tables.put(taken, reseated=True)
    assert [each.id for each in store.tables.find_of(BOB)] == ["x"]
    assert store.tables.put(taken, reseated=True) is None, "it has changed since"
    store.tables.remove("x")
    assert store.tables.find_of(ANN) == []


# Deleting


def test_a_persons_own_data_is_deleted_and_a_shared_game_stays_without_them(full):
    assert full.deletions.delete(ANN) == ["shared"]
    assert {table.id for table in full.tables.find()} == {"shared", "others"}
    shared = full.tables.get("shared")
    assert shared.seats == (Seat("person"), Seat("person", "Bobolink", owner=BOB))
    assert (shared.moves, shared.creator, shared.setup) == (("1 from 1",), "", "")
    assert [table.id for table in full.tables.find_of(ANN)] == []
    assert {table.id for table in full.tables.find_of(BOB)} == {"shared", "others"}
    shelves = (full.studies, full.setups, full.talks, full.trainings, full.tournaments, full.people)
    assert not any(shelf.find() for shelf in shelves)
    assert full.results.find(game="nim") == []
    assert full.presence.find("shared") == []
    assert full.codes.find("code", 0) == ""
    assert full.waiting.get(ANN) is None


def test_a_game_whose_last_person_goes_is_deleted(full):
    full.deletions.delete(ANN)
    full.deletions.delete(BOB)
    assert full.tables.find() == []


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_no_byte_of_a_deleted_person_is_left_in_the_file(full, url):
    words = ("Annabelle", "a1" * 16, "heron", "Bobolink")
    for number in range(300):  # so that rows move between pages
        full.tables.add(
            seated(f"more{number:03}", ANN, "", creator=ANN, reason="x" * (number * 7 % 400))
        )
    assert len(found_in_files(url, *words)) == 4
    full.deletions.delete(ANN)
    assert full.deletions.erase()
    assert found_in_files(url, *words) == {"Bobolink"}


def test_a_deletion_keeps_a_hash_and_a_time_and_is_applied_to_a_restored_backup(full, tmp_path):
    before = time.time()
    full.deletions.delete(ANN)
    full.deletions.delete("")
    [(hashed, at, _)] = full.deletions.list()
    assert hashed == hash_owner(ANN)
    assert BROWSER not in hashed
    assert before <= at <= time.time()
    restored = open_store(f"sqlite:///{tmp_path}/restored.sqlite")
    restored.tables.add(seated("shared", ANN, BOB))
    restored.talks.add(Talk(id=BROWSER, lines=(("you", "heron"),)))
    restored.setups.add(Setup(id="bobs", owner=BOB, game="nim"))
    later = Deletion(hashed, time.time() + 1)
    for known in (1, 0):
        assert restored.deletions.apply([later, Deletion("f" * 64, before)]) == known
    assert restored.tables.get("shared").seats[0] == Seat("person")
    assert restored.talks.find() == []
    assert restored.setups.find()
    assert later in restored.deletions.list()
    restored.tables.add(seated("new", ANN, ""))
    restored.deletions.apply([Deletion(hashed, before)])
    assert restored.tables.get("new"), "what is newer than the deletion was not deleted"
    restored.close()


# Another device


def test_the_data_of_another_browser_becomes_the_persons(full):
    full.deletions.adopt(ANN, BOB)
    assert {table.id for table in full.tables.find_of(BOB)} == {"shared", "alone", "others"}
    assert full.tables.find_of(ANN) == []
    assert {seat.owner for seat in full.tables.get("shared").seats} == {BOB}
    assert full.tables.get("bots").creator == BOB
    assert full.studies.get("lines").owner == BOB
    assert full.trainings.get("class").owner == full.tournaments.get("cup").owner == BOB
    assert full.people.get(BOB).name == "Annabelle"
    assert full.results.find(game="nim") == [], "no person is rated against themselves"


def test_a_code_works_once_and_in_time(store):
    now = time.time()
    store.codes.add("abc", ANN, now + 10)
    assert store.codes.find("abc", now) == ANN
    assert store.codes.use("abd", now) == ""
    assert store.codes.use("abc", now + 11) == ""
    assert [store.codes.use("abc", now) for _ in range(2)] == [ANN, ""]
    store.codes.add("one", ANN, now + 10)
    store.codes.add("two", ANN, now + 10)
    assert store.codes.find("one", now) == "", "only the newest works"


# Waiting


def test_two_who_wait_for_the_same_game_are_paired_and_none_with_themselves(store):
    pair, now = store.waiting.pair, time.time()
    assert pair(ANN, "nim", "Ann", "t1", now, now - 20) is None
    assert pair(ANN, "nim", "Ann", "t2", now, now - 20) is None
    assert pair("browser:c", "othello", "Cid", "t3", now, now - 20) is None
    assert store.waiting.counts(now - 20) == {"nim": 1, "othello": 1}
    assert pair(BOB, "nim", "Bob", "t4", now, now - 20)[:4] == (ANN, "nim", "Ann", "t4")
    assert store.waiting.get(ANN).table == "t4"
    assert store.waiting.get(BOB) is None
    assert pair("browser:d", "nim", "Dot", "t5", now, now - 20) is None, "Ann is taken"


@pytest.mark.slow
def test_a_person_not_seen_for_long_is_not_paired(store):
    now = time.time()
    store.waiting.pair(ANN, "nim", "Ann", "t1", now, now - 20)
    assert store.waiting.pair(BOB, "nim", "Bob", "t2", now + 30, now + 10) is None
    assert store.waiting.pair("browser:c", "nim", "Cid", "t3", now + 32, now + 12).owner == BOB
    store.waiting.see([ANN], now + 31)
    assert store.waiting.pair("browser:d", "nim", "Dot", "t4", now + 32, now + 12).owner == ANN
    assert store.waiting.prune(now + 30.5) == 1


def test_each_of_many_who_ask_at_once_on_several_servers_is_paired_once(url):
    stores = [open_store(url) for _ in range(4)]
    paired, waiting, lock = [], [], threading.Lock()
    start = threading.Barrier(16)

    def ask(number):
        start.wait()
        now = time.time()
        owner = f"browser:{number}"
        partner = stores[number % 4].waiting.pair(owner, "nim", "", f"t{number}", now, now - 60)
        with lock:
            if partner is None:
                waiting.append(owner)
            else:
                paired.append((owner, partner.owner, partner.table))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(paired) == 8
    assert {each for one, other, _ in paired for each in (one, other)} == {
        f"browser:{number}" for number in range(16)
    }
    assert sorted(waiting) == sorted(other for _, other, _ in paired)
    for _, other, table in paired:
        assert stores[0].waiting.get(other).table == table
    for each in stores:
        each.close()


def test_a_row_stored_while_its_owner_deletes_their_data_goes_with_them(store):
    """The deletion waits; without that it would miss a row that is not yet committed."""
    deletion = threading.Thread(target=store.deletions.delete, args=(ANN,))
    with store.deletions.postponed(ANN, time.time()) as is_there:
        assert is_there
        deletion.start()
        store.people.add(Person(id=ANN, name="Annabelle"))
        deletion.join(0.3)  # as long as it would take if it did not wait
    deletion.join()
    assert store.people.get(ANN) is None


def test_nothing_on_its_way_is_stored_of_a_person_who_is_gone(store):
    before = time.time()
    store.deletions.delete(ANN)
    for owner, since, expected in (
        (ANN, before, False),
        (ANN, time.time() + 1, True),  # who came back
        (BOB, before, True),
    ):
        with store.deletions.postponed(owner, since) as is_there:
            assert is_there is expected
