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
    """What somebody has said so far, without the name that is only read aloud."""
    return [each.text for each in driver.find_elements("css selector", f".said.{who}")]


def focus(driver):
    return driver.execute_script("return document.activeElement.id")


def test_a_talk_without_leaving_the_page(browser, server):
    driver = browser()
    driver.get(f"{server.url}/tournaments")
    driver.execute_script("window.stayed = true")
    press(driver, "#benedict > summary")
    press(driver, "#say-text")
    before = len(said(driver, "benedict"))
    keys(driver, "hello", Keys.ENTER)
    until(driver, "his answer", lambda: "…" not in said(driver, "benedict")[before:] != [])
    assert focus(driver) == "say-text", "one can go on typing"
    assert driver.find_element("id", "say-text").get_property("value") == ""
    keys(driver, "let's play nim", Keys.ENTER)
    choice = see(driver, "#choices button").text
    press(driver, "#choices button")
    see(driver, ".said.you", choice)
    until(driver, "an answer", lambda: "…" not in said(driver, "benedict"))
    assert said(driver, "you")[0].endswith("hello")
    assert driver.execute_script("return window.stayed")
    driver.get(f"{server.url}/docs")  # he comes along, and remembers
    see(driver, ".said.you", choice)


def test_what_is_said_is_shown_as_it_was_typed(browser, server):
    driver = browser()
    driver.get(f"{server.url}/docs")
    press(driver, "#benedict > summary")
    press(driver, "#say-text")
    keys(driver, "<b>nim</b> & <script>", Keys.ENTER)
    see(driver, ".said.you", "<b>nim</b> & <script>")
    until(driver, "his answer", lambda: "…" not in said(driver, "benedict"))
    driver.refresh()
    see(driver, ".said.you", "<b>nim</b> & <script>")


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
