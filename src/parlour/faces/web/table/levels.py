"""Levels of bots on the set-up page: one option of each as a slider, with a word and a rating.

Ratings are Elo points above `random`. They hold for the variant they were measured in and for no
other; `tools/levels.py` measures them, and those of Othello are from docs/engine.md.
"""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from parlour.core import Game, describe
from parlour.faces.web.texts import _, number

RATINGS = Path(__file__).with_name("ratings.json")
# The option of each bot that is its level, the lowest and highest on the slider, and the default.
SLIDERS = {
    "perfect": ("level", 1, 10, 10),
    "engine": ("level", 1, 10, 10),
    "despacito": ("level", 1, 8, 5),
    "minimax": ("depth", 0, 6, 5),
}
FLAWLESS = {"perfect"}  # bots that never err at their highest level


@dataclass(frozen=True)
class Level:
    """A place on a slider."""

    value: int
    word: str
    rating: int | None

    @property
    def text(self) -> str:
        """`medium, rating 295`, or that none was measured."""
        if self.rating is None:
            return _("%(word)s, no rating measured", word=self.word)
        return _("%(word)s, rating %(rating)s", word=self.word, rating=number(self.rating))


@cache
def _ratings() -> dict[str, dict[str, list[int]]]:
    found: dict[str, dict[str, list[int]]] = json.loads(RATINGS.read_text(encoding="utf-8"))
    return found


def rate(game: Game, bot: str) -> int | None:
    """Return the measured rating of a bot with its options in a variant, if there is one."""
    measured = _ratings().get(describe(game), {}).get(_plain(bot))
    return None if measured is None else measured[0]


def _plain(bot: str) -> str:
    """Return a bot with its level alone, left out where it is the default, as ratings name it."""
    name, *options = shlex.split(bot)
    option, _low, _high, usual = SLIDERS.get(name, ("", 0, 0, 0))
    chosen = [each for each in options if each != f"{option}={usual}" and not _is_seed(each)]
    return " ".join([name, *chosen])


def _is_seed(option: str) -> bool:
    return option.startswith("seed=")


def name_level(bot: str, value: int) -> str:
    """Return the word for a level: `beginner` to `expert`."""
    _option, low, high, _usual = SLIDERS[bot]
    if value >= high and bot in FLAWLESS:
        return _("perfect")
    words = (_("beginner"), _("easy"), _("medium"), _("hard"), _("expert"))
    share = (min(max(value, low), high) - low) / (high - low)
    return words[min(len(words) - 1, int(share * len(words)))]


def list_levels(game: Game, bot: str) -> list[Level]:
    """Return the places on the slider of a bot; none if it has no levels."""
    if bot not in SLIDERS:
        return []
    option, low, high, _usual = SLIDERS[bot]
    return [
        Level(value, name_level(bot, value), rate(game, f"{bot} {option}={value}"))
        for value in range(low, high + 1)
    ]


def add_level(bot: str, typed: dict[str, str], options: str) -> str:
    """Return the options of a bot with the level that its slider says, unless they name one."""
    if bot not in SLIDERS:
        return options
    option, low, high, _usual = SLIDERS[bot]
    value = typed.get(f"level-{bot}", "")
    if f"{option}=" in options or not (value.isascii() and value.isdigit() and len(value) < 4):
        return options
    return f"{option}={min(max(int(value), low), high)} {options}".strip()


def describe_bot(game: Game, bot: str) -> str:
    """Return a bot as people read it: `perfect, level 3: easy, rating 197`."""
    name = bot.partition(" ")[0]
    if name in SLIDERS:
        option, _low, _high, usual = SLIDERS[name]
        options: dict[str, Any] = dict(each.split("=", 1) for each in shlex.split(bot)[1:])
        text = str(options.pop(option, usual))
        if set(options) <= {"seed"} and text.isdigit():
            level = Level(int(text), name_level(name, int(text)), rate(game, bot))
            return _("%(bot)s, level %(level)s: %(words)s", bot=name, level=text, words=level.text)
    rating = rate(game, bot)
    if rating is None:
        return bot
    return _("%(bot)s, rating %(rating)s", bot=bot, rating=number(rating))
