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

import sqlalchemy as sa

from parlour.core import NameTaken, UnknownName, quote
from parlour.store.database import Database

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


class Addresses:
    """The addresses of those who were here in the last days."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def note(self, owner: str, address: str) -> None:
        """Store where somebody is now."""
        statement = sa.text(
            "INSERT INTO addresses (owner, address, seen) VALUES (:owner, :address, :seen)"
            " ON CONFLICT (owner) DO UPDATE SET address = excluded.address, seen = excluded.seen"
        )
        row = {"owner": owner, "address": address, "seen": time.time()}
        with self._database.writing() as connection:
            connection.execute(statement, row)

    def touch(self, owners: Iterable[str], now: float) -> None:
        """Note that these are still here, as far as they are known."""
        rows = sa.table("addresses", sa.column("owner", sa.Text), sa.column("seen", sa.Double))
        waiting = list(owners)
        while waiting:
            some, waiting = waiting[:CHUNK], waiting[CHUNK:]
            update = sa.update(rows).where(rows.c.owner.in_(some)).values(seen=now)
            with self._database.writing() as connection:
                connection.execute(update)

    def get(self, owner: str) -> Address | None:
        """Return where somebody was last, if that is known."""
        query = sa.text("SELECT owner, address, seen FROM addresses WHERE owner = :owner")
        with self._database.reading() as connection:
            row = connection.execute(query, {"owner": owner}).first()
        return None if row is None else Address(*row)

    def list(self, limit: int) -> list[Address]:
        """List the latest, the last one here first."""
        query = sa.text("SELECT owner, address, seen FROM addresses ORDER BY seen DESC LIMIT :most")
        with self._database.reading() as connection:
            return [Address(*row) for row in connection.execute(query, {"most": limit}).all()]

    def count_listed(self, address: str, since: float) -> int:
        """Count the tables in the lobby that were created from an address."""
        query = sa.text(
            "SELECT COUNT(*) FROM tables JOIN addresses ON addresses.owner = tables.creator"
            " WHERE addresses.address = :address AND tables.listed AND NOT tables.over"
            " AND NOT tables.played AND tables.changed >= :since"
        )
        with self._database.reading() as connection:
            return connection.scalar(query, {"address": address, "since": since}) or 0

    def prune(self, before: float) -> int:
        """Delete the addresses of all who were last here before a time, wherever they are."""
        delete = sa.text("DELETE FROM addresses WHERE seen < :before")
        creators = sa.text(  # programs without an account are known by their address alone
            "UPDATE tables SET creator = '' WHERE changed < :before AND creator <> ''"
            " AND creator NOT LIKE 'browser:%' AND creator NOT LIKE 'account:%'"
            " AND creator NOT LIKE 'token:%'"
        )
        with self._database.writing() as connection:
            deleted = connection.execute(delete, {"before": before}).rowcount
        with self._database.writing() as connection:
            connection.execute(creators, {"before": before})
        return deleted


class Bars:
    """All who are barred."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, bar: Bar) -> None:
        """Bar somebody, until another time if they are barred already."""
        statement = sa.text(
            "INSERT INTO bars (subject, until, since, label)"
            " VALUES (:subject, :until, :since, :label)"
            " ON CONFLICT (subject) DO UPDATE"
            " SET until = excluded.until, since = excluded.since, label = excluded.label"
        )
        with self._database.writing() as connection:
            connection.execute(statement, bar._asdict())

    def remove(self, subject: str) -> None:
        """Lift a bar."""
        with self._database.writing() as connection:
            connection.execute(sa.text("DELETE FROM bars WHERE subject = :s"), {"s": subject})

    def list(self, now: float) -> list[Bar]:
        """List the bars that still hold, the latest first."""
        query = sa.text(
            "SELECT subject, until, since, label FROM bars WHERE until > :now ORDER BY since DESC"
        )
        with self._database.reading() as connection:
            return [Bar(*row) for row in connection.execute(query, {"now": now}).all()]

    def prune(self, before: float) -> int:
        """Delete the bars that ended before a time."""
        with self._database.writing() as connection:
            delete = sa.text("DELETE FROM bars WHERE until < :before")
            return connection.execute(delete, {"before": before}).rowcount


class AdminTokens:
    """The tokens of the host."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, label: str, hashed: str) -> None:
        """Store a token; `NameTaken` if another has this label."""
        if any(token.label == label for token in self.list()):
            raise NameTaken(f"there is already a token {quote(label)}; choose another label")
        statement = sa.text(
            "INSERT INTO admin_tokens (label, hash, created, revoked)"
            " VALUES (:label, :hash, :created, 0)"
        )
        row = {"label": label, "hash": hashed, "created": time.time()}
        with self._database.writing() as connection:
            connection.execute(statement, row)

    def find(self, hashed: str) -> AdminToken | None:
        """Return the valid token with this hash."""
        valid = (token for token in self.list() if not token.revoked)
        return next((each for each in valid if secrets.compare_digest(each.hash, hashed)), None)

    def revoke(self, label: str) -> None:
        """Make a token invalid for good; `UnknownName` if there is none."""
        statement = sa.text(
            "UPDATE admin_tokens SET revoked = :now WHERE label = :label AND revoked = 0"
        )
        with self._database.writing() as connection:
            done = connection.execute(statement, {"now": time.time(), "label": label}).rowcount
        if not done:
            raise UnknownName(f"there is no valid token {quote(label)}")

    def list(self) -> list[AdminToken]:
        """List all tokens, the oldest first."""
        query = sa.text("SELECT label, hash, created, revoked FROM admin_tokens ORDER BY created")
        with self._database.reading() as connection:
            return [AdminToken(*row) for row in connection.execute(query).all()]


class AdminLog:
    """What hosts did."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, label: str, action: str, subject: str, detail: str = "") -> LogEntry:
        """Log something that was done."""
        entry = LogEntry(time.time(), label, action, subject, detail)
        statement = sa.text(
            "INSERT INTO admin_log (id, time, label, action, subject, detail)"
            " VALUES (:id, :time, :label, :action, :subject, :detail)"
        )
        with self._database.writing() as connection:
            connection.execute(statement, {"id": secrets.token_hex(16), **entry._asdict()})
        return entry

    def list(self, limit: int) -> list[LogEntry]:
        """List what was done, the latest first."""
        query = sa.text(
            "SELECT time, label, action, subject, detail FROM admin_log"
            " ORDER BY time DESC, id LIMIT :most"
        )
        with self._database.reading() as connection:
            return [LogEntry(*row) for row in connection.execute(query, {"most": limit}).all()]

    def prune(self, before: float) -> int:
        """Delete what was done before a time."""
        with self._database.writing() as connection:
            delete = sa.text("DELETE FROM admin_log WHERE time < :before")
            return connection.execute(delete, {"before": before}).rowcount
