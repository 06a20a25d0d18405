"""Solve many variants of a game: a whole family for the atlas, or the neighbours of one variant.

A variant is a value, so a family of rules can be solved one after another and compared. `atlas`
makes the combinations of some options and solves each within its time. `find_neighbours` changes a
single option of one variant, so an inventor of rules sees which of them matter. `draw_variant`
picks one that is unusual and in which choices matter.
"""

from __future__ import annotations

import contextlib
import math
import random
import time
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

from parlour import core
from parlour.core import BadOption, Game, Option, ParlourError, TooLarge, Unsolved, Work, say
from parlour.rules import TakeAwayGame, multiset
from parlour.truth import disk as on_disk
from parlour.truth.solver import (
    check_solvable,
    default_folder,
    find_method,
    is_solved_soon,
    solve,
    solve_soon,
)
from parlour.truth.variants.results import Atlas, VariantRow

MAX_VARIANTS = 200_000
LIMIT = 5.0  # seconds for one variant


def atlas(
    game: Any,
    choices: Mapping[str, Sequence[Any]] | None = None,
    fixed: Mapping[str, Any] | None = None,
    *,
    base: Mapping[str, Any] | None = None,
    work: Work | None = None,
    limit_seconds: float = LIMIT,
    disk: str | Path | None = None,
) -> Atlas:
    """Solve every combination of these options.

    The game is given by its name, class or file, or as a game, whose own options do not matter.
    `choices` has the values to try of each option, `fixed` the value of others, and `base` the
    options of the variant that others are compared with. The default choices depend on the game.
    Invalid combinations are left out, and those that are the same game count as one. A variant not
    decided in `limit_seconds` is "undecided", and one too large is "refused", unless `disk` names a
    folder: such a variant is then solved in a folder of its own there, or found there solved.
    Stopping `work` ends the sweep with what is done.
    """
    cls = game if isinstance(game, type) else type(core.registry.game(game))
    name = str(getattr(cls, "name", cls.__name__))
    known = core.options_of(cls)
    work = core.to_work(work)
    for argument, given in {"choices": choices, "fixed": fixed, "base": base}.items():
        if given is not None:
            allowed = "it must be a dictionary with options of the game"
            core.check_type(argument, given, Mapping, allowed)
    limit_seconds = core.check_argument("limit_seconds", limit_seconds, float, low=0)
    fixed = dict(fixed or {})
    choices = {
        option: core.protocol.unwrap(values) for option, values in (choices or {}).items()
    } or {
        option: values
        for option, values in core.extra(cls, "choices").items()
        if option not in fixed
    }
    if not choices:
        raise ParlourError(
            "say which options of {name} to vary, and give each the values it should take; "
            "it has {one_of}",
            name=name,
            one_of=core.one_of(known) if known else say("none"),
        )
    variants = _list_variants(cls, choices, fixed)
    single = {option: values[0] for option, values in choices.items() if len(values) == 1}
    start = _find_base(cls, {**single, **fixed}, base, variants)
    work.total = len(variants)
    rows: list[VariantRow] = []
    for variant in variants:
        row = _solve_variant(variant, work, limit_seconds, disk)
        if work.stopped:
            break
        rows.append(row)
        work.done = len(rows)
    if not rows:
        work.raise_if_stopped()
    axes = tuple(
        option
        for option in known
        if option in choices and len({row.options[option] for row in rows}) > 1
    )
    start_options = _read_options(start)
    chosen = next((row for row in rows if row.options == start_options), rows[0])
    chosen_name = core.describe(core.registry.build("games", cls, dict(chosen.options)))
    return Atlas(name, known, axes, tuple(rows), chosen, chosen_name, len(variants))


def _list_variants(
    cls: type, choices: Mapping[str, Sequence[Any]], fixed: Mapping[str, Any]
) -> list[Game]:
    """Return the combinations that are valid games, each once."""
    known = core.options_of(cls)
    for option in (*choices, *fixed):
        if option not in known:
            core.registry.build("games", cls, {option: None})  # which says what options there are
    asked = {
        option: list(dict.fromkeys(map(known[option].check, choices[option])))
        for option in known
        if option in choices
    }
    many = math.prod(map(len, asked.values()))
    if not 0 < many <= MAX_VARIANTS:
        raise ParlourError(
            "that would be {many:,} combinations; an atlas holds 1 to {max_variants:,}",
            many=many,
            max_variants=MAX_VARIANTS,
        )
    found: dict[Any, Game] = {}
    error: BadOption | None = None
    for values in product(*asked.values()):
        try:
            game: Game = core.registry.build(
                "games", cls, {**fixed, **dict(zip(asked, values, strict=True))}
            )
        except BadOption as refusal:
            error = error or refusal
        else:
            found.setdefault(_identify(game), game)
    if not found and error:
        raise error
    return list(found.values())


def _read_options(game: Game) -> dict[str, Any]:
    return {name: getattr(game, name) for name in core.options_of(type(game))}


