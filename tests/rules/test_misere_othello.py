"""Misère Othello: the usual moves, and every ended game goes to the other side."""

from __future__ import annotations

import random
from typing import Any

import pytest

import parlour
from parlour.boards import othello
from parlour.engine import Analysis, EndSolution, MisereSearcher, OthelloEngine, can_search
from parlour.players import estimate_moves

USUAL = parlour.game("othello", columns=4, rows=4)
MISERE = parlour.game("othello", columns=4, rows=4, misere=True)


def play_out(game: Any, chance: random.Random, empties: int = 0) -> Any:
    """Return a random position with so many empty squares, or the end before it."""
    state = game.start()
    while moves := game.moves(state):
        if len(game.board.bits) - (state[0] | state[1]).bit_count() <= empties:
            break
        state = game.play(state, chance.choice(moves))
    return state


def test_the_winner_of_the_usual_game_loses() -> None:
    chance = random.Random(1)
    for _ in range(50):
        end = play_out(USUAL, chance)
        usual, misere = USUAL.result(end), MISERE.result(end)
        assert misere == tuple(-payoff for payoff in usual)
        assert MISERE.score(end) == -USUAL.score(end)
        assert [payoff > 0 for payoff in misere] == [
            MISERE.score(end) * sign > 0 for sign in (1, -1)
        ]


def test_the_search_agrees_with_the_table_of_all_positions() -> None:
    """The first player wins 4x4, as retrograde analysis through the rules finds as well."""
    solution = parlour.solve(MISERE)
    searcher = MisereSearcher(MISERE, 4)
    assert solution.value(MISERE.start()).outcome == "win"
    assert searcher.solve(*MISERE.start()[:2]).value == 4
    signs = {"win": 1, "draw": 0, "loss": -1}
    chance = random.Random(2)
    for _ in range(50):
        state = play_out(MISERE, chance, chance.randrange(12))
        assert searcher.outcome(*state[:2]) == signs[solution.value(state).outcome]


def test_the_engine_proves_a_position_and_each_of_its_moves() -> None:
    reported: list[Analysis] = []
    engine, start = OthelloEngine(MISERE, megabytes=4), MISERE.start()
    proven = engine.solve(start, on_progress=reported.append)
    assert (proven.score, proven.exact, proven.certainty) == (4, True, 100)
    assert not any(each.exact or each.certainty for each in reported[:-1])
    each = engine.analyse_moves(start)
    assert {found.score for found in each.values()} == {4}  # they are alike by symmetry
    assert all(found.exact for found in each.values())


def test_margins_are_those_of_plain_minimax() -> None:
    game = parlour.game("othello", columns=6, rows=6, misere=True)
    end = EndSolution(game, parlour.Work())

    def margin(state: Any) -> int:
        if not game.moves(state):
            return int(game.score(state)) * (1 if state[2] == 0 else -1)
        return max(-margin(game.play(state, move)) for move in game.moves(state))

    chance = random.Random(3)
    for _ in range(10):
        state = play_out(game, chance, 6)
        assert end.margin(state) == margin(state)
        for move in end.best(state):
            assert end.margin_after(state, move) == margin(state)


def test_bots_that_play_for_most_discs_refuse_it() -> None:
    game = parlour.game("othello", misere=True)
    able = parlour.bots(game)
    assert not {"engine", "despacito", "benedict", "gtp"} & set(able)
    assert {"random", "minimax"} <= set(able)
    assert not can_search(game)
    for name in ("engine", "despacito", "benedict"):
        with pytest.raises(parlour.ParlourError, match="most discs"):
            parlour.bot(name).choose(game, game.start())


def test_estimates_are_called_so_and_exact_at_the_end() -> None:
    game = parlour.game("othello", misere=True)
    guess = estimate_moves(game, game.start(), plies=4, seconds=None)
    assert not guess.exact
    assert set(guess.scores) == set(game.moves(game.start()))
    late = play_out(game, random.Random(4), 8)
    exact = estimate_moves(game, late, plies=20, seconds=None)
    end = EndSolution(game, parlour.Work())
    assert exact.exact
    assert exact.scores == {move: end.margin_after(late, move) for move in game.moves(late)}


def test_every_face_calls_it_by_its_name() -> None:
    game = parlour.game("othello", misere=True)
    assert game.title() == "misère Othello"
    assert "this is misère: fewer discs win" in game.rules_text()[-1]
    assert "fewer when it is played misère" in USUAL.rules_text(general=True)[-1]
    assert "Misère Othello" in othello.picture(game, game.start())


def test_random_games_are_won_by_fewer_discs() -> None:
    usual = parlour.playouts(parlour.game("othello"), 500, seed=5)
    misere = parlour.playouts(parlour.game("othello", misere=True), 500, seed=5)
    assert misere.wins == usual.wins[::-1]
