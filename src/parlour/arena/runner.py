"""A tournament is played: games go out to a crew, come back, and are kept as they come.

A crew member may die; its games are given out again. Games that come back twice are kept once.
Whatever is kept is not played again, so the same tournament can be broken off and taken up at will.

A tournament in one call, for whoever works in Python.
"""

from __future__ import annotations

import tempfile
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from parlour.arena.entries import entries, strangers
from parlour.arena.executors import Crew, crew
from parlour.arena.openings import openings as begun
from parlour.arena.plan import KINDS, Fixture, Plan, identity
from parlour.arena.playing import play_some
from parlour.arena.results import Ledger, Played
from parlour.arena.schedule import byes, counted, most_games, wanted
from parlour.arena.standings import Table, table
from parlour.core import Clock, Game, ParlourError, named

A_WHILE = 0.3  # seconds of games that are given out at once
MOST_AT_ONCE = 64
AT_HAND = 10_000  # games that are looked up before the first of them is played
TRIES = 3  # times that a game may take its worker down with it
GLANCE = 0.1  # seconds between two looks at the clock while nothing comes back


@dataclass(frozen=True)
class Progress:
    """How far a tournament has come."""

    done: int
    total: int  # at most
    new: int  # of those done, the ones played now
    seconds: float

    @property
    def rate(self) -> float:
        """Games a second."""
        return self.new / self.seconds if self.seconds > 0 else 0.0

    @property
    def left(self) -> float | None:
        """Seconds to go, if it goes on like that."""
        return (self.total - self.done) / self.rate if self.rate else None


def run(
    plan: Plan,
    ledger: Ledger,
    crew: Crew,
    *,
    strong: bool = True,
    watch: Callable[[Progress], None] = lambda progress: None,
) -> dict[Fixture, Played]:
    """Play what is missing; all games of the plan that are known then."""
    total, began, new = most_games(plan), time.monotonic(), 0
    done: dict[Fixture, Played] = {}

    def tell() -> None:
        watch(Progress(len(done), total, new, time.monotonic() - began))

    while missing := wanted(plan, done):
        names = {identity(plan, fixture): fixture for fixture in missing[:AT_HAND]}
        done |= {names[each]: ledger.kept[each] for each in names.keys() & ledger.kept.keys()}
        waiting = [fixture for name, fixture in names.items() if name not in ledger.kept]
        if not waiting:
            continue
        tell()
        for games in _spread(plan, waiting, crew, strong, tell):
            ledger.add(games)
            new += len(games)
            done |= {names[each.id]: each for each in games}
            tell()
    return done


def _spread(
    plan: Plan, fixtures: Sequence[Fixture], crew: Crew, strong: bool, tell: Callable[[], None]
) -> Iterator[list[Played]]:
    """Give the games out, a few at a time, and yield them as they come back."""
    line, queue = plan.to_json(), deque(fixtures)
    flying: dict[Future[list[str]], list[Fixture]] = {}
    falls: Counter[Fixture] = Counter()
    while queue or flying:
        hands = 2 * crew.workers
        while queue and len(flying) < hands:
            many = 1 if falls else min(MOST_AT_ONCE, 1 + len(queue) // hands)
            chunk = [queue.popleft() for _ in range(min(many, len(queue)))]
            told = [astuple(each) for each in chunk]
            try:
                flying[crew.submit(play_some, line, told, A_WHILE, strong)] = chunk
            except Exception as trouble:
                raise ParlourError(
                    f"nobody is left to play ({named(trouble)}); what is finished is kept"
                ) from trouble
        finished, _ = wait(flying, timeout=GLANCE, return_when=FIRST_COMPLETED)
        tell()
        for future in sorted(finished, key=_fell):
            if not (chunk := flying.pop(future, [])):
                continue  # it fell with another, and is given out again already
            try:
                games = [Played.from_json(each) for each in future.result()]
            except ParlourError:
                raise
            except (Exception, CancelledError) as trouble:
                _count_fall(plan, chunk, falls, trouble)
                lost = [chunk, *(flying.values() if crew.renew() else ())]
                flying = {} if len(lost) > 1 else flying
                queue.extendleft(fixture for each in reversed(lost) for fixture in reversed(each))
                continue
            queue.extendleft(reversed(chunk[len(games) :]))
            for fixture in chunk[: len(games)]:
                falls.pop(fixture, None)
            yield games


def _fell(future: Future[list[str]]) -> bool:
    """Whether nothing came of it: those that came to something are taken first."""
    return future.cancelled() or future.exception() is not None


def _count_fall(
    plan: Plan, chunk: Sequence[Fixture], falls: Counter[Fixture], trouble: BaseException
) -> None:
    """A chunk did not come back; from then on games go out one by one, to find who is to blame."""
    first = chunk[0]
    falls[first] += 1
    if falls[first] >= TRIES:
        one, other = (plan.entries[each].name for each in (first.first, first.second))
        raise ParlourError(
            f"{TRIES} times the process ended that played {one} against {other} "
            f"({named(trouble)}); what is finished is kept"
        ) from trouble


def planned(
    game: Game,
    bots: Iterable[str],
    *,
    kind: str = KINDS[0],
    games: int = 2,
    rounds: int = 0,
    openings: int | str | Path = 0,
    time: str = "none",
    decide: float | None = None,
    seed: int = 0,
) -> Plan:
    """The plan of a tournament, from what people say of one."""
    plan = Plan.of(
        game,
        entries(bots, game),
        kind=kind,
        games=games,
        rounds=rounds,
        openings=begun(game, openings, max(1, games // 2), seed),
        clock=Clock.read(time),
        decide=decide,
        seed=seed,
    )
    if len(plan.entries) < 2:
        raise ParlourError("a tournament needs two bots at least")
    return plan


def tournament(
    game: Game,
    bots: Iterable[str],
    *,
    workers: int = 1,
    folder: Path | str | None = None,
    **conditions: Any,
) -> Table:
    """Let bots meet, named as on the command line: `minimax depth=3`, `my_bot.py`.

    The conditions are those of the command too: `kind`, `games`, `rounds`, `openings`, `time`,
    `decide`, `seed`. With a folder the games are kept there, and those that are there are not
    played again.
    """
    plan = planned(game, bots, **conditions)
    names, why = strangers(plan)
    if why:
        raise ParlourError(
            f"{' and '.join(names)} cannot be shut in on this machine ({why}); the command "
            "parlour tournament asks whether to run them all the same"
        )
    with tempfile.TemporaryDirectory() as scratch:
        hands = crew("local", workers)
        try:
            done = run(plan, Ledger(Path(folder or scratch)), hands)
        finally:
            hands.close()
    return table(plan, counted(plan, done), byes=byes(plan, done))
