"""Three variants of every game, and a game by somebody else, for the suites of other projects."""

from __future__ import annotations

import pytest

KAYLES = "examples/kayles.py"
VARIANTS = [
    "nim",
    "nim misere=yes",
    "nim piles=1,2,3,4 endings=1,1;2,2,2 take=2",
    "sticks",
    "sticks sticks=21 take=4",
    "sticks sticks=10 take=9",
    "chopsticks",
    "chopsticks rules=feathers",
    "chopsticks overflow=wraps hit_self=yes split_same=yes",
    "tictactoe",
    "tictactoe misere=yes",
    "tictactoe columns=4",
    "othello columns=4 rows=4",
    "othello columns=6 rows=6",
    "othello",
    KAYLES,
]
MANY_SEATS = ["nim seats=3", "nim seats=4 misere=yes piles=2,3"]

every_variant = pytest.mark.parametrize("variant", VARIANTS)
every_variant_and_seats = pytest.mark.parametrize("variant", [*VARIANTS, *MANY_SEATS])
