"""What operators need of every request: an id, a line in the log and numbers, and three addresses.

`/healthz` says that the process is alive, `/readyz` that it can serve, `/metrics` what it has done.
They are answered before any rule for visitors applies: a probe has no cookie and may use any host.

The log goes to standard error: one line an event, for people or as JSON for programs. Whatever
fails is logged once, with its reason, by the part that knows it. The line of a request names the
route, never the whole address, which may hold the link of a private table; nor does it hold a name,
a cookie or a token.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import json
import logging
import os
import re
import secrets
import sys
import time
from contextvars import ContextVar
from ipaddress import ip_address

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from parlour.faces.web import metrics
from parlour.faces.web.prefix import path_of
from parlour.faces.web.services import Services, services_of
from parlour.faces.web.signing import is_same
from parlour.store import Store, Unavailable

LOG = logging.getLogger("parlour.access")
REQUEST: ContextVar[str] = ContextVar("request", default="")  # the id of the request in hand

REQUEST_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")
NO_ROUTE = "none"  # an address that does not exist
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
FORWARDED = ("x-forwarded-for", "forwarded", "x-real-ip", "via")
TOKEN = "PARLOUR_METRICS_TOKEN"  # noqa: S105 - the name of the variable that holds it
CHECK = 3.0  # seconds for the database to answer
OURS = ("parlour", "uvicorn")  # of other libraries only warnings are of interest


class OperationsMiddleware:
    """Numbers, logs and counts every request; answers those of operators."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._check: asyncio.Task[str] | None = None  # one at a time, however many probes come

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI connection."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._watch_socket(scope, receive, send)
        elif path_of(scope) in ("/healthz", "/readyz", "/metrics"):
            await (await self._answer_operator(scope))(scope, receive, send)
        else:
            await self._watch_request(scope, receive, send)

    # Visitors

    async def _watch_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        began, request, status = time.perf_counter(), _begin(scope), 0

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers["x-request-id"] = request
                # The proxy shall use another server from now on
                if services_of(HTTPConnection(scope)).draining:
                    headers["connection"] = "close"
            await send(message)

        failure: Exception | None = None
        try:
            await self.app(scope, receive, send_with_id)
        except Exception as error:
            status, failure = 500, error
            raise
        except asyncio.CancelledError:
            status = status or 499
            raise
        finally:
            self._note(scope, status, began, failure)

    def _note(
        self, scope: Scope, status: int, began: float, error: Exception | None = None
    ) -> None:
        """Count a request, and write its line; the line of one that failed says why."""
        seconds, failed = time.perf_counter() - began, status >= 500
        method = scope["method"] if scope["method"] in METHODS else "OTHER"
        route = _route(scope)
        metrics.REQUESTS.labels(method, route, str(status)).inc()
        metrics.REQUEST_SECONDS.labels(route).observe(seconds)
        level = logging.ERROR if error else logging.WARNING if failed else logging.INFO
        line, fields = "%(method)s %(route)s %(status)s in %(ms)s ms", {"method": method}
        if reason := type(error).__name__ if error else failed and scope["state"].get("reason"):
            line, fields["reason"] = f"{line}: %(reason)s", reason
        _log(level, line, scope, error, seconds, status=status, **fields)

    async def _watch_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        _begin(scope)
        began, code, counted = time.perf_counter(), 0, None

        async def send_and_look(message: Message) -> None:
            nonlocal code, counted
            if message["type"] == "websocket.accept":
                counted = metrics.SOCKETS.labels(_route(scope))
                counted.inc()
            elif message["type"] == "websocket.close":
                code = message.get("code", 1000)
            await send(message)

        async def receive_and_look() -> Message:
            nonlocal code
            message = await receive()
            if message["type"] == "websocket.disconnect":
                code = message.get("code", 1005)
            return message

        failure: Exception | None = None
        try:
            await self.app(scope, receive_and_look, send_and_look)
        except Exception as error:
            failure = error
            raise
        finally:
            if counted is not None:
                counted.dec()
            level = logging.ERROR if failure else logging.INFO
            line = "WEBSOCKET %(route)s closed with %(status)s after %(ms)s ms"
            seconds = time.perf_counter() - began
            _log(level, line, scope, failure, seconds, status=code, method="WEBSOCKET")

    # Operators

    async def _answer_operator(self, scope: Scope) -> Response:
        no_store = {"cache-control": "no-store"}
        if scope["method"] not in ("GET", "HEAD"):
            return Response(status_code=405, headers={"allow": "GET, HEAD"})
        if path_of(scope) == "/healthz":
            return JSONResponse({"status": "alive"}, headers=no_store)
        if path_of(scope) == "/readyz":
            reason = await self._why_not_ready(services_of(HTTPConnection(scope)))
            told = {"status": "unready", "reason": reason} if reason else {"status": "ready"}
            return JSONResponse(told, 503 if reason else 200, headers=no_store)
        if not may_see_metrics(scope):
            words = "The metrics are for this computer, or for the holder of their token.\n"
            return Response(words, 403, media_type="text/plain", headers=no_store)
        try:
            store = services_of(HTTPConnection(scope)).store
            body = await asyncio.to_thread(metrics.write_metrics, store)
        except Unavailable as error:
            return Response(f"{error}\n", 503, media_type="text/plain", headers=no_store)
        return Response(body, media_type=metrics.CONTENT_TYPE, headers=no_store)

    async def _why_not_ready(self, services: Services) -> str:
        """Return why this server should get no visitors now, or nothing."""
        if services.draining:
            return "the server is stopping"
        if not services.workers.is_alive:
            return "there is no worker process"
        if self._check is None or self._check.done():
            self._check = asyncio.create_task(self._ask_database(services.store))
        check = self._check
        done, _ = await asyncio.wait([check], timeout=CHECK)
        return check.result() if done else "the database does not answer"

    async def _ask_database(self, store: Store) -> str:
        try:
            await asyncio.to_thread(store.check)
        except Unavailable as error:
            return str(error)
        return ""


