"""The menu of the old Nim: who may be added, when Play! waits, what is kept."""

import html
import re

import pytest

from parlour.core import registry
from parlour.core.options import options_of
from tests.faces.web.house import wait_until


def players(text):
    return re.findall(r'<li class="player"><div><b>(.*?)</b>', text)


def play_is_disabled(text):
    return "disabled" in re.search(r'<button[^>]* id="play"[^>]*>', text)[0]


def words(text):
    """The text of a page without its tags: a name may stand in an element of its own."""
    return " ".join(re.sub("<[^>]*>", "", text).split())


def pills(text):
    return re.findall(r'<li class="pill">(.*?)<button', text)


@pytest.fixture
def guest(house):
    return house.browser()


def test_play_needs_a_player_and_again_when_all_are_removed(house, guest):
    assert play_is_disabled(guest.get("/new/nim").text)
    refused = guest.post("/new/nim/seats", {"do": "person", "name": "  "})
    assert (refused.status, refused.said) == (422, "Type a name first.")
    guest.post("/new/nim/seats", {"do": "person", "name": "Ann"})
    refused = guest.post("/new/nim/seats", {"do": "person", "name": "ann"})
    assert (refused.status, "choose another name" in refused.said) == (422, True)
    page = guest.get("/new/nim").text
    assert players(page) == ["Ann"]
    assert not play_is_disabled(page)
    other = house.browser()
    assert players(other.get("/new/nim").text) == [], "each visitor has a menu of their own"
    other.post("/new/nim/seats", {"do": "person", "name": "Eve"})
    guest.post("/new/nim/seats", {"do": "remove", "at": 0})
    assert play_is_disabled(guest.get("/new/nim").text)
    refused = guest.post("/new/nim/play")
    assert (refused.status, "add a person or a bot" in refused.said) == (422, True)
    for _ in range(2):  # in other games a name is optional
        assert guest.post("/new/tictactoe/seats", {"do": "person", "name": ""}).status == 303
    assert players(guest.get("/new/tictactoe").text) == ["Player 1", "Player 2"]


def test_players_can_be_reordered_and_removed(guest):
    for name in ("Ann", "Bob", "Cid"):
        guest.post("/new/nim/seats", {"do": "person", "name": name})
    guest.post("/new/nim/seats", {"do": "up", "at": 2})
    assert players(guest.get("/new/nim").text) == ["Ann", "Cid", "Bob"]
    guest.post("/new/nim/seats", {"do": "down", "at": 0})
    assert players(guest.get("/new/nim").text) == ["Cid", "Ann", "Bob"]
    guest.post("/new/nim/seats", {"do": "remove", "at": 1})
    assert players(guest.get("/new/nim").text) == ["Cid", "Bob"]
    assert guest.post("/new/nim/seats", {"do": "remove", "at": 2}).status == 409
    assert guest.post("/new/nim/seats", {"do": "dance"}).status == 422
    assert guest.post("/new/nim/seats", {"do": "open"}).status == 303
    assert len(players(guest.get("/new/nim").text)) == 3


def test_a_bot_without_a_name_is_given_one(guest):
    for name in ("", "Rex"):
        guest.post("/new/nim/seats", {"do": "bot", "name": name, "bot": "short-prediction"})
    assert players(guest.get("/new/nim").text) == ["short-prediction bot", "Rex bot"]


def test_a_pile_takes_digits_only_and_not_0(guest):
    for text in ("0", "x", "-3", "1.5", "", "3 4", "٣"):
        refused = guest.post("/new/nim/settings", {"do": "add", "option": "piles", "text": text})
        assert refused.status == 422, text
    refused = guest.post("/new/nim/settings", {"do": "add", "option": "endings", "text": "two"})
    assert (refused.status, "has no digits" in refused.said) == (422, True)
    assert pills(guest.get("/new/nim/settings").text) == ["3", "4", "5"]


def test_piles_and_endings_are_added_and_removed(guest):
    guest.post("/new/nim/settings", {"do": "add", "option": "piles", "text": "12"})
    for text in ("1-2 and also 3", "7"):
        guest.post("/new/nim/settings", {"do": "add", "option": "endings", "text": text})
    assert pills(guest.get("/new/nim/settings").text) == ["3", "4", "5", "12", "1, 2, 3", "7"]
    again = guest.post("/new/nim/settings", {"do": "add", "option": "endings", "text": "3, 2, 1"})
    assert (again.status, "is already among the endings" in again.said) == (422, True)
    guest.post("/new/nim/settings", {"do": "drop", "option": "piles", "at": 0})
    assert pills(guest.get("/new/nim/settings").text) == ["4", "5", "12", "1, 2, 3", "7"]


def test_add_defaults_adds_the_class_endings_that_are_missing(guest):
    guest.post("/new/nim/settings", {"do": "add", "option": "endings", "text": "3 1 2"})
    defaults = {"do": "bundle", "option": "endings", "bundle": "class-endings"}
    for _ in range(2):
        guest.post("/new/nim/settings", defaults)
        shown = pills(guest.get("/new/nim/settings").text)[3:]
        assert sorted(sorted(each.split(", ")) for each in shown) == [
            ["1", "1", "2", "2"],
            ["1", "2", "3"],
            ["2", "2", "2"],
        ]


