"""The contract of the repositories, on SQLite and on PostgreSQL.

What is stored can be read back, whole; of two who change a model at once, one finds out.
"""

import dataclasses
import threading
import time

import hypothesis
import pytest
from hypothesis import strategies as st

from parlour.core import say
from parlour.core.errors import BadText, NameTaken, UnknownName
from parlour.store import repository
from parlour.store.models import (
    Challenge,
    Feed,
    Pairing,
    Person,
    Seat,
    Setup,
    StoredPuzzle,
    StoredStudy,
    Table,
    Talk,
    Tournament,
    Training,
)
from parlour.store.repository import Conflict
from tests.store.conftest import BOTH

pytestmark = BOTH
THREADS, ROUNDS = 8, 20

texts = st.text(st.characters(exclude_categories=()), max_size=8)  # NUL and lone surrogates too
plain = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=8)
whole = st.integers(min_value=-(2**70), max_value=2**70)
numbers = st.floats(allow_nan=False)
values = st.recursive(
    st.none() | st.booleans() | whole | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
options = st.dictionaries(texts, values, max_size=3)


def several(items):
    return st.lists(items, max_size=4).map(tuple)


seats = several(st.builds(Seat, kind=texts, name=texts, bot=texts, owner=plain))
clocks = st.none() | st.tuples(numbers, numbers)
OF_FIELDS = {
    Table: {
        "options": options,
        "seats": seats,
        "moves": several(texts),
        "seconds": several(numbers),
        "result": st.none() | several(st.integers(-1, 1)),
        "clock": clocks,
        "agreed": whole,
        "agreeing": several(whole),
        "asked": several(whole),
        "creator": plain,
        "days": whole,
    },
    Setup: {"owner": plain, "options": options, "seats": seats, "clock": clocks, "days": whole},
    Talk: {"lines": several(st.tuples(texts, texts)), "choices": several(texts)},
    Training: {
        "owner": plain,
        "state": plain,
        "options": options,
        "settings": options,
        "target": whole,
    },
    Tournament: {
        "owner": plain,
        "state": plain,
        "games": several(options),
        "bots": several(texts),
        "names": several(texts),
        "rounds": whole,
    },
    Pairing: {
        "state": plain,
        "seats": several(whole),
        "points": several(numbers),
        "number": whole,
        "game": whole,
    },
    Challenge: {
        "challenger": plain,
        "opponent": plain,
        "state": plain,
        "options": options,
        "clock": clocks,
        "days": whole,
        "seat": st.none() | whole,
    },
    Feed: {"owner": plain},
    StoredStudy: {"owner": plain, "options": options, "nodes": several(options)},
    StoredPuzzle: {
        "game": plain,
        "options": options,
        "level": whole,
        "results": several(st.tuples(numbers, st.booleans())),
    },
}
SIMPLE = {"str": texts, "float": numbers, "bool": st.booleans()}


def models(kind):
    """Any model of a kind at all."""
    given = OF_FIELDS[kind]
    drawn = {
        field.name: given[field.name] if field.name in given else SIMPLE[field.type]
        for field in dataclasses.fields(kind)
        if field.name not in {"id", "version", "changed", "tournament"}
    }
    return st.fixed_dictionaries(drawn)


def repository_of(store, kind):
    named = {Person: "people", StoredPuzzle: "puzzles", StoredStudy: "studies"}
    return getattr(store, named.get(kind, kind.__name__.lower() + "s"))


def table(store, **more):
    return Table(id=store.new_id(), game="nim", **more)


# One model after another


@pytest.mark.parametrize("kind", OF_FIELDS, ids=lambda kind: kind.__name__)
@hypothesis.settings(
    max_examples=hypothesis.settings().max_examples // 10,  # each is stored twice
    suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture],  # ids tell them apart
)
@hypothesis.given(data=st.data())
@pytest.mark.slow
def test_any_model_comes_back_as_it_was(store, kind, data):
    fields = data.draw(models(kind))
    if kind is Pairing:
        cup = store.tournaments.add(Tournament(id=store.new_id(), owner="", name=""))
        fields["tournament"] = cup.id
    stored_models = repository_of(store, kind)
    added = stored_models.add(kind(id=store.new_id(), **fields))
    assert stored_models.get(added.id) == added
    other = kind(id=added.id, **fields | data.draw(models(kind)))
    stored = stored_models.put(other)
    assert dataclasses.replace(stored, version=0, changed=0.0) == other
    assert stored_models.get(added.id) == stored
    assert stored in stored_models.find(changed_since=stored.changed)


