"""A person: what is kept of them, the ratings they may take part in, and their other devices.

A person is the owner of seats, known by a cookie. Everything in the store is found by that owner;
the conversation with Benedict may also be known to the server alone.
"""

from __future__ import annotations

import contextlib
import json
import secrets
import time
from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Request
from fastapi.responses import Response

from parlour.arena import Meeting, rate
from parlour.core import BadText, ParlourError, registry, say, title
from parlour.faces.web import background, texts
from parlour.faces.web import requests as web
from parlour.faces.web.clients import TOO_MANY_ATTEMPTS, RateLimit, Visitor
from parlour.faces.web.errors import NotThere, TooMany
from parlour.faces.web.forms import order_games
from parlour.faces.web.prefix import see_other, url
from parlour.faces.web.services import FORGET, Services
from parlour.faces.web.signing import Signer
from parlour.faces.web.table import (
    TableService,
    clean_name,
    is_between_people,
    is_full,
    leave_game,
    match_of,
    player_name,
    seats_of,
    title_of,
)
from parlour.store import Person, Pupil, Store, Table, Unavailable

ERASED_AT_ONCE = 64 * 2**20  # bytes of a database that is rewritten while somebody waits


class Kept(NamedTuple):
    """How many things of a kind are kept of a person, and for how long."""

    number: int
    days: int | None = None  # after the last change; None until they are deleted


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

    def list_kept(self, visitor: Visitor) -> dict[str, Kept]:
        """List what is kept of somebody, by its kind."""
        store, owner = self._store, visitor.owner
        talk = self._services.find_talk(visitor.browser)
        unfinished, finished = (store.tables.count_of(owner, over=over) for over in (False, True))
        return {
            "unfinished": Kept(unfinished, _days(background.KEEP_UNFINISHED)),
            "finished": Kept(finished),
            "setups": Kept(len(store.setups.find(owner=owner)), _days(background.KEEP_IDLE)),
            "talk": Kept(len(talk.lines) if talk else 0, _days(background.KEEP_IDLE)),
            "classes": Kept(len(store.trainings.find(owner=owner))),
            "tournaments": Kept(len(store.tournaments.find(owner=owner))),
            "rated": Kept(len(store.results.find(owner=owner))),
            "settings": Kept(int(store.people.get(owner) is not None)),
            "puzzles": Kept(len(store.cards.find(owner=owner))),
            "studies": Kept(len(store.studies.find(owner=owner))),
            "taught": Kept(len(store.classes.find(owner=owner))),
            "joined": Kept(len(store.pupils.find(owner=owner))),
            "feeds": Kept(len(store.feeds.find(owner=owner)), _days(background.KEEP_IDLE)),
            "address": Kept(
                int(store.addresses.get(owner) is not None), _days(background.KEEP_ADDRESSES)
            ),
            "presence": Kept(store.presence.count_of(owner), _days(background.KEEP_PRESENCE)),
        }

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
            "kept_for_days": {kind: kept.days for kind, kept in self.list_kept(visitor).items()},
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


def _days(seconds: float) -> int:
    return round(seconds / background.DAY)


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
    games = Counter(owner for each in results for owner in (each.one, each.other))
    active = [owner for owner, _ in games.most_common(MAX_PLAYERS)]
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
            raise TooMany(TOO_MANY_ATTEMPTS)
        return self._signer.digest(code)


# The section

router = APIRouter(include_in_schema=False)

MAX_RUNNING = 100  # listed; others follow when one of them is over
PAGE = 20  # finished games on a page

PeopleDep = Annotated[PeopleService, web.service(PeopleService)]
RatingsDep = Annotated[RatingList, web.service(RatingList)]
DevicesDep = Annotated[Devices, web.service(Devices)]


def start_section(services: Services) -> None:
    """Make what finds and deletes the data of people."""
    ratings = services.add(RatingList(services.store))
    people = services.add(PeopleService(services, ratings))
    services.export_person, services.delete_person = people.export, people.delete
    services.add(Devices(services))
    services.forgetters.append(ratings.forget)


SECTION = web.Section((router,), ("/games", say("My games")), start_section)


# One's own games


@router.get("/games")
def show_games(request: Request, store: web.StoreDep) -> Response:
    """Show the games of this browser: those in progress, one's own turn first, and the others."""
    visitor = web.visitor_of(request)
    number = max(1, web.read_number(request.query_params.get("page", "1")) or 1)
    running = [
        _row(table, visitor)
        for table in store.tables.find_of(visitor.owner, over=False, limit=MAX_RUNNING)
    ]
    running.sort(key=lambda row: not row["turn"])  # the latest change first, among equals
    offset = (number - 1) * PAGE
    finished = store.tables.find_of(visitor.owner, over=True, limit=PAGE + 1, offset=offset)
    return web.page(
        request,
        "games.html",
        running=running,
        finished=[_row(table, visitor) for table in finished[:PAGE]],
        number=number,
        more=len(finished) > PAGE,
    )