def _identify(game: Game) -> tuple[Any, ...]:
    """Return what is equal for variants that are the same game; a preset only names options."""
    known = core.options_of(type(game))
    same = {name: value for name, value in _read_options(game).items() if not known[name].presets}
    if isinstance(game, TakeAwayGame):
        same["piles"] = multiset(game.piles)
    return tuple(same.values())


def _find_base(
    cls: type,
    fixed: Mapping[str, Any],
    asked: Mapping[str, Any] | None,
    variants: Sequence[Game],
) -> Game:
    """Return the variant to compare with: the one asked for, else the default, else the first."""
    found = None
    try:
        wanted = _identify(core.registry.build("games", cls, {**fixed, **(asked or {})}))
        found = next((game for game in variants if _identify(game) == wanted), None)
    except BadOption:
        if asked is not None:
            raise
    if asked is not None and found is None:
        raise ParlourError(say("the base is not among the variants; choose one that is"))
    return found or variants[0]


def _solve_or_stop(game: Game, work: Work, disk: str | Path | None) -> core.Solution:
    try:
        check_solvable(game)
    except (TooLarge, Unsolved):
        if disk is None:
            raise
        place = f"{str(disk).rstrip('/')}/{default_folder(game).name}"
        with contextlib.suppress(core.BadFile):
            return on_disk.open_solution(game, place)
        return solve(game, work=work, disk=place)
    solution = solve(game, work=work)
    work.raise_if_stopped()  # not every method notices by itself
    return solution


def _solve_variant(
    game: Game, work: Work, limit_seconds: float, disk: str | Path | None
) -> VariantRow:
    """Solve a variant within its time, unless the whole sweep is stopped before."""
    options, start, own = _read_options(game), game.start(), Work()
    try:
        core.refuse_seats(game)
    except Unsolved as error:
        return VariantRow(options, "refused", reason=error.text)
    for kernel in find_method(game).list_kernels():
        kernel.prepare()  # before the clock starts, because it is loaded or compiled only once
    ends = time.monotonic() + limit_seconds

    def watch(own: Work) -> None:
        if work.stopped or time.monotonic() > ends:
            own.stop()

    try:
        solution = own.run(lambda: _solve_or_stop(game, own, disk), watch=watch)
        value = solution.value(start)
    except TooLarge as error:
        return VariantRow(options, "refused", reason=error.text)
    except Unsolved as error:
        return VariantRow(options, "undecided", reason=error.text, stopped=own.stopped)
    try:
        positions: int | None = sum(solution.counts().values())
    except Unsolved:
        positions = None
    winner = game.turn(start) if value.outcome == "win" else 1 - game.turn(start)
    outcome = "draw" if value.outcome == "draw" else ("first", "second")[winner]
    return VariantRow(options, outcome, value.plies, positions)


# Neighbours

REACH = 3  # how far numbers go up and down
MAX_TRIED = 16  # values of one option
MIN_SHARE, MAX_SHARE = 0.1, 1.0  # seconds for one variant


def find_neighbours(
    game: Any, *, work: Work | None = None, seconds: float = 10.0
) -> dict[str, tuple[VariantRow, ...]]:
    """Return who wins every neighbour, by the option that is changed.

    Numbers go a little up and down, yes becomes no, a choice gives way to the others, and a list
    gains, loses or changes one item. The neighbours share about `seconds`; one that is not solved
    in its share, or in a second, is "undecided". Stopping `work` ends it with what is done.
    """
    work = work or Work()
    ends = time.monotonic() + seconds
    known = core.options_of(type(game))
    tried = {name: _other_values(game, option) for name, option in known.items()}
    left = sum(map(len, tried.values())) + len(tried)  # one value of each option may be retried
    found = {}
    for name, values in tried.items():
        if not values or work.stopped:
            continue
        fixed = {other: getattr(game, other) for other in known if other != name}
        share = min(MAX_SHARE, max(MIN_SHARE, (ends - time.monotonic()) / left))
        left -= len(values) + 1
        try:
            swept = atlas(type(game), {name: values}, fixed, work=work, limit_seconds=share)
        except (BadOption, Unsolved):  # no value is valid, or the work was stopped
            continue
        found[name] = swept.rows
    return found


def _other_values(game: Any, option: Option) -> list[Any]:
    """Return the other values of one option that are worth trying."""
    if option.name == "seats":
        return []  # only games for two have exact values
    values = nearby_values(option, getattr(game, option.name))
    if option.presets:  # usually a name for other options, which stay as they are
        start = game.start()
        return [v for v in values if replace(game, **{option.name: v}).start() != start]
    return values[:MAX_TRIED]


def nearby_values(option: Option, value: Any) -> list[Any]:
    """Return the values next to one, within the limits of the option."""
    if option.depth == 2:
        return _nearby_sets(option, value or ())
    if option.depth == 1:
        return _nearby_lists(option, value or ())
    if option.kind is bool:
        return [not value]
    if option.choices:
        return [choice for choice in option.choices if choice != value]
    if option.kind is int:
        return [*_nearby_numbers(option, value), *([None] if option.optional and value else [])]
    return []


