"""What endpoints need of a request: its form, its visitor, parts of the app, and the response.

A form works without scripts: the response redirects to the next page, or shows the form's page
again with one sentence. A script that submits the same form asks for JSON and gets the same.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar
from urllib.parse import parse_qsl, urlsplit

import jinja2
from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.datastructures import ImmutableMultiDict
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from parlour import boards
from parlour.core import BadText, capital, say, sentence, whole
from parlour.faces.web import forms, texts
from parlour.faces.web.background import WriteQueue
from parlour.faces.web.clients import MAX_UPLOAD, RateLimit, Visitor
from parlour.faces.web.errors import TooBig
from parlour.faces.web.live import Hub
from parlour.faces.web.prefix import path_of, see_other, url
from parlour.faces.web.services import Services, services_of
from parlour.faces.web.workers import Answer, AnswerCache, WorkerPool
from parlour.store import Store, Unavailable

T = TypeVar("T")

MAX_FIELDS = 500
MAX_NUMBER = 10**12 - 1  # in a field
MAX_PART = 3 * 1024 * 1024  # bytes of one field of a form with a file
MAX_BACK = 500  # characters of an address to go back to
MAX_CHAT_LINES = 40  # on a page
LOOK = 1.0  # seconds between two looks whether a client still waits
PATIENCE = 1.5  # seconds a page waits for a worker's answer

TEMPLATES = jinja2.Environment(
    loader=jinja2.PackageLoader("parlour.faces.web"),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    auto_reload=False,
    extensions=["jinja2.ext.i18n"],
)
TEMPLATES.filters |= {
    "capital": capital,
    "name_move": boards.name_move,
    "label": forms.label,
    "name_player": texts.name_player,
    "number": texts.number,
    "sentence": sentence,
    "show_name": texts.show_name,
    "translate": texts.translate,
    "translate_labels": texts.translate_labels,
    "passage": texts.passage,
}
TEMPLATES.policies["ext.i18n.trimmed"] = True
TEMPLATES.globals |= {"language": texts.language, "languages": texts.LANGUAGES, "url": url}
TEMPLATES.install_gettext_callables(  # type: ignore[attr-defined]  # of the extension
    texts.gettext, texts.ngettext, newstyle=True, pgettext=texts.pgettext
)


# Sections


@dataclass(frozen=True)
class Section:
    """A section of the site, which its package offers as `SECTION`.

    `start` adds what its pages and other sections need of it: services, topics of live pages,
    players who sit at tables.
    """

    routers: tuple[APIRouter, ...]
    link: tuple[str, str] | None = None  # address and title in the navigation
    start: Callable[[Services], None] | None = None


# Dependencies


def part(choose: Callable[[Services], Any]) -> Any:
    """Return a FastAPI dependency on one part of the application."""

    async def find(request: Request) -> Any:  # async, or FastAPI would call it in a thread
        return choose(services_of(request))

    return Depends(find)


def service(kind: type) -> Any:
    """Return a FastAPI dependency on the service of a class."""
    return part(lambda services: services.get(kind))


StoreDep = Annotated[Store, part(lambda services: services.store)]
HubDep = Annotated[Hub, part(lambda services: services.hub)]
WritesDep = Annotated[WriteQueue, part(lambda services: services.writes)]
WorkersDep = Annotated[WorkerPool, part(lambda services: services.workers)]


def visitor_of(request: Request) -> Visitor:
    """Return the sender of a request."""
    visitor: Visitor = request.state.visitor
    return visitor


async def _visitor(request: Request) -> Visitor:
    return visitor_of(request)


VisitorDep = Annotated[Visitor, Depends(_visitor)]


TOO_MANY = say("you have started a great many games; wait a moment, then go on")


class CreationLimits:
    """How many tables, classes and tournaments one client may create."""

    def __init__(self) -> None:
        self.by_browser = RateLimit(rate=2, burst=60)
        self.by_address = RateLimit(rate=20, burst=600)  # a whole class may share one


async def _limit_creation(request: Request) -> None:
    limits = services_of(request).get(CreationLimits)
    visitor = visitor_of(request)
    limits.by_address.check(visitor.network, TOO_MANY)
    if visitor.browser:
        limits.by_browser.check(visitor.owner, TOO_MANY)


def _admit(request: Request) -> None:  # in a thread, as it may ask the database
    services_of(request).visitors.admit(visitor_of(request))


NOT_BARRED = [Depends(_admit)]  # for endpoints by which somebody joins others
LIMIT_CREATION = [Depends(_limit_creation), *NOT_BARRED]  # for endpoints that create something


async def ask(
    request: Request,
    task: str,
    payload: Mapping[str, Any],
    seconds: float,
    patience: float | None = None,
    cache: AnswerCache | None = None,
) -> Answer:
    """Ask a worker on behalf of the visitor, or take the answer from a cache."""
    visitor = visitor_of(request)
    answers = services_of(request).answers if cache is None else cache
    client = visitor.owner or visitor.address
    wait = PATIENCE if patience is None else patience
    return await answers.ask(task, payload, seconds=seconds, client=client, patience=wait)


async def while_connected(request: Request, call: Coroutine[Any, Any, T]) -> T:
    """Return the result of a call, which is cancelled if the client goes away meanwhile."""
    task = asyncio.ensure_future(call)
    try:
        while not task.done():
            await asyncio.wait([task], timeout=LOOK)
            if not task.done() and await request.is_disconnected():
                raise ClientDisconnect
        return await task
    finally:
        task.cancel()


# Forms


class Fields(ImmutableMultiDict[str, str]):
    """The fields of a form, the last of each name; `getlist` returns every value of one."""

    def number(self, name: str, low: int = 0, high: int = MAX_NUMBER) -> int | None:
        """Return the whole number in a field, or None if it is empty."""
        text = self.get(name, "").strip()
        if not text:
            return None
        if not (text.isascii() and text.isdigit() and low <= whole(text) <= high):
            raise BadText(
                "{name} must be a whole number from {low:,} to {high:,}",
                name=name,
                low=low,
                high=high,
            )
        return int(text)


def read_number(text: str) -> int | None:
    """Read a whole number of a few digits in an address, or return None."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else None


