"""Players that think, from the random mover upwards, and what a move is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.players.engine import Engine as Engine, solves_from as solves_from
    from parlour.players.estimate import (
        GLANCE as GLANCE,
        estimated as estimated,
        explain as explain,
        is_estimated as is_estimated,
    )
    from parlour.players.gtp import (
        COLOURS as COLOURS,
        LETTERS as LETTERS,
        Gtp as Gtp,
        GtpEngine as GtpEngine,
        argv as argv,
        read_vertex as read_vertex,
        write_vertex as write_vertex,
    )
    from parlour.players.move_values import (
        MOST_MOVES as MOST_MOVES,
        Assessed as Assessed,
        Assessment as Assessment,
        Reviewed as Reviewed,
        Worth as Worth,
        assess as assess,
        estimate_of as estimate_of,
        judged as judged,
    )
    from parlour.players.neighbours import (
        neighbour as neighbour,
        tunable as tunable,
        varied as varied,
    )
    from parlour.players.perfect import Perfect as Perfect, solved as solved
    from parlour.players.process import (
        Endless as Endless,
        Gone as Gone,
        Pipe as Pipe,
        Silent as Silent,
        Trouble as Trouble,
    )
    from parlour.players.rollouts import Tally as Tally, playouts as playouts
else:
    __getattr__ = export(
        __name__,
        {
            "engine": "Engine solves_from",
            "estimate": "GLANCE estimated explain is_estimated",
            "gtp": "COLOURS Gtp GtpEngine LETTERS argv read_vertex write_vertex",
            "move_values": (
                "Assessed Assessment MOST_MOVES Reviewed Worth assess estimate_of judged"
            ),
            "neighbours": "neighbour tunable varied",
            "perfect": "Perfect solved",
            "rollouts": "Tally playouts",
            "process": "Endless Gone Pipe Silent Trouble",
        },
    )
