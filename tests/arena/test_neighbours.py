"""Neighbours of bots: steps of a fifth, within limits; and Benedict's tables as the spec wants."""

from __future__ import annotations

import random
import statistics
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import parlour
from parlour.arena.tuning import (
    choose_varied,
    list_numeric,
    list_tunable,
    neighbour,
    vary_value,
)
from parlour.core import registry
from parlour.core.errors import BadFile, BadOption, ParlourError
from parlour.core.options import Option, describe, option, settle
from parlour.players.benedict import MOBILITY_TABLE, TABLE, Benedict
from parlour.players.othello import Despacito
from parlour.rules.nim import Nim
from parlour.rules.othello import Othello

GAME = Othello()
TABLES = frozenset({"table", "mobility_table"})


@dataclass
class Fuzzy:
    """A bot with numbers of every kind."""

    name: ClassVar[str] = "fuzzy"

    courage: float = option(0.5, "how bold it is", low=0.0, high=1.0)
    depth: int = option(5, "how far it looks", low=1, high=6)
    weights: tuple[float, ...] = option((0.0, 100.0), "what it weighs")
    grid: tuple[tuple[int, ...], ...] = option(((10, 20), (30,)), "lists in a list")
    limit: int | None = option(None, "a limit, if any")
    loud: bool = option(False, "whether it says so")
    style: str = option("calm", "how", choices=("calm", "wild"))
    seed: int | None = option(3, "its random numbers")

    def __post_init__(self) -> None:
        settle(self)

    def plays(self, game):
        return "somehow"

    def choose(self, game, state):
        return game.moves(state)[0]


def near(bot, vary, times, seed=0, game=GAME):
    chance = random.Random(seed)
    return [neighbour(bot, game, chance, frozenset(vary)) for _ in range(times)]


# Numbers in general


@pytest.mark.parametrize(("value", "step"), [(0, 1), (3, 1), (-5, 1), (50, 10), (-1000, 200)])
def test_a_whole_number_moves_by_a_normal_step_of_a_fifth_and_at_least_one(value, step):
    chance = random.Random(1)
    whole = Option(value, "", name="n", kind=int)
    found = [vary_value(whole, value, chance) for _ in range(4000)]
    assert all(type(each) is int for each in found)
    assert statistics.fmean(found) == pytest.approx(value, abs=4 * step / 4000**0.5)
    # Rounding adds a twelfth to the variance; the spread of 4,000 draws is known to about 1 %.
    assert statistics.pstdev(found) == pytest.approx((step**2 + 1 / 12) ** 0.5, rel=0.05)
    within = sum(abs(each - value) <= 2 * step for each in found) / 4000
    assert within == pytest.approx(0.9545, abs=0.04)  # as of a normal step, rounded


def test_other_numbers_move_by_a_fifth_and_at_least_a_hundredth_of_what_they_may_be():
    chance = random.Random(2)
    free = Option(0.0, "", low=-10.0, high=10.0, name="x", kind=float)
    for value, step in ((0.0, 0.2), (5.0, 1.0)):
        found = [vary_value(free, value, chance) for _ in range(4000)]
        assert statistics.fmean(found) == pytest.approx(value, abs=4 * step / 4000**0.5)
        assert statistics.pstdev(found) == pytest.approx(step, rel=0.05)


def test_numbers_stay_in_their_limits_and_everything_else_stays_as_it_is():
    bot = Fuzzy()
    vary = choose_varied(bot, [], GAME)
    assert vary == {"courage", "depth", "weights", "grid"}
    found = near(bot, vary, 500)
    for each in found:
        assert 0 <= each.courage <= 1
        assert 1 <= each.depth <= 6
        assert [len(row) for row in each.grid] == [2, 1]
        assert (each.limit, each.loud, each.style, each.seed) == (None, False, "calm", 3)
    assert {each.depth for each in found} >= {4, 5, 6}
    assert len({each.courage for each in found}) > 100
    assert len({each.grid for each in found}) > 100


def test_a_bot_may_say_which_of_its_options_are_worth_it():
    @dataclass
    class Choosy(Fuzzy):
        tunes: ClassVar[tuple[str, ...]] = ("weights", "limit")

    assert choose_varied(Choosy(), [], GAME) == {"weights"}  # there is no limit that could move
    assert choose_varied(Choosy(limit=3), [], GAME) == {"weights", "limit"}
    assert choose_varied(Choosy(), ["depth"], GAME) == {"depth"}
    assert len({each.weights for each in near(Choosy(), {"weights"}, 5)}) == 5


def test_a_neighbour_can_be_written_down_and_read_again():
    for each in [*near(Benedict(), TABLES, 20), *near(Despacito(), {"weights", "level"}, 20)]:
        assert registry.build("bots", describe(each)) == each


def test_numbers_that_are_not_there_are_not_varied():
    assert list_numeric(Despacito()) == ["level", "weights", "late_weights"]
    assert list_numeric(Despacito(table=(1,) * 64)) == ["level", "table", "weights", "late_weights"]
    assert list_numeric(parlour.bot("random", seed=3)) == []


