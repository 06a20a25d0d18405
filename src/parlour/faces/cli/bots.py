"""`parlour bots [GAME]`: list the bots, and how well they play a game."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from parlour.core import Game, options_of, registry, schema
from parlour.faces.cli import command
from parlour.faces.cli.command import Parser, parse_game, print_json, print_problems
from parlour.faces.cli.games import GameEntry


class BotEntry(GameEntry):
    """A bot."""

    plays: NotRequired[str]  # how well it plays the game that was named


class Answer(TypedDict):
    """What `parlour bots --json` prints: the bots, or those that play the game that was named."""

    format: Literal["parlour bots 2"]
    bots: list[BotEntry]


def run(parser: Parser, arguments: list[str]) -> int:
    """Print every bot, or every bot that plays the game."""
    game: Game | None = None
    parser.add_json("print JSON, for programs, with the options of each bot as JSON schema")
    if arguments and not arguments[0].startswith("-"):
        given, game = parse_game(parser, arguments)
    else:
        parser.usage = "parlour bots [GAME] [options]"
        parser.epilog = (
            "With the name of a game it lists the bots that play it, and takes its options."
        )
        parser.offer("GAME", arguments)
        given = parser.parse(arguments)
    found = []
    for name, claim in registry.claims("bots").items():
        cls = claim.load()
        plays = None if game is None else registry.describe_strength(claim, game)
        if plays != "":
            about = " ".join((cls.__doc__ or "").partition("\n\n")[0].split())
            found.append((name, about, plays, cls))
    if given.json:
        print_json(Answer(format="parlour bots 2", bots=[_to_dict(*bot) for bot in found]))
    else:
        for name, about, plays, cls in found:
            print(f"{name}: {about if plays is None else plays}")
            for option, opt in options_of(cls).items():
                print(f"    {option}: {command.describe_option(opt)}")
        print("\n`parlour play GAME --seat human --seat 'BOT option=value'` plays against one.")
    print_problems()
    return 0


def _to_dict(name: str, about: str, plays: str | None, cls: type) -> BotEntry:
    bot: BotEntry = {"name": name, "about": about, "options": schema(cls)}
    return bot if plays is None else {**bot, "plays": plays}
