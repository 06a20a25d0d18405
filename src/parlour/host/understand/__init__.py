"""From a typed line to what it means: an intent with its slots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.host.understand import vote
    from parlour.host.understand.grammar import Illegal, Meaning, Scene, load_questions
    from parlour.host.understand.intent import (
        find_signs,
        is_answer,
        leaves_supposed,
        split_at_question,
        split_line,
    )
    from parlour.host.understand.moves import MoveReading, read_move_sentence, read_supposed_move
    from parlour.host.understand.vote import ACTS, ANSWERS, ENDINGS, MOVES, name_state, understand
    from parlour.host.understand.wishes import (
        GAME_NAMES,
        GAME_WORDS,
        add_endings,
        find_bots,
        find_counts,
        find_game,
        list_names,
        read_answer,
        read_wish,
    )
else:
    __getattr__ = export(__name__)
