"""Each section of the site once in a real browser: what needs scripts, a mouse, keys, two windows.

What a page says is checked in process, by the tests of its section; every size, look and language
is left to `make test-long`. One file, so that one worker starts one server and few browsers.
"""

from urllib.parse import parse_qs, urlsplit

import pytest
from selenium.webdriver import Keys

from tests.faces.web.axe import barriers
from tests.faces.web.browser import (
    DESKTOP,
    PHONE,
    expect_no_shift,
    fill,
    keys,
    press,
    see,
    shot,
    shown,
    tab_to,
    until,
)
from tests.faces.web.visits import (
    SHORT_GAMES,
    add_bot,
    add_person,
    arrived,
    begin,
    guest_of,
    is_live,
    play,
    players,
    resign,
    set_up_table,
    sit,
    table_of,
)

ENDS = {
    "sticks": "Bob wins.",  # the one who takes the last stick loses, and Ann has
    "chopsticks": "Bob wins.",
    "tictactoe": "Ann wins.",
    "othello": "Ann wins by 64.",  # no white disc is left, and the empty squares are hers
}


def lines_by(driver, who):
    """All lines of "you" or of "benedict", without the name that is only read aloud."""
    lines = driver.find_elements("css selector", f".said.{who}")
    return [each.get_property("textContent").partition(": ")[2] for each in lines]


def say(driver, text):
    """Type a line where the focus is, and wait for the answer."""
    before = len(lines_by(driver, "benedict"))
    keys(driver, text, Keys.ENTER)
    until(driver, "his answer", lambda: "…" not in lines_by(driver, "benedict")[before:] != [])


def content(driver, css, of="textContent"):
    """What an element holds, in one question, for a live page may replace it between two."""
    return driver.execute_script(f"return document.querySelector(arguments[0]).{of}", css)


def focus(driver):
    """The id of what has the focus."""
    return driver.execute_script("return document.activeElement.id")


def walk(driver, target):
    """Go from square to square with the arrow keys."""
    places = "return ['column', 'row'].map(side => Number(arguments[0].dataset[side]))"
    to_column, to_row = driver.execute_script(places, driver.find_element("id", target))
    column, row = driver.execute_script(places, driver.switch_to.active_element)
    across = Keys.ARROW_RIGHT if to_column > column else Keys.ARROW_LEFT
    along = Keys.ARROW_DOWN if to_row > row else Keys.ARROW_UP
    keys(driver, *[across] * abs(to_column - column), *[along] * abs(to_row - row))
    assert focus(driver) == target


def expect_no_barriers(driver, name):
    """Look at the page as it is now, and keep a picture of it."""
    __tracebackhide__ = True
    shot(driver, name)
    assert barriers(driver) == []


def wait_for_results(driver):
    """Wait until no part of the page is still being worked out."""
    until(driver, "all of it", lambda: not driver.find_elements("css selector", "[data-again]"))


def test_nim_is_set_up_played_against_a_bot_and_set_up_again(browser, server):
    driver = browser()
    driver.get(server.url)
    expect_no_barriers(driver, "lobby")
    press(driver, "a[href='/new/nim']")
    assert not see(driver, "#play").is_enabled()
    fill(driver, "#person-name", "   ")  # the browser lets that through, the site does not
    press(driver, "#add-person")
    see(driver, "#notice", "Type a name first.")
    add_person(driver, "Ann")
    see(driver, "#level-perfect").send_keys(Keys.ARROW_LEFT)
    see(driver, "#level-perfect-now", "9:")
    see(driver, "#level-perfect").send_keys(Keys.ARROW_RIGHT)
    see(driver, "#level-perfect-now", "10: perfect")
    add_bot(driver, "Rex", "perfect")
    press(driver, "#up-1")
    until(driver, "the other order", lambda: players(driver) == ["Rex bot", "Ann"])
    expect_no_barriers(driver, "menu")
    press(driver, "#settings")
    fill(driver, "#f-piles", "1x-2")
    assert content(driver, "#f-piles", "value") == "12", "digits only"
    press(driver, "#drop-piles-2")
    until(driver, "two piles", lambda: len(driver.find_elements("css selector", ".pill")) == 2)
    press(driver, "#return")
    begin(driver)
    see(driver, "#turn", "Rex bot takes 1 from pile 2.")  # the only move that wins
    assert shown(driver, "#take-1:enabled") is None
    moves = 1
    while shown(driver, "#ok"):
        press(driver, "#ok")
        see(driver, "#turn", "Your move")
        press(driver, ".take .move:enabled")
        arrived(driver, moves := moves + 1)
        until(driver, "an answer or the end", lambda: shown(driver, "#ok, #back-to-menu"))
        moves += 1
    see(driver, "#turn", "Rex bot wins.")  # Ann had to take the last
    press(driver, "#back-to-menu")
    see(driver, "#play:enabled")
    assert players(driver) == ["Rex bot", "Ann"]
    press(driver, "#settings")
    piles = [see(driver, f".pill:has(#drop-piles-{number})").text[:1] for number in (0, 1)]
    assert piles == ["3", "4"]


