"""Scripts off: forms and links alone lead everywhere."""

import pytest
from selenium.webdriver import Keys

from tests.faces.web.browser import PHONE, fill, keys, press, see, until
from tests.faces.web.studies.test_pages import LESSON
from tests.faces.web.visits import add_person, guest_of, set_up_table

pytestmark = pytest.mark.long

RECORD = '{"game": "nim", "options": {}, "players": ["Ann", "Ben"], "moves": ["1 from 1"]}'


def test_a_page_shows_the_move_of_another_by_itself(browser, server):
    driver = browser(scripts=False)
    other = guest_of(driver, server)
    other.cookie = ""
    other.get("/docs")
    table = set_up_table(other, "tictactoe", people=["Bob"])
    driver.get(f"{server.url}{table}")
    fill(driver, "#sit-1", "Ann")
    press(driver, "#sit-down-1")
    see(driver, "#turn", "Bob to move")
    other.post(f"{table}/move", {"move": "b2", "at": 0})
    see(driver, "#turn", "Your move")
    see(driver, ".played li", "b2")


def test_a_refused_form_says_why_and_the_page_can_be_used_on(browser, server):
    driver = browser(scripts=False)
    driver.get(f"{server.url}/new/nim")
    fill(driver, "#person-name", "   ")
    press(driver, "#add-person")
    see(driver, "#notice", "Type a name first.")
    press(driver, "#benedict > summary")
    fill(driver, "#say-text", "hello")
    press(driver, "#say .button")
    see(driver, ".said.you", "hello")
    assert driver.current_url.startswith(f"{server.url}/new/nim#")
    add_person(driver, "Ann")


def test_settings_are_changed(browser, server):
    driver = browser(scripts=False)
    driver.get(f"{server.url}/new/nim/settings")
    fill(driver, "#f-piles", "9")
    press(driver, ".add button", "Add pile")
    see(driver, ".pill", "9")
    press(driver, "label:has([name=misere][value=no])")
    press(driver, "#keep-rules")
    see(driver, ".lead", "Nim with 3, 4, 5 and 9 coins")
    press(driver, "label:has([name=pace][value=self])")
    press(driver, "#keep-table")
    until(driver, "the pace", lambda: see(driver, "[name=pace][value=self]").is_selected())
    press(driver, "#return")
    see(driver, "h1", "Nim with 3, 4, 5 and 9 coins")


@pytest.mark.parametrize("way", ["hands", "buttons"])
def test_a_hand_hits_another(browser, server, way):
    driver = browser(PHONE, scripts=False)
    driver.get(f"{server.url}/analyse/chopsticks/walk")
    if way == "hands":
        press(driver, "#hand-left")
        keys(driver, Keys.ENTER)
        press(driver, "#press-left-hit-left-left")
    else:
        if not driver.find_elements("css selector", ".listed-moves[open]"):
            press(driver, ".listed-moves > summary")
        press(driver, "#move-hit-left-left")
    see(driver, ".turn", "1.")


def test_a_tournament_is_followed(browser, server):
    driver = browser(scripts=False)
    driver.get(f"{server.url}/tournaments?game=sticks")
    for kind in ("perfect", "random"):
        press(driver, f".choice-list label:has([value='{kind}'])")
    press(driver, "#begin")
    see(driver, ".progress", "4 of 4")
    see(driver, ".tag", "finished")


def test_a_variant_is_found_in_the_lab_and_walked_through(browser, server):
    driver = browser(scripts=False)
    driver.get(f"{server.url}/lab/nim?piles=1,2")
    see(driver, "#answer", "The first player wins")
    press(driver, ".worths a", "1 from 2")
    see(driver, "#explore", "After 1 from 2")
    press(driver, "#back")
    see(driver, "#explore", "Start")


def test_a_record_is_pasted_and_walked_through(browser, server):
    driver = browser(scripts=False)
    driver.get(f"{server.url}/analyse")
    fill(driver, "#f-record", "nonsense")
    press(driver, "#look")
    see(driver, "#f-record-wrong", "choose that game below")
    assert see(driver, "#f-record").get_attribute("value") == "nonsense"
    fill(driver, "#f-record", RECORD)
    press(driver, "#look")
    see(driver, ".turn", "1. Ann: 1 from 1")
    see(driver, ".walk .verdict", "mistake, win → loss")
    press(driver, "#back")
    see(driver, ".turn", "Start of the game")
    fill(driver, "#amount-2", "4")
    press(driver, "#take-2")
    see(driver, ".turn", "1. Ann: 4 from 2")


def test_a_position_is_set_square_by_square(browser, server):
    driver = browser(PHONE, scripts=False)
    driver.get(f"{server.url}/analyse/tictactoe")
    for square, now in (("b2", "b2, X"), ("a1", "a1, X"), ("a1", "a1, O")):
        press(driver, f"#set-{square}")
        see(driver, f"#set-{square}[aria-label^='{now}']")
    press(driver, "#look-built")
    see(driver, ".turn", "Your position")
    press(driver, "#set-up")
    see(driver, "#set-a1[aria-label^='a1, O']")
    press(driver, "#set-c3")
    press(driver, "#turn-O")
    see(driver, "#turn-O[aria-pressed='true']")
    press(driver, "#look-built")
    see(driver, ".turn", "Your position")
    see(driver, ".walk-status", "Player 2 (O) to move.")


def test_a_lesson_of_a_study_is_answered(browser, server):
    driver = browser(scripts=False)
    at = guest_of(driver, server).post("/studies/import", {"text": LESSON}).headers["location"]
    driver.get(f"{server.url}{at}?read=1")
    fill(driver, "#typed-move", "3 from 1")
    press(driver, ".under .add button")
    see(driver, "#question", "Then all four go.")
    press(driver, "#again")
    fill(driver, "#typed-move", "1 from 2")
    press(driver, ".under .add button")
    press(driver, "#go-on")
    see(driver, ".comment", "Now copy the other.")


def test_all_data_of_a_person_is_deleted(browser, server):
    driver = browser(scripts=False)
    driver.get(server.url)
    press(driver, "#quick-tictactoe")
    before = driver.get_cookie("parlour")["value"]
    driver.get(f"{server.url}/games")
    see(driver, ".rows", "Against Benedict bot")
    press(driver, "footer a[href='/you']")
    press(driver, "#delete-all")
    press(driver, "#delete-really")
    see(driver, "h1", "Your data is deleted")
    assert driver.get_cookie("parlour") is None
    driver.get(f"{server.url}/games")
    see(driver, "main", "No game in progress")
    assert driver.get_cookie("parlour")["value"] != before
