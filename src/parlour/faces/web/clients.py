"""Who sends a request, and how many requests they may send.

A browser is recognised by a signed cookie, an API player by a secret token. A seat stores its owner
as text: the browser's id, or the hash of the token. The key that signs cookies is in the store, so
every server process recognises the same browsers and nobody can forge a cookie.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass

COOKIE = "parlour"
YEAR = 365 * 24 * 3600
MAX_LENGTH = 200  # characters of a cookie or token that are read
MAX_BUCKETS = 20_000


@dataclass(frozen=True)
class Visitor:
    """The sender of a request."""

    owner: str  # owns seats and set-ups; empty for a client without cookie or token
    browser: str = ""  # the browser's id, if it sent a valid cookie
    address: str = ""  # the IP address

    @property
    def client(self) -> str:
        """Whom limits count: tokens are free to make, so programs count by address."""
        return self.owner if self.browser else self.address

    def owns(self, owner: str) -> bool:
        """Whether something with this owner belongs to the visitor."""
        return bool(owner) and hmac.compare_digest(self.owner.encode(), owner.encode())


def identify(key: bytes, headers: Mapping[str, str], address: str) -> Visitor:
    """Return the sender of these headers; a token takes precedence over a cookie."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    if scheme.casefold() == "bearer" and 0 < len(token) <= MAX_LENGTH:
        return Visitor(token_owner(token), address=address)
    browsers = (verify(key, value) for value in _cookies(headers.get("cookie", "")))
    browser = next(filter(None, browsers), "")
    return Visitor(f"browser:{browser}" if browser else "", browser, address)


def _cookies(header: str) -> list[str]:
    """Return the values of all cookies of our name; other sites on this host may set one too."""
    pairs = (part.strip().partition("=") for part in header.split(";"))
    return [value for name, _, value in pairs if name == COOKIE]


def new_browser() -> str:
    """Return an id for a new browser."""
    return secrets.token_hex(16)


def sign(key: bytes, browser: str) -> str:
    """Return the value of a browser's cookie."""
    return f"{browser}.{_signature(key, browser)}"


def verify(key: bytes, cookie: str) -> str:
    """Return the browser of a cookie, or nothing if the signature is not ours."""
    browser, dot, signature = cookie[:MAX_LENGTH].partition(".")
    valid = dot and hmac.compare_digest(signature.encode(), _signature(key, browser).encode())
    return browser if valid else ""


def _signature(key: bytes, browser: str) -> str:
    return hmac.new(key, browser.encode(), hashlib.sha256).hexdigest()[:32]


def set_cookie(key: bytes, browser: str, *, secure: bool) -> str:
    """Return the Set-Cookie header for a browser: no script reads it, no other site sends it."""
    flags = "; Secure" if secure else ""
    value = sign(key, browser)
    return f"{COOKIE}={value}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Lax{flags}"


def new_token() -> str:
    """Return a secret for an API player."""
    return secrets.token_urlsafe(24)


def token_owner(token: str) -> str:
    """Return the owner a token stands for; the token itself is not stored."""
    return "token:" + hashlib.sha256(token.encode()).hexdigest()


@dataclass
class _Bucket:
    tokens: float
    updated: float


class RateLimit:
    """A token bucket for each name: `rate` requests a second on average, `burst` at once."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate = rate
        self.burst = burst
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, name: str, cost: float = 1, now: float | None = None) -> bool:
        """Take tokens from the bucket of a name; return whether there were enough."""
        now = time.monotonic() if now is None else now
        with self._lock:
            bucket = self._buckets.pop(name, None) or _Bucket(self.burst, now)
            elapsed = now - bucket.updated
            bucket.tokens = min(self.burst, bucket.tokens + elapsed * self.rate)
            bucket.updated = now
            self._buckets[name] = bucket  # most recently used last
            if len(self._buckets) > MAX_BUCKETS:
                self._buckets.popitem(last=False)
            if bucket.tokens < cost:
                return False
            bucket.tokens -= cost
            return True
