"""The variants next to one: each differs in a single option, and is solved like any other."""

from __future__ import annotations

from typing import Any

import pytest

from parlour.core import registry
from parlour.core.options import options_of
from parlour.core.work import Work
from parlour.rules.chopsticks import Chopsticks
from parlour.rules.nim import CLASS_ENDINGS, Nim
from parlour.rules.sticks import Sticks
from parlour.rules.tictactoe import TicTacToe
from parlour.truth.variants.sweep import find_neighbours, nearby_values


def values(game: Any, option: str) -> list[Any]:
    return nearby_values(options_of(type(game))[option], getattr(game, option))


def test_numbers_go_up_and_down_within_their_limits() -> None:
    assert values(Chopsticks(), "dies_at") == [2, 3, 4, 6, 7, 8]
    assert values(Sticks(sticks=10), "sticks") == [11, 12, 13]
    assert values(Sticks(sticks=100), "sticks") == [97, 98, 99]


def test_no_number_is_next_to_the_least_and_every_number_to_none() -> None:
    assert values(Nim(), "take") == [1, 2, 3]
    assert values(Nim(take=2), "take") == [1, 3, 4, 5, None]


def test_yes_becomes_no_and_a_choice_the_others() -> None:
    assert values(Nim(), "misere") == [True]
    assert values(Chopsticks(), "overflow") == ["wraps"]


def test_a_list_changes_in_one_item() -> None:
    assert values(Nim(piles=(1, 3)), "piles") == [
        (0, 3), (2, 3), (3,), (1, 2), (1, 4), (1,), (1, 3, 1),
    ]  # fmt: skip
    assert values(Nim(), "endings") == [*((each,) for each in CLASS_ENDINGS), CLASS_ENDINGS]
    assert values(Nim(endings=CLASS_ENDINGS[:1]), "endings")[0] == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    "game", [Nim(endings=CLASS_ENDINGS), Chopsticks(), Sticks(), TicTacToe(misere=True)]
)
def test_every_neighbour_differs_only_in_the_option_it_is_listed_under(game: Any) -> None:
    found = find_neighbours(game, seconds=1)
    assert found
    for option, rows in found.items():
        for row in rows:
            changed = [name for name in row.options if row.options[name] != getattr(game, name)]
            assert changed == [option]
            registry.build("games", type(game), row.options)


def test_a_neighbour_of_benedicts_chopsticks_has_its_known_value() -> None:
    found = find_neighbours(Chopsticks())
    [one] = [row for row in found["split_least"] if row.options["split_least"] == 1]
    assert (one.outcome, one.positions) == ("draw", 171)
    assert "rules" not in found, "a preset is a name for options that stay as they are"


def test_loops_are_decided_even_where_most_proofs_take_too_long(slow_if: Any) -> None:
    slow_if(lambda game: game.loops == "barred")
    found = find_neighbours(Chopsticks(rules="feathers-revive"))
    assert [row.outcome for row in found["loops"]] == ["draw"]
    assert "undecided" in {row.outcome for rows in found.values() for row in rows}


def test_a_stopped_work_ends_it_at_once() -> None:
    work = Work()
    work.stop()
    assert find_neighbours(Chopsticks(), work=work) == {}
