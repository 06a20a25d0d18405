"""Lines as addresses: a variant, where the line begins, and the moves from there, all in one link.

So a line can be shared and nothing of it need be kept. Whatever somebody types or pastes, moves, a
position or a record, becomes such a line, or one sentence that says what is wrong with it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from urllib.parse import quote, urlencode

from parlour.core import (
    BadText,
    Game,
    IllegalMove,
    Match,
    ParlourError,
    Record,
    State,
    registry,
    side_name,
)
from parlour.faces.web.errors import TooBig
from parlour.faces.web.variants import LONGEST as LONGEST_OPTION
from parlour.faces.web.variants import read_variant, told

OURS = frozenset(  # what is no option in an address
    {"position", "moves", "at", "why", "by", "ended", "opened", "cells", "turn", "square", "talk"}
)
LONGEST = 8_000  # characters of an address
LONGEST_NAME = 40  # of a player
LONGEST_END = 100
MOST_MOVES = 400
MOST_WORDS = 6  # of a move: take 2 coins from pile 3


@dataclass(frozen=True)
class Line:
    """A game or a part of one: where it begins, the moves, and every position on the way."""

    game: Game
    states: tuple[State, ...]  # before each move, and after the last
    moves: tuple[str, ...] = ()
    position: str = ""  # where it begins, if that is not the usual start
    players: tuple[str, ...] = ()
    ended: str = ""  # why it was over, where the rules alone do not say
    opening: int = 0  # how many of the first moves were not the players'

    def address(self, at: int | None = None, **more: str) -> str:
        """Where it is looked at, after so many moves."""
        where = {} if at is None else {"at": str(at)}
        added = urlencode({**where, **more})
        join = "&" if "?" in self._address else "?"
        return f"{self._address}{join}{added}" if added else self._address

    @cached_property
    def _address(self) -> str:
        pairs = [("by", name) for name in self.players]
        pairs += [("ended", self.ended)] if self.ended else []
        pairs += [("opened", str(self.opening))] if self.opening else []
        pairs += [("position", self.position)] if self.position else []
        pairs += [("moves", _joined(self.moves))] if self.moves else []
        return _address(self.game, "/walk", *pairs)

    def called(self, seat: int) -> str:
        """Who sits there: `Ann`, or `black`, or `player 1 (X)`."""
        named = self.players[seat] if seat < len(self.players) else ""
        return named or side_name(self.game, seat)

    def record(self) -> Record | None:
        """The same as a record; None where it does not begin at the start."""
        if self.position:
            return None
        players = tuple(self.called(seat) for seat in range(self.game.seats))
        match = Match(self.game, players)
        for state, text in zip(self.states, self.moves, strict=False):
            if match.over:  # the referee would have ended it here
                return None
            match.play(self.game.read_move(state, text))
        match.opening = self.opening
        return match.record

    def on(self, at: int, text: str) -> Line:
        """The line in which this move is made after so many others; the same, if it was made."""
        move = self.game.write_move(self.game.read_move(self.states[at], text))
        if at < len(self.moves) and move == self.moves[at]:
            return self
        before = replace(
            self,
            states=self.states[: at + 1],
            moves=self.moves[:at],
            ended="",
            opening=min(self.opening, at),
        )
        return bounded(_played(before, [move]))


def building_address(game: Game, position: str = "") -> str:
    """Where a line of this variant is begun, from a position if there is one."""
    return _address(game, "", *([("position", position)] if position else []))


def _address(game: Game, place: str, *pairs: tuple[str, str]) -> str:
    where = f"/analyse/{quote(game.name)}{place}"
    asked = urlencode([*told(game).items(), *pairs], safe=",:")
    return f"{where}?{asked}" if asked else where


def _joined(moves: Sequence[str]) -> str:
    """Moves as one text that `read_moves` takes apart again."""
    if any("," in move or ";" in move for move in moves):
        return "".join(f"{move}\n" for move in moves)
    return ",".join(moves)


def bounded(line: Line) -> Line:
    """The line, if a link can hold it."""
    long = len(line.address(at=len(line.moves)))
    if long > LONGEST or any(len(text) > LONGEST_OPTION for text in told(line.game).values()):
        raise TooBig(f"this is too long for a link, with {long:,} letters; at most {LONGEST:,} fit")
    return line


# Reading


def read_line(name: str, query: Mapping[str, str], names: Sequence[str] = ()) -> Line:
    """The line of an address."""
    game = game_of(name, query)
    ended = _tidy(query.get("ended", ""), LONGEST_END)
    players = tuple(_tidy(each, LONGEST_NAME) for each in names[: game.seats])
    begun = replace(
        beginning(game, query.get("position", "")),
        players=players,
        ended=ended,
        opening=read_number(query.get("opened", "")) or 0,
    )
    line = with_moves(begun, query.get("moves", ""))
    return replace(line, opening=min(line.opening, len(line.moves)))


def read_number(text: str) -> int | None:
    """A number of moves; None for what is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else None


