"""The pages of a person: their games, their data, and the way to another device."""

from __future__ import annotations

import json
import time
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from parlour.core import BadText, registry, say, title
from parlour.faces.web import requests as web
from parlour.faces.web import texts
from parlour.faces.web.background import DAY, KEEP_UNPLAYED
from parlour.faces.web.clients import Visitor
from parlour.faces.web.errors import NotThere
from parlour.faces.web.forms import order_games
from parlour.faces.web.people.service import LIFETIME, MEAN, Devices, PeopleService, RatingList
from parlour.faces.web.prefix import see_other, url
from parlour.faces.web.services import Services
from parlour.faces.web.table import clean_name, is_full, match_of, player_name, seats_of, title_of
from parlour.store import Store, Table

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
        kept={each.kind: each for each in people.list_kept(visitor)},
        unplayed_days=round(KEEP_UNPLAYED / DAY),
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
        raise BadText(say("type a name first: the list of ratings shows it"))
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
