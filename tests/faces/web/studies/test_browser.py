"""Studies in a real browser: written with the keyboard alone, read without scripts, and framed."""

from __future__ import annotations

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from selenium.webdriver import Keys

from tests.faces.web.axe import axe
from tests.faces.web.browser import DESKTOP, fill, keys, press, see, tab_to, until
from tests.faces.web.studies.test_pages import LESSON
from tests.faces.web.visits import guest_of

pytestmark = pytest.mark.browser


@pytest.fixture
def serve():
    """Serve a folder as another site."""
    started = []

    def start(folder):
        handler = partial(SimpleHTTPRequestHandler, directory=folder)
        other = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        started.append(other)
        threading.Thread(target=other.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{other.server_port}"

    yield start
    for each in started:
        each.shutdown()
        each.server_close()


def test_a_study_is_written_with_the_keyboard_alone(browser, server):
    driver = browser()
    driver.get(f"{server.url}/studies/new/tictactoe")
    tab_to(driver, "#f-title")
    keys(driver, "Corners", Keys.ENTER)
    see(driver, "h1", "Corners")
    tab_to(driver, "[value='a1']")
    keys(driver, Keys.ENTER)
    see(driver, ".turn", "1. Player 1 (X): a1")
    tab_to(driver, "#typed-move")
    keys(driver, "b2", Keys.ENTER)
    see(driver, ".turn", "2. Player 2 (O): b2")
    tab_to(driver, "#f-comment")
    keys(driver, "The only move.")
    tab_to(driver, "#save")
    keys(driver, Keys.ENTER)
    see(driver, ".tree [aria-current] .dot")
    keys(driver, Keys.ARROW_LEFT)
    see(driver, ".turn", "1. Player 1 (X): a1")


def test_a_lesson_is_answered_without_scripts(browser, server):
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


def test_another_page_frames_a_study_and_nothing_else(browser, server, serve, tmp_path):
    driver = browser(DESKTOP)
    at = guest_of(driver, server).post("/studies/import", {"text": LESSON}).headers["location"]
    frames = f'<iframe id="study" src="{server.url}{at}/embed" title="a"></iframe>'
    frames += f'<iframe id="site" src="{server.url}{at}" title="b"></iframe>'
    (tmp_path / "page.html").write_text(f"<!doctype html><title>Mine</title>{frames}")
    driver.get(f"{serve(tmp_path)}/page.html")
    driver.switch_to.frame("study")
    see(driver, "h1", "Two piles")
    press(driver, "#question a", "1 from 2")
    see(driver, "#question", "Now copy the other.")
    assert axe(driver) == []
    driver.switch_to.default_content()
    driver.switch_to.frame("site")
    refused = "return !document.querySelector('main') && document.readyState === 'complete'"
    until(driver, "an empty frame", lambda: driver.execute_script(refused))
    driver.get_log("browser")  # the refusal is a complaint that was asked for
