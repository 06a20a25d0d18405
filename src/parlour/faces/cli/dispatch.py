"""The command line: finds the command that was typed, loads its module and runs it.

Every command loads only what it needs, so that `parlour --help` answers at once. Errors are one
sentence on standard error and a non-zero exit code; nobody sees a traceback.
"""

from __future__ import annotations

import argparse
import codecs
import contextlib
import importlib
import os
import signal
import sys
from collections.abc import Sequence

from parlour.core import ParlourError, UnknownName, capital, one_of, quote, suggest
from parlour.faces.cli.command import Parser

COMMANDS = {  # each runs the module of the same name
    "chat": "talk and play with Benedict, the host",
    "games": "list the games",
    "bots": "list the bots, and how well they play a game",
    "play": "play a game at the terminal",
    "sticks": "play the Game of Sticks against a friend or a computer that learns",
    "replay": "step through a recorded game",
    "solve": "find out who wins from a position, and by which moves",
    "verify": "check a proof that solve has written",
    "explain": "explain why a position is won, lost or drawn, or why a move is right or wrong",
    "puzzles": "solve positions in which few moves are right",
    "study": "print, check, prove and convert a study: a tree of moves with comments",
    "explore": "see what was played in a position, how it ended, and what each move is worth",
    "perft": "count the lines of play of a game, depth by depth",
    "analyse": "show what each move of a recorded Othello game cost",
    "train": "train hats full of balls to play a game",
    "hats": "inspect, draw, print and copy trained hats",
    "judge": "measure how well an agent plays, by exact values",
    "atlas": "solve many variants of a game and compare them",
    "tournament": "let bots play each other, and rate them",
    "league": "rate a folder of bots, and rate it again as they change",
    "check-bot": "check a bot you wrote, and say what is wrong with it",
    "tune": "improve a bot's numbers by letting variants of it play each other",
    "gtp": "run a bot as an Othello engine that speaks GTP",
    "nboard": "run the Othello engine for NBoard and other boards that speak its protocol",
    "mcp": "let language models play, by the Model Context Protocol",
    "web": "serve the web site, for one person or for many",
    "backup": "write all that the web site has stored to one file, while it runs",
    "restore": "put a backup back, into a file or PostgreSQL",
    "admin-token": "make a token for the host's page of the web site",
    "compile": "compile everything ahead, so that nobody waits for it later",
    "examples": "copy the examples: games, bots and a league to start from",
    "schema": "print the JSON schema of what a command answers with --json",
    "completion": "print the script that lets a shell complete commands and flags",
    "help": "show this help, or that of a command",
}
CHAT_FLAGS = ("--model", "--model-name", "--seed")  # accepted without a command
INTERRUPTED = 130  # the exit code that shells report after Ctrl-C
READABLE = "parlour-readable"  # the error handler of outputs: it writes ASCII for the rest
IN_ASCII = dict(  # what Unicode does not take apart into letters and accents
    pair.split(" ")
    for pair in (
        "▲ ^,▼ v,● o,△ ^,▽ v,○ o,• *,· .,≈ ~,× x,÷ /,± +-,− -,½ .5,µ u,→ ->,… ...,"
        "’ ',‘ ',“ \",” \",– -,— -,ø o,Ø O,ß ss,æ ae,Æ AE,œ oe,ł l,đ d"
    ).split(",")
)
ABOUT = "Play small perfect-information games, in every variant their rules allow."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code, 0 for success."""
    _configure_streams()
    if "_ARGCOMPLETE" in os.environ:  # TAB was pressed
        from parlour.faces.cli.completion import complete

        complete(_run)
        return 0
    try:
        code = _run_safely(list(sys.argv[1:] if arguments is None else arguments))
    finally:
        if arguments is None:  # the program is about to end, so Ctrl-C has nothing left to stop
            signal.signal(signal.SIGINT, signal.SIG_IGN)
    if arguments is None and code == INTERRUPTED:
        _end_at_once()
    return code


def _end_at_once() -> None:
    """End the process, if a compiler that Ctrl-C could not stop would delay its end by seconds."""
    from parlour.core import is_compiling

    if is_compiling():
        with contextlib.suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(INTERRUPTED)


def _run_safely(arguments: list[str]) -> int:
    """Run one command; whatever goes wrong becomes one sentence and an exit code."""
    try:
        return _run(arguments)
    except ParlourError as error:
        print(f"parlour: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        from parlour.faces.progress import stop_announcing

        stop_announcing()
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader went away; leave nothing for the exit to flush
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if os.environ.get("PARLOUR_TRACEBACK"):
            raise
        print(
            f"parlour: something went wrong inside, {type(error).__name__}: {error}; "
            "set PARLOUR_TRACEBACK=1 to see where",
            file=sys.stderr,
        )
        return 1


def _configure_streams() -> None:
    """Let no character end the program; what an output cannot show is written in ASCII.

    In the locale C Python writes UTF-8 all the same, which is not what LC_ALL=C asks for.
    """
    if hasattr(sys.stdin, "reconfigure"):  # whoever types more than ASCII types UTF-8
        ascii_only = codecs.lookup(sys.stdin.encoding).name == "ascii"
        sys.stdin.reconfigure(encoding="utf-8" if ascii_only else None, errors="replace")
    chosen = os.environ.get("PYTHONIOENCODING") or os.environ.get("PYTHONUTF8") == "1"
    plain = os.environ.get("LC_ALL") in ("C", "POSIX") and not chosen
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="ascii" if plain else None, errors=READABLE)


def _run(arguments: list[str]) -> int:
    parser = _make_parser()
    if arguments and arguments[0].partition("=")[0] in CHAT_FLAGS:
        arguments = ["chat", *arguments]
    if arguments[:1] == ["help"]:  # `help COMMAND GAME` is `COMMAND GAME --help`
        arguments = [*(word for word in arguments if word != "help"), "--help"]
    name = arguments[0] if arguments else ""
    if name not in COMMANDS:
        given = parser.parse(arguments[:1])
        if given.version:
            from parlour import __version__

            print(f"parlour {__version__}")
            return 0
        name = given.command
    if name not in COMMANDS:
        from parlour.core import registry  # it takes longer to load than all the rest

        hint = suggest(name, COMMANDS) or f"; choose {one_of(COMMANDS)}"
        if name in registry.games():
            hint = f"; did you mean 'parlour play {name}'?"
        if name.endswith(".py"):
            hint = f"; did you mean 'parlour play {name}' or 'parlour chat {name}'?"
        raise UnknownName(f"there is no command {quote(name)}{hint}")
    from parlour.faces.progress import announce_compiling

    announce_compiling()
    command = importlib.import_module(f"parlour.faces.cli.{name.replace('-', '_')}")
    about = f"{capital(COMMANDS[name])}."
    code: int = command.run(Parser(prog=f"parlour {name}", description=about), arguments[1:])
    return code


def _make_parser() -> Parser:
    commands = "\n".join(f"  {name:11} {about}" for name, about in COMMANDS.items())
    more = "`parlour help COMMAND` says more about a command; `parlour` alone is `parlour chat`."
    parser = Parser(
        prog="parlour",
        description=ABOUT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=f"commands:\n{commands}\n\n{more}",
        usage="parlour [COMMAND …] [options]",
    )
    parser.add_switch("--version", "print the version and exit")
    command = parser.add_argument("command", nargs="?", default="chat", help=argparse.SUPPRESS)
    command.completer = lambda **_: COMMANDS  # type: ignore[attr-defined]
    return parser


# Outputs that cannot show a character


def _make_readable(error: UnicodeError) -> tuple[str, int]:
    """What stands for characters that an output cannot show: `^` for a triangle, `e` for `è`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_to_ascii, error.object[error.start : error.end])), error.end


def _to_ascii(char: str) -> str:
    if char in IN_ASCII:
        return IN_ASCII[char]
    import unicodedata  # few outputs need it

    bare = "".join(part for part in unicodedata.normalize("NFKD", char) if part.isascii())
    return bare or "?"


codecs.register_error(READABLE, _make_readable)