def test_lists_come_back_as_tuples_however_deep(store):
    seats = [Seat("person", "Ann"), {"kind": "bot", "bot": "perfect"}]
    made = table(store, options={"endings": [[1, 2], [3]]}, seats=seats, moves=["1 2"])
    assert made.options == {"endings": ((1, 2), (3,))}
    assert made.seats == (Seat("person", "Ann"), Seat("bot", bot="perfect"))
    assert made.moves == ("1 2",)
    assert store.tables.add(made) == store.tables.get(made.id)


def test_a_text_keeps_what_it_was_made_of(store):
    reason = say("{name} left the game", name=say("player {seat}", seat=2))
    stored = store.tables.add(table(store, reason=reason))
    found = store.tables.get(stored.id)
    assert (found, found.reason.values["name"].values) == (stored, {"seat": 2})


def test_a_text_inside_a_field_keeps_what_it_was_made_of(store):
    proof = say("{mover} wins", mover=say("player {seat}", seat=2))
    study = store.studies.add(
        StoredStudy(id="s", owner="o", game="nim", nodes=({"proof": [proof]},))
    )
    [found] = store.studies.get(study.id).nodes[0]["proof"]
    assert (found, found.template) == ("player 2 wins", proof.template)
    assert found.values["mover"].values == {"seat": 2}


def test_every_put_is_the_next_version_and_knows_its_time(store):
    before = time.time()
    stored = store.tables.add(table(store))
    assert (stored.version, before <= stored.changed <= time.time()) == (0, True)
    again = store.tables.put(dataclasses.replace(stored, moves=("1 1",)))
    assert (again.version, again.moves) == (1, ("1 1",))
    assert again.changed >= stored.changed


def test_an_old_version_is_not_put_and_changes_nothing(store):
    first = store.tables.add(table(store))
    second = store.tables.put(dataclasses.replace(first, moves=("1 1",)), announce="table:x")
    for announce in ("", "table:x"):
        assert (
            store.tables.put(dataclasses.replace(first, moves=("2 2",)), announce=announce) is None
        )
    assert store.tables.get(first.id) == second


def test_a_removed_table_is_not_put_back_by_a_change(store):
    stored = store.tables.add(table(store))
    store.tables.remove(stored.id)
    store.tables.remove(stored.id)
    assert store.tables.get(stored.id) is None
    assert store.tables.put(stored) is None


def test_an_id_is_given_once(store):
    stored = store.tables.add(table(store))
    with pytest.raises(NameTaken, match=f"there is already a table '{stored.id}'"):
        store.tables.add(dataclasses.replace(stored, game="sticks"))
    assert store.tables.get(stored.id) == stored


def test_several_are_added_all_or_none(store):
    cup = store.tournaments.add(Tournament(id="cup", owner="me", name="Cup")).id
    games = [Pairing(id=f"{n}", tournament=cup, number=n) for n in range(50)]
    added = store.pairings.add_all(games[:20])
    assert set(added) == set(store.pairings.find(tournament=cup))
    assert [pairing.number for pairing in added] == list(range(20))
    with pytest.raises(NameTaken, match="pairing '19'"):
        store.pairings.add_all(games[19:])
    with pytest.raises(NameTaken, match="the same id"):
        store.pairings.add_all([games[30], games[30]])
    assert len(store.pairings.find(tournament=cup)) == 20
    assert store.pairings.add_all([]) == []


