"""The tasks of the workers for studies: what the proof says of moves, and of an answer."""

from __future__ import annotations

import contextlib
import time
from dataclasses import asdict
from typing import Any

from parlour.core import TooLarge, Unsolved, Work
from parlour.faces.web.workers import Payload, TaskFunction, game_of
from parlour.lessons import Study, accepted_moves, judge_study_move, prove_node, study_from_dict


def prove(payload: Payload, work: Work) -> list[list[str] | None]:
    """Return what is proven of each move in its position; None for those that time left out.

    Of a single move that cannot be proven, the reason is raised.
    """
    game = game_of(payload)
    ends = time.monotonic() + payload["within"]
    found: list[list[str] | None] = []
    for each in payload["moves"]:
        if work.stopped or (found and time.monotonic() > ends):
            found.append(None)
            continue
        study, at = Study(game, position=each["position"]), 0
        if each["move"]:
            study, at = study.add(0, each["move"])
        told: tuple[str, ...] = ()
        alone = len(payload["moves"]) == 1
        with contextlib.suppress(*(() if alone else (TooLarge, Unsolved))):
            told = prove_node(study, at, work=work)
        found.append(list(told))
    return found


def judge(payload: Payload, work: Work) -> dict[str, Any]:
    """Judge an answer to the question at the first node of a study; without one, tell them all."""
    study = study_from_dict(payload["study"])
    if not payload["move"]:
        return {"right": accepted_moves(study, 0, work=work)}
    return asdict(judge_study_move(study, 0, payload["move"], work=work))


TASKS: dict[str, TaskFunction] = {"studies-prove": prove, "studies-judge": judge}
