"""`parlour gtp`: a bot of the house behind the Go Text Protocol, on standard input and output."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any, TextIO

from parlour.core import ParlourError, declared, describe, one_of, registry
from parlour.faces.cli.flags import Parser, add_options, read_number, read_options
from parlour.faces.gtp import LONGEST_LINE, Session
from parlour.rules import Othello

DEPTHS = ("level", "plies", "depth")  # how bots call what --level means
CHUNK = 1 << 16
CONTROLS = str.maketrans("\t", " ", "".join(map(chr, {*range(32), 127} - {ord("\t")})))


def gtp(parser: Parser, arguments: list[str]) -> int:
    """Answer until `quit`, or until nothing more comes in."""
    session = _begun(parser, arguments)
    if hasattr(sys.stdin, "reconfigure"):  # a line ends where GTP says, whatever bytes are in it
        sys.stdin.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    out = sys.stdout
    # What a bot prints is not for whoever reads the answers.
    with contextlib.redirect_stdout(sys.stderr):
        try:
            for line in lines(sys.stdin):
                out.write(session.answer(line))
                out.flush()
                if session.over:
                    break
        except KeyboardInterrupt:  # without a word
            return 130
    return 0


def lines(stream: TextIO) -> Iterator[str]:
    """The lines as GTP wants them read: no comments, no control characters, tabs are spaces.

    Of one that is longer than any command only the beginning is kept.
    """
    line, comment = "", False
    while chunk := stream.readline(CHUNK):
        if not comment and len(line) <= LONGEST_LINE:
            said, mark, _ = chunk.partition("#")
            line, comment = (line + said.translate(CONTROLS)).lstrip(" "), bool(mark)
        if chunk.endswith("\n"):
            yield line
            line, comment = "", False
    yield line


def _begun(parser: Parser, arguments: list[str]) -> Session:
    """The conversation that was asked for."""
    parser.add_argument(
        "--bot",
        metavar="BOT",
        help="who plays: a bot, or a .py file of one; its options may stand there too, as in "
        "'minimax depth=2'",
    )
    first = Parser(prog=parser.prog, add_help=False)
    first.add_argument("--bot")
    named = first.parse_known_args(arguments)[0].bot
    bot = None if named is None else registry.read_bot(named, files=True)
    known = {} if bot is None else declared(type(bot))
    depth = next((name for name in DEPTHS if name in known), "")
    if depth != "level":
        parser.add_argument("--level", metavar="N", help="how far the bot looks ahead, if it does")
    board = declared(Othello)
    own = {name: opt for name, opt in known.items() if name not in board}
    add_options(parser, own, heading="options of this bot")
    add_options(parser, board)
    given = vars(parser.parse(arguments))
    game: Othello = registry.made(Othello, "othello", read_options(board, given))
    if bot is None:
        raise ParlourError(f"name who plays: --bot {one_of(registry.bots(game))}")
    options: dict[str, Any] = {name: getattr(bot, name) for name in known}
    options |= read_options(known, given)
    if (level := given.get("level")) is not None:
        if not depth:
            raise ParlourError(f"{bot.name} has no level; leave out --level")
        options[depth] = known[depth].check(read_number("--level", level))
    bot = registry.made(type(bot), bot.name, options)
    if not bot.plays(game):
        able = one_of(registry.bots(game))
        raise ParlourError(f"{describe(bot)} does not play {describe(game)}; those who do: {able}")
    return Session(bot, game)
