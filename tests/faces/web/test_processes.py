"""Several servers on one PostgreSQL database are one house."""

import contextlib
import json
import threading

import pytest
from websockets.exceptions import ConnectionClosed

from parlour.core import registry
from parlour.core.referee import Match
from parlour.faces.web.table.bots import BotDriver
from tests.faces.web.house import Guest, OpenHouse, wait_until
from tests.postgres import cluster

pytestmark = pytest.mark.postgresql

BOT = [{"kind": "open"}, {"kind": "bot", "bot": "random"}]


@pytest.fixture(scope="module")
def houses(tmp_path_factory):
    """Two servers at one database."""
    database = cluster().new_database()
    with pytest.MonkeyPatch.context() as patch, contextlib.ExitStack() as closing:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        found = [OpenHouse(database) for _ in range(2)]
        for house in found:
            closing.callback(house.close)
        yield found


def at(house, guest):
    """The same visitor at another server."""
    return Guest(house.port, guest.cookie, guest.token)


def at_once(houses, many, call):
    """What calls answer that are made in threads at the same moment."""
    answers = []

    def body(number):
        answers.append(call(houses[number % len(houses)], number))

    threads = [threading.Thread(target=body, args=(number,)) for number in range(many)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(answers)


def test_a_move_at_one_server_is_seen_at_the_other(houses):
    one, two = houses
    table = one.table("tictactoe")
    players = [one.player(table, 0), two.player(table, 1)]
    with contextlib.ExitStack() as lines:
        pages = []
        for house in houses:
            pages.append(lines.enter_context(house.browser().live(f"table:{table}")))
            pages.append(lines.enter_context(house.nobody().stream(table)))
        for page in pages:
            page.recv(timeout=60)
        for number, move in enumerate(["b2", "a1", "b1"]):
            mover = at(houses[number // 2], players[number % 2])
            assert mover.call(f"/tables/{table}/moves", {"move": move, "at": number}).status == 200
            for page in pages:
                while json.loads(text := page.recv(timeout=60))["version"] < number + 3:
                    pass
                assert move in text


def test_of_many_who_make_the_same_move_at_two_servers_one_is_heard(houses):
    one, _ = houses
    table = one.table("sticks", options={"sticks": 30})
    players = [one.player(table, seat) for seat in (0, 1)]
    for number in range(2):

        def move(house, _, number=number):
            guest = at(house, players[number % 2])
            return guest.call(f"/tables/{table}/moves", {"move": "1", "at": number}).status

        assert at_once(houses, 20, move) == [200] + [409] * 19
        assert len(one.read(table).moves) == number + 1


def test_a_free_seat_is_taken_at_one_server_only(houses):
    table = houses[0].table("tictactoe")

    def sit(house, number):
        name = {"name": f"Guest {number}"}
        return house.nobody().call(f"/tables/{table}/seats/0", name).status

    assert at_once(houses, 20, sit) == [201] + [409] * 19


def test_a_browser_is_known_to_both_servers(houses):
    one, two = houses
    ann, table = one.browser(), two.table("tictactoe")
    assert at(two, ann).post(f"/tables/{table}/sit", {"seat": 0, "name": "Ann"}).status == 303
    one.player(table, 1)
    assert at(two, ann).post(f"/tables/{table}/move", {"move": "b2", "at": 0}).status == 303
    assert at(two, ann).get("/docs").headers["set-cookie"] is None
    ann.post("/new/nim/seats", {"do": "person", "name": "Ann of Oz"})
    assert "Ann of Oz" in at(two, ann).get("/new/nim").text


def test_a_bot_moves_once_however_many_servers_look(houses):
    one, two = houses
    table = two.table("sticks", BOT, options={"sticks": 30})
    guest = one.player(table, 0)
    for number in range(0, 10, 2):
        mover = at(houses[number // 2 % 2], guest)
        assert mover.call(f"/tables/{table}/moves", {"move": "1", "at": number}).status == 200
        for house in houses:  # each of them wakes the bot
            assert house.nobody().get(f"/tables/{table}").status == 200
        wait_until(lambda number=number: len(one.read(table).moves) == number + 2)
    for house in houses:
        house.inside(house.services.get(BotDriver).finish())
    stored = one.read(table)
    assert (len(stored.moves), stored.result) == (10, None)
    Match.from_record(registry.game("sticks", sticks=30), stored.record())


@pytest.mark.long
def test_after_a_restart_of_the_database_everything_comes_back(houses):
    one, two = houses
    people, against = one.table("tictactoe"), two.table("sticks", BOT)
    ann, bob = one.player(people, 0), two.player(people, 1)
    eve, watcher = two.player(against, 0), two.browser()
    with watcher.live(f"table:{people}") as page, watcher.live(f"table:{against}") as other:
        page.recv(timeout=60), other.recv(timeout=60)
        cluster().stop()
        try:
            for refused in (
                ann.call(f"/tables/{people}/moves", {"move": "b2", "at": 0}),
                watcher.get(f"/tables/{people}"),
                watcher.get("/"),
            ):
                assert refused.status == 503
                assert refused.said.startswith("The database cannot be used now")
            with watcher.live(f"table:{people}") as late, pytest.raises(ConnectionClosed) as gone:
                late.recv(timeout=60)
            assert gone.value.rcvd.code == 1013
        finally:
            cluster().start()
        assert ann.call(f"/tables/{people}/moves", {"move": "b2", "at": 0}).status == 200
        assert eve.call(f"/tables/{against}/moves", {"move": "1", "at": 0}).status == 200
        assert at(two, bob).call(f"/tables/{people}/moves", {"move": "a1"}).status == 200
        while "a1" not in page.recv(timeout=60):
            pass
        while json.loads(other.recv(timeout=60))["version"] < 3:
            pass
    assert one.read(people).moves == ("b2", "a1")
    assert len(one.read(against).moves) == 2
