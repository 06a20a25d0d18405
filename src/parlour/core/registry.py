"""Where games and bots are found, ours and third parties' alike.

An installed package offers them by the entry points `parlour.games` and `parlour.bots`. A `.py`
file in the user's folder, or named outright, offers the classes it defines: one with `start` and
`moves` is a game, one with `choose` is a bot, and so is a plain function `choose(game, state)`,
which takes the name of its file. A model named outright, `net.onnx`, is a bot of that name, and so
is a bot at an address. A built-in name stays with the built-in; any other that two claim is
refused, naming both. A faulty package or file never keeps the others from being found: what
others have written is loaded and tried before it is listed, and `problems` says what was left out.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.metadata
import inspect
import os
import re
import shlex
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field, dataclass
from pathlib import Path
from typing import Any

from parlour.core.errors import BadFile, BadOption, NameTaken, ParlourError, UnknownName
from parlour.core.files import data_folder
from parlour.core.options import (
    describe_choice,
    make,
    options_of,
    read_assignments,
    split_command,
    values,
)
from parlour.core.protocol import VERBS, Bot, Game, grid, how_to_move, rules_text, sides, title
from parlour.core.sentences import describe_error, quote, say, suggest
from parlour.core.user_files import PREFIX, load_module

KINDS = ("games", "bots")
NEEDED = VERBS[:7]  # of a game that is not typed or drawn
FILES = "PARLOUR_FILES"  # the files named outright, so that processes we start find them as well
ADDRESSES = "PARLOUR_ADDRESSES"  # those of bots, likewise; with spaces between
WEB = ("http://", "https://")
MODELS = (".onnx", ".zip")  # files of what was trained: by ONNX, and by Stable-Baselines3
PATIENCE = 30.0  # seconds to load a game of somebody else, which may compile at first


@dataclass(frozen=True)
class Claim:
    """A name on offer, where it comes from, and how to load what it stands for."""

    name: str
    source: str
    load: Callable[[], Any]
    built_in: bool = False


def folder() -> Path:
    """Return the user's folder for files that offer games and bots."""
    return data_folder() / "bots"


def add_files(paths: Iterable[str | Path]) -> None:
    """Offer what these files define by name, in this process and in those that it starts.

    Only for users at this machine: it runs the files. They come before others of the same name,
    but not before the built-in ones; a file that cannot serve is refused. The address of a bot
    will do in place of a file.
    """
    for path in (Path(each) if not is_address(each) else each for each in paths):
        offered = {kind: _read_claims(path, kind) for kind in KINDS}
        if not any(offered.values()):
            raise BadFile(f"{path} should define a game or a bot")
        for kind, found in offered.items():
            for claim in found:
                built_in = [each for each in list_installed(kind) if each.built_in]
                if any(each.name == claim.name for each in built_in):
                    raise NameTaken(_describe_dispute(kind, [claim], built_in=True))
                if fault := _find_fault(kind, claim):
                    raise BadFile(fault)
        if isinstance(path, Path):
            added = [*_list_added(), path.resolve()]
            os.environ[FILES] = os.pathsep.join(map(str, dict.fromkeys(added)))
        else:
            os.environ[ADDRESSES] = " ".join(dict.fromkeys([*_list_addresses(), path]))


def is_address(text: str | Path) -> bool:
    """Say whether a text is an address of the web rather than the name of a file."""
    return isinstance(text, str) and text.casefold().startswith(WEB)


def _list_added() -> list[Path]:
    return [Path(text).resolve() for text in os.environ.get(FILES, "").split(os.pathsep) if text]


def _list_addresses() -> list[str]:
    return os.environ.get(ADDRESSES, "").split()


def claims(kind: str) -> dict[str, Claim]:
    """Return the claims of a kind, "games" or "bots", by name; those at fault are left out."""
    return _sort_claims(kind)[0]


def problems() -> list[str]:
    """Return what is wrong with the games and bots of others, each in a sentence."""
    return sorted({problem for kind in KINDS for problem in _sort_claims(kind)[1]})


def _sort_claims(kind: str) -> tuple[dict[str, Claim], list[str]]:
    """Return the claims that can serve by name, and what is wrong with the others."""
    found, wrong = _all_claims(kind)
    good = {}
    for name, rivals in sorted(found.items()):
        chosen = _choose_claim(rivals)
        if rivals[1:]:
            others = [claim for claim in rivals if not claim.built_in]
            wrong.append(_describe_dispute(kind, others, built_in=chosen is not None))
        if chosen is not None and not chosen.built_in and (fault := _find_fault(kind, chosen)):
            wrong.append(fault)
        elif chosen is not None:
            good[name] = chosen
    return good, wrong


