"""How sizes are written that may have more digits than anybody reads."""

from __future__ import annotations

import math


def write_large(number: int) -> str:
    """`3,072`, or `about 10^19` from a billion on."""
    return f"{number:,}" if number < 10**9 else f"about 10^{round(math.log10(number))}"