def _log(
    level: int, line: str, scope: Scope, error: Exception | None, seconds: float, **fields: object
) -> None:
    """Write the line of a request or a WebSocket, and note that an error was logged with it."""
    if LOG.isEnabledFor(level):
        fields["route"], fields["ms"] = _route(scope), round(1000 * seconds, 1)
        fields["address"] = (scope.get("client") or ("",))[0]
        LOG.log(level, line, fields, exc_info=error, extra={"fields": fields})
    if error is not None:
        error.logged = True  # type: ignore[attr-defined]  # the server would log it again


def may_see_metrics(scope: Scope) -> bool:
    """Whether a request has the token, or comes from this computer and through no proxy."""
    headers = Headers(scope=scope)
    token = os.environ.get(TOKEN, "")
    scheme, _, given = headers.get("authorization", "").partition(" ")
    if token and scheme.casefold() == "bearer":
        return is_same(given, token)
    if any(name in headers for name in FORWARDED):
        return False
    with contextlib.suppress(ValueError):
        return ip_address((scope.get("client") or ("",))[0]).is_loopback
    return False


def _begin(scope: Scope) -> str:
    """Note and return the id that a proxy gave this request, or a new one."""
    given = Headers(scope=scope).get("x-request-id", "")
    request = given if REQUEST_ID.fullmatch(given) else secrets.token_hex(8)
    REQUEST.set(request)
    scope.setdefault("state", {})["request_id"] = request
    return request


def _route(scope: Scope) -> str:
    """Return the template of the address, as in `/tables/{table_id}`."""
    route = getattr(scope.get("route"), "path", None)
    if route is not None:
        return str(route)
    return "/static" if path_of(scope).startswith("/static/") else NO_ROUTE


# The log


def configure_logs(form: str = "plain", level: str = "warning") -> None:
    """Send the log of this process to standard error in this format, from this level on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if form == "json" else PlainFormatter())
    handler.addFilter(_is_new)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    for name in OURS:
        logging.getLogger(name).setLevel(level.upper())
    logging.getLogger("parlour.kernels").propagate = False  # pages say what is compiled


def _is_new(record: logging.LogRecord) -> bool:
    """Whether an error has not been logged before, with the request in which it happened."""
    error = record.exc_info[1] if record.exc_info else None
    return record.name == "parlour.access" or not getattr(error, "logged", False)


class PlainFormatter(logging.Formatter):
    """Lines for people: time, level, what happened, and in which request."""

    def format(self, record: logging.LogRecord) -> str:
        fields = getattr(record, "fields", {})
        parts = [
            f"{_when(record):%Y-%m-%d %H:%M:%S}",
            record.levelname,
            " ".join(record.getMessage().splitlines()),
            *([f"from {fields['address']}"] if fields.get("address") else ()),
            *([f"request {request}"] if (request := REQUEST.get()) else ()),
        ]
        text = " ".join(parts)
        return f"{text}\n{self.formatException(record.exc_info)}" if record.exc_info else text


class JsonFormatter(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        told = {
            "time": _when(record).astimezone(datetime.UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "process": record.process,
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if request := REQUEST.get():
            told["request"] = request
        if record.exc_info:
            told["exception"] = self.formatException(record.exc_info)
        return json.dumps(told)


def _when(record: logging.LogRecord) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(record.created, tz=datetime.UTC).astimezone()