def test_a_refusal_says_what_can_be_varied():
    with pytest.raises(ParlourError, match=r"random has no numbers .*benedict.*despacito"):
        choose_varied(parlour.bot("random"), [], GAME)
    with pytest.raises(ParlourError, match="despacito's table holds no numbers"):
        choose_varied(Despacito(), ["table"], GAME)
    # At nim Benedict follows the theory; his tables are for Othello.
    assert {"minimax", "perfect"} <= {*list_tunable(Nim())}
    assert not {"benedict", "random", "standard"} & {*list_tunable(Nim())}
    with pytest.raises(ParlourError, match="luckier, not better; it can vary level"):
        choose_varied(parlour.bot("perfect", seed=1), ["seed"], GAME)


def test_a_bot_that_fails_at_its_own_neighbours_is_named():
    @dataclass
    class Clumsy(Fuzzy):
        name: ClassVar[str] = "clumsy"
        tunes: ClassVar[tuple[str, ...]] = ("weights",)

        def neighbour(self, game, chance, vary):
            return self.weights[7]

    with pytest.raises(BadFile, match="clumsy cannot make its neighbour: IndexError"):
        near(Clumsy(), {"weights"}, 1)


# Benedict's tables


def boards(bot):
    return np.reshape(bot.table, (8, 8)), np.reshape(bot.mobility_table, (8, 8))


def zones(board):
    """Corner, edge, centre, next to the corner, diagonal to it: as one sees them on a board."""
    around = {(0, 0), (0, 1), (1, 0), (1, 1), (0, 7), (0, 6), (1, 7), (1, 6)}
    around |= {(7 - row, column) for row, column in around}
    centre = [board[r, c] for r in range(1, 7) for c in range(1, 7) if (r, c) not in around]
    edge = [*board[0, 2:6], *board[7, 2:6], *board[2:6, 0], *board[2:6, 7]]
    beside = [board[r, c] for r, c in around if (r in (0, 7)) != (c in (0, 7))]
    corner = [board[r, c] for r in (0, 7) for c in (0, 7)]
    return corner, edge, centre, beside, [board[r, c] for r in (1, 6) for c in (1, 6)]


def generations(bot, count, seed):
    chance = random.Random(seed)
    for _ in range(count):
        bot = neighbour(bot, GAME, chance, TABLES)
        yield bot


def test_neighbours_keep_the_mirrors_and_the_order_of_the_zones_however_many_steps_away():
    for bot in [*near(Benedict(), TABLES, 60), *generations(Benedict(), 150, 5)]:
        for board, strict in zip(boards(bot), (True, False), strict=True):
            for same in (board.T, board[::-1], board[:, ::-1]):
                assert (board == same).all()
            corner, edge, centre, beside, diagonal = zones(board)
            assert min(corner) > max(edge)
            assert min(edge) > max(centre)
            assert min(centre) > max(beside)
            assert min(beside) >= max(diagonal) + strict


def test_every_kind_of_square_moves_by_itself_and_those_with_room_by_a_fifth():
    found = near(Benedict(), TABLES, 500)
    for name, usual in (("table", TABLE), ("mobility_table", MOBILITY_TABLE)):
        for square in range(64):
            assert len({getattr(each, name)[square] for each in found}) > 1, (name, square)
        corners = [getattr(each, name)[0] for each in found]
        assert statistics.fmean(corners) == pytest.approx(usual[0], rel=0.04)
        assert statistics.pstdev(corners) == pytest.approx(0.2 * usual[0], rel=0.12)
    diagonals = [each.table[9] for each in found]  # -10, with room below
    assert statistics.pstdev(diagonals) == pytest.approx(2, rel=0.15)
    middles = [each.table[27] for each in found]  # 0: the least step is 1
    assert statistics.pstdev(middles) == pytest.approx(1, rel=0.15)
    columns = np.array([[e.table[0], e.table[2], e.table[27], e.table[9]] for e in found], float)
    apart = np.corrcoef(columns.T) - np.eye(4)
    assert np.abs(apart).max() < 0.15


def test_benedict_varies_his_tables_and_not_how_far_he_looks_unless_asked():
    assert choose_varied(Benedict(), [], GAME) == TABLES
    assert {each.plies for each in near(Benedict(), TABLES, 20)} == {3}
    assert len({each.plies for each in near(Benedict(), {"plies"}, 20)}) > 1
    assert {each.table for each in near(Benedict(), {"plies"}, 20)} == {TABLE}


def test_a_table_that_is_out_of_order_is_varied_all_the_same():
    upside_down = Benedict(table=tuple(-value for value in TABLE))
    found = near(upside_down, TABLES, 50)
    assert len({each.table for each in found}) == 50
    for each in found:
        board = boards(each)[0]
        assert (board == board.T).all()


def test_tables_that_cannot_be_varied_are_refused():
    with pytest.raises(BadOption, match="64 whole numbers"):
        near(Benedict(table=(1, 2, 3)), TABLES, 1)
    with pytest.raises(ParlourError, match="for othello"):
        near(Benedict(), TABLES, 1, game=Nim())
