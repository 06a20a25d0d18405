"""The host's page and its forms. Nothing links to it; every action is asked about first."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from parlour.core import say
from parlour.faces.web import requests as web
from parlour.faces.web.admin.service import HOURS, PERIODS, AdminService, players_of
from parlour.faces.web.background import DAY, KEEP_ADDRESSES
from parlour.faces.web.errors import NotSignedIn, not_there
from parlour.faces.web.prefix import see_other, url
from parlour.faces.web.services import Services
from parlour.faces.web.table import title_of

router = APIRouter(include_in_schema=False)

COOKIE = "parlour-admin"
PATH = "/admin"
MAX_TEXT = 200  # characters of a search or subject
ACTIONS = (
    *("hide", "show", "rename", "delete", "rename-tournament", "delete-tournament"),
    *("hide-study", "delete-study", "bar", "lift"),
)

AdminDep = Annotated[AdminService, web.service(AdminService)]


def start_section(services: Services) -> None:
    """Make the host's actions."""
    services.add(AdminService(services))


SECTION = web.Section((router,), start=start_section)


def _require_host(request: Request, admin: AdminDep) -> str:
    """Return the label of the host's token, or refuse."""
    label = admin.identify(request.cookies.get(COOKIE, ""))
    if not label:
        raise NotSignedIn(say("sign in first, at /admin"))
    return label


HostDep = Annotated[str, Depends(_require_host)]


@router.get(PATH)
def show(request: Request, admin: AdminDep, find: str = "") -> Response:
    """Show what there is, or the form to sign in."""
    label, find = admin.identify(request.cookies.get(COOKIE, "")), find[:MAX_TEXT]
    if not label:
        return _sign_in_page(request)
    return _private(
        web.page(
            request,
            "admin.html",
            label=label,
            find=find,
            days=round(KEEP_ADDRESSES / DAY),
            when=_when,
            title_of=title_of,
            players_of=players_of,
            **admin.list_all(find),
        )
    )


def _sign_in_page(request: Request) -> Response:
    return _private(web.page(request, "admin_sign_in.html"))


def _private(response: Response) -> Response:
    response.headers["x-robots-tag"] = "noindex"
    return response


def _when(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M}"


@router.post(f"{PATH}/sign-in")
def sign_in(request: Request, form: web.Form, admin: AdminDep) -> Response:
    """Sign in with a token."""
    web.show_refusal_on(request, partial(_sign_in_page, request))
    value = admin.sign_in(web.visitor_of(request), form.get("token", "")[:MAX_TEXT])
    response = see_other(PATH)
    secure = request.url.scheme == "https"
    response.set_cookie(
        COOKIE, value, HOURS, path=url(PATH), secure=secure, httponly=True, samesite="strict"
    )
    return response


@router.post(f"{PATH}/sign-out")
def sign_out() -> Response:
    """Forget the browser."""
    response = see_other(PATH)
    response.delete_cookie(COOKIE, path=url(PATH))
    return response


@router.get(f"{PATH}/{{action}}")
def ask(
    request: Request,
    action: str,
    label: HostDep,
    admin: AdminDep,
    subject: str = "",
    seat: str = "0",
) -> Response:
    """Ask whether the host means it."""
    if action not in ACTIONS:
        raise not_there(action)
    subject, place = subject[:MAX_TEXT], web.read_number(seat) or 0
    about, typed = admin.describe(action, subject, place)
    return _private(
        web.page(
            request,
            "admin_ask.html",
            action=action,
            subject=subject,
            about=about,
            typed=typed,
            periods=tuple(PERIODS),
            seat=place,
        )
    )


@router.post(f"{PATH}/{{action}}")
def do(request: Request, action: str, label: HostDep, form: web.Form, admin: AdminDep) -> Response:
    """Do what was asked about."""
    subject, seat = form.get("subject", "")[:MAX_TEXT], form.get("seat", "0")
    web.show_refusal_on(request, partial(ask, request, action, label, admin, subject, seat))
    admin.do(
        label,
        action,
        subject,
        seat=form.number("seat") or 0,
        name=form.get("name", ""),
        period=form.get("period", ""),
    )
    return see_other(PATH)
