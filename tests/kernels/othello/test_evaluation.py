"""The evaluation: its indices are those of the board, its weights well-formed, symmetric and wise.

Here the pattern indices are worked out square by square from the list of the patterns' squares.
"""

import random
from itertools import product

import numpy as np
import pytest

from parlour.kernels.othello.evaluation import (
    BASES,
    COUNT,
    FILE,
    FIRST,
    INSTANCES,
    LANES,
    PARAMETERS,
    SIZE,
    indices_at,
    pack,
    set_indices,
    swap_indices,
    unpack,
    update_indices,
    weights,
)
from parlour.kernels.othello.search import EXACT, search_root
from parlour.kernels.othello.transposition import PATTERN_WORDS, PATTERNS, Memory
from parlour.rules.othello import PASS, Othello
from tests.compiled import compiled
from tests.conftest import LONG
from tests.slow_othello import in_play, reached, scattered, value_of

GAME = Othello()
MEGABYTE = 2**20


@compiled("void(uint64, uint64, int64, int64)")
def write_indices(own, other, empties, work):
    set_indices(own, other, empties, work)


@compiled("void(int64, uint64, int64, int64)")
def update(square, turned, empties, work):
    update_indices(indices_at(empties, work), square, turned, indices_at(empties - 1, work))


@compiled("void(int64, int64)")
def swap(empties, work):
    swap_indices(indices_at(empties, work))


@pytest.fixture(scope="module")
def memory():
    return Memory(4, weights())


def evaluate(own, other, work):
    """The static value of a position."""
    return search_root(own, other, -65, 65, 0, EXACT, 0, work)


def empties_of(state):
    return 64 - (state[0] | state[1]).bit_count()


def read_indices(memory, state):
    """The indices as the mover sees them, and as the other does."""
    start = int(PATTERNS + empties_of(state) * PATTERN_WORDS)
    shorts = memory.block[start : start + int(PATTERN_WORDS)].view(np.uint16)
    return shorts[:COUNT].tolist(), shorts[LANES : LANES + COUNT].tolist()


def indices(own, other):
    """Each square of a pattern is a digit: 0 empty, 1 the mover's, 2 the other's."""
    digits = [(own >> square & 1) + 2 * (other >> square & 1) for square in range(64)]
    return [
        sum(digits[square] * 3**place for place, square in enumerate(squares))
        for squares in INSTANCES
    ]


def expected_indices(state):
    return indices(state[0], state[1]), indices(state[1], state[0])


@pytest.mark.slow
def test_indices_updated_through_a_game_are_those_of_its_board(memory):
    passes = 0
    for seed in range(25):
        rng = random.Random(seed)
        state = reached(GAME, rng.randrange(61), rng)
        write_indices(*state[:2], empties_of(state), memory.address)
        assert read_indices(memory, state) == expected_indices(state)
        while moves := GAME.moves(state):
            move = rng.choice(moves)
            after = GAME.play(state, move)
            if move == PASS:
                swap(empties_of(state), memory.address)
                passes += 1
            else:
                turned = GAME.flips(*state[:2], GAME.board.bits[move])
                square = move[0] + 8 * move[1]
                update(square, turned, empties_of(state), memory.address)
            state = after
            assert read_indices(memory, state) == expected_indices(state)
    assert passes > 5


def test_the_opponent_s_indices_are_the_mover_s_with_colours_exchanged(memory):
    rng = random.Random(1)
    for _ in range(100):
        own, other, turn = scattered(GAME, rng.randrange(61), rng)
        write_indices(own, other, 64 - (own | other).bit_count(), memory.address)
        mine, yours = read_indices(memory, (own, other, turn))
        write_indices(other, own, 64 - (own | other).bit_count(), memory.address)
        assert read_indices(memory, (own, other, turn)) == (yours, mine)


def quadrants(own, other):
    """For each quadrant how many empty squares it has, and how many of them each side can take."""
    mine, yours = GAME.legal(own, other), GAME.legal(other, own)
    for column, row in product((0, 4), (0, 4)):
        squares = [x + 8 * y for x, y in product(range(column, column + 4), range(row, row + 4))]
        empty = sum(not (own | other) >> square & 1 for square in squares)
        yield empty, *(sum(moves >> square & 1 for square in squares) for moves in (mine, yours))


