"""A person on another device: a code, or a link that holds it, makes another browser theirs too.

The code is made for one browser and used in the other within a few minutes, once. Both are the same
person from then on: the same games, settings and conversation. What the other browser had before
comes along, since nobody could reach it any more.
"""

from __future__ import annotations

import secrets
import time

from parlour.core import BadText
from parlour.faces.web.clients import RateLimit, Visitor
from parlour.faces.web.errors import NotThere, TooMany
from parlour.faces.web.services import FORGET, Services
from parlour.faces.web.signing import Signer

LIFETIME = 600.0  # seconds
LENGTH = 8
ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # no characters that look alike


class Devices:
    """The codes that carry people to another device."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._store = services.store
        self._signer = Signer(self._store.secret("codes"))
        # There are 10^12 codes: with this many guesses a code holds out far longer than it lives.
        self._by_address = RateLimit(rate=1 / 30, burst=10)
        self._guesses = RateLimit(rate=1, burst=100)

    def make_code(self, owner: str) -> str:
        """Return a new code for a person; an earlier one no longer works."""
        code = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
        self._store.codes.add(self._signer.digest(code), owner, time.time() + LIFETIME)
        return f"{code[: LENGTH // 2]}-{code[LENGTH // 2 :]}"

    def check(self, visitor: Visitor, typed: str) -> str:
        """Return whose code was typed, without using it."""
        code = self._read(visitor, typed)
        return self._known(self._store.codes.find(code, time.time()))

    def carry(self, visitor: Visitor, typed: str) -> str:
        """Use a code: what this browser has becomes the person's; return their browser's id."""
        code = self._read(visitor, typed)
        owner = self._known(self._store.codes.use(code, time.time()))
        if owner != visitor.owner:
            self._store.deletions.adopt(visitor.owner, owner)
            self._services.forget(visitor.owner)
            self._store.notify(f"{FORGET}{visitor.owner}")
        return owner.removeprefix("browser:")

    def _read(self, visitor: Visitor, typed: str) -> str:
        """Return the hash of a code."""
        code = "".join(c for c in typed[:100].casefold() if c.isalnum())
        if len(code) != LENGTH or not set(code) <= set(ALPHABET):
            raise BadText(f"a code has {LENGTH} letters and digits, as in abcd-2345")
        if not self._by_address.take(visitor.address) or not self._guesses.take(""):
            raise TooMany("too many codes were tried; wait a minute and try again")
        return self._signer.digest(code)

    def _known(self, owner: str) -> str:
        if not owner:
            raise NotThere(
                "this code does not work; codes last 10 minutes and work once, "
                "so make a new one on your other device"
            )
        return owner
