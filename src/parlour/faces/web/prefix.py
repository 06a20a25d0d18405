"""A site below a path, as in `https://example.org/parlour/`; the only file that knows of it.

Every other file is written as if the site were at `/`. Here the prefix is taken from what comes in,
and added to every address that goes out: links and forms of pages and live content, redirects, and
the path of cookies. A proxy may leave the prefix in the address or take it away; both work.

Text of visitors cannot look like a link here: its quotation marks are escaped.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit, urlunsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from parlour.core import BadText

VALID = re.compile(r"(/[A-Za-z0-9._~-]+)+")
# An address in HTML, or in HTML within JSON, where a quotation mark has a backslash before it.
ADDRESS = re.compile(rb"""(\b(?:href|src|action|formaction)=\\?"|; url=)/(?!/)""")
COOKIE_PATH = re.compile(r"(?i)(; path=)/(?=;|$)")
GO = re.compile(rb"""^(\{"go": ?")/(?!/)""")  # where the script of a page goes next


def read_prefix(text: str) -> str:
    """Read `--root-path`: nothing, or `/parlour` without a slash at its end."""
    prefix = text.rstrip("/")
    if prefix and not VALID.fullmatch(prefix):
        raise BadText(f"--root-path cannot be {text!r}; write it as /parlour")
    return prefix


class PrefixMiddleware:
    """Serves the app below a path."""

    def __init__(self, app: ASGIApp, prefix: str) -> None:
        self.app = app
        self._prefix = prefix
        self._bytes = prefix.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI connection."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        scope = self._without_prefix(scope)
        if scope["type"] == "websocket":
            await self.app(scope, receive, self._send_to_socket(send))
        else:
            await self.app(scope, receive, _Response(self, send, scope["method"]).send)

    def _without_prefix(self, scope: Scope) -> Scope:
        path: str = scope["path"]
        if path == self._prefix or path.startswith(f"{self._prefix}/"):
            path = path.removeprefix(self._prefix) or "/"
        # The framework appends the root of mounted files to this one, and would not find them.
        root = "" if path.startswith("/static/") else self._prefix
        headers = [
            (name, self._cut(value) if name == b"referer" else value)
            for name, value in scope["headers"]
        ]
        return {**scope, "path": path, "root_path": root, "headers": headers}

    def _cut(self, address: bytes) -> bytes:
        try:
            parts = urlsplit(address.decode("latin-1"))
        except ValueError:
            return address
        if parts.path == self._prefix or parts.path.startswith(f"{self._prefix}/"):
            path = parts.path.removeprefix(self._prefix) or "/"
            return urlunsplit(parts._replace(path=path)).encode("latin-1")
        return address

    def _send_to_socket(self, send: Send) -> Send:
        async def send_with_prefix(message: Message) -> None:
            if message["type"] == "websocket.send" and message.get("text"):
                message = {**message, "text": self.add_to(message["text"].encode()).decode()}
            await send(message)

        return send_with_prefix

    def add_to(self, body: bytes) -> bytes:
        """Add the prefix to every address in a page or in live content."""
        return ADDRESS.sub(rb"\1" + self._bytes + b"/", body)

    def add_to_answer(self, body: bytes) -> bytes:
        """Add the prefix to the address in the answer to the script of a page."""
        return GO.sub(rb"\1" + self._bytes + b"/", body)

    def change_headers(self, headers: MutableHeaders) -> None:
        """Add the prefix to redirects and cookies."""
        location = headers.get("location", "")
        if location.startswith("/") and not location.startswith("//"):
            headers["location"] = self._prefix + location
        cookies = headers.getlist("set-cookie")
        if cookies:
            del headers["set-cookie"]
            for cookie in cookies:
                headers.append("set-cookie", COOKIE_PATH.sub(rf"\1{self._prefix}/", cookie))


class _Response:
    """One response on its way out; a page is held back until it is whole."""

    def __init__(self, prefix: PrefixMiddleware, send: Send, method: str) -> None:
        self._prefix = prefix
        self._send = send
        self._head = method == "HEAD"
        self._start: Message | None = None  # of a response whose body is changed
        self._body = b""
        self._change = prefix.add_to

    async def send(self, message: Message) -> None:
        """Send a part of the response, changed where it holds addresses."""
        if message["type"] == "http.response.start":
            self._prefix.change_headers(MutableHeaders(scope=message))
            kind = Headers(raw=message["headers"]).get("content-type", "")
            if kind.startswith("text/html"):
                self._start = message
            elif kind.startswith("application/json"):
                self._start, self._change = message, self._prefix.add_to_answer
            else:
                await self._send(message)
        elif self._start is None:
            await self._send(message)
        else:
            self._body += message.get("body", b"")
            if not message.get("more_body"):
                await self._finish(self._start)

    async def _finish(self, start: Message) -> None:
        headers = MutableHeaders(scope=start)
        body = self._change(self._body)
        if self._head:
            del headers["content-length"]  # of a body that nobody has changed
        elif "content-length" in headers:
            headers["content-length"] = str(len(body))
        await self._send(start)
        await self._send({"type": "http.response.body", "body": body})
