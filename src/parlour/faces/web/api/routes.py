"""The JSON API: the same actions as the pages, its description, and the page that shows it.

A player is recognised by a secret token, sent in the Authorization header as `Bearer TOKEN`: that
of a seat, or that of a bot account. A refused request is answered with a problem document.
"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from parlour.faces.web.api import accounts, people, streams, tables, truth
from parlour.faces.web.api.description import describe_streams
from parlour.faces.web.requests import Section, page

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


SECTION = Section(
    (tables.router, streams.router, accounts.router, people.router, truth.router, pages)
)
