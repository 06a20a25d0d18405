"""What the API says about itself: the OpenAPI, and the AsyncAPI of its streams.

FastAPI makes most of the OpenAPI from the declarations of endpoints. Added here are the two ways to
say who one is, the messages of the streams, and the statuses by which any request may be refused.
AsyncAPI describes WebSockets, which OpenAPI cannot.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from fastapi import APIRouter, Depends, FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.responses import Response
from fastapi.routing import APIRoute
from pydantic.json_schema import models_json_schema

from parlour.faces.web.api.schemas import UNIONS, ProblemDocument, Schema
from parlour.faces.web.clients import COOKIE

F = TypeVar("F", bound=Callable[..., Any])

TAGS = {
    "tables": "Games, bots of the house, tables and moves.",
    "streams": "The changes of a table as they happen.",
    "accounts": "Bot accounts, challenges and events.",
    "people": "Somebody to play with, and what is kept of you.",
    "truth": "Exact values, and reasons.",
}
VERSION = "1.2"  # of the API: major for what may break a program, minor for what is added
SCHEMAS = "#/components/schemas/"
MESSAGES = tuple(dict.fromkeys(each for members in UNIONS.values() for each in members))

# Who may ask
ANYBODY: dict[str, Any] = {"security": []}
ANYBODY_OR_KNOWN: dict[str, Any] = {"security": [{}, {"bearer": []}, {"cookie": []}]}
PLAYER: dict[str, Any] = {"security": [{"bearer": []}, {"cookie": []}]}
ACCOUNT: dict[str, Any] = {"security": [{"bearer": []}]}

SECURITY = {
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "description": "The token of a seat, from `takeSeat`, or that of a bot account, from "
        "`createAccount`. An account's token is good for all its seats.",
    },
    "cookie": {
        "type": "apiKey",
        "in": "cookie",
        "name": COOKIE,
        "description": "The signed cookie that a browser is given by the pages. Programs use a "
        "token instead; requests with the cookie must come from a page of this site.",
    },
}
REASONS = {
    401: "Nobody known: the token is missing, or not valid here",
    403: "Known, but not allowed to do this",
    404: "There is no such thing, or no longer",
    409: "Not as things are now: something has changed, or is already taken",
    413: "The request is too large",
    422: "Not possible: the request does not fit its schema, or breaks a rule of the game",
    426: "This address is a WebSocket",
    429: "Too many requests; `Retry-After` says when to come back",
    503: "The server cannot answer now; `Retry-After` says when to come back",
}
ALWAYS = (401, 413, 422, 429, 503)  # by which any request may be refused
STATED_VERSION = {
    "Parlour-API-Version": {
        "description": "The version of this API.",
        "schema": {"type": "string"},
    }
}
HEADERS: dict[int, dict[str, Any]] = {
    401: {
        "WWW-Authenticate": {
            "description": "How to say who one is: `Bearer`.",
            "schema": {"type": "string"},
        }
    },
    429: {
        "Retry-After": {
            "description": "After how many seconds to try again.",
            "schema": {"type": "integer", "minimum": 0},
        }
    },
}
HEADERS[503] = HEADERS[429]


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
        said: dict[str, Any] = {"description": answer} if isinstance(answer, str) else dict(answer)
        if status != 101:  # the handshake of a WebSocket is not ours
            said["headers"] = STATED_VERSION
        if links:
            said["links"] = dict(links)

        def declare(call: F) -> F:
            about = inspect.getdoc(call) or ""
            return self.api_route(
                path,
                methods=[method],
                summary=re.split(r"[.:;]\s", f"{about}\n")[0],
                status_code=status,
                responses={**_refusals(refused), status: said},
                openapi_extra=dict(who),
                **more,
            )(call)

        return declare


def _state_version(response: Response) -> None:
    response.headers["Parlour-API-Version"] = VERSION


def _refusals(statuses: tuple[int, ...]) -> dict[int | str, dict[str, Any]]:
    """Return the refusals of an endpoint, each with the schema of a problem document."""
    problem = {"application/problem+json": {"schema": {"$ref": f"{SCHEMAS}ProblemDocument"}}}
    return {
        status: {
            "description": REASONS[status],
            "content": problem,
            **({"headers": HEADERS[status]} if status in HEADERS else {}),
        }
        for status in sorted({*statuses, *ALWAYS})
    }


def link(
    operation: str, description: str, **parameters: str | int
) -> tuple[str, Mapping[str, Any]]:
    """Return a link from a response to an operation that can follow it, and its name."""
    found = {"operationId": operation, "parameters": parameters, "description": description}
    return operation, found


def stream_events(union: str, description: str) -> dict[str, Any]:
    """Return the response of server-sent events whose data are messages of a union."""
    event = {
        "type": "object",
        "description": "One event, as the standard of server-sent events frames it.",
        "properties": {
            "id": {"type": "string", "description": "Send the last one as Last-Event-ID."},
            "event": {"type": "string", "description": "The `type` of the message."},
            "data": {
                "type": "string",
                "description": "The message.",
                "contentMediaType": "application/json",
                "contentSchema": {"$ref": f"{SCHEMAS}{union}"},
            },
        },
    }
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
    if app.openapi_schema is None:
        found = get_openapi(
            title=app.title,
            version=app.version,
            summary=app.summary,
            description=app.description,
            routes=app.routes,
            tags=app.openapi_tags,
        )
        parts = found.setdefault("components", {})
        parts["securitySchemes"] = SECURITY
        parts["schemas"] = dict(sorted((parts.get("schemas", {}) | _messages()).items()))
        app.openapi_schema = found
    return app.openapi_schema


def _messages(template: str = SCHEMAS + "{model}") -> dict[str, Any]:
    """Return the schemas of all messages, of their unions, and of a problem."""
    models: list[type[Schema]] = [ProblemDocument, *MESSAGES]
    _, schemas = models_json_schema(
        [(model, "serialization") for model in models], ref_template=template
    )
    found: dict[str, Any] = schemas["$defs"]
    for model in MESSAGES:
        spec = found[model.__name__]
        spec["required"] = list(dict.fromkeys(["type", *spec.get("required", ())]))
        spec["properties"]["type"]["description"] = "Says which message this is."
    for name, members in UNIONS.items():
        refs = {_type_of(member): template.format(model=member.__name__) for member in members}
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

CHANNELS = {  # address, description, what is sent and what is taken
    "table": (
        "/api/tables/{table_id}/stream",
        "One table: sent at once and after every change; takes moves.",
        "TableStreamMessage",
        "TableStreamRequest",
    ),
    "account": (
        "/api/account/stream",
        "What happens to a bot account: what waits for it first, then every event; takes moves.",
        "AccountStreamMessage",
        "AccountStreamRequest",
    ),
}


def describe_streams(title: str) -> dict[str, Any]:
    """Return the WebSockets as AsyncAPI 3.0."""
    channels: dict[str, Any] = {}
    operations: dict[str, Any] = {}
    for name, (address, about, sent, taken) in CHANNELS.items():
        channels[name] = {
            "address": address,
            "description": about,
            "messages": {
                each.__name__: {"$ref": f"#/components/messages/{each.__name__}"}
                for each in (*UNIONS[sent], *UNIONS[taken])
            },
        }
        if "{table_id}" in address:
            channels[name]["parameters"] = {"table_id": {"description": "The id of a table."}}
        for action, verb, union in (("send", "Send", sent), ("receive", "Take", taken)):
            operations[f"{action}_{name}"] = {
                "action": action,
                "summary": f"{verb} the messages of the {name} stream.",
                "channel": {"$ref": f"#/channels/{name}"},
                "messages": [
                    {"$ref": f"#/channels/{name}/messages/{each.__name__}"}
                    for each in UNIONS[union]
                ],
            }
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": f"{title}: streams",
            "version": VERSION,
            "description": "The WebSockets of the API. Say who you are by the header "
            "Authorization: Bearer TOKEN, or by a message of the type `token`.",
        },
        "defaultContentType": "application/json",
        "channels": channels,
        "operations": operations,
        "components": {
            "messages": {
                each.__name__: {
                    "name": _type_of(each),
                    "summary": (each.__doc__ or "").partition("\n")[0],
                    "payload": {"$ref": f"{SCHEMAS}{each.__name__}"},
                }
                for each in MESSAGES
            },
            "schemas": {name: spec for name, spec in _messages().items() if name not in UNIONS},
        },
    }
