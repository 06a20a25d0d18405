"""Values that a worker finds for the positions of a line, for some of them, and for garbage."""

from __future__ import annotations

import json
from functools import reduce
from operator import xor
from typing import Any

from parlour.core.work import Work
from parlour.faces.web.tasks import TASKS
from parlour.rules.nim import Nim

NIM = {"game": "nim", "options": {"piles": [3, 4, 5]}}
TIMES = {"seconds": 0.5, "within": 60.0}
LINE = {**NIM, **TIMES, "moves": ["2 from 1", "3 from 3", "3 from 2"]}


def think(thought: str, payload: dict[str, Any], work: Work | None = None) -> Any:
    """A thought in this process, its answer found as JSON."""
    return json.loads(json.dumps(TASKS[thought](payload, work or Work())))


def test_each_position_of_a_line_has_the_value_of_its_nim_sum():
    game, found = Nim(), think("review", {**LINE, "which": [0, 1, 2, 3]})
    state = game.start()
    for position, text in zip(found, [*LINE["moves"], None], strict=True):
        wins = reduce(xor, state[2:]) != 0
        assert position["value"]["outcome"] == ("win" if wins else "loss")
        for move in position["moves"]:
            after = game.play(state, game.read_move(state, move["move"]))
            assert move["outcome"] == ("win" if reduce(xor, after[2:]) == 0 else "loss")
        state = game.play(state, game.read_move(state, str(text))) if text else state


def test_only_the_positions_asked_for_are_answered_in_that_order():
    everything = think("review", {**LINE, "which": [0, 1, 2, 3]})
    assert think("review", {**LINE, "which": [2, 0]}) == [everything[2], everything[0]]
    assert think("review", {**LINE, "which": []}) == []
    assert think("assess", {**NIM, "moves": LINE["moves"][:1], "seconds": 1}) == everything[1]
    from_there = {**NIM, **TIMES, "position": "1,4,5:2", "moves": ["3 from 3"], "which": [0, 1]}
    assert think("review", from_there) == everything[1:3]


def test_an_answer_in_parts_has_at_least_one_position_in_each():
    assert len(think("review", {**LINE, "which": [0, 1, 2, 3], "within": 0})) == 1
    assert len(think("review", {**LINE, "which": [0, 1, 2, 3], "within": 60.0})) == 4


def test_the_move_that_was_made_is_judged_in_a_pile_of_a_thousand_million():
    large = {
        **TIMES,
        "game": "nim",
        "options": {"piles": [10**9, 7]},
        "moves": ["123456789 from 1"],
    }
    (found,) = think("review", {**large, "which": [0]})
    moves = {move["move"]: move for move in found["moves"]}
    assert moves["123456789 from 1"]["outcome"] == "loss"
    assert [name for name, move in moves.items() if move["best"]] == ["999999993 from 1"]


def test_stopped_work_answers_with_what_it_has():
    work = Work()
    work.stop()
    assert think("review", {**LINE, "which": [0, 1]}, work) == []
