"""One game of a tournament: the players are seated, driven by the clock, and whoever fails loses.

Nothing a player does ends more than its own game. It may crash, cheat, dawdle or say nothing; the
referee ends the game against it and keeps the reason.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from functools import lru_cache
from typing import Any, cast

from parlour.arena.accuracy import marks
from parlour.arena.executors import keep_to_one_core
from parlour.arena.plan import Entry, Fixture, Plan, identity, opening, seed_of
from parlour.arena.results import Played
from parlour.arena.sandbox import Fault, Lost
from parlour.core import (
    BadChoice,
    Clock,
    Game,
    Match,
    OutOfTime,
    ParlourError,
    Timer,
    drive,
    named,
    quote,
    registry,
    values,
)


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
        thought=tuple(round(seconds, 6) for seconds in played.timer.spent),
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
    """A match that is driven to its end, and the fault that ended it, if one did."""

    def __init__(
        self, match: Match, clock: Clock | None, now: Callable[[], float] = time.perf_counter
    ) -> None:
        self.match = match
        self.timer = Timer(match.game.seats, clock, now)
        self.fault = ""
        self.at: int | None = None
        self.log = ""

    def lose(self, seat: int, fault: str, reason: str, log: str = "") -> None:
        """End the game against a seat."""
        self.match.stop(seat, reason)
        self.fault, self.at, self.log = fault, seat, log

    def drive(self, players: Sequence[Any]) -> None:
        """Let the players play to the end; a player that fails loses."""
        for _ in drive(self.match, players, timer=self.timer, fail=self._blame):
            pass

    def _blame(self, seat: int, trouble: BaseException) -> None:
        if isinstance(trouble, Lost):
            raise trouble  # one of our own processes died, not the bot's: the game is played again
        if isinstance(trouble, Fault):
            self.lose(seat, trouble.fault, str(trouble), trouble.log)
        elif isinstance(trouble, OutOfTime):
            self.lose(seat, "time", str(trouble))
        elif isinstance(trouble, BadChoice):
            choice, why = quote(trouble.choice), trouble.refusal
            self.lose(seat, "illegal", f"chose {choice}, which is no move here: {why}")
        elif isinstance(trouble, ParlourError):
            self.lose(seat, "crash", f"could not go on: {trouble}")
        else:
            self.lose(seat, "crash", f"crashed: {named(trouble)}")
