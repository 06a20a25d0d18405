"""Lines of play as addresses and as files: a variant, where a line begins, and its moves.

So a line can be shared and nothing has to be stored. Moves, positions and records that are typed or
pasted become such a line, or one sentence that says what is wrong.

Our own records of any game, GGF, WTHOR, OBF and plain lists of Othello moves are told apart by
their content. A file may hold thousands of games, so each is read when it is shown; the page on
which somebody picks one carries the file along.

Somebody who reviews a game of their own is called "you", if they played it without a name. Their
links carry a mark that only they are known by, so that nobody else who gets one is called that.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from urllib.parse import quote, urlencode

from parlour import core
from parlour.core import ENDS, BadText, Game, IllegalMove, Match, ParlourError, Record, State, say
from parlour.core import quote as quote_text
from parlour.faces.web.errors import TooBig, require
from parlour.faces.web.forms import MAX_LENGTH as MAX_OPTION
from parlour.faces.web.forms import Variant, list_changes, read_variant
from parlour.faces.web.requests import read_number
from parlour.rules import Othello, formats

OURS = frozenset(  # not options
    "position moves at why by you ended end lost opened table cells turn square talk".split()
)
MAX_ADDRESS = 8_000  # characters of an address
MAX_NAME = 40  # of a player
MAX_ENDING = 100
MAX_ID = 40  # of a table
MAX_MOVES = 400
MAX_WORDS = 6  # of a move: take 2 coins from pile 3
MAX_FILE = 2 * 1024 * 1024  # bytes; a WTHOR file of 30,000 games
MAX_PASTE = 512 * 1024  # bytes of a text, which comes back if it is wrong
MAX_LINES = 100  # of our records that are read at once; of more, each when it is shown
WHAT = say(
    "paste a record, a game in GGF, a position in OBF or moves such as f5d6c3, or choose a file "
    "with them, which may also be WTHOR"
)


@dataclass(frozen=True)
class Line:
    """A game or part of one: where it begins, the moves, and every position on the way."""

    game: Game
    states: tuple[State, ...]  # before each move, and after the last
    moves: tuple[str, ...] = ()
    position: str = ""  # where it begins, if not at the start
    players: tuple[str, ...] = ()
    ended: str = ""  # why it was over, if not by the rules
    opening: int = 0  # the number of first moves that the players did not choose
    reader: str = ""  # the mark of the reader's own seat
    table: str = ""  # the finished game of this site that it is
    end: str = ""  # how it ended, if not by the rules, as in a record
    loser: int | None = None  # who lost by that

    @property
    def you(self) -> int | None:
        """The seat of the reader, if it has no other name."""
        return int(self.reader.partition("-")[0]) if self.reader else None

    def address(self, at: int | None = None, **more: str) -> str:
        """Return the address of the line, after `at` moves."""
        where = {} if at is None else {"at": str(at)}
        added = urlencode({**where, **more})
        join = "&" if "?" in self._address else "?"
        return f"{self._address}{join}{added}" if added else self._address

    @cached_property
    def _address(self) -> str:
        pairs = [("by", name) for name in self.players]
        pairs += [("you", self.reader)] if self.reader else []
        pairs += [("ended", self.ended)] if self.ended else []
        pairs += [("end", self.end)] if self.end else []
        pairs += [] if self.loser is None else [("lost", str(self.loser + 1))]
        pairs += [("opened", str(self.opening))] if self.opening else []
        pairs += [("table", self.table)] if self.table else []
        pairs += [("position", self.position)] if self.position else []
        pairs += [("moves", _join(self.moves))] if self.moves else []
        return _address(self.game, "/walk", *pairs)

    def name(self, seat: int) -> str:
        """Return the player at a seat: `Ann`, or `black`, or `player 1 (X)`."""
        named = self.players[seat] if seat < len(self.players) else ""
        return named or core.protocol.side_name(self.game, seat)

    def mover(self, number: int) -> int:
        """Return the seat that made a move, by its number from 1."""
        return self.game.turn(self.states[number - 1])

    def record(self) -> Record | None:
        """Return the line as a record, or None if it does not begin at the start."""
        if self.position:
            return None
        players = tuple(self.name(seat) for seat in range(self.game.seats))
        match = Match(self.game, players)
        for state, text in zip(self.states, self.moves, strict=False):
            if match.over:  # the referee would have ended it here
                return None
            match.play(self.game.read_move(state, text))
        match.opening = self.opening
        return match.record

    def on(self, at: int, text: str) -> Line:
        """Return the line with a move after `at` others; the same line if that move was played."""
        move = self.game.write_move(self.game.read_move(self.states[at], text))
        if at < len(self.moves) and move == self.moves[at]:
            return self
        before = replace(
            self,
            states=self.states[: at + 1],
            moves=self.moves[:at],
            ended="",
            opening=min(self.opening, at),
            table="",
        )
        return check_length(with_played(before, [move]))


def setup_address(game: Game, position: str = "") -> str:
    """Return the address where a line of this variant is set up."""
    return _address(game, "", *([("position", position)] if position else []))


def _address(game: Game, place: str, *pairs: tuple[str, str]) -> str:
    where = f"/analyse/{quote(game.name)}{place}"
    asked = urlencode([*list_changes(game).items(), *pairs], safe=",:")
    return f"{where}?{asked}" if asked else where


def _join(moves: Sequence[str]) -> str:
    """Join moves to one text that `with_moves` can read."""
    if any("," in move or ";" in move for move in moves):
        return "".join(f"{move}\n" for move in moves)
    return ",".join(moves)


def check_length(line: Line) -> Line:
    """Return the line if a link can hold it."""
    size = len(line.address(at=len(line.moves)))
    options = list_changes(line.game).values()
    if size > MAX_ADDRESS or any(len(text) > MAX_OPTION for text in options):
        raise TooBig("this is too long; at most {most:,} characters fit", most=MAX_ADDRESS)
    return line


# Reading


def read_line(
    name: str, query: Mapping[str, str], names: Sequence[str] = (), owner: str = ""
) -> Line:
    """Read the line of an address, for a reader."""
    game = game_of(name, query)
    end, lost = query.get("end", ""), read_number(query.get("lost", "")) or 0
    loser = lost - 1 if 0 < lost <= game.seats else None
    ended = core.referee.find_reason(game, tidy(query.get("ended", ""), MAX_ENDING), end, loser)
    players = tuple(tidy(each, MAX_NAME) for each in names[: game.seats])
    marks = [mark_seat(seat, owner) for seat in range(game.seats)] if owner else []
    begun = replace(
        start_line(game, query.get("position", "")),
        players=players,
        reader=query.get("you", "") if query.get("you") in marks else "",
        ended=ended,
        opening=read_number(query.get("opened", "")) or 0,
        table=tidy(query.get("table", ""), MAX_ID),
        end=end if end in ENDS else "",
        loser=loser,
    )
    line = with_moves(begun, query.get("moves", ""))
    return replace(line, opening=min(line.opening, len(line.moves)))


def mark_seat(seat: int, owner: str) -> str:
    """Return the mark of a seat that is its owner's own."""
    return f"{seat}-{hashlib.sha256(f'review {seat} {owner}'.encode()).hexdigest()[:8]}"


