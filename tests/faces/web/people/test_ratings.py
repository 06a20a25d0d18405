"""Ratings: only for those who wish, from games that both agreed to, by the arena's own method."""

import re
import time

import pytest

from parlour.arena import Meeting, rate
from parlour.faces.web import people
from parlour.store import Result
from parlour.store.models import Person, Seat, Table
from parlour.store.store import open_store
from tests.faces.web.house import opened_in


@pytest.fixture
def house(tmp_path, monkeypatch):
    """A house of the test's own, where lists are always made anew."""
    monkeypatch.setattr(people, "FRESH", 0.0)
    with opened_in(tmp_path) as found:
        yield found


def joined(house, *names):
    guests = [house.browser() for _ in names]
    for guest, name in zip(guests, names, strict=True):
        assert guest.post("/you/settings", {"name": name, "rated": "yes"}).status == 303
    return guests


def paired(one, other):
    one.post("/pair", {"game": "tictactoe"})
    return other.post("/pair", {"game": "tictactoe"}).headers["location"]


def test_only_games_of_two_who_joined_are_rated(house):
    refused = house.browser().post("/you/settings", {"rated": "yes"})
    assert (refused.status, refused.said[:17]) == (422, "Type a name first")
    ann, bob = joined(house, "Ann", "Bob")
    eve = house.browser()
    table = paired(ann, eve)
    assert not house.read(table.rpartition("/")[2]).rated
    table = paired(ann, bob)
    assert house.read(table.rpartition("/")[2]).rated
    bob.post(f"{table}/resign")
    page = eve.get("/ratings?game=tictactoe").text
    assert re.findall(r"<tr><td>(\w+)", page) == ["Ann", "Bob"]
    assert "Ann" not in eve.get("/ratings?game=nim").text
    assert len(house.store.results.find(owner=ann.owner)) == 1
    bob.post("/you/settings", {"name": "Bob"})  # who leaves takes the games along
    assert house.store.results.find(owner=ann.owner) == []
    assert "Nobody is rated in this game yet" in ann.get("/ratings?game=tictactoe").text
    ann.post("/you/delete", {"sure": "yes"})
    assert house.store.people.get(ann.owner) is None


def test_friends_agree_to_rate_a_game_before_it_begins(house):
    ann, bob = joined(house, "Ann", "Bob")
    eve = house.browser()
    table = ann.post("/friend", {"game": "tictactoe"}).headers["location"]
    bob.post(f"{table}/sit", {"seat": 1, "name": "Bob"})
    ann.post(f"{table}/rate")
    assert not house.read(table.rpartition("/")[2]).rated
    assert "wants this game to be rated." in bob.get(table).text
    bob.post(f"{table}/rate")
    assert house.read(table.rpartition("/")[2]).rated
    other = ann.post("/friend", {"game": "tictactoe"}).headers["location"]
    eve.post(f"{other}/sit", {"seat": 1, "name": "Eve"})
    refused = ann.send(f"{other}/rate")
    assert (refused.status, refused.said[:31]) == (409, "Eve takes no part in the rating")


def test_a_rating_is_that_of_the_arena_with_its_uncertainty(tmp_path):
    """Three people whose games are handed to the arena as well."""
    store = open_store(f"sqlite:///{tmp_path}/ratings.sqlite")
    owners = ["browser:a", "browser:b", "browser:c"]
    for owner in owners:
        store.people.add(Person(id=owner, name=owner[-1], rated=True))
    games = [(0, 1, 1.0), (0, 1, 1.0), (1, 2, 0.5), (0, 2, 1.0), (2, 1, 0.0)]
    for number, (one, other, points) in enumerate(games):
        store.tables.add(Table(id=f"t{number}", game="nim", seats=(Seat("person"),) * 2))
        store.results.insert(
            Result(f"t{number}", "nim", owners[one], owners[other], points, time.time())
        )
    found = {each.owner: each for each in people.rate_people(store, "nim")}
    expected = rate(3, [Meeting(*game, games=1) for game in games])
    for owner, each in zip(owners, expected, strict=True):
        assert found[owner].rating == pytest.approx(1500 + each.elo)
        assert (found[owner].low, found[owner].high) == pytest.approx(
            (1500 + each.low, 1500 + each.high)
        )
        assert found[owner].games == each.games
    assert max(found.values(), key=lambda each: each.rating).name == "a"
    store.close()
