"""What workers do for the chat: Benedict's replies."""

from __future__ import annotations

from typing import Any

from parlour import host
from parlour.core import Work
from parlour.faces.web.workers import Payload, TaskFunction, field


def reply(payload: Payload, work: Work) -> dict[str, Any]:
    """Return Benedict's reply to a line, and the session after it."""
    session = host.Session.from_json(field(payload, "session", str))
    answer = host.reply(session, field(payload, "text", str))
    return {
        "session": answer.session.to_json(),
        "lines": list(answer.lines),
        "board": answer.board,
        "choices": list(answer.choices),
        "over": answer.over,
    }


TASKS: dict[str, TaskFunction] = {"reply": reply}
