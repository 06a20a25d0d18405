"""At the table: values by shape, word and figure; only the move moves, and nothing jumps."""

import pytest
from selenium.webdriver import Keys

from tests.faces.web.browser import press, see, shown, until
from tests.faces.web.visits import (
    begin,
    guest_of,
    is_live,
    open_menu,
    play,
)

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


def quick(driver, server, game):
    """A table against an easy bot, which lets the visitor begin."""
    made = guest_of(driver, server).post("/quick", {"game": game, "level": "easy"})
    return server.url + made.headers["location"]


def test_values_of_a_solved_game_are_exact(browser, server):
    driver = browser()
    driver.get(quick(driver, server, "nim"))
    press(driver, "#values")
    see(driver, ".worths")
    rows = [each.text for each in driver.find_elements("css selector", ".worths li")]
    assert len(rows) == 3 + 4 + 5
    assert [row.split("\n")[0] for row in rows if "win" in row] == ["2 from 1"]  # 3, 4, 5
    assert len(driver.find_elements("css selector", ".board .badge .shape.win")) == 1
    assert not driver.find_elements("css selector", ".estimate, .is-guess")
    see(driver, ".chart svg")
    see(driver, ".chart", "Start: win")
    press(driver, "a[href*='why=position']")
    assert see(driver, "#why pre").text.split("\n")[-1].split() == ["nim-sum", "2", "010"]
    see(driver, ".worths")
    press(driver, ".worths li a")
    see(driver, "#why h2", "Why 1 from 1?")
    assert len(see(driver, "#why p").text) > 20
    is_live(driver)
    driver.execute_async_script(SENT_ANEW)
    see(driver, "#why h2", "Why 1 from 1?")  # it stays, though only this page has asked for it
    play(driver, "2 from 1")
    until(driver, "no answer to what is past", lambda: not driver.find_elements("id", "why"))
    see(driver, "#turn", "Your move")
    see(driver, ".worths")


def test_values_of_othello_are_estimates_and_say_so(browser, server):
    driver = browser()
    driver.get(f"{quick(driver, server, 'othello')}?view=values")
    see(driver, ".side", "Values with ≈ are estimates")
    assert all("≈" in each.text for each in driver.find_elements("css selector", ".worths .worth"))
    assert len(driver.find_elements("css selector", ".board .badge .shape.is-guess")) == 4
    see(driver, ".legend", "outlined, ≈: an estimate")
    press(driver, "#values")
    until(driver, "a plain board", lambda: not driver.find_elements("css selector", ".badge"))


@pytest.mark.parametrize("motion", [True, False])
def test_a_move_is_seen_to_move_unless_somebody_would_rather_not(browser, server, motion):
    driver = browser(motion=motion)
    open_menu(driver, server, "othello", "Ann", "Bob")
    begin(driver)
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


def test_position_record_and_link_can_be_copied_and_pasted(browser, server):
    driver = browser()
    address = quick(driver, server, "nim")
    driver.get(address)
    press(driver, "#benedict > summary")
    starts = {"copy-position": "3,4,5:1", "copy-record": '{"game": "nim"', "share": address}
    for name, start in starts.items():
        press(driver, f"#{name}")
        see(driver, "#notice", "Copied.")
        field = see(driver, "#say-text")
        field.clear()
        field.send_keys(Keys.CONTROL, "v")
        assert field.get_property("value").startswith(start)
        until(driver, "the end of the message", lambda: not shown(driver, "#notice", "Copied."))
