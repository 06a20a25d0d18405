"""The engine always has a legal move, is exact where it says so, and finds the same again.

What a move lost is never negative, and where all is proven the losses add up to the result.
"""

import random
from dataclasses import replace

import pytest

import parlour
from parlour.core.errors import ParlourError
from parlour.core.value import Unsolved
from parlour.core.work import Work
from parlour.engine import Analysis, LossAnalyser, OthelloEngine
from parlour.engine.endgame import empties
from parlour.engine.searcher import SearchResult
from parlour.rules.formats import read_games
from parlour.rules.othello import PASS, Othello
from tests.slow_othello import reached, scattered, value_of

EIGHT = Othello()
SIX = Othello(columns=6, rows=6)
NINE = Othello(opening="despacito")
GAMES = pytest.mark.parametrize("game", [EIGHT, SIX, NINE], ids=["8x8", "6x6", "9x7"])

# Numbers 2, 29 and 40 of the forum's endgame positions: the score of every legal move.
FFO = {
    "-XXXXXX---XOOOO--XOXXOOX-OOOOOOOOOOOXXOOOOOXXOOX--XXOO----XXXXX- X": "a4 10 b2 0 "
    "a3 -6 g7 -8 a7 -12 h7 -14 b7 -14 h2 -24",
    "-OXXXX----OXXO--XXOOXOOOXXXOOXOOXXOOXOOOXXXXOO-XX-XXO----------- X": "g2 10 a1 4 "
    "g6 -10 h2 -12 f8 -12 e8 -12 g7 -24 g1 -24 b2 -30 f7 -34",
    "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X": "a2 38 c7 36 "
    "d8 34 c1 30 b1 30 g7 28 d7 28 c6 28 f7 26 a6 24",
}


def engine_for(game, **options):
    return OthelloEngine(game, megabytes=4, **options)


def positions(game, many, left, seed):
    """Positions in which a move is possible, from random play and any discs in turn."""
    rng = random.Random(seed)
    while many:
        state = (reached, scattered)[many % 2](game, rng.choice(left), rng)
        if game.moves(state):
            many -= 1
            yield state


def without_time(analysis):
    return replace(analysis, seconds=0.0)


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


@pytest.mark.slow
def test_the_hardest_position_has_the_score_long_agreed_in_the_field():
    position, known = list(FFO.items())[-1]
    state = EIGHT.read(position)
    analysis = OthelloEngine(EIGHT).solve(state)
    assert analysis.exact
    assert analysis.score == scores(known)[EIGHT.write_move(analysis.move)]
    assert analysis.score == max(scores(known).values())


@pytest.mark.parametrize(("position", "known"), list(FFO.items())[:-1], ids=range(len(FFO) - 1))
def test_every_move_has_the_score_long_agreed_in_the_field(position, known):
    engine, state = OthelloEngine(EIGHT), EIGHT.read(position)
    assert engine.solve(state).score == max(scores(known).values())
    found = engine.analyse_moves(state)
    assert all(analysis.exact for analysis in found.values())
    assert {EIGHT.write_move(move): analysis.score for move, analysis in found.items()} == scores(
        known
    )


@GAMES
def test_an_exact_analysis_is_the_value_of_plain_minimax(game):
    engine = engine_for(game)
    for state in positions(game, 30, range(1, 9), seed=1):
        analysis = engine.solve(state)
        assert analysis.exact
        assert analysis.certainty == 100
        assert analysis.depth == empties(game, state)
        assert analysis.score == value_of(game, *state[:2])
        assert -analysis.score == value_of(game, *game.play(state, analysis.move)[:2])
        assert analysis.line[0] == analysis.move
        follow(game, state, analysis.line)


@GAMES
def test_each_move_has_the_value_it_leaves_and_the_best_that_of_the_position(game):
    engine = engine_for(game)
    passes = 0
    for state in positions(game, 40, range(1, 8), seed=2):
        found = engine.analyse_moves(state)
        assert list(found) == list(game.moves(state))
        for move, analysis in found.items():
            assert analysis.exact
            assert (analysis.move, analysis.line[0]) == (move, move)
            assert analysis.depth == empties(game, state)
            assert -analysis.score == value_of(game, *game.play(state, move)[:2])
            follow(game, state, analysis.line)
        best = engine.analyse(state)
        assert best.score == found[best.move].score == max(each.score for each in found.values())
        passes += PASS in found
    assert passes


# How far it looks


@GAMES
def test_it_searches_to_the_depth_asked_for(game):
    engine = engine_for(game)
    for plies, state in zip((1, 2, 3, 5, 8), positions(game, 5, (20, 24, 28), seed=5), strict=True):
        analysis = engine.analyse(state, plies=plies)
        assert analysis.depth == plies
        assert not analysis.exact
        assert analysis.certainty == (73 if game == EIGHT else 100)  # elsewhere there is no ProbCut
        assert analysis.move in game.moves(state)
        found = engine.analyse_moves(state, plies=plies)
        assert {each.depth for each in found.values()} == {plies}
        assert not any(each.exact for each in found.values())


