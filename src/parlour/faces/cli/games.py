"""`parlour games`: list the games."""

from __future__ import annotations

from parlour.core import registry, schema
from parlour.faces.cli.command import Parser, print_json, print_problems


def run(parser: Parser, arguments: list[str]) -> int:
    """Print every game with a line about it."""
    parser.add_json("print JSON, for programs, with the options of each game as JSON schema")
    given = parser.parse(arguments)
    classes = {name: registry.find("games", name) for name in registry.games()}
    about = {name: (cls.__doc__ or "").partition("\n")[0] for name, cls in classes.items()}
    if given.json:
        found = classes.items()
        listed = [{"name": n, "about": about[n], "options": schema(cls)} for n, cls in found]
        print_json("games", {"games": listed})
    else:
        width = max(map(len, classes), default=0)
        for name in classes:
            print(f"{name:{width}}  {about[name]}")
        print("\n`parlour play GAME` plays one; `parlour play GAME --help` lists its options.")
    print_problems()
    return 0
