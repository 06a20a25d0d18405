"""The variants next to one: each differs from it in a single option, and is solved in its turn.

Numbers go a little up and down, yes becomes no, a choice gives way to the others, and a list gains,
loses or changes one item. So whoever invents a rule sees which of the rest it hangs on.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from parlour.core import BadOption, Game, Option, Unsolved, Work, declared
from parlour.truth.variants.sweep import atlas
from parlour.truth.variants.table import Row

REACH = 3  # how far numbers go up and down
MOST_TRIED = 16  # values of one option
LONGEST, SHORTEST = 1.0, 0.1  # seconds for one variant


def find_neighbours(
    game: Any, *, work: Work | None = None, seconds: float = 10.0
) -> dict[str, tuple[Row, ...]]:
    """Who wins every neighbour, by the option that is changed.

    They share about so many seconds; one that is not solved in its share, or in a second, is
    "undecided". Stopping `work` ends it with what is done.
    """
    work = work or Work()
    ends = time.monotonic() + seconds
    known = declared(type(game))
    tried = {name: _others(game, option) for name, option in known.items()}
    left = sum(map(len, tried.values())) + len(tried)  # of each option, one may be tried twice
    found = {}
    for name, values in tried.items():
        if not values or work.stopped:
            continue
        fixed = {other: getattr(game, other) for other in known if other != name}
        share = min(LONGEST, max(SHORTEST, (ends - time.monotonic()) / left))
        left -= len(values) + 1
        try:
            swept = atlas(type(game), {name: values}, fixed, work=work, limit_seconds=share)
        except (BadOption, Unsolved):  # none of them is a game, or it was stopped
            continue
        found[name] = swept.rows
    return found


def _others(game: Any, option: Option) -> list[Any]:
    """Other values of one option that are worth a look."""
    if option.name == "seats":
        return []  # only games for two have exact values
    values = nearby(option, getattr(game, option.name))
    if option.presets:  # mostly a name for other options, which stay as they are
        start = game.start()
        return [value for value in values if _start(game, option.name, value) != start]
    return values[:MOST_TRIED]


def _start(game: Any, name: str, value: Any) -> Any:
    changed: Game = replace(game, **{name: value})
    return changed.start()


def nearby(option: Option, value: Any) -> list[Any]:
    """The values next to one, within the limits of the option."""
    if option.depth == 2:
        return _lists(option, value or ())
    if option.depth == 1:
        return _items(option, value or ())
    if option.kind is bool:
        return [not value]
    if option.choices:
        return [choice for choice in option.choices if choice != value]
    if option.kind is int:
        return [*_numbers(option, value), *([None] if option.optional and value else [])]
    return []


def _numbers(option: Option, value: int | None) -> list[int]:
    """A little less and a little more; next to no number at all are the least."""
    if value is None:
        least = int(option.low or 0)
        numbers: Sequence[int] = range(least, least + REACH)
    else:
        numbers = [value + step for step in range(-REACH, REACH + 1) if step]
    return [number for number in numbers if _fits(option, number)]


def _fits(option: Option, number: int) -> bool:
    low_enough = option.high is None or number <= option.high
    return low_enough and (option.low is None or number >= option.low)


def _items(option: Option, value: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    """One item a little less or more, one left out, or one more."""
    found: list[tuple[Any, ...]] = []
    for place, item in enumerate(value):
        before, after = value[:place], value[place + 1 :]
        if option.kind is int:
            steps = (item - 1, item + 1)
            found += [(*before, step, *after) for step in steps if _fits(option, step)]
        found.append(before + after)
    if option.kind is int and _fits(option, 1):
        found.append((*value, 1))
    return [items for items in dict.fromkeys(found) if _is_short(option, items)]


def _is_short(option: Option, items: tuple[Any, ...]) -> bool:
    return option.longest is None or len(items) <= option.longest


def _lists(option: Option, value: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    """One list left out, or one or all of a bundle added."""
    found = [value[:place] + value[place + 1 :] for place in range(len(value))]
    for bundle in option.bundles.values():
        fresh = tuple(each for each in bundle if each not in value)
        found += [(*value, each) for each in fresh]
        if fresh:
            found.append(value + fresh)
    return list(dict.fromkeys(found))
