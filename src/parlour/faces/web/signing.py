"""Signatures: the server recognises what it gave out, and nobody else can make it.

What is signed is readable; only its signature is secret. A random token needs no signature: the
store has its hash.
"""

from __future__ import annotations

import hashlib
import hmac
import time

LENGTH = 32  # hexadecimal digits of a signature
MAX_LENGTH = 200  # characters of a signed text that are read


class Signer:
    """Signs texts with one key."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def digest(self, text: str) -> str:
        """Return the signature of a text."""
        return hmac.new(self._key, text.encode(), hashlib.sha256).hexdigest()[:LENGTH]

    def sign(self, text: str) -> str:
        """Return a text with its signature."""
        return f"{text}.{self.digest(text)}"

    def verify(self, signed: str) -> str:
        """Return the text that was signed, or nothing if the signature is not ours."""
        text, _, signature = signed[:MAX_LENGTH].rpartition(".")
        return text if is_same(signature, self.digest(text)) else ""

    def sign_for(self, seconds: int, text: str) -> str:
        """Return a text with a signature that is valid for some seconds."""
        return self.sign(f"{text}.{int(time.time()) + seconds}")

    def verify_in_time(self, signed: str) -> str:
        """Return the text that was signed, or nothing if the signature is not valid any more."""
        text, _, ends = self.verify(signed).rpartition(".")
        return text if ends and int(ends) > time.time() else ""


def is_same(first: str, second: str) -> bool:
    """Whether two secrets are the same; how long it takes tells nobody where they differ."""
    return hmac.compare_digest(first.encode(), second.encode())


def hash_token(token: str) -> str:
    """Return what is stored of a token; it is random, so a fast hash is safe."""
    return hashlib.sha256(token.encode()).hexdigest()
