"""The host's page and its forms. Nothing links to it; every action is asked about first."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from parlour.core import quote
from parlour.faces.web.admin.service import HOURS, PERIODS, AdminService
from parlour.faces.web.background import DAY, KEEP_ADDRESSES
from parlour.faces.web.errors import NotSignedIn, NotThere
from parlour.faces.web.prefix import see_other, url
from parlour.faces.web.requests import (
    Fields,
    Form,
    Section,
    page,
    read_number,
    service,
    show_again,
    visitor_of,
)
from parlour.faces.web.services import Services

router = APIRouter(include_in_schema=False)

COOKIE = "parlour-admin"
PATH = "/admin"
MAX_TEXT = 200  # characters of a search or subject
ACTIONS = {  # what is asked before each, and what the button says
    "hide": ("Hide this table from the lobby?", "Hide it"),
    "show": ("Show this table in the lobby?", "Show it"),
    "rename": ("What should the player be called?", "Rename"),
    "delete": ("Delete this table? This cannot be undone.", "Delete it"),
    "rename-tournament": ("What should the tournament be called?", "Rename"),
    "hide-study": ("Take this study off the public list?", "Hide"),
    "delete-study": ("Delete this study? This cannot be undone.", "Delete"),
    "delete-tournament": ("Delete this tournament and its games? This cannot be undone.", "Delete"),
    "bar": ("Block this visitor from starting games, joining them and chatting?", "Block"),
    "lift": ("Unblock this visitor?", "Unblock"),
}

AdminDep = Annotated[AdminService, service(AdminService)]


def start_section(services: Services) -> None:
    """Make the host's actions."""
    services.add(AdminService(services.store, services.hub, services.visitors))


SECTION = Section((router,), start=start_section)


def _require_host(request: Request, admin: AdminDep) -> str:
    """Return the label of the host's token, or refuse."""
    label = admin.identify(request.cookies.get(COOKIE, ""))
    if not label:
        raise NotSignedIn("sign in first, at /admin")
    return label


HostDep = Annotated[str, Depends(_require_host)]


@router.get(PATH)
def show(request: Request, admin: AdminDep, find: str = "") -> Response:
    """Show what there is, or the form to sign in."""
    return _show(request, admin, find[:MAX_TEXT])


def _show(
    request: Request, admin: AdminService, find: str = "", notice: str = "", status: int = 200
) -> Response:
    label = admin.identify(request.cookies.get(COOKIE, ""))
    if not label:
        return _sign_in_page(request, notice, status)
    return _private(
        page(
            request,
            "admin.html",
            code=status,
            notice=notice,
            label=label,
            find=find,
            tables=admin.list_tables(find),
            tournaments=admin.list_tournaments(),
            studies=admin.list_studies(),
            addresses=admin.list_addresses(),
            bars=admin.list_bars(),
            entries=admin.list_log(),
            days=round(KEEP_ADDRESSES / DAY),
            when=_when,
        )
    )


def _sign_in_page(request: Request, notice: str = "", status: int = 200) -> Response:
    return _private(page(request, "admin_sign_in.html", code=status, notice=notice))


def _private(response: Response) -> Response:
    response.headers["x-robots-tag"] = "noindex"
    return response


def _when(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M}"


@router.post(f"{PATH}/sign-in")
def sign_in(request: Request, form: Form, admin: AdminDep) -> Response:
    """Sign in with a token."""
    show_again(request, partial(_sign_in_page, request))
    value = admin.sign_in(visitor_of(request), form.get("token", "")[:MAX_TEXT])
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
    return _ask(request, admin, label, action, subject[:MAX_TEXT], seat)


def _ask(
    request: Request,
    admin: AdminService,
    label: str,
    action: str,
    subject: str,
    seat: str = "0",
    notice: str = "",
    status: int = 200,
) -> Response:
    if action not in ACTIONS:
        raise NotThere(f"there is no action {quote(action)}")
    question, button = ACTIONS[action]
    place = read_number(seat) or 0
    about, typed = admin.describe(action, subject, place)
    values: dict[str, Any] = {"periods": tuple(PERIODS), "seat": place}
    return _private(
        page(
            request,
            "admin_ask.html",
            code=status,
            notice=notice,
            action=action,
            subject=subject,
            about=about,
            typed=typed,
            question=question,
            button=button,
            label=label,
            **values,
        )
    )


@router.post(f"{PATH}/{{action}}")
def do(request: Request, action: str, label: HostDep, form: Form, admin: AdminDep) -> Response:
    """Do what was asked about."""
    subject = form.get("subject", "")[:MAX_TEXT]
    seat = form.get("seat", "0")

    def again(notice: str, status: int) -> Response:
        return _ask(request, admin, label, action, subject, seat, notice, status)

    show_again(request, again)
    _do(admin, label, action, subject, form)
    return see_other(PATH)


def _do(admin: AdminService, label: str, action: str, subject: str, form: Fields) -> None:
    name = form.get("name", "")
    match action:
        case "hide" | "show":
            admin.set_listed(label, subject, action == "show")
        case "rename":
            admin.rename_seat(label, subject, form.number("seat") or 0, name)
        case "delete":
            admin.delete_table(label, subject)
        case "rename-tournament":
            admin.rename_tournament(label, subject, name)
        case "delete-tournament":
            admin.delete_tournament(label, subject)
        case "hide-study":
            admin.hide_study(label, subject)
        case "delete-study":
            admin.delete_study(label, subject)
        case "bar":
            admin.bar(label, subject, form.get("period", ""))
        case "lift":
            admin.lift(label, subject)
        case _:
            raise NotThere(f"there is no action {quote(action)}")
