"""Boards for the browser: a game and a state in, markup out; nothing is stored or sent.

Each board is drawn as SVG and played by plain labelled buttons in a form, so that it works without
scripts, by keyboard and with a screen reader. Text from outside is escaped here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.boards.by_game import (
        announce_move,
        board,
        build_position,
        compose_position,
        move_text,
        name_move,
        picture,
    )
    from parlour.boards.display import cell, in_a_row, numbered, paragraph, show, to_html, worth
    from parlour.boards.parts import Drawn, Mark, escape, icon
    from parlour.boards.result_table import ResultTable, clean_line, shorten
    from parlour.boards.standalone import Picture, read_sheet, tokens
else:
    __getattr__ = export(__name__)
