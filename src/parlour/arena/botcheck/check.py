"""Checks of a bot: some games in the sandbox, or only its first move.

In a league all bots make their first move, several at once, and the outcome is kept under
everything that decides it: the bot and the conditions it plays under. Only bots that failed quickly
are asked again, for that costs nothing and what they lacked on this machine may be there by now.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from parlour.arena.botcheck.flaws import Flaw, bot_file, check_source, explain_fault
from parlour.arena.executors import Executor
from parlour.arena.plan import (
    HOUSE,
    PYTHON,
    Entry,
    Fixture,
    Opening,
    Plan,
    number_duplicates,
    random_openings,
)
from parlour.arena.playing import load_plan, play_game
from parlour.arena.results import Accuracy, Fault, GameResult
from parlour.arena.sandbox import start_bot
from parlour.core import Game, ParlourError, Resigns, describe, seat_name, write_whole

OPPONENT = Entry("random", HOUSE, "random")
LEGS = 5
MAX_SECONDS = 20.0  # after which no more games are started
FILE = "checked.json"
QUICKLY = 2.0  # seconds
POLL = 0.1  # seconds between two reports while nothing comes back


@dataclass(frozen=True)
class CheckResult:
    """The outcome of checking a bot in some games."""

    game: str
    games: int = 0
    slowest: float = 0.0  # seconds for a move
    slowest_at: str = ""  # the position
    against: int = 0  # games against random moves
    points: float = 0.0  # in those
    marks: Accuracy | None = None  # where the values are known
    flaw: Flaw | None = None


def check_first_move(entry: Entry, plan: Plan, game: Game, *, strong: bool) -> Flaw | None:
    """Find what keeps a bot from making even one move, if anything does."""
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
        return explain_fault(fault, game, state, entry)
    except Resigns:
        pass  # not a flaw
    return None


def check_bot(
    entry: Entry, plan: Plan, game: Game, *, strong: bool, legs: int = LEGS
) -> CheckResult:
    """Let a bot play under the conditions of a plan until something is wrong, or for a while.

    A leg is four games: both seats against random moves, and both against itself.
    """
    result = CheckResult(describe(game))
    if entry.kind == PYTHON and (found := check_source(bot_file(entry))):
        return replace(result, flaw=found)
    event = replace(
        plan,
        entries=number_duplicates([entry, OPPONENT, entry]),
        openings=_openings(game, plan.seed),
    )
    ends = time.monotonic() + MAX_SECONDS
    for fixture in _fixtures(legs):
        if result.games >= 4 and time.monotonic() > ends:
            break
        played = play_game(event, game, fixture, strong=strong)
        result = _add_game(result, fixture, played, game, entry)
        if result.flaw is not None:
            break
    return result


def _fixtures(legs: int) -> Iterator[Fixture]:
    for leg in range(legs):
        for other in (1, 2):
            yield Fixture(0, other, leg)
            yield Fixture(other, 0, leg)


def _openings(game: Game, seed: int) -> tuple[Opening, ...]:
    """Return the start, and some positions after it if the game is long enough."""
    try:
        return ((), *random_openings(game, 2, LEGS - 1, seed))
    except ParlourError:
        return ((),)


def _add_game(
    result: CheckResult, fixture: Fixture, played: GameResult, game: Game, entry: Entry
) -> CheckResult:
    """Add one game to the outcome."""
    own = [seat for seat, who in enumerate((fixture.first, fixture.second)) if who != 1]
    if played.fault and played.at in own:
        reason = played.record.reason.removeprefix(f"{seat_name(game, played.at)} ")
        fault = Fault(played.fault, reason, played.log, played.choice, played.refusal)
        *_, (state, _) = played.record.replay(game)
        return replace(result, flaw=explain_fault(fault, game, state, entry))
    slowest, where = result.slowest, result.slowest_at
    for (state, move), seconds in zip(
        played.record.replay(game), played.record.seconds, strict=False
    ):
        if move is not None and game.turn(state) in own and seconds > slowest:
            slowest, where = seconds, game.write(state)
    marks = result.marks
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
        result,
        games=result.games + 1,
        slowest=slowest,
        slowest_at=where,
        against=result.against + met,
        points=result.points + (played.points[own[0]] if met else 0),
        marks=marks,
    )


# First moves


@dataclass(frozen=True)
class FirstMove:
    """The outcome of asking a bot for its first move."""

    flaw: Flaw | None
    seconds: float

    @property
    def is_final(self) -> bool:
        """Whether the bot need not be asked again."""
        return self.flaw is None or self.seconds > QUICKLY

    def to_list(self) -> list[object]:
        """Return it as it is stored."""
        return [self.flaw and asdict(self.flaw), round(self.seconds, 3)]

    @classmethod
    def from_list(cls, data: Any) -> FirstMove:
        """Read what was stored."""
        flaw, seconds = data
        if flaw is not None:
            listed = {name: tuple(flaw[name]) for name in ("moves", "wrote")}
            flaw = Flaw(**flaw | listed)
        return cls(flaw, float(seconds))


class FirstMoveCache:
    """The first moves of bots, kept in a folder."""

    def __init__(self, folder: Path, plan: Plan, *, strong: bool) -> None:
        self._path = folder / FILE
        self._known: dict[str, FirstMove] = {}
        game = Path(plan.game)
        rules = game.read_bytes() if game.suffix == ".py" and game.is_file() else b""
        clock = None if plan.clock is None else asdict(plan.clock)
        conditions = [plan.game, dict(plan.options), clock, asdict(plan.limits), plan.seed, strong]
        self._conditions = _digest([conditions, hashlib.sha256(rules).hexdigest()])
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
            kept = json.loads(self._path.read_bytes())
            self._known = {key: FirstMove.from_list(each) for key, each in kept.items()}

    def get(self, entry: Entry) -> FirstMove | None:
        """Return what is known of this bot under these conditions."""
        return self._known.get(self._key(entry))

    def add(self, entry: Entry, answer: FirstMove) -> None:
        """Add what was found."""
        self._known[self._key(entry)] = answer

    def save(self, entries: Sequence[Entry]) -> None:
        """Store what is known of these, and drop all others."""
        data = {
            key: self._known[key].to_list() for key in map(self._key, entries) if key in self._known
        }
        write_whole(self._path, json.dumps(data, indent=1).encode())

    def _key(self, entry: Entry) -> str:
        return _digest([bot_file(entry).name, entry.kind, entry.digest, self._conditions])


def _digest(parts: list[object]) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:20]


def check_first_moves(
    plan: Plan,
    cache: FirstMoveCache,
    executor: Executor,
    *,
    strong: bool,
    watch: Callable[[int, int], None] = lambda done, total: None,
) -> dict[Entry, Flaw | None]:
    """Find what keeps each bot of a plan from making even one move, if anything does.

    `watch` is called with how many of the bots that had to be asked have answered.
    """
    known = {entry: cache.get(entry) for entry in plan.entries}
    found = {entry: answer.flaw for entry, answer in known.items() if answer and answer.is_final}
    new = [entry for entry in plan.entries if entry not in found]
    waiting: dict[Future[str], Entry] = {}

    def take(seconds: float) -> None:
        """Take what has come back, or comes back soon."""
        for future in wait(waiting, timeout=seconds, return_when=FIRST_COMPLETED).done:
            entry = waiting.pop(future)
            answer = _read_answer(future)
            found[entry] = answer.flaw if answer else None
            if answer:
                cache.add(entry, answer)
            else:
                executor.recover()
        watch(len(found) - len(plan.entries) + len(new), len(new))

    try:
        for entry in new:
            take(0.0)
            while len(waiting) >= 2 * executor.workers:
                take(POLL)
            line = replace(plan, entries=(entry,)).to_json()
            waiting[executor.submit(_first_move_in_worker, line, strong)] = entry
        while waiting:
            take(POLL)
    finally:  # even when it is interrupted
        if new:
            cache.save(plan.entries)
    return found


def _first_move_in_worker(line: str, strong: bool) -> str:
    """Check a first move in another process: text in, text out."""
    plan, game = load_plan(line)
    began = time.monotonic()
    flaw = check_first_move(plan.entries[0], plan, game, strong=strong)
    return json.dumps(FirstMove(flaw, time.monotonic() - began).to_list())


def _read_answer(future: Future[str]) -> FirstMove | None:
    """Return what came back, if anything did."""
    try:
        return FirstMove.from_list(json.loads(future.result()))
    except ParlourError:
        raise
    except Exception:  # it took its worker with it; the games will show why
        return None
