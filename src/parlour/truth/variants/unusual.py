"""A variant that few have met, drawn from the family of a game that the atlas solves.

Whoever is tested on it cannot have read about it. It is one in which choices matter: random games
must lead through several situations in which some moves are better than others.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping, Sequence
from itertools import product
from typing import Any

from parlour.core import (
    BadOption,
    Game,
    ParlourError,
    Solution,
    Unsolved,
    check_argument,
    extra,
    key,
    options_of,
    registry,
)
from parlour.truth.solver import is_solved_soon, solve_soon

MIN_CHANGED = 2  # options that differ from the usual ones
MIN_CRITICAL = 8  # situations that random games lead through and in which a choice can be wrong
PLAYOUTS, PLIES = 40, 200
TRIES = 500


def draw_variant(game: Any, seed: int) -> Game:
    """Return an unusual variant of a game, the same for the same seed.

    The game is given by its name or class, or as a game whose own options do not matter.
    """
    cls = game if isinstance(game, type) else type(registry.game(game))
    seed = check_argument("seed", seed, int)
    name = str(getattr(cls, "name", cls.__name__))
    choices = _list_choices(cls)
    if not choices:
        known = ", ".join(
            each for each in registry.games() if _list_choices(registry.find("games", each))
        )
        raise ParlourError(f"variants are drawn of {known}, not of {name}; choose its options")
    chance = random.Random(f"variant {name} {seed}")
    known_variants = _list_known(cls, name)
    for _ in range(TRIES):
        drawn = {option: chance.choice(values) for option, values in choices.items()}
        try:
            found: Game = registry.build("games", cls, drawn)
        except BadOption:  # some do not go together
            continue
        if found not in known_variants and _is_unusual(found) and _matters(found, chance):
            return found
    raise ParlourError(f"no variant of {name} was found; try another seed")


def _list_choices(cls: type) -> Mapping[str, Sequence[Any]]:
    """Return what the atlas varies; some games cannot be solved as a family, and yet be judged."""
    found: Mapping[str, Sequence[Any]] = extra(cls, "choices") or extra(cls, "unusual_choices")
    return found


def _list_known(cls: type, name: str) -> list[Any]:
    """Return the variants that have names of their own."""
    presets = {option: tuple(opt.presets) for option, opt in options_of(cls).items() if opt.presets}
    return [
        registry.build("games", cls, dict(zip(presets, chosen, strict=True)))
        for chosen in product(*presets.values())
    ]


def _is_unusual(game: Game) -> bool:
    usual, known = type(game)(), options_of(type(game))
    changed = [name for name in known if getattr(game, name) != getattr(usual, name)]
    return len(changed) >= min(MIN_CHANGED, len(known))


def _matters(game: Game, chance: random.Random) -> bool:
    """Return whether there are situations enough in which a choice can be wrong."""
    if not extra(game, "choices"):
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
            if key(game, state) not in critical and _can_be_wrong(game, solution, state):
                critical.add(key(game, state))
            state = game.play(state, chance.choice(moves))
        if len(critical) >= MIN_CRITICAL:
            return True
    return False


def _can_be_wrong(game: Game, solution: Solution, state: Any) -> bool:
    try:
        after = [game.play(state, move) for move in game.moves(state)]
        return len({(game.turn(each), solution.value(each).outcome) for each in after}) > 1
    except Unsolved:
        return False
