"""A tournament is played: games go out to a crew, come back, and are kept as they come.

A crew member may die; its games are given out again. Games that come back twice are kept once.
Whatever is kept is not played again, so the same tournament can be broken off and taken up at will.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import astuple, dataclass
from typing import Any

from parlour.arena.crews import Crew
from parlour.arena.ledger import Ledger
from parlour.arena.plan import Fixture, Plan, identity
from parlour.arena.played import Played
from parlour.arena.playing import play_some
from parlour.arena.schedule import most_games, wanted
from parlour.core.errors import ParlourError
from parlour.core.words import named

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
    line, total, began, new = plan.to_json(), most_games(plan), time.monotonic(), 0
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
        for games in _spread(line, waiting, crew, strong, tell):
            ledger.add(games)
            new += len(games)
            done |= {names[each.id]: each for each in games}
            tell()
    return done


def _spread(
    line: str, fixtures: Sequence[Fixture], crew: Crew, strong: bool, tell: Callable[[], None]
) -> Any:
    """Give the games out, a few at a time, and yield them as they come back."""
    queue = deque(fixtures)
    flying: dict[Future[list[str]], list[Fixture]] = {}
    falls: Counter[Fixture] = Counter()
    while queue or flying:
        while queue and len(flying) < 2 * crew.workers:
            many = 1 if falls else min(MOST_AT_ONCE, 1 + len(queue) // (2 * crew.workers))
            chunk = [queue.popleft() for _ in range(min(many, len(queue)))]
            told = [astuple(each) for each in chunk]
            flying[crew.submit(play_some, line, told, A_WHILE, strong)] = chunk
        finished, _ = wait(flying, timeout=GLANCE, return_when=FIRST_COMPLETED)
        tell()
        for future in sorted(finished, key=lambda each: each.exception() is not None):
            if not (chunk := flying.pop(future, [])):
                continue  # it fell with another, and is given out again already
            try:
                games = [Played.from_json(each) for each in future.result()]
            except ParlourError:
                raise
            except Exception as trouble:
                _count_fall(chunk, falls, trouble)
                lost = [chunk, *(flying.values() if crew.renew() else ())]
                flying = {} if len(lost) > 1 else flying
                queue.extendleft(fixture for each in reversed(lost) for fixture in reversed(each))
                continue
            queue.extendleft(reversed(chunk[len(games) :]))
            yield games


def _count_fall(chunk: Sequence[Fixture], falls: Counter[Fixture], trouble: Exception) -> None:
    """A chunk did not come back; from then on games go out one by one, to find who is to blame."""
    falls.update(chunk[:1])
    if any(falls[each] >= TRIES for each in chunk[:1]):
        raise ParlourError(
            f"a game ended the process that played it {TRIES} times ({named(trouble)}); "
            "what is finished is kept"
        ) from trouble
