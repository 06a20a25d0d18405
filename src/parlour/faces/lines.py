"""Lines that other programs send: read as they come, however long, whatever is in them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import BinaryIO

CHUNK = 1 << 16
CONTROLS = str.maketrans("\t", " ", "".join(map(chr, {*range(32), 127} - {ord("\t")})))


def open_input() -> BinaryIO:
    """Return standard input unbuffered: a buffered read holds a lock that the exit needs."""
    stream: BinaryIO = getattr(sys.stdin.buffer, "raw", sys.stdin.buffer)
    return stream


def read_lines(stream: BinaryIO, longest: int) -> Iterator[str]:
    """Yield lines without control characters; of one that is too long only the beginning."""
    rest = b""
    while chunk := stream.read(CHUNK):
        *ended, rest = (rest + chunk).split(b"\n")
        yield from map(_decode, ended)
        rest = rest[: 4 * longest + 4]  # no character has more than four bytes
    if rest:
        yield _decode(rest)


def _decode(line: bytes) -> str:
    return line.decode(errors="replace").translate(CONTROLS)


def to_ascii(text: str) -> str:
    """Return a text in the characters that old protocols allow."""
    return text.replace("…", "...").encode("ascii", "backslashreplace").decode()
