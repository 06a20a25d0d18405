"""The JSON API: the same actions as the pages, its description, and the page that shows it.

A player is recognised by a secret token, sent in the Authorization header as `Bearer TOKEN`: that
of a seat, or that of a bot account. A refused request is answered with a problem document.
"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import JSONResponse, Response

from parlour.faces.web.api import accounts, streams, tables, truth
from parlour.faces.web.api.description import VERSION, describe_streams, operation_id
from parlour.faces.web.requests import Section, page

TAGS: list[tuple[APIRouter, str, str]] = [
    (tables.router, "tables", "Games, bots of the house, tables and moves."),
    (streams.router, "streams", "The changes of a table as they happen."),
    (accounts.router, "accounts", "Bot accounts, challenges and events."),
    (truth.router, "truth", "Exact values, and reasons."),
]


def _state_version(response: Response) -> None:
    response.headers["Parlour-API-Version"] = VERSION


router = APIRouter(prefix="/api", dependencies=[Depends(_state_version)])
for _router, _tag, _ in TAGS:
    router.include_router(_router, tags=[_tag], generate_unique_id_function=operation_id)
pages = APIRouter(include_in_schema=False)


@pages.get("/api/asyncapi.json")
def show_streams(request: Request) -> Response:
    """Return the description of the WebSockets."""
    return JSONResponse(describe_streams(request.app.title))


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


SECTION = Section((router, pages))
