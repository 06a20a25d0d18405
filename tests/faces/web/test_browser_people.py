"""Several browsers at one table, what each may do there, and a server that is gone for a while."""

from tests.faces.web.browser import fill, press, see, shown, until
from tests.faces.web.house import Guest
from tests.faces.web.visits import (
    arrived,
    begin,
    is_live,
    open_menu,
    play,
    players,
    resign,
    sit,
    table_of,
)


def test_two_browsers_play_and_a_third_only_watches(browser, server):
    ann, bob, eve = browser(), browser(), browser()
    open_menu(ann, server, "tictactoe", "Ann")
    address = begin(ann)
    see(ann, "#turn", "Waiting for a player")
    link = see(ann, "#share").get_attribute("data-copy")
    assert address.endswith(link)
    sit(bob, address, 1, "Bob")
    see(ann, "#turn", "Your move")  # without anything done in this browser
    assert players(ann) == ["Ann", "Bob"]
    see(bob, "#turn", "Ann to move")
    eve.get(address)
    is_live(eve)
    play(ann, "b2")
    for other in (bob, eve):
        arrived(other, 1, "b2")
        assert "X" in other.find_element("id", "sq-b2").get_attribute("aria-label")
    play(bob, "a1")
    for other in (ann, eve):
        arrived(other, 2, "a1")
    assert not eve.find_elements("css selector", ".board form, #undo, #resign, [id^=sit-]")
    assert not bob.find_elements("css selector", ".squares button[name]"), "it is Ann's turn"
    table = address.removeprefix(server.url)
    refused = Guest(server.port, cookie=eve.get_cookie("parlour")["value"]).send(
        f"{table}/move", {"move": "c3", "at": 2}
    )
    assert (refused.status, refused.said[:18]) == (403, "You have no seat a")


def test_values_are_withheld_while_two_people_play(browser, server):
    ann, bob = browser(), browser()
    address = table_of(server, "tictactoe")
    sit(ann, address, 0, "Ann")
    sit(bob, address, 1, "Bob")
    see(ann, "#turn", "Your move")
    bob.get(f"{address}?view=values&why=position")
    see(bob, ".side", "Values are hidden while two people play.")
    see(bob, "#why", "Explanations are hidden while two people play.")
    assert not bob.find_elements("css selector", "#values, .worths, .badge, .chart")
    play(ann, "b2")
    resign(bob)
    see(ann, "#turn", "Ann wins.\nBob resigned.")
    press(ann, "#values")
    see(ann, ".chart")


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


def test_the_next_game_begins_by_agreement_with_the_other_first(browser, server):
    ann, bob = browser(), browser()
    address = table_of(server, "tictactoe")
    sit(ann, address, 0, "Ann")
    sit(bob, address, 1, "Bob")
    see(ann, "#turn", "Your move")
    resign(ann)
    see(bob, "#turn", "Bob wins.\nAnn resigned.")
    press(bob, "#rematch")
    see(ann, ".offer", "Bob offers a rematch.")
    press(ann, "#agree")
    until(ann, "the next game", lambda: ann.current_url != address)
    until(bob, "the next game", lambda: bob.current_url != address)  # nobody is left behind
    see(bob, "#turn", "Your move")
    assert players(bob) == ["Bob", "Ann"]
    assert bob.current_url == ann.current_url


def test_clocks_run_and_who_has_used_up_the_time_has_lost(browser, server):
    bob, ann = browser(), Guest(server.port)
    address = table_of(server, "tictactoe", clock=[2, 0])
    table = address.rpartition("/")[2]
    ann.token = ann.call(f"/tables/{table}/seats/0", {"name": "Ann"}).json["token"]
    sit(bob, address, 1, "Bob")
    assert ann.call(f"/tables/{table}/moves", {"move": "b2"}).status == 200

    def left(seat):
        return float(bob.find_elements("css selector", "[data-clock]")[seat].text)

    until(bob, "a clock that runs", lambda: 0 < left(1) < 1.9)
    stopped = left(0)
    see(bob, "#turn", "Ann wins.\nBob ran out of time.")
    assert left(1) == 0
    assert left(0) == stopped > 0


def test_a_page_comes_back_after_the_server_was_killed(browser, start_server):
    server = start_server()
    ann, bob = browser(), browser()
    address = table_of(server, "nim", options={"misere": True})
    sit(ann, address, 0, "Ann")
    sit(bob, address, 1, "Bob")
    play(ann, "2 from 1")
    arrived(bob, 1, "2 from 1")
    fill(bob, "#amount-3", "4")
    server.kill()
    for each in (ann, bob):
        see(each, "#connection", "Reconnecting…")
    press(bob, "#take-3")
    see(bob, "#notice", "The server did not answer. Please try again in a moment.")
    assert bob.find_element("id", "amount-3").get_property("value") == "4"
    server.start()
    for each in (ann, bob):
        see(each, "#connection", "Live", seconds=20)
    assert bob.find_element("id", "amount-3").get_property("value") == "4"
    press(bob, "#take-3")
    arrived(ann, 2, "4 from 3")
    play(ann, "1 from 2")
    arrived(bob, 3, "1 from 2")


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
    see(bob, ".offer", "You want a rematch.")
    see(ann, ".offer", "offers a rematch.")
    press(ann, "#agree")
    until(ann, "the next game", lambda: ann.current_url != first)
    until(bob, "the next game", lambda: bob.current_url == ann.current_url)
    bob.get(server.url)
    see(ann, ".presence.reconnecting", "reconnecting")


def test_somebody_deletes_their_data_without_scripts(browser, server):
    driver = browser(scripts=False)
    driver.get(server.url)
    press(driver, "#quick-tictactoe")
    before = driver.get_cookie("parlour")["value"]
    driver.get(f"{server.url}/games")
    see(driver, ".rows", "Against Benedict bot")
    press(driver, "footer a[href='/you']")
    press(driver, "#delete-all")
    press(driver, "#delete-really")
    see(driver, "h1", "Your data is deleted")
    assert driver.get_cookie("parlour") is None
    driver.get(f"{server.url}/games")
    see(driver, "main", "No game in progress")
    assert driver.get_cookie("parlour")["value"] != before
