"""English: a lexicon of related words, inflection, and the normal form of a typed line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parlour._lazy import export

if TYPE_CHECKING:
    from parlour.host.language import inflect as inflect, lexicon as lexicon
    from parlour.host.language.inflect import listed as listed, plural as plural
    from parlour.host.language.lexicon import Entry as Entry, is_unsaid as is_unsaid, look as look
    from parlour.host.language.normalise import (
        NUMBER as NUMBER,
        NUMBERS as NUMBERS,
        SMALL as SMALL,
        SMALL_WORDS as SMALL_WORDS,
        TENS as TENS,
        distance as distance,
        heard as heard,
        mended as mended,
    )
else:
    __getattr__ = export(
        __name__,
        {
            "inflect": "listed plural inflect",
            "lexicon": "Entry is_unsaid look lexicon",
            "normalise": "NUMBER NUMBERS SMALL SMALL_WORDS TENS distance heard mended",
        },
    )
