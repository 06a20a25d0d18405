"""What a line means, and where it was said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from parlour.core import Game, State


@dataclass(frozen=True)
class Meaning:
    """An intent, what belongs to it, and which words were mended to find it."""

    intent: str
    slots: Mapping[str, Any] = field(default_factory=dict)
    mended: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Scene:
    """Where a line is said: the mode, and the game on the table with its position."""

    mode: str
    game: Game | None = None
    state: State = None
    topic: str = ""


UNKNOWN = Meaning("unknown")
