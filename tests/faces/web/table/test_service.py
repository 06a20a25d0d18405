"""What can be done at a table, and what becomes of those who run out of time or cannot move."""

from __future__ import annotations

import textwrap
import threading
import time
from dataclasses import replace
from types import SimpleNamespace

import pytest

from parlour.core import registry
from parlour.core.errors import BadText, IllegalMove, ParlourError
from parlour.core.referee import Match
from parlour.faces.web import background
from parlour.faces.web.clients import Visitor
from parlour.faces.web.errors import Changed, NotSignedIn, NotThere, NotYours
from parlour.faces.web.table import bots as driving
from parlour.faces.web.table import service
from parlour.faces.web.table.service import match_of, seconds_left
from parlour.faces.web.workers.pool import MAX_QUEUED
from parlour.store.database import Unavailable
from parlour.store.models import Seat
from tests.faces.web.house import opened, wait_until

ANN, BOB, EVE = (Visitor(f"browser:{name}", name) for name in ("ann", "bob", "eve"))
PEOPLE = (Seat("person", "Ann", owner=ANN.owner), Seat("person", "Bob", owner=BOB.owner))
AGAINST_A_BOT = (PEOPLE[0], Seat("bot", "Rex", "random"))


@pytest.fixture
def laid(house):
    """Create a table, and return it with all its actions."""

    def lay(seats=PEOPLE, game="tictactoe", options=(), **more):
        tables = house.state.tables
        return At(tables, tables.create(registry.game(game, **dict(options)), seats, **more).id)

    return lay


class At:
    """A table, and what somebody does there."""

    def __init__(self, tables, name):
        self.tables = tables
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

    def __getattr__(self, action):
        return lambda *values: self.tables.act(self.name, action, *values)


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still until it is told to go on."""
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
    with pytest.raises(NotYours, match="you have no seat"):
        table.move(EVE, "b2")
    table.sit(1, "Bob", BOB.owner)
    with pytest.raises(NotYours, match="it is Ann's turn"):
        table.move(BOB, "b2")
    with pytest.raises(BadText, match="not a square"):
        table.move(ANN, "z9")
    with pytest.raises(Changed, match="the position has changed"):
        table.move(ANN, "b2", 1)
    table.move(ANN, "b2", 0)
    with pytest.raises(IllegalMove):
        table.move(BOB, "b2", 1)
    table.resign(BOB)
    with pytest.raises(Changed, match="the game is over"):
        table.move(BOB, "a1")
    with pytest.raises(NotThere, match="there is no table 'nowhere'"):
        table.tables.read("nowhere")


@pytest.mark.parametrize("kind", ["bot", "open"])
def test_what_nobody_owns_is_moved_by_nobody(laid, kind):
    """A seat without an owner is not everybody's, nor that of a visitor without a name."""
    free = Seat(kind, bot="random" if kind == "bot" else "")
    table = laid((free, free), "nim", pace="ok")
    if kind == "bot":
        wait_until(lambda: table.now.moves)
        table.ok(EVE, None)
    for who in (EVE, Visitor("")):
        for verb in ("resign", "undo", "decline", "rematch"):
            with pytest.raises((NotYours, NotSignedIn)):
                getattr(table, verb)(who)
        with pytest.raises((NotYours, NotSignedIn)):
            table.move(who, "1 from 1")


def test_a_table_is_laid_for_as_many_as_play(laid):
    with pytest.raises(ParlourError, match="tictactoe has 2 seats here, not 3"):
        laid((*PEOPLE, Seat("open")))
    assert len(laid((*PEOPLE, Seat("open")), "nim", {"seats": 3}).now.seats) == 3


def test_a_name_is_optional(laid):
    table = laid((Seat("open"), Seat("open")))
    table.sit(0, "", ANN.owner)
    table.sit(1, "", BOB.owner)
    assert [seat.name for seat in table.now.seats] == ["", ""]


