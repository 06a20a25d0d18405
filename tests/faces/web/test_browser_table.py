"""At a table: several browsers, agreements, clocks, values, what moves, and the focus."""

import pytest
from selenium.webdriver import Keys

from tests.faces.web.browser import (
    keys,
    press,
    see,
    until,
)
from tests.faces.web.visits import (
    guest_of,
    is_live,
    play,
    set_up_table,
)

pytestmark = pytest.mark.long

# Every animation and transition that begins from now on.
WATCH = """
window.moved = [];
const note = (event) => moved.push(event.animationName ?? event.propertyName);
for (const kind of ["animationstart", "transitionrun"]) document.addEventListener(kind, note);
"""

# Connect again, and wait until the page has been sent what it shows.
SENT_ANEW = """
const watch = new MutationObserver(() => setTimeout(arguments[0]));
watch.observe(document.getElementById("main"), {attributeFilter: ["data-version"]});
dispatchEvent(new Event("online"));
"""

# An outline around what has the focus, or around what stands for it, within the window.
CAN_BE_SEEN = """
const held = document.activeElement;
const box = held.getBoundingClientRect();
let outlined = held;
while (outlined && !(getComputedStyle(outlined).outlineStyle !== "none"
    && parseFloat(getComputedStyle(outlined).outlineWidth) >= 2)) outlined = outlined.parentElement;
const inside = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
return outlined && inside ? "" : held.outerHTML.slice(0, 200);
"""


def quick(driver, server, game):
    """A table against an easy bot, which lets the visitor begin."""
    made = guest_of(driver, server).post("/quick", {"game": game, "level": "easy"})
    return server.url + made.headers["location"]


# Several people


# The board


def test_the_answer_to_why_stays_until_the_position_changes(browser, server):
    driver = browser()
    driver.get(f"{quick(driver, server, 'nim')}?view=values")
    see(driver, ".worths")
    press(driver, ".worths li a")
    see(driver, "#why h2", "Why 1 from 1?")
    is_live(driver)
    driver.execute_async_script(SENT_ANEW)
    see(driver, "#why h2", "Why 1 from 1?")  # it stays, though only this page has asked for it
    play(driver, "2 from 1")
    until(driver, "no answer to what is past", lambda: not driver.find_elements("id", "why"))
    see(driver, "#turn", "Your move")
    see(driver, ".worths")


@pytest.mark.parametrize("motion", [True, False])
def test_a_move_is_animated_unless_motion_is_unwanted(browser, server, motion):
    driver = browser(motion=motion)
    driver.get(server.url + set_up_table(guest_of(driver, server), "othello"))
    is_live(driver)
    driver.execute_script(WATCH)
    play(driver, "d3")
    see(driver, "#turn", "Your move, Bob")
    assert driver.find_elements("css selector", ".disc.is-flipped")
    if motion:
        flip = {"put", "turn-black"}
        until(driver, "the flip", lambda: flip <= set(driver.execute_script("return moved")))
    else:
        assert driver.execute_script("return moved") == []
        assert driver.execute_script("return document.getAnimations().length") == 0


# The focus


@pytest.mark.parametrize(
    "page", ["/", "/new/nim", "/new/chopsticks/settings", "/tournaments", "table"]
)
def test_every_stop_of_the_tab_key_can_be_seen(browser, server, page):
    driver = browser()
    guest = guest_of(driver, server)
    if page == "table":
        page = guest.post("/quick", {"game": "othello"}).headers["location"] + "?view=values"
    elif page == "/new/nim":
        guest.post("/new/nim/seats", {"do": "person", "name": "Ann"})
    driver.get(f"{server.url}{page}")
    if "values" in page:
        see(driver, ".worths")
    stops, unseen = 0, []
    keys(driver, Keys.TAB)
    while stops < 120 and not driver.execute_script(
        "return document.activeElement.matches('body')"
    ):
        unseen += filter(None, [driver.execute_script(CAN_BE_SEEN)])
        stops += 1
        keys(driver, Keys.TAB)
    assert not unseen, "\n".join(unseen)
    assert 10 < stops < 120
