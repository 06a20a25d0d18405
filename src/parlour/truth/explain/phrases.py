"""The sentences of a text file: which of them is said of a fact, and what fills its gaps.

A section is named by what the sentence is about, and then by what must be so for it to be said:
`[reply only outcome=draw]` is taken if `only` is neither nothing nor 0, and the outcome is a draw.
Of several sections the first that fits is taken. It has one line, or two of which the first is for
the `number` 1.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from parlour.core import Text, sentences


@dataclass(frozen=True)
class Phrase:
    """The template of a sentence, or those for 1 and for other numbers, and when it is said."""

    conditions: tuple[str, ...]
    one: str
    many: str = ""

    def fits(self, values: Mapping[str, Any]) -> bool:
        """Return whether these values meet all conditions."""
        for condition in self.conditions:
            name, equals, wanted = condition.partition("=")
            found = values.get(name)
            if str(found) != wanted if equals else not found:
                return False
        return True

    @cached_property
    def gaps(self) -> tuple[str, ...]:
        """The names of the values that it needs."""
        parsed = string.Formatter().parse(self.one + self.many)
        names = ["number"] if self.many else []
        return tuple(dict.fromkeys([*names, *(name for _, name, _, _ in parsed if name)]))

    def fill(self, values: Mapping[str, Any]) -> Text:
        """Return the sentence with these values."""
        return Text(self.one, {name: values[name] for name in self.gaps}, self.many)


class Phrases:
    """The sentences of one file."""

    def __init__(self, name: str) -> None:
        self._found: dict[str, list[Phrase]] = {}
        sections = sentences.read_sections(Path(__file__).with_name(name))
        for section, lines in sections.items():
            about, *conditions = section.split()
            self._found.setdefault(about, []).append(Phrase(tuple(conditions), *lines))

    def __iter__(self) -> Iterator[Phrase]:
        for phrases in self._found.values():
            yield from phrases

    def __call__(self, about: str, /, **values: Any) -> Text:
        """Return the first of the sentences about something that fits, with these values."""
        return next(each for each in self._found[about] if each.fits(values)).fill(values)

    def plain(self, *kinds: str) -> dict[str, Callable[..., Text]]:
        """Return what says the facts of these kinds, whose data fill the gaps as they are."""
        return {kind: partial(self._say_data, kind) for kind in kinds}

    def _say_data(self, kind: str, _wording: object, **data: Any) -> Text:
        return self(kind, **data)
