"""`parlour tournament GAME --bots A B C`: let bots play each other, and rate them.

Everything is stored in a folder as it is played, so Ctrl-C loses no finished game and the same
command resumes: the games as records that can be replayed, the table as JSON and CSV, and a report
to print. The commands league, tune and check-bot share the flags and the running of games.
"""

from __future__ import annotations

import argparse
import datetime
import hashlib
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parlour.arena import (
    ENGINES,
    KINDS,
    Fixture,
    GameResult,
    Plan,
    Progress,
    ResultsLog,
    Standings,
    bye_points,
    compute_standings,
    find_untrusted,
    format_standings,
    make_executor,
    make_plan,
    read_entries,
    render_report,
    scored_games,
    sort_games,
    to_csv,
    to_json,
)
from parlour.arena import (
    run as run_games,
)
from parlour.core import (
    Game,
    ParlourError,
    count,
    data_folder,
    describe,
    quote,
    registry,
    write_whole,
)
from parlour.faces.cli.command import Parser, parse_game
from parlour.faces.progress import ProgressLine

DEFAULT_ELO = 50.0
Games = Sequence[tuple[Fixture, GameResult]]


def run(parser: Parser, arguments: list[str]) -> int:
    """Play a tournament to its end, or until Ctrl-C."""
    _add_flags(parser)
    given, game = parse_game(parser, arguments)
    plan = _make_plan(game, given)
    folder = given.folder or data_folder() / "tournaments" / _name_folder(plan)
    settings = read_settings(given)
    results = ResultsLog(folder)
    try:
        done = play_games(plan, results, settings)
    except KeyboardInterrupt:
        print_stopped(results, folder, ["parlour", "tournament", *arguments])
        return 130
    games = scored_games(plan, done)
    found = compute_standings(plan, games, byes=bye_points(plan, done))
    title = f"{describe(game)}: {plan.kind.replace('-', ' ')} of {len(plan.entries)}"
    store_results(plan, found, games, folder, title=title, date=now())
    if settings.output == "json":
        print(to_json(found))
    elif settings.output == "csv":
        print(to_csv(found), end="")
    else:
        print(format_standings(found))
        print(f"\nReport: {folder / 'report.html'}")
        print(f"Games:  {folder / 'games.jsonl'}; to see one: parlour replay FILE --number N")
    return 0


# Flags


def _add_flags(parser: Parser) -> None:
    parser.add_flag(
        "--bots",
        "BOT",
        "who takes part: a bot with its options, as in 'minimax depth=3'; a .py file; a program "
        "that speaks the line protocol, as in ./my_bot.pl; or 'gtp: COMMAND' for Othello",
        nargs="+",
        action="extend",
    )
    parser.add_flag(
        "--kind",
        KINDS,
        "all bots play each other, the first bot plays all others, or bots with like points are "
        "paired round by round",
        default=KINDS[0],
    )
    about = "rounds of a swiss tournament (default: enough for one winner)"
    parser.add_number("--rounds", about)
    parser.add_flag(
        "--openings",
        "PLIES",
        "start from openings of this many random moves, or from those in a file, one a line; each "
        "is played from both sides",
        default="0",
    )
    parser.add_flag(
        "--decide",
        "ELO",
        "end a pairing early once it is clear who is stronger by this many Elo points, "
        f"{DEFAULT_ELO:g} if no number is given; --games is then the most they play",
        nargs="?",
        const=f"{DEFAULT_ELO:g}",
    )
    add_game_flags(parser)
    add_worker_flags(parser)
    outputs = parser.add_mutually_exclusive_group()
    outputs.add_argument("--json", action="store_true", help="print the table as JSON")
    outputs.add_argument("--csv", action="store_true", help="print the table as CSV")


def add_game_flags(parser: Parser) -> None:
    """Add the flags for how games are played and where they are stored."""
    parser.add_number("--games", "games per pairing, an even number", default=2)
    parser.add_flag(
        "--time",
        "TIME",
        "the time control: 1/move for a second a move, 60 for a minute a game, 60+1 to add a "
        "second a move",
        default="none",
    )
    parser.add_number("--seed", "the same seed gives the same games", default=0)
    about = "where to store everything (default: a folder of its own in your data folder)"
    parser.add_flag("--folder", "FOLDER", about, type=Path)


