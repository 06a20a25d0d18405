"""Who makes bots move, for whom and how long; clocks that run out; games that nobody knows."""

from __future__ import annotations

import time
from dataclasses import replace
from types import SimpleNamespace

import pytest
from websockets.exceptions import ConnectionClosed

from parlour.faces.web import live
from parlour.faces.web.table import bots as driving
from parlour.faces.web.table import service
from parlour.faces.web.workers import Priority
from parlour.store.models import Seat, Table
from tests.faces.web.house import opened, wait_until

BOT = {"kind": "bot", "bot": "random"}
BOTS = [BOT, BOT]
LONG = {"sticks": 100, "take": 1}  # a hundred moves


def clocked(house, seconds, **more):
    """A table where Ann is to move against Bob, each with so many seconds."""
    table = house.table("tictactoe", clock=[seconds, 0], **more)
    return table, house.player(table, 0, "Ann"), house.player(table, 1, "Bob")


@pytest.fixture
def clock(monkeypatch):
    """The clock of the tables, which stands still until it is told to go on."""
    shown = SimpleNamespace(now=time.time(), monotonic=time.monotonic)
    shown.time = lambda: shown.now
    monkeypatch.setattr(service, "time", shown)
    return shown


# For whom


@pytest.fixture
def asked(house, monkeypatch):
    """For whom each task was run, and whether in the background; nobody has asked before."""
    run, noted = house.state.workers.run, []
    house.state.hub._viewed.clear()  # where bots play alone, they stop
    driver, valuations = house.state.driver, house.state.valuations
    for tasks in (driver._players, driver._lessons, valuations._tasks):
        wait_until(lambda tasks=tasks: not tasks._tasks)
    valuations._known.clear()

    async def noting(name, payload, seconds=10.0, **how):
        noted.append((name, how.get("client"), how.get("priority") is Priority.BACKGROUND))
        return await run(name, payload, seconds, **how)

    monkeypatch.setattr(house.state.workers, "run", noting)
    return noted


def of(asked, *names):
    return {each for each in asked if each[0] in names}


def test_bots_think_for_whoever_made_the_table(house, asked):
    ann = house.browser()
    owner = f"browser:{ann.cookie.partition('.')[0]}"
    table = ann.post("/quick", {"game": "tictactoe"}).headers["location"]
    ann.post(f"{table}/move", {"move": "b2"})
    wait_until(lambda: len(house.read(table.rpartition("/")[2]).moves) == 2, 60)
    eve = house.browser()
    wait_until(lambda: eve.get(f"{table}?view=values") and len(of(asked, "assess")) == 2, 60)
    ann.post(f"{table}/resign")
    wait_until(lambda: of(asked, "teach"))
    assert of(asked, "choose", "assess", "teach") == {
        ("choose", owner, False),
        ("assess", owner, False),
        ("assess", owner, True),  # what is past can wait
        ("teach", owner, True),
    }


def test_where_a_person_plays_nobody_waits_for_bots_that_play_alone(house, asked):
    alone = house.table("tictactoe", BOTS)
    with_a_person = house.table("tictactoe", [{"kind": "open"}, BOT])
    bob = house.player(with_a_person, 0)
    bob.call(f"/tables/{with_a_person}/moves", {"move": "b2"})
    wait_until(lambda: len(house.read(with_a_person).moves) == 2, 60)
    wait_until(lambda: house.nobody().call(f"/tables/{alone}").json["moves"], 60)
    assert of(asked, "choose") == {("choose", "127.0.0.1", True), ("choose", "127.0.0.1", False)}


def test_a_reason_is_found_for_whoever_asks(house, asked):
    table, eve = house.table("tictactoe"), house.browser()
    house.sitting(table, 0)
    house.player(table, 1)
    house.state.tables.act(table, "resign", type("V", (), {"owns": lambda _, owner: bool(owner)})())
    eve.get(f"/tables/{table}?why=position")
    assert of(asked, "explain") == {("explain", f"browser:{eve.cookie.partition('.')[0]}", False)}


