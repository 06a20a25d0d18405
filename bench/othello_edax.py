"""Games of the bot `engine` against the Edax that the variable EDAX names, at equal time.

Both play without a book, on one thread, and never think in the other's time. Openings are the first
eight moves of tournament games, each played in both colours: `python bench/othello_edax.py FOLDER
--games 100 --seconds 0.2`, where FOLDER holds `wthor`. We have so many seconds a move; Edax, which
knows no less than 1 s a move, has a clock for the game and divides it as it likes. The clock is set
anew for each pair of games, so that the totals become equal, or, with `--times 2`, Edax has twice
as much. The interval is that of 95 % confidence, from the pairs.
"""

from __future__ import annotations

import argparse
import random
import shlex
import statistics
import sys
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from othello.edax import find_edax, home_of
from othello.machine import processor
from othello.positions import ARCHIVE, add_folder, why_missing

import parlour
from parlour.arena.ratings import NORMAL_95
from parlour.core import ParlourError
from parlour.engine import canonical
from parlour.players.engine import Engine
from parlour.players.gtp import Gtp
from parlour.players.process import ProcessError
from parlour.rules.formats import read_wthor
from parlour.rules.othello import Square

PLIES = 8  # of an opening
SEED = 7
HASH, EDAX_HASH = 144, 22  # megabytes of ours; bits of Edax's, which are 113 MB
MOVES = 20  # of a game that take all of our time, about; then the end is solved
ATTEMPTS = 5  # at a pair: on a busy machine Edax says that a search is still running
FURTHEST = 3.0  # times more or less than its share that Edax may be given


@dataclass(frozen=True)
class Played:
    """One game: our lead at the end, and the seconds of both sides."""

    lead: int
    ours: float
    theirs: float


@dataclass
class Match:
    """All pairs of games played so far."""

    seconds: float  # a move, for us
    times: float  # as much for Edax
    pairs: list[tuple[Played, Played]] = field(default_factory=list)
    given: float = 0.0  # seconds a game that Edax was given in these pairs, added up

    @property
    def games(self) -> list[Played]:
        return [game for pair in self.pairs for game in pair]

    @property
    def totals(self) -> tuple[float, float]:
        """The seconds of both sides."""
        return sum(each.ours for each in self.games), sum(each.theirs for each in self.games)

    def next_setting(self) -> float:
        """Return the seconds a game to give Edax, so that the totals become what they should be."""
        share = self.seconds * self.times * MOVES
        if not self.pairs:
            return share
        ours, theirs = (
            sum(each.ours for each in self.games),
            sum(each.theirs for each in self.games),
        )
        due = self.times * (ours + ours / len(self.pairs)) - theirs
        return min(max(due / (theirs / self.given), share / FURTHEST), share * FURTHEST)

    def __str__(self) -> str:
        leads = [game.lead for game in self.games]
        points = [statistics.mean(point(game.lead) for game in pair) for pair in self.pairs]
        error = statistics.stdev(points) / len(points) ** 0.5 if len(points) > 1 else 0.5
        mean = statistics.mean(points)
        low, high = max(mean - NORMAL_95 * error, 0.0), min(mean + NORMAL_95 * error, 1.0)
        ours, theirs = (
            sum(each.ours for each in self.games),
            sum(each.theirs for each in self.games),
        )
        won, drawn = sum(lead > 0 for lead in leads), leads.count(0)
        return (
            f"{len(leads):5} {won:4} {drawn:5} {len(leads) - won - drawn:4} {mean:6.1%} "
            f"{f'{low:.1%} to {high:.1%}':>16} {statistics.mean(leads):+6.1f} "
            f"{ours:8.1f} {theirs:8.1f} {theirs / ours:6.2f}"
        )


HEAD = (
    f"{'games':>5} {'won':>4} {'drawn':>5} {'lost':>4} {'points':>6} {'interval':>16} {'discs':>6} "
    f"{'ours s':>8} {'Edax s':>8} {'ratio':>6}"
)


def point(lead: int) -> float:
    return (lead > 0) + 0.5 * (lead == 0)