def game_of(name: str, query: Mapping[str, str]) -> Game:
    """Read the game of an address."""
    return variant_of(name, query).require_game()


def variant_of(name: str, query: Mapping[str, str]) -> Variant:
    """Read the variant of an address, whatever may be wrong with it."""
    return read_variant(name, {key: text for key, text in query.items() if key not in OURS})


def tidy(text: str, longest: int) -> str:
    """Return the beginning of a text on one line, without invisible characters."""
    shown = "".join(letter if letter.isprintable() else " " for letter in text[: 4 * longest])
    return " ".join(shown.split())[:longest]


def start_line(game: Game, position: str = "") -> Line:
    """Return the line without moves from a position, or from the start."""
    if not position.strip():
        return Line(game, (game.start(),))
    if len(position) > MAX_ADDRESS:
        raise TooBig("this is too long; at most {most:,} characters fit", most=MAX_ADDRESS)
    state = game.read(position)
    return check_length(
        Line(game, (state,), position="" if state == game.start() else game.write(state))
    )


def with_moves(line: Line, text: str) -> Line:
    """Return the line with further moves, written one after another in any usual way."""
    if len(text) > 2 * MAX_ADDRESS:
        raise TooBig("this is too long; at most {most:,} characters fit", most=2 * MAX_ADDRESS)
    numbered = re.sub(r"(?<!\S)[0-9]+\.+(?=\s|[a-z])", " ", text, flags=re.IGNORECASE)
    pieces = [piece for piece in numbered.split("\n") if piece.strip()]
    return check_length(_read(line, pieces))


