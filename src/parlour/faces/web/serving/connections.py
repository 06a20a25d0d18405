"""Connections that nobody uses are closed: uvicorn's protocols with the time-outs they lack.

Whoever connects has to send a whole request within some seconds, headers first, and to read what is
sent. A connection that does not is closed with one sentence, if anybody can still read it. One
network may hold only so many connections, and fewer of those that have yet to send a request: the
oldest of them makes room for the next, so that whoever means it gets through.

This is the only file that builds on classes of uvicorn that are not public. Its settings know a
limit for idle connections alone, and the app is first called when the headers are whole: it cannot
see a connection that sends half of them, nor one that ignores its answer, nor the rest of a body
that was refused. A test sends each of these, so that a new uvicorn shows whether they still hold.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
import time
from asyncio.transports import BaseTransport
from collections import Counter, OrderedDict
from typing import ClassVar

from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from parlour.faces.web.clients import MAX_UPLOAD, Recent, network_of

HEADERS = 10.0  # seconds for a connection to send the headers of a request
BODY = 30.0  # seconds for the rest of it, which is at most three megabytes
READING = 30.0  # seconds for a client to read what fills the buffers
MAX_HEADERS = 64 * 1024  # bytes
MAX_BODY = 2 * MAX_UPLOAD  # bytes that are read of a body, even if only to be thrown away
APART = 5.0  # seconds for which a network that sends too much may not connect
SURELY_READ = 2.0  # seconds after which a request that had come would have been read
MAX_UNFINISHED = 100  # connections of one network that have yet to send a request
MAX_UNFINISHED_IN_ALL = 2_000
MAX_CONNECTIONS = 3_000  # of one network; several classes may share one
MAX_KEPT_OUT = 1_000
SENTENCES = {
    408: "The request took too long to arrive; send it again.",
    431: f"The headers of a request may have {MAX_HEADERS // 1024} kB at most.",
}


class Census:
    """All connections of this process by network, and those that have yet to send a request."""

    def __init__(self) -> None:
        self.by_network: Counter[str] = Counter()
        self.unfinished: dict[str, OrderedDict[HttpConnection, None]] = {}  # the oldest first
        self.kept_out: Recent[str, float] = Recent(MAX_KEPT_OUT)  # networks, and until when

    def open(self, network: str) -> bool:
        """Count one more connection; return whether it may stay."""
        self.by_network[network] += 1
        if time.monotonic() < self.kept_out.get(network, 0.0):
            return False
        return self.by_network[network] <= MAX_CONNECTIONS

    def close(self, network: str) -> None:
        """Count one connection less."""
        self.by_network[network] -= 1
        if not self.by_network[network]:
            del self.by_network[network]

    def wait(self, connection: HttpConnection) -> None:
        """Note that a connection has yet to send a request, and close the oldest if too many do."""
        ours = self.unfinished.setdefault(connection.network, OrderedDict())
        ours[connection] = None
        if len(ours) > MAX_UNFINISHED:
            self._close_oldest(ours)
        elif sum(map(len, self.unfinished.values())) > MAX_UNFINISHED_IN_ALL:
            most = max(self.unfinished, key=lambda network: len(self.unfinished[network]))
            self._close_oldest(self.unfinished[most])

    def _close_oldest(self, waiting: OrderedDict[HttpConnection, None]) -> None:
        """Close the oldest connection, unless its request may have come and was not read yet."""
        oldest = next(iter(waiting))
        if oldest.loop.time() - oldest.since >= SURELY_READ:
            oldest.give_up()

    def finish(self, connection: HttpConnection) -> None:
        """Note that a connection has sent a request, or is gone."""
        if ours := self.unfinished.get(connection.network):
            ours.pop(connection, None)
            if not ours:
                del self.unfinished[connection.network]


class HttpConnection(HttpToolsProtocol):
    """An HTTP connection that is closed if it does not send, or read, in time."""

    census: ClassVar[Census] = Census()
    network = ""
    since = 0.0  # when a request was last waited for
    _timer: asyncio.TimerHandle | None = None
    _reading: asyncio.TimerHandle | None = None
    _begun = False  # whether a request has begun to arrive
    _in_body = False
    _header_bytes = 0
    _body_bytes = 0
    _running: RequestResponseCycle | None = None  # an earlier one, if requests are pipelined

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Give a new connection some seconds to send a request."""
        super().connection_made(transport)
        self.network = network_of(self.client[0] if self.client else "")
        if not self.census.open(self.network) and not self._is_proxy():
            self._abort()
            return
        self._expect_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection that is gone."""
        self._stop_timers()
        self.census.close(self.network)
        if self._running is not None:
            self._running.disconnected = True
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read some bytes of a request."""
        if not self._in_body:
            self._expect_headers()
            self._header_bytes += len(data)
        super().data_received(data)
        if self._header_bytes > MAX_HEADERS and not self._in_body and self._timer is not None:
            self._refuse(431)

    def on_message_begin(self) -> None:
        """Begin a request, which may come in the same bytes as the end of another."""
        self._expect_headers()
        self._begun = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Wait for the body of the request."""
        self._stop_waiting()
        self._begun = self._in_body = True
        self._timer = self.loop.call_later(BODY, self._time_out)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Read some of a body; one that was refused is read too, or the answer would be lost."""
        self._body_bytes += len(body)
        if self._body_bytes > MAX_BODY:
            self.census.kept_out.keep(self.network, time.monotonic() + APART)
            self._abort()
        else:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """Wait for nothing more: the request is whole."""
        self._stop_waiting()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over."""
        self._stop_timers()
        super().handle_websocket_upgrade()
        self.census.close(self.network)

    def _is_proxy(self) -> bool:
        """Whether the other side is a trusted proxy, behind which many visitors may be."""
        return self.client is not None and self.client[0] in getattr(self.app, "trusted_hosts", ())

    def _expect_headers(self) -> None:
        if self._timer is None and not self.transport.is_closing():
            self.since = self.loop.time()
            self._timer = self.loop.call_later(HEADERS, self._time_out)
            self.census.wait(self)

    def _stop_waiting(self) -> None:
        self.census.finish(self)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._begun = self._in_body = False
        self._header_bytes = self._body_bytes = 0

    def _stop_timers(self) -> None:
        self._stop_waiting()
        if self._reading is not None:
            self._reading.cancel()

    def _time_out(self) -> None:
        """Close the connection, unless it is we who keep it waiting."""
        answering = self.cycle is not None and not self.cycle.response_complete
        if self.flow.read_paused or (answering and not self._in_body):
            self._timer = self.loop.call_later(HEADERS, self._time_out)
        elif self._begun:
            self._refuse(408)
        else:
            self.give_up()

    def _refuse(self, status: int) -> None:
        """Say why the connection is closed, unless a response has begun."""
        answered = self.cycle is not None and self.cycle.response_started
        if not (answered and self._in_body):
            content = SENTENCES[status].encode()
            head = b"content-type: text/plain; charset=utf-8\r\nconnection: close\r\n"
            length = b"content-length: %d\r\n\r\n" % len(content)
            self.transport.write(STATUS_LINE[status] + head + length + content)
        self.give_up()

    def give_up(self) -> None:
        """Close the connection."""
        self._stop_timers()
        self.transport.close()
        self._reading = self.loop.call_later(READING, self._abort)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._running = cycle
        super()._start_asgi_task(cycle, app)

    def _abort(self) -> None:
        """End the connection at once; nothing more is written to it."""
        if self._running is not None:
            self._running.disconnected = True
        _reset(self.transport)

    def timeout_keep_alive_handler(self) -> None:
        """Close a connection that has had its answer and sends nothing more."""
        if not self.transport.is_closing():
            self.give_up()

    def pause_writing(self) -> None:
        """Give the client some seconds to read."""
        super().pause_writing()
        self._reading = self.loop.call_later(READING, self._abort)

    def resume_writing(self) -> None:
        """Go on writing."""
        super().resume_writing()
        if self._reading is not None:
            self._reading.cancel()


class WebSocketConnection(WebSocketsSansIOProtocol):
    """A WebSocket that is closed if the other side does not read."""

    census: ClassVar[Census] = HttpConnection.census
    network = ""
    _reading: asyncio.TimerHandle | None = None
    _paused = False

    def connection_made(self, transport: BaseTransport) -> None:
        """Take a connection over."""
        super().connection_made(transport)
        self.network = network_of(self.client[0] if self.client else "")
        self.census.open(self.network)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection that is gone."""
        self._cancel()
        self.census.close(self.network)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Give the client some seconds to read, and read nothing from it meanwhile."""
        super().pause_writing()
        self._reading = self.loop.call_later(READING, self._abort)
        if not self.read_paused:
            self._paused = self.read_paused = True
            self.transport.pause_reading()

    def resume_writing(self) -> None:
        """Go on reading and writing."""
        super().resume_writing()
        self._cancel()
        if self._paused and self.read_paused and self.queue.empty():
            self.read_paused = False
            self.transport.resume_reading()
        self._paused = False

    def keepalive_timeout(self) -> None:
        """Close a connection that answers no ping, even if it does not read that either."""
        super().keepalive_timeout()
        self._cancel()
        self._reading = self.loop.call_later(READING, self._abort)

    def _abort(self) -> None:
        self.disconnected = True
        _reset(self.transport)

    def _cancel(self) -> None:
        if self._reading is not None:
            self._reading.cancel()


def _reset(transport: asyncio.Transport) -> None:
    """End a connection at once; the system would keep what is unread as long as it is open."""
    sock = transport.get_extra_info("socket")
    if sock is not None:
        with contextlib.suppress(OSError):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()