@GAMES
def test_with_few_squares_empty_it_goes_to_the_end_whatever_the_plies(game):
    engine = engine_for(game)
    for state in positions(game, 6, (9, 12), seed=6):
        left = empties(game, state)
        for plies in (None, 1, 60):
            analysis = engine.analyse(state, plies=plies, solves=left)
            assert (analysis.exact, analysis.depth) == (True, left)
        assert not engine.analyse(state, plies=2, solves=left - 1).exact


def test_however_soon_it_is_stopped_it_has_looked_as_far_as_it_came():
    state, work = reached(EIGHT, 26, random.Random(8)), Work()
    depths = []

    def report(analysis):
        depths.append(analysis.depth)
        if analysis.depth == 9:
            work.stop()

    assert engine_for(EIGHT).analyse(state, work=work, on_progress=report).depth == 9
    assert depths == list(range(1, 10))


def test_more_hash_than_there_is_room_for_is_refused():
    with pytest.raises(ParlourError, match="no room for 67108864 megabytes of hash; give"):
        OthelloEngine(EIGHT, megabytes=1 << 26)


@GAMES
def test_it_reports_ever_deeper_analyses_and_last_the_one_it_returns(game):
    engine = engine_for(game)
    for state in (*positions(game, 4, (11, 13), seed=7), reached(game, 18, random.Random(7))):
        reports = []
        analysis = engine.analyse(state, on_progress=reports.append)
        assert reports[-1] == analysis
        depths = [(each.depth, each.certainty) for each in reports]
        assert depths == sorted(set(depths))
        assert depths[0][0] == 1
        proven = [pair == (empties(game, state), 100) for pair in depths]
        assert [each.exact for each in reports] == proven
    reports = []
    found = engine.analyse_moves(state, plies=6, on_progress=reports.append)
    assert reports[-1] == found
    depths = [{each.depth for each in every.values()} for every in reports]
    assert depths == [{depth} for depth in range(1, 7)]


@GAMES
def test_without_a_time_it_finds_the_same_whatever_was_searched_before(game):
    used = engine_for(game)
    for state in positions(game, 3, range(20, 29), seed=8):
        fresh = engine_for(game)
        first = without_time(fresh.analyse(state, plies=9))
        assert without_time(fresh.analyse(state, plies=9)) == first
        assert without_time(used.analyse(state, plies=9)) == first
        each = {
            move: without_time(found) for move, found in used.analyse_moves(state, plies=5).items()
        }
        again = engine_for(game).analyse_moves(state, plies=5)
        assert {move: without_time(found) for move, found in again.items()} == each


# When it is stopped


@GAMES
def test_stopped_at_once_it_still_has_a_legal_move(game):
    work = Work()
    work.stop()
    engine = engine_for(game)
    for state in positions(game, 12, (1, 2, 8, 15, 30), seed=10):
        analysis = engine.analyse(state, work=work)
        assert analysis.move in game.moves(state)
        assert not analysis.exact
        assert list(engine.analyse_moves(state, work=work)) == list(game.moves(state))
        with pytest.raises(Unsolved, match="stopped"):
            engine.solve(state, work=work)


def test_stopped_on_the_way_to_the_end_it_claims_only_the_depth_it_had_reached(monkeypatch):
    engine = engine_for(EIGHT)
    state = reached(EIGHT, 20, random.Random(14))
    work, reports = Work(), []
    search = engine._searcher.search

    def stopped_at_the_end(own, other, depth, *hints):
        found = search(own, other, depth, *hints)
        if depth < 20:
            return found
        work.stop()  # it had just found a better move
        better = next(move for move in EIGHT.moves(state) if move[0] + 8 * move[1] != hints[-1])
        return SearchResult(found.value, better[0] + 8 * better[1], complete=False)

    monkeypatch.setattr(engine._searcher, "search", stopped_at_the_end)
    analysis = engine.analyse(state, work=work, on_progress=reports.append)
    assert not analysis.exact
    assert max(each.depth for each in reports) == reports[-1].depth == analysis.depth <= 10


def test_a_time_that_is_not_needed_is_not_used():
    state = reached(EIGHT, 8, random.Random(12))
    assert engine_for(EIGHT).analyse(state, seconds=60).exact
    assert engine_for(EIGHT).analyse(EIGHT.start(), plies=3, seconds=60).depth == 3


# What it refuses


@GAMES
def test_of_an_ended_game_there_is_no_analysis(game):
    rng = random.Random(13)
    state = reached(game, 0, rng)
    while game.moves(state):
        state = reached(game, 0, rng)
    engine = engine_for(game)
    for search in (engine.analyse, engine.analyse_moves, engine.solve):
        with pytest.raises(ParlourError, match="the game is over"):
            search(state)


# What moves lost


def random_game(game, seed):
    """Return a random game as a transcript, and black's lead at its end."""
    rng, state, words = random.Random(seed), game.start(), []
    while moves := game.moves(state):
        move = rng.choice(moves)
        words.append(game.write_move(move))
        state = game.play(state, move)
    [transcript] = read_games(" ".join(words).encode(), game)
    return transcript, game.score(state)


