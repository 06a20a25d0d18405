"""The log of a server, on standard error: one line an event, for people or as JSON for programs.

Whatever fails is logged once, with its reason, by the part that knows it. Requests are logged at
the level `info`, those that failed as warnings or errors.
"""

from __future__ import annotations

import datetime
import json
import logging
import sys

from parlour.faces.web.operations import REQUEST

OURS = ("parlour", "uvicorn")  # of other libraries only warnings are of interest


def configure_logs(form: str = "plain", level: str = "warning") -> None:
    """Send the log of this process to standard error in this format, from this level on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if form == "json" else PlainFormatter())
    handler.addFilter(_is_new)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    for name in OURS:
        logging.getLogger(name).setLevel(level.upper())
    logging.getLogger("parlour.kernels").propagate = False  # pages say what is compiled


def _is_new(record: logging.LogRecord) -> bool:
    """Whether an error has not been logged before, with the request in which it happened."""
    error = record.exc_info[1] if record.exc_info else None
    return record.name == "parlour.access" or not getattr(error, "logged", False)


class PlainFormatter(logging.Formatter):
    """Lines for people: time, level, what happened, and in which request."""

    def format(self, record: logging.LogRecord) -> str:
        fields = getattr(record, "fields", {})
        parts = [
            f"{_when(record):%Y-%m-%d %H:%M:%S}",
            record.levelname,
            _one_line(record.getMessage()),
            *([f"from {fields['address']}"] if fields.get("address") else ()),
            *([f"request {request}"] if (request := REQUEST.get()) else ()),
        ]
        text = " ".join(parts)
        return f"{text}\n{self.formatException(record.exc_info)}" if record.exc_info else text


class JsonFormatter(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        told = {
            "time": _when(record).astimezone(datetime.UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "process": record.process,
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if request := REQUEST.get():
            told["request"] = request
        if record.exc_info:
            told["exception"] = self.formatException(record.exc_info)
        return json.dumps(told)


def _when(record: logging.LogRecord) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(record.created, tz=datetime.UTC).astimezone()


def _one_line(text: str) -> str:
    return " ".join(text.splitlines())
