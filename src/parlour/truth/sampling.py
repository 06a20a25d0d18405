"""Situations drawn at random from a solved game, all equally likely.

A game of a million situations is solved sooner than its rules could walk through all of them. What
a solution holds is a table, and a table can be drawn from: a state is made again from its number.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from parlour.core import Solution, State
from parlour.truth.graph import CodeIndex, GraphSolution, KeyIndex
from parlour.truth.impartial import NimTable
from parlour.truth.solver import find_method


def draw_states(solution: Solution, generator: random.Random) -> Iterator[State] | None:
    """Yield a state of each situation in random order; None where they cannot be listed.

    Each order of the situations is equally likely, so the first few are a uniform sample without
    replacement. Ended ones are among them.
    """
    if isinstance(solution, NimTable):
        return _draw_piles(solution, generator)
    if isinstance(solution, GraphSolution):
        index = solution.index
        if isinstance(index, KeyIndex):
            return _shuffle(index.states, generator)
        decode = getattr(find_method(solution.game), "decode", None)
        if decode is not None and isinstance(index, CodeIndex):
            return (decode(solution.game, int(code)) for code in _shuffle(index.codes, generator))
    return None


def _shuffle(things: Sequence[Any], generator: random.Random) -> Iterator[Any]:
    """Yield all of very many things in random order, without copying them (Fisher and Yates)."""
    moved: dict[int, int] = {}
    for last in range(len(things) - 1, -1, -1):
        place = generator.randrange(last + 1)
        yield things[moved.get(place, place)]
        moved[place] = moved.pop(last, last)


def _draw_piles(solution: NimTable, generator: random.Random) -> Iterator[State]:
    start: State = solution.game.start()
    places = sorted(range(2, len(start)), key=lambda place: -start[place])
    reached = solution.reachable() if solution.game.endings else None
    for number in _shuffle(range(solution.distance.size), generator):
        if reached is None or reached[number]:
            state = list(start)
            for place, size in zip(places, solution.numbers.piles(number), strict=False):
                state[place] = size  # none larger than it was at the start
            yield solution.game.read(solution.game.write(tuple(state)))  # it may be over
