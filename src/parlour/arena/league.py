"""A league: a settings file, and a folder of bots that change from day to day.

The settings and the folder are read anew for each run. The results folder keeps the games, each
identified by everything that decides it, and the history: a line per run with the bots and their
ratings.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import statistics
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from parlour import core
from parlour.arena import plan as plans
from parlour.arena.botcheck import load_advice
from parlour.arena.plan import MODEL, PYTHON, Entry, Limits, Plan
from parlour.core import BadFile, BadOption, BadText, Game, ParlourError, files, quote, registry

LEAGUE_FILE = "league.toml"
HISTORY = "history.jsonl"

KEYS = load_advice()["league"]["keys"]
CONDITIONS = ("kind", "games", "openings", "seed", "strikes")  # those that a plan takes as they are
NOT_BOTS = (".md", ".json")  # files that are never bots
LIMITS = tuple(each.name for each in fields(Limits))


@dataclass(frozen=True)
class League:
    """The settings of a league, checked."""

    title: str
    plan: Plan  # without the bots in the folder
    bots: Path
    results: Path


def read_league(path: Path) -> League:
    """Read the settings in a file or in its folder; errors say what to write instead."""
    path = path / LEAGUE_FILE if path.is_dir() else path
    settings = _parse(path)
    try:
        return _make_league(settings, path.parent.resolve())
    except ParlourError as error:
        raise BadText(f"{path.name}: {error}") from None


def _parse(path: Path) -> dict[str, Any]:
    if not path.exists():
        raise BadFile(
            f"{path} does not exist; name the file of a league, or start from the one "
            "that `parlour examples` copies"
        )
    try:
        with files.explain_errors("read", path):
            return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise BadFile(f"{path.name} is not UTF-8 text; save it as UTF-8") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        hints = load_advice()["league"]["syntax"].items()
        hint = next((f"; {hint}" for sign, hint in hints if sign in str(error)), "")
        raise BadText(f"{path.name} cannot be read: {error}{hint}") from None


def _make_league(settings: dict[str, Any], folder: Path) -> League:
    for name, value in settings.items():
        _check(name, value, settings.get("game"))
    if "game" not in settings:
        raise BadText('no game is named; write game = "nim", for example')
    game = _read_game(settings["game"], settings.get("options", {}), folder)
    conditions = {name: settings[name] for name in CONDITIONS if name in settings}
    if isinstance(settings.get("openings"), str):
        conditions["openings"] = folder / settings["openings"]
    plan = plans.make_plan(
        game,
        _read_invited(settings.get("house", []), settings.get("programs", {}), game, folder),
        time=str(settings.get("time", "none")),
        limits=_read_limits(settings.get("limits", {})),
        **conditions,
    )
    if plan.kind == "gauntlet" and not plan.entries:
        raise BadText("in a gauntlet all meet the first installed bot; name it in house = […]")
    return League(
        title=settings.get("title", f"League of {core.describe(game)}"),
        plan=plan,
        bots=folder / settings.get("bots", "bots"),
        results=folder / settings.get("results", "results"),
    )


def _check(name: str, value: object, game: object) -> None:
    """Check that there is such a key, and that it can hold this value."""
    if name not in KEYS:
        hint = core.suggest(name, KEYS) or f"; choose {core.one_of(KEYS)}"
        if name in LIMITS:
            hint = "; it belongs under a line that says [limits]"
        elif game in registry.games() and name in core.options_of(
            registry.find("games", str(game))
        ):
            hint = "; it belongs under a line that says [options]"
        raise BadText(f"{quote(name)} is not a setting of a league{hint}")
    if type(value).__name__ not in KEYS[name]["types"]:
        raise BadText(f"{name} cannot be {quote(value)}; it must be {KEYS[name]['right']}")


def _read_game(name: str, options: Mapping[str, Any], folder: Path) -> Game:
    """Make the game, by its name or from a file."""
    cls = registry.find("games", str(folder / name) if name.endswith(".py") else name, files=True)
    known = core.options_of(cls)
    for option in options.keys() - known.keys():
        _refuse_misplaced("options", option)
    chosen = {
        option: known[option].read(value) if option in known and isinstance(value, str) else value
        for option, value in options.items()
    }
    game: Game = registry.build("games", cls, chosen)
    return game


def _refuse_misplaced(section: str, name: str) -> None:
    """Refuse a key of the league below a line in brackets, which is easily forgotten."""
    if name in KEYS:
        raise BadText(f"{name} is under [{section}]; move it up, above the first line in brackets")


def _read_limits(limits: Mapping[str, Any]) -> Limits:
    for name, value in limits.items():
        if name not in LIMITS:
            _refuse_misplaced("limits", name)
            hint = core.suggest(name, LIMITS) or f"; choose {core.one_of(LIMITS)}"
            raise BadText(f"{quote(name)} is not a limit{hint}")
        if type(value) not in (int, float) or not 0 < value <= 10**6:
            raise BadOption(name, value, "it must be a number above 0")
    default = Limits()
    given = {name: type(getattr(default, name))(limits[name]) for name in limits}
    return replace(default, **given)


def _read_invited(
    house: Sequence[object], programs: Mapping[str, object], game: Game, folder: Path
) -> tuple[Entry, ...]:
    """Read the entries that are not files in the folder."""
    found = []
    for text in house:
        if not isinstance(text, str):
            raise BadText(f"house names {quote(text)}; it must be {KEYS['house']['right']}")
        found.append(_read_house(text, game, folder))
    for name, command in programs.items():
        if not isinstance(command, str):
            _refuse_misplaced("programs", name)
            raise BadText(f'programs: {name} must be a command, like "gtp: gtp-rhino -l 3"')
        found.append(replace(_read_program(command, game, folder), name=name))
    return plans.number_duplicates(found)


def _read_house(text: str, game: Game, folder: Path) -> Entry:
    """Read an installed bot, a model beside the league's file, or the address of a bot."""
    words = [_locate(word, folder) for word in registry.split_command(text)]
    if plans.needs_trust(words) or words[:1] == ["sandbox"]:
        return plans.read_entry(shlex.join(words), game)
    return plans.open_house_bot(text, game)[0]