@pytest.mark.parametrize("game", SHORT_GAMES)
def test_a_whole_game_is_played_by_mouse(browser, server, game):
    driver = browser()
    at = set_up_table(guest_of(driver, server), game)
    driver.get(server.url + at)
    see(driver, "#turn", "Your move, Ann")
    play(driver, SHORT_GAMES[game][0])
    expect_no_barriers(driver, game)
    play(driver, *SHORT_GAMES[game][1:])
    see(driver, "#turn", ENDS[game])
    expect_no_shift(driver)
    assert not driver.find_elements("css selector", ".board form")


def test_a_hand_is_put_back_and_enter_only_chooses_one(browser, server):
    driver = browser(PHONE)
    driver.get(f"{server.url}/analyse/chopsticks/walk")
    press(driver, "#hand-left")
    press(driver, "#put-back-left")
    see(driver, "#hand-left:not(:checked)")
    driver.refresh()
    tab_to(driver, "#hand-left")
    keys(driver, Keys.ENTER)  # which must not play the first move that there is
    see(driver, "#hand-left:checked")
    tab_to(driver, "#press-left-hit-left-right")
    keys(driver, Keys.ENTER)
    see(driver, ".turn", "1.")
    assert parse_qs(urlsplit(driver.current_url).query)["moves"] == ["hit left right"]


def test_a_whole_game_with_the_keyboard_alone(browser, server):
    driver = browser()
    driver.get(server.url)
    keys(driver, Keys.TAB, Keys.ENTER)  # the first link goes past what stands on every page
    until(driver, "main", lambda: focus(driver) == "main")
    tab_to(driver, "#quick-tictactoe")
    keys(driver, Keys.ENTER)
    see(driver, "#turn", "Your move")
    is_live(driver)
    tab_to(driver, "[id^=sq-]")
    for number in range(1, 10, 2):
        free = driver.find_elements("css selector", ".squares button[name]")
        if not free:
            break
        square = free[-1].get_attribute("id")
        walk(driver, square)
        keys(driver, Keys.ENTER if number % 4 == 1 else Keys.SPACE)
        arrived(driver, number, square.removeprefix("sq-"))
        until(
            driver,
            "an answer or the end",
            lambda: shown(driver, "#turn", "Your move") or shown(driver, "#rematch"),
        )
        assert focus(driver) == square, "the focus stays where the move was made"
    see(driver, "#rematch")
    tab_to(driver, "#rematch")
    keys(driver, Keys.ENTER)
    until(driver, "the next game", lambda: not driver.find_elements("css selector", "#rematch"))


def test_values_are_explained_and_the_position_and_the_link_are_copied(browser, server):
    driver = browser()
    address = server.url + set_up_table(guest_of(driver, server), "nim")
    driver.get(address)
    press(driver, "#values")
    see(driver, ".worths")
    rows = [each.text for each in driver.find_elements("css selector", ".worths li")]
    assert len(rows) == 3 + 4 + 5
    assert [row.split("\n")[0] for row in rows if "win" in row] == ["2 from 1"]  # 3, 4, 5
    assert len(driver.find_elements("css selector", ".board .badge .shape.win")) == 1
    see(driver, ".chart", "Start: win")
    press(driver, "a[href*='why=position']")
    see(driver, "#why pre", "nim-sum")
    assert content(driver, "#why pre").split("\n")[-1].split() == ["nim-sum", "2", "010"]
    press(driver, "#benedict > summary")
    for button, text in {"copy-position": "3,4,5:1", "share": address}.items():
        press(driver, f"#{button}")
        see(driver, "#notice", "Copied.")
        fill(driver, "#say-text", Keys.CONTROL + "v")
        assert content(driver, "#say-text", "value") == text
        until(driver, "no message", lambda: not shown(driver, "#notice", "Copied."))
    press(driver, ".sounds label")
    driver.refresh()
    see(driver, "#sounds:checked")


