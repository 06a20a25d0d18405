"""A house for tests: the real application, and its guests: a browser with its cookie, a program
with its token, anybody with any request.

It runs in this process and is asked through no socket; a thread runs its tasks. A house can also be
`served` at a real port, for a browser or another client, and have worker `processes`.
"""

from __future__ import annotations

import asyncio
import contextlib
import html
import http.client
import itertools
import json
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPMessage
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from fastapi import FastAPI
from websockets.sync.client import ClientConnection, connect

from parlour.faces.web.accounts import challenges
from parlour.faces.web.accounts import service as accounts
from parlour.faces.web.app import DEFAULTS, Settings, create_app
from parlour.faces.web.clients import RateLimit
from parlour.faces.web.services import Services
from parlour.faces.web.serving import Server
from parlour.faces.web.table import service as table_service
from parlour.faces.web.workers import WorkerPool, pool
from parlour.store.store import open_store
from tests.faces.web.forked import ReadyForkServer
from tests.faces.web.in_process import PATIENCE, Running, ThreadPool, WebSocket

pool.ForkServer = ReadyForkServer  # type: ignore[misc]  # so that a house opens at once
RUNNING: dict[int, Running] = {}  # the houses in this process, by what they have for a port
_PORTS = itertools.cycle(range(1, 1000))
Line = WebSocket | ClientConnection
NAMES = ("Ann", "Bob", "Cid", "Dot")  # by seat
FORM = "application/x-www-form-urlencoded"
BOUNDARY = b"9051914041544843365972754266"  # between the parts of a form with a file


@dataclass(frozen=True)
class Answer:
    """What a request was answered with."""

    status: int
    headers: HTTPMessage
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def said(self) -> str:
        """The sentence of a refusal, from its problem document or from its page."""
        if "json" in self.headers.get("content-type", ""):
            return str(self.json["detail"])
        if "html" not in self.headers.get("content-type", ""):
            return self.text.strip()
        found = re.search(r'id="notice"[^>]*>([^<]+)<|</h1>\s*<p>([^<]+)</p>', self.text)
        return html.unescape(found[1] or found[2]).strip() if found else ""


@dataclass
class Guest:
    """Somebody who sends requests: nobody yet, until they have a cookie or a token."""

    port: int
    cookie: str = ""
    token: str = ""

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def owner(self) -> str:
        """Whose the seats and the data of this browser are."""
        return f"browser:{self.cookie.partition('.')[0]}"

    def headers(self) -> dict[str, str]:
        """Who they say they are."""
        told = {"Cookie": f"parlour={self.cookie}"} if self.cookie else {}
        return {**told, "Authorization": f"Bearer {self.token}"} if self.token else told

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> Answer:
        """Send anything at all; a cookie that comes back is kept."""
        fields = {**self.headers(), **(headers or {})}
        if (app := RUNNING.get(self.port)) is not None:
            answer = Answer(*app.request(method, path, body, fields))
        else:
            line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
            with contextlib.closing(line):
                line.request(method, path, body, fields)
                response = line.getresponse()
                answer = Answer(response.status, response.headers, response.read())
        given = re.match(r"parlour=([^;]*)", answer.headers.get("set-cookie", ""))
        if given and not self.cookie and not self.token:
            self.cookie = given[1]
        return answer

    # As a browser does

    def get(self, path: str, **headers: str) -> Answer:
        """Look at a page."""
        return self.ask("GET", path, headers={"Accept": "text/html", **headers})

    def post(self, path: str, form: dict[str, Any] | str = "", **headers: str) -> Answer:
        """Send a form of the page."""
        body = form if isinstance(form, str) else urlencode(form, doseq=True)
        told = {"Content-Type": FORM, "Origin": self.origin, "Accept": "text/html", **headers}
        return self.ask("POST", path, body.encode(), told)

    def send(self, path: str, form: dict[str, Any] | str = "", **headers: str) -> Answer:
        """Send a form as the script does."""
        return self.post(path, form, **{"Accept": "application/json", **headers})

    def upload(self, path: str, data: bytes, name: str = "file.txt") -> Answer:
        """Send the form of a page with a file."""
        head = f'Content-Disposition: form-data; name="file"; filename="{name}"'
        body = b"--%s\r\n%s\r\n\r\n%s\r\n--%s--\r\n"
        content = body % (BOUNDARY, head.encode(), data, BOUNDARY)
        kind = f"multipart/form-data; boundary={BOUNDARY.decode()}"
        fields = {"Content-Type": kind, "Origin": self.origin, "Accept": "text/html"}
        return self.ask("POST", path, content, fields)

    # As a program does

    def call(self, path: str, told: Any = None, method: str = "", **headers: str) -> Answer:
        """Ask the API."""
        if told is None:
            return self.ask(method or "GET", f"/api{path}", headers=headers)
        body = json.dumps(told).encode()
        told = {"Content-Type": "application/json", **headers}
        return self.ask(method or "POST", f"/api{path}", body, told)

    @contextlib.contextmanager
    def leaving(self, method: str, path: str, body: bytes) -> Iterator[None]:
        """Send a request, and go away at the end of the block without waiting for an answer."""
        fields = {**self.headers(), "Content-Type": "application/json"}
        with contextlib.closing(RUNNING[self.port].stream(method, path, body, fields)):
            yield

    # Live

    @contextlib.contextmanager
    def events(self, path: str, **headers: str) -> Iterator[Callable[[], dict[str, str] | None]]:
        """A function that returns the next server-sent event; None at the end of the stream."""
        answer = RUNNING[self.port].stream("GET", path, None, {**self.headers(), **headers})
        assert answer.status == HTTPStatus.OK, b"".join(answer)
        kind = answer.headers["content-type"]
        assert kind.startswith("text/event-stream"), kind
        lines = (line for part in answer for line in part.decode().splitlines())

        def following() -> dict[str, str] | None:
            found: dict[str, str] = {}
            for line in lines:
                if not line and found:
                    return found
                if line and not line.startswith(":"):
                    name, _, value = line.partition(": ")
                    found[name] = value
            return None

        with contextlib.closing(answer):
            yield following

    def live(self, topic: str, have: object = "", view: str = "", **headers: str) -> Line:
        """The connection of an open page."""
        asked = urlencode({"topic": topic, "have": have, "view": view})
        return self.open(f"/live?{asked}", **{"Origin": self.origin, **headers})

    def stream(self, table: str, **headers: str) -> Line:
        """The connection of a program at a table."""
        return self.open(f"/api/tables/{quote(table, safe='')}/stream", **headers)

    def open(self, path: str, **headers: str) -> Line:
        """Any WebSocket."""
        fields = {**self.headers(), **headers}
        if (app := RUNNING.get(self.port)) is not None:
            return app.open(path, fields)
        return connect(
            f"ws://127.0.0.1:{self.port}{path}",
            additional_headers=fields,
            proxy=None,
            open_timeout=PATIENCE,
        )


