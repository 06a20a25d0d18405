"""English: a lexicon of related words, inflection, the words of a typed line, and text files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.host.language import dictionary, english, texts
    from parlour.host.language.english import WordSense, find_entries, is_rude, look_up, plural
    from parlour.host.language.line import (
        MAX_LENGTH,
        NUMBER,
        NUMBERS,
        ORDINALS,
        SMALL,
        SMALL_WORDS,
        Line,
        correct,
        distance,
        normalise,
        part_question,
        spell_number,
    )
else:
    __getattr__ = export(__name__)
