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
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Literal

from parlour import arena
from parlour.core import Game, ParlourError, count, describe, executors, files, quote, registry
from parlour.faces.cli.command import Parser, parse_game, print_json, write_json
from parlour.faces.progress import ProgressLine, format_duration

DEFAULT_ELO = 50.0
Games = Sequence[tuple[arena.Fixture, arena.GameResult]]


class Answer(arena.Standings):
    """What `parlour tournament --json` prints: the table, the best first."""

    format: Literal["parlour tournament 1"]


def run(parser: Parser, arguments: list[str]) -> int:
    """Play a tournament to its end, or until Ctrl-C."""
    _add_flags(parser)
    given, game = parse_game(parser, arguments)
    plan = _make_plan(game, given)
    folder = given.folder or files.data_folder() / "tournaments" / _name_folder(plan)
    sandboxed = ask_for_trust(plan, trust=given.trust)
    results = arena.ResultsLog(folder)
    try:
        with open_runner(results, given, sandboxed=sandboxed) as play:
            done = play(plan)
    except KeyboardInterrupt:
        print_stopped(results, folder, ["parlour", "tournament", *arguments])
        return 130
    games, found = arena.scored_games(plan, done), arena.standings_of(plan, done)
    title = f"{describe(game)}: {plan.kind.replace('-', ' ')} of {len(plan.entries)}"
    store_results(plan, found, games, folder, title=title, date=now())
    if given.json:
        print_json(_to_answer(found))
    elif given.csv:
        print(found.to_csv(), end="")
    else:
        print(found)
        print(f"\nReport: {folder / 'report.html'}")
        own = f" --game {Path(plan.game).name}" if plan.game.endswith(".py") else ""
        print(f"Games:  {folder / 'games.jsonl'}; to see one: parlour replay FILE --number N{own}")
    return 0


# Flags


def _add_flags(parser: Parser) -> None:
    parser.add_flag(
        "--bots",
        "BOT",
        "who takes part: a bot with its options, as in 'minimax depth=3'; a .py file; a model "
        "(.onnx, .zip); a program that speaks the line protocol, as in ./my_bot.pl; the address "
        "of a bot; or 'gtp: COMMAND' for Othello",
        nargs="+",
        action="extend",
    )
    parser.add_flag(
        "--kind",
        arena.KINDS,
        "round-robin: all bots play each other; gauntlet: the first plays all others; swiss: in "
        "each round, bots with like points meet",
        default=arena.KINDS[0],
    )
    about = "the number of rounds of a swiss tournament (default: enough to find one winner)"
    parser.add_number("--rounds", about)
    parser.add_flag(
        "--openings",
        "PLIES",
        "start from openings of this many random moves, or from the openings in a file, one per "
        "line; each is played from both sides",
        default="0",
    )
    parser.add_flag(
        "--decide",
        "ELO",
        "end a pairing early once one bot is clearly stronger, or neither by this many Elo points, "
        f"{DEFAULT_ELO:g} if no number is given; --games is then the most they play (default: "
        f"enough, {arena.default_games(DEFAULT_ELO):,} for {DEFAULT_ELO:g} points)",
        nargs="?",
        const=f"{DEFAULT_ELO:g}",
    )
    add_game_flags(parser, games=None)
    about = "strike a bot out after losing this many games on time, or never for 0"
    parser.add_number("--strikes", about, default=3, low=0)
    add_worker_flags(parser)
    outputs = parser.add_mutually_exclusive_group()
    outputs.add_argument("--json", action="store_true", help="print the table as JSON")
    outputs.add_argument("--csv", action="store_true", help="print the table as CSV")


def add_game_flags(parser: Parser, games: int | None = 2) -> None:
    """Add the flags for how games are played and where they are stored."""
    about = "the games of each pairing, an even number" + (" (default: 2)" if games is None else "")
    parser.add_number("--games", about, default=games)
    parser.add_flag(
        "--time",
        "TIME",
        "the time control: 1/move for a second per move, 60 for a minute per game, 60+1 to add "
        "a second per move (default: no limit)",
    )
    parser.set_defaults(time="none")
    parser.add_number(
        "--seed", "the seed of all random choices; the same seed gives the same games", default=0
    )
    about = "where to store the games and the report (default: a new folder in your data folder)"
    parser.add_flag("--folder", "FOLDER", about, type=Path)