def test_pairings_belong_to_a_tournament_and_go_with_it(store):
    with pytest.raises(UnknownName, match="belongs to something that does not exist"):
        store.pairings.add(Pairing(id="p", tournament="cup", number=1))
    store.tournaments.add(Tournament(id="cup", owner="me", name="Cup"))
    store.pairings.add(Pairing(id="p", tournament="cup", number=1))
    store.tournaments.remove("cup")
    assert store.pairings.get("p") is None


@pytest.mark.parametrize("text", ["a\0b", "a\ud800b"])
def test_text_no_column_can_hold_is_refused_as_a_name_and_found_nowhere(store, text):
    with pytest.raises(BadText, match="cannot be stored as id"):
        store.tables.add(Table(id=text, game="nim"))
    with pytest.raises(BadText, match="cannot be stored as owner"):
        store.setups.add(Setup(id="x", owner=text, game="nim"))
    assert store.tables.get(text) is None
    assert store.setups.find(owner=text) == []
    store.tables.remove(text)


# Looking for models


def test_the_lobby_finds_open_tables_newest_first(store):
    stored = [
        store.tables.add(table(store, listed=listed, result=result))
        for listed in (True, False)
        for result in (None, (1, -1))
        for _ in range(3)
    ]
    newest_first = stored[2::-1]
    assert store.tables.find(listed=True, over=False) == newest_first
    assert store.tables.find(listed=True, over=False, limit=2) == newest_first[:2]
    moved = store.tables.put(dataclasses.replace(stored[0], moves=("1 1",)))
    assert store.tables.find(listed=True, over=False, limit=1) == [moved]
    ended = store.tables.put(dataclasses.replace(moved, result=(1, -1)))
    assert ended in store.tables.find(over=True)
    assert ended not in store.tables.find(over=False)
    assert len(store.tables.find()) == 12
    assert store.tables.find(changed_since=ended.changed) == [ended]


def test_things_are_found_by_owner_state_and_tournament(store):
    for number, (owner, state) in enumerate([("ann", "on"), ("ann", "done"), ("bob", "on")]):
        more = {"owner": owner, "state": state, "name": "x"}
        store.trainings.add(Training(id=f"{number}", game="nim", **more))
        store.tournaments.add(Tournament(id=f"{number}", **more))
        store.pairings.add(Pairing(id=f"{number}", tournament=f"{number}", number=1, state=state))
        store.setups.add(Setup(id=f"{number}", owner=owner, game="nim"))

    def ids(models, **equals):
        return {model.id for model in models.find(**equals)}

    assert ids(store.trainings, owner="ann") == ids(store.tournaments, owner="ann") == {"0", "1"}
    assert ids(store.setups, owner="bob") == {"2"}
    assert ids(store.trainings, state="on") == ids(store.tournaments, state="on") == {"0", "2"}
    assert ids(store.trainings, owner="ann", state="on") == {"0"}
    assert ids(store.pairings, state="done") == ids(store.pairings, tournament="1") == {"1"}
    newest = store.trainings.get("2").changed
    assert store.trainings.count(changed_since=0.0) == 3
    assert store.trainings.count(changed_since=newest) == 1
    assert store.trainings.count(changed_since=newest, owner="ann") == 0


def test_old_things_are_pruned_and_younger_ones_stay(store):
    old, young = store.talks.add(Talk(id="old")), store.talks.add(Talk(id="young"))
    assert store.talks.prune(old.changed) == 0
    assert store.talks.prune(young.changed) == 1
    assert store.talks.get(old.id) is None
    assert store.talks.get(young.id) == young


