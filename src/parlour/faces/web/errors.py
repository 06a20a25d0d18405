"""What can be wrong with a request, each with the status it is answered with and one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from parlour.core import IllegalMove, NameTaken, ParlourError, UnknownName, sentence
from parlour.faces.web.workers import ThoughtFailed, TookTooLong
from parlour.faces.web.workers import TooMany as TooManyThoughts
from parlour.store import Unavailable


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


WORDS = {  # what a field must be, by the kind of fault it has
    "string": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "list": "a list",
    "tuple": "a list",
    "dict": "an object",
    "model": "an object",
}
UNREADABLE = ("_type", "_parsing", "_from_float", "_unicode")  # how the names of such faults end
FAULTS = {
    "missing": "is missing",
    "extra_forbidden": "is not known here",
    "json_invalid": "is no JSON",
    "string_too_long": "has more than {max_length} characters",
    "string_too_short": "has fewer than {min_length} characters",
    "too_long": "has more than {max_length} items",
    "too_short": "has fewer than {min_length} items",
    "greater_than_equal": "must be {ge:g} or more",
    "less_than_equal": "must be {le:g} or less",
    "literal_error": "must be {expected}",
}


def unfit(fault: Mapping[str, Any]) -> str:
    """What is wrong with a request that does not fit its schema, from the fault that was found."""
    parts = [str(part) for part in fault["loc"] if part not in ("body", "query", "path")]
    kind = str(fault["type"])
    place = "the body" if kind == "json_invalid" else ".".join(parts) or "the body"
    told = FAULTS.get(kind, "")
    wanted = WORDS.get(kind.partition("_")[0])
    if not told and wanted and kind.endswith(UNREADABLE):
        told = f"must be {wanted}"
    return f"{place} {told.format(**fault.get('ctx', {}))}" if told else f"{place}: {fault['msg']}"


def document(status: int, detail: str) -> dict[str, object]:
    """The problem document for a status and a sentence."""
    title = TITLES.get(status, "Refused")
    return {"title": title, "status": status, "detail": sentence(detail)}
