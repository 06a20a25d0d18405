"""Any game as an environment of PettingZoo or Gymnasium, or as a game of OpenSpiel.

Each library is loaded when it is first asked for, and says by which extra it is installed where it
is missing. A game may be given as anywhere else, and with its name or class also its options.
`register` makes the games known to the libraries by name.
"""

from __future__ import annotations

import importlib
import importlib.util
import warnings
from collections.abc import Iterable
from typing import Any

from parlour import core
from parlour.core import registry

NAMESPACE = "parlour"
VERSION = "v0"
LIBRARIES = {"pettingzoo": "PettingZoo", "gymnasium": "Gymnasium", "pyspiel": "OpenSpiel"}


def pettingzoo(
    game: Any, *, max_cycles: int | None = None, render_mode: str | None = None, **options: Any
) -> Any:
    """Return a game as a PettingZoo environment in which all seats take turns.

    It is truncated after `max_cycles` rounds. Rendered are texts ("ansi"), "svg" or "rgb_array".
    """
    _require("pettingzoo")
    from parlour.rl.aec import make_turns

    return make_turns(core.game(game, **options), max_cycles, render_mode)


def gymnasium(
    game: Any,
    seat: int = 0,
    against: Any = "random",
    *,
    render_mode: str | None = None,
    **options: Any,
) -> Any:
    """Return one seat of a game as a Gymnasium environment; bots are in the others.

    `against` is a bot, its name, a function, or a list with one for each of the other seats.
    """
    _require("gymnasium")
    from parlour.rl.single_seat import SingleSeat

    return SingleSeat(core.game(game, **options), seat, against, render_mode)


def openspiel(game: Any, **options: Any) -> Any:
    """Return a game as an OpenSpiel game, which is registered there by its name."""
    _require("pyspiel")
    from parlour.rl.spiel import load

    return load(core.game(game, **options))


def register(games: Iterable[Any] = ()) -> list[str]:
    """Make games, or else all that are installed, known by name to the libraries installed.

    Gymnasium and PettingZoo then make `parlour/nim-v0`, and OpenSpiel loads `parlour_nim`, each
    with the options of the game. Returned are the names of the games.
    """
    if isinstance(games, str):
        games = [games]
    classes: list[Any] = [type(core.game(game)) for game in games]
    found: dict[str, Any] = {cls.name: cls for cls in classes} or {
        name: registry.find("games", name) for name in core.games()
    }
    installed = [name for name in LIBRARIES if importlib.util.find_spec(name)]
    for name, cls in found.items():
        # A file is named by its path, so that an environment can be made in another process.
        source = name if registry.is_installed("games", cls) else registry.file_of(cls) or cls
        for library in installed:
            REGISTER[library](name, source)
    return list(found)


def _register_pettingzoo(name: str, source: Any) -> None:
    library: Any = importlib.import_module("pettingzoo")
    if not hasattr(library, "register"):  # before 1.27
        return
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Overriding environment")  # registered before
        entry = f"{__name__}:pettingzoo"
        library.register("aec", f"{NAMESPACE}/{name}-{VERSION}", entry, kwargs={"game": source})


def _register_gymnasium(name: str, source: Any) -> None:
    library: Any = importlib.import_module("gymnasium")
    key = f"{NAMESPACE}/{name}-{VERSION}"
    library.registry.pop(key, None)
    many = "parlour.rl.batched_seat:make_vec"
    entry = f"{__name__}:gymnasium"
    library.register(key, entry, vector_entry_point=many, kwargs={"game": source})


def _register_openspiel(name: str, source: Any) -> None:
    _require("pyspiel")
    from parlour.rl.spiel import register_class

    register_class(type(core.game(source)))


REGISTER = {
    "pettingzoo": _register_pettingzoo,
    "gymnasium": _register_gymnasium,
    "pyspiel": _register_openspiel,
}


def _require(module: str) -> None:
    try:
        importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        raise ImportError(
            f"{LIBRARIES[module]} is not installed; pip install 'parlour[rl]'"
        ) from None
