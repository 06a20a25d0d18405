"""Bots and policies of OpenSpiel take a seat, and are judged as what they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel
import pytest

import parlour
from parlour.core import BadOption, ParlourError
from parlour.rl import openspiel, openspiel_player, spiel_players
from parlour.rl.encoding import explore

MISERE = parlour.game("nim", piles=(1, 3, 5), misere=True)


def make_search(game: Any, simulations: int, seed: int) -> Any:
    from open_spiel.python.algorithms import mcts

    random = np.random.RandomState(seed)
    evaluator = mcts.RandomRolloutEvaluator(1, random)
    return mcts.MCTSBot(openspiel(game), 2.0, simulations, evaluator, random_state=random)


def perfect_table(game: Any) -> Any:
    """A table of OpenSpiel with our best moves at every history."""
    from open_spiel.python import policy

    table, solution = policy.TabularPolicy(openspiel(game)), parlour.solve(game)
    for state in table.states:
        best = {game.write_move(move) for move in solution.best(state.match.state)}
        row = table.policy_for_key(state.information_state_string())
        row[:] = 0.0
        for action in state.legal_actions():
            row[action] = float(state.action_to_string(action) in best)
        row /= row.sum()
    return table


def test_a_bot_plays_and_wins_as_it_should() -> None:
    player = openspiel_player(make_search(MISERE, 300, 1), name="search")
    record = parlour.match(MISERE, [player, "random seed=2"])
    assert record.players[0] == "search"
    after = MISERE.read("1,1,2:1")  # only one move wins: to leave an odd number of ones
    assert player.choose(MISERE, after) == (2, 1)


def test_a_table_with_our_values_is_judged_perfect() -> None:
    player = openspiel_player(perfect_table(parlour.game("nim", piles=(1, 2, 2))))
    found = parlour.judge("nim piles=1,2,2", player).to_dict()
    assert (found["right"], found["regret"], found["right_interval"]) == (1.0, 0.0, None)


def test_a_uniform_policy_is_judged_as_random_is() -> None:
    from open_spiel.python import policy

    uniform = openspiel_player(policy.UniformRandomPolicy(openspiel(MISERE)))
    found, random = (parlour.judge(MISERE, each).to_dict() for each in (uniform, "random"))
    for figure in ("right", "regret"):
        assert found[figure] == pytest.approx(random[figure])
    first = policy.FirstActionPolicy(openspiel(MISERE))
    likeliest = openspiel_player(first, sample=False)
    assert likeliest.weights(MISERE, MISERE.start()) == {MISERE.moves(MISERE.start())[0]: 1.0}


def test_there_may_be_one_for_each_seat() -> None:
    bots = [pyspiel.make_uniform_random_bot(seat, 3) for seat in (0, 1)]
    player = openspiel_player(bots)
    assert parlour.match(MISERE, [player, player]).result is not None
    three = parlour.game("nim", seats=3)
    assert "2 for 3 seats" in player.why_not(three)


def test_the_state_it_sees_is_the_position_with_its_past() -> None:
    state = spiel_players.find_state(MISERE, MISERE.play(MISERE.start(), (2, 5)), ("5 from 3",))
    assert [MISERE.moves(MISERE.start())[each] for each in state.history()] == [(2, 5)]
    position = MISERE.read("1,0,2:1")
    found = spiel_players.find_state(MISERE, position, ("1 from 1",))  # which lead elsewhere
    assert found.match.state == position
    assert len(found.history()) == 2  # the shortest line: 3 from the second pile and 3 of the third


def test_a_position_no_short_line_leads_to_is_set_up(monkeypatch: pytest.MonkeyPatch) -> None:
    game = parlour.game("othello")
    monkeypatch.setattr(spiel_players, "_explore", lambda game: explore(game, 50))
    record = parlour.match(game, ["random seed=1", "random seed=2"])
    states = [state for state, move in record.replay(game) if move is not None]
    player = openspiel_player(make_search(game, 3, 1))
    for state in states[30:32]:
        assert player.choose(game, state) in game.moves(state)


def test_a_failure_is_explained_in_a_sentence() -> None:
    class Broken:
        def step(self, state: Any) -> int:
            raise RuntimeError("no tree")

    with pytest.raises(ParlourError, match="broken failed: RuntimeError: no tree"):
        openspiel_player(Broken()).choose(MISERE, MISERE.start())
    for wrong in (3, [], "mcts", None):
        with pytest.raises(BadOption, match="a bot or a policy of OpenSpiel"):
            openspiel_player(wrong)
