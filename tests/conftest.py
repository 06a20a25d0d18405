"""What all tests share: how much garbage and how many random games, and where drop-in files are."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import hypothesis
import pytest

LONG = bool(os.environ.get("PARLOUR_LONG"))

hypothesis.settings.register_profile(
    "parlour",
    max_examples=10_000 if LONG else 500,
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
    derandomize=not LONG,
)
hypothesis.settings.load_profile("parlour")

# Begun in the background of a script, we are deaf to Ctrl-C, and so would be all we start.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _own_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test sees the games and bots of whoever runs it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield
