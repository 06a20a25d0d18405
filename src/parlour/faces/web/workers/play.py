"""Thoughts of bots: who plays a game, what one chooses, and what it learns from a game."""

from __future__ import annotations

import random
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

from parlour.arena import Plan, play_games
from parlour.core import (
    BadText,
    Bot,
    Game,
    IllegalMove,
    Match,
    ParlourError,
    Record,
    Resigns,
    State,
    Work,
    describe,
    options_of,
    quote,
    registry,
    schema,
    seat_name,
)
from parlour.faces.web.workers.payload import (
    Payload,
    bot_of,
    field,
    game_of,
    match_of,
    seconds_of,
    texts,
)
from parlour.learn import Hats, HatsPlayer, storage

T = TypeVar("T")

KEPT = 8  # bots that are ready for their next move
LOTS = 2**31  # seeds that are drawn for a move or a game


# Who plays


def plays(payload: Payload, work: Work) -> list[dict[str, Any]]:
    """The bots that play a game, each with how well it does and what can be set on it."""
    game = game_of(payload)
    listed = []
    for name, claim in registry.claims("bots").items():
        try:
            kind = claim.load()
            well = str(kind().plays(game))
        except Exception:  # noqa: S112  # a bot that fails when it is asked does not play
            continue
        if well:
            about = " ".join((kind.__doc__ or "").partition("\n\n")[0].split())
            listed.append({"name": name, "about": about, "plays": well, "options": schema(kind)})
    return listed


# What one chooses


def choose(payload: Payload, work: Work) -> dict[str, str]:
    """The move of a bot, or that it resigns and why."""
    game = game_of(payload)
    match = match_of(game, payload)
    if match.over:
        raise ParlourError("the game is over")
    seat = field(payload, "seat", int, match.turn)
    if seat != match.turn:
        raise ParlourError(f"it is the turn of {seat_name(game, match.turn)}, not of seat {seat}")
    left = payload.get("left")
    if left is not None and (type(left) not in (int, float) or not left >= 0):
        raise BadText(f"'left' cannot be {quote(left)}; it must be a number of seconds")
    text, hats = field(payload, "bot", str), field(payload, "hats", str, "")
    bot = _at_move(bot_of(text), len(match.moves))
    key = (describe(bot), hats, _stamp(bot), game)
    bot = _remembered.pop(key, bot)
    _prepare(bot, game, hats, work)
    if left is not None and hasattr(bot, "clock"):
        bot.clock(left)
    try:
        _play(match, bot, work)
    except Resigns as why:
        return {"resigns": _resigned(why)}
    _remember(key, bot)
    return {"move": match.moves[-1]}


def _play(match: Match, bot: Bot, work: Work) -> None:
    """Have a bot make its move; `Resigns` when it gives up."""
    move = _stoppable(bot, work, lambda: bot.choose(match.game, match.state))
    try:
        match.play(move)
    except IllegalMove as refusal:
        raise IllegalMove(f"it chose {quote(move)}: {refusal}") from refusal


def _resigned(why: Resigns) -> str:
    return f"resigned: {why}" if str(why) else "resigned"


def _stoppable(bot: Bot, work: Work, call: Callable[[], T]) -> T:
    """What a call to a bot returns; once the work is stopped, the bot is told to answer."""
    stop = getattr(bot, "stop", None)
    if stop is None:
        return call()
    return work.run(call, watch=lambda work: stop() if work.stopped else None)


def _prepare(bot: Bot, game: Game, hats: str, work: Work) -> None:
    """Let a bot get ready, with the hats it is given, if any."""
    if hats and isinstance(bot, HatsPlayer):
        if game not in bot._hats:
            bot._hats[game] = storage.from_json(hats, game, name="this class", work=work)
    elif hats:
        raise ParlourError(f"{quote(describe(bot))} does not play with hats")
    elif hasattr(bot, "prepare"):
        bot.prepare(game, work)
    if work.stopped:
        raise ParlourError("stopped before the bot was ready")