def openings(folder: Path) -> Iterator[tuple[Square, ...]]:
    """Yield the first moves of tournament games in random order, no position twice."""
    years = [read_wthor(path.read_bytes()) for path in sorted(folder.glob("*.wtb"))]
    places = [(year, place) for year, games in enumerate(years) for place in range(len(games))]
    random.Random(SEED).shuffle(places)
    seen = set()
    for year, place in places:
        try:
            transcript = years[year][place]
        except ParlourError:  # a few games of the archive are not played by the rules
            continue
        moves = transcript.moves[:PLIES]
        states = [state for state, _ in transcript.positions()]
        position = canonical(*states[min(PLIES, len(moves))][:2])
        if len(moves) == PLIES and position not in seen:
            seen.add(position)
            yield moves


@cache
def our_bot(seconds: float) -> Engine:
    """Return our side, with everything loaded."""
    bot = Engine(time=seconds, hash=HASH, book=False)
    game = parlour.game("othello")
    bot.choose(game, game.start())
    return bot


def play_pair(
    opening: tuple[Square, ...], seconds: float, edax_seconds: float
) -> tuple[Played, Played]:
    """Play an opening in both colours, once more where Edax says something that is not GTP."""
    for _ in range(ATTEMPTS):
        try:
            first, second = (play_game(opening, seat, seconds, edax_seconds) for seat in (0, 1))
        except ProcessError as trouble:
            print(f"The pair is played again: {trouble}", file=sys.stderr)
        else:
            return first, second
    sys.exit("Edax cannot play this pair.")


def play_game(
    opening: tuple[Square, ...], seat: int, seconds: float, edax_seconds: float
) -> Played:
    """Play one game, we in this seat; no program keeps anything of an earlier one."""
    game = parlour.game("othello")
    ours, theirs = our_bot(seconds), Gtp(command=edax_command(edax_seconds))
    ours.engine(game)._searcher.forget()
    theirs.choose(game, game.start())  # before its clock runs, it is started
    state, history, spent = game.start(), list[str](), [0.0, 0.0]
    for move in opening:
        history.append(game.write_move(move))
        state = game.play(state, move)
    while game.moves(state):
        mine = game.turn(state) == seat
        if not mine:
            theirs.follow(game, history)
        began = time.perf_counter()
        move = (ours if mine else theirs).choose(game, state)
        spent[not mine] += time.perf_counter() - began
        history.append(game.write_move(move))
        state = game.play(state, move)
    theirs.close()
    lead = int(game.score(state))
    return Played(-lead if seat else lead, *spent)


def edax_command(seconds: float) -> str:
    """Return the command that starts Edax over GTP with a clock for the game."""
    edax = find_edax()
    assert edax
    clock = f"{int(seconds // 60)}:{seconds % 60:06.3f}"
    options = f"-gtp -level 60 -game-time {clock} -n-tasks 1 -ponder off -book-usage off"
    start = ["env", f"--chdir={home_of(edax.program)}", str(edax.program), *options.split()]
    return shlex.join([*start, "-hash-table-size", str(EDAX_HASH)])


def play_match(match: Match, lines: Iterator[tuple[Square, ...]], pairs: int, workers: int) -> None:
    """Play so many pairs, and print how it stands after each."""
    with ProcessPoolExecutor(workers) as pool:
        running = {}
        while len(match.pairs) < pairs:
            while len(running) < workers and len(match.pairs) + len(running) < pairs:
                setting = match.next_setting()
                running[pool.submit(play_pair, next(lines), match.seconds, setting)] = setting
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                match.given += running.pop(done)
                match.pairs.append(done.result())
                print(match, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_folder(parser)
    parser.add_argument("--games", type=int, default=2, help="an even number")
    parser.add_argument("--seconds", type=float, default=0.2, help="a move, for us")
    parser.add_argument("--times", type=float, default=1.0, help="as much time for Edax")
    parser.add_argument("--workers", type=int, default=1, help="games at a time")
    given = parser.parse_args()
    if given.games < 2 or given.games % 2:
        parser.error("an opening is played in both colours, so the number of games is even")
    no_edax = "" if find_edax() else "name the program of an Edax in the variable EDAX"
    if why := no_edax or why_missing(given.folder, ARCHIVE):
        print(f"Not measured: {why}.")
        return
    print(processor())
    print(f"{given.seconds:g} s a move, for Edax {given.times:g} times as much\n{HEAD}")
    lines = openings(given.folder / "wthor")
    play_match(Match(given.seconds, given.times), lines, given.games // 2, given.workers)


if __name__ == "__main__":
    main()
