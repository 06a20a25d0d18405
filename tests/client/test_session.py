"""The client plays whole games of every kind, and survives what servers do."""

from __future__ import annotations

import json
import queue
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import pytest

import parlour
from parlour.client import connection, session
from parlour.faces.web.accounts import events
from tests.faces.web.house import OpenHouse, lift_limits, served_house, wait_until

__all__ = ["served_house"]
GAMES = {"nim": {}, "chopsticks": {}, "othello": {"columns": 4, "rows": 4}}


@pytest.fixture
def house(served_house):
    return served_house


@pytest.fixture(autouse=True)
def in_haste(monkeypatch):
    lift_limits(monkeypatch)
    monkeypatch.setattr(events, "POLL", 0.2)  # after which a bot notices that it shall stop
    monkeypatch.setattr(connection, "FIRST_PAUSE", 0.05)
    monkeypatch.setattr(connection, "MAX_PAUSE", 0.2)


@pytest.fixture
def pauses(monkeypatch):
    """The pauses between requests as they begin, of which none takes long."""
    found = queue.Queue()

    def sleep(seconds):
        found.put(seconds)
        time.sleep(min(seconds, 0.05))

    clock = SimpleNamespace(sleep=sleep, monotonic=time.monotonic)
    monkeypatch.setattr(connection, "time", clock)
    return found


class Playing:
    """A bot that plays in a thread until the end of the block."""

    def __init__(self, url, player, token="", **how):
        self.client = parlour.client.connect(url, token)
        self.player, self.how = player, how
        self.stop = threading.Event()
        self.error = None

    def _run(self):
        try:
            self.client.play(self.player, stop=self.stop, **self.how)
        except Exception as error:
            self.error = error

    def __enter__(self):
        self.thread = threading.Thread(target=self._run)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stop.set()
        self.thread.join()
        self.client.close()


def account(house, name, **more):
    with parlour.client.connect(house.url) as client:
        client.create_account(name, **more)
        return client.token


def check_record(house, table):
    """The game as the referee replays it, which refuses what is not legal."""
    stored = house.read(table)
    game = parlour.game(stored.game, **stored.options)
    match = parlour.Match.from_record(game, stored.record())
    assert match.over
    assert "could not" not in match.reason
    assert "resigned" not in match.reason
    return match


def test_whole_games_of_every_kind_against_bots_of_the_house(house):
    with parlour.client.connect(house.url) as client:
        client.create_account("Plays-all")
        for game, options in GAMES.items():
            table = client.create_table(game, [None, "random"], **options)
            client.sit(table, 0)
            over = client.play_game(lambda game, state: game.moves(state)[-1], table)
            assert over.over
            assert list(check_record(house, over.id).result) == over.result


def test_a_seat_can_be_played_without_an_account(house):
    with parlour.client.connect(house.url) as client:
        table = client.create_table("sticks", [None, "random"], sticks=10)
        client.sit(table, 0, "Ann")
        assert client.token
        over = client.play_game("perfect", table)
        assert over.result == [1, -1]  # 10 sticks: the first to move wins by leaving 9


def here(client):
    return {each.name for each in client.accounts(here=True)}


def test_a_bot_plays_challenges_that_it_accepts_and_declines_others(house):
    asks, picky = account(house, "Asks-you"), account(house, "Picky-one")
    with (
        parlour.client.connect(house.url, asks) as client,
        Playing(house.url, "engine", picky, accept=lambda each: each.days is None) as bot,
    ):
        wait_until(lambda: "Picky-one" in here(client))
        fair = client.challenge("Picky-one", "othello", columns=4, rows=4)
        slow = client.challenge("Picky-one", "othello", days=2)
        nim = client.challenge("Picky-one", "nim")

        def ask(challenge):
            return client._connection.ask("GET", f"/challenges/{challenge.id}")

        wait_until(lambda: ask(slow)["state"] == ask(nim)["state"] == "declined")
        assert ask(nim)["reason"] == "this bot cannot play these rules"
        table = client.table(wait_until(lambda: ask(fair)["table"]))
        seat = [each.account for each in table.seats].index("Asks-you")
        over = client.play_game(lambda game, state: game.moves(state)[0], table, seat)
        assert list(check_record(house, over.id).result) == over.result
    assert bot.error is None


def test_a_player_that_fails_resigns_and_the_others_go_on(house, caplog):
    def choose(game, state):
        if game.name == "sticks":
            raise ZeroDivisionError
        return game.moves(state)[0]

    with Playing(house.url, choose, account(house, "Fails-now")) as bot:
        broken, fine = (
            bot.client.create_table(game, [None, "random"]) for game in ("sticks", "tictactoe")
        )
        for table in (broken, fine):
            bot.client.sit(table, 0)
        wait_until(lambda: house.read(broken.id).result)
        assert "resigned" in house.read(broken.id).reason
        wait_until(lambda: house.read(fine.id).result)
        check_record(house, fine.id)
    assert "ZeroDivisionError" in caplog.text


def test_a_player_may_give_a_game_up(house):
    def choose(game, state):
        raise parlour.Resigns

    with parlour.client.connect(house.url) as client:
        table = client.create_table("nim", [None, "random"])
        client.sit(table, 0, "Ann")
        assert client.play_game(choose, table).result == [-1, 1]


