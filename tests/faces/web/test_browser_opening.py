"""The name of the opening stands beside the board of a table, where a line is kept for it."""

import pytest

from tests.faces.web.browser import DESKTOP, PHONE, see
from tests.faces.web.visits import guest_of, play

BOARD = "return document.querySelector('.tabletop').getBoundingClientRect().top + scrollY"


@pytest.mark.parametrize(
    "size", [PHONE, pytest.param(DESKTOP, marks=pytest.mark.long)], ids=["phone", "desktop"]
)
def test_the_opening_is_named_and_nothing_moves(browser, server, size):
    """Whatever answers f5, two moves have one of three names."""
    driver = browser(size)
    made = guest_of(driver, server).post("/quick", {"game": "othello"})
    driver.get(server.url + made.headers["location"])
    see(driver, "#opening", "Opening: no name yet")
    before = driver.execute_script(BOARD)
    play(driver, "f5")
    see(driver, "#turn", "Your move")
    named = see(driver, "#opening")
    assert named.text.removeprefix("Opening: ") in ("Diagonal", "Parallel", "Perpendicular")
    assert driver.execute_script(BOARD) == before
    assert named.rect["y"] + named.rect["height"] < size[1]