async def read_form(request: Request) -> Fields:
    """Read the form that was sent."""
    body = (await request.body()).decode("utf-8", errors="replace")
    try:
        return Fields(parse_qsl(body, keep_blank_values=True, max_num_fields=MAX_FIELDS))
    except ValueError:
        raise BadText(
            "a form can have at most {max_fields} fields", max_fields=MAX_FIELDS
        ) from None


Form = Annotated[Fields, Depends(read_form)]


class Upload(Fields):
    """The fields of a form, and the file that came with it."""

    file: bytes = b""
    file_name: str = ""


async def read_upload(request: Request) -> Upload:
    """Read a form that may have a file."""
    if "multipart/form-data" not in request.headers.get("content-type", ""):
        return Upload((await read_form(request)).multi_items())
    try:
        async with request.form(max_files=1, max_fields=10, max_part_size=MAX_PART) as form:
            sent = form.multi_items()
            found = Upload([(name, value) for name, value in sent if isinstance(value, str)])
            for _, value in sent:
                if not isinstance(value, str):
                    found.file, found.file_name = await value.read(MAX_UPLOAD), value.filename or ""
    except HTTPException as error:
        if error.status_code == TooBig.status:
            raise
        raise BadText(say("the form cannot be read; choose the file again")) from None
    return found


UploadForm = Annotated[Upload, Depends(read_upload)]


# Responses


def wants_json(request: Request) -> bool:
    """Whether the client is a script or a program."""
    return "application/json" in request.headers.get("accept", "")


def page(
    request: Request, template: str, *, code: int | None = None, **values: Any
) -> HTMLResponse:
    """Return a whole page, with Benedict's chat beside it; after a refusal, with the reason."""
    visitor, services = visitor_of(request), services_of(request)
    notice, status = getattr(request.state, "refusal", None) or ("", 200)
    talk = None
    with contextlib.suppress(Unavailable):  # a page that says so is shown anyway
        talk = services.find_talk(visitor.browser)
    path = path_of(request.scope)
    query = f"?{request.url.query}" if request.url.query and request.method == "GET" else ""
    frame = {
        "here": "/" + path.split("/")[1],
        "back": path + query,
        "talk": talk.lines[-MAX_CHAT_LINES:] if talk else (),
        "choices": talk.choices if talk else (),
        "preparing": services.workers.compilations.describe(),
        "notice": notice,
        "status": status,
    }
    html = TEMPLATES.get_template(template).render(**(frame | values))
    return HTMLResponse(html, status if code is None else code)


def download(content: bytes | str, media: str, name: str) -> Response:
    """Return a file to be kept under a name."""
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=media, headers=headers)


def redirect(request: Request, target: str) -> Response:
    """Send a browser, or the script of a page, to another page."""
    return JSONResponse({"go": url(target)}) if wants_json(request) else see_other(target)


def own_page(path: str) -> str:
    """Return a page of ours to go back to, whatever was sent."""
    inside = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path[:MAX_BACK] if inside else "/"


def respond_to_form(request: Request, target: str) -> Response:
    """Answer a form that was carried out: go to the next page, or stay where the script is."""
    if wants_json(request) and url(target.partition("?")[0]) == _form_page(request):
        return JSONResponse({"ok": True})
    return redirect(request, target)


def _form_page(request: Request) -> str:
    """Return the path of the page whose form was submitted."""
    try:
        return urlsplit(request.headers.get("referer", "")).path
    except ValueError:  # not a URL
        return ""


def show_again(request: Request, show: Callable[[str, int], Any]) -> None:
    """If the form of this request is refused, show its page by `show(notice, status)`."""
    request.state.show_again = show


def show_refusal_on(request: Request, show: Callable[[], Any]) -> None:
    """If this request is refused, return the page that `show()` makes, with the reason on it."""

    def show_reason(notice: str, status: int) -> Any:
        request.state.refusal = notice, status
        return show()

    show_again(request, show_reason)
