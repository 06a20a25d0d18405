"""The first words, which wait for nothing to be loaded."""

from __future__ import annotations

from parlour.host.session import Reply, Session

CHOICES = (
    *("game", "let's have a conversation", "help", "goodbye", "nim", "chopsticks", "othello"),
    *("sticks", "tic-tac-toe", "resume", "forget me"),
)


def greeting(session: Session) -> Reply:
    """What he says when somebody comes in."""
    name = f", {session.memory.name}" if session.memory.name else ""
    lines = [f"Good day{name}. I am Benedict. Say game, or let's have a conversation."]
    if session.saved is not None:
        lines.append("There is a game put aside; say resume to go on with it.")
    return Reply(session, tuple(lines), choices=CHOICES)
