"""At a table: several browsers, agreements, clocks, values, what moves, and the focus."""

import pytest
from selenium.webdriver import Keys

from tests.faces.web.browser import (
    DESKTOP,
    PHONE,
    fill,
    keys,
    press,
    see,
    shot,
    shown,
    tab_to,
    until,
)
from tests.faces.web.house import Guest
from tests.faces.web.test_browser import focus
from tests.faces.web.visits import (
    arrived,
    begin,
    guest_of,
    is_live,
    open_menu,
    play,
    players,
    set_up_table,
    sit,
    table_of,
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


def test_a_third_browser_only_watches(browser, server):
    ann, eve = browser(), browser()
    address = table_of(server, "tictactoe")
    sit(ann, address, 0, "Ann")
    share = see(ann, "#share").get_attribute("data-copy")
    assert address.endswith(share)
    table = address.removeprefix(server.url)
    bob = Guest(server.port)
    bob.get("/docs")
    assert bob.post(f"{table}/sit", {"seat": 1, "name": "Bob"}).status == 303
    eve.get(address)
    is_live(eve)
    play(ann, "b2")
    arrived(eve, 1, "b2")
    assert "X" in see(eve, "#sq-b2").get_attribute("aria-label")
    bob.post(f"{table}/move", {"move": "a1", "at": 1})
    for each in (ann, eve):
        arrived(each, 2, "a1")
    assert players(eve) == ["Ann", "Bob"]
    assert not eve.find_elements("css selector", ".board form, #undo, #resign, [id^=sit-]")
    watcher = Guest(server.port, cookie=eve.get_cookie("parlour")["value"])
    refused = watcher.send(f"{table}/move", {"move": "c3", "at": 2})
    assert (refused.status, refused.said[:18]) == (403, "You have no seat a")


def test_a_move_is_taken_back_by_agreement(browser, server):
    ann, bob = browser(), browser()
    address = table_of(server, "tictactoe")
    sit(ann, address, 0, "Ann")
    sit(bob, address, 1, "Bob")
    play(ann, "b2")
    press(ann, "#undo")
    see(ann, ".offer", "You asked to take back a move.")
    see(bob, ".offer", "Ann wants to take back a move.")
    press(bob, "#decline")
    until(ann, "no offer", lambda: not ann.find_elements("css selector", ".offer *"))
    arrived(ann, 1, "b2")
    press(ann, "#undo")
    press(bob, "#agree")
    for each in (ann, bob):
        see(each, ".played", "No moves yet.")
    play(ann, "a1")
    arrived(bob, 1, "a1")


def test_a_player_without_time_left_has_lost(browser, server):
    bob, ann = browser(), Guest(server.port)
    address = table_of(server, "tictactoe", clock=[1, 0])
    table = address.rpartition("/")[2]
    ann.token = ann.call(f"/tables/{table}/seats/0", {"name": "Ann"}).json["token"]
    sit(bob, address, 1, "Bob")
    see(bob, "#turn", "Bob wins.\nAnn ran out of time.")
    assert [each.text for each in bob.find_elements("css selector", "[data-clock]")] == [
        "0.0",
        "1.0",
    ]


def test_a_table_between_bots_is_watched_from_the_lobby(browser, server):
    driver = browser()
    driver.get(server.url)
    is_live(driver)
    bots = [{"kind": "bot", "name": name, "bot": "random"} for name in ("Tom", "Tim")]
    table = table_of(server, "othello", bots).removeprefix(server.url)
    press(driver, f"a[href='{table}']", "Watch")  # the lobby hears of it by itself
    arrived(driver, 1)
    arrived(driver, 2)
    assert shown(driver, "#resign") is None


def test_two_are_paired_see_each_other_agree_on_a_draw_and_play_again(browser, server):
    ann, bob = browser(), browser()
    ann.get(server.url)
    press(ann, "#pair-tictactoe")
    see(ann, "h1", "Waiting for somebody to play")
    is_live(ann)
    bob.get(server.url)
    press(bob, "#pair-tictactoe")
    until(bob, "a table", lambda: "/tables/" in bob.current_url)
    until(ann, "the same table", lambda: ann.current_url == bob.current_url)
    first = ann.current_url
    for each in (ann, bob):
        see(each, ".presence.here", "here")
    press(ann, "#draw")
    see(ann, ".offer", "You offered a draw.")
    see(bob, ".offer", "offers a draw.")
    press(bob, "#agree")
    for each in (ann, bob):
        see(each, "#turn", "It’s a draw.\nA draw by agreement.")
    press(bob, "#rematch")
    see(ann, ".offer", "offers a rematch.")
    press(ann, "#agree")
    until(ann, "the next game", lambda: ann.current_url != first)
    until(bob, "the next game", lambda: bob.current_url == ann.current_url)
    bob.get(server.url)
    see(ann, ".presence.reconnecting", "reconnecting")


# The board


def test_othello_on_four_by_four_with_a_pass(browser, server):
    driver = browser()
    open_menu(driver, server, "othello", "Ann", "Bob")
    press(driver, "#settings")
    fill(driver, "#f-columns", "4")
    fill(driver, "#f-rows", "4")
    press(driver, "#keep-rules")
    press(driver, "#return")
    begin(driver)
    play(driver, "b1", "c1", "d1", "a1", "a3")
    see(driver, ".board .why", "No legal square")
    play(driver, "pass", "d4")
    see(driver, "#turn", "Ann wins by 14.")


def test_a_split_is_made_by_pressing_both_hands(browser, server):
    """From 1 and 4 there are several: 2 and 3 among them."""
    driver = browser(PHONE)
    driver.get(f"{server.url}/analyse/chopsticks/walk?position=1,4:1,1:1")
    press(driver, "#hand-left")
    press(driver, "#both-left")
    shot(driver, "chopsticks-both-hands-are-chosen")
    press(driver, "#press-left-split-2-3")
    see(driver, ".turn", "1.")


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


def test_record_and_link_are_copied_and_pasted(browser, server):
    driver = browser()
    address = quick(driver, server, "nim")
    driver.get(address)
    press(driver, "#benedict > summary")
    for name, start in {"copy-record": '{"game": "nim"', "share": address}.items():
        press(driver, f"#{name}")
        see(driver, "#notice", "Copied.")
        field = see(driver, "#say-text")
        field.clear()
        field.send_keys(Keys.CONTROL, "v")
        assert field.get_property("value").startswith(start)
        until(driver, "the end of the message", lambda: not shown(driver, "#notice", "Copied."))


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_opening_is_named_and_nothing_moves(browser, server, size):
    """Whatever answers f5, two moves have one of three names."""
    driver = browser(size)
    made = guest_of(driver, server).post("/quick", {"game": "othello"})
    driver.get(server.url + made.headers["location"])
    see(driver, "#opening", "Opening: no name yet")
    board = "return document.querySelector('.tabletop').getBoundingClientRect().top + scrollY"
    before = driver.execute_script(board)
    play(driver, "f5")
    see(driver, "#turn", "Your move")
    named = see(driver, "#opening")
    assert named.text.removeprefix("Opening: ") in ("Diagonal", "Parallel", "Perpendicular")
    assert driver.execute_script(board) == before
    assert named.rect["y"] + named.rect["height"] < size[1]


# The focus


def test_the_focus_comes_back_to_a_field_that_was_disabled_for_a_while(browser, server):
    driver = browser()
    driver.get(server.url)
    tab_to(driver, "#quick-nim")
    keys(driver, Keys.ENTER)
    see(driver, "#turn", "Your move")
    arrived(driver, 1, "2 from 1")  # Benedict begins where that wins
    is_live(driver)
    tab_to(driver, "#amount-3")
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
