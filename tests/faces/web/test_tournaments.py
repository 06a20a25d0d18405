"""Tournaments of bots on the web: who meets whom, live, stopped, gone on with, nobody else's."""

import re

import pytest

from parlour.core.record import Record
from tests.faces.web.house import house, opened, wait_until  # noqa: F401


@pytest.fixture
def guest(house):  # noqa: F811
    return house.browser()


def begin(guest, **form):
    told = {"game": "tictactoe", "bot": ["perfect", "random"], "rounds": 2, **form}
    answer = guest.post("/tournaments", told)
    assert answer.status == 303, answer.said
    return answer.headers["location"].rpartition("/")[2]


def over(house, name):  # noqa: F811
    return wait_until(lambda: house.store.tournaments.get(name).state == "done", 60)


def test_every_two_meet_in_both_seatings_and_every_game_can_be_looked_at(house, guest):  # noqa: F811
    name = begin(guest, more="minimax depth=2\nrandom seed=7")
    over(house, name)
    tournament = house.store.tournaments.get(name)
    assert tournament.bots == ("perfect", "random", "minimax depth=2", "random seed=7")
    met = sorted(each.seats for each in house.store.pairings.find(tournament=name))
    assert met == sorted([(a, b) for a in range(4) for b in range(4) if a != b] * 2)
    shown = guest.get(f"/tournaments/{name}").text
    assert "24 of 24" in shown
    links = re.findall(r'href="(/tables/\w+)"', shown)
    assert len(links) == 24
    assert guest.get(links[0]).status == 200


def test_the_perfect_bot_loses_no_game(house, guest):  # noqa: F811
    name = begin(guest, rounds=5)
    over(house, name)
    for each in house.store.pairings.find(tournament=name):
        result = Record.from_json(each.record).result
        assert result[each.seats.index(0)] >= 0


def test_a_page_sees_the_table_fill(house, guest):  # noqa: F811
    name = begin(guest, rounds=40)
    with guest.live(f"tournament:{name}") as page:
        played = {int(re.search(r"(\d+) of 80", page.recv(20))[1]) for _ in range(5)}
    assert len(played) == 5
    guest.post(f"/tournaments/{name}/stop")


def test_it_can_be_stopped_and_go_on_by_its_owner_alone(house, guest):  # noqa: F811
    name = begin(guest, rounds=150)
    other = house.browser()
    refused = other.post(f"/tournaments/{name}/stop")
    assert refused.status == 403
    assert guest.post(f"/tournaments/{name}/stop").status == 303
    assert house.store.tournaments.get(name).state == "paused"
    assert 'id="go-on"' in guest.get(f"/tournaments/{name}").text
    assert 'id="go-on"' not in other.get(f"/tournaments/{name}").text
    done = len(house.store.pairings.find(tournament=name, state="done"))
    assert done < 300
    guest.post(f"/tournaments/{name}/go-on")
    over(house, name)
    assert len(house.store.pairings.find(tournament=name, state="done")) == 300


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"bot": ["perfect"]}, "two bots at least"),
        ({"bot": ["perfect", "nobody"]}, "choose a bot from the list"),
        ({"rounds": 100_000}, "2,000 are the most"),
        ({"columns": "99"}, "from 1 to 20"),
        ({"more": "minimax depth=x"}, "Depth cannot be"),
        ({"bot": ["perfect", "/etc/passwd.py"]}, "choose a bot from the list"),
    ],
)
def test_what_cannot_be_is_refused_and_what_was_typed_stays(guest, form, says):
    told = {"game": "tictactoe", "bot": ["perfect", "random"], "rounds": 2, "name": "Cup", **form}
    refused = guest.post("/tournaments", told)
    assert refused.status == 422
    assert says in refused.said
    assert 'value="Cup"' in refused.text


def test_a_new_server_goes_on_with_what_an_old_one_left(tmp_path):
    database = f"sqlite:///{tmp_path}/parlour.sqlite"
    with opened(database) as house:  # noqa: F811
        name = begin(house.browser(), rounds=200)
        wait_until(lambda: house.store.pairings.find(tournament=name, state="done"))
    with opened(database) as house:
        left = house.store.pairings.find(tournament=name, state="waiting")
        assert left
        wait_until(lambda: len(house.store.pairings.find(tournament=name, state="done")) == 400, 60)
        records = [each.table for each in house.store.pairings.find(tournament=name)]
        assert len(set(records)) == 400
