"""The front door: every request passes here before any page or verb sees it.

It knows who asks, refuses what comes from another site, what is too large and what is too much,
gives strangers their cookie, and puts on every answer the headers that keep a browser from running
or loading anything that is not ours.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from parlour.faces.web import errors as problems
from parlour.faces.web import identity
from parlour.faces.web.errors import NotYours, Problem, TooBig, TooMany
from parlour.faces.web.rate_limit import Limit

LARGEST = 512 * 1024  # bytes of a request's body; a long record fits
TOO_BIG = f"at most {LARGEST // 1024} kB can be sent at once"
SAFE = ("GET", "HEAD", "OPTIONS")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class Door:
    """The middleware around the whole application."""

    def __init__(self, app: ASGIApp, key: bytes) -> None:
        self.app = app
        self.key = key
        self.by_visitor = Limit(rate=20, burst=120)
        self.by_address = Limit(rate=1000, burst=5000)  # a whole class may share one

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Look at a request or a WebSocket, and let it in or not."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        address = (scope.get("client") or ("",))[0]
        visitor = identity.visitor(self.key, headers, address)
        try:
            self._look(scope, headers, visitor)
        except Problem as refusal:
            await _refuse(refusal, scope, receive, send)
            return
        fresh = ""
        if not visitor.owner and scope["type"] == "http" and not _is_api(scope):
            fresh = identity.new_browser()
            visitor = identity.Visitor(f"browser:{fresh}", fresh, address)
        scope.setdefault("state", {})["visitor"] = visitor

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                told = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    told.setdefault(name, value)
                if fresh:
                    secure = scope["scheme"] == "https"
                    told.append("set-cookie", identity.cookie(self.key, fresh, secure=secure))
                kept = "no-cache" if scope["path"].startswith("/static/") else "no-store"
                told.setdefault("cache-control", kept)
            await send(message)

        await self.app(scope, _bounded(receive), dressed)

    def _look(self, scope: Scope, headers: Headers, visitor: identity.Visitor) -> None:
        if scope["type"] == "websocket" or scope["method"] not in SAFE:
            with_token = visitor.owner and not visitor.browser
            if not with_token and not _same_site(headers, needed=not _is_api(scope)):
                raise NotYours("this request comes from another site; use the page itself")
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()) or int(length[:12]) > LARGEST:
            raise TooBig(TOO_BIG)
        if not self.by_address.take(visitor.address) or (
            visitor.owner and not self.by_visitor.take(visitor.owner)
        ):
            raise TooMany("that was too much at once; wait a moment and try again")


def _is_api(scope: Scope) -> bool:
    path: str = scope["path"]
    return path.startswith(("/api/", "/static/"))


def _same_site(headers: Headers, *, needed: bool) -> bool:
    """Whether a request that changes something was sent by a page of ours.

    Browsers say where a request comes from by one of these headers; a program that sends none and
    shows no cookie can do no harm in anybody's name.
    """
    fetched = headers.get("sec-fetch-site")
    if fetched is not None and fetched not in ("same-origin", "none"):
        return False
    origin = headers.get("origin") or headers.get("referer")
    if origin is None:
        return fetched is not None or (not needed and "cookie" not in headers)
    try:
        return urlsplit(origin).netloc.casefold() == headers["host"].casefold() != ""
    except (ValueError, KeyError):  # no address at all
        return False


def _bounded(receive: Receive) -> Receive:
    """The body of a request, as far as it is read at all: a length may be missing or a lie."""
    read = 0

    async def bounded() -> Message:
        nonlocal read
        message = await receive()
        if message["type"] == "http.request":
            read += len(message.get("body", b""))
            if read > LARGEST:
                raise HTTPException(TooBig.status, TOO_BIG)  # this kind readers let through
        return message

    return bounded


async def _refuse(refusal: Problem, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()  # the handshake, which a close now refuses
        await send({"type": "websocket.close", "code": 4000 + refusal.status})
        return
    told = problems.document(refusal.status, str(refusal))
    wants_page = "text/html" in Headers(scope=scope).get("accept", "") and not _is_api(scope)
    answer: Response = (
        Response(f"{told['detail']}\n", refusal.status, media_type="text/plain")
        if wants_page
        else JSONResponse(told, refusal.status, media_type="application/problem+json")
    )
    answer.headers.update(HEADERS | {"cache-control": "no-store"})
    await answer(scope, receive, send)
