"""Who makes bots move and for whom; clocks that run out; games whose rules are gone."""

import time
from dataclasses import replace

import pytest
from websockets.exceptions import ConnectionClosed

from parlour.core import registry
from parlour.faces.web import live
from parlour.faces.web.table import bots as driving
from parlour.faces.web.table import service
from parlour.faces.web.table.bots import BotDriver
from parlour.faces.web.table.service import TableService
from parlour.faces.web.workers import Priority
from parlour.store.models import Seat, Table
from parlour.store.store import open_store
from tests.faces.web.house import opened, opened_in, wait_until

BOT = {"kind": "bot", "bot": "random"}
BOTS = [BOT, BOT]


@pytest.fixture
def quiet_house(tmp_path, monkeypatch):
    """A house of the test's own, whose bots do not wait between their moves."""
    monkeypatch.setattr(driving, "PACE", 0.0)
    with opened_in(tmp_path) as found:
        yield found


def finish_bots(house):
    house.inside(house.services.get(BotDriver).finish())


@pytest.fixture
def requests(quiet_house, monkeypatch):
    """For whom each task was run, and whether in the background."""
    run, noted = quiet_house.services.workers.run, set()

    async def noting(name, payload, seconds=10.0, **how):
        noted.add((name, how.get("client"), how.get("priority") is Priority.BACKGROUND))
        return await run(name, payload, seconds, **how)

    monkeypatch.setattr(quiet_house.services.workers, "run", noting)
    return noted


def test_bots_think_for_the_visitor_who_made_the_table(quiet_house, requests):
    ann, eve = quiet_house.browser(), quiet_house.browser()
    table = ann.post("/quick", {"game": "tictactoe"}).headers["location"]
    ann.post(f"{table}/move", {"move": "b2"})
    finish_bots(quiet_house)
    kinds = ("choose", "assess", "teach")
    wait_until(
        lambda: (
            eve.get(f"{table}?view=values")
            and len([each for each in requests if each[0] == "assess"]) == 2
        )
    )
    ann.post(f"{table}/resign")
    wait_until(lambda: "teach" in [each[0] for each in requests])
    owner = ann.owner
    assert {each for each in requests if each[0] in kinds} == {
        ("choose", owner, False),
        ("assess", owner, False),
        ("assess", owner, True),  # earlier positions can wait
        ("teach", owner, True),
    }
    eve.get(f"{table}?why=position")
    assert ("explain", eve.owner, False) in requests, "a reason, for the visitor who asks"


@pytest.mark.slow
def test_bots_that_play_alone_make_way_for_those_that_play_with_a_person(quiet_house, requests):
    house = quiet_house
    alone, with_a_person = house.table("sticks", BOTS), house.table("tictactoe", [{}, BOT])
    house.player(with_a_person, 0).call(f"/tables/{with_a_person}/moves", {"move": "b2"})
    assert house.nobody().call(f"/tables/{alone}").status == 200
    finish_bots(house)
    found = {each for each in requests if each[0] == "choose"}
    assert found == {("choose", "127.0.0.1", True), ("choose", "127.0.0.1", False)}


def test_a_rematch_belongs_to_the_maker_of_the_first_game_and_is_there_when_it_is_announced(
    house, monkeypatch
):
    ann = house.browser()
    table = ann.post("/quick", {"game": "tictactoe"}).headers["location"]
    ann.post(f"{table}/resign")
    found, publish = [], house.services.get(TableService).publish

    def noting(stored, ended=False):
        if stored.next:
            found.append(house.store.tables.get(stored.next))
        publish(stored, ended)

    monkeypatch.setattr(house.services.get(TableService), "publish", noting)
    following = ann.post(f"{table}/rematch").headers["location"].rpartition("/")[2]
    assert house.read(following).creator == ann.owner
    assert [each and each.id for each in found] == [following]


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
    monkeypatch.setattr(service, "ACTIVE", 0.0)  # games without a recent move do not count
    assert ann.post("/quick", {"game": "sticks"}).status == 303


def test_programs_of_one_address_have_more_of_them(house, monkeypatch):
    monkeypatch.setattr(service, "MAX_WITH_BOTS_BY_ADDRESS", 1)
    house.store.tables.add(
        Table(id=house.store.new_id(), game="nim", seats=(Seat("bot"),), creator="127.0.0.1")
    )
    refused = house.nobody().call("/tables", {"game": "nim", "seats": [BOT]})
    assert (refused.status, refused.said[:18]) == (429, "You already have 1")
    assert house.nobody().call("/tables", {"game": "nim"}).status == 201  # without a bot


@pytest.mark.slow
@pytest.mark.parametrize("clock", [None, [60, 0]])
def test_bots_play_alone_only_while_a_visitor_watches(quiet_house, monkeypatch, clock):
    house, run = quiet_house, quiet_house.services.workers.run

    async def choose(name, payload, *values, **how):
        if name == "choose" and len(payload["moves"]) == 3:
            live.VIEWED = 0.0  # while this move is chosen, the last visitor leaves
        return await run(name, payload, *values, **how)

    monkeypatch.setattr(house.services.workers, "run", choose)
    monkeypatch.setattr(live, "VIEWED", 0.0)
    table = house.table("sticks", BOTS, options={"sticks": 10, "take": 1}, clock=clock)
    finish_bots(house)
    assert house.read(table).moves == ()
    monkeypatch.setattr(live, "VIEWED", 3600.0)
    assert house.nobody().call(f"/tables/{table}").status == 200  # a program looks
    finish_bots(house)
    held = house.read(table)
    assert len(held.moves) == 4
    if clock:
        assert house.store.tables.put(replace(held, turned=held.turned - 3600))  # an hour passes
    with house.browser().live(f"table:{table}"):
        wait_until(lambda: house.read(table).over)
    assert len(house.read(table).moves) == 10, "no clock ran while they slept"


