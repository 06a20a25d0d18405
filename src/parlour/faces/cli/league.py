"""The command league: who is in the folder of bots today, what is new, and how strong each is.

Whatever two bots have played stays played until one of them changes. A bot that cannot make a move
is left out, with a word to its author, and costs nobody anything.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from parlour.arena import (
    Entry,
    Plan,
    ResultsLog,
    bye_points,
    clean_line,
    compute_standings,
    count_cores,
    format_standings,
    make_executor,
    number_duplicates,
    scored_games,
)
from parlour.arena.botcheck import FirstMoveCache, Flaw, bot_file, check_first_moves
from parlour.arena.league import (
    LEAGUE_FILE,
    Changes,
    League,
    Run,
    align_ratings,
    bot_name,
    find_bots,
    find_changes,
    read_history,
    read_league,
    write_history,
)
from parlour.core import Game, ParlourError, count, describe
from parlour.faces.cli.flags import Parser, show_json
from parlour.faces.cli.tournament import add_crew, wishes
from parlour.faces.cli.tournaments import Wishes, keep, locked_in, played, today


def league(parser: Parser, arguments: list[str]) -> int:
    """`parlour league [FILE]`"""
    parser.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        default=LEAGUE_FILE,
        type=Path,
        help=f"what is played, and where the bots are (usually {LEAGUE_FILE}, here)",
    )
    add_crew(parser)
    parser.add_argument("--json", action="store_true", help="as JSON, for programs")
    given = parser.parse(arguments)
    wanted = wishes(given)
    found = read_league(given.file)
    game = found.plan.make_game()
    runs = read_history(found)
    past = [run for run in runs if run.game == describe(game)]
    results = ResultsLog(found.results)
    known = len(results.games)
    try:
        plan, left_out = _gathered(found, game, wanted)
        # Whoever had to agree has done so.
        done = played(plan, results, replace(wanted, trust=True))
    except KeyboardInterrupt:
        kept = f"Stopped; {count(len(results.games), 'game')} kept in {_near(found.results)}."
        print(f"{kept}\nTo go on: {shlex.join(['parlour', 'league', *arguments])}", file=sys.stderr)
        return 130
    games = scored_games(plan, done)
    standing = compute_standings(plan, games, byes=bye_points(plan, done))
    now = Run(
        date=today(),
        game=describe(game),
        bots={entry.name: entry.digest for entry in plan.entries},
        ratings={row.name: (row.elo, row.low, row.high) for row in standing.rows},
    )
    again = bool(past) and past[-1].alike(now)
    before = align_ratings([*(past[:-1] if again else past), now])[:-1]
    keep(
        plan,
        standing,
        games,
        found.results,
        title=found.title,
        date=now.date,
        history=[(run.date, run.ratings) for run in before],
        left_out=_left_out(left_out),
    )
    if not again:
        write_history(found, [*runs, now])
    new = len(results.games) - known
    news = News(standing.games, new, past[-1] if past else None, now, left_out)
    if given.json:
        show_json({"title": found.title, "table": asdict(standing), **news.told()})
    else:
        print(f"{found.title}\n\n{format_standings(standing)}\n\n{news}\n")
        print(f"Report: {_near(found.results / 'report.html')}")
    return 0


def _gathered(league: League, game: Game, wanted: Wishes) -> tuple[Plan, dict[str, str]]:
    """Everybody who can play; and who cannot, by the name of the file, with what to tell him."""
    files, left_out = find_bots(league, game)
    everybody = replace(league.plan, entries=(*league.plan.entries, *files))
    strong = locked_in(everybody, trust=wanted.trust)
    asked = replace(league.plan, entries=tuple(files))
    flaws = _asked(asked, league.results, wanted, strong=strong)
    fit = [entry for entry in files if flaws[entry] is None]
    left_out |= {bot_file(entry).name: _told(flaw) for entry, flaw in flaws.items() if flaw}
    plan = replace(league.plan, entries=number_duplicates((*league.plan.entries, *fit)))
    if len(plan.entries) < 2:
        for line in _in_lines(left_out):
            print(line, file=sys.stderr)
        raise ParlourError(
            f"a league needs two bots at least; put them into {_near(league.bots)}, or name some "
            "of the house in house = […]"
        )
    return plan, dict(sorted(left_out.items()))


def _asked(plan: Plan, results: Path, wanted: Wishes, *, strong: bool) -> dict[Entry, Flaw | None]:
    """What is wrong with each, if anything is; those who are known are not asked again."""
    memory = FirstMoveCache(results, plan, strong=strong)
    new = sum(memory.of(entry) is None for entry in plan.entries)
    hands = make_executor("local", max(1, min(new, wanted.workers or count_cores())))
    try:
        return check_first_moves(plan, memory, hands, strong=strong, watch=_watch)
    finally:
        hands.close()
        _watch(0, 0)


def _watch(done: int, total: int) -> None:
    """The line of progress, at a terminal only; without bots it is taken away."""
    if sys.stderr.isatty():
        line = f"checking {count(total, 'bot')}, {done} done; Ctrl-C stops" if total else ""
        print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)


def _told(flaw: Flaw) -> str:
    """One line, and below it what the bot wrote."""
    return "\n".join([str(flaw), *(["It wrote:", *flaw.wrote] if flaw.wrote else [])])


@dataclass(frozen=True)
class News:
    """What is new since the last run."""

    games: int  # in the table
    played: int  # of them, now
    last: Run | None
    now: Run
    left_out: Mapping[str, str]

    @property
    def changes(self) -> Changes:
        """Who is not as before; those left out are not gone."""
        found = find_changes(self.last or replace(self.now, bots={}), self.now)
        out = set(map(bot_name, self.left_out))
        return replace(found, gone=tuple(name for name in found.gone if name not in out))

    def told(self) -> dict[str, object]:
        """For programs."""
        return {"played": self.played, **asdict(self.changes), "left_out": dict(self.left_out)}

    def __str__(self) -> str:
        kept = self.games - self.played
        lines = [f"Played now: {count(self.played, 'game')}."]
        if kept > 0:
            lines[0] += f" Kept from before: {kept}."
        if self.last is not None:
            lines.append(self._since(self.last))
        if self.left_out:
            lines += [
                "Left out until they are mended:",
                *(f"  {line}" for line in _in_lines(self.left_out)),
            ]
        return "\n".join(lines)

    def _since(self, last: Run) -> str:
        found, before = self.changes, align_ratings([last, self.now])[0]
        parts = [f"{clean_line(name)} is new" for name in found.new]
        for name in found.changed:
            by = self.now.ratings[name][0] - before.ratings[name][0]
            parts.append(f"{clean_line(name)} has changed ({by:+.0f} Elo)")
        parts += [f"{clean_line(name)} is gone" for name in found.gone]
        return f"Since {last.date}: {', '.join(parts) or 'nobody has changed'}."


def _left_out(wrong: Mapping[str, str]) -> list[str]:
    """`ann.py, line 7: …`"""
    return [
        clean_line(f"{file}{', ' if why.startswith('line ') else ': '}{why}")
        for file, why in wrong.items()
    ]


def _in_lines(wrong: Mapping[str, str]) -> list[str]:
    """The same for a terminal, with what the bots wrote in lines of its own."""
    lines = []
    for file, told in wrong.items():
        why, *wrote = told.splitlines()
        lines += _left_out({file: why})
        lines += [f"  {clean_line(line)}" for line in wrote[:1]]
        lines += [f"    {line}" for line in wrote[1:]]
    return lines


def _near(path: Path) -> Path:
    """The path as one would type it here."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
