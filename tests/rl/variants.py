"""Variants of every game, and a game in a file, for the suites of other projects."""

import pytest

KAYLES = "examples/kayles.py"
VARIANTS = [
    "nim piles=1,2,3,4 endings=1,1;2,2,2 take=2",
    "sticks sticks=10 take=9",
    "chopsticks overflow=wraps hit_self=yes split_same=yes",
    "tictactoe columns=4",
    "othello columns=4 rows=4",
    f"{KAYLES} pins=7",
]
OTHERS = [
    *("nim", "nim misere=yes", "sticks", "sticks sticks=21 take=4", "chopsticks", "tictactoe"),
    *("chopsticks rules=feathers", "tictactoe misere=yes", "othello columns=6 rows=6", "othello"),
    KAYLES,
]
LONG = [pytest.param(variant, marks=pytest.mark.long) for variant in OTHERS]

every_variant_and_seats = pytest.mark.parametrize(
    "variant",
    [
        *VARIANTS,
        "nim seats=4 misere=yes piles=2,3",
        *LONG,
        pytest.param("nim seats=3", marks=pytest.mark.long),
    ],
)