def units(own, other):
    """The sum of the weights of what lies on the board and of both sides' moves."""
    row = weights()[64 - (own | other).bit_count()].astype(np.int64)
    mine, yours = GAME.legal(own, other).bit_count(), GAME.legal(other, own).bit_count()
    value = sum(row[base + at] for base, at in zip(BASES, indices(own, other), strict=True))
    value += row[SIZE + mine] + row[SIZE + 64 + yours]
    for empty, by_mover, by_other in quadrants(own, other):
        at = 25 * min(empty, 7) + 5 * min(by_mover, 4) + min(by_other, 4)
        value += row[SIZE + 128 + at]
    return int(value)


def test_a_position_is_worth_the_sum_of_its_weights_in_whole_discs(memory):
    rng = random.Random(2)
    looked = 0
    while looked < 100:
        own, other, _ = (reached, scattered)[looked % 2](GAME, rng.randrange(60), rng)
        if not GAME.legal(own, other):
            continue
        looked += 1
        worth = units(own, other) / 128
        found = evaluate(own, other, memory.address)
        assert abs(found - max(-64, min(64, worth))) <= 0.5


def test_a_pass_negates_the_evaluation_and_a_finished_game_has_its_score(memory):
    rng = random.Random(3)
    passes = ends = 0
    for _ in range(1000):
        state = scattered(GAME, rng.randrange(12), rng)
        own, other, turn = state
        if GAME.legal(own, other):
            continue
        found = evaluate(own, other, memory.address)
        if GAME.legal(other, own):
            assert abs(found + evaluate(other, own, memory.address)) <= 1  # halves are rounded up
            passes += 1
        else:
            assert found == GAME.score(state) * (-1 if turn else 1)
            ends += 1
    assert min(passes, ends) > 50


def turned(discs, way):
    """The same discs on the board mirrored and turned in one of the eight ways."""
    cells = np.array([discs >> square & 1 for square in range(64)]).reshape(8, 8)
    cells = np.rot90(cells.T if way >= 4 else cells, way % 4)
    return sum(1 << square for square, disc in enumerate(cells.ravel().tolist()) if disc)


def test_a_position_is_worth_the_same_whichever_way_the_board_lies(memory):
    rng = random.Random(4)
    for number in range(100):
        own, other, _ = (reached, scattered)[number % 2](GAME, rng.randrange(61), rng)
        ways = {(turned(own, way), turned(other, way)) for way in range(8)}
        assert len({evaluate(*position, memory.address) for position in ways}) == 1
        assert len({units(*position) for position in ways}) == 1


# The weights


def test_there_are_weights_for_every_number_of_empty_squares_in_a_small_file():
    rows = weights()
    assert rows.shape == (65, PARAMETERS)
    assert rows.any(axis=1).all()
    assert FILE.stat().st_size < 8 * MEGABYTE


@pytest.mark.slow
def test_unpacking_inverts_packing():
    rng = np.random.default_rng(1)
    rows = np.zeros((3, PARAMETERS), np.int16)
    rows[:, :] = weights()[[FIRST, 30, 50]]
    rows[:, SIZE:] = rng.integers(-32768, 32767, (3, PARAMETERS - SIZE))
    assert (unpack(pack(rows)) == rows).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    "empties", [8, *(pytest.param(number, marks=pytest.mark.long) for number in (9, 10))]
)
def test_the_winner_of_perfect_play_is_seen_before_the_end(empties):
    """Counting the discs tells much less."""
    positions = [in_play(GAME, empties, seed)[:2] for seed in range(200 if LONG else 60)]
    leads = np.array([value_of(GAME, *position) for position in positions])
    evaluated = np.array([units(*position) / 128 for position in positions])
    counted = np.array([own.bit_count() - other.bit_count() for own, other in positions])
    assert np.sqrt(((evaluated - leads) ** 2).mean()) < 0.7 * np.sqrt(
        ((counted - leads) ** 2).mean()
    )
    by_evaluation, by_discs = (
        (np.sign(guess) == np.sign(leads)).mean() for guess in (evaluated, counted)
    )
    assert by_evaluation > by_discs + 0.1


@pytest.mark.parametrize("empties", [20, 40])
def test_a_corner_is_worth_more_than_the_square_diagonal_to_it(empties):
    """The first rule every player learns; of discs that turn nothing else, over many positions."""
    corner, diagonal, gains = 1 << 0, 1 << 9, []
    for seed in range(100):
        own, other = in_play(GAME, empties + 1, seed)[:2]
        if not (own | other) & (corner | diagonal):
            gains.append((units(own | corner, other) - units(own | diagonal, other)) / 128)
    assert len(gains) > 10
    assert np.mean(gains) > 3
