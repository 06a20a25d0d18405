"""The application: the house is made when the server starts, and its doors are hung here."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from types import MappingProxyType
from typing import cast

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.routing import Match, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

from parlour import __version__
from parlour.core import ParlourError
from parlour.faces.web import errors as problems
from parlour.faces.web.api import docs as page_docs
from parlour.faces.web.api import routes as api
from parlour.faces.web.api import stream
from parlour.faces.web.chat import routes as page_chat
from parlour.faces.web.house import House, Live
from parlour.faces.web.lab import routes as page_lab
from parlour.faces.web.live import live
from parlour.faces.web.lobby import routes as page_lobby
from parlour.faces.web.middleware import HEADERS, Door
from parlour.faces.web.requests import page, wants_json
from parlour.faces.web.retention import sweep_daily
from parlour.faces.web.review import routes as page_analyse
from parlour.faces.web.school import routes as page_school
from parlour.faces.web.table import routes as page_table
from parlour.faces.web.table import setup as page_setup
from parlour.faces.web.tournaments import routes as page_tournaments
from parlour.faces.web.workers import Thinkers
from parlour.store import Store

PAGES = (
    page_lobby,
    page_setup,
    page_table,
    page_analyse,
    page_lab,
    page_school,
    page_tournaments,
    page_chat,
    page_docs,
)
LIVE: Mapping[str, Live] = {
    "lobby": page_lobby.LIVE,
    "table": page_table.LIVE,
    "training": page_school.LIVE,
    "tournament": page_tournaments.LIVE,
}


def create_app(store: Store) -> FastAPI:
    """The application on an open store."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        thinkers = Thinkers()
        await thinkers.start()
        house = House(store, thinkers, LIVE)
        app.state.house = house
        stop = threading.Event()
        waking = asyncio.create_task(house.run(_wake, house, stop))
        sweeping = asyncio.create_task(sweep_daily(house))
        try:
            yield
        finally:
            stop.set()
            waking.cancel()
            sweeping.cancel()
            await thinkers.close()

    app = FastAPI(
        title="Parlour",
        version=__version__,
        summary="Play, solve and explain small perfect-information games.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        responses={"default": api.REFUSAL},
    )
    app.add_middleware(Door, key=store.secret("cookies"))
    for each in PAGES:
        app.include_router(each.router, include_in_schema=False)
    app.include_router(api.router)
    app.include_router(stream.router)
    app.router.routes.append(WebSocketRoute("/live", live))
    app.router.routes.append(WebSocketRoute("/api/tables/{table_id}/stream", stream.stream))
    app.mount("/static", StaticFiles(directory=Path(__file__).parent / "static"))
    app.add_exception_handler(ParlourError, _refused)
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(RequestValidationError, _refused)
    app.add_exception_handler(Exception, _failed)
    return app


def _wake(house: House, stop: threading.Event) -> None:
    """Go on with what an earlier server has left, and hear what other servers change."""
    house.wake_all()
    if house.store.dialect == "postgresql":
        threading.Thread(
            target=house.store.listen,
            args=(house.heard, stop),
            name="parlour-listen",
            daemon=True,
        ).start()


def _refused(request: Request, trouble: Exception) -> Response:
    """A refusal as a problem document, or as a page for those who look at pages."""
    if isinstance(trouble, ParlourError):
        status, detail = problems.status_of(trouble), str(trouble)
    elif isinstance(trouble, HTTPException):
        status, detail = trouble.status_code, _worded(trouble)
    else:
        faults = cast(RequestValidationError, trouble).errors()
        status, detail = 422, problems.unfit(faults[0])
    headers = dict(getattr(trouble, "headers", None) or {})
    if status == 405 and (methods := _methods(request)):
        headers["allow"] = ", ".join(methods)
    return _problem(request, status, detail, headers)


def _methods(request: Request) -> list[str]:
    """The methods an address takes; several functions may share one."""
    routers = [each.router for each in (*PAGES, api, stream)]
    found: set[str] = set()
    for route in (route for router in routers for route in router.routes):
        if isinstance(route, Route) and route.matches(request.scope)[0] is not Match.NONE:
            found |= route.methods or set()
    return sorted(found)


def _failed(request: Request, trouble: Exception) -> Response:
    answer = _problem(request, 500, "something went wrong inside; what was stored is safe")
    answer.headers.update(HEADERS | {"cache-control": "no-store"})  # said outside the door
    return answer


def _problem(
    request: Request, status: int, detail: str, headers: Mapping[str, str] = MappingProxyType({})
) -> Response:
    told = problems.document(status, detail)
    if request.url.path.startswith("/api/") or wants_json(request):
        media = "application/problem+json"
        return JSONResponse(told, status, media_type=media, headers=headers)
    shown = page(request, "problem.html", code=status, problem=told)
    shown.headers.update(headers)
    return shown


def _worded(trouble: HTTPException) -> str:
    if trouble.status_code == 404:
        return "there is no such page; the lobby leads everywhere"
    if trouble.status_code == 405:
        return "this address cannot be used that way"
    return str(trouble.detail)
