"""Every answer of the API to a test is held against what its OpenAPI declares."""

from __future__ import annotations

import functools
import json
import re
from typing import Any

import jsonschema
import pytest

from parlour.faces.web.app import describe_api
from tests.faces.web.house import Answer, Guest


@functools.cache
def describe() -> Any:
    return json.loads(json.dumps(describe_api()))


def find_operation(method: str, path: str) -> Any:
    """What is declared of an address, if anything."""
    for template, methods in describe()["paths"].items():
        pattern = re.sub(r"\{\w+\}", "[^/?]+", template)
        if re.fullmatch(rf"{pattern}(\?.*)?", f"/api{path}") and method.lower() in methods:
            return methods[method.lower()]
    return None


def check_answer(method: str, path: str, answer: Answer) -> None:
    """The status is declared, and so are the type and the content of the body."""
    operation = find_operation(method, path)
    if operation is None:
        assert answer.status in (404, 405), f"{method} {path}: {answer.status}"
        return
    assert str(answer.status) in operation["responses"], f"{method} {path}: {answer.status}"
    declared = operation["responses"][str(answer.status)].get("content", {})
    kind = answer.headers.get("content-type", "").partition(";")[0]
    assert kind in declared or (not declared and not answer.body), f"{method} {path}: {kind}"
    if kind in declared and kind.endswith("json"):
        schema = {**declared[kind]["schema"], "components": describe()["components"]}
        jsonschema.Draft202012Validator(schema).validate(answer.json)


@pytest.fixture(autouse=True)
def _answers_are_as_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    call = Guest.call

    def checked(
        self: Guest, path: str, content: Any = None, method: str = "", **headers: str
    ) -> Answer:
        answer = call(self, path, content, method, **headers)
        check_answer(method or ("GET" if content is None else "POST"), path, answer)
        return answer

    monkeypatch.setattr(Guest, "call", checked)
