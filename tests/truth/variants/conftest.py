"""A clock that goes on only while chosen variants are being solved."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from parlour.truth.variants import sweep


@pytest.fixture
def slow_if(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Any], bool]], None]:
    """Let variants that meet a condition take longer than they may, and all others no time."""

    def begin(is_slow: Callable[[Any], bool]) -> None:
        now, solve = 0.0, sweep.solve

        def solve_or_wait(game: Any, *, work: Any) -> Any:
            nonlocal now
            if is_slow(game):
                now += 100
                while not work.stopped:
                    time.sleep(0.001)
            return solve(game, work=work)

        monkeypatch.setattr(sweep, "solve", solve_or_wait)
        monkeypatch.setattr(sweep, "time", SimpleNamespace(monotonic=lambda: now))

    return begin
