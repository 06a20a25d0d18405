"""The sentences of facts, which stand in the text files of this package."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from parlour.core import Text, sentences


class Phrases(sentences.Phrases):
    """The sentences of one file."""

    def __init__(self, name: str) -> None:
        super().__init__(Path(__file__).with_name(name))

    def plain(self, *kinds: str) -> dict[str, Callable[..., Text]]:
        """Return what says the facts of these kinds, whose data fill the gaps as they are."""
        return {kind: partial(self._say_data, kind) for kind in kinds}

    def _say_data(self, kind: str, _wording: object, **data: Any) -> Text:
        return self(kind, **data)