def test_a_clock_runs_out_without_a_visitor(house):
    seats = (Seat("person", "Ann", owner="browser:a"), Seat("person", "Bob", owner="browser:b"))
    game = registry.game("tictactoe")
    table = house.services.get(TableService).create(game, seats, clock=(0.01, 0.0)).id
    wait_until(lambda: house.read(table).over)
    assert house.read(table).result == (-1, 1)
    assert house.read(table).reason == "player 1 (X) ran out of time"


def test_after_a_restart_clocks_run_on_and_late_games_end(tmp_path):
    database = f"sqlite:///{tmp_path}/parlour.sqlite"
    day = service.DAY
    times = {  # how long the player to move has thought, and the clock
        "late": (10, {"clock": (5.0, 0.0)}),
        "slow-late": (40 * day, {"days": 3}),
        "early": (10, {"clock": (3600.0, 0.0)}),
        "slow-early": (2 * day, {"days": 3}),
    }
    store = open_store(database)
    for name, (passed, clock) in times.items():
        seats = (Seat("person", "Ann", owner="browser:a"), Seat("person", "Bob", owner="browser:b"))
        turned = time.time() - passed
        store.tables.add(Table(id=name, game="tictactoe", seats=seats, turned=turned, **clock))
    store.close()
    with opened(database) as house:
        for name in times:
            if name.endswith("late"):
                wait_until(lambda name=name: house.read(name).over)
                assert house.read(name).result == (-1, 1)
        assert not house.read("early").over
        assert not house.read("slow-early").over


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
    house.services.get(TableService).publish(table)
    lobby = guest.get("/")
    assert lobby.status == 200
    assert (table.id in lobby.text) == ("moves" in gone or "seats" in str(gone))
    listed = guest.call("/tables?limit=100")
    assert (listed.status, table.id in listed.text) == (200, False)
    page = guest.get(f"/tables/{table.id}")
    assert page.status == 404
    assert page.said == f"'{gone['game']}' can no longer be played here by these rules."
    assert guest.call(f"/tables/{table.id}").status == 404
    assert guest.call(f"/tables/{table.id}/events?seconds=1").status == 404
    for line in (guest.live(f"table:{table.id}"), house.nobody().stream(table.id)):
        with line, pytest.raises(ConnectionClosed) as closed:
            line.recv(timeout=60)
        assert closed.value.rcvd.code == 4404
    house.services.get(BotDriver).resume()
    finish_bots(house)
    assert "failed" not in caplog.text
    house.store.tables.remove(table.id)


def test_a_menu_that_cannot_be_any_more_begins_anew(house):
    ann = house.browser()
    ann.post("/new/nim/seats", {"do": "person", "name": "Ann"})
    name = f"nim {ann.cookie.partition('.')[0]}"
    held = house.store.setups.get(name)
    house.store.setups.put(replace(held, options={"piles": [0]}))
    page = ann.get("/new/nim")
    assert (page.status, "Ann" in page.text) == (200, True)
    assert ann.get("/new/nim/settings").status == 200


KEPT = "Saved hats cannot play here; leave out kept, or start a class in the school."
LEARNS = "Bots do not learn here; leave out learning, or start a class in the school."
REFUSED = (
    ("sticks", "hats", "kept=mine", KEPT),
    ("sticks", "hats", "kept=mine learning=yes", KEPT),
    ("sticks", "hats", "learning=yes", LEARNS),
    ("sticks", "hats", "games=1000001", "Games can be at most 1,000,000 here, not 1,000,001."),
    ("othello", "engine", "threads=2", "Threads can be at most 1 here, not 2."),
    ("othello", "engine", "hash=257", "Hash can be at most 256 here, not 257."),
)


def create_table(house, game, bot, options):
    seats = [{"kind": "open"}, {"kind": "bot", "bot": bot, "options": options}]
    return house.nobody().call("/tables", {"game": game, "seats": seats})


def test_options_that_are_the_owners_or_take_the_whole_machine_are_refused(house):
    for game, bot, options, reason in REFUSED:
        by_api = create_table(house, game, bot, options)
        form = {"do": "bot", "bot": bot, "name": "Rex", "options": options}
        by_form = house.browser().post(f"/new/{game}/seats", form)
        assert (by_api.status, by_api.said) == (422, reason)
        assert (by_form.status, by_form.said) == (422, reason)


def test_the_strongest_are_offered_first(house):
    for game, first in (("othello", "engine"), ("tictactoe", "perfect")):
        bots = house.nobody().call("/bots", {"game": game})
        assert bots.json[0]["name"] == first


def test_other_options_can_be_set(house):
    for options in ("games=1000000 seed=3", "rule=menace likeliest=yes", "learning=no", ""):
        made = create_table(house, "sticks", "hats", options)
        assert made.status == 201, made.text
