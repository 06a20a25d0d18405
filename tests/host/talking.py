"""Talking to Benedict in a test, and reading the lists of lines that stand beside the tests."""

from __future__ import annotations

import re
from pathlib import Path

from parlour.host import Reply, Session, reply


def talk(*lines: str, session: Session | None = None, seed: int = 1) -> Reply:
    """Return the reply to the last of some lines."""
    answer = Reply(session or Session(seed=seed), ())
    for line in lines:
        answer = reply(answer.session, line)
    return answer


def read_rows(name: str) -> list[tuple[str, ...]]:
    """Return the rows of a list, each split at its bars between spaces; `#` begins a comment."""
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    return [
        tuple(part.strip() for part in re.split(r" \|(?= |$)", row))
        for row in text.splitlines()
        if row.strip() and not row.startswith("#")
    ]
