"""`parlour nboard`: the Othello engine behind the NBoard protocol, on standard input and output.

A thread of its own reads, so that a line is heard while the engine thinks.
"""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator
from io import BytesIO, FileIO

from parlour.core import declared, registry
from parlour.faces.cli.flags import Parser, add_options, read_options
from parlour.faces.nboard import LONGEST_LINE, Session
from parlour.players import Engine

OPTIONS = ("threads", "hash")  # how far it looks and how long, the board says
CHUNK = 1 << 16
CONTROLS = str.maketrans("\t", " ", "".join(map(chr, {*range(32), 127} - {ord("\t")})))


def nboard(parser: Parser, arguments: list[str]) -> int:
    """Answer until `quit`, or until nothing more comes in."""
    known = {name: opt for name, opt in declared(Engine).items() if name in OPTIONS}
    add_options(parser, known, heading="options of the engine")
    options = read_options(known, vars(parser.parse(arguments)))
    engine: Engine = registry.made(Engine, Engine.name, options)
    out = sys.stdout

    def say(line: str) -> None:
        out.write(line + "\n")
        out.flush()

    session = Session(say, engine.engine)
    # Without a buffer: a thread that waits in one holds a lock that the exit needs.
    stream = FileIO(sys.stdin.fileno(), closefd=False)
    reader = threading.Thread(target=_read, args=(session, stream), daemon=True)
    with contextlib.redirect_stdout(sys.stderr):  # what is printed inside is no answer
        try:
            reader.start()
            session.run()
        except KeyboardInterrupt:  # without a word
            return 130
    return 0


def _read(session: Session, stream: FileIO) -> None:
    try:
        for line in lines(stream):
            session.hear(line)
    finally:
        session.hear(None)


def lines(stream: FileIO | BytesIO) -> Iterator[str]:
    """The lines without control characters; of one that is far too long only the beginning."""
    rest = b""
    while chunk := stream.read(CHUNK):
        *ended, rest = (rest + chunk).split(b"\n")
        yield from map(_text, ended)
        rest = rest[: 4 * LONGEST_LINE + 4]  # no character has more bytes
    if rest:
        yield _text(rest)


def _text(line: bytes) -> str:
    return line.decode(errors="replace").translate(CONTROLS)
