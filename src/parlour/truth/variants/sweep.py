"""The atlas: who wins every variant of a game, in how many plies, and which single rule turns it.

A variant is a value, so a whole family of rules can be solved one after the other and laid side by
side. This file makes the variants and solves each within its time; the table says what they show.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import combinations_with_replacement, product
from typing import Any

from parlour.core import (
    DONE,
    TOTAL,
    BadOption,
    Game,
    ParlourError,
    Solution,
    TooLarge,
    UnknownName,
    Unsolved,
    Work,
    count,
    declared,
    describe,
    make,
    nearest,
    one_of,
    quote,
    refuse_seats,
    registry,
)
from parlour.rules import Nim, multiset
from parlour.truth.solver import solve
from parlour.truth.variants.table import Atlas, Row

MOST_VARIANTS = 200_000
LIMIT = 5.0  # seconds for one variant
GLANCE = 0.01  # seconds between two looks at the clock
BOTH = (False, True)

USUAL_CHOICES: dict[str, dict[str, Sequence[Any]]] = {
    "chopsticks": {
        "dies_at": range(3, 11),
        "overflow": ("dies", "wraps"),
        "hit_self": BOTH,
        "split_least": range(10),
        "revive": BOTH,
        "split_same": BOTH,
        "fingers": (1,),
        "loops": ("allowed",),
    },
    "nim": {
        "piles": [
            piles
            for many in range(1, 5)
            for piles in combinations_with_replacement(range(1, 8), many)
        ],
        "misere": BOTH,
        "take": (None, 1, 2, 3),
    },
    "sticks": {"sticks": range(10, 31), "take": range(1, 6)},
    "tictactoe": {"columns": (3, 4), "rows": (3, 4), "line": (3, 4), "misere": BOTH},
}


def atlas(
    game: str | type,
    choices: Mapping[str, Sequence[Any]] | None = None,
    fixed: Mapping[str, Any] | None = None,
    *,
    base: Mapping[str, Any] | None = None,
    work: Work | None = None,
    limit_seconds: float = LIMIT,
) -> Atlas:
    """Solve every combination of these options.

    Without choices a game's usual sweep is made. Combinations that are no game are left out, and
    those that are the same game are one. A variant not decided in time is "undecided", and one too
    large is "refused". Stopping `work` ends the sweep with what is done.
    """
    cls = registry.find("games", game) if isinstance(game, str) else game
    name = str(getattr(cls, "name", cls.__name__))
    known = declared(cls)
    work = work or Work()
    fixed = dict(fixed or {})
    choices = dict(choices or {}) or {
        option: values
        for option, values in USUAL_CHOICES.get(name, {}).items()
        if option not in fixed
    }
    if not choices:
        raise ParlourError(
            f"say which options of {name} to vary, and give each the values it should take; "
            f"it has {one_of(known) if known else 'none'}"
        )
    variants = _variants(cls, name, choices, fixed)
    start = _base(cls, name, choices, fixed, base, variants)
    work.cells[TOTAL] = len(variants)
    rows: list[Row] = []
    with _clock(work, limit_seconds) as clock:
        for variant in variants:
            row = _solved(variant, clock)
            if work.stopped:
                break
            rows.append(row)
            work.cells[DONE] = len(rows)
    if not rows:
        raise Unsolved(f"stopped before the first of {count(len(variants), 'variant')} was solved")
    axes = tuple(
        option
        for option in known
        if option in choices and len({row.options[option] for row in rows}) > 1
    )
    start_options = _options(start)
    chosen = next((row for row in rows if row.options == start_options), rows[0])
    chosen_name = describe(make(cls, name, dict(chosen.options)))
    return Atlas(name, known, axes, tuple(rows), chosen, chosen_name, len(variants))


def _variants(
    cls: type, name: str, choices: Mapping[str, Sequence[Any]], fixed: Mapping[str, Any]
) -> list[Game]:
    """The combinations that are games, each once."""
    known = declared(cls)
    for option in (*choices, *fixed):
        if option not in known:
            hint = nearest(option, known) or f"; it has {one_of(known) if known else 'none'}"
            raise UnknownName(f"{name} has no option {quote(option)}{hint}")
    asked = {
        option: list(dict.fromkeys(map(known[option].check, choices[option])))
        for option in known
        if option in choices
    }
    many = math.prod(map(len, asked.values()))
    if not 0 < many <= MOST_VARIANTS:
        raise ParlourError(
            f"that would be {many:,} combinations; an atlas holds 1 to {MOST_VARIANTS:,}"
        )
    found: dict[Any, Game] = {}
    trouble: BadOption | None = None
    for values in product(*asked.values()):
        try:
            game: Game = make(cls, name, {**fixed, **dict(zip(asked, values, strict=True))})
        except BadOption as refusal:
            trouble = trouble or refusal
        else:
            found.setdefault(_identity(game), game)
    if not found and trouble:
        raise trouble
    return list(found.values())


def _options(game: Game) -> dict[str, Any]:
    return {name: getattr(game, name) for name in declared(type(game))}


def _identity(game: Game) -> tuple[Any, ...]:
    """Equal for variants that are the same game: a preset is only a name for other options."""
    known = declared(type(game))
    same = {name: value for name, value in _options(game).items() if not known[name].presets}
    if isinstance(game, Nim):
        same["piles"] = multiset(game.piles)
    return tuple(same.values())


def _base(
    cls: type,
    name: str,
    choices: Mapping[str, Sequence[Any]],
    fixed: Mapping[str, Any],
    asked: Mapping[str, Any] | None,
    variants: Sequence[Game],
) -> Game:
    """The variant to compare with: the one asked for, else the usual one, else the first."""
    single = {option: values[0] for option, values in choices.items() if len(values) == 1}
    try:
        wanted = _identity(make(cls, name, {**single, **fixed, **(asked or {})}))
    except BadOption:
        if asked is not None:
            raise
        return variants[0]
    for variant in variants:
        if _identity(variant) == wanted:
            return variant
    if asked is not None:
        raise ParlourError("the base is not among the variants; choose one that is")
    return variants[0]


class _Clock:
    """Stops the solving of one variant when its time is up, or when the whole work is stopped."""

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self.loading = True  # the first to run out may have spent its time loading compiled code
        self.restart()

    def restart(self) -> Work:
        self.ends = time.monotonic() + self.limit
        self.work = Work()
        return self.work


@contextmanager
def _clock(work: Work, limit: float) -> Iterator[_Clock]:
    clock = _Clock(limit)
    over = threading.Event()

    def watch() -> None:
        while not over.wait(GLANCE):
            if work.stopped or time.monotonic() > clock.ends:
                clock.work.stop()

    watcher = threading.Thread(target=watch, name="parlour-atlas-clock", daemon=True)
    watcher.start()
    try:
        yield clock
    finally:
        over.set()
        watcher.join()


def _solution(game: Game, work: Work) -> Solution:
    solution = solve(game, work=work)
    if work.stopped:  # not every solver says so itself
        raise Unsolved("stopped before every situation was settled")
    return solution


def _solved(game: Game, clock: _Clock) -> Row:
    options = _options(game)
    work = clock.restart()
    start = game.start()
    try:
        refuse_seats(game)
    except Unsolved as refusal:
        return Row(options, "refused", reason=str(refusal))
    try:
        solution = _solution(game, work)
        value = solution.value(start)
    except TooLarge as refusal:
        return Row(options, "refused", reason=str(refusal))
    except Unsolved as refusal:
        if work.stopped and clock.loading:
            clock.loading = False
            return _solved(game, clock)
        return Row(options, "undecided", reason=str(refusal))
    try:
        positions: int | None = sum(solution.counts().values())
    except Unsolved:
        positions = None
    winner = game.turn(start) if value.outcome == "win" else 1 - game.turn(start)
    outcome = "draw" if value.outcome == "draw" else ("first", "second")[winner]
    return Row(options, outcome, value.plies, positions)
