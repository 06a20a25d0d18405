"""What two people at a table agree on, and what one may do when the other has gone."""

from __future__ import annotations

import json
import re
import threading
import time
from dataclasses import replace

import pytest

from parlour.core import can_be_drawn, registry
from parlour.faces.web.table import presence
from parlour.store.presence import Sighting
from tests.faces.web.house import opened, wait_until
from tests.postgres import postgres_url  # noqa: F401  # a fixture

pytestmark = pytest.mark.server


def two(house, game="tictactoe", **more):
    """A table where Ann and Bob sit, and their browsers."""
    table = house.table(game, **more)
    return table, house.sitting(table, 0), house.sitting(table, 1)


# Draws


def test_games_that_cannot_be_drawn_say_so():
    found = {name: can_be_drawn(registry.game(name)) for name in registry.games()}
    assert found["tictactoe"]
    assert found["othello"]
    assert not found["nim"]
    assert not found["sticks"]
    drawn = {
        loops: can_be_drawn(registry.game("chopsticks", loops=loops))
        for loops in ("allowed", "barred")
    }
    assert drawn == {"allowed": True, "barred": False}


def test_a_draw_is_agreed_by_both(house):
    table, ann, bob = two(house)
    assert ann.post(f"/tables/{table}/draw").status == 303
    assert "You offered a draw." in ann.get(f"/tables/{table}").text
    assert "offers a draw." in bob.get(f"/tables/{table}").text
    assert house.read(table).result is None
    assert bob.post(f"/tables/{table}/draw").status == 303
    assert (house.read(table).result, house.read(table).reason) == ((0, 0), "a draw by agreement")
    assert "A draw by agreement." in ann.get(f"/tables/{table}").text


def test_an_offer_is_made_once_between_two_moves_and_expires_with_the_next(house):
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
    assert house.read(table).offer == ""
    bob.post(f"/tables/{table}/draw")
    assert house.read(table).offer == "draw 1"
    assert house.read(table).result is None


def test_nobody_offers_a_draw_where_there_is_none_or_to_a_bot(house):
    table, ann, _ = two(house, "nim")
    assert 'id="draw"' not in ann.get(f"/tables/{table}").text
    assert ann.send(f"/tables/{table}/draw").status == 409
    against = house.table("tictactoe", [{"kind": "open"}, {"kind": "bot", "bot": "random"}])
    alone = house.sitting(against, 0)
    assert alone.send(f"/tables/{against}/draw").status == 409
    assert house.browser().send(f"/tables/{table}/draw").status == 403


# A rematch


def test_a_rematch_waits_for_all_and_turns_the_seats(house):
    table = house.table("nim", [{"kind": "open"}] * 3)
    guests = [house.sitting(table, seat) for seat in range(3)]
    assert guests[0].send(f"/tables/{table}/rematch").status == 409
    guests[0].post(f"/tables/{table}/resign")
    for guest in guests[:2]:
        guest.post(f"/tables/{table}/rematch")
        assert house.read(table).next == ""
    assert house.read(table).agreeing == (0, 1)
    guests[2].post(f"/tables/{table}/rematch")
    again = house.read(house.read(table).next)
    before = house.read(table)
    assert [seat.owner for seat in again.seats] == [before.seats[at].owner for at in (1, 2, 0)]
    for guest in guests:
        assert f'href="/tables/{again.id}"' in guest.get(f"/tables/{table}").text


def test_a_declined_rematch_is_forgotten(house):
    table, ann, bob = two(house)
    ann.post(f"/tables/{table}/resign")
    ann.post(f"/tables/{table}/rematch")
    bob.post(f"/tables/{table}/decline")
    bob.post(f"/tables/{table}/rematch")
    assert house.read(table).next == "", "Ann has to agree again"


