"""The command line: reads what was asked, and calls the part that does it.

Every command loads only what it needs, so that `parlour --help` answers at once. A game's options
are flags of the same name, made from its own declaration. Errors are one sentence on standard error
and a non-zero exit; nobody sees a traceback.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from parlour.core.errors import ParlourError, UnknownName
from parlour.core.words import nearest, one_of, quote

ABOUT = "Play small perfect-information games, in every variant their rules allow."


class Parser(argparse.ArgumentParser):
    """An argument parser that refuses in one sentence."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(allow_abbrev=False, **settings)

    def error(self, message: str) -> NoReturn:
        raise ParlourError(f"{message}; see {self.prog} --help")

    def parse(self, arguments: list[str]) -> argparse.Namespace:
        """What was given; a flag that does not exist is refused with a suggestion."""
        given, strange = self.parse_known_args(arguments)
        if strange:
            hint = nearest(strange[0], self._option_string_actions) or f"; see {self.prog} --help"
            raise ParlourError(f"{self.prog} does not know {quote(strange[0])}{hint}")
        return given


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


def _run(arguments: list[str]) -> int:
    commands: dict[str, tuple[str, Callable[[Parser, list[str]], int]]] = {
        "games": ("list the games", _games),
        "play": ("play a game at the terminal", _play),
        "replay": ("step through a recorded game", _replay),
    }
    parser = Parser(
        prog="parlour",
        description=ABOUT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="\n".join(
            [
                "commands:",
                *(f"  {name:8} {about}" for name, (about, _) in commands.items()),
                "",
                "`parlour COMMAND --help` says more; `parlour` alone opens a game.",
            ]
        ),
        usage="parlour [--help] [--version] [COMMAND …]",
    )
    parser.add_argument("--version", action="store_true", help="say which version this is")
    parser.add_argument("command", nargs="?", default="play", help=argparse.SUPPRESS)
    given = parser.parse(arguments[:1])
    if given.version:
        from parlour import __version__

        print(f"parlour {__version__}")
        return 0
    name = given.command
    if name not in commands:
        hint = nearest(name, commands) or f"; there is {one_of(commands)}"
        raise UnknownName(f"there is no command {quote(name)}{hint}")
    about, command = commands[name]
    return command(Parser(prog=f"parlour {name}", description=about), arguments[1:])


def _games(parser: Parser, arguments: list[str]) -> int:
    from parlour.core import registry
    from parlour.core.options import schema

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
    from parlour.core import registry
    from parlour.core.options import declared
    from parlour.faces.terminal import table

    known: dict[str, Any] = {}
    named = bool(arguments) and not arguments[0].startswith("-")
    if not named and not {"-h", "--help"} & set(arguments):
        chosen = table.choose_game(registry.games())
        if chosen is None:
            return 0
        arguments, named = [chosen, *arguments], True
    if named:
        parser.prog += f" {arguments[0]}"
        known = declared(registry.find("games", arguments[0]))
    parser.add_argument("game", metavar="GAME", help="its name, or a .py file that defines one")
    parser.add_argument(
        "--seat",
        action="append",
        default=[],
        metavar="WHO",
        help="who sits at the next seat: human, 'human NAME', a bot, or a .py file that defines "
        "one; options follow its name, as in --seat 'random seed=3'",
    )
    parser.add_argument("--record", metavar="FILE", type=Path, help="add the game to this file")
    _add_options(parser, known)
    given = parser.parse(arguments)
    options = _read_options(known, vars(given))
    if "seats" in known and "seats" not in options and len(given.seat) > known["seats"].default:
        options["seats"] = len(given.seat)
    return table.play(registry.game(given.game, **options), given.seat, given.record)


def _add_options(parser: Parser, known: dict[str, Any]) -> None:
    group = parser.add_argument_group("options of this game" if known else "options")
    for name, opt in known.items():
        flags = dict.fromkeys([f"--{name.replace('_', '-')}", f"--{name}"])
        how: dict[str, Any] = {"nargs": "?", "const": "yes"} if opt.kind is bool else {}
        if opt.depth:
            how = {"nargs": "*", "action": "extend"}
        usual = "as the preset says" if not opt.has_default else opt.write(opt.default)
        text = f"{opt.about}: {opt.allowed.removeprefix('it must be ')} (usually {usual})"
        group.add_argument(
            *flags, dest=f"option {name}", metavar=name.upper(), help=text.replace("%", "%%"), **how
        )
        for bundle, items in opt.bundles.items():
            group.add_argument(
                f"--{bundle}",
                dest=f"bundle {bundle}",
                action="store_true",
                help=f"add {opt.write(items)} to the {name}",
            )


def _read_options(known: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    chosen = {}
    for name, opt in known.items():
        text = given[f"option {name}"]
        if isinstance(text, list):
            text = (";" if opt.depth == 2 else " ").join(text)
        if text is not None:
            chosen[name] = opt.read(text)
        for bundle, items in opt.bundles.items():
            if given[f"bundle {bundle}"]:
                chosen[name] = (*chosen.get(name, opt.default), *items)
    return chosen


def _replay(parser: Parser, arguments: list[str]) -> int:
    from parlour.faces.terminal import table

    parser.add_argument("file", metavar="FILE", type=Path, help="a file with records, one a line")
    parser.add_argument("--number", type=int, metavar="N", help="which record (usually the last)")
    parser.add_argument("--game", metavar="FILE.py", help="the file that defines the game")
    given = parser.parse(arguments)
    return table.replay(given.file, given.number, given.game)