def test_a_refusal_is_raised_with_the_sentence_of_the_server(house):
    with parlour.client.connect(house.url) as client:
        with pytest.raises(parlour.client.Refused, match="There is no table 'x'") as refused:
            client.table("x")
        assert refused.value.status == 404
        with pytest.raises(parlour.client.Refused, match="token of a bot account"):
            next(client.follow())


def test_everything_an_account_can_do(house):
    with parlour.client.connect(house.url) as client:
        made = client.create_account("Does-all", "A bot.", ["nim"])
        assert client.account() == made
        assert client.change_account(games=["sticks"]).games == ["sticks"]
        assert client.account().description == "A bot."
        old = client.token
        assert client.rotate_token() != old
        assert client.feed()["atom"].endswith("feed.atom")
        sent = client.challenge(game="sticks", sticks=12)
        assert [each.id for each in client.challenges()] == [sent.id]
        assert sent.id in {each.id for each in client.challenges(mine=False)}
        assert client.cancel(sent).state == "cancelled"
        assert client.tables() == []
        client.delete_account()
        with pytest.raises(parlour.client.Refused):
            client.account()


# What servers do


@pytest.mark.server
def test_a_bot_survives_a_restart_of_the_server(tmp_path, monkeypatch, pauses):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    database = f"sqlite:///{tmp_path}/parlour.sqlite"
    first = OpenHouse(database, served=True)
    port = first.port
    token = account(first, "Survivor")
    paced = threading.Event()

    def choose(game, state):
        assert paced.wait(60)
        return game.moves(state)[0]

    with Playing(first.url, choose, token) as bot:
        table = bot.client.create_table("tictactoe", [None, "random"]).id
        bot.client.sit(table, 0)
        first.close()
        paced.set()  # the move is chosen while the server is away
        assert pauses.get(timeout=60)
        second = OpenHouse(database, port, served=True)
        try:
            wait_until(lambda: second.read(table).result)
            check_record(second, table)
        finally:
            bot.stop.set()
            second.close()


class Moody(BaseHTTPRequestHandler):
    """Answers each request by the next of its moods."""

    moods: list = []  # noqa: RUF012
    asked: list = []  # noqa: RUF012

    def answer(self):
        length = int(self.headers.get("content-length", 0))
        self.asked.append((self.path, self.rfile.read(length)))
        status, headers, body = self.moods.pop(0)
        if status is None:
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = answer  # noqa: N815  # names of the standard library

    def log_message(self, *_):
        pass


@pytest.fixture
def moody():
    Moody.moods, Moody.asked = [], []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Moody)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    with parlour.client.connect(f"http://127.0.0.1:{server.server_port}", patience=5) as client:
        yield client
    server.shutdown()
    thread.join()
    server.server_close()


TABLE = {"id": "x", "game": "sticks", "moves": ["1"], "turn": 0}


def as_json(**body):
    return 200, {}, json.dumps(body).encode()


def test_retry_after_is_waited_for(moody, pauses):
    Moody.moods = [(429, {"Retry-After": "3"}, b"{}"), (503, {}, b""), as_json(**TABLE)]
    assert moody.table("x").id == "x"
    assert pauses.get() == 3
    assert 0.025 <= pauses.get() <= 0.05


def test_a_move_whose_answer_was_lost_is_played_once(moody):
    """It is sent again, refused since it was played, and found at the table."""
    stale = json.dumps({"detail": "The position has changed; look again."}).encode()
    Moody.moods = [
        (None, {}, b""),
        (409, {}, stale),
        as_json(**TABLE | {"moves": ["1", "2"]}),
    ]
    before = parlour.client.RemoteTable(id="x", game="sticks", moves=["1"])
    assert moody.move(before, "2").moves == ["1", "2"]
    Moody.moods = [(409, {}, stale), as_json(**TABLE | {"moves": ["1", "3"]})]
    with pytest.raises(parlour.client.Refused, match="changed"):
        moody.move(before, "2")


def test_a_request_that_would_be_done_twice_is_not_sent_again(moody):
    Moody.moods = [(None, {}, b"")]
    with pytest.raises(parlour.client.Unreachable):
        moody.create_table("nim")
    assert len(Moody.asked) == 1


def test_the_wait_for_a_server_that_is_gone_ends():
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with (
        parlour.client.connect(f"http://127.0.0.1:{port}", patience=0.2) as client,
        pytest.raises(parlour.client.Unreachable, match="does not answer"),
    ):
        client.account()


def test_fields_of_a_newer_server_are_left_out():
    found = session.read(parlour.client.RemoteTable, {"id": "x", "game": "nim", "colour": "red"})
    assert found == parlour.client.RemoteTable(id="x", game="nim")


@pytest.mark.server
def test_streams_end_by_themselves_when_the_server_stops(tmp_path, monkeypatch, caplog):
    """Else it would wait for them in vain, cut them off, and complain of that in its log."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(events, "POLL", 3600)
    server = OpenHouse(f"sqlite:///{tmp_path}/parlour.sqlite", served=True)
    table = server.table("nim")
    found = queue.Queue()

    def follow(path):
        for each in filter(None, client._connection.events(path)):
            found.put(each["event"])

    with parlour.client.connect(server.url) as client:
        client.create_account("Follows")
        paths = ("/account/events", f"/tables/{table}/events")
        threads = [threading.Thread(target=follow, args=(path,)) for path in paths]
        for thread in threads:
            thread.start()
        assert {found.get(timeout=60), found.get(timeout=60)} == {"hello", "table"}
        server.close()
        for thread in threads:
            thread.join()
    assert found.empty()
    assert "Cancel" not in caplog.text
