"""Where games and bots are found: one door for ours and for everybody's.

An installed package offers them by the entry points `parlour.games` and `parlour.bots`. A `.py`
file in the user's folder, or named outright, offers the classes it defines: one with `start` and
`moves` is a game, one with `choose` is a bot, and so is a plain function `choose(game, state)`,
which takes the name of its file. Two claims to one name are refused, naming both.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import importlib.util
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parlour.core.errors import BadFile, BadText, NameTaken, UnknownName
from parlour.core.game import Game
from parlour.core.options import declared, make
from parlour.core.player import Bot
from parlour.core.words import nearest, one_of, quote


@dataclass(frozen=True)
class Claim:
    """A name somebody offers, and how to get what it stands for."""

    name: str
    source: str
    load: Callable[[], Any]


def folder() -> Path:
    """The user's own folder, for files that offer games and bots."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "parlour" / "bots"


def claims(kind: str) -> dict[str, Claim]:
    """All claims of a kind, "games" or "bots", by name; files that cannot be read are left out."""
    found: dict[str, Claim] = {}
    for claim in (*_installed(kind), *_dropped(kind)[0]):
        if claim.name in found:
            other = found[claim.name].source
            raise NameTaken(
                f"both {other} and {claim.source} offer {kind} named {claim.name!r}; rename one"
            )
        found[claim.name] = claim
    return dict(sorted(found.items()))


def troubles() -> list[str]:
    """What is wrong with the files in the user's folder that were left out."""
    return sorted({*_dropped("games")[1], *_dropped("bots")[1]})


@functools.cache
def _installed(kind: str) -> tuple[Claim, ...]:
    points = importlib.metadata.entry_points(group=f"parlour.{kind}")
    return tuple(Claim(point.name, f"the package at {point.value}", point.load) for point in points)


def _dropped(kind: str) -> tuple[list[Claim], list[str]]:
    found, wrong = [], []
    for path in sorted(folder().glob("*.py")):
        try:
            found += _offered(path, kind)
        except BadFile as trouble:
            wrong.append(str(trouble))
    return found, wrong


def _offered(path: Path, kind: str) -> list[Claim]:
    verbs = ("start", "moves") if kind == "games" else ("choose",)
    module = _module(path)
    classes = [
        thing
        for thing in vars(module).values()
        if isinstance(thing, type)
        and thing.__module__ == module.__name__
        and all(hasattr(thing, verb) for verb in verbs)
    ]
    found = []
    for cls in classes:
        name = getattr(cls, "name", None)
        if not isinstance(name, str):
            raise BadFile(f"{cls.__name__} in {path.name} needs a class attribute: name = '…'")
        found.append(Claim(name, str(path), functools.partial(lambda cls: cls, cls)))
    if kind == "bots" and callable(getattr(module, "choose", None)):
        found.append(Claim(path.stem, str(path), lambda: _from_function(path.stem, module.choose)))
    return found


def _from_function(stem: str, choose: Callable[..., Any]) -> type:
    """A bot class around one function, so that a first bot needs no class."""

    class FunctionBot:
        name = stem

        def choose(self, game: Game, state: Any) -> Any:
            return choose(game, state)

        def plays(self, game: Game) -> str:
            return "as its author made it"

    return FunctionBot


def _module(path: Path) -> Any:
    """The module in a file, loaded once for each content it has."""
    try:
        source = path.read_bytes()
    except OSError as trouble:
        raise BadFile(f"cannot read {path}: {trouble.strerror}") from None
    name = f"parlour_dropped_{hashlib.sha256(bytes(path.resolve()) + source).hexdigest()[:16]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BadFile(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as trouble:
        del sys.modules[name]
        raise BadFile(f"{path} does not load: {type(trouble).__name__}: {trouble}") from None
    return module


def find(kind: str, name: str) -> type:
    """The class of the game or bot of this name, or the one in the `.py` file named."""
    one = kind.rstrip("s")
    if name.endswith(".py"):
        offered = _offered(Path(name), kind)
        if len(offered) != 1:
            what = f"one {one}" if not offered else f"only one {one}, not {len(offered)}"
            raise BadFile(f"{name} should define {what}")
        claim = offered[0]
    else:
        known = claims(kind)
        if name not in known:
            hint = nearest(name, known) or f"; there is {one_of(known)}"
            raise UnknownName(f"there is no {one} {quote(name)}{hint}")
        claim = known[name]
    cls: type = claim.load()
    return cls


def games() -> list[str]:
    """The names of all games."""
    return list(claims("games"))


def game(name: str, **options: Any) -> Game:
    """The game of this name with these options."""
    made: Game = make(find("games", name), name, options)
    return made


def bots(game: Game) -> list[str]:
    """The names of the bots that can play this game."""
    return [name for name, claim in claims("bots").items() if claim.load()().plays(game)]


def bot(name: str, **options: Any) -> Bot:
    """The bot of this name with these options."""
    made: Bot = make(find("bots", name), name, options)
    return made


def read_bot(text: str) -> Bot:
    """The bot a text like `random seed=3` names, as `describe` writes it."""
    name, *parts = text.split() or [""]
    cls = find("bots", name)
    known = declared(cls)
    chosen = {}
    for part in parts:
        option, equals, value = part.partition("=")
        if not equals:
            raise BadText(f"{quote(part)} should be an option and its value, like seed=3")
        option = option.replace("-", "_")
        chosen[option] = known[option].read(value) if option in known else value
    made: Bot = make(cls, name, chosen)
    return made
