"""Who sends a request, and the middleware around the whole app that admits or refuses it.

A browser is recognised by a signed cookie, an API player by a secret token. A seat stores its owner
as text: the browser's id, or the hash of the token. The key that signs cookies is in the store, so
every server process recognises the same browsers and nobody can forge a cookie.

The addresses of those who create or join something are stored for some days, and every minute who
of them is still here, so that tables in the lobby whose creator has gone fall out. A bar is stored
too; each server reads the list every few seconds, or at once when another one announces a change.

The middleware refuses cross-site requests, bodies that are too large and clients that exceed their
rate limit, gives new browsers a cookie, and sets security headers on every response.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import math
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TypeVar
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from parlour.core import ParlourError, say
from parlour.faces.web import errors
from parlour.faces.web.prefix import path_of, url
from parlour.faces.web.signing import Signer, hash_token, is_same
from parlour.faces.web.texts import choose_language, language, use_language
from parlour.store import Store, Unavailable

K = TypeVar("K")
V = TypeVar("V")

COOKIE = "parlour"
YEAR = 365 * 24 * 3600
MAX_LENGTH = 200  # characters of a token
MAX_BUCKETS = 20_000
MAX_WAIT = 3600  # seconds after which a client that is refused may try again
MAX_BODY = 512 * 1024  # bytes; a long record fits
MAX_UPLOAD = 3 * 1024 * 1024  # bytes; a file of games to review, as a page carries it along
UPLOADS = "/analyse"
IN_WORDS = ("text/html", "application/problem+json")  # answers in the language of the request
HEALTH = ("/healthz", "/readyz")  # asked by programs that know only an address
TOO_MANY = say("too many requests; wait a moment and try again")
TOO_MANY_ATTEMPTS = say("too many attempts; wait a minute and try again")
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
ACCOUNT = "account:"
ACCOUNT_TOKEN = "parlour_"  # noqa: S105  # begins the token of a bot account
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


@dataclass(frozen=True)
class Visitor:
    """The sender of a request."""

    owner: str  # owns seats and set-ups; empty for a client without cookie or token
    browser: str = ""  # the browser's id, if it sent a valid cookie
    address: str = ""  # the IP address
    account: str = ""  # the id of the bot account whose token was sent
    token: str = ""  # such a token, until it is checked

    @property
    def network(self) -> str:
        """What limits by address count."""
        return network_of(self.address)

    @property
    def client(self) -> str:
        """Whom limits count: tokens are free to make, so programs count by address."""
        return self.owner if self.browser else self.address

    def owns(self, owner: str) -> bool:
        """Whether something with this owner belongs to the visitor."""
        return bool(owner) and is_same(self.owner, owner)

    def require_browser(self) -> str:
        """Return the browser's id, or refuse a program, which has none."""
        if not self.browser:
            raise errors.NotYours(
                say("your browser does not accept cookies; allow them for this site")
            )
        return self.browser


def network_of(address: str) -> str:
    """Return the network that stands for an address: of IPv6, where one host has many, its /64."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:  # not an address
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False))


class Recent(OrderedDict[K, V]):
    """What was kept last, by key: the oldest makes room for the latest, which comes last."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most
        self._lock = threading.Lock()

    def keep(self, key: K, value: V) -> None:
        """Keep a value as the latest; from any thread."""
        with self._lock:
            self.pop(key, None)
            self[key] = value
            while len(self) > self._most:
                self.popitem(last=False)


class AddressBook:
    """The networks from which clients came last, as long as the server runs."""

    def __init__(self) -> None:
        # The network of each client, and when it was here
        self._networks: Recent[str, tuple[str, float]] = Recent(MAX_BUCKETS)

    def note(self, visitor: Visitor) -> None:
        """Note where a visitor comes from."""
        network, now = visitor.network, time.monotonic()
        for client in {visitor.owner, visitor.client} - {""}:
            self._networks.keep(client, (network, now))

    def seen_within(self, seconds: float) -> list[str]:
        """List the clients that were here in the last seconds."""
        since = time.monotonic() - seconds
        return [client for client, (_, seen) in tuple(self._networks.items()) if seen >= since]

    def find(self, client: str) -> str:
        """Return the network of a client; of one that is not known, something of its own."""
        known = self._networks.get(client)
        return known[0] if known else network_of(client)


