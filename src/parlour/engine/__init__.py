"""The Othello engine: iterative deepening over the compiled search, threads, book, analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.engine.analysis import Cost, Losses
    from parlour.engine.deepening import Mind, Thought
    from parlour.engine.endgame import EndSolution, empties, most_empties, refuse_empties
    from parlour.engine.opening_book import book
    from parlour.engine.searcher import seeker_for
else:
    __getattr__ = export(__name__)
