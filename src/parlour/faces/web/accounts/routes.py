"""Pages about bots: who is here and can be challenged, a challenge that waits, and feeds."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response
from starlette.datastructures import State

from parlour.faces.web.accounts.challenges import ChallengeService
from parlour.faces.web.accounts.events import EventStream
from parlour.faces.web.accounts.feeds import FeedsDep, FeedService
from parlour.faces.web.accounts.service import AccountService
from parlour.faces.web.requests import Section

router = APIRouter(include_in_schema=False)


def start_section(state: State) -> None:
    """Make the accounts, their challenges, events and feeds."""
    store, hub, tables = state.store, state.hub, state.tables
    state.accounts = accounts = AccountService(store, hub, tables)
    state.challenges = challenges = ChallengeService(store, hub, tables, accounts)
    state.account_events = events = EventStream(store, hub, tables, accounts, challenges)
    state.feeds = FeedService(store, challenges)
    state.topics["account"] = events.topic()


SECTION = Section((router,), start=start_section)


# Feeds


@router.get("/feeds/{secret}/feed.json")
def show_json_feed(request: Request, secret: str, feeds: FeedsDep) -> Response:
    """Return a feed as JSON Feed."""
    found = feeds.as_json(secret, _base(request))
    return JSONResponse(found, media_type="application/feed+json")


@router.get("/feeds/{secret}/feed.atom")
def show_atom_feed(request: Request, secret: str, feeds: FeedsDep) -> Response:
    """Return a feed as Atom."""
    return Response(feeds.as_atom(secret, _base(request)), media_type="application/atom+xml")


def _base(request: Request) -> str:
    return str(request.base_url).rstrip("/")