def _read(line: Line, pieces: Iterable[str]) -> Line:
    """Read each piece as a move, or as several moves separated by commas, else by spaces."""
    for piece in pieces:
        try:
            line = with_played(line, [piece])
            continue
        except BadText:
            parts = [part for part in re.split("[,;]", piece) if part.strip()]
            if len(parts) > 1:
                line = _read(line, parts)
                continue
        line = _read_words(line, parts[0].split() if parts else [])
    return line


def _read_words(line: Line, words: list[str]) -> Line:
    """Read moves of one or more words each, as long as they can be."""
    while words:
        squares = re.fullmatch("(?:[a-z][0-9]+){2,}", words[0], re.IGNORECASE)
        if squares:  # f5d6c3
            words[:1] = re.findall("[a-z][0-9]+", words[0], re.IGNORECASE)
        reason: ParlourError | None = None
        for size in range(min(MAX_WORDS, len(words)), 0, -1):
            try:
                line = with_played(line, [" ".join(words[:size])])
            except (BadText, IllegalMove) as error:  # an illegal move says more
                reason = reason if isinstance(reason, IllegalMove) else error
                continue
            del words[:size]
            break
        else:
            raise reason or BadText(say("there are no moves in that"))
    return line


def with_played(line: Line, texts: Iterable[str]) -> Line:
    """Return the line after further moves; an error says which move is wrong."""
    game, moves, states = line.game, list(line.moves), list(line.states)
    for text in texts:
        if len(moves) >= MAX_MOVES:
            raise TooBig("a link can hold at most {most} moves", most=MAX_MOVES)
        try:
            move = game.read_move(states[-1], text)
        except ParlourError as error:
            kind = IllegalMove if isinstance(error, IllegalMove) else BadText
            why = say("move {moves}: {error}", moves=len(moves) + 1, error=error.text)
            raise kind(why) from None
        moves.append(game.write_move(move))
        states.append(game.play(states[-1], move))
    return replace(line, moves=tuple(moves), states=tuple(states))


# Records


def read_records(text: str) -> list[Record]:
    """Read the records in a text: one in any layout, or one on each line."""
    if not text.strip():
        raise BadText(say("paste a record here; Copy record at a table copies one"))
    lines = [(at, line) for at, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if len(lines) == 1 or _is_json(text):
        return [_read_record(text)]
    records = []
    for at, line in lines:
        try:
            records.append(_read_record(line))
        except BadText as error:
            raise BadText("line {at}: {error}", at=at, error=error.text) from None
    return records


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _read_record(text: str) -> Record:
    if not _is_json(text):
        raise BadText("paste what Copy record copied, not {text}", text=quote_text(text[:200]))
    return Record.from_json(text)


def line_of(record: Record) -> Line:
    """Return the line of a record, if all its moves are legal."""
    game: Game = core.registry.build("games", record.game, record.options)
    match = Match.from_record(game, record)
    line = replace(
        start_line(game),
        players=tuple(tidy(name, MAX_NAME) for name in record.players),
        ended=match.reason if match.end else tidy(match.reason, MAX_ENDING),
        end=match.end,
        loser=match.loser,
        opening=match.opening,
    )
    return check_length(with_played(line, match.moves))


# Files


@dataclass(frozen=True)
class Collection:
    """The games of a file, each read when it is asked for."""

    number: int
    read: Callable[[int], Line]


def read_collection(data: bytes) -> Collection:
    """Return the games in the bytes of a file or of a pasted text."""
    if len(data) > MAX_FILE:
        raise TooBig("this is too large; at most {most:,} kB fit", most=MAX_FILE // 1024)
    if not data.strip():
        raise BadText(WHAT)
    text = data.decode("utf-8-sig", errors="replace")
    if text.lstrip().startswith(("{", "[", '"')) and not formats.is_wthor(data):
        return _read_lines(text)
    try:
        games = formats.read_games(data)
    except BadText as error:
        plain = b"\0" not in data and "(;" not in text
        if not plain:
            raise
        raise BadText(
            "{error}; to review moves of another game than Othello, choose that game below",
            error=error.text,
        ) from None
    return Collection(len(games), lambda place: line_of_transcript(games[place]))


def _read_lines(text: str) -> Collection:
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


def list_formats(line: Line) -> list[str]:
    """Return the formats in which a line can be written."""
    return [kind for kind in WRITERS if _can_write(kind, line)]


def write_file(line: Line, kind: str, at: int) -> tuple[str, str]:
    """Return the text and the name of a file with a line, or its position after `at` moves."""
    write = require(WRITERS[kind] if kind in list_formats(line) else None)
    text, ending = write(line, at)
    return f"{text}\n", f"{line.game.name}.{ending}"


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
