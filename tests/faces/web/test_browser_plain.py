"""Scripts off: forms and links alone lead everywhere."""

import pytest
from selenium.webdriver import Keys

from tests.faces.web.browser import PHONE, fill, keys, press, see
from tests.faces.web.visits import guest_of, set_up_table

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


def test_a_hand_hits_another(browser, server):
    driver = browser(PHONE, scripts=False)
    driver.get(f"{server.url}/analyse/chopsticks/walk")
    press(driver, "#hand-left")
    keys(driver, Keys.ENTER)
    press(driver, "#press-left-hit-left-left")
    see(driver, ".turn", "1.")


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