def _at_move(bot: Bot, number: int) -> Bot:
    """The bot with the lots of this move, so that its seed tells them whoever is asked."""
    seed = _seed(bot)
    return bot if seed is None else _seeded(bot, f"{seed} {number}")


def _seed(bot: Bot) -> int | None:
    """The seed of its lots, if it has one; a bot that has to prepare needs the same for all."""
    takes_one = "seed" in options_of(type(bot)) and not hasattr(bot, "prepare")
    return getattr(bot, "seed", None) if takes_one else None


def _seeded(bot: Bot, lots: str) -> Bot:
    """The bot with a seed drawn by these lots."""
    told = {name: getattr(bot, name) for name in options_of(type(bot))}
    told["seed"] = random.Random(lots).randrange(LOTS)
    found: Bot = registry.build(type(bot), bot.name, told)
    return found


# Bots that stay ready for their next move. Ours remember nothing but what they know of a game; what
# a stranger's bot remembers may be of another table.

_remembered: OrderedDict[Hashable, Bot] = OrderedDict()


def _remember(key: Hashable, bot: Bot) -> None:
    if type(bot).__module__.startswith("parlour.") and _seed(bot) is None:
        _remembered[key] = bot
        while len(_remembered) > KEPT:
            _remembered.popitem(last=False)


def _stamp(bot: Bot) -> str:
    """What changes when kept hats have learned something, perhaps elsewhere."""
    return storage.fingerprint(bot.kept) if isinstance(bot, HatsPlayer) and bot.kept else ""


# Whole games


def tournament_games(payload: Payload, work: Work) -> list[str]:
    """Play games of an arena plan, as many as begin within the time, and at least one.

    A bot that fails loses; so does one that is thinking when the work is stopped. Progress is how
    many games are over and, counted from 1, who is to move in the next: if nothing more is ever
    heard, that bot did not answer.
    """
    line, fixtures = field(payload, "plan", str), field(payload, "fixtures", list)
    registry.find("games", Plan.from_json(line).game)  # by its name: no file is opened
    return play_games(line, fixtures, seconds_of(payload, "within", 0.0), strong=True, work=work)


# What is learned


def teach(payload: Payload, work: Work) -> dict[str, list[str]]:
    """Let bots that learn learn from a game that is over; those who did are told.

    A bot sits where the record names it; one at several seats learns once.
    """
    record = Record.from_json(field(payload, "record", str))
    game = game_of({"game": record.game, "options": record.options})
    bots = texts(payload, "bots")
    if not Match.from_record(game, record).over:
        raise ParlourError("nothing can be learned from a game that is not over")
    taught = []
    for text in dict.fromkeys(bots):
        seats = [seat for seat, player in enumerate(record.players) if player == text]
        if len(seats) != bots.count(text):
            raise ParlourError(f"the record does not tell where {quote(text)} sat")
        if _learned(bot_of(text), game, record, seats):
            taught.append(text)
    return {"taught": taught}


def _learned(bot: Bot, game: Game, record: Record, seats: Sequence[int]) -> bool:
    if isinstance(bot, HatsPlayer):
        if not (bot.kept and bot.learning):
            return False  # what is learned by hats without a name is not kept
        storage.update_hats(bot.kept, game, lambda hats: lesson(hats, game, record, seats))
        return True
    learn = getattr(bot, "learn", None)
    if learn is not None:
        learn(record)
    return learn is not None


def lesson(hats: Hats, game: Game, record: Record, seats: Sequence[int]) -> None:
    """Put back the balls behind the moves of a record.

    Where several kinds of ball stand for one move, as at the end of sticks, it is the least that
    could have been drawn.
    """
    balls: dict[int, list[tuple[State, int]]] = {seat: [] for seat in seats}
    gave_up = None
    for state, move in record.replay(game):
        seat = game.turn(state)
        if seat not in seats or (move is None and game.result(state) is not None):
            continue
        if move is not None:
            balls[seat].append((state, hats.boxes.kind(state, move)))
        elif not any(hats.contents(hats.row(seat), hats.boxes.find(state))):
            gave_up = seat
    hats.learn(balls, record.result or (), gave_up)
