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
from dataclasses import replace
from typing import Any

from parlour.core import BadText, say
from parlour.faces.web.clients import ACCOUNT, BARS, TOO_MANY, RateLimit, Visitor
from parlour.faces.web.errors import NotThere, NotYours, not_there
from parlour.faces.web.live import announce_everywhere
from parlour.faces.web.services import Services
from parlour.faces.web.signing import Signer, hash_token
from parlour.faces.web.table import clean_name, player_name, title_of
from parlour.faces.web.texts import translate
from parlour.store import Bar, StoredStudy, Table, Tournament

LOG = logging.getLogger("parlour")

HOURS = 8 * 3600  # seconds for which a host stays signed in
MAX_ROWS = 100
MAX_SCANNED = 1000  # tables among which a search looks
PERIODS = {"hour": 3600.0, "day": 24 * 3600.0, "week": 7 * 24 * 3600.0}


class AdminService:
    """The host's actions on the store."""

    def __init__(self, services: Services) -> None:
        self._store = services.store
        self._hub = services.hub
        self._visitors = services.visitors
        self._signer = Signer(self._store.secret("admin"))
        self._attempts = RateLimit(rate=1 / 30, burst=5)  # wrong tokens of one address
        self._attempts_in_all = RateLimit(rate=1, burst=60)

    # Signing in

    def sign_in(self, visitor: Visitor, token: str) -> str:
        """Return the value of the cookie for a valid token."""
        found = self._store.admin_tokens.find(hash_token(token.strip()))
        if found is None:
            for limit, name in ((self._attempts, visitor.network), (self._attempts_in_all, "")):
                limit.check(name, TOO_MANY)
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
        where = {each.owner: each.address for each in store.addresses.list(MAX_SCANNED)}
        return {
            "tables": self._list_tables(search.casefold(), where),
            "tournaments": store.tournaments.find(limit=MAX_ROWS),
            "studies": store.studies.find(public=True, limit=MAX_ROWS),
            "addresses": store.addresses.list(MAX_ROWS),
            "where": where,
            "bars": store.bars.find(time.time()),
            "entries": store.admin_log.list(MAX_ROWS),
        }

    def _list_tables(self, wanted: str, where: Mapping[str, str]) -> list[Table]:
        def is_wanted(table: Table) -> bool:
            texts = (table.id, name_players(table), table.creator, where.get(table.creator, ""))
            return wanted in " ".join(texts).casefold()

        tables = self._store.tables.find(limit=MAX_SCANNED if wanted else MAX_ROWS)
        return [table for table in tables if is_wanted(table)][:MAX_ROWS]

    def describe(self, action: str, subject: str, seat: int) -> tuple[str, str]:
        """Return what an action is about in words, and the name that it would change."""
        match self._find(action, subject):
            case Table() as table:
                title, names = translate(title_of(table)), name_players(table)
                name = dict(players_of(table)).get(seat, "")
                return f"{title}: {names}" if names else title, name
            case Tournament() as tournament:
                return tournament.name, tournament.name
            case StoredStudy() as study:
                return study.title, ""
        return "", ""

    # What can be done

    def do(
        self, label: str, action: str, subject: str, *, seat: int, name: str, period: str
    ) -> None:
        """Do something to a table, a tournament, a study or a visitor, and log it."""
        verb, _, kind = action.partition("-")
        about, detail = f"{kind or 'table'} {subject}", ""
        match verb, self._find(action, subject):
            case "bar", _:
                about, detail = subject, self._bar(label, subject, period)
            case "lift", _:
                about = subject
                self._store.bars.remove(subject)
                self._announce_bars()
            case _, None:
                raise not_there(subject)
            case "hide" | "show", Table():
                self._change_table(subject, listed=verb == "show")
            case "rename", Table() as table:
                detail = self._rename_seat(table, seat, name)
                about = f"{about}, seat {seat + 1}"
            case "delete", Table():
                self._store.tables.remove(subject)
                announce_everywhere(self._hub, self._store, "lobby:")
            case "rename", Tournament() as tournament:
                detail = self._rename_tournament(tournament, name)
            case "delete", Tournament():
                self._delete_tournament(subject)
            case "hide", StoredStudy():  # whoever has the link still finds it
                self._store.studies.update(subject, lambda found: replace(found, public=False))
            case "delete", StoredStudy():
                self._store.studies.remove(subject)
            case _:
                raise not_there(action)
        self._log(label, verb, about, detail)

    def _find(self, action: str, name: str) -> Table | Tournament | StoredStudy | None:
        if action.endswith("-tournament"):
            return self._store.tournaments.get(name)
        if action.endswith("-study"):
            return self._store.studies.get(name)
        return self._store.tables.get(name)

    def _rename_seat(self, table: Table, seat: int, name: str) -> str:
        seats, new = list(table.seats), clean_name(name)
        if seat not in range(len(seats)) or seats[seat].kind == "open":
            raise NotThere("there is no seat {seat} at this table", seat=seat + 1)
        old, seats[seat] = seats[seat].name, replace(seats[seat], name=new)
        self._change_table(table.id, seats=tuple(seats))
        return f"{old!r} to {new!r}"

    def _rename_tournament(self, tournament: Tournament, name: str) -> str:
        new, topic = clean_name(name), f"tournament:{tournament.id}"
        self._store.tournaments.update(
            tournament.id, lambda found: replace(found, name=new), announce=topic
        )
        self._hub.announce(topic)
        return f"{tournament.name!r} to {new!r}"

    def _delete_tournament(self, tournament_id: str) -> None:
        """Delete a tournament with its games."""
        pairings = self._store.pairings.find(tournament=tournament_id)
        self._store.tournaments.remove(tournament_id)
        for pairing in pairings:
            if pairing.table:
                self._store.tables.remove(pairing.table)

    def _bar(self, label: str, subject: str, period: str) -> str:
        """Let an address or a browser start and join nothing for an hour, a day or a week."""
        if period not in PERIODS or len(subject) > 200 or not _is_visitor(subject):
            raise BadText(say("choose whom to block, by address or browser, and for how long"))
        now = time.time()
        self._store.bars.put(Bar(subject, now + PERIODS[period], now, label))
        self._announce_bars()
        return f"for one {period}"

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


def players_of(table: Table) -> list[tuple[int, str]]:
    """List who sits at a table: seat and name."""
    seats = enumerate(table.seats)
    return [(at, player_name(table, at)) for at, seat in seats if seat.kind != "open"]


def name_players(table: Table) -> str:
    """Return the names of all players."""
    return ", ".join(name for _, name in players_of(table))


def _is_visitor(subject: str) -> bool:
    """Whether a text is an address or the id of somebody, such as `browser:4f`."""
    if subject.startswith(("browser:", ACCOUNT)):
        return True
    try:
        ipaddress.ip_network(subject)
    except ValueError:
        return False
    return True