def test_a_rematch_is_made_by_whoever_made_the_first(house):
    ann = house.browser()
    table = ann.post("/quick", {"game": "tictactoe"}).headers["location"]
    ann.post(f"{table}/resign")
    following = ann.post(f"{table}/rematch").headers["location"].rpartition("/")[2]
    assert house.read(following).creator == f"browser:{ann.cookie.partition('.')[0]}"


def test_nobody_is_led_to_a_next_game_that_is_not_there_yet(house, monkeypatch):
    ann = house.browser()
    table = ann.post("/quick", {"game": "tictactoe"}).headers["location"]
    ann.post(f"{table}/resign")
    found = []
    publish = house.state.tables.publish

    def noting(stored, ended=False):
        if stored.next:
            found.append(house.store.tables.get(stored.next))
        publish(stored, ended)

    monkeypatch.setattr(house.state.tables, "publish", noting)
    ann.post(f"{table}/rematch")
    assert len(found) == 1
    assert found[0] is not None


# How many


def test_one_browser_has_only_so_many_games_with_bots_going_on(house, monkeypatch):
    monkeypatch.setattr(service, "MAX_WITH_BOTS", 2)
    ann, bob = house.browser(), house.browser()
    tables = [ann.post("/quick", {"game": "sticks"}).headers["location"] for _ in range(2)]
    refused = ann.post("/quick", {"game": "sticks"})
    assert refused.status == 429
    assert refused.said == "You already have 2 games with bots in progress; finish some first."
    assert ann.post("/quick", {"game": "nonsense"}).status == 404
    assert bob.post("/quick", {"game": "sticks"}).status == 303
    ann.post(f"{tables[0]}/resign")
    assert ann.post("/quick", {"game": "sticks"}).status == 303
    monkeypatch.setattr(service, "ACTIVE", 0.0)  # those that nobody has touched do not count
    assert ann.post("/quick", {"game": "sticks"}).status == 303


def test_programs_of_one_address_have_more_of_them(house, monkeypatch):
    monkeypatch.setattr(service, "MAX_WITH_BOTS_BY_ADDRESS", 1)
    house.store.tables.add(
        Table(id=house.store.new_id(), game="nim", seats=(Seat("bot"),), creator="127.0.0.1")
    )
    refused = house.nobody().call("/tables", {"game": "nim", "seats": [BOT]})
    assert (refused.status, refused.said[:18]) == (429, "You already have 1")
    assert house.nobody().call("/tables", {"game": "nim"}).status == 201  # without a bot


# Bots among themselves


def test_bots_play_alone_only_while_somebody_watches(house, monkeypatch):
    monkeypatch.setattr(driving, "PACE", 0.1)
    monkeypatch.setattr(live, "VIEWED", 3600.0)
    table = house.table("sticks", BOTS, options=LONG)
    wait_until(lambda: house.read(table).moves)  # whoever made it may be about to look
    before = put_to_sleep(house, table, monkeypatch)
    assert house.nobody().call(f"/tables/{table}").status == 200  # a program looks
    wait_until(lambda: len(house.read(table).moves) > before)
    before = put_to_sleep(house, table, monkeypatch)
    with house.browser().live(f"table:{table}"):
        wait_until(lambda: len(house.read(table).moves) > before + 3)


def put_to_sleep(house, table, monkeypatch):
    """Let bots that play alone find that nobody looks any more; how many moves they have made."""
    with monkeypatch.context() as patch:
        patch.setattr(live, "VIEWED", 0.0)
        wait_until(lambda: table not in house.state.driver._players._tasks)
        before = len(house.read(table).moves)
        time.sleep(0.2)
        assert len(house.read(table).moves) == before
        house.state.hub._viewed.pop(f"table:{table}", None)
    assert not house.read(table).over
    return before


def test_no_clock_runs_for_bots_that_sleep(house, monkeypatch):
    monkeypatch.setattr(driving, "PACE", 0.1)
    monkeypatch.setattr(live, "VIEWED", 3600.0)
    table = house.table("sticks", BOTS, options=LONG, clock=[60, 0])
    wait_until(lambda: house.read(table).moves)
    before = put_to_sleep(house, table, monkeypatch)
    held = house.read(table)
    assert house.store.tables.put(replace(held, turned=held.turned - 3600))  # an hour passes
    assert house.browser().get(f"/tables/{table}").status == 200
    wait_until(lambda: len(house.read(table).moves) > before)
    assert "time" not in house.read(table).reason
    assert max(house.read(table).seconds) < 60
    put_to_sleep(house, table, monkeypatch)


