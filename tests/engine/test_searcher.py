"""What a searcher proves is true: alone and with helpers, stopped or not."""

from __future__ import annotations

import random
import threading
import time
from contextlib import suppress
from functools import partial

import pytest

from parlour.core.errors import BadOption, ParlourError
from parlour.core.value import Unsolved
from parlour.core.work import Work
from parlour.engine.searcher import CONFIRMING, EXACT, FEW, Searcher, board_table
from parlour.rules.othello import Othello
from tests.slow_othello import reached, scattered, value_of

EIGHT = Othello()
SIX = Othello(columns=6, rows=6)
NINE = Othello(opening="despacito")


def make(game, *, threads=1, work=None):
    searcher = Searcher(game, 4, threads)
    searcher.begin(work or Work())
    return searcher


def make_plain():
    """A searcher that takes 8x8 for any other board, without patterns and ProbCut."""
    searcher = Searcher(EIGHT, 4)
    searcher.selectivities, searcher.selective_empties = (EXACT,), 99
    searcher._board = board_table(8, 8).ctypes.data
    return searcher


def after(game, own, other, square):
    turned = game.flips(own, other, 1 << square)
    return other ^ turned, own ^ turned ^ 1 << square


def agree(game, searcher, lots, empties):
    """Hold one position against minimax, with or without hints; who moves, or how it ended."""
    own, other, _ = lots.choice((reached, scattered))(game, empties, lots)
    value = value_of(game, own, other)
    moves = [square for square in range(64) if game.legal(own, other) >> square & 1]
    guess = lots.choice((None, value, value + lots.randrange(-9, 10), lots.randrange(-64, 65)))
    first = lots.choice((None, lots.randrange(64), *moves))
    found = searcher.search(own, other, 64, EXACT, guess, first)
    assert (found.value, found.complete) == (value, True)
    if not moves:
        assert found.square is None
        return "pass" if game.legal(other, own) else "over"
    assert found.square in moves
    assert -value_of(game, *after(game, own, other, found.square)) == value
    return "move"


def is_narrow(game, own, other):
    """Whether neither side ever has more than few moves from here on."""
    moves = game.legal(own, other)
    if not moves:
        return not game.legal(other, own) or is_narrow(game, other, own)
    squares = [square for square in range(64) if moves >> square & 1]
    return len(squares) <= FEW and all(
        is_narrow(game, *after(game, own, other, square)) for square in squares
    )


SIZES = {  # how many positions to look at with so many squares empty
    EIGHT: dict.fromkeys(range(1, 8), 150) | {0: 20, 8: 100, 9: 20, 10: 8},
    SIX: dict.fromkeys(range(1, 8), 40) | {0: 5, 8: 40, 9: 20, 10: 10},
    NINE: dict.fromkeys(range(1, 8), 40) | {0: 5, 8: 30, 9: 8, 10: 3},
    Othello(columns=4, rows=4): dict.fromkeys(range(11), 20),
    Othello(columns=5, rows=12): dict.fromkeys(range(1, 9), 20),
}


@pytest.mark.parametrize("game", SIZES, ids=lambda game: f"{game.columns}x{game.rows}")
@pytest.mark.slow
def test_a_proven_value_is_that_of_plain_minimax_whatever_is_guessed(game):
    lots = random.Random(1)
    searcher = make(game)
    seen = [
        agree(game, searcher, lots, empties)
        for empties, many in SIZES[game].items()
        for _ in range(many)
    ]
    assert all(seen.count(kind) > 4 for kind in ("move", "pass", "over"))


def test_a_side_without_discs_has_lost_every_square():
    searcher = make(EIGHT)
    lots = random.Random(2)
    for _ in range(20):
        own, other, _ = scattered(EIGHT, lots.randrange(60), lots)
        assert searcher.search(own | other, 0, 64).value == 64
        assert searcher.search(0, own | other, 64).value == -64
    last_disc = EIGHT.read("XO" + "-" * 62 + " X")
    found = searcher.search(*last_disc[:2], 64, guess=0)
    assert (found.value, found.square) == (64, 2)


def hard(many, empties, seed):
    """Positions of random play that take a while to solve."""
    lots = random.Random(seed)
    while many:
        own, other, _ = reached(EIGHT, lots.choice(empties), lots)
        if EIGHT.legal(own, other):
            many -= 1
            yield own, other


@pytest.mark.slow
def test_patterns_and_probcut_prove_the_same_as_without_them():
    """A plain searcher knows neither; both say they proved it."""
    usual, plain = Searcher(EIGHT, 4), make_plain()
    for own, other in hard(16, range(12, 20), seed=3):
        found = usual.solve(own, other)
        assert found.value == plain.solve(own, other).value
        if usual.empties(own, other) <= 15:
            assert plain.solve(*after(EIGHT, own, other, found.square)).value == -found.value


@pytest.mark.parametrize("threads", [2, 3, 5])
@pytest.mark.slow
def test_several_threads_prove_the_same_value_and_a_move_worth_it(threads):
    alone, together = Searcher(EIGHT, 4), Searcher(EIGHT, 4, threads)
    for own, other in hard(10, range(16, 20), seed=4):
        found = together.solve(own, other)
        assert found.value == alone.solve(own, other).value
        assert alone.solve(*after(EIGHT, own, other, found.square)).value == -found.value
        together.begin(Work())
        assert together.nodes == 0


def test_other_boards_are_solved_by_several_threads_too():
    own, other, _ = reached(SIX, 17, random.Random(4))
    alone, together = Searcher(SIX, 4), Searcher(SIX, 4, 3)
    assert together.solve(own, other).value == alone.solve(own, other).value


