"""Requests to a server that somebody else runs, as players over the network make them.

Nothing such a server does may harm the caller: there is a time limit on the whole exchange, a limit
on the size of the answer, and no redirects, since only the first address was chosen by the user.
Whatever goes wrong is an `EndpointError` whose text is the end of a sentence about the server.
"""

from __future__ import annotations

import http.client
import json
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from parlour.core import ParlourError, quote

MAX_ANSWER = 1_000_000  # bytes
MAX_REASON = 200  # characters of what a server says about its refusal
CHUNK = 1 << 16
POLL = 0.05  # seconds between two looks at whether to stop


class EndpointError(ParlourError):
    """A server gave no usable answer; the text is the end of a sentence about it."""


class EndpointTimeout(EndpointError):
    """The server did not answer in time."""


class EndpointStopped(EndpointError):
    """The caller no longer waits for the answer."""


class EndpointRefused(EndpointError):
    """The server cannot be reached, or answered with an error; `status` is 0 for the former.

    `wait` is how many seconds the server asks to be left alone, where it says so.
    """

    def __init__(self, text: str, status: int = 0, wait: float | None = None) -> None:
        super().__init__(text)
        self.status = status
        self.wait = wait


class BadReply(EndpointError):
    """The server answered with something that is not JSON, or with too much."""


def check_url(url: str, name: str = "url", example: str = "http://localhost:8080/v1") -> str:
    """Return an address of the web; `ParlourError` for anything else, with an example."""
    try:
        parts = urllib.parse.urlsplit(url)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        valid = valid and not any(each.isspace() or not each.isprintable() for each in url)
    except ValueError:
        valid = False
    if not valid:
        raise ParlourError(f"{name} needs an address like {example}, not {quote(url)}")
    return url


def post_json(
    url: str,
    body: object,
    *,
    seconds: float,
    headers: Mapping[str, str] | None = None,
    max_bytes: int = MAX_ANSWER,
    stop: threading.Event | None = None,
) -> Any:
    """Post a JSON value and return the JSON value of the answer, within these seconds.

    A `stop` that is set ends the wait at once. The exchange runs in a thread of its own, because a
    server that sends a byte now and then never exceeds the time limit of a socket.
    """
    request = urllib.request.Request(  # noqa: S310  # the scheme was checked
        check_url(url),
        json.dumps(body).encode(),
        {"Content-Type": "application/json", "Accept": "application/json", **(headers or {})},
    )
    ends = time.monotonic() + seconds
    answers: list[Any] = []
    errors: list[Exception] = []
    finished = threading.Event()

    def exchange() -> None:
        try:
            answers.append(_exchange(request, ends, max_bytes))
        except Exception as error:  # raised again by the caller
            errors.append(error)
        finally:
            finished.set()

    threading.Thread(target=exchange, name="parlour-endpoint", daemon=True).start()
    while not finished.wait(min(POLL, max(0.0, ends - time.monotonic()))):
        if stop is not None and stop.is_set():
            raise EndpointStopped("was not waited for")
        if time.monotonic() >= ends:
            raise EndpointTimeout(f"did not answer within {seconds:g} s")
    if errors:
        raise _explain(errors[0], seconds) from None
    return answers[0]


# Chat completions, as OpenAI defined them and everybody else serves them

CHAT = "/chat/completions"


@dataclass(frozen=True)
class ChatReply:
    """What a model said, and the tokens it read and wrote; None where the server does not say."""

    text: str
    tokens_in: int | None = None
    tokens_out: int | None = None


def chat_url(url: str, name: str = "url") -> str:
    """Return the address of the chat completions of a server; `ParlourError` if it is none."""
    parts = urllib.parse.urlsplit(check_url(url, name))
    if parts.path.endswith(CHAT):
        return url
    return urllib.parse.urlunsplit(parts._replace(path=parts.path.rstrip("/") + CHAT))


