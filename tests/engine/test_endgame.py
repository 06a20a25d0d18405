"""The last squares of an Othello: their values, how many are solved, and which are refused."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from parlour.core.value import Unsolved, Value
from parlour.core.work import Work
from parlour.engine.endgame import EndSolution, most_empties
from parlour.engine.searcher import Searcher
from parlour.rules.othello import Othello
from parlour.truth.graph import GraphSolution, StartingAt, solve_graph
from parlour.truth.proofs.certificates import certificate
from parlour.truth.proofs.checker import check
from parlour.truth.solver import solve_at
from tests.slow_othello import in_play


def test_4x4_is_lost_by_ten_from_its_start():
    """11 to 3 with 2 empties, which the winner has."""
    game = Othello(columns=4, rows=4)
    solution = solve_at(game, game.start())
    assert isinstance(solution, EndSolution)
    assert solution.margin(game.start()) == -10
    assert solution.value(game.start()).outcome == "loss"
    assert [solution.margin_after(game.start(), move) for move in game.moves(game.start())] == [
        -10
    ] * 4


@pytest.mark.parametrize("shape", [(8, 8), (9, 7), (4, 16), (6, 6)])
def test_values_and_distances_are_those_of_the_whole_graph(shape):
    game = Othello(columns=shape[0], rows=shape[1])
    for seed in range(3):
        state = in_play(game, 7, seed, 1)
        listed = solve_graph(StartingAt(game, state), Work())
        solution = solve_at(game, state)
        assert solution.value(state) == listed.value(state)
        assert solution.best(state) == listed.best(state)
        for move in game.moves(state):
            assert solution.after(state, move) == listed.after(state, move)
            margin = solution.margin_after(state, move)
            sign = {"win": 1, "draw": 0, "loss": -1}[listed.after(state, move).outcome]
            assert (margin > 0) - (margin < 0) == sign


FFO = {  # numbers 1, 5 and 20 of the forum's endgame positions: the score of every legal move
    "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X": "g8 18 h1 12 h7 6 a2 6 "
    "a3 4 b1 -4 a4 -22 g2 -24",
    "-OOOOO----OXXO-XXXOXOXX-XXOXOXXOXXOOXOOOXXXXOO-OX-XOOO---XXXXX-- X": "g8 32 g2 12 b2 -20 "
    "g6 -26 g1 -32 g7 -34",
    "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X": "h5 6 g6 -2 f6 -4 h6 -10",
}


@pytest.mark.parametrize("position", FFO)
def test_the_scores_long_agreed_in_the_field(position):
    game = Othello()
    state = game.read(position)
    words = FFO[position].split()
    known = dict(zip(words[::2], map(int, words[1::2]), strict=True))
    solution = solve_at(game, state)
    found = {game.write_move(m): solution.margin_after(state, m) for m in game.moves(state)}
    assert found == known
    assert solution.margin(state) == max(known.values())
    best = [game.write_move(move) for move in solution.most_discs(state)]
    assert best == [move for move in known if known[move] == max(known.values())]


@pytest.mark.parametrize(("shape", "left"), [((8, 8), 16), ((9, 7), 14)])
def test_with_more_than_twelve_empty_squares_discs_decide_and_no_distance_is_known(shape, left):
    game = Othello(columns=shape[0], rows=shape[1])
    outcomes = set()
    for seed in range(4):
        state = in_play(game, left, seed, 1)
        solution = solve_at(game, state)
        margins = {move: solution.margin_after(state, move) for move in game.moves(state)}
        assert solution.margin(state) == max(margins.values())
        assert set(solution.best(state)) == {
            move for move in margins if margins[move] == solution.margin(state)
        }
        for margin, value in [
            (solution.margin(state), solution.value(state)),
            *((margins[move], solution.after(state, move)) for move in margins),
        ]:
            assert value == Value("win" if margin > 0 else "loss" if margin < 0 else "draw")
            outcomes.add(value.outcome)
    assert {"win", "loss"} <= outcomes


@pytest.mark.parametrize("shape", [(8, 8), (9, 7), (4, 16)])
def test_the_line_for_discs_is_legal_and_ends_with_the_margin(shape):
    game = Othello(columns=shape[0], rows=shape[1])
    for seed in range(4):
        state = in_play(game, 14, seed, 1)
        solution = solve_at(game, state)
        margin = solution.margin(state) if game.turn(state) == 0 else -solution.margin(state)
        for move in solution.line(state):
            state = game.play(state, move)
        assert game.result(state) is not None
        assert game.score(state) == margin


def test_threads_that_solve_at_once_do_not_disturb_each_other():
    game = Othello()
    states = [in_play(game, 14, seed, 1) for seed in range(20)]

    def margin(state):
        return solve_at(game, state).margin(state)

    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(margin, states))
    assert together == [Searcher(game, 4).solve(*state[:2]).value for state in states]


def test_an_ended_position_has_its_result_and_no_distance_to_go():
    game = Othello(columns=4, rows=4)
    solution = EndSolution(game, Work())
    full = game.read("XXXXXXXXXXXXOOO- O")
    assert game.result(full) == (1, -1)
    assert solution.value(full) == Value("loss", 0)
    assert solution.margin(full) == -game.score(full) == -10
    level = game.read("XXXXXXXXOOOOOOOO X")
    assert solution.value(level) == Value("draw")
    assert solution.margin(level) == 0


def test_what_is_not_solved_is_refused_with_the_numbers():
    game = Othello()
    with pytest.raises(Unsolved, match=r"19 squares are empty.*only when at most 18 are"):
        solve_at(game, in_play(game, 19, 1, 1))
    solution = solve_at(game, in_play(game, 18, 1, 1))
    for asked in (solution.value, solution.margin):
        with pytest.raises(Unsolved, match="60 squares"):
            asked(game.start())
    with pytest.raises(Unsolved, match="not listed"):
        solution.counts()


def test_boards_of_more_than_64_squares_are_listed_and_so_solved_later():
    game = Othello(columns=9, rows=8)
    assert most_empties(game) == 10
    state = in_play(game, 5, 2, 1)
    assert isinstance(solve_at(game, state), GraphSolution)
    with pytest.raises(Unsolved, match=r"11 squares are empty.*only when at most 10 are"):
        solve_at(game, in_play(game, 11, 2, 1))


def test_stopped_work_gives_no_value():
    game = Othello()
    work = Work()
    state = in_play(game, 12, 3, 1)
    solution = solve_at(game, state, work=work)
    work.stop()
    with pytest.raises(Unsolved, match="stopped"):
        solution.value(state)
    with pytest.raises(Unsolved, match="stopped"):
        solution.margin(state)


def test_a_certificate_of_an_ending_is_checked():
    game = Othello(columns=6, rows=6)
    state = in_play(game, 7, 6, 1)
    text = check(certificate(solve_at(game, state), state))
    assert f"is a {solve_at(game, state).value(state).outcome}" in text
