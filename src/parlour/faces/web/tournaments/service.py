"""Tournaments of bots on the site: round robins of the arena, with their results in the database.

A game is claimed before it is played, by storing that it is on; a claim older than any game can
last is taken over. So several servers share a tournament, and when one is killed no game is lost
and none is counted twice.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from parlour import arena
from parlour.core import Match, ParlourError, Record, count, executors, say
from parlour.faces.web.background import KeyedTasks
from parlour.faces.web.errors import TooMany
from parlour.faces.web.live import Hub
from parlour.faces.web.services import Services
from parlour.faces.web.table import Sources, source_of
from parlour.faces.web.workers import Priority, TaskTimeout
from parlour.store import Pairing, Seat, Store, Table, Tournament

MAX_BOTS = 12
MAX_GAMES = 2_000
MAX_ON = 2  # tournaments of one owner at the same time
MAX_RUNNING = 16  # tournaments that one server plays at the same time
LIMIT = 60.0  # seconds for one game
STALE = LIMIT + 15  # seconds after which a claim has been given up


@dataclass(frozen=True)
class StoredTournament:
    """A tournament and all its games, as a page shows them."""

    tournament: Tournament
    pairings: tuple[Pairing, ...]

    @classmethod
    def load(cls, store: Store, name: str) -> StoredTournament | None:
        """Return a tournament with its games."""
        tournament = store.tournaments.get(name)
        if tournament is None:
            return None
        pairings = sorted(store.pairings.find(tournament=name), key=lambda each: each.number)
        return cls(tournament, tuple(pairings))

    @property
    def version(self) -> int:
        """A number that grows with every change."""
        return self.tournament.version + sum(each.version for each in self.pairings)

    @property
    def standings(self) -> arena.Standings:
        """The points of each against each, and the ratings."""
        plan = plan_of(self.tournament)
        return arena.compute_standings(
            plan,
            [(fixture_of(plan, p), result_of(plan, p)) for p in self.pairings if p.points],
        )


def names_of(tournament: Tournament) -> tuple[str, ...]:
    """Return what the bots of a tournament are called."""
    return tournament.names or tournament.bots


def plan_of(tournament: Tournament) -> arena.Plan:
    """Return the arena's plan of a tournament; its game may be one that is gone.

    The players of a section of the site, such as classes of the school, have no name that a worker
    could look up: what they know travels beside the plan.
    """
    game: Mapping[str, Any] = {"game": "", "options": {}}
    if tournament.games:
        game = tournament.games[0]
    return arena.Plan(
        game["game"],
        tuple(
            arena.Entry(name, arena.OBJECT if name != bot else arena.HOUSE, bot)
            for name, bot in zip(names_of(tournament), tournament.bots, strict=True)
        ),
        options=game["options"],
        games=2 * tournament.rounds,
        strikes=0,  # all its pairings are stored beforehand
    )


def fixture_of(plan: arena.Plan, pairing: Pairing) -> arena.Fixture:
    """Return the game of the plan that a stored pairing is; they are stored leg by leg."""
    players = len(plan.entries)
    first, second = pairing.seats
    return arena.Fixture(first, second, pairing.number // (players * (players - 1)))


def result_of(plan: arena.Plan, pairing: Pairing) -> arena.GameResult:
    """Return what is stored of a game that is over; its moves are at its table."""
    players = tuple(plan.entries[each].name for each in pairing.seats)
    result = tuple(int(2 * points - 1) for points in pairing.points) or None
    record = Record(plan.game, dict(plan.options), players, result=result)
    return arena.GameResult(arena.game_id(plan, fixture_of(plan, pairing)), record)


# Playing it


class StoredResults(arena.Results):
    """The results of a tournament in the database, which all servers share."""

    def __init__(self, store: Store, hub: Hub, tournament: Tournament, plan: arena.Plan) -> None:
        self._store = store
        self._hub = hub
        self._tournament = tournament
        self._plan = plan
        self._topic = f"tournament:{tournament.id}"
        self._pairings = partial(store.pairings.find, tournament=tournament.id)
        self._put = partial(store.pairings.put, announce=self._topic)
        self._bots = {entry.name: entry.what for entry in plan.entries}
        self._claims: dict[arena.Fixture, Pairing] = {}
        self.is_paused = False

    def find(
        self, plan: arena.Plan, fixtures: Sequence[arena.Fixture]
    ) -> dict[arena.Fixture, arena.GameResult]:
        """Return the results of those games that are over."""
        stored = {fixture_of(plan, each): each for each in self._pairings()}
        nothing = arena.GameResult("", Record(plan.game, dict(plan.options), ("", "")))
        return {
            fixture: result_of(plan, stored[fixture]) if fixture in stored else nothing
            for fixture in fixtures
            if fixture not in stored or stored[fixture].state in ("done", "failed")
        }

    def claim(self, fixtures: Collection[arena.Fixture], number: int) -> list[arena.Fixture]:
        """Claim games that nobody plays, unless the tournament is paused or the server ends."""
        tournament = self._store.tournaments.get(self._tournament.id)
        self.is_paused |= tournament is None or tournament.state != "on"
        if self.is_paused:
            return []
        with self._one_transaction():
            free = self._pairings(state="waiting", limit=number)
            if not free:
                given_up = time.time() - STALE
                on = self._pairings(state="on")
                free = [each for each in on if each.changed < given_up][:number]
            put = self._store.pairings.put
            claims = [put(replace(each, state="on")) for each in free]
        new = {fixture_of(self._plan, each): each for each in claims if each is not None}
        self._claims |= new
        return list(new)

    def release(self, fixtures: Sequence[arena.Fixture]) -> None:
        """Let anybody play these games."""
        with self._one_transaction():
            for fixture in fixtures:
                self._store.pairings.put(replace(self._claims.pop(fixture), state="waiting"))

    def add(self, games: Mapping[arena.Fixture, arena.GameResult]) -> None:
        """Store games with their tables; what was played on a lost claim is dropped."""
        with self._one_transaction():
            for fixture, game in games.items():
                table = self._table(game.record)
                self._store.tables.add(table)
                done = replace(self._claims.pop(fixture), state="done", points=game.points)
                if self._put(replace(done, table=table.id)) is None:
                    self._store.tables.remove(table.id)
        self._hub.announce(self._topic)

    def fail(self, fixture: arena.Fixture, error: ParlourError) -> arena.GameResult:
        """Store why a game could not be played; the others are played anyway."""
        failed = replace(self._claims.pop(fixture), state="failed", note=error.text)
        self._put(failed)
        self._hub.announce(self._topic)
        return result_of(self._plan, failed)

    def _one_transaction(self) -> contextlib.AbstractContextManager[object]:
        """On SQLite one commit is quicker; on PostgreSQL it would keep rows locked."""
        alone = self._store.dialect == "sqlite"
        return self._store.transaction() if alone else contextlib.nullcontext()

    def _table(self, record: Record) -> Table:
        """Return a game that was played as a table one can look at."""
        return Table(
            id=self._store.new_id(),
            game=record.game,
            options=record.options,
            seats=tuple(Seat("bot", name, self._bots[name]) for name in record.players),
            moves=record.moves,
            result=record.result,
            reason=record.reason,
            end=record.end,
            begun=time.time(),
            creator=self._tournament.owner,
        )


class WorkerExecutor(executors.Executor):
    """Plays games of a tournament in the server's worker processes; used from other threads.

    To the runner it is one worker, so that two batches are played at a time.
    """

    def __init__(self, services: Services, owner: str) -> None:
        self._pool = services.workers
        self._sources = services.get(Sources)
        self._loop = asyncio.get_running_loop()
        self._owner = owner

    def submit(self, call: Callable[..., Any], *arguments: Any, label: str = "") -> Future[Any]:
        """Schedule games; `call` is the arena's `play_games`, which the workers have loaded."""
        line, fixtures, seconds, _ = arguments
        games = self.play(line, fixtures, seconds)
        try:
            return asyncio.run_coroutine_threadsafe(games, self._loop)
        except RuntimeError:  # the server has ended meanwhile
            games.close()
            raise

    async def play(
        self, line: str, fixtures: Sequence[tuple[int, int, int]], seconds: float
    ) -> list[str]:
        """Have a worker play games; `ProcessLost` when it is not known which of them failed."""
        position = (0, 0)

        def note(done: int, turn: int) -> None:
            nonlocal position
            position = done, turn

        try:
            own = await self._describe_own(line, fixtures)
            answer = await self._pool.run(
                "tournament-games",
                {"plan": line, "fixtures": fixtures, "within": seconds, "own": own},
                seconds=LIMIT,
                client=self._owner,
                priority=Priority.BACKGROUND,
                patient=True,
                progress=note,
            )
        except ParlourError as error:
            done, turn = position
            if isinstance(error, TaskTimeout) and turn:
                return [_lose(line, arena.Fixture(*fixtures[done]), turn - 1).to_json()]
            if len(fixtures) == 1:
                raise
            raise arena.ProcessLost(error.text) from error
        return [str(each) for each in answer]

    async def _describe_own(
        self, line: str, fixtures: Sequence[tuple[int, int, int]]
    ) -> dict[str, Mapping[str, str]]:
        """Return what a worker needs to play as each player of the site, as it is now."""
        entries = arena.read_plan(line).entries
        found: dict[str, Mapping[str, str]] = {}
        for number in sorted({each for first, second, _ in fixtures for each in (first, second)}):
            seat = Seat("bot", entries[number].name, entries[number].what)
            if source := source_of(self._sources, seat):
                found[seat.name] = await source.describe_player(seat)
        return found