def _locate(word: str, folder: Path) -> str:
    """Return an option whose value is a file next to the league's file with its whole path."""
    option, equals, value = word.rpartition("=")
    found = folder / value
    return f"{option}{equals}{found}" if value and plans.is_file(str(found)) else word


def _read_program(command: str, game: Game, folder: Path) -> Entry:
    """Read a command; the files it names next to the league's file are found from anywhere."""
    speaks_gtp = command.casefold().startswith(plans.GTP_PREFIX)
    words = registry.split_command(command[len(plans.GTP_PREFIX) :] if speaks_gtp else command)
    located = [
        str(folder / word)
        if plans.is_file(str(folder / word)) or (not at and "/" in word)
        else word
        for at, word in enumerate(words)
    ]
    return plans.read_entry(f"{plans.GTP_PREFIX * speaks_gtp} {shlex.join(located)}".strip(), game)


# The folder of bots


def find_bots(league: League, game: Game) -> tuple[list[Entry], dict[str, str]]:
    """Find the bots in the folder, and what keeps other files from taking part, by name."""
    try:
        files = sorted(league.bots.iterdir())
    except OSError:
        raise BadFile(
            f"{league.bots} is not a folder; make it, and put a bot into it, a .py file"
        ) from None
    found: list[Entry] = []
    wrong: dict[str, str] = {}
    weights = {file for path in files for file in plans.find_weights(path)}  # they belong to a bot
    for path in files:
        if path.name.startswith(("_", ".")) or str(path) in weights:
            continue
        try:
            if why := _why_no_bot(path, league.bots):
                wrong[path.name] = why
            elif plans.is_bot_file(path.name):
                found.append(plans.file_entry(shlex.quote(str(path))))
            elif path.is_file() and os.access(path, os.X_OK):
                # Named in full, so that a file with another suffix does not change its name.
                program = plans.program_entry(shlex.quote(str(path)), game)
                found.append(replace(program, name=path.name))
        except ParlourError as error:
            wrong[path.name] = core.sentence(str(error))
        except OSError as error:
            wrong[path.name] = f"It cannot be read: {error.strerror}."
    found.sort(key=lambda entry: entry.kind not in (PYTHON, MODEL))
    return found, wrong


