"""The bots at the tables: which play a game, how well, and who makes them move.

Nothing about this is stored. Reading a table where a bot is to move wakes the driver, so games
continue after a restart; if two servers ask the bot at once, the table takes one answer only. Bots
play each other only while somebody watches.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import shlex
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from parlour import core
from parlour.core import BadText, Game, Match, ParlourError, UnknownName, describe, say, values
from parlour.faces.web.background import RETRY, KeyedTasks, call_soon
from parlour.faces.web.clients import Recent
from parlour.faces.web.errors import NotThere, require
from parlour.faces.web.services import Services
from parlour.faces.web.table import service
from parlour.faces.web.texts import _, number
from parlour.faces.web.workers import Priority, QueueFull, WorkerPool
from parlour.store import Seat, Table, Unavailable

# Which bots play a game

MAX_VARIANTS = 500  # whose bots are remembered
MAX_DESCRIBED = 5_000  # bots with their options, each in one variant
MAX_OPTIONS = 200  # characters
MAX_VALUES = {
    "games": 1_000_000,  # that train hats before they play
    "threads": 1,
    "hash": 256,  # megabytes
}
LISTED_FIRST = ("perfect", "engine")
LISTING = 10.0  # seconds


class BotCatalogue:
    """The bots that play each variant, with how well they do; a worker finds out once."""

    def __init__(self, workers: WorkerPool) -> None:
        self._workers = workers
        self._known: Recent[str, list[dict[str, Any]]] = Recent(MAX_VARIANTS)
        self._described: Recent[tuple[str, str], str] = Recent(MAX_DESCRIBED)

    async def find(self, game: Game, client: str = "") -> list[dict[str, Any]]:
        """List the bots that play this game, each with its name, description and strength."""
        variant = describe(game)
        if variant not in self._known:
            payload = {"game": game.name, "options": values(game)}
            try:
                found = await self._workers.run(
                    "plays", payload, LISTING, client=client, priority=Priority.MOVE
                )
            except QueueFull:
                raise
            except ParlourError:
                return []
            listed = sorted(found, key=lambda bot: bot["name"] not in LISTED_FIRST)
            self._known.keep(variant, listed)
        return self._known[variant]

    async def describe(self, game: Game, bots: Iterable[str]) -> dict[str, str]:
        """Say how well each of some bots plays this game, with the options that it has."""
        variant, asked = describe(game), list(dict.fromkeys(bots))
        missing = [bot for bot in asked if (variant, bot) not in self._described]
        if missing:
            payload = {"game": game.name, "options": values(game), "bots": missing}
            with contextlib.suppress(ParlourError):  # a page without it is better than none
                found = await self._workers.run("describe-bots", payload, LISTING)
                for bot, plays in found.items():
                    self._described.keep((variant, bot), plays)
        return {bot: self._described.get((variant, bot), "") for bot in asked}


def read_bot(bots: list[dict[str, Any]], name: str, options: str = "") -> str:
    """Return a bot from the list as a seat stores it; a name never opens a file.

    Files on the server belong to its owner: no bot reads or changes them here.
    """
    if name not in [bot["name"] for bot in bots]:
        raise BadText("{name} cannot play this; choose a bot from the list", name=core.quote(name))
    try:
        bot = core.registry.build("bots", f"{name} {options}".strip()[:MAX_OPTIONS])
    except UnknownName as error:  # the bot is there; an option of it is not
        raise BadText(error.text) from None
    chosen = values(bot)
    if chosen.get("kept"):
        raise BadText(
            say("saved hats cannot play here; leave out kept, or start a class in the school")
        )
    if chosen.get("learning"):
        raise BadText(
            say("bots do not learn here; leave out learning, or start a class in the school")
        )
    for option, most in MAX_VALUES.items():
        if isinstance(number := chosen.get(option), int) and number > most:
            raise BadText(
                "{option} can be at most {most:,} here, not {number:,}",
                option=option,
                most=most,
                number=number,
            )
    return describe(bot)


# Levels

# Ratings are Elo points above `random`. They hold for the variant they were measured in and for no
# other; `tools/levels.py` measures them, and those of Othello are from docs/engine.md.
RATINGS = Path(__file__).with_name("ratings.json")


class Slider(NamedTuple):
    """The option of a bot that is its level, as the set-up page offers it."""

    option: str
    low: int
    high: int
    usual: int

    def read(self, typed: str) -> int | None:
        """Return the level that was typed or the nearest to it; None if it is no number."""
        if not (typed.isascii() and typed.isdigit() and len(typed) < 4):
            return None
        return min(max(int(typed), self.low), self.high)


SLIDERS = {
    "perfect": Slider("level", 1, 10, 10),
    "engine": Slider("level", 1, 10, 10),
    "despacito": Slider("level", 1, 8, 5),
    "minimax": Slider("depth", 0, 6, 5),
}
FLAWLESS = {"perfect"}  # bots that never err at their highest level


class Level(NamedTuple):
    """A place on the slider of a bot."""

    bot: str  # with this level
    value: int
    text: str  # `medium, rating 295`


@cache
def _ratings() -> dict[str, dict[str, list[int]]]:
    found: dict[str, dict[str, list[int]]] = json.loads(RATINGS.read_text(encoding="utf-8"))
    return found


def _split_bot(bot: str) -> tuple[str, dict[str, str]]:
    """Return the name of a bot and its options, but for its seed."""
    name, *options = shlex.split(bot)
    chosen = {option: value for option, _sign, value in (each.partition("=") for each in options)}
    chosen.pop("seed", None)
    return name, chosen


def rate(game: Game, bot: str) -> int | None:
    """Return the measured rating of a bot with its options in a variant, if there is one."""
    name, options = _split_bot(bot)
    if name in SLIDERS and options.get(SLIDERS[name].option) == str(SLIDERS[name].usual):
        del options[SLIDERS[name].option]  # ratings name a level unless it is the usual one
    text = " ".join([name, *(f"{option}={value}" for option, value in options.items())])
    measured = _ratings().get(describe(game), {}).get(text)
    return None if measured is None else measured[0]


def name_level(bot: str, value: int) -> str:
    """Return the word for a level: `beginner` to `expert`."""
    slider = SLIDERS[bot]
    if value >= slider.high and bot in FLAWLESS:
        return _("perfect")
    words = (_("beginner"), _("easy"), _("medium"), _("hard"), _("expert"))
    value = min(max(value, slider.low), slider.high)
    share = (value - slider.low) / (slider.high - slider.low)
    return words[min(len(words) - 1, int(share * len(words)))]


def list_levels(game: Game, bot: str) -> list[Level]:
    """Return the places on the slider of a bot; none if it has no levels."""
    if bot not in SLIDERS:
        return []
    slider, found = SLIDERS[bot], []
    for value in range(slider.low, slider.high + 1):
        leveled = f"{bot} {slider.option}={value}"
        found.append(Level(leveled, value, _describe_level(bot, value, rate(game, leveled))))
    return found


def _describe_level(bot: str, value: int, rating: int | None) -> str:
    word = name_level(bot, value)
    if rating is None:
        return _("%(word)s, no rating measured", word=word)
    return _("%(bot)s, rating %(rating)s", bot=word, rating=number(rating))


def describe_bot(game: Game, bot: str) -> str:
    """Return a bot as people read it: `perfect, level 3: easy, rating 197`."""
    rating = rate(game, bot)
    name, options = _split_bot(bot)
    if name in SLIDERS:
        level = options.pop(SLIDERS[name].option, str(SLIDERS[name].usual))
        if not options and level.isdigit():
            words = _describe_level(name, int(level), rating)
            return _("%(bot)s, level %(level)s: %(words)s", bot=name, level=level, words=words)
    if rating is None:
        return bot
    return _("%(bot)s, rating %(rating)s", bot=bot, rating=number(rating))


# Players of other sections


@dataclass(frozen=True)
class OwnPlayer:
    """A player of a section of the site, as others may enter it somewhere."""

    bot: str  # as a seat stores it
    name: str
    about: str
    game: Game


class PlayerSource(ABC):
    """A section of the site whose own players sit at tables, as the school's classes do.

    The first word of `seat.bot` names the source.
    """

    def list_players(self, game: str, owner: str) -> list[OwnPlayer]:
        """Return players of a game that can be entered: first this owner's, then the newest."""
        return []

    def find_player(self, bot: str) -> OwnPlayer:
        """Return one of them; `NotThere` if it is gone."""
        return require(None)

    @abstractmethod
    async def describe_player(self, seat: Seat) -> dict[str, str]:
        """Return what a worker needs to choose a move for the player at a seat."""

    async def learn(self, table: Table) -> None:
        """Let the players at a table learn from its finished game, if they can."""
        return

    def link(self, table: Table, match: Match, seat: int) -> str:
        """Return the address of a page about the last choice at a seat, if there is one."""
        return ""


