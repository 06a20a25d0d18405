"""The errors Parlour raises on purpose.

The text of each is one sentence that people can act on: what was wrong, and what would be right.
All are `ParlourError`, so that a face catches one class and shows its text.
"""

from __future__ import annotations

from typing import Any

from parlour.core.sentences import quote, say


class ParlourError(ValueError):
    """A request that cannot be met; the text says why, and what can be done instead.

    With values it is the template of a sentence, as `say` takes it.
    """

    def __init__(self, *text: object, **values: Any) -> None:
        super().__init__(*([say(str(text[0]), **values)] if values else text))

    @property
    def text(self) -> str:
        """What was raised: a `Text` that can be translated, or a plain string."""
        return _find_text(self, self.args)


def text_of(error: object) -> str:
    """Return what an error says: the `Text` it was raised with, or a plain string."""
    if isinstance(error, ParlourError):
        return error.text
    return _find_text(error, error.args if isinstance(error, Exception) else ())


def _find_text(error: object, args: tuple[object, ...]) -> str:
    said = str(error)
    return next((each for each in args if isinstance(each, str) and each == said), said)


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

    @property
    def text(self) -> str:
        """The option, the value and what is allowed, in a sentence."""
        return say(
            "{option} cannot be {value}; {allowed}",
            option=self.option,
            value=quote(self.value),
            allowed=self.allowed,
        )

    def __str__(self) -> str:
        return str(self.text)


class UnknownName(ParlourError):
    """A name that no known game, bot or option has."""


class NameTaken(ParlourError):
    """A name that two games or two bots claim."""


class BadFile(ParlourError):
    """A file that cannot be read as what it should be."""
