"""Othello games as other programs write them: GGF, WTHOR, transcripts and lists of moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.rules.formats.files import read_games, read_ggf
    from parlour.rules.formats.transcript import COLOURS, Transcript
else:
    __getattr__ = export(__name__)
