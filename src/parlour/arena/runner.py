"""The runner of tournaments: games go out to an executor, come back, and are kept as they come.

A worker may die; its games are played again. A game that comes back twice is kept once. What is
kept is not played again, so a tournament can be interrupted and resumed at will, and several
runners can share the work where the results are kept for all of them.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from contextlib import closing
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Any

from parlour import core
from parlour.arena import schedule
from parlour.arena.objects import Objects, Payload, enter, identify
from parlour.arena.plan import Fixture, Plan, game_id, make_plan
from parlour.arena.playing import play_games
from parlour.arena.results import GameResult, Results, ResultsLog
from parlour.arena.sandbox_player import check_sandbox
from parlour.arena.standings import Standings, compute_standings
from parlour.core import Clock, ParlourError, check_type, describe_error, executors, registry

BATCH_SECONDS = 0.3  # of games that are given out at once
MAX_BATCH = 64
LOOKAHEAD = 10_000  # games that are looked up before the first of them is played
TRIES = 3  # times that a game may take its worker down with it
POLL = 0.1  # seconds between two reports of progress while nothing comes back
RETRY = 0.5  # seconds until games that others have claimed are looked at again


@dataclass(frozen=True)
class Progress:
    """How far a tournament has come."""

    done: int
    total: int  # at most
    new: int  # of those done, the ones played now
    seconds: float

    @property
    def rate(self) -> float:
        """Games per second."""
        return self.new / self.seconds if self.seconds > 0 else 0.0

    @property
    def left(self) -> float | None:
        """Seconds to go at this rate."""
        return (self.total - self.done) / self.rate if self.rate else None


def run(
    plan: Plan,
    results: Results,
    executor: executors.Executor,
    *,
    strong: bool = True,
    watch: Callable[[Progress], None] | None = None,
    objects: Payload = None,
) -> dict[Fixture, GameResult]:
    """Play the games that are missing, and return all results of the plan.

    `strong` is whether sandboxed bots are isolated, and `objects` has the game and the players that
    the plan cannot name. Where the results can be paused, the return may come before the end.
    """
    return _Run(plan, results, executor, strong, watch, objects).run()


@dataclass
class _Run:
    """One tournament being played by this process."""

    plan: Plan
    results: Results
    executor: executors.Executor
    strong: bool
    watch: Callable[[Progress], None] | None
    objects: Payload = None
    done: dict[Fixture, GameResult] = field(default_factory=dict)
    waiting: dict[Fixture, None] = field(default_factory=dict)  # in the order of play
    running: dict[Future[list[str]], list[Fixture]] = field(default_factory=dict)
    losses: Counter[Fixture] = field(default_factory=Counter)  # of workers, by the game they had
    batch: int = 1  # games to give out at once
    new: int = 0
    began: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.line = self.plan.to_json()
        self.total = schedule.max_games(self.plan)
        # Others may not expect any
        self._extra = () if self.objects is None else (None, self.objects)

    def run(self) -> dict[Fixture, GameResult]:
        """Play until nothing is missing, or the tournament is paused."""
        while missing := schedule.next_fixtures(self.plan, self.done):
            known = self.results.find(self.plan, missing[:LOOKAHEAD])
            self.done |= known
            self.waiting = {each: None for each in missing[:LOOKAHEAD] if each not in known}
            if not self.waiting:
                continue
            self._report()
            while (self.waiting or self.running) and self._submit():
                self._collect()
            if self.waiting:
                if self.results.is_paused:
                    break
                time.sleep(RETRY)  # somebody else plays the rest
        return self.done

    def _report(self) -> None:
        if self.watch is not None:
            seconds = time.monotonic() - self.began
            self.watch(Progress(len(self.done), self.total, self.new, seconds))

    def _submit(self) -> bool:
        """Give games out until every worker has enough; say whether any are being played."""
        slots = 2 * self.executor.workers
        while self.waiting and len(self.running) < slots:
            share = 1 if self.losses else min(self.batch, 1 + len(self.waiting) // slots)
            claimed = self.results.claim(self.waiting, share)
            if not claimed:
                break
            for fixture in claimed:
                self.waiting.pop(fixture, None)
            games = [astuple(each) for each in claimed]
            try:
                future = self.executor.submit(
                    play_games, self.line, games, BATCH_SECONDS, self.strong, *self._extra
                )
            except Exception as error:
                raise ParlourError(
                    f"no worker is left ({describe_error(error)}); all finished games are kept"
                ) from error
            self.running[future] = claimed
        return bool(self.running)

    def _collect(self) -> None:
        """Take what has come back, or comes back soon."""
        finished, _ = wait(self.running, timeout=POLL, return_when=FIRST_COMPLETED)
        self._report()
        failed = {each for each in finished if each.cancelled() or each.exception()}
        for future in [*(finished - failed), *failed]:  # those with results are taken first
            if not (batch := self.running.pop(future, [])):
                continue  # it was lost with another, and is given out again already
            try:
                games = [GameResult.from_json(each) for each in future.result()]
            except ParlourError as error:
                self.done |= {each: self.results.fail(each, error) for each in batch}
            except (Exception, CancelledError) as error:
                self._lose(batch, error)
            else:
                self._keep(batch, games)

    def _keep(self, batch: Sequence[Fixture], games: Sequence[GameResult]) -> None:
        """Keep the games that came back, and give out the rest of the batch again."""
        fixtures = {game_id(self.plan, each): each for each in batch}
        new = {fixtures[each.id]: each for each in games}
        self.results.add(new)
        self.done |= new
        self.new += len(new)
        self.batch = min(MAX_BATCH, max(1, len(new) * (1 + (len(new) == len(batch)))))
        for fixture in new:
            self.losses.pop(fixture, None)
        self._return([each for each in batch if each not in new])
        if any(game.fault in schedule.LATE for game in games):
            self._drop_struck_out()
        self._report()

    def _drop_struck_out(self) -> None:
        """Remove the games of those who have been struck out from those that wait."""
        out = schedule.struck_out(self.plan, self.done).keys()
        kept = {each: None for each in self.waiting if out.isdisjoint(each.pair)}
        self.total -= len(self.waiting) - len(kept)
        self.waiting = kept

    def _lose(self, batch: Sequence[Fixture], error: BaseException) -> None:
        """A batch did not come back: from now on give out single games, to find the culprit."""
        lost = [batch]
        if self.executor.recover():
            lost += self.running.values()
            self.running = {}
        self._return([fixture for each in lost for fixture in each])
        first = batch[0]
        self.losses[first] += 1
        if self.losses[first] >= TRIES:
            del self.waiting[first], self.losses[first]
            one, other = (self.plan.entries[each].name for each in (first.first, first.second))
            why = ParlourError(
                f"the process that played {one} against {other} ended {TRIES} times "
                f"({describe_error(error)}); all finished games are kept"
            )
            self.done[first] = self.results.fail(first, why)

    def _return(self, fixtures: Sequence[Fixture]) -> None:
        """Put games that were not played back in front of those that wait."""
        if fixtures:
            self.results.release(fixtures)
            self.waiting = dict.fromkeys(fixtures) | self.waiting


def tournament(
    game: Any,
    bots: Iterable[Any],
    *,
    kind: str = "round-robin",
    games: int | None = None,
    rounds: int = 0,
    openings: int | str | Path = 0,
    time: str | float | Clock | None = "none",
    decide: float | None = None,
    strikes: int = 3,
    seed: int = 0,
    workers: int | None = 1,
    engine: str = "local",
    address: str | None = None,
    folder: Path | str | None = None,
    trust: bool = False,
    watch: Callable[[Progress], None] | None = None,
) -> Standings:
    """Play a tournament of bots and return the standings.

    A bot is named as on the command line, `minimax depth=3` or `my_bot.py`, or it is an object, of
    which each game has a copy, a class or a function. Named bots in files run in a sandbox, or with
    `trust` without one where there is none. With a `folder` the games are kept there, and those
    that are there are not played again. `watch` is called with the progress.
    """
    game = registry.game(game)
    entries, players = enter(bots, game)
    if len(entries) < 2:
        raise ParlourError("a tournament needs at least two bots")
    named = registry.is_installed("games", type(game)) or registry.source_of(type(game))
    objects = Objects(None if named else game, players)
    plan = make_plan(
        game,
        entries,
        kind=kind,
        games=games,
        rounds=rounds,
        openings=openings,
        time=time,
        decide=decide,
        strikes=strikes,
        seed=seed,
        rules="" if named else identify(game),
    )
    strong = check_sandbox(plan, trust=trust)
    workers = core.check_argument("workers", workers, int, low=1, high=1000, optional=True)
    if folder is not None:
        check_type("folder", folder, (str, Path), "it must be the path of a folder")
    results = Results() if folder is None else ResultsLog(Path(folder))
    with closing(executors.make_executor(engine, workers, address)) as executor:
        packed = None if objects == Objects() else objects if executor.is_here else objects.pack()
        done = run(plan, results, executor, strong=strong, watch=watch, objects=packed)
    return standings_of(plan, done)


def standings_of(plan: Plan, done: Mapping[Fixture, GameResult]) -> Standings:
    """Return the standings after the games of a plan that were played."""
    return compute_standings(
        plan,
        schedule.scored_games(plan, done),
        byes=schedule.pair_swiss(plan, done).byes if plan.kind == "swiss" else {},
        struck=schedule.struck_out(plan, done),
    )
