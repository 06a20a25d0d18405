"""Benedict, the host: what was meant, and what to say. Text in, replies out; no input or output."""

from __future__ import annotations

from parlour.host.greeting import greeting
from parlour.host.session import Reply, Session

__all__ = ["Reply", "Session", "greeting", "reply"]


def reply(session: Session, text: str) -> Reply:
    """What he answers to a line; the reply holds the session as it is then."""
    from parlour.host.conversation import reply as answer  # it takes a moment to load

    return answer(session, text)
