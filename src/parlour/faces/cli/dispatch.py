"""The command line: reads what was asked, and calls the part that does it.

Every command loads only what it needs, so that `parlour --help` answers at once. A game's options
are flags of the same name, made from its own declaration. Errors are one sentence on standard error
and a non-zero exit; nobody sees a traceback.
"""

from __future__ import annotations

import argparse
import importlib
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from parlour.core import ParlourError, UnknownName, nearest, one_of, quote
from parlour.faces.cli.flags import Parser, add_options, name_of, named_game, read_options

Command: TypeAlias = Callable[[Parser, list[str]], int]

CHAT = ("--model", "--model-name", "--seed")  # flags of the conversation, which needs no command
ABOUT = "Play small perfect-information games, in every variant their rules allow."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is 0 when it could be done."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # whatever bytes come in or cannot go out, go on
            stream.reconfigure(errors="replace")
    try:
        return _run(list(sys.argv[1:] if arguments is None else arguments))
    except ParlourError as refusal:
        print(f"parlour: {refusal}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader had enough; leave nothing for the exit to flush
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as trouble:
        if os.environ.get("PARLOUR_TRACEBACK"):
            raise
        print(
            f"parlour: something went wrong inside, {type(trouble).__name__}: {trouble}; "
            "PARLOUR_TRACEBACK=1 shows where",
            file=sys.stderr,
        )
        return 1
    finally:
        if arguments is None:  # a program, which now ends: there is nothing left for Ctrl-C
            signal.signal(signal.SIGINT, signal.SIG_IGN)


def _run(arguments: list[str]) -> int:
    commands: dict[str, tuple[str, Command]] = {
        "chat": ("talk and play with Benedict, the host", _later("terminal.chat.loop", "chat")),
        "games": ("list the games", _games),
        "bots": ("list the bots, and how well they play a game", _later("cli.commands", "bots")),
        "play": ("play a game at the terminal", _play),
        "sticks": (
            "play the Game of Sticks against a friend or a computer that learns",
            _later("terminal.sticks", "sticks"),
        ),
        "replay": ("step through a recorded game", _replay),
        "solve": (
            "say who wins from a position, and by which moves",
            _later("cli.commands", "solve"),
        ),
        "verify": ("check a proof that solve has written", _later("cli.commands", "verify")),
        "explain": (
            "say why a position is won, lost or drawn, or a move right",
            _later("cli.commands", "explain"),
        ),
        "perft": (
            "count the lines of play of a game, and how fast",
            _later("cli.perft", "perft"),
        ),
        "analyse": (
            "say what each move of a recorded Othello cost",
            _later("cli.analyse", "analyse"),
        ),
        "train": ("let hats full of balls learn a game", _later("cli.train", "train")),
        "hats": ("look into hats, draw, print and copy them", _later("cli.hats", "hats")),
        "atlas": (
            "solve many variants of a game and compare them",
            _later("cli.atlas", "atlas"),
        ),
        "tournament": (
            "let bots meet, and rate them",
            _later("cli.tournament", "tournament"),
        ),
        "league": (
            "rate a folder of bots, again and again as they change",
            _later("cli.league", "league"),
        ),
        "check-bot": (
            "say what is wrong with a bot that somebody wrote",
            _later("cli.check_bot", "command"),
        ),
        "tune": ("improve a bot's numbers by playing them off", _later("cli.tune", "tune")),
        "gtp": ("speak GTP, for other programs", _later("cli.gtp", "gtp")),
        "nboard": (
            "speak the NBoard protocol, for the boards Othello players use",
            _later("cli.nboard", "nboard"),
        ),
        "web": ("open the house on a web page, for one or for many", _later("cli.web", "web")),
    }
    parser = Parser(
        prog="parlour",
        description=ABOUT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="\n".join(
            [
                "commands:",
                *(f"  {name:10} {about}" for name, (about, _) in commands.items()),
                "",
                "`parlour COMMAND --help` says more; `parlour` alone is `parlour chat`.",
            ]
        ),
        usage="parlour [--help] [--version] [COMMAND …]",
    )
    parser.add_argument("--version", action="store_true", help="say which version this is")
    parser.add_argument("command", nargs="?", default="chat", help=argparse.SUPPRESS)
    if arguments and arguments[0].partition("=")[0] in CHAT:
        arguments = ["chat", *arguments]
    given = parser.parse(arguments[:1])
    if given.version:
        from parlour import __version__

        print(f"parlour {__version__}")
        return 0
    name = given.command
    if name not in commands:
        from parlour.core import registry

        hint = nearest(name, commands) or f"; there is {one_of(commands)}"
        if name in registry.games():
            hint = f"; did you mean 'parlour play {name}'?"
        raise UnknownName(f"there is no command {quote(name)}{hint}")
    from parlour.faces.cli.compiling import tell_compiling

    tell_compiling()
    about, command = commands[name]
    return command(Parser(prog=f"parlour {name}", description=about), arguments[1:])


def _later(module: str, name: str) -> Command:
    """A command of another module, which is loaded when it is called."""

    def command(parser: Parser, arguments: list[str]) -> int:
        found: Command = getattr(importlib.import_module(f"parlour.faces.{module}"), name)
        return found(parser, arguments)

    return command


def _games(parser: Parser, arguments: list[str]) -> int:
    from parlour.core import registry, schema

    parser.add_argument("--json", action="store_true", help="with all options, as JSON schema")
    given = parser.parse(arguments)
    classes = {name: registry.find("games", name) for name in registry.games()}
    about = {name: (cls.__doc__ or "").partition("\n")[0] for name, cls in classes.items()}
    if given.json:
        import json

        listed = [
            {"name": name, "about": about[name], "options": schema(cls)}
            for name, cls in classes.items()
        ]
        print(json.dumps(listed, ensure_ascii=False, indent=2))
    else:
        wide = max(map(len, classes), default=0)
        for name in classes:
            print(f"{name:{wide}}  {about[name]}")
        print("\n`parlour play GAME` plays one; `parlour play GAME --help` lists its options.")
    for trouble in registry.troubles():
        print(f"parlour: left out: {trouble}", file=sys.stderr)
    return 0


def _play(parser: Parser, arguments: list[str]) -> int:
    from parlour.core import declared, registry
    from parlour.faces.terminal import table

    if not arguments:
        chosen = table.choose_game(registry.games())
        if chosen is None:
            return 0
        arguments = [chosen]
    parser.add_argument(
        "--seat",
        action="append",
        default=[],
        metavar="WHO",
        help="who sits at the next seat: human, 'human NAME', a bot, or a .py file that defines "
        "one; options follow its name, as in --seat 'random seed=3'",
    )
    parser.add_argument("--record", metavar="FILE", type=Path, help="add the game to this file")
    cls, rest = named_game(parser, arguments)
    known = declared(cls)
    add_options(parser, known)
    given = parser.parse(rest)
    options = read_options(known, vars(given))
    if "seats" in known and "seats" not in options and len(given.seat) > known["seats"].default:
        options["seats"] = len(given.seat)
    game = registry.made(cls, name_of(cls), options)
    return table.play(game, given.seat, given.record)


def _replay(parser: Parser, arguments: list[str]) -> int:
    from parlour.faces.terminal import table

    parser.add_argument("file", metavar="FILE", type=Path, help="a file with records, one a line")
    parser.add_argument("--number", type=int, metavar="N", help="which record (usually the last)")
    parser.add_argument("--game", metavar="FILE.py", help="the file that defines the game")
    given = parser.parse(arguments)
    return table.replay(given.file, given.number, given.game)
