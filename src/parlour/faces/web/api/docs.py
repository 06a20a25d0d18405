"""The documentation page of the API, made from its OpenAPI; it loads nothing from outside."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from parlour.faces.web.requests import page

router = APIRouter()


@router.get("/docs")
def docs(request: Request) -> Response:
    """Show what programs can ask for, and how."""
    openapi: dict[str, Any] = request.app.openapi()
    operations = [
        _operation(method, path, spec)
        for path, methods in openapi["paths"].items()
        for method, spec in methods.items()
    ]
    schemas = {name: _fields(spec) for name, spec in openapi["components"]["schemas"].items()}
    return page(request, "docs.html", verbs=operations, schemas=schemas, info=openapi["info"])


def _operation(method: str, path: str, spec: dict[str, Any]) -> dict[str, Any]:
    body = spec.get("requestBody", {}).get("content", {}).get("application/json", {})
    answers = {
        status: _kind(answer.get("content", {}).get("application/json", {}).get("schema", {}))
        for status, answer in spec["responses"].items()
        if status.isdigit()
    }
    return {
        "method": method.upper(),
        "path": path,
        "about": spec.get("description", spec.get("summary", "")),
        "parameters": [
            (each["name"], each["in"], _kind(each["schema"])) for each in spec.get("parameters", ())
        ],
        "body": _kind(body["schema"]) if body else "",
        "answers": answers,
    }


def _fields(spec: dict[str, Any]) -> dict[str, Any]:
    needed = spec.get("required", ())
    return {
        "about": spec.get("description", ""),
        "fields": [
            (name, _kind(field), name in needed, field.get("description", ""))
            for name, field in spec.get("properties", {}).items()
        ],
    }


def _kind(schema: dict[str, Any]) -> str:
    """Describe a schema in a few words: `list of TableInfo`, `text`, `whole number or nothing`."""
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
