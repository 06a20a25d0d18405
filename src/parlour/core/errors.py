"""Everything Parlour refuses, by name.

Each error is one sentence a person can act on: what was wrong, and what would be right. They are
all `ParlourError`, so a face catches one class and shows its text.
"""

from __future__ import annotations

from parlour.core.text import quote


class ParlourError(ValueError):
    """Something was asked that cannot be done; the text says why and what can."""


class BadText(ParlourError):
    """A text that is no move, no position, or no record at all."""


class IllegalMove(ParlourError):
    """A move that can be understood, but that the rules forbid here."""


class BadOption(ParlourError):
    """An option with a value it cannot have."""

    def __init__(self, option: str, value: object, allowed: str) -> None:
        super().__init__(option, value, allowed)
        self.option = option
        self.value = value
        self.allowed = allowed

    def __str__(self) -> str:
        return f"{self.option} cannot be {quote(self.value)}; {self.allowed}"


class UnknownName(ParlourError):
    """A game, bot or option that nobody here has heard of."""


class NameTaken(ParlourError):
    """Two games or two bots that claim the same name."""


class BadFile(ParlourError):
    """A file that cannot be read as what it should be."""
