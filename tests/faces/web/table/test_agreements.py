"""What two people at a table agree on, and what one may do when the other has gone."""

import re
import time
from dataclasses import replace

from parlour.core import protocol, registry
from parlour.faces.web.table import presence
from parlour.store import Sighting
from tests.faces.web.house import wait_until


def two(house, game="tictactoe", **more):
    """A table where Ann and Bob sit, and their browsers."""
    table = house.table(game, **more)
    return table, house.sitting(table, 0), house.sitting(table, 1)


def test_games_that_cannot_be_drawn_say_so():
    found = {
        name: protocol.can_be_drawn(registry.game(name)) for name in ("tictactoe", "othello", "nim")
    }
    assert found == {"tictactoe": True, "othello": True, "nim": False}
    assert not protocol.can_be_drawn(registry.game("sticks"))
    assert protocol.can_be_drawn(registry.game("chopsticks", loops="allowed"))
    assert not protocol.can_be_drawn(registry.game("chopsticks", loops="barred"))


def test_a_draw_is_agreed_by_both_and_offered_once_between_two_moves(house):
    table, ann, bob = two(house)
    ann.post(f"/tables/{table}/draw")
    assert bob.post(f"/tables/{table}/decline").status == 303
    assert house.read(table).offer == ""
    refused = ann.send(f"/tables/{table}/draw")
    assert (refused.status, refused.said[:38]) == (409, "You have offered a draw already; play ")
    ann.post(f"/tables/{table}/move", {"move": "b2"})
    ann.post(f"/tables/{table}/draw")
    assert house.read(table).offer == "draw 0"
    bob.post(f"/tables/{table}/move", {"move": "a1"})
    assert house.read(table).offer == "", "it expires with the next move"
    assert bob.post(f"/tables/{table}/draw").status == 303
    assert house.read(table).offer == "draw 1"
    assert "You offered a draw." in bob.get(f"/tables/{table}").text
    assert "offers a draw." in ann.get(f"/tables/{table}").text
    assert house.read(table).result is None
    assert ann.post(f"/tables/{table}/draw").status == 303
    assert (house.read(table).result, house.read(table).reason) == ((0, 0), "a draw by agreement")
    assert "A draw by agreement." in ann.get(f"/tables/{table}").text


def test_no_draw_is_offered_where_there_is_none_or_to_a_bot(house):
    table, ann, _ = two(house, "nim")
    assert 'id="draw"' not in ann.get(f"/tables/{table}").text
    assert ann.send(f"/tables/{table}/draw").status == 409
    assert house.browser().send(f"/tables/{table}/draw").status == 403
    against = house.table("tictactoe", [{"kind": "open"}, {"kind": "bot", "bot": "random"}])
    alone = house.sitting(against, 0)
    assert alone.send(f"/tables/{against}/draw").status == 409


def test_a_rematch_waits_for_all_and_turns_the_seats(house):
    table = house.table("nim", [{"kind": "open"}] * 3)
    guests = [house.sitting(table, seat) for seat in range(3)]
    assert guests[0].send(f"/tables/{table}/rematch").status == 409
    guests[0].post(f"/tables/{table}/resign")
    guests[0].post(f"/tables/{table}/rematch")
    guests[1].post(f"/tables/{table}/decline")  # which forgets that the first agreed
    for guest in guests[1:]:
        guest.post(f"/tables/{table}/rematch")
        assert house.read(table).next == ""
    assert house.read(table).agreeing == (1, 2)
    guests[0].post(f"/tables/{table}/rematch")
    before = house.read(table)
    again = house.read(before.next)
    assert [seat.owner for seat in again.seats] == [before.seats[at].owner for at in (1, 2, 0)]
    for guest in guests:
        assert f'href="/tables/{again.id}"' in guest.get(f"/tables/{table}").text


