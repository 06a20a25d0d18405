"""Where games and bots are found, ours and third parties' alike.

An installed package offers them by the entry points `parlour.games` and `parlour.bots`. A `.py`
file in the user's folder, or named outright, offers the classes it defines: one with `start` and
`moves` is a game, one with `choose` is a bot, and so is a plain function `choose(game, state)`,
which takes the name of its file. A name that two claim is refused, naming both; a faulty file never
keeps the others from being found.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import importlib.util
import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass
from pathlib import Path
from typing import Any

from parlour.core.errors import BadFile, NameTaken, ParlourError, UnknownName
from parlour.core.files import data_folder, explain_errors
from parlour.core.options import make, options_of, read_assignments, split_command
from parlour.core.protocol import VERBS, Bot, Game
from parlour.core.text import describe_error, one_of, quote, suggest

PREFIX = "parlour_dropped_"  # of the modules made from files


@dataclass(frozen=True)
class Claim:
    """A name on offer, where it comes from, and how to load what it stands for."""

    name: str
    source: str
    load: Callable[[], Any]


def folder() -> Path:
    """Return the user's folder for files that offer games and bots."""
    return data_folder() / "bots"


def claims(kind: str) -> dict[str, Claim]:
    """Return the claims of a kind, "games" or "bots", by name; disputed names are left out."""
    return {name: each[0] for name, each in sorted(_all_claims(kind).items()) if len(each) == 1}


def _all_claims(kind: str) -> dict[str, list[Claim]]:
    found: dict[str, list[Claim]] = {}
    for claim in (*list_installed(kind), *_list_files(kind)[0]):
        found.setdefault(claim.name, []).append(claim)
    return found


def _describe_dispute(kind: str, rivals: list[Claim]) -> str:
    sources = " and ".join(claim.source for claim in rivals)
    return f"both {sources} offer {kind} named {rivals[0].name!r}; rename one"


def problems() -> list[str]:
    """Return what is wrong with the files in the user's folder, each in a sentence."""
    kinds = ("games", "bots")
    wrong = {problem for kind in kinds for problem in _list_files(kind)[1]}
    disputed = {
        _describe_dispute(kind, each)
        for kind in kinds
        for each in _all_claims(kind).values()
        if each[1:]
    }
    return sorted(wrong | disputed)


@functools.cache
def list_installed(kind: str) -> tuple[Claim, ...]:
    """Return the claims of installed packages, without opening a file of the user's folder."""

    def claim(point: importlib.metadata.EntryPoint) -> Claim:
        source = f"the package at {point.value}"
        return Claim(point.name, source, lambda: _check_class(kind, _load(point, source), source))

    return tuple(map(claim, importlib.metadata.entry_points(group=f"parlour.{kind}")))


def _load(point: importlib.metadata.EntryPoint, source: str) -> Any:
    try:
        return point.load()
    except Exception as error:
        raise BadFile(f"{source} does not load: {describe_error(error)}") from error


def _list_files(kind: str) -> tuple[list[Claim], list[str]]:
    found, wrong = [], []
    for path in sorted(folder().glob("*.py")):
        try:
            found += _read_claims(path, kind)
        except BadFile as error:
            wrong.append(str(error))
    return found, wrong


def _read_claims(path: Path, kind: str) -> list[Claim]:
    verbs = ("start", "moves") if kind == "games" else ("choose",)
    module = _module(path)
    found = []
    for thing in list(vars(module).values()):
        own = isinstance(thing, type) and thing.__module__ == module.__name__
        if own and all(hasattr(thing, verb) for verb in verbs):
            cls: Any = _check_class(kind, thing, path.name)
            # Bound as a default, or every lambda would see the last class; mypy cannot type that.
            found.append(Claim(cls.name, str(path), lambda cls=cls: cls))  # type: ignore[misc]
    if kind == "bots" and callable(getattr(module, "choose", None)):
        found.append(Claim(path.stem, str(path), lambda: _from_function(path.stem, module)))
    return found


def _check_class(kind: str, cls: Any, source: str) -> Any:
    """Return the class if it has what it needs; a bot may leave out `plays`."""
    if not isinstance(getattr(cls, "name", None), str):
        raise BadFile(f"{cls.__name__} in {source} needs a class attribute: name = '…'")
    has = {*dir(cls), *getattr(cls, "__dataclass_fields__", ())}
    abstract = getattr(cls, "__abstractmethods__", ())
    missing = [verb for verb in VERBS if verb not in has or verb in abstract]
    if kind == "games" and missing:
        raise BadFile(f"the game {cls.name} in {source} lacks {', '.join(missing)}")
    if kind == "bots" and "plays" not in has:
        cls.plays = _default_plays
    if any(isinstance(value, Field) for value in vars(cls).values()):
        raise BadFile(
            f"{cls.__name__} in {source} has options; write @dataclass(frozen=True) above"
        )
    try:
        options_of(cls)
    except TypeError as error:
        raise BadFile(f"an option in {source} is wrongly declared: {error}") from None
    try:
        inspect.signature(cls).bind()
    except TypeError as error:
        raise BadFile(
            f"{cls.__name__} in {source} cannot be made without arguments ({error}); "
            "declare its options with parlour.option(default, about)"
        ) from None
    return cls


