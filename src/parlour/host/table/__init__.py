"""A game within the conversation: setting it up, playing it, and talking about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.host.table.judging import asks_for_review, review
    from parlour.host.table.knowledge import (
        PUBLISHED,
        answer_about_guest,
        answer_topic,
        explain_rules,
        say_who_wins,
    )
    from parlour.host.table.playing import COMMANDS, answer_at_table, put_aside, resume
    from parlour.host.table.questions import (
        answer_computed,
        answer_question,
        find_supposed,
        is_asked,
        may_ask,
        surely_asks,
    )
    from parlour.host.table.setup import (
        continue_setup,
        correct_setup,
        explain_refusal,
        play_again,
        repeat_question,
        start_setup,
        watch,
    )
    from parlour.host.table.state import find_question, load_game, load_match
else:
    __getattr__ = export(__name__)
