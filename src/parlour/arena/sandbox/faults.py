"""How a player loses against itself: in a word, in a sentence for the record, and in its log.

What goes wrong on our own side is told apart from that: such a game is played again.
"""

from __future__ import annotations

from parlour.core import ParlourError

LONGEST_REASON = 300  # characters
LONGEST_LOG = 8_000
FAULTS = ("time", "illegal", "crash", "garbage", "memory", "processes", "start", "output")


class Fault(ParlourError):
    """How a bot lost against itself; the text is what follows `player 2 (O) ` in a record."""

    def __init__(self, fault: str, reason: str, log: str = "") -> None:
        super().__init__(fault, reason, log)
        self.fault = fault  # one of FAULTS
        self.log = "\n".join(map(printable, log.splitlines()))[-LONGEST_LOG:]

    def __str__(self) -> str:
        return printable(" ".join(self.args[1].split()))[:LONGEST_REASON]


class Lost(RuntimeError):
    """A process of ours that a bot needs has died, which is not the bot's fault."""


def printable(text: str) -> str:
    """The text without what would do something to a terminal or break a file."""
    return "".join(each if each.isprintable() else "?" for each in text.expandtabs())
