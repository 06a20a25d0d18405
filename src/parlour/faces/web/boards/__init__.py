"""Boards for the browser: a game and a state in, markup out; nothing is stored or sent.

Each board is drawn as SVG and played by plain labelled buttons in a form, so that it works with
scripts off, by keyboard and read aloud. Whatever comes from outside is escaped here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.faces.web.boards.marks import Mark, icon
    from parlour.faces.web.boards.othello import COLOURS
    from parlour.faces.web.boards.show import board, move_text, picture
else:
    __getattr__ = export(__name__)
