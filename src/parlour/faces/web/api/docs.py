"""The API's own page, made from its OpenAPI: nothing on it comes from outside."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from parlour.faces.web.requests import page

router = APIRouter()


@router.get("/docs")
def docs(request: Request) -> Response:
    """What programs can ask, and how."""
    openapi: dict[str, Any] = request.app.openapi()
    verbs = [
        _verb(method, path, told)
        for path, methods in openapi["paths"].items()
        for method, told in methods.items()
    ]
    schemas = {name: _fields(told) for name, told in openapi["components"]["schemas"].items()}
    return page(request, "docs.html", verbs=verbs, schemas=schemas, info=openapi["info"])


def _verb(method: str, path: str, told: dict[str, Any]) -> dict[str, Any]:
    body = told.get("requestBody", {}).get("content", {}).get("application/json", {})
    answers = {
        status: _kind(answer.get("content", {}).get("application/json", {}).get("schema", {}))
        for status, answer in told["responses"].items()
        if status.isdigit()
    }
    return {
        "method": method.upper(),
        "path": path,
        "about": told.get("description", told.get("summary", "")),
        "parameters": [
            (each["name"], each["in"], _kind(each["schema"])) for each in told.get("parameters", ())
        ],
        "body": _kind(body["schema"]) if body else "",
        "answers": answers,
    }


def _fields(told: dict[str, Any]) -> dict[str, Any]:
    needed = told.get("required", ())
    return {
        "about": told.get("description", ""),
        "fields": [
            (name, _kind(field), name in needed, field.get("description", ""))
            for name, field in told.get("properties", {}).items()
        ],
    }


def _kind(schema: dict[str, Any]) -> str:
    """A schema in a few words: `list of TableTold`, `text`, `whole number or nothing`."""
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "anyOf" in schema:
        return " or ".join(_kind(each) for each in schema["anyOf"])
    if "enum" in schema or "const" in schema:
        return " or ".join(map(repr, schema.get("enum", [schema.get("const")])))
    if schema.get("type") == "array":
        return f"list of {_kind(schema['items'])}" if "items" in schema else "list"
    words = {"string": "text", "integer": "whole number", "null": "nothing", "object": "object"}
    kind = str(schema.get("type", "anything"))
    return words.get(kind, kind)
