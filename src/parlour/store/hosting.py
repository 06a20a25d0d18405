"""What the host of a site needs: addresses of visitors, who is barred, tokens, and a log.

Addresses are kept for some days only, by client, so that a host can see who floods the lobby and
limits can count by address. A token of the host is stored as its hash. Whatever a host does is
logged with the label of the token.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable
from typing import NamedTuple

from parlour.core import NameTaken, UnknownName, quote
from parlour.store.rows import Rows

CHUNK = 500  # clients in one statement


class Address(NamedTuple):
    """Where a client came from, and when it was last here."""

    owner: str
    address: str
    seen: float  # seconds since the epoch


class Bar(NamedTuple):
    """A client or an address that may start and join nothing for a time."""

    subject: str
    until: float
    since: float
    label: str  # of the token by which it was barred


class AdminToken(NamedTuple):
    """A token of the host, without the token itself."""

    label: str
    hash: str
    created: float
    revoked: float  # when; 0 if it is valid


class LogEntry(NamedTuple):
    """Something a host did."""

    time: float
    label: str
    action: str
    subject: str
    detail: str
    id: str


class Addresses(
    Rows[Address], kind=Address, table="addresses", key="owner", age="seen", order="-seen"
):
    """The addresses of those who were here in the last days."""

    def note(self, owner: str, address: str) -> None:
        """Store where somebody is now."""
        self.put(Address(owner, address, time.time()))

    def touch(self, owners: Iterable[str], now: float) -> None:
        """Note that these are still here, as far as they are known."""
        here = list(owners)
        for start in range(0, len(here), CHUNK):
            self._update(self._row.owner.in_(here[start : start + CHUNK]), seen=now)

    def count_listed(self, address: str, since: float) -> int:
        """Count the tables in the lobby that were created from an address."""
        query = (
            "SELECT COUNT(*) FROM tables JOIN addresses ON addresses.owner = tables.creator"
            " WHERE addresses.address = :address AND tables.listed AND NOT tables.over"
            " AND NOT tables.played AND tables.changed >= :since"
        )
        return self._database.scalar(query, address=address, since=since) or 0

    def prune(self, before: float) -> int:
        """Delete the addresses of all who were last here before a time, wherever they are."""
        creators = (  # programs without an account are known by their address alone
            "UPDATE tables SET creator = '' WHERE changed < :before AND creator <> ''"
            " AND creator NOT LIKE 'browser:%' AND creator NOT LIKE 'account:%'"
            " AND creator NOT LIKE 'token:%'"
        )
        deleted = super().prune(before)
        self._database.run(creators, before=before)
        return deleted


class Bars(Rows[Bar], kind=Bar, table="bars", key="subject", age="until"):
    """All who are barred."""

    def find(self, now: float) -> list[Bar]:
        """List the bars that still hold, the latest first."""
        return self._find(self._row.until > now, order=self._row.since.desc())


class AdminTokens(
    Rows[AdminToken], kind=AdminToken, table="admin_tokens", key="label", order="created"
):
    """The tokens of the host."""

    def add(self, label: str, hashed: str) -> None:
        """Store a token; `NameTaken` if another has this label."""
        if self.get(label):
            raise NameTaken(f"there is already a token {quote(label)}; choose another label")
        self.insert(AdminToken(label, hashed, time.time(), 0.0))

    def find(self, hashed: str) -> AdminToken | None:
        """Return the valid token with this hash."""
        valid = self._find(self._row.revoked == 0)
        return next((each for each in valid if secrets.compare_digest(each.hash, hashed)), None)

    def revoke(self, label: str) -> None:
        """Make a token invalid for good; `UnknownName` if there is none."""
        found = self.get(label)
        if found is None or found.revoked:
            raise UnknownName(f"there is no valid token {quote(label)}")
        self.put(found._replace(revoked=time.time()))


class AdminLog(
    Rows[LogEntry], kind=LogEntry, table="admin_log", key="id", age="time", order="-time id"
):
    """What hosts did."""

    def add(self, label: str, action: str, subject: str, detail: str = "") -> None:
        """Log something that was done."""
        name = secrets.token_hex(16)
        self.insert(LogEntry(time.time(), label, action, subject, detail, name))
