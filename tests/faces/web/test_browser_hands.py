"""Chopsticks is played by pressing hands: with a mouse, by keyboard, and without scripts."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from selenium.webdriver import Keys

from tests.faces.web.browser import PHONE, arrange, keys, press, see, shot, tab_to
from tests.faces.web.visits import arrived, begin, open_menu


def open_chopsticks(driver, server):
    open_menu(driver, server, "chopsticks", "Ann", "Bob")
    begin(driver)
    see(driver, "#hand-left")


def test_a_hand_is_pressed_and_then_what_it_hits(browser, server):
    driver = browser(PHONE)
    open_chopsticks(driver, server)
    assert not driver.find_element("css selector", "#press-right-hit-right-left").is_displayed()
    press(driver, "#hand-left")
    press(driver, "#put-back-left")
    see(driver, "#hand-left:not(:checked)")
    press(driver, "#hand-right")
    shot(driver, "chopsticks-a-hand-is-chosen")
    press(driver, "#press-right-hit-right-left")
    assert "right" in arrived(driver, 1)


def test_a_split_is_made_by_pressing_both_hands(browser, server):
    """From 1 and 4 there are several: 2 and 3 among them."""
    driver = browser(PHONE)
    driver.get(f"{server.url}/analyse/chopsticks/walk?position={quote('1,4:1,1:1')}")
    see(driver, "#hand-left")
    press(driver, "#hand-left")
    button = "#press-left-split-2-3"
    if driver.find_elements("css selector", "#both-left"):
        press(driver, "#both-left")
        shot(driver, "chopsticks-both-hands-are-chosen")
    press(driver, button)
    see(driver, ".turn", "1.")


def test_the_keyboard_is_enough(browser, server):
    driver = browser(PHONE)
    open_chopsticks(driver, server)
    tab_to(driver, "#hand-left")
    keys(driver, Keys.ENTER)  # which must not play the first move that there is
    see(driver, "#hand-left:checked")
    tab_to(driver, "#press-left-hit-left-right")
    keys(driver, Keys.ENTER)
    arrived(driver, 1)


@pytest.mark.parametrize("way", ["hands", "buttons"])
def test_without_scripts_too(browser, server, way):
    driver = browser(PHONE)
    driver.get(f"{server.url}/analyse/chopsticks/walk")
    arrange(driver, PHONE, scripts=False, dark=True, motion=False)
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
