"""Holding a tournament at the command line: asking first, showing how far it is, telling the end.

The folder it is kept in holds the games as records that can be replayed, the table as JSON and CSV,
and a report to print.
"""

from __future__ import annotations

import datetime
import shutil
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from parlour.arena import (
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
    render_report,
    run,
    scored_games,
    sort_games,
    to_csv,
    to_json,
)
from parlour.core import ParlourError, count, write_whole

EVERY = 0.2  # seconds between two lines of progress
Games = Sequence[tuple[Fixture, GameResult]]


@dataclass(frozen=True)
class Wishes:
    """How the work is to be done, and what is to be told of it."""

    engine: str = "local"
    workers: int | None = None
    address: str | None = None
    trust: bool = False
    form: str = "text"  # or json or csv


def hold(plan: Plan, folder: Path, wishes: Wishes, *, title: str, again: str) -> int:
    """Play a tournament to its end, or until Ctrl-C; the exit code."""
    results = ResultsLog(folder)
    try:
        done = played(plan, results, wishes)
    except KeyboardInterrupt:
        print(
            f"Stopped; {count(len(results.games), 'game')} kept in {folder}.\nTo go on: {again}",
            file=sys.stderr,
        )
        return 130
    games = scored_games(plan, done)
    found = compute_standings(plan, games, byes=bye_points(plan, done))
    keep(plan, found, games, folder, title=title, date=today())
    tell(found, wishes.form)
    if wishes.form == "text":
        print(f"\nReport: {folder / 'report.html'}")
        print(f"Games:  {folder / 'games.jsonl'}; to see one: parlour replay FILE --number N")
    return 0


def played(plan: Plan, results: ResultsLog, wishes: Wishes) -> dict[Fixture, GameResult]:
    """Play what is missing, with progress at a terminal."""
    strong = locked_in(plan, trust=wishes.trust)
    shown = Shown()
    workers = make_executor(wishes.engine, wishes.workers, wishes.address)
    try:
        return run(plan, results, workers, strong=strong, watch=shown.watch)
    finally:
        workers.close()
        shown.clear()


def locked_in(plan: Plan, *, trust: bool) -> bool:
    """Whether those who run apart are locked in; where that cannot be, somebody must agree."""
    names, why = find_untrusted(plan)
    if not why:
        return True
    if trust:
        return False
    who = ", ".join(names[:5]) + (" and others" if len(names) > 5 else "")
    print(
        f"This machine cannot lock bots in: {why}\n"
        f"So {who} could read and change your files and use the network.",
        file=sys.stderr,
    )
    if not sys.stdin.isatty():
        raise ParlourError("add --trust to run them all the same")
    print("Run them all the same? [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().casefold() not in ("y", "yes"):
        raise ParlourError("nothing was run")
    return False


def keep(plan: Plan, found: Standings, games: Games, folder: Path, **told: Any) -> None:
    """Write the records, the table and the report, of which more is told, into the folder."""
    records = "".join(f"{game.record.to_json()}\n" for _, game in sort_games(games))
    write_whole(folder / "games.jsonl", records.encode())
    write_whole(folder / "table.json", to_json(found).encode())
    write_whole(folder / "table.csv", to_csv(found).encode())
    write_whole(folder / "report.html", render_report(plan, found, games, **told).encode())


def today() -> str:
    """The date and the time of day."""
    return datetime.datetime.now().astimezone().strftime("%Y-%m-%d %H:%M")


def tell(found: Standings, form: str) -> None:
    """Print the table in one of its forms."""
    if form == "json":
        print(to_json(found))
    elif form == "csv":
        print(to_csv(found), end="")
    else:
        print(format_standings(found))


class Shown:
    """The line of progress, at a terminal only."""

    def __init__(self) -> None:
        self.said = 0.0
        self.wide = 0

    def watch(self, progress: Progress) -> None:
        """Say how far it is, now and then."""
        now = time.monotonic()
        if not sys.stderr.isatty() or now - self.said < EVERY:
            return
        self.said = now
        left = progress.left
        line = f"{progress.done:,} of {progress.total:,} games, {progress.rate:.1f} a second"
        line += "" if left is None else f", {span(left)} left"
        line += "; Ctrl-C stops"
        line = line[: shutil.get_terminal_size().columns - 1]
        print(f"\r{line:{self.wide}}", end="", file=sys.stderr, flush=True)
        self.wide = len(line)

    def clear(self) -> None:
        """Take the line away."""
        if self.wide:
            print(f"\r{'':{self.wide}}\r", end="", file=sys.stderr, flush=True)


def span(seconds: float) -> str:
    """`12 s`, `3 min`, `2.5 h`"""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
