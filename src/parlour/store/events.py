"""The events of each account, in the order in which they were stored.

An event is a JSON object with a number that grows within one owner's log, so that a program that
was away asks for everything after the last number it has seen. Events are stored in the
transaction of the change they tell of: neither is ever stored without the other.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from parlour.store.database import Database

Event = tuple[int, dict[str, Any]]  # its number, and what happened

LATEST = sa.text("SELECT COALESCE(MAX(number), 0) FROM events WHERE owner = :owner")
INSERT = sa.text("INSERT INTO events (owner, number, body) VALUES (:owner, :number, :body)")
SINCE = sa.text(
    "SELECT number, body FROM events WHERE owner = :owner AND number > :after "
    "ORDER BY number LIMIT :limit"
)
PRUNE = sa.text("DELETE FROM events WHERE number < :number")


class EventLog:
    """The events of all owners."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def append(self, events: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        """Store events by owner; call this within the transaction of the change."""
        for owner in sorted(events):  # always in this order, so that no two wait for each other
            self._lock(owner)
            # Times in milliseconds: the numbers grow even where old events were deleted
            first = max(self.latest(owner) + 1, round(time.time() * 1000))
            rows = [
                {"owner": owner, "number": number, "body": json.dumps(event)}
                for number, event in enumerate(events[owner], start=first)
            ]
            self._database.run(INSERT, rows)

    def _lock(self, owner: str) -> None:
        """Let others who write to this log wait: numbers must grow in the order of commits."""
        if self._database.dialect == "postgresql":
            digest = hashlib.blake2b(owner.encode(), digest_size=8).digest()
            key = int.from_bytes(digest, "big", signed=True)
            self._database.rows(sa.select(sa.func.pg_advisory_xact_lock(key)))

    def since(self, owner: str, after: int, limit: int) -> list[Event]:
        """List the events of an owner after a number, the oldest first."""
        values = {"owner": owner, "after": min(max(after, 0), 2**62), "limit": limit}
        return [(row.number, json.loads(row.body)) for row in self._database.rows(SINCE, values)]

    def latest(self, owner: str) -> int:
        """Return the number of an owner's latest event, or 0."""
        return int(self._database.scalar(LATEST, {"owner": owner}))

    def prune(self, before: float) -> int:
        """Delete events older than a time, and return how many there were."""
        return self._database.run(PRUNE, {"number": round(before * 1000)})