def _all_claims(kind: str) -> tuple[dict[str, list[Claim]], list[str]]:
    """Return all claims by name, loading nothing installed, and which files do not load."""
    found: dict[str, list[Claim]] = {}
    files, wrong = _list_files(kind)
    for claim in (*list_installed(kind), *files):
        found.setdefault(claim.name, []).append(claim)
    added = {*map(str, _list_added()), *_list_addresses()}
    for name, rivals in found.items():
        if any(claim.source in added for claim in rivals):  # it was named outright
            found[name] = [each for each in rivals if each.built_in or each.source in added]
    return found, wrong


def _choose_claim(rivals: list[Claim]) -> Claim | None:
    """Return the one who has the name: the built-in, or the only one; None for a dispute."""
    own = [claim for claim in rivals if claim.built_in]
    return own[0] if own else rivals[0] if len(rivals) == 1 else None


def _describe_dispute(kind: str, rivals: list[Claim], *, built_in: bool = False) -> str:
    sources = " and ".join(claim.source for claim in rivals)
    name, one = repr(rivals[0].name), kind.rstrip("s")
    if built_in:
        return f"{sources} offers a {one} named {name}, which is built in; rename it"
    return f"both {sources} offer {kind} named {name}; rename one"


@functools.cache
def list_installed(kind: str) -> tuple[Claim, ...]:
    """Return the claims of installed packages, without opening a file of the user's folder."""
    own = _list_built_in()

    def claim(point: importlib.metadata.EntryPoint) -> Claim:
        source = f"the package at {point.value}"
        return Claim(point.name, source, lambda: _load(kind, point, source), point in own)

    return tuple(map(claim, importlib.metadata.entry_points(group=f"parlour.{kind}")))


def load_installed() -> None:
    """Load and try what other packages offer, so that processes forked from this one need not."""
    for kind in KINDS:
        for claim in list_installed(kind):
            if not claim.built_in:
                _find_fault(kind, claim)


def _list_built_in() -> tuple[importlib.metadata.EntryPoint, ...]:
    try:
        return tuple(importlib.metadata.distribution("parlour").entry_points)
    except importlib.metadata.PackageNotFoundError:  # the source alone, without metadata
        return ()


@functools.cache
def _find_fault(kind: str, claim: Claim) -> str:
    """Return why something by others cannot be listed, or nothing; it is tried once only.

    Every list of games makes each of them and shows how it begins.
    """
    done: list[str] = []

    def look() -> None:
        try:
            cls = claim.load()
            if kind == "games":
                _begin(cls)
            done.append("")
        except BadFile as error:
            done.append(str(error))
        except (Exception, SystemExit) as error:
            done.append(f"{claim.source} offers {claim.name}, which fails: {describe_error(error)}")

    # Code that waits for ever at import must not keep everybody waiting, and the program may end.
    thread = threading.Thread(target=look, name=f"load {claim.name}", daemon=True)
    thread.start()
    thread.join(PATIENCE)
    return done[0] if done else f"{claim.source} does not load: no answer within {PATIENCE:g} s"


def _begin(cls: Any) -> None:
    """Make a game and show its first position in every way, so that whatever fails does so here."""
    game = cls()
    state = game.start()
    if not 0 <= game.turn(state) < game.seats:
        raise ValueError(f"it has {game.seats!r} seats, and none whose turn it is")
    for move in game.moves(state)[:1]:
        game.read_move(state, game.write_move(move))
        game.result(game.play(state, move))
    game.read(game.write(state))
    for show in (game.draw, functools.partial(grid, game)):
        show(state)
    for tell in (title, rules_text, how_to_move, sides):
        tell(game)


@functools.cache
def _load(kind: str, point: importlib.metadata.EntryPoint, source: str) -> Any:
    try:
        found = point.load()
    except (Exception, SystemExit) as error:
        raise BadFile(f"{source} does not load: {describe_error(error)}") from error
    cls: Any = _check_class(kind, found, source)
    if cls.name != point.name:
        raise BadFile(f"{source} is installed as {point.name!r} and calls itself {cls.name!r}")
    return cls


def _list_files(kind: str) -> tuple[list[Claim], list[str]]:
    found, wrong = [], []
    dropped, added = sorted(folder().glob("*.py")), _list_added()
    if added:
        dropped = [path for path in dropped if path.resolve() not in added]
    named: list[Path | str] = [*dropped, *added, *_list_addresses()]
    for path in named:
        try:
            found += _read_claims(path, kind)
        except BadFile as error:
            wrong.append(str(error))
    return found, wrong