def test_helpers_search_until_they_are_stopped_and_none_outlives_its_work():
    searcher = make(EIGHT, threads=3)
    helpers = searcher._helpers._memories
    own, other, _ = reached(EIGHT, 40, random.Random(5))
    endless = partial(searcher._kernels.search_root, own, other, -65, 65, 40, EXACT, 0)
    before = threading.active_count()
    with searcher.working(Work()), searcher._helpers.search(endless):
        assert threading.active_count() == before + 2
        while not all(memory.nodes for memory in helpers):
            time.sleep(0.001)
    assert threading.active_count() == before
    assert searcher.memory.nodes == 0
    assert searcher.nodes == sum(memory.nodes for memory in helpers)


@pytest.mark.parametrize("depth", [14, 20], ids=["so many plies", "to the end"])
def test_large_searches_are_helped(monkeypatch, depth):
    searcher = make(EIGHT, threads=2)
    calls = []
    monkeypatch.setattr(type(searcher._helpers), "_take_part", lambda *call: calls.append(call))
    own, other, _ = reached(EIGHT, 20, random.Random(5))
    with searcher.working(Work()):
        searcher.search(own, other, depth, searcher.selectivities[0])
    assert calls


@pytest.mark.parametrize("threads", [0, -1, 257, 1.5, "2"])
def test_a_number_of_threads_that_cannot_be_is_refused_in_a_sentence(threads):
    with pytest.raises(BadOption, match=r"threads cannot be .*whole number from 1 to 256"):
        Searcher(EIGHT, 4, threads)


def stop_soon(work, seconds):
    """Stop it after so long, and tell how much had been worked till then."""
    stopped_at = []

    def stop():
        time.sleep(seconds)
        stopped_at.append(time.process_time())
        work.stop()

    thread = threading.Thread(target=stop)
    thread.start()
    return thread, stopped_at


@pytest.mark.parametrize("game", [EIGHT, NINE], ids=["8x8", "9x7"])
@pytest.mark.parametrize("depth", [30, 64], ids=["so many plies", "to the end"])
@pytest.mark.parametrize("threads", [1, 3])
def test_a_search_and_all_its_threads_end_when_it_is_stopped(game, depth, threads):
    lots = random.Random(6)
    before = threading.active_count()
    for number in range(8):
        work = Work()
        searcher = make(game, threads=threads, work=work)
        own, other, _ = reached(game, 32 + 3 * number, lots)
        thread, stopped_at = stop_soon(work, lots.uniform(0, 0.05))
        with searcher.working(work):
            found = searcher.search(own, other, depth, searcher.selectivities[0])
        took = time.process_time() - (stopped_at or [time.process_time()])[0]
        thread.join()
        assert took < 0.05  # of processor time, so that others on the machine do not count
        assert threading.active_count() == before
        assert not found.complete
        assert found.square is None or game.legal(own, other) >> found.square & 1


@pytest.mark.slow
def test_a_stopped_search_leaves_no_false_entry():
    lots = random.Random(7)
    plain = make_plain()
    for threads, (own, other) in zip((1, 2) * 4, hard(8, range(14, 19), seed=7), strict=True):
        searcher = Searcher(EIGHT, 4, threads)
        begun_at = time.monotonic()
        value = plain.solve(own, other).value
        takes = time.monotonic() - begun_at
        for _ in range(12):
            work = Work()
            thread, _ = stop_soon(work, lots.uniform(0, takes))
            with suppress(Unsolved):
                assert searcher.solve(own, other, work).value == value
            thread.join()
        assert searcher.solve(own, other).value == value


def test_a_stopped_search_is_not_called_solved():
    work = Work()
    work.stop()
    for game in (EIGHT, SIX):
        with pytest.raises(Unsolved, match="stopped"):
            Searcher(game, 4).solve(*game.start()[:2], work)


def test_after_forgetting_the_same_is_searched_and_found_again():
    for game in (EIGHT, SIX, NINE):
        searcher = make(game)
        own, other, _ = reached(game, 12, random.Random(8))
        first = searcher.search(own, other, 64)
        assert searcher.hash_move(own, other) == first.square
        nodes = searcher.nodes
        assert nodes > 0
        searcher.begin(Work())
        assert searcher.search(own, other, 64) == first
        assert searcher.nodes < nodes  # for it was in the table
        searcher.forget()
        assert searcher.hash_move(own, other) is None
        searcher.begin(Work())
        assert searcher.search(own, other, 64) == first
        assert searcher.nodes == nodes


def test_a_searcher_works_before_begin_is_called():
    for game in (EIGHT, SIX):
        own, other, _ = reached(game, 8, random.Random(9))
        assert Searcher(game, 4, 2).search(own, other, 64).value == value_of(game, own, other)


def test_a_board_of_more_than_64_squares_is_refused():
    with pytest.raises(ParlourError, match="at most 64 squares, and this board has 72"):
        Searcher(Othello(columns=9, rows=8), 4)


def test_a_confirming_search_follows_lines_with_few_moves_to_the_end():
    searcher, lots = make(EIGHT), random.Random(19)
    seen, estimates = 0, 0
    while seen < 40:
        own, other, _ = reached(EIGHT, 6, lots)
        if not EIGHT.legal(own, other) or not is_narrow(EIGHT, own, other):
            continue
        seen += 1
        value = value_of(EIGHT, own, other)
        assert searcher.search(own, other, 3, CONFIRMING).value == value
        searcher.forget()
        estimates += searcher.search(own, other, 3, 1).value != value
    assert estimates > 10  # three plies alone do not know the end
