"""What a test needs beyond Python: where it is missing the test is skipped and says why.
With PARLOUR_ALL_TESTS=1 nothing may be missing, and the same sentence is a failure."""

from __future__ import annotations

import os

import pytest


def need(found: object, sentence: str) -> None:
    """Go on if it was found; otherwise skip, or fail where every test must run."""
    if found:
        return
    if os.environ.get("PARLOUR_ALL_TESTS") == "1":
        pytest.fail(sentence, pytrace=False)
    pytest.skip(sentence)
