"""The application in this process: asked by ASGI through no socket, its tasks run by a thread.

A request is answered as uvicorn answers it, and a WebSocket is read and written as those of the
package websockets, so a test need not know which of the two it has.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import functools
import importlib
import itertools
import os
import queue
import socket
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from http.client import HTTPMessage
from typing import Any
from urllib.parse import unquote

from fastapi import FastAPI
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosedError, ConnectionClosedOK, InvalidStatus
from websockets.frames import Close
from websockets.http11 import Response

from parlour.core import Work
from parlour.faces.web.app import drain
from parlour.faces.web.workers import WorkerPool
from parlour.faces.web.workers.process import WorkerProcess

PATIENCE = 60  # seconds; ends a test that hangs
DRAIN = 5.0  # seconds, as a server has them
ENDING = 1.0  # seconds in which a worker that is idle has ended
SLACK = 10  # times as long as in a process of its own may a task take, on a busy machine
NORMAL, GOING_AWAY, NO_CODE, FAILED, RESTART = 1000, 1001, 1005, 1011, 1012  # of WebSockets

RawHeaders = list[tuple[bytes, bytes]]


# Tasks


class ThreadWorker(WorkerProcess):
    """A worker that is a thread of this process."""

    def end(self, work: Work) -> None:
        """Let the thread end, soon if it is at work."""
        work.stop()


class ThreadWorkers:
    """Threads where a pool has a fork server and its processes."""

    _numbers = itertools.count(1)  # of all threads of this process

    def __init__(self, module: str) -> None:
        self._module = module
        self._threads: dict[int, threading.Thread] = {}
        self._connections: dict[int, socket.socket] = {}

    def fork(self, request: Mapping[str, Any], files: Sequence[int]) -> int:
        """Start a worker on this connection, and return its number."""
        connection, number = socket.socket(fileno=os.dup(files[0])), next(self._numbers)

        def run() -> None:
            tasks = importlib.import_module(self._module).TASKS
            with connection, contextlib.suppress(OSError, SystemExit):  # closed, or killed
                ThreadWorker(connection, tasks).serve()

        self._connections[number] = connection
        thread = threading.Thread(target=run, name=f"worker {number}", daemon=True)
        self._threads[number] = thread
        thread.start()
        return number

    def kill(self, number: int) -> None:
        """End what a worker does, as far as it is Python; an idle one ends with its connection."""
        thread = self._threads.pop(number)
        self._disconnect(number)
        thread.join(ENDING)
        if thread.is_alive() and thread.ident is not None:
            error, ident = ctypes.py_object(SystemExit), ctypes.c_ulong(thread.ident)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, error)

    def close(self) -> None:
        """End all connections, and the threads with them."""
        for number in self._connections:
            self._disconnect(number)

    def _disconnect(self, number: int) -> None:
        with contextlib.suppress(OSError):
            self._connections[number].shutdown(socket.SHUT_RDWR)


class ThreadPool(WorkerPool):
    """A pool with one worker, a thread: tasks run one after another."""

    def __init__(self, tasks: str, *, address_of: Callable[[str], str], **_: int) -> None:
        super().__init__(tasks, size=1, address_of=address_of)
        self._module = tasks

    def start_fork_server(self) -> Any:
        """Start what makes the workers."""
        return ThreadWorkers(self._module)

    async def run(
        self, name: str, payload: Mapping[str, Any], seconds: float = 10.0, **more: Any
    ) -> Any:
        """Run a task and return its result."""
        return await super().run(name, payload, seconds * SLACK, **more)


# Requests


class Running:
    """An application that runs on an event loop of its own, until it is closed."""

    def __init__(self, app: FastAPI, port: int) -> None:
        self._app = app
        self._asgi = ProxyHeadersMiddleware(app)  # type: ignore[arg-type]  # as uvicorn does
        self._port = port
        self._open: set[WebSocket] = set()
        self._started: Future[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = Future()
        self._thread = threading.Thread(target=self._run, name="app", daemon=True)
        self._thread.start()
        self.loop, self._stop = self._started.result(PATIENCE)

    def _run(self) -> None:
        try:
            asyncio.run(self._main())
        except BaseException as error:  # raised again where its start is awaited
            self._started.set_exception(error)

    async def _main(self) -> None:
        stop = asyncio.Event()
        async with self._app.router.lifespan_context(self._app):
            self._started.set_result((asyncio.get_running_loop(), stop))
            await stop.wait()
            await drain(self._app.state.services, DRAIN)
            for each in tuple(self._open):
                each.hang_up(RESTART)

    def run(self, call: Any) -> Any:
        """Return what a coroutine returns that is run on the event loop."""
        return asyncio.run_coroutine_threadsafe(call, self.loop).result(PATIENCE)

    def close(self) -> None:
        """End the application as a server does that is asked to stop."""
        self.loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    def _scope(self, kind: str, path: str, headers: RawHeaders) -> dict[str, Any]:
        target, _, query = path.partition("#")[0].partition("?")
        return {
            "type": kind,
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "server": ("127.0.0.1", self._port),
            "client": ("127.0.0.1", 50_000),
            "scheme": {"http": "http", "websocket": "ws"}[kind],
            "root_path": "",
            "path": unquote(target),
            "raw_path": target.encode("ascii"),
            "query_string": query.encode("ascii"),
            "headers": headers,
            "state": {},
        }

    def request(
        self, method: str, path: str, body: bytes | Iterable[bytes] | None, headers: dict[str, str]
    ) -> tuple[int, HTTPMessage, bytes]:
        """Send a request, and return the status, the headers and the body of the answer."""
        stream = self.stream(method, path, body, headers)
        return stream.status, stream.headers, b"".join(stream)

    def stream(
        self,
        method: str,
        path: str,
        body: bytes | Iterable[bytes] | None,
        headers: dict[str, str],
    ) -> Stream:
        """Send a request, and return the answer as it comes."""
        fields = {"Host": f"127.0.0.1:{self._port}", **headers}
        if body is None or isinstance(body, bytes):
            parts = [body or b""]
            if body is not None or method in ("POST", "PUT", "PATCH"):
                fields.setdefault("Content-Length", str(len(parts[0])))
        else:
            parts = list(body)
            fields.setdefault("Transfer-Encoding", "chunked")
        scope = {**self._scope("http", path, _raw(fields)), "method": method}
        return Stream(self.loop, self._asgi, scope, parts)

    def open(self, path: str, headers: dict[str, str]) -> WebSocket:
        """Open a WebSocket."""
        upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
        fields = {"Host": f"127.0.0.1:{self._port}", **upgrade, **headers}
        opened = WebSocket(self.loop)
        opened.begin(self._asgi, self._scope("websocket", path, _raw(fields)), self._open)
        return opened


def _raw(fields: Mapping[str, str]) -> RawHeaders:
    return [(name.lower().encode("ascii"), text.encode("latin-1")) for name, text in fields.items()]


class Stream:
    """The answer to a request: its status, its headers, and the parts of its body as they come."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, asgi: Any, scope: dict[str, Any], parts: list[bytes]
    ) -> None:
        self._loop = loop
        self._gone = asyncio.Event()  # set when the client leaves, or has its answer
        self._sent: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._done = asyncio.run_coroutine_threadsafe(self._answer(asgi, scope, parts), loop)

    @functools.cached_property
    def _start(self) -> dict[str, Any]:
        return self._sent.get(timeout=PATIENCE)

    @property
    def status(self) -> int:
        return int(self._start["status"])

    @property
    def headers(self) -> HTTPMessage:
        found = HTTPMessage()
        for name, value in self._start.get("headers", ()):
            assert not set(value) & set(b"\r\n\0"), f"no server would send this header: {value}"
            found[name.decode("latin-1")] = value.decode("latin-1")
        return found

    async def _answer(self, asgi: Any, scope: dict[str, Any], parts: list[bytes]) -> None:
        waiting = [
            {"type": "http.request", "body": part, "more_body": number < len(parts)}
            for number, part in enumerate(parts, 1)
        ]
        started = False

        async def receive() -> dict[str, Any]:
            if waiting:
                return waiting.pop(0)
            await self._gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            nonlocal started
            started = True
            self._sent.put(message)
            if message["type"] == "http.response.body" and not message.get("more_body"):
                self._gone.set()

        try:
            await asgi(scope, receive, send)
        except Exception:  # the app has logged it
            if not started:
                self._sent.put({"status": 500})
        finally:
            self._sent.put({"body": b""})

    def __iter__(self) -> Iterator[bytes]:
        more = True
        while more:
            message = self._sent.get(timeout=PATIENCE)
            more = message.get("more_body", False)
            yield message.get("body", b"")
        self._done.result(PATIENCE)  # what the app does after its answer is done as well

    def close(self) -> None:
        """Leave, and wait until the app has noticed."""
        self._loop.call_soon_threadsafe(self._gone.set)
        self._done.result(PATIENCE)


