"""Reading a task's payload: games, positions and bots, each checked, with a sentence for errors."""

from __future__ import annotations

from typing import Any, TypeAlias, TypeVar

from parlour.core import BadText, Bot, Game, Match, Record, State, quote, registry

T = TypeVar("T")

Payload: TypeAlias = dict[str, Any]

MAX_SECONDS = 60.0
TOO_SLOW = "did not answer in time"  # why a bot lost, noticed by the worker or the server
KINDS: dict[type, str] = {str: "a text", int: "a whole number", dict: "an object", list: "a list"}


def field(payload: Payload, name: str, kind: type[T], default: T | None = None) -> T:
    """Return a field of this type; where it is missing or null, the default if there is one."""
    value = payload.get(name)
    if value is None and default is not None:
        return default
    if type(value) is not kind:
        fault = "is missing" if value is None else f"cannot be {quote(value)}"
        raise BadText(f"{name!r} {fault}; it must be {KINDS[kind]}")
    return value


def texts(payload: Payload, name: str) -> list[str]:
    """Return a list of texts."""
    return _all(payload, name, str, "texts")


def objects(payload: Payload, name: str) -> list[dict[str, Any]]:
    """Return a list of objects."""
    return _all(payload, name, dict, "objects")


def _all(payload: Payload, name: str, kind: type[T], called: str) -> list[T]:
    found: list[T] = field(payload, name, list)
    for item in found:
        if not isinstance(item, kind):
            raise BadText(f"{name!r} cannot hold {quote(item)}; it must be a list of {called}")
    return found


def seconds_of(payload: Payload, name: str, default: float) -> float:
    """Return a number of seconds, a minute at most."""
    value = payload.get(name, default)
    if not isinstance(value, int | float) or isinstance(value, bool) or not value >= 0:
        raise BadText(f"{name!r} cannot be {quote(value)}; it is a number of seconds")
    return min(MAX_SECONDS, value)


def game_of(payload: Payload) -> Game:
    """Return the game with its options; a name never opens a file."""
    name = field(payload, "game", str)
    options = field(payload, "options", dict, {})
    game: Game = registry.build(registry.find("games", name), name, options)
    return game


def match_of(game: Game, payload: Payload) -> Match:
    """Return the match after the moves."""
    players = tuple(f"player {seat + 1}" for seat in range(game.seats))
    record = Record(game.name, {}, players, tuple(texts(payload, "moves")))
    return Match.from_record(game, record)


def state_of(game: Game, payload: Payload) -> State:
    """Return the position, given as text or by the moves to it, or else the start."""
    if payload.get("position") is not None:
        if payload.get("moves") is not None:
            raise BadText("give the position or the moves to it, not both")
        return game.read(field(payload, "position", str))
    if payload.get("moves") is not None:
        return match_of(game, payload).state
    return game.start()


def bot_of(text: str) -> Bot:
    """Return the bot with its options; its name never opens a file."""
    return registry.read_bot(text)
