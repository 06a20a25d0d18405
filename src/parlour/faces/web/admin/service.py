"""What a host can do, and how a host signs in.

A token is made at the command line and pasted into a form once; the browser then has a cookie of
its own for some hours, which names the token and is signed. Revoking the token ends it at once.
Everything that is done is stored in a log with the label of the token, and written to the server's.
"""

from __future__ import annotations

import ipaddress
import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from parlour.core import BadText, quote, say
from parlour.faces.web.clients import ACCOUNT, BARS, RateLimit, Visitor, Visitors
from parlour.faces.web.errors import NotThere, NotYours
from parlour.faces.web.live import Hub, announce_everywhere
from parlour.faces.web.signing import Signer, hash_token
from parlour.faces.web.table import clean_name, player_name, title_of
from parlour.faces.web.texts import translate
from parlour.store import Bar, Store, StoredStudy, Table, Tournament

T = TypeVar("T")

LOG = logging.getLogger("parlour")

HOURS = 8 * 3600  # seconds for which a host stays signed in
MAX_ROWS = 100
MAX_SCANNED = 1000  # tables among which a search looks
PERIODS = {"hour": 3600.0, "day": 24 * 3600.0, "week": 7 * 24 * 3600.0}


@dataclass(frozen=True)
class Row:
    """A tournament or a public study as the host sees it."""

    id: str
    title: str
    changed: float
    owner: str
    address: str


