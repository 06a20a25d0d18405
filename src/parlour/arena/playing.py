"""One game of a tournament: the players are seated, asked by the clock, and lose if they fail.

Nothing a player does ends more than its own game. It may crash, cheat, take too long or say
nothing; the referee ends the game against it and keeps the reason.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeVar, cast

from parlour import core
from parlour.arena.accuracy import measure_accuracy
from parlour.arena.objects import Objects, Payload, make_player, seeded_random, unpack
from parlour.arena.plan import OBJECT, Entry, Fixture, Plan, game_id, make_house_bot, seed_for
from parlour.arena.results import Fault, GameResult, ProcessLost
from parlour.arena.sandbox_player import start_sandboxed
from parlour.core import Clock, Game, IllegalMove, Match, Move, ParlourError, Timer, Work, say

T = TypeVar("T")

TOO_SLOW = say("did not answer in time")
NO_OBJECTS: Mapping[str, Any] = {}


@lru_cache(maxsize=8)
def read_plan(line: str) -> Plan:
    """Read a plan; cached because a worker is sent the same one many times."""
    return Plan.from_json(line)


@lru_cache(maxsize=8)
def load_plan(line: str) -> tuple[Plan, Game]:
    """Read a plan and make its game, likewise."""
    plan = read_plan(line)
    return plan, plan.make_game()


def play_games(
    line: str,
    fixtures: Sequence[tuple[int, int, int]],
    seconds: float,
    strong: bool,
    work: Work | None = None,
    objects: Payload = None,
) -> list[str]:
    """Play games of a plan until all are over or the time has passed; at least one.

    This is what crosses to other processes and machines: text goes in, text comes back, and beside
    it go the `objects` that have no name. With a `work` the games can be stopped, and then the seat
    to move loses; it counts the games that are over and tells, counted from 1, whose turn it is.
    """
    known = unpack(objects) if isinstance(objects, bytes) else objects or Objects()
    plan, game = (read_plan(line), known.game) if known.game else load_plan(line)
    if any(entry.sandboxed for entry in plan.entries):
        core.executors.pin_to_one_core()
    ends = time.monotonic() + seconds
    results: list[str] = []
    for fixture in fixtures:
        if work is not None:
            work.total, work.done = 0, len(results)
        played = play_game(
            plan, game, Fixture(*fixture), strong=strong, work=work, objects=known.players
        )
        results.append(played.to_json())
        if time.monotonic() > ends or (work is not None and work.stopped):
            break
    return results


def play_game(
    plan: Plan,
    game: Game,
    fixture: Fixture,
    *,
    strong: bool = True,
    work: Work | None = None,
    objects: Mapping[str, Any] = NO_OBJECTS,
) -> GameResult:
    """Play one game to its end; `strong` is whether sandboxed bots are isolated."""
    name = game_id(plan, fixture)
    entries = plan.entries[fixture.first], plan.entries[fixture.second]
    made_here = any(entry.kind == OBJECT for entry in entries)
    lasts = not (made_here or plan.rules)
    seeds = name if lasts else game_id(plan, fixture, lasting=True)
    match = Match(game, [entry.name for entry in entries])
    for text in plan.opening_of(fixture):
        match.play(game.read_move(match.state, text), 0.0)
    match.opening = len(match.moves)
    timer = WorkTimer(game, plan.clock, work) if work else Timer(game.seats, plan.clock)
    recorder = FaultRecorder(match)
    with ExitStack() as closing:
        if made_here:
            closing.enter_context(seeded_random(seed_for(seeds, len(entries))))
        players: list[Any] = []
        for seat, entry in enumerate(entries):
            try:
                player = _make_player(
                    entry, plan, game, seat, seed_for(seeds, seat), match, strong, objects
                )
            except Fault as error:
                recorder.blame(seat, error)
                break
            if (close := getattr(player, "close", None)) is not None:
                closing.callback(close)
            players.append(player)
        for _ in core.drive(match, players, timer=timer, fail=recorder.blame):
            pass
    in_turn = all(mover == ply % 2 for ply, mover in enumerate(match.movers))
    result = GameResult(
        id=name,
        record=match.record,
        thought=tuple(round(seconds, 6) for seconds in timer.spent),
        accuracy=measure_accuracy(game, match.record),
        movers=() if in_turn else tuple(match.movers),
    )
    if (fault := recorder.fault) is None:
        return replace(result, margin=game.score(match.state) if hasattr(game, "score") else None)
    return replace(
        result,
        fault=fault.fault,
        faulty_seat=recorder.seat,
        log=fault.log,
        choice=fault.choice,
        refusal=fault.refusal,
        why=str(fault),
    )


def _make_player(
    entry: Entry,
    plan: Plan,
    game: Game,
    seat: int,
    seed: int,
    match: Match,
    strong: bool,
    objects: Mapping[str, Any],
) -> Any:
    if entry.sandboxed:
        return start_sandboxed(entry, plan, game, seat, seed, match.players, strong=strong)
    if entry.kind == OBJECT:
        return make_player(objects[entry.name], seed)
    if plan.clock is not None:
        _warm_up(entry, cast(Any, game))
    return make_house_bot(entry, seed)


@lru_cache(maxsize=1000)
def _warm_up(entry: Entry, game: Any) -> None:
    """Have an installed bot make a first move, for which it may have to load or solve a lot.

    That time should not count against the player who happens to move first.
    """
    with suppress(Exception):  # whatever is wrong with it shows in the game
        make_house_bot(entry, 0).choose(game, game.start())


class FaultRecorder:
    """Ends a match against a player that fails, and notes the fault."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.fault: Fault | None = None
        self.seat: int | None = None  # whose fault it was

    def blame(self, seat: int, error: BaseException) -> None:
        """End the game against the seat whose player failed."""
        if isinstance(error, ProcessLost):
            raise error  # no fault of a player: the game is played again
        self.fault, self.seat = _to_fault(error), seat
        end = "time" if self.fault.fault == "time" else "fault"
        self.match.stop(seat, self.fault.text, end=end)


