"""Looking at a process from outside."""

from __future__ import annotations

import time
from pathlib import Path

LOOKS = 5  # at which it has neither run nor wanted to
PATIENCE = 60  # seconds


def wait_until_idle(pid: int) -> None:
    """Return once a process waits for something, as a program does that asks for input."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():  # not Linux
        time.sleep(1)
        return
    idle, used, deadline = 0, [""], time.monotonic() + PATIENCE
    while idle < LOOKS:
        assert time.monotonic() < deadline, "it does not wait"
        fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
        now = fields[11:13]  # the time it has run
        idle, used = idle + 1 if (fields[0], now) == ("S", used) else 0, now
        time.sleep(0.02)
