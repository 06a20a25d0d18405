"""Players that think, from the random mover upwards, and what a move is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.players.engine import Engine, solves_from
    from parlour.players.estimate import GLANCE, estimated, explain, is_estimated
    from parlour.players.gtp import (
        COLOURS,
        LETTERS,
        Gtp,
        GtpEngine,
        argv,
        read_vertex,
        write_vertex,
    )
    from parlour.players.move_values import (
        MOST_MOVES,
        Assessed,
        Assessment,
        Reviewed,
        Worth,
        assess,
        estimate_of,
        judged,
    )
    from parlour.players.neighbours import neighbour, tunable, varied
    from parlour.players.perfect import Perfect
    from parlour.players.process import (
        LineTooLong,
        Pipe,
        ProcessEnded,
        ProcessError,
        ResponseTimeout,
    )
    from parlour.players.rollouts import Tally, playouts
else:
    __getattr__ = export(__name__)