def test_somebody_sits_down_by_name_at_a_free_seat(laid):
    table = laid((Seat("open"), Seat("open")))
    for name, sentence in (
        (" \u200b\n", "a name"),
        ("x" * 41, "too long"),
    ):
        with pytest.raises(BadText, match=sentence):
            table.sit(0, name, ANN.owner)
    for seat in (-1, 2, 10**9):
        with pytest.raises(NotThere, match="there is no seat"):
            table.sit(seat, "Ann", ANN.owner)
    table.sit(0, "  Ann\tof \u202e Oz ", ANN.owner)
    assert table.now.seats[0] == Seat("person", "Ann of Oz", owner=ANN.owner)
    with pytest.raises(Changed, match="has been taken"):
        table.sit(0, "Bob", BOB.owner)
    table.sit(1, "Ann", ANN.owner)  # against oneself
    table.move(ANN, "b2")
    table.move(ANN, "a1")


# Clocks


def test_whoever_moves_too_late_has_lost_and_the_move_is_not_played(laid, clock):
    table = laid(clock=(10.0, 0.0))
    clock.now += 9.9
    table.move(ANN, "b2")
    clock.now += 10.1
    after = table.move(BOB, "a1")
    assert after.moves == ("b2",)
    assert after.result == (1, -1)
    assert after.reason == "player 2 (O) ran out of time"


def test_a_flag_falls_when_the_clock_of_the_one_to_move_has_run_out_and_not_before(laid, clock):
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


def test_without_clocks_no_flag_falls(laid, clock):
    table = laid()
    clock.now += 1e9
    assert table.flag().result is None
    assert seconds_left(table.now, match_of(table.now), 0) is None


def test_only_the_clock_of_the_one_to_move_runs(laid, clock):
    table = laid(clock=(60.0, 0.0))
    clock.now += 20
    assert (table.left(0), table.left(1)) == (40, 60)
    table.move(ANN, "b2")
    clock.now += 5
    assert (table.left(0), table.left(1)) == (40, 55)
    table.move(BOB, "a1")
    clock.now += 1
    assert (table.left(0), table.left(1)) == (39, 55)
    table.resign(BOB)
    clock.now += 1000
    assert (table.left(0), table.left(1)) == (40, 55)


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


def test_whoever_resigns_has_lost_whosever_turn_it_is(laid):
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
    wait_until(lambda: len(table.now.moves) == 2)
    assert table.undo(ANN).moves == ()
    time.sleep(0.3)  # it is Ann's turn, and no bot moves for her
    assert table.now.moves == ()
    table.move(ANN, "a1", 0)
    wait_until(lambda: len(table.now.moves) == 2)
    assert table.now.moves[0] == "a1"
    table.resign(ANN)
    after = table.undo(ANN)
    assert (after.moves, after.result, after.reason) == ((), None, "")


def test_whoever_plays_both_sides_takes_back_one_move_at_a_time(laid):
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


def test_three_rotate_and_bots_need_not_be_asked(laid):
    three = (*AGAINST_A_BOT, Seat("bot", "Max", "random"))
    table = laid(three, "nim", {"seats": 3})
    table.resign(ANN)
    made = table.tables.read(table.rematch(ANN).next)
    assert [seat.name for seat in made.seats] == ["Rex", "Max", "Ann"]


def test_two_who_agree_in_the_same_moment_get_one_table(house, laid):
    for _ in range(5):
        table, found = laid(), []
        table.resign(ANN)

        def agree(who, table=table, found=found):
            found.append(table.rematch(who).next)

        threads = [threading.Thread(target=agree, args=(who,)) for who in (ANN, BOB) * 4]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        names = {name for name in found if name} | {table.now.next}
        assert len(names) == 1
        assert house.read(names.pop()).moves == ()


# Saying Ok


def test_after_a_bots_move_everything_waits_for_ok(laid):
    table = laid((AGAINST_A_BOT[1], PEOPLE[0]), "nim", pace="ok")
    wait_until(lambda: len(table.now.moves) == 1)
    with pytest.raises(Changed, match="press Ok"):
        table.move(ANN, "1 from 1")
    with pytest.raises(NotYours):
        table.ok(EVE, 1)
    with pytest.raises(Changed, match="has changed"):
        table.ok(ANN, 0)
    version = table.ok(ANN, 1).version
    assert table.ok(ANN, 1).version == version  # said twice
    legal = match_of(table.now)
    table.move(ANN, legal.game.write_move(legal.game.moves(legal.state)[0]), 1)
    wait_until(lambda: len(table.now.moves) == 3)
    with pytest.raises(Changed, match="press Ok"):
        table.move(ANN, "1 from 1")