# WebSockets


class WebSocket:
    """One end of a WebSocket, with the interface of `websockets.sync.client.ClientConnection`."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._to_app: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._from_app: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._ended = threading.Event()
        self._closed: dict[str, Any] | None = None  # the message that the app closed it with
        self._gone = False  # whether the app can send no more

    def begin(self, asgi: Any, scope: dict[str, Any], among: set[WebSocket]) -> None:
        """Shake hands, or raise that the app refuses it."""

        async def send(message: dict[str, Any]) -> None:
            if self._gone:
                raise OSError("the WebSocket is closed")
            self._gone = message["type"] == "websocket.close"
            self._from_app.put(message)

        async def run() -> None:
            among.add(self)
            code = NORMAL
            try:
                await asgi(scope, self._to_app.get, send)
            except Exception:  # the app has logged it
                code = FAILED
            finally:
                among.discard(self)
                self._from_app.put({"type": "websocket.close", "code": code})
                self._gone = True
                self._ended.set()

        self._to_app.put_nowait({"type": "websocket.connect"})
        asyncio.run_coroutine_threadsafe(run(), self._loop)
        answer = self._from_app.get(timeout=PATIENCE)
        if answer["type"] != "websocket.accept":
            self._ended.wait(PATIENCE)
            raise InvalidStatus(Response(403, "Forbidden", Headers(), b""))

    def hang_up(self, code: int) -> None:
        """Close it, as a server does that stops; on the event loop."""
        if not self._gone:
            self._gone = True
            self._to_app.put_nowait({"type": "websocket.disconnect", "code": code})
            self._from_app.put({"type": "websocket.close", "code": code})

    def send(self, message: str | bytes) -> None:
        """Send a message."""
        self._check_open()
        kind = "text" if isinstance(message, str) else "bytes"
        self._tell({"type": "websocket.receive", kind: message})

    def recv(self, timeout: float | None = None) -> Any:
        """Wait for a message, and return it."""
        self._check_open()
        try:
            message = self._from_app.get(timeout=PATIENCE if timeout is None else timeout)
        except queue.Empty:
            raise TimeoutError("no message came") from None
        if message["type"] == "websocket.close":
            self._closed = message
            self._check_open()
        text = message.get("text")
        return message["bytes"] if text is None else text

    def close(self) -> None:
        """Close it, and wait until the app has noticed."""
        self._tell({"type": "websocket.disconnect", "code": NO_CODE})
        assert self._ended.wait(PATIENCE), "the app does not notice that a WebSocket was closed"

    def __enter__(self) -> WebSocket:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[Any]:
        with contextlib.suppress(ConnectionClosedOK):
            while True:
                yield self.recv()

    def _check_open(self) -> None:
        if self._closed is not None:
            close = Close(self._closed.get("code", NORMAL), self._closed.get("reason") or "")
            is_fine = close.code in (NORMAL, GOING_AWAY)
            raise (ConnectionClosedOK if is_fine else ConnectionClosedError)(close, close, True)

    def _tell(self, message: dict[str, Any]) -> None:
        with contextlib.suppress(RuntimeError):  # the house is closed
            self._loop.call_soon_threadsafe(self._to_app.put_nowait, message)
