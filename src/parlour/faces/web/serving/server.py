"""One server process: uvicorn with our settings, and a stop that loses nothing.

The first signal stops the server gently, within seconds; a second one stops it at once. What was
acknowledged is stored either way.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import sys
import threading
import time
from collections.abc import Sequence
from functools import partial
from types import FrameType

import uvicorn
from fastapi import FastAPI

from parlour.faces.web.app import DEFAULTS, Settings, create_app, drain, receive
from parlour.faces.web.serving.connections import HttpConnection, WebSocketConnection
from parlour.store import EVERYTHING, Store

DRAIN = 5.0  # seconds for which searches may finish
CLOSE = 2  # seconds for connections to close after that
MOMENT = 0.5  # seconds within which several signals are one
POLL = 0.05  # seconds between two checks whether a second signal has come
MAX_FILES = 65_536  # a connection is one


class Server(uvicorn.Server):
    """A server that lets running searches finish before it closes its connections."""

    def __init__(self, app: FastAPI) -> None:
        settings = uvicorn.Config(
            app,
            log_config=None,  # see operations.py
            access_log=False,
            http=HttpConnection,
            ws=WebSocketConnection,
            ws_per_message_deflate=False,  # its buffers would triple a connection's memory
            ws_max_size=64 * 1024,
            timeout_graceful_shutdown=CLOSE,
            server_header=False,
        )
        super().__init__(settings)
        self._app = app
        self._told = 0.0  # when the first signal came

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop gently; at the second signal, whichever it is, at once.

        A service is often told twice in one moment: by its supervisor, and with its whole group.
        """
        now = time.monotonic()
        if not self.should_exit:
            self.should_exit, self._told = True, now
        elif now - self._told > MOMENT:
            self.force_exit = True
        if sig == signal.SIGINT:  # raised again after the stop, so that the command says so
            self._captured_signals.append(sig)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve; at SIGUSR1 everything is read again, as after a backup was restored."""
        await super().startup(sockets)
        if sys.platform != "win32" and threading.current_thread() is threading.main_thread():
            loop = asyncio.get_running_loop()
            read = partial(receive, self._app.state.services, EVERYTHING)
            call = partial(loop.run_in_executor, None, read)
            loop.add_signal_handler(signal.SIGUSR1, call)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no new connections, wait for searches, close live pages, then end the app."""
        for server in self.servers:
            server.close()
        for sock in sockets or ():
            sock.close()
        waiting = asyncio.ensure_future(drain(self._app.state.services, DRAIN))
        while not waiting.done() and not self.force_exit:
            await asyncio.wait([waiting], timeout=POLL)
        waiting.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await waiting
        await super().shutdown(sockets)  # which closes WebSockets with 1012, "service restart"
        if self.force_exit:  # then uvicorn leaves this out, and the workers would outlive it
            await self.lifespan.shutdown()


def serve(store: Store, sockets: Sequence[socket.socket], settings: Settings = DEFAULTS) -> None:
    """Serve the site at these open sockets until a signal comes, then close the store.

    This may be one of several processes that share the sockets.
    """
    raise_file_limit()
    with contextlib.closing(store):
        Server(create_app(store, settings)).run(sockets=list(sockets))


def raise_file_limit() -> None:
    """Let this process open as many connections as the system allows it."""
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = MAX_FILES if hard == resource.RLIM_INFINITY else min(MAX_FILES, hard)
        if soft != resource.RLIM_INFINITY and soft < most:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
