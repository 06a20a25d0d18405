"""Our engine, made ready to be measured."""

from __future__ import annotations

import parlour
from parlour.engine import OthelloEngine


def make_engine(megabytes: int, threads: int = 1) -> OthelloEngine:
    """Return an engine with everything loaded, and every page of its table touched."""
    engine = OthelloEngine(parlour.game("othello"), megabytes=megabytes, threads=threads)
    for table in (engine._searcher.memory.table, engine._searcher.memory.end_table):
        table.fill(0)
    engine.analyse(engine.game.start(), plies=8)
    return engine
