"""The values of moves: by theorems, by plain minimax and by known facts; or why there are none."""

import json
import random
import threading

import pytest

from parlour.core.referee import Match
from parlour.core.work import Work
from parlour.engine import OthelloEngine
from parlour.players import move_values as assessing
from parlour.players.engine import estimate_moves
from parlour.players.move_values import Assessment, Evaluation, assess, recover_estimate
from parlour.rules.chopsticks import Chopsticks
from parlour.rules.nim import CLASS_ENDINGS, Nim
from parlour.rules.othello import Othello
from parlour.rules.tictactoe import TicTacToe
from parlour.truth.explain.othello import outcome_of
from tests.oracle import oracle
from tests.slow_othello import in_play, value_of
from tests.variants import VARIANTS, label


def by_move(found):
    return {move.move: move for move in found.moves}


def best(found):
    return {move.move for move in found.moves if move.best}


@pytest.mark.parametrize("game", [Nim(), Chopsticks(), TicTacToe()], ids=label)
def test_every_move_has_its_exact_value(game):
    truth = oracle(game)
    playable = sorted(state for state, moves in truth.after.items() if moves)
    for state in (game.start(), *random.Random(3).sample(playable, 15)):
        found = assess(game, state)
        expected = [(game.write_move(move), *worth) for move, worth in truth.moves(state)]
        assert [(each.move, each.outcome, each.plies) for each in found.moves] == expected
        assert all(each.exact and each.score is None for each in found.moves)
        assert (found.value.outcome, found.value.plies) == truth.values[state]
        outcome = truth.values[state][0]
        least = truth.values[state][1]
        kept = {
            each.move
            for each in found.moves
            if each.outcome == outcome and (outcome == "draw" or each.plies == least)
        }
        assert best(found) == kept


def test_of_a_billion_moves_200_are_listed_and_the_winning_one_is_among_them():
    game = Nim(piles=(10**9, 5, 7))
    found = assess(game, game.start(), played=(0, 12_345))
    assert len(found.moves) <= 200
    assert best(found) == {f"{10**9 - 2} from 1"}
    assert found.value == Evaluation("win")
    assert by_move(found)["12345 from 1"].outcome == "loss"
    order = [
        game.moves(game.start()).index(game.read_move(game.start(), m.move)) for m in found.moves
    ]
    assert order == sorted(order)


def test_a_table_of_many_moves_also_has_the_best_among_those_listed():
    game = Nim(piles=(1000,), take=300)
    found = assess(game, game.start())
    assert len(found.moves) <= 200
    assert best(found) == {f"{1000 % 301} from 1"}  # to leave a multiple of 301


def test_a_position_that_never_arises_from_the_start_is_assessed_where_it_stands():
    game = Nim()
    found = assess(game, game.read("9,9:1"))
    assert found.value.outcome == "loss"
    game = Chopsticks()
    state = game.read("4,4:4,4:1")
    value = assess(game, state).value
    assert (value.outcome, value.plies) == oracle(game, state).values[state]


@pytest.mark.parametrize("shape", [(8, 8), (5, 7)])
def test_the_end_of_an_othello_is_valued_to_the_disc(shape):
    game = Othello(columns=shape[0], rows=shape[1])
    for seed in range(3):
        state = in_play(game, 6, seed)
        found = assess(game, state)
        scores = {
            game.write_move(move): -value_of(game, *game.play(state, move)[:2])
            for move in game.moves(state)
        }
        assert {move.move: move.score for move in found.moves} == scores
        assert found.value.score == max(scores.values())
        assert best(found) == {move for move in scores if scores[move] == found.value.score}
        for move in found.moves:
            assert move.exact
            assert move.outcome == outcome(move.score)
            assert move.outcome == "draw" or move.plies > 0


def outcome(score):
    return "win" if score > 0 else "loss" if score < 0 else "draw"


def test_earlier_an_othello_is_estimated_and_named_so():
    game = Othello()
    for left in (26, 60):
        state = in_play(game, left, seed=1)
        found = assess(game, state, seconds=0.1)
        assert len(found.moves) == len(game.moves(state))
        assert not any(move.exact for move in found.moves)
        assert not found.value.exact
        assert found.value.score == max(move.score for move in found.moves)
        assert all(abs(move.score) <= 64 for move in found.moves)
        assert found.by == "engine"
        assert 1 <= found.ahead < left
        assert 50 < found.certainty < 100
        sure = f"{found.certainty} % sure"
        assert found.source == f"estimated by engine, {found.ahead} moves ahead, {sure}"


def test_an_estimate_is_the_engines_own_and_is_handed_on_unchanged():
    game = Othello()
    state = in_play(game, 40, seed=3)
    guess = estimate_moves(game, state, plies=6, seconds=None)
    expects = OthelloEngine(game).analyse_moves(state, plies=6)
    assert guess.scores == {move: thought.score for move, thought in expects.items()}
    found = assess(game, state, seconds=0.1)
    known = recover_estimate(game, state, Assessment.from_dict(found.to_dict()))
    assert (known.by, known.plies, known.certainty) == ("engine", found.ahead, found.certainty)
    assert known.scores == {game.read_move(state, move.move): move.score for move in found.moves}
    assert not known.exact
    assert recover_estimate(Nim(), Nim().start(), assess(Nim(), Nim().start())) is None


