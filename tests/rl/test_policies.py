"""A policy over observations takes a seat everywhere, masked and checked."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.core import BadOption, ParlourError, referee
from parlour.rl import Encoding, policy
from tests.rl.networks import perfect_rows

NIM = parlour.game("nim", piles=(1, 2))  # actions: 1 from 1; 1 from 2, 2 from 2
MISERE = parlour.game("nim", piles=(1, 3, 5), misere=True)


def answer(*numbers: float) -> Any:
    return lambda observation, mask: np.array(numbers)


def perfect(game: Any) -> Any:
    seen, best = perfect_rows(game)
    known = {row.tobytes(): answer for row, answer in zip(seen, best, strict=True)}
    return lambda observation, mask: known[observation.ravel().tobytes()]


def test_numbers_become_the_chances_they_stand_for() -> None:
    logits = policy(answer(0.0, math.log(3), 0.0), sample=True)
    assert logits.weights(NIM, NIM.start()) == pytest.approx(
        {(0, 1): 0.2, (1, 1): 0.6, (1, 2): 0.2}
    )
    given = policy(answer(0.1, 0.3, 0.6), output="probabilities", sample=True)
    assert given.weights(NIM, NIM.start()) == pytest.approx({(0, 1): 0.1, (1, 1): 0.3, (1, 2): 0.6})
    values = policy(answer(-1.0, 0.5, 0.5), output="values", sample=True)
    assert values.weights(NIM, NIM.start()) == {(1, 1): 0.5, (1, 2): 0.5}


def test_only_legal_actions_count() -> None:
    after = NIM.play(NIM.start(), (1, 2))  # one coin is left, in the first pile
    for output in ("logits", "probabilities", "values"):
        player = policy(answer(0.1, 0.8, 0.7), output=output, sample=True)
        assert player.weights(NIM, after) == {(0, 1): 1.0}
        assert player.choose(NIM, after) == (0, 1)
    after = NIM.play(NIM.start(), (0, 1))  # the second pile is left
    for output in ("logits", "probabilities", "values"):
        player = policy(answer(0.9, 0.1, 0.8), output=output)
        assert player.choose(NIM, after) == (1, 2)
        assert player.weights(NIM, after) == {(1, 2): 1.0}


def test_without_sampling_the_best_is_played_and_said_to_be_certain() -> None:
    player = policy(answer(0.1, 0.2, 0.15))
    assert player.choose(NIM, NIM.start()) == (1, 1)
    assert player.weights(NIM, NIM.start()) == {(1, 1): 1.0}


def test_draws_follow_the_chances_and_the_seed() -> None:
    chances = (0.5, 0.25, 0.25)

    def draw(seed: int) -> list[Any]:
        player = policy(answer(*chances), output="probabilities", sample=True, seed=seed)
        return [player.choose(NIM, NIM.start()) for _ in range(400)]

    first = draw(1)
    assert first == draw(1)
    assert first != draw(2)
    counts = Counter(first)
    for move, chance in zip(((0, 1), (1, 1), (1, 2)), chances, strict=True):
        assert abs(counts[move] / 400 - chance) < 5 * math.sqrt(chance * (1 - chance) / 400)


@pytest.mark.parametrize(
    ("found", "output", "why"),
    [
        (np.zeros(4), "logits", "shape (4,), and nim piles=1,2 has 3 actions"),
        (np.array([np.nan, 0, 0]), "logits", "not finite"),
        (np.array([np.inf, 0, 0]), "values", "not finite"),
        (np.full(3, -np.inf), "logits", "rules out all legal moves"),
        (np.array([0.5, -0.1, 0.6]), "probabilities", "no probabilities"),
        (np.zeros(3), "probabilities", "no probabilities"),
        ("b2", "logits", "not numbers"),
        (None, "logits", "not numbers"),
        (0.5, "logits", "an action is a whole number"),
        (7, "logits", "7 is not an action"),
    ],
)
def test_other_answers_are_refused_in_a_sentence(found: Any, output: str, why: str) -> None:
    player = policy(lambda observation, mask: found, output=output, name="mine")
    for ask in (player.choose, player.weights):
        with pytest.raises(ParlourError, match=r"^[^\n]+$") as caught:
            ask(NIM, NIM.start())
        assert why in str(caught.value)


def test_wrong_arguments_are_refused() -> None:
    for wrong in ({"output": "chances"}, {"sample": 3}, {"seed": -1}):
        with pytest.raises(BadOption):
            policy(answer(1.0), **wrong)
    with pytest.raises(BadOption, match="an observation and a mask"):
        policy(3)  # type: ignore[arg-type]


def test_an_action_is_played_as_it_is_and_the_referee_refuses_an_illegal_one() -> None:
    first = policy(lambda observation, mask: int(np.argmax(mask)))
    assert first.choose(NIM, NIM.start()) == (0, 1)
    assert first.weights(NIM, NIM.start()) == {(0, 1): 1.0}
    stubborn = policy(lambda observation, mask: np.int64(0), name="stubborn")
    with pytest.raises(referee.BadChoice):
        parlour.match(NIM, [stubborn, stubborn])
    table = parlour.tournament(NIM, [stubborn, "random"], games=2)
    [faults] = [row["faults"] for row in table.to_dict()["rows"] if row["name"] == "stubborn"]
    assert "illegal" in str(faults)
    found = parlour.judge(NIM, stubborn).to_dict()
    assert found["faults"]["illegal"] > 0


def test_a_policy_observes_the_encoding_of_the_seat_to_move() -> None:
    seen: list[Any] = []

    def watch(observation: Any, mask: Any) -> int:
        seen.append((observation, mask))
        return int(np.argmax(mask))

    record = parlour.match("tictactoe", [policy(watch), policy(watch)])
    game = parlour.game("tictactoe")
    encoding = Encoding(game)
    states = [state for state, move in record.replay(game) if move is not None]
    assert len(seen) == len(states) > 4
    for (observation, mask), state in zip(seen, states, strict=True):
        assert np.array_equal(observation, encoding.observe(state, game.turn(state)))
        assert np.array_equal(mask, encoding.mask(state))


def test_every_way_to_play_takes_it() -> None:
    player = policy(perfect(MISERE), output="values", name="mine")
    judged = parlour.judge(MISERE, player).to_dict()
    assert (judged["right"], judged["regret"]) == (1.0, 0.0)
    assert judged["right_interval"] is None  # an exact expectation
    uniform = policy(lambda observation, mask: mask, output="probabilities", sample=True)
    random = parlour.judge(MISERE, "random").to_dict()
    assert parlour.judge(MISERE, uniform).to_dict()["right"] == pytest.approx(random["right"])
    table = parlour.tournament(MISERE, [player, "random"], games=4)
    assert table.to_dict()["rows"][0]["name"] == "mine"
    env = parlour.rl.gymnasium(MISERE, against=player)
    env.reset(seed=1)
    done = False
    while not done:
        actions = np.flatnonzero(env.action_masks())
        _, reward, done, _, _ = env.step(actions[-1])
    assert reward in (-1, 1)


@pytest.mark.long
def test_it_travels_to_other_processes() -> None:
    player = policy(perfect(MISERE), output="values", name="mine")
    table = parlour.tournament(MISERE, [player, "random"], games=4, workers=2)
    assert table.to_dict()["rows"][0]["name"] == "mine"