@pytest.mark.parametrize(
    ("columns", "rows", "seed"), [(8, 8, 1), (8, 8, 2), (6, 6, 3), (9, 7, 4), (4, 4, 5)]
)
def test_proven_losses_lead_from_the_value_to_the_result(columns, rows, seed):
    """Every move gives away its loss and no more: the value, less the analyser, is the result."""
    game = parlour.game("othello", columns=columns, rows=rows)
    transcript, lead = random_game(game, seed)
    analyser = LossAnalyser(OthelloEngine(game, megabytes=8), plies=3, exact=12)
    end = [
        (state, move)
        for state, move in transcript.positions()
        if move is not None and columns * rows - (state[0] | state[1]).bit_count() <= 12
    ]
    measured = [analyser.measure(state, move, Work()) for state, move in end]
    assert all(loss.exact for loss in measured)
    assert all(loss.loss >= 0 for loss in measured)
    signs = [-1 if loss.seat else 1 for loss in measured]
    value = signs[0] * (measured[0].score + measured[0].loss)
    lost = sum(sign * loss.loss for sign, loss in zip(signs, measured, strict=True))
    assert value - lost == lead
    for (state, move), loss in zip(end[-7:], measured[-7:], strict=True):
        assert loss.score == -value_of(game, *game.play(state, move)[:2])
        assert loss.score + loss.loss == value_of(game, *state[:2])
        assert loss.score + loss.loss == -value_of(game, *game.play(state, loss.best)[:2])
        assert loss.forced == (len(game.moves(state)) == 1)


@pytest.mark.parametrize(
    ("position", "ending"),
    [("-X---XOOXOOOOOOO O", "a2"), ("OOO-OOX-OXXXOO-- O", "c4"), ("XXXXXXXX-OXX-O-- X", "a3")],
)
def test_a_move_may_end_the_game_too_soon(position, ending):
    game = parlour.game("othello", columns=4, rows=4)
    analyser, state = LossAnalyser(OthelloEngine(game, megabytes=8), exact=12), game.read(position)
    for move in game.moves(state):
        after, loss = game.play(state, move), analyser.measure(state, move, Work())
        assert loss.score == -value_of(game, *after[:2])
        assert loss.score + loss.loss == value_of(game, *state[:2])
        if game.write_move(move) == ending:
            assert not game.moves(after)
            assert loss.loss > 0


class Wavering:
    """Scores the first move well, and any other better still once it is made."""

    game = parlour.game("othello")

    def analyse(self, state, **_):
        move = self.game.moves(state)[0]
        return Analysis(
            move, 2.0 if state == self.game.start() else -5.0, False, 4, 73, (move,), 1, 0
        )


def test_a_move_that_turns_out_better_than_the_best_lost_nothing():
    game = Wavering.game
    first, second, *_ = game.moves(game.start())
    loss = LossAnalyser(Wavering(), plies=4).measure(game.start(), second, Work())
    assert (loss.loss, loss.best, loss.score) == (0, second, 5)
    loss = LossAnalyser(Wavering(), plies=4).measure(game.start(), first, Work())
    assert (loss.loss, loss.best, loss.score) == (0, first, 2)


class Hurried(Wavering):
    """Searches deep at first, and has little time afterwards."""

    def analyse(self, state, *, plies=None, seconds=None, **_):
        move = self.game.moves(state)[0]
        if state == self.game.start():
            depth, score = 10, 8.0
        else:
            depth, score = (3, -2.0) if seconds else (plies, -4.0)
        return Analysis(move, score, False, depth, 73, (move,), 1, 0)


def test_a_move_is_compared_with_the_best_at_its_own_depth():
    game = Hurried.game
    first, second, *_ = game.moves(game.start())
    loss = LossAnalyser(Hurried(), seconds=1).measure(game.start(), second, Work())
    assert (loss.score, loss.loss, loss.best, loss.depth) == (2, 2, first, 4)


def test_stopped_work_measures_nothing():
    game, work = parlour.game("othello"), Work()
    work.stop()
    with pytest.raises(Unsolved):
        LossAnalyser(OthelloEngine(game, megabytes=8), plies=6).measure(game.start(), (3, 2), work)


def test_a_confirmed_analysis_is_surer_at_the_same_depth_and_remains_an_estimate():
    engine = engine_for(EIGHT)
    for state in positions(EIGHT, 3, [30], seed=5):
        plain = engine.analyse(state, plies=7)
        confirmed = engine.analyse(state, plies=7, confirms=True)
        assert (plain.certainty, confirmed.certainty) == (73, 95)
        assert (confirmed.depth, confirmed.exact) == (7, False)
        assert confirmed.nodes > plain.nodes
        assert without_time(engine.analyse(state, plies=7, confirms=True)) == without_time(
            confirmed
        )
    six = engine_for(SIX)
    state = next(iter(positions(SIX, 1, [20], seed=5)))
    expects = without_time(six.analyse(state, plies=4))
    assert without_time(six.analyse(state, plies=4, confirms=True)) == expects