def _why_no_bot(path: Path, folder: Path) -> str:
    """Say why a file that looks like a bot cannot be used; an empty string if it can."""
    if path.is_symlink() and not path.exists():
        return "It is a link that leads nowhere; put the file itself there."
    if not path.resolve().is_relative_to(folder.resolve()):
        return "It is a link to a file outside the folder; put the file itself there."
    if path.is_dir():
        bots = any(path.glob("*.py"))
        return "It is a folder; put the .py file itself beside the others." if bots else ""
    if not path.is_file():
        return "It is not a file; remove it."
    if plans.is_bot_file(path.name) or os.access(path, os.X_OK):
        return ""
    if ".py." in path.name:
        name = path.name.partition(".py.")[0]
        return f"It ends in {path.suffix}; rename it to {name}.py."
    with path.open("rb") as file:
        names_interpreter = file.read(2) == b"#!"
    if names_interpreter:
        return "It is a program that is not executable; chmod +x makes it so."
    if path.suffix in NOT_BOTS or path.stem.casefold() == "readme":
        return ""
    return "It is neither a .py file nor executable, nor a model (.onnx, .zip); it is left alone."


# From run to run


@dataclass(frozen=True)
class Run:
    """One run of the league: its date, its game, the bots and their ratings."""

    date: str
    game: str
    bots: Mapping[str, str]  # the digest of each, by name
    ratings: Mapping[str, tuple[float, float, float]]  # Elo, and its interval

    def is_like(self, other: Run) -> bool:
        """Say whether only the dates of two runs differ."""
        return replace(self, date="") == replace(other, date="")


@dataclass(frozen=True)
class Changes:
    """The names of the bots that differ from the run before."""

    new: tuple[str, ...]
    changed: tuple[str, ...]
    gone: tuple[str, ...]


def read_history(league: League) -> list[Run]:
    """Read all runs so far, of any game; invalid lines are skipped."""
    path = league.results / HISTORY
    runs = []
    with files.explain_errors("read", path):
        lines = path.read_bytes().splitlines() if path.exists() else []
    for line in lines:
        with contextlib.suppress(ValueError, TypeError, AttributeError):
            run = Run(**json.loads(line))
            ratings = {name: (elo, low, high) for name, (elo, low, high) in run.ratings.items()}
            if ratings.keys() == run.bots.keys():
                runs.append(replace(run, ratings=ratings))
    return runs


def write_history(league: League, runs: Sequence[Run]) -> None:
    """Write the history."""
    lines = "".join(f"{json.dumps(asdict(run))}\n" for run in runs)
    files.write_whole(league.results / HISTORY, lines.encode())


def find_changes(before: Run | None, now: Run, left_out: Collection[str] = ()) -> Changes:
    """Find the differences between two runs; the bots in files left out are not gone."""
    old = {} if before is None else before.bots
    out = {file.removesuffix(".py") for file in left_out}
    return Changes(
        new=tuple(name for name in now.bots if name not in old),
        changed=tuple(n for n, digest in now.bots.items() if old.get(n, digest) != digest),
        gone=tuple(name for name in old if name not in now.bots and name not in out),
    )


def align_ratings(runs: Sequence[Run]) -> list[Run]:
    """Return the runs with ratings that are comparable to those of the last.

    Only differences of ratings mean anything, and their mean is always 0: when a weak
    bot joins, all others rise. So each run is shifted until the bots that are the same in the next
    run have the same mean there.
    """
    aligned = list(runs[-1:])
    for run in reversed(runs[:-1]):
        after = aligned[0]
        same = [name for name in run.bots if run.bots[name] == after.bots.get(name)]
        rises = [after.ratings[name][0] - run.ratings[name][0] for name in same]
        by = statistics.fmean(rises) if rises else 0.0
        ratings = {
            name: (elo + by, low + by, high + by) for name, (elo, low, high) in run.ratings.items()
        }
        aligned.insert(0, replace(run, ratings=ratings))
    return aligned