def check_that_two_presses_at_once_open_one_table(house):
    for _ in range(5):
        table, ann, bob = two(house)
        ann.post(f"/tables/{table}/resign")
        start = threading.Barrier(2)

        def press(guest, table=table, start=start):
            start.wait()
            assert guest.post(f"/tables/{table}/rematch").status == 303

        threads = [threading.Thread(target=press, args=(guest,)) for guest in (ann, bob)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        again = house.read(table).next
        assert again
        assert len(house.store.tables.find_of(f"browser:{ann.cookie.partition('.')[0]}")) == 2


def test_two_who_press_rematch_at_once_meet_at_one_table(house):
    check_that_two_presses_at_once_open_one_table(house)


def test_two_who_press_rematch_at_once_meet_at_one_table_on_postgresql(postgres_url):  # noqa: F811
    with opened(postgres_url) as house:
        check_that_two_presses_at_once_open_one_table(house)


# Private tables


def test_a_table_from_the_menu_is_private_until_its_host_lists_it(house):
    ann, eve = house.browser(), house.browser()
    ann.post("/new/tictactoe/seats", {"do": "person", "name": "Ann"})
    table = ann.post("/new/tictactoe/play").headers["location"].rpartition("/")[2]
    assert "Private: only people with the link can join." in ann.get(f"/tables/{table}").text
    assert table not in eve.get("/").text
    assert table not in eve.call("/tables?limit=100").text
    assert eve.get(f"/tables/{table}").status == 200
    assert 'id="list"' not in eve.get(f"/tables/{table}").text
    assert eve.send(f"/tables/{table}/list").status == 403
    with eve.live("lobby:", have="0") as lobby:
        lobby.recv(10)
        ann.post(f"/tables/{table}/list")
        wait_until(lambda: table in lobby.recv(10))
        ann.post(f"/tables/{table}/unlist")
        wait_until(lambda: table not in lobby.recv(10))


# Presence


def whereabouts(guest, table):
    """What the page says of each seat's player."""
    text = guest.get(f"/tables/{table}").text
    return re.findall(r'<p class="presence (\w+)">', text)


def test_who_is_here_reconnecting_and_away(house, monkeypatch):
    table, ann, bob = two(house)
    monkeypatch.setattr(presence, "VIEWED", 0.0)
    with ann.live(f"table:{table}") as page:
        page.recv(10)
        with bob.live(f"table:{table}"):
            wait_until(lambda: "presence here" in page.recv(10))
        wait_until(lambda: "presence reconnecting" in page.recv(10))
        monkeypatch.setattr(presence, "GRACE", 0.0)
        wait_until(lambda: "away" in whereabouts(ann, table))
        with bob.live(f"table:{table}"):
            wait_until(lambda: "presence here" in page.recv(10))


def test_a_page_that_opens_late_is_told_who_came_before(house):
    """It was made when nobody was here, and the other's page opens before its own connection."""
    table, ann, bob = two(house)
    with ann.live(f"table:{table}") as hers:
        hers.recv(10)
        wait_until(lambda: "here" in whereabouts(bob, table))
        with bob.live(f"table:{table}", have=house.read(table).version) as his:
            wait_until(lambda: "presence here" in his.recv(10))


def test_programs_are_not_told_who_is_here(house):
    table, ann, _ = two(house)
    eve = house.browser()
    with house.nobody().stream(table) as stream, eve.live(f"table:{table}") as page:
        assert json.loads(stream.recv(10))["id"] == table
        page.recv(10)
        with ann.live(f"table:{table}"):
            wait_until(lambda: "presence here" in page.recv(10))
        ann.post(f"/tables/{table}/move", {"move": "b2"})
        assert json.loads(stream.recv(10))["moves"] == ["b2"], "nothing was sent in between"


def away(house, table, seat, seconds):
    """Make the player of a seat have been away for so long."""
    owner, then = house.read(table).seats[seat].owner, time.time() - seconds
    house.store.presence.note([Sighting(table, owner, "elsewhere", then, then)])
    held = house.read(table)
    house.store.tables.put(replace(held, turned=min(held.turned, then)))


def test_a_game_is_claimed_after_two_minutes_away_and_not_before(house):
    table, ann, bob = two(house)
    ann.post(f"/tables/{table}/move", {"move": "b2"})
    refused = ann.send(f"/tables/{table}/claim")
    assert refused.status == 409
    away(house, table, 1, 60)
    refused = ann.send(f"/tables/{table}/claim")
    assert (refused.status, refused.said[:15]) == (409, "Wait another 60")
    shown = ann.get(f"/tables/{table}").text
    assert "You can claim the game in" in shown
    assert 'id="claim"' not in shown
    assert bob.send(f"/tables/{table}/claim").status == 409, "it is his own turn"
    away(house, table, 1, 121)
    assert 'id="claim"' in ann.get(f"/tables/{table}").text
    assert ann.post(f"/tables/{table}/claim").status == 303
    assert house.read(table).result == (1, -1)
    assert "stayed away too long" in bob.get(f"/tables/{table}").text


def test_nobody_claims_from_somebody_who_is_here_or_has_a_clock(house):
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


def test_servers_that_share_a_database_know_who_is_at_the_other(postgres_url):  # noqa: F811
    with opened(postgres_url) as one, opened(postgres_url) as other:
        table, ann, bob = two(one)
        bob.port = other.port
        with ann.live(f"table:{table}") as page:
            page.recv(10)
            with bob.live(f"table:{table}"):
                wait_until(lambda: "presence here" in page.recv(20))
            wait_until(lambda: "presence reconnecting" in page.recv(20))
