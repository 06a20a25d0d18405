"""The record of a game: its options, players, moves and result, as one line of JSON.

Everything else is replayed from it. Moves are text in the game's own notation, so that people can
read a record and it stays valid when the representation of states changes.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from parlour.core.display import repr_html
from parlour.core.errors import BadText, ParlourError
from parlour.core.frames import make_frame
from parlour.core.protocol import Game, Move, Result, State
from parlour.core.sentences import count
from parlour.core.text import quote

Texts = tuple[str, ...]


@dataclass(frozen=True)
class Record:
    """One game, finished or not."""

    game: str
    options: Mapping[str, Any]
    players: Texts
    moves: Texts = ()
    seconds: tuple[float, ...] = ()  # spent on each move, where time was kept
    result: Result | None = None
    reason: str = ""  # why it ended, where it was not by the rules
    opening: int = 0  # how many moves at the start the players did not choose

    _repr_html_ = repr_html

    def to_json(self) -> str:
        """The record as one line of JSON, in ASCII so that no name can break the line."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, line: str) -> Record:
        """Read a record from such a line; `BadText` says what is wrong with it."""
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            raise BadText(f"a record is one line of JSON, not {quote(line[:200])}") from None
        if not isinstance(data, dict):
            raise BadText(f"a record is a JSON object, not {quote(data)}")
        for name in data.keys() - FIELDS.keys():
            raise BadText(f"a record has no field {quote(name)}; it has {', '.join(FIELDS)}")
        for name in ("game", "options", "players"):
            if name not in data:
                raise BadText(f"this record has no {name}")
        for name, value in data.items():
            if not FIELDS[name](value):
                raise BadText(f"{quote(value)} cannot be the {name} of a record")
        seconds, moves = (len(data.get(name, ())) for name in ("seconds", "moves"))
        if seconds not in (0, moves):
            raise BadText(
                f"this record has {count(seconds, 'time')} in its seconds for "
                f"{count(moves, 'move')}; there is one for each, or none at all"
            )
        if (opening := data.get("opening", 0)) > moves:
            raise BadText(
                f"this record has an opening of {count(opening, 'move')}, but only "
                f"{count(moves, 'move')} in all"
            )
        fields: dict[str, Any] = {
            k: tuple(v) if isinstance(v, list) else v for k, v in data.items()
        }
        return cls(**fields)

    def replay(self, game: Game) -> Iterator[tuple[State, Move | None]]:
        """Yield every position with the move played in it, the last one with None."""
        state = game.start()
        for number, text in enumerate(self.moves, start=1):
            try:
                move = game.read_move(state, text)
            except ParlourError as error:
                raise BadText(f"move {number} of this record cannot be played: {error}") from None
            yield state, move
            state = game.play(state, move)
        yield state, None

    def to_frame(self, library: str | None = None) -> Any:
        """Return a row for each move as a DataFrame: `ply`, `seat`, `player`, `move`, `seconds`.

        It is of `library`, "pandas" or "polars", or else of the first of them that is installed;
        `ImportError` where there is none. Who moved is not known, and None, where the game is not
        installed.
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
}


def load(path: Path) -> list[Record]:
    """Read the records of a file, one per line; `BadText` names a line that cannot be read."""
    records = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        if line.strip():
            try:
                records.append(Record.from_json(line))
            except BadText as error:
                raise BadText(f"line {number} of {path.name}: {error}") from None
    return records
