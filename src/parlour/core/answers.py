"""Types of answers for programs: what `--json` prints and `to_dict` returns.

`parlour schema` makes JSON schemas of such types; the comment of a field is its description there.
"""

from __future__ import annotations

from dataclasses import Field, fields, is_dataclass
from typing import Annotated, Any, TypedDict, TypeVar

from parlour.core.options import values
from parlour.core.protocol import Game, State

T = TypeVar("T")

NAME = "name"  # in the metadata of a field, that by which programs know it
OPTIONAL = {"optional": True}  # metadata of a field that is left out where nothing is known

Natural = Annotated[int, ("minimum", 0)]
Outcome = Annotated[str, ("enum", ("win", "draw", "loss"))]


class GameFields(TypedDict):
    """A game by its name and options."""

    game: str  # the name of the game
    options: dict[str, Any]  # the value of every option


def game_fields(game: Game) -> GameFields:
    """Return the name and the options of a game."""
    return {"game": game.name, "options": values(game)}


class ValueFields(TypedDict):
    """The exact value for the seat to move."""

    outcome: Outcome
    plies: Natural | None  # the most it takes; null for a draw, or where that is not known


class PositionFields(TypedDict):
    """A position of a game."""

    position: str  # the position in the game's own notation
    turn: Natural  # the seat to move, counted from 0


def position_fields(game: Game, state: State) -> PositionFields:
    """Return a position as text, and whose turn it is."""
    return {"position": game.write(state), "turn": game.turn(state)}


def pick(kind: type[T], source: object, /, **given: Any) -> T:
    """Return a TypedDict whose fields are given, or else the attributes of an object."""
    names = kind.__annotations__
    return kind(**{name: given[name] if name in given else getattr(source, name) for name in names})


def renamed(name: str) -> dict[str, str]:
    """Return the metadata of a field of a dataclass that programs know by another name."""
    return {NAME: name}


def name_of(each: Field[Any]) -> str:
    """Return the name by which programs know a field."""
    return str(each.metadata.get(NAME, each.name))


def to_plain(value: Any) -> Any:
    """Return a dataclass as a dictionary, with all that it holds; anything else as it is."""
    if is_dataclass(value) and not isinstance(value, type):
        return {name_of(each): to_plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, list | tuple):
        return type(value)(map(to_plain, value))
    return value
