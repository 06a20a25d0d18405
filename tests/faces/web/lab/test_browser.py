"""The lab in a real browser: it fits, it can be read aloud, and what is slow comes by itself."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from selenium.webdriver import Chrome

from parlour.faces.web import requests
from tests.faces.web.axe import axe
from tests.faces.web.browser import DESKTOP, PHONE, fill, press, see, shot
from tests.faces.web.house import OpenHouse, wait_until, waiting_workers

CLASS = "2,2,2;1,2,3;1,1,2,2"


@pytest.mark.parametrize(
    ("size", "dark"), [(PHONE, True), pytest.param(DESKTOP, False, marks=pytest.mark.long)]
)
def test_the_lab_fits_and_hinders_nobody(
    house: OpenHouse, browser: Callable[..., Chrome], size: tuple[int, int], dark: bool
) -> None:
    driver = browser(size, dark=dark)
    for name, path in (
        ("lab", "/lab"),
        ("lab-nim", f"/lab/nim?misere=yes&endings={CLASS}"),
        ("lab-atlas", "/lab/sticks/atlas"),
    ):
        driver.get(house.url + path)
        see(driver, "h1")
        wait_until(lambda: not driver.find_elements("css selector", "[data-again]"), 30)
        wide = driver.execute_script("return document.documentElement.scrollWidth")
        assert wide <= size[0]
        assert axe(driver) == []
        shot(driver, f"{name}-{size[0]}-{'dark' if dark else 'light'}")


def test_without_scripts_a_variant_is_found_and_walked_through(
    house: OpenHouse, browser: Callable[..., Chrome]
) -> None:
    driver = browser(scripts=False)
    driver.get(house.url + "/lab/nim?piles=1,2")
    see(driver, "#answer", "The first player wins")
    see(driver, ".worths a", "1 from 2").click()
    see(driver, "#explore", "After 1 from 2")
    driver.find_element("css selector", "#back").click()
    see(driver, "#explore", "Start")


def test_what_is_slow_comes_by_itself_and_leaves_alone_what_is_being_typed(
    house: OpenHouse, browser: Callable[..., Chrome], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "PATIENCE", 0.0)
    driver = browser()
    with waiting_workers(house):
        driver.get(house.url + "/lab/tictactoe?columns=4&rows=4&line=4")
        see(driver, "#answer", "Working it out…")
        fill(driver, "#f-line", "3")
    see(driver, "#answer", "A draw with best play", 30)
    assert see(driver, "#f-line").get_attribute("value") == "3"
    press(driver, "#rules button", "See who wins")
    wait_until(lambda: "line=3" in driver.current_url)


def test_a_click_on_the_board_leads_on(house: OpenHouse, browser: Callable[..., Chrome]) -> None:
    driver = browser()
    driver.get(house.url + "/lab/tictactoe")
    press(driver, "#sq-b2")
    see(driver, "#explore", "After b2")
    assert "move=b2" in driver.current_url