def _to_fault(error: BaseException) -> Fault:
    if isinstance(error, Fault):
        return error
    if isinstance(error, core.referee.OutOfTime):
        return Fault("time", error.text)
    if isinstance(error, core.referee.BadChoice):
        return Fault.illegal(core.quote(error.choice), core.text_of(error.refusal))
    if isinstance(error, IllegalMove):  # as one says who asks for moves elsewhere
        reason = say("named no legal move: {error}", error=error.text)
        return Fault("illegal", reason, refusal=error.text)
    if isinstance(error, ParlourError):
        return Fault("crash", say("could not go on: {error}", error=error.text))
    return Fault("crash", say("crashed: {error}", error=core.describe_error(error)))


class WorkTimer(Timer):
    """A timer for games that somebody waits for: it says whose turn it is, and can be stopped."""

    def __init__(self, game: Game, clock: Clock | None, work: Work) -> None:
        super().__init__(game.seats, clock)
        self.work = work

    def ask(self, player: Any, match: Match) -> tuple[Move, float]:
        """Return the choice; a player that thinks when the work is stopped is out of time."""
        self.work.total = match.turn + 1
        own, ask = Work(), super().ask
        prepare, stop = getattr(player, "prepare", None), getattr(player, "stop", None)
        try:
            if prepare is not None:
                self._run(lambda: prepare(match.game, own), own.stop)
            if not self.work.stopped:
                answer = self._run(lambda: ask(player, match), stop) if stop else ask(player, match)
        except ParlourError:
            if not self.work.stopped:  # otherwise it broke off because it was stopped
                raise
        if self.work.stopped:
            raise core.referee.OutOfTime(TOO_SLOW)
        return answer

    def _run(self, call: Callable[[], T], stop: Callable[[], None]) -> T:
        """Return what a call returns; `stop` ends it once this work is stopped."""
        return self.work.run(call, watch=lambda work: stop() if work.stopped else None)
