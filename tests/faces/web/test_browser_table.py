"""At the table: values by shape, word and figure; only the move moves, and nothing jumps."""

import pytest
from selenium.webdriver import Keys

from tests.faces.web.browser import DESKTOP, PHONE, press, see, until
from tests.faces.web.visits import (
    add_bot,
    arrived,
    begin,
    guest_of,
    is_live,
    open_menu,
    place,
    play,
    resign,
    sit,
    table_of,
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
    """A table against a bot, the visitor to move."""
    made = guest_of(driver, server).post("/quick", {"game": game})
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
    see(driver, ".side", "Estimates (≈) are no proofs")
    assert all("≈" in each.text for each in driver.find_elements("css selector", ".worths .worth"))
    assert len(driver.find_elements("css selector", ".board .badge .shape.is-guess")) == 4
    see(driver, ".legend", "outlined, ≈: an estimate")
    press(driver, "#values")
    until(driver, "a plain board", lambda: not driver.find_elements("css selector", ".badge"))


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_the_board_stays_where_it_is(browser, server, size):
    driver = browser(size)
    open_menu(driver, server, "nim", "Ann")
    add_bot(driver, "Rex", "perfect")
    address = begin(driver)
    is_live(driver)
    before = place(driver, ".board")
    play(driver, "1 from 3")
    see(driver, "#ok")
    assert place(driver, ".board") == pytest.approx(before, abs=1), "an announcement"
    press(driver, "#ok")
    see(driver, "#turn", "Your move")
    assert place(driver, ".board") == pytest.approx(before, abs=1), "the next turn"
    driver.get(f"{address}?view=values")
    assert place(driver, ".board") == pytest.approx(before, abs=1), "values are on their way"
    see(driver, ".worths")
    assert place(driver, ".board") == pytest.approx(before, abs=1), "values"
    resign(driver)
    see(driver, "#back-to-menu")
    assert place(driver, ".board") == pytest.approx(before, abs=1), "the end"


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_the_board_stays_where_it_is_when_something_is_offered(browser, server, size):
    ann, bob = browser(size), browser(size)
    address = table_of(server, "tictactoe", clock=[600, 0])
    sit(ann, address, 0, "Ann")
    before = place(ann, ".board")
    sit(bob, address, 1, "Bob")
    see(ann, "#turn", "Your move")
    assert place(ann, ".board") == pytest.approx(before, abs=1), "somebody sits down"
    play(ann, "b2")
    arrived(bob, 1)
    assert place(bob, ".board") == pytest.approx(before, abs=1), "a move"
    press(ann, "#undo")
    see(bob, ".offer", "Ann would like")
    for each in (ann, bob):
        assert place(each, ".board") == pytest.approx(before, abs=1), "an offer"


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
        press(driver, "[data-close]")
