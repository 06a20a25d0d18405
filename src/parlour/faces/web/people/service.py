"""A person: what is kept of them, the ratings they may take part in, and their other devices.

A person is the owner of seats, known by a cookie. Everything in the store is found by that owner;
the conversation with Benedict may also be known to the server alone.
"""

from __future__ import annotations

import contextlib
import secrets
import time
from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from parlour.arena import Meeting, rate
from parlour.core import BadText, ParlourError, say
from parlour.faces.web import background
from parlour.faces.web.clients import RateLimit, Visitor
from parlour.faces.web.errors import NotThere, TooMany
from parlour.faces.web.services import FORGET, Services
from parlour.faces.web.signing import Signer
from parlour.faces.web.table import TableService, is_between_people, leave_game, seats_of
from parlour.store import Person, Pupil, Result, Store, Table, Unavailable

ERASED_AT_ONCE = 64 * 2**20  # bytes of a database that is rewritten while somebody waits


@dataclass(frozen=True)
class Kept:
    """A kind of thing that is kept of a person: how many there are, and for how long."""

    kind: str
    number: int
    seconds: float | None  # after the last change; None until they are deleted

    @property
    def days(self) -> int | None:
        """The same in days."""
        return None if self.seconds is None else round(self.seconds / background.DAY)


class PeopleService:
    """What the store and the server know of each person."""

    def __init__(self, services: Services, ratings: RatingList) -> None:
        self._services = services
        self._store = services.store
        self._ratings = ratings

    # Settings

    def read(self, owner: str) -> Person:
        """Return what somebody has chosen for themselves."""
        return self._store.people.get(owner) or Person(id=owner)

    def change(self, owner: str, **values: Any) -> Person:
        """Change what somebody has chosen, and store it.

        Whoever leaves the ratings takes their results along.
        """
        if values.get("rated") is False:
            self._store.results.remove_of(owner)
            self._ratings.forget(owner)
        stored = self._store.people.update(
            owner, lambda before: replace(before, **values), default=Person(id=owner)
        )
        return stored or Person(id=owner)

    # What is kept

    def list_kept(self, visitor: Visitor) -> list[Kept]:
        """List the kinds of things that are kept of somebody."""
        store, owner = self._store, visitor.owner
        talk = self._services.find_talk(visitor.browser)
        person = store.people.get(owner)
        return [
            Kept(
                "unfinished", store.tables.count_of(owner, over=False), background.KEEP_UNFINISHED
            ),
            Kept("finished", store.tables.count_of(owner, over=True), None),
            Kept("setups", len(store.setups.find(owner=owner)), background.KEEP_IDLE),
            Kept("talk", len(talk.lines) if talk else 0, background.KEEP_IDLE),
            Kept("classes", len(store.trainings.find(owner=owner)), None),
            Kept("tournaments", len(store.tournaments.find(owner=owner)), None),
            Kept("rated", len(store.results.find(owner=owner)), None),
            Kept("settings", int(person is not None), None),
            Kept("puzzles", len(store.cards.find(owner=owner)), None),
            Kept("studies", len(store.studies.find(owner=owner)), None),
            Kept("taught", len(store.classes.find(owner=owner)), None),
            Kept("joined", len(store.pupils.find(owner=owner)), None),
            Kept("feeds", len(store.feeds.find(owner=owner)), background.KEEP_IDLE),
            Kept("address", int(store.addresses.get(owner) is not None), background.KEEP_ADDRESSES),
            Kept("presence", store.presence.count_of(owner), background.KEEP_PRESENCE),
        ]

    def export(self, visitor: Visitor) -> dict[str, Any]:
        """Return everything that is kept of somebody, as one JSON document.

        Of other people it holds what the page of a shared game shows them anyway.
        """
        store, owner = self._store, visitor.owner
        talk = self._services.find_talk(visitor.browser)
        waiting, address = store.waiting.get(owner), store.addresses.get(owner)
        return {
            "format": "parlour-person",
            "made": time.time(),
            "id": visitor.browser or owner,
            "settings": _plain(self.read(owner)),
            "tables": [_describe_table(each, visitor) for each in store.tables.find_of(owner)],
            "setups": [_plain(each) for each in store.setups.find(owner=owner)],
            "conversation": _plain(talk) if talk else None,
            "classes": [_plain(each) for each in store.trainings.find(owner=owner)],
            "tournaments": [_plain(each) for each in store.tournaments.find(owner=owner)],
            "puzzles": [_plain(each) for each in store.cards.find(owner=owner)],
            "studies": [_plain(each) for each in store.studies.find(owner=owner)],
            "taught_classes": [
                {"name": each.name, "deleted_on": each.ends}
                for each in store.classes.find(owner=owner)
            ],
            "joined_classes": [
                _describe_pupil(store, each) for each in store.pupils.find(owner=owner)
            ],
            "feeds": [_plain(each) for each in store.feeds.find(owner=owner)],
            "rated_games": [
                {"table": each.id, "game": each.game, "points": points, "ended": each.ended}
                for each in store.results.find(owner=owner)
                for points in [each.points if each.one == owner else 1 - each.points]
            ],
            "address": address.address if address else None,
            "waiting": {"for": waiting.variant, "since": waiting.since} if waiting else None,
            "kept_for_days": {each.kind: each.days for each in self.list_kept(visitor)},
        }

    # Deleting

    def delete(self, owner: str) -> None:
        """Delete all that is known of somebody, here and on the other servers.

        A game with other people that is not over ends first: they win it.
        """
        store, tables = self._store, self._services.get(TableService)
        unfinished = store.tables.find_of(owner, over=False)
        for table in unfinished:
            if is_between_people(table):
                with contextlib.suppress(ParlourError):  # a game that is not known any more
                    tables.change(table.id, partial(leave_game, owner=owner))
        kept = store.deletions.delete(owner)
        self._services.forget(owner)
        for table_id in {*kept, *(table.id for table in unfinished)}:
            self._services.hub.announce(f"table:{table_id}")
        with contextlib.suppress(Unavailable):  # what they know besides is not stored
            store.notify(f"{FORGET}{owner}")
            for table_id in kept:
                store.notify(f"table:{table_id}")
        store.deletions.erase(at_most=ERASED_AT_ONCE)  # a larger file is rewritten by night