def _read_claims(path: Path | str, kind: str) -> list[Claim]:
    if isinstance(path, str) or path.suffix in MODELS:
        return [_claim_model(path)] if kind == "bots" else []
    return _list_claims(load_module(path), path, kind)


@functools.cache
def _claim_model(path: Path | str) -> Claim:
    """Return the claim of a model in a file, or of a bot at an address, to a name of its own.

    An address is the owner's own business, so others are told only the name: what stands after
    `#`, or else the server.
    """
    if isinstance(path, Path):
        about: str = say("A trained model, {name}.", name=path.name)
        text, source = path.stem, str(path)
    else:
        from urllib.parse import urlsplit  # few need it

        parts = urlsplit(path)
        text = parts.fragment or f"{parts.netloc.rpartition('@')[2]}{parts.path}"
        about, source = say("A bot that runs as a server of its own."), path
    name = re.sub(r"[^\w.]+", "-", text).strip("-.") or "model"
    return Claim(name, source, lambda: _from_model(name, source, about))


@functools.cache
def _list_claims(module: Any, path: Path, kind: str) -> list[Claim]:
    verbs = ("start", "moves") if kind == "games" else ("choose",)
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


def _check_class(kind: str, found: object, source: str) -> Any:
    """Return the class if it has what it needs; a bot may leave out `plays`."""
    if not isinstance(found, type):
        raise BadFile(f"{source} is {quote(found)}, which is not a class of {kind}")
    cls: Any = found
    if not isinstance(getattr(cls, "name", None), str):
        raise BadFile(f"{cls.__name__} in {source} needs a class attribute: name = '…'")
    has = {*dir(cls), *getattr(cls, "__dataclass_fields__", ())}
    abstract = getattr(cls, "__abstractmethods__", ())
    missing = [verb for verb in VERBS if verb not in has or verb in abstract]
    if kind == "games" and missing:
        raise BadFile(f"the game {cls.name} in {source} lacks {', '.join(missing)}")
    if kind == "games" and not re.fullmatch(r"\w[\w-]*", cls.name):
        raise BadFile(f"the game {quote(cls.name)} in {source} needs a name of one word")
    if kind == "bots" and not callable(getattr(cls, "choose", None)):
        raise BadFile(f"the bot {cls.name} in {source} lacks choose")
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
    return say("as its author made it")


@dataclass(frozen=True)
class FunctionPlayer:
    """A function of a game and a state, as a bot."""

    function: Callable[[Game, Any], Any]
    name: str

    plays = _default_plays

    def choose(self, game: Game, state: Any) -> Any:
        """Return what the function returns."""
        return self.function(game, state)


def _from_function(stem: str, module: Any) -> type:
    """Return a bot class around one function, so that a first bot needs no class."""

    class FunctionBot(FunctionPlayer):
        name = stem

        def __init__(self) -> None:
            super().__init__(module.choose, stem)

        def __reduce__(self) -> Any:
            return FunctionPlayer, (self.function, self.name)

    FunctionBot.__module__ = module.__name__  # it comes from there
    return FunctionBot


@functools.cache
def _from_model(name: str, source: str, about: str) -> type:
    """Return a bot class around a model or an address, without options: its owner chose them."""
    text = shlex.quote(source)
    bot(text)  # what cannot be opened is refused here
    cls = type("ModelBot", (_ModelBot,), {"name": name, "text": text})
    cls.__doc__ = about
    return cls


class _ModelBot:
    """A model or an address as a bot under a name of its own; opened when it is first needed."""

    name = text = ""

    @functools.cached_property
    def bot(self) -> Any:
        return bot(self.text)

    def plays(self, game: Game) -> str:
        return str(self.bot.plays(game))

    def choose(self, game: Game, state: Any) -> Any:
        return self.bot.choose(game, state)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "bot":
            raise AttributeError(name)
        return getattr(self.bot, name)  # such as clock and weights, where the bot has them

    def __reduce__(self) -> Any:
        return bot, (self.text,)


def find(kind: str, name: str | os.PathLike[str], *, files: bool = False) -> type:
    """Return the class of the game or bot of this name, in any case, or in the file at this path.

    With `files`, which is only for users at this machine, a text may be the path of a `.py` file
    too. Otherwise it is always a name, as it may come from a record or a web page, and to open a
    file is to run it.
    """
    if isinstance(name, str):
        return _open(kind, Path(name)) if files and name.endswith(".py") else _find(kind, name)
    if isinstance(name, os.PathLike):
        return _open(kind, Path(name))
    one = kind.rstrip("s")
    raise BadOption("name", name, f"it must be the name of a {one}, or a pathlib.Path to a file")