class Served:
    """An application served at a real port by a thread of this process."""

    def __init__(self, app: FastAPI, port: int) -> None:
        self._server = Server(app)
        self._listening = socket.create_server(("127.0.0.1", port))
        self.port: int = self._listening.getsockname()[1]
        self._started: Future[asyncio.AbstractEventLoop] = Future()
        self._thread = threading.Thread(target=self._serve, name="house")
        self._thread.start()
        self.loop = self._started.result(PATIENCE)

    def _serve(self) -> None:
        startup = self._server.startup

        async def start(*sockets: Any, **more: Any) -> None:
            await startup(*sockets, **more)
            self._started.set_result(asyncio.get_running_loop())

        self._server.startup = start  # type: ignore[method-assign]
        self._server.run(sockets=[self._listening])

    def run(self, call: Any) -> Any:
        """Return what a coroutine returns that is run on the event loop."""
        return asyncio.run_coroutine_threadsafe(call, self.loop).result(PATIENCE)

    def close(self) -> None:
        """End it, and wait for that."""
        self._server.should_exit = True
        self._thread.join()


class OpenHouse:
    """The application on a database, from the first request to the last."""

    def __init__(
        self,
        database: str,
        port: int = 0,
        settings: Settings = DEFAULTS,
        *,
        served: bool = False,
        processes: bool = False,
    ) -> None:
        """Open it: `served` at a real port, its tasks run by worker `processes`."""
        self.database = database
        self.store = open_store(database)
        self.app = create_app(self.store, settings, WorkerPool if processes else ThreadPool)
        self.is_served = served
        self.running: Running | Served
        if served:
            self.running = Served(self.app, port)
            self.port = self.running.port
        else:
            self.port = port or next(n for n in _PORTS if n not in RUNNING)
            self.running = RUNNING[self.port] = Running(self.app, self.port)
        self.url = f"http://127.0.0.1:{self.port}"
        self.services: Services = self.app.state.services
        self._be_patient()
        self.patient = not processes

    def _be_patient(self) -> None:
        """Let pages wait for what they ask a worker, unless `waiting_workers` keep it."""
        for cache in (self.services.answers, self.services.atlases):

            async def ask(*values: Any, ask: Any = cache.ask, patience: float, **more: Any) -> Any:
                return await ask(*values, patience=PATIENCE if self.patient else patience, **more)

            cache.ask = ask

    def close(self) -> None:
        """End it, and wait for that."""
        self.running.close()
        if not self.is_served:
            del RUNNING[self.port]
        self.store.close()

    def nobody(self) -> Guest:
        """Somebody who has never been here."""
        return Guest(self.port)

    def browser(self) -> Guest:
        """Somebody who has looked at the first page and has a cookie."""
        guest = Guest(self.port)
        assert guest.get("/docs").status == 200
        assert guest.cookie
        return guest

    def table(self, game: str = "sticks", seats: Any = (), **more: Any) -> str:
        """The name of a new table, made by the API."""
        made = Guest(self.port).call("/tables", {"game": game, "seats": list(seats), **more})
        assert made.status == 201, made.text
        return str(made.json["id"])

    def player(self, table: str, seat: int, name: str = "") -> Guest:
        """A program that has taken a seat."""
        told = {"name": name or NAMES[seat]}
        seated = Guest(self.port).call(f"/tables/{table}/seats/{seat}", told)
        assert seated.status == 201, seated.text
        return Guest(self.port, token=seated.json["token"])

    def sitting(self, table: str, seat: int, name: str = "") -> Guest:
        """A browser that has taken a seat."""
        guest = self.browser()
        form = {"seat": seat, "name": name or NAMES[seat]}
        assert guest.post(f"/tables/{table}/sit", form).status == 303
        return guest

    def read(self, table: str) -> Any:
        """The table as it is stored."""
        found = self.store.tables.get(table)
        assert found is not None
        return found

    def inside(self, call: Any) -> Any:
        """Something done on the application's own event loop."""
        return self.running.run(call)


