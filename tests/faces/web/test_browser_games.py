"""A whole game of each kind by mouse, from the lobby to the end and back to the menu."""

import pytest

from tests.faces.web.browser import fill, press, see, shown, until
from tests.faces.web.visits import add_bot, arrived, begin, open_menu, play, players

# The shortest games there are, found by a search; the Othello of nine moves is an old one.
SHORT = {
    "sticks": "2 3 3 3 3 3 3",
    "chopsticks": "hit left left, hit left left, split 0 4, hit left right",
    "tictactoe": "a1 b1 a2 c1 a3",
    "othello": "f5 d6 c5 f4 e7 f6 g5 e6 e3",
}
ENDS = {
    "sticks": "Bob wins.",  # whoever takes the last stick loses, and Ann has
    "chopsticks": "Bob wins.",
    "tictactoe": "Ann wins.",
    "othello": "Ann wins by 64.",  # no white disc is left, and the empty squares are hers
}


@pytest.mark.parametrize("game", SHORT)
def test_a_whole_game_by_mouse(browser, server, game):
    driver = browser()
    open_menu(driver, server, game, "Ann", "Bob")
    begin(driver)
    assert driver.find_element("css selector", "#turn").text.startswith("Your move, Ann")
    line = SHORT[game]
    play(driver, *(line.split(", ") if ", " in line else line.split()))
    see(driver, "#turn", ENDS[game])
    assert not driver.find_elements("css selector", ".board form")
    press(driver, "#back-to-menu")
    see(driver, "#play")
    assert players(driver) == ["Ann", "Bob"]


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
    press(driver, "#back-to-menu")
    press(driver, "#settings")
    assert [
        driver.find_element("id", f"f-{side}").get_property("value") for side in ("columns", "rows")
    ] == ["4", "4"]


def test_nim_between_two_people_and_back_to_the_menu_with_everything_kept(browser, server):
    driver = browser()
    open_menu(driver, server, "nim", "Ann", "Bob")
    press(driver, "#settings")
    press(driver, "#drop-piles-2")
    until(driver, "two piles", lambda: len(driver.find_elements("css selector", ".pill")) == 2)
    press(driver, "#return")
    begin(driver)
    play(driver, "2 from 1")
    press(driver, "#take-2-3")  # the third counter from the end takes it and all after it
    arrived(driver, 2, "3 from 2")
    play(driver, "1 from 1", "1 from 2")
    see(driver, "#turn", "Ann wins.")  # misère: Bob had to take the last
    press(driver, "#back-to-menu")
    see(driver, "#play:enabled")
    assert players(driver) == ["Ann", "Bob"]
    press(driver, "#settings")
    see(driver, ".pill")
    assert [each.text.split("\n")[0] for each in driver.find_elements("css selector", ".pill")] == [
        "3",
        "4",
    ]


def test_nim_against_a_bot_that_announces_and_waits_for_ok(browser, server):
    driver = browser()
    open_menu(driver, server, "nim")
    add_bot(driver, "Rex", "perfect")
    fill(driver, "#person-name", "Ann")
    press(driver, "#add-person")
    begin(driver)
    see(driver, "#turn", "Rex bot takes 2 from pile 1.")  # the only move that wins
    assert shown(driver, "#take-2:enabled") is None
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
    assert players(driver) == ["Rex bot", "Ann"]
