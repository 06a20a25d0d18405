"""Feeds: a secret address under which anybody's feed reader sees when it is their turn.

The same entries are served as JSON Feed and as Atom. They are made from the tables of the owner
when they are asked for; only the address is stored.
"""

from __future__ import annotations

import secrets
import time
from datetime import UTC, datetime
from typing import Annotated, Any

from parlour.core import capital, sentence
from parlour.faces.web.accounts.challenges import ChallengeService
from parlour.faces.web.accounts.events import is_turn_of
from parlour.faces.web.errors import not_there
from parlour.faces.web.requests import TEMPLATES, service
from parlour.faces.web.services import Services
from parlour.faces.web.table import is_known, player_name, title_of
from parlour.faces.web.texts import _, translate
from parlour.store import Challenge, Feed, Table

MAX_ENTRIES = 50
RECENT = 14 * 24 * 3600.0  # seconds for which a finished game is listed
DAY = 24 * 3600.0


class FeedService:
    """The secret addresses, and what is found there."""

    def __init__(self, services: Services) -> None:
        self._store = services.store
        self._challenges = services.get(ChallengeService)

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

    def as_json(self, secret: str, base: str) -> dict[str, Any]:
        """Return a feed by the standard of jsonfeed.org, version 1.1.

        It lists what waits for the owner, and the games that are over.
        """
        feed = self._store.feeds.get(secret)
        if feed is None:
            raise not_there(secret)
        if feed.changed < time.time() - DAY:  # one that is read is not deleted
            self._store.feeds.put(feed)
        tables = self._store.tables.find_of(feed.owner, limit=MAX_ENTRIES)
        items = [
            *(_table_item(each, feed.owner, base) for each in tables if _is_told(each, feed.owner)),
            *(
                _challenge_item(each, base)
                for each in self._challenges.list_of(feed.owner)
                if each.opponent == feed.owner
            ),
        ]
        return {
            "version": "https://jsonfeed.org/version/1.1",
            "title": _("Parlour: your turn"),
            "home_page_url": f"{base}/",
            "feed_url": f"{base}/feeds/{secret}/feed.json",
            "items": sorted(items, key=lambda item: item["date_published"], reverse=True),
        }

    def as_atom(self, secret: str, base: str) -> str:
        """Return a feed as Atom, RFC 4287."""
        template = TEMPLATES.get_template("feed.atom")
        return template.render(self.as_json(secret, base), address=f"{base}/feeds/{secret}")


def _is_told(table: Table, owner: str) -> bool:
    """Whether a table is worth an entry: it waits for its owner, or has just ended."""
    if not is_known(table):
        return False
    if table.result is not None:
        return table.changed > time.time() - RECENT
    return is_turn_of(table, owner)


def _item(url: str, when: float, title: str, text: str) -> dict[str, Any]:
    return {
        "id": f"{url}#{round(when)}",
        "url": url,
        "title": title,
        "content_text": text,
        "date_published": f"{datetime.fromtimestamp(when, UTC):%Y-%m-%dT%H:%M:%SZ}",
    }


def _challenge_item(challenge: Challenge, base: str) -> dict[str, Any]:
    name, game = challenge.challenger_name or _("Somebody"), translate(title_of(challenge))
    title = _("%(name)s challenges you: %(game)s", name=name, game=game)
    url = f"{base}/challenges/{challenge.id}"
    return _item(url, challenge.changed, title, _("Accept or decline the challenge."))


def _table_item(table: Table, owner: str, base: str) -> dict[str, Any]:
    mine = tuple(at for at, seat in enumerate(table.seats) if seat.owner == owner)
    others = [player_name(table, at) for at in range(len(table.seats)) if at not in mine]
    about = f"{translate(title_of(table))} ({', '.join(others)})"
    url = f"{base}/tables/{table.id}"
    if table.result is None:
        text = _("Moves so far: %(number)s.", number=len(table.moves))
        if table.days:
            until = datetime.fromtimestamp(table.turned + table.days * DAY, UTC)
            text = _("Move before %(time)s UTC.", time=f"{until:%Y-%m-%d %H:%M}")
        return _item(url, table.turned, f"{capital(_('your turn'))}: {about}", text)
    payoff = max((table.result[at] for at in mine), default=0)
    outcome = {1: _("won"), 0: _("draw"), -1: _("lost")}[payoff]
    text = translate(sentence(table.reason)) if table.reason else _("The game is over.")
    return _item(url, table.changed, f"{capital(outcome)}: {about}", text)


FeedsDep = Annotated[FeedService, service(FeedService)]