def _find(kind: str, name: str) -> type:
    known, _ = _all_claims(kind)
    folded = {each.casefold(): each for each in known}
    found = known.get(name) or known.get(folded.get(name.casefold(), ""))
    if not found:
        names = claims(kind)
        if not any(claim.built_in for claim in list_installed(kind)):
            raise UnknownName(
                f"there is no {kind.rstrip('s')} {quote(name)}: Parlour is here as source alone, "
                f"without the entry points by which its {kind} are found; pip install it"
            )
        hint = suggest(name, names) or say("; choose {names:or}", names=tuple(names))
        left_out = "".join(f"; left out: {problem}" for problem in problems())
        parts = {"name": quote(name), "hint": hint, "left_out": left_out}
        raise UnknownName(
            say("there is no game {name}{hint}{left_out}", **parts)
            if kind == "games"
            else say("there is no bot {name}{hint}{left_out}", **parts)
        )
    chosen = _choose_claim(found)
    if chosen is None:
        raise NameTaken(_describe_dispute(kind, found))
    if not chosen.built_in and (fault := _find_fault(kind, chosen)):
        raise BadFile(fault)
    cls: type = chosen.load()
    return cls


def _open(kind: str, path: Path) -> type:
    """Return the class of the one game or bot that a `.py` file defines."""
    one = kind.rstrip("s")
    offered = _read_claims(path, kind)
    if len(offered) != 1:
        what = f"one {one}" if not offered else f"only one {one}, not {len(offered)}"
        raise BadFile(f"{path} should define {what}")
    cls: type = offered[0].load()
    return cls


def is_installed(kind: str, cls: type) -> bool:
    """Return whether an installed package offers this very class, so that its name will do."""
    name = getattr(cls, "name", "")
    for claim in list_installed(kind):
        with contextlib.suppress(ParlourError):  # a faulty package of the same name
            if claim.name == name and claim.load() is cls:
                return True
    return False


def source_of(cls: type) -> str:
    """Return the `.py` file a class was read from; nothing for an installed one."""
    path = getattr(sys.modules.get(cls.__module__), "__file__", None)
    return str(path) if cls.__module__.startswith(PREFIX) and path else ""


def file_of(cls: type) -> str:
    """Return the file a class was read from, if it cannot be found by its name; else nothing."""
    path = source_of(cls)
    by_name = not path or Path(path).parent == folder() or Path(path).resolve() in _list_added()
    return "" if by_name else path


def build(
    kind: str, named: str | type, options: Mapping[str, Any] | None = None, rules: Any = None
) -> Any:
    """Return a game or bot, of this class or as a record or a page names it, with these options.

    No file is opened, and an error of its author becomes `BadFile`. The text of a bot may hold
    options as `describe` writes them, `random seed=3`; a bot whose class says in `needs_trust`
    what else it does, such as "starts a program", is refused. `rules` are those of a game that is
    not installed: as `game` takes them, or their class.
    """
    if isinstance(named, type):
        return _make(named, getattr(named, "name", named.__name__), options or {})
    if rules is not None:
        return _make(_check_rules(named, rules), named, options or {})
    if kind == "bots":
        cls, name, chosen = parse_bot(named)
    else:
        cls, name, chosen = find(kind, named), named, {}
    return _make(cls, name, chosen | dict(options or {}))


def _make(cls: type, name: str, options: Mapping[str, Any]) -> Any:
    try:
        return make(cls, name, options)
    except ParlourError:
        raise
    except Exception as error:
        raise BadFile(f"{name} cannot be made: {describe_error(error)}") from error


def _check_rules(name: str, rules: Any) -> type:
    """Return the class of these rules, which must be of the game of this name."""
    cls = rules if isinstance(rules, type) else type(game(rules))
    if (own := getattr(cls, "name", "")) != name:
        raise UnknownName(f"it is about {name}, and these are the rules of {own}")
    return cls


def games() -> list[str]:
    """Return the names of all games."""
    return list(claims("games"))


def game(name: Any, **options: Any) -> Game:
    """Return the game that a user at this machine means, with these options.

    It may be a game, its class, or as on the command line its name or the path of its file, with
    options in a text such as `nim misere=yes`. `BadOption` says what is missing in what is none of
    these.
    """
    made: Game = _make_any("games", name, options, _check_game)
    return made


