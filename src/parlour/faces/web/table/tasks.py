"""What workers do for the bots at tables: list them, choose their moves, let them learn."""

from __future__ import annotations

import random
from collections.abc import Hashable
from typing import Any

from parlour import core
from parlour.core import Bot, Game, IllegalMove, Move, ParlourError, Record, Resigns, Work, say
from parlour.faces.web.clients import Recent
from parlour.faces.web.workers import Payload, TaskFunction, game_of, match_of
from parlour.learn import HatsPlayer, storage

MAX_READY = 8  # bots kept ready for their next move
MAX_SEED = 2**31

# Bots kept ready for their next move. Ours remember nothing but what they know of a game; what
# somebody else's bot remembers may be of another table.
_ready: Recent[Hashable, Bot] = Recent(MAX_READY)


def describe_bots(payload: Payload, work: Work) -> dict[str, str]:
    """Say how well each of some bots plays a game with its own options; nothing for not at all."""
    game, found = game_of(payload), {}
    for text in payload["bots"]:
        try:
            found[text] = core.registry.build("bots", text).plays(game)
        except ParlourError:
            found[text] = ""
    return found


def list_bots(payload: Payload, work: Work) -> list[dict[str, Any]]:
    """List the bots that play a game, each with how well it plays and its options."""
    game = game_of(payload)
    listed = []
    for name, claim in core.registry.claims("bots").items():
        if strength := core.registry.describe_strength(claim, game):
            kind = claim.load()
            about = " ".join((kind.__doc__ or "").partition("\n\n")[0].split())
            listed.append(
                {"name": name, "about": about, "plays": strength, "options": core.schema(kind)}
            )
    return listed


def choose(payload: Payload, work: Work) -> dict[str, str]:
    """Return the move of a bot, or that it resigns and why."""
    game = game_of(payload)
    match = match_of(game, payload)
    if match.over:
        raise ParlourError(say("the game is over"))
    hats, left = payload.get("hats", ""), payload.get("left")
    bot = core.registry.build("bots", payload["bot"])
    seed = _seed_of(bot)
    if seed is not None:
        bot = _reseed(bot, f"{seed} {len(match.moves)}")
    key = (core.describe(bot), hats, game)
    if key in _ready:
        bot = _ready.pop(key)
    else:
        _prepare(bot, game, work, hats)
    if left is not None and hasattr(bot, "clock"):
        bot.clock(left)
    try:
        move = _choose(bot, match, work)
    except Resigns as why:
        return {"resigns": say("resigned: {why}", why=core.text_of(why)) if str(why) else ""}
    try:
        match.play(move)
    except IllegalMove as error:
        raise IllegalMove(
            "it chose {move}: {error}", move=core.quote(move), error=error.text
        ) from error
    ours = type(bot).__module__.startswith("parlour.") and not core.registry.source_of(type(bot))
    if ours and seed is None:
        _ready.keep(key, bot)
    return {"move": match.moves[-1]}


def _choose(bot: Bot, match: core.Match, work: Work) -> Move:
    """Return a bot's choice; once the work is stopped, so is the bot."""
    stop = getattr(bot, "stop", None)
    if stop is None:
        return bot.choose(match.game, match.state)
    return work.run(
        lambda: bot.choose(match.game, match.state),
        watch=lambda work: stop() if work.stopped else None,
    )


def _prepare(bot: Bot, game: Game, work: Work, hats: str) -> None:
    """Let a bot get ready, with the hats it plays with, if any."""
    if hats:
        give_hats(bot, hats, game, work)
    elif hasattr(bot, "prepare"):
        bot.prepare(game, work)
    if work.stopped:
        raise ParlourError(say("stopped before the bot was ready"))


def give_hats(bot: Bot, hats: str, game: Game, work: Work) -> None:
    """Let a bot play with the hats of a class, as they are stored."""
    if not isinstance(bot, HatsPlayer):
        raise ParlourError(
            "{describe} does not play with hats", describe=core.quote(core.describe(bot))
        )
    bot.use_hats(storage.from_json(hats, game, name="this class", work=work))


def _seed_of(bot: Bot) -> int | None:
    """Return a bot's seed, if it has one; a bot that prepares keeps the same for every move."""
    takes_one = "seed" in core.options_of(type(bot)) and not hasattr(bot, "prepare")
    return getattr(bot, "seed", None) if takes_one else None


def _reseed(bot: Bot, source: str) -> Bot:
    """Return the bot with a seed derived from a text: every worker would choose the same."""
    options = {name: getattr(bot, name) for name in core.options_of(type(bot))}
    options["seed"] = random.Random(source).randrange(MAX_SEED)
    seeded: Bot = core.registry.build("bots", type(bot), options)
    return seeded


def teach(payload: Payload, work: Work) -> dict[str, list[str]]:
    """Let bots learn from a finished game, and return those that did; each learns once."""
    record = Record.from_json(payload["record"])
    taught = []
    for text in dict.fromkeys(payload["bots"]):
        bot = core.registry.build("bots", text)
        if hasattr(bot, "learn"):
            bot.learn(record)
            taught.append(text)
    return {"taught": taught}


TASKS: dict[str, TaskFunction] = {
    "choose": choose,
    "describe-bots": describe_bots,
    "plays": list_bots,
    "teach": teach,
}
