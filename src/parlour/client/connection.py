"""Requests that survive a busy or restarting server.

A request that the server refuses for the moment (429, 503) is sent again when it says so. One that
never reached the server, or that changes nothing when it is sent twice, is sent again after a pause
that doubles every time. Any other refusal is raised with the server's own sentence.
"""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from parlour.core import ParlourError

if TYPE_CHECKING:
    import httpx

FIRST_PAUSE, MAX_PAUSE = 0.5, 30.0  # seconds
READ_TIMEOUT = 35.0  # seconds of silence; a stream sends something every 10
STREAM_SECONDS = 3600  # after which a stream is opened anew
TEMPORARY = (429, 502, 503, 504)  # statuses of a server that will answer later
MAX_BODY = 200  # characters of an answer that is not ours


class Refused(ParlourError):
    """The server refused a request; `status` is the HTTP status."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status

    def __reduce__(self) -> tuple[Any, ...]:
        return Refused, (str(self), self.status)


class Unreachable(ParlourError):
    """The server did not answer for as long as was waited for it."""


def pauses() -> Iterator[float]:
    """Yield pauses that double; chance in them keeps many clients from coming at once."""
    pause = FIRST_PAUSE
    while True:
        yield pause * random.uniform(0.5, 1.0)
        pause = min(2 * pause, MAX_PAUSE)


class Connection:
    """A server by its address, and the token to speak with."""

    def __init__(self, url: str, token: str, timeout: float, patience: float) -> None:
        try:
            import httpx
        except ModuleNotFoundError:
            raise ParlourError(
                "parlour.client needs httpx; install it with: pip install 'parlour[client]'"
            ) from None
        self.url = url.rstrip("/")
        self.token = token
        self._timeout = timeout
        self._patience = patience
        self._http = httpx.Client(base_url=self.url, timeout=timeout)
        self._lost = httpx.TransportError
        self._unsent = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
        self._timeouts = httpx.Timeout(timeout, read=READ_TIMEOUT)

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def headers(self) -> dict[str, str]:
        """Return the headers that say who asks."""
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def ask(
        self, method: str, path: str, body: Any = None, *, again: bool | None = None, **query: Any
    ) -> Any:
        """Send a request and return the JSON of its answer.

        `again` says whether it may be sent twice, as requests that only read may be.
        """
        again = method == "GET" if again is None else again
        waits, end = pauses(), time.monotonic() + self._patience
        while True:
            try:
                answer = self._http.request(
                    method, f"/api{path}", json=body, params=query, headers=self.headers()
                )
            except self._lost as error:
                wait = next(waits)
                may_repeat = again or isinstance(error, self._unsent)
                if not may_repeat or time.monotonic() + wait > end:
                    raise Unreachable(f"{self.url} does not answer: {error}") from None
            else:
                if answer.is_success:
                    return answer.json() if answer.content else None
                after = answer.headers.get("retry-after", "")
                wait = float(after) if after.isdigit() else next(waits)
                if answer.status_code not in TEMPORARY or time.monotonic() + wait > end:
                    raise refusal(answer)
            time.sleep(wait)

    def follow(self, path: str, stop: threading.Event) -> Iterator[dict[str, str]]:
        """Yield the server-sent events at a path until stopped.

        A stream that has ended or was lost is opened anew, and goes on after the last event.
        """
        last, waits = "", pauses()
        while not stop.is_set():
            try:
                for found in self.events(path, last):
                    waits = pauses()
                    if stop.is_set():
                        return
                    if found:
                        last = found["id"]
                        yield found
            except (Refused, self._lost) as error:
                if isinstance(error, Refused) and error.status not in TEMPORARY:
                    raise
                stop.wait(next(waits))

    def events(self, path: str, last: str = "") -> Iterator[dict[str, str]]:
        """Yield the server-sent events of one stream until it ends; errors are raised as they are.

        Each is a mapping with `event`, `id` and `data`, or empty while nothing happens.
        """
        headers = self.headers() | ({"Last-Event-ID": last} if last else {})
        with self._http.stream(
            "GET",
            f"/api{path}",
            params={"seconds": STREAM_SECONDS},
            headers=headers,
            timeout=self._timeouts,
        ) as answer:
            if not answer.is_success:
                answer.read()
                raise refusal(answer)
            found: dict[str, str] = {}
            for line in answer.iter_lines():
                if line and not line.startswith(":"):
                    name, _, value = line.partition(":")
                    found[name] = value.removeprefix(" ")
                elif not line and found:
                    yield found
                    found = {}
                else:
                    yield {}  # the server is still there


def refusal(answer: httpx.Response) -> Refused:
    """Return the error of an answer, with the server's own sentence."""
    try:
        problem: Mapping[str, Any] = json.loads(answer.content)
        message = str(problem["detail"])
    except (ValueError, KeyError, TypeError):
        message = f"the server answers {answer.status_code}: {answer.text[:MAX_BODY]}"
    return Refused(message, answer.status_code)
