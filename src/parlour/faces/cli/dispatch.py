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
import textwrap
from collections.abc import Sequence
from pathlib import Path

from parlour.core import ParlourError, UnknownName, capital, one_of, quote, suggest
from parlour.faces.cli.command import Parser

COMMAND_LIST = (Path(__file__).parent / "commands.txt").read_text(encoding="utf-8")
COMMANDS = dict(line.split(maxsplit=1) for line in COMMAND_LIST.splitlines())  # and what they do
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
    more = "`parlour help COMMAND` says more about a command; `parlour` alone is `parlour chat`."
    parser = Parser(
        prog="parlour",
        description=ABOUT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=f"commands:\n{textwrap.indent(COMMAND_LIST, '  ')}\n{more}",
        usage="parlour [COMMAND …] [options]",
    )
    parser.add_argument("--version", action="store_true", help="print the version and exit")
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
