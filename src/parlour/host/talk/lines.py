"""How Benedict's lines are written down: sentences with gaps, and the answers that go with them.

A line stands at the beginning; below it `y:`, `n:` and `w:` are what he says to yes, no and why,
and `t:` is what a yes has told him. A star asks for a topic that can stand alone in the singular.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

ANSWERS = {"y": "yes", "n": "no", "w": "why", "t": "told"}


@dataclass(frozen=True)
class Line:
    """A sentence with gaps."""

    id: str
    text: str
    single: bool = False  # only of what can stand in the singular
    yes: str = ""
    no: str = ""
    why: str = ""
    told: str = ""

    @property
    def asks(self) -> bool:
        """Whether it is a question."""
        return self.text.endswith("?")

    def filled(self, forms: Mapping[str, str], part: str = "text") -> str:
        """The sentence, or one of its answers, with the gaps filled."""
        return str(getattr(self, part)).format_map(forms)


def written(text: str) -> dict[str, tuple[Line, ...]]:
    """The lines of a page, by the section they stand in."""
    found: dict[str, list[Line]] = {}
    section = ""
    for row in filter(None, text.split("\n")):
        if row.startswith("["):
            section = row.strip("[]")
            found[section] = []
        elif row[:2] in ("y:", "n:", "w:", "t:"):
            lines = found[section]
            answer: dict[str, Any] = {ANSWERS[row[0]]: row[2:].strip()}
            lines[-1] = replace(lines[-1], **answer)
        else:
            lines = found[section]
            single = row.startswith("*")
            lines.append(Line(f"{section}.{len(lines)}", row.lstrip("* "), single))
    return {name: tuple(lines) for name, lines in found.items()}
