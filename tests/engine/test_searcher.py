"""What a searcher proves is true: alone and with helpers, stopped or not."""

import random
import threading
import time

import pytest

from parlour.core.errors import BadOption, ParlourError
from parlour.core.value import Unsolved
from parlour.core.work import Work
from parlour.engine.searcher import CONFIRMING, EXACT, FEW, Searcher, board_table
from parlour.rules.othello import Othello
from tests.conftest import LONG
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


def agree(game, searcher, chance, empties):
    """Hold one position against minimax, with or without hints; who moves, or how it ended."""
    own, other, _ = chance.choice((reached, scattered))(game, empties, chance)
    value = value_of(game, own, other)
    moves = [square for square in range(64) if game.legal(own, other) >> square & 1]
    guess = chance.choice(
        (None, value, value + chance.randrange(-9, 10), chance.randrange(-64, 65))
    )
    first = chance.choice((None, chance.randrange(64), *moves))
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


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    [EIGHT, SIX, NINE, Othello(columns=4, rows=4), Othello(columns=5, rows=12)],
    ids=lambda game: f"{game.columns}x{game.rows}",
)
def test_a_proven_value_is_that_of_plain_minimax_whatever_is_guessed(game):
    chance = random.Random(1)
    searcher = make(game)
    numbers = dict.fromkeys(range(9), 200 if LONG else 40) | {9: 10}
    seen = [
        agree(game, searcher, chance, empties)
        for empties, many in numbers.items()
        for _ in range(many)
    ]
    assert all(seen.count(kind) > 4 for kind in ("move", "pass", "over"))


def test_a_side_without_discs_has_lost_every_square():
    searcher = make(EIGHT)
    chance = random.Random(2)
    for _ in range(20):
        own, other, _ = scattered(EIGHT, chance.randrange(60), chance)
        assert searcher.search(own | other, 0, 64).value == 64
        assert searcher.search(0, own | other, 64).value == -64
    last_disc = EIGHT.read("XO" + "-" * 62 + " X")
    found = searcher.search(*last_disc[:2], 64, guess=0)
    assert (found.value, found.square) == (64, 2)


def hard(many, empties, seed):
    """Positions of random play that take a while to solve."""
    chance = random.Random(seed)
    while many:
        own, other, _ = reached(EIGHT, chance.choice(empties), chance)
        if EIGHT.legal(own, other):
            many -= 1
            yield own, other


def test_patterns_and_probcut_prove_the_same_as_without_them():
    """A plain searcher has neither; both prove it."""
    usual, plain = Searcher(EIGHT, 4), make_plain()
    for own, other in hard(16 if LONG else 6, range(12, 18), seed=3):
        found = usual.solve(own, other)
        assert found.value == plain.solve(own, other).value
        if usual.empties(own, other) <= 15:
            assert plain.solve(*after(EIGHT, own, other, found.square)).value == -found.value


@pytest.mark.parametrize("threads", [2, pytest.param(5, marks=pytest.mark.long)])
def test_several_threads_prove_the_same_value_and_a_move_worth_it(threads):
    alone, together = Searcher(EIGHT, 4), Searcher(EIGHT, 4, threads)
    for own, other in hard(10 if LONG else 4, range(16, 19), seed=4):
        found = together.solve(own, other)
        assert found.value == alone.solve(own, other).value
        assert alone.solve(*after(EIGHT, own, other, found.square)).value == -found.value
        together.begin(Work())
        assert together.nodes == 0


def test_other_boards_are_solved_by_several_threads_too():
    own, other, _ = reached(SIX, 17, random.Random(4))
    alone, together = Searcher(SIX, 4), Searcher(SIX, 4, 3)
    assert together.solve(own, other).value == alone.solve(own, other).value


def test_all_threads_take_part_in_a_search_and_end_with_it():
    before, work, searcher = threading.active_count(), Work(), make(EIGHT, threads=3)
    own, other, _ = reached(EIGHT, 40, random.Random(5))

    def search():
        with searcher.working(work):
            searcher.search(own, other, 40)

    thread = threading.Thread(target=search)  # for ever, unless it is stopped
    thread.start()
    while searcher.nodes <= searcher.memory.nodes:  # those of all threads, and of the first
        time.sleep(0.001)
    work.stop()
    thread.join()
    assert threading.active_count() == before


@pytest.mark.parametrize("threads", [0, -1, 257, 1.5, "2"])
def test_a_number_of_threads_that_cannot_be_is_refused_in_a_sentence(threads):
    with pytest.raises(BadOption, match=r"threads cannot be .*whole number from 1 to 256"):
        Searcher(EIGHT, 4, threads)


@pytest.mark.parametrize("game", [EIGHT, NINE], ids=["8x8", "9x7"])
@pytest.mark.parametrize("threads", [1, 3])
def test_a_search_and_all_its_threads_end_when_it_is_stopped(game, threads):
    """Which else would take for ever."""
    chance = random.Random(6)
    before = threading.active_count()
    for depth in (30, 64):
        work = Work()
        searcher = make(game, threads=threads, work=work)
        own, other, _ = reached(game, 44, chance)
        timer = threading.Timer(0.02, work.stop)
        timer.start()
        with searcher.working(work):
            found = searcher.search(own, other, depth, searcher.selectivities[0])
        timer.join()
        assert threading.active_count() == before
        assert not found.complete
        assert found.square is None or game.legal(own, other) >> found.square & 1


@pytest.mark.parametrize("game", [EIGHT, SIX], ids=["8x8", "6x6"])
def test_a_stopped_search_leaves_no_false_entry(game):
    """It is stopped earlier and later, in a thread and two, until it once comes to the end."""
    chance = random.Random(7)
    for threads in (1, 2):
        own, other, _ = reached(game, 17, chance)
        value = Searcher(game, 4).solve(own, other).value
        searcher, seconds = Searcher(game, 4, threads), 0.0005
        while True:
            work = Work()
            timer = threading.Timer(seconds, work.stop)
            timer.start()
            try:
                found = searcher.solve(own, other, work)
            except Unsolved:
                seconds *= 1.5
            else:
                break
            finally:
                timer.join()
        assert found.value == value


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
    searcher, chance = make(EIGHT), random.Random(19)
    seen, estimates = 0, 0
    while seen < 40:
        own, other, _ = reached(EIGHT, 6, chance)
        if not EIGHT.legal(own, other) or not is_narrow(EIGHT, own, other):
            continue
        seen += 1
        value = value_of(EIGHT, own, other)
        assert searcher.search(own, other, 3, CONFIRMING).value == value
        searcher.forget()
        estimates += searcher.search(own, other, 3, 1).value != value
    assert estimates > 10  # three plies alone do not know the end
