"""How many connections each network holds, and which of them make room for others.

One network may hold only so many connections, and fewer of those that have yet to send a request:
the oldest of them makes room for the next, so that whoever means it gets through.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict
from typing import Protocol

APART = 5.0  # seconds for which a network that sends too much may not connect
SURELY_READ = 2.0  # seconds after which a request that had come would have been read
MAX_UNFINISHED = 100  # connections of one network that have yet to send a request
MAX_UNFINISHED_IN_ALL = 2_000
MAX_CONNECTIONS = 3_000  # of one network; several classes may share one
MAX_KEPT_OUT = 1_000


class Waiting(Protocol):
    """A connection that has yet to send a request."""

    network: str
    loop: asyncio.AbstractEventLoop
    since: float  # by the clock of the loop

    def give_up(self) -> None:
        """Close it."""


class Census:
    """All connections of this process by network, and those that have yet to send a request."""

    def __init__(self) -> None:
        self.by_network: Counter[str] = Counter()
        self.unfinished: dict[str, OrderedDict[Waiting, None]] = {}  # the oldest first
        self.kept_out: OrderedDict[str, float] = OrderedDict()  # networks, and until when

    def open(self, network: str) -> bool:
        """Count one more connection; return whether it may stay."""
        self.by_network[network] += 1
        if time.monotonic() < self.kept_out.get(network, 0.0):
            return False
        return self.by_network[network] <= MAX_CONNECTIONS

    def keep_out(self, network: str) -> None:
        """Let a network open no connection for some seconds."""
        self.kept_out.pop(network, None)
        self.kept_out[network] = time.monotonic() + APART
        while len(self.kept_out) > MAX_KEPT_OUT:
            self.kept_out.popitem(last=False)

    def close(self, network: str) -> None:
        """Count one connection less."""
        self.by_network[network] -= 1
        if not self.by_network[network]:
            del self.by_network[network]

    def wait(self, connection: Waiting) -> None:
        """Note that a connection has yet to send a request, and close the oldest if too many do."""
        ours = self.unfinished.setdefault(connection.network, OrderedDict())
        ours[connection] = None
        if len(ours) > MAX_UNFINISHED:
            self._close_oldest(ours)
        elif sum(map(len, self.unfinished.values())) > MAX_UNFINISHED_IN_ALL:
            most = max(self.unfinished, key=lambda network: len(self.unfinished[network]))
            self._close_oldest(self.unfinished[most])

    def _close_oldest(self, waiting: OrderedDict[Waiting, None]) -> None:
        """Close the oldest connection, unless its request may have come and was not read yet."""
        oldest = next(iter(waiting))
        if oldest.loop.time() - oldest.since >= SURELY_READ:
            oldest.give_up()

    def finish(self, connection: Waiting) -> None:
        """Note that a connection has sent a request, or is gone."""
        if ours := self.unfinished.get(connection.network):
            ours.pop(connection, None)
            if not ours:
                del self.unfinished[connection.network]
