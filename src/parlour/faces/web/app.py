"""The application: its sections, the parts its state is made of, and its error handlers."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from inspect import iscoroutinefunction
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from starlette.datastructures import State
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.routing import Match, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

from parlour.core import ParlourError, executors, sentence
from parlour.faces.web import (
    accounts,
    admin,
    api,
    chat,
    classes,
    errors,
    explorer,
    lab,
    lobby,
    people,
    private,
    puzzles,
    review,
    school,
    studies,
    table,
    texts,
    tournaments,
)
from parlour.faces.web.background import WriteQueue, delete_old_daily
from parlour.faces.web.classes import homework
from parlour.faces.web.clients import DEFAULTS, HEADERS, YEAR, AddressBook, ClientMiddleware
from parlour.faces.web.live import Hub, live
from parlour.faces.web.metrics import DATABASE_ERRORS
from parlour.faces.web.operations import OperationsMiddleware
from parlour.faces.web.prefix import PrefixMiddleware, path_of, see_other, url
from parlour.faces.web.private import Gate, PrivateMiddleware
from parlour.faces.web.requests import (
    FORGET,
    TEMPLATES,
    CreationLimits,
    forget,
    own_page,
    page,
    read_form,
    wants_json,
)
from parlour.faces.web.settings import Settings
from parlour.faces.web.texts import known_language, translate, use_language
from parlour.faces.web.visitors import BARS, Visitors
from parlour.faces.web.workers import MAX_WORKERS, AnswerCache, WorkerPool
from parlour.store import EVERYTHING, Store, Unavailable

MIN_POOL = 4  # workers of one process: two for moves even if questions take the others
TASKS = "parlour.faces.web.tasks"  # imported by the workers alone
SECTIONS = tuple(  # in the order of the navigation; tables first, since the others use them
    each.SECTION
    for each in (
        table,
        accounts,
        lobby,
        people,
        puzzles,
        explorer,
        review,
        studies,
        lab,
        school,
        classes,
        tournaments,
        homework,
        chat,
        api,
        admin,
        private,
    )
)
TEMPLATES.globals["navigation"] = [section.link for section in SECTIONS if section.link]


DESCRIPTION: dict[str, Any] = {
    "title": "Parlour",
    "version": api.VERSION,
    "summary": "Play, solve and explain small perfect-information games.",
    "openapi_url": "/api/openapi.json",
    "description": "Seats count from 0. A refused request is answered with a problem document.",
    "openapi_tags": [{"name": name, "description": about} for name, about in api.TAGS.items()],
}


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
        assemble(app.state, store, workers, addresses)
        stop = threading.Event()
        tasks = [
            asyncio.create_task(asyncio.to_thread(_resume, app.state, stop)),
            asyncio.create_task(delete_old_daily(store)),
            asyncio.create_task(app.state.visitors.note_often()),
            asyncio.create_task(app.state.driver.check_slow_clocks_often()),
            asyncio.create_task(app.state.challenges.expire_often()),
            asyncio.create_task(app.state.presence.beat()),
            asyncio.create_task(app.state.pairing.beat()),
            asyncio.create_task(app.state.attendance.beat()),
            asyncio.create_task(app.state.classes.delete_ended_often()),
        ]
        try:
            yield
        finally:
            stop.set()
            for task in tasks:
                task.cancel()
            await workers.close()

    app = FastAPI(**DESCRIPTION, lifespan=lifespan, docs_url=None, redoc_url=None)
    app.openapi = partial(api.describe, app)  # type: ignore[method-assign]
    app.state.archive = settings.archive
    app.state.gate = Gate(store, settings.passphrase) if settings.passphrase else None
    if app.state.gate is not None:
        app.add_middleware(PrivateMiddleware, gate=app.state.gate)
    app.add_middleware(
        ClientMiddleware, key=store.secret("cookies"), addresses=addresses, settings=settings
    )
    app.add_middleware(OperationsMiddleware, state=app.state)  # around all others
    if settings.prefix:
        app.add_middleware(PrefixMiddleware, prefix=settings.prefix)
    app.state.draining = False  # whether the server is about to stop
    store.on_error(DATABASE_ERRORS.inc)
    for section in SECTIONS:
        for router in section.routers:
            app.include_router(router)
    app.router.routes.append(Route("/preparing", _tell_preparing))
    app.router.routes.append(Route("/language", _choose_language, methods=["POST"]))
    app.router.routes.append(WebSocketRoute("/live", live))
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


async def drain(state: State, seconds: float) -> None:
    """Begin nothing that nobody waits for, and give the searches of visitors time to finish.

    Pages stay connected meanwhile, so that they are sent what was found.
    """
    state.draining = True
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await state.workers.drain()
            await state.driver.finish()
    state.hub.end_streams()


def assemble(state: State, store: Store, workers: WorkerPool, addresses: AddressBook) -> None:
    """Make the parts that sections share, then start each; endpoints depend on single parts."""
    state.store, state.workers = store, workers
    state.topics = {}  # the live pages of all sections, by kind of topic
    state.players = {}  # the sections whose own players sit at tables, by name
    state.receivers = {}  # called with topics of their kind that other servers announce
    state.forgetters = []  # called with the owner when somebody deletes their data
    state.resumable = []  # the services that go on with what an earlier server left

    async def fetch(name: str) -> Any:
        kind, _, subject_id = name.partition(":")
        topic = state.topics.get(kind)
        return await asyncio.to_thread(topic.fetch, subject_id) if topic else None

    state.hub = Hub(fetch)
    state.writes = WriteQueue(store)
    state.visitors = Visitors(store, state.hub, addresses)
    state.receivers[BARS.rstrip(":")] = lambda _: state.visitors.note_change()
    state.creation_limits = CreationLimits()
    state.answers = AnswerCache(workers, size=500)  # of a few kB each
    state.atlases = AnswerCache(workers, size=12)  # of a MB each
    state.receivers["forget"] = lambda topic: forget(state, topic.removeprefix(FORGET))
    for section in SECTIONS:
        if section.start is not None:
            section.start(state)


def _resume(state: State, stop: threading.Event) -> None:
    """Continue what an earlier server left, and listen to what other servers change."""
    _resume_all(state)
    threading.Thread(
        target=state.store.listen,
        args=(partial(receive, state), stop),
        name="parlour-listen",
        daemon=True,
    ).start()


def receive(state: State, topic: str, row: str = "") -> None:
    """Show what has changed elsewhere: a topic, perhaps with its row, or everything."""
    if topic == EVERYTHING:  # notifications may have been missed
        state.hub.announce_all()
        with contextlib.suppress(Unavailable):  # then this is received again
            _resume_all(state)
        return
    kind = topic.partition(":")[0]
    if (receiver := state.receivers.get(kind)) is not None:
        receiver(topic)
    elif state.hub.is_open(topic):
        known = state.topics.get(kind)
        subject = known.read(row) if row and known and known.read else None
        state.hub.announce(topic, subject, newer=True)


def _resume_all(state: State) -> None:
    for service in state.resumable:
        service.resume()


async def _tell_preparing(request: Request) -> Response:
    """Say what is being compiled, which happens once on a computer; pages that wait ask for it."""
    return PlainTextResponse(translate(request.app.state.workers.compilations.describe()))


async def _choose_language(request: Request) -> Response:
    """Keep the language that was pressed at the foot of a page, and show that page again."""
    form = await read_form(request)
    response = see_other(own_page(form.get("back", "/")))
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


async def _handle_refusal(request: Request, error: Exception) -> Response:
    """Answer a refused request with a problem document, or with a page in a browser.

    A form says by `show_again` which page to show with the reason.
    """
    show = getattr(request.state, "show_again", None)
    if show and isinstance(error, ParlourError) and not wants_json(request):
        notice, status = sentence(str(error)), errors.status_of(error)
        try:
            if iscoroutinefunction(show):
                response = cast(Response, await show(notice, status))
            else:
                response = cast(Response, await asyncio.to_thread(show, notice, status))
        except ParlourError as another:  # there is no such page
            error = another
        else:
            response.headers.update(errors.headers_of(error))
            return response
    if isinstance(error, ParlourError):
        status, detail = errors.status_of(error), str(error)
    elif isinstance(error, HTTPException) and error.status_code == 400:  # from FastAPI
        status, detail = 422, "the body is not JSON in UTF-8"
    elif isinstance(error, HTTPException):
        status, detail = error.status_code, _describe_http_error(error)
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
    routers = [router for section in SECTIONS for router in section.routers]
    found: set[str] = set()
    for route in (route for router in routers for route in router.routes):
        if isinstance(route, Route) and route.matches(request.scope)[0] is not Match.NONE:
            found |= route.methods or set()
    return sorted(found)


async def _handle_disconnect(request: Request, error: Exception) -> Response:
    """Answer nobody: the client has gone while it was sending its request."""
    return Response(status_code=400)


def _handle_crash(request: Request, error: Exception) -> Response:
    with use_language(texts.choose_language(request.headers)):  # it bypasses the middleware
        response = _problem(request, 500, "something went wrong inside; what was stored is safe")
    response.headers.update(HEADERS | {"cache-control": "no-store"})
    response.headers["x-request-id"] = getattr(request.state, "request_id", "")
    return response


def _problem(
    request: Request, status: int, detail: str, headers: Mapping[str, str] = MappingProxyType({})
) -> Response:
    document = errors.document(status, detail)
    if path_of(request.scope).startswith("/api/") or wants_json(request):
        media = "application/problem+json"
        return JSONResponse(document, status, media_type=media, headers=headers)
    response = page(request, "problem.html", code=status, problem=document)
    response.headers.update(headers)
    return response


def _describe_http_error(error: HTTPException) -> str:
    if error.status_code == 404:
        return "this page does not exist; go back to the lobby"
    if error.status_code == 405:
        return "this address does not accept such a request"
    return str(error.detail)