@dataclass(frozen=True)
class TableRow(Row):
    """A table as the host sees it; its owner is who created it."""

    players: tuple[tuple[int, str], ...]  # seat and name
    listed: bool
    over: bool

    @property
    def names(self) -> str:
        """The names of all players."""
        return ", ".join(name for _, name in self.players)


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
            for limit, name in ((self._attempts, visitor.network), (self._attempts_in_all, "")):
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

    def list_all(self, search: str = "") -> dict[str, Any]:
        """List what there is, the latest first: tables only if they have a text somewhere."""
        store = self._store
        addresses = {each.owner: each.address for each in store.addresses.list(MAX_SCANNED)}
        latest = store.tournaments.find(limit=MAX_ROWS)
        public = store.studies.find(public=True, limit=MAX_ROWS)
        return {
            "tables": self._list_tables(search.casefold(), addresses),
            "tournaments": [_row(each, each.name, addresses) for each in latest],
            "studies": [_row(each, each.title, addresses) for each in public],
            "addresses": store.addresses.list(MAX_ROWS),
            "bars": store.bars.list(time.time()),
            "entries": store.admin_log.list(MAX_ROWS),
        }

    def _list_tables(self, wanted: str, addresses: Mapping[str, str]) -> list[TableRow]:
        limit = MAX_SCANNED if wanted else MAX_ROWS
        rows = [_table_row(table, addresses) for table in self._store.tables.find(limit=limit)]
        found = [
            row
            for row in rows
            if wanted in f"{row.id} {row.names} {row.owner} {row.address}".casefold()
        ]
        return found[:MAX_ROWS]

    def describe(self, action: str, subject: str, seat: int) -> tuple[str, str]:
        """Return what an action is about in words, and the name that it would change."""
        if action in ("hide", "show", "rename", "delete"):
            if table := self._store.tables.get(subject):
                row = _table_row(table, {})
                title, name = translate(row.title), dict(row.players).get(seat, "")
                return f"{title}: {row.names}" if row.names else title, name
        elif action.endswith("-tournament"):
            if tournament := self._store.tournaments.get(subject):
                return tournament.name, tournament.name
        elif action.endswith("-study") and (study := self._store.studies.get(subject)):
            return study.title, ""
        return "", ""

    # What can be done

    def do(
        self, label: str, action: str, subject: str, *, seat: int, name: str, period: str
    ) -> None:
        """Do something to a table, a tournament, a study or a visitor, and log it."""
        verb, _, kind = action.partition("-")
        about, detail = f"{kind or 'table'} {subject}", ""
        match action:
            case "hide" | "show":
                self._change_table(subject, listed=action == "show")
            case "rename":
                detail = self._rename_seat(subject, seat, name)
                about = f"{about}, seat {seat + 1}"
            case "delete":
                self._table(subject)
                self._store.tables.remove(subject)
                announce_everywhere(self._hub, self._store, "lobby:")
            case "rename-tournament":
                detail = self._rename_tournament(subject, name)
            case "delete-tournament":
                self._delete_tournament(subject)
            case "hide-study":  # whoever has the link still finds it
                self._study(subject)
                self._store.studies.update(subject, lambda found: replace(found, public=False))
            case "delete-study":
                self._study(subject)
                self._store.studies.remove(subject)
            case "bar":
                about, detail = subject, self._bar(label, subject, period)
            case "lift":
                about = subject
                self._store.bars.remove(subject)
                self._announce_bars()
            case _:
                raise NotThere(say("there is no action {action}", action=quote(action)))
        self._log(label, verb, about, detail)

    def _rename_seat(self, table_id: str, seat: int, name: str) -> str:
        table = self._table(table_id)
        if seat not in range(len(table.seats)) or table.seats[seat].kind == "open":
            raise NotThere(say("nobody sits at seat {seat} of this table", seat=seat + 1))
        old, new = table.seats[seat].name, clean_name(name)
        changed = replace(table.seats[seat], name=new)
        seats = (*table.seats[:seat], changed, *table.seats[seat + 1 :])
        self._change_table(table_id, seats=seats)
        return f"{old!r} to {new!r}"

    def _rename_tournament(self, tournament_id: str, name: str) -> str:
        new = clean_name(name)
        old, topic = self._tournament(tournament_id).name, f"tournament:{tournament_id}"
        self._store.tournaments.update(
            tournament_id, lambda found: replace(found, name=new), announce=topic
        )
        self._hub.announce(topic)
        return f"{old!r} to {new!r}"

    def _delete_tournament(self, tournament_id: str) -> None:
        """Delete a tournament with its games."""
        self._tournament(tournament_id)
        pairings = self._store.pairings.find(tournament=tournament_id)
        self._store.tournaments.remove(tournament_id)
        for pairing in pairings:
            if pairing.table:
                self._store.tables.remove(pairing.table)

    def _bar(self, label: str, subject: str, period: str) -> str:
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
        return {"hour": "for an hour", "day": "for a day", "week": "for a week"}[period]

    # How it is done

    def _table(self, name: str) -> Table:
        refusal = say("there is no table {table_id} any more", table_id=quote(name))
        return _require(self._store.tables.get(name), refusal)

    def _tournament(self, name: str) -> Tournament:
        refusal = say("there is no tournament {tournament_id} any more", tournament_id=quote(name))
        return _require(self._store.tournaments.get(name), refusal)

    def _study(self, name: str) -> StoredStudy:
        refusal = say("there is no study {study_id} any more", study_id=quote(name))
        return _require(self._store.studies.get(name), refusal)

    def _change_table(self, table_id: str, **changes: Any) -> None:
        topic = f"table:{table_id}"
        stored = self._store.tables.update(
            table_id, lambda table: replace(table, **changes), announce=topic
        )
        if stored is not None:
            self._hub.announce(topic, stored)
            announce_everywhere(self._hub, self._store, "lobby:")

    def _announce_bars(self) -> None:
        self._visitors.note_change()
        self._store.notify(BARS)

    def _log(self, label: str, action: str, subject: str, detail: str = "") -> None:
        self._store.admin_log.add(label, action, subject, detail)
        LOG.warning("the host (%s): %s %s %s", label, action, subject, detail)


def _require(found: T | None, refusal: str) -> T:
    if found is None:
        raise NotThere(refusal)
    return found


def _row(found: Tournament | StoredStudy, title: str, addresses: Mapping[str, str]) -> Row:
    return Row(found.id, title, found.changed, found.owner, addresses.get(found.owner, ""))


def _table_row(table: Table, addresses: Mapping[str, str]) -> TableRow:
    people = [at for at, seat in enumerate(table.seats) if seat.kind != "open"]
    return TableRow(
        table.id,
        title_of(table),
        table.changed,
        table.creator,
        addresses.get(table.creator, ""),
        tuple((at, player_name(table, at)) for at in people),
        table.listed,
        table.over,
    )


def _is_visitor(subject: str) -> bool:
    """Whether a text is an address or the id of somebody, such as `browser:4f`."""
    if subject.startswith(("browser:", ACCOUNT)):
        return True
    try:
        ipaddress.ip_network(subject)
    except ValueError:
        return False
    return True