def test_a_table_from_the_menu_is_private_until_its_host_lists_it(house):
    ann, eve = house.browser(), house.browser()
    ann.post("/new/tictactoe/seats", {"do": "person", "name": "Ann"})
    table = ann.post("/new/tictactoe/play").headers["location"].rpartition("/")[2]
    assert "Private: only people with the link can join." in ann.get(f"/tables/{table}").text
    assert table not in eve.get("/").text
    assert table not in eve.call("/tables?limit=100").text
    page = eve.get(f"/tables/{table}")
    assert (page.status, 'id="list"' in page.text) == (200, False)
    assert eve.send(f"/tables/{table}/list").status == 403
    with eve.live("lobby:", have="0") as lobby:
        lobby.recv(10)
        ann.post(f"/tables/{table}/list")
        wait_until(lambda: table in lobby.recv(10))
        ann.post(f"/tables/{table}/unlist")
        wait_until(lambda: table not in lobby.recv(10))


def whereabouts(guest, table):
    """What the page says of each seat's player."""
    text = guest.get(f"/tables/{table}").text
    return re.findall(r'<p class="presence (\w+)">', text)


def test_a_page_shows_who_is_here_reconnecting_and_away(house, monkeypatch):
    table, ann, bob = two(house)
    monkeypatch.setattr("parlour.faces.web.live.THERE", 0.0)
    with ann.live(f"table:{table}") as page:
        page.recv(10)
        wait_until(lambda: "here" in whereabouts(bob, table))
        with bob.live(f"table:{table}", have=house.read(table).version) as late:
            wait_until(lambda: "presence here" in late.recv(10))  # though he came after her
            wait_until(lambda: "presence here" in page.recv(10))
        wait_until(lambda: "presence reconnecting" in page.recv(10))
        monkeypatch.setattr(presence, "GRACE", 0.0)
        wait_until(lambda: "away" in whereabouts(ann, table))
        with bob.live(f"table:{table}"):
            wait_until(lambda: "presence here" in page.recv(10))


def away(house, table, seat, seconds):
    """Make the player of a seat have been away for so long."""
    owner, then = house.read(table).seats[seat].owner, time.time() - seconds
    house.store.presence.note([Sighting(table, owner, "elsewhere", then, then)])
    held = house.read(table)
    house.store.tables.put(replace(held, turned=min(held.turned, then)))


def test_a_game_is_claimed_after_two_minutes_away_and_not_before(house):
    table, ann, bob = two(house)
    ann.post(f"/tables/{table}/move", {"move": "b2"})
    assert ann.send(f"/tables/{table}/claim").status == 409
    away(house, table, 1, 60)
    refused = ann.send(f"/tables/{table}/claim")
    assert (refused.status, refused.said[:12]) == (409, "Wait another")
    page = ann.get(f"/tables/{table}").text
    assert "You can claim the game in" in page
    assert 'id="claim"' not in page
    assert bob.send(f"/tables/{table}/claim").status == 409, "it is his own turn"
    away(house, table, 1, 121)
    assert 'id="claim"' in ann.get(f"/tables/{table}").text
    assert ann.post(f"/tables/{table}/claim").status == 303
    assert house.read(table).result == (1, -1)
    assert "stayed away too long" in bob.get(f"/tables/{table}").text


def test_no_game_is_claimed_from_a_player_who_is_here_or_has_a_clock(house):
    table, ann, bob = two(house)
    ann.post(f"/tables/{table}/move", {"move": "b2"})
    away(house, table, 1, 500)
    with bob.live(f"table:{table}") as page:
        page.recv(10)
        wait_until(lambda: "here" in whereabouts(ann, table))
        refused = ann.send(f"/tables/{table}/claim")
        assert (refused.status, refused.said) == (409, "Bob is here.")
    timed, ann, _ = two(house, clock=[600, 0])
    ann.post(f"/tables/{timed}/move", {"move": "b2"})
    away(house, timed, 1, 500)
    assert ann.send(f"/tables/{timed}/claim").status == 409