def _plain(model: Any) -> dict[str, Any]:
    """Return a model as JSON, without what only the store needs."""
    fields = {**vars(model)}
    if "seats" in fields:
        fields["seats"] = [{**vars(seat), "owner": ""} for seat in fields["seats"]]
    return {name: value for name, value in fields.items() if name not in ("version", "owner")}


def _describe_pupil(store: Store, pupil: Pupil) -> dict[str, Any]:
    """Return what a class keeps of somebody."""
    classroom = store.classes.get(pupil.class_id)
    answers = [
        {"number": each.number, "game": each.game, "move": answer.move, "answered": answer.answered}
        for each in store.questions.find(class_id=pupil.class_id)
        for answer in store.class_answers.find(each.id, pupil.id)
    ]
    return {
        "class": classroom.name if classroom else "",
        "deleted_on": classroom.ends if classroom else "",
        "name": pupil.name,
        "joined": pupil.joined,
        "answers": answers,
    }


def _describe_table(table: Table, visitor: Visitor) -> dict[str, Any]:
    fields = _plain(table)
    fields["creator"] = "you" if visitor.owns(table.creator) else ""
    fields["your_seats"] = list(seats_of(table, visitor))
    return fields


# Ratings between people who wish to be rated, by the arena's method, with their uncertainty.
#
# A rating is not stored: it follows from the results of all rated games of a game, so it is right
# again at once when somebody leaves and takes their results along. Only those who take part are
# rated and shown.

MEAN = 1500
MAX_RESULTS = 20_000  # the latest that count
MAX_PLAYERS = 200  # those with the most games, and the latest among equals
FRESH = 30.0  # seconds for which a list is shown again


