"""What a host can do, and how a host signs in.

A token is made at the command line and pasted into a form once; the browser then has a cookie of
its own for some hours, which names the token and is signed. Revoking the token ends it at once.
Everything that is done is stored in a log with the label of the token, and written to the server's.
"""

from __future__ import annotations

import ipaddress
import logging
import time
from dataclasses import dataclass, replace
from typing import Any

from parlour.core import BadText, quote, say
from parlour.faces.web.clients import ACCOUNT, BARS, RateLimit, Visitor, Visitors
from parlour.faces.web.errors import NotThere, NotYours
from parlour.faces.web.live import Hub
from parlour.faces.web.signing import Signer, hash_token
from parlour.faces.web.table import clean_name, player_name, title_of
from parlour.faces.web.texts import translate
from parlour.store import Address, Bar, LogEntry, Store, StoredStudy, Table, Tournament

LOG = logging.getLogger("parlour")

HOURS = 8 * 3600  # seconds for which a host stays signed in
MAX_ROWS = 100
MAX_SCANNED = 1000  # tables among which a search looks
PERIODS = {"hour": 3600.0, "day": 24 * 3600.0, "week": 7 * 24 * 3600.0}


@dataclass(frozen=True)
class TableRow:
    """A table as the host sees it."""

    id: str
    title: str
    players: tuple[tuple[int, str], ...]  # seat and name
    listed: bool
    over: bool
    moves: int
    changed: float
    creator: str
    address: str

    @property
    def names(self) -> str:
        """The names of all players."""
        return ", ".join(name for _, name in self.players)


@dataclass(frozen=True)
class TournamentRow:
    """A tournament as the host sees it."""

    id: str
    name: str
    state: str
    changed: float
    owner: str
    address: str


@dataclass(frozen=True)
class StudyRow:
    """A public study as the host sees it."""

    id: str
    title: str
    changed: float
    owner: str
    address: str


