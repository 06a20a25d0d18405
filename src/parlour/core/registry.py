"""Where games and bots are found: one door for ours and for everybody's.

An installed package offers them by the entry points `parlour.games` and `parlour.bots`. A `.py`
file in the user's folder, or named outright, offers the classes it defines: one with `start` and
`moves` is a game, one with `choose` is a bot, and so is a plain function `choose(game, state)`,
which takes the name of its file. A name that two claim is refused, naming both; whatever else is
wrong with one of them never stands in the way of the others.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import importlib.util
import inspect
import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parlour.core.errors import BadFile, BadText, NameTaken, ParlourError, UnknownName
from parlour.core.files import data_folder
from parlour.core.options import make, options_of
from parlour.core.protocol import VERBS, Bot, Game
from parlour.core.text import describe_error, one_of, quote, suggest

PREFIX = "parlour_dropped_"  # of the modules made from files


@dataclass(frozen=True)
class Claim:
    """A name somebody offers, and how to get what it stands for."""

    name: str
    source: str
    load: Callable[[], Any]


def folder() -> Path:
    """The user's own folder, for files that offer games and bots."""
    return data_folder() / "bots"


def claims(kind: str) -> dict[str, Claim]:
    """All claims of a kind, "games" or "bots", by name; those nobody can have are left out."""
    return {name: each[0] for name, each in sorted(_claimed(kind).items()) if len(each) == 1}


def _claimed(kind: str) -> dict[str, list[Claim]]:
    found: dict[str, list[Claim]] = {}
    for claim in (*list_installed(kind), *_dropped(kind)[0]):
        found.setdefault(claim.name, []).append(claim)
    return found


def _taken(kind: str, claimed: list[Claim]) -> str:
    sources = " and ".join(claim.source for claim in claimed)
    return f"both {sources} offer {kind} named {claimed[0].name!r}; rename one"


def troubles() -> list[str]:
    """What is wrong with the files in the user's folder, and what was left out for it."""
    kinds = ("games", "bots")
    wrong = {trouble for kind in kinds for trouble in _dropped(kind)[1]}
    taken = {_taken(kind, each) for kind in kinds for each in _claimed(kind).values() if each[1:]}
    return sorted(wrong | taken)


@functools.cache
def list_installed(kind: str) -> tuple[Claim, ...]:
    """The claims of installed packages; no file of the user's folder is opened for them."""

    def claim(point: importlib.metadata.EntryPoint) -> Claim:
        source = f"the package at {point.value}"
        return Claim(point.name, source, lambda: _fitted(kind, _loaded(point, source), source))

    return tuple(map(claim, importlib.metadata.entry_points(group=f"parlour.{kind}")))


def _loaded(point: importlib.metadata.EntryPoint, source: str) -> Any:
    try:
        return point.load()
    except Exception as trouble:
        raise BadFile(f"{source} does not load: {describe_error(trouble)}") from trouble


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
    found = []
    for thing in list(vars(module).values()):
        own = isinstance(thing, type) and thing.__module__ == module.__name__
        if own and all(hasattr(thing, verb) for verb in verbs):
            cls: Any = _fitted(kind, thing, path.name)
            # Bound now, for the loop goes on; mypy cannot type the default of a lambda.
            found.append(Claim(cls.name, str(path), lambda cls=cls: cls))  # type: ignore[misc]
    if kind == "bots" and callable(getattr(module, "choose", None)):
        found.append(Claim(path.stem, str(path), lambda: _from_function(path.stem, module)))
    return found


def _fitted(kind: str, cls: Any, source: str) -> Any:
    """The class, once it is clear that it can be made and asked; a bot may leave out `plays`."""
    if not isinstance(getattr(cls, "name", None), str):
        raise BadFile(f"{cls.__name__} in {source} needs a class attribute: name = '…'")
    has = {*dir(cls), *getattr(cls, "__dataclass_fields__", ())}
    if kind == "games" and (missing := [verb for verb in VERBS if verb not in has]):
        raise BadFile(f"the game {cls.name} in {source} lacks {', '.join(missing)}")
    if kind == "bots" and "plays" not in has:
        cls.plays = _as_made
    try:
        options_of(cls)
    except TypeError as trouble:
        raise BadFile(f"an option in {source} cannot be: {trouble}") from None
    try:
        inspect.signature(cls).bind()
    except TypeError as trouble:
        raise BadFile(
            f"{cls.__name__} in {source} cannot be made without being told more ({trouble}); "
            "declare its options with parlour.option(default, about)"
        ) from None
    return cls


def _as_made(bot: Any, game: Game) -> str:
    return "as its author made it"