def game_of(name: str, query: Mapping[str, str]) -> Game:
    """The variant of an address."""
    found = read_variant(name, {key: text for key, text in query.items() if key not in OURS})
    if found.game is None:
        option, wrong = next(iter(found.wrong.items()))
        raise BadText(f"{option}: {wrong}")
    return found.game


def _tidy(text: str, longest: int) -> str:
    shown = "".join(letter if letter.isprintable() else " " for letter in text[: 4 * longest])
    return " ".join(shown.split())[:longest]


def beginning(game: Game, position: str = "") -> Line:
    """The line without a move from a position, or from the start."""
    if not position.strip():
        return Line(game, (game.start(),))
    if len(position) > LONGEST:
        raise TooBig(f"a position has at most {LONGEST:,} letters here")
    state = game.read(position)
    return bounded(
        Line(game, (state,), position="" if state == game.start() else game.write(state))
    )


def with_moves(line: Line, text: str) -> Line:
    """The line with the moves that somebody wrote down, one after another in any usual way."""
    if len(text) > 2 * LONGEST:
        raise TooBig(f"that is too long; a list of moves has at most {2 * LONGEST:,} letters here")
    numbered = re.sub(r"(?<!\S)[0-9]+\.+(?=\s|[a-z])", " ", text, flags=re.IGNORECASE)
    pieces = [piece for piece in numbered.split("\n") if piece.strip()]
    return bounded(_read(line, pieces))


def _read(line: Line, pieces: Iterable[str]) -> Line:
    """Each piece a move, or some that are taken apart at commas, else at spaces."""
    for piece in pieces:
        try:
            line = _played(line, [piece])
            continue
        except BadText:
            parts = [part for part in re.split("[,;]", piece) if part.strip()]
            if len(parts) > 1:
                line = _read(line, parts)
                continue
        line = _read_words(line, parts[0].split() if parts else [])
    return line


def _read_words(line: Line, words: list[str]) -> Line:
    """Moves of one or more words each, as long as they can be."""
    while words:
        squares = re.fullmatch("(?:[a-z][0-9]+){2,}", words[0], re.IGNORECASE)
        if squares:  # f5d6c3
            words[:1] = re.findall("[a-z][0-9]+", words[0], re.IGNORECASE)
        refusal: ParlourError | None = None
        for many in range(min(MOST_WORDS, len(words)), 0, -1):
            try:
                line = _played(line, [" ".join(words[:many])])
            except (BadText, IllegalMove) as trouble:  # what can be understood says more
                refusal = refusal if isinstance(refusal, IllegalMove) else trouble
                continue
            del words[:many]
            break
        else:
            raise refusal or BadText("there is no move in that")
    return line


def _played(line: Line, texts: Iterable[str]) -> Line:
    """The line after further moves; a refusal says which of them cannot be."""
    game, moves, states = line.game, list(line.moves), list(line.states)
    for text in texts:
        if len(moves) >= MOST_MOVES:
            raise TooBig(f"these are too many moves for a link; it holds {MOST_MOVES} at most")
        try:
            move = game.read_move(states[-1], text)
        except IllegalMove as trouble:
            raise IllegalMove(f"move {len(moves) + 1}: {trouble}") from None
        except ParlourError as trouble:
            raise BadText(f"move {len(moves) + 1}: {trouble}") from None
        moves.append(game.write_move(move))
        states.append(game.play(states[-1], move))
    return replace(line, moves=tuple(moves), states=tuple(states))


# Records


def read_records(text: str) -> list[Record]:
    """The records in a text: one, laid out in any way, or one on each line."""
    if not text.strip():
        raise BadText("there is nothing here yet; paste a record, as Copy record gives it")
    try:
        return [Record.from_json(text)]
    except (BadText, RecursionError) as trouble:
        lines = [(at, line) for at, line in enumerate(text.split("\n"), start=1) if line.strip()]
        if len(lines) == 1 or _is_json(text):
            raise BadText(_no_record(trouble)) from None
    records = []
    for at, line in lines:
        try:
            records.append(Record.from_json(line))
        except (BadText, RecursionError) as trouble:
            raise BadText(f"line {at}: {_no_record(trouble)}") from None
    return records


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _no_record(trouble: Exception) -> str:
    if isinstance(trouble, RecursionError):
        return "no record is nested like that"
    return str(trouble).replace("a record is one line of JSON", "paste what Copy record gives")


def of_record(record: Record) -> Line:
    """The line of a record, if all of it can have happened."""
    try:
        game: Game = registry.made(registry.find("games", record.game), record.game, record.options)
        match = Match.from_record(game, record)
    except RecursionError:
        raise BadText("no record is nested like that") from None
    line = replace(
        beginning(game),
        players=tuple(_tidy(name, LONGEST_NAME) for name in record.players),
        ended=_tidy(match.reason, LONGEST_END),
        opening=match.opening,
    )
    return bounded(_played(line, match.moves))
