"""Boards for the browser: a game and a state in, markup out; nothing is kept and nothing is sent.

Each board is drawn as SVG and played by plain labelled buttons in a form, so that it works with
scripts off, by keyboard and read aloud. Whatever comes from outside is escaped here.
"""

from parlour.faces.web.boards.marks import Mark
from parlour.faces.web.boards.showing import board, move_text, picture

__all__ = ["Mark", "board", "move_text", "picture"]
