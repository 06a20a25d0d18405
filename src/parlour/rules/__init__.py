"""The rules, one file per game: options, moves, notation and text drawing.

What a game is called and its rules in sentences stand in the text files of `sentences`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.rules import formats
    from parlour.rules.board import LETTERS, Board, Square, board_of, by_seat
    from parlour.rules.chopsticks import (
        BOXES,
        HIT,
        LEFT,
        OWN,
        RIGHT,
        RULES,
        SIDES,
        SPLIT,
        Chopsticks,
        ChopsticksMove,
        ChopsticksState,
    )
    from parlour.rules.nim import (
        CLASS_ENDINGS,
        MAX_PILE,
        Nim,
        NimMove,
        NimState,
        TakeAwayGame,
        multiset,
    )
    from parlour.rules.openings import Opening, all_openings, find_opening, has_openings
    from parlour.rules.othello import COMPILED_SQUARES, PASS, Othello, OthelloState
    from parlour.rules.sticks import MAX_STICKS, Sticks
    from parlour.rules.tictactoe import TicTacToe, TicTacToeState
else:
    __getattr__ = export(__name__)
