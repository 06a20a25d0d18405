"""Who is asking: a browser is known by a signed cookie, an API player by a secret token.

A seat keeps its owner as text: the browser's name, or the hash of the token. The cookie is signed
with a key that lives in the store, so that every server process knows the same browsers, and
nobody can make up another's.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass

COOKIE = "parlour"
YEAR = 365 * 24 * 3600
LONGEST = 200  # characters of a cookie or token that is looked at


@dataclass(frozen=True)
class Visitor:
    """Whoever sends a request."""

    owner: str  # what seats and set-ups are owned by; nothing for strangers
    browser: str = ""  # the browser's name, if it has shown a cookie of ours
    address: str = ""  # where the request comes from

    @property
    def client(self) -> str:
        """As whom they are counted: a token is made up at will, so programs count by address."""
        return self.owner if self.browser else self.address

    def owns(self, owner: str) -> bool:
        """Whether something with this owner is theirs."""
        return bool(owner) and hmac.compare_digest(self.owner.encode(), owner.encode())


def signed(key: bytes, browser: str) -> str:
    """The value of a browser's cookie."""
    return f"{browser}.{_signature(key, browser)}"


def _signature(key: bytes, browser: str) -> str:
    return hmac.new(key, browser.encode(), hashlib.sha256).hexdigest()[:32]


def new_browser() -> str:
    """A name for a browser nobody has seen before."""
    return secrets.token_hex(16)


def browser_of(key: bytes, cookie: str) -> str:
    """The browser a cookie was made for; nothing when we did not make it."""
    browser, dot, signature = cookie[:LONGEST].partition(".")
    good = dot and hmac.compare_digest(signature.encode(), _signature(key, browser).encode())
    return browser if good else ""


def new_token() -> str:
    """A secret for an API player."""
    return secrets.token_urlsafe(24)


def token_owner(token: str) -> str:
    """What the holder of a token is called as an owner: the token itself is kept nowhere."""
    return "token:" + hashlib.sha256(token.encode()).hexdigest()


def visitor(key: bytes, headers: Mapping[str, str], address: str) -> Visitor:
    """Who sends these headers; a token counts before a cookie."""
    word, _, token = headers.get("authorization", "").partition(" ")
    if word.casefold() == "bearer" and 0 < len(token) <= LONGEST:
        return Visitor(token_owner(token), address=address)
    browsers = (browser_of(key, value) for value in _cookies(headers.get("cookie", "")))
    browser = next(filter(None, browsers), "")
    return Visitor(f"browser:{browser}" if browser else "", browser, address)


def _cookies(header: str) -> list[str]:
    """The cookies of our name, whatever others on this machine have put beside them."""
    pairs = (part.strip().partition("=") for part in header.split(";"))
    return [value for name, _, value in pairs if name == COOKIE]


def cookie(key: bytes, browser: str, *, secure: bool) -> str:
    """The header that gives a browser its cookie: no script reads it, no other site sends it."""
    flags = "; Secure" if secure else ""
    value = signed(key, browser)
    return f"{COOKIE}={value}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Lax{flags}"
