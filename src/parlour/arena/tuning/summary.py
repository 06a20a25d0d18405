"""What came of a tuning, in words and numbers: the verdict, a short table, JSON for programs."""

from __future__ import annotations

import json
import shlex
from typing import Any

from parlour.arena.tuning.search import Generation, Lead, TuningResult
from parlour.core import Bot, as_flags, capital, count, declared, describe, registry, values

TOP = 10  # rows of the short table
FEW = 4  # numbers that are told of every variant
LONGEST = 60  # letters of a bot with its options in a title
SURE = 0.975  # likelihood from which on the interval leaves 0 out


def title(tuned: TuningResult) -> str:
    """`othello: 20 variants of benedict`, with the generations where there are several."""
    task, many = tuned.task, len(tuned.generations)
    bot = describe(task.bot)
    if len(bot) > LONGEST:  # it began with tables of somebody's own
        bot = task.bot.name
    head = f"{capital(describe(task.game))}: {task.variants} variants of {bot}"
    return head + (f", {many} generations" if many > 1 else "")


def shown_options(tuned: TuningResult) -> list[str]:
    """The options to tell of every variant: those that vary, unless they hold many numbers."""
    bot = tuned.task.bot
    names = [name for name in declared(type(bot)) if name in tuned.task.vary]
    return names if sum(len(numbers(bot, name)) for name in names) <= FEW else []


def numbers(bot: Bot, name: str) -> list[float]:
    """All numbers that an option of a bot holds, however deep in lists."""

    def within(value: Any) -> list[float]:
        if isinstance(value, tuple):
            return [number for each in value for number in within(each)]
        return [value]

    return within(getattr(bot, name))


def format_option(bot: Bot, name: str) -> str:
    """What an option of a bot is set to, as one types it."""
    return declared(type(bot))[name].write(getattr(bot, name))


def verdict(tuned: TuningResult) -> str:
    """Whether it is better than where one began, in one or two honest sentences."""
    best, last = tuned.best, tuned.generations[-1]
    where = "of the last generation" if len(tuned.generations) > 1 else "of them"
    won = f"won {best.wins} of {count(best.games, 'game')}"
    base = tuned.task.bot.name
    if tuned.confirmed is None or tuned.confirmed.lead is None:
        return (
            f"None {where} did better than {base}, the bot you began with: it {won}. "
            "More generations, or other options to vary, may find one."
        )
    ahead, fresh = tuned.confirmed.lead, count(tuned.confirmed.games, "fresh game")
    told = " ".join(
        f"{name}={format_option(best.variant.bot, name)}" for name in shown_options(tuned)
    )
    who = best.variant.name + (f" ({told})" if told else "")
    head = f"{who}, the best of {len(last.variants)}, {won}."
    against = f"In {fresh} against {base}, the bot you began with,"
    if ahead.elo <= 0:
        return f"{head} {against} it did no better ({elo(ahead)}): its lead was luck."
    sure = f"{against} it is stronger with {likely(ahead.likelihood)} likelihood ({elo(ahead)})."
    doubt = "" if ahead.likelihood >= SURE else " That is not sure; more games would tell."
    return f"{head} {sure}{doubt}"


def elo(lead: Lead) -> str:
    """`+35 Elo, -20 to +90`"""
    return f"{signed(lead.elo)} Elo, {interval(lead)}"


def interval(lead: Lead) -> str:
    """`-20 to +90`"""
    return f"{signed(lead.low)} to {signed(lead.high)}"


def signed(number: float) -> str:
    """`+35`, `-20`, `0`"""
    return f"{round(number):+}" if round(number) else "0"


def likely(share: float) -> str:
    """`83 %`; nothing is certain."""
    return f"{min(max(round(100 * share), 1), 99)} %"


def games(tuned: TuningResult) -> str:
    """`380 games`, those of the last match left out."""
    many = sum(len(each.games) for each in tuned.generations)
    return f"{many:,} games"


def describe_faults(tuned: TuningResult) -> str:
    """How many games somebody lost by a fault of its own, and how the first of them went."""
    stages = [*tuned.generations, *([tuned.match] if tuned.match else [])]
    faults = [game for each in stages for _, game in each.games if game.fault]
    if not faults:
        return ""
    return f"{count(len(faults), 'game')} ended by a fault, the first: {faults[0].record.reason}"


def format_summary(tuned: TuningResult) -> str:
    """A table of the best, and the verdict."""
    last = tuned.generations[-1]
    ranked = list(enumerate(last.standings, start=1))
    rows = [(rank, each) for rank, each in ranked if rank <= TOP or each.lead is None]
    heads = ["", *shown_options(tuned)]
    bots = [
        [each.variant.name, *(format_option(each.variant.bot, name) for name in heads[1:])]
        for _, each in rows
    ]
    wide = [max(map(len, column)) for column in zip(heads, *bots, strict=True)]

    def line(words: list[str]) -> str:
        more = map(str.rjust, words[1:], wide[1:])
        return "  ".join([words[0].ljust(wide[0]), *more])

    lines = [
        f"{title(tuned)}, {games(tuned)}",
        "",
        f"     {line(heads)}   won  drawn  lost  Elo above {last.variants[0].name}",
    ]
    for (rank, each), words in zip(rows, bots, strict=True):
        won = f"{each.wins:>4}  {each.draws:>5}  {each.losses:>4}"
        ahead = "" if each.lead is None else f"{signed(each.lead.elo):>5}  ({interval(each.lead)})"
        lines.append(f"{rank:>3}. {line(words)}  {won}  {ahead}".rstrip())
    lines += ["", verdict(tuned)]
    return "\n".join(lines + ([describe_faults(tuned)] if describe_faults(tuned) else []))


def describe_best(tuned: TuningResult) -> dict[str, Any]:
    """The best bot, for a file: by its options, as one types it, and as one plays against it."""
    variant, game = tuned.best.variant, tuned.task.game
    named = registry.file_of(type(game)) or game.name
    seats = ["--seat", "human", "--seat", variant.text]
    return {
        "game": game.name,
        "game_options": values(game),
        "bot": variant.bot.name,
        "options": values(variant.bot),
        "text": variant.text,
        "play": shlex.join(
            ["parlour", "play", named, *as_flags(game), *seats],
        ),
    }


def to_json(tuned: TuningResult) -> str:
    """All of it."""
    task = tuned.task
    told = {
        "game": describe(task.game),
        "bot": describe(task.bot),
        "vary": sorted(task.vary),
        "seed": task.seed,
        "generations": [_told(each) for each in tuned.generations],
        "match": None if tuned.match is None else _told(tuned.match),
        "best": {"name": tuned.best.variant.name, **describe_best(tuned)},
        "verdict": verdict(tuned),
    }
    return json.dumps(told, indent=2, ensure_ascii=False)


def _told(generation: Generation) -> list[dict[str, Any]]:
    return [
        {
            "name": each.variant.name,
            "parent": each.variant.parent or None,
            "wins": each.wins,
            "draws": each.draws,
            "losses": each.losses,
            "lead": None
            if each.lead is None
            else {
                "elo": round(each.lead.elo, 1),
                "low": round(each.lead.low, 1),
                "high": round(each.lead.high, 1),
                "likelihood": round(each.lead.likelihood, 4),
            },
            "bot": each.variant.text,
        }
        for each in generation.standings
    ]
