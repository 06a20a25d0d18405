"""Games in files: whatever a player has, read into lines; and lines written as files again.

Our own records of any game, GGF, WTHOR, OBF and plain lists of Othello moves are told apart by
their content. A file may hold thousands of games, so each is read when it is shown. Nothing is
stored: the page on which somebody picks a game from a file carries the file along.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace

from parlour.core import BadText, ParlourError, Record, say
from parlour.faces.web.errors import NotThere, TooBig
from parlour.faces.web.review.address import (
    MAX_NAME,
    Line,
    check_length,
    line_of,
    read_records,
    start_line,
    tidy,
    with_played,
)
from parlour.rules import Othello, formats

MAX_FILE = 2 * 1024 * 1024  # bytes; a WTHOR file of 30,000 games
MAX_PASTE = 512 * 1024  # bytes of a text, which comes back if it is wrong
MAX_LINES = 100  # of our records that are read at once; of more, each when it is shown
WHAT = say(
    "paste a record, a game in GGF, a position in OBF or moves such as f5d6c3, or choose a file "
    "with them, which may also be WTHOR"
)


@dataclass(frozen=True)
class Collection:
    """The games of a file, each read when it is asked for."""

    number: int
    read: Callable[[int], Line]


def read_collection(data: bytes) -> Collection:
    """Return the games in the bytes of a file or of a pasted text."""
    if len(data) > MAX_FILE:
        raise TooBig(
            say(
                "a file can have at most {max_file:,} kB; split it and try again",
                max_file=MAX_FILE // 1024,
            )
        )
    if not data.strip():
        raise BadText(WHAT)
    text = data.decode("utf-8-sig", errors="replace")
    if text.lstrip().startswith(("{", "[", '"')) and not formats.is_wthor(data):
        return _read_records(text)
    try:
        games = formats.read_games(data)
    except BadText as error:
        plain = b"\0" not in data and "(;" not in text
        if not plain:
            raise
        raise BadText(
            say(
                "{error}; to review moves of another game than Othello, choose that game below",
                error=error.text,
            )
        ) from None
    return Collection(len(games), lambda place: line_of_transcript(games[place]))


def _read_records(text: str) -> Collection:
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) <= MAX_LINES:
        records = read_records(text)
        return Collection(len(records), lambda place: line_of(records[place]))
    return Collection(len(lines), lambda place: line_of(Record.from_json(lines[place])))


def line_of_transcript(found: formats.Transcript) -> Line:
    """Return the line of a game in a file."""
    game = found.game
    begins = "" if found.start == game.start() else game.write(found.start)
    line = start_line(game, begins)
    if any(found.players):
        line = replace(line, players=tuple(tidy(name, MAX_NAME) for name in found.players))
    return check_length(with_played(line, [game.write_move(move) for move in found.moves]))


# A file that a page carries along


def pack(data: bytes) -> str:
    """Return a file as text for a field of a form."""
    return base64.b64encode(zlib.compress(data, 9)).decode()


def unpack(text: str) -> bytes:
    """Return the file in such a text, whatever was sent instead."""
    try:
        opened = zlib.decompressobj()
        data = opened.decompress(base64.b64decode(text, validate=True), MAX_FILE + 1)
    except (ValueError, binascii.Error, zlib.error):
        raise BadText(say("the file got lost on the way; choose it again")) from None
    if len(data) > MAX_FILE or opened.unconsumed_tail or not opened.eof:
        raise BadText(say("the file got lost on the way; choose it again"))
    return data


# Writing


@dataclass(frozen=True)
class Written:
    """A line as a file."""

    name: str
    text: str


def list_formats(line: Line) -> list[str]:
    """Return the formats in which a line can be written."""
    return [kind for kind in WRITERS if _can_write(kind, line)]


def write_file(line: Line, kind: str, at: int) -> Written:
    """Return a line, or its position after `at` moves, as a file."""
    if kind not in WRITERS or not _can_write(kind, line):
        raise NotThere(say("this game cannot be written in that format"))
    text, ending = WRITERS[kind](line, at)
    return Written(f"{line.game.name}.{ending}", f"{text}\n")


def _can_write(kind: str, line: Line) -> bool:
    if kind == "record":
        return line.record() is not None
    game = line.game
    if not isinstance(game, Othello) or (game.columns, game.rows) != (formats.SIDE, formats.SIDE):
        return False
    return kind != "moves" or line.states[0] == Othello().start()


def _to_transcript(line: Line) -> formats.Transcript:
    game = line.game
    if not isinstance(game, Othello):
        raise ParlourError(say("only games of Othello have transcripts"))
    pairs = zip(line.states, line.moves, strict=False)
    moves = tuple(game.read_move(state, text) for state, text in pairs)
    names = (*line.players, "", "")
    return formats.Transcript(game, line.states[0], moves, (names[0], names[1]))


def _write_record(line: Line, at: int) -> tuple[str, str]:
    record = line.record()
    return (record.to_json() if record else ""), "jsonl"


def _write_obf(line: Line, at: int) -> tuple[str, str]:
    game, state = line.game, line.states[at]
    return formats.write_obf(game, state) if isinstance(game, Othello) else "", "obf"


WRITERS: dict[str, Callable[[Line, int], tuple[str, str]]] = {
    "record": _write_record,
    "ggf": lambda line, at: (formats.write_ggf(_to_transcript(line)), "ggf"),
    "moves": lambda line, at: (formats.write_moves(_to_transcript(line)), "txt"),
    "obf": _write_obf,
}
