"""A league: a file that says what is played, and a folder of bots that change from day to day.

Everything is looked at anew each time. What is remembered is in the folder of results: the games,
each known by all that decides it, and one line a run on who took part and how strong each was.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import statistics
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from parlour.arena.entries import (
    GTP_PREFIX,
    house_entry,
    is_file,
    number_duplicates,
    program_entry,
    python_entry,
    read_entry,
    split_command,
)
from parlour.arena.plan import KINDS, PYTHON, Entry, Limits, Plan, make_openings
from parlour.core import (
    BadFile,
    BadOption,
    BadText,
    Clock,
    Game,
    ParlourError,
    declared,
    describe,
    nearest,
    one_of,
    quote,
    registry,
    sentence,
    write_whole,
)

LEAGUE_FILE = "league.toml"
HISTORY = "history.jsonl"

# What stands in a league.toml, and what each must be; those without a default must be there.
KEYS: Mapping[str, tuple[tuple[type, ...], str]] = {
    "title": ((str,), 'a text, like "Nim league"'),
    "game": ((str,), 'the name of a game, like "nim"'),
    "bots": ((str,), 'a folder, like "bots"'),
    "results": ((str,), 'a folder, like "results"'),
    "games": ((int,), "an even number, like 20"),
    "kind": ((str,), one_of(quote(kind) for kind in KINDS)),
    "openings": ((int, str), 'a number of random moves, like 2, or a file, like "openings.txt"'),
    "time": ((str, int, float), 'a time like "1/move", "60" or "60+1"'),
    "seed": ((int,), "a whole number, like 1"),
    "house": ((list,), 'a list of bots, like ["random", "minimax depth=2"]'),
    "options": ((dict,), "a part of its own, under a line that says [options]"),
    "limits": ((dict,), "a part of its own, under a line that says [limits]"),
    "programs": ((dict,), "a part of its own, under a line that says [programs]"),
}
HINTS = {  # to what Python's own reader of such files complains about
    "Invalid value": 'texts stand in quotation marks, as in game = "nim", and yes is written true',
    "Illegal character": "a text ends on its line, with the quotation mark it began with",
    "overwrite": "something stands there twice",
}
NOT_MEANT = (".md", ".json")  # as bots
LIMITS = tuple(each.name for each in fields(Limits))


@dataclass(frozen=True)
class League:
    """What a league.toml says, read and checked."""

    title: str
    plan: Plan  # with those alone who are no files in the folder of bots
    bots: Path
    results: Path


def read_league(path: Path) -> League:
    """The league in a file, or in the folder that holds one; errors say what to write instead."""
    path = path / LEAGUE_FILE if path.is_dir() else path
    said = _parsed(path)
    try:
        return _read(said, path.parent.resolve())
    except ParlourError as trouble:
        raise BadText(f"{path.name}: {trouble}") from None


def _parsed(path: Path) -> dict[str, Any]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise BadFile(
            f"there is no {path}; name the file of a league, or copy the folder examples/league"
        ) from None
    except OSError as trouble:
        raise BadFile(f"cannot read {path}: {trouble.strerror}") from None
    except UnicodeDecodeError:
        raise BadFile(f"{path.name} is no text in UTF-8; save it as such") from None
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as trouble:
        hint = next((f"; {hint}" for sign, hint in HINTS.items() if sign in str(trouble)), "")
        raise BadText(f"{path.name} cannot be read: {trouble}{hint}") from None


def _read(said: dict[str, Any], folder: Path) -> League:
    for name, value in said.items():
        _check(name, value, said.get("game"))
    if "game" not in said:
        raise BadText('it names no game; write game = "nim", say')
    game = _game(said["game"], said.get("options", {}), folder)
    games, seed = said.get("games", 2), said.get("seed", 0)
    begin = said.get("openings", 0)
    plan = Plan.of(
        game,
        _invited(said.get("house", []), said.get("programs", {}), game, folder),
        kind=said.get("kind", KINDS[0]),
        games=games,
        openings=make_openings(
            game, begin if isinstance(begin, int) else folder / begin, games // 2, seed
        ),
        clock=Clock.read(str(said.get("time", "none"))),
        limits=_limits(said.get("limits", {})),
        seed=seed,
    )
    if plan.kind == "gauntlet" and not plan.entries:
        raise BadText("in a gauntlet all meet the first bot of the house; name it in house = […]")
    return League(
        title=said.get("title", f"League of {describe(game)}"),
        plan=plan,
        bots=folder / said.get("bots", "bots"),
        results=folder / said.get("results", "results"),
    )


def _check(name: str, value: object, game: object) -> None:
    """That there is such a key, and that it can hold this."""
    if name not in KEYS:
        hint = nearest(name, KEYS) or f"; there is {', '.join(KEYS)}"
        if name in LIMITS:
            hint = "; it belongs under a line that says [limits]"
        elif game in registry.games() and name in declared(registry.find("games", str(game))):
            hint = "; it belongs under a line that says [options]"
        raise BadText(f"there is no {quote(name)} in a league{hint}")
    kinds, right = KEYS[name]
    if type(value) not in kinds:
        raise BadText(f"{name} cannot be {quote(value)}; it must be {right}")


def _game(name: str, options: Mapping[str, Any], folder: Path) -> Game:
    """The game, by its name or in a file."""
    cls = registry.typed("games", str(folder / name) if name.endswith(".py") else name)
    known = declared(cls)
    for option in options.keys() - known.keys():
        _misplaced("options", option)
    chosen = {
        option: known[option].read(value) if option in known and isinstance(value, str) else value
        for option, value in options.items()
    }
    game: Game = registry.made(cls, name, chosen)
    return game


def _misplaced(part: str, name: str) -> None:
    """What follows a line in brackets belongs to it, which is easily forgotten."""
    if name in KEYS:
        raise BadText(f"{name} stands under [{part}]; move it up, above the first line in brackets")


def _limits(said: Mapping[str, Any]) -> Limits:
    for name, value in said.items():
        if name not in LIMITS:
            _misplaced("limits", name)
            hint = nearest(name, LIMITS) or f"; there is {', '.join(LIMITS)}"
            raise BadText(f"there is no {quote(name)} among the limits{hint}")
        if type(value) not in (int, float) or not 0 < value <= 10**6:
            raise BadOption(name, value, "it must be a number above 0")
    usual = Limits()
    return replace(usual, **{name: type(getattr(usual, name))(said[name]) for name in said})


def _invited(
    house: Sequence[object], programs: Mapping[str, object], game: Game, folder: Path
) -> tuple[Entry, ...]:
    """Those who take part although they are no files in the folder."""
    found = []
    for text in house:
        if not isinstance(text, str):
            raise BadText(f"house names {quote(text)}; it must be {KEYS['house'][1]}")
        found.append(house_entry(text, game))
    for name, command in programs.items():
        if not isinstance(command, str):
            _misplaced("programs", name)
            raise BadText(f'programs: {name} must be a command, like "gtp: gtp-rhino -l 3"')
        found.append(replace(_program(command, game, folder), name=name))
    return number_duplicates(found)


def _program(command: str, game: Game, folder: Path) -> Entry:
    """A program; what its command names beside the league's file is found from everywhere."""
    speaks_gtp = command.casefold().startswith(GTP_PREFIX)
    typed = split_command(command[len(GTP_PREFIX) :] if speaks_gtp else command)
    placed = [
        str(folder / word) if is_file(str(folder / word)) or (not at and "/" in word) else word
        for at, word in enumerate(typed)
    ]
    return read_entry(f"{GTP_PREFIX * speaks_gtp} {shlex.join(placed)}".strip(), game)