@dataclass(frozen=True)
class Rated:
    """Somebody in the list of a game, with the 95 % interval of their rating."""

    owner: str
    name: str
    rating: float
    low: float
    high: float
    games: int

    @property
    def error(self) -> float:
        """Half the width of the 95 % interval."""
        return (self.high - self.low) / 2


class RatingList:
    """The people who are rated in each game."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lists: dict[str, tuple[float, list[Rated]]] = {}  # by game, and when they were made

    def forget(self, owner: str) -> None:
        """Forget what is remembered, since it may hold somebody who has deleted their data."""
        self._lists.clear()

    def find(self, game: str) -> list[Rated]:
        """List the people rated in a game, the best first; not from the event loop."""
        made, found = self._lists.get(game, (0.0, []))
        if time.monotonic() - made < FRESH:
            return found
        found = rate_people(self._store, game)
        self._lists[game] = (time.monotonic(), found)
        return found


def rate_people(store: Store, game: str) -> list[Rated]:
    """Rate everybody who takes part, from their games with each other."""
    results = store.results.find(game=game, limit=MAX_RESULTS)
    names = {person.id: person.name for person in store.people.find(rated=True)}
    results = [each for each in results if each.one in names and each.other in names]
    active = _most_active(results)
    results = [each for each in results if each.one in active and each.other in active]
    numbers = {owner: number for number, owner in enumerate(active)}
    meetings = [
        Meeting(numbers[each.one], numbers[each.other], each.points, games=1) for each in results
    ]
    if not meetings:
        return []
    found = [
        Rated(owner, names[owner], MEAN + each.elo, MEAN + each.low, MEAN + each.high, each.games)
        for owner, each in zip(active, rate(len(active), meetings), strict=True)
        if each.games
    ]
    return sorted(found, key=lambda each: -each.rating)


def _most_active(results: list[Result]) -> list[str]:
    games = Counter(owner for each in results for owner in (each.one, each.other))
    return [owner for owner, _ in games.most_common(MAX_PLAYERS)]


# A person on another device: a code, or a link that holds it, makes another browser theirs too.
#
# The code is made for one browser and used in the other within a few minutes, once. Both are the
# same person from then on: the same games, settings and conversation. What the other browser had
# before comes along, since nobody could reach it any more.

LIFETIME = 600.0  # seconds for which a code can be used
LENGTH = 8
ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # no characters that look alike


class Devices:
    """The codes that carry people to another device."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._store = services.store
        self._signer = Signer(self._store.secret("codes"))
        # There are 10^12 codes: with this many guesses a code holds out far longer than it lives.
        self._by_address = RateLimit(rate=1 / 30, burst=10)
        self._guesses = RateLimit(rate=1, burst=100)

    def make_code(self, owner: str) -> str:
        """Return a new code for a person; an earlier one no longer works."""
        code = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
        self._store.codes.add(self._signer.digest(code), owner, time.time() + LIFETIME)
        return f"{code[: LENGTH // 2]}-{code[LENGTH // 2 :]}"

    def carry(self, visitor: Visitor, typed: str) -> str:
        """Use a code: what this browser has becomes the person's; return their browser's id."""
        code = self._read(visitor, typed)
        owner = self._store.codes.use(code, time.time())
        if not owner:
            raise NotThere(
                say(
                    "this code does not work; codes last 10 minutes and work once, so make a new "
                    "one on your other device"
                )
            )
        if owner != visitor.owner:
            self._store.deletions.adopt(visitor.owner, owner)
            self._services.forget(visitor.owner)
            self._store.notify(f"{FORGET}{visitor.owner}")
        return owner.removeprefix("browser:")

    def _read(self, visitor: Visitor, typed: str) -> str:
        """Return the hash of a code."""
        code = "".join(c for c in typed[:100].casefold() if c.isalnum())
        if len(code) != LENGTH or not set(code) <= set(ALPHABET):
            raise BadText("a code has {length} letters and digits, as in abcd-2345", length=LENGTH)
        if not self._by_address.take(visitor.address) or not self._guesses.take(""):
            raise TooMany(say("too many codes were tried; wait a minute and try again"))
        return self._signer.digest(code)
