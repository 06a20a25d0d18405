"""What the processes of one server tell each other, by a socket to the process that started them.

Each line is a kind of message and its text. Topics that changed are sent this way, often with what
they changed to, so that nobody has to ask the database; what must not be stored at all, such as a
conversation, goes this way as well. The process that started the others passes every line on to all
but its sender. If that one dies, the socket closes, and so the others know.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable

TOPIC = "topic"  # the kind of message that says what has changed
MAX_LINE = 1 << 20  # bytes


class Peers:
    """The other processes of this server."""

    def __init__(self, connection: socket.socket, server: str, *, listens: bool) -> None:
        self._connection = connection
        self.server = server  # what all its processes call it
        self.listens = listens  # whether this one hears other servers, and tells all
        self._sending = threading.Lock()
        self._callbacks: dict[str, Callable[[str], object]] = {}

    def send(self, kind: str, text: str) -> None:
        """Send a message of one line to all others; from any thread."""
        line = f"{kind} {text}\n".encode()
        if len(line) <= MAX_LINE:
            with self._sending, contextlib.suppress(OSError):  # the listener notices it
                self._connection.sendall(line)

    def on(self, kind: str, callback: Callable[[str], object]) -> None:
        """Call back with the text of every message of a kind."""
        self._callbacks[kind] = callback

    def listen(self) -> None:
        """Call back with what the others send, until the process that started this one is gone."""
        with contextlib.suppress(OSError), self._connection.makefile("rb") as lines:
            for line in lines:
                kind, _, text = line.decode().rstrip("\n").partition(" ")
                if callback := self._callbacks.get(kind):
                    callback(text)
