"""The application: the parts its state is made of, its routes, and its error handlers."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.datastructures import State
from starlette.exceptions import HTTPException
from starlette.routing import Match, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

from parlour import __version__
from parlour.core import ParlourError
from parlour.faces.web import api, chat, errors, lab, lobby, review, school, table, tournaments
from parlour.faces.web.background import WriteQueue, delete_old_daily
from parlour.faces.web.live import Hub, Topic, live
from parlour.faces.web.middleware import HEADERS, ClientMiddleware
from parlour.faces.web.requests import CreationLimits, make_templates, page, wants_json
from parlour.faces.web.workers import AnswerCache, WorkerPool
from parlour.store import EVERYTHING, Store, Unavailable

TASKS = "parlour.faces.web.tasks"  # imported by the workers alone
PAGES = (
    lobby.routes,
    table.setup,
    table.routes,
    review.routes,
    lab.routes,
    school.routes,
    tournaments.routes,
    chat.routes,
    api.docs,
)


def create_app(store: Store) -> FastAPI:
    """Return the application on an open store."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        workers = WorkerPool(TASKS)
        await workers.start()
        assemble(app.state, store, workers)
        stop = threading.Event()
        tasks = [
            asyncio.create_task(asyncio.to_thread(_resume, app.state, stop)),
            asyncio.create_task(delete_old_daily(store)),
        ]
        try:
            yield
        finally:
            stop.set()
            for task in tasks:
                task.cancel()
            await workers.close()

    app = FastAPI(
        title="Parlour",
        version=__version__,
        summary="Play, solve and explain small perfect-information games.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        responses={"default": api.routes.REFUSAL},
    )
    app.add_middleware(ClientMiddleware, key=store.secret("cookies"))
    for each in PAGES:
        app.include_router(each.router, include_in_schema=False)
    app.include_router(api.routes.router)
    app.include_router(api.stream.router)
    app.router.routes.append(WebSocketRoute("/live", live))
    app.router.routes.append(WebSocketRoute("/api/tables/{table_id}/stream", api.stream.stream))
    app.mount("/static", StaticFiles(directory=Path(__file__).parent / "static"))
    for kind in (ParlourError, HTTPException, RequestValidationError):
        app.add_exception_handler(kind, _handle_refusal)
    app.add_exception_handler(Exception, _handle_crash)
    return app


def assemble(state: State, store: Store, workers: WorkerPool) -> None:
    """Make every part of the app and give it what it needs; endpoints depend on single parts."""
    topics: dict[str, Topic] = {}

    async def fetch(name: str) -> Any:
        kind, _, subject_id = name.partition(":")
        return await asyncio.to_thread(topics[kind].fetch, subject_id) if kind in topics else None

    hub = Hub(fetch)
    writes = WriteQueue(store)
    templates = make_templates()
    tables = table.TableService(store, hub)
    school_service = school.School(store, hub, workers)
    sources = {"school": school_service}
    valuations = table.Valuations(store, hub, workers)
    table_view = table.TableView(valuations, sources)
    driver = table.BotDriver(store, tables, hub, workers, writes, sources)
    tables.subscribe(driver.on_change)
    runner = tournaments.Runner(store, hub, workers)
    topics |= {
        "lobby": lobby.lobby_topic(tables, templates),
        "table": table.table_topic(tables, table_view, templates),
        "training": school.school_topic(school_service, templates),
        "tournament": tournaments.tournament_topic(store, templates),
    }
    state.store, state.hub, state.workers, state.writes = store, hub, workers, writes
    state.templates, state.topics = templates, topics
    state.creation_limits = CreationLimits()
    state.answers = AnswerCache(workers, size=500)  # of a few kB each
    state.atlases = AnswerCache(workers, size=12)  # of a MB each
    state.tables, state.table_view, state.driver = tables, table_view, driver
    state.valuations, state.bots = valuations, table.BotCatalogue(workers)
    state.chat = chat.ChatService(store, tables, workers)
    state.analyst = review.Analyst(workers, valuations)
    state.school, state.runner = school_service, runner


def _resume(state: State, stop: threading.Event) -> None:
    """Go on with what an earlier server left, and listen to what other servers change."""
    _resume_all(state)
    if state.store.dialect == "postgresql":

        def receive(topic: str) -> None:
            if topic == EVERYTHING:  # notifications may have been missed
                state.hub.announce_all()
                with contextlib.suppress(Unavailable):  # then this is received again
                    _resume_all(state)
            else:
                state.hub.announce(topic, newer=True)

        threading.Thread(
            target=state.store.listen, args=(receive, stop), name="parlour-listen", daemon=True
        ).start()


def _resume_all(state: State) -> None:
    for part in (state.driver, state.school, state.runner):
        part.resume()


# Errors


def _handle_refusal(request: Request, error: Exception) -> Response:
    """Answer a refused request with a problem document, or with a page in a browser."""
    if isinstance(error, ParlourError):
        status, detail = errors.status_of(error), str(error)
    elif isinstance(error, HTTPException):
        status, detail = error.status_code, _describe_http_error(error)
    else:
        faults = cast(RequestValidationError, error).errors()
        status, detail = 422, errors.describe_validation_error(faults[0])
    headers = dict(getattr(error, "headers", None) or {})
    if status == 405 and (methods := _allowed_methods(request)):
        headers["allow"] = ", ".join(methods)
    return _problem(request, status, detail, headers)


def _allowed_methods(request: Request) -> list[str]:
    """Return the methods of an address, which several routes may share."""
    routers = [each.router for each in (*PAGES, api.routes, api.stream)]
    found: set[str] = set()
    for route in (route for router in routers for route in router.routes):
        if isinstance(route, Route) and route.matches(request.scope)[0] is not Match.NONE:
            found |= route.methods or set()
    return sorted(found)


def _handle_crash(request: Request, error: Exception) -> Response:
    response = _problem(request, 500, "something went wrong inside; what was stored is safe")
    response.headers.update(HEADERS | {"cache-control": "no-store"})  # it bypasses the middleware
    return response


def _problem(
    request: Request, status: int, detail: str, headers: Mapping[str, str] = MappingProxyType({})
) -> Response:
    document = errors.document(status, detail)
    if request.url.path.startswith("/api/") or wants_json(request):
        media = "application/problem+json"
        return JSONResponse(document, status, media_type=media, headers=headers)
    response = page(request, "problem.html", code=status, problem=document)
    response.headers.update(headers)
    return response


def _describe_http_error(error: HTTPException) -> str:
    if error.status_code == 404:
        return "there is no such page; the lobby leads everywhere"
    if error.status_code == 405:
        return "this address cannot be used that way"
    return str(error.detail)
