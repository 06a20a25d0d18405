"""What can be done at a table, and what becomes of those who run out of time or cannot move."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import SimpleNamespace

import pytest

from parlour.core import registry
from parlour.core.errors import BadText, IllegalMove
from parlour.core.referee import Match
from parlour.faces.web import background
from parlour.faces.web.clients import Visitor
from parlour.faces.web.errors import Changed, NotSignedIn, NotThere, NotYours
from parlour.faces.web.table import bots as driving
from parlour.faces.web.table import service
from parlour.faces.web.table.bots import BotDriver
from parlour.faces.web.table.service import DAY, TableService, match_of, seconds_left
from parlour.faces.web.workers.pool import QueueFull, TaskTimeout
from parlour.store.database import Unavailable
from parlour.store.models import Seat
from tests.faces.web.house import opened_in, wait_until

ANN, BOB, EVE = (Visitor(f"browser:{name}", name) for name in ("ann", "bob", "eve"))
PEOPLE = (Seat("person", "Ann", owner=ANN.owner), Seat("person", "Bob", owner=BOB.owner))
AGAINST_A_BOT = (PEOPLE[0], Seat("bot", "Rex", "random"))


@pytest.fixture
def laid(house, monkeypatch):
    """Create a table, and return it with all its actions; bots do not wait between their moves."""
    monkeypatch.setattr(driving, "PACE", 0.0)

    def lay(seats=PEOPLE, game="tictactoe", options=(), **more):
        tables = house.services.get(TableService)
        return At(house, tables.create(registry.game(game, **dict(options)), seats, **more).id)

    return lay


class At:
    """A table, and what somebody does there."""

    def __init__(self, house, name):
        self.house = house
        self.tables = house.services.get(TableService)
        self.name = name

    @property
    def now(self):
        return self.tables.read(self.name)

    def left(self, seat):
        table = self.now
        return round(seconds_left(table, match_of(table), seat), 3)

    def move(self, who, text, at=None):
        return self.tables.move(self.name, who, text, at)

    def sit(self, seat, name, owner):
        return self.tables.sit(self.name, seat, name, owner)

    def after_bots(self):
        """The table when no bot is to move any more."""
        self.house.inside(self.house.services.get(BotDriver).finish())
        return self.now

    def __getattr__(self, action):
        return lambda *values: self.tables.act(self.name, action, *values)


@pytest.fixture
def clock(monkeypatch):
    """A clock that the test moves on."""
    shown = SimpleNamespace(now=1_000_000.0, monotonic=time.monotonic)
    shown.time = lambda: shown.now
    monkeypatch.setattr(service, "time", shown)
    return shown


# Moving


def test_a_move_is_stored_with_the_time_it_took(laid, clock):
    table = laid()
    clock.now += 2.5
    table.move(ANN, "b2", 0)
    clock.now += 0.1234
    table.move(BOB, "a1", 1)
    assert (table.now.moves, table.now.seconds) == (("b2", "a1"), (2.5, 0.123))


def test_moves_are_refused_each_for_its_reason(laid):
    table = laid((PEOPLE[0], Seat("open")))
    with pytest.raises(Changed, match="a seat is still free"):
        table.move(ANN, "b2")
    table.sit(1, "Bob", BOB.owner)
    for who, move, at, error, reason in (
        (EVE, "b2", None, NotYours, "you have no seat"),
        (BOB, "b2", None, NotYours, "it is Ann's turn"),
        (ANN, "z9", None, BadText, "not a square"),
        (ANN, "b2", 1, Changed, "the position has changed"),
    ):
        with pytest.raises(error, match=reason):
            table.move(who, move, at)
    table.move(ANN, "b2", 0)
    with pytest.raises(IllegalMove):
        table.move(BOB, "b2", 1)
    table.resign(BOB)
    with pytest.raises(Changed, match="the game is over"):
        table.move(BOB, "a1")
    with pytest.raises(NotThere, match="there is no table 'nowhere'"):
        table.tables.read("nowhere")


@pytest.mark.parametrize("kind", ["bot", "open"])
def test_a_seat_without_an_owner_cannot_be_played_by_a_visitor(laid, kind):
    free = Seat(kind, bot="random" if kind == "bot" else "")
    table = laid((free, free), "nim", pace="ok")
    if kind == "bot":
        table.after_bots()
        table.ok(EVE, None)
    for who in (EVE, Visitor("")):
        for verb in ("resign", "undo", "decline", "rematch"):
            with pytest.raises((NotYours, NotSignedIn)):
                getattr(table, verb)(who)
        with pytest.raises((NotYours, NotSignedIn)):
            table.move(who, "1 from 1")


def test_a_person_takes_a_free_seat_with_a_name_or_without(laid):
    table = laid((Seat("open"), Seat("open")))
    for name, sentence in ((" \u200b\n", "a name"), ("x" * 41, "too long")):
        with pytest.raises(BadText, match=sentence):
            table.sit(0, name, ANN.owner)
    for seat in (-1, 2, 10**9):
        with pytest.raises(NotThere, match="there is no seat"):
            table.sit(seat, "Ann", ANN.owner)
    table.sit(0, "  Ann\tof \u202e Oz ", ANN.owner)
    assert table.now.seats[0] == Seat("person", "Ann of Oz", owner=ANN.owner)
    with pytest.raises(Changed, match="has been taken"):
        table.sit(0, "Bob", BOB.owner)
    table.sit(1, "", ANN.owner)  # against oneself
    assert table.now.seats[1].name == ""
    table.move(ANN, "b2")
    table.move(ANN, "a1")


# Clocks


def test_a_move_after_the_clock_has_run_out_loses_and_is_not_played(laid, clock):
    table = laid(clock=(10.0, 0.0))
    clock.now += 9.9
    table.move(ANN, "b2")
    clock.now += 10.1
    after = table.move(BOB, "a1")
    assert after.moves == ("b2",)
    assert after.result == (1, -1)
    assert after.reason == "player 2 (O) ran out of time"


def test_a_flag_falls_once_the_clock_of_the_player_to_move_has_run_out(laid, clock):
    table = laid(clock=(10.0, 0.0))
    clock.now += 9.99
    assert table.flag().result is None
    table.move(ANN, "b2")
    clock.now += 5  # Bob's time, whatever Ann has left
    assert table.flag().result is None
    table.move(BOB, "a1")
    clock.now += 0.02
    assert table.flag().result == (-1, 1)
    assert table.flag().reason == "player 1 (X) ran out of time"


def test_only_the_clock_of_the_player_to_move_runs(laid, clock):
    table = laid(clock=(60.0, 0.0))
    clock.now += 20
    assert (table.left(0), table.left(1)) == (40, 60)
    table.move(ANN, "b2")
    clock.now += 5
    assert (table.left(0), table.left(1)) == (40, 55)
    table.move(BOB, "a1")
    table.resign(BOB)
    clock.now += 1000
    assert (table.left(0), table.left(1)) == (40, 55)
    without = laid()
    clock.now += 1e9
    assert without.flag().result is None
    assert seconds_left(without.now, match_of(without.now), 0) is None


def test_every_move_adds_its_seconds(laid, clock):
    table = laid(clock=(10.0, 3.0))
    for number, move in enumerate(["b2", "a1", "b1", "b3"]):
        clock.now += 4
        table.move((ANN, BOB)[number % 2], move)
    assert (table.left(0), table.left(1)) == (8, 8)
    clock.now += 8.01
    assert table.flag().reason == "player 1 (X) ran out of time"


def test_no_clock_runs_before_everybody_is_there(laid, clock):
    table = laid((PEOPLE[0], Seat("open")), clock=(10.0, 0.0))
    clock.now += 1000
    assert table.left(0) == 10
    assert table.flag().result is None
    table.sit(1, "Bob", BOB.owner)
    clock.now += 4
    assert table.left(0) == 6


def test_a_move_taken_back_gives_its_time_back(laid, clock):
    table = laid(clock=(60.0, 0.0))
    clock.now += 10
    table.move(ANN, "b2")
    clock.now += 7
    table.undo(ANN)
    table.undo(BOB)
    assert (table.left(0), table.left(1)) == (60, 60)
    clock.now += 1
    assert (table.left(0), table.left(1)) == (59, 60)


# Resigning, taking back, playing again


def test_resigning_loses_even_on_the_other_players_turn(laid):
    table = laid()
    assert table.resign(BOB).result == (1, -1)
    with pytest.raises(Changed, match="over"):
        table.resign(ANN)
    with pytest.raises(NotYours):
        table.resign(EVE)
    assert laid().resign(ANN).reason == "player 1 (X) resigned"
    hot = laid((PEOPLE[0], Seat("person", "Ann too", owner=ANN.owner)))
    hot.move(ANN, "b2")
    assert hot.resign(ANN).result == (1, -1)  # the one to move


def test_among_bots_a_move_is_taken_back_at_once(laid):
    table = laid(AGAINST_A_BOT)
    with pytest.raises(Changed, match="no move to take back"):
        table.undo(ANN)
    table.move(ANN, "b2", 0)
    assert len(table.after_bots().moves) == 2
    assert table.undo(ANN).moves == ()
    assert table.after_bots().moves == ()  # it is Ann's turn, and no bot moves for her
    table.move(ANN, "a1", 0)
    after = table.after_bots()
    assert (len(after.moves), after.moves[0]) == (2, "a1")
    table.resign(ANN)
    after = table.undo(ANN)
    assert (after.moves, after.result, after.reason) == ((), None, "")


def test_playing_both_sides_one_takes_back_one_move_at_a_time(laid):
    table = laid((PEOPLE[0], Seat("person", "Ann too", owner=ANN.owner)))
    for move in ("b2", "a1", "c3"):
        table.move(ANN, move)
    assert table.undo(ANN).moves == ("b2", "a1")
    assert table.undo(ANN).moves == ("b2",)


def test_among_people_a_move_is_taken_back_by_agreement(laid):
    table = laid()
    with pytest.raises(Changed, match="no move to take back"):
        table.undo(ANN)
    table.move(ANN, "b2")
    table.move(BOB, "a1")
    assert table.undo(ANN).moves == ("b2", "a1")
    assert table.now.offer == "undo 0"
    assert table.undo(BOB).moves == ()  # to before Ann's move, since Ann asked
    table.move(ANN, "b2")
    table.move(BOB, "a1")
    table.undo(BOB)
    assert table.undo(ANN).moves == ("b2",)
    table.undo(ANN)
    table.move(BOB, "a1")
    assert table.now.offer == ""  # whoever moves does not agree
    table.undo(BOB)
    assert table.decline(ANN).offer == ""
    assert table.decline(ANN).version == table.now.version
    table.resign(ANN)
    with pytest.raises(Changed, match="rematch"):
        table.undo(BOB)


def test_a_rematch_begins_with_the_next_seat_and_is_one_table(laid):
    table = laid(clock=(60.0, 1.0), listed=False)
    with pytest.raises(Changed, match="not over"):
        table.rematch(ANN)
    table.resign(ANN)
    assert table.rematch(BOB).next == ""
    following = table.rematch(ANN).next
    assert table.rematch(BOB).next == table.rematch(ANN).next == following
    made = table.tables.read(following)
    assert [seat.name for seat in made.seats] == ["Bob", "Ann"]
    assert (made.clock, made.listed, made.options) == ((60.0, 1.0), False, table.now.options)
    table.tables.move(following, BOB, "b2", 0)


def test_players_who_agree_in_the_same_moment_get_one_table(house, laid):
    for _ in range(5):
        table = laid()
        table.resign(ANN)
        with ThreadPoolExecutor(8) as threads:
            found = list(threads.map(lambda who, at=table: at.rematch(who).next, (ANN, BOB) * 4))
        [name] = {name for name in found if name} | {table.now.next}
        assert house.read(name).moves == ()


# Saying Ok


def test_after_a_bots_move_everything_waits_for_ok(laid):
    table = laid((AGAINST_A_BOT[1], PEOPLE[0]), "nim", pace="ok")
    assert len(table.after_bots().moves) == 1
    with pytest.raises(Changed, match="press Ok"):
        table.move(ANN, "1 from 1")
    with pytest.raises(NotYours):
        table.ok(EVE, 1)
    with pytest.raises(Changed, match="has changed"):
        table.ok(ANN, 0)
    version = table.ok(ANN, 1).version
    assert table.ok(ANN, 1).version == version  # pressed twice
    legal = match_of(table.now)
    table.move(ANN, legal.game.write_move(legal.game.moves(legal.state)[0]), 1)
    assert len(table.after_bots().moves) == 3
    with pytest.raises(Changed, match="press Ok"):
        table.move(ANN, "1 from 1")


def test_a_visitor_who_watches_bots_presses_ok_for_them(laid):
    table = laid((AGAINST_A_BOT[1], Seat("bot", "Max", "random")), "nim", pace="ok")
    for number in range(1, 4):
        assert len(table.after_bots().moves) == number
        table.ok(EVE, number)


def test_no_clock_runs_while_a_move_waits_for_ok(laid, clock):
    table = laid((AGAINST_A_BOT[1], PEOPLE[0]), "nim", pace="ok", clock=(60.0, 0.0))
    assert len(table.after_bots().moves) == 1
    clock.now += 1000
    assert table.left(1) == 60
    assert table.flag().result is None
    table.ok(ANN, 1)
    clock.now += 3
    assert table.left(1) == 57


# Bots that fail

NO_IDEA = 'def choose(game, state): raise RuntimeError("<b>no idea</b>")'
CHEATS = "def choose(game, state): return (0, 10**6)"
RESIGNS = """
from parlour.core import Resigns
def choose(game, state): raise Resigns("this is lost")
"""


def test_a_bot_that_fails_or_cheats_loses_with_the_reason(tmp_path):
    folder = tmp_path / "parlour" / "bots"
    folder.mkdir(parents=True)
    for bot, source in (("raises", NO_IDEA), ("cheats", CHEATS), ("resigns", RESIGNS)):
        (folder / f"{bot}.py").write_text(source, encoding="utf-8")
    with opened_in(tmp_path) as house:
        for bot, reason in (
            ("raises", "could not move: it failed: RuntimeError: <b>no idea</b>"),
            ("cheats", "could not move: it chose (0, 1000000)"),
            ("resigns", "resigned: this is lost"),
        ):
            table = house.table("nim", [{"kind": "open"}, {"kind": "bot", "bot": bot}])
            ann = house.player(table, 0)
            assert ann.call(f"/tables/{table}/moves", {"move": "1 from 1"}).status == 200
            stored = wait_until(lambda table=table: (held := house.read(table)).over and held)
            assert stored.result == (1, -1)
            assert stored.reason.startswith(f"player 2 {reason}")
            page = house.nobody().get(f"/tables/{table}")
            assert (page.status, "<b>no idea" in page.text) == (200, False)
            Match.from_record(registry.game("nim", **stored.options), stored.record())


def test_a_slow_bot_delays_no_other_table_and_loses_when_its_time_is_over(house, laid, monkeypatch):
    slow, quick = laid(AGAINST_A_BOT), laid((PEOPLE[0], Seat("bot", "Max", "perfect")))
    is_over, limits, run = asyncio.Event(), [], house.services.workers.run

    async def choose(name, payload, seconds=10.0, **how):
        if name == "choose" and payload["bot"] == "random":
            limits.append(seconds)
            await is_over.wait()
            raise TaskTimeout("there was no answer in time")
        return await run(name, payload, seconds, **how)

    async def end():
        is_over.set()

    monkeypatch.setattr(house.services.workers, "run", choose)
    for table in (slow, quick):
        table.move(ANN, "b2", 0)
    wait_until(lambda: len(quick.now.moves) == 2)
    assert not slow.now.over
    house.inside(end())
    after = slow.after_bots()
    assert after.result == (1, -1)
    assert after.reason == "player 2 (O) could not move: there was no answer in time"
    timed = laid(AGAINST_A_BOT, clock=(5.0, 0.0))
    timed.move(ANN, "b2", 0)
    timed.after_bots()
    assert limits[0] == driving.LIMIT
    assert 0 < limits[1] <= 5, "no more than its clock"


def test_a_bot_moves_as_soon_as_a_worker_is_free_and_its_move_can_be_stored(
    house, laid, monkeypatch
):
    table = laid(AGAINST_A_BOT)
    put, run = house.store.tables.put, house.services.workers.run
    failures, refusals = iter("xx"), iter("xx")

    def full(thing, **how):
        if len(thing.moves) == 2 and next(failures, ""):
            raise Unavailable("database or disk is full")
        return put(thing, **how)

    async def busy(name, *values, **how):
        if name == "choose" and next(refusals, ""):
            raise QueueFull("too much is waiting")
        return await run(name, *values, **how)

    for module in (background, driving):
        monkeypatch.setattr(module, "RETRY", 0.0)
    monkeypatch.setattr(house.store.tables, "put", full)
    monkeypatch.setattr(house.services.workers, "run", busy)
    table.move(ANN, "b2", 0)
    after = table.after_bots()
    assert (len(after.moves), after.result) == (2, None)
    assert not next(failures, "")
    assert not next(refusals, "")


# Slow clocks, with days for each move


def test_the_time_for_a_move_begins_anew_with_every_turn(laid, clock):
    table = laid(days=2)
    clock.now += 1.5 * DAY
    assert (table.left(0), table.left(1)) == (0.5 * DAY, 2 * DAY)
    table.move(ANN, "b2")
    assert (table.left(0), table.left(1)) == (2 * DAY, 2 * DAY)


def test_a_slow_clock_is_chosen_in_the_settings_and_said_at_the_table(house):
    ann = house.browser()
    assert ann.post("/new/tictactoe/settings", {"do": "save", "clock": "3d"}).status == 303
    assert '<option value="3d" selected' in ann.get("/new/tictactoe/settings").text
    for name in ("Ann", "Bob"):
        assert ann.post("/new/tictactoe/seats", {"do": "person", "name": name}).status == 303
    table = ann.post("/new/tictactoe/play").headers["location"].rpartition("/")[2]
    before = house.read(table)
    assert (before.days, before.clock) == (3, None)
    page = ann.get(f"/tables/{table}").text
    assert "3 days a move · 3 days left" in page
    assert "data-clock" not in page
    for hours, text in ((60, "3 days a move · 12 hours left"), (71.5, "30 minutes left")):
        turned = before.turned - hours / 24 * DAY
        house.store.tables.put(replace(house.read(table), turned=turned))
        assert text in ann.get(f"/tables/{table}").text