def _nearby_numbers(option: Option, value: int | None) -> list[int]:
    """Return slightly smaller and larger numbers; next to none at all, the least ones."""
    if value is None:
        least = int(option.low or 0)
        numbers: Sequence[int] = range(least, least + REACH)
    else:
        numbers = [value + step for step in range(-REACH, REACH + 1) if step]
    return [number for number in numbers if _fits(option, number)]


def _fits(option: Option, number: int) -> bool:
    low = -math.inf if option.low is None else option.low
    return low <= number <= (math.inf if option.high is None else option.high)


def _nearby_lists(option: Option, value: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    """Return the list with one item slightly smaller or larger, left out, or added."""
    found: list[tuple[Any, ...]] = []
    for place, item in enumerate(value):
        before, after = value[:place], value[place + 1 :]
        if option.kind is int:
            steps = (item - 1, item + 1)
            found += [(*before, step, *after) for step in steps if _fits(option, step)]
        found.append(before + after)
    if option.kind is int and _fits(option, 1):
        found.append((*value, 1))
    longest = math.inf if option.longest is None else option.longest
    return [items for items in dict.fromkeys(found) if len(items) <= longest]


def _nearby_sets(option: Option, value: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    """Return the lists with one left out, or with one or all of a bundle added."""
    found = [value[:place] + value[place + 1 :] for place in range(len(value))]
    for bundle in option.bundles.values():
        fresh = tuple(each for each in bundle if each not in value)
        found += [(*value, each) for each in fresh]
        if fresh:
            found.append(value + fresh)
    return list(dict.fromkeys(found))


# A variant that few have met, drawn from the family of a game. Whoever is tested on it cannot have
# read about it. It is one in which choices matter: random games must lead through several
# situations in which some moves are better than others.

MIN_CHANGED = 2  # options that differ from the usual ones
MIN_CRITICAL = 8  # situations that random games lead through and in which a choice can be wrong
PLAYOUTS, PLIES = 40, 200
TRIES = 500


def draw_variant(game: Any, seed: int) -> Game:
    """Return an unusual variant of a game, the same for the same seed.

    The game is given by its name or class, or as a game whose own options do not matter.
    """
    cls = game if isinstance(game, type) else type(core.registry.game(game))
    seed = core.check_argument("seed", seed, int)
    name = str(getattr(cls, "name", cls.__name__))
    choices = _list_choices(cls)
    if not choices:
        claims = core.registry.claims("games").items()
        known = ", ".join(game for game, claim in claims if _list_choices(claim.load()))
        raise ParlourError(f"variants are drawn of {known}, not of {name}; choose its options")
    chance = random.Random(f"variant {name} {seed}")
    known_variants = _list_known(cls)
    for _ in range(TRIES):
        drawn = {option: chance.choice(values) for option, values in choices.items()}
        try:
            found: Game = core.registry.build("games", cls, drawn)
        except BadOption:  # some do not go together
            continue
        if found not in known_variants and _is_unusual(found) and _matters(found, chance):
            return found
    raise ParlourError(f"no variant of {name} was found; try another seed")


def _list_choices(cls: type) -> Mapping[str, Sequence[Any]]:
    """Return what the atlas varies; some games cannot be solved as a family, and yet be judged."""
    found: Mapping[str, Sequence[Any]] = core.extra(cls, "choices") or core.extra(
        cls, "unusual_choices"
    )
    return found


def _list_known(cls: type) -> list[Any]:
    """Return the variants that have names of their own."""
    presets = {
        option: tuple(opt.presets) for option, opt in core.options_of(cls).items() if opt.presets
    }
    return [
        core.registry.build("games", cls, dict(zip(presets, chosen, strict=True)))
        for chosen in product(*presets.values())
    ]


def _is_unusual(game: Game) -> bool:
    usual, known = type(game)(), core.options_of(type(game))
    changed = [name for name in known if getattr(game, name) != getattr(usual, name)]
    return len(changed) >= min(MIN_CHANGED, len(known))


def _matters(game: Game, chance: random.Random) -> bool:
    """Return whether there are situations enough in which a choice can be wrong."""
    if not core.extra(game, "choices"):
        return True
    solution = solve_soon(game) if is_solved_soon(game) else None
    if solution is None:
        return False
    critical: set[Hashable] = set()
    for _ in range(PLAYOUTS):
        state = game.start()
        for _ in range(PLIES):
            moves = game.moves(state)
            if not moves:
                break
            if core.key(game, state) not in critical and _can_be_wrong(game, solution, state):
                critical.add(core.key(game, state))
            state = game.play(state, chance.choice(moves))
        if len(critical) >= MIN_CRITICAL:
            return True
    return False


def _can_be_wrong(game: Game, solution: core.Solution, state: Any) -> bool:
    try:
        after = [game.play(state, move) for move in game.moves(state)]
        return len({(game.turn(each), solution.value(each).outcome) for each in after}) > 1
    except Unsolved:
        return False
