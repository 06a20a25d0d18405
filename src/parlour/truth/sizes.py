"""How sizes are written that may have more digits than anybody reads."""

from __future__ import annotations

import math

from parlour.core import say


def write_large(number: int) -> str:
    """`3,072`, or `about 10^19` from a billion on."""
    if number < 10**9:
        return say("{number:,}", number=number)
    return say("about 10^{exponent}", exponent=round(math.log10(number)))