def add_worker_flags(parser: Parser) -> None:
    """Add the flags for where games are played."""
    parser.add_executor_flags()
    parser.add_switch("--trust", "run bots from files even if this machine cannot sandbox them")


def _make_plan(game: Game, given: argparse.Namespace) -> arena.Plan:
    if len(given.bots or ()) < 2:
        able = ", ".join(registry.bots(game))
        raise ParlourError(f"name at least two bots, as in --bots random minimax; choose {able}")
    return arena.make_plan(
        game,
        arena.number_duplicates(arena.read_entry(bot, game) for bot in given.bots),
        kind=given.kind,
        games=given.games,
        rounds=given.rounds or 0,
        openings=given.openings,
        time=given.time,
        decide=None if given.decide is None else _read_elo(given.decide),
        strikes=given.strikes,
        seed=given.seed,
    )


def _read_elo(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ParlourError(f"--decide must be a number of Elo points, not {quote(text)}") from None


def _name_folder(plan: arena.Plan) -> str:
    """Return a folder name that the same command finds again."""
    bots = count(len(plan.entries), "bot").replace(" ", "-")
    return f"{Path(plan.game).stem}-{bots}-{digest(plan.identify())}"


def digest(text: str) -> str:
    """Return a few letters that stand for a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]


# Playing


@contextmanager
def open_runner(
    results: arena.ResultsLog, given: argparse.Namespace, *, sandboxed: bool
) -> Iterator[Callable[[arena.Plan], dict[arena.Fixture, arena.GameResult]]]:
    """Yield a function that plays the missing games of a plan, with progress at a terminal."""
    line = ProgressLine()
    with closing(executors.make_executor(given.engine, given.workers, given.address)) as workers:

        def watch(progress: arena.Progress) -> None:
            line.show(format_progress(progress))

        def play(plan: arena.Plan) -> dict[arena.Fixture, arena.GameResult]:
            try:
                return arena.run(plan, results, workers, strong=sandboxed, watch=watch)
            finally:
                line.clear()

        yield play


def ask_for_trust(plan: arena.Plan, *, trust: bool) -> bool:
    """Return whether bots run in a sandbox; where they cannot, a person must agree."""
    names, why = arena.find_untrusted(plan)
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


def format_progress(progress: arena.Progress) -> str:
    """`120 of 400 games, 8.3 per second, about 34 s left`, once the first game is over"""
    line = f"{progress.done:,} of {progress.total:,} games"
    if progress.left is None:
        return line
    rate, unit = progress.rate, "second"
    if rate < 1:
        rate, unit = rate * 60, "minute"
    return f"{line}, {rate:.1f} per {unit}, about {format_duration(progress.left)} left"


# Results


def print_stopped(results: arena.ResultsLog, folder: Path, command: Sequence[str]) -> None:
    """Say what is stored after Ctrl-C, and how to resume."""
    print(
        f"Stopped; {count(len(results.games), 'game')} stored in {folder}.\n"
        f"To resume: {shlex.join(command)}",
        file=sys.stderr,
    )


def store_results(
    plan: arena.Plan, found: arena.Standings, games: Games, folder: Path, **details: Any
) -> None:
    """Write the records, the table, and the report with its details, into the folder."""
    stored = {
        "games.jsonl": write_records(arena.sort_games(games)),
        "table.json": write_json(_to_answer(found)),
        "table.csv": found.to_csv(),
        "report.html": arena.render_report(plan, found, games, **details),
    }
    write_files(folder, stored)


def write_records(games: Games) -> str:
    """Return the records of games, a line each."""
    return "".join(f"{game.record.to_json()}\n" for _, game in games)


def write_files(folder: Path, texts: Mapping[str, str]) -> None:
    """Write texts into files of these names."""
    for name, text in texts.items():
        files.write_whole(folder / name, text.encode())


def _to_answer(found: arena.Standings) -> dict[str, Any]:
    return {"format": "parlour tournament 1", **found.to_dict()}


def now() -> str:
    """Return the date and the time of day."""
    return datetime.datetime.now().astimezone().strftime("%Y-%m-%d %H:%M")