def lift_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let one address ask more in a minute than it may in a day."""
    monkeypatch.setattr(RateLimit, "take", lambda *_, **__: True)
    monkeypatch.setattr(accounts, "MAX_BY_ADDRESS", 10_000)
    monkeypatch.setattr(challenges, "MAX_SENT", 10_000)
    monkeypatch.setattr(challenges, "MAX_RECEIVED", 10_000)
    monkeypatch.setattr(table_service, "MAX_LISTED_BY_ADDRESS", 10_000)


def plain(markup: str) -> str:
    """The text of a page, without its tags."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", markup)).split())


def wait_until(look: Any, seconds: float = PATIENCE) -> Any:
    """What the look finds, as soon as it finds something."""
    deadline = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < deadline, "it did not come"
        time.sleep(0.01)
    return found


@contextlib.contextmanager
def waiting_workers(house: OpenHouse, *tasks: str) -> Iterator[None]:
    """Let no worker begin one of these tasks, or any, before the end of the block."""
    workers = house.services.workers
    may_begin, run = threading.Event(), workers.run

    async def run_when_allowed(name: str, *values: Any, **more: Any) -> Any:
        while not may_begin.is_set() and (name in tasks or not tasks):
            await asyncio.sleep(0.01)
        return await run(name, *values, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers, "run", run_when_allowed)
        patch.setattr(house, "patient", False)
        try:
            yield
        finally:
            may_begin.set()


@contextlib.contextmanager
def opened(database: str, settings: Settings = DEFAULTS, **how: bool) -> Iterator[OpenHouse]:
    """A house that is closed again, whatever happens in it."""
    house = OpenHouse(database, settings=settings, **how)
    try:
        yield house
    finally:
        house.close()


@contextlib.contextmanager
def opened_in(folder: Path, **how: bool) -> Iterator[OpenHouse]:
    """A house with the games of a data folder, and its database there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(folder))
        with opened(f"sqlite:///{folder}/parlour.sqlite", **how) as found:
            yield found


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenHouse]:
    """The one house of all tests that only visit, with a folder of its own.

    They all come from one address, and leave more tables in the lobby than one may have.
    """
    with (
        pytest.MonkeyPatch.context() as patch,
        opened_in(tmp_path_factory.mktemp("house")) as found,
    ):
        patch.setattr(table_service, "MAX_LISTED_BY_ADDRESS", 100_000)
        yield found


@pytest.fixture(scope="session")
def served_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenHouse]:
    """The one house of all tests that need a real port."""
    folder = tmp_path_factory.mktemp("served")
    with pytest.MonkeyPatch.context() as patch, opened_in(folder, served=True) as found:
        patch.setattr(table_service, "MAX_LISTED_BY_ADDRESS", 100_000)
        yield found
