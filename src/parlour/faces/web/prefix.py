"""A site below a path, as in `https://example.org/parlour/`.

Routes, forms and code are written as if the site were at `/`, and `url` makes an address of such a
path where it goes out: in a link, a redirect, the path of a cookie. The path of the site is kept in
a context variable, as the language is. A proxy may leave it in the address or take it away.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from fastapi.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from parlour.core import BadText

VALID = re.compile(r"(/[A-Za-z0-9._~-]+)+")

_prefix: ContextVar[str] = ContextVar("prefix", default="")


def read_prefix(text: str) -> str:
    """Read `--root-path`: nothing, or `/parlour` without a slash at its end."""
    prefix = text.rstrip("/")
    if prefix and not VALID.fullmatch(prefix):
        raise BadText(f"--root-path cannot be {text!r}; write it as /parlour")
    return prefix


def current_prefix() -> str:
    """Return the path that the site is below."""
    return _prefix.get()


@contextmanager
def use_prefix(prefix: str) -> Iterator[None]:
    """Make addresses below this path meanwhile."""
    token = _prefix.set(prefix)
    try:
        yield
    finally:
        _prefix.reset(token)


def url(path: str) -> str:
    """Return the address of a path of the site; a relative or foreign address stays as it is."""
    return _prefix.get() + path if path.startswith("/") else path


def path_of(scope: Scope) -> str:
    """Return the path within the site that was asked for."""
    path: str = scope["path"]
    return path.removeprefix(_prefix.get())


def see_other(path: str) -> RedirectResponse:
    """Send a browser to another page of the site."""
    return RedirectResponse(url(path), 303)


class PrefixMiddleware:
    """Serves the app below a path."""

    def __init__(self, app: ASGIApp, prefix: str) -> None:
        self.app = app
        self._prefix = prefix

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI connection."""
        if scope["type"] != "lifespan":
            _prefix.set(self._prefix)  # for good, as an error page is made outside of this
            path = scope["path"]
            if path == self._prefix:
                path += "/"
            elif not path.startswith(f"{self._prefix}/"):
                path = self._prefix + path
            scope = {**scope, "path": path, "root_path": self._prefix}
        await self.app(scope, receive, send)
