"""The record of a game: its options, players, moves and result, as one line of JSON.

Everything else is replayed from it. Moves are text in the game's own notation, so that people can
read a record and it stays valid when the representation of states changes.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any

from parlour.core import answers
from parlour.core.answers import Natural
from parlour.core.display import make_frame, repr_html
from parlour.core.errors import BadText, ParlourError
from parlour.core.protocol import Game, Move, Result, State
from parlour.core.sentences import count, quote

Texts = tuple[str, ...]

STOPS = ("time", "resigned", "left", "away", "fault")  # of a game that one seat lost
ENDS = (*STOPS, "agreement", "repetition", "length")  # "length" is the most moves of a game


@dataclass(frozen=True)
class Record:
    """A record: one game, finished or not, as `parlour play --record` writes it on a line."""

    game: str  # the name of the game
    options: Mapping[str, Any]  # the value of every option
    players: Texts  # by seat
    moves: Texts = ()  # in the game's own notation
    # Spent on each move, where time was kept
    seconds: tuple[Annotated[float, ("minimum", 0)], ...] = ()
    # The payoff of each seat; null while the game goes on
    result: tuple[Annotated[int, ("enum", (-1, 0, 1))], ...] | None = None
    reason: str = ""  # why it ended, where it was not by the rules
    opening: Natural = 0  # how many moves at the start the players did not choose
    # How it ended, where it was not by the rules: "time", "resigned", "left" …
    end: Annotated[str, ("enum", ENDS)] = field(default="", metadata=answers.OPTIONAL)

    _repr_html_ = repr_html

    @property
    def loser(self) -> int | None:
        """The seat that lost because it was stopped; None where it ended otherwise."""
        return find_stopped(self.end, self.result)

    def to_json(self) -> str:
        """The record as one line of JSON, in ASCII so that no name can break the line."""
        known = asdict(self)
        if not self.end:
            del known["end"]
        return json.dumps(known)

    @classmethod
    def from_json(cls, line: str) -> Record:
        """Read a record from such a line; `BadText` says what is wrong with it."""
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            data = line[:200]
        if not isinstance(data, dict):
            raise BadText("a record is a JSON object, not {data}", data=quote(data))
        for name in data.keys() - FIELDS.keys():
            known = tuple(FIELDS)
            raise BadText(
                "a record has no field {name}; it has {fields}", name=quote(name), fields=known
            )
        for name in ("game", "options", "players"):
            if name not in data:
                raise BadText("this record has no {name}", name=name)
        for name, value in data.items():
            if not FIELDS[name](value):
                raise BadText(
                    "{value} cannot be the {name} of a record", value=quote(value), name=name
                )
        seconds, moves = (len(data.get(name, ())) for name in ("seconds", "moves"))
        if seconds not in (0, moves):
            raise BadText(
                "this record has {times} in its seconds for {moves}; there is one for each, "
                "or none at all",
                times=count(seconds, "time"),
                moves=count(moves, "move"),
            )
        if (opening := data.get("opening", 0)) > moves:
            raise BadText(
                "this record has an opening of {opening}, but only {moves} in all",
                opening=count(opening, "move"),
                moves=count(moves, "move"),
            )
        fields: dict[str, Any] = {
            k: tuple(v) if isinstance(v, list) else v for k, v in data.items()
        }
        return cls(**fields)

    def replay(self, game: Game) -> Iterator[tuple[State, Move | None]]:
        """Yield every position with the move played in it, the last one with None."""
        state = game.start()
        for number, text in enumerate(self.moves, start=1):
            move = read_move(game, state, number, text)
            yield state, move
            state = game.play(state, move)
        yield state, None

    def to_frame(self, library: str | None = None) -> Any:
        """Return a row for each move as a DataFrame: `ply`, `seat`, `player`, `move`, `seconds`.

        Who moved is not known, and None, where the game is not installed.
        """
        from parlour.core import registry

        seats: Sequence[int | None]
        try:
            game = registry.build("games", self.game, self.options)
            seats = [game.turn(state) for state, _ in self.replay(game)][:-1]
        except ParlourError:
            seats = [None] * len(self.moves)
        columns = {
            "ply": range(1, len(self.moves) + 1),
            "seat": seats,
            "player": [None if seat is None else self.players[seat] for seat in seats],
            "move": self.moves,
            "seconds": self.seconds or [None] * len(self.moves),
        }
        return make_frame({name: list(column) for name, column in columns.items()}, library)


def read_move(game: Game, state: State, number: int, text: str) -> Move:
    """Read a move of a record; `BadText` names one that cannot be played."""
    try:
        return game.read_move(state, text)
    except ParlourError as error:
        raise BadText(
            "move {number} of this record cannot be played: {error}",
            number=number,
            error=error.text,
        ) from None


def find_stopped(end: str, result: Result | None) -> int | None:
    """Return the seat that lost a game which ended like this."""
    return result.index(-1) if end in STOPS and result and -1 in result else None


def _is_list(value: Any, *kinds: type) -> bool:
    return isinstance(value, list) and all(type(item) in kinds for item in value)


FIELDS: dict[str, Callable[[Any], bool]] = {  # what each may hold
    "game": lambda x: isinstance(x, str),
    "options": lambda x: isinstance(x, dict),
    "players": lambda x: _is_list(x, str),
    "moves": lambda x: _is_list(x, str),
    "seconds": lambda x: _is_list(x, int, float) and all(0 <= s < math.inf for s in x),
    "result": lambda x: x is None or (_is_list(x, int) and set(x) <= {-1, 0, 1}),
    "reason": lambda x: isinstance(x, str),
    "opening": lambda x: type(x) is int and x >= 0,
    "end": lambda x: x in ("", *ENDS),
}


def load(path: Path) -> list[Record]:
    """Read the records of a file, one per line; `BadText` names a line that cannot be read."""
    records = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        if line.strip():
            try:
                records.append(Record.from_json(line))
            except BadText as error:
                raise BadText(
                    "line {number} of {name}: {error}",
                    number=number,
                    name=path.name,
                    error=error.text,
                ) from None
    return records