def test_a_table_of_bots_goes_on_for_whoever_watches(laid):
    table = laid((AGAINST_A_BOT[1], Seat("bot", "Max", "random")), "nim", pace="ok")
    for number in range(1, 4):
        wait_until(lambda number=number: len(table.now.moves) == number)
        time.sleep(0.05)
        assert len(table.now.moves) == number
        table.ok(EVE, number)


def test_while_a_move_waits_for_ok_nobodys_clock_runs(laid, clock):
    table = laid((AGAINST_A_BOT[1], PEOPLE[0]), "nim", pace="ok", clock=(60.0, 0.0))
    wait_until(lambda: len(table.now.moves) == 1)
    clock.now += 1000
    assert table.left(1) == 60
    assert table.flag().result is None
    table.ok(ANN, 1)
    clock.now += 3
    assert table.left(1) == 57


# Bots that misbehave

BOTS = {
    "looping": """
        def choose(game, state):
            while True:
                pass
        """,
    "sleeping": """
        import time
        def choose(game, state):
            time.sleep(3600)
        """,
    "raising": """
        def choose(game, state):
            raise RuntimeError("<b>no idea</b>")
        """,
    "cheating": """
        def choose(game, state):
            return (0, 10 ** 6)
        """,
    "mumbling": """
        def choose(game, state):
            return None
        """,
    "dying": """
        import os
        def choose(game, state):
            os.kill(os.getpid(), 9)
        """,
    "hoarding": """
        def choose(game, state):
            held = []
            while True:
                held.append(bytearray(1 << 26))
        """,
}


@pytest.fixture(scope="module")
def zoo(tmp_path_factory):
    """A house whose folder holds bad bots; they have a second for a move."""
    folder = tmp_path_factory.mktemp("zoo")
    (folder / "parlour" / "bots").mkdir(parents=True)
    for name, source in BOTS.items():
        file = folder / "parlour" / "bots" / f"{name}.py"
        file.write_text(textwrap.dedent(source), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(folder))
        patch.setattr(driving, "LIMIT", 1.0)
        with opened(f"sqlite:///{folder}/parlour.sqlite") as found:
            assert found.nobody().call("/bots", {"game": "nim"}).status == 200
            yield found


@pytest.fixture(autouse=True)
def _folder_of_the_zoo(request, monkeypatch, tmp_path_factory):
    """Names are looked up in the folder of the house, which each test would else hide."""
    if "zoo" in request.fixturenames:
        folder = request.getfixturevalue("zoo").store._database.engine.url.database
        monkeypatch.setenv("XDG_DATA_HOME", folder.rpartition("/")[0])


def against(zoo, bot, **more):
    seats = [{"kind": "open"}, {"kind": "bot", "bot": bot}]
    table = zoo.table("nim", seats, options={"piles": [5, 5, 5]}, **more)
    return table, zoo.player(table, 0)


@pytest.mark.server
def test_a_bot_that_cannot_move_loses_with_the_reason_and_nobody_else_waits(zoo):
    played = {}
    for bot in BOTS:
        table, ann = against(zoo, bot)
        assert ann.call(f"/tables/{table}/moves", {"move": "1 from 1"}).status == 200
        played[bot] = table
    begun = time.monotonic()
    elsewhere, bob = against(zoo, "one-at-a-time")
    moves = 0
    while not all(zoo.read(table).over for table in played.values()):
        assert time.monotonic() - begun < 240
        told = bob.call(f"/tables/{elsewhere}").json
        if told["result"]:
            elsewhere, bob = against(zoo, "one-at-a-time")
        elif told["turn"] == 0:
            moved = bob.call(f"/tables/{elsewhere}/moves", {"move": told["legal"][0]})
            assert moved.status == 200
            moves += 1
        time.sleep(0.02)
    assert moves > 1  # so his bot answered while others still held theirs up
    reasons = {bot: zoo.read(table).reason for bot, table in played.items()}
    for bot, said in {
        "looping": "player 2 could not move: there was no answer within 1 seconds",
        "sleeping": "player 2 could not move: there was no answer within 1 seconds",
        "raising": "player 2 could not move: it failed: RuntimeError: <b>no idea</b>",
        "cheating": "player 2 could not move: it chose (0, 1000000)",
        "mumbling": "player 2 could not move: it chose None",
        "dying": "player 2 could not move: the worker process died",
        "hoarding": "player 2 could not move: ",
    }.items():
        assert reasons[bot].startswith(said), bot
        assert zoo.read(played[bot]).result == (1, -1)
        page = zoo.nobody().get(f"/tables/{played[bot]}")
        assert page.status == 200
        assert "<b>no idea" not in page.text
        stored = zoo.read(played[bot])
        Match.from_record(registry.game("nim", **stored.options), stored.record())


