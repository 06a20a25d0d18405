"""What is kept of one person: listed, written to a file, and deleted.

A person is the owner of seats, known by a cookie. Everything in the store is found by that owner;
the conversation with Benedict may also be known to the server alone.
"""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass, replace
from typing import Any

from parlour.core import Match, ParlourError
from parlour.faces.web import background
from parlour.faces.web.clients import Visitor
from parlour.faces.web.people.ratings import RatingList
from parlour.faces.web.services import FORGET, Services
from parlour.faces.web.table import (
    TableService,
    is_between_people,
    leave_game,
    match_of,
    seats_of,
)
from parlour.store import Person, Pupil, Store, Table, Unavailable

ERASED_AT_ONCE = 64 * 2**20  # bytes of a database that is rewritten while somebody waits


@dataclass(frozen=True)
class Kept:
    """A kind of thing that is kept of a person: how many there are, and for how long."""

    kind: str
    number: int
    seconds: float | None  # after the last change; None until they are deleted


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
        talk = self._services.chat.find(visitor.browser) if visitor.browser else None
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
        talk = self._services.chat.find(visitor.browser) if visitor.browser else None
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
            "kept_for_days": {
                each.kind: None if each.seconds is None else each.seconds / background.DAY
                for each in self.list_kept(visitor)
            },
        }

    # Deleting

    def delete(self, owner: str) -> None:
        """Delete all that is known of somebody, here and on the other servers.

        A game with other people that is not over ends first: they win it.
        """
        store = self._store
        tables = store.tables.find_of(owner, over=False)
        for table in tables:
            if is_between_people(table):
                with contextlib.suppress(ParlourError):  # a game that is not known any more
                    self._leave(table.id, owner)
        kept = store.deletions.delete(owner)
        self._services.forget(owner)
        for table_id in {*kept, *(table.id for table in tables)}:
            self._services.hub.announce(f"table:{table_id}")
        with contextlib.suppress(Unavailable):  # what they know besides is not stored
            store.notify(f"{FORGET}{owner}")
            for table_id in kept:
                store.notify(f"table:{table_id}")
        store.deletions.erase(at_most=ERASED_AT_ONCE)  # a larger file is rewritten by night

    def _leave(self, table_id: str, owner: str) -> None:
        def change(table: Table, match: Match) -> Table | None:
            return leave_game(table, match, owner)

        self._services.get(TableService).change(table_id, change)


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


# One's own games


@dataclass(frozen=True)
class OwnGame:
    """A game of a person, as their list shows it."""

    table: Table
    mine: tuple[int, ...]
    turn: bool  # whether it is their turn
    known: bool  # whether the game can still be played here


def describe_game(table: Table, visitor: Visitor) -> OwnGame:
    """Return a game of a visitor; whose turn it is follows from the record."""
    mine = seats_of(table, visitor)
    try:
        match = match_of(table)
    except ParlourError:  # a game that was removed since
        return OwnGame(table, mine, turn=False, known=False)
    free = any(seat.kind == "open" for seat in table.seats)
    return OwnGame(table, mine, turn=not match.over and not free and match.turn in mine, known=True)
