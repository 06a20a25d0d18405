"""`parlour schema [NAME]`: the JSON schema of what a command prints with `--json`.

The schemas are made of the types of the answers, from their annotations, docstrings and comments.
The comment behind a field, or on the lines above it, is its description. `Annotated` adds keywords
of JSON schema, as in `Annotated[int, ("minimum", 0)]`, a description, or the class whose plain data
a dictionary holds.
"""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
import re
import sys
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import reduce
from pathlib import Path
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from parlour.core import Record, UnknownName, answers, one_of, quote, suggest
from parlour.faces.cli.command import Parser, print_json_text

API = "api"  # made from the declarations of the web API
DIALECT = "https://json-schema.org/draft/2020-12/schema"
PRIMITIVES = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
FIELD = re.compile(r"(\w+): [^#]*(?:# (.*))?")
CLASS = r"^class {}(?:\((.*?)\))?:\n(.*?)(?=^\S|\Z)"  # its bases and its body

Schema = dict[str, Any]


def run(parser: Parser, arguments: list[str]) -> int:
    """Print one schema, or the names of all."""
    parser.epilog = "An answer names its schema in the field `format`, as in `parlour solve 2`."
    about = "a command that has --json, record for a recorded game, or api for the web API"
    parser.add_argument("name", metavar="SCHEMA", nargs="?", help=f"{about} (default: list them)")
    name = parser.parse(arguments).name
    known = find_answers()
    if name is None:
        for each, answer in known.items():
            print(f"{each:12}{describe(each, answer)['title']}")
        print(f"{API:12}The web API, as OpenAPI.")
    elif name == API:
        from parlour.faces.cli.web import import_web

        print_json_text(json.dumps(import_web().describe_api(), indent=2, ensure_ascii=False))
    elif name in known:
        print_json_text(json.dumps(describe(name, known[name]), indent=2, ensure_ascii=False))
    else:
        names = [*known, API]
        hint = suggest(name, names) or f"; choose {one_of(names)}"
        raise UnknownName(f"there is no schema {quote(name)}{hint}")
    return 0


def find_answers() -> dict[str, Any]:
    """Return the types of all answers by name: commands, and the record, a line of a file."""
    found: dict[str, Any] = {"record": Record}
    for _, name, _ in pkgutil.iter_modules([str(Path(__file__).parent)]):
        module = importlib.import_module(f"parlour.faces.cli.{name}")
        if hasattr(module, "Answer"):
            found[name.replace("_", "-")] = module.Answer
    return dict(sorted(found.items()))


def describe(name: str, answer: Any) -> dict[str, Any]:
    """Return the schema of the answer of this name."""
    return make_schema(answer, name, _find_version(answer))


def _find_version(answer: Any) -> str:
    """Return the version in the field `format`; a record, which has none, is of the first."""
    while not isinstance(answer, type):  # one of several, which all have the same
        answer = get_args(answer)[0]
    formats = get_args(get_type_hints(answer).get("format"))
    return str(formats[0]).split()[-1] if formats else "1"


# Schemas of types


def make_schema(kind: Any, name: str, version: str) -> Schema:
    """Return the schema of an answer, with the classes in it as definitions."""
    found: dict[str, Schema] = {}
    schema = _write(kind, found)
    if "$ref" in schema:
        schema = found.pop(kind.__name__)
    head = {
        "$schema": DIALECT,
        "$id": f"urn:parlour:{name}:{version}",
        "title": schema.pop("description"),
    }
    return {**head, **schema, **({"$defs": found} if found else {})}


def _write(kind: Any, found: dict[str, Schema]) -> Schema:
    """Return the schema of a type; those of the classes in it are added to `found`."""
    origin, inside = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _annotate(inside[0], inside[1:], found)
    if kind is Any:
        return {}
    if kind in PRIMITIVES:
        return {"type": PRIMITIVES[kind]}
    if is_dataclass(kind) or is_typeddict(kind):
        return _refer(kind, found)
    if origin is Literal:
        return {"const": inside[0]} if len(inside) == 1 else {"enum": list(inside)}
    if origin in (Union, types.UnionType):
        return {"anyOf": [_write(each, found) for each in inside]}
    if origin in (dict, Mapping):
        values = _write(inside[1], found)
        return {"type": "object", **({"additionalProperties": values} if values else {})}
    if origin in (list, tuple, Sequence):
        schema: Schema = {"type": "array", "items": _write(inside[0], found)}
        if origin is tuple and inside[-1] is not ...:
            schema |= {"minItems": len(inside), "maxItems": len(inside)}
        return schema
    raise TypeError(f"{kind} has no JSON schema")


def _annotate(kind: Any, notes: Sequence[Any], found: dict[str, Schema]) -> Schema:
    schema = _write(kind, found)
    for note in notes:
        if isinstance(note, str):
            schema["description"] = note
        elif isinstance(note, tuple):
            keyword, schema[keyword] = note
        else:
            schema = _write(note, found)
    return schema


def _refer(kind: type, found: dict[str, Schema]) -> Schema:
    """Return a reference to the schema of a class, which is added to `found`."""
    if kind.__name__ not in found:
        found[kind.__name__] = {}  # keeps its place
        found[kind.__name__] = _write_object(kind, found)
    return {"$ref": f"#/$defs/{kind.__name__}"}


def _write_object(kind: type, found: dict[str, Schema]) -> Schema:
    comments = dict(_read_comments(kind))
    known = fields(kind) if is_dataclass(kind) else ()
    names = {each.name: answers.name_of(each) for each in known}
    left_out = {each.name for each in known if "optional" in each.metadata}
    properties, required = {}, []
    for name, hint in get_type_hints(kind, include_extras=True).items():
        shown = names.get(name, name)
        not_required = get_origin(hint) is NotRequired
        schema = _write(get_args(hint)[0] if not_required else hint, found)
        if name in comments:
            schema["description"] = comments[name]
        properties[shown] = schema
        if not not_required and name not in left_out:
            required.append(shown)
    about = " ".join((inspect.getdoc(kind) or "").partition("\n\n")[0].split())
    return {"type": "object", "description": about, "properties": properties, "required": required}


def _read_comments(kind: type) -> Iterator[tuple[str, str]]:
    """Yield the fields of a class that have a comment, those of its bases first."""
    module: Any = sys.modules[kind.__module__]
    source = CLASS.format(kind.__name__)
    found = re.search(source, inspect.getsource(module), re.MULTILINE | re.DOTALL)
    if found is None:  # TypedDict itself
        return
    for base in filter(None, (found[1] or "").split(", ")):
        yield from _read_comments(reduce(getattr, base.split("."), module))
    above: list[str] = []
    for line in map(str.strip, found[2].splitlines()):
        field = FIELD.fullmatch(line)
        if line.startswith("# "):
            above.append(line.removeprefix("# "))
        elif field and (comment := field[2] or " ".join(above)):
            yield field[1], comment
        if not line.startswith("# "):
            above.clear()
