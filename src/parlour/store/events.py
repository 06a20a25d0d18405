"""The events of each account, in the order in which they were stored.

An event is a JSON object with a number that grows within one owner's log, so that a program that
was away asks for everything after the last number it has seen. Events are stored in the
transaction of the change they tell of: neither is ever stored without the other.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from parlour.store.rows import Rows

Event = tuple[int, dict[str, Any]]  # its number, and what happened


class StoredEvent(NamedTuple):
    """An event as a row."""

    owner: str
    number: int
    body: str  # as JSON


class EventLog(Rows[StoredEvent], kind=StoredEvent, table="events", age="number"):
    """The events of all owners."""

    def append(self, events: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        """Store events by owner; call this within the transaction of the change."""
        for owner in sorted(events):  # always in this order, so that no two wait for each other
            # Others who write to this log wait: numbers must grow in the order of commits.
            with self._database.serialised(f"events {owner}"):
                # Times in milliseconds: the numbers grow even where old events were deleted
                first = max(self.latest(owner) + 1, round(time.time() * 1000))
                rows = [
                    {"owner": owner, "number": number, "body": json.dumps(event)}
                    for number, event in enumerate(events[owner], start=first)
                ]
                self._database.run(sa.insert(self._table), rows)

    def since(self, owner: str, after: int, limit: int) -> list[Event]:
        """List the events of an owner after a number, the oldest first."""
        row = self._row
        later = row.number > min(max(after, 0), 2**62)
        found = self._find(row.owner == owner, later, order=row.number, limit=limit)
        return [(each.number, json.loads(each.body)) for each in found]

    def latest(self, owner: str) -> int:
        """Return the number of an owner's latest event, or 0."""
        query = sa.select(sa.func.max(self._row.number)).where(self._row.owner == owner)
        return self._database.scalar(query) or 0

    def prune(self, before: float) -> int:
        """Delete events older than a time, and return how many there were."""
        return super().prune(round(before * 1000))