# The folder of bots


def find_bots(league: League, game: Game) -> tuple[list[Entry], dict[str, str]]:
    """Who is in the folder, and by the name of the file what keeps others from taking part."""
    try:
        files = sorted(league.bots.iterdir())
    except OSError:
        raise BadFile(
            f"there is no folder {league.bots}; make it, and put a bot into it, a .py file"
        ) from None
    found: list[Entry] = []
    wrong: dict[str, str] = {}
    for path in files:
        if path.name.startswith(("_", ".")):
            continue
        try:
            if why := _no_bot(path, league.bots):
                wrong[path.name] = why
            elif path.suffix == ".py":
                found.append(python_entry(shlex.quote(str(path))))
            elif path.is_file() and os.access(path, os.X_OK):
                # By its whole name, so that no other file of that name but for its end renames it.
                found.append(replace(program_entry(shlex.quote(str(path)), game), name=path.name))
        except ParlourError as trouble:
            wrong[path.name] = sentence(str(trouble))
        except OSError as trouble:
            wrong[path.name] = f"It cannot be read: {trouble.strerror}."
    found.sort(key=lambda entry: entry.kind != PYTHON)
    return found, wrong


def bot_name(file: str) -> str:
    """What the bot in a file of the folder is called."""
    return file.removesuffix(".py")


