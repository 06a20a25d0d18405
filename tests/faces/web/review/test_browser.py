"""Analyse in a real browser: it fits, it can be read aloud, walked through with keys, and used
without scripts.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from selenium.webdriver import Chrome, Keys

from tests.faces.web.axe import axe
from tests.faces.web.browser import DESKTOP, PHONE, fill, keys, press, see, shot
from tests.faces.web.house import OpenHouse, wait_until

GAME = "/analyse/tictactoe/walk?by=Ann&by=Ben&moves=a1,b1,a2,a3,b2,c3,c2"
RECORD = '{"game": "nim", "options": {}, "players": ["Ann", "Ben"], "moves": ["1 from 1"]}'


@pytest.mark.parametrize(
    ("size", "dark"), [(PHONE, True), pytest.param(DESKTOP, False, marks=pytest.mark.long)]
)
def test_the_pages_fit_and_hinder_nobody(
    house: OpenHouse, browser: Callable[..., Chrome], size: tuple[int, int], dark: bool
) -> None:
    driver = browser(size, dark=dark)
    for name, path in (
        ("analyse", "/analyse"),
        ("analyse-othello", "/analyse/othello"),
        ("analyse-chopsticks", "/analyse/chopsticks"),
        ("analyse-walk", f"{GAME}&at=2&why=last"),
        ("analyse-walk-othello", "/analyse/othello/walk?moves=f5,d6,c3"),
    ):
        driver.get(house.url + path)
        see(driver, "h1")
        wait_until(lambda: not driver.find_elements("css selector", "[data-again]"), 30)
        assert driver.execute_script("return document.documentElement.scrollWidth") <= size[0]
        assert axe(driver) == []
        shot(driver, f"{name}-{size[0]}-{'dark' if dark else 'light'}")


def test_without_scripts_a_record_is_pasted_and_walked_through(
    house: OpenHouse, browser: Callable[..., Chrome]
) -> None:
    driver = browser(scripts=False)
    driver.get(f"{house.url}/analyse")
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


def test_without_scripts_a_position_is_set_square_by_square(
    house: OpenHouse, browser: Callable[..., Chrome]
) -> None:
    driver = browser(PHONE, scripts=False)
    driver.get(f"{house.url}/analyse/tictactoe")
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


def test_the_arrow_keys_walk_through_a_game(
    house: OpenHouse, browser: Callable[..., Chrome]
) -> None:
    driver = browser()
    driver.get(f"{house.url}{GAME}&at=1")
    see(driver, ".turn", "1. Ann: a1")
    keys(driver, Keys.ARROW_RIGHT)
    see(driver, ".turn", "2. Ben: b1")
    keys(driver, Keys.ARROW_LEFT)
    see(driver, ".turn", "1. Ann: a1")
    press(driver, ".mistakes a")
    see(driver, ".turn", "2. Ben: b1")
    press(driver, "#sq-b2")
    see(driver, ".turn", "3. Ann: b2")
    assert "moves=a1,b1,b2&at=3" in driver.current_url


def test_what_is_worked_out_comes_by_itself_and_moves_nothing(
    house: OpenHouse, browser: Callable[..., Chrome]
) -> None:
    driver = browser(PHONE)
    driver.get(f"{house.url}/analyse/othello/walk?moves=f5,d6,c3,d3,c4,f4,f6,f3,e6,e7&at=4")
    see(driver, "#looked")
    driver.execute_script("scrollTo(0, 300)")
    board = "return document.querySelector('#board').getBoundingClientRect().top"
    before = driver.execute_script(board)
    wait_until(lambda: not driver.find_elements("css selector", "[data-again]"), 30)
    assert driver.execute_script(board) == before
    see(driver, ".walk li:last-child .verdict")