def _row(table: Table, visitor: Visitor) -> dict[str, Any]:
    """Return a game of a visitor; whose turn it is follows from the record."""
    mine = seats_of(table, visitor)
    others = [at for at in range(len(table.seats)) if at not in mine]
    free = not is_full(table)
    try:
        match = match_of(table)
    except NotThere:  # a game that was removed since
        match = None
    return {
        "id": table.id,
        "known": match is not None,
        "title": title_of(table),
        "others": [
            texts.gettext("free seat") if table.seats[at].kind == "open" else player_name(table, at)
            for at in others
        ],
        "known_others": any(table.seats[at].kind != "open" for at in others),
        "free": free,
        "turn": match is not None and not match.over and not free and match.turn in mine,
        "alone": not others,
        "result": table.result[mine[0]] if table.result and mine else None,
        "moves": len(table.moves),
        "day": time.strftime("%Y-%m-%d", time.gmtime(table.changed)),
    }


# One's own data


@router.get("/you")
def show_data(request: Request, people: PeopleDep) -> Response:
    """Show what is kept of this browser, and for how long."""
    return _data_page(request, people)


def _data_page(request: Request, people: PeopleService, code: str = "") -> Response:
    visitor = web.visitor_of(request)
    return web.page(
        request,
        "you.html",
        back="/you",
        kept=people.list_kept(visitor),
        unplayed_days=_days(background.KEEP_UNPLAYED),
        person=people.read(visitor.owner),
        carry_code=code,
        carry_link=f"{request.base_url}carry/{code}",
        carry_minutes=round(LIFETIME / 60),
    )


@router.get("/you/data.json")
def download_data(request: Request, people: PeopleDep) -> Response:
    """Return everything that is kept of this browser as one file."""
    document = people.export(web.visitor_of(request))
    text = json.dumps(document, indent=1, default=vars)
    return web.download(text, "application/json", "parlour-data.json")


@router.post("/you/settings")
def change_settings(request: Request, form: web.Form, people: PeopleDep) -> Response:
    """Keep the name that others see, and whether games with others may be rated."""
    web.show_refusal_on(request, partial(_data_page, request, people))
    visitor = web.visitor_of(request)
    visitor.require_browser()
    name = clean_name(form["name"]) if form.get("name", "").strip() else ""
    rated = form.get("rated") == "yes"
    if rated and not name:
        raise BadText(say("type a name first"))
    people.change(visitor.owner, name=name, rated=rated)
    return web.redirect(request, "/you#settings")


@router.post("/you/delete")
def delete_data(request: Request, form: web.Form, people: PeopleDep) -> Response:
    """Delete all that is kept of this browser, and its cookie."""
    web.show_refusal_on(request, partial(_data_page, request, people))
    visitor = web.visitor_of(request)
    if form.get("sure") != "yes":
        raise BadText(say("press the button below once more to delete everything"))
    people.delete(visitor.owner)
    request.state.browser = None  # the middleware ends the cookie
    response = web.page(request, "deleted.html", back="/")
    response.delete_cookie(texts.COOKIE, path=url("/"))
    return response


# Ratings


@router.get("/ratings")
def show_ratings(request: Request, ratings: RatingsDep) -> Response:
    """Show the people who are rated in a game."""
    games = {name: title(registry.build("games", name)) for name in order_games()}
    game = request.query_params.get("game", "")
    game = game if game in games else next(iter(games))
    rated = ratings.find(game)
    return web.page(
        request,
        "ratings.html",
        games=games,
        game=game,
        mean=MEAN,
        rated=rated,
        owner=web.visitor_of(request).owner,
        least=min((each.low for each in rated), default=0),
        most=max((each.high for each in rated), default=0),
    )


# Another device


@router.post("/you/device")
def make_code(
    request: Request, visitor: web.VisitorDep, people: PeopleDep, devices: DevicesDep
) -> Response:
    """Show a code that makes another browser this person's too."""
    visitor.require_browser()
    return _data_page(request, people, code=devices.make_code(visitor.owner))


@router.get("/carry")
def ask_for_code(request: Request) -> Response:
    """Ask for the code."""
    return _carry_page(request)


@router.get("/carry/{code}")
def show_code(request: Request, code: str, store: web.StoreDep) -> Response:
    """Ask whether to use the code of a link: opening it changes nothing, for programs do too."""
    return _carry_page(request, typed=code[:20], store=store)


def _carry_page(request: Request, typed: str = "", store: Store | None = None) -> Response:
    owner = web.visitor_of(request).owner
    own = 0
    if store is not None:
        own = sum(store.tables.count_of(owner, over=over) for over in (False, True))
    return web.page(request, "carry.html", back="/carry", typed=typed, own=own)


@router.post("/carry")
def carry(
    request: Request, form: web.Form, visitor: web.VisitorDep, devices: DevicesDep
) -> Response:
    """Make this browser the person's whose code was typed."""
    typed = form.get("code", "")
    web.show_refusal_on(request, partial(_carry_page, request, typed=typed[:20]))
    request.state.browser = devices.carry(visitor, typed)
    return see_other("/games")