def test_two_people_play_while_the_server_is_killed_and_begin_again(browser, server):
    ann, bob = browser(), browser()
    address = table_of(server, "nim", clock=[3600, 0])
    sit(ann, address, 0, "Ann")
    see(ann, "#turn", "Waiting for a player")
    sit(bob, address, 1, "Bob")
    see(ann, "#turn", "Your move")  # without anything done in this browser
    for each in (ann, bob):
        see(each, ".presence.here", "here")
    see(bob, ".side", "Values are hidden while two people play.")
    shows = content(ann, "[data-clock]")
    until(ann, "a clock that runs", lambda: content(ann, "[data-clock]") != shows)
    press(ann, "#take-1-2")  # the second counter from the end takes it and all after it
    arrived(bob, 1, "2 from 1")
    fill(bob, "#amount-3", "4")
    server.kill()
    for each in (ann, bob):
        see(each, "#connection", "Reconnecting…")
    press(bob, "#take-3")
    see(bob, "#notice", "The server did not answer. Please try again in a moment.")
    server.start()
    for each in (ann, bob):
        is_live(each)
    assert content(bob, "#amount-3", "value") == "4"
    press(bob, "#take-3")
    arrived(ann, 2, "4 from 3")
    resign(ann)
    see(bob, "#turn", "Bob wins.\nAnn resigned.")
    press(bob, "#rematch")
    see(ann, ".offer", "Bob offers a rematch.")
    press(ann, "#agree")
    for each in (ann, bob):
        until(each, "the next game", lambda each=each: each.current_url != address)
    see(bob, "#turn", "Your move")
    assert bob.current_url == ann.current_url


def test_without_scripts_a_game_is_played_and_benedict_answers(browser, server):
    driver = browser(PHONE, scripts=False)
    driver.get(f"{server.url}/new/nim/settings")
    press(driver, "#drop-piles-2")
    press(driver, "#return")
    add_person(driver, "Ann")
    add_bot(driver, "Rex", "perfect")
    press(driver, "#play")
    fill(driver, "#amount-2", "2")
    press(driver, "#take-2")  # 3 and 2 are left, and to win one must leave 2 and 2
    see(driver, "#turn", "Rex bot takes 1 from pile 1.")  # shown again until the bot has moved
    press(driver, "#ok")
    fill(driver, "#amount-1", "2")
    press(driver, "#take-1")  # 0 and 2: leave her the last
    see(driver, "#turn", "Rex bot takes 1 from pile 2.")
    press(driver, "#ok")
    press(driver, "#take-2")
    see(driver, "#turn", "Rex bot wins.")
    press(driver, "#benedict > summary")
    fill(driver, "#say-text", "Let's play nim")
    press(driver, "#say .button")
    see(driver, ".said.you", "Let's play nim")  # his drawer is open on the page that comes back
    choice = see(driver, "#choices button").text
    press(driver, "#choices button")
    see(driver, ".said.you", choice)


def test_benedict_is_talked_to_without_leaving_the_page(browser, server):
    driver = browser()
    driver.get(f"{server.url}/tournaments")
    driver.execute_script("window.stayed = true")
    press(driver, "#benedict > summary")
    press(driver, "#say-text")
    say(driver, "<b>hello</b> & <script>")
    assert focus(driver) == "say-text", "one can type on"
    assert content(driver, "#say-text", "value") == ""
    say(driver, "let's play nim")
    press(driver, "#choices button", "3 4 5")
    see(driver, "#choices button", "hint")  # one can play with him there
    said = ["<b>hello</b> & <script>", "let's play nim", "3 4 5"]
    assert lines_by(driver, "you") == said
    assert driver.execute_script("return window.stayed")
    driver.get(f"{server.url}/docs")  # he comes along, and remembers
    see(driver, "#choices button", "hint")
    assert lines_by(driver, "you") == said
    expect_no_barriers(driver, "talk")
    press(driver, "#say-text")
    keys(driver, Keys.ESCAPE)
    until(driver, "the closed drawer", lambda: not shown(driver, "#say-text"))
    assert driver.execute_script("return document.activeElement.matches('#benedict > summary')")


def test_a_puzzle_is_answered_on_the_board(browser, server):
    driver = browser()
    driver.get(f"{server.url}/puzzles")
    press(driver, "#solve-tictactoe")
    see(driver, "#goal")
    expect_no_barriers(driver, "puzzle")
    fill(driver, "#typed-move", "z9")
    press(driver, ".under .add button")
    see(driver, "#notice", "z9")
    press(driver, "#show")
    see(driver, ".panel", "The answer:")
    press(driver, "#next")
    see(driver, "#typed-move")
    press(driver, ".squares button[name]")
    see(driver, ".panel .verdict")


