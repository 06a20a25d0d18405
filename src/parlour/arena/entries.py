"""Who takes part, as users name them: an installed bot, a Python file, or a program.

Installed bots are trusted and play in the referee's process. Whatever is a file runs in a sandbox.
"""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from parlour.arena.plan import GTP, HOUSE, PROGRAM, PYTHON, Entry, digest_files, is_file
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

GTP_PREFIX = "gtp:"  # before a command


def read_entries(texts: Iterable[str], game: Game) -> tuple[Entry, ...]:
    """Read the names of bots, and make them distinct."""
    return number_duplicates(read_entry(text, game) for text in texts)


def number_duplicates(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Number the entries that share a name."""
    taken: set[str] = set()
    distinct: list[Entry] = []
    for each in entries:
        name, number = each.name, 1
        while name in taken:
            number += 1
            name = f"{each.name} ({number})"
        taken.add(name)
        distinct.append(replace(each, name=name))
    return tuple(distinct)


def read_entry(text: str, game: Game) -> Entry:
    """Read `minimax depth=3`, `my_bot.py`, `perl my_bot.pl` or `gtp: gtp-rhino -l 3`."""
    if text.casefold().startswith(GTP_PREFIX):
        return program_entry(text[len(GTP_PREFIX) :].strip(), game, kind=GTP)
    words = split_command(text)
    first = words[:1]
    if first == [Gtp.name]:
        command = getattr(registry.read_bot(text, files=True), "command", "")
        return program_entry(command, game, kind=GTP)
    if first and first[0].endswith(".py"):
        return python_entry(text)
    if first and ("/" in first[0] or any(is_file(word) for word in words)):
        return program_entry(text, game)
    try:
        return house_entry(text, game)
    except UnknownName:
        missing = [word for word in words[1:] if Path(word).suffix and not word.startswith("-")]
        if missing and shutil.which(first[0]):
            raise BadFile(f"the file {quote(missing[0])} is not found") from None
        raise


def split_command(text: str) -> list[str]:
    """Split a command into words, as a shell does."""
    try:
        return shlex.split(text)
    except ValueError:
        raise BadText(f"{quote(text)} opens a quotation mark and does not close it") from None


def house_entry(text: str, game: Game) -> Entry:
    """Return the entry of a bot given by its name and options."""
    bot = registry.read_bot(text)
    if path := registry.source_of(type(bot)):
        return python_entry(shlex.join([path, *split_command(text)[1:]]))
    if not bot.plays(game):
        able = one_of(registry.bots(game))
        raise ParlourError(f"{describe(bot)} does not play {describe(game)}; choose {able}")
    return Entry(describe(bot), HOUSE, describe(bot))


def python_entry(text: str) -> Entry:
    """Return the entry of a bot in a Python file; the file is only opened in the sandbox."""
    typed, *options = split_command(text)
    path = Path(typed).parent.resolve() / Path(typed).name  # a link has a name of its own
    name, what = " ".join([path.stem, *options]), shlex.join([str(path), *options])
    return Entry(name, PYTHON, what, digest_files([str(path), *options]))


def program_entry(command: str, game: Game, *, kind: str = PROGRAM) -> Entry:
    """Return the entry of a program that speaks the line protocol, or GTP."""
    words = split_command(command)
    if not words:
        raise BadText("name the program that is to play, like ./my_bot.pl")
    first = words[0]
    path = str(Path(first).absolute()) if is_file(first) else argv(command)[0]
    found = shutil.which(path)
    if found is None:
        if Path(first).exists():
            raise BadFile(f"the program {quote(first)} is not executable; chmod +x makes it so")
        raise BadFile(f"the program {quote(first)} is not found")
    if kind == GTP and not Gtp(command).plays(game):
        raise ParlourError(f"programs that speak GTP play Othello here, not {game.name}")
    rest = [str(Path(word).absolute()) if is_file(word) else word for word in words[1:]]
    name = " ".join(Path(word).stem if is_file(word) else word for word in words)
    digest = digest_files([found, *rest]) if any(is_file(word) for word in words) else ""
    return Entry(name, kind, shlex.join([found, *rest]), digest)