def _from_function(stem: str, module: Any) -> type:
    """A bot class around one function, so that a first bot needs no class."""

    class FunctionBot:
        name = stem
        plays = _as_made

        def choose(self, game: Game, state: Any) -> Any:
            return module.choose(game, state)

    FunctionBot.__module__ = module.__name__  # it comes from there
    return FunctionBot


def _module(path: Path) -> Any:
    """The module in a file, loaded once for each content it has."""
    try:
        source = path.read_bytes()
    except OSError as trouble:
        raise BadFile(f"cannot read {path}: {trouble.strerror}") from None
    name = PREFIX + hashlib.sha256(bytes(path.resolve()) + source).hexdigest()[:16]
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
        raise BadFile(f"{path} does not load: {describe_error(trouble)}") from None
    return module


def find(kind: str, name: str) -> type:
    """The class of the game or bot of this name, in any case; a file is never opened for it.

    A name may come out of a record or a web page, and to open a file is to run it.
    """
    known = _claimed(kind)
    folded = {each.casefold(): each for each in known}
    claimed = known.get(name) or known.get(folded.get(name.casefold(), ""))
    if not claimed:
        names = claims(kind)
        hint = suggest(name, names) or f"; there is {one_of(names)}"
        left_out = "".join(f"; left out: {trouble}" for trouble in troubles())
        raise UnknownName(f"there is no {kind.rstrip('s')} {quote(name)}{hint}{left_out}")
    if len(claimed) > 1:
        raise NameTaken(_taken(kind, claimed))
    cls: type = claimed[0].load()
    return cls


def from_file(kind: str, path: Path) -> type:
    """The class of the one game or bot that a `.py` file defines."""
    one = kind.rstrip("s")
    offered = _offered(path, kind)
    if len(offered) != 1:
        what = f"one {one}" if not offered else f"only one {one}, not {len(offered)}"
        raise BadFile(f"{path} should define {what}")
    cls: type = offered[0].load()
    return cls


def resolve(kind: str, text: str) -> type:
    """What a person at this machine names: a game or bot by name, or the `.py` file of one."""
    return from_file(kind, Path(text)) if text.endswith(".py") else find(kind, text)


def source_of(cls: type) -> str:
    """The `.py` file a class was read from, when it is not installed; else nothing."""
    path = getattr(sys.modules.get(cls.__module__), "__file__", None)
    return str(path) if cls.__module__.startswith(PREFIX) and path else ""


def file_of(cls: type) -> str:
    """The file a class was read from, when no name leads to it; else nothing."""
    path = source_of(cls)
    return path if path and Path(path).parent != folder() else ""


def build(cls: type, name: str, options: Mapping[str, Any]) -> Any:
    """The game or bot of a class with these options, whatever its author did wrong told by name."""
    try:
        return make(cls, name, options)
    except ParlourError:
        raise
    except Exception as trouble:
        raise BadFile(f"{name} cannot be made: {describe_error(trouble)}") from trouble


def games() -> list[str]:
    """The names of all games."""
    return list(claims("games"))


def game(name: str, **options: Any) -> Game:
    """The game of this name with these options."""
    found: Game = build(find("games", name), name, options)
    return found


def bots(game: Game) -> list[str]:
    """The names of the bots that can play this game."""
    return [name for name, claim in claims("bots").items() if _plays(claim, game)]


def _plays(claim: Claim, game: Game) -> bool:
    try:
        return bool(claim.load()().plays(game))
    except Exception:  # a bot that fails when it is asked does not play
        return False


def bot(name: str, **options: Any) -> Bot:
    """The bot of this name with these options."""
    found: Bot = build(find("bots", name), name, options)
    return found


def read_bot(text: str, *, files: bool = False) -> Bot:
    """The bot with its options: `random seed=3`, as `describe` writes it.

    Only for a person at this machine may it also be a file, `my_bot.py`, or start a program.
    """
    try:
        name, *parts = shlex.split(text) or [""]
    except ValueError:
        raise BadText(f"{quote(text)} opens a quotation mark and does not close it") from None
    cls = resolve("bots", name) if files else find("bots", name)
    if getattr(cls, "starts_programs", False) and not files:
        raise ParlourError(f"{name} starts a program; name it at the command line, or in Python")
    known = options_of(cls)
    chosen = {}
    for part in parts:
        option, equals, value = part.partition("=")
        if not equals:
            raise BadText(f"{quote(part)} should be an option and its value, like seed=3")
        option = option.replace("-", "_")
        chosen[option] = known[option].read(value) if option in known else value
    found: Bot = build(cls, name, chosen)
    return found
