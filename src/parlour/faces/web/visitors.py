"""Visitors over time: who was here lately and from where, and who is barred.

The addresses of those who create or join something are stored for some days, and every minute who
of them is still here, so that tables in the lobby whose creator has gone fall out. A bar is stored
too; each server reads the list every few seconds, or at once when another one announces a change.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from datetime import UTC, datetime

from parlour.core import say
from parlour.faces.web.clients import AddressBook, Recent, Visitor
from parlour.faces.web.errors import NotYours
from parlour.faces.web.live import Hub
from parlour.store import Store, Unavailable

BARS = "bars:"  # the topic of changes of bars
FRESH = 5.0  # seconds for which the list of bars is kept
MINUTE = 60.0  # seconds between two notes of who is here
NOTED = 10 * MINUTE  # after which the address of somebody is stored again
MAX_NOTED = 20_000


class Visitors:
    """Who is here, and who may do nothing new."""

    def __init__(self, store: Store, hub: Hub, book: AddressBook) -> None:
        self._store = store
        self._hub = hub
        self._book = book
        self._noted: Recent[tuple[str, str], float] = Recent(MAX_NOTED)
        self._bars: dict[str, float] = {}  # until when, by owner or network
        self._read = -FRESH

    def refuse_barred(self, visitor: Visitor) -> None:
        """Refuse somebody who is barred."""
        until = self.barred_until(visitor)
        if until is not None:
            when = datetime.fromtimestamp(until, UTC)
            raise NotYours(
                say(
                    "you cannot start games, join them or chat here until {when:%Y-%m-%d %H:%M} "
                    "UTC; you can still watch",
                    when=when,
                )
            )

    def admit(self, visitor: Visitor) -> None:
        """Refuse somebody who is barred; store the address of anybody else who does something."""
        self.refuse_barred(visitor)
        now, key = time.monotonic(), (visitor.client, visitor.network)
        if now - self._noted.get(key, -NOTED) < NOTED:
            return
        with contextlib.suppress(Unavailable):  # whatever they do will say so
            self._store.addresses.note(*key)
            self._noted.keep(key, now)

    def barred_until(self, visitor: Visitor) -> float | None:
        """Return until when a visitor is barred, in seconds since the epoch; None if not."""
        if time.monotonic() - self._read > FRESH:
            with contextlib.suppress(Unavailable):  # then what was read last holds
                self._bars = {bar.subject: bar.until for bar in self._store.bars.list(time.time())}
                self._read = time.monotonic()
        ends = [self._bars.get(name, 0.0) for name in {visitor.owner, visitor.network} - {""}]
        until = max(ends, default=0.0)
        return until if until > time.time() else None

    def note_change(self) -> None:
        """Read the bars again: somebody was barred, or may come back."""
        self._read = -FRESH

    async def note(self) -> None:
        """Store who is still here."""
        here = self._hub.owners().union(self._book.seen_within(MINUTE))
        await asyncio.to_thread(self._store.addresses.touch, here, time.time())
