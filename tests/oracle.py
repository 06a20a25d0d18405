"""The value of every position of a small game, by its rules alone: no keys, no tables, no kernels.

The solvers, the bots, the explanations and the puzzles are held against it. It works backwards in
rounds from the ended positions, so games that can loop for ever have their values too.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from typing import Any

from parlour.core import key

TURNED = {"win": "loss", "loss": "win", "draw": "draw"}


class Oracle:
    """All positions from a start on, what follows each, and its value to the seat to move.

    A value is the outcome with the plies to the end when the winner hurries and the loser delays.
    """

    def __init__(self, game: Any, start: Any = None) -> None:
        self.game = game
        self.after: dict[Any, list[tuple[Any, Any]]] = {}
        waiting = [game.start() if start is None else start]
        before = defaultdict(list)
        while waiting:
            state = waiting.pop()
            if state in self.after:
                continue
            self.after[state] = [(move, game.play(state, move)) for move in game.moves(state)]
            for _, following in self.after[state]:
                before[following].append(state)
                waiting.append(following)
        self.values: dict[Any, tuple[str, int | None]] = {}
        for state, moves in self.after.items():
            payoff = 0 if moves else game.result(state)[game.turn(state)]
            if payoff:
                self.values[state] = ("win" if payoff > 0 else "loss", 0)
        newest, plies = dict(self.values), 0
        while newest:
            plies += 1
            touched = {state for following in newest for state in before[following]}
            newest = {}
            for state in touched - self.values.keys():
                ways = [self.worth(state, following) for _, following in self.after[state]]
                outcomes = {way[0] if way else None for way in ways}
                if "win" in outcomes:
                    newest[state] = ("win", plies)
                elif outcomes == {"loss"}:
                    newest[state] = ("loss", plies)
            self.values |= newest
        for state in self.after:
            self.values.setdefault(state, ("draw", None))

    @property
    def playable(self) -> list[Any]:
        """One position of each key, of those in which there is a move."""
        found: dict[Any, Any] = {}
        for state, moves in self.after.items():
            if moves:
                found.setdefault(key(self.game, state), state)
        return list(found.values())

    def worth(self, state: Any, following: Any) -> tuple[str, int | None] | None:
        """What it is worth to the mover of a state to go there; None before that is known."""
        value = self.values.get(following)
        if value is None:
            return None
        outcome, plies = value
        if self.game.turn(following) != self.game.turn(state):
            outcome = TURNED[outcome]
        return outcome, None if plies is None else plies + 1

    def moves(self, state: Any) -> list[tuple[Any, tuple[str, int | None] | None]]:
        """Every move with what it is worth."""
        return [(move, self.worth(state, following)) for move, following in self.after[state]]

    def best(self, state: Any) -> list[Any]:
        """The moves worth as much as the position: fastest wins, draws, or slowest losses."""
        return [move for move, worth in self.moves(state) if worth == self.values[state]]


@functools.cache
def oracle(game: Any, start: Any = None) -> Oracle:
    """The same, worked out once."""
    return Oracle(game, start)