def identify(signer: Signer, headers: Mapping[str, str], address: str) -> Visitor:
    """Return the sender of these headers; a token takes precedence over a cookie."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    if scheme.casefold() == "bearer" and 0 < len(token) <= MAX_LENGTH:
        return identify_token(token, address)
    browsers = map(signer.verify, _cookies(headers.get("cookie", "")))
    browser = next(filter(None, browsers), "")
    return Visitor(f"browser:{browser}" if browser else "", browser, address)


def _cookies(header: str) -> list[str]:
    """Return the values of all cookies of our name; other sites on this host may set one too."""
    pairs = (part.strip().partition("=") for part in header.split(";"))
    return [value for name, _, value in pairs if name == COOKIE]


def set_cookie(value: str, *, secure: bool, seconds: int = YEAR) -> str:
    """Return the Set-Cookie header for a browser: no script reads it, no other site sends it."""
    flags = "; Secure" if secure else ""
    return f"{COOKIE}={value}; Path={url('/')}; Max-Age={seconds}; HttpOnly; SameSite=Lax{flags}"


def new_token() -> str:
    """Return a secret for an API player."""
    return secrets.token_urlsafe(24)


def token_owner(token: str) -> str:
    """Return the owner a token stands for; the token itself is not stored."""
    return f"token:{hash_token(token)}"


def identify_token(token: str, address: str) -> Visitor:
    """Return the sender of a token; that of a bot account has yet to be looked up."""
    claimed = token if token.startswith(ACCOUNT_TOKEN) else ""
    return Visitor(token_owner(token), address=address, token=claimed)


def account_owner(account_id: str) -> str:
    """Return the owner of an account's seats, which stays the same when its token is replaced."""
    return f"{ACCOUNT}{account_id}"


def account_id_of(owner: str) -> str:
    """Return the id of the account that an owner is, or nothing."""
    return owner.removeprefix(ACCOUNT) if owner.startswith(ACCOUNT) else ""


FindAccount = Callable[[str], str]  # from a token to the id of its account, or nothing


def admit_account(visitor: Visitor, find: FindAccount) -> Visitor:
    """Return a visitor with the token of a bot account as that account; refuse a wrong token."""
    if not visitor.token:
        return visitor
    account_id = find(visitor.token)
    if not account_id:
        raise errors.NotSignedIn(
            say("this token is not valid any more; the account may have a new one")
        )
    return Visitor(account_owner(account_id), address=visitor.address, account=account_id)