def test_only_old_things_of_a_kind_are_pruned_however_many(store, monkeypatch):
    monkeypatch.setattr(repository, "PRUNE_SIZE", 3)
    for number in range(10):
        store.tables.add(Table(id=f"unbegun {number}", game="nim"))
    kept = {
        store.tables.add(Table(id="begun", game="nim", moves=("1 1",))).id,
        store.tables.add(Table(id="over", game="nim", result=(1, -1))).id,
    }
    assert store.tables.prune(time.time() + 1, over=False, played=False) == 10
    assert {each.id for each in store.tables.find()} == kept
    assert store.tables.prune(time.time() + 1, over=False) == 1
    assert [each.id for each in store.tables.find()] == ["over"]


def test_tables_are_found_by_their_creator_and_by_whether_bots_play(store):
    for name, creator, kind, result in (
        ("a", "ann", "bot", None),
        ("b", "ann", "person", None),
        ("c", "bob", "bot", None),
        ("d", "ann", "bot", (1, -1)),
    ):
        seats = (Seat(kind), Seat("open"))
        store.tables.add(Table(id=name, game="nim", creator=creator, seats=seats, result=result))

    def ids(**equals):
        return {table.id for table in store.tables.find(**equals)}

    assert ids(creator="ann") == {"a", "b", "d"}
    assert ids(creator="ann", bots=True, over=False) == {"a"}
    assert ids(bots=False) == {"b"}


# Several at once


def test_exactly_one_of_eight_changes_of_a_table_at_once_is_stored(store):
    stored = store.tables.add(table(store))
    barrier = threading.Barrier(THREADS)
    wins, errors = [], []

    def play(number):
        try:
            for _ in range(ROUNDS):
                mine = store.tables.get(stored.id)
                barrier.wait()
                moved = dataclasses.replace(mine, moves=(*mine.moves, f"{number}"))
                if (won := store.tables.put(moved, announce="table:x")) is not None:
                    wins.append((won.version, f"{number}"))
                barrier.wait()
        except BaseException as error:
            barrier.abort()
            errors.append(error)
            raise

    threads = [threading.Thread(target=play, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert sorted(version for version, _ in wins) == list(range(1, ROUNDS + 1))
    assert store.tables.get(stored.id).moves == tuple(name for _, name in sorted(wins))


def test_a_change_starts_over_when_another_was_quicker(store):
    stored, seen = store.tables.add(table(store)), []

    def play(now):
        if not seen:
            store.tables.put(dataclasses.replace(now, moves=("quicker",)))
        seen.append(now.moves)
        return dataclasses.replace(now, moves=(*now.moves, "mine"))

    assert store.tables.update(stored.id, play).moves == ("quicker", "mine")
    assert seen == [(), ("quicker",)]


def test_a_change_that_others_always_precede_is_given_up(store):
    stored = store.tables.add(table(store))

    def play(now):
        store.tables.put(dataclasses.replace(now, moves=(*now.moves, "quicker")))
        return dataclasses.replace(now, moves=("mine",))

    with pytest.raises(Conflict, match="another window"):
        store.tables.update(stored.id, play)
    assert set(store.tables.get(stored.id).moves) == {"quicker"}


def test_only_what_is_there_and_becomes_different_is_stored(store):
    stored, first = store.tables.add(table(store)), Person(id="ann")
    assert store.tables.update(stored.id, lambda _: None) == stored
    assert store.tables.update(stored.id, dataclasses.replace) == stored
    assert store.tables.update("gone", dataclasses.replace) is None
    assert store.people.update("ann", lambda _: None, default=first) is None
    added = store.people.update("ann", lambda new: new, default=first)
    assert store.people.get("ann") == added


def test_secrets_are_drawn_once_for_each_name(store):
    cookies = store.secret("cookies")
    assert len(cookies) == 32
    assert store.secret("cookies") == cookies
    assert store.secret("tokens") != cookies


def test_ids_are_ten_letters_that_cannot_be_mistaken(store):
    ids = {store.new_id() for _ in range(1000)}
    assert len(ids) == 1000
    assert {len(name) for name in ids} == {10}
    letters = set("".join(ids))
    assert len(letters) >= 20
    assert not letters & set("01oil")
    assert all(letter.isascii() and not letter.isupper() for letter in letters)
