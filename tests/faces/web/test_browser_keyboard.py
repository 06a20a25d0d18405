"""The keyboard alone: a whole game, and a focus that can be seen and is never lost."""

import pytest
from selenium.webdriver import Keys

from tests.faces.web.browser import keys, press, see, shown, tab_to, until
from tests.faces.web.visits import arrived, guest_of, is_live

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


def focus(driver):
    """The id of what has the focus, else its tag."""
    return driver.execute_script(
        "const held = document.activeElement; return held.id || held.tagName.toLowerCase()"
    )


def assert_seen(driver):
    __tracebackhide__ = True
    assert driver.execute_script(CAN_BE_SEEN) == "", "the focus is not to be seen"


def skip(driver):
    """Past what stands on every page, by the link that is first on it."""
    keys(driver, Keys.TAB)
    assert driver.execute_script("return document.activeElement.matches('.skip')")
    assert_seen(driver)
    keys(driver, Keys.ENTER)
    until(driver, "the page itself", lambda: focus(driver) == "main")


def walk(driver, target):
    """From square to square with the arrow keys."""
    places = "return ['column', 'row'].map(side => Number(arguments[0].dataset[side]))"
    square = driver.find_element("css selector", target)
    to_column, to_row = driver.execute_script(places, square)
    column, row = driver.execute_script(places, driver.switch_to.active_element)
    keys(
        driver,
        *[Keys.ARROW_RIGHT if to_column > column else Keys.ARROW_LEFT] * abs(to_column - column),
    )
    keys(driver, *[Keys.ARROW_DOWN if to_row > row else Keys.ARROW_UP] * abs(to_row - row))
    assert f"#{focus(driver)}" == target
    assert_seen(driver)


def test_a_whole_game_with_the_keyboard_alone(browser, server):
    driver = browser()
    driver.get(server.url)
    skip(driver)
    tab_to(driver, "#quick-tictactoe")
    assert_seen(driver)
    keys(driver, Keys.ENTER)
    see(driver, "#turn", "Your move")
    is_live(driver)
    skip(driver)
    tab_to(driver, "[id^=sq-]")
    moves = 0
    for press_key in (Keys.ENTER, Keys.SPACE) * 3:
        free = driver.find_elements("css selector", ".squares button[name]")
        if not free:
            break
        square = free[-1].get_attribute("id")
        walk(driver, f"#{square}")
        keys(driver, press_key)
        arrived(driver, moves := moves + 1, square.removeprefix("sq-"))
        until(
            driver,
            "an answer or the end",
            lambda: shown(driver, "#turn", "Your move") or shown(driver, "#rematch"),
        )
        moves += 1
        assert focus(driver) == square, "the focus stays where the move was made"
    see(driver, "#rematch")
    tab_to(driver, "#rematch")
    assert_seen(driver)
    keys(driver, Keys.ENTER)
    until(driver, "the next game", lambda: not driver.find_elements("css selector", "#rematch"))


def test_the_focus_comes_back_to_a_field_that_was_dead_for_a_while(browser, server):
    driver = browser()
    driver.get(server.url)
    tab_to(driver, "#quick-nim")
    keys(driver, Keys.ENTER)
    see(driver, "#turn", "Your move")
    arrived(driver, 1, "2 from 1")  # Benedict begins where that wins
    is_live(driver)
    tab_to(driver, "#amount-3")
    assert_seen(driver)
    for number in (2, 4):
        keys(driver, "1", Keys.ENTER)
        arrived(driver, number, "1 from 3")
        see(driver, "#turn", "Your move")
        arrived(driver, number + 1)
        assert focus(driver) == "amount-3"


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
    stops = 0
    keys(driver, Keys.TAB)
    while focus(driver) != "body" and stops < 120:
        assert_seen(driver)
        stops += 1
        keys(driver, Keys.TAB)
    assert 10 < stops < 120


def test_escape_closes_the_chat_and_gives_the_focus_back(browser, server):
    driver = browser()
    driver.get(f"{server.url}/new/nim")
    tab_to(driver, "#benedict > summary")
    assert_seen(driver)
    keys(driver, Keys.ENTER)
    see(driver, "#say-text")
    tab_to(driver, "#say-text")
    keys(driver, Keys.ESCAPE)
    until(driver, "the closed drawer", lambda: not shown(driver, "#say-text"))
    assert driver.execute_script("return document.activeElement.matches('#benedict > summary')")
    press(driver, "#benedict > summary")
    see(driver, "#say-text")
