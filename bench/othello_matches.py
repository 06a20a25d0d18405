"""Games of the bot `engine` against gtp-rhino, over GTP, and against the other Othello bots.

Every opening is a few random moves, played once in either colour. gtp-rhino is Debian's package
grhino, which is installed if that can be done without a question. At level 5 it thinks for minutes,
so only two games are played with each rival unless more are asked for. Games that are kept in a
folder are not played again, so that long matches can be broken off:
`python bench/othello_matches.py 20 --rival 'level 5' --workers 2 --keep FOLDER`.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import parlour
from parlour.arena.plan import make_plan, read_entries
from parlour.arena.results import ResultsLog
from parlour.arena.runner import Progress, run
from parlour.arena.sandbox import launcher as sandbox
from parlour.arena.standings import Standings, compute_standings
from parlour.core.executors import make_executor
from parlour.players.gtp import argv

PLIES = 6  # of an opening
PATIENCE = 3600.0  # seconds a move of gtp-rhino may take
EVERY = 10.0  # seconds between two lines of progress


@dataclass(frozen=True)
class Meeting:
    """Who meets the engine, and how many of the games it should win."""

    rival: str
    bot: str
    seconds: float  # a move, for the engine
    games: int
    wins: int


MEETINGS = (
    Meeting("benedict", "benedict", 0.1, 100, 99),
    Meeting("despacito", "despacito", 0.1, 100, 99),
    Meeting("gtp-rhino level 3", "gtp: gtp-rhino -l 3", 0.1, 100, 90),
    Meeting("gtp-rhino level 5", "gtp: gtp-rhino -l 5", 0.5, 20, 14),
)


@cache
def have_rhino() -> bool:
    """Whether gtp-rhino is here, or could be installed."""
    if not shutil.which(argv("gtp-rhino")[0]) and shutil.which("apt-get"):
        print("Installing gtp-rhino, Debian's package grhino.", file=sys.stderr)
        install = ["apt-get", "-y", "--no-install-recommends", "install", "grhino"]
        subprocess.run(install, capture_output=True, stdin=subprocess.DEVNULL, check=False)
    return shutil.which(argv("gtp-rhino")[0]) is not None


class ProgressPrinter:
    """Prints now and then how many games are done, and the points of the engine so far."""

    def __init__(self, results: ResultsLog, engine: str) -> None:
        self.results, self.engine = results, engine
        self.printed = time.monotonic()

    def watch(self, progress: Progress) -> None:
        if time.monotonic() - self.printed < EVERY or not progress.left:
            return
        self.printed = time.monotonic()
        games = self.results.games.values()
        points = sum(each.points[each.record.players.index(self.engine)] for each in games)
        left = f"{progress.left / 60:.0f} minutes left"
        line = f"  {progress.done} of {progress.total} games, {points:g} points, {left}"
        print(line, file=sys.stderr, flush=True)


def play_meeting(meeting: Meeting, games: int, workers: int, kept: Path) -> Standings:
    """Return the results of a number of games between the two."""
    engine = f"engine time={meeting.seconds}"
    bots = (engine, meeting.bot)
    game = parlour.game("othello")
    plan = make_plan(game, read_entries(bots, game), games=games, openings=PLIES, seed=1)
    plan = replace(plan, limits=replace(plan.limits, think=PATIENCE))
    strong = not sandbox.why_unavailable()  # a package of Debian may run free where it must
    results = ResultsLog(kept / meeting.rival.replace(" ", "-"))
    watch = ProgressPrinter(results, engine).watch
    done = run(plan, results, make_executor("local", workers), strong=strong, watch=watch)
    return compute_standings(plan, done.items())


def show(rival: str, games: str, points: Sequence[str], bar: str, times: Sequence[str]) -> None:
    """Print one line of the results."""
    print(f"{rival:18} {games:>5} " + " ".join(f"{each:>5}" for each in points), end="")
    print(f" {bar:>9} " + " ".join(f"{each:>8}" for each in times), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="?", type=int, default=2, help="at most, with each rival")
    parser.add_argument("--rival", default="", help="only rivals with this in their name")
    parser.add_argument("--workers", type=int, default=1, help="games at a time")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where the games are kept")
    given = parser.parse_args()
    if given.games < 2:
        parser.error("an opening is played in both colours, so there are at least 2 games")
    if not any(given.rival in each.rival for each in MEETINGS):
        parser.error(f"the rivals are {', '.join(each.rival for each in MEETINGS)}")
    with tempfile.TemporaryDirectory() as folder:
        play(given.games, given.rival, given.workers, given.keep or Path(folder))


def play(most: int, named: str, workers: int, kept: Path) -> None:
    """Play games with each rival of this name, and print a line about each."""
    game = parlour.game("othello")
    for bot in ("engine", "benedict", "despacito"):
        parlour.bot(bot).choose(game, game.start())  # whatever is to be loaded is loaded now
    times = ("s a move", "most", "in all", "theirs", "most", "in all")
    show("engine against", "games", ("won", "drawn", "lost", "discs"), "at least", times)
    for meeting in (each for each in MEETINGS if named in each.rival):
        if meeting.bot.startswith("gtp") and not have_rhino():
            print(f"{meeting.rival} did not play: Debian's package grhino is not to be had here.")
            continue
        outcome = play_meeting(meeting, min(meeting.games, most), workers, kept)
        rows = sorted(outcome.rows, key=lambda row: row.entry)
        ours = rows[0]
        discs = "" if ours.margin is None else f"{ours.margin:+.1f}"
        show(
            meeting.rival,
            str(ours.games),
            (str(ours.wins), str(ours.draws), str(ours.losses), discs),
            f"{meeting.wins} of {meeting.games}",
            [
                f"{getattr(row.times, name):.{digits}f}"
                for row in rows
                for name, digits in (("seconds_per_move", 3), ("slowest", 2), ("seconds", 0))
            ],
        )
        for row in rows:
            for failure in row.faults:
                print(f"  {row.name}: {failure.reason}")


if __name__ == "__main__":
    main()
