"""Ten broken versions of two games: the law each one breaks finds it, whatever the seed.

The games are the short examples, larger than can be checked in every position. Each has a wrong
key, a wrong symmetry, text that does not read back, moves in no fixed order, and a false claim to
be impartial.
"""

from __future__ import annotations

import functools
import itertools
import random
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour.core import registry
from parlour.core.laws import LAWS, take_sample
from tests.conftest import LONG

SHORT = Path(__file__).parents[2] / "examples" / "short"
SEEDS = range(20 if LONG else 3)
TICKS = itertools.count()

Wythoff, ConnectThree, Morris, Hexapawn = (
    registry.find("games", SHORT / f"{name}.py")
    for name in ("wythoff", "connect_three", "three_mens_morris", "hexapawn")
)
LAWFUL = {
    Wythoff: Wythoff(first=30, second=35),
    ConnectThree: ConnectThree(),
    Morris: Morris(),
    Hexapawn: Hexapawn(n=4),
}


def only_the_first_takes_from_both(self: Any, state: Any) -> Any:
    return [move for move in Wythoff.moves(self, state) if state[0] == 0 or 0 in move]


def mirror_each_row(self: Any, state: Any) -> Any:
    rows = [state[1][at : at + 4] for at in range(0, 16, 4)]
    return state[0], *(min(row, row[::-1]) for row in rows)


def shuffle(cls: Any) -> Any:
    return lambda self, state: random.sample(found := cls.moves(self, state), len(found))


def turn_round_at_every_call(cls: Any) -> Any:
    return lambda self, state: cls.moves(self, state)[:: (-1) ** next(TICKS)]


BROKEN: list[tuple[str, str, Any, dict[str, Any]]] = [
    ("wythoff", "keys", Wythoff, {"key": lambda self, state: (state[1] % 32, state[2] % 32)}),
    ("wythoff", "symmetry", Wythoff, {"key": lambda self, s: (min(s[1:]), abs(s[1] - s[2]) // 2)}),
    ("wythoff", "inverses", Wythoff, {"write_move": lambda self, move: str(max(move))}),
    ("wythoff", "order", Wythoff, {"moves": shuffle(Wythoff)}),
    ("wythoff", "impartial", Wythoff, {"moves": only_the_first_takes_from_both}),
    ("connect three", "keys", ConnectThree, {"key": lambda self, s: (s[0], s[1][4:])}),
    ("connect three", "symmetry", ConnectThree, {"key": mirror_each_row}),
    (
        "connect three",
        "inverses",
        ConnectThree,
        {"write": lambda self, state: state[1], "read": lambda self, text: (0, text.strip())},
    ),
    ("connect three", "order", ConnectThree, {"moves": turn_round_at_every_call(ConnectThree)}),
    ("connect three", "impartial", ConnectThree, {"impartial": True}),
]
FOUND_BY = {
    "keys": ("keys",),
    "symmetry": ("keys",),
    "inverses": ("move texts", "position texts"),
    "order": ("moves",),
    "impartial": ("impartial",),
}
IDS = [f"{name}, {fault}" for name, fault, *_ in BROKEN]


def break_game(cls: Any, changes: dict[str, Any]) -> Any:
    """The lawful game of this class with some of it replaced."""
    options = {name: getattr(LAWFUL[cls], name) for name in getattr(cls, "__annotations__", ())}
    return type("Broken", (cls,), changes)(**options)


@functools.cache
def sample_of(cls: Any, seed: int) -> Any:
    """The random games of this seed, played by the lawful rules."""
    return take_sample(LAWFUL[cls], random.Random(seed))


@pytest.mark.parametrize(("name", "fault", "cls", "changes"), BROKEN, ids=IDS)
def test_every_seed_finds_it(name: str, fault: str, cls: Any, changes: dict[str, Any]) -> None:
    broken = break_game(cls, changes)
    for seed in SEEDS:
        sample = sample_of(cls, seed)
        assert not sample.complete
        assert any(next(LAWS[law](broken, sample), "") for law in FOUND_BY[fault]), seed


@pytest.mark.slow
@pytest.mark.parametrize("cls", LAWFUL)
def test_the_games_themselves_are_lawful(cls: Any) -> None:
    report = parlour.laws.check(LAWFUL[cls])
    assert report == []
    assert "30 random games were looked at" in report.sureness


def test_a_small_game_is_checked_in_every_position() -> None:
    """Of the 20 pairs of piles from 3 and 4 down, three come up for one seat alone.

    They are the start, and the two in which one counter has been taken.
    """
    report = parlour.laws.check(Wythoff(first=3, second=4))
    assert report.sureness == "Every position that can arise was looked at, 37 in all."
