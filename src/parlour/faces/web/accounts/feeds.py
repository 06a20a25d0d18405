"""Feeds: a secret address under which anybody's feed reader sees when it is their turn.

The same entries are served as JSON Feed and as Atom. They are made from the tables of the owner
when they are asked for; only the address is stored.
"""

from __future__ import annotations

import datetime
import secrets
import time
from typing import Annotated, Any
from xml.etree import ElementTree as ET

from parlour.core import sentence
from parlour.faces.web.accounts.challenges import ChallengeService
from parlour.faces.web.accounts.events import is_turn_of
from parlour.faces.web.errors import not_there
from parlour.faces.web.requests import service
from parlour.faces.web.table import is_known, player_name, title_of
from parlour.faces.web.texts import _, translate
from parlour.store import Feed, Store, Table

MAX_ENTRIES = 50
RECENT = 14 * 24 * 3600.0  # seconds for which a finished game is listed
ATOM = "http://www.w3.org/2005/Atom"
DAY = 24 * 3600.0


class FeedService:
    """The secret addresses, and what is found there."""

    def __init__(self, store: Store, challenges: ChallengeService) -> None:
        self._store = store
        self._challenges = challenges

    def address_of(self, owner: str) -> str:
        """Return the secret of an owner's feed, which is made when it is first asked for."""
        found = self._store.feeds.find(owner=owner, limit=1)
        return found[0].id if found else self.renew(owner)

    def renew(self, owner: str) -> str:
        """Return a new secret; the old address is not known any more."""
        with self._store.transaction():
            for feed in self._store.feeds.find(owner=owner):
                self._store.feeds.remove(feed.id)
            return self._store.feeds.add(Feed(id=secrets.token_urlsafe(24), owner=owner)).id

    def entries(self, secret: str, base: str) -> list[dict[str, Any]]:
        """List what waits for the owner of a feed, then the games that are over."""
        feed = self._store.feeds.get(secret)
        if feed is None:
            raise not_there(secret)
        if feed.changed < time.time() - DAY:  # one that is read is not deleted
            self._store.feeds.put(feed)
        found = [
            _entry(table, feed.owner, base)
            for table in self._store.tables.find_of(feed.owner, limit=MAX_ENTRIES)
            if is_known(table) and _is_told(table, feed.owner)
        ]
        for challenge in self._challenges.list_of(feed.owner):
            if challenge.opponent == feed.owner:
                name, game = challenge.challenger_name or _("Somebody"), title_of(challenge)
                found.append(
                    {
                        "id": f"{base}/challenges/{challenge.id}",
                        "title": _(
                            "%(name)s challenges you: %(game)s", name=name, game=translate(game)
                        ),
                        "text": _("Accept or decline the challenge."),
                        "time": challenge.changed,
                    }
                )
        return sorted(found, key=lambda entry: entry["time"], reverse=True)

    def as_json(self, secret: str, base: str) -> dict[str, Any]:
        """Return a feed by the standard of jsonfeed.org, version 1.1."""
        return {
            "version": "https://jsonfeed.org/version/1.1",
            "title": _("Parlour: your turn"),
            "home_page_url": f"{base}/",
            "feed_url": f"{base}/feeds/{secret}/feed.json",
            "items": [
                {
                    "id": f"{entry['id']}#{round(entry['time'])}",
                    "url": entry["id"],
                    "title": entry["title"],
                    "content_text": entry["text"],
                    "date_published": _iso(entry["time"]),
                }
                for entry in self.entries(secret, base)
            ],
        }

    def as_atom(self, secret: str, base: str) -> bytes:
        """Return a feed as Atom, RFC 4287."""
        entries = self.entries(secret, base)
        ET.register_namespace("", ATOM)
        root = ET.Element(f"{{{ATOM}}}feed")

        def add(parent: ET.Element, name: str, text: str = "", **attributes: str) -> ET.Element:
            element = ET.SubElement(parent, f"{{{ATOM}}}{name}", attributes)
            element.text = text or None
            return element

        add(root, "id", f"{base}/feeds/{secret}/feed.atom")
        add(root, "title", _("Parlour: your turn"))
        add(root, "updated", _iso(max((each["time"] for each in entries), default=0.0)))
        add(add(root, "author"), "name", "Parlour")
        add(root, "link", rel="self", href=f"{base}/feeds/{secret}/feed.atom")
        add(root, "link", rel="alternate", href=f"{base}/")
        for each in entries:
            entry = add(root, "entry")
            add(entry, "id", f"{each['id']}#{round(each['time'])}")
            add(entry, "title", each["title"])
            add(entry, "updated", _iso(each["time"]))
            add(entry, "link", rel="alternate", href=each["id"])
            add(entry, "summary", each["text"])
        text: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
        return text


def _is_told(table: Table, owner: str) -> bool:
    """Whether a table is worth an entry: it waits for its owner, or has just ended."""
    if table.result is not None:
        return table.changed > time.time() - RECENT
    return is_turn_of(table, owner)


def _entry(table: Table, owner: str, base: str) -> dict[str, Any]:
    mine = tuple(at for at, seat in enumerate(table.seats) if seat.owner == owner)
    others = [player_name(table, at) for at in range(len(table.seats)) if at not in mine]
    names = {"game": translate(title_of(table)), "names": ", ".join(others)}
    if table.result is None:
        heading = _("Your turn: %(game)s (%(names)s)", **names)
        text = _("Moves so far: %(number)s.", number=len(table.moves))
        if table.days:
            until = datetime.datetime.fromtimestamp(table.turned + table.days * DAY, datetime.UTC)
            text = _("Move before %(time)s UTC.", time=f"{until:%Y-%m-%d %H:%M}")
    else:
        payoff = max((table.result[at] for at in mine), default=0)
        heading = {
            1: _("You won: %(game)s (%(names)s)", **names),
            0: _("A draw: %(game)s (%(names)s)", **names),
            -1: _("You lost: %(game)s (%(names)s)", **names),
        }[payoff]
        text = translate(sentence(table.reason)) if table.reason else _("The game is over.")
    return {
        "id": f"{base}/tables/{table.id}",
        "title": heading,
        "text": text,
        "time": table.turned if table.result is None else table.changed,
    }


def _iso(seconds: float) -> str:
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


FeedsDep = Annotated[FeedService, service(FeedService)]
