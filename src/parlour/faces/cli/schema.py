"""`parlour schema [NAME]`: the JSON schema of what a command prints with `--json`."""

from __future__ import annotations

import json
from typing import Any, get_args, get_type_hints

from parlour.core import UnknownName, one_of, quote, suggest
from parlour.faces.cli.answers import ANSWERS
from parlour.faces.cli.command import Parser, print_json_text
from parlour.faces.cli.json_schema import make_schema

API = "api"  # made from the declarations of the web API
NAMES = (*ANSWERS, API)


def run(parser: Parser, arguments: list[str]) -> int:
    """Print one schema, or the names of all."""
    parser.epilog = "An answer names its schema in the field `format`, as in `parlour solve 2`."
    about = "a command that has --json, record for a recorded game, or api for the web API"
    parser.add_argument("name", metavar="SCHEMA", nargs="?", help=f"{about} (default: list them)")
    name = parser.parse(arguments).name
    if name is None:
        for each in ANSWERS:
            print(f"{each:12}{describe(each)['title']}")
        print(f"{API:12}The web API, as OpenAPI.")
    elif name == API:
        from parlour.faces.cli.web import import_web

        print_json_text(json.dumps(import_web().describe_api(), indent=2, ensure_ascii=False))
    elif name in ANSWERS:
        print_json_text(json.dumps(describe(name), indent=2, ensure_ascii=False))
    else:
        hint = suggest(name, NAMES) or f"; choose {one_of(NAMES)}"
        raise UnknownName(f"there is no schema {quote(name)}{hint}")
    return 0


def describe(name: str) -> dict[str, Any]:
    """Return the schema of the answer of this name."""
    answer = ANSWERS[name]
    return make_schema(answer, name, _find_version(answer))


def _find_version(answer: Any) -> str:
    """Return the version in the field `format`; a record, which has none, is of the first."""
    while not isinstance(answer, type):  # one of several, which all have the same
        answer = get_args(answer)[0]
    formats = get_args(get_type_hints(answer).get("format"))
    return str(formats[0]).split()[-1] if formats else "1"
