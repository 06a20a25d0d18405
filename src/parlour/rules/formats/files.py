"""Othello games as people and programs write them down: one door for every kind of file.

Read are WTHOR archives (`.wtb`), GGF, the records of this house, and plain lists of moves such as
`f5d6c3` or `1. F5 D6 2. C3`. What a text or file holds is seen from itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import overload

from parlour.core import BadText, ParlourError, Record, count, make, quote
from parlour.rules.board import Square
from parlour.rules.formats.ggf import split_ggf, transcript
from parlour.rules.formats.transcript import Transcript, with_passes
from parlour.rules.othello import PASS, Othello

HEADER, ENTRY = 16, 68  # bytes of a WTHOR file
DISCS, MOVES = 6, 8  # where in an entry they are
SIDE = 8


class Games(Sequence[Transcript]):
    """The games of a file, each read when it is asked for: there may be thousands."""

    def __init__(self, number: int, read: Callable[[int], Transcript]) -> None:
        self.number = number
        self.read = read

    def __len__(self) -> int:
        return self.number

    @overload
    def __getitem__(self, index: int) -> Transcript: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Transcript, ...]: ...
    def __getitem__(self, index: int | slice) -> Transcript | tuple[Transcript, ...]:
        if isinstance(index, slice):
            return tuple(self[place] for place in range(*index.indices(self.number)))
        place = range(self.number)[index]
        try:
            return self.read(place)
        except ParlourError as trouble:
            if self.number == 1:
                raise
            raise BadText(f"game {place + 1} of {self.number}: {trouble}") from None


def read_games(data: bytes, game: Othello | None = None) -> Games:
    """The games in the bytes of a file, whatever kind it is; `BadText` if it is none.

    `game` is the Othello that a plain list of moves is played in; the other kinds say themselves.
    """
    if is_wthor(data):
        return read_wthor(data)
    if b"\0" in data:
        raise BadText("this is no text and no WTHOR archive either, which begins with its date")
    text = data.decode("utf-8-sig", errors="replace")
    if "(;" in text:
        found = split_ggf(text)
        return Games(len(found), lambda place: transcript(found[place]))
    if text.lstrip().startswith("{"):
        lines = [line for line in text.split("\n") if line.strip()]
        return Games(len(lines), lambda place: from_record(Record.from_json(lines[place])))
    listed = read_moves(text, game or Othello())
    return Games(len(listed), listed.__getitem__)


# WTHOR


def is_wthor(data: bytes) -> bool:
    """Whether bytes begin as a WTHOR file does, with a date and not with text."""
    if len(data) < HEADER:
        return False
    century, _, month, day = data[:4]
    return century in (19, 20) and 1 <= month <= 12 and 1 <= day <= 31


def read_wthor(data: bytes) -> Games:
    """The games of a WTHOR archive.

    After 16 bytes with the number of games come 68 for each: who played where, black's discs at the
    end and with best play, and 60 moves as ten times the row plus the column. Passes are left out.
    """
    number = int.from_bytes(data[4:8], "little")
    size = data[12] or SIDE
    if size != SIDE:
        raise BadText(
            f"this WTHOR file is of games on {size}x{size}; only those on {SIDE}x{SIDE} are read"
        )
    there = (len(data) - HEADER) // ENTRY
    if number > there:
        raise BadText(
            f"this WTHOR file says that it holds {count(number, 'game')}, but it ends after {there}"
        )

    def read(place: int) -> Transcript:
        begins = HEADER + ENTRY * place
        entry = data[begins : begins + ENTRY]
        game = Othello(columns=SIDE, rows=SIDE)
        moves = [(byte % 10 - 1, byte // 10 - 1) for byte in entry[MOVES:] if byte]
        played = with_passes(game, game.start(), moves)
        return Transcript(game, game.start(), played, lead=2 * entry[DISCS] - SIDE * SIDE)

    return Games(number, read)


# Records of this house


def from_record(record: Record) -> Transcript:
    """An Othello that was played in this house."""
    if record.game != Othello.name:
        raise BadText(f"this is the record of a game of {quote(record.game)}, not of Othello")
    game: Othello = make(Othello, Othello.name, record.options)
    moves = tuple(move for _, move in record.replay(game) if move is not None)
    names = (*record.players, "", "")
    return Transcript(game, game.start(), moves, (names[0], names[1]))


# Plain lists of moves


def read_moves(text: str, game: Othello) -> tuple[Transcript, ...]:
    """The games a text lists the moves of: one, or one on every line."""
    try:
        return (_listed(text, game),)
    except BadText as trouble:
        lines = [line for line in text.splitlines() if line.strip()]
        found: list[Transcript] = []
        for number, line in enumerate(lines, start=1):
            try:
                found.append(_listed(line, game))
            except BadText as fault:
                # Whoever writes one game on many lines is not told that the second begins wrongly.
                if number <= 2:
                    raise trouble from None
                raise BadText(f"line {number}: {fault}") from None
        if not found:
            raise
        return tuple(found)


def _listed(text: str, game: Othello) -> Transcript:
    moves = _moves(text, game)
    if not moves:
        raise BadText(f"{quote(text)} has no move in it; moves are squares, like f5 d6 c3")
    return Transcript(game, game.start(), with_passes(game, game.start(), moves))


def _moves(text: str, game: Othello) -> list[Square]:
    """The squares and passes in a text, in order; numbers before moves are left out."""
    digits = len(str(game.rows))  # on nine rows or fewer f52d6 is f5, a number, and d6
    word = re.compile(
        rf"(?P<nothing>[\s,;|–-]+|[0-9]+[.):]*)|(?P<passes>pass|pa|ps)|"
        rf"(?P<square>[a-z][0-9]{{1,{digits}}})"
    )
    said, at, moves = text.casefold(), 0, []
    while at < len(said):
        found = word.match(said, at)
        if found is None:
            raise BadText(f"{quote(said[at : at + 20])} is no move; moves are squares, like f5")
        if found["passes"]:
            moves.append(PASS)
        elif found["square"]:
            moves.append(game.board.read_square(found["square"]))
        at = found.end()
    return moves