def add_worker_flags(parser: Parser) -> None:
    """Add the flags for where games are played."""
    about = "play in processes here, or on a cluster"
    parser.add_flag("--engine", ENGINES, about, default=ENGINES[0])
    parser.add_number("--workers", "how many processes (default: one per core)", low=1, high=1000)
    parser.add_flag("--address", "HOST:PORT", "the address of the cluster")
    parser.add_switch("--trust", "run bots from files even if this machine cannot sandbox them")


@dataclass(frozen=True)
class Settings:
    """Where games are played, and how the results are printed."""

    engine: str = "local"
    workers: int | None = None
    address: str | None = None
    trust: bool = False
    output: str = "text"  # or json or csv


def read_settings(given: argparse.Namespace) -> Settings:
    """Read the flags of `add_worker_flags`, and those for the output."""
    output = "json" if given.json else "csv" if getattr(given, "csv", False) else "text"
    return Settings(given.engine, given.workers, given.address, given.trust, output)


def _make_plan(game: Game, given: argparse.Namespace) -> Plan:
    if len(given.bots or ()) < 2:
        able = ", ".join(registry.bots(game))
        raise ParlourError(f"name at least two bots, as in --bots random minimax; choose {able}")
    return make_plan(
        game,
        read_entries(given.bots, game),
        kind=given.kind,
        games=given.games,
        rounds=given.rounds or 0,
        openings=given.openings,
        time=given.time,
        decide=None if given.decide is None else _read_elo(given.decide),
        seed=given.seed,
    )


def _read_elo(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ParlourError(f"--decide must be a number of Elo points, not {quote(text)}") from None


def _name_folder(plan: Plan) -> str:
    """Return a folder name that the same command finds again."""
    digest = hashlib.sha256(plan.to_json().encode()).hexdigest()[:8]
    bots = count(len(plan.entries), "bot").replace(" ", "-")
    return f"{Path(plan.game).stem}-{bots}-{digest}"


# Playing


def play_games(plan: Plan, results: ResultsLog, settings: Settings) -> dict[Fixture, GameResult]:
    """Play the games that are missing, with progress at a terminal."""
    sandboxed = ask_for_trust(plan, trust=settings.trust)
    line = ProgressLine()
    workers = make_executor(settings.engine, settings.workers, settings.address)
    try:
        return run_games(
            plan,
            results,
            workers,
            strong=sandboxed,
            watch=lambda progress: line.show(format_progress(progress)),
        )
    finally:
        workers.close()
        line.clear()


def ask_for_trust(plan: Plan, *, trust: bool) -> bool:
    """Return whether bots run in a sandbox; where they cannot, a person must agree."""
    names, why = find_untrusted(plan)
    if not why:
        return True
    if trust:
        return False
    who = ", ".join(names[:5]) + (" and others" if len(names) > 5 else "")
    print(
        f"This machine cannot sandbox bots: {why}\n"
        f"So {who} could read and change your files and use the network.",
        file=sys.stderr,
    )
    if not sys.stdin.isatty():
        raise ParlourError("add --trust to run them anyway")
    print("Run them anyway? [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().casefold() not in ("y", "yes"):
        raise ParlourError("nothing was run")
    return False


def format_progress(progress: Progress) -> str:
    """`120 of 400 games, 8.3 a second, 34 s left`"""
    line = f"{progress.done:,} of {progress.total:,} games, {progress.rate:.1f} a second"
    return line if progress.left is None else f"{line}, {format_duration(progress.left)} left"


def format_duration(seconds: float) -> str:
    """`12 s`, `3 min`, `2.5 h`"""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


# Results


def print_stopped(results: ResultsLog, folder: Path, command: Sequence[str]) -> None:
    """Say what is stored after Ctrl-C, and how to resume."""
    print(
        f"Stopped; {count(len(results.games), 'game')} stored in {folder}.\n"
        f"To resume: {shlex.join(command)}",
        file=sys.stderr,
    )


def store_results(plan: Plan, found: Standings, games: Games, folder: Path, **details: Any) -> None:
    """Write the records, the table, and the report with its details, into the folder."""
    records = "".join(f"{game.record.to_json()}\n" for _, game in sort_games(games))
    write_whole(folder / "games.jsonl", records.encode())
    write_whole(folder / "table.json", to_json(found).encode())
    write_whole(folder / "table.csv", to_csv(found).encode())
    write_whole(folder / "report.html", render_report(plan, found, games, **details).encode())


def now() -> str:
    """Return the date and the time of day."""
    return datetime.datetime.now().astimezone().strftime("%Y-%m-%d %H:%M")