class RateLimit:
    """A token bucket for each name: `rate` requests per second on average, `burst` at once."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate = rate
        self.burst = burst
        self._buckets: Recent[str, tuple[float, float]] = Recent(MAX_BUCKETS)  # tokens, and when
        self._lock = threading.Lock()

    def check(self, name: str, message: str) -> None:
        """Take a token from the bucket of a name, or refuse and say when to come back."""
        if not self.take(name):
            raise errors.TooMany(message, retry_after=self.seconds_to_wait(name))

    def is_spent(self, name: str) -> bool:
        """Whether the bucket of a name has no token left, without taking one."""
        return self._tokens(name, time.monotonic()) < 1

    def seconds_to_wait(self, name: str, now: float | None = None) -> int:
        """Return after how many whole seconds, at least 1, the bucket of a name has a token."""
        missing = 1 - self._tokens(name, time.monotonic() if now is None else now)
        return max(1, math.ceil(missing / self.rate)) if self.rate else MAX_WAIT

    def _tokens(self, name: str, now: float) -> float:
        tokens, updated = self._buckets.get(name, (self.burst, now))
        return min(self.burst, tokens + (now - updated) * self.rate)

    def take(self, name: str, now: float | None = None) -> bool:
        """Take a token from the bucket of a name; return whether there was one."""
        now = time.monotonic() if now is None else now
        with self._lock:
            tokens = self._tokens(name, now)
            enough = tokens >= 1
            self._buckets.keep(name, (tokens - enough, now))
        return enough


# Visitors over time

BARS = "bars:"  # the topic of changes of bars
FRESH = 5.0  # seconds for which the list of bars is kept
MINUTE = 60.0  # seconds between two notes of who is here
NOTED = 10 * MINUTE  # after which the address of somebody is stored again
MAX_NOTED = 20_000


class Visitors:
    """Who is here, and who may do nothing new."""

    def __init__(
        self, store: Store, find_open: Callable[[], Collection[str]], book: AddressBook
    ) -> None:
        self._store = store
        self._find_open = find_open  # those with a live page
        self._book = book
        self._noted: Recent[tuple[str, str], float] = Recent(MAX_NOTED)
        self._bars: dict[str, float] = {}  # until when, by owner or network
        self._read = -FRESH

    def refuse_barred(self, visitor: Visitor) -> None:
        """Refuse somebody who is barred."""
        if time.monotonic() - self._read > FRESH:
            with contextlib.suppress(Unavailable):  # then what was read last holds
                self._bars = {bar.subject: bar.until for bar in self._store.bars.find(time.time())}
                self._read = time.monotonic()
        names = {visitor.owner, visitor.network} - {""}
        until = max((self._bars.get(name, 0.0) for name in names), default=0.0)
        if until > time.time():
            when = datetime.fromtimestamp(until, UTC)
            raise errors.NotYours(
                "you cannot start games, join them or chat here until {when:%Y-%m-%d %H:%M} "
                "UTC; you can still watch",
                when=when,
            )

    def admit(self, visitor: Visitor) -> None:
        """Refuse somebody who is barred; store the address of anybody else who does something."""
        self.refuse_barred(visitor)
        now, key = time.monotonic(), (visitor.client, visitor.network)
        if now - self._noted.get(key, -NOTED) < NOTED:
            return
        with contextlib.suppress(Unavailable):  # whatever they do will say so
            self._store.addresses.note(*key)
            self._noted.keep(key, now)

    def note_change(self) -> None:
        """Read the bars again: somebody was barred, or may come back."""
        self._read = -FRESH

    async def note(self) -> None:
        """Store who is still here."""
        here = {*self._find_open(), *self._book.seen_within(MINUTE)}
        await asyncio.to_thread(self._store.addresses.touch, here, time.time())


# The middleware


@dataclass(eq=False)
class ClientMiddleware:
    """Identifies the client of every request and WebSocket, and admits or refuses it."""

    app: ASGIApp
    signer: Signer
    addresses: AddressBook
    find_account: FindAccount
    names: Sequence[str] = ()  # of this site; any, if there are none
    by_visitor: RateLimit = field(default_factory=lambda: RateLimit(rate=20, burst=120))
    # A whole class may share one
    by_address: RateLimit = field(default_factory=lambda: RateLimit(rate=1000, burst=5000))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI connection."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        asked = scope
        if scope["type"] == "http" and scope["method"] == "HEAD":
            scope, send = _answer_head(scope, send)
        try:
            with use_language(choose_language(headers)):
                await self._admit(headers, scope, receive, send)
        finally:
            if "route" in scope:  # for the log
                asked["route"] = scope["route"]

    async def _admit(self, headers: Headers, scope: Scope, receive: Receive, send: Send) -> None:
        address = (scope.get("client") or ("",))[0]
        visitor = identify(self.signer, headers, address)
        try:
            self._check(scope, headers, visitor)
            if visitor.token:
                visitor = await asyncio.to_thread(admit_account, visitor, self.find_account)
        except ParlourError as error:
            await refuse(error, scope, receive, send)
            return
        new_browser = visitor.browser if path_of(scope) == "/" else ""  # for another year
        if not visitor.owner and scope["type"] == "http" and not _knows_nobody(scope):
            new_browser = secrets.token_hex(16)
            visitor = Visitor(f"browser:{new_browser}", new_browser, address)
        self.addresses.note(visitor)
        scope.setdefault("state", {})["visitor"] = visitor

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                response = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    response.setdefault(name, value)
                # An endpoint may make a browser somebody else, or nobody.
                secure = scope["scheme"] == "https"
                if (browser := scope["state"].get("browser", new_browser)) is None:
                    response.append("set-cookie", set_cookie("", secure=secure, seconds=0))
                elif browser:
                    cookie = set_cookie(self.signer.sign(browser), secure=secure)
                    response.append("set-cookie", cookie)
                if response.get("content-type", "").startswith(IN_WORDS):
                    response["content-language"] = language()
                    response.add_vary_header("accept-language, cookie")
                caching = "no-cache" if path_of(scope).startswith("/static/") else "no-store"
                response.setdefault("cache-control", caching)
            await send(message)

        await self.app(scope, _limit_body(receive, _largest_body(scope)), send_with_headers)

    def _check(self, scope: Scope, headers: Headers, visitor: Visitor) -> None:
        """Refuse requests for other sites or from them, large bodies, and clients over a limit."""
        if path_of(scope) not in HEALTH and not _is_named(headers.get("host", ""), self.names):
            raise errors.Misdirected(
                "there is no site of this name here; use {names}", names=self.names[0]
            )
        if scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS:
            with_token = visitor.owner and not visitor.browser
            if not with_token and not _is_same_site(headers, needed=not _is_api(scope)):
                raise errors.NotYours(
                    say("this request comes from another site; use the pages of this one")
                )
        length = headers.get("content-length", "0")
        most = _largest_body(scope)
        if not (length.isascii() and length.isdigit()) or int(length[:12]) > most:
            raise errors.TooBig(_too_big(most))
        self.by_address.check(visitor.network, TOO_MANY)
        if visitor.owner:
            self.by_visitor.check(visitor.owner, TOO_MANY)


def _is_named(host: str, names: Sequence[str]) -> bool:
    """Whether a Host header has one of these names, if there are any."""
    name, colon, port = host.rpartition(":")
    if not (colon and port.isdigit()):  # without a port; an IPv6 address ends with a bracket
        name = host
    return not names or name.casefold().rstrip(".") in names


def _answer_head(scope: Scope, send: Send) -> tuple[Scope, Send]:
    """Return what answers HEAD as GET is answered, without the body (RFC 9110, 9.3.2)."""
    done = False

    async def send_head(message: Message) -> None:
        nonlocal done
        if message["type"] == "http.response.body":
            if not done:  # a stream ends here too: the server reports that nobody listens
                done = True
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        else:
            await send(message)

    return {**scope, "method": "GET"}, send_head


def _is_api(scope: Scope) -> bool:
    path = path_of(scope)
    return path.startswith(("/api/", "/static/"))


def _knows_nobody(scope: Scope) -> bool:
    """Whether a request gets no cookie: one of a program, or of a study in another site's page."""
    path = path_of(scope)
    return _is_api(scope) or (path.startswith("/studies/") and path.endswith("/embed"))


