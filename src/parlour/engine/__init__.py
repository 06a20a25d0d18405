"""The Othello engine: searches over the compiled kernels, analysis, endgames, opening book.

`OthelloEngine` analyses positions by iterative deepening, `LossAnalyser` measures the moves of a
game with it, a `Searcher` searches once, and `EndSolution` is the exact solution of
positions with few empty squares.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.engine.analysis import Analysis, LossAnalyser, MoveLoss, OthelloEngine
    from parlour.engine.endgame import EndSolution, empties, most_empties, refuse_empties
    from parlour.engine.misere import MisereSearcher, new_searcher
    from parlour.engine.opening_book import canonical, load_book
    from parlour.engine.searcher import Searcher, board_table, can_search, is_ready
else:
    __getattr__ = export(__name__)