def request_chat(
    url: str,
    model: str,
    messages: Sequence[Mapping[str, str]],
    *,
    seconds: float,
    key: str = "",
    stop: threading.Event | None = None,
    **settings: object,
) -> ChatReply:
    """Return what a model answers to these messages; `settings` are such as `max_tokens`."""
    body = {"model": model, "messages": list(messages), **settings}
    if not (key.isascii() and key.isprintable()) or " " in key:  # no error may quote it
        raise ParlourError("the key for the endpoint has characters that no key has")
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    found = post_json(chat_url(url), body, seconds=seconds, headers=headers, stop=stop)
    try:
        text = _read_content(found["choices"][0]["message"]["content"])
    except (KeyError, IndexError, TypeError, AttributeError):
        shown = quote(json.dumps(found)[:100])
        raise BadReply(f"answered with {shown}, which is not a chat completion") from None
    usage = found.get("usage")
    counts = usage if isinstance(usage, dict) else {}
    return ChatReply(
        text, _read_count(counts.get("prompt_tokens")), _read_count(counts.get("completion_tokens"))
    )


def _read_content(content: Any) -> str:
    """Return the text of a message, which some servers send in parts, and some leave out."""
    if content is None:  # it only thought, or was cut off
        return ""
    if isinstance(content, list):
        return "".join(part["text"] for part in content if part.get("type") == "text")
    if not isinstance(content, str):
        raise TypeError
    return content


def _read_count(value: Any) -> int | None:
    return value if type(value) is int and 0 <= value < 10**12 else None


def _exchange(request: urllib.request.Request, ends: float, max_bytes: int) -> Any:
    opener = urllib.request.build_opener(_NoRedirects)
    data = bytearray()
    with opener.open(request, timeout=max(0.001, ends - time.monotonic())) as response:
        while chunk := response.read1(CHUNK):
            data += chunk
            if len(data) > max_bytes:
                raise BadReply(f"answered with more than {max_bytes:,} bytes")
            if time.monotonic() >= ends:
                raise TimeoutError
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise BadReply(f"answered with {quote(bytes(data[:100]))}, which is not JSON") from None


def _explain(error: Exception, seconds: float) -> EndpointError:
    """Return an error of the library as one of ours."""
    if isinstance(error, EndpointError):
        return error
    if isinstance(error, urllib.error.HTTPError):
        with error:
            reason = _read_reason(error)
        said = f"answered with the error {error.code}{reason and f': {reason}'}"
        return EndpointRefused(said, error.code, _read_wait(error.headers))
    cause = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(cause, TimeoutError):
        return EndpointTimeout(f"did not answer within {seconds:g} s")
    if isinstance(error, http.client.HTTPException):
        return BadReply("answered with something that is not HTTP")
    text = getattr(cause, "strerror", None) or str(cause) or type(cause).__name__
    return EndpointRefused(f"cannot be reached: {shorten(text)}")


def _read_reason(error: urllib.error.HTTPError) -> str:
    """Return what the server says about its error, on one line."""
    text = ""
    with suppress(Exception):  # it is only the reason, and a stranger wrote it
        text = error.read(CHUNK).decode(errors="replace")
        found = json.loads(text)
        found = found.get("error", found)
        text = str(found.get("message", found) if isinstance(found, dict) else found)
    return shorten(text)


def shorten(text: str) -> str:
    """Return the beginning of what a server says, on one line."""
    printable = "".join(each if each.isprintable() else " " for each in text[: 4 * MAX_REASON])
    return " ".join(printable.split())[:MAX_REASON]


def _read_wait(headers: Any) -> float | None:
    """Return the seconds in `Retry-After`; None for none, or a date."""
    text = str((headers or {}).get("Retry-After") or "").strip()
    return float(text) if text.isascii() and text.isdigit() and len(text) < 6 else None


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirects: only the first address was checked."""

    def redirect_request(self, *_: object) -> None:
        return None
