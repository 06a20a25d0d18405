"""The old Nim's menu and settings in the browser: what can be pressed when, and what is refused."""

from tests.faces.web.browser import fill, press, see, shown, until
from tests.faces.web.visits import add_bot, add_person, open_menu, players


def pills(driver):
    """What stands in the lists of piles and endings."""
    return [each.text.split("\n")[0] for each in driver.find_elements("css selector", ".pill")]


def is_valid(driver, css):
    """Whether the browser would send what is in a field."""
    return driver.execute_script("return document.querySelector(arguments[0]).validity.valid", css)


def test_play_waits_for_somebody_and_again_when_all_are_gone(browser, server):
    driver = browser()
    open_menu(driver, server, "nim")
    assert not see(driver, "#play").is_enabled()
    add_person(driver, "Ann")
    assert see(driver, "#play").is_enabled()
    press(driver, "#remove-0")
    until(driver, "nobody", lambda: players(driver) == [])
    assert not see(driver, "#play").is_enabled()


def test_people_need_a_name_and_bots_are_told_from_them(browser, server):
    driver = browser()
    open_menu(driver, server, "nim")
    press(driver, "#add-person")
    assert players(driver) == []
    assert not is_valid(driver, "#person-name")
    fill(driver, "#person-name", "   ")  # the browser lets that through, the house does not
    press(driver, "#add-person")
    see(driver, "#notice", "Type a name first.")
    add_person(driver, "Rex")
    add_bot(driver, "Rex", "perfect")
    assert players(driver) == ["Rex", "Rex bot"]
    see(driver, ".player p", "perfect, level 10: perfect, rating")
    press(driver, "#up-1")
    until(driver, "the other order", lambda: players(driver) == ["Rex bot", "Rex"])


def test_a_bot_that_cannot_play_with_so_many_is_refused_before_the_game(browser, server):
    driver = browser()
    open_menu(driver, server, "nim", "Ann", "Bob")
    press(driver, "#remove-1")
    until(driver, "one", lambda: players(driver) == ["Ann"])
    add_bot(driver, "Rex", "perfect")
    add_person(driver, "Bob")
    see(driver, ".player p", "; cannot play this")
    press(driver, "#play")
    see(driver, "#notice", "remove Rex bot")


def test_settings_are_those_of_the_old_menu(browser, server):
    driver = browser()
    open_menu(driver, server, "nim")
    press(driver, "#settings")
    assert see(driver, "label:has([name=misere][value=yes]) input").is_selected()
    fill(driver, "#f-piles", "1x-2")
    assert driver.find_element("id", "f-piles").get_property("value") == "12", "digits only"
    fill(driver, "#f-piles", "0")
    press(driver, ".add button", "Add pile")
    assert not is_valid(driver, "#f-piles")
    fill(driver, "#f-piles", "7")
    press(driver, ".add button", "Add pile")
    until(driver, "the new pile", lambda: pills(driver) == ["3", "4", "5", "7"])
    fill(driver, "#f-endings", "3 and 1-2")
    press(driver, ".add button", "Add ending")
    until(driver, "the ending", lambda: pills(driver)[4:] == ["1, 2, 3"])
    press(driver, "button", "Add Defaults")  # adds those that are missing
    defaults = {"1, 2, 3", "2, 2, 2", "1, 1, 2, 2"}
    until(driver, "three endings", lambda: set(pills(driver)[4:]) == defaults)
    assert len(pills(driver)) == 7
    fill(driver, "#f-endings", "two")
    press(driver, ".add button", "Add ending")
    see(driver, "#notice", "has no digits")
    press(driver, "#drop-piles-0")
    until(driver, "three piles", lambda: pills(driver)[:3] == ["4", "5", "7"])
    press(driver, "label:has([name=misere][value=no])")
    press(driver, "#keep-rules")
    until(driver, "standard rules", lambda: see(driver, "[name=misere][value=no]").is_selected())
    press(driver, "#return")
    see(driver, "h1", "Nim with 4, 5 and 7 coins")
    assert shown(driver, "h1", "Misère") is None
