"""Who takes part, as people name them: a bot of the house, a Python file, or a program.

What is installed is trusted and plays within the referee's process. Whatever is a file runs apart,
in a process of its own.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from parlour.arena.plan import GTP, HOUSE, PROGRAM, PYTHON, Entry, Plan
from parlour.core import (
    BadFile,
    BadText,
    Game,
    ParlourError,
    UnknownName,
    describe,
    one_of,
    quote,
    registry,
)
from parlour.players import Gtp, argv
from parlour.rules import Othello

SPEAKS_GTP = "gtp:"  # before a command


def entries(texts: Iterable[str], game: Game) -> tuple[Entry, ...]:
    """Those named, each under a name of its own."""
    return distinct(entry(text, game) for text in texts)


def distinct(found: Iterable[Entry]) -> tuple[Entry, ...]:
    """The same, those of one name numbered."""
    taken: set[str] = set()
    named: list[Entry] = []
    for each in found:
        name, number = each.name, 1
        while name in taken:
            number += 1
            name = f"{each.name} ({number})"
        taken.add(name)
        named.append(replace(each, name=name))
    return tuple(named)


def entry(text: str, game: Game) -> Entry:
    """Who is named by `minimax depth=3`, `my_bot.py`, `perl my_bot.pl` or `gtp: gtp-rhino -l 3`."""
    if text.casefold().startswith(SPEAKS_GTP):
        return program(text[len(SPEAKS_GTP) :].strip(), game, kind=GTP)
    typed = words(text)
    first = typed[:1]
    if first == [Gtp.name]:
        return program(getattr(registry.read_bot(text, files=True), "command", ""), game, kind=GTP)
    if first and first[0].endswith(".py"):
        return python_file(text, game)
    if first and ("/" in first[0] or any(is_file(word) for word in typed)):
        return program(text, game)
    try:
        return house_bot(text, game)
    except UnknownName:
        missing = [word for word in typed[1:] if Path(word).suffix and not word.startswith("-")]
        if missing and shutil.which(first[0]):
            raise BadFile(f"the file {quote(missing[0])} is not found") from None
        raise


def strangers(plan: Plan) -> tuple[list[str], str]:
    """Those who run apart, and what keeps this machine from shutting them in, or nothing."""
    names = [each.name for each in plan.entries if each.apart]
    if not names:
        return [], ""
    if os.name != "posix":
        raise ParlourError("bots that are files run on Linux and macOS; choose some of the house")
    from parlour.arena.sandbox import launcher as sandbox

    return names, sandbox.available()


def is_file(text: str) -> bool:
    """Whether there is a file of this name."""
    return os.path.isfile(text)  # noqa: PTH113 - a text of any length is no file, not an error


def words(text: str) -> list[str]:
    """The words of a command, as a shell would see them."""
    try:
        return shlex.split(text)
    except ValueError:
        raise BadText(f"{quote(text)} opens a quotation mark and does not close it") from None


def house_bot(text: str, game: Game) -> Entry:
    """A bot by its name and options."""
    bot = registry.read_bot(text)
    if path := registry.source_of(type(bot)):
        return python_file(shlex.join([path, *words(text)[1:]]), game)
    if not bot.plays(game):
        able = one_of(registry.bots(game))
        raise ParlourError(f"{describe(bot)} does not play {describe(game)}; those who do: {able}")
    return Entry(describe(bot), HOUSE, describe(bot))


def python_file(text: str, game: Game) -> Entry:
    """A bot in a Python file, which is not opened here: it runs apart."""
    typed, *options = words(text)
    path = Path(typed).parent.resolve() / Path(typed).name  # a link has a name of its own
    name, what = " ".join([path.stem, *options]), shlex.join([str(path), *options])
    return Entry(name, PYTHON, what, digest([str(path), *options]))


def program(command: str, game: Game, *, kind: str = PROGRAM) -> Entry:
    """A program that speaks the line protocol, or GTP."""
    typed = words(command)
    if not typed:
        raise BadText("name the program that is to play, like ./my_bot.pl")
    if kind == GTP and not isinstance(game, Othello):
        raise ParlourError(f"GTP is spoken about Othello here, not about {game.name}")
    first = typed[0]
    path = str(Path(first).absolute()) if is_file(first) else argv(command)[0]
    found = shutil.which(path)
    if found is None:
        if Path(first).exists():
            raise BadFile(f"the program {quote(first)} may not be run; chmod +x makes it so")
        raise BadFile(f"the program {quote(first)} is not found")
    own = [str(Path(word).absolute()) if is_file(word) else word for word in typed[1:]]
    name = " ".join(Path(word).stem if is_file(word) else word for word in typed)
    told = digest([found, *own]) if any(is_file(word) for word in typed) else ""
    return Entry(name, kind, shlex.join([found, *own]), told)


def digest(parts: list[str]) -> str:
    """Who it is, wherever the files lie that it is made of."""
    told = hashlib.sha256()
    for number, word in enumerate(parts):
        file = number == 0 or is_file(word)
        told.update((_read(Path(word)) if file else word.encode()) + b"\0")
    return told.hexdigest()


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as trouble:
        raise BadFile(f"cannot read {path.name}: {trouble.strerror}") from None
