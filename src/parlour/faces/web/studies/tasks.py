"""The tasks of the workers for studies: what the proof says of moves, and of an answer."""

from __future__ import annotations

import contextlib
import time
from dataclasses import asdict
from typing import Any

from parlour.core import TooLarge, Unsolved, Work
from parlour.faces.web.workers import Payload, TaskFunction
from parlour.lessons import accepted_moves, judge_study_move, prove_node, study_from_dict


def prove(payload: Payload, work: Work) -> list[list[str] | None]:
    """Return what is proven of each move in its position; None for those that time left out.

    Of a single move that cannot be proven, the reason is raised.
    """
    study, which = study_from_dict(payload["study"]), payload["which"]
    ends = time.monotonic() + payload["within"]
    found: list[list[str] | None] = []
    for at in which:
        if work.stopped or (found and time.monotonic() > ends):
            found.append(None)
            continue
        told: tuple[str, ...] = ()
        with contextlib.suppress(*((TooLarge, Unsolved) if len(which) > 1 else ())):
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
