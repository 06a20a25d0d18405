"""`parlour league [FILE]`: rate a folder of bots, again and again as they change.

Games stay in the table until one of the two bots changes. A bot that cannot make its first move is
left out, with a message for its author, and costs the others nothing.
"""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal, TypedDict

from parlour import arena
from parlour.core import Game, ParlourError, answers, count, describe, executors
from parlour.faces.cli import tournament
from parlour.faces.cli.command import Parser, print_json
from parlour.faces.progress import ProgressLine


class UpdateData(TypedDict):
    """What has changed since the last run."""

    played: answers.Natural  # games in this run
    new: list[str]
    changed: list[str]
    gone: list[str]
    left_out: dict[str, str]  # by file: why it cannot play


class Answer(UpdateData):
    """What `parlour league --json` prints: the table, and what has changed."""

    format: Literal["parlour league 1"]
    title: str
    table: Annotated[dict[str, Any], arena.Standings]


def run(parser: Parser, arguments: list[str]) -> int:
    """Play the games that are missing, then print the table and what has changed."""
    parser.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        default=arena.league.LEAGUE_FILE,
        type=Path,
        help="the file that says what is played and where the bots are "
        f"(default: {arena.league.LEAGUE_FILE} in this folder)",
    )
    tournament.add_worker_flags(parser)
    parser.add_json()
    given = parser.parse(arguments)
    league = arena.league.read_league(given.file)
    game = league.plan.make_game()
    runs = arena.league.read_history(league)
    past = [run for run in runs if run.game == describe(game)]
    results = arena.ResultsLog(league.results)
    known = len(results.games)
    try:
        plan, left_out, sandboxed = _gather(league, game, given)
        with tournament.open_runner(results, given, sandboxed=sandboxed) as play:
            done = play(plan)
    except KeyboardInterrupt:
        tournament.print_stopped(
            results, _shorten(league.results), ["parlour", "league", *arguments]
        )
        return 130
    games, standing = arena.scored_games(plan, done), arena.standings_of(plan, done)
    latest = arena.league.Run(
        date=tournament.now(),
        game=describe(game),
        bots={entry.name: entry.digest for entry in plan.entries},
        ratings={row.name: (row.elo, row.low, row.high) for row in standing.rows},
    )
    unchanged = bool(past) and past[-1].is_like(latest)
    before = arena.league.align_ratings([*(past[:-1] if unchanged else past), latest])[:-1]
    tournament.store_results(
        plan,
        standing,
        games,
        league.results,
        title=league.title,
        date=latest.date,
        history=[(run.date, run.ratings) for run in before],
        left_out=_list_left_out(left_out),
    )
    if not unchanged:
        arena.league.write_history(league, [*runs, latest])
    played = len(results.games) - known
    last = past[-1] if past else None
    changes = arena.league.find_changes(last, latest, left_out)
    if given.json:
        table = standing.to_dict()
        update = answers.pick(UpdateData, changes, played=played, left_out=left_out)
        print_json(Answer(format="parlour league 1", title=league.title, table=table, **update))
        return 0
    print(f"{league.title}\n\n{standing}\n")
    kept = standing.games - played
    print(f"Played now: {count(played, 'game')}." + f" From earlier runs: {kept}." * (kept > 0))
    if last is not None:
        print(_describe_changes(changes, last, latest))
    if left_out:
        print("Left out until they are fixed:")
        print(textwrap.indent("\n".join(_left_out_lines(left_out)), "  "))
    print(f"\nReport: {_shorten(league.results / 'report.html')}")
    return 0


def _gather(
    league: arena.league.League, game: Game, given: argparse.Namespace
) -> tuple[arena.Plan, dict[str, str], bool]:
    """Return a plan with all bots that can play, why the others cannot, and whether in a sandbox.

    The reasons are by file name.
    """
    files, left_out = arena.league.find_bots(league, game)
    everyone = replace(league.plan, entries=(*league.plan.entries, *files))
    sandboxed = tournament.ask_for_trust(everyone, trust=given.trust)
    newcomers = replace(league.plan, entries=tuple(files))
    flaws = _check(newcomers, league.results, given, sandboxed=sandboxed)
    fit = [entry for entry in files if flaws[entry] is None]
    left_out |= {
        arena.botcheck.bot_file(entry).name: _describe_flaw(flaw)
        for entry, flaw in flaws.items()
        if flaw
    }
    plan = replace(league.plan, entries=arena.number_duplicates((*league.plan.entries, *fit)))
    if len(plan.entries) < 2:
        for line in _left_out_lines(left_out):
            print(line, file=sys.stderr)
        raise ParlourError(
            f"a league needs at least two bots; put them into {_shorten(league.bots)}, or name "
            "built-in ones in house = […]"
        )
    return plan, dict(sorted(left_out.items())), sandboxed


def _check(
    plan: arena.Plan, results: Path, given: argparse.Namespace, *, sandboxed: bool
) -> dict[arena.Entry, arena.botcheck.Flaw | None]:
    """Return what is wrong with each bot, if anything; unchanged bots are not run again."""
    cache = arena.botcheck.FirstMoveCache(results, plan, strong=sandboxed)
    new = sum(cache.get(entry) is None for entry in plan.entries)
    busy = max(1, min(new, given.workers or executors.count_cores()))
    line = ProgressLine(interval=0)

    def watch(done: int, total: int) -> None:
        line.show(f"checking {count(total, 'bot')}, {done} done")

    with closing(executors.make_executor("local", busy)) as workers:
        try:
            return arena.botcheck.check_first_moves(
                plan, cache, workers, strong=sandboxed, watch=watch
            )
        finally:
            line.clear()


def _describe_flaw(flaw: arena.botcheck.Flaw) -> str:
    """Return one line, and below it what the bot wrote."""
    return "\n".join([str(flaw), *(["It wrote:", *flaw.wrote] if flaw.wrote else [])])


def _describe_changes(
    found: arena.league.Changes, last: arena.league.Run, latest: arena.league.Run
) -> str:
    before = arena.league.align_ratings([last, latest])[0]
    parts = [f"{arena.clean_line(name)} is new" for name in found.new]
    for name in found.changed:
        by = latest.ratings[name][0] - before.ratings[name][0]
        parts.append(f"{arena.clean_line(name)} has changed ({by:+.0f} Elo)")
    parts += [f"{arena.clean_line(name)} is gone" for name in found.gone]
    return f"Since {last.date}: {', '.join(parts) or 'nothing has changed'}."


def _list_left_out(wrong: Mapping[str, str]) -> list[str]:
    """`ann.py, line 7: …`"""
    return [
        arena.clean_line(f"{file}{', ' if why.startswith('line ') else ': '}{why}")
        for file, why in wrong.items()
    ]


def _left_out_lines(wrong: Mapping[str, str]) -> list[str]:
    """Return the same for a terminal, with what the bots wrote on lines of its own."""
    lines = []
    for file, reason in wrong.items():
        why, *wrote = reason.splitlines()
        lines += _list_left_out({file: why})
        lines += [f"  {arena.clean_line(line)}" for line in wrote[:1]]
        lines += [f"    {line}" for line in wrote[1:]]
    return lines


def _shorten(path: Path) -> Path:
    """Return the path as one would type it here."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
