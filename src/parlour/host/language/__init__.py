"""English: a lexicon of related words, inflection, and the normal form of a typed line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.host.language import inflect, lexicon
    from parlour.host.language.inflect import listed, plural
    from parlour.host.language.lexicon import Entry, is_unsaid, look
    from parlour.host.language.normalise import (
        NUMBER,
        NUMBERS,
        SMALL,
        SMALL_WORDS,
        TENS,
        distance,
        heard,
        mended,
    )
else:
    __getattr__ = export(__name__)
