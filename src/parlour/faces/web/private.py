"""A private site: whoever knows its passphrase enters, and nobody else sees anything.

A browser shows the passphrase once and then has a signed cookie; changing the passphrase ends all
of them. A program sends it in the header Parlour-Passphrase. Passphrases are compared by scrypt,
slowly on purpose, and every address may try only so often.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from urllib.parse import quote as quote_url

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Receive, Scope, Send

from parlour.core import say, sentence
from parlour.faces.web.clients import HEALTH, TOO_MANY_ATTEMPTS, RateLimit, Visitor, refuse
from parlour.faces.web.errors import NotSignedIn, NotYours, TooMany
from parlour.faces.web.prefix import path_of, see_other, url
from parlour.faces.web.requests import TEMPLATES, Form, Section, own_page, show_again, visitor_of
from parlour.faces.web.services import services_of
from parlour.faces.web.signing import Signer, is_same
from parlour.store import Store

COOKIE = "parlour-guest"
HEADER = "parlour-passphrase"
MONTH = 30 * 24 * 3600  # seconds
ENTRANCE = "/enter"
OPEN = (ENTRANCE, "/language", *HEALTH)
MAX_LENGTH = 200  # characters of a passphrase
COST = 2**14  # of scrypt: 16 MB and about 50 ms


class Gate:
    """Who may enter a private site."""

    def __init__(self, store: Store, passphrase: str) -> None:
        self._secret = store.secret("private")
        self._digest = self._hash(passphrase)
        self._cookies = Signer(self._secret + self._digest.encode())
        self._fast = Signer(secrets.token_bytes(32))  # for programs, which send it every time
        self._known = ""  # the right passphrase under that key, once it was sent
        self._by_address = RateLimit(rate=0.5, burst=40)  # a whole class may share one
        self._in_all = RateLimit(rate=5, burst=200)

    def _hash(self, passphrase: str) -> str:
        text = passphrase.strip().encode()
        return hashlib.scrypt(text, salt=self._secret, n=COST, r=8, p=1).hex()

    def try_passphrase(self, visitor: Visitor, passphrase: str) -> bool:
        """Whether this is the passphrase; takes a while, and may not be tried too often."""
        passphrase = passphrase[:MAX_LENGTH]
        fast = self._fast.digest(passphrase.strip())
        if self._known and is_same(fast, self._known):
            return True
        self._by_address.check(visitor.network, TOO_MANY_ATTEMPTS)
        self._in_all.check("", TOO_MANY_ATTEMPTS)
        if not is_same(self._hash(passphrase), self._digest):
            return False
        self._known = fast
        return True

    def cookie(self) -> str:
        """Return the value of the cookie of somebody who has entered."""
        return self._cookies.sign_for(MONTH, "guest")

    def admits(self, cookie: str) -> bool:
        """Whether a cookie was given by us, for this passphrase, and is still valid."""
        return bool(self._cookies.verify_in_time(cookie))


class PrivateMiddleware:
    """Lets nobody pass who has not entered."""

    def __init__(self, app: ASGIApp, gate: Gate) -> None:
        self.app = app
        self.gate = gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI connection."""
        try:
            is_open = scope["type"] == "lifespan" or await self._is_open(scope)
        except TooMany as error:
            await refuse(error, scope, receive, send)
            return
        if is_open:
            await self.app(scope, receive, send)
            return
        headers, path = Headers(scope=scope), path_of(scope)
        is_page = scope["type"] == "http" and scope["method"] == "GET"
        if is_page and "text/html" in headers.get("accept", "") and not path.startswith("/api/"):
            query = scope["query_string"].decode("latin-1")
            back = quote_url(path + (f"?{query}" if query else ""), safe="")
            response = see_other(f"{ENTRANCE}?back={back}")
            await response(scope, receive, send)
            return
        locked = NotSignedIn(say("this site is private; enter with its passphrase first"))
        locked.headers = {"www-authenticate": 'Parlour-Passphrase realm="Parlour"'}
        await refuse(locked, scope, receive, send)

    async def _is_open(self, scope: Scope) -> bool:
        path = path_of(scope)
        if path in OPEN or path.startswith("/static/"):
            return True
        headers = Headers(scope=scope)
        if self.gate.admits(cookie_parser(headers.get("cookie", "")).get(COOKIE, "")):
            return True
        given = _decode(headers.get(HEADER, ""))
        if not given:
            return False
        visitor: Visitor = scope["state"]["visitor"]
        return await asyncio.to_thread(self.gate.try_passphrase, visitor, given)


def _decode(text: str) -> str:
    """Return the text of a header, whose bytes are UTF-8 if they can be."""
    try:
        return text.encode("latin-1").decode()
    except UnicodeDecodeError:
        return text


router = APIRouter(include_in_schema=False)
SECTION = Section((router,))


@router.get(ENTRANCE)
def show(request: Request, back: str = "/") -> Response:
    """Show the entrance."""
    if services_of(request).find(Gate) is None:
        return see_other("/")
    return _show(own_page(back))


def _show(back: str, notice: str = "", status: int = 200) -> Response:
    template = TEMPLATES.get_template("private.html")
    return HTMLResponse(template.render(back=back, notice=notice), status)


@router.post(ENTRANCE)
def enter(request: Request, form: Form) -> Response:
    """Enter with the passphrase."""
    gate = services_of(request).find(Gate)
    back = own_page(form.get("back", "/"))
    show_again(request, lambda notice, status: _show(back, sentence(notice), status))
    response = see_other(back)
    if gate is None:
        return response
    if not gate.try_passphrase(visitor_of(request), form.get("passphrase", "")):
        raise NotYours(say("that is not the passphrase; ask whoever invited you"))
    secure = request.url.scheme == "https"
    response.set_cookie(
        COOKIE, gate.cookie(), MONTH, path=url("/"), secure=secure, httponly=True, samesite="lax"
    )
    return response
