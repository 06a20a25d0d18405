"""How much one client may begin and keep open, and what a barred one may not do."""

import asyncio
import contextlib
import threading
import time

import pytest
from websockets.exceptions import ConnectionClosed

from parlour.core import registry
from parlour.faces.web import clients, live, requests
from parlour.faces.web.api import streams
from parlour.faces.web.clients import RateLimit
from parlour.faces.web.requests import CreationLimits
from parlour.faces.web.table import service
from parlour.faces.web.table.service import TableService
from parlour.store import Seat
from parlour.store.database import Unavailable
from parlour.store.hosting import Bar

# Beginning things

MAKE = {
    "/quick": {"game": "sticks"},
    "/tournaments": {"game": "sticks", "bot": ["perfect", "random"], "rounds": 1},
    "/school": {"game": "sticks", "games": 1},
    "/new/sticks/play": {},
}


def test_one_browser_begins_only_so_many_things_at_once(house, monkeypatch):
    monkeypatch.setattr(
        house.services.get(CreationLimits), "by_browser", RateLimit(rate=0.0, burst=4)
    )
    ann, bob = house.browser(), house.browser()
    ann.post("/new/sticks/seats", {"do": "person", "name": "Ann"})
    for path, form in MAKE.items():
        assert ann.post(path, form).status == 303, path
    for path, form in MAKE.items():
        refused = ann.post(path, form)
        assert (refused.status, refused.said) == (
            429,
            "You have started a great many games; wait a moment, then go on.",
        ), path
    assert ann.get("/").status == 200
    assert bob.post("/quick", {"game": "sticks"}).status == 303


def test_one_address_begins_only_so_many_things_at_once(house, monkeypatch):
    monkeypatch.setattr(
        house.services.get(CreationLimits), "by_address", RateLimit(rate=0.0, burst=3)
    )
    assert house.browser().post("/quick", {"game": "sticks"}).status == 303
    for token in ("one", "two"):
        guest = house.nobody()
        guest.token = token
        assert guest.call("/tables", {"game": "nim"}).status == 201
    assert house.nobody().call("/tables", {"game": "nim"}).status == 429
    assert house.browser().post("/quick", {"game": "sticks"}).status == 429


def test_a_class_may_lay_its_tables(house):
    """Five hundred at once from one address, and twenty a second after."""
    limit = house.services.get(CreationLimits).by_address
    fresh = RateLimit(limit.rate, limit.burst)
    assert all(fresh.take("here", now=0.0) for _ in range(500))
    while fresh.take("here", now=0.0):
        pass
    assert [fresh.take("here", now=1.0) for _ in range(21)] == [True] * 20 + [False]


def test_a_solution_is_given_up_when_its_client_has_gone(house, monkeypatch):
    begun, ended = threading.Event(), threading.Event()

    async def run(name, *values, **more):
        begun.set()
        try:
            await asyncio.sleep(3600)
        finally:
            ended.set()

    monkeypatch.setattr(requests, "LOOK", 0.01)
    monkeypatch.setattr(house.services.workers, "run", run)
    with house.nobody().leaving("POST", "/api/solve", b'{"game": "nim"}'):
        assert begun.wait(60)
    assert ended.wait(60)


# Open pages and streams


def refused_with(line):
    with line, pytest.raises(ConnectionClosed) as closed:
        line.recv(timeout=60)
    return closed.value.rcvd.code


def test_a_page_too_many_may_come_back_later(house, monkeypatch):
    monkeypatch.setattr(live, "MAX_PAGES", 1)
    ann = house.browser()
    with ann.live("lobby:") as page:
        page.recv(timeout=60)
        assert refused_with(ann.live("lobby:")) == 1013
        with house.browser().live("lobby:") as other:
            other.recv(timeout=60)
    with ann.live("lobby:") as page:
        page.recv(timeout=60)
    assert refused_with(ann.live("nothing:")) == 4404


def test_one_network_has_only_so_many_pages_open(house, monkeypatch):
    monkeypatch.setattr(live, "MAX_PAGES_BY_NETWORK", 1)
    with house.browser().live("lobby:") as page:
        page.recv(timeout=60)
        assert refused_with(house.browser().live("lobby:")) == 1013


def test_events_and_streams_without_a_token_count_by_address(house, monkeypatch):
    monkeypatch.setattr(streams, "MAX_STREAMS", 2)
    table = house.table("tictactoe")
    with contextlib.ExitStack() as lines:
        for _ in range(2):
            lines.enter_context(house.nobody().stream(table)).recv(timeout=60)
        refused = house.nobody().call(f"/tables/{table}/events?seconds=1")
        assert refused.status == 429
        assert "already have 2 open streams" in refused.said
        assert refused_with(house.nobody().stream(table)) == 4429
        with house.player(table, 0).stream(table) as line:
            line.recv(timeout=60)
    assert house.nobody().call(f"/tables/{table}/events?seconds=0").status == 200