class AdminService:
    """The host's actions on the store."""

    def __init__(self, store: Store, hub: Hub, visitors: Visitors) -> None:
        self._store = store
        self._hub = hub
        self._visitors = visitors
        self._signer = Signer(store.secret("admin"))
        self._attempts = RateLimit(rate=1 / 30, burst=5)  # wrong tokens of one address
        self._attempts_in_all = RateLimit(rate=1, burst=60)

    # Signing in

    def sign_in(self, visitor: Visitor, token: str) -> str:
        """Return the value of the cookie for a valid token."""
        found = self._store.admin_tokens.find(hash_token(token.strip()))
        if found is None:
            for limit, name in (
                (self._attempts, visitor.network),
                (self._attempts_in_all, ""),
            ):
                limit.check(name, say("too many wrong tokens; wait a moment and try again"))
            LOG.warning("a wrong admin token was sent from %s", visitor.network)
            raise NotYours(say("this token is not valid; make one with: parlour admin-token LABEL"))
        self._log(found.label, "sign in", visitor.network)
        return self._signer.sign_for(HOURS, found.hash)

    def identify(self, cookie: str) -> str:
        """Return the label of the token in a cookie; empty if it is not valid any more."""
        hashed = self._signer.verify_in_time(cookie)
        found = self._store.admin_tokens.find(hashed) if hashed else None
        return found.label if found else ""

    # What there is

    def list_tables(self, search: str = "") -> list[TableRow]:
        """List the latest tables, or those whose id, names, creator or address hold a text."""
        limit = MAX_SCANNED if search else MAX_ROWS
        addresses = self._addresses()
        rows = [self._row(table, addresses) for table in self._store.tables.find(limit=limit)]
        wanted = search.casefold()
        found = [
            row
            for row in rows
            if wanted in f"{row.id} {row.names} {row.creator} {row.address}".casefold()
        ]
        return found[:MAX_ROWS]

    def _row(self, table: Table, addresses: dict[str, str]) -> TableRow:
        people = [at for at, seat in enumerate(table.seats) if seat.kind != "open"]
        return TableRow(
            table.id,
            title_of(table),
            tuple((at, player_name(table, at)) for at in people),
            table.listed,
            table.over,
            len(table.moves),
            table.changed,
            table.creator,
            addresses.get(table.creator, ""),
        )

    def list_tournaments(self) -> list[TournamentRow]:
        """List the latest tournaments."""
        addresses = self._addresses()
        return [
            TournamentRow(
                each.id,
                each.name,
                each.state,
                each.changed,
                each.owner,
                addresses.get(each.owner, ""),
            )
            for each in self._store.tournaments.find(limit=MAX_ROWS)
        ]

    def list_studies(self) -> list[StudyRow]:
        """List the latest studies that everybody finds."""
        addresses = self._addresses()
        return [
            StudyRow(each.id, each.title, each.changed, each.owner, addresses.get(each.owner, ""))
            for each in self._store.studies.find(public=True, limit=MAX_ROWS)
        ]

    def describe(self, action: str, subject: str, seat: int) -> tuple[str, str]:
        """Return what an action is about in words, and the name that it would change."""
        if action in ("hide", "show", "rename", "delete"):
            if table := self._store.tables.get(subject):
                row = self._row(table, {})
                title = translate(row.title)
                return f"{title}: {row.names}" if row.names else title, dict(row.players).get(
                    seat, ""
                )
        elif action.endswith("-tournament"):
            if tournament := self._store.tournaments.get(subject):
                return tournament.name, tournament.name
        elif action.endswith("-study") and (study := self._store.studies.get(subject)):
            return study.title, ""
        return "", ""

    def list_addresses(self) -> list[Address]:
        """List who was here last and from where."""
        return self._store.addresses.list(MAX_ROWS)

    def _addresses(self) -> dict[str, str]:
        return {each.owner: each.address for each in self._store.addresses.list(MAX_SCANNED)}

    def list_bars(self) -> list[Bar]:
        """List who is barred."""
        return self._store.bars.list(time.time())

    def list_log(self) -> list[LogEntry]:
        """List what was done."""
        return self._store.admin_log.list(MAX_ROWS)

    # What can be done

    def set_listed(self, label: str, table_id: str, listed: bool) -> None:
        """Hide a table from the lobby, or show it there again."""
        self._change_table(table_id, listed=listed)
        self._log(label, "show" if listed else "hide", f"table {table_id}")

    def rename_seat(self, label: str, table_id: str, seat: int, name: str) -> None:
        """Give the player at a seat another name."""
        table = self._table(table_id)
        if seat not in range(len(table.seats)) or table.seats[seat].kind == "open":
            raise NotThere(say("nobody sits at seat {seat} of this table", seat=seat + 1))
        old, new = table.seats[seat].name, clean_name(name)
        changed = replace(table.seats[seat], name=new)
        seats = (*table.seats[:seat], changed, *table.seats[seat + 1 :])
        self._change_table(table_id, seats=seats)
        self._log(label, "rename", f"table {table_id}, seat {seat + 1}", f"{old!r} to {new!r}")

    def delete_table(self, label: str, table_id: str) -> None:
        """Delete a table."""
        self._table(table_id)
        self._store.tables.remove(table_id)
        self._announce_lobby()
        self._log(label, "delete", f"table {table_id}")

    def rename_tournament(self, label: str, tournament_id: str, name: str) -> None:
        """Give a tournament another name."""
        new = clean_name(name)
        old, topic = self._tournament(tournament_id).name, f"tournament:{tournament_id}"
        self._store.tournaments.update(
            tournament_id, lambda found: replace(found, name=new), announce=topic
        )
        self._hub.announce(topic)
        self._log(label, "rename", f"tournament {tournament_id}", f"{old!r} to {new!r}")

    def delete_tournament(self, label: str, tournament_id: str) -> None:
        """Delete a tournament with its games."""
        self._tournament(tournament_id)
        pairings = self._store.pairings.find(tournament=tournament_id)
        self._store.tournaments.remove(tournament_id)
        for pairing in pairings:
            if pairing.table:
                self._store.tables.remove(pairing.table)
        self._log(label, "delete", f"tournament {tournament_id}")

    def hide_study(self, label: str, study_id: str) -> None:
        """Take a study off the list for everybody; whoever has the link still finds it."""
        self._study(study_id)
        self._store.studies.update(study_id, lambda found: replace(found, public=False))
        self._log(label, "hide", f"study {study_id}")

    def delete_study(self, label: str, study_id: str) -> None:
        """Delete a study."""
        self._study(study_id)
        self._store.studies.remove(study_id)
        self._log(label, "delete", f"study {study_id}")

    def bar(self, label: str, subject: str, period: str) -> None:
        """Let an address or a browser start and join nothing for an hour, a day or a week."""
        if period not in PERIODS:
            raise BadText(
                say("{period} is no time; choose an hour, a day or a week", period=quote(period))
            )
        if len(subject) > 200 or not _is_visitor(subject):
            raise BadText(say("say whom to block: an address, or the id of a browser"))
        now = time.time()
        self._store.bars.put(Bar(subject, now + PERIODS[period], now, label))
        self._announce_bars()
        lasts = {"hour": "for an hour", "day": "for a day", "week": "for a week"}[period]
        self._log(label, "bar", subject, lasts)

    def lift(self, label: str, subject: str) -> None:
        """Lift a bar."""
        self._store.bars.remove(subject)
        self._announce_bars()
        self._log(label, "lift", subject)

    # How it is done

    def _table(self, table_id: str) -> Table:
        table = self._store.tables.get(table_id)
        if table is None:
            raise NotThere(say("there is no table {table_id} any more", table_id=quote(table_id)))
        return table

    def _tournament(self, tournament_id: str) -> Tournament:
        found = self._store.tournaments.get(tournament_id)
        if found is None:
            raise NotThere(
                say(
                    "there is no tournament {tournament_id} any more",
                    tournament_id=quote(tournament_id),
                )
            )
        return found

    def _study(self, study_id: str) -> StoredStudy:
        found = self._store.studies.get(study_id)
        if found is None:
            raise NotThere(say("there is no study {study_id} any more", study_id=quote(study_id)))
        return found

    def _change_table(self, table_id: str, **changes: Any) -> None:
        topic = f"table:{table_id}"
        stored = self._store.tables.update(
            table_id, lambda table: replace(table, **changes), announce=topic
        )
        if stored is not None:
            self._hub.announce(topic, stored)
            self._announce_lobby()

    def _announce_lobby(self) -> None:
        self._hub.announce("lobby:")
        self._store.notify("lobby:")

    def _announce_bars(self) -> None:
        self._visitors.note_change()
        self._store.notify(BARS)

    def _log(self, label: str, action: str, subject: str, detail: str = "") -> None:
        self._store.admin_log.add(label, action, subject, detail)
        LOG.warning("the host (%s): %s %s %s", label, action, subject, detail)


def _is_visitor(subject: str) -> bool:
    """Whether a text is an address or the id of somebody, such as `browser:4f`."""
    if subject.startswith(("browser:", ACCOUNT)):
        return True
    try:
        ipaddress.ip_network(subject)
    except ValueError:
        return False
    return True
