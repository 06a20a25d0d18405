"""What pages need of a request, and how a form that was sent is answered.

A form works without scripts: it is answered with the page to see next, or with its own page and one
sentence. A script that sends the same form asks for JSON and gets the same news as that.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Annotated, Any
from urllib.parse import parse_qsl, urlsplit

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from parlour.core import BadText, ParlourError
from parlour.faces.web import errors as problems
from parlour.faces.web.house import House
from parlour.faces.web.identity import Visitor
from parlour.store import Unavailable

MOST_FIELDS = 500
MOST_LINES = 40  # of the talk, on a page


class Fields(dict[str, str]):
    """The fields of a form, the last of each name; `all` has the others too."""

    def __init__(self, pairs: Sequence[tuple[str, str]]) -> None:
        super().__init__(pairs)
        self.pairs = pairs

    def all(self, name: str) -> list[str]:
        """Every value of a field, in order."""
        return [value for each, value in self.pairs if each == name]

    def number(self, name: str) -> int | None:
        """The whole number in a field; None where nothing was typed."""
        text = self.get(name, "").strip()
        if not text:
            return None
        if not (text.isascii() and text.isdigit() and len(text) <= 12):
            raise BadText(f"{name} should be a whole number, in digits")
        return int(text)


async def _fields(request: Request) -> Fields:
    body = (await request.body()).decode("utf-8", errors="replace")
    try:
        return Fields(parse_qsl(body, keep_blank_values=True, max_num_fields=MOST_FIELDS))
    except ValueError:
        raise BadText(f"a form has at most {MOST_FIELDS} fields") from None


Form = Annotated[Fields, Depends(_fields)]


def house_of(request: Request) -> House:
    """The house this server runs."""
    found: House = request.app.state.house
    return found


def visitor_of(request: Request) -> Visitor:
    """Who asks."""
    found: Visitor = request.state.visitor
    return found


async def _may_make(request: Request) -> None:
    house, visitor = house_of(request), visitor_of(request)
    if not house.making_by_address.take(visitor.address) or (
        visitor.browser and not house.making.take(visitor.owner)
    ):
        raise problems.TooMany("you begin a great many things; wait a moment, then go on")


MAKING = [Depends(_may_make)]  # for whatever makes a new table, class or tournament


def wants_json(request: Request) -> bool:
    """Whether a script or a program asks."""
    return "application/json" in request.headers.get("accept", "")


def page(request: Request, template: str, *, code: int = 200, **values: Any) -> HTMLResponse:
    """A whole page, with Benedict's chat beside it."""
    house, visitor = house_of(request), visitor_of(request)
    talk = None
    with contextlib.suppress(Unavailable):  # a page that says so is shown all the same
        talk = house.store.talks.get(visitor.browser) if visitor.browser else None
    asked = f"?{request.url.query}" if request.url.query and request.method == "GET" else ""
    beside = {
        "here": "/" + request.url.path.split("/")[1],
        "back": request.url.path + asked,
        "talk": talk.lines[-MOST_LINES:] if talk else (),
        "choices": talk.choices if talk else (),
    }
    return HTMLResponse(house.render(template, **(beside | values)), code)


def _here(request: Request) -> str:
    """The page whose form was sent."""
    try:
        return urlsplit(request.headers.get("referer", "")).path
    except ValueError:  # no address at all
        return ""


def posted(
    request: Request,
    do: Callable[[], str],
    show: Callable[[str, int], Response],
) -> Response:
    """Do what a form asks for and go where `do` says; a refusal is shown on the form's own page."""
    try:
        go = do()
    except ParlourError as refusal:
        if wants_json(request):
            raise
        status = problems.status_of(refusal)
        return show(str(problems.document(status, str(refusal))["detail"]), status)
    if wants_json(request):
        return JSONResponse({"ok": True} if go.partition("?")[0] == _here(request) else {"go": go})
    return RedirectResponse(go, 303)
