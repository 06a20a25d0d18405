"""`parlour schema [NAME]`: the JSON schema of what a command prints with `--json`."""

from __future__ import annotations

import json
from importlib.resources import files

from parlour.core import UnknownName, one_of, quote, suggest
from parlour.faces.cli.command import Parser, print_json_text

SCHEMAS = files("parlour.faces.cli") / "schemas"
API = "api"  # made from the declarations of the web API


def run(parser: Parser, arguments: list[str]) -> int:
    """Print one schema, or the names of all."""
    parser.epilog = "An answer names its schema in the field `format`, as in `parlour solve 2`."
    about = "a command that has --json, record for a recorded game, or api for the web API"
    parser.add_argument("name", metavar="SCHEMA", nargs="?", help=f"{about} (default: list them)")
    name = parser.parse(arguments).name
    if name is None:
        for each in list_names():
            print(f"{each:12}{_read_title(each)}")
    elif name not in list_names():
        hint = suggest(name, list_names()) or f"; choose {one_of(list_names())}"
        raise UnknownName(f"there is no schema {quote(name)}{hint}")
    elif name == API:
        from parlour.faces.cli.web import import_web

        api = json.dumps(import_web().describe_api(), indent=2, ensure_ascii=False)
        print_json_text(api)
    else:
        print_json_text(_read(name).rstrip())
    return 0


def list_names() -> list[str]:
    """Return the names of all schemas."""
    found = (each.name for each in SCHEMAS.iterdir())
    return [*sorted(name.removesuffix(".json") for name in found if name.endswith(".json")), API]


def _read_title(name: str) -> str:
    return "The web API, as OpenAPI." if name == API else str(json.loads(_read(name))["title"])


def _read(name: str) -> str:
    return (SCHEMAS / f"{name}.json").read_text(encoding="utf-8")
