"""Parlour: play, solve, learn, measure and talk about small perfect-information games.

Everything public is a name of this package, and is loaded when it is first used, so that
`import parlour` costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from parlour.arena.holding import tournament as tournament
    from parlour.core import laws as laws
    from parlour.core.errors import BadFile as BadFile
    from parlour.core.errors import BadOption as BadOption
    from parlour.core.errors import BadText as BadText
    from parlour.core.errors import IllegalMove as IllegalMove
    from parlour.core.errors import NameTaken as NameTaken
    from parlour.core.errors import ParlourError as ParlourError
    from parlour.core.errors import UnknownName as UnknownName
    from parlour.core.game import Game as Game
    from parlour.core.match import Match as Match
    from parlour.core.match import drive as drive
    from parlour.core.match import match as match
    from parlour.core.options import option as option
    from parlour.core.options import schema as schema
    from parlour.core.options import settle as settle
    from parlour.core.player import Bot as Bot
    from parlour.core.player import Player as Player
    from parlour.core.record import Record as Record
    from parlour.core.registry import bot as bot
    from parlour.core.registry import bots as bots
    from parlour.core.registry import game as game
    from parlour.core.registry import games as games
    from parlour.core.work import Work as Work
    from parlour.learn.hats import Hats as Hats
    from parlour.learn.hats import hats as hats
    from parlour.learn.training import train as train
    from parlour.players.explaining import explain as explain
    from parlour.players.playouts import Tally as Tally
    from parlour.players.playouts import playouts as playouts
    from parlour.truth.certificates import certificate as certificate
    from parlour.truth.grundy import grundy as grundy
    from parlour.truth.grundy import is_sum_lost as is_sum_lost
    from parlour.truth.reasons import Explanation as Explanation
    from parlour.truth.solve import solve as solve
    from parlour.truth.values import Solution as Solution
    from parlour.truth.values import TooLarge as TooLarge
    from parlour.truth.values import Unsolved as Unsolved
    from parlour.truth.values import Value as Value

_HOMES = {
    "arena.holding": ("tournament",),
    "core.errors": (
        "BadFile",
        "BadOption",
        "BadText",
        "IllegalMove",
        "NameTaken",
        "ParlourError",
        "UnknownName",
    ),
    "core.game": ("Game",),
    "core.match": ("Match", "drive", "match"),
    "core.options": ("option", "schema", "settle"),
    "core.player": ("Bot", "Player"),
    "core.record": ("Record",),
    "core.registry": ("bot", "bots", "game", "games"),
    "core.work": ("Work",),
    "learn.hats": ("Hats", "hats"),
    "learn.training": ("train",),
    "players.explaining": ("explain",),
    "players.playouts": ("Tally", "playouts"),
    "truth.certificates": ("certificate",),
    "truth.grundy": ("grundy", "is_sum_lost"),
    "truth.reasons": ("Explanation",),
    "truth.solve": ("solve",),
    "truth.values": ("Solution", "TooLarge", "Unsolved", "Value"),
}
_WHERE = {name: f"parlour.{home}" for home, names in _HOMES.items() for name in names}

__version__ = "0.1.0"
__all__ = sorted([*_WHERE, "laws"])  # noqa: PLE0605  # computed, so that a name is written once


def __getattr__(name: str) -> Any:
    if name == "laws":
        return importlib.import_module("parlour.core.laws")
    if name not in _WHERE:
        raise AttributeError(f"module 'parlour' has no attribute {name!r}")
    value = getattr(importlib.import_module(_WHERE[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
