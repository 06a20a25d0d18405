"""Players that think, from the random mover upwards, and what a move is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.players.benedict import vary_number
    from parlour.players.endpoint import (
        EndpointError,
        EndpointRefused,
        chat_url,
        request_chat,
    )
    from parlour.players.engine import (
        GLANCE,
        Engine,
        estimate_moves,
        is_beyond_solving,
        is_estimated,
        is_valued_in_discs,
        solves_from,
    )
    from parlour.players.gtp import LETTERS, Gtp, GtpEngine, argv, read_vertex, write_vertex
    from parlour.players.language_model import LanguageModel
    from parlour.players.minimax import Style
    from parlour.players.move_values import (
        MAX_MOVES,
        Assessment,
        Evaluation,
        Loss,
        MoveReview,
        MoveValue,
        assess,
        explain,
        find_loss,
        recover_estimate,
        review_move,
    )
    from parlour.players.perfect import Perfect
    from parlour.players.process import (
        External,
        LineTooLong,
        Pipe,
        ProcessEnded,
        ProcessError,
        ResponseTimeout,
        ask_for_move,
    )
    from parlour.players.random_move import Tally, playouts
    from parlour.players.skins import Skin, reskin
else:
    __getattr__ = export(__name__)