def _no_bot(path: Path, folder: Path) -> str:
    """What keeps a file from being a bot that was meant as one, if anything does."""
    if path.is_symlink() and not path.exists():
        return "It is a link that leads nowhere; put the file itself there."
    if not path.resolve().is_relative_to(folder.resolve()):
        return "It is a link to a file outside the folder; put the file itself there."
    if path.is_dir():
        bots = any(path.glob("*.py"))
        return "It is a folder; put the .py file itself beside the others." if bots else ""
    if not path.is_file():
        return "It is no file; take it away."
    if path.suffix == ".py" or os.access(path, os.X_OK):
        return ""
    if ".py." in path.name:
        name = path.name.partition(".py.")[0]
        return f"It ends in {path.suffix}; rename it to {name}.py."
    if _script(path):
        return "It is a program that may not be run; chmod +x makes it so."
    if path.suffix in NOT_MEANT or path.stem.casefold() == "readme":
        return ""
    return "It is neither a .py file nor may it be run; it is left alone."


def _script(path: Path) -> bool:
    """Whether a file says itself how it is to be run."""
    with path.open("rb") as file:
        return file.read(2) == b"#!"


# From run to run


@dataclass(frozen=True)
class Run:
    """One line of the history: when, at what, who took part, and how strong each was."""

    date: str
    game: str
    bots: Mapping[str, str]  # what each was, by name: another content has another digest
    ratings: Mapping[str, tuple[float, float, float]]  # Elo, and the interval around it

    def alike(self, other: Run) -> bool:
        """Whether nothing but time has passed between two runs."""
        return replace(self, date="") == replace(other, date="")


@dataclass(frozen=True)
class Changes:
    """Who is not as in the run before, by name."""

    new: tuple[str, ...]
    changed: tuple[str, ...]
    gone: tuple[str, ...]


def read_history(league: League) -> list[Run]:
    """All runs so far, of whatever game; a line that is none is passed over."""
    path = league.results / HISTORY
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return []
    except OSError as trouble:
        raise BadFile(f"cannot read {path}: {trouble.strerror}") from None
    runs = []
    for line in lines:
        with contextlib.suppress(ValueError, TypeError, AttributeError):
            run = Run(**json.loads(line))
            ratings = {name: (elo, low, high) for name, (elo, low, high) in run.ratings.items()}
            if ratings.keys() == run.bots.keys():
                runs.append(replace(run, ratings=ratings))
    return runs


def write_history(league: League, runs: Sequence[Run]) -> None:
    """Keep these runs as the history."""
    lines = "".join(f"{json.dumps(asdict(run))}\n" for run in runs)
    write_whole(league.results / HISTORY, lines.encode())


def find_changes(before: Run, now: Run) -> Changes:
    """What is different between two runs."""
    both = [name for name in now.bots if name in before.bots]
    return Changes(
        new=tuple(name for name in now.bots if name not in before.bots),
        changed=tuple(name for name in both if now.bots[name] != before.bots[name]),
        gone=tuple(name for name in before.bots if name not in now.bots),
    )


def align_ratings(runs: Sequence[Run]) -> list[Run]:
    """The same runs with their ratings comparable to those of the last.

    Only differences of ratings mean anything, and their mean is 0 whoever takes part: when a weak
    bot joins, all others rise. So each run is moved until those who are the same in the next have
    the same mean there.
    """
    moved = list(runs[-1:])
    for run in reversed(runs[:-1]):
        after = moved[0]
        same = [name for name in run.bots if run.bots[name] == after.bots.get(name)]
        by = statistics.fmean(_rises(run, after, same)) if same else 0.0
        ratings = {
            name: (elo + by, low + by, high + by) for name, (elo, low, high) in run.ratings.items()
        }
        moved.insert(0, replace(run, ratings=ratings))
    return moved


def _rises(before: Run, after: Run, names: Sequence[str]) -> list[float]:
    return [after.ratings[name][0] - before.ratings[name][0] for name in names]
