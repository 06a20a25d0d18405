"""The application: its sections, the services it is made of, and its error handlers."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from inspect import isawaitable
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.routing import Match, Route
from starlette.staticfiles import StaticFiles

from parlour.core import ParlourError, executors, say, sentence
from parlour.faces.web import api, clients, errors, texts
from parlour.faces.web import requests as web
from parlour.faces.web.accounts import AccountService
from parlour.faces.web.background import DAY, WriteQueue, delete_old
from parlour.faces.web.clients import HEADERS, MINUTE, YEAR, AddressBook, ClientMiddleware, Visitors
from parlour.faces.web.live import Hub, live
from parlour.faces.web.metrics import DATABASE_ERRORS
from parlour.faces.web.operations import OperationsMiddleware
from parlour.faces.web.prefix import PrefixMiddleware, path_of, see_other, url
from parlour.faces.web.private import Gate, PrivateMiddleware
from parlour.faces.web.services import FORGET, Services, services_of
from parlour.faces.web.signing import Signer
from parlour.faces.web.table import BotDriver
from parlour.faces.web.texts import known_language, translate, use_language
from parlour.faces.web.workers import MAX_WORKERS, AnswerCache, WorkerPool
from parlour.store import EVERYTHING, Store, Unavailable

MIN_POOL = 4  # workers of one process: two for moves even if questions take the others
TASKS = "parlour.faces.web.tasks"  # imported by the workers alone
# In the order of the navigation; tables first, since the others use them
SECTION_NAMES = (
    *("table", "accounts", "lobby", "people", "puzzles", "explorer", "review", "studies", "lab"),
    *("school", "classes", "tournaments", "classes.homework", "chat", "api", "admin", "private"),
)
SECTIONS: tuple[web.Section, ...] = tuple(
    import_module(f"parlour.faces.web.{name}").SECTION for name in SECTION_NAMES
)
web.TEMPLATES.globals["navigation"] = [section.link for section in SECTIONS if section.link]


DESCRIPTION: dict[str, Any] = {
    "title": "Parlour",
    "version": api.VERSION,
    "summary": "Play, solve and explain small perfect-information games.",
    "openapi_url": "/api/openapi.json",
    "description": "Seats count from 0. A refused request is answered with a problem document.",
    "openapi_tags": api.TAGS,
}


@dataclass(frozen=True)
class Settings:
    """What the owner of a site decides when it is started; all its processes are given the same."""

    names: tuple[str, ...] = ()  # by which the site is reached; any, if there are none
    passphrase: str = ""  # that visitors of a private site have to know; none for a public one
    processes: int = 1  # that share its port
    archive: str = ""  # the file of an archive of Othello games, as the explorer makes it
    prefix: str = ""  # the path it is below, as in "/parlour"


DEFAULTS = Settings()

router = APIRouter(include_in_schema=False)
router.add_api_websocket_route("/live", live)


def describe_api() -> dict[str, Any]:
    """Return the JSON API as OpenAPI, as a server describes it."""
    app = FastAPI(**DESCRIPTION)
    for router in api.SECTION.routers:
        app.include_router(router)
    return api.describe(app)


def create_app(
    store: Store, settings: Settings = DEFAULTS, make_pool: Callable[..., WorkerPool] = WorkerPool
) -> FastAPI:
    """Return the application on an open store; `make_pool` makes what runs its tasks."""
    addresses = AddressBook()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        workers = make_pool(
            TASKS, **share_processors(settings.processes), address_of=addresses.find
        )
        await workers.start()
        app.state.services = services = assemble(store, workers, addresses, settings.archive)
        if gate is not None:
            services.add(gate)
        stop = threading.Event()
        services.tasks.append(asyncio.create_task(asyncio.to_thread(_resume, services, stop)))
        try:
            yield
        finally:
            stop.set()
            for task in services.tasks:
                task.cancel()
            await workers.close()

    def find_account(token: str) -> str:
        services: Services = app.state.services
        return services.get(AccountService).find_id(token)

    app = FastAPI(**DESCRIPTION, lifespan=lifespan, docs_url=None, redoc_url=None)
    app.openapi = partial(api.describe, app)  # type: ignore[method-assign]
    gate = Gate(store, settings.passphrase) if settings.passphrase else None
    if gate is not None:
        app.add_middleware(PrivateMiddleware, gate=gate)
    app.add_middleware(
        ClientMiddleware,
        signer=Signer(store.secret("cookies")),
        addresses=addresses,
        find_account=find_account,
        names=settings.names,
    )
    app.add_middleware(OperationsMiddleware)  # around all others
    if settings.prefix:
        app.add_middleware(PrefixMiddleware, prefix=settings.prefix)
    store.on_error = DATABASE_ERRORS.inc
    for section in SECTIONS:
        for each in section.routers:
            app.include_router(each)
    app.include_router(router)
    own, boards = Path(__file__).parent / "static", ("parlour.boards", "static")
    app.mount("/static", StaticFiles(directory=own, packages=[boards]))
    for kind in (ParlourError, HTTPException, RequestValidationError):
        app.add_exception_handler(kind, _handle_refusal)
    app.add_exception_handler(ClientDisconnect, _handle_disconnect)
    app.add_exception_handler(Exception, _handle_crash)
    return app


def share_processors(processes: int) -> dict[str, int]:
    """Return the size of the pool of each process of a server, which all share one computer."""
    if processes == 1:
        return {}
    return {
        "size": max(MIN_POOL, -(-MAX_WORKERS // processes)),
        "processors": max(1, executors.count_cores() // processes),
    }


async def drain(services: Services, seconds: float) -> None:
    """Begin nothing that nobody waits for, and give the searches of visitors time to finish.

    Pages stay connected meanwhile, so that they are sent what was found.
    """
    services.draining = True
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await services.workers.drain()
            await services.get(BotDriver).finish()
    services.hub.end_streams()


def assemble(
    store: Store, workers: WorkerPool, addresses: AddressBook, archive: str = ""
) -> Services:
    """Make the parts that sections share, then start each; endpoints depend on single parts."""

    def delete_old_now() -> None:
        delete_old(store, time.time())

    hub = Hub()
    visitors = Visitors(store, hub.owners, addresses)
    services = Services(
        store,
        workers,
        hub,
        WriteQueue(store),
        visitors,
        answers=AnswerCache(workers, size=500),  # of a few kB each
        atlases=AnswerCache(workers, size=12),  # of a MB each
        archive=archive,
    )
    services.add(web.CreationLimits())
    services.receivers[clients.BARS.rstrip(":")] = lambda _: visitors.note_change()
    services.receivers[FORGET.rstrip(":")] = lambda t: services.forget(t.removeprefix(FORGET))
    services.repeat(DAY, delete_old_now, at_once=True)
    services.repeat(MINUTE, visitors.note)
    for section in SECTIONS:
        if section.start is not None:
            section.start(services)
    return services


def _resume(services: Services, stop: threading.Event) -> None:
    """Continue what an earlier server left, and listen to what other servers change."""
    _resume_all(services)
    threading.Thread(
        target=services.store.listen,
        args=(partial(receive, services), stop),
        name="parlour-listen",
        daemon=True,
    ).start()


def receive(services: Services, topic: str, row: str = "") -> None:
    """Show what has changed elsewhere: a topic, perhaps with its row, or everything."""
    if topic == EVERYTHING:  # notifications may have been missed
        services.hub.announce_all()
        with contextlib.suppress(Unavailable):  # then this is received again
            _resume_all(services)
        return
    kind = topic.partition(":")[0]
    if (receiver := services.receivers.get(kind)) is not None:
        receiver(topic)
    elif services.hub.is_open(topic):
        known = services.hub.topics.get(kind)
        subject = known.read(row) if row and known and known.read else None
        services.hub.announce(topic, subject, newer=True)


def _resume_all(services: Services) -> None:
    for resume in services.resumers:
        resume()


@router.get("/preparing")
async def show_preparing(request: Request) -> Response:
    """Say what is being compiled, which happens once on a computer; pages that wait ask for it."""
    return PlainTextResponse(translate(services_of(request).workers.compilations.describe()))


@router.post("/language")
async def choose_language(request: Request, form: web.Form) -> Response:
    """Keep the language that was pressed at the foot of a page, and show that page again."""
    response = see_other(web.own_page(form.get("back", "/")))
    response.set_cookie(
        texts.COOKIE,
        known_language(form.get("language", "")),
        max_age=YEAR,
        path=url("/"),
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )
    return response


# Errors

HTTP_ERRORS = {
    404: say("this page does not exist; go back to the lobby"),
    405: say("this address does not accept such a request"),
}


async def _handle_refusal(request: Request, error: Exception) -> Response:
    """Answer a refused request with a problem document, or with a page in a browser.

    A form says by `show_again` which page to show with the reason.
    """
    show = getattr(request.state, "show_again", None)
    if show and isinstance(error, ParlourError) and not web.wants_json(request):
        notice, status = sentence(error.text), errors.status_of(error)
        try:
            response = await asyncio.to_thread(show, notice, status)
            if isawaitable(response):
                response = await response
        except ParlourError as another:  # there is no such page
            error, request.state.refusal = another, None
        else:
            response.headers.update(errors.headers_of(error))
            return cast("Response", response)
    if isinstance(error, ParlourError):
        status, detail = errors.status_of(error), error.text
    elif isinstance(error, HTTPException) and error.status_code == 400:  # from FastAPI
        status, detail = 422, say("the body is not valid JSON")
    elif isinstance(error, HTTPException):
        status = error.status_code
        detail = HTTP_ERRORS.get(status, error.detail)
    else:
        faults = cast(RequestValidationError, error).errors()
        status, detail = 422, errors.describe_validation_error(faults[0])
    request.state.reason = detail  # for the log
    headers = errors.headers_of(error)
    if status == 405:
        methods = {*_allowed_methods(request), *headers.get("allow", "").split(", ")} - {""}
        methods |= {"HEAD"} if "GET" in methods else set()
        headers["allow"] = ", ".join(sorted(methods))
    return await asyncio.to_thread(_problem, request, status, detail, headers)


def _allowed_methods(request: Request) -> list[str]:
    """Return the methods of an address, which several routes may share."""
    routers = [router, *(each for section in SECTIONS for each in section.routers)]
    found: set[str] = set()
    for route in (route for each in routers for route in each.routes):
        if isinstance(route, Route) and route.matches(request.scope)[0] is not Match.NONE:
            found |= route.methods or set()
    return sorted(found)


async def _handle_disconnect(request: Request, error: Exception) -> Response:
    """Answer nobody: the client has gone while it was sending its request."""
    return Response(status_code=400)


def _handle_crash(request: Request, error: Exception) -> Response:
    with use_language(texts.choose_language(request.headers)):  # it bypasses the middleware
        response = _problem(
            request, 500, say("something went wrong inside; what was stored is safe")
        )
    response.headers.update(HEADERS | {"cache-control": "no-store"})
    response.headers["x-request-id"] = getattr(request.state, "request_id", "")
    return response


def _problem(
    request: Request, status: int, detail: str, headers: Mapping[str, str] = MappingProxyType({})
) -> Response:
    document = errors.document(status, detail)
    if path_of(request.scope).startswith("/api/") or web.wants_json(request):
        media = "application/problem+json"
        return JSONResponse(document, status, media_type=media, headers=headers)
    response = web.page(request, "problem.html", code=status, problem=document)
    response.headers.update(headers)
    return response
