"""What the API says about itself: the OpenAPI, and the AsyncAPI of its streams.

FastAPI makes most of the OpenAPI from the declarations of endpoints. Added here are the two ways to
say who one is, the messages of the streams, and the statuses by which any request may be refused.
AsyncAPI describes WebSockets, which OpenAPI cannot.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from fastapi import APIRouter, Depends, FastAPI
from fastapi.responses import Response
from fastapi.routing import APIRoute
from pydantic.json_schema import models_json_schema

from parlour.faces.web.api.schemas import UNIONS, ProblemDocument, Schema

F = TypeVar("F", bound=Callable[..., Any])

VERSION = "1.2"  # of the API: major for what may break a program, minor for what is added
SCHEMAS = "#/components/schemas/"
MESSAGES = tuple(dict.fromkeys(each for members in UNIONS.values() for each in members))

# Who may ask
ANYBODY: dict[str, Any] = {"security": []}
ANYBODY_OR_KNOWN: dict[str, Any] = {"security": [{}, {"bearer": []}, {"cookie": []}]}
PLAYER: dict[str, Any] = {"security": [{"bearer": []}, {"cookie": []}]}
ACCOUNT: dict[str, Any] = {"security": [{"bearer": []}]}

ALWAYS = (401, 413, 422, 429, 503)  # by which any request may be refused


def _read(name: str) -> Any:
    """Read what is the same in every description."""
    return json.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))


OPENAPI = _read("openapi.json")
TAGS = OPENAPI["tags"]


class Endpoints(APIRouter):
    """The endpoints of one part of the API."""

    def __init__(self, tag: str) -> None:
        super().__init__(
            prefix="/api",
            tags=[tag],
            dependencies=[Depends(_state_version)],
            generate_unique_id_function=operation_id,
        )

    def endpoint(
        self,
        route: str,
        who: Mapping[str, Any],
        refused: tuple[int, ...] = (),
        *,
        status: int = 200,
        answer: str | Mapping[str, Any] = "Successful Response",
        links: Sequence[tuple[str, Mapping[str, Any]]] = (),
        **more: Any,
    ) -> Callable[[F], F]:
        """Declare the endpoint of a method and a path, like `GET /games`.

        It says who may ask, by which statuses it may refuse, and what answers with `status`: a
        description with links to what can follow, or the whole specification. The first sentence
        of its docstring is its summary.
        """
        method, _, path = route.partition(" ")
        problem = {"application/problem+json": {"schema": {"$ref": f"{SCHEMAS}ProblemDocument"}}}
        responses: dict[int | str, dict[str, Any]] = {
            each: {**OPENAPI["responses"][str(each)], "content": problem}
            for each in sorted({*refused, *ALWAYS})
        }
        said: dict[str, Any] = {"description": answer} if isinstance(answer, str) else dict(answer)
        if status != 101:  # the handshake of a WebSocket is not ours
            said["headers"] = OPENAPI["headers"]
        if links:
            said["links"] = dict(links)

        def declare(call: F) -> F:
            about = inspect.getdoc(call) or ""
            return self.api_route(
                path,
                methods=[method],
                summary=re.split(r"[.:;]\s", f"{about}\n")[0],
                status_code=status,
                responses={**responses, status: said},
                openapi_extra=dict(who),
                **more,
            )(call)

        return declare


def _state_version(response: Response) -> None:
    response.headers["Parlour-API-Version"] = VERSION


def link(
    operation: str, description: str, **parameters: str | int
) -> tuple[str, Mapping[str, Any]]:
    """Return a link from a response to an operation that can follow it, and its name."""
    found = {"operationId": operation, "parameters": parameters, "description": description}
    return operation, found


def stream_events(union: str, description: str) -> dict[str, Any]:
    """Return the response of server-sent events whose data are messages of a union."""
    data = OPENAPI["data"] | {"contentSchema": {"$ref": f"{SCHEMAS}{union}"}}
    event = OPENAPI["event"] | {"properties": {**OPENAPI["event"]["properties"], "data": data}}
    return {"description": description, "content": {"text/event-stream": {"schema": event}}}


def stream_socket(union: str) -> dict[str, Any]:
    """Return the response of a WebSocket that sends messages of a union."""
    return {
        "description": "The protocol switches to WebSocket, and each message that is sent is one "
        "JSON text of this schema.",
        "content": {"application/json": {"schema": {"$ref": f"{SCHEMAS}{union}"}}},
    }


def operation_id(route: APIRoute) -> str:
    """Return the name of an operation: `takeSeat` for the endpoint `take_seat`."""
    first, *rest = route.name.split("_")
    return first + "".join(map(str.capitalize, rest))


def describe(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI of an app, made once."""
    found = FastAPI.openapi(app)
    parts = found["components"]
    if "securitySchemes" not in parts:
        parts["schemas"] = dict(sorted((parts["schemas"] | _messages()).items()))
        parts["securitySchemes"] = OPENAPI["securitySchemes"]
    return found


def _messages() -> dict[str, Any]:
    """Return the schemas of all messages, of their unions, and of a problem."""
    models: list[type[Schema]] = [ProblemDocument, *MESSAGES]
    _, schemas = models_json_schema(
        [(model, "serialization") for model in models], ref_template=SCHEMAS + "{model}"
    )
    found: dict[str, Any] = schemas["$defs"]
    for model in MESSAGES:
        spec = found[model.__name__]
        spec["required"] = list(dict.fromkeys(["type", *spec.get("required", ())]))
        spec["properties"]["type"]["description"] = "Says which message this is."
    for name, members in UNIONS.items():
        refs = {_type_of(member): f"{SCHEMAS}{member.__name__}" for member in members}
        found[name] = {
            "title": name,
            "description": "One of these messages; `type` says which.",
            "oneOf": [{"$ref": ref} for ref in refs.values()],
            "discriminator": {"propertyName": "type", "mapping": refs},
        }
    return found


def _type_of(model: type[Schema]) -> str:
    """Return the `type` of a message."""
    (value,) = model.model_fields["type"].annotation.__args__  # type: ignore[union-attr]
    return str(value)


# Streams


def describe_streams() -> dict[str, Any]:
    """Return the WebSockets as AsyncAPI 3.0."""
    found: dict[str, Any] = _read("asyncapi.json")
    found["info"]["version"] = VERSION
    found["operations"] = operations = {}
    for name, channel in found["channels"].items():
        sent = UNIONS[f"{name.capitalize()}StreamMessage"]
        taken = UNIONS[f"{name.capitalize()}StreamRequest"]
        channel["messages"] = {
            each.__name__: {"$ref": f"#/components/messages/{each.__name__}"}
            for each in (*sent, *taken)
        }
        for action, verb, members in (("send", "Send", sent), ("receive", "Take", taken)):
            operations[f"{action}_{name}"] = {
                "action": action,
                "summary": f"{verb} the messages of the {name} stream.",
                "channel": {"$ref": f"#/channels/{name}"},
                "messages": [
                    {"$ref": f"#/channels/{name}/messages/{each.__name__}"} for each in members
                ],
            }
    found["components"] = {
        "messages": {
            each.__name__: {
                "name": _type_of(each),
                "summary": (each.__doc__ or "").partition("\n")[0],
                "payload": {"$ref": f"{SCHEMAS}{each.__name__}"},
            }
            for each in MESSAGES
        },
        "schemas": {name: spec for name, spec in _messages().items() if name not in UNIONS},
    }
    return found