def test_a_review_is_walked_with_arrow_keys_and_fills_in_by_itself(browser, server):
    driver = browser()
    driver.get(f"{server.url}/analyse/tictactoe/walk?moves=a1,b1,a2,a3,b2,c3,c2&at=1&by=Ann&by=Ben")
    see(driver, ".turn", "1. Ann: a1")
    keys(driver, Keys.ARROW_RIGHT)
    see(driver, ".turn", "2. Ben: b1")
    keys(driver, Keys.ARROW_LEFT)
    see(driver, ".turn", "1. Ann: a1")
    press(driver, ".mistakes a")
    see(driver, ".turn", "2. Ben: b1")
    press(driver, "#sq-b2")
    see(driver, ".turn", "3. Ann: b2")
    assert "moves=a1,b1,b2&at=3" in driver.current_url
    driver.get(f"{server.url}/analyse/othello/walk?moves=f5,d6,c3,d3,c4,f4,f6,f3&at=4")
    see(driver, "#looked")
    driver.execute_script("scrollTo(0, 300)")
    board = "return document.querySelector('#board').getBoundingClientRect().top"
    before = driver.execute_script(board)
    wait_for_results(driver)
    assert driver.execute_script(board) == before
    see(driver, ".walk li:last-child .verdict")
    expect_no_barriers(driver, "review")


def test_moves_are_explored_and_a_study_is_written_with_the_keyboard_alone(browser, server):
    driver = browser()
    driver.get(f"{server.url}/explorer/tictactoe")
    press(driver, "#sq-b2")
    see(driver, "[aria-current=page]", "b2")
    wait_for_results(driver)
    expect_no_barriers(driver, "explorer")
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
    expect_no_barriers(driver, "study")
    keys(driver, Keys.ARROW_LEFT)
    see(driver, ".turn", "1. Player 1 (X): a1")


def test_in_the_lab_a_rule_is_changed_and_moves_are_tried(browser, server):
    driver = browser()
    driver.get(f"{server.url}/lab/tictactoe")
    fill(driver, "#f-line", "2")
    wait_for_results(driver)
    see(driver, "#answer", "A draw with best play")
    assert content(driver, "#f-line", "value") == "2"
    press(driver, "#rules button", "See who wins")
    until(driver, "another rule", lambda: "line=2" in driver.current_url)
    see(driver, "#answer", "The first player wins")
    press(driver, "#sq-b2")
    see(driver, "#explore", "After b2")
    expect_no_barriers(driver, "lab")


def test_hats_learn_before_ones_eyes_and_are_opened(browser, server):
    driver = browser()
    driver.get(f"{server.url}/school?game=sticks")
    fill(driver, "#f-games", "2000")
    press(driver, "#begin")
    see(driver, "#games", "2,000 of 2,000")  # live, without anything done here
    see(driver, ".hats")
    press(driver, ".hats a")
    see(driver, "#open .balls")
    expect_no_barriers(driver, "hats")
    press(driver, "#play")
    see(driver, "#turn", "Your move")


def test_a_lesson_by_keyboard_and_on_a_phone_without_scripts(browser, server):
    teacher, phone = browser(DESKTOP), browser(PHONE, scripts=False)
    teacher.get(f"{server.url}/classes")
    tab_to(teacher, "#f-name")
    keys(teacher, "7b", Keys.ENTER)
    code = see(teacher, "#code").text
    phone.get(f"{server.url}/classes")
    fill(phone, "#f-code", code)
    press(phone, "[action='/classes/join'] button", "Next")
    fill(phone, ":has(> [name=code]) [name=name]", "Ida")
    press(phone, "button", "Join")
    see(phone, "#wait")
    see(teacher, ".pupils", "Ida")
    see(teacher, "#present", "1 of 1")
    for css in ("#next-position", "a[href$='/position/sticks']", "#ask"):
        see(teacher, css)
        tab_to(teacher, css)
        keys(teacher, Keys.ENTER)
    see(teacher, "#answered")
    see(phone, "#typed-move")  # the page without scripts has asked again by itself
    fill(phone, "#typed-move", "1")
    press(phone, "form.add button")
    see(phone, "#step", "You answered")
    see(teacher, ".progress", "1 of 1")
    tab_to(teacher, "#show-truth")
    keys(teacher, Keys.ENTER)
    see(teacher, "#truth")
    expect_no_barriers(teacher, "class")
    see(phone, "#truth")


def test_a_tournament_fills_its_table_by_itself(browser, server):
    driver = browser()
    driver.get(f"{server.url}/tournaments?game=sticks")
    for kind in ("perfect", "random"):
        press(driver, f".choice-list label:has([value='{kind}'])")
    press(driver, "#begin")
    see(driver, ".progress", "4 of 4")
    see(driver, ".tag", "finished")
    expect_no_barriers(driver, "tournament")
    press(driver, ".crosstable a")  # to the games of these two
    press(driver, ".rows a", "Open")
    see(driver, "#turn", "wins")