def test_in_no_time_at_all_an_estimate_still_looks_six_plies_ahead():
    game = Othello()
    assert estimate_moves(game, game.start(), seconds=0).plies >= 6
    assert estimate_moves(game, game.start(), seconds=0, plies=3).plies == 3


def test_an_estimate_that_came_to_the_end_is_exact_and_names_no_source():
    """Number 40 of the forum's endgame positions, with the score of every move."""
    game = Othello()
    state = game.read("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X")
    words = "a2 38 c7 36 d8 34 c1 30 b1 30 g7 28 d7 28 c6 28 f7 26 a6 24".split()
    found = assess(game, state, seconds=120, work=Work(2))
    assert {move.move: move.score for move in found.moves} == dict(
        zip(words[::2], map(int, words[1::2]), strict=True)
    )
    assert all(move.exact and move.outcome == "win" for move in found.moves)
    assert found.value == Evaluation("win", None, 38, exact=True)
    assert found.source == ""
    known = recover_estimate(game, state, Assessment.from_dict(found.to_dict()))
    assert known.exact


@pytest.mark.parametrize(
    ("empty", "score", "called"),
    [
        (45, 2.9, "draw"),
        (45, -2.9, "draw"),
        (45, 3.0, "win"),
        (26, -3.0, "loss"),
        (25, 2.9, "win"),
        (13, -0.5, "loss"),
        (13, 0.4, "draw"),
    ],
)
def test_early_on_a_few_discs_are_called_even(empty, score, called):
    assert outcome_of(score, empty) == called


def test_feathers_are_searched_and_moves_without_a_proof_are_left_out(monkeypatch):
    game = Chopsticks(rules="feathers")
    found = assess(game, game.start(), seconds=60)
    assert found.value == Evaluation("win")
    assert best(found) == {"hit left own", "hit right own"}
    assert len(found.moves) == len(game.moves(game.start())) == 6
    assert found.why_not == ""
    search, hidden = assessing.value_move, game.moves(game.start())[0]
    monkeypatch.setattr(
        assessing, "value_move", lambda s, at, m: (m != hidden and search(s, at, m)) or None
    )
    found = assess(game, game.start())
    assert [move.move for move in found.moves] == [
        game.write_move(move) for move in game.moves(game.start())[1:]
    ]
    assert found.why_not == "1 of the 6 moves have no proof yet"


def test_a_barred_game_without_a_proof_of_its_start_is_searched_where_it_stands():
    game = Chopsticks(rules="feathers-revive", split_same=False)
    unknown = assess(game, game.start(), seconds=0.01)
    assert unknown.value is None
    assert unknown.why_not
    chance, state = random.Random(2), game.start()
    while len(game.moves(state)) != 1:
        state = game.play(state, chance.choice(game.moves(state)))
        if not game.moves(state):
            state = game.start()
    found = assess(game, state, seconds=60)
    assert found.value is not None
    assert len(found.moves) == 1


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (Nim(seats=3), "3 seats"),
        (Nim(piles=(10**9, 10**9), endings=CLASS_ENDINGS), "situations"),
        (TicTacToe(columns=6, rows=6, line=4), "situations"),
    ],
)
def test_without_known_values_only_the_reason_is_given(game, reason):
    found = assess(game, game.start())
    assert found.moves == ()
    assert found.value is None
    assert reason in found.why_not


def test_a_game_too_large_for_the_time_is_given_up_once_and_not_tried_again(monkeypatch):
    game = TicTacToe(columns=6, rows=3, line=4, misere=True)
    found = assess(game, game.start(), seconds=0.2)
    assert "not solved within 0.2 s" in found.why_not
    monkeypatch.setattr(Work, "run_within", None)  # nothing is tried
    assert assess(game, game.start(), seconds=0.2) == found
    assessing._beyond.clear()


def test_it_ends_when_it_is_stopped():
    game, work = Othello(columns=16, rows=16), Work()
    timer = threading.Timer(0.1, work.stop)
    timer.start()
    assess(game, game.start(), work=work, seconds=86_400)
    timer.join()
    found = assess(Othello(), Othello().start(), work=work)
    assert found.value is None
    assert "stopped" in found.why_not


def test_an_ended_position_has_its_result_and_no_moves():
    game = TicTacToe()
    found = assess(game, game.read("XXXOO---- O"))
    assert found == Assessment(value=Evaluation("loss", 0))
    othello = Othello(columns=4, rows=4)
    assert assess(othello, othello.read("XXXXXXXXXXXXOOO- O")).value == Evaluation("loss", 0, -10)


@pytest.mark.slow
@pytest.mark.parametrize("game", VARIANTS, ids=label)
def test_every_variant_is_assessed_or_says_why_not_and_crosses_as_json(game):
    chance = random.Random(1)
    match = Match(game, ["a"] * game.seats)
    for _ in range(4):
        if match.over:
            break
        match.play(chance.choice(match.game.moves(match.state)))
    found = assess(game, match.state, seconds=0.02)
    assert Assessment.from_dict(json.loads(json.dumps(found.to_dict()))) == found
    assert found.value is not None or found.why_not
    if found.moves:
        assert best(found)
        top = max(move.rank for move in found.moves)
        assert found.value.rank[0] == top[0] or found.why_not
