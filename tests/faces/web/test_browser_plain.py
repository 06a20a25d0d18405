"""Scripts off: forms alone play a whole game, talk, change settings and follow a tournament."""

from tests.faces.web.browser import PHONE, fill, press, see, until
from tests.faces.web.visits import add_bot, add_person, guest_of, players, table_of


def test_a_whole_game_against_a_bot_by_forms_only(browser, server):
    driver = browser(PHONE, scripts=False)
    driver.get(f"{server.url}/new/nim/settings")
    press(driver, "#drop-piles-2")
    press(driver, "#return")
    add_person(driver, "Ann")
    add_bot(driver, "Rex", "perfect")
    press(driver, "#play")
    see(driver, "#turn", "Your move")
    fill(driver, "#amount-2", "2")
    press(driver, "#take-2")  # 3 and 2 are left, and to win one must leave 2 and 2
    see(driver, "#turn", "Rex bot takes 1 from pile 1.")  # shown again until the bot has moved
    press(driver, "#ok")
    see(driver, "#turn", "Your move")
    fill(driver, "#amount-1", "2")
    press(driver, "#take-1")  # 0 and 2: leave her the last
    see(driver, "#turn", "Rex bot takes 1 from pile 2.")
    press(driver, "#ok")
    press(driver, "#take-2")
    see(driver, "#turn", "Rex bot wins.")
    press(driver, "#back-to-menu")
    see(driver, "#play:enabled")
    assert players(driver) == ["Ann", "Rex bot"]


def test_a_page_that_waits_for_somebody_shows_the_move_by_itself(browser, server):
    driver = browser(scripts=False)
    other = guest_of(driver, server)
    address = table_of(server, "tictactoe")
    table = address.removeprefix(server.url)
    other.token, other.cookie = "", ""
    other.get("/docs")
    assert other.post(f"{table}/sit", {"seat": 0, "name": "Bob"}).status == 303
    driver.get(address)
    fill(driver, "#sit-1", "Ann")
    press(driver, "#sit-down-1")
    see(driver, "#turn", "Bob to move")
    other.post(f"{table}/move", {"move": "b2", "at": 0})
    see(driver, "#turn", "Your move")
    see(driver, ".played li", "b2")


def test_a_refused_form_says_why_and_the_page_can_be_used_on(browser, server):
    driver = browser(scripts=False)
    driver.get(f"{server.url}/new/nim")
    fill(driver, "#person-name", "   ")
    press(driver, "#add-person")
    see(driver, "#notice", "Type a name first.")
    press(driver, "#benedict > summary")
    fill(driver, "#say-text", "hello")
    press(driver, "#say .button")
    see(driver, ".said.you", "hello")
    assert driver.current_url.startswith(f"{server.url}/new/nim#")
    add_person(driver, "Ann")


def test_settings_without_scripts(browser, server):
    driver = browser(scripts=False)
    driver.get(f"{server.url}/new/nim/settings")
    fill(driver, "#f-piles", "9")
    press(driver, ".add button", "Add pile")
    see(driver, ".pill", "9")
    press(driver, "label:has([name=misere][value=no])")
    press(driver, "#keep-rules")
    see(driver, ".lead", "Nim with 3, 4, 5 and 9 coins")
    press(driver, "label:has([name=pace][value=self])")
    press(driver, "#keep-table")
    until(driver, "the pace", lambda: see(driver, "[name=pace][value=self]").is_selected())
    press(driver, "#return")
    see(driver, "h1", "Nim with 3, 4, 5 and 9 coins")


def test_a_tournament_is_followed_without_scripts(browser, server):
    driver = browser(scripts=False)
    driver.get(f"{server.url}/tournaments?game=sticks")
    for kind in ("perfect", "random"):
        press(driver, f".choice-list label:has([value='{kind}'])")
    press(driver, "#begin")
    see(driver, ".progress", "4 of 4", seconds=20)
    see(driver, ".tag", "finished")
    press(driver, ".crosstable a")  # to the games of these two
    press(driver, ".rows a", "Open")
    see(driver, "#turn", "wins")


def test_benedict_answers_without_scripts(browser, server):
    driver = browser(PHONE, scripts=False)
    driver.get(f"{server.url}/tournaments")
    press(driver, "#benedict > summary")
    fill(driver, "#say-text", "Let's play nim")
    press(driver, "#say .button")
    see(driver, ".said.you", "Let's play nim")  # his drawer is open on the page that comes back
    see(driver, ".said.benedict:last-child")
    assert driver.current_url.startswith(f"{server.url}/tournaments")
    choice = see(driver, "#choices button").text
    press(driver, "#choices button")
    see(driver, ".said.you", choice)
