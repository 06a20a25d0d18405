"""One game of a tournament: the players are seated, driven by the clock, and whoever fails loses.

Nothing a player does ends more than its own game. It may crash, cheat, dawdle or say nothing; the
referee ends the game against it and keeps the reason.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from functools import lru_cache
from typing import Any, cast

from parlour.arena.accuracy import marks
from parlour.arena.executors import keep_to_one_core
from parlour.arena.plan import Clock, Entry, Fixture, Plan, identity, opening, seed_of
from parlour.arena.results import Played
from parlour.arena.sandbox import Fault, Lost
from parlour.core import Game, Match, ParlourError, Resigns, named, quote, registry, values


@lru_cache(maxsize=8)
def read_plan(line: str) -> tuple[Plan, Game]:
    """The plan on a line, and its game; kept, for a worker is sent the same one many times."""
    plan = Plan.from_json(line)
    return plan, plan.make_game()


def play_some(
    line: str, fixtures: Sequence[tuple[int, int, int]], seconds: float, strong: bool
) -> list[str]:
    """Play some games of a plan, until they are over or so much time has passed; at least one.

    This is what crosses to other processes and machines: text goes in, text comes back.
    """
    plan, game = read_plan(line)
    if any(entry.apart for entry in plan.entries):
        keep_to_one_core()
    ends = time.monotonic() + seconds
    over: list[str] = []
    for fixture in fixtures:
        over.append(play(plan, game, Fixture(*fixture), strong=strong).to_json())
        if time.monotonic() > ends:
            break
    return over


def play(plan: Plan, game: Game, fixture: Fixture, *, strong: bool = True) -> Played:
    """Play one game to its end; `strong` is whether those who run apart are locked in."""
    name = identity(plan, fixture)
    entries = plan.entries[fixture.first], plan.entries[fixture.second]
    match = Match(game, [entry.name for entry in entries])
    for text in opening(plan, fixture):
        match.play(game.read_move(match.state, text), 0.0)
    match.opening = len(match.moves)
    played = Driven(match, plan.clock)
    with ExitStack() as leaving:
        players: list[Any] = []
        for seat, entry in enumerate(entries):
            seed = seed_of(name, seat)
            try:
                if entry.apart:
                    from parlour.arena.sandbox import seated

                    player: Any = seated(entry, plan, game, seat, seed, match.players, strong)
                else:
                    if plan.clock is not None:
                        _warm(entry, cast(Any, game))
                    player = house_bot(entry, seed)
            except Fault as fault:
                played.lose(seat, fault.fault, str(fault), fault.log)
                break
            if (close := getattr(player, "close", None)) is not None:
                leaving.callback(close)
            players.append(player)
        played.drive(players)
    return Played(
        id=name,
        record=match.record,
        margin=game.score(match.state) if hasattr(game, "score") and not played.fault else None,
        fault=played.fault,
        at=played.at,
        log=played.log,
        thought=tuple(round(seconds, 6) for seconds in played.thought),
        marks=marks(game, match.record),
    )


def house_bot(entry: Entry, seed: int) -> Any:
    """A bot of the house; one that draws lots has its own for every game, unless it was told."""
    cls, options = _found(entry.what)
    if "seed" in options and options["seed"] is None:
        options = options | {"seed": seed}
    return registry.made(cls, entry.what, options)


@lru_cache(maxsize=1000)
def _found(text: str) -> tuple[type, dict[str, Any]]:
    """The bot that is meant, looked up once: it takes longer than many a game."""
    bot = registry.read_bot(text)
    return type(bot), values(bot)


@lru_cache(maxsize=1000)
def _warm(entry: Entry, game: Any) -> None:
    """Have a bot of the house make a first move, for which it may have to load or to solve much.

    That is ours to do, not to be held against whoever happens to play first.
    """
    with suppress(Exception):  # whatever is wrong with it shows in the game
        house_bot(entry, 0).choose(game, game.start())


class Driven:
    """A match being driven, and how it came to its end."""

    def __init__(
        self, match: Match, clock: Clock | None, now: Callable[[], float] = time.perf_counter
    ) -> None:
        self.match = match
        self.clock = clock
        self.now = now
        self.thought = [0.0] * match.game.seats
        self.made = [0] * match.game.seats
        self.fault = ""
        self.at: int | None = None
        self.log = ""

    def lose(self, seat: int, fault: str, reason: str, log: str = "") -> None:
        """End the game against a seat."""
        self.match.stop(seat, reason)
        self.fault, self.at, self.log = fault, seat, log

    def allowed(self, seat: int) -> float | None:
        """How long the seat may think now."""
        clock = self.clock
        if clock is None:
            return None
        if clock.each is not None:
            return clock.each
        return (clock.total or 0) + clock.added * self.made[seat] - self.thought[seat]

    def drive(self, players: Sequence[Any]) -> None:
        """Let them play to the end."""
        match, game, now = self.match, self.match.game, self.now
        while match.result is None:
            seat = game.turn(match.state)
            player = players[seat]
            allowed = None if self.clock is None else self.allowed(seat)
            if hasattr(player, "follow"):
                player.follow(game, match.moves)
            began = now()
            try:
                move = _asked(player, game, match.state, allowed)
            except Fault as fault:
                self.thought[seat] += now() - began
                self.lose(seat, fault.fault, str(fault), fault.log)
                return
            except Resigns as why:
                match.stop(seat, f"resigned: {why}" if str(why) else "resigned")
                return
            except ParlourError as trouble:
                self.lose(seat, "crash", f"could not go on: {trouble}")
                return
            except Lost:
                raise  # a process of ours died, not the bot's: the game is played again
            except (Exception, SystemExit) as trouble:
                self.lose(seat, "crash", f"crashed: {named(trouble)}")
                return
            took = now() - began
            self.thought[seat] += took
            self.made[seat] += 1
            if allowed is not None and took > allowed:
                self.lose(seat, "time", late(self.clock))
                return
            try:
                match.play(move, took)
            except (ParlourError, TypeError, ValueError, AttributeError) as refusal:
                self.lose(seat, "illegal", f"chose {quote(move)}, which is no move here: {refusal}")


def _asked(player: Any, game: Game, state: Any, allowed: float | None) -> Any:
    """The player's choice; where there is a clock it is told, and stopped when time is up."""
    if allowed is None:
        return player.choose(game, state)
    if hasattr(player, "clock"):
        player.clock(allowed)
    if not hasattr(player, "stop"):
        return player.choose(game, state)
    alarm = threading.Timer(allowed * SHARE, player.stop)
    alarm.start()
    try:
        return player.choose(game, state)
    finally:
        alarm.cancel()


SHARE = 0.9  # of the time allowed, after which a bot that can be stopped is


def late(clock: Clock | None) -> str:
    """What is held against a player that took too long."""
    if clock is not None and clock.each is not None:
        return f"took longer than {clock.each:g} s for a move"
    return "ran out of time"
