"""Moves in plain words, one reader for each game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.host.understand.moves.sentences import CONTINUES, read_sentence
else:
    __getattr__ = export(__name__)
