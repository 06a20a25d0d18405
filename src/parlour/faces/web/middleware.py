"""The middleware around the whole app.

It identifies the client, refuses cross-site requests, bodies that are too large and clients that
exceed their rate limit, gives new browsers a cookie, and sets security headers on every response.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from parlour.faces.web import clients
from parlour.faces.web.clients import RateLimit, Visitor
from parlour.faces.web.errors import NotYours, Problem, TooBig, TooMany, document

MAX_BODY = 512 * 1024  # bytes; a long record fits
TOO_BIG = f"at most {MAX_BODY // 1024} kB can be sent at once"
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
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


class ClientMiddleware:
    """Identifies the client of every request and WebSocket, and admits or refuses it."""

    def __init__(self, app: ASGIApp, key: bytes) -> None:
        self.app = app
        self.key = key
        self.by_visitor = RateLimit(rate=20, burst=120)
        self.by_address = RateLimit(rate=1000, burst=5000)  # a whole class may share one

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI connection."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        address = (scope.get("client") or ("",))[0]
        visitor = clients.identify(self.key, headers, address)
        try:
            self._check(scope, headers, visitor)
        except Problem as refusal:
            await _refuse(refusal, scope, receive, send)
            return
        new_browser = ""
        if not visitor.owner and scope["type"] == "http" and not _is_api(scope):
            new_browser = clients.new_browser()
            visitor = Visitor(f"browser:{new_browser}", new_browser, address)
        scope.setdefault("state", {})["visitor"] = visitor

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                response = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    response.setdefault(name, value)
                if new_browser:
                    secure = scope["scheme"] == "https"
                    cookie = clients.set_cookie(self.key, new_browser, secure=secure)
                    response.append("set-cookie", cookie)
                caching = "no-cache" if scope["path"].startswith("/static/") else "no-store"
                response.setdefault("cache-control", caching)
            await send(message)

        await self.app(scope, _limit_body(receive), send_with_headers)

    def _check(self, scope: Scope, headers: Headers, visitor: Visitor) -> None:
        """Refuse cross-site requests, large bodies and clients over their limit."""
        if scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS:
            with_token = visitor.owner and not visitor.browser
            if not with_token and not _is_same_site(headers, needed=not _is_api(scope)):
                raise NotYours("this request comes from another site; use the pages of this one")
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()) or int(length[:12]) > MAX_BODY:
            raise TooBig(TOO_BIG)
        if not self.by_address.take(visitor.address) or (
            visitor.owner and not self.by_visitor.take(visitor.owner)
        ):
            raise TooMany("too many requests; wait a moment and try again")


def _is_api(scope: Scope) -> bool:
    path: str = scope["path"]
    return path.startswith(("/api/", "/static/"))


def _is_same_site(headers: Headers, *, needed: bool) -> bool:
    """Whether a request that changes something was sent by a page of ours.

    Browsers say where a request comes from in one of these headers; a program that sends neither
    them nor a cookie acts in nobody's name.
    """
    site = headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        return False
    origin = headers.get("origin") or headers.get("referer")
    if origin is None:
        return site is not None or (not needed and "cookie" not in headers)
    try:
        return urlsplit(origin).netloc.casefold() == headers["host"].casefold() != ""
    except (ValueError, KeyError):  # not a URL
        return False


def _limit_body(receive: Receive) -> Receive:
    """Wrap `receive` to count the bytes of the body: its declared length may be wrong."""
    size = 0

    async def receive_limited() -> Message:
        nonlocal size
        message = await receive()
        if message["type"] == "http.request":
            size += len(message.get("body", b""))
            if size > MAX_BODY:
                raise HTTPException(TooBig.status, TOO_BIG)  # FastAPI passes this one on
        return message

    return receive_limited


async def _refuse(refusal: Problem, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()  # the handshake, which closing now refuses
        await send({"type": "websocket.close", "code": 4000 + refusal.status})
        return
    problem = document(refusal.status, str(refusal))
    wants_page = "text/html" in Headers(scope=scope).get("accept", "") and not _is_api(scope)
    response: Response = (
        Response(f"{problem['detail']}\n", refusal.status, media_type="text/plain")
        if wants_page
        else JSONResponse(problem, refusal.status, media_type="application/problem+json")
    )
    response.headers.update(HEADERS | {"cache-control": "no-store"})
    await response(scope, receive, send)