def _make_any(
    kind: str, thing: Any, options: Mapping[str, Any], check: Callable[[Any], Any]
) -> Any:
    """Return what a name, a file, a class or an object stands for, which `check` takes."""
    if isinstance(thing, str | os.PathLike):
        return _read(kind, thing, options)
    if isinstance(thing, type) and hasattr(thing, "moves" if kind == "games" else "choose"):
        return build(kind, thing, options)
    return _change(check(thing), options)


def _check_game(thing: Any) -> Any:
    if missing := [verb for verb in NEEDED if not hasattr(thing, verb)]:
        allowed = "it must be a game, its class, its name such as 'nim misere=yes', or its .py file"
        lacks = f"; it lacks {', '.join(missing)}" if hasattr(thing, "moves") else ""
        raise BadOption("game", thing, allowed + lacks)
    return thing


def _change(thing: Any, options: Mapping[str, Any]) -> Any:
    """Return a game or bot with some options changed."""
    if not options:
        return thing
    cls, chosen = type(thing), values(thing)
    usual = values(cls()) if chosen else {}
    changed = {name: value for name, value in chosen.items() if value != usual[name]}
    return _make(cls, getattr(cls, "name", cls.__name__), changed | dict(options))


def _read(kind: str, text: str | os.PathLike[str], options: Mapping[str, Any]) -> Any:
    """Return the game or bot that a user at this machine names, with more options."""
    words = split_command(text) if isinstance(text, str) else [os.fspath(text)]
    name, *parts = (_spell_out(words) if kind == "bots" else words) or [""]
    path = isinstance(text, os.PathLike) and name == words[0]
    cls = find(kind, Path(name) if path else name, files=True)
    return _make(cls, name, read_assignments(cls, name, parts) | dict(options))


def _spell_out(words: list[str]) -> list[str]:
    """Return the full name of a bot that was named by its model or its address alone.

    `net.onnx` is `onnx model=net.onnx`; the file of a model that can run code when it is opened
    stands for a bot in the sandbox.
    """
    first, *rest = words or [""]
    if is_address(first):
        return ["http", f"url={first}", *rest]
    suffix = Path(first).suffix
    if suffix == ".onnx":
        return ["onnx", f"model={first}", *rest]
    return ["sandbox", f"bot={shlex.join(words)}"] if suffix == ".zip" else words


_to_game = game  # where an argument is called game


def bots(game: Any) -> list[str]:
    """Return the names of the bots that can play this game."""
    game = _to_game(game)
    return [name for name, claim in claims("bots").items() if describe_strength(claim, game)]


def describe_strength(claim: Claim, game: Game) -> str:
    """Say how well a bot plays a game, in its own words; nothing when it does not."""
    try:
        found: str = claim.load()().plays(game)
        return found if isinstance(found, str) else str(found)
    except Exception:  # a bot that fails here does not play
        return ""


def parse_bot(text: str, *, files: bool = False) -> tuple[type, str, dict[str, Any]]:
    """Return the class of a bot so described, its text as `describe` writes it, and its options."""
    words = split_command(text)
    name, *parts = (_spell_out(words) if files else words) or [""]
    cls = find("bots", name, files=files)
    if not files and (does := getattr(cls, "needs_trust", "")):
        raise ParlourError(
            "{name} {does}; name it at the command line, or in Python", name=name, does=does
        )
    options = read_assignments(cls, name, parts)
    return cls, describe_choice(cls, options), options


def bot(name: Any, argument: str = "bot", **options: Any) -> Bot:
    """Return the bot or player that a user at this machine means, with these options.

    It may be a player, its class, a function of a game and a state, or as on the command line a
    name, file or address, with options in a text such as `minimax depth=3`; `BadOption` names the
    argument that is none of these.
    """
    made: Bot = _make_any("bots", name, options, lambda thing: _to_player(thing, argument))
    return made


def _to_player(thing: Any, argument: str) -> Any:
    if callable(getattr(thing, "player", None)) and not isinstance(thing, type):
        thing = thing.player()  # what was trained, as a player
    if callable(getattr(thing, "choose", None)):
        return thing
    if callable(thing) and not isinstance(thing, type):
        _check_parameters(thing, argument)
        name = getattr(thing, "__name__", type(thing).__name__)
        return FunctionPlayer(thing, name.strip("<>"))
    raise BadOption(
        argument,
        thing,
        "a player is an object or class with choose(game, state), such a function, a bot's name "
        "such as 'minimax depth=3', or its .py file",
    )


def _check_parameters(function: Callable[..., Any], argument: str) -> None:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # one that is not written in Python
        return
    try:
        signature.bind(None, None)
    except TypeError:
        name = getattr(function, "__name__", "this")
        allowed = f"it must take a game and a state, and {name} takes {signature}"
        raise BadOption(argument, function, allowed) from None