def _is_same_site(headers: Headers, *, needed: bool) -> bool:
    """Whether a request that changes something was sent by a page of ours.

    Browsers say where a request comes from in one of these headers; a program that sends neither
    them nor a cookie acts for no browser.
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


def _too_big(most: int) -> str:
    return say("at most {size} kB can be sent at once", size=most // 1024)


def _largest_body(scope: Scope) -> int:
    """Return how many bytes a request may send."""
    return MAX_UPLOAD if scope.get("path", "").endswith(UPLOADS) else MAX_BODY


def _limit_body(receive: Receive, most: int) -> Receive:
    """Wrap `receive` to count the bytes of the body: its declared length may be wrong."""
    size = 0

    async def receive_limited() -> Message:
        nonlocal size
        message = await receive()
        if message["type"] == "http.request":
            size += len(message.get("body", b""))
            if size > most:
                # FastAPI passes this one on
                raise HTTPException(errors.TooBig.status, _too_big(most))
        return message

    return receive_limited


async def refuse(error: ParlourError, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a request that is not passed on, or close a WebSocket."""
    if scope["type"] == "websocket":
        await receive()  # the handshake, which closing now refuses
        await send({"type": "websocket.close", "code": 4000 + errors.status_of(error)})
        return
    status = errors.status_of(error)
    problem = errors.document(status, error.text)
    wants_page = "text/html" in Headers(scope=scope).get("accept", "") and not _is_api(scope)
    response: Response = (
        Response(f"{problem['detail']}\n", status, media_type="text/plain")
        if wants_page
        else JSONResponse(problem, status, media_type="application/problem+json")
    )
    response.headers.update(HEADERS | {"cache-control": "no-store"} | errors.headers_of(error))
    await response(scope, receive, send)
