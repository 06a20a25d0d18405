"""Benedict beside every page: what is said to him is answered without leaving the page."""

import pytest
from selenium.webdriver import Keys

from tests.faces.web.browser import PHONE, keys, press, see, shown, until

ROOMS = (
    "/",
    "/new/nim",
    "/new/nim/settings",
    "/analyse",
    "/lab",
    "/school",
    "/tournaments",
    "/docs",
)


def said(driver, who):
    """What somebody has said so far, each line after the name that is only read aloud."""
    lines = driver.find_elements("css selector", f".said.{who}")
    return [each.get_property("textContent").partition(": ")[2] for each in lines]


def focus(driver):
    return driver.execute_script("return document.activeElement.id")


def say(driver, text):
    """Type a line where the focus is, and wait for the answer."""
    __tracebackhide__ = True
    before = len(said(driver, "benedict"))
    keys(driver, text, Keys.ENTER)
    until(driver, "his answer", lambda: "…" not in said(driver, "benedict")[before:] != [])


def test_a_talk_without_leaving_the_page(browser, server):
    driver = browser()
    driver.get(f"{server.url}/tournaments")
    driver.execute_script("window.stayed = true")
    press(driver, "#benedict > summary")
    press(driver, "#say-text")
    say(driver, "hello")
    assert focus(driver) == "say-text", "one can go on typing"
    assert driver.find_element("id", "say-text").get_property("value") == ""
    say(driver, "let's play nim")
    press(driver, "#choices button", "3 4 5")
    see(driver, "#choices button", "hint")  # one can play with him there
    assert said(driver, "you") == ["hello", "let's play nim", "3 4 5"]
    assert driver.execute_script("return window.stayed")
    driver.get(f"{server.url}/docs")  # he comes along, and remembers
    see(driver, "#choices button", "hint")
    assert said(driver, "you") == ["hello", "let's play nim", "3 4 5"]


def test_what_is_said_is_shown_as_it_was_typed(browser, server):
    driver = browser()
    driver.get(f"{server.url}/docs")
    press(driver, "#benedict > summary")
    press(driver, "#say-text")
    text = "<b>nim</b> & <script>"
    say(driver, text)
    assert said(driver, "you") == [text]
    driver.refresh()
    see(driver, "#say-text")
    assert said(driver, "you") == [text]


@pytest.mark.parametrize("size", [None, PHONE])
def test_he_is_on_every_page_and_escape_closes_him(browser, server, size):
    driver = browser(*([size] if size else []))
    for room in ROOMS:
        driver.get(f"{server.url}{room}")
        if not shown(driver, "#say-text"):
            press(driver, "#benedict > summary")
        press(driver, "#say-text")
        keys(driver, Keys.ESCAPE)
        until(driver, "the closed drawer", lambda: not shown(driver, "#say-text"))
        assert driver.execute_script("return document.activeElement.matches('#benedict > summary')")
