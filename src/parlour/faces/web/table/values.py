"""What positions are worth: found out once by a worker, and kept for every page that shows it.

A page never waits for a value: it shows those that are known, and is sent more when they are found.
A temporary error, such as a worker that died, is shown for a while; then the task is tried again.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from typing import Any

from parlour.core import ParlourError
from parlour.faces.web.background import RETRY, KeyedTasks
from parlour.faces.web.live import Hub
from parlour.faces.web.table.state import client_of, match_of
from parlour.faces.web.workers import RETRY_AFTER, TEMPORARY, QueueFull, WorkerPool
from parlour.store import Store, Table

MAX_SIZE = 50_000_000  # characters of JSON
LIMIT = 20.0  # seconds to prove a value, or give it up
CURRENT = 0.5  # seconds for an estimate of the position on the table
EARLIER = 0.1  # and of each earlier one
UPDATE_EVERY = 8  # earlier positions between two updates of the page

Key = tuple[str, str, str]
Assessment = dict[str, Any]


class Valuations:
    """All assessments this server knows."""

    def __init__(self, store: Store, hub: Hub, workers: WorkerPool) -> None:
        self._store = store
        self._hub = hub
        self._workers = workers
        self._known: OrderedDict[Key, str] = OrderedDict()  # as JSON, a tenth of the size
        self._size = 0
        self._errors: dict[Key, tuple[str, float]] = {}  # temporary ones, and when they occurred
        self._tasks = KeyedTasks(self._assess_table)

    def get(self, stored: Any, position: str) -> Assessment | None:
        """Return the assessment of a position of a stored game, if it is known."""
        text = self._known.get(_key(stored, position))
        return None if text is None else json.loads(text)

    def keep(self, stored: Any, position: str, found: Assessment) -> None:
        """Keep an assessment, dropping the oldest to make room."""
        key, text = _key(stored, position), json.dumps(found)
        self._size += len(text) - len(self._known.pop(key, ""))
        self._known[key] = text
        while self._size > MAX_SIZE:
            self._size -= len(self._known.popitem(last=False)[1])

    def of_table(self, table: Table) -> tuple[Assessment | None, list[Assessment]]:
        """Return what is known of the position on a table, and of all positions so far.

        What is not known is found out, and then announced to the pages of the table.
        """
        found = [self._get_or_error(table, position) for position in _positions(table)]
        if None in found:
            self._tasks.wake(table.id)
        return found[-1], [each or {} for each in found]

    def _get_or_error(self, table: Table, position: str) -> Assessment | None:
        """Return what is known, or a recent temporary error."""
        why, when = self._errors.get(_key(table, position), ("", 0.0))
        if why and time.monotonic() - when < RETRY_AFTER:
            return _unknown(why)
        return self.get(table, position)

    def _note_error(self, table: Table, position: str, error: ParlourError) -> None:
        now = time.monotonic()
        recent = {key: each for key, each in self._errors.items() if now - each[1] < RETRY_AFTER}
        self._errors = {**recent, _key(table, position): (str(error), now)}

    async def _assess_table(self, table_id: str) -> None:
        """Assess the current position of a table, then earlier ones while somebody watches."""
        table = await asyncio.to_thread(self._store.tables.get, table_id)
        if table is None:
            return
        positions = _positions(table)
        topic = f"table:{table.id}"
        unsent = 0
        for at in reversed(range(len(positions))):
            if self._get_or_error(table, positions[at]) is not None:
                continue
            current = at == len(positions) - 1
            if not current and not self._hub.is_watched(topic):
                break
            try:
                found = await self._assess(table, list(table.moves[:at]), current)
                self.keep(table, positions[at], found)
            except TEMPORARY as error:
                self._note_error(table, positions[at], error)
            unsent += 1
            if current or unsent == UPDATE_EVERY:
                unsent = 0
                self._hub.announce(topic)
        if unsent:
            self._hub.announce(topic)

    async def _assess(self, table: Table, moves: list[str], current: bool) -> Assessment:
        """Return the assessment of a position, or why there is none."""
        payload = {
            "game": table.game,
            "options": table.options,
            "moves": moves,
            "seconds": CURRENT if current else EARLIER,
        }
        while True:
            try:
                found: Assessment = await self._workers.run(
                    "assess", payload, LIMIT, client=client_of(table), background=not current
                )
            except QueueFull:
                await asyncio.sleep(RETRY)
            except TEMPORARY:
                raise
            except ParlourError as error:
                return _unknown(str(error))
            else:
                return found


def _unknown(why: str) -> Assessment:
    return {"moves": [], "value": None, "why_not": why}


def _positions(table: Table) -> list[str]:
    """Return all positions of a game so far, as text."""
    match = match_of(table)
    return [match.game.write(state) for state in match.states]


def _key(stored: Any, position: str) -> Key:
    return stored.game, json.dumps(stored.options, sort_keys=True), position
