"""Pages about bots: who is here and can be challenged, a challenge that waits, and feeds."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from parlour.core import registry, title
from parlour.faces.web import requests as web
from parlour.faces.web.accounts.challenges import SWEEP, ChallengesDep, ChallengeService
from parlour.faces.web.accounts.events import EventStream
from parlour.faces.web.accounts.feeds import FeedsDep, FeedService
from parlour.faces.web.accounts.service import AccountsDep, AccountService, is_here
from parlour.faces.web.clients import Visitor
from parlour.faces.web.errors import not_there
from parlour.faces.web.forms import order_games
from parlour.faces.web.live import Topic
from parlour.faces.web.services import Services, services_of
from parlour.faces.web.table import list_clocks, read_clock, title_of
from parlour.store import Account, Challenge

router = APIRouter(include_in_schema=False)

EMPTY = web.Fields([])  # the form of a challenge at first
SEATS = {"": None, "0": 0, "1": 1}
WAITING = 3600  # seconds for which a person's challenge waits


def start_section(services: Services) -> None:
    """Make the accounts, their challenges, events and feeds, and the live page of a challenge."""
    services.add(AccountService(services))
    challenges = services.add(ChallengeService(services))
    services.repeat(SWEEP, challenges.expire)
    services.add(EventStream(services))
    services.add(FeedService(services))
    template = web.TEMPLATES.get_template("challenge_main.html")

    def role(challenge: Challenge, visitor: Visitor) -> tuple[bool, bool]:
        return visitor.owns(challenge.challenger), visitor.owns(challenge.opponent)

    def render(challenge: Challenge, visitor: Visitor, view: str) -> str:
        return template.render(**_challenge_context(challenge, visitor))

    services.hub.topics["challenge"] = Topic(services.store.challenges.get, role, render)


SECTION = web.Section((router,), start=start_section)


# Bots


@dataclass(frozen=True)
class BotsHere:
    """What pages show of the bots of others, with a number that changes when that does."""

    bots: list[tuple[str, str, list[str]]]  # name, description, and titles of their games
    offers: list[tuple[Challenge, str]]  # what anybody may accept, and the title of its game

    @property
    def version(self) -> int:
        """A number below 2**32 that is made of everything shown."""
        return zlib.crc32(repr((self.bots, self.offers)).encode())


def list_bots_here(services: Services) -> BotsHere:
    """List the bots that are here, and what is offered to anybody."""
    accounts = services.get(AccountService).list_here()
    bots = [
        (each.name, each.description, [title for _, title in _list_games(each)])
        for each in accounts
    ]
    offers = services.get(ChallengeService).list_open()
    return BotsHere(bots, [(each, title_of(each)) for each in offers])


def _list_games(account: Account) -> list[tuple[str, str]]:
    """List the games for two that a bot plays and this site has, by name and title."""
    names = [name for name in order_games() if not account.games or name in account.games]
    games = [registry.build("games", name) for name in names]
    return [(game.name, title(game)) for game in games if game.seats == 2]


@router.get("/bots")
def show_bots(request: Request) -> Response:
    """Show the bots that are here, and the challenges that anybody may accept."""
    here = list_bots_here(services_of(request))
    return web.page(request, "bots.html", back="/bots", bots=here.bots, offers=here.offers)


@router.get("/bots/{name}")
def show_bot(request: Request, name: str, accounts: AccountsDep) -> Response:
    """Show one bot, and the form to challenge it."""
    return _bot_page(request, accounts, name)


def _bot_page(
    request: Request, accounts: AccountService, name: str, typed: Mapping[str, str] = EMPTY
) -> Response:
    account = accounts.find(name)
    return web.page(
        request,
        "bot.html",
        back=f"/bots/{account.name}",
        account=account,
        is_here=is_here(account),
        games=_list_games(account),
        clocks=list_clocks(),
        typed=typed,
    )


@router.post("/bots/{name}/challenge", dependencies=web.LIMIT_CREATION)
def challenge_bot(
    request: Request, name: str, form: web.Form, accounts: AccountsDep, challenges: ChallengesDep
) -> Response:
    """Challenge a bot, then wait for its answer."""
    web.show_refusal_on(request, partial(_bot_page, request, accounts, name, form))
    visitor = web.visitor_of(request)
    visitor.require_browser()
    clock = read_clock(form.get("clock", ""))
    challenge = challenges.create(
        visitor,
        accounts.find(name).name,
        registry.build("games", form.get("game", "")),
        seat=SEATS.get(form.get("seat", "")),
        clock=clock.clock,
        days=clock.days,
        seconds=WAITING,
        name=form.get("name", ""),
    )
    return web.respond_to_form(request, f"/challenges/{challenge.id}")


# Challenges


def _challenge_context(challenge: Challenge, visitor: Visitor) -> dict[str, Any]:
    return {
        "challenge": challenge,
        "title": title_of(challenge),
        "mine": visitor.owns(challenge.challenger),
        "waiting": challenge.state == "open",
    }


@router.get("/challenges/{challenge_id}")
def show_challenge(request: Request, challenge_id: str, challenges: ChallengesDep) -> Response:
    """Show a challenge and what has become of it."""
    challenge = challenges.read(challenge_id)
    return web.page(
        request,
        "challenge.html",
        back=f"/challenges/{challenge.id}",
        live=f"challenge:{challenge.id}",
        version=challenge.version,
        **_challenge_context(challenge, web.visitor_of(request)),
    )


@router.post("/challenges/{challenge_id}/{answer}")
def answer_challenge(
    request: Request, challenge_id: str, answer: str, form: web.Form, challenges: ChallengesDep
) -> Response:
    """Accept an open challenge, or cancel one's own."""
    web.show_refusal_on(request, partial(show_challenge, request, challenge_id, challenges))
    visitor = web.visitor_of(request)
    if answer == "accept":
        challenge = challenges.accept(challenge_id, visitor, form.get("name", ""))
        return web.respond_to_form(request, f"/tables/{challenge.table}")
    if answer == "cancel":
        challenges.cancel(challenge_id, visitor)
        return web.respond_to_form(request, f"/challenges/{challenge_id}")
    raise not_there(answer)


# Feeds


@router.get("/feed")
def show_feed(request: Request, feeds: FeedsDep) -> Response:
    """Show the secret address at which a feed reader sees when it is one's turn."""
    path = f"/feeds/{feeds.address_of(_owner(request))}"
    return web.page(request, "feed.html", back="/feed", path=path, feed=_base(request) + path)


@router.post("/feed")
def renew_feed(request: Request, feeds: FeedsDep) -> Response:
    """Replace the secret address."""
    feeds.renew(_owner(request))
    return web.respond_to_form(request, "/feed")


@router.get("/feeds/{secret}/feed.json")
def show_json_feed(request: Request, secret: str, feeds: FeedsDep) -> Response:
    """Return a feed as JSON Feed."""
    found = feeds.as_json(secret, _base(request))
    return JSONResponse(found, media_type="application/feed+json")


@router.get("/feeds/{secret}/feed.atom")
def show_atom_feed(request: Request, secret: str, feeds: FeedsDep) -> Response:
    """Return a feed as Atom."""
    return Response(feeds.as_atom(secret, _base(request)), media_type="application/atom+xml")


def _owner(request: Request) -> str:
    visitor = web.visitor_of(request)
    visitor.require_browser()
    return visitor.owner


def _base(request: Request) -> str:
    return str(request.base_url).rstrip("/")