def test_a_stream_may_come_again_when_the_database_cannot_be_asked(house, monkeypatch):
    table = house.table("tictactoe")

    def broken(name):
        raise Unavailable("it is being restarted")

    monkeypatch.setattr(house.store.tables, "get", broken)
    assert refused_with(house.nobody().stream(table)) == 1013


# The lobby

OPEN = (Seat("open"), Seat("open"))


def test_one_browser_may_wait_at_a_few_tables_only(house, monkeypatch):
    monkeypatch.setattr(service, "MAX_LISTED", 2)
    ann = house.browser()
    creator = ann.owner
    seats = [Seat("person", "Ann", owner=creator), Seat("open")]
    game = registry.game("sticks")
    made = [house.services.get(TableService).create(game, seats, creator=creator) for _ in range(2)]
    with pytest.raises(service.TooMany, match="already have 2 open tables in the lobby"):
        house.services.get(TableService).create(game, seats, creator=creator)
    house.services.get(TableService).create(
        game, seats, creator=creator, listed=False
    )  # only for a friend
    for table in made:
        house.store.tables.remove(table.id)


def test_one_address_may_wait_at_many_tables_but_not_at_any_number(house, monkeypatch):
    monkeypatch.setattr(service, "MAX_LISTED_BY_ADDRESS", 3)
    game = registry.game("sticks")
    for number in range(3):
        house.store.addresses.note(f"browser:c{number}", "198.51.100.1")
        house.services.get(TableService).create(game, OPEN, creator=f"browser:c{number}")
    house.store.addresses.note("browser:c9", "198.51.100.1")
    with pytest.raises(service.TooMany, match="many open tables of your network"):
        house.services.get(TableService).create(game, OPEN, creator="browser:c9")
    house.store.addresses.note("browser:d", "198.51.100.2")
    house.services.get(TableService).create(game, OPEN, creator="browser:d")
    for table in house.store.tables.find(listed=True, over=False):
        house.store.tables.remove(table.id)


# Bars


@pytest.fixture
def bar(house):
    """Bar a browser or an address, until the test ends at the latest."""
    subjects = set()

    def put(subject, seconds=3600.0, *, elsewhere=False):
        now = time.time()
        house.store.bars.put(Bar(subject, now + seconds, now, "test"))
        subjects.add(subject)
        if not elsewhere:  # another server does not tell this one
            house.services.visitors.note_change()

    yield put
    for each in subjects:
        house.store.bars.remove(each)
    house.services.visitors.note_change()


def test_a_barred_browser_starts_and_joins_nothing_but_may_watch(house, bar):
    table = house.table("tictactoe")
    ann = house.browser()
    bar(ann.owner)
    for path, form in (
        ("/quick", {"game": "sticks"}),
        ("/new/sticks/play", {}),
        ("/tournaments", {"game": "sticks"}),
        (f"/tables/{table}/sit", {"seat": 0, "name": "Ann"}),
        ("/chat", {"text": "hello"}),
    ):
        refused = ann.post(path, form)
        assert refused.status == 403, path
        assert "you can still watch" in refused.said, path
    assert ann.get(f"/tables/{table}").status == 200
    assert house.browser().post("/quick", {"game": "sticks"}).status == 303


def test_an_address_is_barred_for_programs_too_and_only_for_its_time(house, bar):
    table = house.table("tictactoe")
    bar("127.0.0.1")
    assert house.nobody().call("/tables", {"game": "nim"}).status == 403
    seat = house.nobody().call(f"/tables/{table}/seats/0", {"name": "Ann"})
    assert (seat.status, "you can still watch" in seat.said) == (403, True)
    assert house.nobody().call(f"/tables/{table}").status == 200
    bar("127.0.0.1", seconds=-1.0)  # it has ended
    assert house.nobody().call("/tables", {"game": "nim"}).status == 201


def test_a_bar_that_another_server_stored_holds_within_some_seconds(house, bar, monkeypatch):
    ann = house.browser()
    assert ann.post("/quick", {"game": "sticks"}).status == 303
    bar(ann.owner, elsewhere=True)
    assert clients.FRESH <= 6
    monkeypatch.setattr(clients, "FRESH", 0.0)  # they have passed
    assert ann.post("/quick", {"game": "sticks"}).status == 403
