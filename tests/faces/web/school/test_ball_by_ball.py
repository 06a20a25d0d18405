"""A class watched ball by ball learns what it would have learned; boxes are pressed and printed."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest

import parlour
from parlour.faces.web.school import service as schooling
from parlour.learn import storage
from tests.faces.web.house import Guest, OpenHouse, wait_until


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch):
    monkeypatch.setattr(schooling, "PACE", 0.0)
    monkeypatch.setattr(schooling, "SLOW_PACE", 0.0)


def train_at_once(game, games, **settings):
    """The balls that `parlour train` leaves."""
    held = parlour.hats(parlour.game(game), **settings)
    parlour.train(held, games)
    return [list(row) for row in held.balls]


def begin(guest: Guest, **form) -> str:
    answer = guest.post("/school", {"game": "sticks", "games": 0, "seed": 3, **form})
    assert answer.status == 303, answer.said
    return answer.headers["location"].removeprefix("/school/")


def read_balls(house: OpenHouse, name: str):
    training = house.store.trainings.get(name)
    return [list(row) for row in storage.from_json(training.hats).balls]


def count_games(house: OpenHouse, name: str) -> int:
    return house.store.trainings.get(name).settings["games"]


def test_games_drawn_ball_by_ball_are_those_of_training(house):
    guest = house.browser()
    name = begin(guest)
    for drawn in (1, 2):
        assert guest.post(f"/school/{name}/draw").status == 303
        page = guest.get(f"/school/{name}").text
        assert page.count("opens hat") == drawn + 1  # in the list, and once as the last
    assert "Player 1 opens hat 20" in page
    presses = 2
    while "This is what changes" not in page:
        guest.post(f"/school/{name}/draw")
        page = guest.get(f"/school/{name}").text
        presses += 1
    assert presses > 6  # a game of 20 sticks takes at least seven turns
    assert count_games(house, name) == 0
    assert "Put them back" in page
    guest.post(f"/school/{name}/draw")
    assert read_balls(house, name) == train_at_once("sticks", 1, seed=3)
    guest.post(f"/school/{name}/game")
    assert read_balls(house, name) == train_at_once("sticks", 2, seed=3)
    sheets = guest.get(f"/school/{name}/sheets?player=2")
    assert (sheets.status, sheets.headers["content-type"]) == (200, "application/pdf")
    assert sheets.body.startswith(b"%PDF-")
    assert sheets.body.rstrip().endswith(b"%%EOF")
    for action in ("draw", "game", "slow", "fast"):
        assert house.browser().post(f"/school/{name}/{action}").status == 403, "only the owner"
    assert count_games(house, name) == 2


def test_a_class_watched_slowly_learns_the_same(house):
    guest = house.browser()
    name = begin(guest, game="tictactoe", rule="menace", against="random")
    guest.post(f"/school/{name}/slow")
    wait_until(lambda: house.store.trainings.get(name).state == "done")
    assert count_games(house, name) == 10
    expected = train_at_once("tictactoe", 10, rule="menace", against="random", seed=3)
    assert read_balls(house, name) == expected


def test_all_boxes_are_listed_page_by_page(house):
    """Of MENACE, who begins, there are 304: Michie counted 287, leaving out forced last moves."""
    guest = house.browser()
    name = begin(guest, game="tictactoe", rule="menace", against="random", starts="first")
    seen: list[str] = []
    page, number = guest.get(f"/school/{name}/boxes").text, 1
    while True:
        seen += re.findall(r'position=([^#"]+)#open', page)
        number += 1
        if 'id="next"' not in page:
            break
        page = guest.get(f"/school/{name}/boxes?page={number}").text
    assert len(seen) == len(set(seen)) == 304
    assert guest.get(f"/school/{name}/boxes?player=7").status == 422


def test_a_box_is_found_by_pressing_moves(house):
    guest = house.browser()
    name = begin(guest, game="tictactoe", rule="menace", against="itself")
    position = ""
    for move in ("a1", "b2", "c2"):
        asked = f"/school/{name}/press?player=1&position={position}"
        found = guest.post(asked.replace(" ", "+"), {"move": move})
        assert found.status == 303, found.said
        position = parse_qs(urlsplit(found.headers["location"]).query)["position"][0]
    assert position == "X---OX--- O"
    assert "Box" in guest.get(found.headers["location"].partition("#")[0]).text
    taken = guest.post(
        f"/school/{name}/press?position={position.replace(' ', '+')}", {"move": "a1"}
    )
    assert taken.status == 422


def test_a_position_without_a_box_can_be_pressed_on_from(house):
    guest = house.browser()
    name = begin(guest, game="tictactoe", rule="menace", against="random", starts="first")
    page = guest.get(f"/school/{name}?position=X--------+O")
    assert (page.status, "No box here" in page.text) == (200, True)
    assert guest.get(f"/school/{name}?position=rubbish").status == 422


def test_a_class_takes_part_in_a_tournament(house):
    guest = house.browser()
    name = begin(guest, name="Blue hats", games=200)
    wait_until(lambda: house.store.trainings.get(name).state == "done", 60)
    form = guest.get(f"/tournaments?enter=school+{name}")
    assert re.search(rf'value="school {name}" checked', form.text)
    made = guest.post(
        "/tournaments",
        {"game": "sticks", "bot": ["random", "perfect"], "own": f"school {name}", "rounds": 2},
    )
    assert made.status == 303, made.said
    cup = made.headers["location"].removeprefix("/tournaments/")
    wait_until(lambda: house.store.tournaments.get(cup).state == "done", 60)
    pairings = house.store.pairings.find(tournament=cup)
    assert len(pairings) == 12
    assert {each.state for each in pairings} == {"done"}
    page = guest.get(f"/tournaments/{cup}").text
    assert "Blue hats" in page
    assert f"school {name}" not in page
    for each in pairings:
        seats = [seat.name for seat in house.store.tables.get(each.table).seats]
        assert set(seats) <= {"random", "perfect", "Blue hats"}


def test_a_class_that_learned_other_rules_is_refused(house):
    guest = house.browser()
    name = begin(guest, **{"option-sticks": 10})
    refused = guest.post(
        "/tournaments", {"game": "sticks", "bot": "random", "own": f"school {name}"}
    )
    assert refused.status == 422
    assert "other rules" in refused.said
    gone = guest.post("/tournaments", {"game": "sticks", "bot": "random", "own": "school nobody"})
    assert gone.status == 404
