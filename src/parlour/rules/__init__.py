"""The rules, one file a game: options, moves, notation, text drawing and a description."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.rules.board import (
        LETTERS as LETTERS,
        Board as Board,
        Square as Square,
        board_of as board_of,
        by_seat as by_seat,
    )
    from parlour.rules.chopsticks import (
        BOXES as BOXES,
        HIT as HIT,
        LEFT as LEFT,
        OWN as OWN,
        RIGHT as RIGHT,
        SIDES as SIDES,
        SPLIT as SPLIT,
        Chopsticks as Chopsticks,
        ChopsticksMove as ChopsticksMove,
        ChopsticksState as ChopsticksState,
    )
    from parlour.rules.counting import perft as perft
    from parlour.rules.nim import (
        CLASS_ENDINGS as CLASS_ENDINGS,
        LARGEST_PILE as LARGEST_PILE,
        Nim as Nim,
        NimMove as NimMove,
        NimState as NimState,
        multiset as multiset,
    )
    from parlour.rules.othello import (
        COMPILED_SQUARES as COMPILED_SQUARES,
        PASS as PASS,
        Othello as Othello,
        OthelloState as OthelloState,
    )
    from parlour.rules.sticks import MOST_STICKS as MOST_STICKS, Sticks as Sticks
    from parlour.rules.tictactoe import TicTacToe as TicTacToe, TicTacToeState as TicTacToeState
else:
    __getattr__ = export(
        __name__,
        {
            "board": "Board LETTERS Square board_of by_seat",
            "chopsticks": (
                "BOXES Chopsticks ChopsticksMove ChopsticksState HIT LEFT OWN RIGHT SIDES SPLIT"
            ),
            "counting": "perft",
            "nim": "CLASS_ENDINGS LARGEST_PILE Nim NimMove NimState multiset",
            "othello": "COMPILED_SQUARES Othello OthelloState PASS",
            "sticks": "MOST_STICKS Sticks",
            "tictactoe": "TicTacToe TicTacToeState",
        },
    )
