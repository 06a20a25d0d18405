"""Why a request is refused: exceptions with their HTTP status, and problem documents."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeVar

from parlour.core import NameTaken, ParlourError, UnknownName, quote, say, sentence
from parlour.faces.web.texts import translate
from parlour.store import Conflict, Unavailable

T = TypeVar("T")

NOTHING = say("this does not exist, or no longer")
MEANWHILE = say("this is being changed in another window; try again")


class Problem(ParlourError):
    """A refused request; the message says what to do instead."""

    status = 400
    headers: Mapping[str, str] = MappingProxyType({})  # of the answer


class NotSignedIn(Problem):
    """The client has not said who it is, or nobody knows it."""

    status = 401


class NotThere(Problem):
    """The resource does not exist, or no longer."""

    status = 404


def not_there(name: str) -> NotThere:
    """Return the refusal of what does not exist, by its id or its name."""
    return NotThere(say("there is no {name} here, or no longer", name=quote(name)))


class NotYours(Problem):
    """The client is known, but may not do this: the seat is somebody else's."""

    status = 403


class Changed(Problem):
    """The resource has changed since the client saw it."""

    status = 409


class TooBig(Problem):
    """The request is too large."""

    status = 413


class Misdirected(Problem):
    """The request is for another site."""

    status = 421


class TooMany(Problem):
    """The client has reached a limit."""

    status = 429

    def __init__(self, *text: object, retry_after: float = 60, **values: Any) -> None:
        super().__init__(*text, **values)
        self.retry_after = retry_after  # seconds


def require(found: T | None, why: str = NOTHING) -> T:
    """Return what was found; `NotThere` if that is nothing."""
    if found is None:
        raise NotThere(why)
    return found


def check_room(there: int, most: int) -> None:
    """Refuse one more of something of which there are as many as there can be."""
    if there >= most:
        raise Changed("there are {most} already, the maximum; delete one first", most=most)


UNAVAILABLE = 5  # seconds after which the database may be there again
# Of other errors; else 422
STATUSES = {Unavailable: 503, UnknownName: 404, NameTaken: 409, Conflict: 409}
TITLES = {
    401: say("Please sign in"),
    403: say("Not allowed"),
    404: say("Not found"),
    405: say("Not allowed"),
    409: say("Something changed"),
    413: say("Too large"),
    421: say("Not found"),
    429: say("Too many requests"),
    500: say("Something went wrong"),
    503: say("Please try again"),
    504: say("No answer in time"),
}


def status_of(error: ParlourError) -> int:
    """Return the HTTP status of an error."""
    return getattr(error, "status", None) or STATUSES.get(type(error), 422)


def headers_of(error: Exception) -> dict[str, str]:
    """Return the headers that belong to a refusal: when to try again, or how to sign in."""
    given = getattr(error, "headers", None) or {}
    headers = {name.lower(): value for name, value in given.items()}
    if isinstance(error, NotSignedIn):
        headers.setdefault("www-authenticate", 'Bearer realm="Parlour"')
    if (seconds := getattr(error, "retry_after", None)) is not None:
        headers["retry-after"] = str(math.ceil(seconds))
    elif isinstance(error, Unavailable):
        headers["retry-after"] = str(UNAVAILABLE)
    return headers


def describe_validation_error(error: Mapping[str, Any]) -> str:
    """Say in a sentence what is wrong with a request that does not fit its schema."""
    if error["type"] == "json_invalid":
        return say("the body is not valid JSON")
    parts = [str(part) for part in error["loc"] if part not in ("body", "query", "path")]
    message = str(error["msg"])
    return f"{'.'.join(parts) or 'the body'}: {message[:1].lower()}{message[1:]}"


def document(status: int, detail: str) -> dict[str, object]:
    """Return the problem document for a status and a sentence."""
    title = TITLES.get(status, say("Not possible"))
    return {"title": translate(title), "status": status, "detail": translate(sentence(detail))}
