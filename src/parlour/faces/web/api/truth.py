"""Exact values and their reasons, computed by the workers."""

from __future__ import annotations

from typing import Any

from fastapi import Request

from parlour.faces.web.api.description import ANYBODY, Endpoints
from parlour.faces.web.api.schemas import Explanation, Question, SolveResult, WhyQuestion
from parlour.faces.web.requests import VisitorDep, WorkersDep, while_connected

SOLVING = 20.0  # seconds

router = Endpoints("truth")


@router.endpoint("POST /solve", "Solve a position", ANYBODY, (404,))
async def solve(
    request: Request, question: Question, visitor: VisitorDep, workers: WorkersDep
) -> SolveResult:
    """Say who wins, in how many moves, and by which; exact or refused."""
    task = workers.run("solve", _payload(question), SOLVING, client=visitor.client)
    return SolveResult(**await while_connected(request, task))


@router.endpoint("POST /explain", "Explain a position", ANYBODY, (404,))
async def explain(
    request: Request, question: WhyQuestion, visitor: VisitorDep, workers: WorkersDep
) -> Explanation:
    """Say why a position is won, lost or drawn; with a move, why that is right or wrong."""
    task = workers.run("explain", _payload(question), SOLVING, client=visitor.client)
    answer = await while_connected(request, task)
    return Explanation(lines=answer["lines"])


def _payload(question: Question) -> dict[str, Any]:
    """Return the fields of a question that were given."""
    return {name: value for name, value in question.model_dump().items() if value}