def test_it_opens_in_misere_and_can_be_standard(guest):
    def chosen():
        text = guest.get("/new/nim/settings").text
        return re.search(r'name="misere" value="(\w+)" checked', text)[1]

    assert chosen() == "yes"
    answer = guest.post("/new/nim/settings", {"do": "return", "misere": "no", "pace": "self"})
    assert answer.headers["location"] == "/new/nim"
    assert chosen() == "no"
    assert "<title>Nim · Parlour" in guest.get("/new/nim").text


def test_every_option_of_a_game_is_in_its_form_and_explained(guest):
    page = html.unescape(guest.get("/new/othello/settings").text)
    for name, option in options_of(registry.find("games", "othello")).items():
        assert f'name="{name}"' in page
        assert option.about in page


def test_another_preset_brings_its_own_values(guest):
    guest.post("/new/chopsticks/settings", {"rules": "feathers", "dies_at": "5"})
    assert 'name="dies_at" value="7"' in guest.get("/new/chopsticks/settings").text
    refused = guest.post("/new/chopsticks/settings", {"rules": "feathers", "dies_at": "99"})
    assert refused.status == 422
    assert "2 to 20" in refused.said


def test_a_bot_announces_its_move_and_waits_for_ok(house, guest):
    guest.post("/new/nim/seats", {"do": "bot", "name": "Rex", "bot": "perfect"})
    menu = guest.get("/new/nim").text
    assert players(menu) == ["Rex bot"]
    assert "perfect, level 10: perfect, rating" in menu
    guest.post("/new/nim/seats", {"do": "person", "name": "Ann"})
    at = guest.post("/new/nim/play").headers["location"]
    page = wait_until(lambda: 'id="ok"' in (text := guest.get(at).text) and text)
    assert "Rex bot takes 2 from pile 1." in words(page)  # the only right move of misère 3, 4, 5
    early = guest.post(f"{at}/move", {"pile": 2, "amount": 1, "at": 1})
    assert (early.status, "Press Ok" in early.said) == (409, True)
    assert guest.post(f"{at}/ok", {"at": 1}).status == 303
    assert "Your move" in guest.get(at).text
    assert guest.post(f"{at}/move", {"pile": 2, "amount": 1, "at": 1}).status == 303


def test_the_victory_screen_leads_back_to_the_menu_with_everything_kept(guest):
    guest.post("/new/nim/settings", {"do": "drop", "option": "piles", "at": 2})
    guest.post("/new/nim/settings", {"do": "drop", "option": "piles", "at": 1})
    for name in ("Ann", "Bob"):
        guest.post("/new/nim/seats", {"do": "person", "name": name})
    at = guest.post("/new/nim/play").headers["location"]
    field = re.search(r'<input[^>]*name="amount"[^>]*>', guest.get(at).text)[0]
    assert re.search(r'min="(\d+)" max="(\d+)"', field).groups() == ("1", "3")
    for pile, amount in ((1, "0"), (1, "4"), (1, "-1"), (1, "x"), (9, "1")):
        refused = guest.post(f"{at}/move", {"pile": pile, "amount": amount, "at": 0})
        assert refused.status == 422, (pile, amount)
    guest.post(f"{at}/move", {"pile": 1, "amount": 3, "at": 0})
    page = guest.get(at).text
    assert "Bob wins" in words(page)  # misère: taking the last one loses
    menu = re.search(r'id="back-to-menu" href="(.*?)"', page)[1]
    assert players(guest.get(menu).text) == ["Ann", "Bob"]
    assert pills(guest.get(f"{menu}/settings").text) == ["3"]


def test_a_level_is_chosen_with_a_slider_and_kept_when_something_else_is_wrong(guest):
    wrong = {"do": "bot", "name": "x" * 50, "bot": "perfect", "level-perfect": "3"}
    page = guest.post("/new/nim/seats", wrong)
    assert page.status == 422
    assert re.search('id="level-perfect"[^>]* value="3"', page.text)
    assert f'value="{"x" * 50}"' in page.text
    assert "at level 3 of 10" in page.text  # the description follows the level
    assert guest.post("/new/nim/seats", {**wrong, "name": "Rex"}).status == 303
    assert "perfect, level 3: easy, rating" in guest.get("/new/nim").text


def test_benedict_begins_quick_nim_as_its_nim_sum_is_not_0_unless_it_is_easy(house, guest):
    """3 xor 4 xor 5 is 2, so whoever begins wins."""
    for level, kinds in (("", ["bot", "person"]), ("easy", ["person", "bot"])):
        where = guest.post("/quick", {"game": "nim", "level": level}).headers["location"]
        table = house.read(where.rpartition("/")[2])
        assert [seat.kind for seat in table.seats] == kinds
