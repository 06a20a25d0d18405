"""The events of an account: recorded with the change they tell of, and sent as they happen.

A stream begins with a greeting that says what waits: open challenges, and the games in which it is
the account's turn. After that come the events, those it missed first. They are read from the store
by number, and an announcement only wakes the stream, so a lost announcement delays an event by a
few seconds and loses nothing.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Annotated, Any

from parlour.faces.web.accounts.challenges import ChallengeService
from parlour.faces.web.accounts.service import AccountService
from parlour.faces.web.clients import account_id_of, account_owner
from parlour.faces.web.live import Page, Topic
from parlour.faces.web.requests import service
from parlour.faces.web.services import Services
from parlour.faces.web.table import TableService, is_full, is_known, match_of
from parlour.store import Account, Challenge, Event, Table

BATCH = 100  # events read at once
POLL = 10.0  # seconds after which a stream looks for itself
MAX_GAMES = 300  # in progress, listed of an account


@dataclass(frozen=True)
class Greeting:
    """What waits for an account when its stream begins."""

    number: int  # of the last event before it
    account: Account
    challenges: list[Challenge]
    turns: list[Table]  # the games in which it is the account's turn


class EventStream:
    """Records the events of all accounts, and follows those of one."""

    def __init__(self, services: Services) -> None:
        self._store = services.store
        self._hub = services.hub
        self._accounts = services.get(AccountService)
        self._challenges = services.get(ChallengeService)
        services.get(TableService).recorders.append(self.record)
        self._hub.topics["account"] = Topic(self._fetch, lambda *_: "", lambda *_: "")

    # Recording

    def record(self, before: Table | None, after: Table) -> None:
        """Store the events of a change at a table, in its transaction."""
        events: dict[str, list[Any]] = {}
        for seat, sits in enumerate(after.seats):
            if account_id_of(sits.owner) and (found := _events(before, after, seat)):
                events.setdefault(sits.owner, []).extend(found)
        if events:
            self._store.events.append(events)
            for owner in events:
                self._store.after_commit(partial(self._accounts.wake, account_id_of(owner)))

    # Following

    def greet(self, account: Account, after: int | None) -> Greeting:
        """Return what waits for an account; with `after`, its events go on after that number."""
        owner = account_owner(account.id)
        number = self._store.events.latest(owner) if after is None else after
        challenges = self._challenges.list_of(owner)
        turns = [table for table in self.list_games(account) if is_turn_of(table, owner)]
        return Greeting(number, account, challenges, turns)

    def list_games(self, account: Account) -> list[Table]:
        """List the account's games in progress, the latest change first."""
        found = self._store.tables.find_of(account_owner(account.id), over=False, limit=MAX_GAMES)
        return [table for table in found if is_known(table)]

    async def follow(
        self, account: Account, after: int | None, seconds: float | None
    ) -> AsyncGenerator[Greeting | Event | None]:
        """Yield the greeting, then every event, or None while nothing happens.

        It ends after some seconds, or when the token of the account is no longer valid.
        """
        owner, topic = account_owner(account.id), f"account:{account.id}"
        wakes = asyncio.Event()

        async def wake(_: str) -> None:
            wakes.set()

        page = Page(wake, topic, owner, lambda _: "wake", lambda _: "", end=wakes.set)
        end = float("inf") if seconds is None else time.monotonic() + seconds
        self._hub.enter(page)
        try:
            await asyncio.to_thread(self._accounts.keep_here, account)
            greeting = await asyncio.to_thread(self.greet, account, after)
            yield greeting
            number = greeting.number
            while await asyncio.to_thread(self._accounts.keep_here, account):
                wakes.clear()
                found = await asyncio.to_thread(self._store.events.since, owner, number, BATCH)
                for event in found:
                    yield event
                    number = event[0]
                if len(found) == BATCH:
                    continue
                if self._hub.closing or (left := end - time.monotonic()) <= 0:
                    return
                try:
                    await asyncio.wait_for(wakes.wait(), min(left, POLL))
                except TimeoutError:
                    yield None
        finally:
            self._hub.leave(page)
            if not self._hub.is_watched(topic):
                await asyncio.shield(asyncio.to_thread(self._accounts.note_seen, account.id, 0.0))

    def _fetch(self, account_id: str) -> SimpleNamespace:
        """Return what wakes streams: that there may be something new."""
        return SimpleNamespace(version=self._store.events.latest(account_owner(account_id)))


def is_turn_of(table: Table, owner: str) -> bool:
    """Whether the game waits for a move of this owner."""
    if table.result is not None or not is_full(table):
        return False
    match = match_of(table)
    return not match.over and table.seats[match.turn].owner == owner


def _events(before: Table | None, after: Table, seat: int) -> list[dict[str, Any]]:
    """Return what has happened for a seat by a change of its table."""
    about = {"table": after.id, "game": after.game, "seat": seat}
    full = is_full(after)
    found: list[dict[str, Any]] = []
    begins = full and (before is None or not is_full(before))
    if begins:
        found.append({"type": "game_start", **about})
    if after.result is not None:
        if before is None or before.result is None:
            end = {"result": list(after.result), "reason": after.reason}
            found.append({"type": "game_end", **about, **end})
        return found
    if full and (begins or before is None or before.moves != after.moves or before.over):
        match = match_of(after)
        if match.turn == seat:
            found.append({"type": "turn", **about, "moves": len(after.moves)})
    if after.offer and (before is None or before.offer != after.offer):
        kind, _, by = after.offer.partition(" ")
        if by.isdigit() and int(by) != seat:
            found.append({"type": "offer", **about, "offer": kind, "by": int(by)})
    return found


EventsDep = Annotated[EventStream, service(EventStream)]
