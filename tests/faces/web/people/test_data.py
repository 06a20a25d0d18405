"""What is kept of a person can be seen, taken away in a file, and deleted for good."""

import json
import re

import pytest

from parlour.faces.web import people
from parlour.faces.web.clients import COOKIE
from parlour.store.models import Talk, Tournament, Training
from tests.faces.web.house import opened, wait_until
from tests.store.conftest import found_in_files

LINE = "I keep a heron in the bath"


def browser_of(guest):
    return guest.cookie.partition(".")[0]


def known(house, name="Annabelle", other="Bobolink"):
    """Somebody of whom everything is kept, and whom they have played."""
    ann, bob = house.browser(), house.browser()
    game = house.table("tictactoe", listed=False)
    for seat, (guest, called) in enumerate([(ann, name), (bob, other)]):
        assert guest.post(f"/tables/{game}/sit", {"seat": seat, "name": called}).status == 303
    assert ann.post(f"/tables/{game}/move", {"move": "b2"}).status == 303
    assert ann.post("/quick", {"game": "nim"}).status == 303
    assert ann.post("/new/othello/seats", {"do": "person", "name": name}).status == 303
    owner = f"browser:{browser_of(ann)}"
    house.store.talks.add(Talk(id=browser_of(ann), lines=(("you", LINE),)))
    house.store.trainings.add(Training(id=house.store.new_id(), owner=owner, name=name, game="nim"))
    house.store.tournaments.add(
        Tournament(id=house.store.new_id(), owner=owner, name=name, state="done")
    )
    assert ann.post("/you/settings", {"name": name}).status == 303
    assert ann.post("/you/device").status == 200
    return ann, bob, game


def test_the_file_holds_all_of_a_persons_data_and_no_key_of_another_person(house):
    ann, bob, game = known(house)
    for path in ("/", "/docs", "/lab", "/games", "/nowhere"):
        assert 'href="/you"' in ann.get(path).text
    page = ann.get("/you").text
    rows = dict(re.findall(r'<th scope="row">(.*?)</th><td class="figures">(\d+)</td>', page))
    assert rows["Games in progress"] == "2"
    assert rows["Finished games"] == "0"
    assert rows["Classes at the school"] == rows["Tournaments"] == "1"
    assert "30 days after the last move; 2 days if nobody has moved" in page
    answer = ann.get("/you/data.json")
    assert answer.headers["content-disposition"] == 'attachment; filename="parlour-data.json"'
    held = json.loads(answer.body)
    assert held["id"] == browser_of(ann)
    assert held["settings"]["name"] == "Annabelle"
    shared = next(each for each in held["tables"] if each["id"] == game)
    assert (shared["moves"], shared["your_seats"]) == (["b2"], [0])
    assert [each["game"] for each in held["setups"]] == ["othello"]
    assert held["conversation"]["lines"] == [["you", LINE]]
    assert [len(held[each]) for each in ("classes", "tournaments", "tables")] == [1, 1, 2]
    assert browser_of(bob) not in answer.text
    assert browser_of(ann) not in bob.get("/you/data.json").text


@pytest.mark.slow
def test_after_deleting_no_byte_of_the_person_is_left_and_the_others_game_is(tmp_path):
    url = f"sqlite:///{tmp_path}/parlour.sqlite"
    with opened(url) as house:
        ann, bob, game = known(house)
        words = ("Annabelle", browser_of(ann), "heron", "Bobolink")
        refused = ann.post("/you/delete")
        assert refused.status == 422
        assert refused.said == "Press the button below once more to delete everything."
        assert found_in_files(url, *words) == set(words)
        gone = ann.post("/you/delete", {"sure": "yes"})
        assert gone.status == 200
        assert f"{COOKIE}=; Path=/; Max-Age=0" in str(gone.headers.get_all("set-cookie"))
        assert found_in_files(url, *words) == {"Bobolink"}
        page = bob.get(f"/tables/{game}").text
        assert "Annabelle" not in page
        assert "left the game" in page
        assert house.read(game).result == (-1, 1)
        assert house.read(game).moves == ("b2",)
        assert bob.get("/games").text.count(f"/tables/{game}") == 1
        assert "Annabelle" not in ann.get("/games").text  # with the old cookie


def test_an_open_page_of_the_opponent_shows_it_at_once(house):
    ann, bob, game = known(house)
    with bob.live(f"table:{game}") as page:
        page.recv(10)
        ann.post("/you/delete", {"sure": "yes"})
        wait_until(lambda: "left the game" in json.loads(page.recv(10))["html"])


def test_my_games_lists_those_to_move_in_first_and_finished_ones_in_pages(house, monkeypatch):
    monkeypatch.setattr(people, "PAGE", 3)
    ann, bob = house.browser(), house.browser()

    def sit(*guests):
        table = house.table("tictactoe", listed=False)
        for seat, guest in enumerate(guests):
            guest.post(f"/tables/{table}/sit", {"seat": seat, "name": f"P{seat}"})
        return table

    waiting, turn, theirs = sit(ann), sit(ann, bob), sit(bob, ann)
    listed = re.findall(r'href="/tables/(\w+)"', ann.get("/games").text)
    assert listed == [turn, theirs, waiting]
    assert re.findall(r'href="/tables/(\w+)"', house.browser().get("/games").text) == []
    for _ in range(4):
        bob.post(f"/tables/{sit(ann, bob)}/resign")
    first, second = (ann.get(f"/games?page={number}").text for number in (1, 2))
    assert first.count(">won<") == 3
    assert 'rel="next" href="/games?page=2' in first
    assert second.count(">won<") == 1
    assert 'rel="next"' not in second
    assert bob.get("/games").text.count(">lost<") == 3
    assert house.browser().get("/games?page=99999999").status == 200


def code_of(guest):
    return re.search(r'id="carry-code">([\w-]+)<', guest.post("/you/device").text)[1]


def test_a_code_makes_another_browser_the_same_person_and_both_stay(house):
    ann, _, game = known(house)
    phone = house.browser()
    assert 'name="code"' in phone.get("/carry").text
    own = house.table("tictactoe", listed=False)
    phone.post(f"/tables/{own}/sit", {"seat": 0, "name": "Annie"})
    code = code_of(ann)
    asked = phone.get(f"/carry/{code}")
    assert f'value="{code}"' in asked.text
    assert game not in phone.get("/games").text, "looking at the link changes nothing"
    carried = phone.post("/carry", {"code": f" {code.upper().replace('-', ' ')} "})
    assert (carried.status, carried.headers["location"]) == (303, "/games")
    given = re.match(rf"{COOKIE}=([^;]*)", carried.headers["set-cookie"])[1]
    assert given == ann.cookie
    old = phone.cookie
    phone.cookie = given
    for device in (ann, phone):
        listed = device.get("/games").text
        assert game in listed
        assert own in listed, "what the other browser had came along"
    assert phone.post(f"/tables/{game}/resign").status == 303
    again = house.browser()
    again.cookie = old
    refused = again.post("/carry", {"code": code})
    assert refused.status == 404
    assert "work once" in refused.said


@pytest.mark.slow
def test_codes_cannot_be_guessed(tmp_path):
    with opened(f"sqlite:///{tmp_path}/parlour.sqlite") as house:
        guest = house.browser()
        answers = [guest.post("/carry", {"code": f"abcd-222{c}"}).status for c in "abcdefghjkmn"]
        assert answers == [404] * 10 + [429] * 2
        assert guest.post("/carry", {"code": "abc"}).status in (422, 429)