class Sources(dict[str, PlayerSource]):
    """The sections whose own players sit at tables, by name."""


def source_of(sources: Sources, seat: Seat) -> PlayerSource | None:
    """Return the section whose player sits there; None for a person or a registered bot."""
    return sources.get(seat.bot.partition(" ")[0]) if seat.kind == "bot" else None


# Making them move

LIMIT = 30.0  # seconds a bot may think about a move; some have to prove the game first
PACE = 0.6  # seconds between two moves of bots, so that one can follow
TICK = 0.05  # seconds after which a clock has surely run out
RECENT = 24 * 3600  # seconds for which a table is woken after a restart
MAX_WOKEN = 500
SWEEP = 60.0  # seconds between two checks of all slow clocks
FAR = 3600.0  # seconds for which a timer is set


class BotDriver:
    """Moves the bots and checks the clocks at all tables of this server."""

    def __init__(self, services: Services) -> None:
        self._store, self._hub = services.store, services.hub
        self._workers, self._writes = services.workers, services.writes
        self._tables = services.get(service.TableService)
        self._sources = services.get(Sources)
        self._loop = asyncio.get_running_loop()
        self._players = KeyedTasks(self._play)
        self._clock_checks = KeyedTasks(self._check_clock)
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._lessons = KeyedTasks(self._teach)

    def on_change(self, table: Table, ended: bool = False) -> None:
        """Let the bots move if it is their turn, or start the clock; from any thread."""
        if table.result is None and table.bots:
            self._players.wake(table.id)
        if ended and table.bots:
            self._lessons.wake(table.id)
        if table.clock is not None or table.days:
            with contextlib.suppress(NotThere):  # such a game is not known any more
                call_soon(self._loop, self._set_timer, table.id, _seconds_for_person(table))

    async def finish(self) -> None:
        """Wait until every bot that is thinking has made its move."""
        await self._players.finish()

    def resume(self) -> None:
        """Continue at every table that another server left while a bot was thinking."""
        since = time.time() - RECENT
        for table in self._store.tables.find(over=False, changed_since=since, limit=MAX_WOKEN):
            self.on_change(table)
        self.check_slow_clocks()

    def check_slow_clocks(self) -> None:
        """End games whose players had days and let them pass, however often servers restart."""
        for table in self._store.tables.find(slow=True, over=False):
            if table.turned and table.turned + table.days * service.DAY < time.time():
                self._clock_checks.wake(table.id)

    # Clocks

    def _set_timer(self, table_id: str, left: float | None) -> None:
        """Check a clock when it will have run out, unless none runs for a person."""
        if (timer := self._timers.pop(table_id, None)) is not None:
            timer.cancel()
        if left is not None and left < FAR:  # a slow clock is checked every now and then
            self._timers[table_id] = self._loop.call_later(left + TICK, self._time_out, table_id)

    def _time_out(self, table_id: str) -> None:
        del self._timers[table_id]
        self._clock_checks.wake(table_id)

    async def _check_clock(self, table_id: str) -> None:
        with contextlib.suppress(NotThere):
            await self._writes.run(partial(self._tables.act, table_id, "flag"))

    # Moves

    async def _play(self, table_id: str) -> None:
        """Play one move after another while it is a bot's turn and somebody watches."""
        woken = True
        while True:
            try:
                table = await asyncio.to_thread(self._tables.read, table_id)
                match = service.match_of(table)
            except NotThere:
                return
            seat = service.bot_to_move(table, match)
            if seat is None:
                return
            only_bots = not any(each.kind == "person" for each in table.seats)
            if only_bots and not self._hub.is_watched(f"table:{table_id}"):
                return
            if only_bots and woken and (table.clock or table.days):  # it stood still meanwhile
                fresh = replace(table, turned=time.time())
                await self._writes.run(partial(self._tables.save, table, fresh))
                woken = False
                continue
            began = time.monotonic()
            answer = await self._choose(table, match, seat, background=only_bots)
            if answer is None:
                await asyncio.sleep(RETRY)
                continue
            if only_bots:
                await asyncio.sleep(max(0.0, PACE - (time.monotonic() - began)))
            await self._writes.run(partial(self._save, table, answer))

    async def _choose(
        self, table: Table, match: Match, seat: int, *, background: bool
    ) -> dict[str, Any] | None:
        """Return a bot's move, or why it makes none; None if it has to wait."""
        left = service.seconds_left(table, match, seat)
        limit = LIMIT if left is None else max(0.1, min(LIMIT, left))
        payload = {
            "game": table.game,
            "options": table.options,
            "moves": list(table.moves),
            "bot": table.seats[seat].bot,
            "seat": seat,
            "left": left,
        }
        try:
            if source := source_of(self._sources, table.seats[seat]):
                payload |= await source.describe_player(table.seats[seat])
            priority = Priority.BACKGROUND if background else Priority.MOVE
            answer: dict[str, Any] = await self._workers.run(
                "choose", payload, limit, client=service.client_of(table), priority=priority
            )
        except (QueueFull, Unavailable):
            return None  # not the bot's fault
        except ParlourError as error:
            return {"fails": say("could not move: {error}", error=error.text)}
        return answer

    def _save(self, table: Table, answer: dict[str, Any]) -> None:
        """Store a bot's answer, unless the table has changed since."""
        match = service.match_of(table).copy()
        try:
            if "move" in answer:
                changed = service.play_move(table, match, str(answer["move"]))
            elif "fails" in answer:
                changed = service.stop_game(table, match, answer["fails"])
            else:
                changed = service.stop_game(table, match, answer.get("resigns", ""), end="resigned")
        except ParlourError as error:
            changed = service.stop_game(
                table, match, say("could not move: {error}", error=error.text)
            )
        self._tables.save(table, changed, match)

    # Learning

    async def _teach(self, table_id: str) -> None:
        """Let the bots that learn do so from a finished game."""
        table = await asyncio.to_thread(self._store.tables.get, table_id)
        if table is None or table.result is None:  # the last move was taken back
            return
        sources = [source_of(self._sources, seat) for seat in table.seats]
        for source in {id(source): source for source in sources if source}.values():
            with contextlib.suppress(ParlourError):
                await source.learn(table)
        pairs = zip(table.seats, sources, strict=True)
        bots = [seat.bot for seat, source in pairs if seat.kind == "bot" and source is None]
        payload = {"record": table.record().to_json(), "bots": bots}
        client = service.client_of(table)
        with contextlib.suppress(ParlourError):
            priority = Priority.BACKGROUND
            await self._workers.run(
                "teach", payload, LIMIT, client=client, priority=priority, patient=True
            )


def _seconds_for_person(table: Table) -> float | None:
    """Return the seconds left on the clock that runs for a person; None if none does."""
    if table.result is not None or not service.is_full(table):
        return None
    match = service.match_of(table)
    if match.over or table.seats[match.turn].kind != "person" or service.waits_for_ok(table, match):
        return None
    left = service.seconds_left(table, match, match.turn)
    return None if left is None else max(0.0, left)
