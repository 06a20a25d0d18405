"""Games and players that only this process knows: made in a notebook, a script or a prompt.

A plan holds names and numbers. What has no name that another process could look up travels beside
it as a value, pickled with the code that defines it. Its author made it here, so it is trusted and
plays in the process of the referee.
"""

from __future__ import annotations

import copy
import hashlib
import os
import random
import shlex
import sys
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias

from parlour.arena.plan import OBJECT, Entry, build_seeded, number_duplicates, open_entry
from parlour.core import BadOption, Game, ParlourError, describe, describe_error, registry

Payload: TypeAlias = "Objects | bytes | None"  # bytes where it crosses to another process


@dataclass(frozen=True)
class Objects:
    """A game and players without names, the latter by those of their entries."""

    game: Game | None = None
    players: dict[str, Any] = field(default_factory=dict)  # a class stands for a new player a game

    def pack(self) -> bytes:
        """Return everything as bytes; `ParlourError` names what cannot be pickled."""
        for name, thing in {"game": self.game, **self.players}.items():
            try:
                dump(thing)
            except Exception as error:
                raise ParlourError(
                    f"{name} cannot be sent to another process: {describe_error(error)}; play in "
                    "this one with workers=1"
                ) from error
        return dump((self.game, self.players))


@lru_cache(maxsize=4)
def unpack(packed: bytes) -> Objects:
    """Return what was packed by another process."""
    import cloudpickle

    try:
        return Objects(*cloudpickle.loads(packed))
    except Exception as error:
        raise ParlourError(
            f"the game or a bot cannot be loaded in another process: {describe_error(error)}; "
            "define it where it is used, or play with workers=1"
        ) from error


def dump(thing: Any) -> bytes:
    """Pickle an object together with its class or function, if it cannot be imported elsewhere."""
    import cloudpickle

    found: bytes = cloudpickle.dumps(thing)
    return found


def identify(thing: Any) -> str:
    """Return a text that is the same for the same object only; a new one if it cannot be pickled.

    A class made in a notebook is another one after a restart, since what it calls may have changed.
    """
    try:
        return hashlib.sha256(dump(thing)).hexdigest()
    except Exception:  # pickling runs code of strangers
        return uuid.uuid4().hex


def enter(bots: Iterable[Any], game: Game) -> tuple[tuple[Entry, ...], dict[str, Any]]:
    """Return the entries of bots given by name or as objects, and by their names the latter."""
    if isinstance(bots, str) or not isinstance(bots, Iterable):
        raise BadOption("bots", bots, "it must be a list of bots")
    things = list(bots)
    found = [open_bot(thing, game) for thing in things]
    entries = number_duplicates(entry for entry, _ in found)
    return entries, {
        entry.name: thing if isinstance(thing, type) else player
        for entry, thing, (_, player) in zip(entries, things, found, strict=True)
        if entry.kind == OBJECT
    }


def open_bot(thing: Any, game: Game, seed: int = 0) -> tuple[Entry, Any]:
    """Return the entry of a bot given by name or as an object, and the bot unless it is sandboxed.

    A bot given by name that draws random numbers draws them by this seed.
    """
    if isinstance(thing, os.PathLike):
        thing = shlex.quote(os.fspath(thing))
    if isinstance(thing, type) and registry.is_installed("bots", thing):
        thing = str(getattr(thing, "name", ""))
    if isinstance(thing, str):
        return open_entry(thing, game, seed)
    player = registry.bot(thing, "bots")
    if registry.is_installed("bots", type(player)) and getattr(player, "described", True):
        return open_entry(describe(player), game, seed)
    plays = getattr(player, "plays", None)
    if plays is not None and not plays(game):
        raise ParlourError(f"{describe(player)} does not play {describe(game)}")
    held = thing if isinstance(thing, type) else player
    return Entry(describe(player), OBJECT, describe(player), identify(held)), player


def make_player(held: Any, seed: int) -> Any:
    """Return a player for one game: new from a class, or a copy with random numbers of its own."""
    if isinstance(held, type):
        return build_seeded(held, {}, seed)
    try:
        player = copy.deepcopy(held)
    except Exception:  # one that holds a connection, say, plays all games itself
        return held
    for name, value in list(getattr(player, "__dict__", {}).items()):
        if isinstance(value, random.Random):
            value.seed(seed)
        elif type(value).__module__.startswith("numpy.random") and hasattr(value, "integers"):
            object.__setattr__(player, name, sys.modules["numpy"].random.default_rng(seed))
    return player


@contextmanager
def seeded_random(seed: int) -> Iterator[None]:
    """Seed the random numbers that a plain function draws, and put them back afterwards."""
    numpy: Any = getattr(sys.modules.get("numpy"), "random", None)
    before = random.getstate(), numpy and numpy.get_state()
    random.seed(seed)
    if numpy:
        numpy.seed(seed % 2**32)
    try:
        yield
    finally:
        random.setstate(before[0])
        if numpy:
            numpy.set_state(before[1])
