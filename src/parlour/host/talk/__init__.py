"""Small talk: topics, memory, questions, and what Benedict can be taught."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.host.talk.definitions import admit_ignorance, answer_word_question, asks_for_word
    from parlour.host.talk.dialogue import (
        answer_consent,
        continue_talk,
        forget,
        note_facts,
        open_talk,
    )
    from parlour.host.talk.facts import answer_about_person, learn_facts
    from parlour.host.talk.listening import is_sad
    from parlour.host.talk.manners import (
        answer_directly,
        answer_manners,
        goes_first,
        hear_mood,
        may_offer,
        part,
    )
    from parlour.host.talk.topics import find_topic, is_statement
    from parlour.host.talk.turns import turn_away
else:
    __getattr__ = export(__name__)
