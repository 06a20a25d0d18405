"""What the engine thinks: always a legal move, exact where it says so, the same asked again."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import replace

import pytest

from parlour.core.errors import ParlourError
from parlour.core.value import Unsolved
from parlour.core.work import Work
from parlour.engine import OthelloEngine
from parlour.engine.searcher import SearchResult
from parlour.rules.othello import PASS, Othello
from tests.slow_othello import reached, scattered, value_of

EIGHT = Othello()
SIX = Othello(columns=6, rows=6)
NINE = Othello(opening="despacito")
GAMES = pytest.mark.parametrize("game", [EIGHT, SIX, NINE], ids=["8x8", "6x6", "9x7"])

# Numbers 2, 18, 22, 24, 29 and 40 of the forum's endgame positions: the score of every legal move.
FFO = {
    "-XXXXXX---XOOOO--XOXXOOX-OOOOOOOOOOOXXOOOOOXXOOX--XXOO----XXXXX- X": "a4 10 b2 0 "
    "a3 -6 g7 -8 a7 -12 h7 -14 b7 -14 h2 -24",
    "-XXX------OOOX--XOOOOOXXOXOXOOXXOXXOOOOOXXXOXOOX--OXXO---OOOOO-- X": "g2 -2 b7 -6 "
    "f1 -8 e1 -10 h7 -12 g8 -14 g7 -14 a2 -18 b2 -18",
    "--OOOO--X-OOOOO-XXOOXOXXXOXOXXXXXXXOXXXX-XXOXOXX--OXXX-X----X--- O": "g8 2 a6 0 "
    "f8 -4 a7 -4 h2 -4 b2 -6 d8 -8 b7 -14 g7 -26",
    "--O--O-----OOOX--X-XOXOO--XXXOOOXXXXOOOOXXXOXXOOXXXXXX--XOXX-O-- O": "c3 0 b4 -4 "
    "c2 -8 e8 -12 g7 -14 h2 -16 g1 -24",
    "-OXXXX----OXXO--XXOOXOOOXXXOOXOOXXOOXOOOXXXXOO-XX-XXO----------- X": "g2 10 a1 4 "
    "g6 -10 h2 -12 f8 -12 e8 -12 g7 -24 g1 -24 b2 -30 f7 -34",
    "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X": "a2 38 c7 36 "
    "d8 34 c1 30 b1 30 g7 28 d7 28 c6 28 f7 26 a6 24",
}


def mind_for(game, **options):
    return OthelloEngine(game, megabytes=4, **options)


def empties(game, state):
    return len(game.board.bits) - (state[0] | state[1]).bit_count()


def positions(game, many, left, seed):
    """Positions in which somebody can move, from random play and any discs in turn."""
    lots = random.Random(seed)
    while many:
        state = (reached, scattered)[many % 2](game, lots.choice(left), lots)
        if game.moves(state):
            many -= 1
            yield state


def timeless(thought):
    return replace(thought, seconds=0.0)


def follow(game, state, line):
    """Play a line, which must be legal."""
    for move in line:
        assert move in game.moves(state)
        state = game.play(state, move)
    return state


# What is proven


def scores(text):
    words = text.split()
    return dict(zip(words[::2], map(int, words[1::2]), strict=True))


@pytest.mark.parametrize(("position", "known"), FFO.items(), ids=range(len(FFO)))
def test_the_scores_long_agreed_in_the_field(position, known):
    state = EIGHT.read(position)
    thought = OthelloEngine(EIGHT).solve(state)
    assert thought.exact
    assert thought.score == scores(known)[EIGHT.write_move(thought.move)]
    assert thought.score == max(scores(known).values())


@pytest.mark.parametrize(("position", "known"), list(FFO.items())[:-1], ids=range(len(FFO) - 1))
def test_every_move_has_the_score_long_agreed_in_the_field(position, known):
    found = OthelloEngine(EIGHT).analyse_moves(EIGHT.read(position))
    assert all(thought.exact for thought in found.values())
    assert {EIGHT.write_move(move): thought.score for move, thought in found.items()} == scores(
        known
    )


@GAMES
def test_an_exact_thought_is_the_value_of_plain_minimax(game):
    mind = mind_for(game)
    for state in positions(game, 60, range(1, 9), seed=1):
        thought = mind.solve(state)
        assert thought.exact
        assert thought.certainty == 100
        assert thought.depth == empties(game, state)
        assert thought.score == value_of(game, *state[:2])
        assert -thought.score == value_of(game, *game.play(state, thought.move)[:2])
        assert thought.line[0] == thought.move
        follow(game, state, thought.line)


@GAMES
def test_each_move_is_worth_what_it_leaves_and_the_best_what_is_thought(game):
    mind = mind_for(game)
    passes = 0
    for state in positions(game, 60, range(1, 9), seed=2):
        found = mind.analyse_moves(state)
        assert list(found) == list(game.moves(state))
        for move, thought in found.items():
            assert thought.exact
            assert (thought.move, thought.line[0]) == (move, move)
            assert thought.depth == empties(game, state)
            assert -thought.score == value_of(game, *game.play(state, move)[:2])
            follow(game, state, thought.line)
        best = mind.analyse(state)
        assert best.score == found[best.move].score == max(each.score for each in found.values())
        passes += PASS in found
    assert passes


def test_several_threads_prove_the_same():
    for state in positions(EIGHT, 6, (16, 18), seed=3):
        alone, together = (mind_for(EIGHT, threads=threads).solve(state) for threads in (1, 3))
        assert (alone.move, alone.score) == (together.move, together.score)


def test_4x4_is_known_from_its_start_to_be_lost_by_ten():
    game = Othello(columns=4, rows=4)
    assert mind_for(game).solve(game.start()).score == -10
    assert {each.score for each in mind_for(game).analyse_moves(game.start()).values()} == {-10}


@GAMES
def test_the_last_square_is_taken_for_what_it_is_worth(game):
    mind = mind_for(game)
    for state in positions(game, 20, (1,), seed=4):
        thought = mind.analyse(state, plies=1)
        assert thought.exact
        assert thought.score == value_of(game, *state[:2])


# How far it looks


@GAMES
def test_it_looks_as_many_plies_ahead_as_it_is_told(game):
    mind = mind_for(game)
    for plies, state in zip((1, 2, 3, 5, 8), positions(game, 5, (20, 24, 28), seed=5), strict=True):
        thought = mind.analyse(state, plies=plies)
        assert thought.depth == plies
        assert not thought.exact
        assert thought.certainty == (73 if game == EIGHT else 100)  # elsewhere it cuts no corner
        assert thought.move in game.moves(state)
        found = mind.analyse_moves(state, plies=plies)
        assert {each.depth for each in found.values()} == {plies}
        assert not any(each.exact for each in found.values())


@GAMES
def test_with_few_squares_empty_it_goes_to_the_end_whatever_the_plies(game):
    mind = mind_for(game)
    for state in positions(game, 6, (9, 12), seed=6):
        left = empties(game, state)
        for plies in (None, 1, 60):
            thought = mind.analyse(state, plies=plies, solves=left)
            assert (thought.exact, thought.depth) == (True, left)
        assert not mind.analyse(state, plies=2, solves=left - 1).exact


def test_however_soon_it_is_stopped_it_has_looked_as_far_as_it_came():
    state, work = reached(EIGHT, 26, random.Random(8)), Work()
    depths = []

    def told(thought):
        depths.append(thought.depth)
        if thought.depth == 9:
            work.stop()

    assert mind_for(EIGHT).analyse(state, work=work, on_progress=told).depth == 9
    assert depths == list(range(1, 10))


def test_threads_do_nothing_on_other_boards_and_take_nothing_away():
    state = reached(SIX, 12, random.Random(9))
    one, two = (OthelloEngine(SIX, megabytes=8, threads=threads).solve(state) for threads in (1, 2))
    assert (one.score, one.line) == (two.score, two.line)
    assert len(one.line) > 1


def test_more_hash_than_there_is_room_for_is_refused():
    with pytest.raises(ParlourError, match="no room for 67108864 megabytes of hash; give"):
        OthelloEngine(EIGHT, megabytes=1 << 26)


@GAMES
def test_it_tells_of_ever_deeper_thoughts_and_last_of_the_one_it_ends_with(game):
    mind = mind_for(game)
    for state in (*positions(game, 4, (11, 13), seed=7), reached(game, 18, random.Random(7))):
        told = []
        thought = mind.analyse(state, on_progress=told.append)
        assert told[-1] == thought
        founded = [(each.depth, each.certainty) for each in told]
        assert founded == sorted(set(founded))
        assert founded[0][0] == 1
        proven = [pair == (empties(game, state), 100) for pair in founded]
        assert [each.exact for each in told] == proven
    told = []
    found = mind.analyse_moves(state, plies=6, on_progress=told.append)
    assert told[-1] == found
    assert [{each.depth for each in every.values()} for every in told] == [
        {1},
        {2},
        {3},
        {4},
        {5},
        {6},
    ]


@GAMES
def test_without_a_time_it_finds_the_same_whatever_was_asked_before(game):
    used = mind_for(game)
    for state in positions(game, 8, range(20, 29), seed=8):
        fresh = mind_for(game)
        first = timeless(fresh.analyse(state, plies=9))
        assert timeless(fresh.analyse(state, plies=9)) == first
        assert timeless(used.analyse(state, plies=9)) == first
        assert timeless(mind_for(game, threads=3).analyse(state, plies=9)) == first
        each = {move: timeless(found) for move, found in used.analyse_moves(state, plies=5).items()}
        again = mind_for(game).analyse_moves(state, plies=5)
        assert {move: timeless(found) for move, found in again.items()} == each


def test_forced_to_pass_it_passes_and_says_how_it_goes_on():
    lots = random.Random(9)
    looked = 0
    while looked < 12:
        state = scattered(EIGHT, lots.choice((3, 6, 20, 30)), lots)
        if EIGHT.legal(*state[:2]) or not EIGHT.moves(state):
            continue
        looked += 1
        mind = mind_for(EIGHT)
        thought = mind.analyse(state, plies=4)
        assert (thought.move, thought.line[0]) == (PASS, PASS)
        other = mind_for(EIGHT).analyse(EIGHT.play(state, PASS), plies=4)
        assert (thought.score, thought.depth) == (-other.score, other.depth)
        assert list(mind.analyse_moves(state, plies=4)) == [PASS]


# When it is stopped


@GAMES
def test_stopped_at_once_it_still_has_a_legal_move(game):
    work = Work()
    work.stop()
    mind = mind_for(game)
    for state in positions(game, 12, (1, 2, 8, 15, 30), seed=10):
        thought = mind.analyse(state, work=work)
        assert thought.move in game.moves(state)
        assert not thought.exact
        assert list(mind.analyse_moves(state, work=work)) == list(game.moves(state))
        with pytest.raises(Unsolved, match="stopped"):
            mind.solve(state, work=work)


@GAMES
def test_whenever_it_is_stopped_it_has_a_legal_move_and_claims_only_what_it_looked_at(game):
    lots = random.Random(11)
    mind = mind_for(game)
    for number in range(10):
        state = reached(game, (18, 24, 30)[number % 3], lots)
        told = []
        work = Work()
        timer = threading.Timer(lots.uniform(0, 0.1), work.stop)
        timer.start()
        thought = mind.analyse(state, work=work, on_progress=told.append)
        timer.cancel()
        timer.join()
        assert thought.move in game.moves(state)
        follow(game, state, thought.line)
        founded = [(each.depth, each.certainty) for each in told]
        assert founded == sorted(founded)
        assert thought.exact == (founded[-1:] == [(empties(game, state), 100)])


def test_stopped_on_the_way_to_the_end_it_claims_only_the_plies_it_had_looked_ahead(monkeypatch):
    mind = mind_for(EIGHT)
    state = reached(EIGHT, 20, random.Random(14))
    work, told = Work(), []
    search = mind._searcher.search

    def stopped_at_the_end(own, other, depth, *hints):
        found = search(own, other, depth, *hints)
        if depth < 20:
            return found
        work.stop()  # it had just found a better move
        better = next(move for move in EIGHT.moves(state) if move[0] + 8 * move[1] != hints[-1])
        return SearchResult(found.value, better[0] + 8 * better[1], complete=False)

    monkeypatch.setattr(mind._searcher, "search", stopped_at_the_end)
    thought = mind.analyse(state, work=work, on_progress=told.append)
    assert not thought.exact
    assert max(each.depth for each in told) == told[-1].depth == thought.depth <= 10


@GAMES
def test_it_takes_no_longer_than_it_may(game):
    mind = mind_for(game)
    for seconds in (0.001, 0.05, 0.2):
        begun = time.monotonic()
        thought = mind.analyse(game.start(), seconds=seconds)
        found = mind.analyse_moves(game.start(), seconds=seconds)
        assert time.monotonic() - begun < 2 * seconds + 1
        assert thought.move in game.moves(game.start())
        assert list(found) == list(game.moves(game.start()))


def test_a_time_that_is_not_needed_is_not_used():
    state = reached(EIGHT, 8, random.Random(12))
    assert mind_for(EIGHT).analyse(state, seconds=60).exact
    assert mind_for(EIGHT).analyse(EIGHT.start(), plies=3, seconds=60).depth == 3


# What it refuses


@GAMES
def test_of_an_ended_game_there_is_nothing_to_think(game):
    lots = random.Random(13)
    state = reached(game, 0, lots)
    while game.moves(state):
        state = reached(game, 0, lots)
    mind = mind_for(game)
    for ask in (mind.analyse, mind.analyse_moves, mind.solve):
        with pytest.raises(ParlourError, match="the game is over"):
            ask(state)


def test_a_board_of_more_than_64_squares_is_too_large():
    with pytest.raises(ParlourError, match="at most 64 squares, and this board has 100"):
        OthelloEngine(Othello(columns=10, rows=10))
