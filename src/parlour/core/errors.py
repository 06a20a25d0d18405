"""The errors Parlour raises on purpose.

The text of each is one sentence that people can act on: what was wrong, and what would be right.
All are `ParlourError`, so that a face catches one class and shows its text.
"""

from __future__ import annotations

from parlour.core.text import quote


class ParlourError(ValueError):
    """A request that cannot be met; the text says why, and what can be done instead."""

    @property
    def text(self) -> str:
        """Why, as it was given: a `Text` where there is one."""
        return self.args[0] if len(self.args) == 1 else str(self)


class BadText(ParlourError):
    """Text that cannot be read as the move, position or record it should be."""


class IllegalMove(ParlourError):
    """A move that is understood, but against the rules here."""


class BadOption(ParlourError):
    """A value that an option does not allow."""

    def __init__(self, option: str, value: object, allowed: str, **numbers: int) -> None:
        super().__init__(option, value, allowed)
        self.option = option
        self.value = value
        self.allowed = allowed
        self.numbers = numbers  # those that limit it here, such as other options

    def __str__(self) -> str:
        return f"{self.option} cannot be {quote(self.value)}; {self.allowed}"


class UnknownName(ParlourError):
    """A name that no known game, bot or option has."""


class NameTaken(ParlourError):
    """A name that two games or two bots claim."""


class BadFile(ParlourError):
    """A file that cannot be read as what it should be."""
