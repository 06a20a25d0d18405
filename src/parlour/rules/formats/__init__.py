"""Othello games as other programs write them: GGF, WTHOR, transcripts and lists of moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.rules.formats.files import read_games as read_games
    from parlour.rules.formats.ggf import read_ggf as read_ggf
    from parlour.rules.formats.transcript import COLOURS as COLOURS, Transcript as Transcript
else:
    __getattr__ = export(
        __name__,
        {
            "files": "read_games",
            "ggf": "read_ggf",
            "transcript": "COLOURS Transcript",
        },
    )