# Clocks


def test_a_clock_runs_out_though_nobody_looks_at_it(house, clock):
    table, ann, _ = clocked(house, 1)
    assert ann.call(f"/tables/{table}/moves", {"move": "b2"}).status == 200
    clock.now += 1.1
    wait_until(lambda: house.read(table).over)
    assert (house.read(table).result, house.read(table).moves) == ((1, -1), ("b2",))
    assert house.read(table).reason == "player 2 (O) ran out of time"


def test_no_clock_runs_before_everybody_is_there_or_after_the_end(house, clock, monkeypatch):
    table, driver = house.table("tictactoe", clock=[1, 0]), house.state.driver
    ann = house.player(table, 0)
    clock.now += 1.2
    house.state.tables.act(table, "flag")
    assert not house.read(table).over
    assert not driver._timers.get(table)
    left, set_timer = [], driver._set_timer

    def noting(name, seconds):
        left.extend([seconds] if name == table else [])
        set_timer(name, seconds)

    monkeypatch.setattr(driver, "_set_timer", noting)
    house.player(table, 1)
    wait_until(lambda: left == [1.0])
    ann.call(f"/tables/{table}/resign", method="POST")
    wait_until(lambda: left == [1.0, None])
    assert not driver._timers.get(table)
    assert house.read(table).reason.endswith("resigned")


@pytest.mark.server
def test_after_a_restart_the_clocks_run_on(tmp_path, clock):
    database = f"sqlite:///{tmp_path}/parlour.sqlite"
    with opened(database) as house:
        table, _, _ = clocked(house, 1)
    with opened(database) as house:
        assert not house.read(table).over
        clock.now += 1.1
        wait_until(lambda: house.read(table).over)
        assert house.read(table).result == (-1, 1)


# Games that nobody knows any more


@pytest.mark.parametrize(
    "gone",
    [
        {"game": "removed"},
        {"game": "nim", "options": {"piles": [0]}},
        {"game": "nim", "options": {"piles": [3]}, "moves": ("9 from 9",)},
        {"game": "nim", "options": {"seats": 3}},
    ],
    ids=["plugin", "option", "move", "seats"],
)
def test_a_table_of_a_game_that_is_gone_breaks_nothing(house, gone, caplog):
    seats = (Seat("bot", "Tom", "random"), Seat("bot", "Tim", "random"))
    table = Table(id=house.store.new_id(), seats=seats, listed=True, clock=(60.0, 0.0), **gone)
    house.store.tables.add(table)
    guest = house.browser()
    house.state.tables.publish(table)
    lobby = guest.get("/")
    assert lobby.status == 200
    assert (table.id in lobby.text) == ("moves" in gone or "seats" in str(gone))
    listed = guest.call("/tables?limit=100")
    assert (listed.status, table.id in listed.text) == (200, False)
    shown = guest.get(f"/tables/{table.id}")
    assert shown.status == 404
    assert shown.said == f"'{gone['game']}' can no longer be played here by these rules."
    assert guest.call(f"/tables/{table.id}").status == 404
    assert guest.call(f"/tables/{table.id}/events?seconds=1").status == 404
    for line in (guest.live(f"table:{table.id}"), house.nobody().stream(table.id)):
        with line, pytest.raises(ConnectionClosed) as closed:
            line.recv(timeout=60)
        assert closed.value.rcvd.code == 4404
    house.state.driver.resume()
    time.sleep(0.1)
    assert "errand" not in caplog.text
    house.store.tables.remove(table.id)


def test_a_menu_that_cannot_be_any_more_begins_anew(house):
    ann = house.browser()
    ann.post("/new/nim/seats", {"do": "person", "name": "Ann"})
    name = f"nim {ann.cookie.partition('.')[0]}"
    held = house.store.setups.get(name)
    house.store.setups.put(replace(held, options={"piles": [0]}))
    shown = ann.get("/new/nim")
    assert (shown.status, "Ann" in shown.text) == (200, True)
    assert ann.get("/new/nim/settings").status == 200
