"""The house's games are counted once each, without names, and no longer than they are there."""

from dataclasses import replace

import pytest

from parlour.core import registry
from parlour.faces.house_games import HouseGames
from parlour.lessons import OutcomeTally
from parlour.store import Seat, Table, open_store

GAME = registry.game("sticks", sticks=10)
PERSON, BOT = Seat("person", "Ann", owner="browser:a"), Seat("bot", "Perfect", bot="perfect")
MOVES = ("1", "1", "3", "1", "3")  # 10, 9, 8, 5, 4, 1


@pytest.fixture
def store(tmp_path):
    store = open_store(f"sqlite:///{tmp_path / 'house.sqlite'}")
    yield store
    store.close()


def finish(store, name, seats, moves=MOVES, result=(1, -1)):
    return store.tables.add(
        Table(
            id=name,
            game="sticks",
            options={"sticks": 10, "take": 3},
            seats=seats,
            moves=moves,
            result=result,
        )
    )


def chosen(house, state=None):
    found = house.find(GAME, GAME.start() if state is None else state)
    return {GAME.write_move(move): tally for move, tally in found.items()}


def test_games_with_a_person_count_and_games_of_bots_alone_do_not(store):
    finish(store, "a", (PERSON, BOT))
    finish(store, "b", (BOT, PERSON), ("2", *MOVES[1:]), (-1, 1))
    finish(store, "c", (BOT, BOT))
    house = HouseGames(store)
    assert house.catch_up() is False
    assert chosen(house) == {"1": OutcomeTally(wins=1, people=1), "2": OutcomeTally(losses=1)}


def test_two_servers_that_read_the_same_games_count_them_once(store):
    for number in range(5):
        finish(store, f"t{number}", (PERSON, BOT))
    one, other = HouseGames(store), HouseGames(store)
    assert one.catch_up(limit=3) is True
    other.catch_up()
    one.catch_up()
    assert chosen(one) == chosen(other) == {"1": OutcomeTally(wins=5, people=5)}


def test_a_move_taken_back_after_the_end_is_counted_as_it_was_played_at_last(store):
    table = finish(store, "a", (PERSON, BOT))
    house = HouseGames(store)
    house.catch_up()
    on = store.tables.put(replace(table, moves=(), result=None))
    house.catch_up()
    assert chosen(house) == {}
    store.tables.put(replace(on, moves=("3", "1", "2", "3"), result=(-1, 1)))
    house.catch_up()
    assert chosen(house) == {"3": OutcomeTally(losses=1, people=1)}


def test_what_is_deleted_is_counted_no_longer(store):
    finish(store, "a", (PERSON, BOT))
    house = HouseGames(store)
    house.catch_up()
    store.deletions.delete("browser:a")
    assert chosen(house) == {}


def test_a_game_that_is_not_installed_any_more_is_passed_over(store):
    store.tables.add(Table(id="x", game="ludo", seats=(PERSON,), moves=("1",), result=(1,)))
    house = HouseGames(store)
    assert house.catch_up() is False
    assert store.choices.list_unread(0.0, 5) == []
