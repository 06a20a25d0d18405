"""The Othello engine: iterative deepening over the compiled search, threads, book, analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.engine.analysis import Cost as Cost, Losses as Losses
    from parlour.engine.deepening import Mind as Mind, Thought as Thought
    from parlour.engine.endgame import (
        EndSolution as EndSolution,
        empties as empties,
        most_empties as most_empties,
        refuse_empties as refuse_empties,
    )
    from parlour.engine.opening_book import book as book
    from parlour.engine.searcher import seeker_for as seeker_for
else:
    __getattr__ = export(
        __name__,
        {
            "analysis": "Cost Losses",
            "deepening": "Mind Thought",
            "endgame": "EndSolution empties most_empties refuse_empties",
            "opening_book": "book",
            "searcher": "seeker_for",
        },
    )