@pytest.mark.slow
def test_a_bot_has_no_more_time_than_its_clock(zoo, monkeypatch):
    monkeypatch.setattr(driving, "LIMIT", 3600.0)
    seats = [{"kind": "bot", "bot": "looping"}, {"kind": "open"}]
    table = zoo.table("nim", seats, clock=[1, 0])
    zoo.player(table, 1)
    wait_until(lambda: zoo.read(table).over)
    assert zoo.read(table).result == (-1, 1)


@pytest.mark.server
def test_a_bot_that_has_to_wait_its_turn_to_think_does_not_lose_by_that(zoo):
    """Ann plays at more tables than she may have thoughts waiting, each against a slow bot."""
    tables = [against(zoo, "sleeping")[0] for _ in range(MAX_QUEUED + 6)]
    owner = zoo.read(tables[0]).seats[0].owner
    for name in tables:  # all are Ann's
        held = zoo.read(name)
        seats = (Seat("person", "Ann", owner=owner), held.seats[1])
        zoo.state.tables.save(held, replace(held, seats=seats))
        zoo.state.tables.move(name, Visitor(owner), "1 from 1", 0)
    wait_until(lambda: all(zoo.read(name).over for name in tables), 240)
    for name in tables:
        assert "no answer within" in zoo.read(name).reason


@pytest.mark.server
def test_a_bot_moves_as_soon_as_its_move_can_be_stored(zoo, monkeypatch):
    table, ann = against(zoo, "one-at-a-time")
    assert ann.call(f"/tables/{table}/undo", method="POST").status == 409
    put, failures = zoo.store.tables.put, iter("xxx")

    def full(thing, **how):
        if len(thing.moves) == 2 and next(failures, ""):
            raise Unavailable("database or disk is full")
        return put(thing, **how)

    monkeypatch.setattr(background, "RETRY", 0.05)
    monkeypatch.setattr(zoo.store.tables, "put", full)
    assert ann.call(f"/tables/{table}/moves", {"move": "1 from 1"}).status == 200
    wait_until(lambda: len(zoo.read(table).moves) == 2)
    assert not next(failures, "")
    assert zoo.read(table).result is None


@pytest.mark.server
def test_a_bot_answers_however_quickly_one_moves_again(zoo):
    """The next move comes while the bot's task is still ending: it must not be overlooked."""
    for _ in range(12):
        table, ann = against(zoo, "one-at-a-time")
        with ann.stream(table) as stream:
            stream.recv(timeout=60)
            for number in range(0, 10, 2):
                stream.send(f'{{"move": "1 from {number // 4 + 1}", "at": {number}}}')
                while len(zoo.read(table).moves) < number + 2:
                    stream.recv(timeout=60)


# The record


def test_a_click_replays_the_record_once_whoever_watches(house, monkeypatch):
    """With clocks, a watcher and both players' pages; the match is then kept for all of them."""
    table = house.table("tictactoe", clock=[600, 0])
    ann, bob, eve = house.sitting(table, 0), house.sitting(table, 1), house.browser()
    service._matches.clear()
    replays, replay = [], Match.from_record.__func__

    def counting(cls, game, record, **limits):
        replays.append(len(record.moves))
        return replay(cls, game, record, **limits)

    monkeypatch.setattr(Match, "from_record", classmethod(counting))
    monkeypatch.setattr(house.state.hub, "observers", [])  # nor who comes and goes
    topic = f"table:{table}"
    with ann.live(topic) as hers, bob.live(topic) as his, eve.live(topic) as watched:
        pages = (hers, his, watched)
        for number, (player, move) in enumerate(((ann, "b2"), (bob, "a1"), (ann, "c3"))):
            for page in pages:
                page.recv(timeout=60)
            service._matches.clear()
            replays.clear()
            assert player.send(f"/tables/{table}/move", {"move": move, "at": number}).status == 200
            wait_until(lambda number=number: len(match_of(house.read(table)).moves) == number + 1)
            assert replays == [number]
        for page in pages:
            page.recv(timeout=60)
    assert replays == [2]