def _default_plays(bot: Any, game: Game) -> str:
    return "as its author made it"


def _from_function(stem: str, module: Any) -> type:
    """Return a bot class around one function, so that a first bot needs no class."""

    class FunctionBot:
        name = stem
        plays = _default_plays

        def choose(self, game: Game, state: Any) -> Any:
            return module.choose(game, state)

    FunctionBot.__module__ = module.__name__  # it comes from there
    return FunctionBot


def _module(path: Path) -> Any:
    """Return the module in a file, loaded again only when its content has changed."""
    with explain_errors("read", path):
        source = path.read_bytes()
    name = PREFIX + hashlib.sha256(bytes(path.resolve()) + source).hexdigest()[:16]
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BadFile(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise BadFile(f"{path} does not load: {describe_error(error)}") from None
    return module


def find(kind: str, name: str) -> type:
    """Return the class of the game or bot of this name, in any case; never of a file by its path.

    A name may come from a record or a web page, and to open a file is to run it.
    """
    known = _all_claims(kind)
    folded = {each.casefold(): each for each in known}
    found = known.get(name) or known.get(folded.get(name.casefold(), ""))
    if not found:
        names = claims(kind)
        hint = suggest(name, names) or f"; choose {one_of(names)}"
        left_out = "".join(f"; left out: {problem}" for problem in problems())
        raise UnknownName(f"there is no {kind.rstrip('s')} {quote(name)}{hint}{left_out}")
    if len(found) > 1:
        raise NameTaken(_describe_dispute(kind, found))
    cls: type = found[0].load()
    return cls


def from_file(kind: str, path: Path) -> type:
    """Return the class of the one game or bot that a `.py` file defines."""
    one = kind.rstrip("s")
    offered = _read_claims(path, kind)
    if len(offered) != 1:
        what = f"one {one}" if not offered else f"only one {one}, not {len(offered)}"
        raise BadFile(f"{path} should define {what}")
    cls: type = offered[0].load()
    return cls


def resolve(kind: str, text: str) -> type:
    """Return the class that a user at this machine names: by its name, or by its `.py` file."""
    return from_file(kind, Path(text)) if text.endswith(".py") else find(kind, text)


def source_of(cls: type) -> str:
    """Return the `.py` file a class was read from; nothing for an installed one."""
    path = getattr(sys.modules.get(cls.__module__), "__file__", None)
    return str(path) if cls.__module__.startswith(PREFIX) and path else ""


def file_of(cls: type) -> str:
    """Return the file a class was read from, if it cannot be found by its name; else nothing."""
    path = source_of(cls)
    return path if path and Path(path).parent != folder() else ""


def build(cls: type, name: str, options: Mapping[str, Any]) -> Any:
    """Return a game or bot with these options; an error of its author becomes `BadFile`."""
    try:
        return make(cls, name, options)
    except ParlourError:
        raise
    except Exception as error:
        raise BadFile(f"{name} cannot be made: {describe_error(error)}") from error


def games() -> list[str]:
    """Return the names of all games."""
    return list(claims("games"))


def game(name: str, **options: Any) -> Game:
    """Return the game of this name with these options."""
    found: Game = build(find("games", name), name, options)
    return found


def rebuild(name: str, options: Mapping[str, Any], rules: Game | type[Game] | None = None) -> Game:
    """Return a game that was written down, by the rules of this game or class or the installed."""
    cls: Any = find("games", name) if rules is None else rules
    if cls.name != name:
        raise UnknownName(f"it is about {name}, and these are the rules of {cls.name}")
    found: Game = build(cls if isinstance(cls, type) else type(cls), name, options)
    return found


def bots(game: Game) -> list[str]:
    """Return the names of the bots that can play this game."""
    return [name for name, claim in claims("bots").items() if _plays(claim, game)]


def _plays(claim: Claim, game: Game) -> bool:
    try:
        return bool(claim.load()().plays(game))
    except Exception:  # a bot that fails here does not play
        return False


def bot(name: str, **options: Any) -> Bot:
    """Return the bot of this name with these options."""
    found: Bot = build(find("bots", name), name, options)
    return found


def read_bot(text: str, *, files: bool = False) -> Bot:
    """Return the bot described by a text such as `random seed=3`, as `describe` writes it.

    With `files`, which is only for users at this machine, it may also be a file, `my_bot.py`, or
    one that starts a program.
    """
    name, *parts = split_command(text) or [""]
    cls = resolve("bots", name) if files else find("bots", name)
    if getattr(cls, "starts_programs", False) and not files:
        raise ParlourError(f"{name} starts a program; name it at the command line, or in Python")
    found: Bot = build(cls, name, read_assignments(cls, name, parts))
    return found
