"""What is wrong with a bot, said to whoever wrote it: which line, in which position, what to do.

A Python file is first read without being run, which finds what a beginner gets wrong most often.
Then the bot plays some games, locked in like any stranger's.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from parlour.arena.botcheck.flaws import Flaw, bot_file, explain_fault
from parlour.arena.botcheck.source import check_source
from parlour.arena.entries import number_duplicates
from parlour.arena.plan import HOUSE, PYTHON, Entry, Fixture, Opening, Plan, random_openings
from parlour.arena.playing import play_game
from parlour.arena.results import Accuracy, Fault, GameResult
from parlour.arena.sandbox import start_bot
from parlour.core import Game, ParlourError, Resigns, describe, seat_name

OPPONENT = Entry("random", HOUSE, "random")
LEGS = 5
PATIENCE = 20.0  # seconds after which no more games are begun


@dataclass(frozen=True)
class CheckResult:
    """What some games told of a bot."""

    game: str
    games: int = 0
    slowest: float = 0.0  # seconds for a move
    slowest_at: str = ""  # the position
    against: int = 0  # games against random moves
    points: float = 0.0  # got from those
    marks: Accuracy | None = None  # beside the truth, where it is known
    flaw: Flaw | None = None


# Playing


def check_first_move(entry: Entry, plan: Plan, game: Game, *, strong: bool) -> Flaw | None:
    """What keeps a bot from making even one move, if anything does."""
    path = bot_file(entry)
    if entry.kind == PYTHON and (found := check_source(path)):
        return found
    state = game.start()
    seat = game.turn(state)
    try:
        bot = start_bot(entry, plan, game, seat, plan.seed, [entry.name] * game.seats, strong)
        try:
            if plan.clock is not None:
                bot.clock(plan.clock.each or plan.clock.total or 0.0)
            bot.choose(game, state)
        finally:
            bot.close()
    except Fault as fault:
        return explain_fault(fault.fault, str(fault), fault.log, game, state, entry)
    except Resigns:
        pass  # which is nobody's fault
    return None


def check_bot(
    entry: Entry, plan: Plan, game: Game, *, strong: bool, legs: int = LEGS
) -> CheckResult:
    """Let a bot play until something is wrong, or for a while; the plan says how.

    A leg is four games: both seats against random moves, and both against itself.
    """
    told = CheckResult(describe(game))
    if entry.kind == PYTHON and (found := check_source(bot_file(entry))):
        return replace(told, flaw=found)
    event = replace(
        plan,
        entries=number_duplicates([entry, OPPONENT, entry]),
        openings=_openings(game, plan.seed),
    )
    ends = time.monotonic() + PATIENCE
    for fixture in _fixtures(legs):
        if told.games >= 4 and time.monotonic() > ends:
            break
        told = _counted(told, fixture, play_game(event, game, fixture, strong=strong), game, entry)
        if told.flaw is not None:
            break
    return told


def _fixtures(legs: int) -> Iterator[Fixture]:
    for leg in range(legs):
        for other in (1, 2):
            yield Fixture(0, other, leg)
            yield Fixture(other, 0, leg)


def _openings(game: Game, seed: int) -> tuple[Opening, ...]:
    """The start, and some positions after it where the game is long enough."""
    try:
        return ((), *random_openings(game, 2, LEGS - 1, seed))
    except ParlourError:
        return ((),)


def _counted(
    told: CheckResult, fixture: Fixture, played: GameResult, game: Game, entry: Entry
) -> CheckResult:
    """The same with one game more."""
    own = [seat for seat, who in enumerate((fixture.first, fixture.second)) if who != 1]
    if played.fault and played.at in own:
        reason = played.record.reason.removeprefix(f"{seat_name(game, played.at)} ")
        *_, (state, _) = played.record.replay(game)
        return replace(
            told, flaw=explain_fault(played.fault, reason, played.log, game, state, entry)
        )
    slowest, where = told.slowest, told.slowest_at
    for (state, move), seconds in zip(
        played.record.replay(game), played.record.seconds, strict=False
    ):
        if move is not None and game.turn(state) in own and seconds > slowest:
            slowest, where = seconds, game.write(state)
    marks = told.marks
    for seat in own if played.marks else ():
        before, now = marks or Accuracy(), played.marks[seat]
        marks = Accuracy(
            before.judged + now.judged,
            before.given + now.given,
            before.won + now.won,
            before.kept + now.kept,
        )
    met = len(own) == 1
    return replace(
        told,
        games=told.games + 1,
        slowest=slowest,
        slowest_at=where,
        against=told.against + met,
        points=told.points + (played.points[own[0]] if met else 0),
        marks=marks,
    )