def _lose(line: str, fixture: arena.Fixture, seat: int) -> arena.GameResult:
    """Return a game in which a bot never answered; its moves are lost with the worker."""
    plan, game = arena.load_plan(line)
    names = [plan.entries[each].name for each in (fixture.first, fixture.second)]
    match = Match(game, names)
    match.stop(seat, arena.TOO_SLOW, end="time")
    return arena.GameResult(
        arena.game_id(plan, fixture),
        match.record,
        fault="time",
        faulty_seat=seat,
        why=arena.TOO_SLOW,
    )


class Runner:
    """The tournaments this server plays, each in a thread of its own."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._store = services.store
        self._hub = services.hub
        self._tasks = KeyedTasks(self._run)
        self._threads = ThreadPoolExecutor(MAX_RUNNING, "tournament")

    def create(
        self,
        owner: str,
        name: str,
        game: str,
        options: Mapping[str, Any],
        bots: Mapping[str, str],
        rounds: int,
        most: int = MAX_BOTS,
    ) -> Tournament:
        """Create a tournament of at most so many bots, by their names, which begins at once."""
        games = rounds * len(bots) * (len(bots) - 1)
        if len(bots) < 2:
            raise ParlourError(say("a tournament needs at least two bots; choose some more"))
        if len(bots) > most:
            raise ParlourError(
                "at most {bots} can take part; leave some out", bots=count(most, "bot")
            )
        if not 0 < games <= MAX_GAMES:
            raise ParlourError(
                "{bots} in {rounds} play {games:,} games, but {max_games:,} is the maximum; "
                "choose fewer rounds",
                bots=count(len(bots), "bot"),
                rounds=count(rounds, "round"),
                games=games,
                max_games=MAX_GAMES,
            )
        self._check_room(owner)
        tournament = Tournament(
            id=self._store.new_id(),
            owner=owner,
            name=name,
            games=({"game": game, "options": dict(options)},),
            bots=tuple(bots.values()),
            names=tuple(bots),
            rounds=rounds,
        )
        self._store.tournaments.add(tournament)
        self._store.pairings.add_all(
            Pairing(
                id=f"{tournament.id}-{number:04}",
                tournament=tournament.id,
                number=number,
                seats=(each.first, each.second),
            )
            for number, each in enumerate(arena.all_fixtures(plan_of(tournament)))
        )
        self.wake(tournament.id)
        return tournament

    def _check_room(self, owner: str) -> None:
        if self._store.tournaments.count(owner=owner, state="on") >= MAX_ON:
            raise TooMany(
                "{max_on} of your tournaments are already in progress; stop one, or wait",
                max_on=MAX_ON,
            )

    def set_state(self, tournament: Tournament, state: str) -> None:
        """Pause a tournament, or let it go on."""
        if state == "on" and tournament.state != "on":
            self._check_room(tournament.owner)
        topic = f"tournament:{tournament.id}"
        stored = self._store.tournaments.put(replace(tournament, state=state), announce=topic)
        if stored is not None:
            self._hub.announce(topic)
            self.wake(tournament.id)

    def wake(self, name: str) -> None:
        """See whether a tournament has games to play; from any thread."""
        self._tasks.wake(name)

    def resume(self) -> None:
        """Continue every tournament that is on.

        Where only one server can be, whatever was claimed was its own and has been lost.
        """
        for tournament in self._store.tournaments.find(state="on"):
            if self._store.dialect == "sqlite":
                for pairing in self._store.pairings.find(tournament=tournament.id, state="on"):
                    self._store.pairings.put(replace(pairing, state="waiting"))
            self.wake(tournament.id)

    async def _run(self, name: str) -> None:
        tournament = await asyncio.to_thread(self._store.tournaments.get, name)
        if tournament is None or tournament.state != "on":
            return
        plan = plan_of(tournament)
        results = StoredResults(self._store, self._hub, tournament, plan)
        executor = WorkerExecutor(self._services, tournament.owner)
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self._threads, arena.run, plan, results, executor)
        except asyncio.CancelledError:  # the server ends
            results.is_paused = True
            raise
        if not results.is_paused:
            await asyncio.to_thread(self._end, name)

    def _end(self, name: str) -> None:
        """A tournament without a game left is over."""
        tournament = self._store.tournaments.get(name)
        if tournament is not None and tournament.state == "on":
            self.set_state(tournament, "done")
