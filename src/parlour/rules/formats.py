"""Othello games in files of every supported format.

These are WTHOR archives (`.wtb`), GGF, our own records, positions in OBF, and plain lists of moves
such as `f5d6c3` or `1. F5 D6 2. C3`. The format is recognised from the content. A transcript is
also written as GGF, as a list of moves, or as a position in OBF.

Othello files leave passes out, or write them where the rules would not. Here the moves are replayed
one by one, so that a transcript always holds exactly what happened.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any, TypeAlias

from parlour.core import BadText, IllegalMove, ParlourError, Record, count, quote, registry, say
from parlour.rules.board import Square
from parlour.rules.othello import PASS, Othello, OthelloState

Properties: TypeAlias = list[tuple[str, str]]  # names and values, in order

HEADER, ENTRY = 16, 68  # bytes of a WTHOR file's header and of one game
DISCS, MOVES = 6, 8  # their offsets in an entry
SIDE = 8
PROPERTY = re.compile(r"\s*([A-Za-z]+)\s*\[([^\]]*)\]")
END = re.compile(r"\s*;?\s*\)")
ANTI = re.compile("s?[0-9]+[^a]*a")  # the type of a game won by the fewest discs
SEATS = {"B": 0, "W": 1}
OBF = re.compile(r"(?:[XOxo.*-]\s*){64}[XOxo]\s*(?:;.*)?")
MAX_PLAYED = 100  # lines of moves that are replayed at once; of more, each when it is asked for
CELLS = str.maketrans("*", "X")  # black is * in GGF, and X in our own positions


@dataclass(frozen=True)
class Transcript:
    """One game of a file, finished or not."""

    game: Othello
    start: OthelloState
    moves: tuple[Square, ...]
    players: tuple[str, str] = ("", "")  # as far as the file names them
    lead: float | None = None  # of black at the end, if the file says

    def positions(self) -> Iterator[tuple[OthelloState, Square | None]]:
        """Yield every position with the move played in it, the last one with None."""
        state = self.start
        for move in self.moves:
            yield state, move
            state = self.game.play(state, move)
        yield state, None


def add_passes(
    game: Othello, start: OthelloState, moves: Iterable[Square], seats: Iterable[int] | None = None
) -> tuple[Square, ...]:
    """Return the moves from `start` with the forced passes that were left out.

    `seats` says whose moves they are, in files that record it. Passes after the end are dropped.
    """
    state, complete = start, []
    owners: Iterable[int | None] = repeat(None) if seats is None else seats
    for number, (move, seat) in enumerate(zip(moves, owners, strict=False), start=1):
        possible = game.moves(state)
        if move == PASS and not possible:
            continue
        if move != PASS and possible and possible[0] == PASS:
            complete.append(PASS)
            state = game.play(state, PASS)
        try:
            following = game.play(state, move)
        except IllegalMove as why:
            raise BadText(
                "move {number}, {move}, cannot be played: {why}",
                number=number,
                move=game.write_move(move),
                why=why.text,
            ) from None
        if seat not in (None, game.turn(state)):
            raise BadText(
                "move {number}, {move}, is recorded as {side}'s, but {other} is to move",
                number=number,
                move=game.write_move(move),
                side=game.sides[1 - state[2]],
                other=game.sides[state[2]],
            )
        complete.append(move)
        state = following
    return tuple(complete)


class Games:
    """The games of a file, each read from its part on access: there may be thousands."""

    def __init__(self, parts: Sequence[Any], read: Callable[[Any], Transcript]) -> None:
        self.parts = parts
        self.read = read

    def __len__(self) -> int:
        return len(self.parts)

    def __getitem__(self, index: int) -> Transcript:
        try:
            return self.read(self.parts[index])
        except ParlourError as error:
            if len(self) == 1:
                raise
            raise BadText(
                "game {place} of {number}: {error}",
                place=range(len(self))[index] + 1,
                number=len(self),
                error=error.text,
            ) from None


def read_games(data: bytes, game: Othello | None = None) -> Games:
    """Return the games in the bytes of a file of any format; raise `BadText` for no format.

    `game` is the variant for a plain list of moves; the other formats name theirs.
    """
    if is_wthor(data):
        return _read_wthor(data)
    if b"\0" in data:
        raise BadText(say("this file is neither text nor a WTHOR archive"))
    text = data.decode("utf-8-sig", errors="replace")
    if "(;" in text:
        return Games(_split_ggf(text), _to_transcript)
    lines = [line for line in text.splitlines() if line.strip()]
    if text.lstrip().startswith("{"):
        return Games(lines, lambda line: _from_record(Record.from_json(line)))
    positions = [line for line in lines if not line.startswith("%")]
    if positions and OBF.fullmatch(positions[0].strip()):
        return Games(positions, _read_obf)
    return _read_lists(text, lines, game or Othello())


# WTHOR


def is_wthor(data: bytes) -> bool:
    """Return whether the bytes begin with a date, as a WTHOR file does, and not with text."""
    if len(data) < HEADER:
        return False
    century, _, month, day = data[:4]
    return century in (19, 20) and 1 <= month <= 12 and 1 <= day <= 31


def _read_wthor(data: bytes) -> Games:
    """Return the games of a WTHOR archive.

    A header of 16 bytes with the number of games is followed by 68 for each: the players, black's
    discs at the end and with best play, and 60 moves as ten times the row plus the column, without
    passes.
    """
    number = int.from_bytes(data[4:8], "little")
    size = data[12] or SIDE
    if size != SIDE:
        raise BadText(
            "this WTHOR file has games on {size}x{size}; only those on {side}x{side} are supported",
            size=size,
            side=SIDE,
        )
    present = (len(data) - HEADER) // ENTRY
    if number > present:
        raise BadText(
            "this WTHOR file claims to hold {games}, but it ends after {present}",
            games=count(number, "game"),
            present=present,
        )

    ends = HEADER + ENTRY * number
    return Games([data[at : at + ENTRY] for at in range(HEADER, ends, ENTRY)], _read_entry)


def _read_entry(entry: bytes) -> Transcript:
    game = Othello(columns=SIDE, rows=SIDE)
    moves = [(byte % 10 - 1, byte // 10 - 1) for byte in entry[MOVES:] if byte]
    complete = add_passes(game, game.start(), moves)
    return Transcript(game, game.start(), complete, lead=2 * entry[DISCS] - SIDE * SIDE)


# GGF: a game is a list of properties between `(;` and `;)`. `BO[8 … *]` is the first board and the
# side to move, `B[d3/1.5/0.8]` and `W[PA]` are moves, with their evaluation and seconds, which are
# ignored. A file, or a line, may hold several games.


def read_ggf(text: str) -> Iterator[Transcript]:
    """Yield the games in a text; raise `BadText` for one that is malformed."""
    return map(_to_transcript, _split_ggf(text))


def _split_ggf(text: str) -> list[Properties]:
    """Return the properties of each game in a text."""
    at = text.find("(;")
    if at < 0:
        raise BadText(
            "{text} is not a game in GGF, which begins with (; and ends with ;)", text=quote(text)
        )
    games = []
    while at >= 0:
        fields, at = _parse_properties(text, at + 2)
        games.append(fields)
        at = text.find("(;", at)
    return games


def _parse_properties(text: str, at: int) -> tuple[Properties, int]:
    """Return the properties of the game that begins here, and where it ends."""
    fields: Properties = []
    while found := PROPERTY.match(text, at):
        fields.append((found[1].upper(), found[2]))
        at = found.end()
    end = END.match(text, at)
    if end is None:
        rest = quote(text[at : at + 30].strip())
        raise BadText(
            "a GGF game continues with NAME[value] or ends with ;), not {rest}", rest=rest
        )
    return fields, end.end()


def _to_transcript(fields: Properties) -> Transcript:
    """Return the game that these properties describe."""
    values = dict(fields)
    kind = values.get("GM", "Othello").strip()
    if kind.casefold() not in ("othello", "reversi"):
        raise BadText("this is a game of {game}, not of Othello", game=quote(kind))
    rules = values.get("TY", "").strip().casefold()
    game = Othello(columns=SIDE, rows=SIDE, misere=bool(ANTI.match(rules)))
    start = _read_board(game, values["BO"]) if "BO" in values else game.start()
    listed = [(SEATS[name], value) for name, value in fields if name in SEATS]
    moves = add_passes(
        game, start, (_read_move(game, value) for _, value in listed), (seat for seat, _ in listed)
    )
    players = (values.get("PB", "").strip(), values.get("PW", "").strip())
    return Transcript(game, start, moves, players, _read_lead(game, values.get("RE", "")))


def _read_board(game: Othello, text: str) -> OthelloState:
    """Read `8`, then the squares and the side to move, spaced in any way."""
    size, *cells = text.split() or [""]
    if size != str(SIDE):
        raise BadText(
            "this GGF has a board of the type {size}; only the type {side} is supported, with "
            "{side} columns and {side} rows",
            size=quote(size),
            side=SIDE,
        )
    try:
        return game.read("".join(cells).translate(CELLS))
    except BadText:
        raise BadText(
            "{text} is not a board; after the {side} come {squares} squares as *, O and -, "
            "then * or O to move",
            text=quote(f"BO[{text}]"),
            side=SIDE,
            squares=SIDE * SIDE,
        ) from None


def _read_move(game: Othello, text: str) -> Square:
    """Read the move before the first slash."""
    move = "".join(text.partition("/")[0].split())
    return PASS if move.casefold() in ("pa", "pass", "ps") else game.board.read_square(move)


def _read_lead(game: Othello, text: str) -> float | None:
    """Read `+12.00` or `-64.00:t`; some programs write impossible results."""
    found = re.match(r"\s*[+-]?[0-9]{1,3}(\.[0-9]{0,9})?", text)
    if found is None or abs(float(found[0])) > len(game.board.bits):
        return None
    return float(found[0])


def write_ggf(transcript: Transcript) -> str:
    """Return the game as GGF on one line, with its passes."""
    game = transcript.game
    _check_size(game, "GGF")
    cells, side = game.write(transcript.start).replace("X", "*").split()
    rows = " ".join(cells[at : at + SIDE] for at in range(0, len(cells), SIDE))
    black, white = (_clean(name) for name in transcript.players)
    head = [("GM", "Othello"), ("PC", "Parlour"), ("PB", black), ("PW", white)]
    moves, state = [], transcript.start
    for move in transcript.moves:
        moves.append(("BW"[state[2]], "PA" if move == PASS else game.write_move(move)))
        state = game.play(state, move)
    if game.result(state) is not None:
        head.append(("RE", f"{game.score(state):+.3f}"))
    head += [("TY", f"{SIDE}{'a' if game.misere else ''}"), ("BO", f"{SIDE} {rows} {side}")]
    return f"(;{''.join(f'{name}[{value}]' for name, value in (*head, *moves))};)"


def _clean(name: str) -> str:
    """Return a name without what would end the value or the game."""
    return " ".join(
        "".join(c if c.isprintable() and c not in "[]\\" else " " for c in name).split()
    )


# OBF: a position on each line, 64 squares and the side to move, and perhaps values of moves after a
# semicolon, which are ignored. Lines that begin with % are remarks.


def _read_obf(line: str) -> Transcript:
    game = Othello(columns=SIDE, rows=SIDE)
    return Transcript(game, game.read(line), ())


def write_obf(game: Othello, state: OthelloState) -> str:
    """Return a position as a line of OBF."""
    _check_size(game, "OBF")
    return f"{game.write(state)};"


def _check_size(game: Othello, kind: str) -> None:
    if (game.columns, game.rows) != (SIDE, SIDE):
        raise BadText(
            "{kind} is written here for boards of {side}x{side} only", kind=kind, side=SIDE
        )


# Our own records


def _from_record(record: Record) -> Transcript:
    """Return the transcript of one of our own records."""
    if record.game != Othello.name:
        raise BadText("this is a game of {game}, not of Othello", game=quote(record.game))
    game: Othello = registry.make(Othello, Othello.name, record.options)
    moves = tuple(move for _, move in record.replay(game) if move is not None)
    names = (*record.players, "", "")
    return Transcript(game, game.start(), moves, (names[0], names[1]))


# Plain lists of moves


def _read_lists(text: str, lines: list[str], game: Othello) -> Games:
    """Return the games whose moves a text lists: one, or one on every line."""
    if len(lines) > MAX_PLAYED:  # too many for one game
        return Games(lines, lambda line: _read_list(line, game))
    found = []
    try:
        found.append(_read_list(text, game))
    except BadText as error:
        for number, line in enumerate(lines, start=1):
            try:
                found.append(_read_list(line, game))
            except BadText as in_line:
                if number <= 2:  # more likely one game on many lines than two games
                    raise error from None
                raise BadText(
                    "line {number}: {in_line}", number=number, in_line=in_line.text
                ) from None
        if not found:
            raise
    return Games(found, lambda each: each)


def _read_list(text: str, game: Othello) -> Transcript:
    moves = split_moves(text, game)
    if not moves:
        raise BadText(
            "{text} has no move in it; moves are squares, like f5 d6 c3", text=quote(text)
        )
    return Transcript(game, game.start(), add_passes(game, game.start(), moves))


def split_moves(text: str, game: Othello) -> list[Square]:
    """Return the squares and passes in a text, in order, without the numbers of moves."""
    digits = len(str(game.rows))  # on nine rows or fewer f52d6 is f5, a number, and d6
    known = re.compile(
        rf"(?P<nothing>[\s,;|–-]+|[0-9]+[.):]*)|(?P<passes>pass|pa|ps)|"
        rf"(?P<square>[a-z][0-9]{{1,{digits}}})"
    )
    text, at, moves = text.casefold(), 0, []
    while at < len(text):
        found = known.match(text, at)
        if found is None:
            word = quote(text[at : at + 20])
            raise BadText("{text} is not a move; moves are squares, like f5", text=word)
        if found["passes"]:
            moves.append(PASS)
        elif found["square"]:
            moves.append(game.board.read_square(found["square"]))
        at = found.end()
    return moves


def write_moves(transcript: Transcript) -> str:
    """Return the moves as one word such as `f5d6c3`, without passes, as players write them."""
    game = transcript.game
    return "".join(game.write_move(move) for move in transcript.moves if move != PASS)
