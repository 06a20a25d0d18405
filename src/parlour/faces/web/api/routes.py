"""The JSON API: exact values and their reasons, its description, and the page that shows it.

A player is recognised by a secret token, sent in the Authorization header as `Bearer TOKEN`: that
of a seat, or that of a bot account. A refused request is answered with a problem document.
"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from parlour.faces.web.api import accounts, people, streams, tables
from parlour.faces.web.api.description import ANYBODY, Endpoints, describe_streams
from parlour.faces.web.api.schemas import Explanation, Question, SolveResult, WhyQuestion
from parlour.faces.web.requests import Section, VisitorDep, WorkersDep, page, while_connected

SOLVING = 20.0  # seconds

truth = Endpoints("truth")
pages = APIRouter(include_in_schema=False)


@truth.endpoint("POST /solve", ANYBODY, (404,))
async def solve(
    request: Request, question: Question, visitor: VisitorDep, workers: WorkersDep
) -> SolveResult:
    """Say who wins, in how many moves, and by which; exact or refused."""
    task = workers.run("solve", _payload(question), SOLVING, client=visitor.client)
    return SolveResult(**await while_connected(request, task))


@truth.endpoint("POST /explain", ANYBODY, (404,))
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


@pages.get("/api/asyncapi.json")
def show_streams() -> Response:
    """Return the description of the WebSockets."""
    return JSONResponse(describe_streams())


@pages.get("/docs")
def docs(request: Request) -> Response:
    """Show what programs can ask for, and how; the page loads nothing from outside."""
    return page(request, "docs.html", api=request.app.openapi(), kind=_kind)


def _kind(schema: dict[str, Any]) -> str:
    """Describe a schema in a few words: `list of TableInfo`, `text`, `whole number or nothing`."""
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "anyOf" in schema or "oneOf" in schema:
        return " or ".join(_kind(each) for each in schema.get("anyOf") or schema["oneOf"])
    if "enum" in schema or "const" in schema:
        return " or ".join(map(repr, schema.get("enum", [schema.get("const")])))
    if schema.get("type") == "array":
        return f"list of {_kind(schema['items'])}" if "items" in schema else "list"
    words = {"string": "text", "integer": "whole number", "null": "nothing", "object": "object"}
    kind = str(schema.get("type", "anything"))
    return words.get(kind, kind)


SECTION = Section((tables.router, streams.router, accounts.router, people.router, truth, pages))
