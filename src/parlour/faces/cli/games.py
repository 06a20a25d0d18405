"""`parlour games`: list the games."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

from parlour.core import registry, schema
from parlour.faces.cli.command import Parser, print_json, print_problems


class GameEntry(TypedDict):
    """A game."""

    name: str
    about: str  # one line
    options: dict[str, Any]  # its options as JSON schema


class Answer(TypedDict):
    """What `parlour games --json` prints: the games."""

    format: Literal["parlour games 2"]
    games: list[GameEntry]


def run(parser: Parser, arguments: list[str]) -> int:
    """Print every game with a line about it."""
    parser.add_json("print JSON, for programs, with the options of each game as JSON schema")
    given = parser.parse(arguments)
    classes = {name: registry.find("games", name) for name in registry.games()}
    about = {name: (cls.__doc__ or "").partition("\n")[0] for name, cls in classes.items()}
    if given.json:
        listed: list[GameEntry] = [
            {"name": name, "about": about[name], "options": schema(cls)}
            for name, cls in classes.items()
        ]
        print_json(Answer(format="parlour games 2", games=listed))
    else:
        width = max(map(len, classes), default=0)
        for name in classes:
            print(f"{name:{width}}  {about[name]}")
        print("\n`parlour play GAME` plays one; `parlour play GAME --help` lists its options.")
    print_problems()
    return 0
