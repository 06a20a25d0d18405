"""What can be wrong with a request, each with the status it is answered with and one sentence."""

from __future__ import annotations

from parlour.core.errors import IllegalMove, NameTaken, ParlourError, UnknownName
from parlour.faces.web.thinking import ThoughtFailed, TookTooLong
from parlour.faces.web.thinking import TooMany as TooManyThoughts
from parlour.store.database import Unavailable


class Problem(ParlourError):
    """A request that is refused; the text says what would be right."""

    status = 400


class NotThere(Problem):
    """What was asked for does not exist, or no longer."""

    status = 404


class NotYours(Problem):
    """Somebody else's seat, or nobody's who could be recognised."""

    status = 403


class Changed(Problem):
    """The position is another by now."""

    status = 409


class TooBig(Problem):
    """More than is read."""

    status = 413


class TooMany(Problem):
    """More than one client may ask for at a time."""

    status = 429


STATUSES: tuple[tuple[type[ParlourError], int], ...] = (
    (Unavailable, 503),
    (TookTooLong, 504),
    (TooManyThoughts, 429),
    (ThoughtFailed, 500),
    (UnknownName, 404),
    (NameTaken, 409),
    (IllegalMove, 422),
    (ParlourError, 422),
)
TITLES = {
    400: "Not understood",
    403: "Not allowed",
    404: "Not found",
    405: "Not allowed",
    409: "Too late",
    413: "Too large",
    415: "Not understood",
    422: "Not possible",
    429: "Too many requests",
    500: "Something went wrong",
    503: "Busy",
    504: "Too slow",
}


def status_of(trouble: ParlourError) -> int:
    """The status a refusal is answered with."""
    own = getattr(trouble, "status", None)
    return own or next(status for kind, status in STATUSES if isinstance(trouble, kind))


def document(status: int, detail: str) -> dict[str, object]:
    """The problem document for a status and a sentence."""
    sentence = detail[:1].upper() + detail[1:]
    if sentence and sentence[-1] not in ".!?":
        sentence += "."
    return {"title": TITLES.get(status, "Refused"), "status": status, "detail": sentence}
